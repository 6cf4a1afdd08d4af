/* run_pair.h - two runs of an archive, day by day, to be compared. */
#ifndef HC_PIPELINE_NIGHT_RUN_PAIR_H
#define HC_PIPELINE_NIGHT_RUN_PAIR_H

#include "core/base/zone.h"
#include "models/account/compare/day_compare.h"
#include "pipeline/night/account_walk.h"

struct hc_run_pair {
    struct hc_compared_run runs[2];
    struct hc_compared_side side[2]; /* with their sums */
    size_t n_days;
    struct hc_compared_day *days; /* of A, then of B, each by date */
};

/* walk: over all times, so that runs are whole; zone: of the days.
 * HC_BAD_INPUT: the archive has no accounting. HC_USAGE: it has no run of that name, or several.
 * pair is the caller's to hc_run_pair_fini whatever the result. */
enum hc_status hc_run_pair_load(struct hc_run_pair *pair, const struct hc_walk_choice *walk,
                                const struct hc_zone *zone, const char *const names[2],
                                struct hc_error *err);
void hc_run_pair_fini(struct hc_run_pair *pair);

#endif
