#include "store/folder/directory_list.h"

#include "core/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static enum hc_status add_name(struct hc_directory_list *list, const char *name,
                               struct hc_error *err)
{
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return HC_OK;
    if (hc_reserve(&list->names, &list->capacity, list->n + 1, sizeof *list->names, err))
        return err->status;
    list->names[list->n] = hc_copy_text(name, err);
    return list->names[list->n++] ? HC_OK : err->status;
}

/* The descriptor of a folder can only be searched: listing needs one that can be read. */
static DIR *open_listing(const struct hc_folder *folder)
{
    int fd = openat(folder->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = fd < 0 ? NULL : fdopendir(fd);
    if (!directory && fd >= 0) {
        int why = errno;
        close(fd);
        errno = why;
    }
    return directory;
}

enum hc_status hc_list_directory(struct hc_directory_list *list, const struct hc_folder *folder,
                                 struct hc_error *err)
{
    memset(list, 0, sizeof *list);
    if (folder->fd < 0)
        return HC_OK;
    DIR *directory = open_listing(folder);
    if (!directory)
        return hc_fail_errno(err, "cannot list directory", folder->path);
    enum hc_status status = HC_OK;
    struct dirent *entry = NULL;
    while (!status && (errno = 0, entry = readdir(directory)))
        status = add_name(list, entry->d_name, err);
    if (!status && errno)
        status = hc_fail_errno(err, "cannot list directory", folder->path);
    closedir(directory);
    if (status)
        hc_directory_list_fini(list);
    else if (list->n)
        qsort(list->names, list->n, sizeof *list->names, compare_names);
    return status;
}

void hc_directory_list_fini(struct hc_directory_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->names[i]);
    free(list->names);
    memset(list, 0, sizeof *list);
}
