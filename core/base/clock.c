#include "core/base/clock.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#define NS_PER_S 1000000000LL

int64_t hc_monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* Hinnant, "chrono-compatible low-level date algorithms", days_from_civil. */
int64_t hc_days_of_date(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static bool read_digits(const char **at, const char *end, int n, int *value)
{
    *value = 0;
    for (int i = 0; i < n; i++, (*at)++) {
        if (*at >= end || **at < '0' || **at > '9')
            return false;
        *value = *value * 10 + (**at - '0');
    }
    return true;
}

static bool read_char(const char **at, const char *end, const char *any_of)
{
    if (*at >= end)
        return false;
    for (; *any_of; any_of++)
        if (**at == *any_of) {
            (*at)++;
            return true;
        }
    return false;
}

static bool read_zone(const char **at, const char *end, int64_t *offset_s)
{
    *offset_s = 0;
    if (read_char(at, end, "Zz"))
        return true;
    int hours = 0, minutes = 0;
    int sign = *at < end && **at == '-' ? -1 : 1;
    if (!read_char(at, end, "+-") || !read_digits(at, end, 2, &hours))
        return false;
    read_char(at, end, ":");
    if (!read_digits(at, end, 2, &minutes) || hours > 23 || minutes > 59)
        return false;
    *offset_s = sign * (hours * 3600 + minutes * 60);
    return true;
}

int hc_days_in_month(int64_t year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

bool hc_parse_iso8601(const char *text, size_t length, int64_t *unix_ns)
{
    const char *at = text, *end = text + length;
    int year, month, day, hour, minute, second;
    if (!read_digits(&at, end, 4, &year) || !read_char(&at, end, "-") ||
        !read_digits(&at, end, 2, &month) || !read_char(&at, end, "-") ||
        !read_digits(&at, end, 2, &day) || !read_char(&at, end, "T t") ||
        !read_digits(&at, end, 2, &hour) || !read_char(&at, end, ":") ||
        !read_digits(&at, end, 2, &minute) || !read_char(&at, end, ":") ||
        !read_digits(&at, end, 2, &second))
        return false;
    if (month < 1 || month > 12 || day < 1 || day > hc_days_in_month(year, month) || hour > 23 ||
        minute > 59 || second > 60)
        return false;
    int64_t fraction_ns = 0;
    if (read_char(&at, end, ".,"))
        for (int64_t unit = NS_PER_S / 10; at < end && *at >= '0' && *at <= '9'; at++, unit /= 10)
            fraction_ns += unit * (*at - '0');
    int64_t offset_s = 0;
    if (!read_zone(&at, end, &offset_s) || at != end)
        return false;
    int64_t seconds =
        hc_days_of_date(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
    return !__builtin_mul_overflow(seconds - offset_s, NS_PER_S, unix_ns) &&
           !__builtin_add_overflow(*unix_ns, fraction_ns, unix_ns);
}

void hc_format_iso8601(int64_t unix_ns, char text[32])
{
    int64_t seconds = unix_ns / NS_PER_S, fraction = unix_ns % NS_PER_S;
    if (fraction < 0) {
        fraction += NS_PER_S;
        seconds--;
    }
    time_t when = seconds;
    struct tm utc;
    gmtime_r(&when, &utc);
    size_t n = strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text + n, 32 - n, ".%09dZ", (int)fraction);
}

const char *hc_known_iso8601(int64_t ns, char text[32])
{
    if (ns == INT64_MIN || ns == INT64_MAX)
        return NULL;
    hc_format_iso8601(ns, text);
    return text;
}

enum hc_time_flag hc_seconds_to_ns(double seconds, int64_t *ns)
{
    *ns = 0;
    if (!isfinite(seconds))
        return HC_TIME_NOT_FINITE;
    if (seconds > 9223372035.0 || seconds < -9223372035.0)
        return HC_TIME_OUT_OF_RANGE;
    /* The whole seconds are taken off first, so that the product keeps its fraction. */
    int64_t whole = (int64_t)seconds;
    double fraction = (seconds - (double)whole) * 1e9;
    int64_t rounded = (int64_t)fraction;
    double rest = fraction - (double)rounded;
    if (fabs(rest) == 0.5) {
        /* A product that was itself rounded may only look like a half. */
        double exact = fma(seconds - (double)whole, 1e9, -fraction);
        rest += rest > 0 ? (exact < 0 ? -0.25 : 0) : (exact > 0 ? 0.25 : 0);
    }
    rounded += (rest >= 0.5) - (rest <= -0.5);
    *ns = whole * NS_PER_S + rounded;
    return HC_TIME_OK;
}
