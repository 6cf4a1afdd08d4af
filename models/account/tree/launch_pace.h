/* launch_pace.h - how fast a launch went: for what its log does not tell in so many words.
 * Private to this wing. */
#ifndef HC_MODELS_ACCOUNT_TREE_LAUNCH_PACE_H
#define HC_MODELS_ACCOUNT_TREE_LAUNCH_PACE_H

#include "models/account/tree/attempt_slices.h"

/* Missing: not known. */
struct hc_pace {
    int64_t step_ns;       /* of the last line of steps */
    int64_t stall_ns;      /* mean of a save, in the gaps between steps that hold no evaluation */
    int64_t evaluation_ns; /* the same the other way round */
    bool saves_late;       /* a save of the iteration of a line comes behind the line */
};

/* n times so long, at most INT64_MAX; of a negative number or time nothing. Numbers of a damaged
 * log may be anything. */
int64_t hc_times(int64_t n, int64_t duration_ns);
/* What all steps of a row took, or missing: the line does not tell, or tells less than nothing. */
int64_t hc_row_took_ns(const struct hc_step_row *row);

struct hc_pace hc_pace_find(const struct hc_launch_facts *facts);

/* Whether a gap before steps is more than the rounding of what they took: a 100th of that, or,
 * where the log tells of something in it, a 10,000th. */
bool hc_is_gap(int64_t gap_ns, int64_t took_ns, bool has_reason);

/* How many rows are of an iteration in [from, before). */
int64_t hc_count_moments(const struct hc_moment_row *rows, size_t n, int64_t from, int64_t before);

#endif
