#include "pipeline/synth/empty_directory.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum hc_status hc_check_empty(const char *path, const char *what, struct hc_error *err)
{
    char refused[64];
    DIR *directory = opendir(path);
    snprintf(refused, sizeof refused, "cannot make the %s in", what);
    if (!directory)
        return errno == ENOENT ? HC_OK : hc_fail_errno(err, refused, path);
    enum hc_status status = HC_OK;
    for (struct dirent *entry; status == HC_OK && (entry = readdir(directory));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            status = hc_fail(err, HC_USAGE,
                             "'%s' is not empty; a %s needs a directory that is empty or not there",
                             path, what);
    closedir(directory);
    return status;
}
