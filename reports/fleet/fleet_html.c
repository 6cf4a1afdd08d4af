#include "reports/fleet/fleet_report.h"

#include "reports/fleet/fleet_sections.h"
#include "reports/fleet/fleet_views.h"
#include "reports/page/html_page.h"

#include <math.h>
#include <stdlib.h>

static const char *count_text(size_t count, char text[HC_NUMBER_TEXT])
{
    return hc_format_count((int64_t)count, text);
}

/* ---- what is read first ---- */

static void put_lead(FILE *stream, const struct hc_fleet_summary *summary)
{
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT], d[HC_NUMBER_TEXT];
    const struct hc_fleet_part *part = &summary->straggling;
    hc_html_paragraph(
        stream, "lead",
        "%s of the %s jobs analysed are at least 10 %% slower than without "
        "stragglers (S >= 1.1): %s, 95 %% interval %s to %s.",
        count_text(part->n, a), count_text(part->of, b), hc_format_percent(part->share, c),
        hc_format_percent(summary->straggling_interval.low, d),
        hc_format_percent(summary->straggling_interval.high, (char[HC_NUMBER_TEXT]){""}));
    if (summary->late.n > 0)
        hc_html_paragraph(stream, NULL,
                          "%s of them (%s) start their ops late, which takes over 5 %% of their "
                          "steps. Without these, as the paper counts, %s straggle.",
                          count_text(summary->late.n, a), hc_format_percent(summary->late.share, b),
                          hc_format_percent(summary->straggling_in_time.share, c));
    enum hc_straggler_cause id = summary->main_cause;
    const struct hc_fleet_cause *cause = &summary->causes[id];
    if (id != HC_STRAGGLER_NONE)
        hc_html_paragraph(stream, NULL,
                          "The cause with the largest loss is %s: %s of the straggling jobs and "
                          "%s of the GPU-hours lost.",
                          id == HC_STRAGGLER_UNEXPLAINED ? "not known"
                                                         : hc_straggler_cause_text(id),
                          hc_format_percent(cause->share_of_straggling, a),
                          hc_format_percent(cause->lost_share, b));
}

static void put_callout(FILE *stream, const struct hc_fleet_summary *summary)
{
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], title[256];
    bool has_hours = summary->n_hours_unknown < summary->n_analysed;
    enum hc_html_tone tone = summary->n_straggling > 0 ? HC_TONE_WARNING : HC_TONE_GOOD;
    if (summary->n_analysed == 0) {
        hc_html_callout_start(stream, HC_TONE_BAD, "No job could be analysed");
        hc_html_paragraph(stream, NULL, "The funnel below says why each was discarded.");
        hc_html_callout_end(stream);
        return;
    }
    if (has_hours)
        snprintf(title, sizeof title, "Stragglers took %s of %s GPU-hours",
                 hc_format_percent(summary->lost_share, a),
                 hc_fleet_hours_text(summary->hours_traced, b));
    else
        snprintf(title, sizeof title, "%s of the jobs straggle",
                 hc_format_percent(summary->straggling.share, a));
    hc_html_callout_start(stream, tone, title);
    put_lead(stream, summary);
    if (summary->n_hours_unknown > 0)
        hc_html_paragraph(stream, NULL,
                          "The GPU-hours of %s of the jobs are not known: they count as jobs, and "
                          "in no figure that is weighted by GPU-hours.",
                          count_text(summary->n_hours_unknown, a));
    hc_html_callout_end(stream);
}

/* If jobs are missing from the report, say so before any figure, since every figure lacks them. */
static void put_lacking(FILE *stream, const struct hc_fleet_summary *summary)
{
    char text[HC_FLEET_LACKING_TEXT];
    if (summary->lacking.n == 0)
        return;
    hc_html_callout_start(stream, HC_TONE_BAD, "This report is incomplete");
    hc_html_paragraph(stream, NULL, "%s. They are named below the funnel.",
                      hc_fleet_lacking_text(summary, text));
    hc_html_callout_end(stream);
}

static void put_tiles(FILE *stream, const struct hc_fleet_summary *summary)
{
    const struct hc_fleet_cdf *waste = &summary->cdf[HC_CDF_WASTE_BY_JOBS];
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], note[128];
    hc_html_tiles_start(stream);
    snprintf(note, sizeof note, "of %s (%s)", count_text(summary->n_jobs, a),
             hc_format_percent(summary->funnel[HC_FLEET_ANALYSED].share_of_all, b));
    hc_html_tile(stream, HC_TONE_PLAIN, "jobs analysed", count_text(summary->n_analysed, a), note);
    snprintf(note, sizeof note, "%s by GPU-hours; mean S %s",
             hc_format_percent(summary->straggling.hours_share, a),
             hc_format_fixed(summary->mean_straggling_slowdown, 2, b));
    hc_html_tile(stream, HC_TONE_PLAIN, "straggling jobs",
                 hc_format_percent(summary->straggling.share, a), note);
    snprintf(note, sizeof note, "%s of those traced", hc_format_percent(summary->lost_share, a));
    hc_html_tile(stream, HC_TONE_PLAIN, "GPU-hours lost",
                 hc_fleet_hours_text(summary->n_ranked ? summary->hours_lost : NAN, a), note);
    snprintf(note, sizeof note, "P99 %s", hc_format_percent(hc_fleet_cdf_percent(waste, 99), a));
    hc_html_tile(stream, HC_TONE_PLAIN, "waste of a job, median",
                 hc_format_percent(hc_fleet_cdf_percent(waste, 50), a), "1 - 1/S");
    hc_html_tile(stream, HC_TONE_PLAIN, "waste of a job, P90",
                 hc_format_percent(hc_fleet_cdf_percent(waste, 90), a), note);
    hc_html_tiles_end(stream);
}

static void put_contents(FILE *stream)
{
    static const char *const links[][2] = {{"jobs", "Jobs"},
                                           {"waste", "Waste"},
                                           {"causes", "Causes"},
                                           {"tests", "Tests"},
                                           {"types", "Op types"},
                                           {"sizes", "Sizes"},
                                           {"steps", "Steps"},
                                           {"funnel", "What was left out"},
                                           {"figures", "All quantiles"}};
    hc_html_contents_start(stream);
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        hc_html_contents_link(stream, links[i][0], links[i][1]);
    hc_html_contents_end(stream);
}

/* ---- all of it ---- */

static void put_notes(FILE *stream, const struct hc_fleet_report *report)
{
    if (!report->options)
        return;
    hc_html_section_start(stream, "options", "How it was made");
    hc_html_paragraph(stream, NULL, "Options of the analysis: %s.", report->options);
    hc_html_section_end(stream);
}

static enum hc_status put_page(FILE *stream, const struct hc_fleet_report *report,
                               const struct hc_fleet_summary *summary, struct hc_error *err)
{
    const struct hc_html_input input = {.label = "archive", .path = report->archive};
    char number[HC_NUMBER_TEXT], title[96];
    snprintf(title, sizeof title, "Stragglers in a fleet of %s job%s",
             count_text(summary->n_jobs, number), summary->n_jobs == 1 ? "" : "s");
    hc_html_start(stream, &(struct hc_html_head){"what-if of a fleet", title, report->archive,
                                                 report->run_id, NULL, NULL});
    put_lacking(stream, summary);
    put_callout(stream, summary);
    if (summary->n_analysed > 0) {
        put_tiles(stream, summary);
        put_contents(stream);
    }
    enum hc_status status = hc_fleet_put_sections(stream, report, summary, err);
    put_notes(stream, report);
    hc_html_end(stream, &input, 1);
    return status;
}

enum hc_status hc_fleet_write_html(FILE *stream, const struct hc_fleet_report *report,
                                   struct hc_error *err)
{
    return hc_html_written(stream, put_page(stream, report, report->summary, err),
                           "the page of the fleet", err);
}
