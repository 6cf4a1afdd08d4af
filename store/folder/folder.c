#include "store/folder/folder.h"

#include "core/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIRECTORY_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC)
#define FILE_FLAGS      (O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#define MAX_TEXT        ((size_t)1 << 30)
#define READ_SIZE       ((size_t)65536)

/* ---- what is there ---- */

static const char *kind_name(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFREG:
        return "a file";
    case S_IFDIR:
        return "a directory";
    case S_IFLNK:
        return "a symbolic link";
    case S_IFIFO:
        return "a FIFO";
    case S_IFSOCK:
        return "a socket";
    default:
        return "a device";
    }
}

const char *hc_folder_oddity(const struct hc_folder *folder, const char *name, mode_t wanted)
{
    struct stat info;
    if (fstatat(folder->fd, name, &info, AT_SYMLINK_NOFOLLOW) || (info.st_mode & S_IFMT) == wanted)
        return NULL;
    return kind_name(info.st_mode);
}

static enum hc_status fail_in(const struct hc_folder *folder, const char *what, const char *name,
                              struct hc_error *err)
{
    return hc_fail(err, hc_errno_status(errno), "%s '%s/%s': %s", what, folder->path, name,
                   strerror(errno));
}

static enum hc_status fail_odd(const struct hc_folder *folder, const char *name, const char *kind,
                               const char *wanted, struct hc_error *err)
{
    return hc_fail(err, HC_IO,
                   "'%s/%s' is %s, where an archive has %s, so it was not opened: put the %s "
                   "itself there, or move it away",
                   folder->path, name, kind, wanted, strchr(wanted, ' ') + 1);
}

enum hc_status hc_folder_has(const struct hc_folder *folder, const char *name, bool *there,
                             struct hc_error *err)
{
    struct stat info;
    *there = fstatat(folder->fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0;
    return *there || errno == ENOENT ? HC_OK : fail_in(folder, "cannot look for", name, err);
}

/* ---- directories ---- */

enum hc_status hc_folder_open(struct hc_folder *folder, const char *path, struct hc_error *err)
{
    folder->fd = -1;
    folder->path = hc_copy_text(path, err);
    if (!folder->path)
        return err->status;
    folder->fd = open(path, DIRECTORY_FLAGS);
    if (folder->fd >= 0 || errno == ENOENT)
        return HC_OK;
    hc_fail_errno(err, "cannot open directory", path);
    hc_folder_close(folder);
    return err->status;
}

enum hc_status hc_folder_open_inner(struct hc_folder *folder, const struct hc_folder *outer,
                                    const char *name, struct hc_error *err)
{
    folder->fd = -1;
    folder->path = hc_new_text(err, "%s/%s", outer->path, name);
    if (!folder->path)
        return err->status;
    folder->fd = openat(outer->fd, name, DIRECTORY_FLAGS | O_NOFOLLOW);
    if (folder->fd >= 0 || errno == ENOENT)
        return HC_OK;
    int why = errno;
    const char *kind = hc_folder_oddity(outer, name, S_IFDIR);
    errno = why;
    if (kind)
        fail_odd(outer, name, kind, "a directory", err);
    else
        hc_fail_errno(err, "cannot open directory", folder->path);
    hc_folder_close(folder);
    return err->status;
}

enum hc_status hc_folder_open_part(struct hc_folder *folder, const char *path, const char *name,
                                   struct hc_error *err)
{
    struct hc_folder outer;
    *folder = (struct hc_folder){.fd = -1};
    if (hc_folder_open(&outer, path, err))
        return err->status;
    enum hc_status status = HC_OK;
    if (outer.fd >= 0)
        status = hc_folder_open_inner(folder, &outer, name, err);
    hc_folder_close(&outer);
    return status;
}

void hc_folder_close(struct hc_folder *folder)
{
    if (folder->path && folder->fd >= 0)
        close(folder->fd);
    free(folder->path);
    *folder = (struct hc_folder){.fd = -1};
}

enum hc_status hc_folder_make(const struct hc_folder *folder, const char *name, const char *like,
                              struct hc_error *err)
{
    struct hc_file_access access;
    if (mkdirat(folder->fd, name, 0777))
        return errno == EEXIST ? HC_OK : fail_in(folder, "cannot make directory", name, err);
    int fd = openat(folder->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return fail_in(folder, "cannot open directory", name, err);
    enum hc_status status = hc_file_access_read(&access, folder->fd, like, S_IFREG, err);
    if (!status) {
        hc_file_access_of_directory(&access);
        status = hc_file_access_give(&access, fd, name, err);
    }
    close(fd);
    return status;
}

/* An O_PATH descriptor cannot be synced; a file system that cannot sync a directory says EINVAL. */
enum hc_status hc_folder_sync(const struct hc_folder *folder, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    int fd = openat(folder->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || (fsync(fd) && errno != EINVAL))
        status = hc_fail_errno(err, "cannot sync directory", folder->path);
    if (fd >= 0)
        close(fd);
    return status;
}

/* ---- files ---- */

enum hc_status hc_folder_open_file(const struct hc_folder *folder, const char *name, int flags,
                                   int *fd, struct hc_error *err)
{
    struct stat info;
    *fd = openat(folder->fd, name, flags | FILE_FLAGS, 0666);
    if (*fd < 0) {
        int why = errno;
        const char *kind = hc_folder_oddity(folder, name, S_IFREG);
        if (kind)
            return fail_odd(folder, name, kind, "a file", err);
        errno = why;
        return why == ENOENT && !(flags & O_CREAT) ? HC_OK
                                                   : fail_in(folder, "cannot open", name, err);
    }
    enum hc_status status = HC_OK;
    if (fstat(*fd, &info))
        status = fail_in(folder, "cannot open", name, err);
    else if (!S_ISREG(info.st_mode))
        status = fail_odd(folder, name, kind_name(info.st_mode), "a file", err);
    if (status) {
        close(*fd);
        *fd = -1;
    }
    return status;
}

static enum hc_status read_all(int fd, const struct hc_folder *folder, const char *name,
                               char **text, size_t *length, struct hc_error *err)
{
    size_t capacity = 0;
    ssize_t n = 0;
    do {
        if (hc_reserve(text, &capacity, *length + READ_SIZE + 1, 1, err))
            return err->status;
        n = read(fd, *text + *length, capacity - *length - 1);
        if (n < 0 && errno != EINTR)
            return fail_in(folder, "cannot read", name, err);
        *length += n > 0 ? (size_t)n : 0;
        if (*length > MAX_TEXT)
            return hc_fail(err, HC_BAD_INPUT, "'%s/%s' is larger than 1 GiB", folder->path, name);
    } while (n != 0);
    (*text)[*length] = '\0';
    return HC_OK;
}

enum hc_status hc_folder_read(const struct hc_folder *folder, const char *name, char **text,
                              size_t *length, struct hc_error *err)
{
    int fd = -1;
    *text = NULL;
    *length = 0;
    enum hc_status status = hc_folder_open_file(folder, name, O_RDONLY, &fd, err);
    if (status || fd < 0)
        return status;
    status = read_all(fd, folder, name, text, length, err);
    close(fd);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}

enum hc_status hc_folder_remove(const struct hc_folder *folder, const char *name, bool *gone,
                                struct hc_error *err)
{
    bool failed = unlinkat(folder->fd, name, 0) != 0;
    *gone = failed && errno == ENOENT;
    return failed && !*gone ? fail_in(folder, "cannot remove", name, err) : HC_OK;
}
