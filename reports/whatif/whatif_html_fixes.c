#include "reports/whatif/whatif_sections.h"

#include "core/base/memory.h"
#include "core/text/number_format.h"
#include "reports/page/html_page.h"
#include "reports/page/svg_chart.h"
#include "reports/whatif/whatif_views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINEAR 40 /* beyond so many members the first few would not be seen */
#define MAX_NAMED  5

static bool is_drawn(const struct hc_fix_curve *curve)
{
    return curve->n_groups > 0 && curve->n_points > 1 && isfinite(curve->points[1].recovered);
}

bool hc_whatif_html_has_fixes(const struct hc_whatif_result *result)
{
    for (int kind = 0; kind < HC_N_FIX_KINDS; kind++)
        if (is_drawn(&result->depth.fixes[kind]))
            return true;
    return false;
}

static struct hc_svg_chart make_chart(const struct hc_fix_curve *curve, const double *shares)
{
    struct hc_svg_chart chart = {.width = HC_SVG_WIDTH, .height = HC_SVG_HEIGHT};
    bool is_log = curve->n_groups > MAX_LINEAR;
    chart.x = (struct hc_svg_axis){.title = is_log ? "number fixed (log scale)" : "number fixed",
                                   .low = is_log ? 1 : 0,
                                   .high = (double)curve->n_groups,
                                   .is_log = is_log,
                                   .is_counts = true};
    chart.y = (struct hc_svg_axis){
        .title = "share of the excess that goes", .low = 0, .high = 1, .is_share = true};
    for (size_t p = 0; p < curve->n_points; p++) {
        chart.y.low = fmin(chart.y.low, shares[p]);
        chart.y.high = fmax(chart.y.high, shares[p]);
    }
    hc_svg_axis_round(&chart.y, 6);
    return chart;
}

static void write_note(FILE *stream, const struct hc_whatif_result *result, enum hc_fix_kind kind)
{
    const struct hc_fix_curve *curve = &result->depth.fixes[kind];
    size_t n = curve->knee > 0 ? curve->points[curve->knee].n_fixed : MAX_NAMED, used = 0;
    char note[640], name[HC_MEMBER_TEXT], percent[HC_NUMBER_TEXT];
    n = n < curve->n_groups ? n : curve->n_groups;
    if (curve->knee > 0)
        used =
            (size_t)snprintf(note, sizeof note,
                             n == 1 ? "The first (%zu) brings %s, more bring little: "
                                    : "The first %zu bring %s, more bring little: ",
                             n, hc_format_percent(curve->points[curve->knee].recovered, percent));
    else
        used = (size_t)snprintf(note, sizeof note, "No clear knee. Worst first: ");
    for (size_t i = 0; i < n && i < MAX_NAMED; i++)
        used += (size_t)snprintf(note + used, sizeof note - used, "%s%s", i ? ", " : "",
                                 hc_fix_member_name(result, kind, curve->order[i], name));
    snprintf(note + used, sizeof note - used, "%s",
             n > MAX_NAMED || (curve->knee == 0 && n < curve->n_groups) ? ", ..." : ".");
    hc_html_figure_end(stream, note);
}

static void draw(struct hc_svg_chart *chart, const struct hc_fix_curve *curve, const double *ns,
                 const double *shares)
{
    char text[64], number[HC_NUMBER_TEXT];
    hc_svg_chart_rule_y(chart, 1, NULL);
    hc_svg_chart_line(chart, "s1", ns, shares, curve->n_points);
    for (size_t p = 0; p < curve->n_points && !(chart->x.is_log && p > 60); p++) {
        snprintf(text, sizeof text, "%zu fixed: %s", curve->points[p].n_fixed,
                 hc_format_percent(shares[p], number));
        hc_svg_chart_dot(chart, "s1", ns[p], shares[p], text);
    }
    if (curve->knee > 0) {
        snprintf(text, sizeof text, "knee: %zu, %s", curve->points[curve->knee].n_fixed,
                 hc_format_percent(shares[curve->knee], number));
        hc_svg_chart_mark(chart, "s2", ns[curve->knee], shares[curve->knee], text);
    }
}

static enum hc_status write_curve(FILE *stream, const struct hc_whatif_result *result,
                                  enum hc_fix_kind kind, struct hc_error *err)
{
    const struct hc_fix_curve *curve = &result->depth.fixes[kind];
    char title[64];
    if (!is_drawn(curve))
        return HC_OK;
    double *ns = hc_new_array(curve->n_points, 2 * sizeof *ns, err);
    if (!ns)
        return err->status;
    double *shares = ns + curve->n_points;
    for (size_t p = 0; p < curve->n_points; p++) {
        ns[p] = (double)curve->points[p].n_fixed;
        shares[p] = curve->points[p].recovered;
    }
    snprintf(title, sizeof title, "The worst %s fixed together", hc_fix_kind_text(kind));
    struct hc_svg_chart chart = make_chart(curve, shares);
    hc_html_figure_start(stream, title, false);
    hc_svg_chart_start(&chart, stream, title);
    draw(&chart, curve, ns, shares);
    hc_svg_chart_end(&chart);
    write_note(stream, result, kind);
    free(ns);
    return HC_OK;
}

enum hc_status hc_whatif_html_fixes(FILE *stream, const struct hc_whatif_report *report,
                                    struct hc_error *err)
{
    enum hc_status status = HC_OK;
    if (!hc_whatif_html_has_fixes(report->result))
        return HC_OK;
    hc_html_section_start(stream, "fixes", "What a fix would bring");
    hc_html_paragraph(stream, NULL,
                      "The worst few are made ideal together and all other ops stay as recorded. "
                      "100 %% is the ideal step.");
    hc_html_grid_start(stream);
    for (int kind = 0; kind < HC_N_FIX_KINDS && status == HC_OK; kind++)
        status = write_curve(stream, report->result, kind, err);
    hc_html_grid_end(stream);
    hc_html_section_end(stream);
    return status;
}
