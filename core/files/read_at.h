/* read_at.h - bytes of an open file from an offset on, all that are there. A single pread may give
 * fewer than the file has (a signal, a file system over a network): who takes that for the end of
 * the file refuses a whole one. */
#ifndef HC_CORE_FILES_READ_AT_H
#define HC_CORE_FILES_READ_AT_H

#include <sys/types.h>

/* Read n bytes at offset at, fewer only where the file ends; the number read, or -1 with errno. */
ssize_t hc_read_at(int fd, void *bytes, size_t n, off_t at);

#endif
