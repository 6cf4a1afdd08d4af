/* What was sought with `find`, and the tornado of the sensitivities. */
#include "reports/page/section_html.h"
#include "reports/study/study_found.h"
#include "reports/study/study_sections.h"
#include "reports/study/study_tables.h"
#include "reports/study/study_winner.h"

#include "core/base/memory.h"

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

/* The mark upon the value that was found: how many there are, 0 or 1. */
static size_t find_mark(struct hc_figure_mark *mark, const struct hc_study_found *found,
                        const struct tries *tries)
{
    for (size_t i = 0; i < tries->n && found->is_found; i++)
        if (tries->xs[i] == found->number) {
            mark->x = tries->xs[i];
            mark->y = tries->means[i];
            return 1;
        }
    return 0;
}

static enum hc_status put_tries(const struct hc_figure_sink *figures,
                                const struct hc_study_found *found, const struct tries *tries,
                                const struct hc_axis *y, struct hc_error *err)
{
    char text[HC_STUDY_TEXT], mark_text[HC_STUDY_TEXT + 16];
    double low = tries->xs[0], high = tries->xs[tries->n - 1];
    struct hc_figure_mark mark = {.color = HC_VERMILLION, .text = mark_text};
    const struct hc_figure_series of = {
        .color = HC_BLUE, .n = tries->n, .x = tries->xs, .y = tries->means};
    struct hc_figure_series series[] = {of, of, of};
    series[0].kind = HC_SERIES_BAND;
    series[0].y = tries->lows;
    series[0].high = tries->highs;
    series[1].kind = HC_SERIES_LINE;
    series[2].kind = HC_SERIES_POINTS;
    struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = "find",
        .title = "The values that were tried",
        .note = "Means and their intervals; the dashed line is the bound of the condition.",
        .is_wide = true,
        .x = {.title = found->path,
              .unit = found->unit,
              .low = low,
              .high = high,
              .is_log = low > 0 && high / low >= 50},
        .y = *y,
        .n_series = tries->n <= MAX_TRIES ? 3 : 2,
        .series = series,
        .n_rules = 1,
        .rules = &(struct hc_figure_rule){.at = found->bound, .text = found->such_that},
        .n_marks = find_mark(&mark, found, tries),
        .marks = &mark,
    };
    snprintf(mark_text, sizeof mark_text, "found: %s",
             hc_study_html_given(found->number, found->unit, text));
    if (low == high)
        hc_axis_round(&figure.x, 4);
    return hc_figure_put(figures, &figure, err);
}

static enum hc_status draw_tries(const struct hc_figure_sink *figures,
                                 const struct hc_study_result *result, const struct tries *tries,
                                 struct hc_error *err)
{
    static const struct hc_study_column unknown = {.title = "figure", .unit = ""};
    const struct hc_study_found *found = &result->found;
    double size = 0;
    for (size_t i = 0; i < found->n_tries; i++)
        size = hc_study_html_size(&found->tries[i].value, size);
    struct hc_axis y = hc_study_html_axis(
        found->column == HC_STUDY_NONE ? &unknown : &result->column[found->column], size);
    hc_axis_widen(&y, tries->lows, tries->n);
    hc_axis_widen(&y, tries->highs, tries->n);
    hc_axis_widen(&y, &found->bound, 1);
    hc_axis_round(&y, 6);
    return put_tries(figures, found, tries, &y, err);
}

static enum hc_status write_tries(FILE *stream, const struct hc_study_result *result,
                                  struct hc_error *err)
{
    struct hc_study_listing table;
    hc_study_tries_table(&table, result, MAX_TRIES);
    enum hc_status status = hc_section_print_html(stream, table.section, err);
    hc_study_html_remainder(stream, result->found.n_tries, MAX_TRIES, "values that were tried");
    return status;
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

enum hc_status hc_study_html_find(FILE *stream, const struct hc_figure_sink *figures,
                                  const struct hc_study_result *result, struct hc_error *err)
{
    const struct hc_study_found *found = &result->found;
    struct tries tries = {.n = 0};
    enum hc_status status = HC_OK;
    if (!found->is_asked)
        return HC_OK;
    if (make_tries(&tries, found, err))
        return err->status;
    hc_html_section_start(stream, "find", "What was sought");
    char noun[HC_FOUND_WORDS], rests[HC_FOUND_WORDS];
    hc_html_paragraph(stream, NULL, "The %s with %s. These are the values that were tried%s.",
                      hc_study_found_noun(found, noun), found->such_that,
                      what_it_rests_on(found, rests));
    char again[HC_WINNER_WORDS];
    if (*hc_study_found_again(result, again))
        hc_html_paragraph(stream, NULL, "%s", again);
    if (tries.n > 0) {
        status = draw_tries(figures, result, &tries, err);
        if (status == HC_OK)
            status = write_tries(stream, result, err);
    } else {
        hc_html_paragraph(stream, NULL, "No value was tried.");
    }
    hc_html_section_end(stream);
    free(tries.xs);
    return status;
}

/* ---- tornado ---- */

enum { LOW, HIGH };

struct tornado {
    struct hc_figure_key *row;
    char (*text)[2][HC_STUDY_TEXT];
};

static void fill_bars(struct tornado *tornado, const struct hc_study_bar *bars, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct hc_study_bar *bar = &bars[i];
        hc_study_html_given(bar->low, "", tornado->text[i][LOW]);
        hc_study_html_given(bar->high, "", tornado->text[i][HIGH]);
        tornado->row[i] = (struct hc_figure_key){
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

static enum hc_status draw_bars(const struct hc_figure_sink *figures,
                                const struct hc_study_result *result, double base,
                                struct hc_error *err)
{
    const struct hc_study_column *column = result->bar_column;
    size_t n = result->n_bars < MAX_BARS ? result->n_bars : MAX_BARS;
    char head[HC_STUDY_TEXT];
    double size = 0;
    for (size_t i = 0; i < n; i++)
        size = hc_study_html_size(&result->bar[i].at_high,
                                  hc_study_html_size(&result->bar[i].at_low, size));
    struct tornado tornado = {.row = hc_new_array(n, sizeof *tornado.row, err)};
    tornado.text = tornado.row ? hc_new_array(n, sizeof *tornado.text, err) : NULL;
    enum hc_status status = tornado.text ? HC_OK : err->status;
    if (status == HC_OK) {
        fill_bars(&tornado, result->bar, n);
        const struct hc_figure figure = {
            .kind = HC_FIGURE_TORNADO,
            .name = "tornado",
            .title = hc_study_html_head(column, head),
            .says = "What each key changes",
            .note = "The dashed line is the base. At the end of each bar stands the value of the "
                    "key, and the interval of the figure there.",
            .x = hc_study_html_axis(column, size),
            .base = base,
            .n_rules = 1,
            .rules = &(struct hc_figure_rule){true, base, NULL},
            .n_rows = n,
            .keys = tornado.row,
        };
        status = hc_figure_put(figures, &figure, err);
    }
    free(tornado.text);
    free(tornado.row);
    return status;
}

static enum hc_status write_bars(FILE *stream, const struct hc_study_result *result,
                                 struct hc_error *err)
{
    struct hc_study_listing table;
    hc_study_tornado_table(&table, result, MAX_TRIES);
    enum hc_status status = hc_section_print_html(stream, table.section, err);
    hc_study_html_remainder(stream, result->n_bars, MAX_TRIES, "keys");
    return status;
}

enum hc_status hc_study_html_tornado(FILE *stream, const struct hc_figure_sink *figures,
                                     const struct hc_study_result *result, struct hc_error *err)
{
    if (result->n_bars == 0 || !result->bar_column)
        return HC_OK;
    hc_html_section_start(stream, "tornado", "Sensitivity");
    hc_html_paragraph(stream, NULL,
                      "One key at a time at a low and at a high value, all others as in the "
                      "scenario; what moves %s most is on top. What two keys do together is not in "
                      "it.",
                      result->bar_column->title);
    hc_html_grid_start(stream);
    enum hc_status status = draw_bars(figures, result, result->order.bar_base, err);
    hc_html_grid_end(stream);
    hc_study_html_remainder(stream, result->n_bars, MAX_BARS, "keys as bars");
    if (status == HC_OK)
        status = write_bars(stream, result, err);
    hc_html_section_end(stream);
    return status;
}
