#include "core/outfile.h"

#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FD_NAME   32
#define NAME_ROOM 48 /* of ".tmp-" and three numbers */

static void release(struct hc_outfile *out)
{
    free(out->path);
    free(out->temporary);
    memset(out, 0, sizeof *out);
}

static void remove_temporary(const struct hc_outfile *out)
{
    if (out->temporary && !out->is_unnamed)
        unlink(out->temporary);
}

/* What a rename would replace by a file: a device, a pipe, or an open file by its number
 * (/dev/stdout may be a link to a regular file that others write to as well). */
static bool is_written_in_place(const char *path)
{
    struct stat info;
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0 ||
           (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
}

static enum hc_status open_in_place(struct hc_outfile *out, const char *path, struct hc_error *err)
{
    out->path = hc_copy_text(path, err);
    if (!out->path)
        return err->status;
    out->stream = fopen(path, "ae");
    if (out->stream)
        return HC_OK;
    hc_fail_errno(err, "cannot write", path);
    release(out);
    return err->status;
}

static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

static void name_of_fd(int fd, char name[FD_NAME])
{
    snprintf(name, FD_NAME, "/proc/self/fd/%d", fd);
}

/* The name that commit needs for a moment: no other process or thread has it. What is left in an
 * archive at that very moment is found by the start of its name; a long name gets none that is too
 * long. */
static char *unused_name(const char *path, const char *directory, struct hc_error *err)
{
    static atomic_uint count;
    struct timespec now;
    const char *slash = strrchr(path, '/');
    bool is_long = strlen(slash ? slash + 1 : path) + NAME_ROOM > NAME_MAX;
    clock_gettime(CLOCK_REALTIME, &now);
    return hc_new_text(err, "%s%s.tmp-%lx-%x-%lx", is_long ? directory : path, is_long ? "/" : "",
                       (long)getpid(), atomic_fetch_add(&count, 1),
                       (long)(now.tv_sec * 1000000000 + now.tv_nsec));
}

/* False where there are no files without a name, or no way to give them one. */
static bool open_unnamed(struct hc_outfile *out)
{
    char name[FD_NAME];
    struct hc_error ignored;
    char *directory = directory_of(out->path);
    int fd = directory ? open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
    if (fd >= 0) {
        name_of_fd(fd, name);
        out->temporary =
            access(name, F_OK) == 0 ? unused_name(out->path, directory, &ignored) : NULL;
    }
    free(directory);
    if (fd < 0)
        return false;
    out->stream = out->temporary ? fdopen(fd, "w") : NULL;
    out->is_unnamed = out->stream != NULL;
    if (out->is_unnamed)
        return true;
    close(fd);
    free(out->temporary);
    out->temporary = NULL;
    return false;
}

static enum hc_status open_temporary(struct hc_outfile *out, struct hc_error *err)
{
    if (open_unnamed(out))
        return HC_OK;
    out->temporary = hc_new_text(err, "%s.tmp-XXXXXX", out->path);
    int fd = out->temporary ? mkstemp(out->temporary) : -1;
    if (fd < 0) {
        if (out->temporary)
            hc_fail_errno(err, "cannot write", out->path);
        release(out);
        return err->status;
    }
    mode_t mask = umask(0);
    umask(mask);
    out->stream = fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "w") : NULL;
    if (out->stream)
        return HC_OK;
    hc_fail_errno(err, "cannot write", out->path);
    close(fd);
    unlink(out->temporary);
    release(out);
    return err->status;
}

enum hc_status hc_outfile_open(struct hc_outfile *out, const char *path, struct hc_error *err)
{
    memset(out, 0, sizeof *out);
    if (strcmp(path, "-") == 0) {
        out->stream = stdout;
        out->path = hc_copy_text(path, err);
        return out->path ? HC_OK : err->status;
    }
    if (is_written_in_place(path))
        return open_in_place(out, path, err);
    /* A link is followed, so that what it points to is replaced and not the link. */
    out->path = realpath(path, NULL);
    if (!out->path)
        out->path = hc_copy_text(path, err);
    return out->path ? open_temporary(out, err) : err->status;
}

/* Of standard output, a device or a pipe. */
static enum hc_status commit_in_place(struct hc_outfile *out, struct hc_error *err)
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

static bool give_name(struct hc_outfile *out)
{
    char name[FD_NAME];
    name_of_fd(fileno(out->stream), name);
    out->is_unnamed = linkat(AT_FDCWD, name, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW) != 0;
    return !out->is_unnamed;
}

enum hc_status hc_outfile_commit(struct hc_outfile *out, struct hc_error *err)
{
    if (!out->temporary)
        return commit_in_place(out, err);
    enum hc_status status = HC_OK;
    int failed = fflush(out->stream) || ferror(out->stream) || fsync(fileno(out->stream));
    failed = failed || (out->is_unnamed && !give_name(out));
    int why = errno;
    if (fclose(out->stream) == 0 || failed)
        errno = why;
    else
        failed = 1;
    out->stream = NULL;
    if (failed || rename(out->temporary, out->path)) {
        status = hc_fail_errno(err, "cannot write", out->path);
        remove_temporary(out);
    } else {
        status = hc_sync_directory_of(out->path, err);
    }
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

enum hc_status hc_sync_directory_of(const char *path, struct hc_error *err)
{
    char *directory = directory_of(path);
    if (!directory)
        return hc_fail_memory(err, strlen(path));
    enum hc_status status = HC_OK;
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || (fsync(fd) && errno != EINVAL))
        status = hc_fail_errno(err, "cannot sync directory", directory);
    if (fd >= 0)
        close(fd);
    free(directory);
    return status;
}

bool hc_is_regular_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
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
