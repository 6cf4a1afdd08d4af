/* The interruptions of one life: found in its spans, drawn, and listed. */
#include "reports/study/study_html_halts.h"

#include "core/base/memory.h"

#include <stdlib.h>

#define MAX_PICTURES 3
#define MAX_SPANS    4000 /* of a picture */
#define MAX_LISTED   20
#define TITLE_SIZE   96

bool hc_study_html_is_running(enum hc_study_state state)
{
    return state == HC_STATE_PRODUCTIVE || state == HC_STATE_SLOW || state == HC_STATE_DEGRADED ||
           state == HC_STATE_CHECKPOINT || state == HC_STATE_LOST;
}

/* ---- finding them ---- */

/* What was planned within the halt has a mark, but no cause. */
static const char *name_of(const struct hc_study_result *result, const struct hc_study_halt *halt)
{
    const struct hc_lifetime_trace *life = hc_life_of(&result->run[0])->life;
    int64_t start_ns = life->span[halt->first].start_ns;
    if (halt->cause >= 0)
        return hc_study_html_cause(hc_life_of(&result->run[0])->config, halt->cause);
    if (start_ns == 0)
        return "first start";
    for (size_t i = 0; i < life->n_marks; i++)
        if (life->mark[i].cause < 0 && life->mark[i].time_ns >= start_ns &&
            life->mark[i].time_ns <= start_ns + halt->length_ns && life->mark[i].name)
            return life->mark[i].name;
    return "planned";
}

static void describe(struct hc_study_halt *halt, const struct hc_lifetime_trace *life)
{
    const struct hc_lifetime_span *first = &life->span[halt->first],
                                  *last = &life->span[halt->first + halt->n - 1];
    halt->length_ns = last->end_ns - first->start_ns;
    halt->cause = -1;
    for (size_t i = 0; i < halt->n && halt->cause < 0; i++)
        halt->cause = first[i].cause;
    halt->lost_first = halt->first;
    while (halt->lost_first > 0 && life->span[halt->lost_first - 1].what == HC_WHAT_LOST_WORK)
        halt->lost_first--;
    halt->lost_ns = first->start_ns - life->span[halt->lost_first].start_ns;
}

static int by_length(const void *a, const void *b)
{
    const struct hc_study_halt *x = a, *y = b;
    int order = (x->length_ns < y->length_ns) - (x->length_ns > y->length_ns);
    return order ? order : (x->first > y->first) - (x->first < y->first);
}

enum hc_status hc_study_html_find_halts(struct hc_study_halts *halts,
                                        const struct hc_study_result *result, struct hc_error *err)
{
    const struct hc_lifetime_trace *life = hc_life_of(&result->run[0])->life;
    *halts = (struct hc_study_halts){.n = 0};
    for (size_t i = 0; i < life->n_spans;) {
        size_t n = 0;
        while (i + n < life->n_spans &&
               !hc_study_html_is_running(hc_study_html_state(life->span[i + n].what)))
            n++;
        if (n > 0) {
            if (hc_reserve(&halts->halt, &halts->capacity, halts->n + 1, sizeof *halts->halt, err))
                return err->status;
            halts->halt[halts->n] = (struct hc_study_halt){.first = i, .n = n};
            describe(&halts->halt[halts->n++], life);
        }
        i += n + (n == 0);
    }
    if (halts->n > 0)
        qsort(halts->halt, halts->n, sizeof *halts->halt, by_length);
    for (size_t i = 0; i < halts->n && i < MAX_LISTED; i++)
        halts->halt[i].name = name_of(result, &halts->halt[i]);
    return HC_OK;
}

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
        is_there[hc_study_html_state(spans[i].what)] = true;
    for (int s = 0; s < HC_STATE_COUNT; s++) {
        picture->lane_of[s] = is_there[s] ? (int)picture->n_lanes : -1;
        if (!is_there[s])
            continue;
        const char *name = hc_study_html_state_name((enum hc_study_state)s);
        picture->names[picture->n_lanes] = name;
        picture->parts[picture->n_lanes++] =
            (struct hc_figure_part){name, hc_study_html_state_color((enum hc_study_state)s)};
    }
}

static void add_bars(struct picture *picture, const struct hc_lifetime_span *spans, size_t n,
                     double unit_ns)
{
    char number[HC_NUMBER_TEXT];
    for (size_t i = 0; i < n; i++) {
        const struct hc_lifetime_span *span = &spans[i];
        int lane = picture->lane_of[hc_study_html_state(span->what)];
        char *title = picture->titles[i];
        snprintf(title, TITLE_SIZE, "%s: %s",
                 span->what == HC_SPAN_QUEUE ? "queue"
                                             : hc_study_html_what_name((enum hc_what)span->what),
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
                                  const struct hc_study_result *result,
                                  const struct hc_study_halt *halt, const struct picture *picture,
                                  size_t rank, struct hc_error *err)
{
    const struct hc_lifetime_span *spans =
        &hc_life_of(&result->run[0])->life->span[halt->lost_first];
    double length_s = (double)(halt->lost_ns + halt->length_ns) * 1e-9;
    const char *unit;
    char title[256], axis_title[96], at[HC_NUMBER_TEXT], length[HC_NUMBER_TEXT];
    double unit_s = hc_study_html_time_unit(length_s, &unit);
    snprintf(axis_title, sizeof axis_title, "time from the %s",
             halt->lost_ns > 0 ? "first step that was lost" : "begin of the stop");
    static const char *const names[MAX_PICTURES] = {"stop-longest", "stop-second", "stop-third"};
    static const char *const ranks[MAX_PICTURES] = {"Longest", "Second", "Third"};
    snprintf(title, sizeof title, "%s: %.100s, after %s, %s long", ranks[rank], halt->name,
             hc_study_html_duration((double)(spans[0].start_ns + halt->lost_ns) * 1e-9, at),
             hc_study_html_duration((double)halt->length_ns * 1e-9, length));
    const struct hc_figure figure = {
        .kind = HC_FIGURE_GANTT,
        .name = names[rank],
        .title = title,
        .is_wide = true,
        .x = {.title = axis_title, .unit = unit, .high = length_s / unit_s},
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
                                const struct hc_study_result *result,
                                const struct hc_study_halt *halt, size_t rank, struct hc_error *err)
{
    const struct hc_lifetime_span *spans =
        &hc_life_of(&result->run[0])->life->span[halt->lost_first];
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
        double length_s = (double)(halt->lost_ns + halt->length_ns) * 1e-9;
        add_lanes(&picture, spans, n);
        add_bars(&picture, spans, n, hc_study_html_time_unit(length_s, &unit) * 1e9);
        status = put_picture(figures, result, halt, &picture, rank, err);
    }
    free(picture.titles);
    free(picture.bars);
    return status;
}

/* ---- the table ---- */

static void write_halt(struct hc_html_table *table, const struct hc_study_result *result,
                       const struct hc_study_halt *halt)
{
    static const enum hc_study_state states[] = {HC_STATE_DETECTION, HC_STATE_LOCALISATION,
                                                 HC_STATE_RECOVERY, HC_STATE_STARTUP,
                                                 HC_STATE_QUEUE};
    const struct hc_lifetime_span *spans = &hc_life_of(&result->run[0])->life->span[halt->first];
    double sums[HC_STATE_COUNT] = {0};
    char number[HC_NUMBER_TEXT];
    for (size_t i = 0; i < halt->n; i++)
        sums[hc_study_html_state(spans[i].what)] +=
            (double)(spans[i].end_ns - spans[i].start_ns) * 1e-9;
    hc_html_row(table);
    hc_html_cell(table, "%s", hc_study_html_duration((double)spans[0].start_ns * 1e-9, number));
    hc_html_cell(table, "%s", halt->name);
    hc_html_cell(table, "%s", hc_study_html_duration((double)halt->length_ns * 1e-9, number));
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        hc_html_cell(table, "%s",
                     sums[states[i]] > 0 ? hc_study_html_duration(sums[states[i]], number) : "");
    hc_html_cell(table, "%s",
                 halt->lost_ns > 0 ? hc_study_html_duration((double)halt->lost_ns * 1e-9, number)
                                   : "");
}

static void write_table(FILE *stream, const struct hc_study_result *result,
                        const struct hc_study_halts *halts)
{
    static const struct hc_html_column columns[] = {
        {"after", true},     {"cause", false},       {"length", true},
        {"detection", true}, {"localisation", true}, {"recovery", true},
        {"start-up", true},  {"queue", true},        {"lost work before", true}};
    struct hc_html_table table;
    hc_html_table_start(&table, stream, "The longest interruptions", columns, 9);
    for (size_t i = 0; i < halts->n && i < MAX_LISTED; i++)
        write_halt(&table, result, &halts->halt[i]);
    hc_html_table_end(&table);
    hc_study_html_left_out(stream, halts->n, MAX_LISTED, "shorter interruptions");
}

enum hc_status hc_study_html_draw_halts(FILE *stream, const struct hc_figure_sink *figures,
                                        const struct hc_study_result *result,
                                        const struct hc_study_halts *halts, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    if (halts->n == 0)
        return HC_OK;
    hc_html_heading(stream, "Its longest interruptions");
    for (size_t i = 0; i < halts->n && i < MAX_PICTURES && status == HC_OK; i++)
        status = draw_halt(stream, figures, result, &halts->halt[i], i, err);
    write_table(stream, result, halts);
    return status;
}
