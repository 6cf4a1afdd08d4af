/* description.h - what a kind of input says of its own rows, filled by its row (kind.h, guard.h)
 * and shown by `ingest` and `show`, which know no kind: facts for the text, and a record for JSON.
 */
#ifndef HC_PIPELINE_KINDS_DESCRIPTION_H
#define HC_PIPELINE_KINDS_DESCRIPTION_H

#include "core/base/status.h"

#include <stddef.h>

/* Lines of a text report, each with its label: "steps", "15, from 10 to 24". */
struct hc_fact {
    char *label, *text;
};
struct hc_facts {
    struct hc_fact *list;
    size_t n, capacity;
};

enum hc_status hc_facts_add(struct hc_facts *facts, struct hc_error *err, const char *label,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

#define HC_MOST_FLAWED 10 /* that an account lists; its record has them all */

/* Of rows that are being ingested: what they make up, and which parts of that are of no use. A
 * zeroed struct may be finished. */
struct hc_rows_account {
    char extent[128];       /* ends a sentence about the rows: "in 15 steps" */
    char heading[128];      /* of the flawed parts: "2 of 15 steps will be left out of analyses" */
    struct hc_facts flawed; /* the first of them: "step 12", "no row of dp rank 1" */
    size_t n_flawed;        /* in all */
    const void *record;     /* of the guard's account_record; it belongs to the guard */
};

void hc_rows_account_fini(struct hc_rows_account *account);

/* Of a segment. A zeroed struct may be finished. */
struct hc_description {
    struct hc_facts shape;    /* of what was recorded: "trace", "dp 4, pp 3, vpp 1" */
    struct hc_facts extent;   /* how far it reaches: "steps", "time span" */
    struct hc_facts contents; /* how many rows: "ops", "59,280" */
    struct hc_facts parts;    /* of these, by sort: "forward-compute", "4,096" */
    void *record;             /* of the kind's description_record; freed with the description */
};

void hc_description_fini(struct hc_description *description);

#endif
