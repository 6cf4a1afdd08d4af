/* What each key moves: a row a key, in text with a bar below it. */
#include "reports/study/study_sections.h"
#include "reports/study/study_tables.h"
#include "study/run/study_numbers.h"

#include <math.h>
#include <string.h>

#define BAR_WIDTH 30 /* of half a tornado */

/* ---- bars in text ---- */

struct scale {
    double from, to;
};

static struct scale scale_of(const struct hc_study_result *result)
{
    struct scale scale = {INFINITY, -INFINITY};
    for (size_t i = 0; i < result->n_bars; i++) {
        const double ends[] = {result->bar[i].at_low.mean, result->bar[i].at_high.mean};
        for (size_t k = 0; k < 2; k++) {
            scale.from = ends[k] < scale.from ? ends[k] : scale.from;
            scale.to = ends[k] > scale.to ? ends[k] : scale.to;
        }
    }
    return scale;
}

static size_t place_of(const struct scale *scale, double value)
{
    double span = scale->to - scale->from;
    if (!isfinite(value) || !(span > 0))
        return 0;
    return (size_t)((value - scale->from) / span * (2 * BAR_WIDTH - 1) + 0.5);
}

/* '=' from end to end; 'l' and 'h' are where the low and the high value lead. */
static void add_bar(struct hc_section *section, const struct scale *scale,
                    const struct hc_study_bar *bar)
{
    char text[2 * BAR_WIDTH + 1];
    size_t low = place_of(scale, bar->at_low.mean), high = place_of(scale, bar->at_high.mean);
    size_t from = low < high ? low : high, to = low < high ? high : low;
    memset(text, ' ', sizeof text);
    memset(text + from, '=', to - from + 1);
    text[low] = 'l';
    text[high] = low == high ? '|' : 'h';
    text[to + 1] = '\0';
    hc_section_text(section, text);
}

/* ---- rows ---- */

/* "0.97 +- 0.01 at 600, 0.95 +- 0.01 at 7200 (now 3600)" */
static void add_sentence(struct hc_section *section, const struct hc_study_bar *bar)
{
    char low[HC_NUMBER_TEXT], high[HC_NUMBER_TEXT], base[HC_NUMBER_TEXT], at_low[HC_STUDY_NUMBER],
        at_high[HC_STUDY_NUMBER], text[2 * HC_STUDY_NUMBER + 4 * HC_NUMBER_TEXT];
    size_t used = (size_t)snprintf(
        text, sizeof text, "%s at %s, %s at %s", hc_study_value_text(&bar->at_low, at_low),
        hc_study_number_text(bar->low, low), hc_study_value_text(&bar->at_high, at_high),
        hc_study_number_text(bar->high, high));
    if (isfinite(bar->base))
        snprintf(text + used, sizeof text - used, " (now %s)",
                 hc_study_number_text(bar->base, base));
    hc_section_text(section, text);
}

static void add_key(struct hc_section *section, const struct hc_study_bar *bar, const char *unit)
{
    char key[512], text[HC_STUDY_TEXT];
    snprintf(key, sizeof key, "%s:", bar->path);
    hc_section_forms(section, key, bar->path);
    hc_section_text(section, hc_study_html_given(bar->base, bar->unit, text));
    hc_section_text(section, hc_study_html_given(bar->low, bar->unit, text));
    hc_section_text(section, hc_study_html_value(&bar->at_low, unit, text));
    hc_section_text(section, hc_study_html_given(bar->high, bar->unit, text));
    hc_section_text(section, hc_study_html_value(&bar->at_high, unit, text));
    add_sentence(section, bar);
}

void hc_study_tornado_table(struct hc_study_listing *table, const struct hc_study_result *result,
                            size_t most)
{
    static const struct hc_section_column columns[] = {
        {.html_title = "key", .width = 1, .is_whole = true},
        {.html_title = "base", .is_right = true, .only = HC_HTML_ONLY},
        {.html_title = "low", .is_right = true, .only = HC_HTML_ONLY},
        {.html_title = "figure", .is_right = true, .only = HC_HTML_ONLY},
        {.html_title = "high", .is_right = true, .only = HC_HTML_ONLY},
        {.html_title = "figure", .is_right = true, .only = HC_HTML_ONLY},
        {.gap = 1, .only = HC_TEXT_ONLY},
        {.gap = 4, .is_below = true, .is_whole = true, .only = HC_TEXT_ONLY},
    };
    struct scale scale = scale_of(result);
    table->section = (struct hc_section){
        .columns = columns, .n_columns = sizeof columns / sizeof *columns, .indent = 2};
    for (size_t i = 0; i < result->n_bars && i < most; i++) {
        add_key(&table->section, &result->bar[i], result->bar_column->unit);
        add_bar(&table->section, &scale, &result->bar[i]);
    }
}
