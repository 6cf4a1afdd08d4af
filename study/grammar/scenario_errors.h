/* scenario_errors.h - all that is wrong with a scenario, each with its place.
 *
 * Checking goes on after the first mistake, so that a file is put right in one go. Mistakes are
 * kept in the order in which they were found and given in the order of the text.
 */
#ifndef HC_STUDY_GRAMMAR_SCENARIO_ERRORS_H
#define HC_STUDY_GRAMMAR_SCENARIO_ERRORS_H

#include "study/grammar/scenario_node.h"

#define HC_SCENARIO_MOST_ERRORS 20

struct hc_scenario_error {
    struct hc_place place;
    char *pointer; /* of the value, or "" */
    char *variant; /* the variant in which it is wrong, or NULL */
    char *what;
    size_t file_rank; /* files in the order in which mistakes were first found in them */
};

struct hc_scenario_errors {
    struct hc_arena arena;
    struct hc_scenario_error *error;
    size_t n, capacity;
    size_t n_more;             /* found when HC_SCENARIO_MOST_ERRORS were kept */
    const char *variant;       /* what is checked now, or NULL */
    const char *within;        /* put before pointers, "/jobs/<name>"; or NULL */
    struct hc_error no_memory; /* HC_INTERNAL once something could not be kept */
};

/* Keep a mistake, unless the same one is there. pointer may be NULL. */
void hc_scenario_complain(struct hc_scenario_errors *errors, const struct hc_place *place,
                          const char *pointer, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* " (did you mean 'x'?)" for the candidate nearest to word, or "". */
struct hc_did_you_mean {
    char text[128];
};
struct hc_did_you_mean hc_did_you_mean(const char *word, const char *const *candidates, size_t n);

/* Into the order of the text; of several files, in the order in which these were first found. */
void hc_scenario_errors_sort(struct hc_scenario_errors *errors);

/* "file:line:column: /pointer: what" into text of size bytes, cut to fit. */
void hc_scenario_error_format(const struct hc_scenario_error *error, char *text, size_t size);

/* HC_OK when there are none; else HC_BAD_INPUT with the first as message, and how many there are.
 */
enum hc_status hc_scenario_errors_status(const struct hc_scenario_errors *errors,
                                         struct hc_error *err);

void hc_scenario_errors_fini(struct hc_scenario_errors *errors);

#endif
