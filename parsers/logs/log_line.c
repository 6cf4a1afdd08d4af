#include "parsers/logs/log_line.h"

#include "core/base/clock.h"
#include "core/base/missing.h"
#include "core/text/number_text.h"

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

static bool is_of_number(char c)
{
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

/* "E+03", of at most two digits. False: there is none, or something follows it. */
static bool read_exponent(const char *at, const char *end, int *power)
{
    bool is_negative = end - at > 1 && at[1] == '-';
    const char *digit = at + 1 + (end - at > 1 && (at[1] == '-' || at[1] == '+'));
    if ((*at != 'e' && *at != 'E') || end - digit < 1 || end - digit > 2)
        return false;
    for (*power = 0; digit < end; digit++) {
        if (*digit < '0' || *digit > '9')
            return false;
        *power = *power * 10 + (*digit - '0');
    }
    *power = is_negative ? -*power : *power;
    return true;
}

/* "12.5", "-3", "2.112134E+00". False: it is written in another way, or has too many digits. */
static bool read_plain(const char *at, size_t n, double *value)
{
    const char *end = at + n, *point = NULL;
    bool is_negative = n && *at == '-';
    const char *start = at += is_negative;
    uint64_t digits = 0;
    for (; at < end && ((*at >= '0' && *at <= '9') || (*at == '.' && !point)); at++) {
        if (*at == '.')
            point = at;
        else
            digits = digits * 10 + (uint64_t)(*at - '0');
    }
    int n_behind = point ? (int)(at - point - 1) : 0, power = 0;
    bool is_short = at - start > (point != NULL) && at - start < 18;
    if (!is_short || (at < end && !read_exponent(at, end, &power)) ||
        !hc_nearest_double(digits, power - n_behind, value))
        return false;
    *value = is_negative ? -*value : *value;
    return true;
}

double hc_log_real_at(const struct hc_line *line, const char *at)
{
    const char *end = line->text + line->length;
    size_t n = 0;
    while (at && at < end && (*at == ' ' || *at == '=' || *at == ':'))
        at++;
    if (at && end - at > 11 && memcmp(at, "np.float64(", 11) == 0)
        at += 11; /* NumPy 2, where a program prints what it has */
    while (at && at + n < end && n < 31 && is_of_number(at[n]))
        n++;
    double value = NAN;
    if (n == 0 || read_plain(at, n, &value))
        return value;
    char copy[32], *behind; /* texts of lines are not terminated */
    memcpy(copy, at, n);
    copy[n] = '\0';
    value = strtod(copy, &behind);
    return behind == copy || !isfinite(value) ? NAN : value;
}

double hc_log_real(const struct hc_line *line, const char *label)
{
    return hc_log_real_at(line, hc_log_find(line, label));
}

int64_t hc_log_whole_of(double value)
{
    return value > -9e15 && value < 9e15 ? (int64_t)value : HC_MISSING_I64;
}

int64_t hc_log_whole(const struct hc_line *line, const char *label)
{
    return hc_log_whole_of(hc_log_real(line, label));
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
