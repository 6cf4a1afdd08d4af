/* trace_rank.h - the rank that the name of a file tells, of a trace that does not say it itself. */
#ifndef HC_PARSERS_PROFILES_TRACE_RANK_H
#define HC_PARSERS_PROFILES_TRACE_RANK_H

#include <stdbool.h>
#include <stdint.h>

/* "rank" or "worker" in any case, no letter or digit before it, then perhaps one of "-_[", then
 * digits, in the last part of a path ("traces/rank[3].json", "x.tar:worker3_step_12.json"). False
 * where there is no such thing, or no int32. */
bool hc_trace_rank_of_name(const char *path, int32_t *rank);

#endif
