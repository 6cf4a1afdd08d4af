/* startup_result.h - what starting up cost, of which phases and groups, how much of it could be
 * avoided, and which nodes are slow again and again (account.md 5).
 */
#ifndef HC_MODELS_ACCOUNT_STARTUP_STARTUP_RESULT_H
#define HC_MODELS_ACCOUNT_STARTUP_STARTUP_RESULT_H

#include "models/account/startup/startup_input.h"

#define HC_STARTUP_LEAST_STARTS 5    /* of a class of which the best tenth is known */
#define HC_STARTUP_SLOW_LEVEL   0.01 /* chance that any node is called slow where none is */

/* A phase over all starts of the window whose nodes marked it. */
struct hc_startup_phase_row {
    enum hc_phase phase;
    int64_t n_starts, n_nodes; /* own times: one a node and start */
    double median_s;           /* of the own times */
    double slowest_s;          /* most of them */
    double ratio_median;       /* slowest / median of a start: median over starts */
    double ratio_most;
    double waiting_share;     /* 1 - own times / slowest ones: ratio of sums */
    double waiting_gpu_hours; /* of GPUs whose node was done */
};

/* A leaf of start-up within the window. */
struct hc_startup_leaf_row {
    enum hc_what what;
    hc_gpu_ns gpu_ns;
    double gpu_hours, share, share_of_held; /* share: of all start-up */
};

struct hc_startup_group_row {
    const char *name;
    int64_t n_starts;
    double held, startup, share; /* GPU-hours within the window; share: of held */
    double avoidable;            /* GPU-hours of starts that began in the window */
};

/* Starts that are compared with each other. */
struct hc_startup_class_row {
    const char *name;
    int64_t n_starts;
    double best_s, median_s, most_s; /* overheads; best: the first tenth, NaN: too few starts */
    double gpu_hours, avoidable;     /* avoidable: NaN: too few starts */
};

struct hc_startup_node_row {
    const char *node;
    int64_t n_times, n_slow, n_starts; /* own times; n_starts: in which it was slow */
    double own_s;           /* mean of its own time a start, over the phases that nodes mark */
    double extra_gpu_hours; /* that the GPUs of its jobs waited for it beyond the second slowest */
    double expected;        /* slow times by the rate of the other nodes */
    double chance;          /* of so many or more, times the number of nodes, at most 1 */
    bool is_slow;           /* chance below HC_STARTUP_SLOW_LEVEL, in two starts or more */
};

struct hc_startup_result {
    const struct hc_startup_input *input;
    double held, startup, share;       /* GPU-hours within the window */
    double avoidable, avoidable_share; /* of starts that began in it; share: of their start-up */
    double without_class; /* GPU-hours of start-up of starts whose class is too small */
    int64_t n_starts, n_failed;
    size_t n_leaves, n_phases, n_classes, n_nodes;
    struct hc_startup_leaf_row leaves[HC_WHAT_STARTUP_UNSPLIT + 1];
    struct hc_startup_phase_row phases[HC_N_PHASES];
    struct hc_startup_class_row *classes; /* most avoidable first */
    struct hc_startup_node_row *nodes;    /* most surely slow first */
    size_t n_groups[HC_N_STARTUP_GROUPS];
    struct hc_startup_group_row *groups[HC_N_STARTUP_GROUPS]; /* most start-up first */
};

/* input: after hc_startup_end; sums of avoidable time are put there. */
enum hc_status hc_startup_result_make(struct hc_startup_result *result,
                                      struct hc_startup_input *input, struct hc_error *err);
void hc_startup_result_fini(struct hc_startup_result *result);

/* "run" */
const char *hc_startup_group_name(enum hc_startup_group group);

#endif
