/* timed_set.h - the logs of timed collectives of a job in memory: every record, with the
 * communicators and processes that they are of.
 *
 *     hc_timed_set_begin(&set, names, err);
 *     hc_timed_set_add(&set, table, err);     for each batch of each table of the log
 *     hc_timed_set_end(&set, err);
 *
 * Memory: 72 bytes a record.
 */
#ifndef HC_MODELS_TIMINGS_TIMED_SET_H
#define HC_MODELS_TIMINGS_TIMED_SET_H

#include "core/base/status.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"
#include "core/text/text_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A collective, send or receive as one process timed it. */
struct hc_timed_record {
    int64_t seq, bytes, duration_ns;   /* bytes may be missing */
    double algobw_gb_s, busbw_gb_s;    /* as logged, or NaN */
    int32_t communicator, process, op; /* codes of the sets below */
    int32_t rank, peer;                /* places in the communicator */
    int32_t source;                    /* enum hc_timing_source, or missing */
    bool is_p2p;
};

struct hc_timed_communicator {
    int32_t name;             /* code of the names, or missing */
    int32_t n_ranks, n_nodes; /* the largest that a log says; missing where none does */
};

struct hc_timed_log {
    int32_t process, version; /* codes, or missing */
    int64_t n_records, n_dropped, n_other;
    bool is_cut, is_unknown;
};

struct hc_timed_set {
    struct hc_text_set ids, names, processes, ops, versions; /* ops are canonical */
    size_t n_communicators, communicators_capacity;
    struct hc_timed_communicator *communicators; /* by code of their id */
    size_t n_records, records_capacity;
    struct hc_timed_record *records;
    size_t n_logs, logs_capacity;
    struct hc_timed_log *logs;
    struct hc_timed_codes *loading; /* of the log that is being added */
};

/* Zeroed memory is an empty set. */
void hc_timed_set_fini(struct hc_timed_set *set);

/* A log begins. names belong to its tables and stay until its end. */
enum hc_status hc_timed_set_begin(struct hc_timed_set *set, const struct hc_table_names *names,
                                  struct hc_error *err);

/* Rows of one of its tables (core/tables/collectives/timed_tables.h). */
enum hc_status hc_timed_set_add(struct hc_timed_set *set, const struct hc_table *rows,
                                struct hc_error *err);
void hc_timed_set_end(struct hc_timed_set *set);

#endif
