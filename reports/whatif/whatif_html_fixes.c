#include "reports/whatif/whatif_sections.h"

#include "core/base/memory.h"
#include "core/text/number_format.h"
#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/whatif/whatif_figures.h"
#include "reports/whatif/whatif_views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINEAR 40 /* beyond so many members the first few would not be seen */
#define MAX_NAMED  5
#define MAX_DOTS   61 /* on a log axis, where they come to lie on one another */

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

/* ---- what is said ---- */

static void describe_knee(char *note, size_t size, const struct hc_whatif_result *result,
                          enum hc_fix_kind kind)
{
    const struct hc_fix_curve *curve = &result->depth.fixes[kind];
    size_t n = curve->knee > 0 ? curve->points[curve->knee].n_fixed : MAX_NAMED, used = 0;
    char name[HC_MEMBER_TEXT], percent[HC_NUMBER_TEXT];
    n = n < curve->n_groups ? n : curve->n_groups;
    if (curve->knee > 0)
        used =
            (size_t)snprintf(note, size,
                             n == 1 ? "The first (%zu) brings %s, more bring little: "
                                    : "The first %zu bring %s, more bring little: ",
                             n, hc_format_percent(curve->points[curve->knee].recovered, percent));
    else
        used = (size_t)snprintf(note, size, "No clear knee. Worst first: ");
    for (size_t i = 0; i < n && i < MAX_NAMED; i++)
        used += (size_t)snprintf(note + used, size - used, "%s%s", i ? ", " : "",
                                 hc_fix_member_name(result, kind, curve->order[i], name));
    snprintf(note + used, size - used, "%s",
             n > MAX_NAMED || (curve->knee == 0 && n < curve->n_groups) ? ", ..." : ".");
}

/* ---- a curve ---- */

struct points {
    double *numbers, *shares;
    char (*lines)[64];
    const char **texts;
};

static void points_fini(struct points *points)
{
    free(points->numbers);
    free(points->lines);
    free(points->texts);
}

static enum hc_status points_init(struct points *points, const struct hc_fix_curve *curve,
                                  struct hc_error *err)
{
    size_t n = curve->n_points;
    char number[HC_NUMBER_TEXT];
    *points = (struct points){.numbers = hc_new_array(n, 2 * sizeof *points->numbers, err)};
    points->lines = points->numbers ? hc_new_array(n, sizeof *points->lines, err) : NULL;
    points->texts = points->lines ? hc_new_array(n, sizeof *points->texts, err) : NULL;
    if (!points->texts)
        return err->status;
    points->shares = points->numbers + n;
    for (size_t p = 0; p < n; p++) {
        points->numbers[p] = (double)curve->points[p].n_fixed;
        points->shares[p] = curve->points[p].recovered;
        points->texts[p] = points->lines[p];
        snprintf(points->lines[p], sizeof points->lines[p], "%zu fixed: %s",
                 curve->points[p].n_fixed, hc_format_percent(points->shares[p], number));
    }
    return HC_OK;
}

static enum hc_status put_curve(const struct hc_figure_sink *sink, const struct hc_fix_curve *curve,
                                const struct points *points, const char *const texts[3],
                                struct hc_error *err)
{
    char text[64], number[HC_NUMBER_TEXT];
    size_t n = curve->n_points;
    bool is_log = curve->n_groups > MAX_LINEAR;
    const struct hc_figure_series series[] = {
        {.kind = HC_SERIES_LINE,
         .color = HC_BLUE,
         .n = n,
         .x = points->numbers,
         .y = points->shares},
        {.kind = HC_SERIES_POINTS,
         .color = HC_BLUE,
         .n = is_log && n > MAX_DOTS ? MAX_DOTS : n,
         .x = points->numbers,
         .y = points->shares,
         .texts = points->texts},
    };
    const struct hc_figure_mark knee = {.x = points->numbers[curve->knee],
                                        .y = points->shares[curve->knee],
                                        .color = HC_VERMILLION,
                                        .text = text};
    struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = texts[0],
        .title = texts[1],
        .note = texts[2],
        .x = {.title = "number fixed",
              .low = is_log ? 1 : 0,
              .high = (double)curve->n_groups,
              .is_log = is_log,
              .is_counts = true},
        .y = {.title = "share of the excess that goes", .low = 0, .high = 1, .is_share = true},
        .n_series = 2,
        .series = series,
        .n_rules = 1,
        .rules = &(struct hc_figure_rule){.at = 1},
        .n_marks = curve->knee > 0,
        .marks = &knee,
    };
    snprintf(text, sizeof text, "knee: %zu, %s", curve->points[curve->knee].n_fixed,
             hc_format_percent(points->shares[curve->knee], number));
    hc_axis_widen(&figure.y, points->shares, n);
    hc_axis_round(&figure.y, 6);
    return hc_figure_put(sink, &figure, err);
}

static enum hc_status draw_curve(const struct hc_figure_sink *sink,
                                 const struct hc_whatif_result *result, enum hc_fix_kind kind,
                                 struct hc_error *err)
{
    static const char *const names[HC_N_FIX_KINDS] = {"fix-workers", "fix-stages", "fix-op-types"};
    const struct hc_fix_curve *curve = &result->depth.fixes[kind];
    struct points points;
    char title[64], note[640];
    enum hc_status status = points_init(&points, curve, err);
    if (status == HC_OK) {
        snprintf(title, sizeof title, "The worst %s fixed together", hc_fix_kind_text(kind));
        describe_knee(note, sizeof note, result, kind);
        status = put_curve(sink, curve, &points, (const char *[]){names[kind], title, note}, err);
    }
    points_fini(&points);
    return status;
}

enum hc_status hc_whatif_fix_figures(const struct hc_figure_sink *sink,
                                     const struct hc_whatif_report *report, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (int kind = 0; kind < HC_N_FIX_KINDS && status == HC_OK; kind++)
        if (is_drawn(&report->result->depth.fixes[kind]))
            status = draw_curve(sink, report->result, kind, err);
    return status;
}

enum hc_status hc_whatif_html_fixes(FILE *stream, const struct hc_whatif_report *report,
                                    struct hc_error *err)
{
    const struct hc_figure_sink page = hc_figure_page(stream);
    if (!hc_whatif_html_has_fixes(report->result))
        return HC_OK;
    hc_html_section_start(stream, "fixes", "What a fix would bring");
    hc_html_paragraph(stream, NULL,
                      "The worst few are made ideal together and all other ops stay as recorded. "
                      "100 %% is the ideal step.");
    hc_html_grid_start(stream);
    enum hc_status status = hc_whatif_fix_figures(&page, report, err);
    hc_html_grid_end(stream);
    hc_html_section_end(stream);
    return status;
}
