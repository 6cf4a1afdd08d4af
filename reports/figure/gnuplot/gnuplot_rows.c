#include "reports/figure/gnuplot/gnuplot_rows.h"

#include "core/base/text_layout.h"

#include <math.h>

#define ROW_HEIGHT  22
#define KEY_HEIGHT  40 /* of a row of a tornado */
#define LANE_HEIGHT 24
#define MAX_PARTS   32

/* Whether a part is there: of stacks, of lanes. */
static bool is_used(const struct hc_figure *figure, size_t part)
{
    for (size_t row = 0; row < figure->n_rows; row++)
        if (figure->part_values[row * figure->n_parts + part] > 0)
            return true;
    return false;
}

static bool has_bars(const struct hc_figure *figure, size_t part)
{
    for (size_t i = 0; i < figure->n_bars; i++)
        if (figure->bars[i].part == part)
            return true;
    return false;
}

static size_t find_parts(const struct hc_figure *figure, const char *names[MAX_PARTS])
{
    size_t n = figure->n_parts < MAX_PARTS ? figure->n_parts : MAX_PARTS;
    if (figure->kind == HC_FIGURE_TORNADO) {
        names[0] = "at the low value";
        names[1] = "at the high value";
        return 2;
    }
    if (figure->kind == HC_FIGURE_GANTT && figure->has_no_legend)
        return 0;
    size_t n_used = 0;
    for (size_t i = 0; i < n; i++)
        if (figure->kind == HC_FIGURE_GANTT ? has_bars(figure, i) : is_used(figure, i))
            names[n_used++] = figure->parts[i].name;
    return n_used;
}

static size_t legend_lines(const struct hc_gnuplot *gnuplot)
{
    const char *names[MAX_PARTS];
    size_t n = find_parts(gnuplot->figure, names);
    return hc_gnuplot_legend_lines(gnuplot, names, n);
}

double hc_gnuplot_rows_height(const struct hc_gnuplot *gnuplot)
{
    const struct hc_figure *figure = gnuplot->figure;
    double row = figure->kind == HC_FIGURE_TORNADO ? KEY_HEIGHT
                 : figure->kind == HC_FIGURE_GANTT ? LANE_HEIGHT
                                                   : ROW_HEIGHT;
    return HC_GNUPLOT_TOP_MARGIN + row * (double)figure->n_rows +
           hc_gnuplot_bottom_margin(legend_lines(gnuplot));
}

/* ---- the frame ---- */

static void put_legend(const struct hc_gnuplot *gnuplot)
{
    const char *names[MAX_PARTS];
    hc_gnuplot_legend(gnuplot, names, find_parts(gnuplot->figure, names));
    hc_gnuplot_frame(gnuplot, hc_gnuplot_rows_height(gnuplot), legend_lines(gnuplot));
}

static const char *row_name(const struct hc_figure *figure, size_t row)
{
    switch (figure->kind) {
    case HC_FIGURE_BARS:
    case HC_FIGURE_RANGES:
        return figure->rows[row].name;
    case HC_FIGURE_TORNADO:
        return figure->keys[row].name;
    default:
        return figure->row_names ? figure->row_names[row] : NULL;
    }
}

/* Names of the rows, the first on top. What is longer than three tenths of the picture loses its
 * end. */
static void put_names(const struct hc_gnuplot *gnuplot)
{
    const struct hc_figure *figure = gnuplot->figure;
    FILE *stream = gnuplot->stream;
    size_t columns = hc_gnuplot_columns(gnuplot, 0.4), n = 0;
    fprintf(stream, "set yrange [%zu.5:-0.5] noextend\nset ytics scale 0 (",
            figure->n_rows > 0 ? figure->n_rows - 1 : 0);
    for (size_t row = 0; row < figure->n_rows; row++) {
        const char *name = row_name(figure, row);
        if (!name)
            continue;
        fputs(n++ ? ", " : "", stream);
        hc_gnuplot_tick(gnuplot, name, columns);
        fprintf(stream, " %zu", row);
    }
    fputs(n ? ")\n" : ")\nunset ytics\n", stream);
    fputs("set grid noytics\nset border 1\n", stream);
    put_legend(gnuplot);
}

/* Room at the right for the longest text. */
static void put_margin(const struct hc_gnuplot *gnuplot)
{
    const struct hc_figure *figure = gnuplot->figure;
    size_t most = 2;
    for (size_t row = 0; figure->rows && row < figure->n_rows; row++) {
        size_t columns = hc_text_columns(figure->rows[row].text);
        most = columns > most ? columns : most;
    }
    fprintf(gnuplot->stream, "set rmargin %zu\n", (most < 30 ? most : 30) * 4 / 5 + 2);
}

static void put_at(const struct hc_gnuplot *gnuplot, double x, double row)
{
    fputs(" at first ", gnuplot->stream);
    hc_gnuplot_number(gnuplot, x);
    fputs(", first ", gnuplot->stream);
    hc_gnuplot_number(gnuplot, row);
}

/* ---- bars and ranges ---- */

/* Rows from first on that share a colour; of bars and ranges. */
static size_t same_color(const struct hc_figure *figure, size_t first)
{
    size_t n = 1;
    while (first + n < figure->n_rows && figure->rows[first + n].color == figure->rows[first].color)
        n++;
    return n;
}

static void put_texts(const struct hc_gnuplot *gnuplot)
{
    const struct hc_figure *figure = gnuplot->figure;
    for (size_t i = 0; i < figure->n_rows; i++) {
        const struct hc_figure_row *row = &figure->rows[i];
        double end = isfinite(row->value) ? fmax(figure->base, row->value) : figure->base;
        fputs("set label ", gnuplot->stream);
        hc_gnuplot_text(gnuplot, row->text, 30);
        if (figure->kind == HC_FIGURE_BARS)
            put_at(gnuplot, end, (double)i);
        else
            fprintf(gnuplot->stream, " at graph 1, first %zu", i);
        fputs(" left offset 0.6,0 front\n", gnuplot->stream);
    }
}

/* The rows of a group are records 1 + first and on: the head is record 0. */
static void put_group(struct hc_gnuplot *gnuplot, size_t first, size_t n)
{
    FILE *stream = gnuplot->stream;
    enum hc_color color = gnuplot->figure->rows[first].color;
    fprintf(stream, gnuplot->has_plotted ? ", \\\n     ''" : "plot '%s.dat'", gnuplot->name);
    gnuplot->has_plotted = true;
    fprintf(stream, " every ::%zu::%zu", first + 1, first + n);
    if (gnuplot->figure->kind == HC_FIGURE_BARS) {
        fputs(" using (base):1:(base):2:($1-0.32):($1+0.32) with boxxyerror", stream);
        hc_gnuplot_fill(gnuplot, color, false);
    } else {
        fputs(" using 2:1:3:4 with xerrorbars pt 7 ps 0.55 lw 1.5", stream);
        hc_gnuplot_color(gnuplot, color);
    }
    fputs(" notitle", stream);
}

static void plot_rows(struct hc_gnuplot *gnuplot)
{
    const struct hc_figure *figure = gnuplot->figure;
    put_margin(gnuplot);
    put_texts(gnuplot);
    fputs("base = ", gnuplot->stream);
    hc_gnuplot_number(gnuplot, figure->base);
    fputs("\nset errorbars small\n", gnuplot->stream);
    for (size_t first = 0, n; first < figure->n_rows; first += n) {
        n = same_color(figure, first);
        put_group(gnuplot, first, n);
    }
}

/* ---- tornado ---- */

static void put_end(const struct hc_gnuplot *gnuplot, const struct hc_figure_key *key, bool is_high,
                    double y)
{
    double at = is_high ? key->at_high : key->at_low, base = gnuplot->figure->base;
    const double *interval = is_high ? key->high_interval : key->low_interval;
    bool is_left = at < base;
    double outer = is_left ? interval[0] : interval[1];
    if (!isfinite(at))
        return;
    fputs("set label ", gnuplot->stream);
    hc_gnuplot_text(gnuplot, is_high ? key->high_text : key->low_text, 14);
    put_at(gnuplot, isfinite(outer) ? outer : at, y);
    fprintf(gnuplot->stream, " %s offset %s,0 front\n", is_left ? "right" : "left",
            is_left ? "-0.6" : "0.6");
}

static void plot_tornado(struct hc_gnuplot *gnuplot)
{
    static const enum hc_color colors[] = {HC_BLUE, HC_VERMILLION};
    static const char *const names[] = {"at the low value", "at the high value"};
    const struct hc_figure *figure = gnuplot->figure;
    for (size_t i = 0; i < figure->n_rows; i++) {
        put_end(gnuplot, &figure->keys[i], false, (double)i - 0.2);
        put_end(gnuplot, &figure->keys[i], true, (double)i + 0.2);
    }
    fputs("set lmargin screen 0.42\nset rmargin 12\nset errorbars small\nbase = ", gnuplot->stream);
    hc_gnuplot_number(gnuplot, figure->base);
    fputc('\n', gnuplot->stream);
    for (int is_high = 0; is_high < 2; is_high++) {
        const char *offset = is_high ? "+0.2" : "-0.2";
        hc_gnuplot_element(gnuplot, 0);
        fprintf(gnuplot->stream,
                " using (base):1:(base):%d:($1%s-0.17):($1%s+0.17) with boxxyerror",
                is_high ? 5 : 2, offset, offset);
        hc_gnuplot_fill(gnuplot, colors[is_high], true);
        hc_gnuplot_title(gnuplot, names[is_high]);
    }
    for (int is_high = 0; is_high < 2; is_high++) {
        hc_gnuplot_element(gnuplot, 0);
        fprintf(gnuplot->stream, " using %d:($1%s):%d:%d with xerrorbars pt 0 lw 1",
                is_high ? 5 : 2, is_high ? "+0.2" : "-0.2", is_high ? 6 : 3, is_high ? 7 : 4);
        hc_gnuplot_color(gnuplot, HC_BLACK);
        fputs(" notitle", gnuplot->stream);
    }
}

/* ---- stacks ---- */

static void plot_stack(struct hc_gnuplot *gnuplot)
{
    const struct hc_figure *figure = gnuplot->figure;
    size_t last = figure->n_parts + 1;
    if (figure->is_share_of_row)
        fprintf(gnuplot->stream,
                "whole(x) = (sum [c=2:%zu] column(c)) > 0 ? "
                "(sum [c=2:%zu] column(c)) : 1\n",
                last, last);
    else
        fputs("whole(x) = 1\n", gnuplot->stream);
    for (size_t part = 0; part < figure->n_parts; part++) {
        if (!is_used(figure, part))
            continue;
        hc_gnuplot_element(gnuplot, 0);
        fputs(" using (0):1:((", gnuplot->stream);
        if (part > 0)
            fprintf(gnuplot->stream, "sum [c=2:%zu] column(c)", part + 1);
        else
            fputc('0', gnuplot->stream);
        fprintf(gnuplot->stream,
                ")/whole(0)):((sum [c=2:%zu] column(c))/whole(0)):($1-0.34):($1+0.34) with "
                "boxxyerror",
                part + 2);
        hc_gnuplot_fill(gnuplot, figure->parts[part].color, true);
        hc_gnuplot_title(gnuplot, figure->parts[part].name);
    }
}

void hc_gnuplot_rows(struct hc_gnuplot *gnuplot)
{
    const struct hc_figure *figure = gnuplot->figure;
    struct hc_axis axis;
    hc_figure_rows_axis(figure, &axis);
    hc_gnuplot_axis(gnuplot, 'x', &axis, figure->is_wide ? 10 : 4);
    put_names(gnuplot);
    for (size_t i = 0; i < figure->n_rules; i++)
        hc_gnuplot_rule(gnuplot, &(struct hc_figure_rule){true, figure->rules[i].at, NULL});
    if (figure->kind == HC_FIGURE_TORNADO)
        plot_tornado(gnuplot);
    else if (figure->kind == HC_FIGURE_STACK)
        plot_stack(gnuplot);
    else
        plot_rows(gnuplot);
}

/* ---- lanes ---- */

void hc_gnuplot_gantt(struct hc_gnuplot *gnuplot)
{
    const struct hc_figure *figure = gnuplot->figure;
    hc_gnuplot_axis(gnuplot, 'x', &figure->x, 10);
    put_names(gnuplot);
    /* A thin bar is a strip under the others. */
    fputs("top(lane, thin) = lane + (thin > 0 ? 0.28 : -0.36)\n"
          "low(lane, thin) = lane + (thin > 0 ? 0.44 : 0.24)\n",
          gnuplot->stream);
    for (size_t part = 0; part < figure->n_parts; part++) {
        if (!has_bars(figure, part))
            continue;
        hc_gnuplot_element(gnuplot, 0);
        fprintf(gnuplot->stream,
                " using ($4 == %zu ? $2 : NaN):1:2:3:(top($1,$5)):(low($1,$5)) with boxxyerror",
                part);
        hc_gnuplot_fill(gnuplot, figure->parts[part].color, true);
        hc_gnuplot_title(gnuplot, figure->has_no_legend ? NULL : figure->parts[part].name);
    }
}
