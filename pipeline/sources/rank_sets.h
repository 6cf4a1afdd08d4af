/* rank_sets.h - files of several ranks of one job, as one input.
 *
 * Every argument of a command is an input, but files with the same value in the column `job`
 * (parsers/steps/rank_file.h) are one, and a directory stands for such files in it:
 *
 *     hc_rank_sets_gather(&sets, words, n_words, NULL, err);   // rank-0.csv rank-1.csv
 * trace-AR.csv for (size_t i = 0; i < sets.n_inputs; i++)            // rank-0.csv trace-AR.csv
 *         hc_source_input_open(&input, sets.inputs[i], &options, err);   // options.sets = &sets
 */
#ifndef HC_PIPELINE_SOURCES_RANK_SETS_H
#define HC_PIPELINE_SOURCES_RANK_SETS_H

#include "core/base/status.h"
#include "parsers/steps/rank_file.h"

#include <stddef.h>

/* A file of a set. */
struct hc_rank_set_file {
    char *path;
    struct hc_rank_file head;
};

/* The files of one job, ascending by rank; then as they were given. */
struct hc_rank_set {
    const char *input; /* the argument that stands for it: an entry of inputs; NULL: a lone file
                          that is a timeline by itself */
    size_t n, capacity;
    struct hc_rank_set_file *files;
};

struct hc_rank_sets {
    size_t n, capacity;
    struct hc_rank_set *sets;
    size_t n_files; /* of all sets */
    size_t n_inputs;
    const char **inputs; /* arguments, without those that are in a set of an earlier one */
};

/* Zeroed memory is no sets. format is what the user says all words are in, or NULL; of another
 * format than step-csv there are no sets. HC_USAGE for a directory that holds ranks of two jobs;
 * sets is filled on success only and then the caller's to hc_rank_sets_fini. The words outlive it.
 */
enum hc_status hc_rank_sets_gather(struct hc_rank_sets *sets, const char *const *words,
                                   size_t n_words, const char *format, struct hc_error *err);
void hc_rank_sets_fini(struct hc_rank_sets *sets);

/* The set that an input stands for, or NULL. sets may be NULL. */
const struct hc_rank_set *hc_rank_sets_find(const struct hc_rank_sets *sets, const char *input);

#endif
