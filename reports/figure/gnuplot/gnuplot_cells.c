#include "reports/figure/gnuplot/gnuplot_cells.h"

#include "core/base/text_layout.h"
#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>

#define CELL_HEIGHT    22
#define MOST_HEIGHT    420 /* of all cells */
#define AROUND         128 /* title, axis and legend */
#define PANELS_IN_LINE 10
#define PANEL          86 /* height of a small map with its caption */
#define CHARACTER      6.4

double hc_gnuplot_cells_height(const struct hc_gnuplot *gnuplot)
{
    const struct hc_figure *figure = gnuplot->figure;
    if (figure->kind == HC_FIGURE_MAPS)
        return 90 + PANEL * (double)((figure->n_panels + PANELS_IN_LINE - 1) / PANELS_IN_LINE);
    return AROUND + fmin(MOST_HEIGHT, CELL_HEIGHT * (double)figure->matrix.n_y);
}

/* ---- shades ---- */

static void put_shades(const struct hc_gnuplot *gnuplot)
{
    const struct hc_figure_matrix *matrix = &gnuplot->figure->matrix;
    FILE *stream = gnuplot->stream;
    fprintf(stream, "set palette maxcolors %d defined (", HC_N_SHADES);
    for (int shade = 0; shade < HC_N_SHADES; shade++)
        fprintf(stream, "%s%d '%s'", shade ? ", " : "", shade,
                hc_shades[matrix->is_reversed ? HC_N_SHADES - 1 - shade : shade].light);
    fputs(")\nset cbrange [", stream);
    hc_gnuplot_number(gnuplot, matrix->low);
    fputc(':', stream);
    hc_gnuplot_number(gnuplot, matrix->high);
    fprintf(stream,
            "]\n"
            /* What is not known is this grey, which shows through. */
            "set object 1 rectangle from graph 0,0 to graph 1,1 behind fc rgb '%s' fs solid "
            "noborder\n",
            hc_shades[HC_N_SHADES].light);
}

static void put_legend(const struct hc_gnuplot *gnuplot, double height)
{
    const struct hc_figure_matrix *matrix = &gnuplot->figure->matrix;
    FILE *stream = gnuplot->stream;
    char text[HC_NUMBER_TEXT], last[HC_NUMBER_TEXT + 8];
    int decimals = matrix->has_decimals ? matrix->decimals : 2;
    fprintf(stream,
            "set colorbox horizontal user origin screen 0.25, screen %.4f size screen 0.5, screen "
            "%.4f noborder\nset cbtics scale 0 offset 0,0.4 (",
            26 / height, 9 / height);
    for (int shade = 0; shade <= HC_N_SHADES; shade += 2) {
        double value = matrix->low + (matrix->high - matrix->low) * shade / HC_N_SHADES;
        hc_format_fixed(value, decimals, text);
        snprintf(last, sizeof last, "%s%s", text,
                 shade == HC_N_SHADES && !matrix->is_whole_range ? "+" : "");
        fputs(shade ? ", " : "", stream);
        hc_gnuplot_tick(gnuplot, last, sizeof last);
        fputc(' ', stream);
        hc_gnuplot_number(gnuplot, value);
    }
    fputs(")\n", stream);
}

/* ---- one matrix ---- */

static void put_place(const struct hc_gnuplot *gnuplot, const char *const *labels,
                      const int32_t *ids, size_t i)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId32, ids ? ids[i] : (int32_t)i);
    hc_gnuplot_tick(gnuplot, labels ? labels[i] : text, 22);
    fprintf(gnuplot->stream, " %zu", i);
}

/* Names of every stride-th column or row. */
static void put_places(const struct hc_gnuplot *gnuplot, char which, const char *const *labels,
                       const int32_t *ids, const size_t n_and_stride[2])
{
    fprintf(gnuplot->stream, "set %ctics scale 0 (", which);
    for (size_t i = 0; i < n_and_stride[0]; i += n_and_stride[1]) {
        fputs(i ? ", " : "", gnuplot->stream);
        put_place(gnuplot, labels, ids, i);
    }
    fputs(")\n", gnuplot->stream);
}

/* How many cells apart names stand that need `room` each, of n cells over size. */
static size_t stride_of(size_t n, double size, double room)
{
    static const size_t strides[] = {1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 256, 512};
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++)
        if ((double)strides[i] * size / (double)n >= room)
            return strides[i];
    return n;
}

static size_t most_columns(const char *const *labels, size_t n)
{
    size_t most = 4;
    for (size_t i = 0; labels && i < n; i++) {
        size_t columns = hc_text_columns(labels[i]);
        most = columns > most ? columns : most;
    }
    return most < 22 ? most : 22;
}

static void put_frame(const struct hc_gnuplot *gnuplot)
{
    const struct hc_figure_matrix *matrix = &gnuplot->figure->matrix;
    FILE *stream = gnuplot->stream;
    double rows = fmin(MOST_HEIGHT, CELL_HEIGHT * (double)matrix->n_y);
    double room = CHARACTER * (double)(most_columns(matrix->x_labels, matrix->n_x) + 1);
    put_places(gnuplot, 'x', matrix->x_labels, matrix->x_ids,
               (size_t[]){matrix->n_x, stride_of(matrix->n_x, gnuplot->width - 80, room)});
    put_places(gnuplot, 'y', matrix->y_labels, matrix->y_ids,
               (size_t[]){matrix->n_y, stride_of(matrix->n_y, rows, 14)});
    fprintf(stream, "set xrange [-0.5:%zu.5] noextend\nset yrange [%zu.5:-0.5] noextend\n",
            matrix->n_x - 1, matrix->n_y - 1);
    fputs("set xlabel ", stream);
    hc_gnuplot_text(gnuplot, matrix->x_name, 60);
    fputs(" offset 0,0.4\nset ylabel ", stream);
    hc_gnuplot_text(gnuplot, matrix->y_name, 40);
    fputs("\nunset grid\nunset border\nset bmargin at screen ", stream);
    double height = hc_gnuplot_cells_height(gnuplot);
    fprintf(stream, "%.4f\nset tmargin at screen %.4f\n", 84 / height, 1 - 36 / height);
}

#define MOST_VALUES 16 /* columns whose cells have room for their value */

static void put_values(struct hc_gnuplot *gnuplot)
{
    const struct hc_figure_matrix *matrix = &gnuplot->figure->matrix;
    size_t most = gnuplot->figure->is_wide ? 2 * MOST_VALUES : MOST_VALUES;
    double rows = fmin(MOST_HEIGHT, CELL_HEIGHT * (double)matrix->n_y);
    int decimals = matrix->has_decimals ? matrix->decimals : 2;
    if (matrix->n_x > most || rows / (double)matrix->n_y < 14)
        return;
    for (int is_dark = 0; is_dark < 2; is_dark++) {
        double edge =
            matrix->low + (matrix->high - matrix->low) * (matrix->is_reversed ? 0.4 : 0.6);
        hc_gnuplot_element(gnuplot, 0);
        fprintf(gnuplot->stream, " using ($3 %s ",
                (is_dark == 1) != matrix->is_reversed ? ">=" : "<");
        hc_gnuplot_number(gnuplot, edge);
        fprintf(gnuplot->stream, " ? $1 : NaN):2:(sprintf('%%.%df', $3)) with labels", decimals);
        hc_gnuplot_small_letters(gnuplot);
        fprintf(gnuplot->stream, " textcolor rgb '%s' notitle", is_dark ? "#ffffff" : "#20262c");
    }
}

/* Frames around the marked cells, as on a page. */
static void put_marks(const struct hc_gnuplot *gnuplot)
{
    const struct hc_figure_matrix *matrix = &gnuplot->figure->matrix;
    for (size_t x = 0; matrix->is_marked && x < matrix->n_x; x++)
        for (size_t y = 0; y < matrix->n_y; y++)
            if (matrix->is_marked[x * matrix->n_y + y])
                fprintf(gnuplot->stream,
                        "set object rectangle center %zu,%zu size 1,1 front fs empty border rgb "
                        "'#000000' lw 2\n",
                        x, y);
}

void hc_gnuplot_matrix(struct hc_gnuplot *gnuplot)
{
    put_shades(gnuplot);
    put_marks(gnuplot);
    put_legend(gnuplot, hc_gnuplot_cells_height(gnuplot));
    put_frame(gnuplot);
    hc_gnuplot_element(gnuplot, 0);
    fputs(" using 1:2:3 with image pixels notitle", gnuplot->stream);
    put_values(gnuplot);
}

/* ---- small ones ---- */

static void put_panel(struct hc_gnuplot *gnuplot, size_t i)
{
    FILE *stream = gnuplot->stream;
    fputs("set title ", stream);
    hc_gnuplot_text(gnuplot, gnuplot->figure->panels[i].caption, 16);
    hc_gnuplot_small_letters(gnuplot);
    fputs(" offset 0,-0.9\n", stream);
    if (i == 1)
        fputs("unset colorbox\n", stream);
    fprintf(stream, "plot '%s.dat' index %zu every ::%d using 1:2:3 with image pixels notitle\n",
            gnuplot->name, i, i == 0 ? 1 : 0);
}

void hc_gnuplot_maps(struct hc_gnuplot *gnuplot)
{
    const struct hc_figure *figure = gnuplot->figure;
    const struct hc_figure_matrix *matrix = &figure->matrix;
    FILE *stream = gnuplot->stream;
    double height = hc_gnuplot_cells_height(gnuplot);
    put_shades(gnuplot);
    put_legend(gnuplot, height);
    fprintf(stream,
            "unset grid\nunset border\nunset tics\nset cbtics\n"
            "set xrange [-0.5:%zu.5] noextend\nset yrange [%zu.5:-0.5] noextend\n",
            matrix->n_x - 1, matrix->n_y - 1);
    put_legend(gnuplot, height);
    fprintf(stream,
            "set multiplot layout %zu,%d margins screen 0.01,0.99,%.4f,%.4f spacing screen "
            "0.012,%.4f title ",
            (figure->n_panels + PANELS_IN_LINE - 1) / PANELS_IN_LINE, PANELS_IN_LINE, 56 / height,
            1 - 50 / height, 26 / height);
    hc_gnuplot_text(gnuplot, figure->title, 100);
    fputc('\n', stream);
    for (size_t i = 0; i < figure->n_panels; i++)
        put_panel(gnuplot, i);
    fputs("unset multiplot", stream);
}
