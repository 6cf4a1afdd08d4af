#include "reports/figure/gnuplot/gnuplot_statements.h"

#include "core/base/text_layout.h"
#include "core/text/number_format.h"

#include <math.h>

#define CHARACTER   6.4 /* width of a letter */
#define AXIS_HEIGHT 44  /* of ticks and the title of the axis */
#define LEGEND_GAP  6
#define LEGEND_LINE 16

/* A line is 18 units high for SVG and 14 for the others, and ticks are set that far from the axis.
 * So moved, they are 17 below it in each format, the title of the axis 35, and lines of the legend
 * are LEGEND_LINE apart. Letters of a PDF are in points of the paper. */
static const struct {
    const char *ticks, *title, *spacing, *small_letters;
} layouts[HC_N_FIGURE_FORMATS] = {
    [HC_FIGURE_SVG] = {"0,0.5", "0,1", "0.9", "10"},
    [HC_FIGURE_PDF] = {"0,0.25", "0,0.42", "1.15", "5.5"},
    [HC_FIGURE_PNG] = {"0,0.25", "0,0.42", "1.15", "10"},
};

double hc_gnuplot_bottom_margin(size_t n_legend_lines)
{
    return AXIS_HEIGHT +
           (n_legend_lines > 0 ? LEGEND_GAP + LEGEND_LINE * (double)n_legend_lines : 0);
}

void hc_gnuplot_frame(const struct hc_gnuplot *gnuplot, double height, size_t n_legend_lines)
{
    fprintf(gnuplot->stream, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
            1 - HC_GNUPLOT_TOP_MARGIN / height, hc_gnuplot_bottom_margin(n_legend_lines) / height);
}

void hc_gnuplot_small_letters(const struct hc_gnuplot *gnuplot)
{
    fprintf(gnuplot->stream, " font ',%s'", layouts[gnuplot->format].small_letters);
}

size_t hc_gnuplot_columns(const struct hc_gnuplot *gnuplot, double share)
{
    return (size_t)(gnuplot->width * share / CHARACTER);
}

static void put_quoted(FILE *stream, const char *text, size_t columns, bool is_tick)
{
    char fitted[1024];
    fputc('\'', stream);
    for (const char *p = hc_text_head(fitted, sizeof fitted, text, columns); *p; p++) {
        if (*p == '\'' || (is_tick && *p == '%'))
            fputc(*p, stream);
        fputc(*p, stream);
    }
    fputc('\'', stream);
}

void hc_gnuplot_text(const struct hc_gnuplot *gnuplot, const char *text, size_t columns)
{
    put_quoted(gnuplot->stream, text, columns, false);
}

void hc_gnuplot_tick(const struct hc_gnuplot *gnuplot, const char *text, size_t columns)
{
    put_quoted(gnuplot->stream, text, columns, true);
}

void hc_gnuplot_number(const struct hc_gnuplot *gnuplot, double value)
{
    char text[HC_NUMBER_TEXT];
    fputs(isfinite(value) ? hc_format_real(value, text) : "NaN", gnuplot->stream);
}

void hc_gnuplot_axis(const struct hc_gnuplot *gnuplot, char which, const struct hc_axis *axis,
                     size_t n_ticks)
{
    FILE *stream = gnuplot->stream;
    struct hc_ticks ticks;
    char text[HC_NUMBER_TEXT], title[HC_AXIS_TEXT];
    if (axis->is_log)
        fprintf(stream, "set logscale %c\n", which);
    fprintf(stream, "set %crange [", which);
    hc_gnuplot_number(gnuplot, axis->low);
    fputc(':', stream);
    hc_gnuplot_number(gnuplot, axis->high);
    fprintf(stream, "] noextend\nset %ctics", which);
    if (which == 'x')
        fprintf(stream, " offset %s", layouts[gnuplot->format].ticks);
    fputs(" (", stream);
    hc_axis_ticks(axis, n_ticks, &ticks);
    for (size_t i = 0; i < ticks.n; i++) {
        fputs(i ? ", " : "", stream);
        hc_gnuplot_tick(gnuplot, hc_tick_text(axis, &ticks, i, text), HC_NUMBER_TEXT);
        fputc(' ', stream);
        hc_gnuplot_number(gnuplot, ticks.at[i]);
    }
    fputs(")\n", stream);
    if (hc_axis_text(axis, title)) {
        fprintf(stream, "set %clabel ", which);
        hc_gnuplot_text(gnuplot, title, hc_gnuplot_columns(gnuplot, 1) - 8);
        if (which == 'x')
            fprintf(stream, " offset %s", layouts[gnuplot->format].title);
        fputc('\n', stream);
    }
}

void hc_gnuplot_element(struct hc_gnuplot *gnuplot, size_t table)
{
    FILE *stream = gnuplot->stream;
    if (gnuplot->has_plotted)
        fputs(", \\\n     ''", stream);
    else
        fprintf(stream, "plot '%s.dat'", gnuplot->name);
    gnuplot->has_plotted = true;
    fprintf(stream, " index %zu every ::1", table);
}

static const struct hc_ink *ink_of(enum hc_color color)
{
    return &hc_palette[color > 0 && color < HC_N_COLORS ? color : HC_BLUE];
}

void hc_gnuplot_color(const struct hc_gnuplot *gnuplot, enum hc_color color)
{
    fprintf(gnuplot->stream, " lc rgb '%s'", hc_line_light(ink_of(color)));
}

void hc_gnuplot_dash(const struct hc_gnuplot *gnuplot, enum hc_color color)
{
    const char *dash = ink_of(color)->dash;
    if (!dash[0])
        return;
    fputs(" dt (", gnuplot->stream);
    for (; *dash; dash++)
        fputc(*dash == ' ' ? ',' : *dash, gnuplot->stream);
    fputc(')', gnuplot->stream);
}

void hc_gnuplot_fill(const struct hc_gnuplot *gnuplot, enum hc_color color, bool is_hatched)
{
    /* gnuplot has too few hatches for all: what is dashed on a page is full here, with a border. */
    static const int patterns[HC_N_HATCHES] = {
        [HC_SOLID] = 3,   [HC_RISING] = 5,  [HC_FALLING] = 4, [HC_LEVEL] = 6,
        [HC_UPRIGHT] = 7, [HC_CROSSED] = 2, [HC_GRID] = 1,    [HC_DASHED] = 3};
    const struct hc_ink *ink = ink_of(color);
    if (is_hatched && ink->hatch != HC_SOLID)
        fprintf(gnuplot->stream, " fs pattern %d border lc rgb '%s' fc rgb '%s'",
                patterns[ink->hatch], hc_line_light(ink), ink->light);
    else
        fprintf(gnuplot->stream, " fs solid noborder fc rgb '%s'", ink->light);
}

void hc_gnuplot_title(const struct hc_gnuplot *gnuplot, const char *name)
{
    if (!name) {
        fputs(" notitle", gnuplot->stream);
        return;
    }
    fputs(" title ", gnuplot->stream);
    hc_gnuplot_text(gnuplot, name, hc_gnuplot_columns(gnuplot, 1) - 12);
}

static void put_rule_text(const struct hc_gnuplot *gnuplot, const struct hc_figure_rule *rule)
{
    FILE *stream = gnuplot->stream;
    bool is_right = rule->is_x && hc_axis_place(&gnuplot->figure->x, rule->at) > 0.5;
    fputs("set label ", stream);
    hc_gnuplot_text(gnuplot, rule->text, hc_gnuplot_columns(gnuplot, 0.5));
    fputs(rule->is_x ? " at first " : " at graph 0.99, first ", stream);
    hc_gnuplot_number(gnuplot, rule->at);
    if (rule->is_x)
        fprintf(stream, ", graph 0.06 %s offset %s,0", is_right ? "right" : "left",
                is_right ? "-0.6" : "0.6");
    else
        fputs(" right offset 0,0.6", stream);
    fputs(" front boxed textcolor rgb '#5b6570'\n", stream);
}

void hc_gnuplot_rule(const struct hc_gnuplot *gnuplot, const struct hc_figure_rule *rule)
{
    FILE *stream = gnuplot->stream;
    if (!isfinite(rule->at))
        return;
    fputs(rule->is_x ? "set arrow from first " : "set arrow from graph 0, first ", stream);
    hc_gnuplot_number(gnuplot, rule->at);
    fputs(rule->is_x ? ", graph 0 to first " : " to graph 1, first ", stream);
    hc_gnuplot_number(gnuplot, rule->at);
    fputs(rule->is_x ? ", graph 1" : "", stream);
    fputs(" nohead lt 1 lc rgb '#5b6570' lw 0.9 dt (6,4) front\n", stream);
    if (rule->text)
        put_rule_text(gnuplot, rule);
}

/* How many names stand in a line: gnuplot gives each the room of the longest, and its sample. */
static size_t names_in_line(const struct hc_gnuplot *gnuplot, const char *const *names, size_t n)
{
    size_t longest = 0;
    for (size_t i = 0; i < n; i++) {
        size_t columns = hc_text_columns(names[i]);
        longest = columns > longest ? columns : longest;
    }
    size_t in_line = (size_t)(0.95 * gnuplot->width / (CHARACTER * (double)(longest + 11)));
    return in_line > 0 ? in_line : 1;
}

size_t hc_gnuplot_legend_lines(const struct hc_gnuplot *gnuplot, const char *const *names, size_t n)
{
    size_t in_line = names_in_line(gnuplot, names, n);
    return (n + in_line - 1) / in_line;
}

void hc_gnuplot_legend(const struct hc_gnuplot *gnuplot, const char *const *names, size_t n)
{
    if (n > 0)
        fprintf(gnuplot->stream, "set key maxcols %zu spacing %s\n",
                names_in_line(gnuplot, names, n), layouts[gnuplot->format].spacing);
}
