/* ETTR over time: fans over the lives of the base, medians of the variants. */
#include "reports/study/study_sections.h"

#include "core/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MAX_POINTS 600 /* of a line: more cannot be told apart */

bool hc_study_html_has_curves(const struct hc_study_result *result)
{
    for (size_t r = 0; r < result->n_runs; r++)
        if (hc_life_findings_of(&result->run[r]) && hc_life_findings_of(&result->run[r])->curve)
            return true;
    return false;
}

/* A curve with its times in the unit of the axis; each stride-th point. */
struct fan {
    const struct hc_lifetime_curve *curve;
    double half_over_s;
    double *times, *values[HC_CURVE_N_LINES];
    size_t n;
};

static enum hc_status make_fan(struct fan *fan, const struct hc_life_findings *life,
                               bool is_sliding, double unit_s, struct hc_error *err)
{
    const struct hc_lifetime_curve *curve = life->curve;
    double *const *lines = is_sliding ? curve->sliding : curve->cumulative;
    size_t stride = (curve->n + MAX_POINTS - 1) / MAX_POINTS;
    *fan = (struct fan){.curve = curve, .half_over_s = life->half_over_s};
    fan->times = hc_new_array(curve->n, (1 + HC_CURVE_N_LINES) * sizeof *fan->times, err);
    if (!fan->times)
        return err->status;
    for (int line = 0; line < HC_CURVE_N_LINES; line++)
        fan->values[line] = fan->times + (size_t)(line + 1) * curve->n;
    for (size_t i = 0; i < curve->n; i++) {
        if (i % stride != 0 && i + 1 != curve->n)
            continue;
        fan->times[fan->n] = curve->time_s[i] / unit_s;
        for (int line = 0; line < HC_CURVE_N_LINES; line++)
            fan->values[line][fan->n] = lines[line] ? lines[line][i] : NAN;
        fan->n++;
    }
    return HC_OK;
}

/* The least value from the first tenth on: the very start would take all the room. */
static double least_of(const struct fan *fan, int line)
{
    double least = 1;
    for (size_t i = fan->n / 10; i < fan->n; i++)
        if (isfinite(fan->values[line][i]))
            least = fmin(least, fan->values[line][i]);
    return least;
}

static struct hc_svg_chart make_chart(double end, double least, const char *x_title)
{
    struct hc_svg_chart chart = {.width = HC_SVG_WIDTH, .height = HC_SVG_HEIGHT};
    chart.x = (struct hc_axis){.title = x_title, .low = 0, .high = end > 0 ? end : 1};
    chart.y = (struct hc_axis){.title = "ETTR", .low = least, .high = 1, .is_share = true};
    hc_axis_round(&chart.y, 5);
    chart.y.low = fmax(chart.y.low, 0);
    return chart;
}

/* A line begins where it comes into the chart, instead of running along its edge. */
static void cut_below(const struct fan *fan, int line, double low)
{
    for (size_t i = 0; i < fan->n; i++)
        if (fan->values[line][i] < low)
            fan->values[line][i] = NAN;
}

static void cut_after(const struct fan *fan, int line, double end)
{
    for (size_t i = 0; i < fan->n; i++)
        if (fan->times[i] > end)
            fan->values[line][i] = NAN;
}

static void draw_fan(FILE *stream, const struct fan *fan, bool is_sliding, double unit_s,
                     const char *unit)
{
    static const char *const names[] = {"5 to 95 %", "25 to 75 %", "median", "mean"};
    static const char *const classes[] = {"band s1", "band deep s1", "s1", "s2"};
    const struct hc_lifetime_curve *curve = fan->curve;
    char title[128], x_title[64], note[512], number[HC_NUMBER_TEXT];
    if (is_sliding)
        snprintf(title, sizeof title, "Sliding: the last %s",
                 hc_study_html_duration(curve->window_s, number));
    else
        snprintf(title, sizeof title, "Cumulative: since the first start");
    snprintf(x_title, sizeof x_title, "wall time since the first start (%s)", unit);
    struct hc_svg_chart chart =
        make_chart(fan->times[fan->n - 1], least_of(fan, HC_CURVE_P05), x_title);
    hc_html_figure_start(stream, title, false);
    hc_svg_chart_start(&chart, stream, title);
    hc_svg_chart_band(&chart, "s1", fan->times, fan->values[HC_CURVE_P05],
                      fan->values[HC_CURVE_P95], fan->n);
    hc_svg_chart_band(&chart, "deep s1", fan->times, fan->values[HC_CURVE_P25],
                      fan->values[HC_CURVE_P75], fan->n);
    hc_svg_chart_rule_x(&chart, fan->half_over_s / unit_s, "half of the lives are over");
    cut_below(fan, HC_CURVE_P50, chart.y.low);
    cut_below(fan, HC_CURVE_MEAN, chart.y.low);
    hc_svg_chart_line(&chart, "s1", fan->times, fan->values[HC_CURVE_P50], fan->n);
    hc_svg_chart_line(&chart, "s2 dashed", fan->times, fan->values[HC_CURVE_MEAN], fan->n);
    hc_svg_legend(stream, 110, 14, names, classes, 4);
    hc_svg_chart_end(&chart);
    snprintf(note, sizeof note,
             "Bands: where 90 and 50 %% of %" PRIu64 " lives lie; the dashed line is their mean. A "
             "life counts up to its end, so that at the far end are those that took longest.",
             curve->n_replicas);
    hc_html_figure_end(stream, note);
}

static enum hc_status write_fan(FILE *stream, const struct hc_life_findings *life, bool is_sliding,
                                struct hc_error *err)
{
    const struct hc_lifetime_curve *curve = life->curve;
    struct fan fan;
    const char *unit;
    double unit_s = hc_study_html_time_unit(curve->time_s[curve->n - 1], &unit);
    enum hc_status status = make_fan(&fan, life, is_sliding, unit_s, err);
    if (status == HC_OK)
        draw_fan(stream, &fan, is_sliding, unit_s, unit);
    free(fan.times);
    return status;
}

/* ---- variants ---- */

struct medians {
    struct fan fan[HC_STUDY_N_COLORS];
    const char *names[HC_STUDY_N_COLORS], *classes[HC_STUDY_N_COLORS];
    size_t n, n_curves;
};

static enum hc_status make_medians(struct medians *medians, const struct hc_study_result *result,
                                   double unit_s, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t r = 0; r < result->n_runs && status == HC_OK; r++) {
        const struct hc_life_findings *life = hc_life_findings_of(&result->run[r]);
        if (!life->curve || medians->n_curves++ >= HC_STUDY_N_COLORS)
            continue;
        medians->names[medians->n] = result->run[r].name;
        medians->classes[medians->n] = hc_study_html_class(medians->n);
        status = make_fan(&medians->fan[medians->n++], life, false, unit_s, err);
    }
    return status;
}

static void draw_medians(FILE *stream, const struct medians *medians, double unit_s,
                         const char *unit)
{
    double end = 0, least = 1;
    char x_title[64];
    for (size_t i = 0; i < medians->n; i++) {
        end = fmax(end, medians->fan[i].times[medians->fan[i].n - 1]);
        least = fmin(least, least_of(&medians->fan[i], HC_CURVE_P50));
    }
    snprintf(x_title, sizeof x_title, "wall time since the first start (%s)", unit);
    struct hc_svg_chart chart = make_chart(end, least, x_title);
    chart.width = HC_SVG_WIDE_WIDTH;
    hc_html_figure_start(stream, "Cumulative ETTR of the variants, medians", true);
    hc_study_html_legend(stream, chart.width, medians->names, medians->classes, medians->n);
    hc_svg_chart_start(&chart, stream, "Cumulative ETTR of the variants");
    for (size_t i = 0; i < medians->n; i++) {
        cut_below(&medians->fan[i], HC_CURVE_P50, chart.y.low);
        cut_after(&medians->fan[i], HC_CURVE_P50, medians->fan[i].half_over_s / unit_s);
    }
    for (size_t i = 0; i < medians->n; i++)
        hc_svg_chart_line(&chart, medians->classes[i], medians->fan[i].times,
                          medians->fan[i].values[HC_CURVE_P50], medians->fan[i].n);
    hc_svg_chart_end(&chart);
    hc_html_figure_end(stream, "A line ends when half of the lives are over: those that are left "
                               "had more trouble than most.");
    hc_study_html_left_out(stream, medians->n_curves, medians->n, "variants");
}

static enum hc_status write_medians(FILE *stream, const struct hc_study_result *result,
                                    struct hc_error *err)
{
    struct medians medians = {.n = 0};
    const char *unit;
    double end_s = 0;
    for (size_t r = 0; r < result->n_runs; r++) {
        const struct hc_lifetime_curve *curve = hc_life_findings_of(&result->run[r])->curve;
        if (curve)
            end_s = fmax(end_s, curve->time_s[curve->n - 1]);
    }
    double unit_s = hc_study_html_time_unit(end_s, &unit);
    enum hc_status status = make_medians(&medians, result, unit_s, err);
    if (status == HC_OK && medians.n > 1)
        draw_medians(stream, &medians, unit_s, unit);
    for (size_t i = 0; i < medians.n; i++)
        free(medians.fan[i].times);
    return status;
}

enum hc_status hc_study_html_over_time(FILE *stream, const struct hc_study_result *result,
                                       struct hc_error *err)
{
    enum hc_status status = HC_OK;
    if (!hc_study_html_has_curves(result))
        return HC_OK;
    const struct hc_life_findings *life = hc_life_findings_of(&result->run[0]);
    hc_html_section_start(stream, "curves", "ETTR over time");
    hc_html_paragraph(stream, NULL,
                      "Productive time that was never lost over wall time since the first start. "
                      "The axis of ETTR does not begin at zero.");
    if (life->curve) {
        hc_html_grid_start(stream);
        status = write_fan(stream, life, false, err);
        if (status == HC_OK)
            status = write_fan(stream, life, true, err);
        hc_html_grid_end(stream);
    }
    if (status == HC_OK)
        status = write_medians(stream, result, err);
    hc_html_section_end(stream);
    return status;
}
