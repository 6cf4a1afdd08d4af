/* The keys of a scenario on a step timeline. */
#include "study/engines/replay/replay_wing.h"

#include "sim/profiles/edits/profile_selection.h"
#include "study/binding/key_binding.h"
#include "study/engines/replay/replay_jobs.h"
#include "study/grammar/data_provider.h"

static const char *const stages[] = {"first", "last", NULL};
static const char *const replacements[] = {"ideal", "mean", "median", "quantile", NULL};
static const char *const overs[] = {"all", "selection", "others", NULL};
static const char *const afters[] = {"measured", "edits", NULL};
static const char *const pauses[] = {"duration", "delay", NULL};

/* ---- selecting ---- */

static const struct hc_scenario_key window_keys[] = {
    {"from", HC_KEY_NUMBER, .is_required = true, .unit = "s", .help = "Where it begins."},
    {"to", HC_KEY_NUMBER, .is_required = true, .is_above = true, .unit = "s",
     .help = "Where it ends, itself not in it."},
    {.name = NULL},
};

static const struct hc_scenario_key slowest_keys[] = {
    {"percent", HC_KEY_NUMBER, .is_required = true, .is_above = true, .high = 100, .unit = "%",
     .help = "How many, rounded up."},
    {"of", HC_KEY_CHOICE, .is_required = true, .choices = hc_replay_slowest_of,
     .help = "Workers, dp ranks, stages by the slowdown of each alone (exact S); ops by their "
             "duration over the median of their type. Of equal ones those with the smallest id."},
    {.name = NULL},
};

static const struct hc_scenario_key outlier_keys[] = {
    {"mad", HC_KEY_NUMBER, .is_required = true, .unit = "factor",
     .help = "Durations above median + this times the median absolute deviation of the class."},
    {"by", HC_KEY_CHOICES, .takes_one = true, .most = 7, .choices = hc_replay_classes,
     .unset = "`op`",
     .help = "What makes a class. For pauses, as those of a garbage collection, `op` and "
             "`worker`."},
    {.name = NULL},
};

static const struct hc_scenario_key random_keys[] = {
    {"probability", HC_KEY_NUMBER, .is_required = true, .high = 1, .unit = "share",
     .help = "With which each is meant."},
    {"per", HC_KEY_CHOICE, .choices = hc_replay_drawn_per, .value = "\"op\"",
     .help = "What is meant together: each op for itself, or all ops of a worker, of a step, of a "
             "worker in a step."},
    {.name = NULL},
};

#define N_SELECT_KEYS 17 /* a selector may stand in a selector: its table names itself */
static const struct hc_scenario_key select_keys[N_SELECT_KEYS + 1];

static const struct hc_scenario_key select_keys[N_SELECT_KEYS + 1] = {
    {"op", HC_KEY_CHOICES, .takes_one = true, .most = HC_PROFILE_OP_END,
     .choices = hc_replay_op_types, .unset = "all",
     .help = "Op types. Profiler traces have four others: `cpu` is what a thread does between two "
             "calls of the runtime, `gpu` kernels and copies, `comm` transfers once the last rank "
             "has arrived, `start` when a rank begins."},
    {"name", HC_KEY_TEXTS, .unset = "all",
     .help = "Of profiler traces: events whose name one of these patterns matches, as "
             "`\"*gemm*\"`; of `cpu`, the call that follows."},
    {"stage", HC_KEY_RANGES, .choices = stages, .unset = "all", .help = "Pipeline stages, from 0."},
    {"dp_rank", HC_KEY_RANGES, .unset = "all", .help = "Data-parallel ranks, from 0."},
    {"worker", HC_KEY_TEXTS, .unset = "all",
     .help = "Workers, each as `DP_RANK/STAGE`: `\"3/1\"`."},
    {"rank", HC_KEY_RANGES, .unset = "all", .help = "Ranks as the trace numbers them."},
    {"node", HC_KEY_TEXTS, .unset = "all",
     .help = "Nodes by name, of a job whose metadata says where its ranks ran."},
    {"steps", HC_KEY_RANGES, .unset = "all", .help = "Steps by their number in the trace."},
    {"microbatch", HC_KEY_RANGES, .unset = "all",
     .help = "Microbatches: their passes, and the sends and receives that carry their data."},
    {"chunk", HC_KEY_RANGES, .unset = "all", .help = "Model chunks, from 0."},
    {"window_s", HC_KEY_OBJECT, .members = window_keys,
     .help = "Ops that start in this time of the untouched job, replayed, its steps following each "
             "other."},
    {"slowest", HC_KEY_OBJECT, .members = slowest_keys, .help = "The slowest of them."},
    {"outliers", HC_KEY_OBJECT, .members = outlier_keys, .help = "Ops that stand out."},
    {"random", HC_KEY_OBJECT, .members = random_keys, .help = "Some, at random."},
    {"all", HC_KEY_LIST, .is_again = true, .members = select_keys,
     .help = "Selectors with the same keys as this one, which must all hold."},
    {"any", HC_KEY_LIST, .is_again = true, .members = select_keys,
     .help = "Of which at least one must hold."},
    {"not", HC_KEY_OBJECT, .is_again = true, .members = select_keys,
     .help = "Which must not hold."},
    {.name = NULL},
};

/* ---- changing ---- */

#define EDIT(member) HC_KEY_BOUND(hc_edit, member)
#define KIND(what)   .also = offsetof(struct hc_edit, kind), .also_value = HC_EDIT_##what

static const struct hc_scenario_key replace_keys[] = {
    {"with", HC_KEY_CHOICE, .is_required = true, .choices = replacements, EDIT(replace.how),
     .help = "The mean, the median or a quantile of the class; `ideal` is the mean of passes, "
             "optimizer and gc and the median of all else, as in the straggler what-if."},
    {"quantile", HC_KEY_NUMBER, .high = 1, .value = "0.5", .unit = "share",
     .needs = "with=quantile", EDIT(replace.quantile),
     .help = "Share of the class that is at or below it."},
    {"by", HC_KEY_CHOICES, .takes_one = true, .most = 7, .choices = hc_replay_classes,
     .unset = "`op`", .help = "What makes a class."},
    {"over", HC_KEY_CHOICE, .choices = overs, .value = "\"all\"", EDIT(replace.over),
     .help = "Whether the class is of all ops, of those that are selected, or of all others."},
    {"after", HC_KEY_CHOICE, .choices = afters, .value = "\"measured\"", EDIT(replace.after),
     .help = "Durations as measured, or as the edits before this one have made them."},
    {.name = NULL},
};

static const struct hc_scenario_key link_keys[] = {
    {"bandwidth", HC_KEY_NUMBER, .is_above = true, .high = 1000, .value = "1", .unit = "factor",
     EDIT(link.bandwidth),
     .help = "Factor on it: 0.5 is half of it, transfers take twice as long."},
    {"latency_s", HC_KEY_NUMBER, .low = 0, .value = "0", .unit = "s", EDIT(link.latency_s),
     .help = "Added to each transfer."},
    {.name = NULL},
};

/* ---- mending ---- */

static const char *const rebalance_over[] = {"dp_ranks", "microbatches", NULL};
static const char *const rebalance_counts[] = {"equal", "free", NULL};
static const char *const takers[] = {"first", "last", "other_stages", NULL};
static const char *const rebalance_orders[] = {"measured", "longest_first", NULL};

static const struct hc_scenario_key rebalance_keys[] = {
    {"over", HC_KEY_CHOICE, .choices = rebalance_over, .value = "\"dp_ranks\"",
     EDIT(rebalance.over),
     .help = "Over the dp ranks of a step; or within a rank, all its microbatches made even."},
    {"counts", HC_KEY_CHOICE, .choices = rebalance_counts, .value = "\"equal\"",
     EDIT(rebalance.counts),
     .help = "As many microbatches on each dp rank as before, or any number: too many are joined, "
             "places that are left take no time."},
    {"order", HC_KEY_CHOICE, .choices = rebalance_orders, .value = "\"measured\"",
     EDIT(rebalance.order),
     .help = "Within a dp rank: as they were measured, or the longest first."},
    {.name = NULL},
};

static const struct hc_scenario_key planned_gc_keys[] = {
    {"every_steps", HC_KEY_COUNT, .is_required = true, .low = 1, .high = 1000000,
     EDIT(planned_gc.every_steps), .help = "In steps whose number this divides."},
    {"pause_s", HC_KEY_NUMBER, .is_required = true, .unit = "s", EDIT(planned_gc.pause_s),
     .help =
         "How long all workers stop at the start of such a step; it counts to the first pass of "
         "the first stage, beside which the other stages pause."},
    {"mad", HC_KEY_NUMBER, .is_above = true, .high = 1e6, .value = "10", .unit = "factor",
     EDIT(planned_gc.mad),
     .help = "What a pause of today is: a pass above the median of its worker by this many median "
             "absolute deviations; it becomes the median."},
    {.name = NULL},
};

static const struct hc_scenario_key repartition_keys[] = {
    {"move_fraction", HC_KEY_NUMBER, .is_required = true, .high = 1, .unit = "share",
     EDIT(repartition.move_fraction),
     .help = "Part of each selected pass that goes; as much of the mean pass of the stage is added "
             "to those of the others, in equal parts."},
    {"to", HC_KEY_RANGES, .choices = takers, .value = "\"other_stages\"",
     .help = "Stages that take it."},
    {.name = NULL},
};

static const char *const whens[] = {"traced", "inputs_ready", NULL};

static const struct hc_scenario_key overlap_keys[] = {
    {"when", HC_KEY_CHOICE, .choices = whens, .value = "\"traced\"", EDIT(overlap.when),
     .help =
         "When reductions of gradients begin: as in the trace, or when the last backward pass of "
         "their chunk has ended; with one chunk a stage nothing is gained by that."},
    {"efficiency", HC_KEY_NUMBER, .is_required = true, .low = -100, .high = 1, .unit = "share",
     EDIT(overlap.efficiency),
     .help = "Part of a transfer that is hidden; below 0 it takes longer (Flux's E)."},
    {"compute_slowdown", HC_KEY_NUMBER, .low = 1, .high = 100, .value = "1", .unit = "factor",
     EDIT(overlap.compute_slowdown),
     .help = "On the compute of the same worker, for as much of its time as what is hidden "
             "covers."},
    {"tp_comm_share", HC_KEY_NUMBER, .high = 1, .value = "0", .unit = "share",
     EDIT(overlap.tp_comm_share),
     .help = "Part of a selected pass that is communication of tensor parallelism, which traces "
             "have in the pass."},
    {.name = NULL},
};

static const struct hc_scenario_key evict_keys[] = {
    {"after_steps", HC_KEY_COUNT, .is_required = true, .low = 1, .high = 1000000,
     EDIT(evict.after_steps), .help = "Slow steps in a row after which a worker is replaced."},
    {"factor", HC_KEY_NUMBER, .low = 1, .high = 1000, .value = "1.1", .unit = "factor",
     EDIT(evict.factor),
     .help = "Slow is a step whose passes take this many times those of the median of its stage."},
    {"cost_s", HC_KEY_NUMBER, .value = "0", .unit = "s", EDIT(evict.cost_s),
     .help = "What the next step takes longer for it."},
    {.name = NULL},
};

static const struct hc_scenario_key stop_keys[] = {
    {"at_s", HC_KEY_NUMBER, .is_required = true, .unit = "s", EDIT(stop.at_s),
     .help = "The moment, since the start of the untouched job, replayed, its steps following each "
             "other."},
    {"timeout_s", HC_KEY_NUMBER, .is_required = true, .unit = "s", EDIT(stop.timeout_s),
     .help = "The job stops when no op of the others has ended for so long."},
    {.name = NULL},
};

static const struct hc_scenario_key edit_keys[] = {
    {"select", HC_KEY_OBJECT, .members = select_keys, .unset = "all ops",
     .help = "Which ops: all conditions must hold."},
    {"scale", HC_KEY_DURATION, .unit = "factor", .either = "what", .is_either_needed = true,
     EDIT(value), KIND(SCALE), .help = "Factor on durations (of communication: on transfers)."},
    {"add_s", HC_KEY_DURATION, .low = -1e6, .unit = "s", .either = "what", EDIT(value), KIND(ADD),
     .help = "Added to them."},
    {"set_s", HC_KEY_DURATION, .unit = "s", .either = "what", EDIT(value), KIND(SET),
     .help = "In place of them."},
    {"cap_s", HC_KEY_NUMBER, .unit = "s", .either = "what", EDIT(cap_s), KIND(CAP),
     .help = "The most that they may be."},
    {"replace", HC_KEY_CHOICE, .choices = replacements, .members = replace_keys, .either = "what",
     EDIT(replace.how), KIND(REPLACE), .help = "By what is usual in their class."},
    {"swap", HC_KEY_TEXTS, .either = "what",
     .help = "Two workers, `[\"0/1\", \"3/1\"]`, whose ops "
             "change their durations, op by op; what only one of them has stays."},
    {"delay_s", HC_KEY_DURATION, .unit = "s", .either = "what", EDIT(value), KIND(DELAY),
     .help = "Launches later by this, after what the op waits for."},
    {"pause_s", HC_KEY_DURATION, .unit = "s", .either = "what", EDIT(value), KIND(PAUSE),
     .help = "A stop of the compute stream before the op, as of a garbage collection or of data "
             "loading; only of passes, gc and optimizer."},
    {"pause_as", HC_KEY_CHOICE, .choices = pauses, .value = "\"duration\"", .needs = "pause_s",
     EDIT(pause_as),
     .help = "Whether it counts to the op, and so to the ideal of the variant, or "
             "is a delay of its launch, which an ideal has not."},
    {"link", HC_KEY_OBJECT, .is_bound = true, .members = link_keys, .either = "what",
     .help = "Transfers over another link, of both ends of a pair."},
#define REMEDY(key, keys, text)                                                                    \
    {                                                                                              \
        key, HC_KEY_OBJECT, .is_bound = true, .members = keys, .either = "what", .help = text      \
    }
    REMEDY("rebalance", rebalance_keys,
           "Microbatches dealt out anew: their work moves, how slow a "
           "worker is stays."),
    REMEDY("planned_gc", planned_gc_keys,
           "Pauses at the same step everywhere, in place of those "
           "of now."),
    REMEDY("repartition", repartition_keys, "Part of the work of the selected stages to others."),
    REMEDY("overlap", overlap_keys, "Transfers behind compute."),
    REMEDY("evict", evict_keys, "Workers that stay slow are replaced."),
    REMEDY(
        "stop", stop_keys,
        "The selected workers stop in the middle of a step, which is lost: what that costs stands "
        "in a table, for a lifetime; no step is changed by it."),
    REMEDY("rearrange", hc_replay_rearrange_keys,
           "Another plan of the steps, by the durations measured; edits after it select among the "
           "ops of that plan."),
    REMEDY("extrapolate", hc_replay_extrapolate_keys, "More dp ranks, drawn from those measured."),
    {"per", HC_KEY_CHOICE, .choices = hc_replay_drawn_per, .value = "\"op\"",
     .needs = "scale,add_s,set_s,delay_s,pause_s", EDIT(drawn_per),
     .help = "Of a value that is drawn: what has one draw together."},
    {.name = NULL},
};

/* ---- the job ---- */

#define CONFIG(member) HC_KEY_BOUND(hc_replay_config, member)

static const struct hc_scenario_key jobs_keys[] = {
    {"where", HC_KEY_TEXT, .unset = "all of them",
     .help = "Which: a condition as of `hindcast query --where`; the columns are those of 'Many "
             "jobs' above."},
    {.name = NULL},
};

static const struct hc_scenario_key input_keys[] = {
    {"job", HC_KEY_TEXT, .data = HC_DATA_TIMELINE, .is_data_job = true, .either = "source",
     .is_either_needed = true, .help = "A job of the archive, as `hindcast ls` names it."},
    {"file", HC_KEY_TEXT, .data = HC_DATA_TIMELINE, .either = "source",
     .help = "A trace of its steps; the name is relative to the scenario file that has it."},
    {"jobs", HC_KEY_OBJECT, .members = jobs_keys, .either = "source",
     .help = "Jobs of the archive, each by its newest attempt: the scenario is run on each of them "
             "by itself."},
    {"steps", HC_KEY_RANGES, .unset = "all but those that stand apart",
     .help = "Steps to replay, by their number."},
    {"max_discrepancy", HC_KEY_NUMBER, .value = "0.05", .unit = "share", CONFIG(max_discrepancy),
     .help = "How far the replay of the untouched job may be off its trace."},
    {.name = NULL},
};

static const struct hc_scenario_key bootstrap_keys[] = {
    {"resamples", HC_KEY_COUNT, .high = 1000000, .value = "1000", CONFIG(resamples),
     .help = "Resamples of the blocks of steps, for intervals by a bootstrap beside those by "
             "Student's t; 0: none."},
    {"block_steps", HC_KEY_COUNT, .low = 1, .high = 1000000, .value = "1", CONFIG(block_steps),
     .help = "Consecutive steps that count as one for intervals: more where steps are like those "
             "before them."},
    {.name = NULL},
};

#define MOST_OF_MODEL 1e18

/* Any of them may be missing: figures that need it are left out. */
#define MODEL(key, of_unit, text)                                                                  \
    {                                                                                              \
#key, HC_KEY_NUMBER, .is_above = true, .high = MOST_OF_MODEL, .unit = of_unit,             \
                             .unset = "figures that need it are left out", CONFIG(model.key),      \
                             .help = text                                                          \
    }

static const struct hc_scenario_key model_keys[] = {
    MODEL(batch, "sequences", "Sequences of a step, of all dp ranks."),
    MODEL(sequence, "tokens", "Tokens of a sequence."),
    MODEL(tokens, "tokens", "Tokens of the whole training, for `days`."),
    MODEL(layers, "layers", "Layers of the transformer, for `mfu`."),
    MODEL(hidden, "units", "Its hidden size."),
    MODEL(vocabulary, "tokens", "Its vocabulary."),
    MODEL(gpus, "GPUs", "GPUs of the job; where it is not given, those of the metadata."),
    MODEL(peak_tflops, "TFLOP/s", "What a GPU can do at most."),
    {.name = NULL},
};

const struct hc_scenario_key hc_replay_keys[] = {
    {"input", HC_KEY_OBJECT, .is_required = true, .is_bound = true, .members = input_keys,
     .help = "The job whose steps are changed."},
    {"edits", HC_KEY_NAMED, .most = HC_REPLAY_MOST_EDITS, .members = edit_keys, CONFIG(named),
     .n_target = offsetof(struct hc_replay_config, n_named), .element_size = sizeof(struct hc_edit),
     .elements = &(const struct hc_key_elements){.start = hc_replay_start_edit,
                                                 .finish = hc_replay_finish_edit},
     .help = "By name, what is changed of its ops; applied in this order."},
    {"apply", HC_KEY_TEXTS,
     .unset = "all, in their order; none where variants are lists of what is applied",
     .help = "Names of the edits that are applied, in this order."},
    {"draws", HC_KEY_COUNT, .low = 1, .high = 100000, .value = "1", CONFIG(draws),
     .help = "How often what edits draw is drawn: figures of a step are means over them."},
    {"model", HC_KEY_OBJECT, .is_bound = true, .members = model_keys,
     .help = "What a step trains: for tokens a second, days and model FLOPs utilisation."},
    {"bootstrap", HC_KEY_OBJECT, .is_bound = true, .members = bootstrap_keys,
     .help = "How intervals are made from the steps."},
    {.name = NULL},
};
