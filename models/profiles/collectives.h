/* collectives.h - the communication kernels of all ranks, joined to collectives, and the clocks of
 * the ranks by them (spec: profiler traces 5 and 6).
 *
 *     hc_profile_link(profile, by, err);
 *     hc_collectives_match(&collectives, profile, true, err);   // with clocks; refuses groups
 */
#ifndef HC_MODELS_PROFILES_COLLECTIVES_H
#define HC_MODELS_PROFILES_COLLECTIVES_H

#include "models/profiles/profile.h"

/* One communication kernel of a rank. */
struct hc_comm_kernel {
    uint32_t rank_index, row; /* row of the rank's gpu table */
    const char *op;           /* canonical ("all_reduce"); "" unknown; valid with the collectives */
    int32_t group;            /* index into groups */
    int64_t seq;              /* recorded Seq, or HC_MISSING_I64 */
    bool is_p2p;
    int64_t bytes, elements; /* HC_MISSING_I64 where unknown */
    int32_t collective;      /* index into collectives; -1: local (not joined) */
};

/* A process group as all ranks see it: those of its kernels that may be joined. Its name may differ
 * between ranks; where none is recorded, it is one stream of communication of each rank. */
struct hc_comm_group {
    char *name;              /* on its lowest rank; "stream 20" where none is recorded */
    const char *description; /* "" unknown; valid as long as the profile */
    size_t n_members;
    int32_t *members; /* global ranks, ascending: all of them, or those that were seen */
    size_t size;      /* how many they are, as the traces say; at least n_members */
    bool is_known;    /* the traces say so; else there may be more */
    bool is_refused;  /* matches by order violate causality or disagree: its kernels stay local */
    size_t n_kernels;
    size_t n_by_order; /* matches by place, since no Seq is recorded */
    size_t
        n_uneven; /* places that some ranks did not reach: they lost a kernel, or recorded less */
    size_t n_mismatches, n_violations; /* of all its matches */
};

/* A joint operation of the group. Arrays of its members are in kernels[first .. first + n). Times
 * are aligned: on the clock of the lowest rank of the component. */
struct hc_collective {
    size_t first, n; /* of member_kernels */
    const char *op;
    int32_t group, step; /* step: index of steps of the lowest member, or HC_NO_STEP */
    bool is_by_order;    /* matched by place, not by Seq */
    bool is_uneven;      /* so in a step where ranks launched different numbers: some are lost */
    bool is_joint;       /* all members wait for all: tells clocks */
    bool is_complete;    /* all members are present; else waits are lower bounds */
    bool is_mismatched;  /* members disagree in op or elements: no waits, nobody is last */
    bool violates_causality; /* on the aligned clocks a member ends before another starts */
    int64_t arrival_ns;      /* of the last */
    int32_t last_rank;       /* who; of those present where incomplete; HC_MISSING_I32: the clocks
                                of the members are not comparable, and there are no waits */
    bool last_is_unsure;     /* lead within twice the largest residual of the clocks */
    int64_t lead_ns, transfer_ns, end_skew_ns; /* transfer: an upper bound where incomplete */
    int64_t bytes;                             /* HC_MISSING_I64 unknown */
    double busbw_gb_s;                         /* NaN unknown */
};

/* From a time of a rank's own clock on. */
struct hc_clock_segment {
    int64_t from_ns, offset_ns;
};

/* The clock of a rank: offset_ns is its clock minus that of the lowest rank of its component. Where
 * clocks drift, offset and bounds are those of the first step. */
struct hc_rank_clock {
    int32_t component; /* 0, 1, ...; ranks of different ones are not comparable */
    int64_t offset_ns;
    int64_t low_ns, high_ns; /* bounds without a model; HC_MISSING_I64: none */
    double drift;            /* ns gained per ns, from the first step to the last; 0: does not */
    int64_t caused_wait_ns;  /* by being last */
    int64_t wait_ns;         /* its own waits for others */
    size_t n_last;           /* collectives where it was last */
    size_t n_segments;       /* a step each where clocks drift, else 0 */
    struct hc_clock_segment *segments; /* ascending */
};

struct hc_collectives {
    size_t n_kernels, n, n_groups, n_clocks;
    struct hc_comm_kernel *kernels;    /* ascending by (rank index, start) */
    struct hc_collective *collectives; /* ascending by (arrival, lowest member's row) */
    uint32_t *member_kernels;          /* indices of kernels, of a collective ascending by rank */
    int64_t *wait_ns;                  /* beside member_kernels */
    struct hc_comm_group *groups;
    struct hc_rank_clock *clocks; /* of each rank of the profile */
    int64_t median_residual_ns, max_residual_ns;
    bool is_aligned;                   /* false: --no-align */
    bool has_drift;                    /* aligned per step */
    size_t n_mismatched, n_violations; /* of the collectives, refused groups aside */
    size_t n_local;                    /* kernels */
};

/* Join, align, refuse, align again. Without aligns the times stay as they are, and all clocks count
 * as comparable; groups are judged as if they were aligned. HC_BAD_INPUT where joins by Seq
 * contradict each other (the bounds of the clocks have a negative cycle), naming the ranks. */
enum hc_status hc_collectives_match(struct hc_collectives *collectives,
                                    const struct hc_profile *profile, bool aligns,
                                    struct hc_error *err);
/* Zeroed memory is none. */
void hc_collectives_fini(struct hc_collectives *collectives);

/* A time of a rank on the clock of its component. Where clocks drift, that is a jump at the first
 * collective of a step. */
int64_t hc_aligned_ns(const struct hc_collectives *collectives, size_t rank_index, int64_t ns);

#endif
