#include "reports/figure/figure_page.h"

#include "reports/figure/figure_table.h"
#include "reports/figure/svg_bars.h"
#include "reports/figure/svg_gantt.h"
#include "reports/figure/svg_matrix.h"
#include "reports/figure/svg_ranges.h"
#include "reports/figure/svg_series.h"
#include "reports/figure/svg_stack.h"
#include "reports/figure/table_cells.h"
#include "reports/page/html_page.h"

#include <stdio.h>
#include <string.h>

static const char *label_of(const struct hc_figure *figure)
{
    return figure->says ? figure->says : figure->title;
}

static enum hc_status write_drawing(FILE *stream, const struct hc_figure *figure,
                                    struct hc_error *err)
{
    const char *label = label_of(figure);
    switch (figure->kind) {
    case HC_FIGURE_CHART:
        return hc_svg_series(stream, label, figure, err);
    case HC_FIGURE_MATRIX:
        return hc_svg_matrix(stream, label, figure, err);
    case HC_FIGURE_MAPS:
        return hc_svg_maps(stream, label, figure, err);
    case HC_FIGURE_BARS:
        hc_svg_bars(stream, label, figure);
        break;
    case HC_FIGURE_RANGES:
        hc_svg_ranges(stream, label, figure);
        break;
    case HC_FIGURE_TORNADO:
        hc_svg_tornado(stream, label, figure);
        break;
    case HC_FIGURE_STACK:
        hc_svg_stack(stream, label, figure);
        break;
    case HC_FIGURE_GANTT:
        hc_svg_gantt(stream, label, figure);
        break;
    }
    return HC_OK;
}

#define NOTE_SIZE 1024

/* What cells of a matrix stand for where several values share one. */
static void add_fold(char *note, size_t used, const struct hc_figure *figure)
{
    size_t fold_x = 1, fold_y = 1;
    if (figure->kind == HC_FIGURE_MATRIX)
        hc_svg_matrix_fold(figure, &fold_x, &fold_y);
    if (fold_x > 1 || fold_y > 1)
        snprintf(note + used, NOTE_SIZE - used,
                 "%sOne cell stands for up to %zu columns and %zu rows, and shows the largest.",
                 used ? " " : "", fold_x, fold_y);
}

/* That curves go beyond the axis, and how far: what is cut off looks as if it ended there. */
static void add_cut(char *note, size_t used, const struct hc_figure *figure)
{
    char text[2][HC_NUMBER_TEXT];
    double ends[2];
    if (!hc_figure_is_cut(figure, &ends[0], &ends[1]))
        return;
    struct hc_table_format format = hc_table_format(&figure->y, ends, 2);
    snprintf(note + used, NOTE_SIZE - used,
             "%sThe axis is cut: the values go from %s to %s%s%.40s.", used ? " " : "",
             hc_table_number(&format, ends[0], text[0]), hc_table_number(&format, ends[1], text[1]),
             figure->y.unit && figure->y.unit[0] ? " " : "", figure->y.unit ? figure->y.unit : "");
}

/* The note with what else is to be known of the drawing; then the table. */
static void write_below(FILE *stream, const struct hc_figure *figure)
{
    char note[NOTE_SIZE];
    snprintf(note, sizeof note, "%s", figure->note ? figure->note : "");
    add_fold(note, strlen(note), figure);
    add_cut(note, strlen(note), figure);
    hc_html_figure_note(stream, note[0] ? note : NULL);
    if (!hc_figure_is_empty(figure))
        hc_figure_write_table(stream, figure);
    hc_html_figure_end(stream);
}

static enum hc_status take(const struct hc_figure *figure, void *context, struct hc_error *err)
{
    FILE *stream = context;
    hc_html_figure_start(stream, figure->title, figure->is_wide);
    enum hc_status status = HC_OK;
    if (hc_figure_is_empty(figure))
        hc_html_paragraph(stream, "note", "Nothing is known that it could show.");
    else
        status = write_drawing(stream, figure, err);
    write_below(stream, figure);
    return status;
}

struct hc_figure_sink hc_figure_page(FILE *stream)
{
    return (struct hc_figure_sink){take, stream};
}
