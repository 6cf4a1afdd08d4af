/* Intervals of ratios over steps by a bootstrap of blocks of steps that follow each other:
 * neighbours that are alike stay together (Kuensch 1989, with blocks that do not overlap).
 * Percentiles of what resamples give, at the level of the intervals. */
#include "study/engines/replay/replay_wing.h"

#include "core/base/select.h"
#include "core/random/philox.h"

/* "boot": streams of their own, apart from those of edits. */
#define STREAM 0x626F6F74u

/* Sums of a resample, ns. */
struct sums {
    double n_steps, span, ideal_end, base_span, base_ideal_end;
};

static void add(struct sums *to, const struct hc_replay_block *block)
{
    to->n_steps += block->n_steps;
    to->span += block->span;
    to->ideal_end += block->ideal_end;
    to->base_span += block->base_span;
    to->base_ideal_end += block->base_ideal_end;
}

static void find_figures(const struct sums *s, double to[HC_REPLAY_N_BOOTSTRAPPED])
{
    to[0] = s->span * 1e-9 / s->n_steps;
    to[1] = s->span / s->base_span - 1;
    to[2] = s->span / s->base_ideal_end;
    to[3] = s->span / s->ideal_end;
}

static void resample(const struct hc_replay_block *block, size_t n, struct hc_philox *rng,
                     double to[HC_REPLAY_N_BOOTSTRAPPED])
{
    struct sums sums = {0};
    for (size_t i = 0; i < n; i++)
        add(&sums, &block[hc_philox_integer(rng, n)]);
    find_figures(&sums, to);
}

/* The percentiles of R resamples that have a half of what the interval leaves out beyond each. */
static void find_ends(double *values, size_t n, double confidence,
                      struct hc_replay_bootstrapped *to)
{
    size_t beyond = (size_t)((1 - confidence) / 2 * (double)n);
    hc_sort(values, n);
    to->low = values[beyond];
    to->high = values[n - 1 - beyond];
}

enum hc_status hc_replay_find_bootstrap(struct hc_replay_findings *found,
                                        const struct hc_replay_config *config,
                                        const struct hc_replay_block *block, size_t n,
                                        struct hc_arena *arena, struct hc_error *err)
{
    static const char *const names[HC_REPLAY_N_BOOTSTRAPPED] = {"step_s", "change", "slowdown",
                                                                "own_slowdown"};
    size_t n_resamples = (size_t)config->resamples;
    struct hc_arena_mark mark = hc_arena_mark(arena);
    double *values =
        hc_arena_new(arena, HC_REPLAY_N_BOOTSTRAPPED * n_resamples * sizeof *values, err);
    double as_it_is[HC_REPLAY_N_BOOTSTRAPPED], one[HC_REPLAY_N_BOOTSTRAPPED];
    struct sums sums = {0};
    struct hc_philox rng;
    if (!values || !n_resamples)
        return values ? HC_OK : err->status;
    for (size_t i = 0; i < n; i++)
        add(&sums, &block[i]);
    find_figures(&sums, as_it_is);
    hc_philox_seek(&rng, config->settings.seed, STREAM, 0);
    for (size_t r = 0; r < n_resamples; r++) {
        resample(block, n, &rng, one);
        for (size_t f = 0; f < HC_REPLAY_N_BOOTSTRAPPED; f++)
            values[f * n_resamples + r] = one[f];
    }
    for (size_t f = 0; f < HC_REPLAY_N_BOOTSTRAPPED; f++) {
        found->bootstrapped[f] =
            (struct hc_replay_bootstrapped){.figure = names[f], .value = as_it_is[f]};
        find_ends(values + f * n_resamples, n_resamples, config->settings.confidence,
                  &found->bootstrapped[f]);
    }
    found->n_bootstrapped = HC_REPLAY_N_BOOTSTRAPPED;
    hc_arena_release(arena, mark);
    return HC_OK;
}
