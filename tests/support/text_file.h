/* text_file.h - a text in memory as a file with a path, for functions that read files. */
#ifndef HC_TESTS_SUPPORT_TEXT_FILE_H
#define HC_TESTS_SUPPORT_TEXT_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct text_file {
    int fd;
    char path[32];
};

static inline struct text_file text_file_open(const void *text, size_t n)
{
    struct text_file file = {.fd = memfd_create("text", MFD_CLOEXEC)};
    if (file.fd < 0 || write(file.fd, text, n) != (ssize_t)n)
        abort();
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    return file;
}

static inline void text_file_close(const struct text_file *file)
{
    close(file->fd);
}

#endif
