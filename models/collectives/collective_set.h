/* collective_set.h - the dumps of the collectives of a job in memory, a rank a dump, joined: which
 * ranks queued which collective of which group, and how far each says that it came.
 *
 * Dumps are added in any order, but all results are the same only for the same order: add them by
 * rank. Entries are not kept: of each collective stay its arrivals (8 bytes each) and what they are
 * compared by (64 bytes).
 *
 *     hc_collective_set_begin(&set, rank, names, err);
 *     hc_collective_set_add(&set, table, err);      for each batch of each table of the dump
 *     hc_collective_set_end(&set, err);
 */
#ifndef HC_MODELS_COLLECTIVES_COLLECTIVE_SET_H
#define HC_MODELS_COLLECTIVES_COLLECTIVE_SET_H

#include "core/base/int_map.h"
#include "core/base/status.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"
#include "core/text/text_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ranks are below this: lists of ranks are as long as the largest. */
#define HC_MOST_RANKS (1 << 22)

/* A process group: ranks that call collectives together. */
struct hc_collective_group {
    int32_t name, description; /* codes of the sets below; a description may be -1: not said */
    bool is_listed;            /* a dump lists its members; else they are the ranks seen */
    bool has_p2p;              /* sends and receives were seen: its counters mix two numberings */
    size_t n;
    int32_t *members; /* ascending */
    int32_t *places;  /* the same in the order of the group, to which sends and receives refer */
    int64_t *enqueued, *completed; /* by member; missing where no dump says */
    bool *is_known;                /* by member: its dump lists the group */
    int32_t next;                  /* group of the same name, or -1 */
    int32_t joined;                /* group that it is one with; itself if none */
    size_t first, n_collectives;   /* of the order of collectives, once the set is finished */
};

#define HC_COLLECTIVE_NO_STATE 3

/* Who arrived at a collective: arrivals are chained from the last to the first. */
struct hc_collective_arrival {
    int32_t rank_state; /* rank * 4 + state: enum hc_collective_state or HC_COLLECTIVE_NO_STATE */
    uint32_t next;      /* 1 + index, 0: none */
};

struct hc_collective {
    int64_t seq;
    int64_t first_ns; /* least time at which a rank queued it; missing where none is said */
    int64_t in_elements, out_elements; /* of its first arrival, as all below */
    int32_t group;
    int32_t op, dtype;
    int32_t rank;
    uint32_t n_arrived;
    uint32_t last;    /* 1 + index of its last arrival */
    int32_t mismatch; /* index of the first arrival that differs in kind, or -1 */
};

struct hc_collective_mismatch {
    int32_t rank, op, dtype;
    int64_t in_elements, out_elements;
};

/* One side of a send and receive, waiting or not. Ranks are global; -1: outside of the group. */
struct hc_collective_side {
    int64_t seq;
    int64_t elements;
    int32_t group;
    int32_t source, destination;
    int32_t rank; /* that recorded it */
    bool is_send, is_completed;
};

struct hc_collective_dump {
    int32_t rank;
    bool is_cut;
    bool is_by_order;     /* its counters were put to groups by their order */
    bool is_contradicted; /* an entry says that the order is wrong */
    int64_t n_entries, n_dropped;
    size_t n_checked; /* groups of its entries that agree with the order */
};

struct hc_collective_set {
    size_t n_dumps, dumps_capacity;
    struct hc_collective_dump *dumps;
    struct hc_text_set names, descriptions, ops, dtypes;
    size_t n_groups, groups_capacity;
    struct hc_collective_group *groups;
    size_t n_by_name, by_name_capacity;
    int32_t *by_name; /* first group of each name, or -1 */
    size_t n_collectives, collectives_capacity;
    struct hc_collective *collectives;
    struct hc_int_map index; /* of group and seq */
    size_t n_arrivals, arrivals_capacity;
    struct hc_collective_arrival *arrivals;
    size_t n_mismatches, mismatches_capacity;
    struct hc_collective_mismatch *mismatches;
    size_t n_sides, sides_capacity;
    struct hc_collective_side *sides;
    struct hc_dump_loading *loading; /* the dump that is being added */
    /* Once it is finished: groups by name, none that is joined to another; collectives by group, in
     * that order, and number. */
    size_t n_ordered_groups, n_ordered;
    int32_t *ordered_groups;
    uint32_t *ordered;
};

/* Zeroed memory is an empty set. */
void hc_collective_set_fini(struct hc_collective_set *set);

/* A dump of this rank begins. names belong to its tables and stay until its end. HC_BAD_INPUT where
 * the rank is no rank; that each comes once is the caller's to know. */
enum hc_status hc_collective_set_begin(struct hc_collective_set *set, int32_t rank,
                                       const struct hc_table_names *names, struct hc_error *err);

/* Rows of one of its tables (core/tables/collectives/collective_tables.h); others are left. */
enum hc_status hc_collective_set_add(struct hc_collective_set *set, const struct hc_table *rows,
                                     struct hc_error *err);

/* The dump is whole; on failure of any of these the set is only to be freed, but after
 * hc_collective_set_drop: the dump is as if it had never begun. */
enum hc_status hc_collective_set_end(struct hc_collective_set *set, struct hc_error *err);
void hc_collective_set_drop(struct hc_collective_set *set);

/* After the last dump: groups that have other names on other ranks are joined, and groups that no
 * dump lists get the ranks that were seen in them. */
enum hc_status hc_collective_set_finish(struct hc_collective_set *set, struct hc_error *err);

#endif
