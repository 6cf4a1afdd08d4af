#include "core/base/digest.h"

#include "core/base/memory.h"

#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define READ_SIZE ((size_t)256 * 1024)

static void finish(struct sha256_ctx *context, char text[HC_DIGEST_TEXT])
{
    static const char hex[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        text[2 * i] = hex[digest[i] >> 4];
        text[2 * i + 1] = hex[digest[i] & 15];
    }
    text[2 * sizeof digest] = '\0';
}

void hc_digest_bytes(const void *bytes, size_t length, char text[HC_DIGEST_TEXT])
{
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, length, bytes);
    finish(&context, text);
}

enum hc_status hc_digest_fd(int fd, const char *name, char text[HC_DIGEST_TEXT],
                            struct hc_error *err)
{
    uint8_t *buffer = hc_new_array(READ_SIZE, 1, err);
    if (!buffer)
        return err->status;
    struct sha256_ctx context;
    sha256_init(&context);
    enum hc_status status = HC_OK;
    for (off_t offset = 0;;) {
        ssize_t n = pread(fd, buffer, READ_SIZE, offset);
        if (n < 0)
            status = hc_fail_errno(err, "cannot read", name);
        if (n <= 0)
            break;
        sha256_update(&context, (size_t)n, buffer);
        offset += n;
    }
    finish(&context, text);
    free(buffer);
    return status;
}

enum hc_status hc_digest_file(const char *path, char text[HC_DIGEST_TEXT], struct hc_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return hc_fail_errno(err, "cannot open", path);
    enum hc_status status = hc_digest_fd(fd, path, text, err);
    close(fd);
    return status;
}

/* ---- a stream ---- */

struct sink {
    struct sha256_ctx context;
    char *text;
};

static ssize_t take_bytes(void *cookie, const char *bytes, size_t length)
{
    struct sink *sink = cookie;
    sha256_update(&sink->context, length, (const uint8_t *)bytes);
    return (ssize_t)length;
}

static int end_sink(void *cookie)
{
    struct sink *sink = cookie;
    finish(&sink->context, sink->text);
    free(sink);
    return 0;
}

FILE *hc_digest_stream(char text[HC_DIGEST_TEXT], struct hc_error *err)
{
    const cookie_io_functions_t functions = {.write = take_bytes, .close = end_sink};
    struct sink *sink = hc_new_array(1, sizeof *sink, err);
    if (!sink)
        return NULL;
    sha256_init(&sink->context);
    sink->text = text;
    FILE *stream = fopencookie(sink, "w", functions);
    if (!stream) {
        free(sink);
        hc_fail_memory(err, BUFSIZ);
    }
    return stream;
}
