#include "cli/commands/records/age_option.h"

#include "core/base/clock.h"
#include "pipeline/kinds/kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DAY_NS ((int64_t)86400 * 1000000000)

static enum hc_status wrong_age(const char *text, struct hc_error *err)
{
    return hc_fail(err, HC_USAGE,
                   "--older: '%.40s' is no age of days, as '400d', and no day, as '2026-01-31'",
                   text);
}

enum hc_status hc_age_find_day(char before[HC_DAY_TEXT], const char *text, struct hc_error *err)
{
    char time_text[64], full[32];
    int64_t day_ns = 0;
    char *end;
    size_t n = strlen(text);
    if (n == HC_DAY_TEXT - 1 && text[4] == '-') {
        int length = snprintf(time_text, sizeof time_text, "%sT00:00:00Z", text);
        if (!hc_parse_iso8601(time_text, (size_t)length, &day_ns))
            return wrong_age(text, err);
    } else {
        long days = strtol(text, &end, 10);
        if (text[0] < '0' || text[0] > '9' || strcmp(end, "d") != 0 || days < 1 || days > 100000)
            return wrong_age(text, err);
        day_ns = ((int64_t)time(NULL) / 86400 - days) * DAY_NS;
    }
    hc_format_iso8601(day_ns, full);
    snprintf(before, HC_DAY_TEXT, "%.10s", full);
    return HC_OK;
}

enum hc_status hc_age_check_table(const char *table, struct hc_error *err)
{
    const struct hc_kind *kind = table ? hc_kind_find(table) : NULL;
    if (!table || (kind && kind->records))
        return HC_OK;
    return hc_fail(err, HC_USAGE,
                   "--table: '%.80s' is no table of records, as 'jobs' or 'events'; only these are "
                   "kept by day",
                   table);
}
