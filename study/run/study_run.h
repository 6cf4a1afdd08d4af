/* study_run.h - runs what a scenario asks: the scenario and its variants, the grid of its sweeps,
 * the value that it looks for, the bars of its sensitivity.
 *
 * Replicas run in blocks whose ends are the same for any number of threads, and are added in their
 * order; whether an interval is narrow enough is looked at between blocks only. All variants and
 * points draw from the same streams (settings.key is one for all), so the difference between two is
 * taken replica by replica, and --set gives the very lives of the point with that value. */
#ifndef HC_STUDY_RUN_STUDY_RUN_H
#define HC_STUDY_RUN_STUDY_RUN_H

#include "study/grammar/scenario_study.h"
#include "study/run/study_result.h"

/* The answer, and the memory that it lives in; it points into the scenario too. */
struct hc_study_answer {
    struct hc_study_result result;
    struct hc_arena arena;
    const struct hc_engine *engine;
};

/* scenario and study are those of hc_scenario_prepare, without mistakes. threads 0: as OpenMP says.
 * A point that is wrong (HC_BAD_INPUT) is found before anything runs, and named with its values;
 * only the values that `find` tries by itself are not known before. Release with
 * hc_study_answer_fini in any case, before the scenario. */
enum hc_status hc_study_run(struct hc_study_answer *answer, struct hc_scenario *scenario,
                            struct hc_study *study, int threads, struct hc_error *err);

/* Add what only pictures need, as the recorded life of one replica. */
enum hc_status hc_study_draw(struct hc_study_answer *answer, struct hc_error *err);

/* What the random numbers brought about in the replicas of the scenario itself, not of its variants
 * and points, as a list that others can read (the lives of a lifetime: its faults). Check before
 * the run: HC_BAD_INPUT where a list cannot carry it. */
enum hc_status hc_study_list_check(const struct hc_scenario *scenario, struct hc_study *study,
                                   struct hc_error *err);
enum hc_status hc_study_list_write(const struct hc_scenario *scenario, const struct hc_study *study,
                                   FILE *stream, struct hc_error *err);

void hc_study_answer_fini(struct hc_study_answer *answer);

#endif
