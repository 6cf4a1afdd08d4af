#include "core/tables/collectives/timed_tables.h"

/* Logs of timed collectives came with minor schema version 3. */
#define SINCE 3

static const struct hc_column_def timed_columns[HC_TIMED_N_COLUMNS] = {
    [HC_TIMED_COMMUNICATOR] = {"communicator", HC_I32, "", "id of the communicator",
                               "communicator"},
    [HC_TIMED_RANK] = {"rank", HC_I32, "", "place in the communicator", NULL},
    [HC_TIMED_PROCESS] = {"process", HC_I32, "", "host and process id", "process"},
    [HC_TIMED_OP] = {"op", HC_I32, "", "operation, as written", "collective"},
    [HC_TIMED_SEQ] = {"seq", HC_I64, "", "number among those of its op in the communicator", NULL},
    [HC_TIMED_IS_P2P] = {"is_p2p", HC_I32, "", "1: between two ranks", NULL},
    [HC_TIMED_PEER] = {"peer", HC_I32, "", "place of the other end in the communicator", NULL},
    [HC_TIMED_BYTES] = {"bytes", HC_I64, "", "size of the message, as logged", NULL},
    [HC_TIMED_DURATION_NS] = {"duration_ns", HC_I64, "ns", "from its start to its end here", NULL},
    [HC_TIMED_SOURCE] = {"timing", HC_I32, "",
                         "0 kernel by the GPU, 1 kernel by the CPU, 2 call by the CPU", NULL},
    [HC_TIMED_ALGOBW_GB_S] = {"algobw_gb_s", HC_F64, "GB/s", "algorithm bandwidth, as logged",
                              NULL},
    [HC_TIMED_BUSBW_GB_S] = {"busbw_gb_s", HC_F64, "GB/s", "bus bandwidth, as logged", NULL},
    [HC_TIMED_DUMP_NS] = {"dump_ns", HC_I64, "ns", "when the record was written", NULL},
    [HC_TIMED_START_NS] = {"start_ns", HC_I64, "ns", "when it started", NULL},
    [HC_TIMED_STOP_NS] = {"stop_ns", HC_I64, "ns", "when it ended", NULL},
};

const struct hc_table_def hc_timed_def = {"timed_collectives", HC_TIMED_N_COLUMNS, timed_columns,
                                          SINCE};

static const struct hc_column_def places_columns[HC_PLACES_N_COLUMNS] = {
    [HC_PLACES_COMMUNICATOR] = {"communicator", HC_I32, "", "id of the communicator",
                                "communicator"},
    [HC_PLACES_NAME] = {"name", HC_I32, "", "name of the communicator", "communicator_name"},
    [HC_PLACES_RANK] = {"rank", HC_I32, "", "place in the communicator", NULL},
    [HC_PLACES_PROCESS] = {"process", HC_I32, "", "host and process id", "process"},
    [HC_PLACES_N_RANKS] = {"n_ranks", HC_I32, "", "places of the communicator", NULL},
    [HC_PLACES_N_NODES] = {"n_nodes", HC_I32, "", "hosts of the communicator", NULL},
};

const struct hc_table_def hc_places_def = {"communicators", HC_PLACES_N_COLUMNS, places_columns,
                                           SINCE};

static const struct hc_column_def logs_columns[HC_LOGS_N_COLUMNS] = {
    [HC_LOGS_NUMBER] = {"number", HC_I32, "", "of the process, made of host and pid", NULL},
    [HC_LOGS_PROCESS] = {"process", HC_I32, "", "host and process id", "process"},
    [HC_LOGS_VERSION] = {"version", HC_I32, "", "version of the log", "log_version"},
    [HC_LOGS_REVISION] = {"revision", HC_I32, "", "revision of the Inspector", "log_version"},
    [HC_LOGS_N_RECORDS] = {"n_records", HC_I64, "", "records", NULL},
    [HC_LOGS_N_DROPPED] = {"n_dropped", HC_I64, "", "records that could not be kept", NULL},
    [HC_LOGS_N_OTHER] = {"n_other", HC_I64, "", "objects that are no records", NULL},
    [HC_LOGS_IS_CUT] = {"is_cut", HC_I32, "", "1: the tail is missing", NULL},
    [HC_LOGS_IS_UNKNOWN] = {"is_unknown", HC_I32, "", "1: of a version that is not known", NULL},
};

const struct hc_table_def hc_logs_def = {"logs", HC_LOGS_N_COLUMNS, logs_columns, SINCE};

const struct hc_table_def *const hc_timed_tables[HC_TIMED_N_TABLES + 1] = {
    [HC_TIMED_RECORDS] = &hc_timed_def,
    [HC_TIMED_PLACES] = &hc_places_def,
    [HC_TIMED_LOGS] = &hc_logs_def,
};
