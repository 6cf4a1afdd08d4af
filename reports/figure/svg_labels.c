#include "reports/figure/svg_labels.h"

#include "core/base/text_layout.h"

#include <math.h>

#define CHARACTER 8.2 /* of the largest letters that a page sets, so that boxes hold on a phone */
#define ASCENT    13
#define DESCENT   4
#define LINE      17
#define RADIUS    3 /* of a dot */

static struct hc_svg_box box_of(const char *text, const struct hc_svg_place *place)
{
    double width = CHARACTER * (double)hc_text_columns(text);
    double left = place->anchor == 's'   ? place->x
                  : place->anchor == 'm' ? place->x - width / 2
                                         : place->x - width;
    return (struct hc_svg_box){left, left + width, place->y - ASCENT, place->y + DESCENT};
}

static bool is_free(const struct hc_svg_labels *labels, const struct hc_svg_box *box)
{
    for (size_t i = 0; i < labels->n; i++) {
        const struct hc_svg_box *other = &labels->box[i];
        if (box->left < other->right && other->left < box->right && box->top < other->bottom &&
            other->top < box->bottom)
            return false;
    }
    return true;
}

static bool is_within(const struct hc_svg_chart *chart, const struct hc_svg_box *box)
{
    return box->left >= 0 && box->right <= chart->width && box->top >= chart->top - ASCENT &&
           box->bottom <= chart->bottom;
}

/* Whether a curve goes through the letters: looked for at a few points of each of its pieces. */
#define LOOKS 8
static bool is_on_piece(const struct hc_svg_chart *chart, const struct hc_figure_series *series,
                        size_t i, const struct hc_svg_box *box)
{
    double x = hc_svg_chart_x(chart, series->x[i]), y = hc_svg_chart_y(chart, series->y[i]);
    double next_x = hc_svg_chart_x(chart, series->x[i + 1]);
    double next_y = series->kind == HC_SERIES_STEPS ? y : hc_svg_chart_y(chart, series->y[i + 1]);
    for (int look = 0; look <= LOOKS; look++) {
        double at_x = x + (next_x - x) * look / LOOKS, at_y = y + (next_y - y) * look / LOOKS;
        if (at_x > box->left && at_x < box->right && at_y > box->top && at_y < box->bottom)
            return true;
    }
    return false;
}

static bool is_on_mark(const struct hc_svg_chart *chart, const struct hc_figure_mark *mark,
                       const struct hc_svg_box *box)
{
    double x = hc_svg_chart_x(chart, mark->x), y = hc_svg_chart_y(chart, mark->y);
    return x > box->left - RADIUS && x < box->right + RADIUS && y > box->top - RADIUS &&
           y < box->bottom + RADIUS;
}

static bool is_clear(const struct hc_svg_labels *labels, const struct hc_svg_chart *chart,
                     const struct hc_svg_box *box)
{
    const struct hc_figure *figure = labels->figure;
    for (size_t i = 0; i < figure->n_marks; i++)
        if (is_on_mark(chart, &figure->marks[i], box))
            return false;
    for (size_t s = 0; s < figure->n_series; s++) {
        const struct hc_figure_series *series = &figure->series[s];
        if (series->kind != HC_SERIES_LINE && series->kind != HC_SERIES_STEPS)
            continue;
        for (size_t i = 0; i + 1 < series->n; i++)
            if (is_on_piece(chart, series, i, box))
                return false;
    }
    return true;
}

static struct hc_svg_place place_for(const struct hc_svg_labels *labels,
                                     const struct hc_svg_chart *chart,
                                     const struct hc_svg_label *label)
{
    for (int may_touch = 0; may_touch <= 1; may_touch++)
        for (size_t i = 0; i < label->n_places; i++) {
            const struct hc_svg_box box = box_of(label->text, &label->places[i]);
            if (is_within(chart, &box) && is_free(labels, &box) &&
                (may_touch || is_clear(labels, chart, &box)))
                return label->places[i];
        }
    struct hc_svg_place place = label->places[label->n_places - 1];
    place.y = fmax(place.y, chart->top + ASCENT);
    for (; place.y + LINE + DESCENT <= chart->bottom; place.y += LINE) {
        const struct hc_svg_box box = box_of(label->text, &place);
        if (is_free(labels, &box))
            break;
    }
    place.y = fmin(place.y, chart->bottom - DESCENT);
    return place;
}

void hc_svg_label(struct hc_svg_labels *labels, const struct hc_svg_chart *chart,
                  const struct hc_svg_label *label)
{
    const struct hc_svg_place place = place_for(labels, chart, label);
    hc_svg_text(chart->stream, place.x, place.y, place.anchor, label->class, label->text);
    if (labels->n < HC_MAX_LABELS)
        labels->box[labels->n++] = box_of(label->text, &place);
}
