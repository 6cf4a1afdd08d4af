#include "models/steps/pass_schedule.h"

/* Interleaved, n_stages microbatches of one chunk follow each other, then as many of the next
 * chunk; backward begins with the last chunk. */
struct hc_pass hc_schedule_pass(const struct hc_pass_schedule *s, bool is_backward, int32_t k)
{
    int32_t chunk = 0, microbatch = k;
    if (s->kind == HC_SCHEDULE_INTERLEAVED && s->n_chunks > 1) {
        int32_t round = s->n_stages * s->n_chunks;
        chunk = k / s->n_stages % s->n_chunks;
        microbatch = k / round * s->n_stages + k % s->n_stages;
    }
    if (is_backward) {
        chunk = s->n_chunks - 1 - chunk;
        if (s->kind == HC_SCHEDULE_GPIPE && !s->backwards_ascend)
            microbatch = s->n_microbatches - 1 - microbatch;
    }
    return (struct hc_pass){is_backward, chunk, microbatch};
}

int32_t hc_schedule_warm_up(const struct hc_pass_schedule *s, int32_t stage)
{
    int64_t n_passes = hc_schedule_passes(s), after = s->n_stages - 1 - stage, n = after;
    if (s->n_chunks > 1)
        n = 2 * after + (int64_t)(s->n_chunks - 1) * s->n_stages;
    if (s->kind == HC_SCHEDULE_GPIPE)
        n = n_passes;
    return (int32_t)(n < n_passes ? n : n_passes);
}

void hc_schedule_list(const struct hc_pass_schedule *s, int32_t stage, struct hc_pass *list)
{
    int32_t warm_up = hc_schedule_warm_up(s, stage), n_passes = hc_schedule_passes(s);
    int32_t forward = 0, backward = 0;
    while (backward < n_passes) {
        bool is_forward = forward < n_passes && forward - backward <= warm_up;
        *list++ = hc_schedule_pass(s, !is_forward, is_forward ? forward++ : backward++);
    }
}
