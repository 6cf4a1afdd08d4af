#include "store/archive/archive.h"

#include "core/base/memory.h"
#include "core/files/outfile.h"
#include "store/archive/archive_readers.h"
#include "store/archive/manifest.h"
#include "store/archive/segment_name.h"
#include "store/folder/directory_list.h"
#include "store/folder/folder.h"
#include "store/folder/locked_temporary.h"
#include "store/folder/writer_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_TRIES 16

/* ---- what is at a path ---- */

/* A directory that is, or may become, an archive. */
struct survey {
    bool is_there, has_manifest, has_lock;
    bool
        has_segments; /* something is in segments/; like what follows, only told without manifest */
    char *foreign;    /* a name that no creation of an archive leaves, or NULL */
};

static bool is_own_name(const char *name)
{
    return strcmp(name, HC_LOCK_FILE) == 0 || strcmp(name, HC_READERS_FILE) == 0 ||
           strcmp(name, HC_SEGMENT_DIRECTORY) == 0 ||
           hc_is_temporary_name(name, &hc_temporary_manifest);
}

static enum hc_status survey_names(struct survey *survey, const struct hc_folder *folder,
                                   struct hc_error *err)
{
    struct hc_directory_list list;
    struct hc_folder segments = {.fd = -1};
    enum hc_status status = hc_list_directory(&list, folder, err);
    for (size_t i = 0; !status && i < list.n; i++) {
        survey->has_lock |= strcmp(list.names[i], HC_LOCK_FILE) == 0;
        if (is_own_name(list.names[i]) || survey->foreign)
            continue;
        survey->foreign = hc_copy_text(list.names[i], err);
        status = survey->foreign ? HC_OK : err->status;
    }
    hc_directory_list_fini(&list);
    if (!status)
        status = hc_folder_open_inner(&segments, folder, HC_SEGMENT_DIRECTORY, err);
    if (!status)
        status = hc_list_directory(&list, &segments, err);
    survey->has_segments = !status && list.n > 0;
    hc_directory_list_fini(&list);
    hc_folder_close(&segments);
    return status;
}

/* On success, the caller frees survey->foreign. */
static enum hc_status take_survey(struct survey *survey, const char *path, struct hc_error *err)
{
    struct hc_folder folder;
    *survey = (struct survey){.is_there = false};
    if (hc_folder_open(&folder, path, err))
        return err->status;
    enum hc_status status = HC_OK;
    survey->is_there = folder.fd >= 0;
    if (survey->is_there)
        status = hc_folder_has(&folder, HC_MANIFEST_FILE, &survey->has_manifest, err);
    if (!status && survey->is_there && !survey->has_manifest) {
        status = survey_names(survey, &folder, err);
        /* Another process may have finished an archive here after the first look, and what it made
         * is nothing foreign: the names count only where there is no manifest after them, either.
         */
        if (!status)
            status = hc_folder_has(&folder, HC_MANIFEST_FILE, &survey->has_manifest, err);
    }
    if (status)
        free(survey->foreign);
    hc_folder_close(&folder);
    return status;
}

/* A creation that was killed leaves at least the lock, which it makes first. An empty directory is
 * not taken for one: it may be the place of a file system that is not mounted. */
static bool is_unfinished(const struct survey *survey)
{
    return survey->is_there && !survey->has_manifest && survey->has_lock && !survey->has_segments &&
           !survey->foreign;
}

/* ---- creating ---- */

/* Whether a directory without a manifest may become an archive: nothing is in it but what a
 * creation that was cut short leaves. */
static enum hc_status check_empty(const struct survey *survey, const char *path,
                                  struct hc_error *err)
{
    if (survey->foreign)
        return hc_fail(err, HC_USAGE,
                       "'%s' is not an archive: it has '%s' and no %s; name another directory",
                       path, survey->foreign, HC_MANIFEST_FILE);
    if (survey->has_segments)
        return hc_fail(err, HC_BAD_INPUT,
                       "archive '%s' has segments but no %s; 'check --repair' rebuilds it", path,
                       HC_MANIFEST_FILE);
    return HC_OK;
}

/* As take_survey; a directory that may not become an archive is refused. */
static enum hc_status survey_for_creation(struct survey *survey, const char *path,
                                          struct hc_error *err)
{
    if (take_survey(survey, path, err))
        return err->status;
    enum hc_status status = survey->has_manifest ? HC_OK : check_empty(survey, path, err);
    free(survey->foreign);
    survey->foreign = NULL;
    return status;
}

/* Make what is missing, under the lock; the manifest comes last and makes it an archive. */
static enum hc_status create_parts(const char *path, struct hc_error *err)
{
    struct hc_archive empty = {.path = (char *)path};
    struct hc_folder folder, segments = {.fd = -1};
    if (hc_folder_open(&folder, path, err))
        return err->status;
    enum hc_status status = hc_folder_make(&folder, HC_SEGMENT_DIRECTORY, HC_MANIFEST_FILE, err);
    if (!status)
        status = hc_folder_open_inner(&segments, &folder, HC_SEGMENT_DIRECTORY, err);
    if (!status)
        hc_leftovers_sweep(&folder, &hc_temporary_manifest);
    if (!status && (hc_manifest_write(&empty, err) || hc_sync_parent_directory(path, err)))
        status = err->status;
    hc_folder_close(&segments);
    hc_folder_close(&folder);
    return status;
}

/* *created becomes true when it is this call that makes it. */
static enum hc_status create_once(const char *path, bool *created, struct hc_error *err)
{
    int lock = -1;
    struct survey survey;
    if (survey_for_creation(&survey, path, err)) /* before the lock file is put into it */
        return err->status;
    if (survey.has_manifest)
        return HC_OK;
    if (hc_make_directories(path, err) || hc_archive_lock(path, &lock, err))
        return err->status;
    enum hc_status status = survey_for_creation(&survey, path, err);
    if (!status && !survey.has_manifest) { /* no other process was faster */
        *created = true;
        status = create_parts(path, err);
    }
    close(lock);
    return status;
}

enum hc_status hc_archive_create(const char *path, bool *created, struct hc_error *err)
{
    enum hc_status status = HC_IO;
    *created = false;
    /* Another process may be discarding an archive that it made and could not fill. */
    for (int i = 0; i < MAX_TRIES && status == HC_IO; i++)
        status = create_once(path, created, err);
    return status;
}

void hc_archive_discard_if_empty(struct hc_archive *archive)
{
    static const char *const files[] = {HC_MANIFEST_FILE, HC_READERS_FILE, HC_LOCK_FILE};
    struct hc_error ignored;
    struct hc_folder folder;
    int lock = -1;
    if (!archive->created || hc_archive_lock(archive->path, &lock, &ignored))
        return;
    hc_manifest_clear(archive);
    bool is_empty = !hc_manifest_read(archive, &ignored) && archive->generation == 0;
    if (is_empty && !hc_folder_open(&folder, archive->path, &ignored)) {
        /* The directory goes only if nobody has begun to write into it, and keeps what is known of
         * sources that gave no row. */
        if (folder.fd >= 0 && faccessat(folder.fd, "derived", F_OK, AT_SYMLINK_NOFOLLOW) &&
            unlinkat(folder.fd, HC_SEGMENT_DIRECTORY, AT_REMOVEDIR) == 0) {
            for (size_t i = 0; i < sizeof files / sizeof *files; i++)
                unlinkat(folder.fd, files[i], 0);
            rmdir(archive->path);
        }
        hc_folder_close(&folder);
    }
    close(lock);
}

/* ---- opening ---- */

/* Say why there is nothing to open at path. */
static enum hc_status fail_absent(const struct survey *survey, const char *path,
                                  struct hc_error *err)
{
    if (!survey->is_there)
        return hc_fail(err, HC_IO, "archive '%s' does not exist; 'ingest' creates it", path);
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s' is not an archive: it has no %s; where there are segments, 'check "
                   "--repair' rebuilds it",
                   path, HC_MANIFEST_FILE);
}

static enum hc_status refuse_file(const char *path, struct hc_error *err)
{
    struct stat info;
    if (stat(path, &info) == 0)
        return S_ISDIR(info.st_mode)
                   ? HC_OK
                   : hc_fail(err, HC_USAGE, "'%s' is a file; an archive is a directory", path);
    return errno == ENOENT ? HC_OK : hc_fail_errno(err, "cannot open archive", path);
}

enum hc_status hc_archive_open(struct hc_archive **archive, const char *path, bool create_absent,
                               struct hc_error *err)
{
    bool created = false;
    struct survey survey;
    if (refuse_file(path, err) || (create_absent && hc_archive_create(path, &created, err)) ||
        take_survey(&survey, path, err))
        return err->status;
    bool unfinished = is_unfinished(&survey);
    free(survey.foreign);
    if (!survey.has_manifest && !unfinished)
        return fail_absent(&survey, path, err);
    struct hc_archive *new = hc_new_array(1, sizeof *new, err);
    if (!new)
        return err->status;
    new->created = created;
    new->unfinished = unfinished;
    new->path = hc_copy_text(path, err);
    new->reader = hc_reader_begin(path);
    if (!new->path || (!unfinished && hc_manifest_read(new, err))) {
        hc_archive_close(new);
        return err->status;
    }
    hc_reader_settle(new->reader, new->generation);
    *archive = new;
    return HC_OK;
}

void hc_archive_close(struct hc_archive *archive)
{
    if (!archive)
        return;
    hc_archive_end_reading(archive);
    hc_manifest_clear(archive);
    free(archive->path);
    free(archive);
}

void hc_archive_end_reading(struct hc_archive *archive)
{
    if (archive->reader >= 0)
        close(archive->reader);
    archive->reader = -1;
}

enum hc_status hc_archive_segment_path(const struct hc_archive *archive,
                                       const struct hc_manifest_entry *entry, char **path,
                                       struct hc_error *err)
{
    *path = hc_new_text(err, "%s/%s", archive->path, entry->file);
    return *path ? HC_OK : err->status;
}

/* Only what the manifest still names is missing: another writer may have taken the segment out of
 * the archive, and where nobody could tell it that we read (archive_readers.h), its file as well.
 */
static enum hc_status fail_missing(const struct hc_archive *archive,
                                   const struct hc_manifest_entry *entry, struct hc_error *err)
{
    if (!hc_archive_still_names(archive, entry, 1))
        return hc_fail(err, HC_IO,
                       "archive '%s' changed while it was read: '%s' is not in it any more; run "
                       "the command again",
                       archive->path, entry->file);
    return hc_fail(err, HC_BAD_INPUT, "'%s/%s' is missing; ingest its source '%.200s' again",
                   archive->path, entry->file, entry->source_path);
}

bool hc_archive_still_names(const struct hc_archive *archive,
                            const struct hc_manifest_entry *entries, size_t n)
{
    struct hc_archive now = {.path = archive->path};
    struct hc_error ignored = {0};
    bool names_all = true;
    if (hc_manifest_read(&now, &ignored))
        return true;
    for (size_t k = 0; k < n && names_all; k++) {
        names_all = false;
        for (size_t i = 0; i < now.n_entries && !names_all; i++)
            names_all = strcmp(now.entries[i].file, entries[k].file) == 0;
    }
    hc_manifest_clear(&now);
    return names_all;
}

enum hc_status hc_archive_open_file(const struct hc_archive *archive,
                                    const struct hc_manifest_entry *entry, int *fd,
                                    struct hc_error *err)
{
    struct hc_folder segments;
    *fd = -1;
    if (hc_folder_open_part(&segments, archive->path, HC_SEGMENT_DIRECTORY, err))
        return err->status;
    enum hc_status status = HC_OK;
    if (segments.fd >= 0)
        status =
            hc_folder_open_file(&segments, hc_segment_base_name(entry->file), O_RDONLY, fd, err);
    if (!status && segments.fd >= 0 && *fd < 0)
        status = hc_open_retired(&segments, hc_segment_base_name(entry->file), fd, err);
    hc_folder_close(&segments);
    return !status && *fd < 0 ? fail_missing(archive, entry, err) : status;
}

/* Files that changed places are told without their hashes. */
static enum hc_status check_identity(const struct hc_segment *segment,
                                     const struct hc_manifest_entry *entry, const char *path,
                                     struct hc_error *err)
{
    struct hc_manifest_entry own = {0};
    enum hc_status status =
        hc_manifest_entry_init(&own, hc_segment_job(segment), hc_segment_provenance(segment),
                               hc_segment_tables(segment), err);
    if (!status && !hc_manifest_same(&own, entry))
        status = hc_fail(err, HC_BAD_INPUT,
                         "'%s' is of job '%.100s/%.100s', or of another source of it, than the "
                         "manifest says; ingest the source '%.200s' again",
                         path, own.cluster, own.job_id, entry->source_path);
    hc_manifest_entry_fini(&own);
    return status;
}

enum hc_status hc_archive_open_segment(const struct hc_archive *archive,
                                       const struct hc_manifest_entry *entry,
                                       struct hc_segment **segment, struct hc_error *err)
{
    int fd = -1;
    char *path = NULL;
    if (hc_archive_segment_path(archive, entry, &path, err))
        return err->status;
    enum hc_status status = hc_archive_open_file(archive, entry, &fd, err);
    if (!status)
        status = hc_segment_open(segment, fd, path, err);
    if (!status && check_identity(*segment, entry, path, err)) {
        hc_segment_close(*segment);
        *segment = NULL;
        status = err->status;
    }
    free(path);
    return status;
}

enum hc_status hc_archive_verify_file(const struct hc_archive *archive,
                                      const struct hc_manifest_entry *entry, int fd,
                                      struct hc_error *err)
{
    char digest[HC_DIGEST_TEXT];
    struct stat info;
    if (fstat(fd, &info))
        return hc_fail_errno(err, "cannot read", entry->file);
    if (hc_digest_fd(fd, entry->file, digest, err))
        return hc_context(err, "archive '%s'", archive->path);
    if (info.st_size == entry->size && strcmp(digest, entry->sha256) == 0)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "its SHA-256 is %.12s... over %" PRId64 " bytes, but %.12s... over %" PRId64
                   " were written; ingest the source '%.200s' again",
                   digest, (int64_t)info.st_size, entry->sha256, entry->size, entry->source_path);
}

enum hc_status hc_archive_open_verified(const struct hc_archive *archive,
                                        const struct hc_manifest_entry *entry, int *fd,
                                        struct hc_error *err)
{
    if (hc_archive_open_file(archive, entry, fd, err))
        return err->status;
    enum hc_status status = hc_archive_verify_file(archive, entry, *fd, err);
    if (status) {
        close(*fd);
        *fd = -1;
    }
    return status;
}
