#include "core/tables/collectives/bandwidth_table.h"

/* Tables of bandwidths came with minor schema version 3. */
#define SINCE 3

static const struct hc_column_def columns[HC_BANDWIDTHS_N_COLUMNS] = {
    [HC_BANDWIDTHS_TABLE] = {"table", HC_I32, "", "which of the file, from 0", NULL},
    [HC_BANDWIDTHS_OP] = {"op", HC_I32, "", "operation", "collective"},
    [HC_BANDWIDTHS_N_RANKS] = {"n_ranks", HC_I32, "", "ranks that took part", NULL},
    [HC_BANDWIDTHS_BYTES] = {"bytes", HC_I64, "", "size of the whole operation", NULL},
    [HC_BANDWIDTHS_COUNT] = {"count", HC_I64, "", "elements", NULL},
    [HC_BANDWIDTHS_DTYPE] = {"dtype", HC_I32, "", "type of the elements", "dtype"},
    [HC_BANDWIDTHS_REDOP] = {"redop", HC_I32, "", "how elements are reduced", "redop"},
    [HC_BANDWIDTHS_ROOT] = {"root", HC_I32, "", "rank at the root", NULL},
    [HC_BANDWIDTHS_OUT_TIME_NS] = {"out_time_ns", HC_I64, "ns", "time out of place", NULL},
    [HC_BANDWIDTHS_OUT_ALGOBW_GB_S] = {"out_algobw_gb_s", HC_F64, "GB/s",
                                       "algorithm bandwidth out of place", NULL},
    [HC_BANDWIDTHS_OUT_BUSBW_GB_S] = {"out_busbw_gb_s", HC_F64, "GB/s",
                                      "bus bandwidth out of place", NULL},
    [HC_BANDWIDTHS_OUT_WRONG] = {"out_wrong", HC_I64, "", "wrong values out of place", NULL},
    [HC_BANDWIDTHS_IN_TIME_NS] = {"in_time_ns", HC_I64, "ns", "time in place", NULL},
    [HC_BANDWIDTHS_IN_ALGOBW_GB_S] = {"in_algobw_gb_s", HC_F64, "GB/s",
                                      "algorithm bandwidth in place", NULL},
    [HC_BANDWIDTHS_IN_BUSBW_GB_S] = {"in_busbw_gb_s", HC_F64, "GB/s", "bus bandwidth in place",
                                     NULL},
    [HC_BANDWIDTHS_IN_WRONG] = {"in_wrong", HC_I64, "", "wrong values in place", NULL},
};

const struct hc_table_def hc_bandwidths_def = {"bandwidths", HC_BANDWIDTHS_N_COLUMNS, columns,
                                               SINCE};

const struct hc_table_def *const hc_bandwidth_kind_tables[2] = {&hc_bandwidths_def, NULL};
