/* queue_looks.h - what GPU jobs waited for, over the times that looks at the queue tell of. */
#ifndef HC_MODELS_CAPACITY_QUEUE_LOOKS_H
#define HC_MODELS_CAPACITY_QUEUE_LOOKS_H

#include "core/tables/jobs/queue_table.h"
#include "models/capacity/installed.h"

/* At one look: jobs that wait, by what they wait for; the last has those of which nothing is said.
 */
#define HC_N_LOOK_WAITS (HC_N_QUEUE_WAITS + 1)
struct hc_queue_look {
    int64_t time_ns;
    int32_t jobs[HC_N_LOOK_WAITS];
    int64_t gpus[HC_N_LOOK_WAITS];
};

/* Zeroed memory but for the window and the longest time that a look holds (0: 15 minutes). */
struct hc_queue_looks {
    int64_t from_ns, to_ns, holds_ns;
    size_t n, room;
    struct hc_queue_look *looks;
    /* After the end: */
    int64_t known_ns; /* of the window, in which some look held */
    int64_t n_looks;
    struct hc_queue_waiting {
        hc_capacity_ns gpu_ns; /* GPUs asked for times the time for which looks hold */
        hc_capacity_ns job_ns;
        int64_t most_gpus; /* at one look */
    } waiting[HC_N_LOOK_WAITS];
};

/* Count a job that waits at a look, or (wait < 0) nothing but the look. HC_N_QUEUE_WAITS: nothing
 * is said of why. HC_INTERNAL only. */
enum hc_status hc_queue_looks_add(struct hc_queue_looks *looks, int64_t time_ns, int wait,
                                  int64_t gpus, struct hc_error *err);

/* After the last: sum up. */
void hc_queue_looks_end(struct hc_queue_looks *looks);
void hc_queue_looks_fini(struct hc_queue_looks *looks);

#endif
