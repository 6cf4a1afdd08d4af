#include "reports/whatif/whatif_sections.h"

#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/page/section_html.h"
#include "reports/whatif/culprits/culprit_figure.h"
#include "reports/whatif/whatif_figures.h"
#include "reports/whatif/whatif_views.h"

#include <stdlib.h>

#define MAX_WORST 8  /* workers in the table */
#define NARROW    24 /* dp ranks that half the width of a page can show */

bool hc_whatif_html_has_workers(const struct hc_whatif_result *result)
{
    return result->n_workers > 0 &&
           (result->findings.has_exact || result->blocking[HC_BY_OP_TYPE].n_groups > 0);
}

/* ---- the map ---- */

static const char *what_is_shown(const struct hc_whatif_result *result)
{
    return result->findings.has_exact
               ? "Slowdown of the job if only this worker were as recorded and all others ideal, "
                 "simulated for each. A hot cell is a slow worker, a hot row an uneven stage."
               : "The smaller of the slowdowns of its dp rank and of its stage, each alone as "
                 "recorded: an approximation. A hot cell is a slow worker, a hot row an uneven "
                 "stage.";
}

enum hc_status hc_whatif_worker_figures(const struct hc_figure_sink *sink,
                                        const struct hc_whatif_report *report, struct hc_error *err)
{
    const struct hc_whatif_result *result = report->result;
    if (!hc_whatif_html_has_workers(result))
        return HC_OK;
    bool *is_marked;
    if (hc_culprit_workers(result, &is_marked, err))
        return err->status;
    char note[512];
    snprintf(note, sizeof note, "%s%s", what_is_shown(result),
             is_marked ? " In a frame: what is named above as slower than its peers." : "");
    struct hc_figure figure = {
        .kind = HC_FIGURE_MATRIX,
        .name = "workers",
        .title = "Slowdown by worker",
        .says = "Slowdown by dp rank and stage",
        .note = note,
        .is_wide = result->dp_size > NARROW,
        .matrix = hc_whatif_slowdown_map("dp rank", "stage", result->findings.worker_slowdown,
                                         result->n_workers),
    };
    figure.matrix.n_x = (size_t)result->dp_size;
    figure.matrix.n_y = (size_t)result->pp_size;
    figure.matrix.values = result->findings.worker_slowdown;
    figure.matrix.is_marked = is_marked;
    enum hc_status status = hc_figure_put(sink, &figure, err);
    free(is_marked);
    return status;
}

/* ---- the worst ---- */

static enum hc_status write_worst(FILE *stream, const struct hc_whatif_result *result,
                                  struct hc_error *err)
{
    fputs("<figure>\n", stream);
    hc_html_heading(stream, "The worst workers");
    enum hc_status status =
        hc_section_print_html(stream, hc_whatif_worst_workers_table(result, MAX_WORST), err);
    fputs("</figure>\n", stream);
    return status;
}

enum hc_status hc_whatif_html_workers(FILE *stream, const struct hc_whatif_report *report,
                                      struct hc_error *err)
{
    if (!hc_whatif_html_has_workers(report->result))
        return HC_OK;
    hc_html_section_start(stream, "workers", "Workers");
    hc_html_grid_start(stream);
    const struct hc_figure_sink page = hc_figure_page(stream);
    enum hc_status status = hc_whatif_worker_figures(&page, report, err);
    if (status == HC_OK)
        status = write_worst(stream, report->result, err);
    hc_html_grid_end(stream);
    hc_html_section_end(stream);
    return status;
}
