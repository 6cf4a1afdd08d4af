#include "core/files/outset.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/files/file_access.h"
#include "core/files/outset_internal.h"
#include "core/process/temporary_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- an empty set ---- */

void hc_run_id(const char *digest, char run_id[HC_RUN_ID])
{
    snprintf(run_id, HC_RUN_ID, "%.*s", HC_RUN_ID - 1, digest);
}

enum hc_status hc_outset_open(struct hc_outset **set, struct hc_error *err)
{
    *set = hc_new_array(1, sizeof **set, err);
    return *set ? HC_OK : err->status;
}

static bool is_renamed(const struct hc_outset_file *file)
{
    return file->kind == HC_OUTSET_WRITTEN || file->kind == HC_OUTSET_ADOPTED;
}

/* ---- commit: bytes ---- */

static enum hc_status keep_access(const struct hc_outfile *out, struct hc_error *err)
{
    int fd = open(out->temporary, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return hc_fail_errno(err, "cannot read", out->temporary);
    enum hc_status status = hc_file_access_keep(out->path, fd, err);
    close(fd);
    return status;
}

static enum hc_status flush_files(struct hc_outset *set, struct hc_error *err)
{
    for (size_t i = 0; i < set->n; i++) {
        struct hc_outset_file *file = &set->files[i];
        if (file->kind == HC_OUTSET_WRITTEN && hc_outfile_flush(&file->out, err))
            return err->status;
        if (file->kind == HC_OUTSET_ADOPTED && keep_access(&file->out, err))
            return err->status;
        if (file->held && (fflush(file->held) || ferror(file->held)))
            return hc_fail_errno(err, "cannot write", "a temporary file");
    }
    return HC_OK;
}

static enum hc_status copy_held(struct hc_outset_file *file, struct hc_error *err)
{
    char block[8192];
    size_t length;
    rewind(file->held);
    while ((length = fread(block, 1, sizeof block, file->held)) > 0)
        fwrite(block, 1, length, file->out.stream);
    return ferror(file->held) ? hc_fail_errno(err, "cannot read back", "a temporary file") : HC_OK;
}

static enum hc_status end_in_place(struct hc_outset *set, struct hc_error *err)
{
    for (size_t i = 0; i < set->n; i++) {
        struct hc_outset_file *file = &set->files[i];
        if (file->kind != HC_OUTSET_IN_PLACE)
            continue;
        if ((file->held && copy_held(file, err)) || hc_outfile_end_in_place(&file->out, err))
            return err->status;
    }
    return HC_OK;
}

/* ---- commit: names ---- */

/* Keep what is at path under a second name, or, where the file system has no second names, under
 * another one. Nothing is there: file->aside stays NULL. */
static enum hc_status keep_aside(struct hc_outset_file *file, struct hc_error *err)
{
    const char *path = file->out.path;
    struct stat info;
    if (lstat(path, &info))
        return errno == ENOENT ? HC_OK : hc_fail_errno(err, "cannot replace", path);
    if (S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return hc_fail_errno(err, "cannot replace", path);
    }
    file->aside = hc_outfile_unused_name(path, err);
    if (!file->aside)
        return err->status;
    if (link(path, file->aside) == 0 || rename(path, file->aside) == 0)
        return HC_OK;
    hc_fail_errno(err, "cannot replace", path);
    free(file->aside);
    file->aside = NULL;
    return err->status;
}

static enum hc_status publish_file(struct hc_outset_file *file, struct hc_error *err)
{
    if (file->kind != HC_OUTSET_DROPPED && !is_renamed(file))
        return HC_OK;
    if ((file->kind == HC_OUTSET_WRITTEN && hc_outfile_name(&file->out, err)) ||
        keep_aside(file, err))
        return err->status;
    if (file->kind == HC_OUTSET_DROPPED) {
        if (file->aside && unlink(file->out.path) && errno != ENOENT)
            return hc_fail_errno(err, "cannot remove the outdated", file->out.path);
        return HC_OK;
    }
    if (rename(file->out.temporary, file->out.path))
        return hc_fail_errno(err, "cannot write", file->out.path);
    file->is_published = true;
    return HC_OK;
}

/* Give back a file that was whole before; if that fails it is made again, nothing more. */
static void save_adopted(const struct hc_outset_file *file)
{
    if (link(file->out.path, file->out.temporary))
        rename(file->out.path, file->out.temporary);
}

/* The files that are published make room for what was there. Goes on when one cannot. */
static void take_back(struct hc_outset *set, struct hc_error *err)
{
    for (size_t i = set->n; i-- > 0;) {
        struct hc_outset_file *file = &set->files[i];
        int failed = 0;
        if (file->kind == HC_OUTSET_ADOPTED && file->is_published)
            save_adopted(file);
        if (file->aside)
            failed = rename(file->aside, file->out.path);
        else if (file->is_published)
            failed = unlink(file->out.path) && errno != ENOENT;
        if (failed && file->aside)
            hc_context(err, "'%s' is as before only under the name '%s'", file->out.path,
                       file->aside);
        else if (failed)
            hc_context(err, "'%s' could not be taken back", file->out.path);
        /* After link, the two names may still be one file, for which rename does nothing. */
        if (!failed && file->aside)
            unlink(file->aside);
        free(file->aside);
        file->aside = NULL;
        file->is_published = false;
    }
}

static void forget_aside(struct hc_outset *set)
{
    for (size_t i = 0; i < set->n; i++) {
        struct hc_outset_file *file = &set->files[i];
        if (file->aside && unlink(file->aside) && errno != ENOENT)
            continue; /* close tries again */
        free(file->aside);
        file->aside = NULL;
    }
}

/* The index last, whenever it was added. */
static enum hc_status publish_files(struct hc_outset *set, struct hc_error *err)
{
    for (int last = 0; last < 2; last++)
        for (size_t i = 0; i < set->n; i++)
            if (set->files[i].is_index == (last == 1) && publish_file(&set->files[i], err))
                return err->status;
    return HC_OK;
}

static enum hc_status publish(struct hc_outset *set, struct hc_error *err)
{
    struct hc_outset_places places = {0};
    enum hc_status status = hc_outset_lock(&places, set, err);
    if (status == HC_OK) {
        hc_outset_sweep(&places, set);
        hc_temporary_hold();
        status = publish_files(set, err);
        if (status == HC_OK)
            status = hc_outset_sync(&places, err);
        if (status == HC_OK) {
            forget_aside(set);
            hc_outset_end_directories(set, true);
        } else {
            take_back(set, err);
        }
        hc_temporary_release();
    }
    hc_outset_unlock(&places);
    return status;
}

enum hc_status hc_outset_commit(struct hc_outset *set, struct hc_error *err)
{
    if (hc_outset_leave_empty(set, err) || flush_files(set, err) ||
        hc_outset_write_indexes(set, err) || publish(set, err))
        return err->status;
    return end_in_place(set, err);
}

void hc_outset_close(struct hc_outset *set)
{
    if (!set)
        return;
    forget_aside(set);
    for (size_t i = 0; i < set->n; i++) {
        struct hc_outset_file *file = &set->files[i];
        if (file->is_left || file->is_published)
            file->out.is_unnamed = true; /* no temporary file to be removed */
        hc_outfile_abort(&file->out);
        if (file->aside)
            hc_warn("cannot remove '%s', which holds what was there before", file->aside);
        free(file->aside);
        if (file->held)
            fclose(file->held);
    }
    hc_outset_end_directories(set, false);
    hc_outset_free_indexes(set);
    free(set->files);
    free(set);
}
