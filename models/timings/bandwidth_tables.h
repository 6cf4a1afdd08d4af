/* bandwidth_tables.h - the bus bandwidths that a machine is known to reach, by operation and size:
 * tables of nccl-tests, asked for any size between those that were measured. */
#ifndef HC_MODELS_TIMINGS_BANDWIDTH_TABLES_H
#define HC_MODELS_TIMINGS_BANDWIDTH_TABLES_H

#include "core/base/status.h"
#include "core/tables/table.h"
#include "core/text/text_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A size that was measured. */
struct hc_measured_bandwidth {
    int64_t bytes;     /* above 0; of the whole operation, as nccl-tests counts them */
    double busbw_gb_s; /* above 0: out of place, else in place */
    int32_t op;        /* code of ops: canonical */
    int32_t n_ranks;   /* missing where the table does not say */
};

/* Zeroed memory is no tables. */
struct hc_bandwidth_tables {
    struct hc_text_set ops;
    size_t n, capacity;
    struct hc_measured_bandwidth *rows; /* once finished: by op, ranks, bytes, each of them once */
};

void hc_bandwidth_tables_fini(struct hc_bandwidth_tables *tables);

/* Rows of hc_bandwidths_def, of which names has the texts; those without op or bandwidth, or of no
 * bytes, are passed over. */
enum hc_status hc_bandwidth_tables_add(struct hc_bandwidth_tables *tables,
                                       const struct hc_table *rows,
                                       const struct hc_text_set *op_names, struct hc_error *err);

/* After the last rows, before the first question. Of a size that was measured more than once, the
 * best is kept. */
void hc_bandwidth_tables_finish(struct hc_bandwidth_tables *tables);

/* What an operation is expected to reach. */
struct hc_expected_bandwidth {
    double busbw_gb_s; /* NaN: no table has the operation, or a size that small */
    int32_t n_ranks;   /* of the table that says so; missing where it does not say */
    bool is_beyond;    /* larger than any that was measured: that of the largest */
};

/* The bus bandwidth of `bytes` among n_ranks ranks: by the table of as many ranks, else that of the
 * nearest number (of two the smaller); between two sizes linear in the logarithm of the size. */
struct hc_expected_bandwidth hc_expected_bandwidth(const struct hc_bandwidth_tables *tables,
                                                   const char *op, int32_t n_ranks, int64_t bytes);

#endif
