#include "parsers/io/log_name.h"

#include "core/base/missing.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool ends_in(const char *text, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length > n && memcmp(text + length - n, end, n) == 0;
}

/* Digits that a text ends in. */
static size_t last_digits(const char *text, size_t length)
{
    size_t digits = 0;
    while (digits < length && isdigit((unsigned char)text[length - 1 - digits]))
        digits++;
    return digits;
}

/* Without "-20260301", as logrotate names what it put away on that day, and the time of day or Unix
 * time that may follow it; the length as it was where there is none. */
static size_t without_date(const char *text, size_t length)
{
    size_t n = length, digits = last_digits(text, n);
    if (digits != 8 && digits >= 2 && digits <= 10 && n > digits && text[n - digits - 1] == '-') {
        n -= digits + 1;
        digits = last_digits(text, n);
    }
    bool is_date = digits == 8 && n > digits + 1 && text[n - digits - 1] == '-' &&
                   strncmp(text + n - digits, "19700000", 8) > 0 &&
                   strncmp(text + n - digits, "22001231", 8) <= 0 &&
                   strncmp(text + n - 4, "0101", 4) >= 0 && strncmp(text + n - 4, "1231", 4) <= 0;
    return is_date ? n - digits - 1 : length;
}

/* What a name that is that of a log beyond doubt ends in, or "". */
static const char *ending_of(const char *text, size_t length)
{
    static const char *const endings[] = {".log", ".out", ".err", ".txt"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_in(text, length, endings[i]))
            return endings[i];
    return "";
}

/* Such a name: a date behind it is no part of its own. */
static bool is_log_file(const char *text, size_t length)
{
    return *ending_of(text, length);
}

/* Without ".1" to ".999". */
static size_t without_number(const char *text, size_t length)
{
    size_t digits = last_digits(text, length);
    bool is_number =
        digits > 0 && digits < 4 && digits < length && text[length - 1 - digits] == '.';
    return is_number ? length - digits - 1 : length;
}

/* ".gz", ".1", of files named as logs "-20260301" too: what rotation and compression put behind a
 * name. */
static size_t without_suffixes(const char *text, size_t length, bool any_date)
{
    static const char *const packed[] = {".gz", ".zst", ".xz"};
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (ends_in(text, length, packed[i]))
            length -= strlen(packed[i]);
    length = without_number(text, length);
    size_t n = without_date(text, length);
    return any_date || is_log_file(text, n) ? n : length;
}

#define FNV_START 0xcbf29ce484222325u /* FNV-1a */

static uint64_t add_hash(uint64_t hash, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash;
}

uint64_t hc_log_path_key(const char *path)
{
    size_t n = without_suffixes(path, strlen(path), true);
    const char *ending = ending_of(path, n);
    n -= strlen(ending);
    if (*ending)
        n = without_date(path, without_number(path, n));
    return add_hash(add_hash(FNV_START, path, n), ending, strlen(ending));
}

/* Slurm writes this for %a, as in slurm-%A_%a.out, of a job that is no array. */
#define NO_TASK 4294967294

static int64_t job_of(const char *name, size_t length)
{
    int64_t job = HC_MISSING_I64;
    for (size_t i = 0; i < length;) {
        size_t n = 0;
        while (i + n < length && isdigit((unsigned char)name[i + n]))
            n++;
        bool stands_alone = n > 2 && n < 16 && (i == 0 || strchr("-_.", name[i - 1])) &&
                            (i + n == length || strchr("-_.", name[i + n]));
        int64_t number = stands_alone ? strtoll(name + i, NULL, 10) : NO_TASK;
        if (number != NO_TASK && job != HC_MISSING_I64)
            return HC_MISSING_I64;
        if (number != NO_TASK)
            job = number;
        i += n ? n : 1;
    }
    return job;
}

enum hc_status hc_log_name_read(struct hc_log_name *name, const char *path, struct hc_error *err)
{
    const char *base = strrchr(path, '/'), *start = path;
    /* Two logs of other directories may have one name: the whole path tells them apart. */
    char *whole = realpath(path, NULL);
    if (!whole && errno != ENOENT && errno != ENOTDIR)
        return hc_fail_errno(err, "cannot look up", path);
    for (const char *c = path; base && c < base; c++)
        if (*c == '/')
            start = c + 1;
    base = base ? base + 1 : path;
    *name = (struct hc_log_name){.text = start};
    size_t in_base = without_suffixes(base, strlen(base), false);
    name->length = (size_t)(base - start) + in_base;
    const char *named = whole ? whole : path;
    name->id =
        (int64_t)(add_hash(FNV_START, named, without_suffixes(named, strlen(named), false)) >> 1);
    free(whole);
    name->job = job_of(base, in_base);
    return HC_OK;
}
