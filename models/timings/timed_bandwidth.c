#include "models/timings/timed_bandwidth.h"

#include "core/base/missing.h"
#include "core/text/collective_op.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

int64_t hc_timed_bytes(const char *op, int32_t n_ranks, int64_t logged)
{
    int64_t bytes = logged;
    bool is_per_rank = strcmp(op, "all_gather") == 0 || strcmp(op, "reduce_scatter") == 0;
    if (logged == HC_MISSING_I64 || !is_per_rank)
        return logged;
    return n_ranks > 0 && !__builtin_mul_overflow(logged, n_ranks, &bytes) ? bytes : HC_MISSING_I64;
}

double hc_timed_algobw(int64_t bytes, int64_t time_ns)
{
    return bytes == HC_MISSING_I64 || time_ns <= 0 ? NAN : (double)bytes / (double)time_ns;
}

double hc_timed_busbw(const char *op, int32_t n_ranks, int64_t bytes, int64_t time_ns)
{
    return n_ranks < 1 && !hc_collective_op_is_p2p(op)
               ? NAN
               : hc_timed_algobw(bytes, time_ns) * hc_collective_bus_factor(op, n_ranks);
}
