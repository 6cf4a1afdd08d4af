#include "core/files/outfile.h"

#include "core/base/memory.h"
#include "core/files/file_access.h"
#include "core/process/temporary_files.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FD_NAME   32
#define NAME_ROOM 48 /* of MARK and three numbers */
#define MARK      ".tmp-"

/* Also takes the temporary name off the list of the signal handler. */
static void release(struct hc_outfile *out)
{
    hc_temporary_forget(out->temporary);
    free(out->path);
    free(out->temporary);
    memset(out, 0, sizeof *out);
}

static void remove_temporary(const struct hc_outfile *out)
{
    if (out->temporary && !out->is_unnamed)
        unlink(out->temporary);
}

/* ---- what is written in place ---- */

/* Ours are closed by exec, and so cannot be what a command line means. */
static bool is_inherited(int fd)
{
    int flags = fcntl(fd, F_GETFD);
    return flags >= 0 && !(flags & FD_CLOEXEC);
}

/* The number of the open descriptor that path stands for, or -1. */
static int descriptor_of(const char *path)
{
    static const char *const directories[] = {"/dev/fd/", "/proc/self/fd/"};
    char *end;
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++) {
        size_t length = strlen(directories[i]);
        if (strncmp(path, directories[i], length) != 0 || !isdigit((unsigned char)path[length]))
            continue;
        long fd = strtol(path + length, &end, 10);
        if (*end == '\0' && fd <= INT_MAX && is_inherited((int)fd))
            return (int)fd;
    }
    return -1;
}

/* Something that a rename would replace by a file: a device or a pipe. */
static bool is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

/* fd: that of the open file that path stands for (/dev/stdout), which others may write to as well;
 * or -1, to open path. */
static enum hc_status open_in_place(struct hc_outfile *out, const char *path, int fd,
                                    struct hc_error *err)
{
    out->path = hc_copy_text(path, err);
    if (!out->path)
        return err->status;
    int own = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    if (fd < 0)
        out->stream = fopen(path, "ae");
    else if (own >= 0)
        out->stream = fdopen(own, "w");
    if (out->stream)
        return HC_OK;
    hc_fail_errno(err, "cannot write", path);
    if (own >= 0)
        close(own);
    release(out);
    return err->status;
}

/* Where nobody gave us a standard output, main put a descriptor there that cannot be written. */
static enum hc_status open_standard_output(struct hc_outfile *out, struct hc_error *err)
{
    int flags = fcntl(STDOUT_FILENO, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) {
        errno = EBADF;
        return hc_fail_errno(err, "cannot write", "standard output");
    }
    out->path = hc_copy_text("-", err);
    out->stream = out->path ? stdout : NULL;
    return out->path ? HC_OK : err->status;
}

enum hc_status hc_outfile_end_in_place(struct hc_outfile *out, struct hc_error *err)
{
    bool is_stdout = out->stream == stdout;
    int failed = fflush(out->stream) || ferror(out->stream);
    if (!is_stdout)
        failed |= fclose(out->stream);
    if (failed)
        hc_fail_errno(err, "cannot write", is_stdout ? "standard output" : out->path);
    release(out);
    return failed ? err->status : HC_OK;
}

/* ---- names ---- */

char *hc_parent_directory(const char *path, struct hc_error *err)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return hc_copy_text(".", err);
    return hc_new_text(err, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

static void name_of_fd(int fd, char name[FD_NAME])
{
    snprintf(name, FD_NAME, "/proc/self/fd/%d", fd);
}

/* What is left at the moment of a commit is found by the start of its name; a long name gets none
 * that is too long. */
char *hc_outfile_unused_name(const char *path, struct hc_error *err)
{
    static atomic_uint count;
    struct timespec now;
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    bool is_long = strlen(base) + NAME_ROOM > NAME_MAX;
    clock_gettime(CLOCK_REALTIME, &now);
    return hc_new_text(err, "%.*s" MARK "%lx-%x-%lx",
                       (int)(is_long ? (size_t)(base - path) : strlen(path)), path, (long)getpid(),
                       atomic_fetch_add(&count, 1), (long)(now.tv_sec * 1000000000 + now.tv_nsec));
}

bool hc_outfile_is_unused_name(const char *name, const char *base)
{
    size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 || strncmp(name + length, MARK, sizeof MARK - 1) != 0)
        return false;
    const char *p = name + length + sizeof MARK - 1;
    for (int part = 0; part < 3; part++) {
        size_t digits = strspn(p, "0123456789abcdef");
        if (digits == 0 || p[digits] != (part < 2 ? '-' : '\0'))
            return false;
        p += digits + 1;
    }
    return true;
}

char *hc_resolved_path(const char *path, struct hc_error *err)
{
    char *real = realpath(path, NULL);
    if (real)
        return real;
    struct stat info;
    if (errno != ENOENT && errno != ENOTDIR) { /* it may be a link: what it names is not known */
        hc_fail_errno(err, "cannot look up", path);
        return NULL;
    }
    if (lstat(path, &info) == 0 && S_ISLNK(info.st_mode)) {
        hc_fail(err, HC_IO, "'%s' is a symbolic link to a file that is not there: remove the link",
                path);
        return NULL;
    }
    char *directory = hc_parent_directory(path, err);
    real = directory ? realpath(directory, NULL) : NULL;
    if (directory && !real && errno != ENOENT && errno != ENOTDIR) {
        hc_fail_errno(err, "cannot look up", directory);
        free(directory);
        return NULL;
    }
    const char *slash = strrchr(path, '/');
    char *resolved = NULL;
    if (real)
        resolved =
            hc_new_text(err, "%s/%s", strcmp(real, "/") ? real : "", slash ? slash + 1 : path);
    else if (directory)
        resolved = hc_copy_text(path, err);
    free(real);
    free(directory);
    return resolved;
}

/* ---- temporary files ---- */

/* As open(). A command with many jobs has all its outputs open at once: the number of descriptors
 * is raised to what the system allows before it is too small. */
static int open_more(const char *path, int flags, mode_t mode)
{
    struct rlimit limit;
    int fd = open(path, flags | O_CLOEXEC, mode);
    if (fd >= 0 || errno != EMFILE || getrlimit(RLIMIT_NOFILE, &limit) ||
        limit.rlim_cur == limit.rlim_max)
        return fd;
    limit.rlim_cur = limit.rlim_max;
    int failed = setrlimit(RLIMIT_NOFILE, &limit);
    if (!failed)
        return open(path, flags | O_CLOEXEC, mode);
    errno = EMFILE;
    return -1;
}

/* Nobody else reads what replaces a file before it has the access of that file. */
static mode_t mode_before_commit(const struct hc_outfile *out)
{
    struct stat info;
    return lstat(out->path, &info) == 0 ? 0600 : 0666;
}

/* False where there are no files without a name, or no way to give them one. The lock tells who
 * sweeps (core/files/outset.c) that the writer of a temporary file is alive. */
static bool open_unnamed(struct hc_outfile *out, const char *directory)
{
    char name[FD_NAME];
    struct hc_error ignored;
    int fd = open_more(directory, O_TMPFILE | O_RDWR, mode_before_commit(out));
    if (fd < 0)
        return false;
    flock(fd, LOCK_EX | LOCK_NB);
    name_of_fd(fd, name);
    if (access(name, F_OK) == 0)
        out->temporary = hc_outfile_unused_name(out->path, &ignored);
    out->stream = out->temporary ? fdopen(fd, "w") : NULL;
    out->is_unnamed = out->stream != NULL;
    if (out->is_unnamed)
        return true;
    close(fd);
    free(out->temporary);
    out->temporary = NULL;
    return false;
}

/* HC_IO for a file that could not be made; mostly, its directory is not there. */
static enum hc_status fail_to_make(const char *path, struct hc_error *err)
{
    const char *slash = strrchr(path, '/');
    if (errno == ENOENT && slash && slash != path)
        return hc_fail(err, HC_IO, "cannot write '%s': there is no directory '%.*s'; make it first",
                       path, (int)(slash - path), path);
    return hc_fail_errno(err, "cannot write", path);
}

/* The name is on the list of the signal handler before there is a file of that name. */
static enum hc_status open_named(struct hc_outfile *out, struct hc_error *err)
{
    out->temporary = hc_outfile_unused_name(out->path, err);
    if (!out->temporary) {
        release(out);
        return err->status;
    }
    /* A signal that another thread takes would find no file yet, and end the process when it is
     * there. */
    hc_temporary_hold();
    hc_temporary_add(out->temporary);
    int fd = open_more(out->temporary, O_RDWR | O_CREAT | O_EXCL, mode_before_commit(out));
    int made_errno = errno;
    hc_temporary_release();
    errno = made_errno;
    if (fd >= 0)
        flock(fd, LOCK_EX | LOCK_NB);
    out->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (out->stream)
        return HC_OK;
    fail_to_make(out->path, err);
    if (fd >= 0) {
        close(fd);
        unlink(out->temporary);
    }
    release(out);
    return err->status;
}

static enum hc_status open_temporary(struct hc_outfile *out, struct hc_error *err)
{
    char *directory = hc_parent_directory(out->path, err);
    bool is_open = directory && open_unnamed(out, directory);
    bool failed = !directory;
    free(directory);
    if (failed)
        release(out);
    if (is_open || failed)
        return is_open ? HC_OK : err->status;
    return open_named(out, err);
}

FILE *hc_scratch_stream(struct hc_error *err)
{
    const char *directory = getenv("TMPDIR");
    directory = directory && *directory ? directory : "/tmp";
    int fd = open_more(directory, O_TMPFILE | O_RDWR, 0600);
    char *name = NULL, *path = fd < 0 ? hc_new_text(err, "%s/hindcast", directory) : NULL;
    if (fd < 0 && path)
        name = hc_outfile_unused_name(path, err);
    if (name) {
        hc_temporary_add(name);
        fd = open_more(name, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (fd >= 0)
            unlink(name);
        hc_temporary_forget(name);
    }
    FILE *stream = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (!stream && (fd >= 0 || name))
        hc_fail_errno(err, "cannot make a temporary file in", directory);
    if (!stream && fd >= 0)
        close(fd);
    free(name);
    free(path);
    return stream;
}

/* ---- open, commit, abort ---- */

enum hc_status hc_outfile_open(struct hc_outfile *out, const char *path, struct hc_error *err)
{
    memset(out, 0, sizeof *out);
    if (strcmp(path, "-") == 0)
        return open_standard_output(out, err);
    int fd = descriptor_of(path);
    if (fd >= 0 || is_special(path))
        return open_in_place(out, path, fd, err);
    out->path = hc_resolved_path(path, err);
    return out->path ? open_temporary(out, err) : err->status;
}

enum hc_status hc_outfile_flush(struct hc_outfile *out, struct hc_error *err)
{
    if (fflush(out->stream) || ferror(out->stream))
        return hc_fail_errno(err, "cannot write", out->path);
    if (hc_file_access_keep(out->path, fileno(out->stream), err))
        return err->status;
    return fsync(fileno(out->stream)) ? hc_fail_errno(err, "cannot write", out->path) : HC_OK;
}

enum hc_status hc_outfile_name(struct hc_outfile *out, struct hc_error *err)
{
    char name[FD_NAME];
    if (!out->is_unnamed)
        return HC_OK;
    name_of_fd(fileno(out->stream), name);
    hc_temporary_add(out->temporary);
    if (linkat(AT_FDCWD, name, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW))
        return hc_fail_errno(err, "cannot write", out->path);
    out->is_unnamed = false;
    return HC_OK;
}

enum hc_status hc_outfile_commit(struct hc_outfile *out, struct hc_error *err)
{
    if (!out->temporary)
        return hc_outfile_end_in_place(out, err);
    if (hc_outfile_flush(out, err) || hc_outfile_name(out, err)) {
        hc_outfile_abort(out);
        return err->status;
    }
    if (rename(out->temporary, out->path)) {
        hc_fail_errno(err, "cannot write", out->path);
        hc_outfile_abort(out);
        return err->status;
    }
    fclose(out->stream); /* what fsync took is on the disk */
    enum hc_status status = hc_sync_parent_directory(out->path, err);
    release(out);
    return status;
}

void hc_outfile_abort(struct hc_outfile *out)
{
    if (out->stream && out->stream != stdout)
        fclose(out->stream);
    remove_temporary(out);
    release(out);
}

enum hc_status hc_sync_parent_directory(const char *path, struct hc_error *err)
{
    char *directory = hc_parent_directory(path, err);
    if (!directory)
        return err->status;
    enum hc_status status = HC_OK;
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || (fsync(fd) && errno != EINVAL))
        status = hc_fail_errno(err, "cannot sync directory", directory);
    if (fd >= 0)
        close(fd);
    free(directory);
    return status;
}

enum hc_status hc_look_at_file(const char *path, enum hc_file_kind *kind, struct hc_error *err)
{
    struct stat info;
    *kind = HC_FILE_NONE;
    if (stat(path, &info))
        return errno == ENOENT || errno == ENOTDIR ? HC_OK
                                                   : hc_fail_errno(err, "cannot look at", path);
    *kind = S_ISREG(info.st_mode) ? HC_FILE_REGULAR : HC_FILE_OTHER;
    return HC_OK;
}

bool hc_is_regular_file(const char *path)
{
    struct hc_error ignored;
    enum hc_file_kind kind;
    return hc_look_at_file(path, &kind, &ignored) == HC_OK && kind == HC_FILE_REGULAR;
}

enum hc_status hc_make_directories(const char *directory, struct hc_error *err)
{
    char *path = hc_copy_text(directory, err);
    if (!path)
        return err->status;
    enum hc_status status = HC_OK;
    for (char *p = path + 1; status == HC_OK; p++) {
        if (*p != '/' && *p != '\0')
            continue;
        char kept = *p;
        *p = '\0';
        if (mkdir(path, 0777) && errno != EEXIST)
            status = hc_fail_errno(err, "cannot make directory", path);
        *p = kept;
        if (kept == '\0')
            break;
    }
    struct stat info;
    if (status == HC_OK && (stat(path, &info) || !S_ISDIR(info.st_mode)))
        status = hc_fail(err, HC_IO, "'%s' is not a directory", directory);
    free(path);
    return status;
}
