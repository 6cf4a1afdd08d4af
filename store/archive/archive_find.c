/* The entry that a user means by a name. */
#include "core/base/memory.h"
#include "store/archive/archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CANDIDATES 10

/* A name as it was typed, with an attempt or day where it ends in "#<number>" or "#<day>". */
struct wanted {
    const char *text;
    size_t length;     /* of the part before '#' */
    const char *table; /* the main one, or NULL: any */
    const char *day;   /* or NULL */
    bool any_attempt;
    int64_t attempt;
    bool prefix;
};

bool hc_manifest_entry_is(const struct hc_manifest_entry *entry, const struct hc_table_def *def)
{
    return strcmp(entry->table, def->name) == 0;
}

int64_t hc_manifest_entry_rows(const struct hc_manifest_entry *entry,
                               const struct hc_table_def *def)
{
    return hc_table_counts_rows(&entry->tables, def->name);
}

static bool same_job(const struct hc_manifest_entry *a, const struct hc_manifest_entry *b)
{
    return strcmp(a->cluster, b->cluster) == 0 && strcmp(a->job_id, b->job_id) == 0;
}

/* Whether both are what ranks of one job recorded. */
static bool are_ranks_of_one(const struct hc_manifest_entry *a, const struct hc_manifest_entry *b)
{
    return a->of_rank != HC_MISSING_I32 && b->of_rank != HC_MISSING_I32 && same_job(a, b) &&
           a->attempt == b->attempt && strcmp(a->day, b->day) == 0 &&
           strcmp(a->table, b->table) == 0;
}

size_t hc_archive_n_ranks(const struct hc_archive *archive, const struct hc_manifest_entry *entry)
{
    const struct hc_manifest_entry *end = archive->entries + archive->n_entries, *next = entry + 1;
    while (next < end && are_ranks_of_one(entry, next))
        next++;
    return (size_t)(next - entry);
}

static bool is_of_table(const struct hc_manifest_entry *entry, const char *table)
{
    return !table || strcmp(entry->table, table) == 0;
}

static bool text_matches(const char *text, const struct wanted *wanted)
{
    return strncmp(text, wanted->text, wanted->length) == 0 &&
           (wanted->prefix || text[wanted->length] == '\0');
}

/* Whether the id or "cluster/id" of the entry is what is wanted, attempts aside. */
static bool matches(const struct hc_manifest_entry *entry, const struct wanted *wanted)
{
    size_t cluster = strlen(entry->cluster);
    if (!is_of_table(entry, wanted->table))
        return false;
    if (text_matches(entry->job_id, wanted))
        return true;
    if (wanted->length <= cluster)
        return wanted->prefix && strncmp(entry->cluster, wanted->text, wanted->length) == 0;
    struct wanted rest = *wanted;
    rest.text += cluster + 1;
    rest.length -= cluster + 1;
    return strncmp(entry->cluster, wanted->text, cluster) == 0 && wanted->text[cluster] == '/' &&
           text_matches(entry->job_id, &rest);
}

/* "'cluster/id#attempt', ..." of the entries that match; with any_name, of all of the table. */
static void list_candidates(const struct hc_archive *archive, const struct wanted *wanted,
                            bool any_name, char *text, size_t size)
{
    size_t used = 0, listed = 0, n = 0;
    char attempt[16];
    *text = '\0';
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        if (any_name ? !is_of_table(entry, wanted->table) : !matches(entry, wanted))
            continue;
        i += hc_archive_n_ranks(archive, entry) - 1;
        snprintf(attempt, sizeof attempt, "%d", (int)entry->attempt);
        if (n++ >= MAX_CANDIDATES || used + 1 >= size)
            continue;
        int length = snprintf(text + used, size - used, "%s'%.100s/%.100s#%s'", listed ? ", " : "",
                              entry->cluster, entry->job_id, entry->day[0] ? entry->day : attempt);
        used += length > 0 ? (size_t)length : 0;
        listed++;
    }
    if (n > listed && used + 1 < size)
        snprintf(text + used, size - used, " and %zu more", n - listed);
}

/* The newest entry that matches, or the one of the wanted attempt or day; of a job of many ranks,
 * the first of them. *n_jobs counts the jobs
 * that match, *n_entries those of their attempts that are wanted. Entries of a job are neighbours,
 * by ascending attempt. */
static const struct hc_manifest_entry *search(const struct hc_archive *archive,
                                              const struct wanted *wanted, size_t *n_jobs,
                                              size_t *n_found)
{
    const struct hc_manifest_entry *found = NULL, *last = NULL;
    *n_jobs = *n_found = 0;
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        if (!matches(entry, wanted))
            continue;
        *n_jobs += !last || !same_job(last, entry);
        last = entry;
        if (wanted->day
                ? strcmp(entry->day, wanted->day) == 0 || hc_month_has_day(entry->day, wanted->day)
                : wanted->any_attempt || (!entry->day[0] && entry->attempt == wanted->attempt)) {
            found = found && are_ranks_of_one(found, entry) ? found : entry;
            (*n_found)++;
        }
    }
    return found;
}

/* Split "id#2", "id#2026-03-01" or "id#2026-03"; false when the name does not end in '#' and such a
 * part. */
static bool split_attempt(const char *name, struct wanted *wanted)
{
    const char *hash = strrchr(name, '#');
    char *end = NULL;
    if (!hash || hash[1] < '0' || hash[1] > '9')
        return false;
    wanted->attempt = strtoll(hash + 1, &end, 10);
    wanted->length = (size_t)(hash - name);
    wanted->any_attempt = false;
    wanted->day = hc_is_day(hash + 1) || hc_is_month(hash + 1) ? hash + 1 : NULL;
    return wanted->day || *end == '\0';
}

/* With any_name, no job is like the name; else the job is there, but not the attempt or day. */
static enum hc_status fail_not_found(const struct hc_archive *archive, const char *name,
                                     const struct wanted *wanted, bool any_name,
                                     struct hc_error *err)
{
    char list[HC_ERROR_SIZE / 2];
    list_candidates(archive, wanted, any_name, list, sizeof list);
    if (archive->n_entries == 0)
        return hc_fail(err, HC_USAGE,
                       "no job '%.200s': archive '%s' is empty; ingest something first", name,
                       archive->path);
    if (!*list)
        return hc_fail(
            err, HC_USAGE,
            "no job '%.200s': archive '%s' has no job with '%s', but '%s' (see 'hindcast "
            "ls')",
            name, archive->path, wanted->table, archive->entries[0].table);
    return hc_fail(err, HC_USAGE, "no job '%.200s' in archive '%s', which has %s", name,
                   archive->path, list);
}

enum hc_status hc_archive_find(const struct hc_archive *archive, const char *name,
                               const char *table, const struct hc_manifest_entry **entry,
                               struct hc_error *err)
{
    size_t n_jobs = 0, n_found = 0;
    char list[HC_ERROR_SIZE / 2];
    /* From the most to the least literal reading: the first that says something decides. */
    for (int way = 0; way < 4; way++) {
        struct wanted wanted = {.text = name,
                                .length = strlen(name),
                                .table = table,
                                .any_attempt = true,
                                .prefix = way >= 2};
        if (way % 2 == 1 && !split_attempt(name, &wanted))
            continue;
        *entry = search(archive, &wanted, &n_jobs, &n_found);
        if (n_jobs == 0)
            continue;
        if (n_jobs == 1 && *entry)
            return HC_OK;
        if (n_jobs == 1)
            return fail_not_found(archive, name, &wanted, false, err);
        list_candidates(archive, &wanted, false, list, sizeof list);
        return hc_fail(err, HC_USAGE, "job '%.200s' could be any of %s; name one of them", name,
                       list);
    }
    return fail_not_found(archive, name, &(struct wanted){.table = table}, true, err);
}
