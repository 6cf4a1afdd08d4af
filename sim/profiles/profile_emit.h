/* profile_emit.h - the points of one rank in a part of the graph, and the edges that lead to them.
 * Private to this wing. */
#ifndef HC_SIM_PROFILES_PROFILE_EMIT_H
#define HC_SIM_PROFILES_PROFILE_EMIT_H

#include "sim/profiles/profile_build.h"

/* A local time of a rank on the time of the graph. */
int64_t hc_build_time(const struct hc_profile_build *build, size_t rank_index, int64_t ns);
/* Number the points of a rank in the order of their starts, from *next on. */
enum hc_status hc_build_number(struct hc_profile_build *build, size_t rank_index, uint32_t *next,
                               struct hc_error *err);
enum hc_status hc_build_emit(struct hc_profile_build *build, size_t rank_index,
                             struct hc_error *err);
/* What the numbered point is, in words. */
void hc_build_describe(const void *build, uint32_t point, char *text, size_t size);

#endif
