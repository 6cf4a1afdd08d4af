#include "store/folder/writer_lock.h"

#include "core/base/clock.h"
#include "core/base/log.h"
#include "store/folder/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_NS      2000000000 /* before it is said what is waited for */
#define FIRST_PAUSE_NS   1000000    /* between two tries */
#define LONGEST_PAUSE_NS 50000000
#define HOLDER_BYTES     384 /* of the name of a holder in the lock file, one place a lock */

/* The bytes of the lock file, each of which is a lock. */
enum lock_byte { WRITER, RECORDS };

static double timeout_s = -1;

void hc_lock_set_timeout(double seconds)
{
    timeout_s = seconds;
}

/* length 0: all bytes from first on. */
static bool lock_bytes(int fd, off_t first, off_t length)
{
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = first, .l_len = length};
    return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

bool hc_lock_fd(int fd)
{
    return lock_bytes(fd, 0, 0);
}

/* What keeps a lock for reading out is one for writing. */
bool hc_is_locked(int fd)
{
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* ---- the file ---- */

/* Where the manifest does not say who may write, the mode of the lock file itself does. */
static enum hc_status keep_readers_out(const struct hc_folder *folder, int fd, struct hc_error *err)
{
    struct stat info;
    struct hc_file_access access;
    if (fstat(fd, &info))
        return hc_fail_errno(err, "cannot look at the lock of", folder->path);
    bool is_own = info.st_uid == geteuid() || geteuid() == 0;
    if (!is_own)
        return HC_OK;
    if (hc_file_access_read(&access, folder->fd, HC_MANIFEST_FILE, S_IFREG, err) ||
        (!access.is_known && hc_file_access_read(&access, folder->fd, HC_LOCK_FILE, S_IFREG, err)))
        return err->status;
    hc_file_access_of_writers(&access);
    return hc_file_access_give(&access, fd, HC_LOCK_FILE, err);
}

/* The file that readers lock has the access of the manifest. */
static enum hc_status make_readers(const struct hc_folder *folder, struct hc_error *err)
{
    struct hc_file_access access;
    bool is_there = false;
    int fd = -1;
    if (hc_folder_has(folder, HC_READERS_FILE, &is_there, err))
        return err->status;
    if (is_there)
        return HC_OK;
    if (hc_folder_open_file(folder, HC_READERS_FILE, O_RDWR | O_CREAT, &fd, err))
        return err->status;
    enum hc_status status =
        hc_file_access_read(&access, folder->fd, HC_MANIFEST_FILE, S_IFREG, err);
    if (!status)
        status = hc_file_access_give(&access, fd, HC_READERS_FILE, err);
    close(fd);
    return status;
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
    if (!status && (keep_readers_out(&folder, *fd, err) || make_readers(&folder, err))) {
        close(*fd);
        *fd = -1;
        status = err->status;
    }
    hc_folder_close(&folder);
    return status;
}

/* Whether the file still has a name: the archive may have been discarded while we waited. */
static bool is_named(int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 && info.st_nlink > 0;
}

/* ---- the holder ---- */

static void host_name(char host[HOST_NAME_MAX + 1])
{
    if (gethostname(host, HOST_NAME_MAX + 1))
        snprintf(host, HOST_NAME_MAX + 1, "?");
    host[HOST_NAME_MAX] = '\0';
}

/* What the lock file says of this process while it has a lock, from now on. */
static void describe_holder(char text[HOLDER_BYTES + 1])
{
    char host[HOST_NAME_MAX + 1], since[32];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    hc_format_iso8601((int64_t)now.tv_sec * 1000000000, since);
    host_name(host);
    int length = snprintf(text, HOLDER_BYTES, "%d on %s since %.19sZ", (int)getpid(), host, since);
    memset(text + length, ' ', (size_t)(HOLDER_BYTES - length));
    text[HOLDER_BYTES - 1] = '\n';
}

/* Who holds the lock, as the end of a sentence. What a process that ended has left there says
 * nothing: an older hindcast, which writes no name, has the lock then. */
static void read_holder(int fd, enum lock_byte byte, char text[HOLDER_BYTES + 1])
{
    char host[HOST_NAME_MAX + 1], own_host[HOST_NAME_MAX + 1];
    int pid = 0;
    ssize_t n = pread(fd, text, HOLDER_BYTES, (off_t)byte * HOLDER_BYTES);
    text[n > 0 ? n : 0] = '\0';
    host_name(own_host);
    bool is_text = sscanf(text, "%d on %64s since ", &pid, host) == 2 && pid > 0;
    if (!is_text || (strcmp(host, own_host) == 0 && kill(pid, 0) && errno == ESRCH))
        snprintf(text, HOLDER_BYTES + 1, "a process that does not say which");
    else
        text[strcspn(text, "\n")] = '\0';
    for (size_t length = strlen(text); length && text[length - 1] == ' ';)
        text[--length] = '\0';
}

/* ---- waiting ---- */

static enum hc_status wait_for(int fd, enum lock_byte byte, const char *path, struct hc_error *err)
{
    char holder[HOLDER_BYTES + 1], own[HOLDER_BYTES + 1];
    int64_t started_ns = hc_monotonic_ns();
    struct timespec pause = {.tv_nsec = FIRST_PAUSE_NS};
    describe_holder(own);
    for (bool is_told = false; !lock_bytes(fd, byte, 1); describe_holder(own)) {
        if (errno != EAGAIN && errno != EACCES)
            return hc_fail_errno(err, "cannot lock archive", path);
        int64_t waited_ns = hc_monotonic_ns() - started_ns;
        read_holder(fd, byte, holder);
        if (timeout_s >= 0 && (double)waited_ns * 1e-9 >= timeout_s)
            return hc_fail(err, HC_IO,
                           "the lock of '%s', held by %s, was not free within %g s "
                           "(--lock-timeout): nothing more was written; run the command again",
                           path, holder, timeout_s);
        if (!is_told && waited_ns >= PATIENCE_NS) {
            hc_note_at_once("waiting for the lock of '%s', held by %s", path, holder);
            is_told = true;
        }
        nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec * 2 < LONGEST_PAUSE_NS ? pause.tv_nsec * 2 : LONGEST_PAUSE_NS;
    }
    /* It is for messages alone: what cannot be written is not there. */
    ssize_t n = pwrite(fd, own, HOLDER_BYTES, (off_t)byte * HOLDER_BYTES);
    (void)n;
    return HC_OK;
}

static enum hc_status lock_archive(const char *path, enum lock_byte byte, int *fd,
                                   struct hc_error *err)
{
    for (;;) {
        if (open_lock(path, fd, err))
            return err->status;
        if (wait_for(*fd, byte, path, err)) {
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
    if (open_lock(path, &fd, &ignored) == HC_OK && !lock_bytes(fd, WRITER, 1)) {
        close(fd);
        fd = -1;
    }
    return fd;
}
