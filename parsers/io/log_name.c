#include "parsers/io/log_name.h"

#include "core/base/missing.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool ends_in(const char *text, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length > n && memcmp(text + length - n, end, n) == 0;
}

/* ".gz", ".1", "-20260301": what rotation and compression put behind a name. */
static size_t without_suffixes(const char *text, size_t length)
{
    static const char *const packed[] = {".gz", ".zst", ".xz"};
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (ends_in(text, length, packed[i]))
            length -= strlen(packed[i]);
    size_t digits = 0;
    while (digits < length && isdigit((unsigned char)text[length - 1 - digits]))
        digits++;
    if (digits > 0 && digits < 4 && digits < length && text[length - 1 - digits] == '.')
        length -= digits + 1;
    return length;
}

static int64_t job_of(const char *name, size_t length)
{
    int64_t job = HC_MISSING_I64;
    for (size_t i = 0; i < length;) {
        size_t n = 0;
        while (i + n < length && isdigit((unsigned char)name[i + n]))
            n++;
        bool stands_alone = n > 2 && n < 16 && (i == 0 || strchr("-_.", name[i - 1])) &&
                            (i + n == length || strchr("-_.", name[i + n]));
        if (stands_alone && job != HC_MISSING_I64)
            return HC_MISSING_I64;
        if (stands_alone)
            job = strtoll(name + i, NULL, 10);
        i += n ? n : 1;
    }
    return job;
}

struct hc_log_name hc_log_name_of(const char *path)
{
    const char *base = strrchr(path, '/'), *start = path;
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (const char *c = path; base && c < base; c++)
        if (*c == '/')
            start = c + 1;
    base = base ? base + 1 : path;
    struct hc_log_name name = {.text = start};
    size_t in_base = without_suffixes(base, strlen(base));
    name.length = (size_t)(base - start) + in_base;
    /* Two logs of other directories may have one name: the whole path tells them apart. */
    char *whole = realpath(path, NULL);
    const char *named = whole ? whole : path;
    size_t n = without_suffixes(named, strlen(named));
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)named[i]) * 0x100000001b3u;
    free(whole);
    name.id = (int64_t)(hash >> 1);
    name.job = job_of(base, in_base);
    return name;
}
