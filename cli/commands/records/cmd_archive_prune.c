/* cmd_archive_prune.c - `hindcast archive prune`: records of days long gone leave the archive. */
#include "cli/commands/records/age_option.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "core/text/number_format.h"
#include "pipeline/kinds/kind.h"
#include "store/archive/archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct prune_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    const char *older, *table, *cluster;
    bool is_dry;
};

struct session {
    const struct prune_settings *settings;
    FILE *stream;
    char before[HC_DAY_TEXT]; /* days before this one go */
    int64_t n, n_rows, size;
};

/* ---- which ---- */

/* Whether all days of a segment, which is of a day or a month, are before a day. */
static bool is_before(const char *day, const char *before)
{
    char last_day[HC_DAY_TEXT + sizeof HC_LAST_DAY_OF_MONTH];
    snprintf(last_day, sizeof last_day, "%s%s", day, hc_is_month(day) ? HC_LAST_DAY_OF_MONTH : "");
    return strcmp(last_day, before) < 0;
}

static bool goes(const struct hc_manifest_entry *entry, void *context)
{
    const struct session *session = context;
    const struct prune_settings *settings = session->settings;
    const struct hc_kind *kind = hc_kind_find(entry->table);
    return kind && kind->records && entry->day[0] && is_before(entry->day, session->before) &&
           (!settings->table || strcmp(entry->table, settings->table) == 0) &&
           (!settings->cluster || strcmp(entry->cluster, settings->cluster) == 0);
}

static void on_removed(const struct hc_manifest_entry *entry, void *context)
{
    struct session *session = context;
    int64_t n_rows = hc_manifest_entry_rows(entry, hc_kind_find(entry->table)->tables[0]);
    char count[HC_NUMBER_TEXT];
    session->n++;
    session->n_rows += n_rows;
    session->size += entry->size;
    hc_output_line(session->stream, "%s/%s %s: %s row%s", entry->cluster, entry->table, entry->day,
                   hc_format_count(n_rows, count), n_rows == 1 ? "" : "s");
}

/* ---- the command ---- */

static enum hc_status prune_archive(struct session *session, struct hc_error *err)
{
    char rows[HC_NUMBER_TEXT], size[HC_NUMBER_TEXT];
    const struct hc_prune prune = {.goes = goes,
                                   .removed = on_removed,
                                   .context = session,
                                   .is_dry = session->settings->is_dry};
    if (hc_archive_prune(hc_archive_path(&session->settings->archive), &prune, err))
        return err->status;
    hc_output_line(session->stream, "%" PRId64 " segment%s of days before %s %s: %s row%s, %s",
                   session->n, session->n == 1 ? "" : "s", session->before,
                   session->settings->is_dry ? "would be removed" : "removed",
                   hc_format_count(session->n_rows, rows), session->n_rows == 1 ? "" : "s",
                   hc_format_bytes(session->size, size));
    return HC_OK;
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    struct session session = {.settings = settings};
    struct hc_output output;
    (void)words;
    if (!session.settings->older)
        return hc_fail(err, HC_USAGE, "nothing says what may go: add '--older 400d'");
    if (hc_age_find_day(session.before, session.settings->older, err) ||
        hc_age_check_table(session.settings->table, err) ||
        hc_output_open(&output, &session.settings->common, false, err))
        return err->status;
    session.stream = output.stream;
    return hc_output_end(&output, prune_archive(&session, err), err);
}

static const struct hc_option options[] = {
    {.name = "older",
     .kind = HC_OPTION_TEXT,
     .argument = "AGE",
     .target = offsetof(struct prune_settings, older),
     .help = "days before this one go: '400d' is so many days ago, UTC; or a day, as 2026-01-31; "
             "needed"},
    {.name = "table",
     .kind = HC_OPTION_TEXT,
     .argument = "TABLE",
     .target = offsetof(struct prune_settings, table),
     .unset = "all of records",
     .help = "of this table of records only, as events"},
    {.name = "cluster",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct prune_settings, cluster),
     .unset = "all",
     .help = "of this cluster only"},
    {.name = "dry-run",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct prune_settings, is_dry),
     .help = "say what would go, and change nothing"},
    HC_OPTION_GROUP(struct prune_settings, archive, hc_written_archive_options),
    HC_OPTION_GROUP(struct prune_settings, common, hc_plain_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_archive_prune = {
    .name = "archive prune",
    .summary = "remove records of days long gone from an archive",
    .description =
        "Removes whole days of tables of records (jobs, events, train_steps, ...), by the day that "
        "their key begins with: of a job, that of its submission. Timelines, profiles and lists of "
        "incidents stay, and a month that "
        "'archive compact' wrote goes with its last day. All days that go leave the archive at "
        "once; killed at any moment it is "
        "whole, and the same command again removes what is left of the files, which 'check "
        "--repair' would enter again. A source of a day "
        "that was removed brings it back when it is ingested again.",
    .options = options,
    .examples =
        (const char *const[]){"hindcast archive prune --older 400d --dry-run -a nightly",
                              "hindcast archive prune --older 90d --table train_steps -a nightly",
                              NULL},
    .settings_size = sizeof(struct prune_settings),
    .run = run,
};
