#include "cli/options/moment.h"

#include "core/base/clock.h"
#include "core/text/number_text.h"

#include <stdio.h>
#include <string.h>

enum hc_status hc_moment_parse(const char *text, void *target, struct hc_error *err)
{
    struct hc_moment *moment = target;
    size_t length = strlen(text);
    char full[64] = "";
    moment->is_given = true;
    moment->is_day = length == 10;
    moment->is_relative = false; /* of a default that was parsed before */
    if (length > 1 && text[length - 1] == 'd') {
        moment->is_relative = true;
        if (hc_text_to_ns(text, length - 1, &moment->ns) == HC_TEXT_OK && moment->ns >= 0 &&
            moment->ns < INT64_MAX / 4 / 86400) {
            moment->ns *= 86400;
            return HC_OK;
        }
    }
    if (length == 10)
        snprintf(full, sizeof full, "%sT00:00:00Z", text);
    if (hc_parse_iso8601(text, length, &moment->ns) ||
        hc_parse_iso8601(full, strlen(full), &moment->ns))
        return HC_OK;
    return hc_fail(
        err, HC_USAGE,
        "'%s' is no time: give a date, as 2024-03-30 or 2024-03-30T12:00:00Z, or days on "
        "the clock of a source without a calendar, as 54d",
        text);
}

int64_t hc_moment_in(const struct hc_moment *moment, const struct hc_zone *zone)
{
    const int64_t ns_per_s = 1000000000;
    int64_t unix_s;
    if (!moment->is_day || moment->is_relative)
        return moment->ns;
    hc_zone_to_unix_s(zone, moment->ns / ns_per_s, &unix_s);
    return unix_s * ns_per_s;
}
