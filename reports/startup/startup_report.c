#include "reports/startup/startup_report.h"

#include "core/base/clock.h"
#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/page/section_html.h"
#include "reports/write/gpu_hours.h"

#include <math.h>

/* ---- tables ---- */

static struct hc_section make_leaves(const struct hc_startup_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "what", .width = 30},
        {.title = "GPU-hours", .gap = 1, .width = 9, .is_right = true},
        {.title = "share", .gap = 1, .width = 7, .is_right = true},
        {.title = "of held", .gap = 1, .width = 7, .is_right = true},
    };
    const struct hc_startup_result *result = report->result;
    struct hc_section section = {
        .title = "WHERE START-UP WENT", .columns = columns, .n_columns = 4};
    for (size_t i = 0; i < result->n_leaves; i++) {
        const struct hc_startup_leaf_row *row = &result->leaves[i];
        hc_section_text(&section, hc_what_title(row->what));
        hc_section_gpu_hours(&section, row->gpu_hours);
        hc_section_share(&section, row->share);
        hc_section_share(&section, row->share_of_held);
    }
    return section;
}

static struct hc_section make_phases(const struct hc_startup_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "phase", .width = 14},
        {.title = "starts", .gap = 1, .width = 7, .is_right = true},
        {.title = "own times", .gap = 1, .width = 9, .is_right = true},
        {.title = "median s", .gap = 1, .width = 9, .is_right = true},
        {.title = "slowest s", .gap = 1, .width = 9, .is_right = true},
        {.title = "slowest/median", .gap = 1, .width = 14, .is_right = true},
        {.title = "most", .gap = 1, .width = 6, .is_right = true},
        {.title = "waiting", .gap = 1, .width = 7, .is_right = true},
        {.title = "GPU-hours", .gap = 1, .width = 9, .is_right = true},
    };
    const struct hc_startup_result *result = report->result;
    struct hc_section section = {
        .title = "PHASES, BY THE OWN TIMES OF NODES", .columns = columns, .n_columns = 9};
    for (size_t i = 0; i < result->n_phases; i++) {
        const struct hc_startup_phase_row *row = &result->phases[i];
        hc_section_text(&section, hc_phase_name(row->phase));
        hc_section_count(&section, row->n_starts);
        hc_section_count(&section, row->n_nodes);
        hc_section_real(&section, row->median_s, 1);
        hc_section_real(&section, row->slowest_s, 1);
        hc_section_real(&section, row->ratio_median, 2);
        hc_section_real(&section, row->ratio_most, 2);
        hc_section_share(&section, row->waiting_share);
        hc_section_gpu_hours(&section, row->waiting_gpu_hours);
    }
    if (result->n_phases)
        hc_section_note(&section, "waiting: of the time of the phase, in which a node was done and "
                                  "its GPUs waited for the slowest");
    return section;
}

static struct hc_section make_groups(const struct hc_startup_report *report, int group)
{
    static const char *const titles[HC_N_STARTUP_GROUPS] = {"RUNS", "USERS", "GPUS OF A JOB"};
    static const struct hc_section_column columns[] = {
        {.title = "name", .width = 24},
        {.title = "starts", .gap = 1, .width = 7, .is_right = true},
        {.title = "held", .gap = 1, .width = 9, .is_right = true},
        {.title = "start-up", .gap = 1, .width = 9, .is_right = true},
        {.title = "share", .gap = 1, .width = 7, .is_right = true},
        {.title = "avoidable", .gap = 1, .width = 9, .is_right = true},
    };
    const struct hc_startup_result *result = report->result;
    struct hc_section section = {.title = titles[group], .columns = columns, .n_columns = 6};
    for (size_t i = 0; i < result->n_groups[group] && i < report->top; i++) {
        const struct hc_startup_group_row *row = &result->groups[group][i];
        hc_section_text(&section, row->name);
        hc_section_count(&section, row->n_starts);
        hc_section_gpu_hours(&section, row->held);
        hc_section_gpu_hours(&section, row->startup);
        hc_section_share(&section, row->share);
        hc_section_gpu_hours(&section, row->avoidable);
    }
    if (result->n_groups[group] > report->top)
        hc_section_note(&section, "%zu more (--top)", result->n_groups[group] - report->top);
    return section;
}

static struct hc_section make_classes(const struct hc_startup_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "class of starts", .width = 36},
        {.title = "starts", .gap = 1, .width = 7, .is_right = true},
        {.title = "best tenth s", .gap = 1, .width = 12, .is_right = true},
        {.title = "median s", .gap = 1, .width = 9, .is_right = true},
        {.title = "most s", .gap = 1, .width = 9, .is_right = true},
        {.title = "GPU-hours", .gap = 1, .width = 9, .is_right = true},
        {.title = "avoidable", .gap = 1, .width = 9, .is_right = true},
    };
    const struct hc_startup_result *result = report->result;
    struct hc_section section = {
        .title = "STARTS, FROM ALLOCATION TO STEADY STEPS", .columns = columns, .n_columns = 7};
    for (size_t i = 0; i < result->n_classes && i < report->top; i++) {
        const struct hc_startup_class_row *row = &result->classes[i];
        hc_section_text(&section, row->name);
        hc_section_count(&section, row->n_starts);
        hc_section_real(&section, row->best_s, 1);
        hc_section_real(&section, row->median_s, 1);
        hc_section_real(&section, row->most_s, 1);
        hc_section_gpu_hours(&section, row->gpu_hours);
        hc_section_gpu_hours(&section, row->avoidable);
    }
    if (result->n_classes > report->top)
        hc_section_note(&section, "%zu more (--top)", result->n_classes - report->top);
    if (result->without_class > 0)
        hc_section_note(&section, "a class of fewer than %d starts has no best tenth",
                        HC_STARTUP_LEAST_STARTS);
    return section;
}

static struct hc_section make_nodes(const struct hc_startup_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "node", .width = 20},
        {.title = "slow", .gap = 1, .width = 6, .is_right = true},
        {.title = "of", .gap = 1, .width = 6, .is_right = true},
        {.title = "expected", .gap = 1, .width = 8, .is_right = true},
        {.title = "chance", .gap = 1, .width = 8, .is_right = true},
        {.title = "own s", .gap = 1, .width = 8, .is_right = true},
        {.title = "held up GPU-h", .gap = 1, .width = 13, .is_right = true},
        {.title = "verdict", .gap = 2, .width = 22},
    };
    const struct hc_startup_result *result = report->result;
    size_t shown = 0;
    struct hc_section section = {
        .title = "NODES THAT ARE SLOW TO START", .columns = columns, .n_columns = 8};
    for (size_t i = 0; i < result->n_nodes && shown < report->top; i++) {
        const struct hc_startup_node_row *row = &result->nodes[i];
        char chance[32];
        if (row->n_slow == 0)
            continue;
        snprintf(chance, sizeof chance, row->chance < 0.001 ? "%.0e" : "%.3f", row->chance);
        hc_section_text(&section, row->node);
        hc_section_count(&section, row->n_slow);
        hc_section_count(&section, row->n_times);
        hc_section_real(&section, row->expected, 1);
        hc_section_text(&section, chance);
        hc_section_real(&section, row->own_s, 1);
        hc_section_gpu_hours(&section, row->extra_gpu_hours);
        hc_section_text(&section, row->is_slow ? "slow again and again" : "");
        shown++;
    }
    if (shown)
        hc_section_note(&section,
                        "slow: 1.5 times the median node of its start and 5 s more; "
                        "expected: by the rate of the other nodes; chance: of as many or "
                        "more, over all %zu nodes",
                        result->n_nodes);
    return section;
}

/* ---- text ---- */

static void add_summary(struct hc_text_line *line, const struct hc_startup_report *report)
{
    const struct hc_startup_result *result = report->result;
    char number[2][HC_NUMBER_TEXT], percent[HC_NUMBER_TEXT];
    hc_line_add(line, "%s of %s GPU-hours held", hc_gpu_hours_text(result->startup, number[0]),
                hc_gpu_hours_text(result->held, number[1]));
    if (result->held > 0)
        hc_line_add(line, " (%s)", hc_format_percent(result->share, percent));
    hc_line_add(line, ", in %lld starts, of which %lld came to no step",
                (long long)result->n_starts, (long long)result->n_failed);
}

static void add_avoidable(struct hc_text_line *line, const struct hc_startup_report *report)
{
    const struct hc_startup_result *result = report->result;
    char number[HC_NUMBER_TEXT], percent[HC_NUMBER_TEXT];
    if (isnan(result->avoidable_share))
        hc_line_add(line, "not known: no class of starts has %d of them", HC_STARTUP_LEAST_STARTS);
    else
        hc_line_add(line,
                    "%s GPU-hours (%s of their start-up), had every start been as quick as "
                    "the best tenth of its partition and size",
                    hc_gpu_hours_text(result->avoidable, number),
                    hc_format_percent(result->avoidable_share, percent));
}

static void put_head(FILE *stream, const struct hc_startup_report *report)
{
    struct hc_text_line line = {.used = 0};
    char as_of[32];
    hc_line_add(&line, "%s to %s (%s)", report->first_day, report->last_day, report->zone);
    hc_line_put(stream, "days", &line);
    hc_line_add(&line, "'%s'", report->archive);
    if (report->cluster)
        hc_line_add(&line, ", cluster '%s'", report->cluster);
    if (report->as_of_ns != INT64_MIN) {
        hc_format_iso8601(report->as_of_ns, as_of);
        hc_line_add(&line, ", as known at %.19sZ", as_of);
    }
    hc_line_put(stream, "archive", &line);
    add_summary(&line, report);
    hc_line_put(stream, "start-up", &line);
    add_avoidable(&line, report);
    hc_line_put(stream, "avoidable", &line);
}

enum hc_status hc_startup_write_text(const struct hc_startup_report *report, FILE *stream,
                                     struct hc_error *err)
{
    put_head(stream, report);
    if (hc_section_print_any(stream, make_leaves(report), err) ||
        hc_section_print_any(stream, make_phases(report), err) ||
        hc_section_print_any(stream, make_classes(report), err) ||
        hc_section_print_any(stream, make_nodes(report), err))
        return err->status;
    for (int g = 0; g < HC_N_STARTUP_GROUPS; g++)
        if (hc_section_print_any(stream, make_groups(report, g), err))
            return err->status;
    return HC_OK;
}

/* ---- figures and page ---- */

enum hc_status hc_startup_put_figures(const struct hc_figure_sink *sink,
                                      const struct hc_startup_report *report, struct hc_error *err)
{
    const struct hc_startup_result *result = report->result;
    struct hc_figure_row bars[HC_WHAT_STARTUP_UNSPLIT + 1];
    char texts[HC_WHAT_STARTUP_UNSPLIT + 1][HC_NUMBER_TEXT];
    for (size_t i = 0; i < result->n_leaves; i++)
        bars[i] =
            (struct hc_figure_row){.name = hc_what_title(result->leaves[i].what),
                                   .text = hc_gpu_hours_text(result->leaves[i].gpu_hours, texts[i]),
                                   .value = result->leaves[i].gpu_hours,
                                   .color = HC_YELLOW};
    const struct hc_figure figure = {
        .kind = HC_FIGURE_BARS,
        .name = "startup",
        .title = "GPU-hours of start-up",
        .note = "A phase lasts until its slowest node has done it.",
        .x = {.title = "GPU-hours"},
        .n_rows = result->n_leaves,
        .rows = bars,
    };
    return result->n_leaves ? hc_figure_put(sink, &figure, err) : HC_OK;
}

static enum hc_status put_section(FILE *stream, const char *anchor, const char *title,
                                  struct hc_section section, struct hc_error *err)
{
    section.title = NULL;
    return hc_section_print_headed(stream, anchor, title, section, err);
}

static enum hc_status put_page(FILE *stream, const struct hc_startup_report *report,
                               struct hc_error *err)
{
    static const char *const titles[HC_N_STARTUP_GROUPS] = {"Runs", "Users", "GPUs of a job"};
    const struct hc_figure_sink sink = hc_figure_page(stream);
    const struct hc_html_input input = {.label = "archive", .path = report->archive};
    struct hc_text_line line = {.used = 0}, avoidable = {.used = 0};
    char subtitle[256];
    snprintf(subtitle, sizeof subtitle, "%s%s%s, %s to %s, days of %s", report->archive,
             report->cluster ? ", cluster " : "", report->cluster ? report->cluster : "",
             report->first_day, report->last_day, report->zone);
    hc_html_start(stream,
                  &(struct hc_html_head){"start-up", "What starting up cost", subtitle,
                                         report->run_id, report->first_day, report->last_day});
    add_summary(&line, report);
    add_avoidable(&avoidable, report);
    hc_html_paragraph(stream, "lead", "Start-up: %s.", line.text);
    hc_html_paragraph(stream, NULL, "Avoidable: %s.", avoidable.text);
    hc_html_grid_start(stream);
    enum hc_status status = hc_startup_put_figures(&sink, report, err);
    hc_html_grid_end(stream);
    if (status || put_section(stream, "leaves", "Where start-up went", make_leaves(report), err) ||
        put_section(stream, "phases", "Phases, by the own times of nodes", make_phases(report),
                    err) ||
        put_section(stream, "classes", "Starts, from allocation to steady steps",
                    make_classes(report), err) ||
        put_section(stream, "nodes", "Nodes that are slow to start", make_nodes(report), err))
        return err->status;
    for (int g = 0; g < HC_N_STARTUP_GROUPS; g++)
        if (put_section(stream, hc_startup_group_name((enum hc_startup_group)g), titles[g],
                        make_groups(report, g), err))
            return err->status;
    hc_html_end(stream, &input, 1);
    return HC_OK;
}

enum hc_status hc_startup_write_html(const struct hc_startup_report *report, FILE *stream,
                                     struct hc_error *err)
{
    return hc_html_written(stream, put_page(stream, report, err), "the page of start-up", err);
}
