/* startup_input.h - the starts of the launches of training, gathered attempt by attempt: how long
 * each took, in which phases, and on which node each phase took longest.
 *
 * A start is what lies between the allocation (of a later launch: the end of the recovery before
 * it) and the first step, with what the first steps take above steady ones: the slices of the
 * account that are start-up. A phase that nodes mark has the own time of each of them; what a fast
 * node waits for the slowest belongs to the phase (account.md 5).
 */
#ifndef HC_MODELS_ACCOUNT_STARTUP_STARTUP_INPUT_H
#define HC_MODELS_ACCOUNT_STARTUP_STARTUP_INPUT_H

#include "core/tables/nodes/phase_table.h"
#include "core/text/text_set.h"
#include "models/account/tree/slice.h"

/* What the GPU-time of start-up is grouped by. */
enum hc_startup_group { HC_STARTUP_RUN, HC_STARTUP_USER, HC_STARTUP_SIZE, HC_N_STARTUP_GROUPS };

struct hc_startup_sum {
    hc_gpu_ns held, startup; /* within the window */
    double avoidable;        /* GPU-hours of starts that began in the window */
    int64_t n_starts;
};

/* The own times of the nodes of a start in a phase. */
struct hc_startup_phase {
    size_t start;
    enum hc_phase phase;
    int32_t slowest; /* node */
    int32_t gpus;
    size_t n_nodes;
    double mean_s, median_s, slowest_s;
};

struct hc_startup_start {
    int64_t job, from_ns, end_ns; /* end: of the last slice of its start-up */
    int32_t number;               /* launch of the attempt, from 0 */
    int32_t gpus, class;          /* class: code of the classes */
    int32_t group[HC_N_STARTUP_GROUPS];
    bool has_failed;   /* it came to no step */
    double overhead_s; /* GPU-time of its start-up over the GPUs of its attempt */
    hc_gpu_ns gpu_ns, gpu_ns_of[HC_WHAT_STARTUP_UNSPLIT + 1];
};

/* An own time of a node. */
struct hc_startup_own {
    int32_t node;
    size_t start;
    enum hc_phase phase;
    double own_s;
    bool is_slow; /* 1.5 times the median of its start, and 5 s more; of 3 nodes or more */
};

/* The attempt at hand; texts last for the call, NULL: not recorded. */
struct hc_startup_attempt {
    int64_t job;
    int32_t gpus;
    int32_t first_launch; /* of its slices, or -1 */
    const char *run, *user, *partition, *size;
};

/* A phase that a node marked. */
struct hc_startup_row {
    size_t launch; /* of the attempt, from 0 */
    int32_t node;  /* filled by hc_startup_take_phase */
    enum hc_phase phase;
    int64_t from_ns, to_ns;
};

struct hc_startup_input {
    int64_t from_ns, to_ns; /* the window */
    struct hc_text_set names[HC_N_STARTUP_GROUPS], classes, nodes;
    size_t rooms[HC_N_STARTUP_GROUPS];
    struct hc_startup_sum *sums[HC_N_STARTUP_GROUPS]; /* by name */
    struct hc_startup_sum all;
    hc_gpu_ns what[HC_WHAT_STARTUP_UNSPLIT + 1]; /* within the window */
    size_t n_starts, starts_room;
    struct hc_startup_start *starts;
    size_t n_phases, phases_room;
    struct hc_startup_phase *phases; /* by start */
    size_t n_own, own_room;
    struct hc_startup_own *own;
    /* Of the attempt at hand: */
    struct hc_startup_attempt at;
    int32_t group[HC_N_STARTUP_GROUPS];
    size_t n_rows, rows_room;
    struct hc_startup_row *rows; /* phases that nodes marked */
    bool is_sorted;              /* its rows are */
    int32_t launch;              /* of its last slice: as in the slice */
    bool has_start;              /* one is open: the last of starts */
};

enum hc_status hc_startup_take_attempt(struct hc_startup_input *input,
                                       const struct hc_startup_attempt *attempt,
                                       struct hc_error *err);
/* A phase that a node marked, of a launch of the attempt at hand. */
enum hc_status hc_startup_take_phase(struct hc_startup_input *input, const char *node,
                                     const struct hc_startup_row *row, struct hc_error *err);
/* A slice of it, in order of time. */
enum hc_status hc_startup_take_slice(struct hc_startup_input *input, const struct hc_slice *slice,
                                     struct hc_error *err);
/* After the last attempt: starts are counted. */
void hc_startup_end(struct hc_startup_input *input);
/* Zeroed memory, but for the window, has none. */
void hc_startup_input_fini(struct hc_startup_input *input);

#endif
