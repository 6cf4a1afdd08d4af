/* cmd_ls.c - `hindcast ls`: what an archive holds, or rows of one of its tables. */
#include "cli/commands/records/run_list.h"
#include "cli/commands/records/table_list.h"
#include "cli/frame/columns.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "core/base/memory.h"
#include "core/text/number_format.h"
#include "pipeline/kinds/kind.h"
#include "pipeline/records/archive_records.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct ls_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    const char *where, *columns, *cluster;
    int64_t limit;
};

#define MOST_TABLES 10 /* that have a column; --json has all */

/* The tables of which the rows are listed: those of the kinds that the archive holds (of an empty
 * one, of the first kind), the main one of a kind last; then main tables of kinds that are not
 * known here. */
struct listing {
    size_t n;
    const char *table[MOST_TABLES];
};

static void list_table(struct listing *listing, const char *table)
{
    for (size_t i = 0; i < listing->n; i++)
        if (strcmp(listing->table[i], table) == 0)
            return;
    if (listing->n < MOST_TABLES)
        listing->table[listing->n++] = table;
}

static void list_kind(struct listing *listing, const struct hc_kind *kind)
{
    size_t n = 0;
    while (kind->tables[n] && (!kind->n_listed || n < kind->n_listed))
        n++;
    while (n > 0)
        list_table(listing, kind->tables[--n]->name);
}

static bool holds(const struct hc_archive *archive, const struct hc_kind *kind)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        if (hc_manifest_entry_is(&archive->entries[i], kind->tables[0]))
            return true;
    return false;
}

static struct listing list_tables(const struct hc_archive *archive)
{
    struct listing listing = {.n = 0};
    for (size_t i = 0; hc_kind_rows[i]; i++)
        if (holds(archive, hc_kind_rows[i]) || (i == 0 && archive->n_entries == 0))
            list_kind(&listing, hc_kind_rows[i]);
    for (size_t i = 0; i < archive->n_entries; i++)
        if (!hc_kind_find(archive->entries[i].table))
            list_table(&listing, archive->entries[i].table);
    return listing;
}

/* Of a job, the segment that it has, or those of its ranks. */
struct recording {
    const struct hc_manifest_entry *entry; /* the first */
    size_t n;
};

static enum hc_status add_rows(struct hc_columns *columns, const struct recording *recording,
                               const char *table, struct hc_error *err)
{
    int64_t n_rows = 0;
    bool is_known = false;
    for (size_t e = 0; e < recording->n; e++) {
        const struct hc_table_counts *tables = &recording->entry[e].tables;
        for (size_t i = 0; i < tables->n; i++)
            if (strcmp(tables->list[i].table, table) == 0 &&
                tables->list[i].n_rows != HC_MISSING_I64) {
                n_rows += tables->list[i].n_rows;
                is_known = true;
            }
    }
    return is_known ? hc_columns_add_count(columns, n_rows, err)
                    : hc_columns_add(columns, NULL, err);
}

/* "0", "0, 8 ranks", or the day. */
static enum hc_status add_attempt(struct hc_columns *columns, const struct recording *recording,
                                  struct hc_error *err)
{
    const struct hc_manifest_entry *entry = recording->entry;
    char text[64];
    if (entry->day[0])
        return hc_columns_add(columns, entry->day, err);
    if (entry->of_rank == HC_MISSING_I32)
        return hc_columns_add_count(columns, entry->attempt, err);
    snprintf(text, sizeof text, "%d, %zu rank%s", (int)entry->attempt, recording->n,
             recording->n == 1 ? "" : "s");
    return hc_columns_add(columns, text, err);
}

static int64_t size_of(const struct recording *recording)
{
    int64_t size = 0;
    for (size_t e = 0; e < recording->n; e++)
        size += recording->entry[e].size;
    return size;
}

static enum hc_status add_recording(struct hc_columns *columns, const struct recording *recording,
                                    const struct listing *listing, struct hc_error *err)
{
    char size[HC_NUMBER_TEXT];
    const struct hc_manifest_entry *entry = recording->entry;
    char *name = hc_new_text(err, "%s/%s", entry->cluster, entry->job_id);
    enum hc_status status = name ? hc_columns_add(columns, name, err) : err->status;
    free(name);
    if (status == HC_OK)
        status = add_attempt(columns, recording, err);
    for (size_t i = 0; i < listing->n && status == HC_OK; i++)
        status = add_rows(columns, recording, listing->table[i], err);
    if (status == HC_OK)
        status = hc_columns_add(columns, hc_format_bytes(size_of(recording), size), err);
    if (status == HC_OK)
        status = hc_columns_add(columns, entry->format, err);
    return status;
}

static enum hc_status add_titles(struct hc_columns *columns, const struct listing *listing,
                                 struct hc_error *err)
{
    if (hc_columns_add(columns, "JOB", err) || hc_columns_add(columns, "ATTEMPT", err))
        return err->status;
    for (size_t i = 0; i < listing->n; i++) {
        char title[64];
        snprintf(title, sizeof title, "%s", listing->table[i]);
        for (char *c = title; *c; c++)
            *c = (char)toupper((unsigned char)*c);
        if (hc_columns_add(columns, title, err))
            return err->status;
    }
    return hc_columns_add(columns, "SIZE", err) ? err->status
                                                : hc_columns_add(columns, "FORMAT", err);
}

static enum hc_status write_text(FILE *stream, const struct hc_archive *archive,
                                 struct hc_error *err)
{
    const struct listing listing = list_tables(archive);
    size_t n_columns = listing.n + 4;
    /* All but the name of the job and the format are numbers. */
    struct hc_columns columns = {.n_columns = n_columns, .right = (1U << (n_columns - 1)) - 2};
    enum hc_status status = add_titles(&columns, &listing, err);
    for (size_t i = 0; i < archive->n_entries && status == HC_OK;) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        const struct recording recording = {entry, hc_archive_n_ranks(archive, entry)};
        status = add_recording(&columns, &recording, &listing, err);
        i += recording.n;
    }
    if (status == HC_OK)
        hc_columns_print(&columns, stream, 0);
    hc_columns_fini(&columns);
    return status;
}

/* ---- JSON ---- */

static enum hc_status write_json(const struct hc_output *output, const struct hc_archive *archive,
                                 struct hc_error *err)
{
    struct hc_json_writer json;
    hc_output_json_start(&json, output, "hindcast-ls");
    hc_record_members(&json, &hc_archive_record, &(struct hc_item){.record = archive});
    return hc_output_json_end(&json, output, err);
}

static enum hc_status list_archive(const struct ls_settings *ls, struct hc_error *err)
{
    struct hc_archive *archive = NULL;
    struct hc_output output;
    if (ls->where || ls->columns || ls->cluster || ls->limit)
        return hc_fail(err, HC_USAGE,
                       "--where, --columns, --cluster and --limit are of the rows of a table: name "
                       "one, as in 'hindcast ls jobs'");
    if (hc_archive_open(&archive, hc_archive_path(&ls->archive), false, err))
        return err->status;
    enum hc_status status = hc_output_open(&output, &ls->common, false, err);
    if (status == HC_OK) {
        status = ls->common.json ? write_json(&output, archive, err)
                                 : write_text(output.stream, archive, err);
        status = hc_output_end(&output, status, err);
    }
    hc_archive_close(archive);
    return status;
}

/* Runs are no table: they are what the rows of several join to. */
static enum hc_status list_runs(const struct ls_settings *ls, struct hc_error *err)
{
    if (ls->where || ls->columns)
        return hc_fail(err, HC_USAGE,
                       "'ls runs' has no %s: 'hindcast runs propose --as csv' writes all of them",
                       ls->where ? "--where" : "--columns");
    const struct hc_run_list list = {
        .common = &ls->common, .archive = &ls->archive, .cluster = ls->cluster, .limit = ls->limit};
    return hc_run_list(&list, err);
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct ls_settings *ls = settings;
    if (words->n == 0)
        return list_archive(ls, err);
    if (strcmp(words->word[0], "runs") == 0)
        return list_runs(ls, err);
    if (ls->common.json)
        return hc_fail(err, HC_USAGE,
                       "rows are many: 'hindcast query %.80s --as jsonl' writes an object a line",
                       words->word[0]);
    const struct hc_table_list list = {.archive = hc_archive_path(&ls->archive),
                                       .common = &ls->common,
                                       .words = {words->word[0], ls->where, ls->columns},
                                       .cluster = ls->cluster,
                                       .limit = ls->limit};
    return hc_table_list(&list, err);
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct ls_settings, archive, hc_archive_options),
    {.name = "where",
     .kind = HC_OPTION_TEXT,
     .argument = "CONDITION",
     .target = offsetof(struct ls_settings, where),
     .unset = "every row",
     .help = "of a table: rows that are wanted, as that of query"},
    {.name = "columns",
     .kind = HC_OPTION_TEXT,
     .argument = "COLUMN,...",
     .target = offsetof(struct ls_settings, columns),
     .unset = "those that tell most",
     .help = "of a table: columns that are shown"},
    {.name = "cluster",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct ls_settings, cluster),
     .unset = "all",
     .help = "of a table: look at this cluster only"},
    {.name = "limit",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct ls_settings, limit),
     .unset = "25",
     .low = 1,
     .high = 1e15,
     .help = "of a table: show at most so many rows"},
    HC_OPTION_GROUP(struct ls_settings, common, hc_common_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"TABLE",
     "a table of records, as jobs, runs, nodes, incidents, events; none: list what there is", 0, 1},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_ls = {
    .name = "ls",
    .summary = "list the jobs of an archive, or the rows of a table",
    .description =
        "Without TABLE, a line for each job, and for each day of records, of the archive. With "
        "TABLE, its rows by cluster, day and key, with the columns that tell most; nodes stands "
        "for node_states, and runs for the training runs that attempts and logs join to. For "
        "groups and figures see query, for all of a table export.",
    .options = options,
    .positionals = positionals,
    .examples =
        (const char *const[]){"hindcast ls -a nightly", "hindcast ls jobs --where 'gpus>=8'", NULL},
    .settings_size = sizeof(struct ls_settings),
    .run = run,
};
