/* dump_loading.h - the dump that is being added to a set: its rows, until it is whole.
 * Private to this wing. */
#ifndef HC_MODELS_COLLECTIVES_DUMP_LOADING_H
#define HC_MODELS_COLLECTIVES_DUMP_LOADING_H

#include "models/collectives/collective_set.h"

struct hc_loaded_group {
    int32_t name, description;
    size_t first, n; /* of members */
    int64_t local;   /* its number in the process, or missing */
    int32_t group;   /* of the set, once it is known */
    int64_t enqueued, completed;
};

struct hc_loaded_entry {
    int64_t local, seq, p2p_seq, in_elements, out_elements, created_ns;
    int32_t name, description, op, dtype, state, source, destination;
    bool is_p2p;
};

struct hc_loaded_progress {
    int64_t local, enqueued, completed;
};

enum hc_loaded_names {
    HC_LOADED_GROUP,
    HC_LOADED_DESCRIPTION,
    HC_LOADED_OP,
    HC_LOADED_DTYPE,
    HC_LOADED_N
};

struct hc_dump_loading {
    struct hc_collective_dump dump;
    /* Codes of the dump to codes of the set; -1: not asked for yet. */
    struct hc_loaded_codes {
        const struct hc_text_set *from;
        struct hc_text_set *to;
        size_t n, capacity;
        int32_t *code;
    } codes[HC_LOADED_N];
    size_t n_groups, groups_capacity;
    struct hc_loaded_group *groups;
    size_t n_members, members_capacity;
    int32_t *members;
    size_t n_entries, entries_capacity;
    struct hc_loaded_entry *entries;
    size_t n_progress, progress_capacity;
    struct hc_loaded_progress *progress;
};

enum hc_status hc_loading_new(struct hc_dump_loading **loading, struct hc_collective_set *set,
                              const struct hc_table_names *names, struct hc_error *err);
void hc_loading_free(struct hc_dump_loading *loading);
enum hc_status hc_loading_add(struct hc_dump_loading *loading, const struct hc_table *rows,
                              struct hc_error *err);

/* Which counters are of which group (hc_collective_dump says how it went). */
enum hc_status hc_loading_assign(struct hc_dump_loading *loading,
                                 const struct hc_collective_set *set, struct hc_error *err);

#endif
