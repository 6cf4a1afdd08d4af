#include "parsers/io/line_stamp.h"

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/missing.h"

#include <string.h>

#define NS_PER_S ((int64_t)1000000000)
#define DAY_S    86400

struct cursor {
    const char *at, *end;
};

/* ---- pieces ---- */

/* Nearly each line of a log comes here: inlined, a constant `any_of` is a comparison or two. */
static inline bool take_char(struct cursor *c, const char *any_of)
{
    if (c->at == c->end)
        return false;
    for (; *any_of; any_of++)
        if (*c->at == *any_of) {
            c->at++;
            return true;
        }
    return false;
}

static inline bool take_digits(struct cursor *c, int n, int *value)
{
    *value = 0;
    if (c->end - c->at < n)
        return false;
    for (int i = 0; i < n; i++, c->at++) {
        if (*c->at < '0' || *c->at > '9')
            return false;
        *value = *value * 10 + (*c->at - '0');
    }
    return true;
}

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t'))
        c->at++;
}

/* Any number of digits; those after the ninth are below a nanosecond. */
static bool take_fraction(struct cursor *c, int64_t *ns)
{
    int64_t unit = NS_PER_S / 10;
    const char *start = c->at;
    for (*ns = 0; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++, unit /= 10)
        *ns += unit * (*c->at - '0');
    return c->at > start;
}

/* "16:24:18", with a fraction behind a point or comma. */
static bool take_clock(struct cursor *c, struct hc_line_stamp *stamp, int64_t *day_ns)
{
    int hour, minute, second;
    int64_t fraction_ns = 0;
    if (!take_digits(c, 2, &hour) || !take_char(c, ":") || !take_digits(c, 2, &minute) ||
        !take_char(c, ":") || !take_digits(c, 2, &second) || hour > 23 || minute > 59 ||
        second > 60)
        return false;
    if (c->end - c->at > 1 && (c->at[0] == '.' || c->at[0] == ',') && c->at[1] >= '0' &&
        c->at[1] <= '9') {
        stamp->has_comma = *c->at++ == ',';
        take_fraction(c, &fraction_ns);
    }
    *day_ns = (hour * 3600 + minute * 60 + second) * NS_PER_S + fraction_ns;
    return true;
}

static bool take_month(struct cursor *c, int *month)
{
    static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    for (*month = 1; *month <= 12 && c->end - c->at >= 3; (*month)++)
        if (memcmp(c->at, names + 3 * (*month - 1), 3) == 0) {
            c->at += 3;
            return true;
        }
    return false;
}

/* "23", " 3" or "3" */
static bool take_day(struct cursor *c, int *day)
{
    skip_blanks(c);
    if (!take_digits(c, 1, day))
        return false;
    if (c->at < c->end && *c->at >= '0' && *c->at <= '9')
        *day = *day * 10 + (*c->at++ - '0');
    return *day >= 1 && *day <= 31;
}

/* "Z", "+01:00", "+0100", "+01", " UTC"; *has_zone false where there is none. */
static bool take_zone(struct cursor *c, bool *has_zone, int64_t *offset_s)
{
    struct cursor ahead = *c;
    *has_zone = true;
    *offset_s = 0;
    if (take_char(c, "Zz"))
        return true;
    skip_blanks(&ahead);
    if (ahead.end - ahead.at >= 3 &&
        (memcmp(ahead.at, "UTC", 3) == 0 || memcmp(ahead.at, "GMT", 3) == 0)) {
        c->at = ahead.at + 3;
        return true;
    }
    int sign = c->at < c->end && *c->at == '-' ? -1 : 1, hours, minutes = 0;
    ahead = *c;
    *has_zone = take_char(&ahead, "+-") && take_digits(&ahead, 2, &hours) && hours <= 23;
    if (!*has_zone)
        return true;
    struct cursor further = ahead;
    take_char(&further, ":");
    if (take_digits(&further, 2, &minutes))
        ahead = further;
    else
        minutes = 0;
    *offset_s = sign * (hours * 3600 + minutes * 60);
    *c = ahead;
    return minutes <= 59;
}

/* ---- styles ---- */

static bool put_date(struct hc_line_stamp *stamp, int year, int month, int day, int64_t day_ns)
{
    if (year < 1970 || year > 2200 || month < 1 || month > 12 || day < 1 ||
        day > hc_days_in_month(year, month))
        return false;
    stamp->ns = hc_days_of_date(year, month, day) * DAY_S * NS_PER_S + day_ns;
    return true;
}

static bool read_iso(struct cursor *c, struct hc_line_stamp *stamp)
{
    int year, month, day;
    int64_t day_ns, offset_s;
    bool has_zone;
    if (!take_digits(c, 4, &year) || !take_char(c, "-/") || !take_digits(c, 2, &month) ||
        !take_char(c, "-/") || !take_digits(c, 2, &day) || !take_char(c, "T t_") ||
        !take_clock(c, stamp, &day_ns) || !put_date(stamp, year, month, day, day_ns) ||
        !take_zone(c, &has_zone, &offset_s))
        return false;
    stamp->kind = has_zone ? HC_STAMP_ZONED : HC_STAMP_LOCAL;
    stamp->ns -= offset_s * NS_PER_S;
    return true;
}

/* "Feb 23 16:24:18" with or without the day of the week before and the year behind. */
static bool read_words(struct cursor *c, struct hc_line_stamp *stamp)
{
    int year, month, day;
    int64_t day_ns;
    if (!take_month(c, &month)) {
        if (c->end - c->at < 4 || c->at[3] != ' ')
            return false;
        c->at += 4;
        if (!take_month(c, &month))
            return false;
    }
    if (!take_char(c, " ") || !take_day(c, &day) || !take_char(c, " ") ||
        !take_clock(c, stamp, &day_ns))
        return false;
    struct cursor ahead = *c;
    if (take_char(&ahead, " ") && take_digits(&ahead, 4, &year) &&
        (ahead.at == ahead.end || *ahead.at == ']' || *ahead.at == ' ') &&
        put_date(stamp, year, month, day, day_ns)) {
        *c = ahead;
        stamp->kind = HC_STAMP_LOCAL;
        return true;
    }
    stamp->kind = HC_STAMP_NO_YEAR;
    stamp->ns = day_ns;
    stamp->month = month;
    stamp->day = day;
    return true;
}

/* "I0223 16:24:18.123456"; PyTorch writes the month without its zero: "E223 ..." */
static bool read_glog(struct cursor *c, struct hc_line_stamp *stamp)
{
    stamp->kind = HC_STAMP_NO_YEAR;
    if (!take_char(c, "IWEF"))
        return false;
    bool is_short = c->end - c->at > 3 && c->at[3] == ' ';
    return take_digits(c, is_short ? 1 : 2, &stamp->month) && take_digits(c, 2, &stamp->day) &&
           take_char(c, " ") && take_clock(c, stamp, &stamp->ns) && stamp->month >= 1 &&
           stamp->month <= 12 && stamp->day >= 1 && stamp->day <= 31;
}

/* "   12.345678" */
static bool read_since_boot(struct cursor *c, struct hc_line_stamp *stamp)
{
    int64_t seconds = 0, fraction_ns;
    skip_blanks(c);
    const char *start = c->at;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9' && c->at - start < 9; c->at++)
        seconds = seconds * 10 + (*c->at - '0');
    if (c->at == start || !take_char(c, ".") || !take_fraction(c, &fraction_ns))
        return false;
    stamp->kind = HC_STAMP_SINCE_BOOT;
    stamp->ns = seconds * NS_PER_S + fraction_ns;
    struct cursor ahead = *c; /* "[   12.345678 <    0.000123>]" of dmesg --show-delta */
    skip_blanks(&ahead);
    if (take_char(&ahead, "<"))
        for (; ahead.at < ahead.end && *ahead.at != ']'; ahead.at++)
            if (*ahead.at == '>')
                c->at = ahead.at + 1;
    return true;
}

/* "1740327858.123456 ", of journalctl -o short-unix */
static bool read_unix(struct cursor *c, struct hc_line_stamp *stamp)
{
    int64_t seconds = 0, fraction_ns;
    for (int i = 0; i < 10; i++, c->at++) {
        if (c->at == c->end || *c->at < '0' || *c->at > '9')
            return false;
        seconds = seconds * 10 + (*c->at - '0');
    }
    if (!take_char(c, ".") || !take_fraction(c, &fraction_ns) || c->at == c->end || *c->at != ' ')
        return false;
    stamp->kind = HC_STAMP_ZONED;
    stamp->ns = seconds * NS_PER_S + fraction_ns;
    return seconds >= 1000000000;
}

/* "Sun 2025-02-23 16:24:18 CET ", of journalctl -o short-full: the name of a zone says no zone. */
static bool read_weekday_iso(struct cursor *c, struct hc_line_stamp *stamp)
{
    if (c->end - c->at < 5 || c->at[3] != ' ')
        return false;
    c->at += 4;
    if (!read_iso(c, stamp))
        return false;
    struct cursor ahead = *c;
    for (skip_blanks(&ahead); ahead.at < ahead.end && *ahead.at >= 'A' && *ahead.at <= 'Z';)
        ahead.at++;
    if (stamp->kind == HC_STAMP_LOCAL && ahead.at < ahead.end && *ahead.at == ' ' &&
        ahead.at - c->at >= 4 && ahead.at - c->at <= 6)
        c->at = ahead.at;
    return true;
}

typedef bool style(struct cursor *c, struct hc_line_stamp *stamp);

static bool try_style(style *read, struct cursor *c, struct hc_line_stamp *stamp)
{
    struct cursor start = *c;
    *stamp = (struct hc_line_stamp){0};
    if (read(c, stamp))
        return true;
    *c = start;
    return false;
}

static bool read_any(struct cursor *c, bool is_enclosed, struct hc_line_stamp *stamp)
{
    char first = c->at < c->end ? *c->at : '\0';
    if (first >= '0' && first <= '9' &&
        (try_style(read_iso, c, stamp) || (!is_enclosed && try_style(read_unix, c, stamp))))
        return true;
    if (first >= 'A' && first <= 'Z' &&
        (try_style(read_words, c, stamp) || try_style(read_glog, c, stamp) ||
         try_style(read_weekday_iso, c, stamp)))
        return true;
    return is_enclosed && try_style(read_since_boot, c, stamp);
}

bool hc_line_stamp_read(const char *text, size_t length, struct hc_line_stamp *stamp)
{
    struct cursor c = {text, text + length};
    bool is_enclosed = take_char(&c, "[");
    if (!read_any(&c, is_enclosed, stamp))
        return false;
    bool goes_on =
        c.at < c.end && *c.at == ' '; /* "[E502 12:34:56.789 ProcessGroupNCCL.cpp:563]" */
    if (is_enclosed && !take_char(&c, "]") && !(goes_on && stamp->kind == HC_STAMP_NO_YEAR))
        return false;
    skip_blanks(&c);
    stamp->is_enclosed = is_enclosed;
    stamp->length = (size_t)(c.at - text);
    return true;
}

/* ---- the clock of a file ---- */

/* A date of eight digits, or ten letters, that the name of a file has last; its end. */
static bool date_of_name(const char *path, int64_t *end_ns)
{
    const char *name = strrchr(path, '/');
    bool is_found = false;
    name = name ? name + 1 : path;
    for (const char *at = name; *at; at++) {
        struct cursor c = {at, at + strlen(at)};
        struct hc_line_stamp date = {0};
        int year, month, day;
        bool is_start = at == name || at[-1] < '0' || at[-1] > '9';
        if (!is_start || !take_digits(&c, 4, &year))
            continue;
        bool has_dashes = take_char(&c, "-");
        if (!take_digits(&c, 2, &month) || (has_dashes && !take_char(&c, "-")) ||
            !take_digits(&c, 2, &day) || (c.at < c.end && *c.at >= '0' && *c.at <= '9') ||
            !put_date(&date, year, month, day, DAY_S * NS_PER_S))
            continue;
        *end_ns = date.ns;
        is_found = true;
    }
    return is_found;
}

void hc_stamp_clock_start(struct hc_stamp_clock *clock, const struct hc_source *source,
                          const struct hc_zone *zone)
{
    struct timespec written = source->state.info.st_mtim;
    *clock = (struct hc_stamp_clock){.zone = zone, .boot_ns = HC_MISSING_I64};
    if (!date_of_name(source->name, &clock->end_ns))
        clock->end_ns = (int64_t)written.tv_sec * NS_PER_S + written.tv_nsec;
}

static int64_t local_to_unix(struct hc_stamp_clock *clock, int64_t local_ns)
{
    static const struct hc_zone utc = {0};
    int64_t unix_s = local_ns / NS_PER_S;
    enum hc_local_time is =
        hc_zone_to_unix_s(clock->zone ? clock->zone : &utc, local_ns / NS_PER_S, &unix_s);
    clock->n_twice += is == HC_LOCAL_TWICE;
    clock->n_never += is == HC_LOCAL_NEVER;
    return unix_s * NS_PER_S + local_ns % NS_PER_S;
}

/* The year in which an instant lies, or the one after where it is its last day. */
static int year_after(int64_t ns)
{
    int64_t days = ns / NS_PER_S / DAY_S + 1;
    int year = (int)(1970 + days / 366);
    while (hc_days_of_date(year + 1, 1, 1) <= days)
        year++;
    return year;
}

static bool infer_year(struct hc_stamp_clock *clock, const struct hc_line_stamp *stamp,
                       int64_t *time_ns)
{
    if (clock->end_ns <= 0)
        return false;
    int last = year_after(clock->end_ns);
    for (int year = last; year > last - 9; year--) {
        if (stamp->day > hc_days_in_month(year, stamp->month))
            continue;
        int64_t day_s = hc_days_of_date(year, stamp->month, stamp->day) * DAY_S;
        struct hc_stamp_clock before = *clock;
        *time_ns = local_to_unix(clock, day_s * NS_PER_S + stamp->ns);
        if (*time_ns <= clock->end_ns + DAY_S * NS_PER_S)
            return true;
        *clock = before;
    }
    return false;
}

bool hc_stamp_clock_tell(struct hc_stamp_clock *clock, const struct hc_line_stamp *stamp,
                         int64_t *time_ns, enum hc_event_clock *how)
{
    switch (stamp->kind) {
    case HC_STAMP_ZONED:
        *how = HC_CLOCK_STAMPED;
        *time_ns = stamp->ns;
        return true;
    case HC_STAMP_LOCAL:
        *how = HC_CLOCK_ZONE_ASSUMED;
        *time_ns = local_to_unix(clock, stamp->ns);
        return true;
    case HC_STAMP_NO_YEAR:
        *how = HC_CLOCK_YEAR_INFERRED;
        return infer_year(clock, stamp, time_ns);
    case HC_STAMP_SINCE_BOOT:
        *how = HC_CLOCK_SINCE_BOOT;
        *time_ns = clock->boot_ns + stamp->ns;
        return clock->boot_ns != HC_MISSING_I64;
    }
    return false;
}

void hc_stamp_clock_warn(const struct hc_stamp_clock *clock, const char *name)
{
    if (clock->n_twice)
        hc_warn("'%s': %lld times are of an hour that the clocks showed twice; each is taken as "
                "the first",
                name, (long long)clock->n_twice);
    if (clock->n_never)
        hc_warn("'%s': %lld times are of an hour that the clocks left out (check --zone)", name,
                (long long)clock->n_never);
}
