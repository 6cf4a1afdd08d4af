#include "core/base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static void mark_cut(char *message, int length)
{
    if (length >= HC_ERROR_SIZE)
        memcpy(message + HC_ERROR_SIZE - 4, "...", 4);
}

enum hc_status hc_fail(struct hc_error *err, enum hc_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    mark_cut(err->message, length);
    err->status = status;
    err->place_length = 0;
    return status;
}

enum hc_status hc_fail_at(struct hc_error *err, const char *place, const char *format, ...)
{
    va_list args;
    int at = snprintf(err->message, sizeof err->message, *place ? "%.500s: " : "%s", place);
    va_start(args, format);
    int length = vsnprintf(err->message + at, sizeof err->message - (size_t)at, format, args);
    va_end(args);
    mark_cut(err->message, at + length);
    err->status = HC_BAD_INPUT;
    err->place_length = *place ? at - 2 : 0;
    return HC_BAD_INPUT;
}

enum hc_status hc_fail_within(struct hc_error *err, const char *place)
{
    char inner[HC_ERROR_SIZE];
    memcpy(inner, err->message, sizeof inner);
    int inner_length = err->place_length, before = (int)strlen(place);
    int length = snprintf(err->message, sizeof err->message, "%s%s%s", place,
                          inner_length ? "" : ": ", inner);
    mark_cut(err->message, length);
    err->place_length = before + inner_length;
    return err->status;
}

const char *hc_error_sentence(const struct hc_error *err)
{
    return err->message + (err->place_length ? err->place_length + 2 : 0);
}

static atomic_bool memory_was_short;

bool hc_memory_was_short(void)
{
    return memory_was_short;
}

enum hc_status hc_errno_status(int number)
{
    if (number == ENOMEM)
        memory_was_short = true;
    return number == ENOMEM ? HC_INTERNAL : HC_IO;
}

enum hc_status hc_fail_errno(struct hc_error *err, const char *what, const char *path)
{
    return hc_fail(err, hc_errno_status(errno), "%s '%s': %s", what, path, strerror(errno));
}

enum hc_status hc_fail_memory(struct hc_error *err, unsigned long long size)
{
    memory_was_short = true;
    return hc_fail(err, HC_INTERNAL, "out of memory: %llu bytes could not be allocated", size);
}

enum hc_status hc_context(struct hc_error *err, const char *format, ...)
{
    char inner[HC_ERROR_SIZE];
    memcpy(inner, err->message, sizeof inner);
    va_list args;
    va_start(args, format);
    int length = vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    if (length >= 0 && length < HC_ERROR_SIZE)
        length +=
            snprintf(err->message + length, sizeof err->message - (size_t)length, ": %s", inner);
    mark_cut(err->message, length);
    err->place_length = 0;
    return err->status;
}
