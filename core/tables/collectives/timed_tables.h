/* timed_tables.h - the tables of a log of timed collectives: what NCCL Inspector writes of each
 * collective, send and receive that one process took part in.
 *
 * A set of these tables is of one log. A communicator is told by its id, and the places in it are
 * ranks *of that communicator*: a log does not say which rank of the job its process is. What a
 * log leaves open is HC_MISSING_I32, HC_MISSING_I64 or NaN.
 */
#ifndef HC_CORE_TABLES_COLLECTIVES_TIMED_TABLES_H
#define HC_CORE_TABLES_COLLECTIVES_TIMED_TABLES_H

#include "core/tables/table.h"

/* The tables in the order of their kind; the first is the main one. */
enum hc_timed_table { HC_TIMED_RECORDS, HC_TIMED_PLACES, HC_TIMED_LOGS, HC_TIMED_N_TABLES };

/* How the duration of a record was measured. */
enum hc_timing_source { HC_TIMED_ON_GPU, HC_TIMED_KERNEL_BY_CPU, HC_TIMED_CALL_BY_CPU };

/* One row a record of the log, in its order. */
enum hc_timed_column {
    HC_TIMED_COMMUNICATOR, /* code of dictionary "communicator": its id */
    HC_TIMED_RANK,         /* place in the communicator */
    HC_TIMED_PROCESS,      /* code of dictionary "process": "host:pid" */
    HC_TIMED_OP,           /* code of dictionary "collective": as written, "AllReduce" */
    HC_TIMED_SEQ,          /* its number among those of its op in the communicator */
    HC_TIMED_IS_P2P,       /* 0 or 1 */
    HC_TIMED_PEER,         /* the other end of a send or receive: place in the communicator */
    HC_TIMED_BYTES,        /* as logged: of all_gather and reduce_scatter, those of one rank */
    HC_TIMED_DURATION_NS,
    HC_TIMED_SOURCE,      /* enum hc_timing_source */
    HC_TIMED_ALGOBW_GB_S, /* as logged, 1e9 bytes a second */
    HC_TIMED_BUSBW_GB_S,
    HC_TIMED_DUMP_NS,  /* Unix time at which the record was written */
    HC_TIMED_START_NS, /* Unix time, of verbose logs */
    HC_TIMED_STOP_NS,
    HC_TIMED_N_COLUMNS
};

/* One row for each place of a communicator that the log has records of. */
enum hc_places_column {
    HC_PLACES_COMMUNICATOR,
    HC_PLACES_NAME, /* code of dictionary "communicator_name" */
    HC_PLACES_RANK,
    HC_PLACES_PROCESS,
    HC_PLACES_N_RANKS,
    HC_PLACES_N_NODES,
    HC_PLACES_N_COLUMNS
};

/* One row: the log as a whole. */
enum hc_logs_column {
    HC_LOGS_NUMBER,     /* of the process, made of host and pid: tells the logs of a job apart */
    HC_LOGS_PROCESS,    /* code of dictionary "process": the first in the log */
    HC_LOGS_VERSION,    /* code of dictionary "log_version": "v4.0" */
    HC_LOGS_REVISION,   /* the same dictionary: of the Inspector */
    HC_LOGS_N_RECORDS,  /* read, good and bad */
    HC_LOGS_N_DROPPED,  /* of them */
    HC_LOGS_N_OTHER,    /* objects that are no records */
    HC_LOGS_IS_CUT,     /* 1: the tail is missing */
    HC_LOGS_IS_UNKNOWN, /* 1: of a version that hindcast does not know */
    HC_LOGS_N_COLUMNS
};

extern const struct hc_table_def hc_timed_def, hc_places_def, hc_logs_def;

/* In the order of enum hc_timed_table, ending in NULL. */
extern const struct hc_table_def *const hc_timed_tables[HC_TIMED_N_TABLES + 1];

#endif
