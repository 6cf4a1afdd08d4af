/* One life as a timeline: a lane for each state, and what each slice of it was spent on. */
#include "reports/study/lifetime/life_sections.h"

#include "core/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define LEAST_APART 900  /* stretches nearer than this part of the life are drawn as one */
#define MAX_EXACT   4000 /* spans that are drawn one by one where they bring progress */
#define MAX_STRIP   400  /* halts that the strip of all states can tell apart */

/* ---- lanes ---- */

struct lanes {
    struct hc_figure_bar *bar;
    size_t n, capacity, n_lanes;
    int lane_of[HC_STATE_COUNT];
    const char *lane_names[HC_STATE_COUNT + 2];
    struct hc_figure_part parts[HC_STATE_COUNT + 1];
    double unit_ns, apart, least; /* apart: what is nearer is joined; least: width of a bar */
};

static enum hc_status add_bar(struct lanes *lanes, const struct hc_figure_bar *bar,
                              struct hc_error *err)
{
    if (hc_reserve(&lanes->bar, &lanes->capacity, lanes->n + 1, sizeof *lanes->bar, err))
        return err->status;
    lanes->bar[lanes->n++] = *bar;
    return HC_OK;
}

/* Spans of a state as bars of its lane, near ones as one. */
static enum hc_status add_state(struct lanes *lanes, const struct hc_lifetime_trace *life,
                                enum hc_life_state state, size_t lane, struct hc_error *err)
{
    struct hc_figure_bar bar = {.lane = lane, .part = (size_t)state};
    /* Of progress the short gaps are what is looked for. */
    double apart = state == HC_STATE_PRODUCTIVE && life->n_spans < MAX_EXACT ? 0 : lanes->apart;
    bool is_open = false;
    for (size_t i = 0; i < life->n_spans; i++) {
        const struct hc_lifetime_span *span = &life->span[i];
        double start = (double)span->start_ns / lanes->unit_ns,
               end = (double)span->end_ns / lanes->unit_ns;
        if (hc_life_leaf_state(span->what) != state)
            continue;
        if (is_open && start - bar.end < apart) {
            bar.end = fmax(bar.end, end);
            continue;
        }
        if (is_open && add_bar(lanes, &bar, err))
            return err->status;
        bar.start = start;
        bar.end = fmax(end, start + lanes->least);
        is_open = true;
    }
    return is_open ? add_bar(lanes, &bar, err) : HC_OK;
}

/* When faults came and what was planned. */
static enum hc_status add_marks(struct lanes *lanes, const struct hc_lifetime_trace *life,
                                size_t lane, struct hc_error *err)
{
    double last = -INFINITY;
    for (size_t i = 0; i < life->n_marks; i++) {
        double at = (double)life->mark[i].time_ns / lanes->unit_ns;
        const struct hc_figure_bar bar = {
            .lane = lane, .start = at, .end = at + lanes->least, .part = HC_STATE_COUNT};
        if (at - last < lanes->apart / 2)
            continue;
        last = at;
        if (add_bar(lanes, &bar, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status fill_lanes(struct lanes *lanes, const struct hc_lifetime_trace *life,
                                 bool has_strip, struct hc_error *err)
{
    bool is_there[HC_STATE_COUNT] = {false};
    for (size_t i = 0; i < life->n_spans; i++)
        is_there[hc_life_leaf_state(life->span[i].what)] = true;
    hc_study_html_state_parts(lanes->parts);
    if (has_strip)
        lanes->lane_names[lanes->n_lanes++] = "all";
    for (int s = 0; s < HC_STATE_COUNT; s++) {
        enum hc_life_state state = (enum hc_life_state)s;
        if (!is_there[s])
            continue;
        if (has_strip && add_state(lanes, life, state, 0, err))
            return err->status;
        if (add_state(lanes, life, state, lanes->n_lanes, err))
            return err->status;
        lanes->lane_names[lanes->n_lanes++] = lanes->parts[s].name;
    }
    lanes->parts[HC_STATE_COUNT] = (struct hc_figure_part){"faults and plans", HC_BLACK};
    if (life->n_marks == 0)
        return HC_OK;
    lanes->lane_names[lanes->n_lanes] = lanes->parts[HC_STATE_COUNT].name;
    return add_marks(lanes, life, lanes->n_lanes++, err);
}

static enum hc_status draw_lanes(const struct hc_figure_sink *figures,
                                 const struct hc_life_story *story, struct hc_error *err)
{
    const struct hc_lifetime_trace *life = story->trace;
    double end_s = story->wall_s;
    bool has_strip = story->n_halts <= MAX_STRIP;
    const char *unit;
    double unit_s = hc_study_html_time_unit(end_s, &unit);
    struct lanes lanes = {.unit_ns = unit_s * 1e9,
                          .apart = end_s / unit_s / LEAST_APART,
                          .least = 1.4 * end_s / unit_s / LEAST_APART};
    char note[256], number[HC_NUMBER_TEXT];
    enum hc_status status = fill_lanes(&lanes, life, has_strip, err);
    snprintf(note, sizeof note,
             "A lane for each state%s. Stretches less than %s apart are drawn as one, and short "
             "ones wider than they are.",
             has_strip ? ", and all of them on top" : "",
             hc_study_html_duration(end_s / LEAST_APART, number));
    if (status == HC_OK) {
        const struct hc_figure figure = {
            .kind = HC_FIGURE_GANTT,
            .name = "life",
            .title = "The whole life",
            .says = "One life from submission to the end",
            .note = note,
            .is_wide = true,
            .x = {.title = "time since submission", .unit = unit, .high = end_s / unit_s},
            .n_rows = lanes.n_lanes,
            .row_names = lanes.lane_names,
            .n_parts = HC_STATE_COUNT + 1,
            .parts = lanes.parts,
            .n_bars = lanes.n,
            .bars = lanes.bar,
            .has_no_legend = true,
        };
        status = hc_figure_put(figures, &figure, err);
    }
    free(lanes.bar);
    return status;
}

/* ---- slices ---- */

/* A series for each state that there is; returns how many. */
static size_t slice_series(struct hc_figure_series *series, const struct hc_life_story *story,
                           const double middles[HC_LIFE_SLICES])
{
    size_t n = 0;
    for (int s = HC_STATE_PRODUCTIVE + 1; s < HC_STATE_COUNT; s++) {
        bool is_used = false;
        for (size_t i = 0; i < HC_LIFE_SLICES; i++)
            is_used |= story->slice[s][i] > 0;
        if (is_used)
            series[n++] =
                (struct hc_figure_series){.kind = HC_SERIES_COLUMNS,
                                          .color = hc_study_html_state_color((enum hc_life_state)s),
                                          .name = hc_life_state_name((enum hc_life_state)s),
                                          .n = HC_LIFE_SLICES,
                                          .x = middles,
                                          .y = story->slice[s]};
    }
    return n;
}

static enum hc_status draw_slices(const struct hc_figure_sink *figures,
                                  const struct hc_life_story *story, struct hc_error *err)
{
    const char *unit;
    double end_s = story->wall_s, middles[HC_LIFE_SLICES];
    double unit_s = hc_study_html_time_unit(end_s, &unit);
    struct hc_figure_series series[HC_STATE_COUNT];
    char title[128], number[HC_NUMBER_TEXT];
    snprintf(title, sizeof title, "Without progress, in slices of %s",
             hc_study_html_duration(end_s / HC_LIFE_SLICES, number));
    for (size_t i = 0; i < HC_LIFE_SLICES; i++)
        middles[i] = end_s / unit_s / HC_LIFE_SLICES * ((double)i + 0.5);
    struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = "life-slices",
        .title = title,
        .note = "What is missing to 100 % made progress. Checkpoint stalls and slow steps are "
                "spread evenly over the steps that they were among.",
        .is_wide = true,
        .height = 240,
        .x = {.title = "time since submission", .unit = unit, .high = end_s / unit_s},
        .y = {.title = "share of the wall time", .high = fmin(1, story->most), .is_share = true},
        .column_width = end_s / unit_s / HC_LIFE_SLICES,
        .n_series = slice_series(series, story, middles),
        .series = series,
    };
    hc_axis_round(&figure.y, 4);
    figure.y.low = 0;
    figure.y.high = fmin(1, figure.y.high);
    return hc_figure_put(figures, &figure, err);
}

/* ---- all of it ---- */

static void write_summary(FILE *stream, const struct hc_study_result *result,
                          const struct hc_life_story *story)
{
    char wall[HC_NUMBER_TEXT], stops[HC_NUMBER_TEXT], marks[HC_NUMBER_TEXT];
    hc_html_paragraph(stream, NULL,
                      "Life %" PRIu64 " of the base: %s long, %s%s%s faults and planned events. It "
                      "is one of many that could be, not a typical one.",
                      story->replica, hc_study_html_duration(story->wall_s, wall),
                      story->is_summed ? "" : hc_format_count((int64_t)story->n_halts, stops),
                      story->is_summed ? "" : " stretches without steps (the first start is one), ",
                      hc_format_count(story->n_events, marks));
    if (story->is_summed && result->drawn_note)
        hc_html_paragraph(stream, NULL,
                          "It is too long to be shown stretch by stretch: %s. Within a slice, all "
                          "that has one state, reason and cause stands together, so interruptions "
                          "are not listed one by one.",
                          result->drawn_note);
}

bool hc_study_html_has_life(const struct hc_study_result *result)
{
    const struct hc_life_findings *life = hc_life_run_findings(&result->run[0]);
    return life && life->life;
}

enum hc_status hc_study_html_life(FILE *stream, const struct hc_figure_sink *figures,
                                  const struct hc_study_result *result, struct hc_error *err)
{
    if (!hc_study_html_has_life(result))
        return HC_OK;
    const struct hc_life_story *story = hc_life_run_findings(&result->run[0])->life;
    hc_html_section_start(stream, "life", "One life");
    write_summary(stream, result, story);
    enum hc_status status = draw_lanes(figures, story, err);
    if (status == HC_OK)
        status = draw_slices(figures, story, err);
    if (status == HC_OK)
        status = hc_study_html_draw_halts(stream, figures, story, err);
    hc_html_section_end(stream);
    return status;
}
