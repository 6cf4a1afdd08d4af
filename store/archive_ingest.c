#include "core/memory.h"
#include "core/outfile.h"
#include "store/archive.h"
#include "store/archive_lock.h"
#include "store/manifest.h"
#include "store/segment_layout.h"
#include "store/segment_name.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_TRIES 16 /* for a temporary name that is ours */

struct hc_archive_ingest {
    struct hc_archive *archive;
    char *temporary;
    int fd; /* of the temporary file; its lock says that we are alive */
    struct hc_segment_writer *writer;
};

/* ---- what is there ---- */

/* Whether the file of an entry is what the manifest says. */
static bool is_whole(const struct hc_archive *archive, const struct hc_manifest_entry *entry)
{
    char digest[HC_DIGEST_TEXT], *path = NULL;
    struct hc_error ignored;
    struct stat info;
    if (hc_archive_segment_path(archive, entry, &path, &ignored))
        return false;
    bool whole = stat(path, &info) == 0 && info.st_size == entry->size &&
                 hc_digest_file(path, digest, &ignored) == HC_OK &&
                 strcmp(digest, entry->sha256) == 0;
    free(path);
    return whole;
}

const struct hc_manifest_entry *hc_archive_holds(const struct hc_archive *archive,
                                                 const struct hc_job *job,
                                                 const struct hc_provenance *provenance)
{
    struct hc_error ignored;
    struct hc_manifest_entry wanted;
    if (hc_manifest_entry_init(&wanted, job, provenance, &ignored))
        return NULL;
    const struct hc_manifest_entry *found = hc_manifest_find(archive, &wanted);
    if (found && (!hc_manifest_same(found, &wanted) || !is_whole(archive, found)))
        found = NULL;
    hc_manifest_entry_fini(&wanted);
    return found;
}

/* ---- beginning ---- */

static char *temporary_name(const struct hc_archive *archive, struct hc_error *err)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        number = (uint64_t)(uintptr_t)&number;
    return hc_new_text(err, "%s/%s/%s%d-%016" PRIx64 "%s", archive->path, HC_SEGMENT_DIRECTORY,
                       HC_TEMPORARY_PREFIX, (int)getpid(), number, HC_SEGMENT_SUFFIX);
}

/* Make a file that nobody else has, and lock it. Between the two a cleaner may take it for the
 * leftover of a dead writer: then it is locked by the cleaner, or has no name any more. */
static int create_locked(const char *path, bool *again)
{
    struct stat info;
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        *again = errno == EEXIST;
        return -1;
    }
    bool locked = hc_lock_fd(fd, false);
    if (locked && fstat(fd, &info) == 0 && info.st_nlink > 0)
        return fd;
    *again = locked || errno == EAGAIN || errno == EACCES;
    int saved = errno;
    close(fd);
    unlink(path);
    errno = saved;
    return -1;
}

static enum hc_status create_temporary(struct hc_archive_ingest *ingest, struct hc_error *err)
{
    bool again = true, created;
    for (int i = 0; i < MAX_TRIES && again; i++) {
        free(ingest->temporary);
        ingest->temporary = temporary_name(ingest->archive, err);
        if (!ingest->temporary)
            return err->status;
        ingest->fd = create_locked(ingest->temporary, &again);
        if (ingest->fd >= 0)
            return HC_OK;
        /* The process that made the archive may have discarded it, its own trace being bad. */
        if (errno == ENOENT)
            again = hc_archive_create(ingest->archive->path, &created, err) == HC_OK;
    }
    return hc_fail_errno(err, "cannot create", ingest->temporary);
}

/* Frees the ingest; the temporary file, if it is there still, goes before its lock does. */
static void release(struct hc_archive_ingest *ingest)
{
    hc_segment_writer_abort(ingest->writer);
    if (ingest->fd >= 0) {
        unlink(ingest->temporary);
        close(ingest->fd);
    }
    free(ingest->temporary);
    free(ingest);
}

enum hc_status hc_archive_ingest_begin(struct hc_archive_ingest **ingest,
                                       struct hc_archive *archive, struct hc_error *err)
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
    new->fd = -1;
    if (create_temporary(new, err) ||
        hc_segment_writer_start(&new->writer, new->temporary, false, err)) {
        release(new);
        return err->status;
    }
    *ingest = new;
    return HC_OK;
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

static enum hc_status move_into_place(struct hc_archive_ingest *ingest,
                                      const struct hc_manifest_entry *entry, struct hc_error *err)
{
    char *path = NULL;
    if (hc_archive_segment_path(ingest->archive, entry, &path, err))
        return err->status;
    enum hc_status status = HC_OK;
    if (rename(ingest->temporary, path))
        status = hc_fail_errno(err, "cannot rename a segment to", path);
    else
        status = hc_sync_directory_of(path, err);
    free(path);
    return status;
}

/* Under the lock. A segment that is named already is never replaced by another of its name, since
 * for a moment it would not be the one that the manifest describes; the same source read the same
 * way has the same contents anyway. */
static enum hc_status publish(struct hc_archive_ingest *ingest, struct hc_manifest_entry *entry,
                              bool *replaced, struct hc_error *err)
{
    struct hc_archive *archive = ingest->archive;
    if (hc_manifest_read(archive, err))
        return err->status;
    if (archive->newer)
        return hc_fail(err, HC_BAD_INPUT, "archive '%s' was changed by a newer hindcast",
                       archive->path);
    const struct hc_manifest_entry *old = hc_manifest_find(archive, entry);
    *replaced = old && !hc_manifest_same(old, entry);
    if (old && !*replaced && is_whole(archive, old))
        return HC_OK;
    if (move_into_place(ingest, entry, err) || hc_manifest_put(archive, entry, err))
        return err->status;
    memset(entry, 0, sizeof *entry); /* moved */
    archive->generation++;
    if (hc_manifest_write(archive, err)) {
        struct hc_error ignored;
        hc_manifest_read(archive, &ignored); /* what is published, and not what was to be */
        return err->status;
    }
    return HC_OK;
}

static enum hc_status lock_and_publish(struct hc_archive_ingest *ingest,
                                       struct hc_manifest_entry *entry, bool *replaced,
                                       struct hc_error *err)
{
    int lock = -1;
    struct stat info;
    if (hc_digest_fd(ingest->fd, ingest->temporary, entry->sha256, err))
        return err->status;
    if (fstat(ingest->fd, &info))
        return hc_fail_errno(err, "cannot read", ingest->temporary);
    entry->size = info.st_size;
    if (hc_archive_lock(ingest->archive->path, &lock, err))
        return err->status;
    enum hc_status status = publish(ingest, entry, replaced, err);
    close(lock);
    return status;
}

enum hc_status hc_archive_ingest_commit(struct hc_archive_ingest *ingest,
                                        const struct hc_archive_contents *contents, bool *replaced,
                                        struct hc_error *err)
{
    struct hc_manifest_entry entry = {0};
    struct hc_segment_writer *writer = ingest->writer;
    ingest->writer = NULL;
    *replaced = false;
    enum hc_status status =
        hc_segment_writer_close(writer, contents->job, contents->provenance, err);
    if (!status)
        status = hc_manifest_entry_init(&entry, contents->job, contents->provenance, err);
    if (!status) {
        entry.n_ops = contents->n_ops;
        entry.n_steps = contents->n_steps;
        entry.n_incidents = contents->n_incidents;
        status = lock_and_publish(ingest, &entry, replaced, err);
    }
    hc_manifest_entry_fini(&entry);
    release(ingest);
    return status;
}
