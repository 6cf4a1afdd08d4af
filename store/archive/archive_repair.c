/* Rebuilding the manifest from the segments. */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "store/archive/archive.h"
#include "store/archive/archive_entry.h"
#include "store/archive/archive_stray.h"
#include "store/archive/derived.h"
#include "store/archive/manifest.h"
#include "store/archive/segment_name.h"
#include "store/folder/locked_temporary.h"
#include "store/folder/writer_lock.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the manifest that is replaced said of a segment: nothing, its name with other bytes, or it
 * as it is. */
enum standing { UNNAMED, NAMED, PUBLISHED };

/* A whole segment on disk. */
struct candidate {
    struct hc_manifest_entry entry;
    struct timespec written;
    enum standing standing;
};

struct candidates {
    size_t n, capacity;
    struct candidate *list;
};

struct rebuilding {
    const struct hc_reporter *reporter;
    const struct hc_archive *old; /* what the manifest said that is replaced */
    bool has_old;                 /* it was there, and its text is right */
    size_t n_unreadable;          /* of those that might be segments, where it was not */
    struct hc_folder segments;
};

/* The oldest first; what was published is newer than what was not, since times of files may be
 * those of a copy. */
static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->standing != y->standing)
        return x->standing < y->standing ? -1 : 1;
    if (x->written.tv_sec != y->written.tv_sec)
        return x->written.tv_sec < y->written.tv_sec ? -1 : 1;
    if (x->written.tv_nsec != y->written.tv_nsec)
        return x->written.tv_nsec < y->written.tv_nsec ? -1 : 1;
    return strcmp(x->entry.file, y->entry.file);
}

/* Set how the candidate stands in the old manifest: with the same bytes, with others, or not at
 * all. A manifest that could not be read has no entries. */
static void compare_with_old(const struct hc_archive *old, struct candidate *candidate)
{
    const struct hc_manifest_entry *entry = &candidate->entry;
    for (size_t i = 0; i < old->n_entries; i++) {
        if (strcmp(old->entries[i].file, entry->file) != 0)
            continue;
        bool is_same = strcmp(old->entries[i].sha256, entry->sha256) == 0;
        candidate->standing = is_same ? PUBLISHED : NAMED;
        if (!is_same)
            hc_warn("'%s': its bytes are not those that were published, but it is whole by its own "
                    "checksums; to be sure, ingest its source '%s' again",
                    entry->file, entry->source_path);
        return;
    }
}

static const struct hc_manifest_entry *entry_of_file(const struct hc_archive *archive,
                                                     const char *file)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        if (strcmp(archive->entries[i].file, file) == 0)
            return &archive->entries[i];
    return NULL;
}

/* A segment that cannot be read now: what the old manifest says of it is kept, being all that is
 * known. What that did not name is no loss. Without one, anything with a segment's name may have
 * been published, a link or a directory included: somebody may have moved the segments. */
static enum hc_status pass_over(struct rebuilding *rebuilding, const char *file,
                                const struct hc_error *why, struct candidate *candidate,
                                bool *taken, struct hc_error *err)
{
    struct hc_error text;
    const char *consequence = "the manifest did not name it, so it is not entered; it stays";
    const struct hc_manifest_entry *old = entry_of_file(rebuilding->old, file);
    if (!rebuilding->has_old) {
        rebuilding->n_unreadable++;
        consequence = "it may be the newest of its job";
    } else if (old) {
        if (hc_manifest_entry_copy(&candidate->entry, old, err))
            return err->status;
        candidate->standing = PUBLISHED;
        *taken = true;
        consequence = "its entry in the manifest is kept";
    }
    hc_fail(&text, HC_FINDING, "%.800s; %s", why->message, consequence);
    if (rebuilding->has_old && !old)
        hc_report_refused(rebuilding->reporter, &rebuilding->segments, hc_segment_base_name(file),
                          file, &text);
    else
        hc_report(rebuilding->reporter, HC_CHECK_UNREADABLE, file, text.message);
    return HC_OK;
}

/* A file that is no whole segment is damage if it was published, and that is not known of any
 * without an old manifest; else it is what a check calls it. */
static void report_wrong(const struct rebuilding *rebuilding, int fd, const char *file,
                         const struct hc_error *why)
{
    if (!rebuilding->has_old || entry_of_file(rebuilding->old, file))
        hc_report(rebuilding->reporter, HC_CHECK_DAMAGED, file, why->message);
    else
        hc_report_no_segment(rebuilding->reporter, fd, file, why);
}

/* Read one file of segments/; *taken: there is something to enter. */
static enum hc_status read_candidate(struct rebuilding *rebuilding, const char *name,
                                     const char *file, struct candidate *candidate, bool *taken,
                                     struct hc_error *err)
{
    struct hc_error why = {0};
    struct stat info = {0};
    int fd = -1;
    enum hc_status status = hc_folder_open_file(&rebuilding->segments, name, O_RDONLY, &fd, &why);
    if (!status && fd < 0)
        return HC_OK; /* gone since it was listed */
    if (!status && fstat(fd, &info))
        status = hc_fail_errno(&why, "cannot read", file);
    if (!status && (hc_archive_describe(fd, file, &candidate->entry, &why) ||
                    hc_digest_fd(fd, file, candidate->entry.sha256, &why)))
        status = why.status;
    candidate->written = info.st_mtim;
    *taken = status == HC_OK;
    if (status == HC_OK)
        compare_with_old(rebuilding->old, candidate);
    else
        hc_manifest_entry_fini(&candidate->entry);
    if (status == HC_BAD_INPUT)
        report_wrong(rebuilding, fd, file, &why);
    if (fd >= 0)
        close(fd);
    if (status == HC_IO)
        return pass_over(rebuilding, file, &why, candidate, taken, err);
    if (status == HC_OK || status == HC_BAD_INPUT)
        return HC_OK;
    *err = why;
    return status;
}

static enum hc_status consider(struct rebuilding *rebuilding, const char *name,
                               struct candidates *candidates, struct hc_error *err)
{
    bool taken = false;
    if (hc_reserve(&candidates->list, &candidates->capacity, candidates->n + 1,
                   sizeof *candidates->list, err))
        return err->status;
    char *file = hc_new_text(err, "%s/%s", HC_SEGMENT_DIRECTORY, name);
    if (!file)
        return err->status;
    enum hc_status status = HC_OK;
    struct candidate *candidate = &candidates->list[candidates->n];
    *candidate = (struct candidate){.standing = UNNAMED};
    if (hc_is_segment_name(name) || entry_of_file(rebuilding->old, file))
        status = read_candidate(rebuilding, name, file, candidate, &taken, err);
    candidates->n += taken;
    free(file);
    return status;
}

/* Entries whose file is not there any more are dropped, and that is said. */
static void report_missing(const struct rebuilding *rebuilding,
                           const struct hc_directory_list *list)
{
    for (size_t i = 0; i < rebuilding->old->n_entries; i++) {
        const struct hc_manifest_entry *entry = &rebuilding->old->entries[i];
        struct hc_error text;
        bool found = false;
        for (size_t k = 0; !found && k < list->n; k++)
            found = strcmp(list->names[k], hc_segment_base_name(entry->file)) == 0;
        hc_fail(&text, HC_FINDING, "it is missing; ingest the source '%.200s' again",
                entry->source_path);
        if (!found)
            hc_report(rebuilding->reporter, HC_CHECK_DAMAGED, entry->file, text.message);
    }
}

/* A month and its days are the same rows twice. As a month is written of days that are there, and
 * these are left for a while, it stands for them, unless the old manifest named one of them: then
 * the month was not published, and its days may have changed since. */
static bool is_covered(const struct candidates *candidates, size_t at)
{
    const struct candidate *candidate = &candidates->list[at];
    for (size_t i = 0; i < candidates->n; i++) {
        const struct candidate *other = &candidates->list[i];
        if (hc_manifest_covers(&other->entry, &candidate->entry) &&
            (candidate->standing == UNNAMED || other->standing != UNNAMED))
            return true;
        if (hc_manifest_covers(&candidate->entry, &other->entry) &&
            candidate->standing == UNNAMED && other->standing != UNNAMED)
            return true;
    }
    return false;
}

/* Whether the old manifest named another segment of the same job, which is lost now: what it did
 * not name is older, so that it may not take that one's place. */
static bool is_older(const struct rebuilding *rebuilding, const struct candidates *candidates,
                     const struct candidate *candidate)
{
    const struct hc_manifest_entry *named = hc_manifest_find(rebuilding->old, &candidate->entry);
    if (candidate->standing != UNNAMED || !named)
        return false;
    for (size_t i = 0; i < candidates->n; i++)
        if (strcmp(candidates->list[i].entry.file, named->file) == 0)
            return false;
    return true;
}

/* Take those out of the candidates that others stand for, or that are older than what is lost. */
static enum hc_status drop_candidates(const struct rebuilding *rebuilding,
                                      struct candidates *candidates, struct hc_error *err)
{
    const struct hc_reporter *reporter = rebuilding->reporter;
    size_t n_kept = 0;
    const char **reason = hc_new_array(candidates->n + 1, sizeof *reason, err);
    if (!reason)
        return err->status;
    for (size_t i = 0; i < candidates->n; i++)
        reason[i] = is_older(rebuilding, candidates, &candidates->list[i])
                        ? "it is older than the segment of its job that the manifest names"
                    : is_covered(candidates, i)
                        ? "its rows are entered with another segment, of its month or its days"
                        : NULL;
    for (size_t i = 0; i < candidates->n; i++) {
        struct candidate *candidate = &candidates->list[i];
        if (reason[i]) {
            hc_report(reporter, HC_CHECK_UNPUBLISHED, candidate->entry.file, reason[i]);
            hc_manifest_entry_fini(&candidate->entry);
        } else {
            candidates->list[n_kept++] = *candidate;
        }
    }
    candidates->n = n_kept;
    free((void *)reason);
    return HC_OK;
}

static bool is_candidate(const struct candidates *candidates, const char *file)
{
    for (size_t i = 0; i < candidates->n; i++)
        if (candidates->list[i].standing == PUBLISHED &&
            strcmp(candidates->list[i].entry.file, file) == 0)
            return true;
    return false;
}

/* Where something that was published is lost, or nobody knows what was, sources that were read are
 * to be read again: the ledger that passes over their files goes, before the manifest is written.
 */
static enum hc_status forget_sources(const struct rebuilding *rebuilding,
                                     const struct candidates *candidates, struct hc_error *err)
{
    const struct hc_archive *old = rebuilding->old;
    size_t n_lost = !rebuilding->has_old, n_removed = 0;
    for (size_t i = 0; i < old->n_entries; i++)
        n_lost += !is_candidate(candidates, old->entries[i].file);
    if (n_lost && hc_derived_forget(rebuilding->reporter->path, &n_removed, err))
        return err->status;
    if (n_removed)
        hc_note("the next 'hindcast ingest' of a site reads all of its files from their start, to "
                "bring back what was lost");
    return HC_OK;
}

/* Enter the candidates into archive; of several for one job the newest remains. */
static enum hc_status enter(const struct rebuilding *rebuilding, struct candidates *candidates,
                            struct hc_archive *archive, struct hc_error *err)
{
    const struct hc_reporter *reporter = rebuilding->reporter;
    if (drop_candidates(rebuilding, candidates, err))
        return err->status;
    if (candidates->n)
        qsort(candidates->list, candidates->n, sizeof *candidates->list, compare_candidates);
    hc_manifest_clear(archive);
    for (size_t i = 0; i < candidates->n; i++) {
        struct hc_manifest_entry *entry = &candidates->list[i].entry;
        const struct hc_manifest_entry *old = hc_manifest_find(archive, entry);
        if (old)
            hc_report(reporter, HC_CHECK_UNPUBLISHED, old->file,
                      "the segment of its job that is entered is another");
        if (hc_manifest_put(archive, entry, err))
            return err->status;
        memset(entry, 0, sizeof *entry); /* moved */
    }
    for (size_t i = 0; i < archive->n_entries; i++)
        hc_report(reporter, HC_CHECK_OK, archive->entries[i].file, "entered");
    archive->generation++;
    return hc_manifest_write(archive, err);
}

/* What the manifest says that is to be replaced. Only a text that is wrong may be ignored: one that
 * cannot be read now may be all that is known of segments that cannot be read either. */
static enum hc_status read_old(struct hc_archive *archive, bool *has_old, struct hc_error *err)
{
    struct hc_folder folder;
    struct hc_error why;
    bool there = false;
    if (hc_folder_open(&folder, archive->path, err))
        return err->status;
    enum hc_status status = hc_folder_has(&folder, HC_MANIFEST_FILE, &there, err);
    hc_folder_close(&folder);
    if (status || !there)
        return status;
    status = hc_manifest_read(archive, &why);
    *has_old = status == HC_OK;
    if (archive->newer)
        return hc_fail(err, HC_BAD_INPUT,
                       "the manifest of '%s' was written by a newer hindcast; repair it with that",
                       archive->path);
    if (status == HC_OK || status == HC_BAD_INPUT)
        return HC_OK;
    *err = why;
    return hc_context(err, "not repaired, since the manifest that is there could not be read");
}

/* Enter what was found, unless the manifest is missing or wrong and so a segment that cannot be
 * read now would be forgotten: then the old one, broken as it is, is all that tells of it, and an
 * older segment of its job would take its place. */
static enum hc_status conclude(const struct rebuilding *rebuilding, struct candidates *candidates,
                               struct hc_archive *archive, const struct hc_directory_list *list,
                               struct hc_error *err)
{
    const struct hc_reporter *reporter = rebuilding->reporter;
    if (rebuilding->n_unreadable) {
        hc_report(reporter, HC_CHECK_DAMAGED, HC_MANIFEST_FILE,
                  "it is missing or its text is wrong, and it is not made anew, since not all "
                  "segments can be read; nothing was changed: make them readable or move them "
                  "away, then repair again");
        return HC_OK;
    }
    report_missing(rebuilding, list);
    if (forget_sources(rebuilding, candidates, err) ||
        enter(rebuilding, candidates, archive, err) ||
        hc_visit_segments(reporter, archive, &rebuilding->segments, list, err))
        return err->status;
    return hc_visit_manifests(reporter, err);
}

/* Under the lock: no segment can be between its renaming and its publication. */
static enum hc_status rebuild(struct rebuilding *rebuilding, struct hc_archive *archive,
                              struct hc_error *err)
{
    struct hc_directory_list list = {0};
    struct candidates candidates = {0};
    if (read_old(archive, &rebuilding->has_old, err))
        return err->status;
    enum hc_status status = hc_list_directory(&list, &rebuilding->segments, err);
    for (size_t i = 0; !status && i < list.n; i++)
        if (!hc_is_temporary_name(list.names[i], &hc_temporary_segment))
            status = consider(rebuilding, list.names[i], &candidates, err);
    if (!status)
        status = conclude(rebuilding, &candidates, archive, &list, err);
    for (size_t i = 0; i < candidates.n; i++)
        hc_manifest_entry_fini(&candidates.list[i].entry);
    free(candidates.list);
    hc_directory_list_fini(&list);
    return status;
}

enum hc_status hc_archive_repair(const char *path, hc_check_callback *callback, void *context,
                                 struct hc_error *err)
{
    struct hc_reporter reporter = {
        .path = path, .callback = callback, .context = context, .mode = HC_STRAY_REMOVE_LEFTOVERS};
    struct hc_archive archive = {.path = (char *)path};
    struct rebuilding rebuilding = {.reporter = &reporter, .old = &archive};
    int lock = -1;
    /* Before a lock file is put where no archive is. */
    if (hc_folder_open_part(&rebuilding.segments, path, HC_SEGMENT_DIRECTORY, err))
        return err->status;
    enum hc_status status = HC_OK;
    if (rebuilding.segments.fd < 0)
        status = hc_fail(err, HC_IO, "'%s' is not an archive: it has no directory '%s'", path,
                         HC_SEGMENT_DIRECTORY);
    if (!status)
        status = hc_archive_lock(path, &lock, err);
    if (!status)
        status = rebuild(&rebuilding, &archive, err);
    if (lock >= 0)
        close(lock);
    hc_folder_close(&rebuilding.segments);
    hc_manifest_clear(&archive);
    return status;
}
