/* study_work.h - the parts of study_run.h among themselves. */
#ifndef HC_STUDY_RUN_STUDY_WORK_H
#define HC_STUDY_RUN_STUDY_WORK_H

#include "core/base/log.h"
#include "study/engines/lifetime/lifetime_result.h"
#include "study/grammar/scenario_study.h"
#include "study/run/study_tally.h"

#include <stdatomic.h>

/* Replicas between two looks at the interval; else only as many as memory is to hold. */
#define HC_STUDY_BLOCK_UNTIL 64
#define HC_STUDY_BLOCK       256

struct hc_study_work {
    struct hc_scenario *scenario;
    const struct hc_study *study;
    struct hc_study_result *result;
    struct hc_arena *arena; /* of the result */
    struct hc_study_columns columns;
    size_t until; /* column, or columns.n */
    int threads;  /* at least 1 */
    size_t block;
    struct hc_progress progress;
    atomic_uint_least64_t n_done; /* replicas */
    const char **note;            /* of the result, while they are made */
};

/* ---- points (study_point.c) ---- */

/* A variant with values put at paths. */
struct hc_study_spot {
    const struct hc_study_variant *variant;
    size_t n;
    const char *const *paths;
    const struct hc_node *const *values;
};

/* Check the spot and bind it, in the arena of the scenario. HC_BAD_INPUT names the spot. */
enum hc_status hc_study_bind(struct hc_study_work *work, const struct hc_study_spot *spot,
                             struct hc_lifetime_config *config, struct hc_error *err);

/* Put "variant 'a', /b = 1" in front of the message. */
void hc_study_blame(const struct hc_study_spot *spot, struct hc_error *err);

struct hc_figure_scale hc_study_scale(const struct hc_study_work *work,
                                      const struct hc_lifetime_config *config);

/* The column of a figure; columns.n when it is none. */
size_t hc_study_column_of(const struct hc_study_columns *columns,
                          const struct hc_scenario_figure *figure);

/* Whether the interval that `until` asks for is reached. */
bool hc_study_is_enough(const struct hc_study_work *work, const struct hc_study_tally *tally,
                        double confidence);

/* Count replicas that are done; draws when called by the first thread. */
void hc_study_progress(struct hc_study_work *work, size_t n);

/* A value as text: as written, or JSON on a line. NULL with err filled. */
const char *hc_study_label(struct hc_arena *arena, const struct hc_node *value,
                           struct hc_error *err);

/* What of the recorded incidents was replayed, as notes (study_record_notes.c). */
enum hc_status hc_study_note_records(struct hc_study_work *work, struct hc_error *err);

/* Add a sentence to the notes of the result. */
enum hc_status hc_study_note(struct hc_study_work *work, struct hc_error *err, const char *format,
                             ...) __attribute__((format(printf, 3, 4)));

/* ---- many points (study_points.c) ---- */

/* Fill the i-th spot, whose values may be made in the arena of the scenario. */
typedef enum hc_status hc_study_spot_maker(void *context, size_t i, struct hc_study_spot *spot,
                                           struct hc_error *err);

/* Check n spots, and run nothing. */
enum hc_status hc_study_check_spots(struct hc_study_work *work, size_t n, hc_study_spot_maker *make,
                                    void *context, struct hc_error *err);

/* Run n spots into cell[0..n), whose values are made in the arena of the result. */
enum hc_status hc_study_run_spots(struct hc_study_work *work, size_t n, hc_study_spot_maker *make,
                                  void *context, struct hc_study_cell *cell, struct hc_error *err);

/* ---- the parts of a study ---- */

typedef enum hc_status hc_study_part(struct hc_study_work *work, struct hc_error *err);
hc_study_part hc_study_runs, hc_study_check_sweep, hc_study_sweep_all, hc_study_find_value,
    hc_study_check_tornado, hc_study_tornado, hc_study_notes, hc_study_references,
    hc_study_each_job;

#endif
