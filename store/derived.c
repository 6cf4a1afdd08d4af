#include "store/derived.h"

#include "core/digest.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "core/sealed_json.h"
#include "store/segment_name.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define KEY_DIGITS       16
#define MAX_TRIES        16
#define TEMPORARY_LIFE_S 3600
#define SHA256_DIGITS    (HC_DIGEST_TEXT - 1)

/* "derived/<sha256 of the segment>.<kind>.<hash of the inputs>.json": gc needs the first part
 * only. */
static char *path_of(const char *archive, const struct hc_derived_key *key, struct hc_error *err)
{
    char digest[HC_DIGEST_TEXT];
    hc_digest_bytes(key->inputs, strlen(key->inputs), digest);
    return hc_new_text(err, "%s/%s/%s.%s.%.*s.json", archive, HC_DERIVED_DIRECTORY,
                       key->segment_sha256, key->kind, KEY_DIGITS, digest);
}

bool hc_derived_get(const char *archive, const struct hc_derived_key *key, char **text,
                    size_t *length)
{
    struct hc_error why;
    char *path = path_of(archive, key, &why);
    bool found =
        path && hc_is_regular_file(path) && hc_sealed_json_read(path, text, length, &why) == HC_OK;
    free(path);
    return found;
}

/* ---- writing ---- */

/* mkstemp would need the umask, which threads cannot ask for without changing it. */
static int open_temporary(const char *archive, char **path, struct hc_error *err)
{
    static atomic_uint count;
    for (int i = 0; i < MAX_TRIES; i++) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        *path = hc_new_text(err, "%s/%s/%s%ld-%u-%ld", archive, HC_DERIVED_DIRECTORY,
                            HC_TEMPORARY_PREFIX, (long)getpid(), atomic_fetch_add(&count, 1),
                            now.tv_nsec);
        int fd = *path ? open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
        if (fd >= 0 || !*path)
            return fd;
        bool is_taken = errno == EEXIST;
        hc_fail_errno(err, "cannot write", *path);
        free(*path);
        *path = NULL;
        if (!is_taken)
            break;
    }
    return -1;
}

static bool write_all(int fd, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        ssize_t n = write(fd, text, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        left -= (size_t)n;
    }
    return true;
}

static enum hc_status make_directory(const char *archive, struct hc_error *err)
{
    char *path = hc_new_text(err, "%s/%s", archive, HC_DERIVED_DIRECTORY);
    enum hc_status status = path ? HC_OK : err->status;
    if (path && mkdir(path, 0777) && errno != EEXIST)
        status = hc_fail_errno(err, "cannot make directory", path);
    free(path);
    return status;
}

enum hc_status hc_derived_put(const char *archive, const struct hc_derived_key *key,
                              const char *text, struct hc_error *err)
{
    char *temporary = NULL;
    char *path = path_of(archive, key, err);
    if (!path || make_directory(archive, err)) {
        free(path);
        return err->status;
    }
    enum hc_status status = HC_OK;
    int fd = open_temporary(archive, &temporary, err);
    bool written = fd >= 0 && write_all(fd, text);
    if (fd < 0)
        status = err->status;
    else if (close(fd) || !written || rename(temporary, path)) {
        status = hc_fail_errno(err, "cannot write", path);
        unlink(temporary);
    }
    free(temporary);
    free(path);
    return status;
}

/* ---- check and gc ---- */

static bool is_named(const struct hc_archive *archive, const char *name)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        if (strncmp(archive->entries[i].sha256, name, SHA256_DIGITS) == 0)
            return true;
    return false;
}

/* Whether a file is a temporary one whose writer must be gone. */
static bool is_old(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && time(NULL) - info.st_mtime > TEMPORARY_LIFE_S;
}

static enum hc_status visit(const struct hc_reporter *reporter, const struct hc_archive *archive,
                            const char *name, hc_stray_action *action, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    char *file = hc_new_text(err, "%s/%s", HC_DERIVED_DIRECTORY, name);
    char *path = file ? hc_new_text(err, "%s/%s", reporter->path, file) : NULL;
    bool is_temporary = strncmp(name, HC_TEMPORARY_PREFIX, strlen(HC_TEMPORARY_PREFIX)) == 0;
    if (!path)
        status = err->status;
    else if (is_temporary ? is_old(path) : !is_named(archive, name))
        status = action(reporter, HC_CHECK_LEFTOVER, file, path, err);
    free(file);
    free(path);
    return status;
}

enum hc_status hc_visit_derived(const struct hc_reporter *reporter,
                                const struct hc_archive *archive, hc_stray_action *action,
                                struct hc_error *err)
{
    struct hc_directory_list list;
    char *path = hc_new_text(err, "%s/%s", reporter->path, HC_DERIVED_DIRECTORY);
    if (!path)
        return err->status;
    enum hc_status status = HC_OK;
    bool is_there = access(path, F_OK) == 0;
    if (is_there && hc_list_directory(&list, path, err))
        status = err->status;
    free(path);
    if (!is_there || status)
        return status;
    for (size_t i = 0; !status && i < list.n; i++)
        status = visit(reporter, archive, list.names[i], action, err);
    hc_directory_list_fini(&list);
    return status;
}

enum hc_status hc_derived_report(const struct hc_reporter *reporter, enum hc_check_kind kind,
                                 const char *file, const char *path, struct hc_error *err)
{
    (void)path;
    (void)err;
    hc_report(reporter, kind, file,
              "a kept result of a segment that is gone; 'archive gc' removes it");
    return HC_OK;
}

enum hc_status hc_derived_remove(const struct hc_reporter *reporter, enum hc_check_kind kind,
                                 const char *file, const char *path, struct hc_error *err)
{
    if (unlink(path) && errno != ENOENT)
        return hc_fail_errno(err, "cannot remove", path);
    hc_report(reporter, kind, file, "removed");
    return HC_OK;
}
