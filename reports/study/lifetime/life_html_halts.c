/* The interruptions of one life, drawn and listed. */
#include "reports/page/section_html.h"
#include "reports/study/lifetime/life_sections.h"

#include "core/base/memory.h"

#include <stdlib.h>

#define MAX_PICTURES 3
#define MAX_SPANS    4000 /* of a picture */
#define TITLE_SIZE   96

/* ---- pictures ---- */

struct picture {
    struct hc_figure_bar *bars;
    char (*titles)[TITLE_SIZE];
    size_t n_bars, n_lanes;
    int lane_of[HC_STATE_COUNT]; /* -1: not there */
    const char *names[HC_STATE_COUNT];
    struct hc_figure_part parts[HC_STATE_COUNT]; /* [n_lanes] */
};

static void add_lanes(struct picture *picture, const struct hc_lifetime_span *spans, size_t n)
{
    bool is_there[HC_STATE_COUNT] = {false};
    for (size_t i = 0; i < n; i++)
        is_there[hc_life_leaf_state(spans[i].what)] = true;
    for (int s = 0; s < HC_STATE_COUNT; s++) {
        picture->lane_of[s] = is_there[s] ? (int)picture->n_lanes : -1;
        if (!is_there[s])
            continue;
        const char *name = hc_life_state_name((enum hc_life_state)s);
        picture->names[picture->n_lanes] = name;
        picture->parts[picture->n_lanes++] =
            (struct hc_figure_part){name, hc_study_html_state_color((enum hc_life_state)s)};
    }
}

static void add_bars(struct picture *picture, const struct hc_lifetime_span *spans, size_t n,
                     double unit_ns)
{
    char number[HC_NUMBER_TEXT];
    for (size_t i = 0; i < n; i++) {
        const struct hc_lifetime_span *span = &spans[i];
        int lane = picture->lane_of[hc_life_leaf_state(span->what)];
        char *title = picture->titles[i];
        snprintf(title, TITLE_SIZE, "%s: %s", hc_life_what_title(span->what),
                 hc_study_html_duration((double)(span->end_ns - span->start_ns) * 1e-9, number));
        picture->bars[picture->n_bars++] = (struct hc_figure_bar){
            .lane = (size_t)lane,
            .start = (double)(span->start_ns - spans[0].start_ns) / unit_ns,
            .end = (double)(span->end_ns - spans[0].start_ns) / unit_ns,
            .part = (size_t)lane,
            .text = title,
        };
    }
}

static enum hc_status put_picture(const struct hc_figure_sink *figures,
                                  const struct hc_life_halt *halt, const struct picture *picture,
                                  size_t rank, struct hc_error *err)
{
    static const char *const names[MAX_PICTURES] = {"stop-longest", "stop-second", "stop-third"};
    static const char *const ranks[MAX_PICTURES] = {"Longest", "Second", "Third"};
    double length_s = halt->lost_s + halt->length_s;
    const char *unit;
    char title[256], at[HC_NUMBER_TEXT], length[HC_NUMBER_TEXT];
    double unit_s = hc_study_html_time_unit(length_s, &unit);
    snprintf(title, sizeof title, "%s: %.100s, after %s, %s long", ranks[rank], halt->name,
             hc_study_html_duration(halt->start_s, at),
             hc_study_html_duration(halt->length_s, length));
    const struct hc_figure figure = {
        .kind = HC_FIGURE_GANTT,
        .name = names[rank],
        .title = title,
        .is_wide = true,
        .x = {.title = halt->lost_s > 0 ? "time from the first step that was lost"
                                        : "time from the begin of the stop",
              .unit = unit,
              .high = length_s / unit_s},
        .n_rows = picture->n_lanes,
        .row_names = picture->names,
        .n_parts = picture->n_lanes,
        .parts = picture->parts,
        .n_bars = picture->n_bars,
        .bars = picture->bars,
        .has_no_legend = true,
    };
    return hc_figure_put(figures, &figure, err);
}

static enum hc_status draw_halt(FILE *stream, const struct hc_figure_sink *figures,
                                const struct hc_life_story *story, size_t rank,
                                struct hc_error *err)
{
    const struct hc_life_halt *halt = &story->halt[rank];
    const struct hc_lifetime_span *spans = &story->trace->span[halt->lost_first];
    size_t n = halt->first + halt->n - halt->lost_first;
    struct picture picture = {.n_bars = 0};
    const char *unit;
    if (n > MAX_SPANS) {
        hc_html_paragraph(stream, "note",
                          "Stop %zu by length has %zu stretches: too many for a picture.", rank + 1,
                          n);
        return HC_OK;
    }
    picture.bars = hc_new_array(n, sizeof *picture.bars, err);
    picture.titles = picture.bars ? hc_new_array(n, TITLE_SIZE, err) : NULL;
    enum hc_status status = picture.titles ? HC_OK : err->status;
    if (status == HC_OK) {
        double length_s = halt->lost_s + halt->length_s;
        add_lanes(&picture, spans, n);
        add_bars(&picture, spans, n, hc_study_html_time_unit(length_s, &unit) * 1e9);
        status = put_picture(figures, halt, &picture, rank, err);
    }
    free(picture.titles);
    free(picture.bars);
    return status;
}

/* ---- the table ---- */

static void add_duration(struct hc_section *section, double seconds)
{
    char number[HC_NUMBER_TEXT];
    hc_section_text(section, seconds > 0 ? hc_study_html_duration(seconds, number) : "");
}

static void add_halt(struct hc_section *section, const struct hc_life_halt *halt)
{
    static const enum hc_life_state states[] = {HC_STATE_DETECTION, HC_STATE_LOCALISATION,
                                                HC_STATE_RECOVERY, HC_STATE_STARTUP,
                                                HC_STATE_QUEUE};
    char number[HC_NUMBER_TEXT];
    hc_section_text(section, hc_study_html_duration(halt->start_s, number));
    hc_section_text(section, halt->name);
    hc_section_text(section, hc_study_html_duration(halt->length_s, number));
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        add_duration(section, halt->state_s[states[i]]);
    add_duration(section, halt->lost_s);
}

static enum hc_status write_table(FILE *stream, const struct hc_life_story *story,
                                  struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "after", .is_right = true},
        {.title = "cause"},
        {.title = "length", .is_right = true},
        {.title = "detection", .is_right = true},
        {.title = "localisation", .is_right = true},
        {.title = "recovery", .is_right = true},
        {.title = "start-up", .is_right = true},
        {.title = "queue", .is_right = true},
        {.title = "lost work before", .is_right = true},
    };
    struct hc_section section = {
        .caption = "The longest interruptions", .columns = columns, .n_columns = 9};
    for (size_t i = 0; i < story->n_halts && i < HC_LIFE_NAMED; i++)
        add_halt(&section, &story->halt[i]);
    enum hc_status status = hc_section_print_html(stream, section, err);
    hc_study_html_remainder(stream, story->n_halts, HC_LIFE_NAMED, "shorter interruptions");
    return status;
}

enum hc_status hc_study_html_draw_halts(FILE *stream, const struct hc_figure_sink *figures,
                                        const struct hc_life_story *story, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    if (story->n_halts == 0)
        return HC_OK;
    hc_html_heading(stream, "Its longest interruptions");
    for (size_t i = 0; i < story->n_halts && i < MAX_PICTURES && status == HC_OK; i++)
        status = draw_halt(stream, figures, story, i, err);
    return status ? status : write_table(stream, story, err);
}
