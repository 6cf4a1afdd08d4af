/* What the views of a report of incidents have in common: its labels. */
#include "reports/reliability/reliability_report.h"

#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <time.h>

const char *hc_rate_rule_name(enum hc_rate_rule rule)
{
    static const char *const names[HC_N_RATES] = {"infrastructure", "infrastructure and unknown",
                                                  "all but planned"};
    return names[rule];
}

const char *hc_reliability_month(int64_t key, char text[HC_PERIOD_TEXT])
{
    int64_t month = key - HC_CALENDAR_MONTHS;
    if (month < 0)
        snprintf(text, HC_PERIOD_TEXT, "day %" PRId64 " to %" PRId64, key * 30, key * 30 + 30);
    else
        snprintf(text, HC_PERIOD_TEXT, "%04" PRId64 "-%02" PRId64, month / 12, month % 12 + 1);
    return text;
}

const char *hc_reliability_day(int64_t ns, bool is_relative, char text[HC_PERIOD_TEXT])
{
    time_t seconds = (time_t)(ns / 1000000000 - (ns % 1000000000 < 0));
    struct tm date;
    if (is_relative || !gmtime_r(&seconds, &date))
        snprintf(text, HC_PERIOD_TEXT, "day %.1f", (double)ns / 86400e9);
    else
        snprintf(text, HC_PERIOD_TEXT, "%04d-%02d-%02d", date.tm_year + 1900, date.tm_mon + 1,
                 date.tm_mday);
    return text;
}

const char *hc_reliability_name(const struct hc_reliability_report *report,
                                enum hc_incident_dictionary dictionary, int64_t code)
{
    return code < 0 ? NULL : report->names->set[dictionary].text[code];
}

const char *hc_reliability_words(const struct hc_reliability_report *report,
                                 const struct hc_tally *row)
{
    return hc_reliability_name(report, HC_NAMES_TEXT, row->key / HC_N_INCIDENT_CAUSES);
}

const char *hc_reliability_hours(double h, char *text)
{
    if (!isfinite(h))
        return "-";
    if (h >= 48)
        snprintf(text, HC_NUMBER_TEXT, "%.1f d", h / 24);
    else if (h >= 1)
        snprintf(text, HC_NUMBER_TEXT, "%.2f h", h);
    else
        snprintf(text, HC_NUMBER_TEXT, "%.1f min", h * 60);
    return text;
}
