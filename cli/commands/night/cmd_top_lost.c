/* cmd_top_lost.c - `hindcast top lost`. */
#include "cli/commands/night/day_range.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/fail_on.h"
#include "cli/options/report_output.h"
#include "models/account/tree/leaf_choice.h"
#include "pipeline/night/night_input.h"
#include "reports/top/top_report.h"

#include <string.h>

struct top_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_night_options night;
    struct hc_range_options range;
    const char *by, *leaf;
    int64_t rows;
    struct hc_report_options report;
};

HC_FIGURE_WRITERS(hc_top, "hindcast-top");

/* ---- what is asked for ---- */

/* The dimensions of "cause,node"; each once. */
static enum hc_status find_dimensions(const char *by, enum hc_cube_dimension *dimensions, size_t *n,
                                      struct hc_error *err)
{
    *n = 0;
    for (const char *word = by; *word || word == by;) {
        size_t length = strcspn(word, ",");
        enum hc_cube_dimension d = hc_top_dimension_find(word, length);
        bool is_there = false;
        for (size_t i = 0; i < *n; i++)
            is_there |= dimensions[i] == d;
        if (d == HC_CUBE_ALL)
            return hc_fail(err, HC_USAGE,
                           "--by '%.*s': give cause, node, user, account, partition, size or run, "
                           "with commas between",
                           (int)length, word);
        if (is_there)
            return hc_fail(err, HC_USAGE, "--by '%s': '%.*s' is given twice", by, (int)length,
                           word);
        dimensions[(*n)++] = d;
        word += length;
        word += *word == ',';
        if (!*word)
            break;
    }
    return HC_OK;
}

/* ---- the report ---- */

static enum hc_status report_top(const struct top_settings *settings,
                                 const struct hc_night_inputs *inputs, struct hc_night_data *data,
                                 const struct hc_top_choice *choice, struct hc_error *err)
{
    struct hc_top top = {.n = 0};
    const struct hc_night_days *days = &data->night.days;
    enum hc_status status = hc_top_make(&top, &data->night, choice, &data->names, err);
    struct hc_top_report report = {
        .top = &top,
        .archive = inputs->archive->path,
        .cluster = settings->night.cluster,
        .zone = inputs->zone_name,
        .leaf = settings->leaf,
        .first_day = days->names[choice->range.first],
        .last_day = days->names[choice->range.last],
        .as_of_ns = settings->night.as_of.is_given ? settings->night.as_of.ns : data->walk.last_ns,
        .rows = (size_t)settings->rows};
    const struct hc_report_output output = {&writers, &report, &report.run_id, &settings->report,
                                            &settings->common};
    if (!status)
        status = hc_report_output_write(&output, false, err);
    if (!status)
        status = hc_fail_on(&settings->report.fail_on, &hc_top_figures, &top, NULL, err);
    hc_top_fini(&top);
    return status;
}

static enum hc_status load_and_report(const struct top_settings *settings,
                                      const struct hc_night_inputs *inputs,
                                      struct hc_top_choice *choice, struct hc_error *err)
{
    struct hc_day_range range;
    struct hc_night_data data = {.n_causes = 0};
    if (hc_day_range_find(&range, &settings->range, &settings->night, inputs, err))
        return err->status;
    int64_t n_days = range.last_day - range.first_day + 1;
    const struct hc_night_choice night = {.archive = inputs->archive,
                                          .cluster = settings->night.cluster,
                                          .site = inputs->site_or_null,
                                          .zone = &inputs->zone,
                                          .first_day = range.first_day - n_days,
                                          .last_day = range.last_day,
                                          .as_of_ns = inputs->as_of_ns,
                                          .series_day = INT64_MAX};
    choice->range = (struct hc_night_range){(size_t)n_days, 2 * (size_t)n_days - 1};
    enum hc_status status = hc_night_load(&data, &night, err);
    if (!status)
        status = report_top(settings, inputs, &data, choice, err);
    hc_night_data_fini(&data);
    return status;
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    const struct top_settings *settings = context;
    struct hc_night_inputs inputs = {0};
    enum hc_cube_dimension by[HC_N_CUBE_DIMENSIONS];
    struct hc_top_choice choice = {.leaf = settings->leaf, .by = by};
    (void)words;
    if (hc_report_options_check(&settings->report, &settings->common, err) ||
        hc_fail_on_check(&settings->report.fail_on, &hc_top_figures, err) ||
        hc_leaf_choice_check(settings->leaf, "--what", err) ||
        find_dimensions(settings->by, by, &choice.n, err))
        return err->status;
    enum hc_status status =
        hc_night_inputs_open(&inputs, &settings->night, &settings->archive, err);
    if (!status)
        status = load_and_report(settings, &inputs, &choice, err);
    hc_night_inputs_close(&inputs);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct top_settings, archive, hc_record_archive_options),
    HC_OPTION_GROUP(struct top_settings, range, hc_range_options),
    HC_OPTION_GROUP(struct top_settings, night, hc_night_options),
    {.name = "by",
     .kind = HC_OPTION_TEXT,
     .argument = "LIST",
     .target = offsetof(struct top_settings, by),
     .value = "cause,node,user",
     .help = "a ranking for each of these: cause, node, user, account, partition, size, run"},
    {.name = "what",
     .kind = HC_OPTION_TEXT,
     .argument = "LEAF",
     .target = offsetof(struct top_settings, leaf),
     .value = "lost",
     .help = "rank these leaves of the account: lost, one as lost_work or startup, "
             "startup.image/user for a reason, or all"},
    {.name = "rows",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct top_settings, rows),
     .value = "10",
     .low = 1,
     .high = 1e9,
     .help = "rows of each ranking of text and page"},
    HC_OPTION_GROUP(struct top_settings, report, hc_report_options),
    HC_OPTION_GROUP(struct top_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_top_lost = {
    .name = "top lost",
    .summary = "rank causes, nodes and users by the GPU-hours that they lost",
    .description =
        "Sums the account of GPU-time over some days: work lost and abandoned, start-up that "
        "failed, detection, localisation, recovery, and the start-up that is made again after a "
        "failure. Ranks it by cause, node, user, account, partition, size or run; each ranking "
        "sums to the same total, exactly. A node is charged for the time of its GPUs in jobs that "
        "lost it, whichever node failed.",
    .options = options,
    .examples =
        (const char *const[]){"hindcast top lost -a nightly --last 7d",
                              "hindcast top lost -a nightly --last 28d --by run --what lost_work",
                              NULL},
    .finding = "a condition of --fail-on holds",
    .settings_size = sizeof(struct top_settings),
    .run = run,
};
