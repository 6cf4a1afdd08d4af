/* The entry that a user means by a name. */
#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "core/files/near_file.h"
#include "store/archive/archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_CANDIDATES 10
#define SHORTEST_PART  3 /* letters of an id that say which job is meant */

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

/* The part of a name that is to be like the id of a job: without cluster and attempt. */
static const char *id_of(const char *name, size_t *length)
{
    const char *slash = strrchr(name, '/'), *id = slash ? slash + 1 : name;
    *length = strcspn(id, "#@");
    return id;
}

static bool text_is(const char *text, const char *name, size_t length)
{
    return strlen(text) == length && strncmp(text, name, length) == 0;
}

/* The only job whose id holds this id, or stands in it ("worker" or "trace-slow-worker" for
 * "slow-worker"); NULL for none or several, and for less than three letters. */
static const struct hc_manifest_entry *find_part(const struct hc_archive *archive,
                                                 const char *table, const char *id, size_t length)
{
    const struct hc_manifest_entry *found = NULL;
    for (size_t i = 0; i < archive->n_entries && length >= SHORTEST_PART; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        size_t n = strlen(entry->job_id);
        bool is_like =
            is_of_table(entry, table) && n >= SHORTEST_PART &&
            (memmem(entry->job_id, n, id, length) || memmem(id, length, entry->job_id, n));
        if (is_like && found && !same_job(found, entry))
            return NULL;
        found = is_like ? entry : found;
    }
    return found;
}

/* The job that a name which is none may have meant; NULL where none is near, or several are as
 * near: of an id that jobs of several clusters have, the cluster was mistyped. */
static const struct hc_manifest_entry *find_near(const struct hc_archive *archive,
                                                 const char *table, const char *name)
{
    size_t length;
    const struct hc_manifest_entry *found = NULL;
    const char *id = id_of(name, &length), *best = NULL;
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        const char *const both[] = {best, entry->job_id};
        if (!is_of_table(entry, table))
            continue;
        if (found && !same_job(found, entry) && strcmp(found->job_id, entry->job_id) == 0 &&
            text_is(found->job_id, id, length))
            return NULL;
        if (hc_nearest(id, length, both, 2) == entry->job_id) {
            best = entry->job_id;
            found = entry;
        }
    }
    return found ? found : find_part(archive, table, id, length);
}

/* No job is like a name that is, or looks like, that of a file. */
static enum hc_status fail_file(const struct hc_archive *archive, const char *name,
                                struct hc_error *err)
{
    char near[512];
    struct stat info;
    if (stat(name, &info) == 0)
        return hc_fail(err, HC_USAGE,
                       "no job '%.200s' in archive '%s': it is a %s, which 'hindcast ingest "
                       "%.200s' puts there",
                       name, archive->path, S_ISDIR(info.st_mode) ? "directory" : "file", name);
    if (hc_near_file(name, near, sizeof near))
        return hc_fail(
            err, HC_USAGE,
            "there is no file '%.200s' (did you mean '%.300s'?), and no job of that name "
            "in archive '%s'",
            name, near, archive->path);
    return hc_fail(err, HC_USAGE,
                   "there is no file '%.200s', and no job of that name in archive "
                   "'%s': 'hindcast ls' lists its jobs",
                   name, archive->path);
}

/* The attempts or days of the job are others. */
static enum hc_status fail_other_attempt(const struct hc_archive *archive, const char *name,
                                         const struct wanted *wanted, struct hc_error *err)
{
    char list[HC_ERROR_SIZE / 2];
    list_candidates(archive, wanted, false, list, sizeof list);
    return hc_fail(err, HC_USAGE, "no job '%.200s' in archive '%s', which has %s", name,
                   archive->path, list);
}

/* No job is like the name. */
static enum hc_status fail_not_found(const struct hc_archive *archive, const char *name,
                                     const char *table, struct hc_error *err)
{
    char list[HC_ERROR_SIZE / 2];
    struct stat info;
    if (archive->n_entries == 0)
        return hc_fail(err, HC_USAGE,
                       "no job '%.200s': archive '%s' is empty; ingest something first", name,
                       archive->path);
    list_candidates(archive, &(struct wanted){.table = table}, true, list, sizeof list);
    const struct hc_manifest_entry *near = find_near(archive, table, name);
    if (near)
        return hc_fail(err, HC_USAGE,
                       "no job '%.200s' in archive '%s' (did you mean '%.100s/%.100s'?); 'hindcast "
                       "ls' lists its jobs",
                       name, archive->path, near->cluster, near->job_id);
    if (hc_looks_like_file(name) || stat(name, &info) == 0)
        return fail_file(archive, name, err);
    if (!*list)
        return hc_fail(
            err, HC_USAGE,
            "no job '%.200s': archive '%s' has no job with '%s', but '%s' (see 'hindcast "
            "ls')",
            name, archive->path, table, archive->entries[0].table);
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
            return fail_other_attempt(archive, name, &wanted, err);
        list_candidates(archive, &wanted, false, list, sizeof list);
        return hc_fail(err, HC_USAGE, "job '%.200s' could be any of %s; name one of them", name,
                       list);
    }
    return fail_not_found(archive, name, table, err);
}
