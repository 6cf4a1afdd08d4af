#include "store/archive_stray.h"

#include "core/memory.h"
#include "store/archive_lock.h"
#include "store/manifest.h"
#include "store/segment_name.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void hc_report(const struct hc_reporter *reporter, enum hc_check_kind kind, const char *file,
               const char *message)
{
    struct hc_check_finding finding = {.kind = kind, .file = file, .message = message};
    if (reporter->callback)
        reporter->callback(&finding, reporter->context);
}

bool hc_is_temporary(const char *name)
{
    return strncmp(name, HC_TEMPORARY_PREFIX, strlen(HC_TEMPORARY_PREFIX)) == 0;
}

enum hc_status hc_stray_report(const struct hc_reporter *reporter, enum hc_check_kind kind,
                               const char *file, const char *path, struct hc_error *err)
{
    struct hc_error why;
    (void)err;
    if (hc_is_locked(path))
        return HC_OK; /* its writer is at work */
    if (kind == HC_CHECK_LEFTOVER)
        hc_report(reporter, kind, file, "its writer is gone; 'archive gc' removes it");
    else if (hc_segment_verify(path, &why))
        hc_report(reporter, kind, file, why.message);
    else
        hc_report(reporter, kind, file,
                  "whole, but the manifest does not name it; 'archive gc' removes it");
    return HC_OK;
}

/* Remove a file unless its writer is alive. It goes while we hold its lock, so that a writer which
 * has just made it sees that it lost it. */
enum hc_status hc_stray_remove(const struct hc_reporter *reporter, enum hc_check_kind kind,
                               const char *file, const char *path, struct hc_error *err)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return hc_fail_errno(err, "cannot open", path);
    enum hc_status status = HC_OK;
    if (hc_lock_fd(fd, false)) {
        if (unlink(path))
            status = hc_fail_errno(err, "cannot remove", path);
        else
            hc_report(reporter, kind, file, "removed");
    }
    close(fd);
    return status;
}

enum hc_status hc_stray_remove_leftover(const struct hc_reporter *reporter, enum hc_check_kind kind,
                                        const char *file, const char *path, struct hc_error *err)
{
    return kind == HC_CHECK_LEFTOVER ? hc_stray_remove(reporter, kind, file, path, err) : HC_OK;
}

static bool is_named(const struct hc_archive *archive, const char *file)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        if (strcmp(archive->entries[i].file, file) == 0)
            return true;
    return false;
}

static enum hc_status visit_segment(const struct hc_reporter *reporter,
                                    const struct hc_archive *archive, const char *name,
                                    hc_stray_action *action, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    char *file = hc_new_text(err, "%s/%s", HC_SEGMENT_DIRECTORY, name);
    char *path = file ? hc_new_text(err, "%s/%s", reporter->path, file) : NULL;
    if (!path)
        status = err->status;
    else if (hc_is_temporary(name))
        status = action(reporter, HC_CHECK_LEFTOVER, file, path, err);
    else if (hc_is_segment_file(file) && !is_named(archive, file))
        status = action(reporter, HC_CHECK_UNPUBLISHED, file, path, err);
    free(file);
    free(path);
    return status;
}

/* Temporary manifests are written under the lock: while we hold it, any is a dead writer's. */
enum hc_status hc_visit_manifests(const struct hc_reporter *reporter, hc_stray_action *action,
                                  struct hc_error *err)
{
    struct hc_directory_list list;
    if (hc_list_directory(&list, reporter->path, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; !status && i < list.n; i++) {
        const char *name = list.names[i];
        if (strncmp(name, HC_MANIFEST_FILE ".tmp-", sizeof HC_MANIFEST_FILE + 4) != 0)
            continue;
        char *path = hc_new_text(err, "%s/%s", reporter->path, name);
        status = path ? action(reporter, HC_CHECK_LEFTOVER, name, path, err) : err->status;
        free(path);
    }
    hc_directory_list_fini(&list);
    return status;
}

enum hc_status hc_list_segments(const char *path, struct hc_directory_list *list,
                                struct hc_error *err)
{
    char *segments = hc_new_text(err, "%s/%s", path, HC_SEGMENT_DIRECTORY);
    memset(list, 0, sizeof *list);
    if (!segments)
        return err->status;
    enum hc_status status = hc_list_directory(list, segments, err);
    free(segments);
    return status;
}

enum hc_status hc_visit_strays(const struct hc_reporter *reporter, const struct hc_archive *archive,
                               const struct hc_directory_list *list, hc_stray_action *action,
                               struct hc_error *err)
{
    for (size_t i = 0; i < list->n; i++)
        if (visit_segment(reporter, archive, list->names[i], action, err))
            return err->status;
    return HC_OK;
}
