/* profile_base.h - the untouched job of profiler traces that scenarios change: its steps replayed
 * once as they are and once at the level of the peers (sim/profiles/profile_whatif.h).
 *
 * A step goes from the end of the last call or GPU event of the one before to that of its own; the
 * first begins when the rank in the middle begins the window. Steps that hang together, as where a
 * kernel runs on into the next one, are one. So their times sum to T of the what-if, to the ns.
 */
#ifndef HC_SIM_PROFILES_EDITS_PROFILE_BASE_H
#define HC_SIM_PROFILES_EDITS_PROFILE_BASE_H

#include "models/profiles/collectives.h"
#include "sim/profiles/profile_whatif.h"

/* Times in ns of each step, [n_steps] of the base; and what the critical path is made of. */
struct hc_profile_times {
    double *span, *ideal; /* replayed, and with all work and starts at the level of the peers */
    double path_ns[HC_N_PATH_PARTS], start_ns; /* parts of the path over all steps, and what it
                                                  begins after the start in the middle: sum to the
                                                  spans */
    double *rank_path_ns; /* [n_ranks] the path by the rank that it is on, without start_ns */
};

struct hc_profile_base {
    const struct hc_profile *profile; /* linked; they outlive the base */
    const struct hc_collectives *collectives;
    const char *const *hosts; /* [n_ranks] by rank index, NULL where not known; not owned */
    bool has_hosts;
    struct hc_profile_whatif_options window; /* its steps and threads count */
    size_t n_steps;
    int32_t *number;   /* [n_steps] of the first of those that hang together; 0: it has none */
    size_t n_numbered; /* steps of the trace that were replayed, */
    int64_t n_period;  /* and from its first to its last */
    int64_t *traced_ns, *structural_ns, *span_ns, *ideal_ns; /* [n_steps]; structural: of the
                                                                dependencies alone (spec 8) */
    struct hc_profile_times times; /* the same as replayed, and the path */
    double discrepancy;            /* structural over traced, less 1: with sign */
};

/* Replay the untouched job. The window's steps and threads count. HC_BAD_INPUT as
 * hc_profile_whatif_run; base is filled on success only. */
enum hc_status hc_profile_base_init(struct hc_profile_base *base, const struct hc_profile *profile,
                                    const struct hc_collectives *collectives,
                                    const struct hc_profile_whatif_options *window,
                                    struct hc_error *err);
void hc_profile_base_fini(struct hc_profile_base *base);

#endif
