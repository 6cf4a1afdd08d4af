#include "core/base/memory.h"
#include "core/process/temporary_files.h"
#include "store/archive/archive.h"
#include "store/archive/archive_stray.h"
#include "store/archive/manifest.h"
#include "store/archive/segment_name.h"
#include "store/folder/locked_temporary.h"
#include "store/folder/writer_lock.h"
#include "store/objects/segment_layout.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_TRIES 16 /* to find the archive that another process just discarded */

struct hc_archive_ingest {
    struct hc_archive *archive;
    struct hc_folder segments;
    struct hc_locked_temporary temporary; /* in it */
    struct hc_segment_writer *writer;
    struct hc_manifest_entry entry; /* when it is finished */
    char rewrites[HC_DIGEST_TEXT];  /* the segment that it is written from, or "" */
    bool was_named;                 /* by the manifest, before it was given its name */
    bool is_placed;                 /* it has its name */
};

/* ---- what is there ---- */

/* Whether the file of an entry is what the manifest says. HC_IO and HC_INTERNAL: it cannot be told
 * now. */
static enum hc_status is_whole(const struct hc_archive *archive,
                               const struct hc_manifest_entry *entry, bool *whole,
                               struct hc_error *err)
{
    int fd = -1;
    struct hc_error why = {0};
    enum hc_status status = hc_archive_open_verified(archive, entry, &fd, &why);
    *whole = status == HC_OK;
    if (fd >= 0)
        close(fd);
    if (status == HC_OK || status == HC_BAD_INPUT)
        return HC_OK;
    *err = why;
    return hc_context(err, "the archive has it, but cannot say whether it is whole");
}

enum hc_status hc_archive_holds(const struct hc_archive *archive, const struct hc_job *job,
                                const struct hc_provenance *provenance,
                                const struct hc_manifest_entry **found, struct hc_error *err)
{
    struct hc_manifest_entry wanted;
    bool whole = false;
    *found = NULL;
    if (hc_manifest_entry_init(&wanted, job, provenance, NULL, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; !status && !whole && i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        if (!job->day[0]) /* known once the source was read */
            memcpy(wanted.day, entry->day, sizeof wanted.day);
        if (job->of_rank == HC_MISSING_I32) /* likewise */
            wanted.of_rank = entry->of_rank;
        if (hc_manifest_same(entry, &wanted))
            status = is_whole(archive, entry, &whole, err);
        if (whole)
            *found = entry;
    }
    hc_manifest_entry_fini(&wanted);
    return status;
}

/* ---- beginning ---- */

static enum hc_status create_temporary(struct hc_archive_ingest *ingest, struct hc_error *err)
{
    enum hc_status status = HC_IO;
    for (int i = 0; i < MAX_TRIES && status == HC_IO; i++) {
        const char *path = ingest->archive->path;
        bool created = false;
        hc_folder_close(&ingest->segments);
        status = hc_folder_open_part(&ingest->segments, path, HC_SEGMENT_DIRECTORY, err);
        if (!status && ingest->segments.fd < 0)
            status = hc_fail(err, HC_IO, "'%s/%s' does not exist", path, HC_SEGMENT_DIRECTORY);
        if (!status)
            status = hc_locked_temporary_make(&ingest->temporary, &ingest->segments,
                                              &hc_temporary_segment, true, err);
        /* The process that made the archive may have discarded it, its own trace being bad. */
        struct hc_error why;
        if (status && hc_archive_create(path, &created, &why)) {
            *err = why;
            return why.status;
        }
    }
    return status;
}

/* Frees the ingest; the temporary file, if it is there still, goes before its lock does. */
static void release(struct hc_archive_ingest *ingest)
{
    hc_segment_writer_abort(ingest->writer);
    hc_manifest_entry_fini(&ingest->entry);
    hc_locked_temporary_release(&ingest->temporary);
    hc_folder_close(&ingest->segments);
    free(ingest);
}

enum hc_status hc_archive_ingest_begin(struct hc_archive_ingest **ingest,
                                       struct hc_archive *archive, bool is_small,
                                       struct hc_error *err)
{
    if (archive->newer)
        return hc_fail(
            err, HC_BAD_INPUT,
            "archive '%s' was written by a newer hindcast: this one can read it, but not "
            "add to it",
            archive->path);
    struct hc_archive_ingest *new = hc_new_array(1, sizeof *new, err);
    if (!new)
        return err->status;
    new->archive = archive;
    new->segments.fd = new->temporary.fd = -1;
    if (!atomic_exchange(&archive->swept, true)) /* segments may be begun on several threads */
        hc_archive_sweep(archive->path);
    enum hc_status status = create_temporary(new, err);
    if (status == HC_OK) {
        /* HDF5 opens the file by its name, and makes it where it is gone: which it would be, had a
         * signal that another thread took removed it just now. */
        hc_temporary_hold();
        status = hc_segment_writer_open(&new->writer, new->temporary.path, is_small, err);
        hc_temporary_release();
    }
    if (status)
        release(new);
    else
        *ingest = new;
    return status;
}

struct hc_segment_writer *hc_archive_ingest_writer(struct hc_archive_ingest *ingest)
{
    return ingest->writer;
}

void hc_archive_ingest_abort(struct hc_archive_ingest *ingest)
{
    if (ingest)
        release(ingest);
}

/* ---- committing ---- */

/* HDF5 opens by name: had somebody put another directory in the place of ours, its file would not
 * be the one that we hold. */
static enum hc_status take_size(struct hc_archive_ingest *ingest, int64_t *size,
                                struct hc_error *err)
{
    struct stat info;
    const char *path = ingest->temporary.path;
    if (fstat(ingest->temporary.fd, &info))
        return hc_fail_errno(err, "cannot read", path);
    *size = info.st_size;
    if (info.st_size == 0 || info.st_nlink == 0)
        return hc_fail(err, HC_IO, "'%s' was moved or removed while it was written", path);
    return HC_OK;
}

static bool names(const struct hc_archive *archive, const struct hc_manifest_entry *entry)
{
    const struct hc_manifest_entry *found = hc_manifest_find(archive, entry);
    return found && strcmp(found->file, entry->file) == 0;
}

/* Segments have their names, but entering them in the manifest failed. Only the manifest on the
 * disk can say whether they are published; what it does not name goes again, so that what was
 * reported as failed is not found later. */
static enum hc_status undo_publication(const struct hc_ingest_set *set, struct hc_error *err)
{
    struct hc_error ignored;
    if (hc_manifest_read(set->ingests[0]->archive, &ignored))
        return err->status;
    for (size_t i = 0; i < set->n; i++) {
        struct hc_archive_ingest *ingest = set->ingests[i];
        bool gone = false;
        if (!ingest->is_placed)
            continue;
        if (!names(ingest->archive, &ingest->entry))
            hc_folder_remove(&ingest->segments, hc_segment_base_name(ingest->entry.file), &gone,
                             &ignored);
        else if (!ingest->was_named)
            return hc_context(
                err, "job '%s/%s' is published, but a crash of the machine could undo that",
                ingest->entry.cluster, ingest->entry.job_id);
    }
    return err->status;
}

/* Give a segment its name. One that is named already is never replaced by another of its name,
 * since for a moment it would not be the one that the manifest describes; the same source read the
 * same way has the same contents anyway. */
static enum hc_status place(struct hc_archive_ingest *ingest, bool *replaced, struct hc_error *err)
{
    const struct hc_archive *archive = ingest->archive;
    const struct hc_manifest_entry *old = hc_manifest_find(archive, &ingest->entry);
    bool whole = false;
    if (ingest->rewrites[0] && !(old && strcmp(old->sha256, ingest->rewrites) == 0))
        return HC_OK; /* what it was written from is not the newest any more */
    *replaced = old && (ingest->rewrites[0] || !hc_manifest_same(old, &ingest->entry));
    if (old && !*replaced && is_whole(archive, old, &whole, err))
        return err->status;
    if (whole)
        return HC_OK;
    ingest->was_named = names(archive, &ingest->entry);
    if (hc_locked_temporary_rename(&ingest->temporary, hc_segment_base_name(ingest->entry.file),
                                   err))
        return err->status;
    ingest->is_placed = true;
    return HC_OK;
}

/* Enter the segments that have their names now. */
static enum hc_status enter(const struct hc_ingest_set *set, struct hc_error *err)
{
    struct hc_archive *archive = set->ingests[0]->archive;
    size_t n_placed = 0;
    for (size_t i = 0; i < set->n; i++) {
        struct hc_manifest_entry entry;
        if (!set->ingests[i]->is_placed)
            continue;
        if ((n_placed++ == 0 && hc_folder_sync(&set->ingests[0]->segments, err)) ||
            hc_manifest_entry_copy(&entry, &set->ingests[i]->entry, err))
            return err->status;
        if (hc_manifest_put(archive, &entry, err)) {
            hc_manifest_entry_fini(&entry);
            return err->status;
        }
    }
    if (n_placed == 0)
        return HC_OK;
    archive->generation++;
    return hc_manifest_write(archive, err);
}

/* Under the lock. */
static enum hc_status place_and_enter(const struct hc_ingest_set *set, struct hc_error *err)
{
    struct hc_archive *archive = set->ingests[0]->archive;
    if (hc_manifest_read(archive, err))
        return err->status;
    if (archive->newer)
        return hc_fail(err, HC_BAD_INPUT, "archive '%s' was changed by a newer hindcast",
                       archive->path);
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < set->n && status == HC_OK; i++)
        status = place(set->ingests[i], &set->replaced[i], err);
    if (status == HC_OK)
        status = enter(set, err);
    return status ? undo_publication(set, err) : HC_OK;
}

/* One file after the other, but the first wait is for the journal of all: that of a set takes
 * little longer than that of a single file. */
static enum hc_status sync_files(const struct hc_ingest_set *set, struct hc_error *err)
{
    for (size_t i = 0; i < set->n; i++)
        if (fsync(set->ingests[i]->temporary.fd))
            return hc_fail_errno(err, "cannot sync", set->ingests[i]->temporary.path);
    return HC_OK;
}

enum hc_status hc_archive_ingest_publish(const struct hc_ingest_set *set, struct hc_error *err)
{
    int lock = -1;
    if (set->n == 0)
        return HC_OK;
    const char *path = set->ingests[0]->archive->path;
    enum hc_status status = sync_files(set, err);
    if (status == HC_OK)
        status = hc_archive_lock(path, &lock, err);
    if (status == HC_OK) {
        hc_archive_sweep_manifests(path);
        status = place_and_enter(set, err);
        close(lock);
    }
    for (size_t i = 0; i < set->n; i++)
        release(set->ingests[i]);
    return status;
}

enum hc_status hc_archive_lock_records(struct hc_archive *archive, int *lock, struct hc_error *err)
{
    if (hc_records_lock(archive->path, lock, err))
        return err->status;
    if (hc_manifest_read(archive, err)) {
        close(*lock);
        *lock = -1;
    }
    return err->status;
}

void hc_archive_ingest_rewrites(struct hc_archive_ingest *ingest, const char *sha256)
{
    memcpy(ingest->rewrites, sha256, sizeof ingest->rewrites);
}

/* The same source read the same way gives the same name, but for what rewrote a segment: no name
 * ever changes what it is of. */
static enum hc_status name_rewritten(struct hc_archive_ingest *ingest, struct hc_error *err)
{
    struct hc_manifest_entry *entry = &ingest->entry;
    char *name = hc_segment_file_name(entry, ingest->rewrites, err);
    if (!name)
        return err->status;
    free(entry->file);
    entry->file = name;
    return HC_OK;
}

enum hc_status hc_archive_ingest_finish(struct hc_archive_ingest *ingest, const struct hc_job *job,
                                        const struct hc_provenance *provenance,
                                        struct hc_error *err)
{
    struct hc_table_counts counts = {0};
    struct hc_segment_writer *writer = ingest->writer;
    struct hc_manifest_entry *entry = &ingest->entry;
    ingest->writer = NULL;
    enum hc_status status = hc_segment_writer_counts(writer, &counts, err);
    if (status)
        hc_segment_writer_abort(writer);
    else
        status = hc_segment_writer_close(writer, job, provenance, err);
    if (!status)
        status = hc_manifest_entry_init(entry, job, provenance, &counts, err);
    if (!status)
        status = take_size(ingest, &entry->size, err);
    if (!status)
        status = hc_digest_fd(ingest->temporary.fd, ingest->temporary.path, entry->sha256, err);
    if (!status && ingest->rewrites[0])
        status = name_rewritten(ingest, err);
    hc_table_counts_fini(&counts);
    return status;
}

enum hc_status hc_archive_ingest_commit(struct hc_archive_ingest *ingest, const struct hc_job *job,
                                        const struct hc_provenance *provenance, bool *replaced,
                                        struct hc_error *err)
{
    *replaced = false;
    if (hc_archive_ingest_finish(ingest, job, provenance, err)) {
        release(ingest);
        return err->status;
    }
    return hc_archive_ingest_publish(&(struct hc_ingest_set){1, &ingest, replaced}, err);
}
