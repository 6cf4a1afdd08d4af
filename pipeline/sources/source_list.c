#include "pipeline/sources/source_list.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/sources/tar_sources.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool hc_is_directory(const char *argument)
{
    struct stat info;
    return stat(argument, &info) == 0 && S_ISDIR(info.st_mode);
}

void hc_source_list_fini(struct hc_source_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->sources[i].path);
    free(list->sources);
    memset(list, 0, sizeof *list);
}

/* Takes path, also on failure. */
static enum hc_status push(struct hc_source_list *list, char *path, bool is_member,
                           struct hc_error *err)
{
    if (!path ||
        hc_reserve(&list->sources, &list->capacity, list->n + 1, sizeof *list->sources, err)) {
        free(path);
        return err->status;
    }
    list->sources[list->n++] = (struct hc_listed_source){path, is_member};
    return HC_OK;
}

/* What cannot be looked at now stays: opening it says why. */
static bool may_be_read(const char *path)
{
    const struct hc_format *format = NULL;
    struct hc_error ignored;
    return hc_format_of_path(&format, path, &ignored) != HC_OK || format || hc_is_tar(path);
}

enum hc_status hc_source_list_keep_known(struct hc_source_list *list, bool is_named,
                                         struct hc_error *err)
{
    size_t n = 0, n_unknown = 0;
    char *first = NULL;
    for (size_t i = 0; i < list->n; i++) {
        struct hc_listed_source *source = &list->sources[i];
        if (!source->is_member || is_named || may_be_read(source->path)) {
            list->sources[n++] = *source;
            continue;
        }
        if (n_unknown++ == 0)
            first = source->path;
        else
            free(source->path);
    }
    list->n = n;
    enum hc_status status = HC_OK;
    if (n == 0 && n_unknown)
        status = hc_fail(err, HC_BAD_INPUT,
                         "none of %zu files is in a format that is read here, such as '%s'",
                         n_unknown, first);
    else if (n_unknown)
        hc_warn("%zu file%s left out, in no format that is read here, such as '%s'", n_unknown,
                n_unknown == 1 ? " is" : "s are", first);
    free(first);
    return status;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool may_be_source(const char *name)
{
    return *name != '.' && !ends_with(name, ".yaml") && !ends_with(name, ".yml") &&
           strcmp(name, "truth.json") != 0;
}

static int compare_paths(const void *first, const void *second)
{
    const struct hc_listed_source *a = first, *b = second;
    return strverscmp(a->path, b->path);
}

static enum hc_status add_files(struct hc_source_list *list, DIR *directory, const char *path,
                                struct hc_error *err)
{
    size_t first = list->n, length = strlen(path), n_folders = 0;
    const char *border = length && path[length - 1] == '/' ? "" : "/";
    const struct dirent *entry;
    while (errno = 0, (entry = readdir(directory))) {
        struct stat info;
        if (!may_be_source(entry->d_name))
            continue;
        char *name = hc_new_text(err, "%s%s%s", path, border, entry->d_name);
        if (!name)
            return err->status;
        bool is_there = stat(name, &info) == 0;
        enum hc_status status = HC_OK;
        if (!is_there && errno != ENOENT && errno != ELOOP) /* a link to nothing is no file */
            status = hc_fail_errno(err, "cannot look at", name);
        n_folders += is_there && S_ISDIR(info.st_mode);
        if (!is_there || !S_ISREG(info.st_mode))
            free(name);
        else
            status = push(list, name, true, err);
        if (status)
            return status;
    }
    if (errno)
        return hc_fail_errno(err, "cannot read directory", path);
    if (list->n == first)
        return hc_fail(
            err, HC_BAD_INPUT,
            n_folders ? "directory '%s' has no file that could be a trace, and the folders in it "
                        "are not searched: name them, or let 'hindcast site init %s' write a site "
                        "file of all that lies there"
                      : "directory '%s' has no file that could be a trace (see 'hindcast formats')",
            path, path);
    qsort(list->sources + first, list->n - first, sizeof *list->sources, compare_paths);
    return HC_OK;
}

enum hc_status hc_source_list_add(struct hc_source_list *list, const char *argument,
                                  struct hc_error *err)
{
    struct stat info;
    bool is_there = stat(argument, &info) == 0;
    /* A name that leads to nothing may be that of a job. */
    if (!is_there && errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG && errno != ELOOP)
        return hc_fail_errno(err, "cannot look at", argument);
    if (!is_there || !S_ISDIR(info.st_mode))
        return push(list, hc_copy_text(argument, err), false, err);
    DIR *directory = opendir(argument);
    if (!directory)
        return hc_fail_errno(err, "cannot read", argument);
    enum hc_status status = add_files(list, directory, argument, err);
    closedir(directory);
    return status;
}
