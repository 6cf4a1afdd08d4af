/* profile_whatif.h - the what-if of profiler traces: a dependency graph of the calls and GPU events
 * of all ranks, replayed with work at the level of its peers (spec: profiler traces 7 and 8).
 *
 *     hc_profile_link(...); hc_collectives_match(...);
 *     hc_profile_whatif_run(&result, profile, &collectives, &options, err);
 */
#ifndef HC_SIM_PROFILES_PROFILE_WHATIF_H
#define HC_SIM_PROFILES_PROFILE_WHATIF_H

#include "core/base/step_ranges.h"
#include "models/profiles/collectives.h"

enum hc_graph_edge {
    HC_EDGE_THREAD,
    HC_EDGE_WAKE,
    HC_EDGE_LAUNCH,
    HC_EDGE_GPU, /* start to end of a GPU event */
    HC_EDGE_STREAM,
    HC_EDGE_EVENT,
    HC_EDGE_SYNC,
    HC_EDGE_JOIN,
    HC_EDGE_FINISH, /* to F */
    HC_N_EDGES
};

/* Parts of a critical path. */
enum hc_path_part {
    HC_PATH_CPU,
    HC_PATH_WAKE,
    HC_PATH_LAUNCH,
    HC_PATH_SYNC,
    HC_PATH_COMPUTE,
    HC_PATH_MEMCPY,
    HC_PATH_COMM, /* transfer, after the last arrival */
    HC_PATH_STREAM,
    HC_PATH_EVENT,
    HC_PATH_UNEXPLAINED,
    HC_N_PATH_PARTS
};

enum hc_profile_ask {
    HC_ASK_SCALE, /* work takes a factor as long */
    HC_ASK_MEND,  /* these ranks are as their peers, all others as traced */
    HC_ASK_ONLY   /* these ranks are as traced, all others as their peers */
};

/* What is asked beyond mend and only of each single rank. */
struct hc_profile_question {
    enum hc_profile_ask ask;
    bool cpu, gpu, comm; /* HC_ASK_SCALE: the work that is scaled */
    double factor;       /* of it */
    size_t n_ranks;      /* 0: all */
    const int32_t *ranks;
};

struct hc_profile_whatif_options {
    int64_t first_step, last_step; /* numbers; HC_MISSING_I64: from the first common, to the last */
    bool no_variants; /* traced, structural and ideal only, without mend and only of each rank */
    size_t n_questions;
    const struct hc_profile_question *questions; /* each a variant of its own */
    int threads;
};

/* The steps that were asked for, one range of them; none: all. HC_USAGE for several, as each step
 * hangs on those before it. */
enum hc_status hc_profile_whatif_choose(struct hc_profile_whatif_options *options,
                                        const struct hc_step_ranges *steps, struct hc_error *err);

struct hc_profile_variants {
    int64_t mend_ns;          /* T with this rank alone at its peers' medians */
    int64_t only_ns;          /* T with all but this rank ideal */
    int64_t gain_ns, cost_ns; /* T - mend, only - ideal */
    int64_t start_skew_ns;    /* aligned start behind the earliest */
    int64_t caused_wait_ns;
};

struct hc_path_stretch {
    int32_t rank;
    int64_t from_ns, to_ns; /* aligned */
    int32_t collective;     /* by which the path came over from another rank, or -1 */
};

/* A step, or several that hang together, replayed with what its work took in the other steps. Its
 * time goes from the end of the last call or GPU event of the step before to that of its own. */
struct hc_step_prediction {
    int64_t first_step, last_step; /* numbers */
    int64_t traced_ns, predicted_ns;
    double error;              /* predicted / traced - 1 */
    double share_without_twin; /* of the time of its work: no other step has it; stays as traced */
};

struct hc_profile_whatif_result {
    size_t n_ranks, n_steps;
    int64_t first_step, last_step;
    int64_t traced_ns, replayed_ns, structural_ns, ideal_ns; /* T of each; spec 8 */
    int64_t unexplained_ns;                                  /* residuals on the critical path */
    double slowdown, waste;                                  /* T / ideal, 1 - 1 / S */
    bool is_unreliable; /* structural discrepancy beyond 5 % or unexplained beyond 10 % of T */
    int64_t no_skew_ns, gpu_ideal_ns, cpu_ideal_ns; /* T with each alone at the medians */
    double gpu_share_with_peers, cpu_share_with_peers;
    size_t n_points, n_edges[HC_N_EDGES], n_late_edges[HC_N_EDGES];
    size_t n_overlaps; /* GPU events that begin before the one ahead of them on their stream ends */
    struct hc_profile_variants *ranks; /* of each rank of the profile */
    int64_t *answer_ns;                /* T of each question */
    int64_t path_ns[HC_N_PATH_PARTS];
    size_t n_predictions; /* 0 with fewer than three steps */
    struct hc_step_prediction *predictions;
    double median_prediction_error; /* lower median of their sizes; NaN: none */
    size_t worst_prediction;        /* the first of the largest size */
    size_t n_path;
    struct hc_path_stretch *path; /* in order of time */
};

/* HC_BAD_INPUT: a cycle, naming its events; no common step. */
enum hc_status hc_profile_whatif_run(struct hc_profile_whatif_result *result,
                                     const struct hc_profile *profile,
                                     const struct hc_collectives *collectives,
                                     const struct hc_profile_whatif_options *options,
                                     struct hc_error *err);
void hc_profile_whatif_result_fini(struct hc_profile_whatif_result *result);

#endif
