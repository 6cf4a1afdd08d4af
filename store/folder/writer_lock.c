#include "store/folder/writer_lock.h"

#include "store/folder/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The bytes of the lock file, each of which is a lock. */
enum lock_byte { WRITER, RECORDS };

/* length 0: all bytes from first on. */
static bool lock_bytes(int fd, off_t first, off_t length, bool wait)
{
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = first, .l_len = length};
    int result = 0;
    do {
        result = fcntl(fd, wait ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
    } while (result && errno == EINTR);
    return result == 0;
}

bool hc_lock_fd(int fd, bool wait)
{
    return lock_bytes(fd, 0, 0, wait);
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

static enum hc_status lock_archive(const char *path, enum lock_byte byte, int *fd,
                                   struct hc_error *err)
{
    for (;;) {
        if (open_lock(path, fd, err))
            return err->status;
        if (!lock_bytes(*fd, byte, 1, true)) {
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

enum hc_status hc_archive_lock(const char *path, int *fd, struct hc_error *err)
{
    return lock_archive(path, WRITER, fd, err);
}

enum hc_status hc_records_lock(const char *path, int *fd, struct hc_error *err)
{
    return lock_archive(path, RECORDS, fd, err);
}

int hc_archive_try_lock(const char *path)
{
    struct hc_error ignored;
    int fd = -1;
    if (open_lock(path, &fd, &ignored) == HC_OK && !lock_bytes(fd, WRITER, 1, false)) {
        close(fd);
        fd = -1;
    }
    return fd;
}
