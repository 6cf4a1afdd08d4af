#include "core/files/read_at.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

ssize_t hc_read_at(int fd, void *bytes, size_t n, off_t at)
{
    size_t done = 0;
    while (done < n) {
        ssize_t got = pread(fd, (uint8_t *)bytes + done, n - done, at + (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}
