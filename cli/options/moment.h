/* moment.h - a time as the value of an option. */
#ifndef HC_CLI_OPTIONS_MOMENT_H
#define HC_CLI_OPTIONS_MOMENT_H

#include "core/base/status.h"
#include "core/base/zone.h"

#include <stdbool.h>
#include <stdint.h>

/* A date, or days on a clock of the source's own. */
struct hc_moment {
    bool is_given, is_relative;
    bool is_day; /* a date without a time of day: ns is its midnight in UTC */
    int64_t ns;
};

/* Read "2024-03-30", "2024-03-30T12:00:00Z" or "54d" into a struct hc_moment: parse of an option of
 * kind HC_OPTION_CALLBACK. HC_USAGE: it is none of these. */
enum hc_status hc_moment_parse(const char *text, void *target, struct hc_error *err);

/* The midnight of a date in a zone; other moments are what they are. */
int64_t hc_moment_in(const struct hc_moment *moment, const struct hc_zone *zone);

#endif
