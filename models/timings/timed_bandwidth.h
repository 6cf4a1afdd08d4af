/* timed_bandwidth.h - bytes and bandwidths of timed transfers. Private to this wing. */
#ifndef HC_MODELS_TIMINGS_TIMED_BANDWIDTH_H
#define HC_MODELS_TIMINGS_TIMED_BANDWIDTH_H

#include <stdint.h>

/* Bytes of the whole operation, as nccl-tests counts them: a log counts those of one rank of
 * all_gather and reduce_scatter. Missing where unknown. */
int64_t hc_timed_bytes(const char *op, int32_t n_ranks, int64_t logged);

/* Algorithm and bus bandwidth, GB/s; NaN where bytes or time say nothing. */
double hc_timed_algobw(int64_t bytes, int64_t time_ns);
double hc_timed_busbw(const char *op, int32_t n_ranks, int64_t bytes, int64_t time_ns);

#endif
