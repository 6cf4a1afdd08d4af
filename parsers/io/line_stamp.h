/* line_stamp.h - the time that a line of a log begins with, in the styles that logs have.
 *
 *     2025-01-21T04:41:44,285060+00:00   2025-01-21 04:41:44.285   2025/01/21 04:41:44Z
 *     [2023-11-29 08:50:44,619]          [Sun Feb 23 16:24:18 2025]
 *     Feb 23 16:24:18                    (RFC 3164: no year, no zone)
 *     [   12.345678]                     (seconds since boot)
 *     I0223 16:24:18.123456              (glog: no year)
 */
#ifndef HC_PARSERS_IO_LINE_STAMP_H
#define HC_PARSERS_IO_LINE_STAMP_H

#include "core/base/zone.h"
#include "core/tables/events/event_class.h"
#include "parsers/io/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hc_stamp_kind { HC_STAMP_ZONED, HC_STAMP_LOCAL, HC_STAMP_NO_YEAR, HC_STAMP_SINCE_BOOT };

struct hc_line_stamp {
    enum hc_stamp_kind kind;
    /* Unix time of a zoned one; of a local one, as if it were UTC; without a year, since the
     * beginning of the day; since boot. */
    int64_t ns;
    int month, day;   /* of one without a year */
    size_t length;    /* bytes of the line that it takes, with brackets and the blanks behind it */
    bool is_enclosed; /* in brackets */
    bool has_comma;   /* before its fraction */
};

/* The stamp that text begins with; false: it begins with none. */
bool hc_line_stamp_read(const char *text, size_t length, struct hc_line_stamp *stamp);

/* What is to be known of a file to make times of its stamps. */
struct hc_stamp_clock {
    const struct hc_zone *zone; /* NULL: UTC */
    int64_t end_ns;  /* no line is later: date in the file's name, or when it was written */
    int64_t boot_ns; /* or HC_MISSING_I64 */
    int64_t n_twice, n_never; /* local times of an hour in which clocks were set back, forward */
};

/* The clock of a source. A date in its name ("messages-20241124", as logrotate names what it put
 * away on that day) goes before the time of the file, which copying changes. */
void hc_stamp_clock_start(struct hc_stamp_clock *clock, const struct hc_source *source,
                          const struct hc_zone *zone);

/* Unix time of a stamp, and how it is known. Without a year: the last such date that is not more
 * than a day after the end of the file. False: it cannot be known. */
bool hc_stamp_clock_tell(struct hc_stamp_clock *clock, const struct hc_line_stamp *stamp,
                         int64_t *time_ns, enum hc_event_clock *how);

/* Say how many local times were ambiguous, where some were. */
void hc_stamp_clock_warn(const struct hc_stamp_clock *clock, const char *name);

#endif
