#include "store/archive_lock.h"

#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
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

bool hc_is_locked(const char *path)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    bool locked = fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    close(fd);
    return locked;
}

static int open_lock(const char *path, struct hc_error *err)
{
    char *file = hc_new_text(err, "%s/%s", path, HC_LOCK_FILE);
    if (!file)
        return -1;
    int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        hc_fail_errno(err, "cannot open lock", file);
    free(file);
    return fd;
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
        *fd = open_lock(path, err);
        if (*fd < 0)
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
    int fd = open_lock(path, &ignored);
    if (fd >= 0 && !hc_lock_fd(fd, false)) {
        close(fd);
        fd = -1;
    }
    return fd;
}
