#include "reports/whatif/whatif_sections.h"

#include "core/base/memory.h"
#include "core/text/number_format.h"
#include "reports/page/html_page.h"
#include "reports/page/svg_chart.h"
#include "reports/page/svg_heatmap.h"
#include "reports/whatif/whatif_views.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MAX_SMALL_WORKERS 64 /* a map of its own for each step up to these */
#define MAX_SMALL_STEPS   60
#define MAX_STAGE_MAPS    4 /* a map for each stage up to so many */

/* ---- a small map of each step ---- */

static enum hc_status small_map(FILE *stream, const struct hc_whatif_result *result, size_t step,
                                double *values, struct hc_error *err)
{
    char label[96], number[HC_NUMBER_TEXT];
    for (size_t w = 0; w < result->n_workers; w++)
        values[w] = hc_worker_step_slowdown(result, w, step);
    const struct hc_svg_heatmap map = {
        .n_x = (size_t)result->dp_size,
        .n_y = (size_t)result->pp_size,
        .values = values,
        .low = HC_MAP_LOW,
        .high = HC_MAP_HIGH,
        .x_name = "dp rank",
        .y_name = "stage",
        .width = 120,
        .is_small = true,
    };
    snprintf(label, sizeof label, "Slowdown by worker in step %" PRId32, result->steps[step]);
    fputs("<figure class=\"map\">", stream);
    enum hc_status status = hc_svg_heatmap(stream, label, &map, err);
    fputs("<figcaption>", stream);
    hc_html_textf(stream, "%" PRId32 ": S %s", result->steps[step],
                  hc_format_fixed(result->step_slowdown[step], 2, number));
    fputs("</figcaption></figure>\n", stream);
    return status;
}

static enum hc_status small_maps(FILE *stream, const struct hc_whatif_result *result,
                                 struct hc_error *err)
{
    double *values = hc_new_array(result->n_workers, sizeof *values, err);
    enum hc_status status = values ? HC_OK : err->status;
    hc_html_figure_start(stream, "The workers in each step", true);
    fputs("<div class=\"legend\">\n", stream);
    hc_svg_heatmap_legend(stream, HC_MAP_LOW, HC_MAP_HIGH);
    fputs("</div>\n<div class=\"maps\">\n", stream);
    for (size_t s = 0; s < result->n_steps && status == HC_OK; s++)
        status = small_map(stream, result, s, values, err);
    fputs("</div>\n", stream);
    hc_html_figure_end(stream,
                       "One map a step, with its number and slowdown: dp ranks from left to "
                       "right, stages from top to bottom. A spot that stays is a slow "
                       "worker, one that wanders points to the data or to pauses.");
    free(values);
    return status;
}

/* ---- a row a step ---- */

/* What the maps of a large job show: the largest of some workers, by dp rank or by stage. */
struct projection {
    bool by_stage; /* columns are stages, else dp ranks */
    size_t n_columns;
    int32_t first_stage, n_stages; /* of dp ranks: those looked at */
};

static double largest_of(const struct hc_whatif_result *result, const struct projection *p,
                         size_t column, size_t step)
{
    size_t n_stages = (size_t)result->pp_size, n_dp = (size_t)result->dp_size;
    double largest = NAN;
    if (p->by_stage)
        for (size_t d = 0; d < n_dp; d++)
            largest = fmax(largest, hc_worker_step_slowdown(result, d * n_stages + column, step));
    else
        for (int32_t s = p->first_stage; s < p->first_stage + p->n_stages; s++)
            largest =
                fmax(largest, hc_worker_step_slowdown(result, column * n_stages + (size_t)s, step));
    return largest;
}

static void fold_note(FILE *stream, const struct hc_svg_heatmap *map, const char *what)
{
    char note[320];
    size_t fold_x, fold_y;
    hc_svg_heatmap_fold(map, &fold_x, &fold_y);
    int n = snprintf(note, sizeof note, "%s", what);
    if (fold_x > 1 || fold_y > 1)
        snprintf(note + n, sizeof note - (size_t)n,
                 " One cell stands for up to %zu columns and %zu steps, and shows the largest.",
                 fold_x, fold_y);
    hc_html_figure_end(stream, note);
}

static enum hc_status step_map(FILE *stream, const struct hc_whatif_result *result,
                               const struct projection *p, const char *texts[2],
                               struct hc_error *err)
{
    double *values = hc_new_array(p->n_columns * result->n_steps, sizeof *values, err);
    if (!values)
        return err->status;
    for (size_t x = 0; x < p->n_columns; x++)
        for (size_t s = 0; s < result->n_steps; s++)
            values[x * result->n_steps + s] = largest_of(result, p, x, s);
    bool is_wide = p->n_columns > 32;
    const struct hc_svg_heatmap map = {
        .n_x = p->n_columns,
        .n_y = result->n_steps,
        .values = values,
        .low = HC_MAP_LOW,
        .high = HC_MAP_HIGH,
        .x_name = p->by_stage ? "stage" : "dp rank",
        .y_name = "step",
        .y_ids = result->steps,
        .width = is_wide ? HC_SVG_WIDE_WIDTH : HC_SVG_WIDTH,
    };
    hc_html_figure_start(stream, texts[0], is_wide);
    enum hc_status status = hc_svg_heatmap(stream, texts[0], &map, err);
    fold_note(stream, &map, texts[1]);
    free(values);
    return status;
}

static enum hc_status stage_maps(FILE *stream, const struct hc_whatif_result *result,
                                 struct hc_error *err)
{
    for (int32_t stage = 0; stage < result->pp_size; stage++) {
        char title[64];
        const struct projection p = {
            .n_columns = (size_t)result->dp_size, .first_stage = stage, .n_stages = 1};
        snprintf(title, sizeof title, "The workers of stage %" PRId32 " in each step", stage);
        if (step_map(stream, result, &p,
                     (const char *[]){title, "A row is a step. A line from top to bottom is a slow "
                                             "worker, scattered spots are a straggler that "
                                             "wanders."},
                     err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status projected_maps(FILE *stream, const struct hc_whatif_result *result,
                                     struct hc_error *err)
{
    const struct projection by_dp = {.n_columns = (size_t)result->dp_size,
                                     .n_stages = result->pp_size};
    const struct projection by_stage = {.by_stage = true, .n_columns = (size_t)result->pp_size};
    if (step_map(stream, result, &by_dp,
                 (const char *[]){"The worst stage of each dp rank in each step",
                                  "A cell shows the largest slowdown of its stages."},
                 err))
        return err->status;
    return step_map(stream, result, &by_stage,
                    (const char *[]){"The worst dp rank of each stage in each step",
                                     "A cell shows the largest slowdown of its dp ranks."},
                    err);
}

enum hc_status hc_whatif_html_step_maps(FILE *stream, const struct hc_whatif_result *result,
                                        struct hc_error *err)
{
    if (!result->worker_end_ns || result->n_workers == 0)
        return HC_OK;
    if (result->n_workers <= MAX_SMALL_WORKERS && result->n_steps <= MAX_SMALL_STEPS)
        return small_maps(stream, result, err);
    hc_html_grid_start(stream);
    enum hc_status status = result->pp_size <= MAX_STAGE_MAPS ? stage_maps(stream, result, err)
                                                              : projected_maps(stream, result, err);
    hc_html_grid_end(stream);
    return status;
}
