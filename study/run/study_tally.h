/* study_tally.h - means over replicas of the figures of one run, or of several runs against each
 * other, with Student's intervals. Private to this wing.
 *
 * A tally holds a combination of runs, each with a factor: the difference of two, or what is left
 * of a combined variant when the gains of its parts are taken off. Added replica by replica it is
 * the paired difference, so that common random numbers narrow its interval. Figures that are ratios
 * of sums (mtbf_h) have the interval of their linearisation. Of a replica nothing is kept but what
 * quantiles are made of (study_spread.h).
 */
#ifndef HC_STUDY_RUN_STUDY_TALLY_H
#define HC_STUDY_RUN_STUDY_TALLY_H

#include "study/grammar/engine.h"
#include "study/run/study_result.h"
#include "study/run/study_spread.h"

/* The figures of a replica, [columns->n]. */
void hc_study_sample(const struct hc_study_columns *columns, const void *replica,
                     const struct hc_figure_scale *scale, struct hc_figure_value *sample);

struct hc_study_tally {
    const struct hc_study_columns *columns;
    size_t n_runs;
    size_t *run; /* which of the samples of hc_study_tally_add */
    double *factor;
    double n;
    double *mean, *product; /* by column; see study_tally.c */
    struct hc_study_kept kept;
};

/* keeps_all: values of all columns are kept, so that each has a spread; else those of quantiles. */
enum hc_status hc_study_tally_init(struct hc_study_tally *tally,
                                   const struct hc_study_columns *columns, size_t n_runs,
                                   bool keeps_all, struct hc_arena *arena, struct hc_error *err);

/* The same replica of all runs: sample[i] is that of run i. */
void hc_study_tally_add(struct hc_study_tally *tally, const struct hc_figure_value *const *sample);

/* The mean, and half of its interval. No time, share, count or ratio of these is below 0: where the
 * half reaches below, since replicas are few, the interval ends there, or as far below as the
 * figure may be (hc_engine_figure.below_zero). */
struct hc_study_value hc_study_value_of(double mean, double half, double sd, double below_zero);

/* NaN where a figure cannot be had, as the time between stops when there was none; and the
 * interval, below two replicas. */
struct hc_study_value hc_study_tally_value(const struct hc_study_tally *tally, size_t column,
                                           double confidence);

/* The same combination of runs that are independent of each other: value[i] is that of the i-th run
 * of the tally, of n replicas each (Welch's interval). */
struct hc_study_value hc_study_independent(const struct hc_study_tally *tally,
                                           const struct hc_study_value *const *value, size_t column,
                                           double confidence);

#endif
