/* step_choice.h - which steps of a trace are replayed, and what became of the others. */
#ifndef HC_SIM_REPLAY_STEP_CHOICE_H
#define HC_SIM_REPLAY_STEP_CHOICE_H

#include "core/base/step_ranges.h"

#include <stdbool.h>
#include <stdint.h>

/* What every replay of a trace is told. */
struct hc_replay_options {
    const struct hc_step_ranges *steps; /* those to replay, not owned; NULL or empty: all */
    double max_bad; /* highest accepted share of unreadable and duplicate rows; 0.01 */
    int threads;    /* 0: one for a small trace, else as OpenMP decides */
    /* Leave out steps that stand apart (sim/replay/step_outliers.h), but for steps asked for. */
    bool leaves_out_outliers;
    bool leaves_out_chosen; /* of steps asked for, too: they are a sample, not a list of names */
};

enum hc_step_fate {
    HC_STEP_USED,
    HC_STEP_NOT_SELECTED, /* not among the steps asked for */
    HC_STEP_BAD_ROWS,     /* a row of it could not be read */
    HC_STEP_DUPLICATE,    /* an (op, dp rank) twice */
    HC_STEP_ABSENT,       /* dp ranks differ in what they have */
    HC_STEP_NO_GRAPH, /* its set of ops has no valid dependency graph, that of other steps has */
    HC_STEP_WARM_UP,  /* among the first, and far longer than the rest */
    HC_STEP_OUTLIER,  /* alone among the others, and far longer */
    HC_N_STEP_FATES
};

/* A step that is not replayed. */
struct hc_left_out_step {
    int32_t step;
    enum hc_step_fate fate;
    char detail[160]; /* the first thing that was wrong with it, or "" */
};

#endif
