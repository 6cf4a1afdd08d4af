#include "reports/night/night_report.h"

#include "core/base/clock.h"
#include "core/text/number_format.h"
#include "reports/night/night_sections.h"
#include "reports/write/text_line.h"

#include <inttypes.h>
#include <string.h>

/* ---- head ---- */

static void put_head(FILE *stream, const struct hc_night_report *report)
{
    const struct hc_night_result *result = report->result;
    const struct hc_night *night = result->night;
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT], as_of[32];
    const char *first = night->days.names[result->range.first];
    const char *last = night->days.names[result->range.last];
    bool is_one = result->range.first == result->range.last;
    hc_line_add(&line, "%s%s%s (%s), ", first, is_one ? "" : " to ", is_one ? "" : last,
                report->zone);
    if (result->total_gpu_ns)
        hc_line_add(&line, "%s GPU-hours held, %.1f %% of them productive",
                    hc_night_hours(result->gpu_hours, number), 100 * result->productive_share);
    else
        hc_line_add(&line, "no attempt held a GPU, as far as the records tell");
    hc_line_put(stream, is_one ? "day" : "days", &line);
    hc_format_iso8601(report->as_of_ns, as_of);
    if (!result->total_gpu_ns && strncmp(as_of, first, strlen("2026-03-02")) < 0) {
        hc_line_add(&line,
                    "what the archive knows ends before that: '--date %.10s' is its last day",
                    as_of);
        hc_line_put(stream, "look at", &line);
    }
    hc_line_add(&line, "'%s'", report->archive);
    if (report->cluster)
        hc_line_add(&line, ", cluster '%s'", report->cluster);
    hc_line_add(&line, ", as known at %.19sZ%s", as_of,
                result->days[result->range.last].is_provisional
                    ? "; provisional: later records may restate it"
                    : "");
    hc_line_put(stream, "archive", &line);
    if (!report->installed) {
        hc_line_add(&line, "told of one cluster at a time (--cluster)");
        hc_line_put(stream, "installed", &line);
    }
    if (result->total_gpu_ns == 0)
        return;
    hc_line_add(&line,
                "%.1f %% measured, %.1f %% estimated, %.1f %% unknown; the leaves sum to what was "
                "held%s",
                100 * result->measured_share, 100 * result->estimated_share,
                100 * result->unknown_share,
                result->adds_up ? ", to the nanosecond, in each grouping" : ": NO, this is a bug");
    hc_line_put(stream, "trust", &line);
}

/* What the records do not say, where there is anything of it. */
static void put_gaps(FILE *stream, const struct hc_night *night, int64_t n_unknown_incidents)
{
    const struct hc_night_gaps *gaps = &night->gaps;
    const struct {
        int64_t n;
        const char *words;
    } rows[] = {
        {gaps->n_unplaced, "jobs ran at a time that is not recorded: left out"},
        {gaps->n_gpus_unknown, "attempts do not say how many GPUs they held: left out"},
        {gaps->n_gpus_estimated, "attempts have the GPUs that the site file gives their nodes"},
        {gaps->n_suspended, "attempts were suspended for a time, which counts as held"},
        {gaps->n_unjoined, "launches joined no attempt (hindcast joins lists them): left out"},
        {gaps->n_without_clock, "launches are in logs without times: left out"},
        {gaps->n_outside, "launches began when their attempt did not run: cut to its time"},
        {gaps->n_crowded, "launches have more ranks than their attempt has GPUs"},
        {gaps->n_any_cluster,
         "launches are in logs that nobody gave a cluster, and the archive has jobs of several: "
         "they may be of another (ingest --cluster)"},
        {n_unknown_incidents, "failures have no log: what they cost is not known"},
        {night->n_bad_lists, "attempts have a list of nodes that cannot be read"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hc_text_line line = {.used = 0};
        char number[HC_NUMBER_TEXT];
        if (rows[i].n == 0)
            continue;
        hc_line_add(&line, "%s %s", hc_format_count(rows[i].n, number), rows[i].words);
        hc_line_put(stream, "not told", &line);
    }
}

/* Nothing where there are no timelines. */
static void put_timelines(FILE *stream, const struct hc_night_report *report)
{
    const struct hc_timeline_use *use = report->timelines;
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT];
    if (use->n_joined == 0)
        return;
    hc_line_add(&line, "%" PRId64 " joined, %" PRId64 " split productive steps", use->n_joined,
                use->n_split);
    if (use->n_discrepant + use->n_unusable)
        hc_line_add(&line,
                    "; %" PRId64 " with over 5 %% of discrepancy and %" PRId64
                    " without a replay split nothing",
                    use->n_discrepant, use->n_unusable);
    if (report->result->excess_bound_gpu_hours > 0)
        hc_line_add(&line,
                    "; beside traced steps stragglers may have added up to %s GPU-hours, which are "
                    "not split, since the site file does not say 'tracing' is random or periodic",
                    hc_night_hours(report->result->excess_bound_gpu_hours, number));
    hc_line_put(stream, "timelines", &line);
}

enum hc_status hc_night_write_text(const struct hc_night_report *report, FILE *stream,
                                   struct hc_error *err)
{
    static const enum hc_cube_dimension groups[] = {HC_CUBE_CAUSE,   HC_CUBE_USER,
                                                    HC_CUBE_ACCOUNT, HC_CUBE_PARTITION,
                                                    HC_CUBE_SIZE,    HC_CUBE_NODE};
    put_head(stream, report);
    put_gaps(stream, report->result->night, report->result->n_unknown_incidents);
    put_timelines(stream, report);
    if ((report->findings &&
         hc_section_print_any(stream, hc_findings_section(report->findings), err)) ||
        hc_section_print_any(stream, hc_night_installed_section(report), err) ||
        hc_section_print_any(stream, hc_night_leaves_section(report), err) ||
        hc_section_print_any(stream, hc_night_incidents_section(report), err) ||
        hc_section_print_any(stream, hc_night_runs_section(report), err))
        return err->status;
    if (hc_section_print_any(stream, hc_night_restated_section(report), err))
        return err->status;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (hc_section_print_any(stream, hc_night_groups_section(report, groups[i]), err))
            return err->status;
    return HC_OK;
}
