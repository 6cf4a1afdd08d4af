/* ETTR over time: fans over the lives of the base, medians of the variants. */
#include "reports/study/lifetime/life_sections.h"

#include "core/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MAX_POINTS 600 /* of a line: more cannot be told apart */

bool hc_study_html_has_curves(const struct hc_study_result *result)
{
    for (size_t r = 0; r < result->n_runs; r++)
        if (hc_life_run_findings(&result->run[r]) && hc_life_run_findings(&result->run[r])->curve)
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

static void make_axes(struct hc_figure *figure, double end, double least, const char *unit)
{
    figure->x = (struct hc_axis){.title = "wall time since the first start",
                                 .unit = unit,
                                 .low = 0,
                                 .high = end > 0 ? end : 1};
    figure->y = (struct hc_axis){.title = "ETTR", .low = least, .high = 1, .is_share = true};
    hc_axis_round(&figure->y, 5);
    figure->y.low = fmax(figure->y.low, 0);
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

static enum hc_status put_fan(const struct hc_figure_sink *figures, const struct fan *fan,
                              struct hc_figure *figure, double half_gone_at, struct hc_error *err)
{
    const struct hc_figure_series of = {.color = HC_BLUE, .n = fan->n, .x = fan->times};
    struct hc_figure_series series[] = {of, of, of, of};
    series[0].kind = series[1].kind = HC_SERIES_BAND;
    series[0].name = "5 to 95 %";
    series[0].y = fan->values[HC_CURVE_P05];
    series[0].high = fan->values[HC_CURVE_P95];
    series[1].name = "25 to 75 %";
    series[1].strength = HC_DEEP;
    series[1].y = fan->values[HC_CURVE_P25];
    series[1].high = fan->values[HC_CURVE_P75];
    series[2].name = "median";
    series[2].y = fan->values[HC_CURVE_P50];
    series[3].name = "mean";
    series[3].color = HC_VERMILLION;
    series[3].y = fan->values[HC_CURVE_MEAN];
    figure->n_series = 4;
    figure->series = series;
    figure->n_rules = isfinite(half_gone_at);
    figure->rules = &(struct hc_figure_rule){true, half_gone_at, "half of the lives are over"};
    return hc_figure_put(figures, figure, err);
}

static enum hc_status draw_fan(const struct hc_figure_sink *figures, const struct fan *fan,
                               bool is_sliding, double unit_s, struct hc_error *err)
{
    const struct hc_lifetime_curve *curve = fan->curve;
    const char *unit;
    char title[128], note[512], number[HC_NUMBER_TEXT];
    if (is_sliding)
        snprintf(title, sizeof title, "Sliding: the last %s",
                 hc_study_html_duration(curve->window_s, number));
    else
        snprintf(title, sizeof title, "Cumulative: since the first start");
    snprintf(note, sizeof note,
             "Bands: where 90 and 50 %% of %" PRIu64 " lives lie; the dashed line is their mean. A "
             "life counts up to its end, so that at the far end are those that took longest.",
             curve->n_replicas);
    struct hc_figure figure = {.kind = HC_FIGURE_CHART,
                               .name = is_sliding ? "ettr-sliding" : "ettr-cumulative",
                               .title = title,
                               .note = note};
    hc_study_html_time_unit(curve->time_s[curve->n - 1], &unit);
    make_axes(&figure, fan->times[fan->n - 1], least_of(fan, HC_CURVE_P05), unit);
    cut_below(fan, HC_CURVE_P50, figure.y.low);
    cut_below(fan, HC_CURVE_MEAN, figure.y.low);
    return put_fan(figures, fan, &figure, fan->half_over_s / unit_s, err);
}

static enum hc_status write_fan(const struct hc_figure_sink *figures,
                                const struct hc_life_findings *life, bool is_sliding,
                                struct hc_error *err)
{
    const struct hc_lifetime_curve *curve = life->curve;
    struct fan fan;
    const char *unit;
    double unit_s = hc_study_html_time_unit(curve->time_s[curve->n - 1], &unit);
    enum hc_status status = make_fan(&fan, life, is_sliding, unit_s, err);
    if (status == HC_OK)
        status = draw_fan(figures, &fan, is_sliding, unit_s, err);
    free(fan.times);
    return status;
}

/* ---- variants ---- */

struct medians {
    struct fan fan[HC_STUDY_N_LINES];
    const char *names[HC_STUDY_N_LINES];
    size_t n, n_curves;
};

static enum hc_status make_medians(struct medians *medians, const struct hc_study_result *result,
                                   double unit_s, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t r = 0; r < result->n_runs && status == HC_OK; r++) {
        const struct hc_life_findings *life = hc_life_run_findings(&result->run[r]);
        if (!life->curve || medians->n_curves++ >= HC_STUDY_N_LINES)
            continue;
        medians->names[medians->n] = result->run[r].name;
        status = make_fan(&medians->fan[medians->n++], life, false, unit_s, err);
    }
    return status;
}

static enum hc_status draw_medians(const struct hc_figure_sink *figures,
                                   const struct medians *medians, double unit_s, const char *unit,
                                   struct hc_error *err)
{
    struct hc_figure_series series[HC_STUDY_N_LINES];
    double end = 0, least = 1;
    for (size_t i = 0; i < medians->n; i++) {
        end = fmax(end, medians->fan[i].times[medians->fan[i].n - 1]);
        least = fmin(least, least_of(&medians->fan[i], HC_CURVE_P50));
    }
    struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = "ettr-variants",
        .title = "Cumulative ETTR of the variants, medians",
        .note = "A line ends when half of the lives are over: those that are left had more trouble "
                "than most.",
        .is_wide = true,
        .n_series = medians->n,
        .series = series,
    };
    make_axes(&figure, end, least, unit);
    for (size_t i = 0; i < medians->n; i++) {
        cut_below(&medians->fan[i], HC_CURVE_P50, figure.y.low);
        cut_after(&medians->fan[i], HC_CURVE_P50, medians->fan[i].half_over_s / unit_s);
        series[i] = (struct hc_figure_series){.kind = HC_SERIES_LINE,
                                              .color = hc_series_color(i),
                                              .name = medians->names[i],
                                              .n = medians->fan[i].n,
                                              .x = medians->fan[i].times,
                                              .y = medians->fan[i].values[HC_CURVE_P50]};
    }
    return hc_figure_put(figures, &figure, err);
}

static enum hc_status write_medians(FILE *stream, const struct hc_figure_sink *figures,
                                    const struct hc_study_result *result, struct hc_error *err)
{
    struct medians medians = {.n = 0};
    const char *unit;
    double end_s = 0;
    for (size_t r = 0; r < result->n_runs; r++) {
        const struct hc_lifetime_curve *curve = hc_life_run_findings(&result->run[r])->curve;
        if (curve)
            end_s = fmax(end_s, curve->time_s[curve->n - 1]);
    }
    double unit_s = hc_study_html_time_unit(end_s, &unit);
    enum hc_status status = make_medians(&medians, result, unit_s, err);
    if (status == HC_OK && medians.n > 1) {
        status = draw_medians(figures, &medians, unit_s, unit, err);
        hc_study_html_remainder(stream, medians.n_curves, medians.n, "variants");
    }
    for (size_t i = 0; i < medians.n; i++)
        free(medians.fan[i].times);
    return status;
}

enum hc_status hc_study_html_over_time(FILE *stream, const struct hc_figure_sink *figures,
                                       const struct hc_study_result *result, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    if (!hc_study_html_has_curves(result))
        return HC_OK;
    const struct hc_life_findings *life = hc_life_run_findings(&result->run[0]);
    hc_html_section_start(stream, "curves", "ETTR over time");
    hc_html_paragraph(stream, NULL,
                      "Productive time that was never lost over wall time since the first start. "
                      "The axis of ETTR does not begin at zero.");
    if (life->curve) {
        hc_html_grid_start(stream);
        status = write_fan(figures, life, false, err);
        if (status == HC_OK)
            status = write_fan(figures, life, true, err);
        hc_html_grid_end(stream);
    }
    if (status == HC_OK)
        status = write_medians(stream, figures, result, err);
    hc_html_section_end(stream);
    return status;
}
