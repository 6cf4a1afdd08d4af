/* profile_peers.h - the same work on other ranks: what a stretch of CPU or GPU time takes at the
 * lower median of its peers (spec: profiler traces 8). For this wing and
 * that of edits.
 *
 * Ranks that do the same are a class; work has peers where all ranks of its class do it: the k-th
 * GPU event of a step with this name, the k-th time that a thread gets from this call to that.
 */
#ifndef HC_SIM_PROFILES_PROFILE_PEERS_H
#define HC_SIM_PROFILES_PROFILE_PEERS_H

#include "core/base/int_map.h"
#include "sim/profiles/profile_scan.h"

/* A piece of work of a part: which it is, and the edge that it weighs. */
struct hc_peer_work {
    uint64_t kind; /* what it is, whatever the step */
    uint64_t key;  /* set by hc_peers_level: kind, step, and the how manieth of these on the rank */
    uint64_t twin; /* likewise: the same without the step, as other steps of the rank have it */
    int32_t step;  /* index in the window: works are counted anew in each */
    uint32_t arc;
    bool is_twin_only; /* compared with other steps, not with other ranks */
    bool has_level;    /* set by hc_peers_level */
};

/* Ranks that are held against each other. size: of a class, at its lowest rank index; 0 elsewhere.
 */
struct hc_peer_classes {
    uint16_t *class_of; /* of a rank: the lowest rank index of its class */
    size_t *size;
};

enum { HC_PEERS_CLOSE, HC_PEERS_WIDE, HC_N_PEER_CLASSES };

/* Zeroed memory before hc_peers_init. */
struct hc_peers {
    size_t n_ranks;
    struct hc_peer_classes classes[HC_N_PEER_CLASSES];
    struct hc_peer_work **works; /* of a rank, of this part */
    size_t *n_works, *work_capacity;
    double total_ns[HC_N_WORKS], with_peers_ns[HC_N_WORKS]; /* over all parts; damaged
                                                                  traces exceed 64 bits */
    /* Scratch. */
    struct hc_int_map map;
    int64_t *weights;
    size_t weight_capacity;
};

enum hc_status hc_peers_init(struct hc_peers *peers, const struct hc_rank_scan *scans,
                             size_t n_ranks, const struct hc_collectives *collectives,
                             struct hc_error *err);
/* Fill the classes (profile_classes.c): by the GPU events of the window, and by who sends to whom.
 * A close class of one rank is none. */
enum hc_status hc_peers_find_classes(struct hc_peers *peers, const struct hc_rank_scan *scans,
                                     const struct hc_collectives *collectives,
                                     struct hc_error *err);
enum hc_status hc_peers_add(struct hc_peers *peers, size_t rank_index, struct hc_peer_work work,
                            struct hc_error *err);
/* Give the arcs of the part their weight at the level of the peers. The works stay until
 * hc_peers_forget. */
enum hc_status hc_peers_level(struct hc_peers *peers, struct hc_profile_graph *graph,
                              struct hc_error *err);
/* Before the works of the next part. */
void hc_peers_forget(struct hc_peers *peers);
void hc_peers_fini(struct hc_peers *peers);

/* Keys mixed from whole numbers. */
static inline uint64_t hc_peer_mix(uint64_t key, uint64_t more)
{
    key = (key ^ more) * 0x9e3779b97f4a7c15u;
    return key ^ (key >> 29);
}

#endif
