/* Unproductive time by stage of recovery and by cause, and the interruptions. */
#include "reports/page/section_html.h"
#include "reports/study/lifetime/life_sections.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BARS   20
#define TEXT_SIZE  64
#define OTHER_NAME "others"

bool hc_study_html_has_faults(const struct hc_study_result *result)
{
    const struct hc_life_findings *life = hc_life_findings_of(&result->run[0]);
    return life && life->n_causes > 0;
}

/* ---- bars, longest first, the last ones as one ---- */

struct bars {
    struct hc_figure_row *bar;
    char (*text)[TEXT_SIZE];
    char others[TEXT_SIZE];
    bool is_mean; /* of one fault: neither shares nor a sum of the last */
    size_t n;
};

static void bars_fini(struct bars *bars)
{
    free(bars->bar);
    free(bars->text);
}

static enum hc_status bars_init(struct bars *bars, size_t n, struct hc_error *err)
{
    *bars = (struct bars){.n = 0};
    bars->bar = hc_new_array(n + 1, sizeof *bars->bar, err);
    bars->text = bars->bar ? hc_new_array(n + 1, TEXT_SIZE, err) : NULL;
    return bars->text ? HC_OK : err->status;
}

static void add_bar(struct bars *bars, const char *name, enum hc_color color, double value)
{
    if (value > 0)
        bars->bar[bars->n++] = (struct hc_figure_row){.name = name, .value = value, .color = color};
}

/* Descending; equal ones by name, so that the order is the same everywhere. */
static int by_value(const void *a, const void *b)
{
    const struct hc_figure_row *x = a, *y = b;
    int order = (x->value < y->value) - (x->value > y->value);
    return order ? order : strcmp(x->name, y->name);
}

static void join_last(struct bars *bars)
{
    if (bars->n <= MAX_BARS)
        return;
    double sum = 0;
    for (size_t i = MAX_BARS - 1; i < bars->n; i++)
        sum += bars->bar[i].value;
    if (bars->is_mean) {
        bars->n = MAX_BARS;
        return;
    }
    snprintf(bars->others, TEXT_SIZE, "%zu " OTHER_NAME, bars->n - (MAX_BARS - 1));
    bars->bar[MAX_BARS - 1] =
        (struct hc_figure_row){.name = bars->others, .value = sum, .color = HC_GREY};
    bars->n = MAX_BARS;
}

/* What a figure of bars is called: its files, its title, its axis; what is said under it. */
struct words {
    const char *name, *title, *axis, *note;
};

static enum hc_status draw_bars(const struct hc_figure_sink *figures, const struct words *words,
                                struct bars *bars, struct hc_error *err)
{
    const struct hc_study_column column = {.title = words->axis, .unit = ""};
    char number[HC_STUDY_TEXT], share[HC_NUMBER_TEXT];
    double sum = 0;
    qsort(bars->bar, bars->n, sizeof *bars->bar, by_value);
    join_last(bars);
    for (size_t i = 0; i < bars->n; i++)
        sum += bars->bar[i].value;
    for (size_t i = 0; i < bars->n; i++) {
        hc_study_html_number(bars->bar[i].value, "", NAN, number);
        snprintf(bars->text[i], TEXT_SIZE, bars->is_mean ? "%.30s" : "%.30s (%.12s)", number,
                 hc_format_percent(bars->bar[i].value / sum, share));
        bars->bar[i].text = bars->text[i];
    }
    const struct hc_figure figure = {
        .kind = HC_FIGURE_BARS,
        .name = words->name,
        .title = words->title,
        .note = words->note,
        .x = hc_study_html_axis(&column, bars->n ? bars->bar[0].value : 0),
        .n_rows = bars->n,
        .rows = bars->bar,
    };
    return hc_figure_put(figures, &figure, err);
}

/* ---- unproductive time ---- */

static enum hc_status draw_stages(const struct hc_figure_sink *figures,
                                  const struct hc_life_findings *life, struct hc_error *err)
{
    struct bars bars;
    if (bars_init(&bars, life->n_whats, err)) {
        bars_fini(&bars);
        return err->status;
    }
    for (size_t i = 0; i < life->n_whats; i++) {
        const struct hc_life_what *what = &life->what[i];
        enum hc_life_state state = hc_life_state_of(what->what);
        if (what->what != HC_WHAT_COUNT && state != HC_STATE_PRODUCTIVE)
            add_bar(&bars, what->title, hc_study_html_state_color(state), what->gpu_h);
    }
    const struct words words = {
        "unproductive-stages", "By stage", "GPU-hours of a life",
        "The leaves of the account without the productive one, longest first."};
    enum hc_status status = draw_bars(figures, &words, &bars, err);
    bars_fini(&bars);
    return status;
}

static enum hc_status draw_causes(const struct hc_figure_sink *figures,
                                  const struct hc_life_findings *life, struct hc_error *err)
{
    struct bars bars;
    if (bars_init(&bars, life->n_causes + 1, err)) {
        bars_fini(&bars);
        return err->status;
    }
    for (size_t i = 0; i < life->n_causes; i++)
        add_bar(&bars, life->cause[i].name, HC_VERMILLION, life->cause[i].unproductive_s / 3600);
    add_bar(&bars, "start, plans, saves", HC_GREY, life->other.unproductive_s / 3600);
    const struct words words = {
        "unproductive-causes", "By cause", "hours of wall time of a life",
        "A stop and the work that it lost are counted for the cause in whose recovery they "
        "are; first starts, planned stops and saves have no cause."};
    enum hc_status status = draw_bars(figures, &words, &bars, err);
    bars_fini(&bars);
    return status;
}

static enum hc_status write_stages_of_a_stop(FILE *stream, const struct hc_life_findings *life,
                                             struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "stage"},
        {.title = "time of a stop, mean", .is_right = true},
        {.title = "GPU-hours of a life", .is_right = true},
        {.title = "share of the unproductive", .is_right = true},
    };
    struct hc_section section = {
        .caption = "Stages of recovery", .columns = columns, .n_columns = 4};
    char text[HC_STUDY_TEXT], number[HC_NUMBER_TEXT];
    if (life->n_stages == 0)
        return HC_OK;
    for (size_t i = 0; i < life->n_stages; i++) {
        const struct hc_life_stage *stage = &life->stage[i];
        hc_section_text(&section, hc_life_state_name(stage->state));
        hc_section_text(&section, hc_study_html_duration(stage->of_stop_s, number));
        hc_section_text(&section, hc_study_html_number(stage->gpu_h, "", NAN, text));
        hc_section_percent(&section, stage->share);
    }
    hc_section_note(&section, "Without the first start. The mean is GPU-time over all GPUs of the "
                              "job and all stops, also over those that a stage is not part of.");
    return hc_section_print_html(stream, section, err);
}

enum hc_status hc_study_html_unproductive(FILE *stream, const struct hc_figure_sink *figures,
                                          const struct hc_study_result *result,
                                          struct hc_error *err)
{
    const struct hc_life_findings *life = hc_life_findings_of(&result->run[0]);
    if (!life)
        return HC_OK;
    hc_html_section_start(stream, "unproductive", "Unproductive time");
    hc_html_paragraph(stream, NULL,
                      "Twice the same, cut in two ways: by what the GPUs did, and by what it was "
                      "for. Means of the lives.");
    hc_html_grid_start(stream);
    enum hc_status status = draw_stages(figures, life, err);
    if (status == HC_OK)
        status = draw_causes(figures, life, err);
    hc_html_grid_end(stream);
    if (status == HC_OK)
        status = write_stages_of_a_stop(stream, life, err);
    hc_html_section_end(stream);
    return status;
}

/* ---- interruptions ---- */

static enum hc_status draw_counts(const struct hc_figure_sink *figures,
                                  const struct hc_life_findings *life, bool is_length,
                                  struct hc_error *err)
{
    struct bars bars;
    char note[HC_STUDY_TEXT];
    if (bars_init(&bars, life->n_causes, err)) {
        bars_fini(&bars);
        return err->status;
    }
    bars.is_mean = is_length;
    for (size_t i = 0; i < life->n_causes; i++) {
        const struct hc_life_cause *cause = &life->cause[i];
        add_bar(&bars, cause->name, HC_VERMILLION,
                is_length ? cause->unproductive_of_one_s / 60 : cause->faults.mean);
    }
    snprintf(note, sizeof note, "The %d longest of %zu; the table has all.", MAX_BARS, bars.n);
    const struct words count = {"faults-count", "Number by cause", "faults of a life, mean", NULL};
    const struct words length = {"faults-length", "Length by cause",
                                 "unproductive minutes of one fault",
                                 bars.n > MAX_BARS ? note : NULL};
    enum hc_status status = draw_bars(figures, is_length ? &length : &count, &bars, err);
    bars_fini(&bars);
    return status;
}

static enum hc_status write_causes(FILE *stream, const struct hc_life_findings *life,
                                   struct hc_error *err)
{
    struct hc_study_listing table;
    hc_study_causes_table(&table, life);
    return hc_section_print_html(stream, table.section, err);
}

/* Every count that is not zero. */
static enum hc_status write_counts(FILE *stream, const struct hc_life_findings *life,
                                   struct hc_error *err)
{
    static const struct hc_section_column columns[] = {{.title = "what"},
                                                       {.title = "of a life", .is_right = true}};
    struct hc_section section = {.columns = columns, .n_columns = 2};
    char text[HC_STUDY_TEXT];
    for (int i = 0; i < HC_COUNT_COUNT; i++) {
        if (!(life->tally[i].value.mean > 0))
            continue;
        hc_section_text(&section, life->tally[i].title);
        hc_section_text(&section, hc_study_html_value(&life->tally[i].value, "", text));
    }
    hc_html_details_start(stream, "All counts");
    enum hc_status status = hc_section_print_html(stream, section, err);
    hc_html_details_end(stream);
    return status;
}

/* "42.1 (41.2 to 43.0)" of a column, or NULL. */
static const char *figure_text(const struct hc_study_result *result, const char *name,
                               char text[HC_STUDY_TEXT])
{
    size_t c = hc_study_column_at(result, name);
    if (c == HC_STUDY_NONE || !isfinite(result->run[0].value[c].mean))
        return NULL;
    return hc_study_html_value(&result->run[0].value[c], result->column[c].unit, text);
}

/* Of the stops of all lives together. */
static void write_lengths(FILE *stream, const struct hc_study_result *result,
                          const struct hc_life_stops *stops)
{
    char text[HC_STUDY_TEXT];
    if (stops->n == 0)
        return;
    hc_html_fact(stream, "Length of all stops",
                 "half within %.1f min, 90 %% within %.1f, 99 %% within %.1f, the longest %.1f",
                 stops->p50_s / 60, stops->p90_s / 60, stops->p99_s / 60, stops->longest_s / 60);
    if (figure_text(result, "longest_stop_h", text))
        hc_html_fact(stream, "Longest stop of a life", "%s",
                     figure_text(result, "longest_stop_h", text));
}

enum hc_status hc_study_html_stops(FILE *stream, const struct hc_figure_sink *figures,
                                   const struct hc_study_result *result, struct hc_error *err)
{
    const struct hc_life_findings *life = hc_life_findings_of(&result->run[0]);
    char text[HC_STUDY_TEXT];
    if (!hc_study_html_has_faults(result))
        return HC_OK;
    hc_html_section_start(stream, "stops", "Interruptions");
    hc_html_facts_start(stream);
    if (figure_text(result, "interruptions", text))
        hc_html_fact(stream, "Stops of a life", "%s", figure_text(result, "interruptions", text));
    if (figure_text(result, "mtbf_h", text))
        hc_html_fact(stream, "Running between stops", "%s", figure_text(result, "mtbf_h", text));
    if (figure_text(result, "mttr_s", text))
        hc_html_fact(stream, "From a stop to the next step", "%s",
                     figure_text(result, "mttr_s", text));
    write_lengths(stream, result, &life->stops);
    hc_html_facts_end(stream);
    hc_html_grid_start(stream);
    enum hc_status status = draw_counts(figures, life, false, err);
    if (status == HC_OK)
        status = draw_counts(figures, life, true, err);
    hc_html_grid_end(stream);
    if (status == HC_OK)
        status = write_causes(stream, life, err);
    hc_html_paragraph(stream, "note",
                      "A fault that slows the job or changes its code need not stop it, and one "
                      "whose remedy does not help stops it again: faults and stops differ.");
    if (status == HC_OK)
        status = write_counts(stream, life, err);
    hc_html_section_end(stream);
    return status;
}
