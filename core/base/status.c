#include "core/base/status.h"

#include <errno.h>
#include <stdarg.h>
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
    return status;
}

enum hc_status hc_fail_errno(struct hc_error *err, const char *what, const char *path)
{
    return hc_fail(err, HC_IO, "%s '%s': %s", what, path, strerror(errno));
}

enum hc_status hc_fail_memory(struct hc_error *err, unsigned long long size)
{
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
    return err->status;
}
