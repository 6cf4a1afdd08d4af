#include "cli/options/synth_trace_options.h"

#include "cli/options/slow_options.h"
#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(field, text, least, most, words)                                                     \
    .kind = HC_OPTION_INT, .argument = "N",                                                        \
    .target = offsetof(struct hc_synth_trace_settings, field), .value = (text), .low = (least),    \
    .high = (most), .help = (words)
#define REAL(field, unit, text, most, words)                                                       \
    .kind = HC_OPTION_DOUBLE, .argument = (unit),                                                  \
    .target = offsetof(struct hc_synth_trace_settings, field), .value = (text), .low = 0,          \
    .high = (most), .help = (words)
#define LIST(field, form, words)                                                                   \
    .kind = HC_OPTION_LIST, .argument = (form),                                                    \
    .target = offsetof(struct hc_synth_trace_settings, field), .unset = "none", .help = (words)
#define FLAG(field, words)                                                                         \
    .kind = HC_OPTION_FLAG, .target = offsetof(struct hc_synth_trace_settings, field),             \
    .help = (words)

const struct hc_option hc_synth_trace_options[] = {
    {.name = "dp", COUNT(dp, "4", 1, HC_TRACE_SYNTH_MAX_RANKS, "data-parallel ranks")},
    {.name = "pp",
     COUNT(pp, "1", 1, HC_TRACE_SYNTH_MAX_RANKS, "pipeline stages; rank = stage x dp + dp rank")},
    {.name = "layers", COUNT(layers, "4", 1, 1000, "layers of a stage")},
    {.name = "microbatches", COUNT(microbatches, "2", 1, 1000, "microbatches a step")},
    {.name = "steps", COUNT(steps, "4", 1, 100000, "how many steps")},
    {.name = "first-step", COUNT(first_step, "10", 0, 1e9, "number of the first step")},
    {.name = "kernel-us", REAL(kernel_us, "US", "200", 1e6, "mean of a kernel of a forward pass")},
    {.name = "p2p-us", REAL(p2p_us, "US", "60", 1e6, "transfer between stages")},
    {.name = "all-reduce-us",
     REAL(all_reduce_us, "US", "150", 1e6, "transfer of the gradients of a layer")},
    {.name = "jitter-cv",
     REAL(jitter_cv, "X", "0.002", 1, "standard deviation over mean of kernels and of CPU work")},
    {.name = "slow-rank",
     LIST(slow_ranks, "RANK,FACTOR",
          "kernels of this rank take FACTOR times as long; this and the options that follow may be "
          "given again")},
    {.name = "slow-kernel",
     LIST(slow_kernels, "RANK,FACTOR,NAME", "those of its kernels whose name contains NAME")},
    {.name = "slow-link",
     LIST(slow_links, "RANK,RANK,FACTOR", "transfers that both ranks take part in")},
    {.name = "late-host",
     LIST(late_hosts, "RANK,MS", "each step of this rank begins MS late on the CPU")},
    {.name = "pause",
     LIST(pauses, "RANK,STEP,MS", "the CPU of this rank stops in the middle of this step")},
    {.name = "clock",
     LIST(clocks, "RANK,MS,PPM",
          "the clock of this rank is MS ahead at the first step and gains PPM microseconds a "
          "second")},
    {.name = "clock-spread-ms",
     REAL(clock_spread_ms, "MS", "0", 1e8, "clocks are drawn within plus and minus MS")},
    {.name = "drift-spread-ppm",
     REAL(drift_spread_ppm, "PPM", "0", 1000, "what they gain is drawn within plus and minus PPM")},
    {.name = "lost",
     .kind = HC_OPTION_SHARE,
     .argument = "SHARE",
     .target = offsetof(struct hc_synth_trace_settings, lost_share),
     .value = "0",
     .help = "share of events, steps aside, that the traces lack"},
    {.name = "no-seq", FLAG(no_seq, "collectives have no Seq, as in older traces")},
    {.name = "names-differ", FLAG(names_differ, "process groups have other names on each rank")},
    {.name = "gzip", FLAG(gzip, "write .json.gz")},
    {.name = "seed",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct hc_synth_trace_settings, seed),
     .value = "0",
     .low = 0,
     .high = 9e18,
     .help = "same options and seed, same bytes"},
    {.name = "output",
     .letter = 'o',
     .kind = HC_OPTION_DIR,
     .argument = "DIR",
     .target = offsetof(struct hc_synth_trace_settings, common.output),
     .unset = "must be given",
     .help = "write rank-N.pt.trace.json and truth.json to DIR, which is empty or not there"},
    HC_OPTION_GROUP(struct hc_synth_trace_settings, common, hc_silent_options),
    HC_OPTION_END,
};

void hc_synth_trace_lists_fini(struct hc_synth_trace_lists *lists)
{
    free(lists->plants);
    free(lists->clocks);
    *lists = (struct hc_synth_trace_lists){0};
}

static bool read_index(const char **text, int32_t *index)
{
    double number;
    if (!hc_slow_number(text, ",", &number) || number < 0 || number > 1e9 ||
        number != floor(number))
        return false;
    *index = (int32_t)number;
    return true;
}

static bool read_factor(const char **text, const char *ends, double *factor)
{
    return hc_slow_number(text, ends, factor) && *factor > 0 && *factor <= 1000;
}

static bool read_delay(const char **text, int64_t *ns)
{
    double ms;
    if (!hc_slow_number(text, "", &ms) || ms < 0 || ms > 3.6e6)
        return false;
    *ns = llround(ms * 1e6);
    return true;
}

static bool read_kernel(const char *text, struct hc_trace_plant *plant)
{
    size_t length = strlen(text);
    if (length == 0 || length >= sizeof plant->kernel)
        return false;
    memcpy(plant->kernel, text, length + 1);
    return true;
}

static bool read_plant(const char *text, struct hc_trace_plant *plant)
{
    if (!read_index(&text, &plant->rank))
        return false;
    switch (plant->kind) {
    case HC_PLANT_SLOW_RANK:
        return read_factor(&text, "", &plant->factor);
    case HC_PLANT_SLOW_KERNEL:
        return read_factor(&text, ",", &plant->factor) && read_kernel(text, plant);
    case HC_PLANT_SLOW_LINK:
        return read_index(&text, &plant->other) && read_factor(&text, "", &plant->factor);
    case HC_PLANT_LATE_HOST:
        return read_delay(&text, &plant->ns);
    case HC_PLANT_PAUSE:
        break;
    }
    return read_index(&text, &plant->step) && read_delay(&text, &plant->ns);
}

static enum hc_status fill_plants(struct hc_trace_synth_options *options,
                                  struct hc_synth_trace_lists *lists,
                                  const struct hc_synth_trace_settings *s, struct hc_error *err)
{
    const struct {
        const char *option, *form;
        enum hc_trace_plant_kind kind;
        const struct hc_words *words;
    } all[] = {
        {"slow-rank", "RANK,FACTOR, as 3,1.5", HC_PLANT_SLOW_RANK, &s->slow_ranks},
        {"slow-kernel", "RANK,FACTOR,NAME, as 3,2,flash", HC_PLANT_SLOW_KERNEL, &s->slow_kernels},
        {"slow-link", "RANK,RANK,FACTOR, as 0,4,3", HC_PLANT_SLOW_LINK, &s->slow_links},
        {"late-host", "RANK,MS, as 2,20", HC_PLANT_LATE_HOST, &s->late_hosts},
        {"pause", "RANK,STEP,MS, as 1,12,30", HC_PLANT_PAUSE, &s->pauses}};
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        n += all[i].words->n;
    if (!(lists->plants = hc_new_array(n, sizeof *lists->plants, err)))
        return err->status;
    options->plants = lists->plants;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t k = 0; k < all[i].words->n; k++) {
            struct hc_trace_plant *plant = &lists->plants[options->n_plants++];
            plant->kind = all[i].kind;
            if (!read_plant(all[i].words->word[k], plant))
                return hc_fail(err, HC_USAGE, "option '--%s': '%s' is not %s", all[i].option,
                               all[i].words->word[k], all[i].form);
        }
    return HC_OK;
}

static enum hc_status fill_clocks(struct hc_trace_synth_options *options,
                                  struct hc_synth_trace_lists *lists,
                                  const struct hc_synth_trace_settings *s, struct hc_error *err)
{
    if (!(lists->clocks = hc_new_array(s->clocks.n, sizeof *lists->clocks, err)))
        return err->status;
    options->clocks = lists->clocks;
    for (size_t i = 0; i < s->clocks.n; i++) {
        struct hc_trace_clock *clock = &lists->clocks[options->n_clocks++];
        const char *text = s->clocks.word[i];
        double ms, ppm;
        if (!read_index(&text, &clock->rank) || !hc_slow_number(&text, ",", &ms) ||
            fabs(ms) > 1e8 || !hc_slow_number(&text, "", &ppm) || fabs(ppm) > 1000)
            return hc_fail(err, HC_USAGE, "option '--clock': '%s' is not RANK,MS,PPM, as 1,-250,3",
                           s->clocks.word[i]);
        clock->offset_ns = llround(ms * 1e6);
        clock->drift = ppm * 1e-6;
    }
    return HC_OK;
}

enum hc_status hc_synth_trace_options_fill(struct hc_trace_synth_options *options,
                                           struct hc_synth_trace_lists *lists,
                                           const struct hc_synth_trace_settings *s,
                                           struct hc_error *err)
{
    *lists = (struct hc_synth_trace_lists){0};
    *options = (struct hc_trace_synth_options){
        .seed = (uint64_t)s->seed,
        .dp = (int32_t)s->dp,
        .pp = (int32_t)s->pp,
        .layers = (int32_t)s->layers,
        .microbatches = (int32_t)s->microbatches,
        .n_steps = (int32_t)s->steps,
        .first_step = (int32_t)s->first_step,
        .kernel_ns = llround(s->kernel_us * 1e3),
        .p2p_ns = llround(s->p2p_us * 1e3),
        .all_reduce_ns = llround(s->all_reduce_us * 1e3),
        .jitter_cv = s->jitter_cv,
        .clock_spread_ns = llround(s->clock_spread_ms * 1e6),
        .drift_spread = s->drift_spread_ppm * 1e-6,
        .lost_share = s->lost_share,
        .has_no_seq = s->no_seq,
        .names_differ = s->names_differ,
    };
    return fill_plants(options, lists, s, err) || fill_clocks(options, lists, s, err) ? err->status
                                                                                      : HC_OK;
}
