#include "pipeline/ingest/month_compact.h"

#include "core/base/digest.h"
#include "core/base/memory.h"
#include "pipeline/ingest/held_day.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MONTH_LENGTH 7

/* A month, and its days while it is written: until it is published, since then the archive has its
 * entries anew. */
struct month {
    const struct hc_kind *kind;
    char *cluster;
    struct hc_compacted_month said;
    size_t n;
    const struct hc_manifest_entry **days;
};

struct compaction {
    const struct hc_month_compact *settings;
    struct hc_archive *archive;
    size_t n_months, capacity;
    struct month *months;
};

/* ---- which ---- */

static bool is_wanted(const struct compaction *compaction, const struct hc_manifest_entry *entry)
{
    const struct hc_month_compact *settings = compaction->settings;
    const struct hc_kind *kind = hc_kind_find(entry->table);
    char last_day[HC_DAY_TEXT];
    if (!kind || !kind->records || !hc_is_day(entry->day))
        return false;
    snprintf(last_day, sizeof last_day, "%.*s%s", MONTH_LENGTH, entry->day, HC_LAST_DAY_OF_MONTH);
    return strcmp(last_day, settings->before) < 0 &&
           (!settings->table || strcmp(settings->table, entry->table) == 0) &&
           (!settings->cluster || strcmp(settings->cluster, entry->cluster) == 0);
}

static bool is_of(const struct month *month, const struct hc_manifest_entry *entry)
{
    return strcmp(entry->cluster, month->cluster) == 0 &&
           strcmp(entry->job_id, month->kind->name) == 0 &&
           strcmp(entry->table, month->said.table) == 0 &&
           hc_month_has_day(month->said.month, entry->day);
}

static enum hc_status add_month(struct compaction *compaction,
                                const struct hc_manifest_entry *entry, struct hc_error *err)
{
    if (hc_reserve(&compaction->months, &compaction->capacity, compaction->n_months + 1,
                   sizeof *compaction->months, err))
        return err->status;
    struct month *month = &compaction->months[compaction->n_months];
    *month = (struct month){.kind = hc_kind_find(entry->table),
                            .cluster = hc_copy_text(entry->cluster, err)};
    if (!month->cluster)
        return err->status;
    month->said.cluster = month->cluster;
    month->said.table = month->kind->tables[0]->name;
    snprintf(month->said.month, sizeof month->said.month, "%.*s", MONTH_LENGTH, entry->day);
    compaction->n_months++;
    return HC_OK;
}

/* The entries of one table and cluster are neighbours, in order of their days. */
static enum hc_status find_months(struct compaction *compaction, struct hc_error *err)
{
    const struct hc_archive *archive = compaction->archive;
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        if (!is_wanted(compaction, entry))
            continue;
        size_t n = compaction->n_months;
        if ((n == 0 || !is_of(&compaction->months[n - 1], entry)) &&
            add_month(compaction, entry, err))
            return err->status;
        struct month *last = &compaction->months[compaction->n_months - 1];
        last->said.n_days++;
        last->said.n_rows += hc_manifest_entry_rows(entry, last->kind->tables[0]);
        last->said.size_before += entry->size;
        last->said.is_too_large = last->said.n_rows > HC_COMPACT_MOST_ROWS;
    }
    return HC_OK;
}

static enum hc_status find_days(const struct compaction *compaction, struct month *month,
                                struct hc_error *err)
{
    const struct hc_archive *archive = compaction->archive;
    month->days = hc_new_array((size_t)month->said.n_days, sizeof(void *), err);
    for (size_t i = 0; month->days && i < archive->n_entries; i++)
        if (is_of(month, &archive->entries[i]))
            month->days[month->n++] = &archive->entries[i];
    return err->status;
}

static void compaction_fini(struct compaction *compaction)
{
    for (size_t i = 0; i < compaction->n_months; i++) {
        free(compaction->months[i].cluster);
        free(compaction->months[i].days);
    }
    free(compaction->months);
}

/* ---- one month ---- */

/* The month as it is being written. */
struct writing {
    struct hc_table rows;
    struct hc_table_names names;
};

/* Append the rows of a day, whose keys are all later than those before. */
static enum hc_status append_day(const struct compaction *compaction, const struct month *month,
                                 size_t at, struct writing *writing, struct hc_error *err)
{
    struct hc_held_day held = {0};
    const struct hc_table nothing = {.def = month->kind->tables[0]};
    const struct hc_table_names no_names = {0};
    enum hc_status status =
        hc_held_day_load(&held, compaction->archive, month->days[at], month->kind, err);
    if (!status)
        status = hc_table_reserve(&writing->rows, writing->rows.n_rows + held.table.n_rows, err);
    struct hc_day_merge merge = {
        .kind = month->kind,
        .held = {.table = &held.table, .names = &held.names, .maps = held.maps},
        .batch = {.table = &nothing, .names = &no_names},
        .merged = &writing->rows,
        .names = &writing->names,
        .group = 1};
    if (!status)
        status = hc_day_merge_run(&merge, NULL, 0, err);
    hc_held_day_fini(&held);
    return status;
}

/* A month is of the sources of its days, of which the last day's stands for all; its digest is
 * theirs. */
static enum hc_status say_source(const struct compaction *compaction, const struct month *month,
                                 struct hc_archive_ingest *ingest, const struct hc_job *job,
                                 struct hc_error *err)
{
    char sha256[HC_DIGEST_TEXT];
    struct hc_segment *segment = NULL;
    size_t size = month->n * HC_DIGEST_TEXT + 1, length = 0;
    char *history = hc_new_array(size, 1, err);
    if (!history)
        return err->status;
    for (size_t i = 0; i < month->n; i++)
        length += (size_t)snprintf(history + length, size - length, "%s\n", month->days[i]->sha256);
    hc_digest_bytes(history, length, sha256);
    free(history);
    if (hc_archive_open_segment(compaction->archive, month->days[month->n - 1], &segment, err))
        return err->status;
    struct hc_provenance provenance = *hc_segment_provenance(segment);
    memcpy(provenance.source_sha256, sha256, sizeof sha256);
    provenance.tool_version = NULL; /* this one */
    enum hc_status status = hc_archive_ingest_finish(ingest, job, &provenance, err);
    hc_segment_close(segment);
    return status;
}

static enum hc_status publish(struct month *month, struct hc_archive *archive,
                              struct hc_archive_ingest *ingest, const struct hc_job *job,
                              struct hc_error *err)
{
    bool replaced = false;
    const struct hc_ingest_set set = {1, &ingest, &replaced};
    if (hc_archive_ingest_publish(&set, err))
        return err->status;
    const struct hc_manifest_entry *entry =
        hc_held_day_find(archive, month->kind, job->cluster, job->day);
    month->said.size_after = entry ? entry->size : 0;
    return HC_OK;
}

static enum hc_status write_month(const struct compaction *compaction, struct month *month,
                                  struct writing *writing, const struct hc_job *job,
                                  struct hc_error *err)
{
    struct hc_archive_ingest *ingest = NULL;
    if (hc_archive_ingest_begin(&ingest, compaction->archive, true, err))
        return err->status;
    struct hc_segment_writer *writer = hc_archive_ingest_writer(ingest);
    enum hc_status status = hc_held_day_begin(writer, &writing->names, err);
    if (!status)
        status = hc_segment_writer_take(writer, &writing->rows, err);
    if (!status)
        status = say_source(compaction, month, ingest, job, err);
    if (!status)
        return publish(month, compaction->archive, ingest, job, err);
    hc_archive_ingest_abort(ingest);
    return status;
}

static enum hc_status name_month(const struct month *month, struct hc_job *job,
                                 struct hc_error *err)
{
    if (hc_job_init(job, month->kind->name, err))
        return err->status;
    free(job->cluster);
    job->cluster = hc_copy_text(month->said.cluster, err);
    memcpy(job->day, month->said.month, sizeof job->day);
    if (!job->cluster)
        hc_job_fini(job);
    return err->status;
}

static enum hc_status compact_month(const struct compaction *compaction, struct month *month,
                                    struct hc_error *err)
{
    struct writing writing = {.rows.def = month->kind->tables[0]};
    struct hc_job job;
    if (name_month(month, &job, err))
        return err->status;
    enum hc_status status = find_days(compaction, month, err);
    if (!status)
        status = hc_kind_start_names(month->kind, false, &writing.names, err);
    for (size_t i = 0; i < month->n && !status; i++)
        status = append_day(compaction, month, i, &writing, err);
    if (!status)
        status = write_month(compaction, month, &writing, &job, err);
    hc_table_fini(&writing.rows);
    hc_table_names_fini(&writing.names);
    hc_job_fini(&job);
    return status;
}

/* ---- all ---- */

static enum hc_status compact_all(struct compaction *compaction, struct hc_error *err)
{
    const struct hc_month_compact *settings = compaction->settings;
    enum hc_status status = find_months(compaction, err);
    for (size_t i = 0; i < compaction->n_months && !status; i++) {
        struct month *month = &compaction->months[i];
        if (month->said.n_days < 2)
            continue;
        if (!settings->is_dry && !month->said.is_too_large)
            status = compact_month(compaction, month, err);
        if (!status)
            settings->done(&month->said, settings->context);
    }
    return status;
}

enum hc_status hc_month_compact_run(const char *path, const struct hc_month_compact *compact,
                                    struct hc_error *err)
{
    struct compaction compaction = {.settings = compact};
    int lock = -1;
    if (hc_archive_open(&compaction.archive, path, false, err))
        return err->status;
    enum hc_status status = hc_archive_lock_records(compaction.archive, &lock, err);
    if (!status && compaction.archive->newer)
        status = hc_fail(err, HC_BAD_INPUT,
                         "archive '%s' was written by a newer hindcast: this one can read it, but "
                         "not rewrite it",
                         path);
    if (!status)
        status = compact_all(&compaction, err);
    if (lock >= 0)
        close(lock);
    compaction_fini(&compaction);
    hc_archive_close(compaction.archive);
    return status;
}
