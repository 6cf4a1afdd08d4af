/* extrapolated_job.h - a job with more dp ranks (or fewer), drawn from those that were measured
 * (docs/methods/rearranging.md).
 *
 * Each new rank is one of the measured ranks, drawn once for all steps; in each step it has what
 * that rank had in some measured step, drawn for itself. So what differs from step to step can be
 * slower than in any one measured step, while no rank is slower throughout than the slowest that
 * was measured. What all ranks of a step have in common stays so: transfers of collectives of all
 * ranks are not drawn but those of the step itself, and a column of another step is scaled by how
 * much slower this step was for all.
 */
#ifndef HC_SIM_REARRANGE_EXTRAPOLATED_JOB_H
#define HC_SIM_REARRANGE_EXTRAPOLATED_JOB_H

#include "sim/rearrange/planned_job.h"

/* What the measured ranks and steps differ by, and what that means for more ranks. The length of a
 * column (rank, step) is what the step would take if all ranks were as this one. Its variance is
 * split as that of a table without repetitions (two-way analysis of variance, random effects). */
struct hc_extrapolation {
    int32_t from, to; /* dp ranks; 0: nothing was extrapolated */
    int64_t n_columns;
    double mean_ns;
    /* Variances over mean squared; NaN where one step alone was measured. */
    double of_rank, of_step, of_rest;
    /* By how much steps may be longer than what was drawn, over the mean: what the slowest of `to`
     * ranks is expected to be beyond the slowest of `from`, if what persists by rank is normal. */
    double short_by;
    double beyond; /* share of steps in which some rank would be slower than any measured column, if
                      columns are alike */
};

/* Draw dp_size ranks. seed names the random numbers. *extrapolation is what the columns that are
 * drawn from have said. HC_BAD_INPUT when there are not several ranks to draw from. job is the
 * caller's to hc_planned_job_fini whatever the result. */
struct hc_extrapolating {
    int32_t dp_size;
    uint64_t seed;
};
enum hc_status hc_job_extrapolate(struct hc_planned_job *job, const struct hc_edited_lanes *lanes,
                                  const struct hc_extrapolating *how,
                                  struct hc_extrapolation *extrapolation, struct hc_error *err);

/* Whether hc_job_extrapolate would refuse. */
enum hc_status hc_job_extrapolate_check(const struct hc_replay_base *base, int32_t dp_size,
                                        struct hc_error *err);

/* Describe the columns that are drawn from. level [n_steps], or NULL: how long each step is for all
 * its ranks, over the mean; 1 where steps are not told apart by that. */
enum hc_status hc_extrapolation_describe(struct hc_extrapolation *extrapolation,
                                         const struct hc_edited_lanes *lanes, int32_t dp_size,
                                         double *level, struct hc_error *err);

#endif
