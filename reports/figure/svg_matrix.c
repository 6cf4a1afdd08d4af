#include "reports/figure/svg_matrix.h"

#include "core/base/memory.h"
#include "core/base/text_layout.h"
#include "core/text/number_format.h"
#include "reports/figure/svg_chart.h"
#include "reports/page/html_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define N_SHADES      HC_N_SHADES
#define UNKNOWN       N_SHADES
#define LEFT          56
#define MAX_LEFT      150
#define CHARACTER     7.2
#define TOP           24
#define LEGEND_HEIGHT 44
#define SWATCH        26  /* width of a shade in the legend */
#define MAX_CELL      64  /* largest width of a cell */
#define LEAST_CELL    2   /* smaller ones cannot be told apart */
#define ROOM          440 /* the most that the rows take */
#define NAME_SIZE     96
#define SMALL_WIDTH   120  /* of one of many maps */
#define MAX_TITLES    1200 /* cells that tell their value when pointed at */

/* The map as it is drawn: cells of fold_x times fold_y values each. */
struct cells {
    const struct hc_figure_matrix *map;
    const double *source; /* [x * n_y + y] */
    double full_width;    /* of the drawing */
    bool is_small;        /* one of many: without names, values and legend */
    FILE *stream;
    size_t fold_x, fold_y, n_x, n_y;
    double left, top, width, height; /* of one cell; left and top of the first */
    uint8_t *shades;                 /* [x * n_y + y] */
    double *values;
};

static size_t most_columns(const char *const *labels, size_t n)
{
    size_t most = 0;
    for (size_t i = 0; labels && i < n; i++) {
        size_t columns = hc_text_columns(labels[i]);
        most = columns > most ? columns : most;
    }
    return most;
}

/* Room for the names of the rows. */
static double left_of(const struct hc_figure_matrix *map)
{
    double names = CHARACTER * (double)most_columns(map->y_labels, map->n_y) + 14;
    return fmin(MAX_LEFT, fmax(LEFT, names));
}

static int decimals_of(const struct hc_figure_matrix *map, int otherwise)
{
    return map->has_decimals ? map->decimals : otherwise;
}

static size_t ceil_div(size_t n, size_t d)
{
    return n / d + (n % d != 0);
}

static void find_fold(const struct hc_figure_matrix *map, double plot_width, size_t *fold_x,
                      size_t *fold_y)
{
    size_t room = (size_t)(plot_width / LEAST_CELL);
    *fold_x = ceil_div(map->n_x, room > 0 ? room : 1);
    *fold_y = ceil_div(map->n_y, ROOM / LEAST_CELL);
}

static double width_of(const struct hc_figure *figure)
{
    return figure->is_wide ? HC_SVG_WIDE_WIDTH : HC_SVG_WIDTH;
}

void hc_svg_matrix_fold(const struct hc_figure *figure, size_t *fold_x, size_t *fold_y)
{
    find_fold(&figure->matrix, width_of(figure) - left_of(&figure->matrix) - 12, fold_x, fold_y);
}

static int shade_of(const struct hc_figure_matrix *map, double value)
{
    if (isnan(value))
        return UNKNOWN;
    int shade = 0;
    while (shade + 1 < N_SHADES &&
           value >= map->low + (map->high - map->low) * (shade + 1) / N_SHADES)
        shade++;
    return map->is_reversed ? N_SHADES - 1 - shade : shade;
}

/* Largest known value of a cell, NaN when none is known. */
static double cell_value(const struct cells *cells, size_t x, size_t y)
{
    const struct hc_figure_matrix *map = cells->map;
    double largest = NAN;
    for (size_t i = x * cells->fold_x; i < map->n_x && i < (x + 1) * cells->fold_x; i++)
        for (size_t j = y * cells->fold_y; j < map->n_y && j < (y + 1) * cells->fold_y; j++)
            largest = fmax(largest, cells->source[i * map->n_y + j]);
    return largest;
}

static enum hc_status make_cells(struct cells *cells, struct hc_error *err)
{
    const struct hc_figure_matrix *map = cells->map;
    cells->left = cells->is_small ? 0 : left_of(map);
    double plot_width = cells->full_width - cells->left - (cells->is_small ? 0 : 12);
    find_fold(map, plot_width, &cells->fold_x, &cells->fold_y);
    cells->n_x = ceil_div(map->n_x, cells->fold_x);
    cells->n_y = ceil_div(map->n_y, cells->fold_y);
    cells->width = fmin(MAX_CELL, plot_width / (double)cells->n_x);
    cells->height = fmin(cells->is_small ? cells->width : 26, ROOM / (double)cells->n_y);
    cells->top = cells->is_small ? 0 : TOP;
    cells->values = hc_new_array(cells->n_x * cells->n_y, sizeof *cells->values, err);
    cells->shades = hc_new_array(cells->n_x * cells->n_y, sizeof *cells->shades, err);
    if (!cells->values || !cells->shades)
        return err->status;
    for (size_t x = 0; x < cells->n_x; x++)
        for (size_t y = 0; y < cells->n_y; y++) {
            double value = cell_value(cells, x, y);
            cells->values[x * cells->n_y + y] = value;
            cells->shades[x * cells->n_y + y] = (uint8_t)shade_of(map, value);
        }
    return HC_OK;
}

static int32_t id_of(const int32_t *ids, size_t i)
{
    return ids ? ids[i] : (int32_t)i;
}

/* M x y h width v height: one cell, or several beside each other. */
static void box(const struct cells *cells, size_t x, size_t y, size_t n)
{
    /* A gap between cells where there is room for it. */
    double gap = cells->width >= 8 && cells->height >= 8 ? 1 : 0;
    hc_svg_box(cells->stream, cells->left + cells->width * (double)x,
               cells->top + cells->height * (double)y,
               (double[]){cells->width * (double)n - gap, cells->height - gap});
}

static void shade_class(char text[4], int shade)
{
    snprintf(text, 4, shade == UNKNOWN ? "qn" : "q%d", shade);
}

/* The name of the column or row that begins at value i. */
static const char *name_of(const char *const *labels, const int32_t *ids, size_t i,
                           char text[NAME_SIZE])
{
    if (labels)
        return hc_svg_fit(text, NAME_SIZE, labels[i], MAX_LEFT - 10);
    snprintf(text, NAME_SIZE, "%" PRId32, id_of(ids, i));
    return text;
}

static void write_title(const struct cells *cells, size_t x, size_t y)
{
    const struct hc_figure_matrix *map = cells->map;
    char value[HC_NUMBER_TEXT], x_text[NAME_SIZE], y_text[NAME_SIZE];
    hc_html_textf(cells->stream, "%s %s, %s %s: %s", map->x_name,
                  name_of(map->x_labels, map->x_ids, x * cells->fold_x, x_text), map->y_name,
                  name_of(map->y_labels, map->y_ids, y * cells->fold_y, y_text),
                  hc_format_fixed(cells->values[x * cells->n_y + y], decimals_of(map, 3), value));
}

/* Few cells: each an element of its own, which tells its value. */
static void draw_each(const struct cells *cells)
{
    char class[4];
    for (size_t x = 0; x < cells->n_x; x++)
        for (size_t y = 0; y < cells->n_y; y++) {
            shade_class(class, cells->shades[x * cells->n_y + y]);
            fprintf(cells->stream, "<path class=\"%s\" d=\"", class);
            box(cells, x, y, 1);
            fputs("\"><title>", cells->stream);
            write_title(cells, x, y);
            fputs("</title></path>\n", cells->stream);
        }
}

/* Many cells: one path a shade, and one box for neighbours that share it. */
static void draw_shade(const struct cells *cells, int shade)
{
    char class[4];
    bool is_open = false;
    shade_class(class, shade);
    for (size_t y = 0; y < cells->n_y; y++)
        for (size_t x = 0, n; x < cells->n_x; x += n) {
            for (n = 0; x + n < cells->n_x && cells->shades[(x + n) * cells->n_y + y] == shade;)
                n++;
            if (n > 0 && !is_open)
                fprintf(cells->stream, "<path class=\"%s\" d=\"", class);
            if (n > 0)
                box(cells, x, y, n);
            is_open |= n > 0;
            n += n == 0;
        }
    if (is_open)
        fputs("\"/>\n", cells->stream);
}

static void draw_values(const struct cells *cells)
{
    char text[HC_NUMBER_TEXT];
    if (cells->width < 36 || cells->height < 18 || cells->is_small)
        return;
    for (size_t x = 0; x < cells->n_x; x++)
        for (size_t y = 0; y < cells->n_y; y++) {
            int shade = cells->shades[x * cells->n_y + y];
            hc_svg_text(cells->stream, cells->left + cells->width * ((double)x + 0.5),
                        cells->top + cells->height * ((double)y + 0.5) + 4, 'm',
                        hc_letters_class(&hc_shades[shade]),
                        hc_format_fixed(cells->values[x * cells->n_y + y],
                                        decimals_of(cells->map, 2), text));
        }
}

/* Whether any of the values of a cell is marked. */
static bool is_marked(const struct cells *cells, size_t x, size_t y)
{
    const struct hc_figure_matrix *map = cells->map;
    for (size_t i = x * cells->fold_x; i < map->n_x && i < (x + 1) * cells->fold_x; i++)
        for (size_t j = y * cells->fold_y; j < map->n_y && j < (y + 1) * cells->fold_y; j++)
            if (map->is_marked[i * map->n_y + j])
                return true;
    return false;
}

static void draw_marks(const struct cells *cells)
{
    for (size_t x = 0; cells->map->is_marked && x < cells->n_x; x++)
        for (size_t y = 0; y < cells->n_y; y++)
            if (is_marked(cells, x, y)) {
                fputs("<path class=\"mark\" d=\"", cells->stream);
                box(cells, x, y, 1);
                fputs("\"/>\n", cells->stream);
            }
}

/* Of n labels, how many apart they stand so that each has `least` units. */
static size_t label_stride(size_t n, double size, double least)
{
    static const size_t strides[] = {1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 256, 512};
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++)
        if ((double)strides[i] * size >= least)
            return strides[i];
    return n;
}

static void draw_names(const struct cells *cells)
{
    const struct hc_figure_matrix *map = cells->map;
    char text[NAME_SIZE];
    double bottom = cells->top + cells->height * (double)cells->n_y;
    size_t stride = label_stride(cells->n_y, cells->height, 14);
    for (size_t y = 0; y < cells->n_y; y += stride)
        hc_svg_text(cells->stream, cells->left - 8,
                    cells->top + cells->height * ((double)y + 0.5) + 4, 'e', NULL,
                    name_of(map->y_labels, map->y_ids, y * cells->fold_y, text));
    double least = fmin(MAX_LEFT, CHARACTER * (double)most_columns(map->x_labels, map->n_x) + 10);
    stride = label_stride(cells->n_x, cells->width, fmax(38, least));
    for (size_t x = 0; x < cells->n_x; x += stride)
        hc_svg_text(cells->stream, cells->left + cells->width * ((double)x + 0.5), bottom + 15, 'm',
                    NULL, name_of(map->x_labels, map->x_ids, x * cells->fold_x, text));
    hc_svg_text(cells->stream, 4, 14, 's', "title", map->y_name);
    /* Under the cells, but within the drawing where these are few. */
    double middle = cells->left + cells->width * (double)cells->n_x / 2;
    double half = CHARACTER * (double)hc_text_columns(map->x_name) / 2 + 4;
    hc_svg_text(cells->stream, fmax(middle, fmin(half, cells->full_width / 2)), bottom + 33, 'm',
                "title", map->x_name);
}

/* Swatches from x, y on with the value where each begins. */
static void draw_legend(FILE *stream, const struct hc_figure_matrix *map, const double at[2])
{
    double low = map->low, high = map->high;
    int decimals = decimals_of(map, 2);
    char class[4], text[HC_NUMBER_TEXT];
    for (int shade = 0; shade < N_SHADES; shade++) {
        double x = at[0] + SWATCH * shade;
        shade_class(class, map->is_reversed ? N_SHADES - 1 - shade : shade);
        fprintf(stream, "<rect class=\"%s\" width=\"%d\" height=\"12\" x=\"", class, SWATCH);
        hc_svg_number(stream, x);
        fputs("\" y=\"", stream);
        hc_svg_number(stream, at[1]);
        fputs("\"/>", stream);
        if (shade % 2 == 0)
            hc_svg_text(stream, x, at[1] + 27, 'm', NULL,
                        hc_format_fixed(low + (high - low) * shade / N_SHADES, decimals, text));
    }
    char more[HC_NUMBER_TEXT + 12];
    snprintf(more, sizeof more, map->is_whole_range ? "to %s" : "%s and more",
             hc_format_fixed(high, decimals, text));
    hc_svg_text(stream, at[0] + SWATCH * N_SHADES + 6, at[1] + 10, 's', NULL, more);
}

/* ---- all of it ---- */

static enum hc_status draw_map(struct cells *cells, const char *label, struct hc_error *err)
{
    const struct hc_figure_matrix *map = cells->map;
    if (map->n_x == 0 || map->n_y == 0)
        return HC_OK;
    enum hc_status status = make_cells(cells, err);
    if (status == HC_OK) {
        double bottom = cells->top + cells->height * (double)cells->n_y;
        hc_svg_start(cells->stream, cells->full_width,
                     bottom + (cells->is_small ? 0 : 42 + LEGEND_HEIGHT), label);
        if (cells->n_x * cells->n_y <= MAX_TITLES)
            draw_each(cells);
        else
            for (int shade = 0; shade <= UNKNOWN; shade++)
                draw_shade(cells, shade);
        draw_values(cells);
        if (!cells->is_small) {
            draw_marks(cells);
            draw_names(cells);
            draw_legend(cells->stream, map, (double[]){LEFT, bottom + 50});
        }
        hc_svg_end(cells->stream);
    }
    free(cells->values);
    free(cells->shades);
    return status;
}

enum hc_status hc_svg_matrix(FILE *stream, const char *label, const struct hc_figure *figure,
                             struct hc_error *err)
{
    struct cells cells = {.map = &figure->matrix,
                          .source = figure->matrix.values,
                          .stream = stream,
                          .full_width = width_of(figure)};
    return draw_map(&cells, label, err);
}

enum hc_status hc_svg_maps(FILE *stream, const char *label, const struct hc_figure *figure,
                           struct hc_error *err)
{
    enum hc_status status = HC_OK;
    char text[256];
    fputs("<div class=\"legend\">\n", stream);
    hc_svg_start(stream, HC_SVG_WIDTH, 34, "shades of the maps");
    draw_legend(stream, &figure->matrix, (double[]){18, 2});
    hc_svg_end(stream);
    fputs("</div>\n<div class=\"maps\">\n", stream);
    for (size_t i = 0; i < figure->n_panels && status == HC_OK; i++) {
        const struct hc_figure_panel *panel = &figure->panels[i];
        struct cells cells = {.map = &figure->matrix,
                              .source = panel->values,
                              .stream = stream,
                              .full_width = SMALL_WIDTH,
                              .is_small = true};
        snprintf(text, sizeof text, "%.150s, %.80s", label, panel->name);
        fputs("<figure class=\"map\">", stream);
        status = draw_map(&cells, text, err);
        fputs("<figcaption>", stream);
        hc_html_text(stream, panel->caption);
        fputs("</figcaption></figure>\n", stream);
    }
    fputs("</div>\n", stream);
    return status;
}
