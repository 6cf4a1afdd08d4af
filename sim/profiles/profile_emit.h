/* profile_emit.h - the points of one rank in a part of the graph, and the edges that lead to them.
 * For this wing and
 * that of edits. */
#ifndef HC_SIM_PROFILES_PROFILE_EMIT_H
#define HC_SIM_PROFILES_PROFILE_EMIT_H

#include "sim/profiles/profile_build.h"

/* A local time of a rank on the time of the graph; what does not fit comes out further away than
 * hc_graph_add_point takes. */
int64_t hc_build_time(const struct hc_profile_build *build, size_t rank_index, int64_t ns);
/* Number the points of a rank in the order of their starts, from *next on. */
enum hc_status hc_build_number(struct hc_profile_build *build, size_t rank_index, uint32_t *next,
                               struct hc_error *err);
enum hc_status hc_build_emit(struct hc_profile_build *build, size_t rank_index,
                             struct hc_error *err);

/* What the points of a part are of. The first point of a call or GPU event is its start, the next
 * one its end. */
enum hc_build_what { HC_BUILD_CALL, HC_BUILD_EXTRA, HC_BUILD_GPU };
struct hc_build_item {
    enum hc_build_what what;
    size_t row; /* of calls, extras, gpu */
    uint32_t point;
};
struct hc_build_cursor {
    bool is_begun;
    size_t call, extra, gpu;
};
/* The items of a rank in this part, in the order of their starts; false at the end. The cursor is
 * zeroed before the first. */
bool hc_build_next_item(const struct hc_build_rank *rank, struct hc_build_cursor *cursor,
                        struct hc_build_item *item);

/* What the numbered point is, in words. */
void hc_build_describe(const void *build, uint32_t point, char *text, size_t size);

#endif
