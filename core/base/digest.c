#include "core/base/digest.h"

#include "core/base/memory.h"

#include <nettle/sha2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
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

/* ---- beginnings ---- */

struct hc_digest_run {
    struct sha256_ctx context;
    int64_t offset; /* bytes that were taken */
    struct hc_digest_cuts *cuts;
    size_t next;            /* of the cuts, the first that is not reached */
    struct sha256_ctx line; /* behind the last line feed */
};

enum hc_status hc_digest_run_start(struct hc_digest_run **run, struct hc_digest_cuts *cuts,
                                   struct hc_error *err)
{
    *run = hc_new_array(1, sizeof **run, err);
    if (!*run)
        return err->status;
    (*run)->cuts = cuts;
    sha256_init(&(*run)->context);
    (*run)->line = (*run)->context;
    cuts->last_line.offset = 0;
    for (size_t i = 0; i < cuts->n; i++)
        *cuts->cut[i].text = '\0';
    return HC_OK;
}

/* Bytes without a cut within them. */
static void take_piece(struct hc_digest_run *run, const uint8_t *bytes, size_t length)
{
    const uint8_t *feed = length ? memrchr(bytes, '\n', length) : NULL;
    size_t n = feed ? (size_t)(feed - bytes) + 1 : 0;
    if (feed) {
        sha256_update(&run->context, n, bytes);
        run->line = run->context;
        run->cuts->last_line.offset = run->offset + (int64_t)n;
    }
    sha256_update(&run->context, length - n, bytes + n);
    run->offset += (int64_t)length;
}

void hc_digest_run_take(struct hc_digest_run *run, const void *bytes, size_t length)
{
    const uint8_t *at = bytes;
    const struct hc_digest_cuts *cuts = run->cuts;
    for (; run->next < cuts->n && cuts->cut[run->next].offset <= run->offset + (int64_t)length;
         run->next++) {
        struct hc_digest_cut *cut = &cuts->cut[run->next];
        size_t n = (size_t)(cut->offset - run->offset);
        take_piece(run, at, n);
        at += n;
        length -= n;
        struct sha256_ctx context = run->context;
        finish(&context, cut->text);
    }
    take_piece(run, at, length);
}

void hc_digest_run_end(struct hc_digest_run *run, char text[HC_DIGEST_TEXT])
{
    finish(&run->line, run->cuts->last_line.text);
    finish(&run->context, text);
    free(run);
}

/* ---- files ---- */

/* All of the file goes to take. */
static enum hc_status read_all(int fd, const char *name,
                               void (*take)(void *to, const uint8_t *bytes, size_t length),
                               void *to, struct hc_error *err)
{
    uint8_t *buffer = hc_new_array(READ_SIZE, 1, err);
    if (!buffer)
        return err->status;
    enum hc_status status = HC_OK;
    for (off_t offset = 0;;) {
        ssize_t n = pread(fd, buffer, READ_SIZE, offset);
        if (n < 0)
            status = hc_fail_errno(err, "cannot read", name);
        if (n <= 0)
            break;
        take(to, buffer, (size_t)n);
        offset += n;
    }
    free(buffer);
    return status;
}

static void take_whole(void *context, const uint8_t *bytes, size_t length)
{
    sha256_update(context, length, bytes);
}

enum hc_status hc_digest_fd(int fd, const char *name, char text[HC_DIGEST_TEXT],
                            struct hc_error *err)
{
    struct sha256_ctx context;
    sha256_init(&context);
    enum hc_status status = read_all(fd, name, take_whole, &context, err);
    finish(&context, text);
    return status;
}

static void take_run(void *run, const uint8_t *bytes, size_t length)
{
    hc_digest_run_take(run, bytes, length);
}

enum hc_status hc_digest_fd_cuts(int fd, const char *name, struct hc_digest_cuts *cuts,
                                 char text[HC_DIGEST_TEXT], struct hc_error *err)
{
    struct hc_digest_run *run = NULL;
    if (hc_digest_run_start(&run, cuts, err))
        return err->status;
    enum hc_status status = read_all(fd, name, take_run, run, err);
    hc_digest_run_end(run, text);
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
