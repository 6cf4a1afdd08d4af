#include "core/tables/collectives/collective_tables.h"

#include "core/tables/profile_tables.h"

/* Dumps of collectives came with minor schema version 3. */
#define SINCE 3

static const struct hc_column_def entries_columns[HC_ENTRIES_N_COLUMNS] = {
    [HC_ENTRIES_RECORD_ID] = {"record_id", HC_I64, "", "number of the entry in its process", NULL},
    [HC_ENTRIES_GROUP] = {"group", HC_I32, "", "name of the process group", "group"},
    [HC_ENTRIES_DESCRIPTION] = {"description", HC_I32, "", "description of the process group",
                                "group_description"},
    [HC_ENTRIES_LOCAL_GROUP] = {"local_group", HC_I64, "", "number of the group in its process",
                                NULL},
    [HC_ENTRIES_OP] = {"op", HC_I32, "", "operation, as written", "collective"},
    [HC_ENTRIES_SEQ] = {"seq", HC_I64, "", "number of the collective in its group", NULL},
    [HC_ENTRIES_P2P_SEQ] = {"p2p_seq", HC_I64, "", "number of the send or receive in its group",
                            NULL},
    [HC_ENTRIES_IS_P2P] = {"is_p2p", HC_I32, "", "1: between two ranks", NULL},
    [HC_ENTRIES_SOURCE] = {"source", HC_I32, "", "place in the group that sends", NULL},
    [HC_ENTRIES_DESTINATION] = {"destination", HC_I32, "", "place in the group that receives",
                                NULL},
    [HC_ENTRIES_IN_ELEMENTS] = {"in_elements", HC_I64, "", "elements that go in", NULL},
    [HC_ENTRIES_OUT_ELEMENTS] = {"out_elements", HC_I64, "", "elements that come out", NULL},
    [HC_ENTRIES_IN_SIZES] = {"in_sizes", HC_I32, "", "shapes of the tensors that go in", "sizes"},
    [HC_ENTRIES_OUT_SIZES] = {"out_sizes", HC_I32, "", "shapes of the tensors that come out",
                              "sizes"},
    [HC_ENTRIES_IN_DTYPES] = {"in_dtypes", HC_I32, "", "types of what goes in", "dtype"},
    [HC_ENTRIES_OUT_DTYPES] = {"out_dtypes", HC_I32, "", "types of what comes out", "dtype"},
    [HC_ENTRIES_STATE] = {"state", HC_I32, "", "0 scheduled, 1 started, 2 completed", NULL},
    [HC_ENTRIES_CREATED_NS] = {"created_ns", HC_I64, "ns", "when it was queued", NULL},
    [HC_ENTRIES_STARTED_NS] = {"started_ns", HC_I64, "ns", "when it was seen to have started",
                               NULL},
    [HC_ENTRIES_COMPLETED_NS] = {"completed_ns", HC_I64, "ns", "when it was seen to have ended",
                                 NULL},
    [HC_ENTRIES_DURATION_NS] = {"duration_ns", HC_I64, "ns", "duration, where it is timed", NULL},
    [HC_ENTRIES_TIMEOUT_NS] = {"timeout_ns", HC_I64, "ns", "after which the job is ended", NULL},
    [HC_ENTRIES_IS_RETIRED] = {"is_retired", HC_I32, "", "1: the watchdog no longer looks at it",
                               NULL},
    [HC_ENTRIES_THREAD] = {"thread", HC_I32, "", "thread that queued it", "thread"},
};

const struct hc_table_def hc_entries_def = {"collectives", HC_ENTRIES_N_COLUMNS, entries_columns,
                                            SINCE};

static const struct hc_column_def progress_columns[HC_PROGRESS_N_COLUMNS] = {
    [HC_PROGRESS_LOCAL_GROUP] = {"local_group", HC_I64, "", "number of the group in its process",
                                 NULL},
    [HC_PROGRESS_ENQUEUED] = {"enqueued", HC_I64, "", "last collective that was queued", NULL},
    [HC_PROGRESS_STARTED] = {"started", HC_I64, "", "last collective that has started", NULL},
    [HC_PROGRESS_COMPLETED] = {"completed", HC_I64, "", "last collective that has ended", NULL},
};

const struct hc_table_def hc_progress_def = {"group_progress", HC_PROGRESS_N_COLUMNS,
                                             progress_columns, SINCE};

static const struct hc_column_def dumps_columns[HC_DUMPS_N_COLUMNS] = {
    [HC_DUMPS_RANK] = {"rank", HC_I32, "", "global rank", NULL},
    [HC_DUMPS_RANK_ORIGIN] = {"rank_origin", HC_I32, "",
                              "0 recorded, 1 from the name of the file, 2 the only file", NULL},
    [HC_DUMPS_VERSION] = {"version", HC_I32, "", "version of the dump", "dump_version"},
    [HC_DUMPS_LIBRARY_VERSION] = {"library_version", HC_I32, "", "version of NCCL", "dump_version"},
    [HC_DUMPS_N_ENTRIES] = {"n_entries", HC_I64, "", "entries", NULL},
    [HC_DUMPS_N_DROPPED] = {"n_dropped", HC_I64, "", "entries that could not be kept", NULL},
    [HC_DUMPS_IS_CUT] = {"is_cut", HC_I32, "", "1: the tail is missing", NULL},
};

const struct hc_table_def hc_dumps_def = {"dumps", HC_DUMPS_N_COLUMNS, dumps_columns, SINCE};

const struct hc_table_def *const hc_collective_tables[HC_COLLECTIVE_N_TABLES + 1] = {
    [HC_COLLECTIVE_ENTRIES] = &hc_entries_def,
    [HC_COLLECTIVE_GROUPS] = &hc_groups_def,
    [HC_COLLECTIVE_PROGRESS] = &hc_progress_def,
    [HC_COLLECTIVE_DUMPS] = &hc_dumps_def,
};
