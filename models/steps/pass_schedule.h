/* pass_schedule.h - in which order the stages of a pipeline compute: the passes of a stage, one
 * after the other, by the schedules that training frameworks use.
 *
 * 1F1B (PipeDream-Flush): a few forward passes, then one forward and one backward in turn.
 * Interleaved 1F1B (Megatron-LM, arXiv 2104.04473): the same with several model chunks a stage; as
 * many microbatches as there are stages pass through a chunk before the next chunk has its turn.
 * GPipe (arXiv 1811.06965): all forward passes, then all backward passes.
 *
 *     struct hc_pass passes[2 * 32];
 *     const struct hc_pass_schedule schedule = {HC_SCHEDULE_1F1B, 4, 1, 32, false};
 *     hc_schedule_list(&schedule, 0, passes); // F0 F1 F2 F3 B0 F4 B1 ...
 */
#ifndef HC_MODELS_STEPS_PASS_SCHEDULE_H
#define HC_MODELS_STEPS_PASS_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hc_schedule_kind { HC_SCHEDULE_1F1B, HC_SCHEDULE_INTERLEAVED, HC_SCHEDULE_GPIPE };

struct hc_pass_schedule {
    enum hc_schedule_kind kind;
    int32_t n_stages;
    int32_t n_chunks;       /* of a stage: more than 1 only where interleaved */
    int32_t n_microbatches; /* interleaved: a multiple of n_stages */
    bool backwards_ascend;  /* GPipe: backward passes in the order of the forward ones, and not the
                               last first */
};

struct hc_pass {
    bool is_backward;
    int32_t chunk, microbatch; /* from 0 */
};

/* Forward passes of a stage, and as many backward passes. */
static inline int32_t hc_schedule_passes(const struct hc_pass_schedule *schedule)
{
    return schedule->n_chunks * schedule->n_microbatches;
}

/* The k-th pass of a direction, from 0: the same on all stages. */
struct hc_pass hc_schedule_pass(const struct hc_pass_schedule *schedule, bool is_backward,
                                int32_t k);

/* Forward passes of a stage before the first pair of a forward and a backward pass. */
int32_t hc_schedule_warm_up(const struct hc_pass_schedule *schedule, int32_t stage);

/* All passes of a stage in their order: list [2 * hc_schedule_passes()]. */
void hc_schedule_list(const struct hc_pass_schedule *schedule, int32_t stage, struct hc_pass *list);

#endif
