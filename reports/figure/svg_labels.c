#include "reports/figure/svg_labels.h"

#include "core/base/text_layout.h"

#include <math.h>

#define CHARACTER 8.2 /* of the largest letters that a page sets, so that boxes hold on a phone */
#define ASCENT    13
#define DESCENT   4
#define LINE      17

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

static struct hc_svg_place place_for(const struct hc_svg_labels *labels,
                                     const struct hc_svg_chart *chart,
                                     const struct hc_svg_label *label)
{
    for (size_t i = 0; i < label->n_places; i++) {
        const struct hc_svg_box box = box_of(label->text, &label->places[i]);
        if (is_within(chart, &box) && is_free(labels, &box))
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
