#include "store/archive.h"

#include "core/memory.h"
#include "core/outfile.h"
#include "store/archive_lock.h"
#include "store/directory_list.h"
#include "store/manifest.h"
#include "store/segment_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_TRIES 16

/* ---- creating ---- */

/* Whether a directory without a manifest may become an archive: nothing is in it but what a
 * creation that was cut short leaves. */
static enum hc_status check_empty(const char *path, struct hc_error *err)
{
    struct hc_directory_list list;
    char *segments = hc_new_text(err, "%s/%s", path, HC_SEGMENT_DIRECTORY);
    if (!segments || hc_list_directory(&list, path, err)) {
        free(segments);
        return err->status;
    }
    enum hc_status status = HC_OK;
    for (size_t i = 0; !status && i < list.n; i++)
        if (strcmp(list.names[i], HC_LOCK_FILE) != 0 &&
            strcmp(list.names[i], HC_SEGMENT_DIRECTORY) != 0 &&
            strncmp(list.names[i], HC_MANIFEST_FILE ".tmp-", sizeof HC_MANIFEST_FILE + 4) != 0)
            status =
                hc_fail(err, HC_USAGE,
                        "'%s' is not an archive: it has '%s' and no %s; name another directory",
                        path, list.names[i], HC_MANIFEST_FILE);
    hc_directory_list_fini(&list);
    if (!status && access(segments, F_OK) == 0) {
        status = hc_list_directory(&list, segments, err);
        if (!status && list.n)
            status = hc_fail(err, HC_BAD_INPUT,
                             "archive '%s' has segments but no %s; 'check --repair' rebuilds it",
                             path, HC_MANIFEST_FILE);
        hc_directory_list_fini(&list);
    }
    free(segments);
    return status;
}

static bool has_manifest(const char *path)
{
    struct hc_error ignored;
    char *manifest = hc_new_text(&ignored, "%s/%s", path, HC_MANIFEST_FILE);
    bool found = manifest && access(manifest, F_OK) == 0;
    free(manifest);
    return found;
}

/* Make what is missing, under the lock; the manifest comes last and makes it an archive. */
static enum hc_status create_parts(const char *path, struct hc_error *err)
{
    struct hc_archive empty = {.path = (char *)path};
    char *segments = NULL;
    enum hc_status status = HC_OK;
    if (has_manifest(path)) /* another process was faster */
        return HC_OK;
    if (check_empty(path, err))
        return err->status;
    segments = hc_new_text(err, "%s/%s", path, HC_SEGMENT_DIRECTORY);
    if (!segments || hc_make_directories(segments, err) || hc_manifest_write(&empty, err))
        status = err->status;
    free(segments);
    return status ? status : hc_sync_directory_of(path, err);
}

/* *created tells whether it was this call that made it. */
static enum hc_status create_once(const char *path, bool *created, struct hc_error *err)
{
    int lock = -1;
    if (has_manifest(path))
        return HC_OK;
    if (access(path, F_OK) == 0 && check_empty(path, err)) /* before the lock file is put into it */
        return has_manifest(path) ? HC_OK : err->status;
    if (hc_make_directories(path, err) || hc_archive_lock(path, &lock, err))
        return err->status;
    *created = !has_manifest(path);
    enum hc_status status = create_parts(path, err);
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
    struct hc_error ignored;
    int lock = -1;
    if (!archive->created || hc_archive_lock(archive->path, &lock, &ignored))
        return;
    hc_manifest_clear(archive);
    bool is_empty = !hc_manifest_read(archive, &ignored) && archive->generation == 0;
    char *part = hc_new_text(&ignored, "%s/%s", archive->path, HC_SEGMENT_DIRECTORY);
    /* The directory goes only if nobody has begun to write into it. */
    if (is_empty && part && rmdir(part) == 0) {
        static const char *const files[] = {HC_MANIFEST_FILE, HC_LOCK_FILE};
        for (int i = 0; i < 2; i++) {
            free(part);
            part = hc_new_text(&ignored, "%s/%s", archive->path, files[i]);
            if (part)
                unlink(part);
        }
        rmdir(archive->path);
    }
    free(part);
    close(lock);
}

/* ---- opening ---- */

/* Say why there is nothing to open at path. */
static enum hc_status fail_absent(const char *path, struct hc_error *err)
{
    struct stat info;
    if (stat(path, &info)) {
        if (errno == ENOENT)
            return hc_fail(err, HC_IO, "archive '%s' does not exist; 'ingest' creates it", path);
        return hc_fail_errno(err, "cannot open archive", path);
    }
    if (!S_ISDIR(info.st_mode))
        return hc_fail(err, HC_USAGE, "'%s' is a file; an archive is a directory", path);
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s' is not an archive: it has no %s; where there are segments, 'check "
                   "--repair' rebuilds it",
                   path, HC_MANIFEST_FILE);
}

enum hc_status hc_archive_open(struct hc_archive **archive, const char *path, bool create_absent,
                               struct hc_error *err)
{
    bool created = false;
    struct stat info;
    bool is_file = stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
    if (create_absent && !is_file && hc_archive_create(path, &created, err))
        return err->status;
    if (!has_manifest(path))
        return fail_absent(path, err);
    struct hc_archive *new = hc_new_array(1, sizeof *new, err);
    if (!new)
        return err->status;
    new->created = created;
    new->path = hc_copy_text(path, err);
    if (!new->path || hc_manifest_read(new, err)) {
        hc_archive_close(new);
        return err->status;
    }
    *archive = new;
    return HC_OK;
}

void hc_archive_close(struct hc_archive *archive)
{
    if (!archive)
        return;
    hc_manifest_clear(archive);
    free(archive->path);
    free(archive);
}

enum hc_status hc_archive_segment_path(const struct hc_archive *archive,
                                       const struct hc_manifest_entry *entry, char **path,
                                       struct hc_error *err)
{
    *path = hc_new_text(err, "%s/%s", archive->path, entry->file);
    return *path ? HC_OK : err->status;
}
