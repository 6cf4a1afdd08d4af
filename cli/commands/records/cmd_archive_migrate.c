/* cmd_archive_migrate.c - `hindcast archive migrate`: older segments get the columns of today. */
#include "cli/commands/records/age_option.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "core/text/number_format.h"
#include "pipeline/ingest/segment_migrate.h"

#include <inttypes.h>
#include <stdio.h>

struct migrate_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    const char *older, *table, *cluster;
    bool is_dry;
};

struct session {
    FILE *stream;
    bool is_dry;
    int64_t n, n_refused, size_before, size_after;
};

static void on_segment(const struct hc_migrated_segment *segment, void *context)
{
    struct session *session = context;
    char before[HC_NUMBER_TEXT], after[HC_NUMBER_TEXT];
    char change[128] = "";
    if (segment->refusal)
        snprintf(change, sizeof change, ": stays: %s", segment->refusal);
    else if (!session->is_dry)
        snprintf(change, sizeof change, " now %s", hc_format_bytes(segment->size_after, after));
    hc_output_line(session->stream, "%s/%s%s%s (%s): %s%s", segment->cluster, segment->id,
                   *segment->day ? " " : "", segment->day, segment->table,
                   hc_format_bytes(segment->size_before, before), change);
    if (segment->refusal) {
        session->n_refused++;
        return;
    }
    session->n++;
    session->size_before += segment->size_before;
    session->size_after += segment->size_after;
}

static enum hc_status migrate_archive(struct session *session,
                                      const struct migrate_settings *settings, const char *before,
                                      struct hc_error *err)
{
    const struct hc_segment_migrate migrate = {.before = before,
                                               .table = settings->table,
                                               .cluster = settings->cluster,
                                               .is_dry = settings->is_dry,
                                               .done = on_segment,
                                               .context = session};
    if (hc_segment_migrate_run(hc_archive_path(&settings->archive), &migrate, err))
        return err->status;
    if (session->n == 0 && session->n_refused == 0)
        hc_output_line(session->stream, "every segment has the columns of today");
    else
        hc_output_line(session->stream, "%" PRId64 " segment%s %s; %" PRId64 " stay as they are",
                       session->n, session->n == 1 ? "" : "s",
                       settings->is_dry ? "would be written anew" : "written anew",
                       session->n_refused);
    if (session->n && !settings->is_dry)
        hc_output_line(session->stream, "'hindcast archive gc' removes what they replaced");
    return HC_OK;
}

static enum hc_status run(void *given, const struct hc_words *words, struct hc_error *err)
{
    const struct migrate_settings *settings = given;
    struct session session = {.is_dry = settings->is_dry};
    struct hc_output output;
    char before[HC_DAY_TEXT] = "";
    (void)words;
    if ((settings->older && hc_age_find_day(before, settings->older, err)) ||
        hc_output_open(&output, &settings->common, false, err))
        return err->status;
    session.stream = output.stream;
    return hc_output_end(
        &output, migrate_archive(&session, settings, settings->older ? before : NULL, err), err);
}

static const struct hc_option options[] = {
    {.name = "older",
     .kind = HC_OPTION_TEXT,
     .argument = "AGE",
     .target = offsetof(struct migrate_settings, older),
     .unset = "of any age",
     .help = "days and months of records before this day: '30d' is so many days ago, UTC; or a "
             "day, as 2026-01-31"},
    {.name = "table",
     .kind = HC_OPTION_TEXT,
     .argument = "TABLE",
     .target = offsetof(struct migrate_settings, table),
     .unset = "all",
     .help = "segments with this main table only, as jobs or ops"},
    {.name = "cluster",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct migrate_settings, cluster),
     .unset = "all",
     .help = "of this cluster only"},
    {.name = "dry-run",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct migrate_settings, is_dry),
     .help = "say which segments would be written, and change nothing"},
    HC_OPTION_GROUP(struct migrate_settings, archive, hc_written_archive_options),
    HC_OPTION_GROUP(struct migrate_settings, common, hc_plain_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_archive_migrate = {
    .name = "archive migrate",
    .summary = "write segments of an older schema anew with all columns of today",
    .description =
        "hindcast reads segments of its older versions as they are: what they lack is missing. "
        "This writes those that lack columns anew, for programs that read the files themselves, as "
        "h5py does. No fact is added: the columns that a source was not read for stay missing "
        "('check --stale' says which sources are worth another ingest). Each segment takes the "
        "place of the old one in one step; the old files stay until 'archive gc'.",
    .options = options,
    .examples = (const char *const[]){"hindcast archive migrate --dry-run -a nightly",
                                      "hindcast archive migrate --table jobs -a nightly", NULL},
    .settings_size = sizeof(struct migrate_settings),
    .run = run,
};
