/* Tables that only studies of lifetimes have: unproductive time by cause, jobs on one pool. */
#include "reports/study/lifetime/life_sections.h"

#include "study/run/study_numbers.h"

#include <math.h>

/* ---- causes ---- */

static void add_cause(struct hc_section *section, const struct hc_life_cause *cause)
{
    char text[HC_STUDY_TEXT], number[HC_NUMBER_TEXT], html[HC_STUDY_TEXT], time[HC_NUMBER_TEXT];
    bool is_none = isnan(cause->faults.mean), has_struck = isfinite(cause->unproductive_of_one_s);
    snprintf(text, sizeof text, "  %.150s", cause->name);
    hc_section_forms(section, text, cause->name);
    hc_section_text(section, is_none ? "" : cause->class ? cause->class : "-");
    hc_section_forms(section, is_none ? "" : hc_format_fixed(cause->faults.mean, 2, number),
                     is_none ? "" : hc_study_html_value(&cause->faults, "", html));
    hc_section_forms(section, hc_format_fixed(cause->unproductive_s / 3600, 2, number),
                     hc_study_html_duration(cause->unproductive_s, time));
    hc_section_percent(section, cause->share);
    hc_section_text(section,
                    has_struck ? hc_study_html_duration(cause->unproductive_of_one_s, time) : "-");
}

void hc_study_causes_table(struct hc_study_listing *table, const struct hc_life_findings *life)
{
    static const struct hc_section_column columns[] = {
        {.title = "unproductive time of a life", .html_title = "cause", .width = 30},
        {.html_title = "class", .only = HC_HTML_ONLY},
        {.title = "faults",
         .html_title = "faults of a life",
         .gap = 1,
         .width = 10,
         .is_right = true},
        {.title = "h",
         .html_title = "unproductive of a life",
         .gap = 1,
         .width = 12,
         .is_right = true},
        {.title = "share", .gap = 1, .width = 9, .is_right = true},
        {.html_title = "of one fault", .is_right = true, .only = HC_HTML_ONLY},
    };
    struct hc_life_cause other = life->other;
    other.name = "first start, plans, saves";
    table->section = (struct hc_section){.caption = "Causes", .columns = columns, .n_columns = 6};
    for (size_t i = 0; i < life->n_causes; i++)
        add_cause(&table->section, &life->cause[i]);
    add_cause(&table->section, &other);
}

/* ---- jobs ---- */

static const struct {
    const char *name;
    struct hc_section_column column;
} shown[] = {
    {"ettr", {.title = "ETTR", .gap = 1}},
    {"wall_d", {.title = "wall, d", .html_title = "wall time", .gap = 3}},
    {"queue_h", {.html_title = "in the queue", .only = HC_HTML_ONLY}},
    {"recovery_gpu_h",
     {.title = "recovery, GPU-h", .html_title = "recovery, waits for nodes too", .gap = 3}},
    {"interruptions", {.html_title = "stops", .only = HC_HTML_ONLY}},
    {"standby_idle_gpu_h", {.html_title = "idle standbys", .only = HC_HTML_ONLY}},
    {"total_gpu_h", {.title = "GPU-h", .html_title = "GPU-hours held", .gap = 3}},
};
enum { N_SHOWN = sizeof shown / sizeof *shown, VALUE_WIDTH = 18 };

static void add_job(struct hc_section *section, const struct hc_study_result *result,
                    const struct hc_study_job *job)
{
    char text[HC_STUDY_NUMBER], html[HC_STUDY_TEXT];
    hc_section_text(section, job->name);
    hc_section_count(section, job->nodes);
    snprintf(text, sizeof text, "%d", (int)job->priority);
    hc_section_text(section, text);
    for (size_t i = 0; i < N_SHOWN; i++) {
        size_t c = hc_study_column_find(result, shown[i].name);
        const struct hc_study_value *value = c == HC_STUDY_NONE ? NULL : &job->value[c];
        hc_section_forms(section, value ? hc_study_value_text(value, text) : "-",
                         value ? hc_study_html_value(value, result->column[c].unit, html) : "-");
    }
}

void hc_study_jobs_table(struct hc_study_listing *table, const struct hc_study_result *result,
                         const struct hc_study_jobs *jobs, const char *name)
{
    table->section = (struct hc_section){
        .caption = name, .columns = table->column, .n_columns = 3 + N_SHOWN, .indent = 2};
    table->column[0] =
        (struct hc_section_column){.title = "jobs on the pool", .html_title = "job", .width = 16};
    table->column[1] = (struct hc_section_column){.title = "nodes", .width = 9, .is_right = true};
    table->column[2] =
        (struct hc_section_column){.title = "priority", .gap = 1, .width = 9, .is_right = true};
    for (size_t i = 0; i < N_SHOWN; i++) {
        table->column[3 + i] = shown[i].column;
        table->column[3 + i].width = VALUE_WIDTH;
        table->column[3 + i].is_whole = table->column[3 + i].is_number = true;
    }
    for (size_t i = 0; i < jobs->n_jobs; i++)
        add_job(&table->section, result, &jobs->job[i]);
}

/* ---- runs ---- */

void hc_study_runs_table(struct hc_study_listing *table, const struct hc_study_result *result,
                         size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "variant"},
        {.title = "lives", .is_right = true},
        {.title = "work done", .is_right = true},
        {.title = "no node left", .is_right = true},
        {.title = "nodes", .is_right = true},
        {.title = "GPUs of a node", .is_right = true},
    };
    struct hc_section *section = &table->section;
    *section = (struct hc_section){
        .caption = "Lives that were simulated", .columns = columns, .n_columns = 6};
    for (size_t r = 0; r < result->n_runs && r < most; r++) {
        const struct hc_life_findings *life = hc_life_run_findings(&result->run[r]);
        hc_section_text(section, result->run[r].name);
        hc_section_count(section, (int64_t)life->n_lives);
        hc_section_count(section, (int64_t)life->n_finished);
        hc_section_count(section, (int64_t)life->n_starved);
        hc_section_count(section, life->nodes);
        hc_section_count(section, life->gpus_per_node);
    }
}
