/* site_keys.h - every key of a site file, declared once: checking and the JSON Schema walk these
 * tables. Private to this wing. */
#ifndef HC_PIPELINE_SITE_SITE_KEYS_H
#define HC_PIPELINE_SITE_SITE_KEYS_H

#include "study/grammar/scenario_errors.h"
#include "study/grammar/scenario_node.h"

enum hc_site_kind {
    HC_SITE_TEXT,   /* that is not empty */
    HC_SITE_TEXTS,  /* one, or a list of them */
    HC_SITE_NUMBER, /* above 0 */
    HC_SITE_COUNT,  /* a whole number above 0 */
    HC_SITE_OBJECT, /* of members */
    HC_SITE_LIST,   /* of objects of members */
    HC_SITE_NAMED,  /* an object of any names, each an object of members */
    HC_SITE_COLUMNS /* the same, each also a text alone, which is its "from" */,
    HC_SITE_WORDS, /* an object of any names, each a text, which may be empty */
    HC_SITE_SETS   /* an object of any names, each one or several texts */
};

struct hc_site_key {
    const char *name; /* NULL ends a table */
    enum hc_site_kind kind;
    bool is_required;
    const char *help; /* one sentence with its full stop */
    const struct hc_site_key *members;
    const char *const *choices; /* of a text; ends in NULL */
};

/* The top of a site file. */
extern const struct hc_site_key hc_site_keys[];

/* Complain of every key that no table has, and of every value of another type. What is of the right
 * type may still be wrong. */
void hc_site_check_keys(struct hc_scenario_errors *errors, const struct hc_node *root);

/* Whether a file that the site file names is not there, which is a mistake in it: one that cannot
 * be read now is none. */
bool hc_site_lacks(const char *path);

#endif
