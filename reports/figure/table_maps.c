#include "reports/figure/table_maps.h"

#include "reports/figure/table_cells.h"

#include <inttypes.h>
#include <math.h>

#define MOST_COLUMNS 12 /* of a matrix that is shown whole */
#define MOST_ROWS    16
#define N_WORST      10
#define NAME_SIZE    160

static const char *place_name(const char *const *labels, const int32_t *ids, size_t i,
                              char text[NAME_SIZE])
{
    if (labels)
        return labels[i];
    snprintf(text, NAME_SIZE, "%" PRId32, ids ? ids[i] : (int32_t)i);
    return text;
}

/* "step time (s)" */
static const char *value_title(const struct hc_figure_matrix *matrix, char text[NAME_SIZE])
{
    const char *unit = matrix->unit ? matrix->unit : "";
    snprintf(text, NAME_SIZE, unit[0] ? "%.100s (%.40s)" : "%.100s",
             matrix->value ? matrix->value : "value", unit);
    return text;
}

static struct hc_table_format format_of(const struct hc_figure_matrix *matrix)
{
    return (struct hc_table_format){.decimals = matrix->has_decimals ? matrix->decimals : 3};
}

/* Rows and columns of the table are those of the drawing. */
static void whole_matrix(FILE *stream, const struct hc_figure *figure)
{
    const struct hc_figure_matrix *matrix = &figure->matrix;
    struct hc_table_format format = format_of(matrix);
    char text[NAME_SIZE], corner[NAME_SIZE];
    snprintf(corner, sizeof corner, "%.70s by %.70s", matrix->y_name, matrix->x_name);
    hc_table_start(stream, value_title(matrix, text));
    hc_table_head(stream, corner, false);
    for (size_t x = 0; x < matrix->n_x; x++)
        hc_table_head(stream, place_name(matrix->x_labels, matrix->x_ids, x, text), true);
    hc_table_body(stream);
    for (size_t y = 0; y < matrix->n_y; y++) {
        hc_table_row(stream, place_name(matrix->y_labels, matrix->y_ids, y, text));
        for (size_t x = 0; x < matrix->n_x; x++)
            hc_table_value(stream, &format, matrix->values[x * matrix->n_y + y]);
        hc_table_row_end(stream);
    }
    hc_table_end(stream);
}

/* Whether value a matters more than b. */
static bool is_worse(const struct hc_figure_matrix *matrix, double a, double b)
{
    return matrix->is_reversed ? a < b : a > b;
}

/* The cells that matter most, worst first; of equals the first. Returns how many are known, at most
 * N_WORST. */
static size_t find_worst(const struct hc_figure_matrix *matrix, const double *values,
                         size_t worst[N_WORST])
{
    size_t n = 0;
    for (size_t cell = 0; cell < matrix->n_x * matrix->n_y; cell++) {
        if (isnan(values[cell]))
            continue;
        size_t at = n < N_WORST ? n++ : N_WORST;
        for (; at > 0 && is_worse(matrix, values[cell], values[worst[at - 1]]); at--)
            if (at < N_WORST)
                worst[at] = worst[at - 1];
        if (at < N_WORST)
            worst[at] = cell;
    }
    return n;
}

static void cell_name(const struct hc_figure_matrix *matrix, size_t cell, char name[2 * NAME_SIZE])
{
    char x[NAME_SIZE], y[NAME_SIZE];
    snprintf(name, 2 * NAME_SIZE, "%.40s %.100s, %.40s %.100s", matrix->x_name,
             place_name(matrix->x_labels, matrix->x_ids, cell / matrix->n_y, x), matrix->y_name,
             place_name(matrix->y_labels, matrix->y_ids, cell % matrix->n_y, y));
}

static void worst_cells(FILE *stream, const struct hc_figure *figure)
{
    const struct hc_figure_matrix *matrix = &figure->matrix;
    struct hc_table_format format = format_of(matrix);
    size_t worst[N_WORST], n = find_worst(matrix, matrix->values, worst);
    char caption[128], name[2 * NAME_SIZE], title[NAME_SIZE];
    snprintf(caption, sizeof caption, "The %zu %s of %zu cells", n,
             matrix->is_reversed ? "smallest" : "largest", matrix->n_x * matrix->n_y);
    hc_table_start(stream, caption);
    hc_table_head(stream, "cell", false);
    hc_table_head(stream, value_title(matrix, title), true);
    hc_table_body(stream);
    for (size_t i = 0; i < n; i++) {
        cell_name(matrix, worst[i], name);
        hc_table_row(stream, name);
        hc_table_value(stream, &format, matrix->values[worst[i]]);
        hc_table_row_end(stream);
    }
    hc_table_end(stream);
}

void hc_table_of_matrix(FILE *stream, const struct hc_figure *figure)
{
    if (figure->matrix.n_x <= MOST_COLUMNS && figure->matrix.n_y <= MOST_ROWS)
        whole_matrix(stream, figure);
    else
        worst_cells(stream, figure);
}

void hc_table_of_maps(FILE *stream, const struct hc_figure *figure)
{
    const struct hc_figure_matrix *matrix = &figure->matrix;
    struct hc_table_format format = format_of(matrix);
    char name[2 * NAME_SIZE], title[NAME_SIZE];
    hc_table_start(stream, matrix->is_reversed ? "The smallest cell of each map"
                                               : "The largest cell of each map");
    hc_table_head(stream, "map", false);
    hc_table_head(stream, "cell", true);
    hc_table_head(stream, value_title(matrix, title), true);
    hc_table_body(stream);
    for (size_t i = 0; i < figure->n_panels; i++) {
        size_t worst[N_WORST], n = find_worst(matrix, figure->panels[i].values, worst);
        hc_table_row(stream, figure->panels[i].name);
        if (n > 0)
            cell_name(matrix, worst[0], name);
        hc_table_cell(stream, n > 0 ? name : "not known");
        hc_table_value(stream, &format, n > 0 ? figure->panels[i].values[worst[0]] : NAN);
        hc_table_row_end(stream);
    }
    hc_table_end(stream);
}
