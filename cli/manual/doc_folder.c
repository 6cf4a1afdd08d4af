#include "cli/manual/doc_folder.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Cuts the last name off a path; false where there is none. */
static bool cut_name(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

bool hc_doc_folder(char *folder, size_t size)
{
    /* A package may be unpacked under any prefix, so the program's own place says where, not the
     * build. */
    char program[4096], page[4200];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return false;
    program[length] = '\0';
    if (!cut_name(program) || !cut_name(program))
        return false;
    snprintf(page, sizeof page, "%s/share/doc/hindcast/docs/README.md", program);
    if (access(page, R_OK) != 0)
        return false;
    snprintf(folder, size, "%s/share/doc/hindcast", program);
    return true;
}
