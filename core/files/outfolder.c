#include "core/files/outfolder.h"

#include "core/base/digest.h"
#include "core/base/memory.h"
#include "core/files/file_access.h"
#include "core/files/outfile.h"
#include "core/files/outfolder_tree.h"
#include "core/files/outset_internal.h"
#include "core/process/temporary_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder_file {
    char *path; /* under the temporary name; also of a folder within */
    bool is_folder, is_listed;
    char digest[HC_DIGEST_TEXT];
};

struct hc_outfolder {
    char *parent, *name, *link; /* link: NULL: none */
    char *path, *temporary;     /* of the folder */
    char *new_link;             /* under a temporary name; or NULL */
    int parent_fd, fd;          /* -1: not open */
    bool is_made;               /* the temporary folder is there */
    size_t prefix;              /* length of `temporary` with a slash */
    size_t n, room;
    struct folder_file *files;
    FILE *stream; /* of the last file; or NULL */
};

/* ---- begin ---- */

/* A signal meanwhile would find nothing to remove yet, and end the process when it is there. */
static int make_one(const char *path)
{
    hc_temporary_hold();
    int failed = mkdir(path, 0777), why = errno;
    hc_temporary_release();
    errno = why;
    return failed;
}

static int open_new(const char *path)
{
    hc_temporary_hold();
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666), why = errno;
    hc_temporary_release();
    errno = why;
    return fd;
}

static enum hc_status check_link(const struct hc_outfolder *folder, struct hc_error *err)
{
    struct stat info;
    char *path = folder->link ? hc_new_text(err, "%s/%s", folder->parent, folder->link) : NULL;
    enum hc_status status = HC_OK;
    if (folder->link && !path)
        status = err->status;
    else if (path && lstat(path, &info))
        status = errno == ENOENT ? HC_OK : hc_fail_errno(err, "cannot look at", path);
    else if (path && !S_ISLNK(info.st_mode))
        status = hc_fail(err, HC_USAGE, "'%s' is no symbolic link: move it elsewhere", path);
    free(path);
    return status;
}

/* With the directory locked, so that nobody sweeps the new folder before it is locked itself. */
static enum hc_status make_temporary(struct hc_outfolder *folder, struct hc_error *err)
{
    bool is_locked = hc_outset_lock_directory(folder->parent_fd);
    if (is_locked)
        hc_outfolder_sweep(folder->parent, folder->name, folder->link);
    enum hc_status status = hc_outfolder_check_ours(folder->path, err);
    if (status == HC_OK) {
        hc_temporary_add(folder->temporary);
        folder->is_made = make_one(folder->temporary) == 0;
        if (!folder->is_made)
            status = hc_fail_errno(err, "cannot make directory", folder->temporary);
    }
    if (status == HC_OK) {
        folder->fd = open(folder->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder->fd < 0)
            status = hc_fail_errno(err, "cannot open directory", folder->temporary);
        else
            flock(folder->fd, LOCK_EX | LOCK_NB);
    }
    if (is_locked)
        flock(folder->parent_fd, LOCK_UN);
    return status;
}

enum hc_status hc_outfolder_open(struct hc_outfolder **folder, const char *parent, const char *name,
                                 const char *link, struct hc_error *err)
{
    struct hc_outfolder *f = *folder = hc_new_array(1, sizeof *f, err);
    if (!f)
        return err->status;
    f->parent_fd = f->fd = -1;
    if (hc_make_directories(parent, err))
        return err->status;
    f->parent = hc_resolved_path(parent, err);
    f->name = f->parent ? hc_copy_text(name, err) : NULL;
    f->link = link && f->name ? hc_copy_text(link, err) : NULL;
    f->path = f->name ? hc_new_text(err, "%s/%s", f->parent, name) : NULL;
    f->temporary = f->path ? hc_outfile_unused_name(f->path, err) : NULL;
    if (!f->temporary || (link && !f->link))
        return err->status;
    f->prefix = strlen(f->temporary) + 1;
    f->parent_fd = open(f->parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->parent_fd < 0)
        return hc_fail_errno(err, "cannot open directory", parent);
    return check_link(f, err) || make_temporary(f, err) ? err->status : HC_OK;
}

/* ---- files ---- */

/* Close the file that was added last, with its digest. */
static enum hc_status end_file(struct hc_outfolder *folder, struct hc_error *err)
{
    FILE *stream = folder->stream;
    if (!stream)
        return HC_OK;
    struct folder_file *file = &folder->files[folder->n - 1];
    folder->stream = NULL;
    enum hc_status status = HC_OK;
    if (fflush(stream) || ferror(stream))
        status = hc_fail_errno(err, "cannot write", file->path);
    if (status == HC_OK && file->is_listed)
        status = hc_digest_fd(fileno(stream), file->path, file->digest, err);
    if (fclose(stream) && status == HC_OK)
        status = hc_fail_errno(err, "cannot write", file->path);
    return status;
}

/* Room for a file or folder, whose name the signal handler knows before it is there. */
static struct folder_file *add_name(struct hc_outfolder *folder, const char *path,
                                    struct hc_error *err)
{
    if (hc_reserve(&folder->files, &folder->room, folder->n + 1, sizeof *folder->files, err))
        return NULL;
    struct folder_file *file = &folder->files[folder->n];
    *file = (struct folder_file){
        .path = hc_new_text(err, "%.*s%s", (int)folder->prefix - 1, folder->temporary, path)};
    if (!file->path)
        return NULL;
    folder->n++;
    hc_temporary_add(file->path);
    return file;
}

static bool has_name(const struct hc_outfolder *folder, const char *name, size_t length)
{
    for (size_t i = folder->n; i-- > 0;) {
        const char *known = folder->files[i].path + folder->prefix;
        if (strncmp(known, name, length) == 0 && known[length] == '\0')
            return true;
    }
    return false;
}

static enum hc_status make_folder_of(struct hc_outfolder *folder, const char *path,
                                     struct hc_error *err)
{
    const char *slash = strchr(path, '/');
    if (!slash || has_name(folder, path, (size_t)(slash - path)))
        return HC_OK;
    char *name = hc_new_text(err, "/%.*s", (int)(slash - path), path);
    struct folder_file *made = name ? add_name(folder, name, err) : NULL;
    free(name);
    if (!made)
        return err->status;
    made->is_folder = true;
    return make_one(made->path) ? hc_fail_errno(err, "cannot make directory", made->path) : HC_OK;
}

enum hc_status hc_outfolder_add(struct hc_outfolder *folder, const char *path, bool is_listed,
                                FILE **stream, struct hc_error *err)
{
    if (end_file(folder, err) || make_folder_of(folder, path, err))
        return err->status;
    char *name = hc_new_text(err, "/%s", path);
    struct folder_file *file = name ? add_name(folder, name, err) : NULL;
    free(name);
    if (!file)
        return err->status;
    file->is_listed = is_listed;
    int fd = open_new(file->path);
    if (fd < 0 && errno == EEXIST)
        return hc_fail(err, HC_INTERNAL, "the folder has '%s' already", path);
    folder->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!folder->stream) {
        hc_fail_errno(err, "cannot write", file->path);
        if (fd >= 0)
            close(fd);
        return err->status;
    }
    *stream = folder->stream;
    return HC_OK;
}

/* ---- the index ---- */

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct folder_file *)a)->path, ((const struct folder_file *)b)->path);
}

/* The index has its name when it is whole: a folder with an index is a whole folder, whenever its
 * writer was killed (hc_outfolder_sweep puts such a one back). */
#define UNFINISHED_INDEX HC_OUTSET_INDEX ".part"

static enum hc_status finish_index(struct hc_outfolder *folder, struct hc_error *err)
{
    size_t unfinished = folder->n - 1;
    struct folder_file *index = add_name(folder, "/" HC_OUTSET_INDEX, err);
    if (!index)
        return err->status;
    if (rename(folder->files[unfinished].path, index->path))
        return hc_fail_errno(err, "cannot write", index->path);
    return HC_OK;
}

static enum hc_status write_index(struct hc_outfolder *folder, const char *run_id,
                                  struct hc_error *err)
{
    FILE *stream;
    if (end_file(folder, err))
        return err->status;
    if (folder->n)
        qsort(folder->files, folder->n, sizeof *folder->files, by_path);
    size_t n = folder->n;
    if (hc_outfolder_add(folder, UNFINISHED_INDEX, false, &stream, err))
        return err->status;
    fprintf(stream, "# hindcast run %s\n", run_id);
    for (size_t i = 0; i < n; i++) {
        const struct folder_file *file = &folder->files[i];
        const char *name = file->path + folder->prefix;
        if (file->is_listed)
            fprintf(stream, "%s  %s\n", file->digest, name);
        else if (!file->is_folder)
            fprintf(stream, HC_UNLISTED "%s\n", name);
    }
    return end_file(folder, err) ? err->status : finish_index(folder, err);
}

/* ---- commit ---- */

/* A link under a temporary name to what is the greatest once the folder has its name; none where
 * the link says so already. */
static enum hc_status make_link(struct hc_outfolder *folder, struct hc_error *err)
{
    char there[256];
    if (!folder->link)
        return HC_OK;
    char *greatest = hc_outfolder_greatest(folder->parent, folder->name, err);
    char *path = greatest ? hc_new_text(err, "%s/%s", folder->parent, folder->link) : NULL;
    enum hc_status status = path ? HC_OK : err->status;
    ssize_t length = path ? readlink(path, there, sizeof there - 1) : -1;
    there[length > 0 ? length : 0] = '\0';
    if (status == HC_OK && strcmp(there, greatest) != 0) {
        folder->new_link = hc_outfile_unused_name(path, err);
        hc_temporary_add(folder->new_link);
        if (!folder->new_link)
            status = err->status;
        else if (symlink(greatest, folder->new_link))
            status = hc_fail_errno(err, "cannot make the link", path);
    }
    free(greatest);
    free(path);
    return status;
}

static enum hc_status place_link(struct hc_outfolder *folder, struct hc_error *err)
{
    char *path = folder->new_link ? hc_new_text(err, "%s/%s", folder->parent, folder->link) : NULL;
    enum hc_status status = HC_OK;
    if (folder->new_link && !path)
        status = err->status;
    else if (path && rename(folder->new_link, path))
        status = hc_fail_errno(err, "cannot replace the link", path);
    free(path);
    return status;
}

/* The two folders change their names; where the file system cannot do that in one step, in three,
 * between which a killed process leaves the old one to the next writer. */
static int exchange(const char *a, const char *b, char *spare)
{
    if (renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    if (rename(b, spare))
        return -1;
    if (rename(a, b)) {
        int why = errno;
        rename(spare, b);
        errno = why;
        return -1;
    }
    return rename(spare, a);
}

/* was_there: what the temporary name stands for afterwards is the old folder. */
static enum hc_status place_folder(struct hc_outfolder *folder, bool *was_there,
                                   struct hc_error *err)
{
    char *spare = hc_outfile_unused_name(folder->path, err);
    if (!spare)
        return err->status;
    struct stat info;
    *was_there = lstat(folder->path, &info) == 0;
    int failed = *was_there ? exchange(folder->temporary, folder->path, spare)
                            : rename(folder->temporary, folder->path);
    enum hc_status status = failed ? hc_fail_errno(err, "cannot write", folder->path) : HC_OK;
    if (status == HC_OK && fsync(folder->parent_fd) && errno != EINVAL)
        status = hc_fail_errno(err, "cannot sync directory", folder->parent);
    if (!failed && (status || place_link(folder, err))) {
        status = err->status;
        failed = *was_there ? exchange(folder->path, folder->temporary, spare)
                            : rename(folder->path, folder->temporary);
        if (failed)
            hc_context(err, "'%s' could not be taken back", folder->path);
    }
    free(spare);
    return status;
}

/* Give the folder, and the files that the old one has by the same names, their access. */
static enum hc_status keep_access(const struct hc_outfolder *folder, struct hc_error *err)
{
    struct stat info;
    if (lstat(folder->path, &info) && errno == ENOENT)
        return HC_OK;
    if (hc_file_access_keep(folder->path, folder->fd, err))
        return err->status;
    for (size_t i = 0; i < folder->n; i++) {
        const char *path = folder->files[i].path;
        char *old = hc_new_text(err, "%s/%s", folder->path, path + folder->prefix);
        if (!old)
            return err->status;
        int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        enum hc_status status = HC_OK;
        if (fd >= 0)
            status = hc_file_access_keep(old, fd, err);
        else if (errno != ENOENT) /* the index had another name before */
            status = hc_fail_errno(err, "cannot read", path);
        if (fd >= 0)
            close(fd);
        free(old);
        if (status)
            return status;
    }
    return HC_OK;
}

static enum hc_status put_in_place(struct hc_outfolder *folder, struct hc_error *err)
{
    bool was_there = false;
    if (hc_outfolder_check_ours(folder->path, err) || make_link(folder, err) ||
        place_folder(folder, &was_there, err))
        return err->status;
    folder->is_made = false;
    fsync(folder->parent_fd); /* the link: without it the one before is there after a crash */
    if (was_there && !hc_outfolder_remove(folder->temporary))
        return hc_fail(err, HC_IO, "the new report is in place, but the old one stays as '%s'",
                       folder->temporary);
    return HC_OK;
}

static void forget_names(struct hc_outfolder *folder)
{
    for (size_t i = 0; i < folder->n; i++) {
        hc_temporary_forget(folder->files[i].path);
        free(folder->files[i].path);
    }
    folder->n = 0;
    hc_temporary_forget(folder->temporary);
    hc_temporary_forget(folder->new_link);
}

enum hc_status hc_outfolder_commit(struct hc_outfolder *folder, const char *run_id,
                                   struct hc_error *err)
{
    if (write_index(folder, run_id, err) || keep_access(folder, err))
        return err->status;
    /* One call for all files and folders, which may be thousands. */
    if (syncfs(folder->fd))
        return hc_fail_errno(err, "cannot write", folder->path);
    bool is_locked = hc_outset_lock_directory(folder->parent_fd);
    hc_temporary_hold();
    enum hc_status status = put_in_place(folder, err);
    if (!folder->is_made)
        forget_names(folder);
    hc_temporary_release();
    if (is_locked)
        flock(folder->parent_fd, LOCK_UN);
    return status;
}

void hc_outfolder_close(struct hc_outfolder *folder)
{
    if (!folder)
        return;
    if (folder->stream)
        fclose(folder->stream);
    if (folder->is_made)
        hc_outfolder_remove(folder->temporary);
    if (folder->new_link)
        unlink(folder->new_link); /* gone where it was placed */
    if (folder->temporary)
        forget_names(folder);
    if (folder->fd >= 0)
        close(folder->fd);
    if (folder->parent_fd >= 0)
        close(folder->parent_fd);
    free(folder->files);
    free(folder->parent);
    free(folder->name);
    free(folder->link);
    free(folder->path);
    free(folder->temporary);
    free(folder->new_link);
    free(folder);
}
