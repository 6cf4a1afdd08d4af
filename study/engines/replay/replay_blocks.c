/* Steps as replicas: sums over blocks of consecutive ones. */
#include "study/engines/replay/replay_wing.h"

size_t hc_replay_n_blocks(const struct hc_replay_config *config)
{
    size_t of = (size_t)config->block_steps;
    return (config->untouched.n + of - 1) / of;
}

struct hc_replay_block hc_replay_block_of(const struct hc_replay_config *config, size_t which)
{
    const struct hc_replay_untouched *untouched = &config->untouched;
    const struct hc_edited_times *times = &config->answer->times;
    size_t of = (size_t)config->block_steps, n = untouched->n;
    struct hc_replay_block b = {.n_blocks = (double)hc_replay_n_blocks(config)};
    for (size_t s = which * of; s < n && s < (which + 1) * of; s++) {
        b.n_steps++;
        b.traced += (double)untouched->traced_ns[s];
        b.span += times->span[s];
        b.end += times->end[s];
        b.ideal_span += times->ideal_span[s];
        b.ideal_end += times->ideal_end[s];
        b.base_span += (double)untouched->span_ns[s];
        b.base_end += (double)untouched->end_ns[s];
        b.base_ideal_span += (double)untouched->ideal_span_ns[s];
        b.base_ideal_end += (double)untouched->ideal_end_ns[s];
    }
    return b;
}

struct hc_replay_block *hc_replay_blocks(const struct hc_replay_config *config, size_t *n,
                                         struct hc_arena *arena, struct hc_error *err)
{
    *n = hc_replay_n_blocks(config);
    struct hc_replay_block *blocks = hc_arena_new(arena, *n * sizeof *blocks, err);
    for (size_t i = 0; i < *n && blocks; i++)
        blocks[i] = hc_replay_block_of(config, i);
    return blocks;
}
