#include "reports/whatif/whatif_sections.h"

#include "core/base/memory.h"
#include "core/text/number_format.h"
#include "reports/page/html_page.h"
#include "reports/page/svg_chart.h"
#include "reports/whatif/whatif_views.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MAX_DOTS 400 /* steps that tell their value when pointed at */

static void widen(struct hc_svg_axis *axis, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isfinite(values[i])) {
            axis->low = fmin(axis->low, values[i]);
            axis->high = fmax(axis->high, values[i]);
        }
}

static struct hc_svg_chart step_chart(const struct hc_whatif_result *result, const char *y_title)
{
    struct hc_svg_chart chart = {.width = HC_SVG_WIDTH, .height = HC_SVG_HEIGHT};
    chart.x = (struct hc_svg_axis){
        .title = "step",
        .low = result->steps[0],
        .high = result->steps[result->n_steps - 1],
        .is_counts = true,
    };
    if (chart.x.low == chart.x.high)
        hc_svg_axis_round(&chart.x, 4);
    chart.y = (struct hc_svg_axis){.title = y_title, .low = INFINITY, .high = -INFINITY};
    return chart;
}

static void draw_slowdowns(FILE *stream, const struct hc_whatif_result *result, const double *steps)
{
    struct hc_svg_chart chart = step_chart(result, "slowdown S");
    char text[64], number[HC_NUMBER_TEXT];
    widen(&chart.y, result->step_slowdown, result->n_steps);
    widen(&chart.y, (const double[]){1.0, HC_STRAGGLING}, 2);
    hc_svg_axis_round(&chart.y, 6);
    hc_html_figure_start(stream, "Slowdown step by step", false);
    hc_svg_chart_start(&chart, stream, "Slowdown of each step");
    hc_svg_chart_rule_y(&chart, HC_STRAGGLING, "straggling from 1.1 on");
    hc_svg_chart_line(&chart, "s1", steps, result->step_slowdown, result->n_steps);
    for (size_t s = 0; s < result->n_steps && result->n_steps <= MAX_DOTS; s++) {
        snprintf(text, sizeof text, "step %" PRId32 ": S %s", result->steps[s],
                 hc_format_fixed(result->step_slowdown[s], 3, number));
        hc_svg_chart_dot(&chart, "s1", steps[s], result->step_slowdown[s], text);
    }
    hc_svg_chart_end(&chart);
    hc_html_figure_end(stream,
                       "Replayed over ideal time of each step. A level line is a cause that "
                       "lasts, a single peak one that comes and goes.");
}

static void draw_times(FILE *stream, const struct hc_whatif_result *result, const double *steps,
                       double *const times[3])
{
    static const char *const names[] = {"recorded", "replayed", "ideal"};
    static const char *const classes[] = {"s5", "s1", "s3"};
    struct hc_svg_chart chart = step_chart(result, "step time (s)");
    for (int i = 0; i < 3; i++)
        widen(&chart.y, times[i], result->n_steps);
    widen(&chart.y, (const double[]){0}, 1);
    hc_svg_axis_round(&chart.y, 6);
    hc_html_figure_start(stream, "Time of each step", false);
    hc_svg_chart_start(&chart, stream, "Recorded, replayed and ideal time of each step");
    for (int i = 0; i < 3; i++)
        hc_svg_chart_line(&chart, classes[i], steps, times[i], result->n_steps);
    hc_svg_legend(stream, 150, 14, names, classes, 3);
    hc_svg_chart_end(&chart);
    hc_html_figure_end(stream, "Replayed is the recorded step without launch delays; ideal has no "
                               "stragglers either.");
}

static void fill(double *to, const int64_t *from_ns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (double)from_ns[i] * 1e-9;
}

enum hc_status hc_whatif_html_steps(FILE *stream, const struct hc_whatif_report *report,
                                    struct hc_error *err)
{
    const struct hc_whatif_result *result = report->result;
    size_t n = result->n_steps;
    if (n == 0)
        return HC_OK;
    double *values = hc_new_array(n, 4 * sizeof *values, err);
    if (!values)
        return err->status;
    double *const times[3] = {values + n, values + 2 * n, values + 3 * n};
    for (size_t s = 0; s < n; s++)
        values[s] = result->steps[s];
    fill(times[0], result->traced_ns, n);
    fill(times[1], result->replayed_ns, n);
    fill(times[2], result->ideal_ns, n);
    hc_html_section_start(stream, "steps", "Steps");
    hc_html_grid_start(stream);
    draw_slowdowns(stream, result, values);
    draw_times(stream, result, values, times);
    hc_html_grid_end(stream);
    enum hc_status status = hc_whatif_html_step_maps(stream, result, err);
    hc_html_section_end(stream);
    free(values);
    return status;
}
