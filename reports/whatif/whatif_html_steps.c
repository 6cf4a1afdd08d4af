#include "reports/whatif/whatif_sections.h"

#include "core/base/memory.h"
#include "core/text/number_format.h"
#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/whatif/culprits/culprit_figure.h"
#include "reports/whatif/whatif_figures.h"
#include "reports/whatif/whatif_views.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DOTS    400 /* steps that tell their value when pointed at */
#define PLOT_HEIGHT 204 /* of a chart of the usual height, without axes and titles */

static struct hc_axis step_axis(const struct hc_whatif_result *result)
{
    struct hc_axis axis = {
        .title = "step",
        .low = result->steps[0],
        .high = result->steps[result->n_steps - 1],
        .is_counts = true,
    };
    if (axis.low == axis.high)
        hc_axis_round(&axis, 4);
    return axis;
}

/* ---- slowdown ---- */

typedef char dot_text[64];

static void note_slowdowns(char *note, size_t size, const struct hc_culprit_bands *bands)
{
    char more[64] = "";
    if (bands->n_unseen > 0)
        snprintf(more, sizeof more, " (%zu more are in the table)", bands->n_unseen);
    snprintf(note, size, "Replayed over ideal time of each step. %s%s",
             bands->n_marks > 0 ? "Strips at the top: in these steps the part that is named there "
                                  "is slower than its peers"
                                : "A level line is a cause that lasts, a single peak one that "
                                  "comes and goes.",
             more);
    if (bands->n_marks > 0)
        strncat(note, ".", size - strlen(note) - 1);
}

static enum hc_status put_slowdowns(const struct hc_figure_sink *sink,
                                    const struct hc_whatif_result *result, const double *steps,
                                    const char *const *texts, struct hc_error *err)
{
    size_t n = result->n_steps, n_series = 0;
    struct hc_culprit_bands bands;
    struct hc_figure_series series[HC_MOST_CULPRIT_BANDS + 3];
    char note[512];
    struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = "step-slowdown",
        .title = "Slowdown step by step",
        .says = "Slowdown of each step",
        .note = note,
        .x = step_axis(result),
        .y = {.title = "slowdown S", .low = 1, .high = HC_STRAGGLING},
        .series = series,
        .n_rules = 1,
        .rules = &(struct hc_figure_rule){.at = HC_STRAGGLING, .text = "straggling from 1.1 on"},
    };
    hc_axis_widen(&figure.y, result->step_slowdown, n);
    hc_axis_round(&figure.y, 6);
    if (hc_culprit_bands_init(&bands, result, &figure.y, PLOT_HEIGHT, err))
        return err->status;
    for (size_t i = 0; i < bands.n_series; i++)
        series[n_series++] = bands.series[i];
    series[n_series++] = (struct hc_figure_series){.kind = HC_SERIES_LINE,
                                                   .color = HC_BLUE,
                                                   .name = bands.has_levels ? "step" : NULL,
                                                   .n = n,
                                                   .x = steps,
                                                   .y = result->step_slowdown};
    if (n <= MAX_DOTS)
        series[n_series++] = (struct hc_figure_series){.kind = HC_SERIES_POINTS,
                                                       .color = HC_BLUE,
                                                       .n = n,
                                                       .x = steps,
                                                       .y = result->step_slowdown,
                                                       .texts = texts};
    figure.n_series = n_series;
    figure.n_marks = bands.n_marks;
    figure.marks = bands.marks;
    note_slowdowns(note, sizeof note, &bands);
    enum hc_status status = hc_figure_put(sink, &figure, err);
    hc_culprit_bands_fini(&bands);
    return status;
}

static enum hc_status draw_slowdowns(const struct hc_figure_sink *sink,
                                     const struct hc_whatif_result *result, const double *steps,
                                     struct hc_error *err)
{
    char number[HC_NUMBER_TEXT];
    dot_text *lines = hc_new_array(result->n_steps, sizeof *lines, err);
    const char **texts = lines ? hc_new_array(result->n_steps, sizeof *texts, err) : NULL;
    enum hc_status status = texts ? HC_OK : err->status;
    for (size_t s = 0; texts && s < result->n_steps; s++) {
        snprintf(lines[s], sizeof lines[s], "step %" PRId32 ": S %s", result->steps[s],
                 hc_format_fixed(result->step_slowdown[s], 3, number));
        texts[s] = lines[s];
    }
    if (status == HC_OK)
        status = put_slowdowns(sink, result, steps, texts, err);
    free(texts);
    free(lines);
    return status;
}

/* ---- time ---- */

static enum hc_status draw_times(const struct hc_figure_sink *sink,
                                 const struct hc_whatif_result *result, const double *steps,
                                 double *const times[3], struct hc_error *err)
{
    static const char *const names[] = {"recorded", "replayed", "ideal"};
    static const enum hc_color colors[] = {HC_GREY, HC_BLUE, HC_GREEN};
    struct hc_figure_series series[3];
    struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = "step-time",
        .title = "Time of each step",
        .says = "Recorded, replayed and ideal time of each step",
        .note = "Replayed is the recorded step without launch delays; ideal has no stragglers "
                "either.",
        .x = step_axis(result),
        .y = {.title = "step time", .unit = "s"},
        .n_series = 3,
        .series = series,
    };
    for (int i = 0; i < 3; i++) {
        hc_axis_widen(&figure.y, times[i], result->n_steps);
        series[i] = (struct hc_figure_series){.kind = HC_SERIES_LINE,
                                              .color = colors[i],
                                              .name = names[i],
                                              .n = result->n_steps,
                                              .x = steps,
                                              .y = times[i]};
    }
    hc_axis_round(&figure.y, 6);
    return hc_figure_put(sink, &figure, err);
}

static void fill(double *to, const int64_t *from_ns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (double)from_ns[i] * 1e-9;
}

enum hc_status hc_whatif_step_figures(const struct hc_figure_sink *sink,
                                      const struct hc_whatif_report *report, struct hc_error *err)
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
    enum hc_status status = draw_slowdowns(sink, result, values, err);
    if (status == HC_OK)
        status = draw_times(sink, result, values, times, err);
    free(values);
    return status;
}

enum hc_status hc_whatif_html_steps(FILE *stream, const struct hc_whatif_report *report,
                                    struct hc_error *err)
{
    const struct hc_figure_sink page = hc_figure_page(stream);
    if (report->result->n_steps == 0)
        return HC_OK;
    hc_html_section_start(stream, "steps", "Steps");
    hc_html_grid_start(stream);
    enum hc_status status = hc_whatif_step_figures(&page, report, err);
    hc_html_grid_end(stream);
    if (status == HC_OK)
        status = hc_whatif_html_step_maps(stream, report, err);
    hc_html_section_end(stream);
    return status;
}
