#include "core/outfile.h"

#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void release(struct hc_outfile *out)
{
    free(out->path);
    free(out->temporary);
    memset(out, 0, sizeof *out);
}

enum hc_status hc_outfile_open(struct hc_outfile *out, const char *path, struct hc_error *err)
{
    memset(out, 0, sizeof *out);
    out->path = hc_copy_text(path, err);
    if (!out->path)
        return err->status;
    if (strcmp(path, "-") == 0) {
        out->stream = stdout;
        return HC_OK;
    }
    out->temporary = hc_new_text(err, "%s.tmp-XXXXXX", path);
    int fd = out->temporary ? mkstemp(out->temporary) : -1;
    if (fd < 0) {
        if (out->temporary)
            hc_fail_errno(err, "cannot write", path);
        release(out);
        return err->status;
    }
    mode_t mask = umask(0);
    umask(mask);
    out->stream = fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "w") : NULL;
    if (out->stream)
        return HC_OK;
    hc_fail_errno(err, "cannot write", path);
    close(fd);
    unlink(out->temporary);
    release(out);
    return err->status;
}

static enum hc_status commit_stdout(struct hc_outfile *out, struct hc_error *err)
{
    int failed = fflush(stdout) || ferror(stdout);
    release(out);
    return failed ? hc_fail_errno(err, "cannot write", "standard output") : HC_OK;
}

enum hc_status hc_outfile_commit(struct hc_outfile *out, struct hc_error *err)
{
    if (!out->temporary)
        return commit_stdout(out, err);
    enum hc_status status = HC_OK;
    int failed = fflush(out->stream) || ferror(out->stream) || fsync(fileno(out->stream));
    failed |= fclose(out->stream);
    out->stream = NULL;
    if (failed || rename(out->temporary, out->path)) {
        status = hc_fail_errno(err, "cannot write", out->path);
        unlink(out->temporary);
    } else {
        status = hc_sync_directory_of(out->path, err);
    }
    release(out);
    return status;
}

void hc_outfile_abort(struct hc_outfile *out)
{
    if (out->temporary) {
        if (out->stream)
            fclose(out->stream);
        unlink(out->temporary);
    }
    release(out);
}

enum hc_status hc_sync_directory_of(const char *path, struct hc_error *err)
{
    const char *slash = strrchr(path, '/');
    char *directory =
        slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
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
