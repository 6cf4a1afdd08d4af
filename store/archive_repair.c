/* Rebuilding the manifest from the segments. */
#include "core/incident_table.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/op_table.h"
#include "store/archive.h"
#include "store/archive_lock.h"
#include "store/archive_stray.h"
#include "store/manifest.h"
#include "store/segment_name.h"

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

/* Describe the whole segment at path, whose name in the archive is file. */
static enum hc_status describe(const char *path, const char *file, struct candidate *candidate,
                               struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    struct hc_manifest_entry *entry = &candidate->entry;
    struct stat info;
    if (stat(path, &info))
        return hc_fail_errno(err, "cannot open", path);
    if (hc_segment_verify(path, err) || hc_segment_open(&segment, path, err))
        return err->status;
    enum hc_status status =
        hc_manifest_entry_init(entry, hc_segment_job(segment), hc_segment_provenance(segment), err);
    if (!status) {
        candidate->written = info.st_mtim;
        entry->size = info.st_size;
        entry->n_ops = hc_segment_n_rows(segment, &hc_ops_def);
        entry->n_steps = hc_segment_n_rows(segment, &hc_steps_def);
        entry->n_incidents = hc_segment_n_rows(segment, &hc_incidents_def);
        free(entry->file);
        entry->file = hc_copy_text(file, err);
        status = entry->file ? hc_digest_file(path, entry->sha256, err) : err->status;
    }
    if (status)
        hc_manifest_entry_fini(entry);
    hc_segment_close(segment);
    return status;
}

/* Compare with what the old manifest, where it could be read, says of the file. */
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

static enum hc_status consider(const struct hc_reporter *reporter, const char *name,
                               const struct hc_archive *old, struct candidates *candidates,
                               struct hc_error *err)
{
    struct hc_error why;
    enum hc_status status = HC_OK;
    char *file = hc_new_text(err, "%s/%s", HC_SEGMENT_DIRECTORY, name);
    char *path = file ? hc_new_text(err, "%s/%s", reporter->path, file) : NULL;
    if (!path || hc_reserve(&candidates->list, &candidates->capacity, candidates->n + 1,
                            sizeof *candidates->list, err)) {
        status = err->status;
    } else if (hc_is_segment_file(file)) {
        struct candidate *candidate = &candidates->list[candidates->n];
        *candidate = (struct candidate){.standing = UNNAMED};
        if (describe(path, file, candidate, &why) == HC_OK) {
            compare_with_old(old, candidate);
            candidates->n++;
        } else {
            hc_report(reporter, HC_CHECK_DAMAGED, file, why.message);
        }
    }
    free(file);
    free(path);
    return status;
}

/* Enter the candidates into archive; of several for one job the newest remains. */
static enum hc_status enter(const struct hc_reporter *reporter, struct candidates *candidates,
                            struct hc_archive *archive, struct hc_error *err)
{
    if (candidates->n)
        qsort(candidates->list, candidates->n, sizeof *candidates->list, compare_candidates);
    hc_manifest_clear(archive);
    for (size_t i = 0; i < candidates->n; i++) {
        struct hc_manifest_entry *entry = &candidates->list[i].entry;
        const struct hc_manifest_entry *old = hc_manifest_find(archive, entry);
        if (old)
            hc_report(reporter, HC_CHECK_UNPUBLISHED, old->file,
                      "a newer segment holds the same job; 'archive gc' removes it");
        if (hc_manifest_put(archive, entry, err))
            return err->status;
        memset(entry, 0, sizeof *entry); /* moved */
    }
    for (size_t i = 0; i < archive->n_entries; i++)
        hc_report(reporter, HC_CHECK_OK, archive->entries[i].file, "entered");
    archive->generation++;
    return hc_manifest_write(archive, err);
}

/* Under the lock: no segment can be between its renaming and its publication. */
static enum hc_status rebuild(const struct hc_reporter *reporter, struct hc_archive *archive,
                              struct hc_error *err)
{
    struct hc_directory_list list = {0};
    struct candidates candidates = {0};
    struct hc_error ignored;
    hc_manifest_read(archive, &ignored); /* what it says, if it can be read at all */
    if (archive->newer)
        return hc_fail(err, HC_BAD_INPUT,
                       "the manifest of '%s' was written by a newer hindcast; repair it with that",
                       reporter->path);
    enum hc_status status = hc_list_segments(reporter->path, &list, err);
    for (size_t i = 0; !status && i < list.n; i++)
        if (!hc_is_temporary(list.names[i]))
            status = consider(reporter, list.names[i], archive, &candidates, err);
    if (!status && (enter(reporter, &candidates, archive, err) ||
                    hc_visit_strays(reporter, archive, &list, hc_stray_remove_leftover, err) ||
                    hc_visit_manifests(reporter, hc_stray_remove_leftover, err)))
        status = err->status;
    for (size_t i = 0; i < candidates.n; i++)
        hc_manifest_entry_fini(&candidates.list[i].entry);
    free(candidates.list);
    hc_directory_list_fini(&list);
    return status;
}

enum hc_status hc_archive_repair(const char *path, hc_check_callback *callback, void *context,
                                 struct hc_error *err)
{
    struct hc_reporter reporter = {.path = path, .callback = callback, .context = context};
    struct hc_directory_list list = {0};
    struct hc_archive archive = {.path = (char *)path};
    int lock = -1;
    if (hc_list_segments(path, &list, err)) /* before a lock file is put where no archive is */
        return hc_context(err, "'%s' is not an archive", path);
    hc_directory_list_fini(&list);
    if (hc_archive_lock(path, &lock, err))
        return err->status;
    enum hc_status status = rebuild(&reporter, &archive, err);
    close(lock);
    hc_manifest_clear(&archive);
    return status;
}
