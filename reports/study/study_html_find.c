/* What was sought with `find`, and the tornado of the sensitivities. */
#include "reports/page/section_html.h"
#include "reports/study/study_found.h"
#include "reports/study/study_sections.h"
#include "reports/study/study_tables.h"

#include "core/base/memory.h"
#include "reports/figure/svg_ranges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TRIES 200
#define MAX_DRAWN 1000
#define MAX_BARS  24

/* ---- find ---- */

struct tries {
    double *xs, *means, *lows, *highs;
    size_t n;
};

static enum hc_status make_tries(struct tries *tries, const struct hc_study_found *found,
                                 struct hc_error *err)
{
    size_t n = found->n_tries < MAX_DRAWN ? found->n_tries : MAX_DRAWN;
    tries->n = n;
    tries->xs = hc_new_array(n, 4 * sizeof *tries->xs, err);
    if (!tries->xs)
        return err->status;
    tries->means = tries->xs + n;
    tries->lows = tries->xs + 2 * n;
    tries->highs = tries->xs + 3 * n;
    for (size_t i = 0; i < n; i++) {
        /* With more tries than are drawn, evenly spread ones. */
        const struct hc_study_try *t =
            &found->tries[n > 1 ? i * (found->n_tries - 1) / (n - 1) : 0];
        tries->xs[i] = t->number;
        tries->means[i] = t->value.mean;
        tries->lows[i] = isfinite(t->value.low) ? t->value.low : t->value.mean;
        tries->highs[i] = isfinite(t->value.high) ? t->value.high : t->value.mean;
    }
    return HC_OK;
}

static void widen(struct hc_axis *axis, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isfinite(values[i])) {
            axis->low = fmin(axis->low, values[i]);
            axis->high = fmax(axis->high, values[i]);
        }
}

/* The rule is text of its own: where the condition is met. */
static void draw_tries(FILE *stream, const struct hc_study_result *result,
                       const struct tries *tries, size_t column, double bound)
{
    const struct hc_study_found *found = &result->found;
    char x_title[HC_STUDY_TEXT], y_title[HC_STUDY_TEXT], text[HC_STUDY_TEXT],
        mark[HC_STUDY_TEXT + 16], path[128], condition[128];
    struct hc_svg_chart chart = {.width = HC_SVG_WIDE_WIDTH, .height = HC_SVG_HEIGHT};
    double low = tries->xs[0], high = tries->xs[tries->n - 1];
    bool is_log = low > 0 && high / low >= 50;
    snprintf(x_title, sizeof x_title, "%.120s%s%.20s",
             hc_svg_fit(path, sizeof path, found->path, 700), found->unit[0] ? ", " : "",
             found->unit);
    chart.x = (struct hc_axis){.title = x_title, .low = low, .high = high, .is_log = is_log};
    if (low == high)
        hc_axis_round(&chart.x, 4);
    static const struct hc_study_column unknown = {.title = "figure", .unit = ""};
    double size = 0;
    for (size_t i = 0; i < found->n_tries; i++)
        size = hc_study_html_size(&found->tries[i].value, size);
    chart.y = hc_study_html_axis(column == HC_STUDY_NONE ? &unknown : &result->column[column], size,
                                 y_title);
    widen(&chart.y, tries->lows, tries->n);
    widen(&chart.y, tries->highs, tries->n);
    widen(&chart.y, &bound, 1);
    hc_axis_round(&chart.y, 6);
    hc_svg_chart_start(&chart, stream, "The values that were tried");
    hc_svg_chart_band(&chart, "s1", tries->xs, tries->lows, tries->highs, tries->n);
    hc_svg_chart_line(&chart, "s1", tries->xs, tries->means, tries->n);
    hc_svg_chart_rule_y(&chart, bound,
                        hc_svg_fit(condition, sizeof condition, found->such_that, 400));
    for (size_t i = 0; i < tries->n && tries->n <= MAX_TRIES; i++)
        hc_svg_chart_dot(&chart, "s1", tries->xs[i], tries->means[i], NULL);
    for (size_t i = 0; i < tries->n && found->is_found; i++)
        if (tries->xs[i] == found->number) {
            snprintf(mark, sizeof mark, "found: %s",
                     hc_study_html_given(found->number, found->unit, text));
            hc_svg_chart_mark(&chart, "s2", tries->xs[i], tries->means[i], mark);
            break;
        }
    hc_svg_chart_end(&chart);
}

static void write_tries(FILE *stream, const struct hc_study_result *result)
{
    struct hc_study_listing table;
    hc_study_tries_table(&table, result, MAX_TRIES);
    hc_section_write_html(stream, &table.section);
    hc_section_fini(&table.section);
    hc_study_html_left_out(stream, result->found.n_tries, MAX_TRIES, "values that were tried");
}

static const char *what_it_rests_on(const struct hc_study_found *found, char text[HC_FOUND_WORDS])
{
    static const char *const words[] = {
        [HC_FOUND_ALL_TRIED] = "; none is better and meets it",
        [HC_FOUND_NEXT_FAILS] =
            ("; the next better one than the answer fails, and that the condition "
             "changes only once is taken for granted"),
        [HC_FOUND_OF_TRIED] = "; what lies between them is not known"};
    return found->is_found ? words[found->proof] : hc_study_found_none(found, text);
}

enum hc_status hc_study_html_find(FILE *stream, const struct hc_study_result *result,
                                  struct hc_error *err)
{
    const struct hc_study_found *found = &result->found;
    struct tries tries = {.n = 0};
    if (!found->is_asked)
        return HC_OK;
    if (make_tries(&tries, found, err))
        return err->status;
    hc_html_section_start(stream, "find", "What was sought");
    char noun[HC_FOUND_WORDS], rests[HC_FOUND_WORDS];
    hc_html_paragraph(stream, NULL, "The %s with %s. These are the values that were tried%s.",
                      hc_study_found_noun(found, noun), found->such_that,
                      what_it_rests_on(found, rests));
    if (tries.n > 0) {
        hc_html_figure_start(stream, "The values that were tried", true);
        draw_tries(stream, result, &tries, found->column, found->bound);
        hc_html_figure_end(stream, "Means and their intervals; the dashed line is the bound of the "
                                   "condition.");
        write_tries(stream, result);
    } else {
        hc_html_paragraph(stream, NULL, "No value was tried.");
    }
    hc_html_section_end(stream);
    free(tries.xs);
    return HC_OK;
}

/* ---- tornado ---- */

enum { LOW, HIGH };

struct tornado {
    struct hc_svg_tornado_row *row;
    char (*text)[2][HC_STUDY_TEXT];
};

static void fill_bars(struct tornado *tornado, const struct hc_study_bar *bars, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct hc_study_bar *bar = &bars[i];
        hc_study_html_given(bar->low, "", tornado->text[i][LOW]);
        hc_study_html_given(bar->high, "", tornado->text[i][HIGH]);
        tornado->row[i] = (struct hc_svg_tornado_row){
            .name = bar->path,
            .low_text = tornado->text[i][LOW],
            .high_text = tornado->text[i][HIGH],
            .at_low = bar->at_low.mean,
            .at_high = bar->at_high.mean,
            .low_interval = {bar->at_low.low, bar->at_low.high},
            .high_interval = {bar->at_high.low, bar->at_high.high},
        };
    }
}

static enum hc_status draw_bars(FILE *stream, const struct hc_study_result *result, double base,
                                struct hc_error *err)
{
    const struct hc_study_column *column = result->bar_column;
    size_t n = result->n_bars < MAX_BARS ? result->n_bars : MAX_BARS;
    char title[HC_STUDY_TEXT], head[HC_STUDY_TEXT];
    double size = 0;
    for (size_t i = 0; i < n; i++)
        size = hc_study_html_size(&result->bar[i].at_high,
                                  hc_study_html_size(&result->bar[i].at_low, size));
    const struct hc_axis axis = hc_study_html_axis(column, size, title);
    struct tornado tornado = {.row = hc_new_array(n, sizeof *tornado.row, err)};
    tornado.text = tornado.row ? hc_new_array(n, sizeof *tornado.text, err) : NULL;
    enum hc_status status = tornado.text ? HC_OK : err->status;
    if (status == HC_OK) {
        fill_bars(&tornado, result->bar, n);
        hc_html_grid_start(stream);
        hc_html_figure_start(stream, hc_study_html_head(column, head), false);
        hc_svg_tornado(stream, "What each key changes", &axis, base, tornado.row, n);
        hc_html_figure_end(stream, "The dashed line is the base. At the end of each bar stands "
                                   "the value of the key, and the interval of the figure there.");
        hc_html_grid_end(stream);
        hc_study_html_left_out(stream, result->n_bars, n, "keys as bars");
    }
    free(tornado.text);
    free(tornado.row);
    return status;
}

static void write_bars(FILE *stream, const struct hc_study_result *result)
{
    static const struct hc_html_column columns[] = {{"key", false}, {"base", true},
                                                    {"low", true},  {"figure", true},
                                                    {"high", true}, {"figure", true}};
    const char *unit = result->bar_column->unit;
    struct hc_html_table table;
    char text[HC_STUDY_TEXT];
    hc_html_table_start(&table, stream, NULL, columns, 6);
    for (size_t i = 0; i < result->n_bars && i < MAX_TRIES; i++) {
        const struct hc_study_bar *bar = &result->bar[i];
        hc_html_row(&table);
        hc_html_cell(&table, "%s", bar->path);
        hc_html_cell(&table, "%s", hc_study_html_given(bar->base, bar->unit, text));
        hc_html_cell(&table, "%s", hc_study_html_given(bar->low, bar->unit, text));
        hc_html_cell(&table, "%s", hc_study_html_value(&bar->at_low, unit, text));
        hc_html_cell(&table, "%s", hc_study_html_given(bar->high, bar->unit, text));
        hc_html_cell(&table, "%s", hc_study_html_value(&bar->at_high, unit, text));
    }
    hc_html_table_end(&table);
    hc_study_html_left_out(stream, result->n_bars, MAX_TRIES, "keys");
}

enum hc_status hc_study_html_tornado(FILE *stream, const struct hc_study_result *result,
                                     struct hc_error *err)
{
    if (result->n_bars == 0 || !result->bar_column)
        return HC_OK;
    hc_html_section_start(stream, "tornado", "Sensitivity");
    hc_html_paragraph(stream, NULL,
                      "One key at a time at a low and at a high value, all others as in the "
                      "scenario; what moves %s most is on top. What two keys do together is not in "
                      "it.",
                      result->bar_column->title);
    enum hc_status status = draw_bars(stream, result, result->order.bar_base, err);
    if (status == HC_OK)
        write_bars(stream, result);
    hc_html_section_end(stream);
    return status;
}
