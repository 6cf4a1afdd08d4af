/* cmd_joins.c - `hindcast joins` and `hindcast runs propose`: two views of joined records. */
#include "cli/commands/records/run_list.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "pipeline/daily/join_input.h"
#include "pipeline/daily/recorded_input.h"
#include "reports/joins/joins_report.h"
#include "store/archive/archive.h"

#include <stdlib.h>

#define MOST_RUNS 25 /* of ls */

struct joins_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    const char *cluster, *site;
    int64_t top;
    int form; /* place in form_words */
};

static const char *const form_words[] = {"text", "csv", NULL};

/* What the two commands write in their own ways. */
struct view {
    const char *schema;
    bool with_timelines;
    enum hc_status (*text)(const struct hc_joins_report *report, FILE *stream,
                           struct hc_error *err);
    void (*csv)(const struct hc_joins_report *report, FILE *stream);
};

static enum hc_status write_report(const struct joins_settings *settings, const struct view *view,
                                   const struct hc_joins_report *report, struct hc_error *err)
{
    struct hc_output output;
    struct hc_json_writer json;
    if (hc_output_open(&output, &settings->common, false, err))
        return err->status;
    enum hc_status status = HC_OK;
    if (settings->common.json) {
        hc_output_json_start(&json, &output, view->schema);
        hc_joins_write_json(report, &json);
        status = hc_output_json_end(&json, &output, err);
    } else if (settings->form == 1) {
        view->csv(report, output.stream);
    } else {
        status = view->text(report, output.stream, err);
    }
    return hc_output_end(&output, status, err);
}

static enum hc_status run_view(const struct joins_settings *settings, const struct view *view,
                               struct hc_error *err)
{
    struct hc_archive *archive = NULL;
    struct hc_joins joins = {0};
    struct hc_recorded recorded = {0};
    if (settings->form && settings->common.json)
        return hc_fail(err, HC_USAGE, "--as %s and --json contradict each other",
                       form_words[settings->form]);
    if (hc_archive_open(&archive, hc_archive_path(&settings->archive), false, err))
        return err->status;
    struct hc_site site = {0};
    enum hc_status status = settings->site ? hc_site_open(&site, settings->site, err) : HC_OK;
    if (!status)
        status = hc_recorded_load(&recorded, NULL, archive, settings->cluster, err);
    if (!status)
        status = hc_joins_load(&joins,
                               &(struct hc_join_source){.archive = archive,
                                                        .cluster = settings->cluster,
                                                        .site = settings->site ? &site : NULL,
                                                        .recorded = &recorded,
                                                        .with_timelines = view->with_timelines},
                               err);
    if (!status && joins.n_cycles == 0 && joins.n_runs == 0 && joins.n_timelines == 0 &&
        recorded.n == 0)
        status = hc_fail(err, HC_BAD_INPUT,
                         "archive '%s' has no logs of training runs%s%s%s: ingest some first "
                         "(hindcast formats training-log)",
                         archive->path, settings->cluster ? " of cluster '" : "",
                         settings->cluster ? settings->cluster : "", settings->cluster ? "'" : "");
    if (!status)
        status = write_report(settings, view,
                              &(struct hc_joins_report){.joins = &joins,
                                                        .recorded = &recorded,
                                                        .archive = archive->path,
                                                        .cluster = settings->cluster,
                                                        .top = (size_t)settings->top},
                              err);
    hc_joins_fini(&joins);
    hc_recorded_fini(&recorded);
    if (settings->site)
        hc_site_close(&site);
    hc_archive_close(archive);
    return status;
}

static enum hc_status run_joins(void *settings, const struct hc_words *words, struct hc_error *err)
{
    static const struct view view = {"hindcast-joins", true, hc_joins_write_text,
                                     hc_joins_write_csv};
    (void)words;
    return run_view(settings, &view, err);
}

static const struct view runs_view = {"hindcast-runs", false, hc_runs_write_text,
                                      hc_runs_write_csv};

static enum hc_status run_runs(void *settings, const struct hc_words *words, struct hc_error *err)
{
    (void)words;
    return run_view(settings, &runs_view, err);
}

enum hc_status hc_run_list(const struct hc_run_list *list, struct hc_error *err)
{
    const struct joins_settings settings = {.common = *list->common,
                                            .archive = *list->archive,
                                            .cluster = list->cluster,
                                            .top = list->limit ? list->limit : MOST_RUNS};
    return run_view(&settings, &runs_view, err);
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct joins_settings, archive, hc_record_archive_options),
    {.name = "cluster",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct joins_settings, cluster),
     .unset = "all",
     .help = "join the records of this cluster"},
    {.name = "site",
     .kind = HC_OPTION_TEXT,
     .argument = "FILE",
     .target = offsetof(struct joins_settings, site),
     .unset = "no rules",
     .help = "a site file, whose rules name the runs of attempts"},
    {.name = "top",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct joins_settings, top),
     .value = "20",
     .low = 1,
     .high = 1e9,
     .help = "rows of the table of the text"},
    {.name = "as",
     .kind = HC_OPTION_CHOICE,
     .argument = "FORM",
     .target = offsetof(struct joins_settings, form),
     .value = "text",
     .choices = form_words,
     .help = "text, or csv with a row each of all there are"},
    HC_OPTION_GROUP(struct joins_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_joins = {
    .name = "joins",
    .summary = "say which logs of training belong to which jobs, and which do not join",
    .description =
        "Joins each launch of training that a log tells of (a cycle) to the attempt of the "
        "scheduler that it belongs to: by the path that the record gives (StdOut, StdErr), else by "
        "the work directory, else by the number in the log's name; of several by the time. What "
        "matches nothing, several, or a job that did not run then is listed. Timelines join "
        "likewise, where their times are of the calendar. Recorded incidents join by the job that "
        "they name, else by node and time, else by partition or cluster. The times of logs and of "
        "the scheduler bound by how much their clocks differ.",
    .options = options,
    .examples = (const char *const[]){"hindcast joins -a nightly",
                                      "hindcast joins -a nightly --as csv -o cycles.csv", NULL},
    .settings_size = sizeof(struct joins_settings),
    .run = run_joins,
};

const struct hc_command hc_command_runs_propose = {
    .name = "runs propose",
    .summary = "group attempts into training runs by the checkpoints that they wrote and loaded",
    .description =
        "Lists the runs that the rules of a site file name, and for the others those that the logs "
        "of "
        "training show: an attempt that loads what another wrote "
        "continues its run; where the other goes on beside it, had come to its end, or the new one "
        "saves elsewhere from an older checkpoint, it is a fork, a run of its own. Attempts under "
        "one number of the scheduler are one run. Cycles that began from a checkpoint of which no "
        "log tells are counted: logs or attempts are missing there.",
    .options = options,
    .examples = (const char *const[]){"hindcast runs propose -a nightly",
                                      "hindcast runs propose -a nightly --json", NULL},
    .settings_size = sizeof(struct joins_settings),
    .run = run_runs,
};
