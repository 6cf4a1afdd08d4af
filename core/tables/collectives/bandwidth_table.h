/* bandwidth_table.h - bandwidths of collectives as a benchmark measured them: a row for each size
 * of a table of nccl-tests. */
#ifndef HC_CORE_TABLES_COLLECTIVES_BANDWIDTH_TABLE_H
#define HC_CORE_TABLES_COLLECTIVES_BANDWIDTH_TABLE_H

#include "core/tables/table.h"

/* Times and bandwidths are out of place ("out") and in place ("in"); missing or NaN where the table
 * has none. */
enum hc_bandwidths_column {
    HC_BANDWIDTHS_TABLE,   /* which of the file, from 0 */
    HC_BANDWIDTHS_OP,      /* code of dictionary "collective": canonical */
    HC_BANDWIDTHS_N_RANKS, /* that took part */
    HC_BANDWIDTHS_BYTES,   /* of the whole operation */
    HC_BANDWIDTHS_COUNT,   /* elements */
    HC_BANDWIDTHS_DTYPE,   /* code of dictionary "dtype" */
    HC_BANDWIDTHS_REDOP,   /* code of dictionary "redop": "sum" */
    HC_BANDWIDTHS_ROOT,
    HC_BANDWIDTHS_OUT_TIME_NS,
    HC_BANDWIDTHS_OUT_ALGOBW_GB_S,
    HC_BANDWIDTHS_OUT_BUSBW_GB_S,
    HC_BANDWIDTHS_OUT_WRONG, /* values that were wrong */
    HC_BANDWIDTHS_IN_TIME_NS,
    HC_BANDWIDTHS_IN_ALGOBW_GB_S,
    HC_BANDWIDTHS_IN_BUSBW_GB_S,
    HC_BANDWIDTHS_IN_WRONG,
    HC_BANDWIDTHS_N_COLUMNS
};

extern const struct hc_table_def hc_bandwidths_def;

/* The only table of its kind, ending in NULL. */
extern const struct hc_table_def *const hc_bandwidth_kind_tables[2];

#endif
