/* Unproductive time by stage of recovery and by cause, and the interruptions. */
#include "reports/study/study_sections.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BARS   20
#define TEXT_SIZE  64
#define OTHER_NAME "others"

bool hc_study_html_has_faults(const struct hc_study_result *result)
{
    const struct hc_life_detail *life = hc_life_of(&result->run[0]);
    return life && life->config->n_faults > 0;
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
                                  const struct hc_study_run *run, struct hc_error *err)
{
    struct bars bars;
    if (bars_init(&bars, HC_WHAT_COUNT, err)) {
        bars_fini(&bars);
        return err->status;
    }
    for (int what = 0; what < HC_WHAT_COUNT; what++) {
        enum hc_study_state state = hc_study_html_state(what);
        if (state == HC_STATE_PRODUCTIVE)
            continue;
        add_bar(&bars, hc_study_html_what_name((enum hc_what)what),
                hc_study_html_state_color(state),
                hc_study_html_hours(
                    &hc_life_of(run)->summary,
                    hc_account_what(&hc_life_of(run)->summary.account, (enum hc_what)what)));
    }
    const struct words words = {
        "unproductive-stages", "By stage", "GPU-hours of a life",
        "The leaves of the account without the productive one, longest first."};
    enum hc_status status = draw_bars(figures, &words, &bars, err);
    bars_fini(&bars);
    return status;
}

static enum hc_status draw_causes(const struct hc_figure_sink *figures,
                                  const struct hc_study_run *run, struct hc_error *err)
{
    struct bars bars;
    if (bars_init(&bars, HC_LIFETIME_MAX_FAULTS + 1, err)) {
        bars_fini(&bars);
        return err->status;
    }
    for (size_t i = 0; i < hc_life_of(run)->config->n_faults && i < HC_LIFETIME_MAX_FAULTS; i++)
        add_bar(&bars, hc_study_html_cause(hc_life_of(run)->config, (int32_t)i), HC_VERMILLION,
                hc_life_of(run)->summary.unproductive_s[i].mean / 3600);
    add_bar(&bars, "start, plans, saves", HC_GREY,
            hc_life_of(run)->summary.unproductive_s[HC_LIFETIME_MAX_FAULTS].mean / 3600);
    const struct words words = {
        "unproductive-causes", "By cause", "hours of wall time of a life",
        "A stop and the work that it lost are counted for the cause in whose recovery they "
        "are; first starts, planned stops and saves have no cause."};
    enum hc_status status = draw_bars(figures, &words, &bars, err);
    bars_fini(&bars);
    return status;
}

/* Wall time of a stop that each stage takes: its GPU-time over all GPUs and stops. */
static void write_stages_of_a_stop(FILE *stream, const struct hc_study_run *run)
{
    static const struct hc_html_column columns[] = {{"stage", false},
                                                    {"time of a stop, mean", true},
                                                    {"GPU-hours of a life", true},
                                                    {"share of the unproductive", true}};
    const struct hc_account *account = &hc_life_of(run)->summary.account;
    double gpus =
        (double)hc_life_of(run)->config->job.nodes * hc_life_of(run)->config->job.gpus_per_node;
    double stops =
        hc_life_of(run)->summary.count[HC_COUNT_STOPS].mean * (double)hc_life_of(run)->summary.n;
    double hours[HC_STATE_COUNT], all = 0;
    struct hc_html_table table;
    char text[HC_STUDY_TEXT], number[HC_NUMBER_TEXT];
    hc_study_html_states(&hc_life_of(run)->summary, hours);
    for (int s = HC_STATE_PRODUCTIVE + 1; s < HC_STATE_COUNT; s++)
        all += hours[s];
    if (!(stops > 0) || !(all > 0))
        return;
    hc_html_table_start(&table, stream, "Stages of recovery", columns, 4);
    static const enum hc_study_state stages[] = {HC_STATE_DETECTION, HC_STATE_LOCALISATION,
                                                 HC_STATE_RECOVERY, HC_STATE_STARTUP,
                                                 HC_STATE_LOST};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        hc_gpu_ns sum = 0;
        for (int what = 0; what < HC_WHAT_COUNT; what++)
            for (int why = HC_WHY_FIRST_START + 1; why < HC_WHY_COUNT; why++)
                if (hc_study_html_state(what) == stages[i])
                    sum += account->leaf[what][why];
        if (sum == 0)
            continue;
        hc_html_row(&table);
        hc_html_cell(&table, "%s", hc_study_html_state_name(stages[i]));
        hc_html_cell(&table, "%s",
                     hc_study_html_duration((double)sum * 1e-9 / gpus / stops, number));
        hc_html_cell(&table, "%s",
                     hc_study_html_number(hc_study_html_hours(&hc_life_of(run)->summary, sum), "",
                                          NAN, text));
        hc_html_cell(
            &table, "%s",
            hc_format_percent(hc_study_html_hours(&hc_life_of(run)->summary, sum) / all, number));
    }
    hc_html_table_end(&table);
    hc_html_paragraph(stream, "note",
                      "Without the first start. The mean is GPU-time over all GPUs of the job and "
                      "all stops, also over those that a stage is not part of.");
}

enum hc_status hc_study_html_unproductive(FILE *stream, const struct hc_figure_sink *figures,
                                          const struct hc_study_result *result,
                                          struct hc_error *err)
{
    const struct hc_study_run *run = &result->run[0];
    if (!hc_life_of(run))
        return HC_OK;
    hc_html_section_start(stream, "unproductive", "Unproductive time");
    hc_html_paragraph(stream, NULL,
                      "Twice the same, cut in two ways: by what the GPUs did, and by what it was "
                      "for. Means of the lives.");
    hc_html_grid_start(stream);
    enum hc_status status = draw_stages(figures, run, err);
    if (status == HC_OK)
        status = draw_causes(figures, run, err);
    hc_html_grid_end(stream);
    write_stages_of_a_stop(stream, run);
    hc_html_section_end(stream);
    return status;
}

/* ---- interruptions ---- */

static enum hc_status draw_counts(const struct hc_figure_sink *figures,
                                  const struct hc_study_run *run, bool is_length,
                                  struct hc_error *err)
{
    struct bars bars;
    char note[HC_STUDY_TEXT];
    if (bars_init(&bars, HC_LIFETIME_MAX_FAULTS, err)) {
        bars_fini(&bars);
        return err->status;
    }
    bars.is_mean = is_length;
    for (size_t i = 0; i < hc_life_of(run)->config->n_faults && i < HC_LIFETIME_MAX_FAULTS; i++) {
        double n = hc_life_of(run)->summary.faults[i].mean;
        double value = is_length ? hc_life_of(run)->summary.unproductive_s[i].mean / 60 / n : n;
        add_bar(&bars, hc_study_html_cause(hc_life_of(run)->config, (int32_t)i), HC_VERMILLION,
                n > 0 ? value : 0);
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

static void write_causes(FILE *stream, const struct hc_study_result *result)
{
    static const char *const classes[] = {"explicit", "implicit", "manual"};
    static const struct hc_html_column columns[] = {{"cause", false},
                                                    {"class", false},
                                                    {"faults of a life", true},
                                                    {"unproductive of a life", true},
                                                    {"of one fault", true}};
    const struct hc_study_run *run = &result->run[0];
    struct hc_html_table table;
    char text[HC_STUDY_TEXT], number[HC_NUMBER_TEXT];
    hc_html_table_start(&table, stream, "Causes", columns, 5);
    for (size_t i = 0; i < hc_life_of(run)->config->n_faults && i < HC_LIFETIME_MAX_FAULTS; i++) {
        const struct hc_lifetime_fault *fault = &hc_life_of(run)->config->fault[i];
        struct hc_study_value n =
            hc_study_html_of_moments(&hc_life_of(run)->summary.faults[i], 1, result->confidence);
        double lost_s = hc_life_of(run)->summary.unproductive_s[i].mean;
        bool has_class =
            fault->fault_class >= HC_FAULT_EXPLICIT && fault->fault_class <= HC_FAULT_MANUAL;
        hc_html_row(&table);
        hc_html_cell(&table, "%s", hc_study_html_cause(hc_life_of(run)->config, (int32_t)i));
        hc_html_cell(&table, "%s", has_class ? classes[fault->fault_class] : "-");
        hc_html_cell(&table, "%s", hc_study_html_value(&n, "", text));
        hc_html_cell(&table, "%s", hc_study_html_duration(lost_s, number));
        hc_html_cell(&table, "%s",
                     n.mean > 0 ? hc_study_html_duration(lost_s / n.mean, number) : "-");
    }
    hc_html_table_end(&table);
}

/* Every count that is not zero. */
static void write_counts(FILE *stream, const struct hc_study_result *result)
{
    static const struct hc_html_column columns[] = {{"what", false}, {"of a life", true}};
    static const char *const words[HC_COUNT_COUNT] = {
        [HC_COUNT_FAULTS] = "faults that struck",
        [HC_COUNT_STOPS] = "stops of running steps",
        [HC_COUNT_FAILED_STARTS] = "starts that failed",
        [HC_COUNT_RECURRENCES] = "faults that came back: the remedy did not help",
        [HC_COUNT_MERGED] = "changes of code that went in with another stop",
        [HC_COUNT_ABSORBED] = "recorded incidents and planned stops that met a job that stood",
        [HC_COUNT_EVICTED] = "nodes evicted",
        [HC_COUNT_INNOCENT] = "of these, without fault",
        [HC_COUNT_STANDBYS_USED] = "standbys used",
        [HC_COUNT_RESCHEDULES] = "times that hosts were chosen anew",
        [HC_COUNT_REQUEUES] = "times that the job was queued again",
        [HC_COUNT_PREEMPTED] = "spare nodes taken from other work",
        [HC_COUNT_WAITS] = "waits for a repair: no node was to be had",
        [HC_COUNT_REPAIRS] = "repairs",
        [HC_COUNT_MANUAL_REPAIRS] = "of these, manual",
        [HC_COUNT_RETIRED] = "nodes given up",
        [HC_COUNT_QUARANTINED] = "nodes put in quarantine",
        [HC_COUNT_CORRUPT_LOADS] = "checkpoints found corrupt",
        [HC_COUNT_LATE_FINDS] = "silent corruptions found",
        [HC_COUNT_EVENTS] = "events simulated",
        [HC_COUNT_LEAVES] = "times that the job went on smaller",
        [HC_COUNT_REJOINS] = "times that it stood to take replicas back",
        [HC_COUNT_QUARANTINED_HEALTHY] = "nodes in quarantine that were no lemons",
        [HC_COUNT_INFANT_FAULTS] = "faults of nodes soon after their repair",
    };
    struct hc_html_table table;
    char text[HC_STUDY_TEXT];
    hc_html_details_start(stream, "All counts");
    hc_html_table_start(&table, stream, NULL, columns, 2);
    for (int i = 0; i < HC_COUNT_COUNT; i++) {
        struct hc_study_value n = hc_study_html_of_moments(
            &hc_life_of(&result->run[0])->summary.count[i], 1, result->confidence);
        if (!(n.mean > 0))
            continue;
        hc_html_row(&table);
        hc_html_cell(&table, "%s",
                     words[i] ? words[i] : hc_lifetime_count_name((enum hc_lifetime_count)i));
        hc_html_cell(&table, "%s", hc_study_html_value(&n, "", text));
    }
    hc_html_table_end(&table);
    hc_html_details_end(stream);
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
                          const struct hc_lifetime_summary *summary)
{
    char text[HC_STUDY_TEXT];
    double minutes[4];
    static const double share[] = {0.5, 0.9, 0.99, 1};
    for (int i = 0; i < 4; i++)
        minutes[i] = hc_stop_quantile_s(summary->stops_of, summary->longest_stop_ns, share[i]) / 60;
    if (!isfinite(minutes[0]))
        return;
    hc_html_fact(stream, "Length of all stops",
                 "half within %.1f min, 90 %% within %.1f, 99 %% within %.1f, the longest %.1f",
                 minutes[0], minutes[1], minutes[2], minutes[3]);
    if (figure_text(result, "longest_stop_h", text))
        hc_html_fact(stream, "Longest stop of a life", "%s",
                     figure_text(result, "longest_stop_h", text));
}

enum hc_status hc_study_html_stops(FILE *stream, const struct hc_figure_sink *figures,
                                   const struct hc_study_result *result, struct hc_error *err)
{
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
    write_lengths(stream, result, &hc_life_of(&result->run[0])->summary);
    hc_html_facts_end(stream);
    hc_html_grid_start(stream);
    enum hc_status status = draw_counts(figures, &result->run[0], false, err);
    if (status == HC_OK)
        status = draw_counts(figures, &result->run[0], true, err);
    hc_html_grid_end(stream);
    write_causes(stream, result);
    hc_html_paragraph(stream, "note",
                      "A fault that slows the job or changes its code need not stop it, and one "
                      "whose remedy does not help stops it again: faults and stops differ.");
    write_counts(stream, result);
    hc_html_section_end(stream);
    return status;
}
