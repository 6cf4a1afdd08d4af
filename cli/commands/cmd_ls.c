/* cmd_ls.c - `hindcast ls`: what an archive holds, or rows of one of its tables. */
#include "cli/commands/records/run_list.h"
#include "cli/commands/records/table_list.h"
#include "cli/frame/columns.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/choice_options.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/process/threads.h"
#include "core/text/number_format.h"
#include "pipeline/choice/archive_listing.h"
#include "pipeline/kinds/kind.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct ls_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_choice_options choice;
    const char *where, *columns, *sort;
    bool reverse;
    int64_t limit;
};

#define MOST_TABLES 10 /* that have a column; --json has all */

/* The tables that have a column: those of the kinds that are listed (of none, of the first kind),
 * the main one of a kind last; then main tables of kinds that are not known here. */
struct table_columns {
    size_t n;
    const char *table[MOST_TABLES];
};

static void add_table(struct table_columns *tables, const char *table)
{
    for (size_t i = 0; i < tables->n; i++)
        if (strcmp(tables->table[i], table) == 0)
            return;
    if (tables->n < MOST_TABLES)
        tables->table[tables->n++] = table;
}

static void add_kind(struct table_columns *tables, const struct hc_kind *kind)
{
    size_t n = 0;
    while (kind->tables[n] && (!kind->n_listed || n < kind->n_listed))
        n++;
    while (n > 0)
        add_table(tables, kind->tables[--n]->name);
}

static bool holds(const struct hc_archive_listing *listing, const struct hc_kind *kind)
{
    for (size_t i = 0; i < listing->n; i++)
        if (hc_manifest_entry_is(listing->jobs[i].entry, kind->tables[0]))
            return true;
    return false;
}

static struct table_columns choose_tables(const struct hc_archive_listing *listing)
{
    struct table_columns tables = {.n = 0};
    for (size_t i = 0; hc_kind_rows[i]; i++)
        if (holds(listing, hc_kind_rows[i]) || (i == 0 && listing->n == 0))
            add_kind(&tables, hc_kind_rows[i]);
    for (size_t i = 0; i < listing->n; i++)
        if (!hc_kind_find(listing->jobs[i].entry->table))
            add_table(&tables, listing->jobs[i].entry->table);
    return tables;
}

static enum hc_status add_rows(struct hc_columns *columns, const struct hc_listed_job *job,
                               const char *table, struct hc_error *err)
{
    int64_t n_rows = 0;
    bool is_known = false;
    for (size_t e = 0; e < job->n_ranks; e++) {
        const struct hc_table_counts *tables = &job->entry[e].tables;
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
static enum hc_status add_attempt(struct hc_columns *columns, const struct hc_listed_job *job,
                                  struct hc_error *err)
{
    const struct hc_manifest_entry *entry = job->entry;
    char text[64];
    if (entry->day[0])
        return hc_columns_add(columns, entry->day, err);
    if (entry->of_rank == HC_MISSING_I32)
        return hc_columns_add_count(columns, entry->attempt, err);
    snprintf(text, sizeof text, "%d, %zu rank%s", (int)entry->attempt, job->n_ranks,
             job->n_ranks == 1 ? "" : "s");
    return hc_columns_add(columns, text, err);
}

/* A time to the second, in UTC; of records of a day or a month, its first and its last day. */
static enum hc_status add_date(struct hc_columns *columns, const struct hc_listed_job *job,
                               bool is_last, struct hc_error *err)
{
    bool is_day = job->entry->day[0];
    int64_t time_ns = is_last ? job->dates.last_ns : job->dates.first_ns;
    char text[32];
    if (time_ns == HC_MISSING_I64)
        return hc_columns_add(columns, NULL, err);
    hc_format_iso8601(time_ns - (is_day && is_last), text);
    snprintf(text + (is_day ? 10 : 19), 2, "%s", is_day ? "" : "Z");
    return hc_columns_add(columns, text, err);
}

static enum hc_status add_job(struct hc_columns *columns, const struct hc_listed_job *job,
                              const struct table_columns *tables, struct hc_error *err)
{
    char size[HC_NUMBER_TEXT];
    const struct hc_manifest_entry *entry = job->entry;
    char *name = hc_new_text(err, "%s/%s", entry->cluster, entry->job_id);
    enum hc_status status = name ? hc_columns_add(columns, name, err) : err->status;
    free(name);
    if (status == HC_OK)
        status = add_attempt(columns, job, err);
    for (size_t i = 0; i < tables->n && status == HC_OK; i++)
        status = add_rows(columns, job, tables->table[i], err);
    if (status != HC_OK || add_date(columns, job, false, err) ||
        add_date(columns, job, true, err) ||
        hc_columns_add(columns, hc_format_bytes(job->size, size), err))
        return err->status;
    return hc_columns_add(columns, entry->format, err);
}

static enum hc_status add_titles(struct hc_columns *columns, const struct table_columns *tables,
                                 struct hc_error *err)
{
    static const char *const after[] = {"FIRST", "LAST", "SIZE", "FORMAT"};
    if (hc_columns_add(columns, "JOB", err) || hc_columns_add(columns, "ATTEMPT", err))
        return err->status;
    for (size_t i = 0; i < tables->n; i++) {
        char title[64];
        snprintf(title, sizeof title, "%s", tables->table[i]);
        for (char *c = title; *c; c++)
            *c = (char)toupper((unsigned char)*c);
        if (hc_columns_add(columns, title, err))
            return err->status;
    }
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        if (hc_columns_add(columns, after[i], err))
            return err->status;
    return HC_OK;
}

static enum hc_status write_text(FILE *stream, const struct hc_archive_listing *listing,
                                 struct hc_error *err)
{
    const struct table_columns tables = choose_tables(listing);
    size_t n_columns = tables.n + 6;
    /* All but the name of the job and the format are numbers and dates. */
    struct hc_columns columns = {.n_columns = n_columns, .right = (1U << (n_columns - 1)) - 2};
    enum hc_status status = add_titles(&columns, &tables, err);
    for (size_t i = 0; i < listing->n && status == HC_OK; i++)
        status = add_job(&columns, &listing->jobs[i], &tables, err);
    if (status == HC_OK)
        hc_columns_print(&columns, stream, 0);
    hc_columns_fini(&columns);
    return status;
}

/* ---- JSON ---- */

static enum hc_status write_json(const struct hc_output *output, struct hc_archive_listing *listing,
                                 struct hc_error *err)
{
    struct hc_json_writer json;
    if (hc_archive_listing_spread(listing, err))
        return err->status;
    hc_output_json_start(&json, output, "hindcast-ls");
    hc_record_members(&json, &hc_archive_listing_record, &(struct hc_item){.record = listing});
    return hc_output_json_end(&json, output, err);
}

/* ---- the jobs of an archive ---- */

static enum hc_status write_listing(const struct ls_settings *ls,
                                    struct hc_archive_listing *listing, struct hc_error *err)
{
    struct hc_output output;
    enum hc_status status = hc_output_open(&output, &ls->common, false, err);
    if (status == HC_OK) {
        status = ls->common.json ? write_json(&output, listing, err)
                                 : write_text(output.stream, listing, err);
        status = hc_output_end(&output, status, err);
    }
    return status;
}

static enum hc_status choose_jobs(bool *is_chosen, const struct ls_settings *ls,
                                  const struct hc_archive *archive, const struct hc_words *names,
                                  struct hc_error *err)
{
    struct hc_job_choice choice;
    if (hc_choice_start(&choice, &ls->choice, err))
        return err->status;
    choice.archive = archive;
    choice.every_attempt = true;
    return hc_jobs_choose(is_chosen, &choice, names->word, names->n, err);
}

/* The lines that are asked for, in the order that is asked for. */
static enum hc_status make_listing(struct hc_archive_listing *listing, const struct ls_settings *ls,
                                   const struct hc_archive *archive, const struct hc_words *names,
                                   struct hc_error *err)
{
    struct hc_query_condition *condition = NULL;
    size_t key = 0;
    bool *is_chosen = hc_new_array(archive->n_entries + 1, sizeof *is_chosen, err);
    enum hc_status status = is_chosen ? HC_OK : err->status;
    if (!status && ls->sort && hc_archive_listing_key(&key, ls->sort, err))
        status = hc_context(err, "--sort");
    if (!status)
        status = hc_query_condition_parse(&condition, ls->where, &hc_archive_listing_def, err);
    if (!status)
        status = choose_jobs(is_chosen, ls, archive, names, err);
    if (!status)
        status = hc_archive_listing_make(listing, archive, is_chosen, err);
    size_t n = listing->n;
    if (!status && listing->n_damaged)
        hc_warn("the dates of %zu of %zu are not known, since their segments are damaged: see "
                "'hindcast check'",
                listing->n_damaged, n);
    if (!status)
        status = hc_archive_listing_filter(listing, condition, err);
    if (!status && n && !listing->n)
        status = hc_fail(err, HC_USAGE, "none of the %zu of archive '%s' meets '%.200s'", n,
                         archive->path, ls->where);
    if (!status && ls->sort)
        status = hc_archive_listing_sort(listing, key, ls->reverse, err);
    hc_query_condition_free(condition);
    free(is_chosen);
    return status;
}

static enum hc_status list_archive(const struct ls_settings *ls, const struct hc_words *names,
                                   struct hc_error *err)
{
    struct hc_archive *archive = NULL;
    struct hc_archive_listing listing = {.n = 0};
    if (ls->columns || ls->limit)
        return hc_fail(err, HC_USAGE,
                       "--columns and --limit are of the rows of a table: name one, as in "
                       "'hindcast ls jobs'");
    if (ls->reverse && !ls->sort)
        return hc_fail(err, HC_USAGE, "--reverse goes with --sort, as in '--sort size -r'");
    if (hc_archive_open(&archive, hc_archive_path(&ls->archive), false, err))
        return err->status;
    enum hc_status status = make_listing(&listing, ls, archive, names, err);
    if (!status)
        status = write_listing(ls, &listing, err);
    /* What is listed is listed; but it may be another list than the system lets us know. */
    if (!status && listing.n_unreadable)
        status = hc_fail(err, HC_IO,
                         "%zu segments of archive '%s' could not be read, and are listed without "
                         "their dates",
                         listing.n_unreadable, archive->path);
    hc_archive_listing_fini(&listing);
    hc_archive_close(archive);
    return status;
}

/* ---- rows ---- */

/* Runs are no table: they are what the rows of several join to. */
static enum hc_status list_runs(const struct ls_settings *ls, struct hc_error *err)
{
    if (ls->where || ls->columns || ls->choice.since.is_given || ls->choice.until.is_given)
        return hc_fail(err, HC_USAGE,
                       "'ls runs' has no %s: 'hindcast runs propose --as csv' writes all of them",
                       ls->where     ? "--where"
                       : ls->columns ? "--columns"
                                     : "--since and --until");
    const struct hc_run_list list = {.common = &ls->common,
                                     .archive = &ls->archive,
                                     .cluster = ls->choice.cluster,
                                     .limit = ls->limit};
    return hc_run_list(&list, err);
}

static enum hc_status list_table(const struct ls_settings *ls, const char *table,
                                 struct hc_error *err)
{
    hc_threads_raise(1);
    if (ls->sort || ls->reverse)
        return hc_fail(err, HC_USAGE,
                       "--sort is for the jobs of the archive: rows come by cluster, day and key, "
                       "and 'hindcast query %.80s --group-by ... --order' sorts groups",
                       table);
    if (strcmp(table, "runs") == 0)
        return list_runs(ls, err);
    if (ls->common.json)
        return hc_fail(err, HC_USAGE,
                       "rows are many: 'hindcast query %.80s --as jsonl' writes an object a line",
                       table);
    const struct hc_table_list list = {.archive = hc_archive_path(&ls->archive),
                                       .common = &ls->common,
                                       .words = {table, ls->where, ls->columns, &ls->choice},
                                       .limit = ls->limit};
    return hc_table_list(&list, err);
}

static bool is_table(const char *word)
{
    return strcmp(word, "runs") == 0 || hc_is_listed_table(word);
}

/* Whether a word that is no table was to be one: it is near to one, and no job has that name. */
static bool is_mistyped_table(const struct ls_settings *ls, const char *word)
{
    struct hc_archive *archive = NULL;
    struct hc_error why;
    bool is_job = false;
    if (hc_is_job_pattern(word) || !hc_row_table_near(word) ||
        hc_archive_open(&archive, hc_archive_path(&ls->archive), false, &why))
        return false;
    for (size_t i = 0; i < archive->n_entries && !is_job; i++)
        is_job = strcmp(archive->entries[i].job_id, word) == 0;
    hc_archive_close(archive);
    return !is_job;
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct ls_settings *ls = settings;
    for (size_t i = 0; i < words->n && words->n > 1; i++)
        if (is_table(words->word[i]))
            return hc_fail(err, HC_USAGE, "'%.80s' is a table, and one table is listed at a time",
                           words->word[i]);
    if (words->n == 1 && (is_table(words->word[0]) || is_mistyped_table(ls, words->word[0])))
        return list_table(ls, words->word[0], err);
    return list_archive(ls, words, err);
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct ls_settings, archive, hc_archive_options),
    {.name = "where",
     .kind = HC_OPTION_TEXT,
     .argument = "CONDITION",
     .target = offsetof(struct ls_settings, where),
     .unset = "all",
     .help = "jobs, or rows of a table, that are wanted, as that of query; of jobs, columns are "
             "cluster, id, attempt, day, kind, table, rows, ranks, first_ns, last_ns, size_bytes, "
             "format, source"},
    {.name = "sort",
     .kind = HC_OPTION_TEXT,
     .argument = "KEY",
     .target = offsetof(struct ls_settings, sort),
     .unset = "by cluster, id, attempt and day",
     .help = "of jobs: sort by one of these columns, as size, first or rows; what is missing comes "
             "last"},
    {.name = "reverse",
     .letter = 'r',
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct ls_settings, reverse),
     .help = "with --sort: the largest, or the last, first"},
    {.name = "columns",
     .kind = HC_OPTION_TEXT,
     .argument = "COLUMN,...",
     .target = offsetof(struct ls_settings, columns),
     .unset = "those that tell most",
     .help = "of a table: columns that are shown"},
    HC_OPTION_GROUP(struct ls_settings, choice, hc_choice_options),
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
    {"JOB|TABLE",
     "jobs of the archive, by name or by pattern, as 'llama-*'; or a table of records, as jobs, "
     "runs, nodes, incidents, events; none: list what there is",
     0, 0},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_ls = {
    .name = "ls",
    .summary = "list the jobs of an archive, or the rows of a table",
    .description =
        "Without TABLE, a line for each job, and for each day of records, of the archive: its "
        "rows, the first and the last time that it tells of (UTC; none where its source has no "
        "calendar), its size. With "
        "TABLE, its rows by cluster, day and key, with the columns that tell most; nodes stands "
        "for node_states, and runs for the training runs that attempts and logs join to. For "
        "groups and figures see query, for all of a table export.",
    .options = options,
    .positionals = positionals,
    .examples =
        (const char *const[]){"hindcast ls -a nightly", "hindcast ls 'llama-*' --since 2026-03-01",
                              "hindcast ls --where \"kind = steps and rows > 1e6\" --sort size -r",
                              "hindcast ls jobs --where 'gpus>=8'", NULL},
    .threads_later = true,
    .settings_size = sizeof(struct ls_settings),
    .run = run,
};
