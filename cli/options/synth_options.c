#include "cli/options/synth_options.h"

#include "cli/options/slow_options.h"
#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "sim/synth/fleet_synth.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(field, text, least, words)                                                           \
    .kind = HC_OPTION_INT, .argument = "N", .target = offsetof(struct hc_synth_settings, field),   \
    .value = (text), .low = (least), .high = 1e6, .help = (words)
#define MILLISECONDS(field, text, words)                                                           \
    .kind = HC_OPTION_DOUBLE, .argument = "MS",                                                    \
    .target = offsetof(struct hc_synth_settings, field), .value = (text), .low = 0, .high = 3.6e6, \
    .help = (words)
#define FACTOR(field, text, most, words)                                                           \
    .kind = HC_OPTION_DOUBLE, .argument = "X",                                                     \
    .target = offsetof(struct hc_synth_settings, field), .value = (text), .low = 0,                \
    .high = (most), .help = (words)
#define LIST(field, form, words)                                                                   \
    .kind = HC_OPTION_LIST, .argument = (form),                                                    \
    .target = offsetof(struct hc_synth_settings, field), .unset = "none", .help = (words)

const struct hc_option hc_synth_options[] = {
    {.name = "dp", COUNT(dp, "2", 1, "data-parallel ranks")},
    {.name = "pp", COUNT(pp, "4", 1, "pipeline stages")},
    {.name = "vpp",
     COUNT(vpp, "1", 1,
           "model chunks a stage; more than 1 is the interleaved 1F1B "
           "schedule")},
    {.name = "tp", COUNT(tp, "1", 1, "tensor-parallel size (counts ranks only)")},
    {.name = "dsp",
     COUNT(dsp, "1", 1,
           "dp shard size (counts ranks, and makes DP collectives when "
           "dp is 1)")},
    {.name = "microbatches", COUNT(microbatches, "8", 1, "microbatches a step")},
    {.name = "steps", COUNT(steps, "10", 1, "how many steps")},
    {.name = "first-step",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct hc_synth_settings, first_step),
     .value = "10",
     .low = 0,
     .high = INT32_MAX,
     .help = "number of the first step"},
    {.name = "step-stride", COUNT(step_stride, "3", 1, "steps from one recorded to the next")},
    {.name = "overlap-dp",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct hc_synth_settings, overlap_dp),
     .help = "reduce gradients while backward passes still run"},
    {.name = "forward-ms", MILLISECONDS(forward, "50", "mean of a forward pass of one chunk")},
    {.name = "backward-ratio",
     FACTOR(backward_ratio, "2", 1000, "mean of a backward pass over that of a forward pass")},
    {.name = "loss-factor",
     FACTOR(loss_factor, "1", 1000,
            "passes of the last chunk, which has the loss, take X times "
            "as long")},
    {.name = "compute-cv",
     FACTOR(compute_cv, "0.02", 10, "standard deviation over mean of compute")},
    {.name = "p2p-ms", MILLISECONDS(p2p, "1", "mean of a transfer between stages")},
    {.name = "all-gather-ms", MILLISECONDS(all_gather, "20", "mean of params-all-gather")},
    {.name = "reduce-scatter-ms",
     MILLISECONDS(reduce_scatter, "40", "mean of grads-reduce-scatter")},
    {.name = "separate-ms", MILLISECONDS(separate, "5", "mean of separate-grads-all-reduce")},
    {.name = "embedding-ms", MILLISECONDS(embedding, "5", "mean of embedding-grads-all-reduce")},
    {.name = "layernorm-ms", MILLISECONDS(layernorm, "1", "mean of layernorm-grads-all-reduce")},
    {.name = "clip-ms", MILLISECONDS(clip, "3", "mean of optimizer-clip-main-grad")},
    {.name = "optimizer-ms", MILLISECONDS(optimizer, "20", "mean of optimizer")},
    {.name = "transfer-cv",
     FACTOR(transfer_cv, "0.1", 10, "standard deviation over mean of transfers and layernorm")},
    {.name = "launch-ms", MILLISECONDS(launch, "0.2", "mean launch delay of an op")},
    {.name = "launch-cv",
     FACTOR(launch_cv, "0.5", 10, "standard deviation over mean of launch delays")},
    {.name = "slow-worker",
     LIST(slow_workers, "DP,STAGE,FACTOR",
          "compute of this worker takes FACTOR times as long; may be given again. "
          "'DP,STAGE,FACTOR:KEY=VALUE:...' limits when and on what: steps=114- (from this step "
          "on), steps=20-60, every=4 (each fourth step number), duty=0.3 (a random share of "
          "these steps), passes=0.3 (a random share of the passes of a slow step), from=0.6 "
          "(microbatches after this share of the step: throttling), "
          "ops=forward|backward|both|transfers|all; the same for the six options that follow")},
    {.name = "slow-stage",
     LIST(slow_stages, "STAGE,FACTOR", "the same for a stage of all dp ranks")},
    {.name = "slow-rank", LIST(slow_ranks, "DP,FACTOR", "the same for all stages of a dp rank")},
    {.name = "slow-link",
     LIST(slow_links, "DP,STAGE,FACTOR",
          "transfers of this dp rank between STAGE and the next, both ways")},
    {.name = "slow-collectives",
     LIST(slow_collectives, "STAGE,FACTOR", "collectives of this stage over all dp ranks")},
    {.name = "slow-host", LIST(slow_hosts, "DP,STAGE,FACTOR", "launch delays of this worker")},
    {.name = "slow-nic",
     LIST(slow_nics, "DP,STAGE,FACTOR",
          "all transfers of this worker: those between stages at both ends, and its part of "
          "collectives")},
    {.name = "sequence-cv",
     FACTOR(sequence_cv, "0", HC_SYNTH_MAX_SEQUENCE_CV,
            "standard deviation over mean of the load of a microbatch, by the lengths of its "
            "sequences")},
    {.name = "moe-cv",
     FACTOR(moe_cv, "0", 10,
            "standard deviation over mean of the load of a microbatch that differs from stage to "
            "stage, by the experts that its tokens choose")},
    {.name = "gc-pause-ms",
     MILLISECONDS(gc_pause, "0", "mean pause of a worker in a forward pass, at steps of its own")},
    {.name = "gc-every",
     .kind = HC_OPTION_DOUBLE,
     .argument = "N",
     .target = offsetof(struct hc_synth_settings, gc_every),
     .value = "10",
     .low = 1,
     .high = 1e6,
     .help = "a worker pauses in one step of N on average"},
    {.name = "planned-pause-ms",
     MILLISECONDS(planned_pause, "0", "mean pause of all workers at the same time")},
    {.name = "planned-pause-every",
     COUNT(planned_every, "10", 1, "these pauses are in steps whose number is a multiple of N")},
    {.name = "warmup",
     .kind = HC_OPTION_TEXT,
     .argument = "FACTOR[,STEPS]",
     .target = offsetof(struct hc_synth_settings, warmup),
     .unset = "none",
     .help = "ops of the first STEPS steps (1 if not given) take FACTOR times as long on average, "
             "each by itself"},
    {.name = "step-cv",
     FACTOR(step_cv, "0", 10, "standard deviation over mean of a factor common to a whole step")},
    {.name = "step-rho",
     FACTOR(step_rho, "0", 0.999, "correlation of that factor from a step to the next")},
    {.name = "wander",
     FACTOR(wander, "0", 1000,
            "in each step compute of some one worker takes X times as long; 0 is none")},
    {.name = "extra",
     LIST(extras, "TYPE,MS",
          "add MS to every op of TYPE, as gc,300; may be given "
          "again")},
    {.name = "seed",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct hc_synth_settings, seed),
     .value = "0",
     .low = 0,
     .high = 9e18,
     .help = "same options and seed, same bytes"},
    {.name = "job",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct hc_synth_settings, job),
     .unset = "from the name of the output",
     .help = "name of the job"},
    {.name = "cluster",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct hc_synth_settings, cluster),
     .unset = "default",
     .help = "name of its cluster"},
    {.name = "nodes",
     .kind = HC_OPTION_TEXT,
     .argument = "GPUS_PER_NODE[,FIRST]",
     .target = offsetof(struct hc_synth_settings, nodes),
     .unset = "not known",
     .help = "say in the metadata which node each rank runs on: gpu-000 and so on, or from FIRST"},
    {.name = "start-time",
     .kind = HC_OPTION_TEXT,
     .argument = "TIME",
     .target = offsetof(struct hc_synth_settings, start),
     .unset = "not known",
     .help = "say in the metadata when the trace begins, as 2026-03-01T00:00:00Z"},
    {.name = "fleet",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct hc_synth_settings, fleet),
     .unset = "one job",
     .low = 1,
     .high = HC_MAX_FLEET_JOBS,
     .help = "make N jobs of many shapes and causes in the directory of -o, with truth.csv"},
    {.name = "with-discards",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct hc_synth_settings, with_discards),
     .help = "one job of the fleet in 20 has too few steps to be analysed"},
    {.name = "float32",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct hc_synth_settings, float32),
     .help = "times of a Parquet file as float32, as in published traces, not as float64"},
    {.name = "meta",
     .kind = HC_OPTION_TEXT,
     .argument = "FILE",
     .target = offsetof(struct hc_synth_settings, meta),
     .unset = "meta-X.yaml beside trace-X",
     .help = "write the metadata to FILE"},
    {.name = "no-meta",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct hc_synth_settings, no_meta),
     .help = "write no metadata"},
    {.name = "output",
     .letter = 'o',
     .kind = HC_OPTION_PATH,
     .argument = "FILE|DIR",
     .target = offsetof(struct hc_synth_settings, common.output),
     .value = "-",
     .help = "write the trace to FILE, whole or not at all; '-' is CSV on standard output; with "
             "--fleet the traces to DIR"},
    HC_OPTION_GROUP(struct hc_synth_settings, common, hc_silent_options),
    HC_OPTION_END,
};

static enum hc_status fill_slow(struct hc_synth_steps_options *options, struct hc_synth_slow **slow,
                                const struct hc_synth_settings *s, struct hc_error *err)
{
    const struct {
        struct hc_slow_form form;
        const struct hc_words *words;
    } lists[] = {
        {{"slow-worker", true, true, HC_SYNTH_COMPUTE, HC_SYNTH_OPS_OF_TARGET}, &s->slow_workers},
        {{"slow-stage", false, true, HC_SYNTH_COMPUTE, HC_SYNTH_OPS_OF_TARGET}, &s->slow_stages},
        {{"slow-rank", true, false, HC_SYNTH_COMPUTE, HC_SYNTH_OPS_OF_TARGET}, &s->slow_ranks},
        {{"slow-link", true, true, HC_SYNTH_LINK, HC_SYNTH_OPS_OF_TARGET}, &s->slow_links},
        {{"slow-collectives", false, true, HC_SYNTH_COLLECTIVES, HC_SYNTH_OPS_OF_TARGET},
         &s->slow_collectives},
        {{"slow-host", true, true, HC_SYNTH_HOST, HC_SYNTH_OPS_OF_TARGET}, &s->slow_hosts},
        {{"slow-nic", true, true, HC_SYNTH_COMPUTE, HC_SYNTH_OPS_TRANSFERS}, &s->slow_nics}};
    const size_t n_lists = sizeof lists / sizeof *lists;
    size_t n = 0;
    for (size_t list = 0; list < n_lists; list++)
        n += lists[list].words->n;
    if (!(*slow = hc_new_array(n, sizeof **slow, err)))
        return err->status;
    for (size_t list = 0; list < n_lists; list++)
        for (size_t i = 0; i < lists[list].words->n; i++)
            if (hc_slow_read(&(*slow)[options->n_slow++], &lists[list].form,
                             lists[list].words->word[i], err))
                return err->status;
    options->slow = *slow;
    return HC_OK;
}

static int64_t nanoseconds(double milliseconds)
{
    return llround(milliseconds * 1e6);
}

/* "TYPE,MS" */
static enum hc_status add_extra(struct hc_synth_steps_options *options, const char *text,
                                struct hc_error *err)
{
    size_t length = strcspn(text, ",");
    int type = hc_op_type_find(text, length);
    double ms;
    if (type == HC_OP_UNKNOWN) {
        const char *names[HC_N_OP_TYPES];
        for (int i = 0; i < HC_N_OP_TYPES; i++)
            names[i] = hc_op_type_name(i);
        const char *nearest = hc_nearest(text, length, names, HC_N_OP_TYPES);
        return hc_fail(err, HC_USAGE, "option '--extra': unknown op type '%.*s'%s%s%s",
                       (int)(length < 100 ? length : 100), text, nearest ? " (did you mean '" : "",
                       nearest ? nearest : "", nearest ? "'?)" : "");
    }
    const char *p = text + length + (text[length] == ',');
    if (!hc_slow_number(&p, "", &ms) || ms < 0 || ms > 3.6e6)
        return hc_fail(err, HC_USAGE, "option '--extra': '%s' is not TYPE,MS, as gc,300", text);
    options->extra_ns[type] = nanoseconds(ms);
    return HC_OK;
}

/* "FIRST[,SECOND]", a number and a whole number: the second is left as it is when not given. */
static bool read_two(const char *text, double *first, int32_t *second)
{
    double number;
    if (hc_slow_number(&text, "", first))
        return true;
    if (!hc_slow_number(&text, ",", first) || !hc_slow_number(&text, "", &number) || number < 0 ||
        number > 1e6 || number != floor(number))
        return false;
    *second = (int32_t)number;
    return true;
}

static enum hc_status fill_warmup(struct hc_synth_steps_options *options, const char *text,
                                  struct hc_error *err)
{
    if (!text || read_two(text, &options->warmup, &options->warmup_steps))
        return HC_OK;
    return hc_fail(err, HC_USAGE, "option '--warmup': '%s' is not FACTOR[,STEPS], as 4 or 4,2",
                   text);
}

static enum hc_status fill_nodes(struct hc_synth_steps_options *options,
                                 const struct hc_synth_settings *s, struct hc_error *err)
{
    double gpus = 0;
    int64_t start = 0;
    if (s->nodes && (!read_two(s->nodes, &gpus, &options->first_node) || gpus < 1 || gpus > 1e6 ||
                     gpus != floor(gpus)))
        return hc_fail(err, HC_USAGE,
                       "option '--nodes': '%s' is not GPUS_PER_NODE[,FIRST], as 8 or 8,42",
                       s->nodes);
    if (s->start && !hc_parse_iso8601(s->start, strlen(s->start), &start))
        return hc_fail(err, HC_USAGE,
                       "option '--start-time': '%s' is not a time like 2026-03-01T00:00:00Z",
                       s->start);
    options->gpus_per_node = (int32_t)gpus;
    options->start_unix_ns = start;
    return HC_OK;
}

static void fill_means(int64_t mean_ns[HC_N_OP_TYPES], const struct hc_synth_settings *s)
{
    const double ms[HC_N_OP_TYPES] = {[HC_FORWARD_COMPUTE] = s->forward,
                                      [HC_FORWARD_SEND] = s->p2p,
                                      [HC_FORWARD_RECV] = s->p2p,
                                      [HC_BACKWARD_SEND] = s->p2p,
                                      [HC_BACKWARD_RECV] = s->p2p,
                                      [HC_PARAMS_ALL_GATHER] = s->all_gather,
                                      [HC_GRADS_REDUCE_SCATTER] = s->reduce_scatter,
                                      [HC_SEPARATE_GRADS_ALL_REDUCE] = s->separate,
                                      [HC_EMBEDDING_GRADS_ALL_REDUCE] = s->embedding,
                                      [HC_LAYERNORM_GRADS_ALL_REDUCE] = s->layernorm,
                                      [HC_OPTIMIZER_CLIP_MAIN_GRAD] = s->clip,
                                      [HC_OPTIMIZER] = s->optimizer};
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        mean_ns[type] = nanoseconds(ms[type]);
}

enum hc_status hc_synth_options_fill(struct hc_synth_steps_options *options,
                                     struct hc_synth_slow **slow,
                                     const struct hc_synth_settings *settings, struct hc_error *err)
{
    const struct hc_synth_settings *s = settings;
    *options = (struct hc_synth_steps_options){.job_id = s->job,
                                               .cluster = s->cluster,
                                               .seed = (uint64_t)s->seed,
                                               .dp = (int32_t)s->dp,
                                               .pp = (int32_t)s->pp,
                                               .vpp = (int32_t)s->vpp,
                                               .tp = (int32_t)s->tp,
                                               .dsp = (int32_t)s->dsp,
                                               .microbatches = (int32_t)s->microbatches,
                                               .n_steps = (int32_t)s->steps,
                                               .first_step = (int32_t)s->first_step,
                                               .step_stride = (int32_t)s->step_stride,
                                               .overlap_dp = s->overlap_dp,
                                               .backward_ratio = s->backward_ratio,
                                               .loss_factor = s->loss_factor,
                                               .compute_cv = s->compute_cv,
                                               .transfer_cv = s->transfer_cv,
                                               .launch_ns = nanoseconds(s->launch),
                                               .launch_cv = s->launch_cv,
                                               .sequence_cv = s->sequence_cv,
                                               .gc_pause_ns = nanoseconds(s->gc_pause),
                                               .gc_every = s->gc_every,
                                               .moe_cv = s->moe_cv,
                                               .planned_pause_ns = nanoseconds(s->planned_pause),
                                               .planned_every = (int32_t)s->planned_every,
                                               .warmup_steps = 1,
                                               .step_cv = s->step_cv,
                                               .step_rho = s->step_rho,
                                               .wander = s->wander};
    fill_means(options->mean_ns, s);
    for (size_t i = 0; i < s->extras.n; i++)
        if (add_extra(options, s->extras.word[i], err))
            return err->status;
    if (fill_warmup(options, s->warmup, err) || fill_nodes(options, s, err))
        return err->status;
    return fill_slow(options, slow, s, err);
}

/* ---- a fleet ---- */

static bool is_same(const struct hc_option_place *place, const char *given, const char *standard)
{
    const void *a = given + place->offset, *b = standard + place->offset;
    switch (place->option->kind) {
    case HC_OPTION_FLAG:
        return *(const bool *)a == *(const bool *)b;
    case HC_OPTION_INT:
        return *(const int64_t *)a == *(const int64_t *)b;
    case HC_OPTION_DOUBLE:
        return *(const double *)a == *(const double *)b;
    case HC_OPTION_LIST:
        return ((const struct hc_words *)a)->n == ((const struct hc_words *)b)->n;
    default:
        return *(const char *const *)a == *(const char *const *)b;
    }
}

static bool is_of_fleet(const char *name)
{
    static const char *const names[] = {"fleet", "with-discards", "seed",   "float32",
                                        "help",  "threads",       "output", "quiet"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

enum hc_status hc_synth_options_check_fleet(const struct hc_synth_settings *s, struct hc_error *err)
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    struct hc_synth_settings standard = {0};
    struct hc_words words = {0};
    char *argv[] = {(char *)"synth", NULL};
    enum hc_status status = hc_options_parse(hc_synth_options, 1, argv, &standard, &words, err);
    size_t n = hc_options_flatten(hc_synth_options, places);
    for (size_t i = 0; i < n && status == HC_OK; i++)
        if (!is_of_fleet(places[i].option->name) &&
            !is_same(&places[i], (const char *)s, (const char *)&standard))
            status = hc_fail(err, HC_USAGE,
                             "option '--%s' is for one job; those of a fleet are drawn by --seed",
                             places[i].option->name);
    hc_options_release(hc_synth_options, &standard, &words);
    if (status == HC_OK && strcmp(s->common.output, "-") == 0)
        status = hc_fail(err, HC_USAGE, "a fleet is a directory; name it with '-o DIR'");
    return status;
}
