/* edited_times.h - times of edited steps for tests: arrays that are there, and freed. */
#ifndef HC_TESTS_SUPPORT_EDITED_TIMES_H
#define HC_TESTS_SUPPORT_EDITED_TIMES_H

#include "sim/edits/edited_replay.h"

#include <check.h>
#include <stdlib.h>

static inline void edited_times_init(struct hc_edited_times *times, size_t n_steps)
{
    times->span = calloc(n_steps, sizeof(double));
    times->end = calloc(n_steps, sizeof(double));
    times->ideal_span = calloc(n_steps, sizeof(double));
    times->ideal_end = calloc(n_steps, sizeof(double));
    ck_assert(times->span && times->end && times->ideal_span && times->ideal_end);
}

static inline void edited_times_fini(struct hc_edited_times *times)
{
    free(times->span);
    free(times->end);
    free(times->ideal_span);
    free(times->ideal_end);
}

#endif
