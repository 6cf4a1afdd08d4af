#include "core/files/outfolder_tree.h"

#include "core/base/memory.h"
#include "core/files/input_file.h"
#include "core/files/outfile.h"
#include "core/files/outset.h"
#include "core/text/text_set.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_DEPTH  8 /* of folders in folders; ours have one */
#define MARK        ".tmp-"
#define DIGEST_PART 66 /* "<64 hex digits>  " in front of a name of the index */

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Whether both names have digits at the same places and are else the same: "2026-03-20" and
 * "2026-04-01". */
static bool are_alike(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (*a != *b && !(isdigit((unsigned char)*a) && isdigit((unsigned char)*b)))
            return false;
    return *a == *b;
}

/* ---- what is in a folder ---- */

/* Names of the files that an index lists, "# not listed: NAME" included. */
static enum hc_status read_index(const char *path, struct hc_text_set *names, struct hc_error *err)
{
    static const char unlisted[] = HC_UNLISTED;
    FILE *stream;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    int32_t code;
    if (hc_input_file_stream(path, &stream, err))
        return err->status;
    if (!stream)
        return HC_OK;
    enum hc_status status =
        hc_text_set_add(names, HC_OUTSET_INDEX, strlen(HC_OUTSET_INDEX), &code, err);
    while (status == HC_OK && (length = getline(&line, &room, stream)) > 0) {
        size_t start = strncmp(line, unlisted, sizeof unlisted - 1) == 0 ? sizeof unlisted - 1
                       : line[0] == '#'                                  ? (size_t)length
                                                                         : DIGEST_PART;
        length -= line[length - 1] == '\n';
        if ((size_t)length > start)
            status = hc_text_set_add(names, line + start, (size_t)length - start, &code, err);
    }
    if (status == HC_OK && !feof(stream)) /* an error, or no memory for a line */
        status = hc_fail_errno(err, "cannot read", path);
    free(line);
    fclose(stream);
    return status;
}

/* prefix: of the names, "" or "tables/". */
static enum hc_status check_names(const char *folder, const char *prefix,
                                  const struct hc_text_set *names, struct hc_error *err)
{
    char *path = hc_new_text(err, "%s/%s", folder, prefix);
    DIR *entries = path ? opendir(path) : NULL;
    enum hc_status status = entries ? HC_OK
                            : path  ? hc_fail_errno(err, "cannot read", path)
                                    : err->status;
    while (status == HC_OK) {
        errno = 0;
        struct dirent *entry = readdir(entries);
        if (!entry) {
            status = errno ? hc_fail_errno(err, "cannot read", path) : HC_OK;
            break;
        }
        struct stat info;
        char *name =
            is_dots(entry->d_name) ? NULL : hc_new_text(err, "%s%s", prefix, entry->d_name);
        if (is_dots(entry->d_name))
            continue;
        if (!name)
            status = err->status;
        else if (fstatat(dirfd(entries), entry->d_name, &info, AT_SYMLINK_NOFOLLOW))
            status = hc_fail_errno(err, "cannot look at", name);
        else if (S_ISDIR(info.st_mode) && !*prefix) {
            char *below = hc_new_text(err, "%s/", name);
            status = below ? check_names(folder, below, names, err) : err->status;
            free(below);
        } else if (hc_text_set_find(names, name, strlen(name)) < 0) {
            status = hc_fail(err, HC_USAGE,
                             "'%s/%s' is no file of the report in '%s', which is to be replaced: "
                             "move it elsewhere",
                             folder, name, folder);
        }
        free(name);
    }
    if (entries)
        closedir(entries);
    free(path);
    return status;
}

enum hc_status hc_outfolder_check_ours(const char *path, struct hc_error *err)
{
    struct stat info;
    struct hc_text_set names = {0};
    if (lstat(path, &info))
        return errno == ENOENT ? HC_OK : hc_fail_errno(err, "cannot look at", path);
    if (!S_ISDIR(info.st_mode))
        return hc_fail(err, HC_USAGE, "'%s' is no folder: move it elsewhere", path);
    char *index = hc_new_text(err, "%s/%s", path, HC_OUTSET_INDEX);
    enum hc_status status = index ? read_index(index, &names, err) : err->status;
    if (status == HC_OK && names.n == 0)
        status = hc_fail(err, HC_USAGE,
                         "'%s' has no '%s', so it is no report: move it elsewhere, or choose "
                         "another directory",
                         path, HC_OUTSET_INDEX);
    if (status == HC_OK)
        status = check_names(path, "", &names, err);
    hc_text_set_fini(&names);
    free(index);
    return status;
}

/* ---- the end of a folder ---- */

/* Each name is tried twice: what fails once by chance does not leave the folder behind. */
static bool remove_name(int directory, const char *name, int flags)
{
    return unlinkat(directory, name, flags) == 0 || unlinkat(directory, name, flags) == 0 ||
           errno == ENOENT;
}

static bool remove_in(int parent, const char *name, int depth)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
    if (!entries) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    for (struct dirent *entry; (entry = readdir(entries));) {
        struct stat info;
        if (is_dots(entry->d_name) || fstatat(fd, entry->d_name, &info, AT_SYMLINK_NOFOLLOW))
            continue;
        if (!S_ISDIR(info.st_mode))
            remove_name(fd, entry->d_name, 0);
        else if (depth < MOST_DEPTH)
            remove_in(fd, entry->d_name, depth + 1);
    }
    closedir(entries);
    return remove_name(parent, name, AT_REMOVEDIR);
}

bool hc_outfolder_remove(const char *path)
{
    /* A second try finds what the first could not read. */
    return remove_in(AT_FDCWD, path, 0) || remove_in(AT_FDCWD, path, 0);
}

/* ---- what is left over ---- */

/* The writer of a folder under a temporary name holds its lock as long as it lives. */
static bool is_dead(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool is_free = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (fd >= 0)
        close(fd);
    return is_free;
}

static bool put_back(int parent, const char *temporary, const char *name)
{
    char index[512];
    snprintf(index, sizeof index, "%s/%s", temporary, HC_OUTSET_INDEX);
    return faccessat(parent, name, F_OK, AT_SYMLINK_NOFOLLOW) && errno == ENOENT &&
           faccessat(parent, index, F_OK, 0) == 0 && renameat(parent, temporary, parent, name) == 0;
}

static void sweep_entry(int parent, const char *entry, const char *name, const char *link)
{
    const char *mark = strstr(entry, MARK);
    char base[256];
    if (!mark || (size_t)(mark - entry) >= sizeof base)
        return;
    snprintf(base, sizeof base, "%.*s", (int)(mark - entry), entry);
    if (!hc_outfile_is_unused_name(entry, base))
        return;
    if (link && strcmp(base, link) == 0)
        unlinkat(parent, entry, 0); /* a link lives only while its writer holds the directory */
    else if (are_alike(base, name) && is_dead(parent, entry) && !put_back(parent, entry, base))
        remove_in(parent, entry, 0);
}

void hc_outfolder_sweep(const char *parent, const char *name, const char *link)
{
    DIR *entries = opendir(parent);
    if (!entries)
        return;
    for (struct dirent *entry; (entry = readdir(entries));)
        sweep_entry(dirfd(entries), entry->d_name, name, link);
    closedir(entries);
}

char *hc_outfolder_greatest(const char *parent, const char *name, struct hc_error *err)
{
    char *greatest = hc_copy_text(name, err);
    DIR *entries = greatest ? opendir(parent) : NULL;
    if (!entries) {
        if (greatest)
            hc_fail_errno(err, "cannot read", parent);
        free(greatest);
        return NULL;
    }
    /* All of a kind are as long as each other, so there is room. */
    errno = 0;
    for (struct dirent *entry; (entry = readdir(entries)); errno = 0)
        if (are_alike(entry->d_name, name) && strcmp(entry->d_name, greatest) > 0)
            memcpy(greatest, entry->d_name, strlen(name));
    bool failed = errno != 0;
    if (failed)
        hc_fail_errno(err, "cannot read", parent);
    closedir(entries);
    if (!failed)
        return greatest;
    free(greatest);
    return NULL;
}
