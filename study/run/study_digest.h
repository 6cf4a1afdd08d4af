/* study_digest.h - what views show beside what the runs gave: which columns and points come first,
 * which run does best, which try stands beside the answer. Views choose and compute nothing. */
#ifndef HC_STUDY_RUN_STUDY_DIGEST_H
#define HC_STUDY_RUN_STUDY_DIGEST_H

#include "study/grammar/scenario_node.h"
#include "study/run/study_result.h"

/* Fill result->order, and of result->found what follows from its tries. What is made lives in the
 * arena. May be called again when numbers have changed. HC_INTERNAL only when there is no memory.
 */
enum hc_status hc_study_digest(struct hc_study_result *result, struct hc_arena *arena,
                               struct hc_error *err);

/* Index of the cell of a run where the first two axes stand at x and y, and the others at the value
 * that the scenario has, or at their first. There must be two axes or more. */
size_t hc_study_plane_cell(const struct hc_study_result *result, size_t run, size_t x, size_t y);

/* The column of that name, or HC_STUDY_NONE. */
size_t hc_study_column_find(const struct hc_study_result *result, const char *name);

#endif
