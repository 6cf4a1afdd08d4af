/* collective_diagnosis.h - who hangs in a collective, and who waits for whom.
 *
 * A rank waits in a collective that it has queued and that has not ended. Another member is absent
 * there if its counters say that it has not queued it, has passed it if they say that it ended
 * there, and is unknown otherwise: it left no dump, or its ring buffer lost the entry.
 *
 * - Behind: a rank that holds the entry of a collective which has ended elsewhere, in two groups,
 * or by two collectives in one: it queued them, its GPU does not get there.
 * - Late: a rank that is absent where others wait.
 * - Suspects: those behind, and of the late ones those that wait for no late one themselves.
 *
 * Counters of a group with sends and receives are not used: they count both.
 */
#ifndef HC_MODELS_COLLECTIVES_COLLECTIVE_DIAGNOSIS_H
#define HC_MODELS_COLLECTIVES_COLLECTIVE_DIAGNOSIS_H

#include "models/collectives/collective_set.h"

/* Ranks from..from + n of the list of a diagnosis, ascending. */
struct hc_rank_span {
    size_t from, n;
};

/* A collective where ranks wait: the first of its group of one sort. There are waits for absent
 * members; waits where none is absent, and some have passed; and waits for unknown members only. */
struct hc_collective_wait {
    int32_t group, op;
    int64_t seq;
    int64_t first_ns; /* when the first rank queued it, by its own clock; or missing */
    int64_t in_elements, out_elements; /* of the lowest rank */
    int32_t dtype;
    int64_t n_like; /* collectives of the group of its sort, it included */
    struct hc_rank_span waiting, absent, passed, unknown;
};

struct hc_collective_suspect {
    int32_t rank;
    bool is_behind, is_late;
    /* Where it is behind: in how many groups, and most in one of them. */
    int64_t n_groups, most;
    int32_t group; /* of the most */
    int64_t seq;   /* the first there that it has not ended */
    int32_t ahead; /* a rank that is the farthest there */
    /* Where it is late: index of the first wait for it. */
    int64_t wait;                /* of hc_collective_diagnosis.waits, or -1 */
    struct hc_rank_span waiting; /* all that wait for it, in any collective */
};

struct hc_collective_mismatch_place {
    int32_t group;
    int64_t seq;
    size_t collective; /* of the set */
};

/* A send or receive that waits, and of whose other end nothing is known, or that ends do not agree
 * on. */
struct hc_collective_pair {
    struct hc_collective_side side;
    bool is_mismatch;
    int64_t other_elements;
};

/* Members of a group that say the same of how far they came. Groups with sends and receives have
 * none. */
struct hc_collective_progress {
    int32_t group;
    int64_t enqueued, completed; /* numbers of collectives; -1: none so far */
    struct hc_rank_span ranks;
};

struct hc_collective_diagnosis {
    bool has_finding; /* suspects, a circle, or calls that differ */
    int64_t n_entries, n_dropped, n_collective_entries, n_p2p_entries;
    int32_t world_size;          /* the largest rank of any group, or of any dump, + 1 */
    struct hc_rank_span missing; /* ranks without a dump */
    int64_t n_collectives, n_complete, n_partial, n_mismatched; /* of (group, number) */
    struct hc_rank_span behind, late, in_circle;
    size_t n_suspects;
    struct hc_collective_suspect *suspects; /* by rank */
    /* Ranks that are behind or late and no suspects, as far as they are waited for. */
    size_t n_late;
    struct hc_collective_suspect *all_late; /* the late ones, by rank */
    size_t n_waits, waits_capacity;
    struct hc_collective_wait *waits; /* with absent or passed members, by time */
    size_t n_unknown_waits, unknown_waits_capacity;
    struct hc_collective_wait *unknown_waits; /* with unknown members only, by time */
    size_t n_mismatch_places, mismatch_places_capacity;
    struct hc_collective_mismatch_place *mismatch_places;
    int64_t n_pairs; /* sends with their receives */
    size_t n_open_pairs, open_pairs_capacity;
    struct hc_collective_pair *open_pairs;
    size_t n_progress, progress_capacity;
    struct hc_collective_progress *progress; /* by group; those who came farthest first */
    size_t n_ranks, ranks_capacity;
    int32_t *ranks; /* that spans refer to */
};

/* Of a finished set. */
enum hc_status hc_collective_diagnose(struct hc_collective_diagnosis *diagnosis,
                                      struct hc_collective_set *set, struct hc_error *err);
void hc_collective_diagnosis_fini(struct hc_collective_diagnosis *diagnosis);

#endif
