#include "reports/figure/gnuplot/gnuplot_script.h"

#include "reports/figure/gnuplot/gnuplot_cells.h"
#include "reports/figure/gnuplot/gnuplot_chart.h"
#include "reports/figure/gnuplot/gnuplot_rows.h"

/* Columns of a paper are some 8.6 cm wide, two of them 17.8 cm; letters are 6.6 points then. */
#define COLUMN_WIDTH 440
#define WIDE_WIDTH   910
#define UNITS_PER_CM 51.2
#define LETTERS      12   /* units */
#define POINTS       6.6  /* the same on paper */
#define PNG_SCALE    2.32 /* dots a unit: 300 an inch */
#define CAIRO_POINTS 0.75 /* its letters are given as if of 96 dots an inch, and come out of 72 */

const char *const hc_figure_formats[HC_N_FIGURE_FORMATS + 1] = {"svg", "pdf", "png", NULL};

static double height_of(const struct hc_gnuplot *gnuplot)
{
    switch (gnuplot->figure->kind) {
    case HC_FIGURE_CHART:
        return hc_gnuplot_chart_height(gnuplot);
    case HC_FIGURE_MATRIX:
    case HC_FIGURE_MAPS:
        return hc_gnuplot_cells_height(gnuplot);
    default:
        return hc_gnuplot_rows_height(gnuplot);
    }
}

static void put_terminal(const struct hc_gnuplot *gnuplot)
{
    double width = gnuplot->width, height = height_of(gnuplot);
    enum hc_figure_format format = gnuplot->format;
    FILE *stream = gnuplot->stream;
    fputs("set terminal ", stream);
    if (format == HC_FIGURE_PDF)
        fprintf(stream,
                "pdfcairo noenhanced color size %.2fcm,%.2fcm font 'Helvetica,%.1f' fontscale %.2f "
                "linewidth 0.7",
                width / UNITS_PER_CM, height / UNITS_PER_CM, POINTS, CAIRO_POINTS);
    else if (format == HC_FIGURE_PNG)
        fprintf(stream,
                "pngcairo noenhanced color size %.0f,%.0f font 'Helvetica,%d' fontscale %.2f "
                "linewidth %.2f pointscale %.2f",
                width * PNG_SCALE, height * PNG_SCALE, LETTERS, PNG_SCALE * CAIRO_POINTS, PNG_SCALE,
                PNG_SCALE);
    else
        fprintf(stream, "svg noenhanced size %.0f,%.0f font 'Helvetica,%d' background '#ffffff'",
                width, height, LETTERS);
    fprintf(stream, "\nset output '%s.%s'\n", gnuplot->name, hc_figure_formats[format]);
}

static void put_style(const struct hc_gnuplot *gnuplot)
{
    fputs("set border 3 lc rgb '#5b6570' lw 0.8\n"
          "set tics nomirror out scale 0.5 textcolor rgb '#20262c'\n"
          "set grid lt 1 lc rgb '#e1e5e8' lw 0.6\n"
          "set key bmargin center horizontal samplen 2.4 textcolor rgb '#20262c'\n"
          "set style textbox opaque noborder margins 0.2, 0.1\n"
          "set boxwidth 1 absolute\n"
          "set title ",
          gnuplot->stream);
    hc_gnuplot_text(gnuplot, gnuplot->figure->title, hc_gnuplot_columns(gnuplot, 1) - 4);
    fputs(" textcolor rgb '#20262c' offset 0,-0.2\n", gnuplot->stream);
}

void hc_gnuplot_write_script(FILE *stream, const struct hc_figure *figure, const char *name,
                             enum hc_figure_format format)
{
    struct hc_gnuplot gnuplot = {.stream = stream,
                                 .figure = figure,
                                 .name = name,
                                 .format = format,
                                 .width = figure->is_wide ? WIDE_WIDTH : COLUMN_WIDTH};
    fprintf(stream, "# Written by hindcast %s. Run here: gnuplot %s.gp\n", HC_VERSION, name);
    fputs("reset\nset encoding utf8\nset datafile separator \"\\t\"\n", stream);
    put_terminal(&gnuplot);
    put_style(&gnuplot);
    switch (figure->kind) {
    case HC_FIGURE_CHART:
        hc_gnuplot_chart(&gnuplot);
        break;
    case HC_FIGURE_MATRIX:
        hc_gnuplot_matrix(&gnuplot);
        break;
    case HC_FIGURE_MAPS:
        hc_gnuplot_maps(&gnuplot);
        break;
    case HC_FIGURE_GANTT:
        hc_gnuplot_gantt(&gnuplot);
        break;
    default:
        hc_gnuplot_rows(&gnuplot);
    }
    fputs("\nunset output\n", stream);
}
