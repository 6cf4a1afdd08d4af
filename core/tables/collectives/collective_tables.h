/* collective_tables.h - the tables of a dump of the collectives that one process (a rank) queued:
 * the flight recorder of PyTorch, which is written when a collective does not end.
 *
 * A set of these tables is of one rank. Times are Unix time on the clock of its host. What a dump
 * leaves open is HC_MISSING_I32 or HC_MISSING_I64. The members of groups are rows of hc_groups_def
 * (profile_tables.h), as in a profiler trace.
 */
#ifndef HC_CORE_TABLES_COLLECTIVES_COLLECTIVE_TABLES_H
#define HC_CORE_TABLES_COLLECTIVES_COLLECTIVE_TABLES_H

#include "core/tables/table.h"

/* The tables in the order of their kind; the first is the main one. */
enum hc_collective_table {
    HC_COLLECTIVE_ENTRIES,
    HC_COLLECTIVE_GROUPS, /* hc_groups_def */
    HC_COLLECTIVE_PROGRESS,
    HC_COLLECTIVE_DUMPS,
    HC_COLLECTIVE_N_TABLES
};

enum hc_collective_state {
    HC_COLLECTIVE_SCHEDULED,
    HC_COLLECTIVE_STARTED,
    HC_COLLECTIVE_COMPLETED
};

/* One row an entry of the dump, in its order. */
enum hc_entries_column {
    HC_ENTRIES_RECORD_ID,
    HC_ENTRIES_GROUP,       /* code of dictionary "group": name of the process group */
    HC_ENTRIES_DESCRIPTION, /* code of dictionary "group_description" */
    HC_ENTRIES_LOCAL_GROUP, /* number of the group in its process (pg_id) */
    HC_ENTRIES_OP,          /* code of dictionary "collective": as written, "nccl:all_reduce" */
    HC_ENTRIES_SEQ,         /* collective_seq_id */
    HC_ENTRIES_P2P_SEQ,
    HC_ENTRIES_IS_P2P,      /* 0 or 1 */
    HC_ENTRIES_SOURCE,      /* place in the group, of a send or receive */
    HC_ENTRIES_DESTINATION, /* place in the group */
    HC_ENTRIES_IN_ELEMENTS, /* over all tensors */
    HC_ENTRIES_OUT_ELEMENTS,
    HC_ENTRIES_IN_SIZES, /* code of dictionary "sizes": "4096x1x5120;16" */
    HC_ENTRIES_OUT_SIZES,
    HC_ENTRIES_IN_DTYPES, /* code of dictionary "dtype": "BFloat16;Float" */
    HC_ENTRIES_OUT_DTYPES,
    HC_ENTRIES_STATE, /* enum hc_collective_state */
    HC_ENTRIES_CREATED_NS,
    HC_ENTRIES_STARTED_NS, /* when the watchdog saw it, later than it was so */
    HC_ENTRIES_COMPLETED_NS,
    HC_ENTRIES_DURATION_NS,
    HC_ENTRIES_TIMEOUT_NS,
    HC_ENTRIES_IS_RETIRED,
    HC_ENTRIES_THREAD, /* code of dictionary "thread": its name */
    HC_ENTRIES_N_COLUMNS
};

/* One row a group that the process counts (pg_status), by its number in the process: a dump does
 * not say which name that is of. -1: none so far. */
enum hc_progress_column {
    HC_PROGRESS_LOCAL_GROUP,
    HC_PROGRESS_ENQUEUED, /* number of the last collective that was */
    HC_PROGRESS_STARTED,
    HC_PROGRESS_COMPLETED,
    HC_PROGRESS_N_COLUMNS
};

/* One row: the dump as a whole. */
enum hc_dumps_column {
    HC_DUMPS_RANK,
    HC_DUMPS_RANK_ORIGIN,     /* enum hc_rank_origin */
    HC_DUMPS_VERSION,         /* code of dictionary "dump_version": "2.9" */
    HC_DUMPS_LIBRARY_VERSION, /* the same dictionary: of NCCL */
    HC_DUMPS_N_ENTRIES,
    HC_DUMPS_N_DROPPED, /* entries that lack group, number or name, or hold no such value */
    HC_DUMPS_IS_CUT,    /* 1: the tail is missing */
    HC_DUMPS_N_COLUMNS
};

extern const struct hc_table_def hc_entries_def, hc_progress_def, hc_dumps_def;

/* In the order of enum hc_collective_table, ending in NULL. */
extern const struct hc_table_def *const hc_collective_tables[HC_COLLECTIVE_N_TABLES + 1];

#endif
