/* scenario_load.h - a scenario from its file: included files laid under it, what is removed taken
 * out, values of the command line put in, and the whole held against the table of keys.
 * Private to this wing.
 *
 * Merging: objects key by key, all else is replaced; an object with a distribution is replaced as a
 * whole. What a file removes is taken out of what it includes, before its own keys are laid over.
 */
#ifndef HC_STUDY_GRAMMAR_SCENARIO_LOAD_H
#define HC_STUDY_GRAMMAR_SCENARIO_LOAD_H

#include "study/grammar/data_provider.h"
#include "study/grammar/engine.h"
#include "study/grammar/scenario_errors.h"
#include "study/grammar/scenario_keys.h"
#include "study/grammar/scenario_text.h"

#define HC_SCENARIO_MAX_INCLUDES 16  /* files within each other */
#define HC_SCENARIO_MAX_FILES    256 /* included in all, each time counted */

/* A data file that the text at place names, by the path that it was read from. */
struct hc_scenario_renamed {
    struct hc_scenario_renamed *next;
    struct hc_place place;
    const char *path;
};

struct hc_scenario {
    struct hc_arena arena;
    struct hc_scenario_errors errors;
    struct hc_node *root; /* resolved; NULL when the text could not be read */
    const char *path;
    const struct hc_engine *const *engines; /* that may answer */
    const struct hc_engine *engine;         /* that does; the first when `kind` is none of them */
    struct hc_scenario_top *top;            /* its keys */
    struct hc_scenario_input *input;        /* files that were read, each once */
    size_t n_inputs;
    int n_files;                    /* that were included */
    bool is_option;                 /* the command line sets values: also what no variant may */
    struct hc_data_source *sources; /* recorded data that it names, once read */
    struct hc_scenario_renamed *renamed; /* names in it that are relative to its files */
    struct hc_study_quantile *quantiles; /* that were asked for (scenario_study.h) */
    bool is_other; /* of a kind that cannot be run: only that is complained of */
};

/* What to read. */
struct hc_scenario_request {
    const char *path; /* "-": standard input, "preset:NAME": see study/grammar/presets.h */
    const char *text; /* NULL: what the file says. Else this, and path only names it in messages */
    const struct hc_node *document; /* NULL: it is read. Else a copy of this, which was resolved
                                       before and outlives the scenario */
    const char *const *without;     /* pointers to what is taken out, where it is there, before the
                                       settings are put in; ends in NULL. NULL: nothing */
    const char *const *settings;    /* [n_settings], each "/pointer=value" */
    size_t n_settings;
    const struct hc_engine *const *engines; /* as hc_engines */
    const struct hc_data_provider *data;    /* for what is read before a run; NULL: none is there */
};

/* Read and check a scenario. Mistakes are in scenario->errors, sorted, and the status is HC_OK all
 * the same: see hc_scenario_errors_status. Else HC_IO, HC_USAGE or HC_INTERNAL with err filled.
 * Release with hc_scenario_fini whatever the result. */
enum hc_status hc_scenario_load(struct hc_scenario *scenario,
                                const struct hc_scenario_request *request, struct hc_error *err);

void hc_scenario_fini(struct hc_scenario *scenario);

/* Hold a document, the scenario with a variant or with values of a sweep, against the table of keys
 * and the rules of its engine; complaints are added. */
void hc_scenario_check_document(struct hc_scenario *scenario, const struct hc_node *root);

/* Keep the path and digest of a file that the answer depends on, unless it is there. */
enum hc_status hc_scenario_add_input(struct hc_scenario *scenario,
                                     const struct hc_scenario_input *input, struct hc_error *err);

/* Lay over onto base, which is changed: objects key by key, all else is replaced, an object with a
 * distribution as a whole. Both are objects. False with err filled when there is no memory. */
bool hc_scenario_overlay(struct hc_arena *arena, struct hc_node *base, const struct hc_node *over,
                         struct hc_error *err);

/* Put value where pointer says in root, which may be a shallow copy of another document; objects of
 * the table on the way are made. False with a complaint at place when the pointer leads nowhere. */
bool hc_scenario_set(struct hc_scenario *scenario, struct hc_node *root, const char *pointer,
                     const struct hc_node *value, const struct hc_place *place);

/* The row of the key that pointer points at, or NULL with a complaint at place. Names must be there
 * in root, but the last may be new when may_be_new. */
const struct hc_scenario_key *hc_scenario_resolve_key(struct hc_scenario *scenario,
                                                      struct hc_node *root, const char *pointer,
                                                      bool may_be_new,
                                                      const struct hc_place *place);

#endif
