#include "core/base/memory.h"
#include "core/files/outset_internal.h"
#include "core/process/temporary_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A commit takes milliseconds. Who holds the lock for longer (`flock DIR hindcast ...`) is no other
 * writer, or one that hangs: neither may keep this one from its end. */
#define LOCK_TRIES    100
#define LOCK_PAUSE_NS 20000000L

/* ---- directories that are made ---- */

static enum hc_status note_made(struct hc_outset *set, const char *path, struct hc_error *err)
{
    if (hc_reserve(&set->made, &set->made_capacity, set->n_made + 1, sizeof *set->made, err))
        return err->status;
    char *copy = hc_copy_text(path, err);
    if (!copy)
        return err->status;
    set->made[set->n_made++] = (struct hc_outset_made){.path = copy};
    hc_temporary_add(copy);
    return HC_OK;
}

static void unnote_last(struct hc_outset *set)
{
    char *path = set->made[--set->n_made].path;
    hc_temporary_forget(path);
    free(path);
}

/* On the list of the signal handler before it is there. */
static enum hc_status make_one(struct hc_outset *set, const char *path, struct hc_error *err)
{
    struct stat info;
    if (stat(path, &info) == 0)
        return HC_OK;
    if (note_made(set, path, err))
        return err->status;
    if (mkdir(path, 0777) == 0)
        return HC_OK;
    int why = errno;
    unnote_last(set);
    errno = why;
    return why == EEXIST ? HC_OK : hc_fail_errno(err, "cannot make directory", path);
}

enum hc_status hc_outset_directory(struct hc_outset *set, const char *directory,
                                   struct hc_error *err)
{
    struct stat info;
    char *path = hc_copy_text(directory, err);
    if (!path)
        return err->status;
    enum hc_status status = HC_OK;
    for (char *p = path; *p && status == HC_OK; p++) {
        if (p == path || *p != '/')
            continue;
        *p = '\0';
        status = make_one(set, path, err);
        *p = '/';
    }
    if (status == HC_OK)
        status = make_one(set, path, err);
    if (status == HC_OK && stat(path, &info))
        status = hc_fail_errno(err, "cannot use directory", path);
    else if (status == HC_OK && !S_ISDIR(info.st_mode))
        status = hc_fail(err, HC_IO, "'%s' is not a directory", directory);
    free(path);
    return status;
}

enum hc_status hc_outset_scratch_directory(struct hc_outset *set, const char *directory,
                                           struct hc_error *err)
{
    if (note_made(set, directory, err))
        return err->status;
    set->made[set->n_made - 1].is_scratch = true;
    if (mkdir(directory, 0777) && errno != EEXIST)
        return hc_fail_errno(err, "cannot make directory", directory);
    return HC_OK;
}

void hc_outset_end_directories(struct hc_outset *set, bool keep)
{
    while (set->n_made) {
        const struct hc_outset_made *last = &set->made[set->n_made - 1];
        if (!keep || last->is_scratch)
            rmdir(last->path); /* unless something is in it */
        unnote_last(set);
    }
    free(set->made);
    set->made = NULL;
    set->made_capacity = 0;
}

/* ---- directories of a commit ---- */

static bool has_place(const struct hc_outset_places *places, const char *path)
{
    for (size_t i = 0; i < places->n; i++)
        if (strcmp(places->place[i].path, path) == 0)
            return true;
    return false;
}

/* Takes over path. */
static enum hc_status add_place(struct hc_outset_places *places, char *path, struct hc_error *err)
{
    if (has_place(places, path)) {
        free(path);
        return HC_OK;
    }
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        hc_fail_errno(err, "cannot open directory", path);
    if (fd < 0 ||
        hc_reserve(&places->place, &places->capacity, places->n + 1, sizeof *places->place, err)) {
        if (fd >= 0)
            close(fd);
        free(path);
        return err->status;
    }
    places->place[places->n++] = (struct hc_outset_place){.path = path, .fd = fd};
    return HC_OK;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct hc_outset_place *)a)->path,
                  ((const struct hc_outset_place *)b)->path);
}

bool hc_outset_lock_directory(int fd)
{
    const struct timespec moment = {0, LOCK_PAUSE_NS};
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return false; /* not on this file system */
        nanosleep(&moment, NULL);
    }
    return false;
}

enum hc_status hc_outset_lock(struct hc_outset_places *places, const struct hc_outset *set,
                              struct hc_error *err)
{
    for (size_t i = 0; i < set->n; i++) {
        if (set->files[i].kind == HC_OUTSET_KEPT || set->files[i].kind == HC_OUTSET_IN_PLACE)
            continue;
        char *path = hc_parent_directory(set->files[i].out.path, err);
        if (!path || add_place(places, path, err))
            return err->status;
    }
    /* In one order, so that two writers do not wait for each other. */
    if (places->n)
        qsort(places->place, places->n, sizeof *places->place, by_path);
    for (size_t i = 0; i < places->n; i++)
        places->place[i].is_locked = hc_outset_lock_directory(places->place[i].fd);
    return HC_OK;
}

enum hc_status hc_outset_sync(const struct hc_outset_places *places, struct hc_error *err)
{
    for (size_t i = 0; i < places->n; i++)
        if (fsync(places->place[i].fd) && errno != EINVAL)
            return hc_fail_errno(err, "cannot sync directory", places->place[i].path);
    return HC_OK;
}

void hc_outset_unlock(struct hc_outset_places *places)
{
    for (size_t i = 0; i < places->n; i++) {
        close(places->place[i].fd);
        free(places->place[i].path);
    }
    free(places->place);
}

/* ---- sweeping ---- */

/* Whether name is temporary for a file of the set in this directory. */
static bool is_ours(const struct hc_outset *set, const char *directory, const char *name)
{
    size_t length = strcmp(directory, "/") ? strlen(directory) : 0;
    for (size_t i = 0; i < set->n; i++) {
        const char *path = set->files[i].out.path;
        if (set->files[i].kind == HC_OUTSET_IN_PLACE || strncmp(path, directory, length) != 0 ||
            path[length] != '/' || strchr(path + length + 1, '/'))
            continue;
        if (hc_outfile_is_unused_name(name, path + length + 1))
            return true;
    }
    return false;
}

/* The writer of a temporary file holds its lock as long as it lives. */
static void remove_dead(int directory, const char *name)
{
    struct stat info;
    int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0)
        unlinkat(directory, name, 0);
    close(fd);
}

void hc_outset_sweep(const struct hc_outset_places *places, const struct hc_outset *set)
{
    for (size_t i = 0; i < places->n; i++) {
        const struct hc_outset_place *place = &places->place[i];
        DIR *entries = place->is_locked ? opendir(place->path) : NULL;
        if (!entries)
            continue;
        for (struct dirent *entry; (entry = readdir(entries));)
            if (strstr(entry->d_name, ".tmp-") && is_ours(set, place->path, entry->d_name))
                remove_dead(dirfd(entries), entry->d_name);
        closedir(entries);
    }
}
