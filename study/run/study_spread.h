/* study_spread.h - what one replica may meet: quantiles of figures over replicas.
 * Private to this wing.
 *
 * A quantile is a value that was met: the least that the percent of replicas are at or below. Its
 * interval is that of order statistics (models/stats/order_statistics.h), which assumes nothing of
 * how the figure is distributed. Values of the first replicas are kept, as many as
 * hc_study_columns says; replicas are alike, so that the first are as good as any.
 *
 * The interval of a difference of quantiles has half-widths of both put together as standard
 * errors are, with the correlation of which replicas are below (Bahadur's representation: a
 * quantile errs by how many are below it, over the density there, which the half-width knows).
 */
#ifndef HC_STUDY_RUN_STUDY_SPREAD_H
#define HC_STUDY_RUN_STUDY_SPREAD_H

#include "study/grammar/engine.h"
#include "study/grammar/scenario_node.h"
#include "study/run/study_result.h"

#define HC_STUDY_MOST_KEPT ((size_t)1 << 14) /* replicas of a run */

/* The figures of a study: those of the engine in the order of its table, then quantiles of them
 * that were asked for. */
struct hc_study_columns {
    const struct hc_engine_figure **figure;
    size_t n;
    size_t most_kept; /* replicas */
};

struct hc_study_kept {
    const struct hc_study_columns *columns;
    size_t n_runs, n;
    double **value; /* [columns->n], NULL or [n_runs * most_kept], by run */
    double *sorted; /* [most_kept] for one column of one run at a time; NULL: none is kept */
};

enum hc_status hc_study_kept_init(struct hc_study_kept *kept,
                                  const struct hc_study_columns *columns, size_t n_runs, bool all,
                                  struct hc_arena *arena, struct hc_error *err);

/* The same replica of all runs; run[i] is the place in sample of the i-th run. */
void hc_study_kept_add(struct hc_study_kept *kept, const size_t *run,
                       const struct hc_figure_value *const *sample);

/* The quantile of a column, of several runs the sum of theirs by these factors. NaN where no
 * replica has the figure, and for the ends where they are too few. */
struct hc_study_value hc_study_kept_quantile(const struct hc_study_kept *kept, size_t column,
                                             const double *factor, int32_t percent,
                                             double confidence);

/* 5 %, 50 % and 95 % of a column of the first run. */
struct hc_study_spread hc_study_kept_spread(const struct hc_study_kept *kept, size_t column,
                                            double confidence);

#endif
