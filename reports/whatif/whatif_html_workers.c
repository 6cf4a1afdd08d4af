#include "reports/whatif/whatif_sections.h"

#include "core/tables/table.h"
#include "core/text/number_format.h"
#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/whatif/whatif_figures.h"
#include "reports/whatif/whatif_views.h"

#include <inttypes.h>
#include <math.h>

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
    const struct hc_figure figure = {
        .kind = HC_FIGURE_MATRIX,
        .name = "workers",
        .title = "Slowdown by worker",
        .says = "Slowdown by dp rank and stage",
        .note = what_is_shown(result),
        .is_wide = result->dp_size > NARROW,
        .matrix = {.n_x = (size_t)result->dp_size,
                   .n_y = (size_t)result->pp_size,
                   .values = result->findings.worker_slowdown,
                   .low = HC_MAP_LOW,
                   .high = HC_MAP_HIGH,
                   .value = "slowdown",
                   .x_name = "dp rank",
                   .y_name = "stage"},
    };
    return hc_figure_put(sink, &figure, err);
}

/* ---- the worst ---- */

static void write_worker(struct hc_html_table *table, const struct hc_whatif_result *result,
                         const struct hc_worker *worker)
{
    char number[HC_NUMBER_TEXT];
    const char *node = hc_job_node(&result->job, worker->rank);
    hc_html_row(table);
    hc_html_cell(table, "%" PRId32, worker->rank);
    hc_html_cell(table, "%" PRId32, worker->dp_rank);
    hc_html_cell(table, "%" PRId32, worker->stage);
    hc_html_cell(table, "%s", hc_format_fixed(worker->exact > 0 ? worker->exact : NAN, 3, number));
    hc_html_cell(table, "%s", hc_format_fixed(worker->slowdown, 3, number));
    if (result->job.n_nodes > 0)
        hc_html_cell(table, "%s", node ? node : "-");
}

static void write_difference(FILE *stream, const struct hc_whatif_result *result)
{
    const struct hc_whatif_findings *findings = &result->findings;
    char number[HC_NUMBER_TEXT], name[HC_MEMBER_TEXT];
    if (findings->has_exact && findings->approximation_error > 0)
        hc_html_paragraph(stream, "note",
                          "Approx.: the smaller of the slowdowns of its dp rank and stage. "
                          "Over all workers it is off by up to %s, at %s.",
                          hc_format_fixed(findings->approximation_error, 3, number),
                          hc_fix_member_name(result, HC_FIX_WORKERS,
                                             (int32_t)findings->approximation_worst, name));
}

static void write_worst(FILE *stream, const struct hc_whatif_result *result)
{
    static const struct hc_html_column columns[] = {{"rank", true},    {"dp rank", true},
                                                    {"stage", true},   {"S exact", true},
                                                    {"approx.", true}, {"node", false}};
    struct hc_html_table table;
    fputs("<figure>\n", stream);
    hc_html_heading(stream, "The worst workers");
    hc_html_table_start(&table, stream, NULL, columns, result->job.n_nodes > 0 ? 6 : 5);
    for (size_t i = 0; i < result->n_workers && i < MAX_WORST; i++)
        write_worker(&table, result, &result->workers[result->findings.workers[i]]);
    hc_html_table_end(&table);
    write_difference(stream, result);
    fputs("</figure>\n", stream);
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
    write_worst(stream, report->result);
    hc_html_grid_end(stream);
    hc_html_section_end(stream);
    return status;
}
