/* cmd_report_profiles.c - `hindcast report breakdown`, `collectives`, `stragglers`, `clocks` and
 * `path`: what profiler traces show. */
#include "cli/commands/profiles/profile_output.h"
#include "cli/commands/profiles/timing_output.h"
#include "cli/frame/command.h"
#include "pipeline/inputs/timed_input.h"

struct profile_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_trace_options trace;
    struct hc_report_options report;
    int like;     /* enum hc_breakdown_like */
    int steps_by; /* enum hc_steps_by */
    bool no_align;
    struct hc_words baseline;
    double below;
    const char *execution; /* execution traces */
};

static enum hc_status run_parts(const struct profile_settings *settings,
                                const struct hc_words *words, unsigned parts, struct hc_error *err)
{
    const struct hc_profile_request request = {
        .common = &settings->common,
        .archive = &settings->archive,
        .trace = &settings->trace,
        .report = &settings->report,
        .words = words,
        .parts = parts,
        .like = (enum hc_breakdown_like)settings->like,
        .steps_by = (enum hc_steps_by)settings->steps_by,
        .keeps_clocks = settings->no_align,
        .baseline = &settings->baseline,
        .below = settings->below,
        .execution = settings->execution,
    };
    return hc_profile_run(&request, err);
}

static enum hc_status run_breakdown(void *settings, const struct hc_words *words,
                                    struct hc_error *err)
{
    return run_parts(settings, words, HC_PROFILE_BREAKDOWN, err);
}

/* What only profiler traces have. */
static enum hc_status check_timed(const struct profile_settings *settings, struct hc_error *err)
{
    const char *option = settings->execution ? "--et" : settings->no_align ? "--no-align" : NULL;
    return option ? hc_fail(err, HC_USAGE,
                            "option '%s' is for profiler traces, and these are logs of timed "
                            "collectives",
                            option)
                  : HC_OK;
}

static enum hc_status run_collectives(void *settings, const struct hc_words *words,
                                      struct hc_error *err)
{
    const struct profile_settings *s = settings;
    struct hc_trace_loader loader = {.archive_path = hc_archive_path(&s->archive),
                                     .trace_options = &s->trace};
    const struct hc_timing_request request = {
        .common = &s->common,
        .report = &s->report,
        .words = words,
        .baseline = &s->baseline,
        .below = s->below,
    };
    enum hc_status status;
    if (!hc_is_timed(&loader, words->word[0]))
        status = run_parts(settings, words, HC_PROFILE_COLLECTIVES, err);
    else if (!(status = check_timed(s, err)))
        status = hc_timing_run(&request, &loader, err);
    hc_trace_loader_close(&loader);
    return status;
}

static enum hc_status run_stragglers(void *settings, const struct hc_words *words,
                                     struct hc_error *err)
{
    return run_parts(settings, words, HC_PROFILE_STRAGGLERS, err);
}

static enum hc_status run_clocks(void *settings, const struct hc_words *words, struct hc_error *err)
{
    return run_parts(settings, words, HC_PROFILE_CLOCKS, err);
}

static enum hc_status run_path(void *settings, const struct hc_words *words, struct hc_error *err)
{
    return run_parts(settings, words, HC_PROFILE_PATH, err);
}

static const char *const like_words[] = {[HC_BREAKDOWN_OURS] = "ours",
                                         [HC_BREAKDOWN_LIKE_TRACELENS] = "tracelens",
                                         [HC_BREAKDOWN_LIKE_HTA] = "hta",
                                         NULL};
static const char *const step_words[] = {
    [HC_STEPS_BY_PROFILER] = "profiler", [HC_STEPS_BY_OPTIMIZER] = "optimizer", NULL};

#define STEPS_BY                                                                                   \
    {                                                                                              \
        .name = "steps-by", .kind = HC_OPTION_CHOICE, .argument = "WHAT",                          \
        .target = offsetof(struct profile_settings, steps_by), .value = "profiler",                \
        .choices = step_words,                                                                     \
        .help = "where a step ends: profiler, at the next ProfilerStep#N; optimizer, at the end "  \
                "of Optimizer.step"                                                                \
    }
#define COMMON                                                                                     \
    HC_OPTION_GROUP(struct profile_settings, report, hc_report_options),                           \
        HC_OPTION_GROUP(struct profile_settings, archive, hc_archive_options),                     \
        HC_OPTION_GROUP(struct profile_settings, trace, hc_trace_options),                         \
        HC_OPTION_GROUP(struct profile_settings, common, hc_common_options), HC_OPTION_END

static const struct hc_option breakdown_options[] = {
    {.name = "like",
     .kind = HC_OPTION_CHOICE,
     .argument = "TOOL",
     .target = offsetof(struct profile_settings, like),
     .value = "ours",
     .choices = like_words,
     .help = "count as another tool does: ours, tracelens or hta"},
    STEPS_BY,
    COMMON,
};

#define NO_ALIGN                                                                                   \
    {                                                                                              \
        .name = "no-align", .kind = HC_OPTION_FLAG,                                                \
        .target = offsetof(struct profile_settings, no_align),                                     \
        .help = "take the clocks of the ranks as they are"                                         \
    }

#define EXECUTION                                                                                  \
    {                                                                                              \
        .name = "et", .kind = HC_OPTION_TEXT, .argument = "TRACES",                                \
        .target = offsetof(struct profile_settings, execution), .unset = "none",                   \
        .help = "execution traces of the same ranks (PyTorch's or Chakra's, also in a tar "        \
                "archive), which say how many bytes their collectives have"                        \
    }

static const struct hc_option clock_options[] = {STEPS_BY, NO_ALIGN, EXECUTION, COMMON};

static const struct hc_option collective_options[] = {
    {.name = "baseline",
     .kind = HC_OPTION_LIST,
     .argument = "TABLES",
     .target = offsetof(struct profile_settings, baseline),
     .help =
         "hold bandwidths against tables of nccl-tests: files, directories or jobs; may be given "
         "several times"},
    {.name = "below",
     .kind = HC_OPTION_SHARE,
     .argument = "SHARE",
     .target = offsetof(struct profile_settings, below),
     .value = "0.8",
     .help = "with --baseline: say what runs below this share of it"},
    STEPS_BY,
    NO_ALIGN,
    EXECUTION,
    COMMON,
};

static const struct hc_positional positionals[] = {
    {"JOB|DIR|FILE",
     "profiler traces of the ranks of a job (of collectives also logs of NCCL Inspector): a "
     "directory, the files, or a job of the archive",
     1, 0},
    {NULL, NULL, 0, 0},
};

#define PROFILE_COMMAND(name_, summary_, description_, options_, example, run_)                    \
    {                                                                                              \
        .name = name_, .summary = summary_, .description = description_, .options = options_,      \
        .positionals = positionals,                                                                \
        .examples = (const char *const[]){"hindcast " name_ " traces/", example, NULL},            \
        .finding = "a condition of --fail-on holds",                                               \
        .settings_size = sizeof(struct profile_settings), .run = run_                              \
    }

const struct hc_command hc_command_report_breakdown = PROFILE_COMMAND(
    "report breakdown", "say what the GPUs of profiler traces did",
    "For each rank and step: how long the GPU computed, communicated without computing, copied, or "
    "did nothing. The four are all of the window, to the nanosecond.",
    breakdown_options, "hindcast report breakdown --like hta rank0.json.gz", run_breakdown);

const struct hc_command hc_command_report_collectives = PROFILE_COMMAND(
    "report collectives", "list the collectives of profiler traces or NCCL Inspector logs",
    "Joins what all ranks recorded to collectives: who arrived last, how long the others waited, "
    "how long the transfer took and at which bandwidth. Of profiler traces by their kernels on one "
    "clock; of the logs of NCCL Inspector by the times in them, which needs no clock.",
    collective_options, "hindcast report collectives -a nightly run-7 --csv -", run_collectives);

const struct hc_command hc_command_report_stragglers = PROFILE_COMMAND(
    "report stragglers", "rank the ranks of profiler traces by what they cost",
    "For each rank: how often it arrives last, how long the others wait for it, and by a replay of "
    "the dependencies what it costs, and what mending it alone would give back.",
    clock_options, "hindcast report stragglers -a nightly run-7 --html stragglers.html",
    run_stragglers);

const struct hc_command hc_command_report_clocks = PROFILE_COMMAND(
    "report clocks", "say how the clocks of the ranks of profiler traces differ",
    "Offsets by the ends of collectives, with the bounds that hold without any model.",
    clock_options, "hindcast report clocks rank0.json rank1.json", run_clocks);

const struct hc_command hc_command_report_path =
    PROFILE_COMMAND("report path", "follow the critical path through profiler traces",
                    "Which rank, and which of its work, decides when the steps end.", clock_options,
                    "hindcast report path -a nightly run-7 --json", run_path);
