/* cmd_archive_rm.c - `hindcast archive rm`: jobs, and days of records, leave the archive. */
#include "cli/commands/records/age_option.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/choice_options.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/number_format.h"
#include "core/text/text_stream.h"
#include "pipeline/choice/entry_dates.h"
#include "store/archive/archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rm_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_choice_options choice;
    const char *table;
    bool yes;
};

struct wanted_name {
    struct hc_entry_name name;
    bool is_found; /* whatever its date */
};

struct session {
    const struct rm_settings *settings;
    struct hc_archive *archive; /* as it was before */
    int64_t bounds_ns[2];
    size_t n_names;
    struct wanted_name *names;
    FILE *stream;
    int64_t n, size, n_undated, n_unreadable, n_in_part;
};

/* ---- which ---- */

static bool has_bounds(const struct session *session)
{
    return session->bounds_ns[0] != INT64_MIN || session->bounds_ns[1] != INT64_MAX;
}

static bool is_named(struct session *session, const struct hc_manifest_entry *entry)
{
    bool is_one = session->n_names == 0;
    for (size_t i = 0; i < session->n_names; i++)
        if (hc_entry_has_name(entry, &session->names[i].name))
            is_one = session->names[i].is_found = true;
    return is_one;
}

/* Whether all of it lies in the time: what does in part is more than was asked to go. */
static bool is_of_time(struct session *session, const struct hc_manifest_entry *entry)
{
    struct hc_entry_dates dates;
    struct hc_error why;
    if (!has_bounds(session))
        return true;
    enum hc_status status = hc_entry_dates_find(&dates, session->archive, entry, &why);
    if (status || dates.first_ns == HC_MISSING_I64) {
        bool is_refused = status == HC_IO || status == HC_INTERNAL;
        session->n_unreadable += is_refused;
        session->n_undated += !is_refused;
        return false;
    }
    int64_t last_ns =
        dates.last_ns - (entry->day[0] != '\0'); /* a day ends where the next begins */
    if (dates.first_ns >= session->bounds_ns[0] && last_ns < session->bounds_ns[1])
        return true;
    session->n_in_part +=
        dates.first_ns < session->bounds_ns[1] && last_ns >= session->bounds_ns[0];
    return false;
}

static bool goes(const struct hc_manifest_entry *entry, void *context)
{
    struct session *session = context;
    const struct rm_settings *settings = session->settings;
    return (!settings->choice.cluster || strcmp(entry->cluster, settings->choice.cluster) == 0) &&
           (!settings->table || strcmp(entry->table, settings->table) == 0) &&
           is_named(session, entry) && is_of_time(session, entry);
}

static void on_removed(const struct hc_manifest_entry *entry, void *context)
{
    struct session *session = context;
    char what[64], rows[HC_NUMBER_TEXT], size[HC_NUMBER_TEXT];
    int64_t n_rows = hc_table_counts_rows(&entry->tables, entry->table);
    session->n++;
    session->size += entry->size;
    bool is_left_over = !entry->sha256[0]; /* the manifest does not name it (hc_archive_prune) */
    if (entry->day[0])
        snprintf(what, sizeof what, " %s", entry->day);
    else if (entry->of_rank != HC_MISSING_I32)
        snprintf(what, sizeof what, "#%d rank %d", (int)entry->attempt, (int)entry->of_rank);
    else
        snprintf(what, sizeof what, "#%d", (int)entry->attempt);
    hc_format_bytes(entry->size, size);
    if (is_left_over)
        hc_output_line(session->stream, "%s/%s%s: a file that the manifest names no more, %s",
                       entry->cluster, entry->job_id, what, size);
    else
        hc_output_line(session->stream, "%s/%s%s: %s row%s of %s, %s", entry->cluster,
                       entry->job_id, what, hc_format_count(n_rows, rows), n_rows == 1 ? "" : "s",
                       entry->table, size);
}

/* ---- what is said ---- */

/* Why a name means nothing: no job has it, or it is the start of one, which is too little here. */
static enum hc_status fail_name(const struct session *session, const char *name,
                                struct hc_error *err)
{
    bool *is_chosen = hc_new_array(session->archive->n_entries + 1, sizeof *is_chosen, err);
    if (!is_chosen)
        return err->status;
    const struct hc_archive_choice choice = {.name = name,
                                             .table = session->settings->table,
                                             .cluster = session->settings->choice.cluster};
    enum hc_status status = hc_archive_choose(session->archive, &choice, is_chosen, err);
    for (size_t i = 0; i < session->archive->n_entries && !status; i++)
        if (is_chosen[i] && session->archive->entries[i].day[0])
            status = hc_fail(err, HC_USAGE,
                             "'%.200s' lies in '%.100s/%.100s#%s', which goes as a whole or not at "
                             "all: name that",
                             name, session->archive->entries[i].cluster,
                             session->archive->entries[i].job_id, session->archive->entries[i].day);
        else if (is_chosen[i])
            status = hc_fail(err, HC_USAGE,
                             "'%.200s' is the start of '%.100s/%.100s', and what goes has to be "
                             "named whole, or by a pattern, as '%.200s*'",
                             name, session->archive->entries[i].cluster,
                             session->archive->entries[i].job_id, name);
    free(is_chosen);
    return status;
}

/* A name that means nothing is an error where nothing else does, and else a warning: the same
 * command again clears what one that was killed has left of the others. */
static enum hc_status tell_names(const struct session *session, struct hc_error *err)
{
    struct hc_error why = {0};
    for (size_t i = 0; i < session->n_names; i++) {
        if (session->names[i].is_found || !fail_name(session, session->names[i].name.text, &why))
            continue;
        if (session->n == 0) {
            *err = why;
            return err->status;
        }
        hc_warn("%s", why.message);
    }
    return HC_OK;
}

static enum hc_status tell_nothing(const struct session *session, struct hc_error *err)
{
    if (session->n)
        return HC_OK;
    return hc_fail(err, HC_USAGE,
                   "nothing of archive '%s' is meant: 'hindcast ls' lists what it has",
                   session->archive->path);
}

static void tell_left(const struct session *session)
{
    if (session->n_undated)
        hc_warn("segments without dates, which stay: %" PRId64, session->n_undated);
    if (session->n_in_part)
        hc_warn("jobs, days or months that lie in this time in part only, and stay: %" PRId64,
                session->n_in_part);
}

/* ---- the command ---- */

/* What goes is told when the archive is free again: whoever reads it, as a pager, may take as long
 * as he likes. It is told after an error, too. */
static enum hc_status list_removed(struct session *session, const struct hc_prune *prune,
                                   struct hc_error *err)
{
    FILE *stream = session->stream;
    char *lines = NULL;
    size_t length = 0;
    struct hc_error no_list;
    session->stream = hc_text_stream(&lines, &length, err);
    if (!session->stream)
        return err->status;
    hc_archive_end_reading(session->archive);
    enum hc_status status = hc_archive_prune(session->archive->path, prune, err);
    if (hc_text_stream_end(session->stream, &lines, HC_OK, &no_list) && !status) {
        *err = no_list;
        status = err->status;
    }
    session->stream = stream;
    if (lines)
        fwrite(lines, 1, length, stream);
    free(lines);
    return status;
}

static enum hc_status remove_chosen(struct session *session, struct hc_error *err)
{
    char size[HC_NUMBER_TEXT];
    bool is_dry = !session->settings->yes;
    const struct hc_prune prune = {.goes = goes,
                                   .removed = on_removed,
                                   .context = session,
                                   .is_dry = is_dry,
                                   .sweeps_results = true};
    if (list_removed(session, &prune, err))
        return err->status;
    tell_left(session);
    if (session->n_unreadable)
        return hc_fail(err, HC_IO,
                       "%" PRId64
                       " segments could not be read for their dates, and stay; what else "
                       "was meant is done: the same command again does the rest",
                       session->n_unreadable);
    if (tell_names(session, err) || tell_nothing(session, err))
        return err->status;
    hc_output_line(session->stream, "%" PRId64 " segment%s, %s, %s", session->n,
                   session->n == 1 ? "" : "s", hc_format_bytes(session->size, size),
                   is_dry ? "would be removed: add --yes to remove them" : "removed");
    return HC_OK;
}

/* A name without its cluster is one job, unless it is a pattern: what is in two clusters is to be
 * said. */
static enum hc_status check_cluster(const struct session *session, const struct hc_entry_name *name,
                                    struct hc_error *err)
{
    const struct rm_settings *settings = session->settings;
    const struct hc_manifest_entry *first = NULL;
    for (size_t i = 0; i < session->archive->n_entries && !hc_is_job_pattern(name->text); i++) {
        const struct hc_manifest_entry *entry = &session->archive->entries[i];
        if ((settings->choice.cluster && strcmp(entry->cluster, settings->choice.cluster) != 0) ||
            (settings->table && strcmp(entry->table, settings->table) != 0) ||
            !hc_entry_has_name(entry, name))
            continue;
        if (first && strcmp(first->cluster, entry->cluster) != 0)
            return hc_fail(err, HC_USAGE,
                           "'%.200s' is in the clusters '%.100s' and '%.100s': say which with "
                           "--cluster, or by "
                           "a name as '%.100s/%.200s'",
                           name->text, first->cluster, entry->cluster, first->cluster, name->text);
        first = entry;
    }
    return HC_OK;
}

static enum hc_status read_names(struct session *session, const struct hc_words *words,
                                 struct hc_error *err)
{
    session->names = hc_new_array(words->n, sizeof *session->names, err);
    if (!session->names)
        return err->status;
    for (; session->n_names < words->n; session->n_names++) {
        struct hc_entry_name *name = &session->names[session->n_names].name;
        hc_entry_name_init(name, session->archive, words->word[session->n_names]);
        if (check_cluster(session, name, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status check(const struct rm_settings *settings, const struct hc_words *words,
                            struct hc_error *err)
{
    if (words->n || settings->table || hc_choice_is_given(&settings->choice))
        return HC_OK;
    return hc_fail(err, HC_USAGE,
                   "nothing says what may go: name jobs, as 'llama-*', or --cluster, --since, "
                   "--until, --table");
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    struct session session = {.settings = settings};
    const struct rm_settings *rm = settings;
    struct hc_archive *archive = NULL;
    struct hc_output output;
    if (check(rm, words, err) || hc_choice_bounds(session.bounds_ns, &rm->choice, err) ||
        hc_archive_open(&archive, hc_archive_path(&rm->archive), false, err))
        return err->status;
    session.archive = archive;
    enum hc_status status = read_names(&session, words, err);
    if (!status)
        status = hc_output_open(&output, &rm->common, false, err);
    if (!status) {
        session.stream = output.stream;
        status = hc_output_end(&output, remove_chosen(&session, err), err);
    }
    free(session.names);
    hc_archive_close(archive);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct rm_settings, choice, hc_choice_options),
    {.name = "table",
     .kind = HC_OPTION_TEXT,
     .argument = "TABLE",
     .target = offsetof(struct rm_settings, table),
     .unset = "all",
     .help = "what has this main table only, as ops, events or jobs"},
    {.name = "yes",
     .letter = 'y',
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct rm_settings, yes),
     .help = "remove them; without it, what would go is listed, and nothing is changed"},
    HC_OPTION_GROUP(struct rm_settings, archive, hc_written_archive_options),
    HC_OPTION_GROUP(struct rm_settings, common, hc_plain_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"JOB",
     "what goes: every attempt of a job (cluster/id, or id; id#2 is attempt 2 alone), days of "
     "records "
     "(cluster/jobs#2026-03-01), or all that match a pattern, as 'llama-*'; no start of a name",
     0, 0},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_archive_rm = {
    .name = "archive rm",
    .summary = "remove jobs, or days of records, from an archive",
    .description =
        "Lists what the names and options mean, and with --yes removes it: every attempt and rank "
        "of a job; of records, whole days and months. With --since and --until only what lies in "
        "that time as a whole goes. All leave the archive at once, "
        "before any file does, so that a kill at any moment leaves it whole; the same command "
        "again "
        "removes files that are left then, which 'check --repair' would enter again. Results that "
        "are kept of what is gone go, too, so that no report has it any more; reports that were "
        "written are files of their own. A file that another command still reads stays on the disk "
        "under another name, until the next ingest or 'archive gc' after that.\n"
        "A source that is ingested again brings its jobs and days back. An ingest of a site file "
        "passes over files that it has read and that are as they were, so that what was removed "
        "stays removed; name such a file, as in 'hindcast ingest FILE', to have its rows again.",
    .options = options,
    .positionals = positionals,
    .examples =
        (const char *const[]){"hindcast archive rm 'test-*' -a nightly",
                              "hindcast archive rm 'test-*' -a nightly --yes",
                              "hindcast archive rm --cluster old --until 2025-12-31 -a nightly",
                              NULL},
    .settings_size = sizeof(struct rm_settings),
    .run = run,
};
