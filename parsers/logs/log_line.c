#include "parsers/logs/log_line.h"

#include "core/base/clock.h"
#include "core/base/missing.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_NS ((int64_t)1000000000)

const char *hc_log_find(const struct hc_line *line, const char *label)
{
    size_t n = strlen(label);
    const char *at = memmem(line->text, line->length, label, n);
    return at ? at + n : NULL;
}

/* Texts of lines are not terminated, but may be read a little further: a number ends there. */
static const char *number_at(const struct hc_line *line, const char *label, char copy[32])
{
    const char *at = hc_log_find(line, label), *end = line->text + line->length;
    size_t n = 0;
    while (at && at < end && (*at == ' ' || *at == '=' || *at == ':'))
        at++;
    while (at && at + n < end && n < 31 &&
           (isdigit((unsigned char)at[n]) || (at[n] && strchr("+-.eE", at[n]))))
        n++;
    if (!at || n == 0)
        return NULL;
    memcpy(copy, at, n);
    copy[n] = '\0';
    return copy;
}

double hc_log_real(const struct hc_line *line, const char *label)
{
    char copy[32], *end;
    if (!number_at(line, label, copy))
        return NAN;
    double value = strtod(copy, &end);
    return end == copy || !isfinite(value) ? NAN : value;
}

int64_t hc_log_whole(const struct hc_line *line, const char *label)
{
    double value = hc_log_real(line, label);
    return value > -9e15 && value < 9e15 ? (int64_t)value : HC_MISSING_I64;
}

int64_t hc_log_ns_of_ms(double ms)
{
    return ms >= 0 && ms < 9e12 ? (int64_t)(ms * 1e6 + 0.5) : HC_MISSING_I64;
}

int32_t hc_log_small(double value)
{
    return value >= 0 && value < 2e9 ? (int32_t)value : HC_MISSING_I32;
}

/* ---- times ---- */

static bool is_date(const char *at, const char *end)
{
    static const char form[] = "0000-00-00?00:00:00";
    if (end - at < (ptrdiff_t)sizeof form - 1)
        return false;
    for (size_t i = 0; form[i]; i++)
        if (form[i] == '0'   ? !isdigit((unsigned char)at[i])
            : form[i] == '?' ? at[i] != ' ' && at[i] != 'T' && at[i] != '_'
                             : at[i] != form[i])
            return false;
    return true;
}

static size_t zone_length(const char *at, const char *end)
{
    if (at < end && *at == 'Z')
        return 1;
    if (end - at < 6 || (*at != '+' && *at != '-') || at[3] != ':')
        return 0;
    for (int i = 1; i < 6; i++)
        if (i != 3 && !isdigit((unsigned char)at[i]))
            return 0;
    return 6;
}

bool hc_log_time(struct hc_log_times *times, const char *at, const char *end, int64_t *unix_ns)
{
    char copy[64];
    size_t n = 19, zone;
    if (!is_date(at, end))
        return false;
    memcpy(copy, at, n);
    copy[10] = 'T';
    at += n;
    if (at < end && (*at == '.' || *at == ',')) {
        copy[n++] = '.';
        for (at++; at < end && isdigit((unsigned char)*at); at++)
            if (n < 29)
                copy[n++] = *at;
        n -= copy[n - 1] == '.';
    }
    zone = zone_length(at, end);
    memcpy(copy + n, zone ? at : "Z", zone ? zone : 1);
    if (!hc_parse_iso8601(copy, n + (zone ? zone : 1), unix_ns))
        return false;
    if (zone || !times->zone)
        return true;
    int64_t second = *unix_ns / SECOND_NS, rest_ns = *unix_ns % SECOND_NS;
    enum hc_local_time is = hc_zone_to_unix_s(times->zone, second, &second);
    times->n_twice += is == HC_LOCAL_TWICE;
    times->n_never += is == HC_LOCAL_NEVER;
    *unix_ns = second * SECOND_NS + rest_ns;
    return true;
}

/* ---- the name of a log ---- */

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
