/* The figures of a scenario on a step timeline, each a ratio of sums over steps. */
#include "study/engines/replay/replay_model.h"
#include "study/engines/replay/replay_wing.h"

#include <math.h>

/* What a figure takes of a block, for `of`. */
#define AT(member) offsetof(struct hc_replay_block, member)

#define PLACES(compared, place, lead)                                                              \
    {                                                                                              \
        .compared = HC_COMPARED_##compared, .compare_place = place, .lead_place = lead             \
    }

static double member(const void *replica, uint64_t at)
{
    return *(const double *)(const void *)((const unsigned char *)replica + at);
}

/* ---- above ---- */

static double sum_ns(const struct hc_engine_figure *figure, const void *replica,
                     const struct hc_figure_scale *scale)
{
    (void)scale;
    return member(replica, figure->of);
}

static double span(const struct hc_engine_figure *figure, const void *replica,
                   const struct hc_figure_scale *scale)
{
    (void)scale;
    (void)figure;
    return ((const struct hc_replay_block *)replica)->span;
}

static double optimizer_end(const struct hc_engine_figure *figure, const void *replica,
                            const struct hc_figure_scale *scale)
{
    (void)scale;
    (void)figure;
    return ((const struct hc_replay_block *)replica)->end;
}

static double wasted(const struct hc_engine_figure *figure, const void *replica,
                     const struct hc_figure_scale *scale)
{
    const struct hc_replay_block *r = replica;
    (void)figure;
    (void)scale;
    return r->span - r->base_ideal_end;
}

static double longer(const struct hc_engine_figure *figure, const void *replica,
                     const struct hc_figure_scale *scale)
{
    const struct hc_replay_block *r = replica;
    (void)figure;
    (void)scale;
    return r->span - r->base_span;
}

static double shorter(const struct hc_engine_figure *figure, const void *replica,
                      const struct hc_figure_scale *scale)
{
    const struct hc_replay_block *r = replica;
    (void)figure;
    (void)scale;
    return r->base_span - r->span;
}

static double replay_error(const struct hc_engine_figure *figure, const void *replica,
                           const struct hc_figure_scale *scale)
{
    const struct hc_replay_block *r = replica;
    (void)figure;
    (void)scale;
    return r->base_end - r->traced;
}

/* Of all steps: the mean over blocks times their number. Another plan may have other workers, each
 * of as many GPUs, and do other work in a step. */
static double gained_gpu_h(const struct hc_engine_figure *figure, const void *replica,
                           const struct hc_figure_scale *scale)
{
    const struct hc_replay_block *r = replica;
    const struct hc_replay_config *config = scale->config;
    (void)figure;
    double then = hc_replay_gpus_then(config);
    return (config->n_gpus * r->base_span - then * r->span) * 1e-9 / 3600 * r->n_blocks;
}

/* ---- below ---- */

/* Seconds are sums in ns, which are exact, over this. */
static double steps_in_ns(const struct hc_engine_figure *figure, const void *replica,
                          const struct hc_figure_scale *scale)
{
    (void)figure;
    (void)scale;
    return ((const struct hc_replay_block *)replica)->n_steps * 1e9;
}

static double ideal_end(const struct hc_engine_figure *figure, const void *replica,
                        const struct hc_figure_scale *scale)
{
    (void)figure;
    (void)scale;
    return ((const struct hc_replay_block *)replica)->ideal_end;
}

static double base_ideal_end(const struct hc_engine_figure *figure, const void *replica,
                             const struct hc_figure_scale *scale)
{
    (void)figure;
    (void)scale;
    return ((const struct hc_replay_block *)replica)->base_ideal_end;
}

static double base_span(const struct hc_engine_figure *figure, const void *replica,
                        const struct hc_figure_scale *scale)
{
    (void)figure;
    (void)scale;
    return ((const struct hc_replay_block *)replica)->base_span;
}

static double traced(const struct hc_engine_figure *figure, const void *replica,
                     const struct hc_figure_scale *scale)
{
    (void)figure;
    (void)scale;
    return ((const struct hc_replay_block *)replica)->traced;
}

static double base_excess(const struct hc_engine_figure *figure, const void *replica,
                          const struct hc_figure_scale *scale)
{
    const struct hc_replay_block *r = replica;
    (void)figure;
    (void)scale;
    return r->base_span - r->base_ideal_span;
}

/* Profiler traces do not say which of their kernels are the optimizer's. */
static bool has_optimizer_end(const void *config)
{
    return !((const struct hc_replay_config *)config)->profile;
}

const struct hc_engine_figure hc_replay_figures[] = {
    {.name = "step_s",
     .title = "step time",
     .unit = "s",
     .help = "mean time of a step, from its first start to its last end",
     .has_interval = true,
     .places =
         {.compared = HC_COMPARED_ALWAYS, .compare_place = 1, .lead_place = 1, .tile = "step time"},
     .above = sum_ns,
     .below = steps_in_ns,
     .of = AT(span)},
    {.name = "change",
     .title = "change",
     .unit = "share",
     .help = "step time over that of the untouched job, replayed, less 1",
     .below_zero = 1,
     .has_interval = true,
     .places = {.compared = HC_COMPARED_WHEN_ASKED,
                .compare_place = 0,
                .lead_place = 2,
                .tile = "change"},
     .above = longer,
     .below = base_span},
    {.name = "slowdown",
     .title = "slowdown",
     .unit = "",
     .help = "S: step time over the ideal of the untouched job",
     .has_interval = true,
     .redefined = 1,
     .places = {.compared = HC_COMPARED_BY_DEFAULT,
                .compare_place = 2,
                .lead_place = 3,
                .tile = "slowdown S"},
     .above = span,
     .below = base_ideal_end},
    {.name = "own_slowdown",
     .title = "slowdown by its own ideal",
     .unit = "",
     .help = "S after the edits, relative to the edited job's own ideal",
     .has_interval = true,
     .redefined = 1,
     .places = {.compared = HC_COMPARED_BY_DEFAULT,
                .compare_place = 3,
                .lead_place = 4,
                .tile = "S, own ideal"},
     .above = span,
     .below = ideal_end},
    {.name = "end_slowdown",
     .title = "slowdown to the optimizer's end",
     .unit = "",
     .help = "to the optimizer's end, over the ideal of the untouched job",
     .has_interval = true,
     .redefined = 1,
     .is_there = has_optimizer_end,
     .above = optimizer_end,
     .below = base_ideal_end},
    {.name = "waste",
     .title = "waste",
     .unit = "share",
     .help = "1 - 1 / slowdown",
     .below_zero = INFINITY,
     .has_interval = true,
     .redefined = 1,
     .above = wasted,
     .below = span},
    {.name = "recovered",
     .title = "recovered",
     .unit = "share",
     .help = "of what the untouched job takes beyond its ideal, the share saved",
     .is_gain = true,
     .below_zero = INFINITY,
     .has_interval = true,
     .above = shorter,
     .below = base_excess},
    {.name = "ideal_s",
     .title = "own ideal",
     .unit = "s",
     .help = "the edited job's own ideal: a step with the ideal durations of what the edits made",
     .has_interval = true,
     .above = sum_ns,
     .below = steps_in_ns,
     .of = AT(ideal_span)},
    {.name = "end_s",
     .title = "optimizer's end",
     .unit = "s",
     .help = "time from the first start to the last end of an optimizer",
     .has_interval = true,
     .is_there = has_optimizer_end,
     .above = sum_ns,
     .below = steps_in_ns,
     .of = AT(end)},
    {.name = "gained_gpu_h",
     .title = "GPU-hours gained",
     .unit = "GPU-h",
     .help = "by the steps replayed, on all GPUs, for the same work; 0 where their number is not "
             "known",
     .is_gain = true,
     .below_zero = INFINITY,
     .has_interval = true,
     .above = gained_gpu_h},
    {.name = "tokens_per_s",
     .title = "tokens a second",
     .unit = "1/s",
     .help = "tokens of a step over its time",
     .is_gain = true,
     .has_interval = true,
     .is_there = hc_replay_tells_tokens,
     .above = hc_replay_tokens,
     .below = hc_replay_span_s},
    {.name = "days",
     .title = "days",
     .unit = "d",
     .help = "time for all tokens of the training, without faults",
     .has_interval = true,
     .is_there = hc_replay_tells_days,
     .above = hc_replay_days,
     .below = hc_replay_n_steps},
    {.name = "mfu",
     .title = "MFU",
     .unit = "share",
     .help = "model FLOPs utilisation: FLOPs of the model over what its GPUs can do at most",
     .is_gain = true,
     .has_interval = true,
     .is_there = hc_replay_tells_mfu,
     .above = hc_replay_flops,
     .below = hc_replay_peak_flops},
    {.name = "discrepancy",
     .title = "replay discrepancy",
     .unit = "share",
     .help = "untouched steps, replayed, over those of the trace, less 1",
     .is_told = true,
     .below_zero = 1,
     .has_interval = true,
     .above = replay_error,
     .below = traced},
    {.name = NULL},
};
