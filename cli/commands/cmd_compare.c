/* cmd_compare.c - `hindcast compare`. */
#include "cli/commands/night/compare_nights.h"
#include "cli/frame/command.h"
#include "cli/options/fail_on.h"
#include "cli/options/report_output.h"
#include "cli/options/trace_options.h"
#include "core/base/memory.h"
#include "pipeline/inputs/trace_choice.h"
#include "pipeline/sources/rank_sets.h"
#include "pipeline/sources/source_list.h"
#include "reports/compare/compare_figures.h"
#include "reports/compare/compare_report.h"

#include <stdlib.h>
#include <string.h>

struct compare_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_trace_options trace;
    struct hc_report_options report;
    struct hc_night_options night;
    bool keep_outliers, nights, runs;
};

/* A or B: loaded, and analysed. */
struct side {
    const char *argument;
    struct hc_trace_choice choice;
    struct hc_rank_sets sets;        /* where files of ranks are one trace */
    struct hc_trace_options reading; /* the options, with these sets */
    struct hc_loaded_trace loaded;
    struct hc_whatif_result result;
};

/* ---- A and B ---- */

static void side_fini(struct side *side)
{
    hc_whatif_result_fini(&side->result);
    hc_loaded_trace_release(&side->loaded);
    hc_rank_sets_fini(&side->sets);
    hc_trace_choice_fini(&side->choice);
}

static enum hc_status analyse(struct side *side, const struct compare_settings *settings,
                              struct hc_error *err)
{
    const struct hc_whatif_options options = {
        .threshold = HC_COMPARE_THRESHOLD,
        .depth = HC_COMPARE_DEPTH,
        .picture_step = HC_MISSING_I32,
        .replay = {.steps = &side->choice.steps,
                   .max_bad = side->loaded.max_bad,
                   .threads = (int)settings->common.threads,
                   .leaves_out_outliers = !settings->keep_outliers,
                   .leaves_out_chosen = true},
    };
    if (hc_whatif_run(&side->result, side->loaded.trace, &options, err))
        return hc_context(err, "%s", side->loaded.label);
    const struct hc_whatif_result *r = &side->result;
    hc_warn_absent_steps(&side->choice.steps, r->job.id,
                         &(struct hc_step_lists){r->n_steps, r->steps, r->n_left_out, r->left_out});
    return HC_OK;
}

/* A directory may stand for files that ranks of one job recorded. */
static enum hc_status load_side(struct side *side, const struct hc_trace_options *options,
                                struct hc_trace_loader *loader, struct hc_error *err)
{
    const char *name = side->choice.name;
    if (hc_rank_sets_gather(&side->sets, &name, 1, options->format, err))
        return err->status;
    side->reading = *options;
    side->reading.sets = &side->sets;
    loader->trace_options = &side->reading;
    return hc_trace_load(&side->loaded, loader, name, err);
}

static enum hc_status load_sides(struct side sides[2], const struct compare_settings *settings,
                                 struct hc_trace_loader *loader, struct hc_error *err)
{
    size_t n_files = 0;
    for (int i = 0; i < 2; i++) {
        if (hc_trace_choice_parse(&sides[i].choice, sides[i].argument, loader, err))
            return err->status;
        n_files += hc_is_trace_file(sides[i].choice.name) || hc_is_directory(sides[i].choice.name);
    }
    if (strcmp(sides[0].choice.name, "-") == 0 && strcmp(sides[1].choice.name, "-") == 0)
        return hc_fail(err, HC_USAGE, "standard input cannot be both A and B: name a file");
    if (n_files == 2 && strcmp(sides[0].choice.name, sides[1].choice.name) == 0)
        n_files = 1; /* of which --meta may name the metadata */
    if (hc_trace_options_check(&settings->trace, n_files, err))
        return err->status;
    for (int i = 0; i < 2; i++)
        if (load_side(&sides[i], &settings->trace, loader, err) ||
            analyse(&sides[i], settings, err))
            return err->status;
    return HC_OK;
}

static struct hc_compared_input input_of(const struct side *side)
{
    const struct hc_trace_origin *origin = &side->loaded.origin;
    return (struct hc_compared_input){
        .argument = side->argument,
        .source_path = origin->source_path,
        .source_sha256 = origin->source_sha256,
        .archive = origin->archive,
        .segment = origin->segment,
        .steps = side->choice.steps.text,
    };
}

static bool is_same_source(const struct side sides[2])
{
    const char *a = sides[0].loaded.origin.source_sha256, *b = sides[1].loaded.origin.source_sha256;
    return a && b && strcmp(a, b) == 0;
}

/* ---- the report ---- */

HC_FIGURE_WRITERS(hc_compare, "hindcast-compare");

static enum hc_status compare(const struct side sides[2], const struct compare_settings *settings,
                              struct hc_error *err)
{
    struct hc_comparison comparison;
    if (hc_compare(&comparison, &sides[0].result, &sides[1].result, is_same_source(sides), err))
        return err->status;
    struct hc_compare_report report = {
        .comparison = &comparison, .a = input_of(&sides[0]), .b = input_of(&sides[1])};
    const struct hc_report_output output = {&writers, &report, &report.run_id, &settings->report,
                                            &settings->common};
    enum hc_status status = hc_report_output_write(&output, false, err);
    if (status == HC_OK)
        status = hc_fail_on(&settings->report.fail_on, &hc_compare_figures, &comparison, NULL, err);
    hc_comparison_fini(&comparison);
    return status;
}

/* ---- the command ---- */

/* Sides of the account: nights, or runs. */
static enum hc_status compare_accounts(const struct compare_settings *settings,
                                       const struct hc_words *words, struct hc_error *err)
{
    const struct hc_compare_nights sides = {.common = &settings->common,
                                            .archive = &settings->archive,
                                            .night = &settings->night,
                                            .report = &settings->report,
                                            .sides = {words->word[0], words->word[1]}};
    if (settings->nights && settings->runs)
        return hc_fail(err, HC_USAGE, "--nights and --runs: A and B are one or the other");
    if (settings->report.fail_on.n > 0)
        return hc_fail(err, HC_USAGE, "--fail-on is of timelines, not of %s",
                       settings->nights ? "--nights" : "--runs");
    return settings->nights ? hc_compare_nights_run(&sides, err) : hc_compare_runs_run(&sides, err);
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    const struct compare_settings *settings = context;
    const struct hc_report_options *report = &settings->report;
    if (hc_report_options_check(report, &settings->common, err) ||
        hc_fail_on_check(&report->fail_on, &hc_compare_figures, err))
        return err->status;
    if (report->html && report->html[strlen(report->html) - 1] == '/')
        return hc_fail(err, HC_USAGE,
                       "--html '%s' names a directory, and the page of a comparison is a file",
                       report->html);
    if (settings->nights || settings->runs)
        return compare_accounts(settings, words, err);
    struct hc_trace_loader loader = {.archive_path = hc_archive_path(&settings->archive),
                                     .trace_options = &settings->trace};
    struct side *sides = hc_new_array(2, sizeof *sides, err);
    if (!sides)
        return err->status;
    for (int i = 0; i < 2; i++)
        sides[i].argument = words->word[i];
    enum hc_status status = load_sides(sides, settings, &loader, err);
    if (status != HC_OK && hc_compare_is_days(words->word[0]) && hc_compare_is_days(words->word[1]))
        status = hc_fail(err, HC_USAGE,
                         "no timelines are called '%.40s' and '%.40s': days of the account of "
                         "GPU-time are compared by --nights",
                         words->word[0], words->word[1]);
    if (status == HC_OK)
        status = compare(sides, settings, err);
    side_fini(&sides[0]);
    side_fini(&sides[1]);
    free(sides);
    hc_trace_loader_close(&loader);
    return status;
}

static const struct hc_option options[] = {
    {.name = "keep-outliers",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct compare_settings, keep_outliers),
     .help = "analyse steps that stand apart, too: warm-up, and single ones that take over 3 times "
             "the median"},
    {.name = "nights",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct compare_settings, nights),
     .help = "A and B are days of the account of GPU-time, as 2026-03-01 or "
             "2026-03-01..2026-03-07, or two documents of 'report nightly --json'"},
    {.name = "runs",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct compare_settings, runs),
     .help = "A and B are runs of the account of GPU-time, as 'report ettr' names them, or two "
             "documents of 'report run --json'"},
    HC_OPTION_GROUP(struct compare_settings, night, hc_undated_night_options),
    HC_OPTION_GROUP(struct compare_settings, report, hc_report_options),
    HC_OPTION_GROUP(struct compare_settings, archive, hc_record_archive_options),
    HC_OPTION_GROUP(struct compare_settings, trace, hc_trace_options),
    HC_OPTION_GROUP(struct compare_settings, common, hc_common_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"JOB|FILE|DIR",
     "A: a job of the archive or a trace, as JOB, JOB#2 (attempt 2), JOB@1-60 (these steps), "
     "JOB#2@1-60, FILE, FILE@1-60; '-' is standard input; a directory of files that "
     "ranks of one job recorded (column 'job') is one trace",
     1, 1},
    {"JOB|FILE|DIR", "B: the same; what is said is how B differs from A", 1, 1},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_compare = {
    .name = "compare",
    .summary = "say what changed between two timelines, nights or runs",
    .description =
        "Analyses the steps of A and of B as whatif does, and reports what changed from A to B: "
        "the mean step, the slowdown, op types, stages, workers, hosts and causes, each with an "
        "interval of the difference; and answers in one sentence whether it got better.\n"
        "A and B are jobs or files, as for whatif, of which @LIST chooses steps (as 12,20-23). A "
        "file or job that has exactly the given name, '@' and '#' included, is taken first. Of "
        "jobs of another shape it compares what can be compared and names what cannot.\n"
        "With --nights it compares where the GPU-hours of days went, leaf by leaf, and tests each "
        "change against how much the leaf changes from day to day. With --runs it does so of two "
        "runs, and sets their effective training time ratios beside each other.",
    .options = options,
    .positionals = positionals,
    .examples = (const char *const[]){"hindcast compare before.csv after.csv",
                                      "hindcast compare AR@1-60 AR@61-100",
                                      "hindcast compare -a nightly AR#1 AR#2 --html compare.html",
                                      "hindcast compare --nights 2026-03-01 2026-03-08 -a nightly",
                                      "hindcast compare --runs run-01 run-02 -a nightly", NULL},
    .finding = "a condition of --fail-on holds",
    .settings_size = sizeof(struct compare_settings),
    .run = run,
};
