/* One life as a timeline: a lane for each state, and what each slice of it was spent on. */
#include "core/base/memory.h"
#include "reports/figure/svg_gantt.h"
#include "reports/figure/svg_stack.h"
#include "reports/study/study_sections.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define LEAST_APART 900  /* stretches nearer than this part of the life are drawn as one */
#define MAX_EXACT   4000 /* spans that are drawn one by one where they bring progress */
#define MAX_STRIP   400  /* halts that the strip of all states can tell apart */

/* ---- lanes ---- */

struct lanes {
    struct hc_svg_gantt_bar *bar;
    size_t n, capacity, n_lanes;
    int lane_of[HC_STATE_COUNT];
    const char *lane_names[HC_STATE_COUNT + 2];
    const char *names[HC_STATE_COUNT + 1], *classes[HC_STATE_COUNT + 1];
    double unit_ns, apart, least; /* apart: what is nearer is joined; least: width of a bar */
};

static enum hc_status add_bar(struct lanes *lanes, const struct hc_svg_gantt_bar *bar,
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
    struct hc_svg_gantt_bar bar = {.lane = lane, .series = (int)state};
    /* Of progress the short gaps are what is looked for. */
    double apart = state == HC_STATE_PRODUCTIVE && life->n_spans < MAX_EXACT ? 0 : lanes->apart;
    bool is_open = false;
    for (size_t i = 0; i < life->n_spans; i++) {
        const struct hc_lifetime_span *span = &life->span[i];
        double start = (double)span->start_ns / lanes->unit_ns,
               end = (double)span->end_ns / lanes->unit_ns;
        if (hc_life_state_of(span->what) != state)
            continue;
        if (is_open && start - bar.end_s < apart) {
            bar.end_s = fmax(bar.end_s, end);
            continue;
        }
        if (is_open && add_bar(lanes, &bar, err))
            return err->status;
        bar.start_s = start;
        bar.end_s = fmax(end, start + lanes->least);
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
        const struct hc_svg_gantt_bar bar = {
            .lane = lane, .start_s = at, .end_s = at + lanes->least, .series = HC_STATE_COUNT};
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
        is_there[hc_life_state_of(life->span[i].what)] = true;
    if (has_strip)
        lanes->lane_names[lanes->n_lanes++] = "all";
    for (int s = 0; s < HC_STATE_COUNT; s++) {
        enum hc_life_state state = (enum hc_life_state)s;
        lanes->names[s] = hc_life_state_name(state);
        lanes->classes[s] = hc_study_html_state_class(state);
        if (!is_there[s])
            continue;
        if (has_strip && add_state(lanes, life, state, 0, err))
            return err->status;
        if (add_state(lanes, life, state, lanes->n_lanes, err))
            return err->status;
        lanes->lane_names[lanes->n_lanes++] = lanes->names[s];
    }
    lanes->names[HC_STATE_COUNT] = "faults and plans";
    lanes->classes[HC_STATE_COUNT] = "s9";
    if (life->n_marks == 0)
        return HC_OK;
    lanes->lane_names[lanes->n_lanes] = lanes->names[HC_STATE_COUNT];
    return add_marks(lanes, life, lanes->n_lanes++, err);
}

static enum hc_status draw_lanes(FILE *stream, const struct hc_life_story *story,
                                 struct hc_error *err)
{
    const struct hc_lifetime_trace *life = story->trace;
    double end_s = story->wall_s;
    bool has_strip = story->n_halts <= MAX_STRIP;
    const char *unit;
    double unit_s = hc_study_html_time_unit(end_s, &unit);
    struct lanes lanes = {.unit_ns = unit_s * 1e9,
                          .apart = end_s / unit_s / LEAST_APART,
                          .least = 1.4 * end_s / unit_s / LEAST_APART};
    char axis_title[96], note[256], number[HC_NUMBER_TEXT];
    enum hc_status status = fill_lanes(&lanes, life, has_strip, err);
    snprintf(axis_title, sizeof axis_title, "%s since submission", unit);
    snprintf(note, sizeof note,
             "A lane for each state%s. Stretches less than %s apart are drawn as one, and short "
             "ones wider than they are.",
             has_strip ? ", and all of them on top" : "",
             hc_study_html_duration(end_s / LEAST_APART, number));
    if (status == HC_OK) {
        const struct hc_svg_gantt gantt = {
            .n_lanes = lanes.n_lanes,
            .lane_names = lanes.lane_names,
            .n_series = HC_STATE_COUNT + 1,
            .series_names = lanes.names,
            .series_classes = lanes.classes,
            .n_bars = lanes.n,
            .bars = lanes.bar,
            .end_s = end_s / unit_s,
            .axis_title = axis_title,
            .has_no_legend = true,
        };
        hc_html_figure_start(stream, "The whole life", true);
        hc_svg_gantt(stream, "One life from submission to the end", &gantt);
        hc_html_figure_end(stream, note);
    }
    free(lanes.bar);
    return status;
}

/* ---- slices ---- */

static void draw_columns(const struct hc_svg_chart *chart, const struct hc_life_story *story,
                         enum hc_life_state state, double sums[HC_LIFE_SLICES])
{
    double width = (chart->right - chart->left) / HC_LIFE_SLICES;
    bool is_open = false;
    for (size_t i = 0; i < HC_LIFE_SLICES; i++) {
        double share = story->slice[state][i];
        double top = hc_svg_chart_y(chart, sums[i] + share);
        double height = hc_svg_chart_y(chart, sums[i]) - top;
        sums[i] += share;
        if (!(height > 0.05))
            continue;
        if (!is_open)
            fprintf(chart->stream, "<path class=\"fill %s\" d=\"",
                    hc_study_html_state_class(state));
        is_open = true;
        fputc('M', chart->stream);
        hc_svg_number(chart->stream, chart->left + width * (double)i);
        fputc(' ', chart->stream);
        hc_svg_number(chart->stream, top);
        fputc('h', chart->stream);
        hc_svg_number(chart->stream, width - 0.8);
        fputc('v', chart->stream);
        hc_svg_number(chart->stream, height);
        fputc('h', chart->stream);
        hc_svg_number(chart->stream, -(width - 0.8));
        fputc('z', chart->stream);
    }
    if (is_open)
        fputs("\"/>\n", chart->stream);
}

static void slice_legend(FILE *stream, const struct hc_life_story *story)
{
    const char *names[HC_STATE_COUNT], *classes[HC_STATE_COUNT];
    bool in_use[HC_STATE_COUNT] = {false};
    for (int s = 0; s < HC_STATE_COUNT; s++) {
        names[s] = hc_life_state_name((enum hc_life_state)s);
        classes[s] = hc_study_html_state_class((enum hc_life_state)s);
        for (size_t i = 0; i < HC_LIFE_SLICES && s != HC_STATE_PRODUCTIVE; i++)
            in_use[s] |= story->slice[s][i] > 0;
    }
    const struct hc_svg_stack stack = {
        .n_parts = HC_STATE_COUNT, .part_names = names, .part_classes = classes};
    hc_svg_legend_lines(stream, (double[]){240, 14}, HC_SVG_WIDE_WIDTH - 250, &stack, in_use);
}

static void draw_slices(FILE *stream, const struct hc_life_story *story)
{
    double end_s = story->wall_s;
    const char *unit;
    double unit_s = hc_study_html_time_unit(end_s, &unit), sums[HC_LIFE_SLICES] = {0};
    char axis_title[96], title[128], number[HC_NUMBER_TEXT];
    struct hc_svg_chart chart = {.width = HC_SVG_WIDE_WIDTH, .height = 240};
    snprintf(axis_title, sizeof axis_title, "%s since submission", unit);
    snprintf(title, sizeof title, "Without progress, in slices of %s",
             hc_study_html_duration(end_s / HC_LIFE_SLICES, number));
    chart.x = (struct hc_axis){.title = axis_title, .high = end_s / unit_s};
    chart.y = (struct hc_axis){
        .title = "share of the wall time", .high = fmin(1, story->most), .is_share = true};
    hc_axis_round(&chart.y, 4);
    chart.y.low = 0;
    chart.y.high = fmin(1, chart.y.high);
    hc_html_figure_start(stream, title, true);
    hc_svg_chart_start(&chart, stream, title);
    for (int s = HC_STATE_PRODUCTIVE + 1; s < HC_STATE_COUNT; s++)
        draw_columns(&chart, story, (enum hc_life_state)s, sums);
    slice_legend(stream, story);
    hc_svg_chart_end(&chart);
    hc_html_figure_end(stream, "What is missing to 100 % made progress. Checkpoint stalls and slow "
                               "steps are spread evenly over the steps that they were among.");
}

/* ---- all of it ---- */

static void write_summary(FILE *stream, const struct hc_life_story *story)
{
    char wall[HC_NUMBER_TEXT], stops[HC_NUMBER_TEXT], marks[HC_NUMBER_TEXT];
    hc_html_paragraph(stream, NULL,
                      "Life %" PRIu64 " of the base: %s long, %s stretches without steps (the "
                      "first start is one), %s faults and planned events. It is one of many that "
                      "could be, not a typical one.",
                      story->replica, hc_study_html_duration(story->wall_s, wall),
                      hc_format_count((int64_t)story->n_halts, stops),
                      hc_format_count((int64_t)story->trace->n_marks, marks));
}

bool hc_study_html_has_life(const struct hc_study_result *result)
{
    const struct hc_life_findings *life = hc_life_findings_of(&result->run[0]);
    return life && life->life;
}

enum hc_status hc_study_html_life(FILE *stream, const struct hc_study_result *result,
                                  struct hc_error *err)
{
    if (!hc_study_html_has_life(result))
        return HC_OK;
    const struct hc_life_story *story = hc_life_findings_of(&result->run[0])->life;
    hc_html_section_start(stream, "life", "One life");
    write_summary(stream, story);
    enum hc_status status = draw_lanes(stream, story, err);
    if (status == HC_OK) {
        draw_slices(stream, story);
        status = hc_study_html_draw_halts(stream, story, err);
    }
    hc_html_section_end(stream);
    return status;
}
