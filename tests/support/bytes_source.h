/* bytes_source.h - sources made of bytes in memory, for tests and fuzz targets. */
#ifndef HC_TESTS_UNIT_BYTES_SOURCE_H
#define HC_TESTS_UNIT_BYTES_SOURCE_H

#include "parsers/io/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A source named `name` that holds length bytes; close it with hc_source_close. */
static inline struct hc_source bytes_source(const char *name, const void *bytes, size_t length)
{
    struct hc_source source = {.name = strdup(name), .fd = memfd_create("bytes", MFD_CLOEXEC)};
    for (size_t done = 0; done < length;) {
        ssize_t n = write(source.fd, (const char *)bytes + done, length - done);
        if (n <= 0) {
            perror("memfd");
            abort();
        }
        done += (size_t)n;
    }
    source.size = (int64_t)length;
    return source;
}

#endif
