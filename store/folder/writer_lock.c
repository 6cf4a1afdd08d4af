#include "store/folder/writer_lock.h"

#include "store/folder/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

bool hc_lock_fd(int fd, bool wait)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result = 0;
    do {
        result = fcntl(fd, wait ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
    } while (result && errno == EINTR);
    return result == 0;
}

bool hc_is_locked(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

static enum hc_status open_lock(const char *path, int *fd, struct hc_error *err)
{
    struct hc_folder folder;
    *fd = -1;
    if (hc_folder_open(&folder, path, err))
        return err->status;
    enum hc_status status =
        folder.fd < 0 ? hc_fail(err, HC_IO, "archive '%s' does not exist", path)
                      : hc_folder_open_file(&folder, HC_LOCK_FILE, O_RDWR | O_CREAT, fd, err);
    hc_folder_close(&folder);
    return status;
}

/* Whether the file still has a name: the archive may have been discarded while we waited. */
static bool is_named(int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 && info.st_nlink > 0;
}

enum hc_status hc_archive_lock(const char *path, int *fd, struct hc_error *err)
{
    for (;;) {
        if (open_lock(path, fd, err))
            return err->status;
        if (!hc_lock_fd(*fd, true)) {
            hc_fail_errno(err, "cannot lock archive", path);
            close(*fd);
            *fd = -1;
            return err->status;
        }
        if (is_named(*fd))
            return HC_OK;
        close(*fd);
    }
}

int hc_archive_try_lock(const char *path)
{
    struct hc_error ignored;
    int fd = -1;
    if (open_lock(path, &fd, &ignored) == HC_OK && !hc_lock_fd(fd, false)) {
        close(fd);
        fd = -1;
    }
    return fd;
}
