/* The entry, or the entries, that a user means by a name. */
#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "core/files/near_file.h"
#include "store/archive/archive.h"
#include "store/archive/manifest.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_CANDIDATES 10
#define SHORTEST_PART  3   /* letters of an id that say which job is meant */
#define LONGEST_NAME   512 /* of a pattern, and of "cluster/id" where one is looked for */
#define MOST_TABLES    64  /* of one job */

/* How a name may be read, from the most to the least literal. */
enum reading { EXACTLY, AS_A_START, AS_A_PATTERN, N_READINGS };

/* A name as it was typed, with an attempt or day where it ends in "#<number>" or "#<day>". */
struct wanted {
    const char *text;
    size_t length;       /* of the part before '#' */
    const char *table;   /* the main one, or NULL: any */
    const char *cluster; /* or NULL: any */
    const char *day;     /* or NULL */
    bool any_attempt;
    int64_t attempt;
    enum reading reading;
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

static bool is_of_cluster(const struct hc_manifest_entry *entry, const char *cluster)
{
    return !cluster || strcmp(entry->cluster, cluster) == 0;
}

static bool text_matches(const char *text, const struct wanted *wanted)
{
    return strncmp(text, wanted->text, wanted->length) == 0 &&
           (wanted->reading == AS_A_START || text[wanted->length] == '\0');
}

/* A pattern with a '/' is one of "cluster/id", any other one of ids. */
static bool matches_pattern(const struct hc_manifest_entry *entry, const struct wanted *wanted)
{
    char pattern[LONGEST_NAME], name[LONGEST_NAME];
    if (wanted->length >= sizeof pattern)
        return false;
    memcpy(pattern, wanted->text, wanted->length);
    pattern[wanted->length] = '\0';
    if (fnmatch(pattern, entry->job_id, FNM_NOESCAPE) == 0)
        return true;
    int length = snprintf(name, sizeof name, "%s/%s", entry->cluster, entry->job_id);
    return strchr(pattern, '/') && length < (int)sizeof name &&
           fnmatch(pattern, name, FNM_NOESCAPE) == 0;
}

/* Whether the id or "cluster/id" of the entry is what is wanted, attempts aside. */
static bool matches(const struct hc_manifest_entry *entry, const struct wanted *wanted)
{
    size_t cluster = strlen(entry->cluster);
    if (!is_of_table(entry, wanted->table) || !is_of_cluster(entry, wanted->cluster))
        return false;
    if (wanted->reading == AS_A_PATTERN)
        return matches_pattern(entry, wanted);
    if (text_matches(entry->job_id, wanted))
        return true;
    if (wanted->length <= cluster)
        return wanted->reading == AS_A_START &&
               strncmp(entry->cluster, wanted->text, wanted->length) == 0;
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
        if (any_name ? !is_of_table(entry, wanted->table) || !is_of_cluster(entry, wanted->cluster)
                     : !matches(entry, wanted))
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

static bool is_of_attempt(const struct hc_manifest_entry *entry, const struct wanted *wanted)
{
    if (wanted->day)
        return strcmp(entry->day, wanted->day) == 0 || hc_month_has_day(entry->day, wanted->day);
    return wanted->any_attempt || (!entry->day[0] && entry->attempt == wanted->attempt);
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
        if (is_of_attempt(entry, wanted)) {
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

static bool is_archive(const char *name)
{
    char manifest[PATH_MAX];
    struct stat info;
    int length = snprintf(manifest, sizeof manifest, "%s/%s", name, HC_MANIFEST_FILE);
    return length < (int)sizeof manifest && stat(manifest, &info) == 0;
}

/* No job is like a name that is, or looks like, that of a file. */
static enum hc_status fail_file(const struct hc_archive *archive, const char *name,
                                struct hc_error *err)
{
    char near[512];
    struct stat info;
    if (is_archive(name))
        return hc_fail(err, HC_USAGE,
                       "no job '%.200s' in archive '%s': it is an archive, which is named by '-a "
                       "%.200s'",
                       name, archive->path, name);
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

/* What is left of a pattern without its wildcards: a job with a name like that is near. */
static void without_wildcards(const char *name, char plain[LONGEST_NAME])
{
    size_t n = 0;
    for (; *name && n + 1 < LONGEST_NAME; name++)
        if (!strchr("*?[]", *name))
            plain[n++] = *name;
    plain[n] = '\0';
}

/* The first entry of the very job that is named, whatever its table; NULL: none. */
static const struct hc_manifest_entry *find_any_table(const struct hc_archive *archive,
                                                      const char *name)
{
    size_t length;
    const char *id = id_of(name, &length);
    for (size_t i = 0; i < archive->n_entries; i++)
        if (text_is(archive->entries[i].job_id, id, length))
            return &archive->entries[i];
    return NULL;
}

/* No job is like the name. */
static enum hc_status fail_not_found(const struct hc_archive *archive, const char *name,
                                     const struct wanted *wanted, struct hc_error *err)
{
    char list[HC_ERROR_SIZE / 2], plain[LONGEST_NAME];
    const char *table = wanted->table;
    struct stat info;
    if (archive->n_entries == 0)
        return hc_fail(err, HC_USAGE,
                       "no job '%.200s': archive '%s' is empty; ingest something first", name,
                       archive->path);
    const struct hc_manifest_entry *other = table ? find_any_table(archive, name) : NULL;
    if (other && !is_of_table(other, table))
        return hc_fail(err, HC_USAGE,
                       "job '%.200s' of archive '%s' has '%s', and not '%s', which is wanted here: "
                       "'hindcast show %.200s' says what it is",
                       name, archive->path, other->table, table, name);
    list_candidates(archive, wanted, true, list, sizeof list);
    without_wildcards(name, plain);
    const struct hc_manifest_entry *near =
        wanted->cluster ? NULL : find_near(archive, table, hc_is_job_pattern(name) ? plain : name);
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

/* ---- one job ---- */

bool hc_is_job_pattern(const char *name)
{
    return strpbrk(name, "*?[") != NULL;
}

/* Each name is read literally, as a start, and, with wildcards in it, as a pattern: each with and
 * without an attempt at its end. The next reading of the name of *wanted; false: there is none. */
static bool next_reading(struct wanted *wanted, const char *name, int *way)
{
    for (; *way < 2 * N_READINGS; (*way)++) {
        wanted->text = name;
        wanted->length = strlen(name);
        wanted->day = NULL;
        wanted->any_attempt = true;
        wanted->reading = (enum reading)(*way / 2);
        if ((wanted->reading == AS_A_PATTERN && !hc_is_job_pattern(name)) ||
            (*way % 2 == 1 && !split_attempt(name, wanted)))
            continue;
        (*way)++;
        return true;
    }
    return false;
}

static enum hc_status fail_ambiguous(const struct hc_archive *archive, const char *name,
                                     const struct wanted *wanted, struct hc_error *err)
{
    char list[HC_ERROR_SIZE / 2];
    list_candidates(archive, wanted, false, list, sizeof list);
    return hc_fail(err, HC_USAGE, "job '%.200s' could be any of %s; name one of them", name, list);
}

enum hc_status hc_archive_find(const struct hc_archive *archive, const char *name,
                               const char *table, const struct hc_manifest_entry **entry,
                               struct hc_error *err)
{
    size_t n_jobs = 0, n_found = 0;
    struct wanted wanted = {.table = table};
    /* The first reading that says something decides. */
    for (int way = 0; next_reading(&wanted, name, &way);) {
        *entry = search(archive, &wanted, &n_jobs, &n_found);
        if (n_jobs == 0)
            continue;
        if (n_jobs == 1 && *entry)
            return HC_OK;
        return n_jobs == 1 ? fail_other_attempt(archive, name, &wanted, err)
                           : fail_ambiguous(archive, name, &wanted, err);
    }
    return fail_not_found(archive, name, &wanted, err);
}

/* ---- several jobs ---- */

/* Choose, of the entries [first, end) of one job, which match but for their attempts, those that
 * are wanted: the newest of each main table, unless every one is. */
static void choose_of_job(const struct hc_archive *archive, size_t first, size_t end,
                          const struct wanted *wanted, bool every_attempt, bool *is_chosen)
{
    const struct hc_manifest_entry *newest[MOST_TABLES];
    size_t n = 0, t;
    for (size_t i = end; i-- > first;) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        if (!is_of_table(entry, wanted->table) || !is_of_attempt(entry, wanted))
            continue;
        for (t = 0; t < n && strcmp(newest[t]->table, entry->table) != 0;)
            t++;
        if (t == n && n < MOST_TABLES)
            newest[n++] = entry;
        if (every_attempt || !wanted->any_attempt || t == MOST_TABLES ||
            (newest[t]->attempt == entry->attempt && strcmp(newest[t]->day, entry->day) == 0))
            is_chosen[i] = true;
    }
}

static void choose_matching(const struct hc_archive *archive, const struct wanted *wanted,
                            bool every_attempt, bool *is_chosen)
{
    size_t end;
    for (size_t i = 0; i < archive->n_entries; i = end) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        bool is_one = false;
        for (end = i; end < archive->n_entries && same_job(entry, &archive->entries[end]); end++)
            is_one |= matches(&archive->entries[end], wanted);
        if (is_one)
            choose_of_job(archive, i, end, wanted, every_attempt, is_chosen);
    }
}

static enum hc_status check_cluster(const struct hc_archive *archive, const char *cluster,
                                    struct hc_error *err)
{
    const char *names[MAX_CANDIDATES] = {NULL};
    char list[HC_ERROR_SIZE / 2] = "";
    size_t n = 0, used = 0;
    for (size_t i = 0; i < archive->n_entries; i++) {
        const char *name = archive->entries[i].cluster;
        if (strcmp(name, cluster) == 0)
            return HC_OK;
        if (n < MAX_CANDIDATES && (n == 0 || strcmp(names[n - 1], name) != 0)) {
            names[n++] = name;
            if (used < sizeof list - 1)
                used += (size_t)snprintf(list + used, sizeof list - used, "%s'%.80s'",
                                         used ? ", " : "", name);
        }
    }
    const char *near = hc_nearest(cluster, strlen(cluster), names, n);
    if (near)
        return hc_fail(err, HC_USAGE,
                       "no cluster '%.100s' in archive '%s' (did you mean '%.100s'?)", cluster,
                       archive->path, near);
    return hc_fail(err, HC_USAGE, "no cluster '%.100s' in archive '%s', which has %s", cluster,
                   archive->path, n ? list : "nothing yet");
}

enum hc_status hc_archive_choose(const struct hc_archive *archive,
                                 const struct hc_archive_choice *choice, bool *is_chosen,
                                 struct hc_error *err)
{
    const char *name = choice->name ? choice->name : "*";
    struct wanted wanted = {.table = choice->table, .cluster = choice->cluster};
    size_t n_jobs = 0, n_found = 0;
    if (choice->cluster && check_cluster(archive, choice->cluster, err))
        return err->status;
    for (int way = 0; next_reading(&wanted, name, &way);) {
        search(archive, &wanted, &n_jobs, &n_found);
        if (n_jobs == 0)
            continue;
        if (n_found == 0)
            return fail_other_attempt(archive, name, &wanted, err);
        if (n_jobs > 1 && wanted.reading != AS_A_PATTERN)
            return fail_ambiguous(archive, name, &wanted, err);
        choose_matching(archive, &wanted, choice->every_attempt, is_chosen);
        return HC_OK;
    }
    return choice->name ? fail_not_found(archive, name, &wanted, err) : HC_OK;
}

/* ---- whole names ---- */

/* Whether an entry has a name, read in this one way. A day is that day alone, and no month that has
 * it: the month is more than was named. */
static bool is_named_so(const struct hc_manifest_entry *entry, const char *name, int way)
{
    struct wanted wanted = {.table = NULL};
    int next = way;
    return next_reading(&wanted, name, &next) && next == way + 1 && matches(entry, &wanted) &&
           (wanted.day ? strcmp(entry->day, wanted.day) == 0 : is_of_attempt(entry, &wanted));
}

/* Only the ways in which a name is whole, or a pattern. */
static bool is_whole(int way)
{
    return way / 2 != AS_A_START;
}

void hc_entry_name_init(struct hc_entry_name *name, const struct hc_archive *archive,
                        const char *text)
{
    *name = (struct hc_entry_name){.text = text, .way = -1};
    for (int way = 0; way < 2 * N_READINGS; way++)
        for (size_t i = 0; i < archive->n_entries && is_whole(way); i++)
            if (is_named_so(&archive->entries[i], text, way)) {
                name->way = way;
                return;
            }
}

bool hc_entry_has_name(const struct hc_manifest_entry *entry, const struct hc_entry_name *name)
{
    if (name->way >= 0)
        return is_named_so(entry, name->text, name->way);
    for (int way = 0; way < 2 * N_READINGS; way++)
        if (is_whole(way) && is_named_so(entry, name->text, way))
            return true;
    return false;
}
