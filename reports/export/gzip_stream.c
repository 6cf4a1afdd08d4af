#include "reports/export/gzip_stream.h"

#include "core/base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>
#include <zlib.h>

#define PACKED_SIZE 65536
#define TEXT_SIZE   (1 << 18)

struct gzip {
    FILE *to;
    z_stream stream;
    unsigned char packed[PACKED_SIZE];
};

/* flush is zlib's Z_NO_FLUSH or Z_FINISH; false when the bytes could not be written. */
static bool pack(struct gzip *gzip, const char *text, size_t n, int flush)
{
    gzip->stream.next_in = (unsigned char *)(uintptr_t)text;
    gzip->stream.avail_in = (unsigned)n;
    do {
        gzip->stream.next_out = gzip->packed;
        gzip->stream.avail_out = sizeof gzip->packed;
        if (deflate(&gzip->stream, flush) == Z_STREAM_ERROR)
            return false;
        size_t ready = sizeof gzip->packed - gzip->stream.avail_out;
        if (fwrite(gzip->packed, 1, ready, gzip->to) != ready)
            return false;
    } while (gzip->stream.avail_out == 0);
    return true;
}

static ssize_t take_text(void *cookie, const char *text, size_t n)
{
    if (pack(cookie, text, n, Z_NO_FLUSH))
        return (ssize_t)n;
    if (!errno)
        errno = EIO;
    return 0; /* of a cookie: an error */
}

static int end_member(void *cookie)
{
    struct gzip *gzip = cookie;
    bool ok = pack(gzip, NULL, 0, Z_FINISH);
    deflateEnd(&gzip->stream);
    free(gzip);
    return ok ? 0 : EOF;
}

FILE *hc_gzip_stream(FILE *to, int level, struct hc_error *err)
{
    struct gzip *gzip = hc_new_array(1, sizeof *gzip, err);
    if (!gzip)
        return NULL;
    gzip->to = to;
    /* 31: a gzip wrapper. */
    if (deflateInit2(&gzip->stream, level, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        hc_fail_memory(err, sizeof *gzip);
        free(gzip);
        return NULL;
    }
    cookie_io_functions_t functions = {.write = take_text, .close = end_member};
    FILE *stream = fopencookie(gzip, "w", functions);
    if (!stream) {
        hc_fail_memory(err, sizeof *gzip);
        deflateEnd(&gzip->stream);
        free(gzip);
        return NULL;
    }
    setvbuf(stream, NULL, _IOFBF, TEXT_SIZE);
    return stream;
}
