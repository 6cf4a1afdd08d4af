/* study_work.h - the parts of study_run.h among themselves. */
#ifndef HC_STUDY_RUN_STUDY_WORK_H
#define HC_STUDY_RUN_STUDY_WORK_H

#include "core/base/log.h"
#include "study/grammar/scenario_prepare.h"
#include "study/run/study_tally.h"

#include <stdatomic.h>

/* Replicas between two looks at the interval; else only as many as memory is to hold. */
#define HC_STUDY_BLOCK_UNTIL 64
#define HC_STUDY_BLOCK       256

/* A variant with values put at paths. */
struct hc_study_spot {
    const struct hc_study_variant *variant;
    size_t n;
    const char *const *paths;
    const struct hc_node *const *values;
};

/* Fill the i-th spot, whose values may be made in the arena of the scenario. */
typedef enum hc_status hc_study_spot_maker(void *context, size_t i, struct hc_study_spot *spot,
                                           struct hc_error *err);

/* Points that are bound before anything runs, so that a mistake in the last is told first. Those
 * for which there is no room are checked, and bound again when they run. */
struct hc_study_points {
    size_t n, n_kept;
    struct hc_engine_point *kept; /* [n_kept] */
    hc_study_spot_maker *make;
    void *context;
};

struct hc_study_work {
    struct hc_scenario *scenario;
    struct hc_study *study;
    struct hc_study_result *result;
    struct hc_arena *arena; /* of the result */
    struct hc_study_columns columns;
    struct hc_study_points sweep, tornado; /* bound */
    struct hc_condition condition;         /* of `find`, about columns */
    size_t until;                          /* column, or columns.n */
    int threads;                           /* at least 1 */
    size_t block;
    bool is_fresh; /* run with random numbers that nothing was chosen by */
    struct hc_progress progress;
    atomic_uint_least64_t n_done; /* replicas */
    const char **note;            /* of the result, while they are made */
};

/* ---- the scenario itself (study_source.c) ---- */

/* What it is called: the name of its file without directory and ending. In the arena of the result
 * (study_run.c). */
const char *hc_study_name(struct hc_study_work *work, struct hc_error *err);

/* All of it as JSON on one line, which can be run as it stands: what was included is in it, and
 * data files have the paths that they were read from. In the arena of the result. */
const char *hc_study_source(struct hc_study_work *work, struct hc_error *err);

/* ---- points (study_point.c) ---- */

/* Merge the spot, check and bind it, in the arena of the scenario. HC_BAD_INPUT names the spot. */
enum hc_status hc_study_bind(struct hc_study_work *work, const struct hc_study_spot *spot,
                             struct hc_engine_point *point, struct hc_error *err);

/* The i-th of replicas that the engine filled. */
static inline void *hc_study_replica(const struct hc_study_work *work, void *replicas, size_t i)
{
    return (unsigned char *)replicas + i * work->scenario->engine->replica_size;
}

/* The column of a figure; columns.n when it is none. */
size_t hc_study_figure_column(const struct hc_study_columns *columns,
                              const struct hc_engine_figure *figure);

/* Whether the interval that `until` asks for is reached. */
bool hc_study_is_enough(const struct hc_study_work *work, const struct hc_study_tally *tally,
                        double confidence);

/* Count replicas that are done; draws when called by the first thread. */
void hc_study_progress(struct hc_study_work *work, size_t n);

/* A value as text: as written, or JSON on a line. NULL with err filled. */
const char *hc_study_label(struct hc_arena *arena, const struct hc_node *value,
                           struct hc_error *err);

/* The same of a value of the scenario, a data file by the name that it has in a result
 * (study_source.c). */
const char *hc_study_source_label(struct hc_study_work *work, const struct hc_node *value,
                                  struct hc_error *err);

/* Add a sentence to the notes of the result. */
enum hc_status hc_study_note(struct hc_study_work *work, struct hc_error *err, const char *format,
                             ...) __attribute__((format(printf, 3, 4)));

/* " of 'a'", where there are several runs. */
const char *hc_study_of_run(const struct hc_study_work *work, const struct hc_study_run *run,
                            char text[128]);

/* Whether a replica of the run that did not come to its end was cut off. */
bool hc_study_has_end(const struct hc_study_work *work, size_t run);

/* ---- many points (study_points.c) ---- */

/* Bind n spots; make and context are needed until they have run. */
enum hc_status hc_study_bind_spots(struct hc_study_work *work, struct hc_study_points *points,
                                   struct hc_error *err);

/* Run them into cell[0..n), whose values are made in the arena of the result. */
enum hc_status hc_study_run_points(struct hc_study_work *work, struct hc_study_points *points,
                                   struct hc_study_cell *cell, struct hc_error *err);

/* Run n spots that were not bound before. */
enum hc_status hc_study_run_spots(struct hc_study_work *work, size_t n, hc_study_spot_maker *make,
                                  void *context, struct hc_study_cell *cell, struct hc_error *err);

/* ---- what inputs leave open (study_inputs.c) ---- */

/* A spot with the inputs drawn anew. */
struct hc_study_draws {
    size_t n;                   /* draws; 0: there is nothing to draw */
    struct hc_study_cell *cell; /* [n + 1], the first as the scenario is; to be freed; NULL: not
                                   run, as there is nothing to draw */
    const char **path;          /* [n_paths] of what is drawn, in the arena of the result */
    size_t n_paths;
};

/* Free draws->cell whatever the result. */
enum hc_status hc_study_draw_inputs(struct hc_study_work *work, const struct hc_study_spot *spot,
                                    struct hc_study_draws *draws, struct hc_error *err);

/* The mean of a column by the i-th draw, from 1: `mean` of the scenario as it is, and what the draw
 * is off it on the few replicas of draws. A share of replicas is that of the draw alone, since it
 * must not leave 0 to 1. */
double hc_study_draw_mean(const struct hc_study_work *work, const struct hc_study_draws *draws,
                          size_t i, size_t column, double mean);

/* The range of values over draws, [columns.n] in the arena of the result; less: they are those of a
 * difference to what it drew, or NULL. Draws are there in one of both. */
enum hc_status hc_study_draw_ranges(struct hc_study_work *work, const struct hc_study_value *value,
                                    const struct hc_study_draws *draws,
                                    const struct hc_study_draws *less, struct hc_study_value **made,
                                    struct hc_error *err);

/* ---- the parts of a study ---- */

typedef enum hc_status hc_study_part(struct hc_study_work *work, struct hc_error *err);
hc_study_part hc_study_runs, hc_study_bind_sweep, hc_study_sweep_all, hc_study_find_value,
    hc_study_bind_tornado, hc_study_tornado, hc_study_inputs, hc_study_again, hc_study_notes;

#endif
