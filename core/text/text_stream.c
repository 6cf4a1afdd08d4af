#include "core/text/text_stream.h"

#include "core/base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct target {
    char **text;
    size_t *length;
    size_t capacity;
};

/* Fewer bytes than were given are an error of the stream, which stdio remembers. */
static ssize_t add_bytes(void *cookie, const char *bytes, size_t n)
{
    struct target *target = cookie;
    struct hc_error err;
    if (hc_reserve(target->text, &target->capacity, *target->length + n + 1, 1, &err)) {
        errno = ENOMEM;
        return 0;
    }
    memcpy(*target->text + *target->length, bytes, n);
    *target->length += n;
    (*target->text)[*target->length] = '\0';
    return (ssize_t)n;
}

static int end_target(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *hc_text_stream(char **text, size_t *length, struct hc_error *err)
{
    const cookie_io_functions_t functions = {.write = add_bytes, .close = end_target};
    struct target *target = hc_new_array(1, sizeof *target, err);
    *text = NULL;
    *length = 0;
    if (!target)
        return NULL;
    *target = (struct target){text, length, 0};
    FILE *stream = fopencookie(target, "w", functions);
    if (!stream) {
        free(target);
        hc_fail_memory(err, BUFSIZ);
    }
    return stream;
}

enum hc_status hc_text_stream_end(FILE *stream, char **text, enum hc_status status,
                                  struct hc_error *err)
{
    bool failed = ferror(stream) != 0;
    failed |= fclose(stream) != 0;
    if (failed) /* whatever a writer made of it */
        status = hc_fail_memory(err, BUFSIZ);
    if (status == HC_OK && !*text) { /* nothing was written */
        *text = hc_copy_text("", err);
        status = *text ? HC_OK : err->status;
    }
    if (status != HC_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
