#include "reports/night/night_alerts.h"

#include "core/base/printable.h"
#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MOST_SERIES 50 /* runs and users that have series of their own */
#define HOUR_S      3600.0
#define SECOND_NS   INT64_C(1000000000)

/* A day that the metrics are of. */
struct metrics_day {
    const char *state;   /* "final" */
    const char *cluster; /* that alone is reported; NULL: all are */
    const struct hc_night_result *result;
};

/* ---- lines ---- */

static void put_head(FILE *stream, const char *name, const char *help)
{
    fprintf(stream, "# HELP hindcast_%s %s\n# TYPE hindcast_%s gauge\n", name, help, name);
}

/* A label with its value, shown as everywhere (core/base/printable.h), in which a backslash is
 * doubled. Bytes that are no UTF-8 would make the whole file unreadable. */
static void put_label(FILE *stream, const char *before, const char *name, const char *value)
{
    fprintf(stream, "%s%s=\"", before, name);
    for (const char *p = value ? value : "?"; *p;) {
        struct hc_shown shown = hc_show(p);
        if (shown.is_escaped)
            fprintf(stream, "\\%s", shown.escape);
        else if (*p == '\\' || *p == '"')
            fprintf(stream, "\\%c", *p);
        else
            fwrite(p, 1, shown.length, stream);
        p += shown.length;
    }
    fputc('"', stream);
}

static void put_value(FILE *stream, double value)
{
    char text[HC_NUMBER_TEXT];
    fprintf(stream, "} %s\n", hc_format_real(value, text));
}

static void start_line(FILE *stream, const char *name, const struct metrics_day *day)
{
    fprintf(stream, "hindcast_%s", name);
    put_label(stream, "{", "state", day->state);
    if (day->cluster)
        put_label(stream, ",", "cluster", day->cluster);
}

/* The reports of two clusters may go to one exporter, which refuses a series that is there twice:
 * so what is of no day has the cluster too. */
static void put_plain(FILE *stream, const char *name, const char *cluster, int64_t value)
{
    fprintf(stream, "hindcast_%s", name);
    if (cluster)
        put_label(stream, "{", "cluster", cluster);
    fprintf(stream, "%s %" PRId64 "\n", cluster ? "}" : "", value);
}

/* ---- days ---- */

static size_t days_of(const struct hc_night_metrics *metrics, struct metrics_day days[2])
{
    size_t n = 0;
    if (metrics->final)
        days[n++] = (struct metrics_day){"final", metrics->report->cluster, metrics->final};
    if (metrics->provisional)
        days[n++] =
            (struct metrics_day){"provisional", metrics->report->cluster, metrics->provisional};
    return n;
}

static double start_of_day(const struct hc_night_result *result)
{
    return (double)(result->night->days.edges_ns[result->range.first] / SECOND_NS);
}

static double length_of_day(const struct hc_night_result *result)
{
    const int64_t *edges = result->night->days.edges_ns;
    return (double)((edges[result->range.last + 1] - edges[result->range.first]) / SECOND_NS);
}

static double held(const struct hc_night_result *result)
{
    return (double)result->total_gpu_ns / SECOND_NS;
}

static double productive(const struct hc_night_result *result)
{
    return result->productive_share;
}

static const struct day_metric {
    const char *name, *help;
    double (*value)(const struct hc_night_result *result);
} day_metrics[] = {
    {"day_start_timestamp_seconds", "Beginning of the day that the figures are of.", start_of_day},
    {"day_length_seconds", "Length of that day: 23 or 25 hours where the clocks change.",
     length_of_day},
    {"gpu_held_seconds", "GPU-time that attempts held on the day.", held},
    {"gpu_productive_ratio", "Share of it that made progress that counts.", productive},
};

static void put_day_metrics(FILE *stream, const struct metrics_day *days, size_t n)
{
    for (size_t i = 0; i < sizeof day_metrics / sizeof *day_metrics; i++) {
        put_head(stream, day_metrics[i].name, day_metrics[i].help);
        for (size_t d = 0; d < n; d++) {
            double value = day_metrics[i].value(days[d].result);
            if (!isfinite(value))
                continue;
            start_line(stream, day_metrics[i].name, &days[d]);
            put_value(stream, value);
        }
    }
}

/* ---- leaves ---- */

/* GPU-seconds of a leaf for a reason, whatever the evidence for it. */
static double leaf_seconds(const struct hc_night_result *result, int what, int why)
{
    hc_gpu_ns sum = 0;
    bool is_all = why == HC_WHY_NONE;
    for (size_t i = 0; i < result->n_leaves; i++) {
        const struct hc_leaf_row *row = &result->leaves[i];
        if ((int)row->what == what && (int)row->why == (is_all ? (int)HC_WHY_COUNT : why))
            sum += row->gpu_ns;
    }
    return (double)sum / SECOND_NS;
}

/* Every leaf, also where it is 0: a rule that compares it finds it. */
static void put_leaves(FILE *stream, const struct metrics_day *days, size_t n)
{
    put_head(stream, "gpu_seconds",
             "GPU-time of the day by what the GPUs did and why; sums to gpu_held_seconds.");
    for (size_t d = 0; d < n; d++)
        for (int what = 0; what < HC_WHAT_COUNT; what++)
            for (int why = 0; why < HC_WHY_COUNT; why++) {
                if ((why == HC_WHY_NONE) == hc_what_has_why((enum hc_what)what))
                    continue;
                start_line(stream, "gpu_seconds", &days[d]);
                put_label(stream, ",", "what", hc_what_name((enum hc_what)what));
                put_label(stream, ",", "why",
                          why == HC_WHY_NONE ? "" : hc_why_name((enum hc_why)why));
                put_value(stream, leaf_seconds(days[d].result, what, why));
            }
    put_head(stream, "gpu_known_seconds", "The same by how it is known.");
    for (size_t d = 0; d < n; d++)
        for (int mark = 0; mark < HC_N_MARKS; mark++) {
            double hours = 0;
            for (size_t i = 0; i < days[d].result->n_leaves; i++) {
                const struct hc_leaf_row *row = &days[d].result->leaves[i];
                const double of_mark[HC_N_MARKS] = {row->measured, row->estimated, row->unknown};
                hours += row->why == HC_WHY_COUNT ? of_mark[mark] : 0;
            }
            start_line(stream, "gpu_known_seconds", &days[d]);
            put_label(stream, ",", "as", hc_mark_name((enum hc_mark)mark));
            put_value(stream, hours * HOUR_S);
        }
}

/* ---- runs and users ---- */

static size_t at_most(size_t n)
{
    return n < MOST_SERIES ? n : MOST_SERIES;
}

static void put_runs(FILE *stream, const struct metrics_day *days, size_t n)
{
    put_head(stream, "run_ettr_ratio",
             "Effective training time ratio of a run so far, by each definition; the 50 runs that "
             "held most GPU-time on the day.");
    for (size_t d = 0; d < n; d++)
        for (size_t i = 0; i < at_most(days[d].result->n_runs); i++)
            for (int e = 0; e < HC_N_ETTRS; e++) {
                const struct hc_run_row *row = &days[d].result->runs[i];
                if (!isfinite(row->run->ettr[e]))
                    continue;
                start_line(stream, "run_ettr_ratio", &days[d]);
                put_label(stream, ",", "run", row->name);
                put_label(stream, ",", "definition", hc_ettr_name((enum hc_ettr)e));
                put_value(stream, row->run->ettr[e]);
            }
    put_head(stream, "run_gpu_seconds", "GPU-time that these runs held on the day.");
    for (size_t d = 0; d < n; d++)
        for (size_t i = 0; i < at_most(days[d].result->n_runs); i++) {
            const struct hc_run_row *row = &days[d].result->runs[i];
            start_line(stream, "run_gpu_seconds", &days[d]);
            put_label(stream, ",", "run", row->name);
            put_value(stream, row->day_gpu_hours * HOUR_S);
        }
}

static void put_user(FILE *stream, const struct metrics_day *day, const char *name, double held_h,
                     double productive_h)
{
    start_line(stream, "user_gpu_seconds", day);
    put_label(stream, ",", "user", name);
    put_label(stream, ",", "is", "productive");
    put_value(stream, productive_h * HOUR_S);
    start_line(stream, "user_gpu_seconds", day);
    put_label(stream, ",", "user", name);
    put_label(stream, ",", "is", "not_productive");
    put_value(stream, (held_h - productive_h) * HOUR_S);
}

/* A user who is called "other" is counted there, so that no series is there twice. */
static void put_users(FILE *stream, const struct metrics_day *days, size_t n)
{
    static const char other[] = "other";
    put_head(stream, "user_gpu_seconds",
             "GPU-time of the day of the 50 users that held most, and of all others.");
    for (size_t d = 0; d < n; d++) {
        const struct hc_group_rows *users = &days[d].result->by[HC_CUBE_USER];
        double others_held = 0, others_productive = 0;
        for (size_t i = 0; i < users->n; i++) {
            const struct hc_group_row *row = &users->rows[i];
            if (i < MOST_SERIES && strcmp(row->name, other) != 0) {
                put_user(stream, &days[d], row->name, row->gpu_hours, row->productive);
                continue;
            }
            others_held += row->gpu_hours;
            others_productive += row->productive;
        }
        put_user(stream, &days[d], other, others_held, others_productive);
    }
}

/* ---- incidents and findings ---- */

static void put_incidents(FILE *stream, const struct metrics_day *days, size_t n)
{
    static const struct {
        const char *name, *help;
    } of[2] = {{"incidents", "Failures of the day that ended an attempt or a launch, by side."},
               {"incident_gpu_seconds", "GPU-time that these cost in all, on whatever day."}};
    for (int m = 0; m < 2; m++) {
        put_head(stream, of[m].name, of[m].help);
        for (size_t d = 0; d < n; d++)
            for (int side = 0; side < HC_N_FAILURE_SIDES; side++) {
                double sum = 0;
                for (size_t i = 0; i < days[d].result->n_incidents; i++) {
                    const struct hc_incident_row *row = &days[d].result->incidents[i];
                    if ((int)row->failure->side == side)
                        sum += m == 0 ? 1 : row->gpu_hours * HOUR_S;
                }
                start_line(stream, of[m].name, &days[d]);
                put_label(stream, ",", "side", hc_failure_side_name((enum hc_failure_side)side));
                put_value(stream, sum);
            }
    }
}

static void put_findings(FILE *stream, const struct hc_night_report *report)
{
    const struct hc_findings_view *findings = report->findings;
    int64_t n[HC_FINDING_CRITICAL + 1] = {0}, n_drain = 0;
    for (size_t i = 0; findings && i < findings->n; i++) {
        n[findings->rows[i].finding->severity] += !findings->rows[i].acknowledged_until;
        n_drain += hc_night_drains(&findings->rows[i]);
    }
    put_head(stream, "findings", "Findings of the newest day that nobody has acknowledged.");
    for (int s = 0; s <= HC_FINDING_CRITICAL; s++) {
        fputs("hindcast_findings", stream);
        put_label(stream, "{", "severity", hc_finding_severity_name((enum hc_finding_severity)s));
        if (report->cluster)
            put_label(stream, ",", "cluster", report->cluster);
        fprintf(stream, "} %" PRId64 "\n", n[s]);
    }
    put_head(stream, "drain_nodes", "Nodes that these would have drained.");
    put_plain(stream, "drain_nodes", report->cluster, n_drain);
}

static void put_times(FILE *stream, const struct hc_night_metrics *metrics)
{
    const char *cluster = metrics->report->cluster;
    put_head(stream, "nightly_last_success_timestamp_seconds",
             "When a report was last put in place; the only figure that asks the clock.");
    put_plain(stream, "nightly_last_success_timestamp_seconds", cluster, metrics->success_s);
    put_head(stream, "nightly_as_of_timestamp_seconds", "What came later was not known.");
    put_plain(stream, "nightly_as_of_timestamp_seconds", cluster,
              metrics->report->as_of_ns / SECOND_NS);
}

void hc_night_write_metrics(const struct hc_night_metrics *metrics, FILE *stream)
{
    struct metrics_day days[2];
    size_t n = days_of(metrics, days);
    put_head(stream, "build_info",
             "The version that made the report, and the digest of its site file.");
    fputs("hindcast_build_info", stream);
    put_label(stream, "{", "version", HC_VERSION);
    if (metrics->report->site_sha256)
        put_label(stream, ",", "site", metrics->report->site_sha256);
    if (metrics->report->cluster)
        put_label(stream, ",", "cluster", metrics->report->cluster);
    fputs("} 1\n", stream);
    put_times(stream, metrics);
    put_day_metrics(stream, days, n);
    put_leaves(stream, days, n);
    put_runs(stream, days, n);
    put_users(stream, days, n);
    put_incidents(stream, days, n);
    put_findings(stream, metrics->report);
}
