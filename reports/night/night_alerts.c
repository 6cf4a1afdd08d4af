#include "reports/night/night_alerts.h"

#include "core/base/clock.h"

#include <stdlib.h>
#include <string.h>

#define HOUR_NS     ((int64_t)3600 * 1000000000)
#define DAY_NS      (24 * HOUR_NS)
#define ALERT_HOURS 36 /* from the end of the day: the next report comes within 24 and some */
#define MOST_REASON 300

static const char *day_of(const struct hc_night_report *report)
{
    return report->result->night->days.names[report->result->range.last];
}

static int64_t end_of_day_ns(const struct hc_night_report *report)
{
    return report->result->night->days.edges_ns[report->result->range.last + 1];
}

/* ---- Alertmanager ---- */

/* Somebody who has said that he knows is not told again. */
static bool is_open(const struct hc_shown_finding *shown)
{
    return !shown->acknowledged_until;
}

/* When a day since 1970-01-01 began, by the clocks of the site as far back as the report's days go.
 */
static int64_t day_began_ns(const struct hc_night_report *report, int64_t day)
{
    const struct hc_night_days *days = &report->result->night->days;
    const char *last = days->names[days->n - 1];
    int64_t last_day = hc_days_of_date(strtol(last, NULL, 10), atoi(last + 5), atoi(last + 8));
    int64_t earlier = last_day - day;
    return earlier >= 0 && earlier < (int64_t)days->n
               ? days->edges_ns[(int64_t)days->n - 1 - earlier]
               : day * DAY_NS;
}

static void put_alert(struct hc_json_writer *json, const struct hc_night_report *report,
                      const struct hc_shown_finding *shown)
{
    const struct hc_finding *finding = shown->finding;
    char from[32], to[32];
    hc_format_iso8601(day_began_ns(report, finding->first_seen), from);
    hc_format_iso8601(end_of_day_ns(report) + ALERT_HOURS * HOUR_NS, to);
    hc_json_object(json, NULL);
    hc_json_object(json, "labels");
    hc_json_text(json, "alertname", "HindcastFinding");
    hc_json_text(json, "finding", finding->id);
    hc_json_text(json, "kind", hc_finding_kind_name(finding->kind));
    hc_json_text(json, "severity", hc_finding_severity_name(finding->severity));
    hc_json_text(json, "subject", finding->subject);
    if (shown->owner)
        hc_json_text(json, "owner", shown->owner);
    if (report->cluster)
        hc_json_text(json, "cluster", report->cluster);
    hc_json_end(json);
    hc_json_object(json, "annotations");
    hc_json_text(json, "summary", finding->text);
    hc_json_text(json, "day", day_of(report));
    hc_json_end(json);
    hc_json_text(json, "startsAt", from);
    hc_json_text(json, "endsAt", to);
    hc_json_end(json);
}

enum hc_status hc_night_write_alerts(const struct hc_night_report *report, FILE *stream,
                                     struct hc_error *err)
{
    struct hc_json_writer json;
    hc_json_start(&json, stream, 2);
    hc_json_array(&json, NULL);
    for (size_t i = 0; report->findings && i < report->findings->n; i++)
        if (is_open(&report->findings->rows[i]))
            put_alert(&json, report, &report->findings->rows[i]);
    hc_json_end(&json);
    fputc('\n', stream);
    return hc_json_finish(&json, "the alerts of the night", err);
}

/* ---- nodes to drain ---- */

static bool is_plain(char c, const char *others)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr(others, c));
}

static bool is_host_name(const char *name)
{
    for (const char *p = name; *p; p++)
        if (!is_plain(*p, "._-") || (p == name && *p == '-'))
            return false;
    return *name != '\0';
}

/* What could mean something to a shell or to scontrol becomes a question mark. */
static void put_plain(FILE *stream, const char *text, const char *others)
{
    for (size_t i = 0; text[i] && i < MOST_REASON; i++)
        fputc(is_plain(text[i], others) ? text[i] : '?', stream);
}

bool hc_night_drains(const struct hc_shown_finding *shown)
{
    return shown->finding->kind == HC_FINDING_LEMON_NODE && is_open(shown) &&
           !shown->finding->is_ongoing; /* not one that is open from before and weaker today */
}

void hc_night_write_drain(const struct hc_night_report *report, FILE *stream)
{
    fprintf(stream,
            "# Nodes that should take no more jobs, by the findings of %s. Look at them; then:\n"
            "# sh drain.txt\n",
            day_of(report));
    for (size_t i = 0; report->findings && i < report->findings->n; i++) {
        const struct hc_shown_finding *shown = &report->findings->rows[i];
        if (!hc_night_drains(shown))
            continue;
        if (!is_host_name(shown->finding->subject))
            fputs("# no name of a host, left to you: ", stream);
        fputs("scontrol update nodename=", stream);
        put_plain(stream, shown->finding->subject, "._-");
        fputs(" state=drain reason=\"hindcast ", stream);
        put_plain(stream, shown->finding->id, "");
        fputs(": ", stream);
        put_plain(stream, shown->finding->text, " .,:;%()+/=_-");
        fputs("\"\n", stream);
    }
}
