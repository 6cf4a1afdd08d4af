/* crew.h - replicas on several threads, each with a worker of its own.
 *
 *     static const struct hc_crew_trade trade = {hire, work, dismiss};
 *     hc_crew_run(&trade, &errand, n, config->threads, err);
 */
#ifndef HC_SIM_ENGINE_CREW_H
#define HC_SIM_ENGINE_CREW_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a worker is and does. errand is what all work on; err stays the same for all that a worker
 * does, so that hire may keep it. */
struct hc_crew_trade {
    /* *worker is dismissed in any case. */
    enum hc_status (*hire)(void **worker, const void *errand, struct hc_error *err);
    enum hc_status (*work)(void *worker, const void *errand, size_t i, struct hc_error *err);
    void (*dismiss)(void *worker); /* NULL may be dismissed */
};

/* Do the work of i = 0..n-1, in any order, on as many threads (0: as OpenMP says); the first of it,
 * some milliseconds of a process, on the calling thread alone, which makes the team only when more
 * is left (hc_threads_raise). When some of it fails, all else is done and the error is that of the
 * lowest i, whatever the threads did. */
enum hc_status hc_crew_run(const struct hc_crew_trade *trade, const void *errand, size_t n,
                           int32_t threads, struct hc_error *err);

/* Whether all work of crews so far was so little that one thread did it: what is as much again is
 * little, too. */
bool hc_crew_is_alone(void);

#endif
