/* directory_list.h - the names in a directory, in a fixed order. */
#ifndef HC_STORE_FOLDER_DIRECTORY_LIST_H
#define HC_STORE_FOLDER_DIRECTORY_LIST_H

#include "core/base/status.h"
#include "store/folder/folder.h"

#include <stddef.h>

struct hc_directory_list {
    size_t n, capacity;
    char **names; /* ascending, without "." and ".." */
};

/* The names in folder; none when it is absent. On failure the list is empty. */
enum hc_status hc_list_directory(struct hc_directory_list *list, const struct hc_folder *folder,
                                 struct hc_error *err);
void hc_directory_list_fini(struct hc_directory_list *list);

#endif
