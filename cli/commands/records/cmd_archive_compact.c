/* cmd_archive_compact.c - `hindcast archive compact`: months long over become a segment each. */
#include "cli/commands/records/age_option.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "core/text/number_format.h"
#include "pipeline/ingest/month_compact.h"

#include <inttypes.h>
#include <stdio.h>

struct compact_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    const char *older, *table, *cluster;
    bool is_dry;
};

struct session {
    FILE *stream;
    bool is_dry;
    int64_t n_months, n_days, size_before, size_after;
};

static void on_month(const struct hc_compacted_month *month, void *context)
{
    struct session *session = context;
    char rows[HC_NUMBER_TEXT], before[HC_NUMBER_TEXT], after[HC_NUMBER_TEXT];
    hc_format_count(month->n_rows, rows);
    hc_format_bytes(month->size_before, before);
    if (month->is_too_large) {
        hc_output_line(session->stream, "%s/%s %s: %" PRId64 " days, %s rows: stays by day",
                       month->cluster, month->table, month->month, month->n_days, rows);
        return;
    }
    session->n_months++;
    session->n_days += month->n_days;
    session->size_before += month->size_before;
    session->size_after += month->size_after;
    if (session->is_dry)
        hc_output_line(session->stream, "%s/%s %s: %" PRId64 " days, %s row%s, %s", month->cluster,
                       month->table, month->month, month->n_days, rows,
                       month->n_rows == 1 ? "" : "s", before);
    else
        hc_output_line(session->stream, "%s/%s %s: %" PRId64 " days, %s row%s, %s now %s",
                       month->cluster, month->table, month->month, month->n_days, rows,
                       month->n_rows == 1 ? "" : "s", before,
                       hc_format_bytes(month->size_after, after));
}

static enum hc_status compact_archive(struct session *session,
                                      const struct compact_settings *settings, const char *before,
                                      struct hc_error *err)
{
    char size[HC_NUMBER_TEXT], after[HC_NUMBER_TEXT];
    const struct hc_month_compact compact = {.before = before,
                                             .table = settings->table,
                                             .cluster = settings->cluster,
                                             .is_dry = settings->is_dry,
                                             .done = on_month,
                                             .context = session};
    if (hc_month_compact_run(hc_archive_path(&settings->archive), &compact, err))
        return err->status;
    hc_output_line(session->stream,
                   "%" PRId64 " segment%s of days, of months before %s, %s %" PRId64
                   " of a month each",
                   session->n_days, session->n_days == 1 ? "" : "s", before,
                   settings->is_dry ? "would become" : "became", session->n_months);
    if (session->n_months && !settings->is_dry)
        hc_output_line(session->stream,
                       "%s now take %s; 'hindcast archive gc' removes the segments of the days",
                       hc_format_bytes(session->size_before, size),
                       hc_format_bytes(session->size_after, after));
    return HC_OK;
}

static enum hc_status run(void *given, const struct hc_words *words, struct hc_error *err)
{
    const struct compact_settings *settings = given;
    struct session session = {.is_dry = settings->is_dry};
    struct hc_output output;
    char before[HC_DAY_TEXT];
    (void)words;
    if (hc_age_find_day(before, settings->older, err) || hc_age_check_table(settings->table, err) ||
        hc_output_open(&output, &settings->common, false, err))
        return err->status;
    session.stream = output.stream;
    return hc_output_end(&output, compact_archive(&session, settings, before, err), err);
}

static const struct hc_option options[] = {
    {.name = "older",
     .kind = HC_OPTION_TEXT,
     .argument = "AGE",
     .target = offsetof(struct compact_settings, older),
     .value = "30d",
     .help = "months that ended before this day: '30d' is so many days ago, UTC; or a day, as "
             "2026-01-31"},
    {.name = "table",
     .kind = HC_OPTION_TEXT,
     .argument = "TABLE",
     .target = offsetof(struct compact_settings, table),
     .unset = "all of records",
     .help = "of this table of records only, as events"},
    {.name = "cluster",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct compact_settings, cluster),
     .unset = "all",
     .help = "of this cluster only"},
    {.name = "dry-run",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct compact_settings, is_dry),
     .help = "say which months would be written, and change nothing"},
    HC_OPTION_GROUP(struct compact_settings, archive, hc_written_archive_options),
    HC_OPTION_GROUP(struct compact_settings, common, hc_plain_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_archive_compact = {
    .name = "archive compact",
    .summary = "write the days of months long over into a segment a month",
    .description =
        "Records (jobs, events, train_steps, ...) are kept in a segment a table, cluster and day. "
        "Of quiet days, most of such a file describes its columns; this writes the days of a month "
        "into one segment, with the same rows in the same order, so that every answer stays as it "
        "was. Months with more than 262,144 rows stay by day. The manifest names the month in "
        "place of its days in one step, so that the archive is whole whenever this is killed. The "
        "files of the days stay for readers that are at work, until 'archive gc'. What is ingested "
        "of such a month later is merged into it.",
    .options = options,
    .examples = (const char *const[]){"hindcast archive compact --dry-run -a nightly",
                                      "hindcast archive compact --older 90d -a nightly", NULL},
    .settings_size = sizeof(struct compact_settings),
    .run = run,
};
