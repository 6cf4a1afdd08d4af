#include "reports/whatif/whatif_sections.h"

#include "core/base/memory.h"
#include "core/text/number_format.h"
#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/whatif/whatif_figures.h"
#include "reports/whatif/whatif_views.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MAX_SMALL_WORKERS 64 /* a map of its own for each step up to these */
#define MAX_SMALL_STEPS   60
#define MAX_STAGE_MAPS    4 /* a map for each stage up to so many */

struct hc_figure_matrix hc_whatif_slowdown_map(const char *x_name, const char *y_name,
                                               const double *values, size_t n)
{
    static const double highs[] = {1.1, 1.2, 1.3, 1.5, 2, 3};
    double largest = 1;
    size_t at = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, values[i]); /* NaN is passed over */
    while (at + 1 < sizeof highs / sizeof highs[0] && largest > highs[at])
        at++;
    return (struct hc_figure_matrix){.low = 1,
                                     .high = highs[at],
                                     .is_whole_range = largest <= highs[at],
                                     .value = "slowdown",
                                     .x_name = x_name,
                                     .y_name = y_name};
}

/* ---- a small map of each step ---- */

struct panel_text {
    char name[32], caption[64];
};

static void fill_panel(struct hc_figure_panel *panel, struct panel_text *text, double *values,
                       const struct hc_whatif_result *result, size_t step)
{
    char number[HC_NUMBER_TEXT];
    for (size_t w = 0; w < result->n_workers; w++)
        values[w] = hc_worker_step_slowdown(result, w, step);
    snprintf(text->name, sizeof text->name, "step %" PRId32, result->steps[step]);
    snprintf(text->caption, sizeof text->caption, "%" PRId32 ": S %s", result->steps[step],
             hc_format_fixed(result->step_slowdown[step], 2, number));
    *panel = (struct hc_figure_panel){text->name, text->caption, values};
}

static enum hc_status small_maps(const struct hc_figure_sink *sink,
                                 const struct hc_whatif_result *result, struct hc_error *err)
{
    size_t n = result->n_steps, n_workers = result->n_workers;
    double *values = hc_new_array(n * n_workers, sizeof *values, err);
    struct hc_figure_panel *panels = values ? hc_new_array(n, sizeof *panels, err) : NULL;
    struct panel_text *texts = panels ? hc_new_array(n, sizeof *texts, err) : NULL;
    enum hc_status status = texts ? HC_OK : err->status;
    if (texts) {
        for (size_t s = 0; s < n; s++)
            fill_panel(&panels[s], &texts[s], values + s * n_workers, result, s);
        struct hc_figure figure = {
            .kind = HC_FIGURE_MAPS,
            .name = "step-workers",
            .title = "The workers in each step",
            .says = "Slowdown by worker",
            .note = "One map a step, with its number and slowdown: dp ranks from left to right, "
                    "stages from top to bottom. A spot that stays is a slow worker, one that "
                    "wanders points to the data or to pauses.",
            .is_wide = true,
            .matrix = hc_whatif_slowdown_map("dp rank", "stage", values, n * n_workers),
            .n_panels = n,
            .panels = panels,
        };
        figure.matrix.n_x = (size_t)result->dp_size;
        figure.matrix.n_y = (size_t)result->pp_size;
        status = hc_figure_put(sink, &figure, err);
    }
    free(texts);
    free(panels);
    free(values);
    return status;
}

/* ---- a row a step ---- */

/* What the maps of a large job show: the largest of some workers, by dp rank or by stage. */
struct projection {
    bool by_stage; /* columns are stages, else dp ranks */
    size_t n_columns;
    size_t first_stage, n_stages; /* of dp ranks: those looked at */
};

/* name, title and note of a figure. */
static enum hc_status step_map(const struct hc_figure_sink *sink,
                               const struct hc_whatif_result *result, const struct projection *p,
                               const char *const texts[3], struct hc_error *err)
{
    double *values = hc_new_array(p->n_columns * result->n_steps, sizeof *values, err);
    if (!values)
        return err->status;
    for (size_t x = 0; x < p->n_columns; x++)
        for (size_t s = 0; s < result->n_steps; s++)
            values[x * result->n_steps + s] =
                p->by_stage ? hc_stage_step_slowdown(result, x, s)
                            : hc_dp_rank_step_slowdown(result, x, p->first_stage, p->n_stages, s);
    struct hc_figure figure = {
        .kind = HC_FIGURE_MATRIX,
        .name = texts[0],
        .title = texts[1],
        .note = texts[2],
        .is_wide = p->n_columns > 32,
        .matrix = hc_whatif_slowdown_map(p->by_stage ? "stage" : "dp rank", "step", values,
                                         p->n_columns * result->n_steps),
    };
    figure.matrix.n_x = p->n_columns;
    figure.matrix.n_y = result->n_steps;
    figure.matrix.values = values;
    figure.matrix.y_ids = result->steps;
    enum hc_status status = hc_figure_put(sink, &figure, err);
    free(values);
    return status;
}

static enum hc_status stage_maps(const struct hc_figure_sink *sink,
                                 const struct hc_whatif_result *result, struct hc_error *err)
{
    for (int32_t stage = 0; stage < result->pp_size; stage++) {
        char name[48], title[64];
        const struct projection p = {
            .n_columns = (size_t)result->dp_size, .first_stage = (size_t)stage, .n_stages = 1};
        snprintf(name, sizeof name, "step-workers-stage-%" PRId32, stage);
        snprintf(title, sizeof title, "The workers of stage %" PRId32 " in each step", stage);
        if (step_map(sink, result, &p,
                     (const char *[]){name, title,
                                      "A row is a step. A line from top to bottom is a slow "
                                      "worker, scattered spots are a straggler that wanders."},
                     err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status projected_maps(const struct hc_figure_sink *sink,
                                     const struct hc_whatif_result *result, struct hc_error *err)
{
    const struct projection by_dp = {.n_columns = (size_t)result->dp_size,
                                     .n_stages = (size_t)result->pp_size};
    const struct projection by_stage = {.by_stage = true, .n_columns = (size_t)result->pp_size};
    if (step_map(sink, result, &by_dp,
                 (const char *[]){"step-dp-ranks", "The worst stage of each dp rank in each step",
                                  "A cell shows the largest slowdown of its stages."},
                 err))
        return err->status;
    return step_map(sink, result, &by_stage,
                    (const char *[]){"step-stages", "The worst dp rank of each stage in each step",
                                     "A cell shows the largest slowdown of its dp ranks."},
                    err);
}

static bool has_maps(const struct hc_whatif_result *result)
{
    return result->worker_end_ns && result->n_workers > 0;
}

static bool is_small(const struct hc_whatif_result *result)
{
    return result->n_workers <= MAX_SMALL_WORKERS && result->n_steps <= MAX_SMALL_STEPS;
}

enum hc_status hc_whatif_step_map_figures(const struct hc_figure_sink *sink,
                                          const struct hc_whatif_report *report,
                                          struct hc_error *err)
{
    const struct hc_whatif_result *result = report->result;
    if (!has_maps(result))
        return HC_OK;
    if (is_small(result))
        return small_maps(sink, result, err);
    return result->pp_size <= MAX_STAGE_MAPS ? stage_maps(sink, result, err)
                                             : projected_maps(sink, result, err);
}

enum hc_status hc_whatif_html_step_maps(FILE *stream, const struct hc_whatif_report *report,
                                        struct hc_error *err)
{
    const struct hc_figure_sink page = hc_figure_page(stream);
    bool is_grid = has_maps(report->result) && !is_small(report->result);
    if (is_grid)
        hc_html_grid_start(stream);
    enum hc_status status = hc_whatif_step_map_figures(&page, report, err);
    if (is_grid)
        hc_html_grid_end(stream);
    return status;
}
