#include "core/files/input_file.h"
#include "core/files/near_file.h"
#include "core/files/read_at.h"

#include "core/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define FIRST_READ ((size_t)1 << 16)
#define GRACE_MS   3000 /* for a writer that is being started beside us */
#define RECENT_S   2    /* the coarsest times of a file system that is in use (FAT) */
#define REST_S     600

/* ---- opening ---- */

static enum hc_status fail_kind(const struct hc_input_file *file, const char *kind,
                                struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT, "cannot read '%s': it is a %s; name a file", file->name,
                   kind);
}

static enum hc_status check_kind(const struct hc_input_file *file, struct hc_error *err)
{
    switch (file->info.st_mode & S_IFMT) {
    case S_IFDIR:
        return fail_kind(file, "directory", err);
    case S_IFBLK:
        return fail_kind(file, "block device", err);
    case S_IFCHR:
        return isatty(file->fd) ? HC_OK : fail_kind(file, "character device", err);
    default:
        return HC_OK;
    }
}

/* A pipe without a name has the writers that it was made with: nobody can come later. */
static bool may_get_writer(const struct hc_input_file *file)
{
    struct statfs system;
    return S_ISFIFO(file->info.st_mode) &&
           !(fstatfs(file->fd, &system) == 0 && system.f_type == PIPEFS_MAGIC);
}

enum hc_status hc_input_file_open(struct hc_input_file *file, const char *path,
                                  struct hc_error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    memset(file, 0, sizeof *file);
    file->name = is_stdin ? "standard input" : path;
    file->fd = is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                        : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file->fd < 0)
        return errno == ENXIO ? fail_kind(file, "socket, or a device that is not there", err)
                              : hc_fail_open(err, file->name);
    if (fstat(file->fd, &file->info))
        hc_fail_errno(err, "cannot open", file->name);
    else if (check_kind(file, err) == HC_OK) {
        /* Standard input was opened by the shell, which has waited for the writer. */
        file->grace_ms = !is_stdin && may_get_writer(file) ? GRACE_MS : 0;
        return HC_OK;
    }
    hc_input_file_close(file);
    return err->status;
}

void hc_input_file_close(struct hc_input_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

/* ---- reading ---- */

/* Wait until a read does not block; *came is false when milliseconds passed first, which are
 * endless below 0. */
static enum hc_status wait_for(const struct hc_input_file *file, int milliseconds, bool *came,
                               struct hc_error *err)
{
    struct pollfd one = {.fd = file->fd, .events = POLLIN};
    int n;
    do
        n = poll(&one, 1, milliseconds);
    while (n < 0 && errno == EINTR);
    *came = n > 0;
    return n < 0 ? hc_fail_errno(err, "cannot wait for", file->name) : HC_OK;
}

static enum hc_status fail_no_writer(const struct hc_input_file *file, struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "cannot read '%s': it is a FIFO, and nobody writes into it; start the writer "
                   "first, or name a file",
                   file->name);
}

enum hc_status hc_input_file_read(struct hc_input_file *file, void *buffer, size_t capacity,
                                  size_t *length, struct hc_error *err)
{
    bool came = true;
    *length = 0;
    for (;;) {
        ssize_t n = read(file->fd, buffer, capacity);
        if (n == 0 && file->grace_ms == 0)
            return came ? HC_OK : fail_no_writer(file, err);
        if (n > 0) {
            *length = (size_t)n;
            file->grace_ms = 0; /* there is or was a writer: the next end is the end */
            return HC_OK;
        }
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return hc_fail_errno(err, "cannot read", file->name);
        if (n < 0 && errno == EINTR)
            continue;
        /* No data: -1 is a writer who is silent, 0 that nobody has opened it yet. One who opens it
         * and is silent wakes no poll, so that the read after the grace decides. */
        if (wait_for(file, n < 0 ? -1 : file->grace_ms, &came, err))
            return err->status;
        file->grace_ms = 0;
    }
}

enum hc_status hc_fail_too_large(struct hc_error *err, const char *name, size_t most)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s' has more than %zu bytes, the most that are read of such a file: is it the "
                   "right one?",
                   name, most);
}

static enum hc_status load(struct hc_input_file *file, size_t most, char **bytes, size_t *length,
                           struct hc_error *err)
{
    size_t capacity = 0, n = 0;
    if (S_ISREG(file->info.st_mode) && (uint64_t)file->info.st_size > most)
        return hc_fail_too_large(err, file->name, most);
    do {
        if (hc_reserve(bytes, &capacity, *length + FIRST_READ + 1, 1, err) ||
            hc_input_file_read(file, *bytes + *length, capacity - *length - 1, &n, err))
            return err->status;
        *length += n;
    } while (n && *length <= most);
    (*bytes)[*length] = '\0';
    return *length <= most ? HC_OK : hc_fail_too_large(err, file->name, most);
}

enum hc_status hc_input_file_load(const char *path, size_t most, char **bytes, size_t *length,
                                  struct hc_error *err)
{
    struct hc_input_file file;
    *bytes = NULL;
    *length = 0;
    if (hc_input_file_open(&file, path, err))
        return err->status;
    enum hc_status status = load(&file, most, bytes, length, err);
    hc_input_file_close(&file);
    if (status) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

/* ---- regular files only ---- */

static enum hc_status open_regular(struct hc_input_file *file, const char *path,
                                   struct hc_error *err)
{
    if (hc_input_file_open(file, path, err))
        return err->status;
    if (S_ISREG(file->info.st_mode))
        return HC_OK;
    hc_input_file_close(file);
    return hc_fail(err, HC_BAD_INPUT, "'%s' is no regular file, which it must be here", path);
}

enum hc_status hc_input_file_head(const char *path, void *bytes, size_t capacity, size_t *length,
                                  struct hc_error *err)
{
    struct hc_input_file file;
    *length = 0;
    if (open_regular(&file, path, err))
        return err->status;
    ssize_t n = hc_read_at(file.fd, bytes, capacity, 0);
    enum hc_status status = n < 0 ? hc_fail_errno(err, "cannot read", path) : HC_OK;
    *length = n < 0 ? 0 : (size_t)n;
    hc_input_file_close(&file);
    return status;
}

enum hc_status hc_input_file_digest(const char *path, char text[HC_DIGEST_TEXT],
                                    struct hc_error *err)
{
    struct hc_input_file file;
    if (open_regular(&file, path, err))
        return err->status;
    enum hc_status status = hc_digest_fd(file.fd, path, text, err);
    hc_input_file_close(&file);
    return status;
}

enum hc_status hc_input_file_stream(const char *path, FILE **stream, struct hc_error *err)
{
    struct stat info;
    *stream = NULL;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? HC_OK : hc_fail_errno(err, "cannot read", path);
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
        *stream = fdopen(fd, "r");
    else
        errno = EINVAL; /* a pipe or a directory */
    if (*stream)
        return HC_OK;
    hc_fail_errno(err, "cannot read", path);
    close(fd);
    return err->status;
}

/* ---- whether a file is still the same ---- */

enum hc_status hc_fail_changed(struct hc_error *err, const char *name)
{
    return hc_fail(err, HC_IO,
                   "'%s' was changed while it was read; run again when it is written to its end",
                   name);
}

static bool is_recent(const struct timespec *time, const struct timespec *now)
{
    return now->tv_sec - time->tv_sec <= RECENT_S;
}

enum hc_status hc_file_state_take(struct hc_file_state *state, int fd, const char *name,
                                  struct hc_error *err)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (fstat(fd, &state->info))
        return hc_fail_errno(err, "cannot read", name);
    state->is_recent =
        is_recent(&state->info.st_mtim, &now) || is_recent(&state->info.st_ctim, &now);
    state->is_at_rest = now.tv_sec - state->info.st_mtim.tv_sec >= REST_S;
    return HC_OK;
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

enum hc_status hc_file_state_verify(const struct hc_file_state *state, int fd, const char *name,
                                    struct hc_error *err)
{
    const struct stat *before = &state->info;
    struct stat now;
    if (fstat(fd, &now))
        return hc_fail_errno(err, "cannot read", name);
    if (before->st_dev == now.st_dev && before->st_ino == now.st_ino &&
        before->st_size == now.st_size && same_time(&before->st_mtim, &now.st_mtim) &&
        same_time(&before->st_ctim, &now.st_ctim))
        return HC_OK;
    return hc_fail_changed(err, name);
}
