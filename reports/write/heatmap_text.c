#include "reports/write/heatmap_text.h"

#include "core/text/number_format.h"

#include <math.h>
#include <stdbool.h>

#define SHADES            " .:-=+*#%@"
#define N_SHADES          10
#define UNKNOWN           '?'
#define MAX_VALUE_COLUMNS 11 /* cells of 6 columns beside the row labels */
#define MAX_COLUMNS       64
#define MAX_ROWS          32
#define MAX_SHADE_WIDTH   3
#define LABEL_WIDTH       11

/* How the matrix is cut into cells: fold_x times fold_y values each. */
struct grid {
    size_t fold_x, fold_y, n_x, n_y;
    int cell_width;
    bool has_values;
};

static size_t ceil_div(size_t n, size_t d)
{
    return n / d + (n % d != 0);
}

static struct grid grid_of(const struct hc_heatmap *map)
{
    struct grid grid = {.has_values = map->n_x <= MAX_VALUE_COLUMNS};
    grid.fold_x = ceil_div(map->n_x, MAX_COLUMNS);
    grid.fold_y = ceil_div(map->n_y, MAX_ROWS);
    grid.n_x = ceil_div(map->n_x, grid.fold_x);
    grid.n_y = ceil_div(map->n_y, grid.fold_y);
    size_t width = MAX_COLUMNS / grid.n_x;
    grid.cell_width = grid.has_values ? 6 : width < MAX_SHADE_WIDTH ? (int)width : MAX_SHADE_WIDTH;
    return grid;
}

/* The value from which shade number `shade` is drawn. */
static double shade_edge(const struct hc_heatmap *map, int shade)
{
    return map->low + (map->high - map->low) * shade / N_SHADES;
}

static char shade_of(const struct hc_heatmap *map, double value)
{
    if (isnan(value))
        return UNKNOWN;
    int shade = 0;
    while (shade + 1 < N_SHADES && value >= shade_edge(map, shade + 1))
        shade++;
    return SHADES[shade];
}

/* Largest known value of a cell, NaN when none is known. */
static double cell_value(const struct hc_heatmap *map, const struct grid *grid, size_t x, size_t y)
{
    double largest = NAN;
    for (size_t i = x * grid->fold_x; i < map->n_x && i < (x + 1) * grid->fold_x; i++)
        for (size_t j = y * grid->fold_y; j < map->n_y && j < (y + 1) * grid->fold_y; j++)
            largest = fmax(largest, map->values[i * map->n_y + j]);
    return largest;
}

/* A row of values, each followed by its shade; no spaces at the end. */
static void write_values(FILE *stream, const struct hc_heatmap *map, const struct grid *grid,
                         size_t y)
{
    char text[HC_NUMBER_TEXT];
    bool was_blank = false;
    for (size_t x = 0; x < grid->n_x; x++) {
        double value = cell_value(map, grid, x, y);
        char shade = shade_of(map, value);
        fprintf(stream, "%s%5.5s", was_blank ? " " : "", hc_format_fixed(value, 2, text));
        was_blank = shade == ' ' || shade == UNKNOWN;
        if (!was_blank)
            fputc(shade, stream);
    }
}

static void write_shades(FILE *stream, const struct hc_heatmap *map, const struct grid *grid,
                         size_t y)
{
    for (size_t x = 0; x < grid->n_x; x++)
        for (int i = 0; i < grid->cell_width; i++)
            fputc(shade_of(map, cell_value(map, grid, x, y)), stream);
    fputc('|', stream);
}

static void write_row(FILE *stream, const struct hc_heatmap *map, const struct grid *grid, size_t y)
{
    char label[32];
    if (y == 0)
        snprintf(label, sizeof label, "%s 0", map->y_name);
    else
        snprintf(label, sizeof label, "%zu", y * grid->fold_y);
    fprintf(stream, "%*.*s |", LABEL_WIDTH, LABEL_WIDTH, label);
    if (grid->has_values)
        write_values(stream, map, grid, y);
    else
        write_shades(stream, map, grid, y);
    fputc('\n', stream);
}

/* The line under the map: the first of the ranks in every few cells. */
static void write_axis(FILE *stream, const struct hc_heatmap *map, const struct grid *grid)
{
    size_t column = 0;
    fprintf(stream, "%*.*s  ", LABEL_WIDTH, LABEL_WIDTH, map->x_name);
    for (size_t x = 0; x < grid->n_x; x++) {
        char label[24];
        size_t at = x * (size_t)grid->cell_width;
        int length = snprintf(label, sizeof label, "%zu", x * grid->fold_x);
        if (grid->has_values)
            fprintf(stream, "%s%5s", x ? " " : "", label);
        else if (x % 8 == 0 && (at > column || x == 0))
            column += (size_t)fprintf(stream, "%*s", (int)(at - column) + length, label);
    }
    fputc('\n', stream);
}

static void write_fold(FILE *stream, const struct hc_heatmap *map, const struct grid *grid)
{
    if (grid->fold_x == 1 && grid->fold_y == 1)
        return;
    fprintf(stream, "%*s  one cell is up to %zu %s%s x %zu %s%s and shows their maximum\n",
            LABEL_WIDTH, "", grid->fold_x, map->x_name, grid->fold_x > 1 ? "s" : "", grid->fold_y,
            map->y_name, grid->fold_y > 1 ? "s" : "");
}

static void write_legend(FILE *stream, const struct hc_heatmap *map)
{
    char text[HC_NUMBER_TEXT];
    fprintf(stream, "%*s  blank <%s", LABEL_WIDTH, "shades",
            hc_format_fixed(shade_edge(map, 1), 2, text));
    for (int shade = 1; shade < N_SHADES; shade++)
        fprintf(stream, " %c%s", SHADES[shade], hc_format_fixed(shade_edge(map, shade), 2, text));
    fputs("+\n", stream);
}

void hc_heatmap_write_text(FILE *stream, const struct hc_heatmap *map)
{
    if (map->n_x == 0 || map->n_y == 0)
        return;
    struct grid grid = grid_of(map);
    for (size_t y = 0; y < grid.n_y; y++)
        write_row(stream, map, &grid, y);
    write_axis(stream, map, &grid);
    write_fold(stream, map, &grid);
    write_legend(stream, map);
}
