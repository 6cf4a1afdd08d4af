/* Unproductive time by stage of recovery and by cause, and the interruptions. */
#include "reports/page/section_html.h"
#include "reports/study/lifetime/life_sections.h"

#include <math.h>

#define TEXT_SIZE 64

bool hc_study_html_has_faults(const struct hc_study_result *result)
{
    const struct hc_life_findings *life = hc_life_run_findings(&result->run[0]);
    return life && life->n_causes > 0;
}

/* ---- bars, longest first ---- */

/* A figure of a list: what it is called (its files, its title, its axis), what is said under it. */
struct words {
    const char *name, *title, *axis, *note;
    double unit;  /* of the list in that of the axis: 3600 for seconds as hours */
    bool is_mean; /* of one fault: no shares */
    enum hc_color (*color)(const struct hc_life_item *item);
};

/* The texts of a bar. */
struct labels {
    char name[TEXT_SIZE], text[TEXT_SIZE];
};

static enum hc_color state_color(const struct hc_life_item *item)
{
    return item->name ? hc_study_html_state_color((enum hc_life_state)item->of) : HC_GREY;
}

static enum hc_color cause_color(const struct hc_life_item *item)
{
    return item->of >= 0 ? HC_VERMILLION : HC_GREY;
}

static struct hc_figure_row bar_of(const struct hc_life_item *item, const struct words *words,
                                   struct labels *labels)
{
    char number[HC_STUDY_TEXT], share[HC_NUMBER_TEXT];
    double value = item->value / words->unit;
    snprintf(labels->name, TEXT_SIZE, "%zu others", item->n);
    snprintf(labels->text, TEXT_SIZE, words->is_mean ? "%.30s" : "%.30s (%.12s)",
             hc_study_html_number(value, "", NAN, number), hc_format_percent(item->share, share));
    return (struct hc_figure_row){.name = item->name ? item->name : labels->name,
                                  .text = labels->text,
                                  .value = value,
                                  .color = words->color(item)};
}

static enum hc_status draw_bars(const struct hc_figure_sink *figures, const struct words *words,
                                const struct hc_life_ranking *ranking, struct hc_error *err)
{
    const struct hc_study_column column = {.title = words->axis, .unit = ""};
    struct hc_figure_row bars[HC_LIFE_RANKED];
    struct labels labels[HC_LIFE_RANKED];
    for (size_t i = 0; i < ranking->n; i++)
        bars[i] = bar_of(&ranking->item[i], words, &labels[i]);
    const struct hc_figure figure = {
        .kind = HC_FIGURE_BARS,
        .name = words->name,
        .title = words->title,
        .note = words->note,
        .x = hc_study_html_axis(&column, ranking->n ? bars[0].value : 0),
        .n_rows = ranking->n,
        .rows = bars,
    };
    return hc_figure_put(figures, &figure, err);
}

/* ---- unproductive time ---- */

static enum hc_status draw_stages(const struct hc_figure_sink *figures,
                                  const struct hc_life_findings *life, struct hc_error *err)
{
    static const struct words words = {
        .name = "unproductive-stages",
        .title = "By stage",
        .axis = "GPU-hours of a life",
        .note = "The leaves of the account without the productive one, longest first.",
        .unit = 1,
        .color = state_color};
    return draw_bars(figures, &words, &life->by_stage, err);
}

static enum hc_status draw_causes(const struct hc_figure_sink *figures,
                                  const struct hc_life_findings *life, struct hc_error *err)
{
    static const struct words words = {
        .name = "unproductive-causes",
        .title = "By cause",
        .axis = "hours of wall time of a life",
        .note = "A stop and the work that it lost are counted for the cause in whose recovery they "
                "are; first starts, planned stops and saves have no cause.",
        .unit = 3600,
        .color = cause_color};
    return draw_bars(figures, &words, &life->by_cause, err);
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
    const struct hc_life_findings *life = hc_life_run_findings(&result->run[0]);
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
                                  const struct hc_life_findings *life, struct hc_error *err)
{
    static const struct words words = {.name = "faults-count",
                                       .title = "Number by cause",
                                       .axis = "faults of a life, mean",
                                       .unit = 1,
                                       .color = cause_color};
    return draw_bars(figures, &words, &life->fault_counts, err);
}

static enum hc_status draw_lengths(const struct hc_figure_sink *figures,
                                   const struct hc_life_findings *life, struct hc_error *err)
{
    const struct hc_life_ranking *ranking = &life->fault_lengths;
    char note[HC_STUDY_TEXT];
    snprintf(note, sizeof note, "The %zu longest of %zu; the table has all.", ranking->n,
             ranking->n_all);
    const struct words words = {.name = "faults-length",
                                .title = "Length by cause",
                                .axis = "unproductive minutes of one fault",
                                .note = ranking->n < ranking->n_all ? note : NULL,
                                .unit = 60,
                                .is_mean = true,
                                .color = cause_color};
    return draw_bars(figures, &words, ranking, err);
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
    size_t c = hc_study_column_find(result, name);
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
    const struct hc_life_findings *life = hc_life_run_findings(&result->run[0]);
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
    enum hc_status status = draw_counts(figures, life, err);
    if (status == HC_OK)
        status = draw_lengths(figures, life, err);
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
