/* cmd_report_reliability.c - `hindcast report reliability`. */
#include "cli/commands/night/reliability_of_records.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/fail_on.h"
#include "cli/options/moment.h"
#include "cli/options/report_options.h"
#include "cli/options/trace_options.h"
#include "core/base/memory.h"
#include "models/incidents/reliability.h"
#include "models/incidents/reliability_analysis.h"
#include "pipeline/inputs/incident_input.h"
#include "reports/reliability/reliability_figures.h"
#include "reports/reliability/reliability_report.h"

#include <stdlib.h>
#include <string.h>

static const char *const by_words[] = {"cause", "node", "month", NULL}; /* as the enum */

struct reliability_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_trace_options trace;
    int64_t nodes;
    struct hc_moment from, to, compare_from, compare_to;
    int by;
    bool fits, lemons, records;
    struct hc_night_options night; /* of --records */
    int age;                       /* of nodes, as in hc_reliability_options */
    struct hc_report_options report;
    double lemon_factor, lemon_days, lemon_fdr;
};

/* A time from one moment to another; compare: of the options --compare-from and --compare-to. */
static enum hc_status take_window(const struct hc_moment *from, const struct hc_moment *to,
                                  int64_t nodes, bool compare,
                                  struct hc_reliability_options *options, struct hc_error *err)
{
    const char *prefix = compare ? "compare-" : "";
    if (from->is_given && to->is_given && from->is_relative != to->is_relative)
        return hc_fail(err, HC_USAGE,
                       "--%sfrom and --%sto are of two clocks: give two dates or two "
                       "numbers of days",
                       prefix, prefix);
    if (from->is_given && to->is_given && from->ns >= to->ns)
        return hc_fail(err, HC_USAGE, "--%sto is not after --%sfrom", prefix, prefix);
    *options = (struct hc_reliability_options){
        .nodes = nodes,
        .has_from = from->is_given,
        .has_to = to->is_given,
        .is_relative = from->is_given ? from->is_relative : to->is_relative,
        .from_ns = from->ns,
        .to_ns = to->ns,
    };
    return HC_OK;
}

static enum hc_status take_options(const struct reliability_settings *settings,
                                   struct hc_reliability_options *options,
                                   struct hc_reliability_options *second, struct hc_error *err)
{
    if (hc_report_options_check(&settings->report, &settings->common, err) ||
        hc_fail_on_check(&settings->report.fail_on, &hc_reliability_figures, err))
        return err->status;
    if (take_window(&settings->from, &settings->to, settings->nodes, false, options, err))
        return err->status;
    options->age = settings->age;
    return take_window(&settings->compare_from, &settings->compare_to, settings->nodes, true,
                       second, err);
}

static enum hc_status load(struct hc_incident_set *set, const struct reliability_settings *settings,
                           const struct hc_words *files, struct hc_error *err)
{
    if (files->n && settings->archive.path)
        return hc_fail(err, HC_USAGE, "incidents are read from files or from an archive, not both");
    if (!files->n)
        return hc_incident_load_archive(set, hc_archive_path(&settings->archive), err);
    char digest[HC_DIGEST_TEXT]; /* which no report shows */
    for (size_t i = 0; i < files->n; i++)
        if (hc_incident_load_file(set, files->word[i], &settings->trace, digest, err))
            return err->status;
    return HC_OK;
}

static enum hc_status write_json(const struct hc_output *output, const void *report,
                                 struct hc_error *err)
{
    struct hc_json_writer json;
    hc_output_json_start(&json, output, "hindcast-reliability");
    hc_reliability_write_json(report, &json);
    return hc_output_json_end(&json, output, err);
}

/* A table for each value of --by: by_cause.csv, by_node.csv, by_month.csv. */
static enum hc_status write_tables(struct hc_outset *set, const char *directory,
                                   const struct hc_reliability_report *report, struct hc_error *err)
{
    char run_id[HC_RUN_ID];
    if (hc_output_run_id(run_id, write_json, report, err) ||
        hc_outset_directory(set, directory, err) ||
        hc_outset_index_begin(set, directory, HC_OUTSET_INDEX, run_id, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (int by = 0; by_words[by] && status == HC_OK; by++) {
        struct hc_reliability_report table = *report;
        FILE *stream;
        char *path = hc_new_text(err, "%s/by_%s.csv", directory, by_words[by]);
        table.by = (enum hc_reliability_grouping)by;
        status = path ? hc_outset_add_table(set, path, &stream, err) : err->status;
        if (status == HC_OK)
            hc_reliability_write_csv(&table, stream);
        free(path);
    }
    hc_outset_index_end(set);
    return status;
}

static enum hc_status put_figures(const struct hc_figure_sink *sink, const void *report,
                                  struct hc_error *err)
{
    return hc_reliability_put_figures(sink, report, err);
}

static enum hc_status write_figures(struct hc_outset *set, const struct hc_figure_options *options,
                                    const struct hc_reliability_report *report,
                                    struct hc_error *err)
{
    char run_id[HC_RUN_ID];
    if (hc_output_run_id(run_id, write_json, report, err))
        return err->status;
    return hc_figure_options_write(options, set, run_id, put_figures, report, err);
}

static enum hc_status write_report(const struct reliability_settings *settings,
                                   const struct hc_reliability_report *report, struct hc_error *err)
{
    struct hc_output output;
    const char *tables = hc_report_csv_directory(&settings->report);
    bool has_files = tables || settings->report.figures.directory;
    if (hc_output_open(&output, &settings->common, has_files, err))
        return err->status;
    enum hc_status status = tables ? write_tables(output.set, tables, report, err) : HC_OK;
    if (status == HC_OK && settings->report.figures.directory)
        status = write_figures(output.set, &settings->report.figures, report, err);
    if (status == HC_OK && settings->common.json)
        status = write_json(&output, report, err);
    else if (status == HC_OK && hc_report_is_csv(&settings->report))
        hc_reliability_write_csv(report, output.stream);
    else if (status == HC_OK)
        hc_reliability_write_text(report, output.stream);
    return hc_output_end(&output, status, err);
}

/* What is asked for beyond counts. */
struct analyses {
    struct hc_group_fits fits;
    struct hc_lemons lemons;
    struct hc_reliability second;
    struct hc_rate_comparison comparison[HC_N_RATES];
};

static void analyses_fini(struct analyses *analyses)
{
    hc_group_fits_fini(&analyses->fits);
    hc_lemons_fini(&analyses->lemons);
    hc_reliability_fini(&analyses->second);
}

static enum hc_status compare_times(struct analyses *analyses, struct hc_reliability_report *report,
                                    const struct hc_incident_set *set,
                                    const struct hc_reliability_options *second,
                                    struct hc_error *err)
{
    if (hc_reliability_compute(&analyses->second, set, second, err))
        return hc_context(err, "the time of --compare-from and --compare-to");
    for (int i = 0; i < HC_N_RATES; i++)
        analyses->comparison[i] =
            hc_compare_rates(report->result, &analyses->second, (enum hc_rate_rule)i);
    report->comparison = analyses->comparison;
    return HC_OK;
}

/* windows: the time of the report, and the one that it is compared with. */
static enum hc_status run_analyses(const struct reliability_settings *settings,
                                   struct analyses *analyses, struct hc_reliability_report *report,
                                   const struct hc_incident_set *set,
                                   const struct hc_reliability_options windows[2],
                                   struct hc_error *err)
{
    const struct hc_lemon_options how = {settings->lemon_factor, settings->lemon_days,
                                         settings->lemon_fdr};
    bool is_compared = settings->compare_from.is_given || settings->compare_to.is_given;
    if (set->n_observations)
        report->is_relative = set->observations[0].clock == HC_CLOCK_RELATIVE;
    if (is_compared && compare_times(analyses, report, set, &windows[1], err))
        return err->status;
    if (settings->fits && hc_reliability_fit(&analyses->fits, set, &windows[0], err))
        return err->status;
    if (settings->lemons && hc_find_lemons(&analyses->lemons, set, &windows[0], &how, err))
        return err->status;
    report->fits = settings->fits ? &analyses->fits : NULL;
    report->lemons = settings->lemons ? &analyses->lemons : NULL;
    return HC_OK;
}

static enum hc_status run_records(const struct reliability_settings *settings,
                                  const struct hc_words *words, struct hc_error *err)
{
    if (words->n || settings->fits || settings->lemons || settings->compare_from.is_given ||
        settings->compare_to.is_given)
        return hc_fail(err, HC_USAGE,
                       "--records reads an archive: give neither files nor --fits, --lemons, "
                       "--compare-from or --compare-to");
    return hc_reliability_records_run(
        &(struct hc_reliability_records){.common = &settings->common,
                                         .archive = &settings->archive,
                                         .night = &settings->night,
                                         .report = &settings->report,
                                         .from = &settings->from,
                                         .to = &settings->to,
                                         .nodes = settings->nodes},
        err);
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    const struct reliability_settings *settings = context;
    struct hc_incident_set set = {0};
    struct hc_reliability result = {0};
    struct hc_reliability_options windows[2];
    struct analyses analyses = {.fits = {.n = 0}};
    if (settings->records)
        return run_records(settings, words, err);
    if (take_options(settings, &windows[0], &windows[1], err) ||
        hc_trace_options_check(&settings->trace, words->n, err) || hc_incident_set_init(&set, err))
        return err->status;
    enum hc_status status = load(&set, settings, words, err);
    if (!status)
        status = hc_reliability_compute(&result, &set, &windows[0], err);
    if (!status) {
        struct hc_reliability_report report = {.result = &result,
                                               .names = &set.names,
                                               .by = (enum hc_reliability_grouping)settings->by};
        status = run_analyses(settings, &analyses, &report, &set, windows, err);
        if (!status)
            status = write_report(settings, &report, err);
        if (!status)
            status =
                hc_fail_on(&settings->report.fail_on, &hc_reliability_figures, &result, NULL, err);
        analyses_fini(&analyses);
        hc_reliability_fini(&result);
    }
    hc_incident_set_fini(&set);
    return status;
}

static const char *const ages[] = {"stationary", "new", NULL};

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct reliability_settings, archive, hc_record_archive_options),
    {.name = "records",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct reliability_settings, records),
     .help = "count the failures that the records of a scheduler, logs and nodes tell, certain "
             "and likely apart, over node-days running, allocated and installed"},
    HC_OPTION_GROUP(struct reliability_settings, night, hc_undated_night_options),
    {.name = "nodes",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct reliability_settings, nodes),
     .unset = "as recorded",
     .low = 1,
     .high = 100000000,
     .help = "number of nodes that were watched, where a source does not say"},
    {.name = "from",
     .kind = HC_OPTION_CALLBACK,
     .argument = "TIME",
     .target = offsetof(struct reliability_settings, from),
     .unset = "as recorded",
     .parse = hc_moment_parse,
     .help = "count what began at this date or later; days, as 0d, where the source has no "
             "calendar"},
    {.name = "to",
     .kind = HC_OPTION_CALLBACK,
     .argument = "TIME",
     .target = offsetof(struct reliability_settings, to),
     .unset = "as recorded",
     .parse = hc_moment_parse,
     .help = "count what began before this date, or day"},
    {.name = "compare-from",
     .kind = HC_OPTION_CALLBACK,
     .argument = "TIME",
     .target = offsetof(struct reliability_settings, compare_from),
     .unset = "nothing is compared",
     .parse = hc_moment_parse,
     .help = "compare with the rates from this date, or day, on: exact test of two Poisson rates"},
    {.name = "compare-to",
     .kind = HC_OPTION_CALLBACK,
     .argument = "TIME",
     .target = offsetof(struct reliability_settings, compare_to),
     .unset = "as recorded",
     .parse = hc_moment_parse,
     .help = "end of the time that is compared"},
    {.name = "fits",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct reliability_settings, fits),
     .help = "fit distributions to the time between failures and to repairs, by group, and test "
             "for a trend"},
    {.name = "age",
     .kind = HC_OPTION_CHOICE,
     .argument = "AGE",
     .target = offsetof(struct reliability_settings, age),
     .value = "stationary",
     .choices = ages,
     .help = "for --fits, of the nodes when watching began: in service for long, or 'new'"},
    {.name = "lemons",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct reliability_settings, lemons),
     .help = "name the nodes whose failure rate is far above that of their group"},
    {.name = "lemon-factor",
     .kind = HC_OPTION_DOUBLE,
     .argument = "K",
     .target = offsetof(struct reliability_settings, lemon_factor),
     .value = "3",
     .low = 1,
     .high = 1000,
     .help = "how many times the rate of its group a lemon has at least"},
    {.name = "lemon-days",
     .kind = HC_OPTION_DOUBLE,
     .argument = "D",
     .target = offsetof(struct reliability_settings, lemon_days),
     .value = "28",
     .low = 1,
     .high = 3650,
     .help = "length of the windows in which nodes are looked at"},
    {.name = "lemon-fdr",
     .kind = HC_OPTION_SHARE,
     .argument = "SHARE",
     .target = offsetof(struct reliability_settings, lemon_fdr),
     .value = "5%",
     .help = "expected share of lemons named that are none"},
    {.name = "by",
     .kind = HC_OPTION_CHOICE,
     .argument = "WHAT",
     .target = offsetof(struct reliability_settings, by),
     .value = "cause",
     .choices = by_words,
     .help = "what the last table of the text and the CSV list: cause, node or month"},
    HC_OPTION_GROUP(struct reliability_settings, report, hc_pageless_report_options),
    HC_OPTION_GROUP(struct reliability_settings, trace, hc_incident_options),
    HC_OPTION_GROUP(struct reliability_settings, common, hc_common_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"FILE", "a list of incidents; without any, those of the archive", 0, 0},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_report_reliability = {
    .name = "report reliability",
    .summary = "count recorded incidents: rates, repair, availability",
    .description =
        "Rates are per 1,000 node-days, with exact 95 % Poisson intervals. Failures of the "
        "infrastructure are the first row; the second adds those of which nothing is known, to "
        "show how much they could matter. Overlapping incidents of a node are merged for the "
        "availability and kept in the counts.\n"
        "Without --from and --to the time of watching is the one that the source records. What a "
        "source leaves open is not guessed: without the number of nodes there are no rates.",
    .options = options,
    .positionals = positionals,
    .examples =
        (const char *const[]){"hindcast report reliability -a nightly",
                              "hindcast report reliability --nodes 400 fault_trace.json",
                              "hindcast report reliability --by node --csv - incidents.csv", NULL},
    .finding = "a condition of --fail-on holds",
    .settings_size = sizeof(struct reliability_settings),
    .run = run,
};
