/* collectives.h - the communication kernels of all ranks, joined to collectives, and the clocks of
 * the ranks by them (spec: profiler traces 5 and 6).
 *
 *     hc_profile_link(profile, by, err);
 *     hc_collectives_match(&collectives, profile, true, err);   // with clocks; refuses groups
 */
#ifndef HC_MODELS_PROFILES_COLLECTIVES_H
#define HC_MODELS_PROFILES_COLLECTIVES_H

#include "models/profiles/profile.h"

enum hc_match_refusal { HC_MATCH_HELD, HC_MATCH_ORDER_UNSURE };

/* One communication kernel of a rank. */
struct hc_comm_kernel {
    uint32_t rank_index, row; /* row of the rank's gpu table */
    int32_t op;               /* code of dictionary "collective"; HC_MISSING_I32 unknown */
    int32_t group;            /* index into groups */
    int64_t seq;              /* recorded Seq, or HC_MISSING_I64 */
    bool is_p2p;
    int64_t bytes; /* HC_MISSING_I64 where unknown */
    int64_t elements;
    int32_t collective; /* index into collectives; -1: local (not joined) */
};

/* A process group as all ranks see it. */
struct hc_comm_group {
    const char *name, *description; /* of its lowest rank; valid as long as the profile */
    size_t n_members;
    int32_t *members; /* global ranks, ascending; as far as known */
    bool is_refused;  /* matches by order violate causality or disagree: its kernels stay local */
    size_t n_by_order, n_mismatches, n_violations;
};

/* A joint operation of the group. Arrays of its members are in kernels[first .. first + n). Times
 * are aligned: on the clock of the lowest rank of the component. */
struct hc_collective {
    size_t first, n;         /* of member_kernels */
    int32_t op, group, step; /* step: index of steps of the lowest member, or HC_NO_STEP */
    bool is_joint;           /* all members wait for all: tells clocks */
    bool is_complete;        /* all known members are present */
    bool is_mismatched;      /* members disagree in op or elements: not used */
    int64_t arrival_ns;      /* of the last */
    int32_t last_rank;       /* who; of those present where incomplete */
    bool last_is_unsure;
    int64_t lead_ns, transfer_ns, end_skew_ns; /* transfer: an upper bound where incomplete */
    int64_t bytes;                             /* HC_MISSING_I64 unknown */
    double busbw_gb_s;                         /* NaN unknown */
};

/* The clock of a rank: offset_ns is its clock minus that of the lowest rank of its component. */
struct hc_rank_clock {
    int32_t component; /* 0, 1, ...; ranks of different ones are not comparable */
    int64_t offset_ns;
    int64_t low_ns, high_ns; /* bounds without a model; HC_MISSING_I64: none */
    int64_t caused_wait_ns;  /* by being last */
    int64_t wait_ns;         /* its own waits for others */
    size_t n_last;           /* collectives where it was last */
};

struct hc_collectives {
    size_t n_kernels, n, n_groups;
    struct hc_comm_kernel *kernels;    /* ascending by (rank index, start) */
    struct hc_collective *collectives; /* ascending by (arrival, lowest member's row) */
    uint32_t *member_kernels;          /* indices of kernels, of a collective ascending by rank */
    int64_t *wait_ns;                  /* beside member_kernels */
    struct hc_comm_group *groups;
    struct hc_rank_clock *clocks; /* of each rank of the profile */
    int64_t median_residual_ns, max_residual_ns;
    bool is_aligned; /* false: --no-align */
    bool has_drift;  /* aligned per step */
    size_t n_mismatched, n_violations, n_local;
};

/* Join, align, refuse, align again. HC_BAD_INPUT where clock bounds contradict each other (a
 * negative cycle), naming the ranks. */
enum hc_status hc_collectives_match(struct hc_collectives *collectives,
                                    const struct hc_profile *profile, bool aligns,
                                    struct hc_error *err);
/* Zeroed memory is none. */
void hc_collectives_fini(struct hc_collectives *collectives);

/* A time of a rank on the clock of its component. */
int64_t hc_aligned_ns(const struct hc_collectives *collectives, size_t rank_index, int64_t ns);

#endif
