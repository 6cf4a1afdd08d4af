#include "reports/night/night_figures.h"
#include "reports/night/night_pages.h"
#include "reports/night/night_sections.h"

#include "core/base/clock.h"
#include "core/text/number_format.h"
#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/page/section_html.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What a page is about. */
struct subject {
    enum hc_night_page_kind kind;
    const char *name;
    const struct hc_run_row *run; /* or NULL */
    struct hc_night_member member;
};

static const char *const nouns[] = {"run", "node", "user"};

/* ---- figures ---- */

static void put_number(FILE *stream, const char *label, double hours, const char *note)
{
    char text[HC_NUMBER_TEXT];
    hc_html_tile(stream, HC_TONE_PLAIN, label, hc_night_hours(hours, text), note);
}

static void put_tiles(FILE *stream, const struct hc_group_row *all)
{
    char share[HC_NUMBER_TEXT];
    hc_html_tiles_start(stream);
    put_number(stream, "GPU-hours held", all->gpu_hours, "in the days reported");
    hc_html_tile(stream, HC_TONE_PLAIN, "productive",
                 hc_format_percent(all->productive_share, share), "steps that count");
    put_number(stream, "lost", all->lost, "GPU-hours of work lost or abandoned");
    put_number(stream, "faults", all->faults, "failed start-up, detection, recovery");
    put_number(stream, "unknown", all->unknown, "nothing recorded says");
    hc_html_tiles_end(stream);
}

/* ---- tables ---- */

static enum hc_status put_leaves(FILE *stream, const struct hc_night_member *member,
                                 struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "what"},
        {.title = "why"},
        {.title = "GPU-hours", .is_right = true},
        {.title = "share", .is_right = true},
    };
    struct hc_section section = {.columns = columns, .n_columns = 4};
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++) {
            double hours = hc_gpu_hours(member->leaves[what][why]);
            char text[HC_NUMBER_TEXT];
            if (hours == 0)
                continue;
            hc_section_text(&section, hc_what_title((enum hc_what)what));
            hc_section_text(&section, why == HC_WHY_NONE ? "" : hc_why_title((enum hc_why)why));
            hc_section_text(&section, hc_night_hours(hours, text));
            hc_section_percent(&section, hours / member->all.gpu_hours);
        }
    return hc_section_print_headed(stream, "account", "Where the GPU-hours went", section, err);
}

static enum hc_status put_days(FILE *stream, const struct hc_night_member *member,
                               struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "day"},
        {.title = "GPU-hours", .is_right = true},
        {.title = "productive", .is_right = true},
        {.title = "start-up", .is_right = true},
        {.title = "lost", .is_right = true},
        {.title = "faults", .is_right = true},
        {.title = "other", .is_right = true},
        {.title = "unknown", .is_right = true},
    };
    struct hc_section section = {.columns = columns, .n_columns = 8};
    for (size_t i = member->n_days; i-- > 0;) {
        const struct hc_group_row *row = &member->days[i];
        if (!(row->gpu_hours > 0))
            continue;
        hc_section_text(&section, row->name);
        hc_night_put_group(&section, row);
    }
    return hc_section_print_headed(stream, "days", "Days of the window", section, err);
}

static bool is_of(const struct hc_incident_row *row, const struct subject *subject)
{
    const char *const names[] = {row->run, row->node, row->user};
    const char *name = names[subject->kind];
    return name && strcmp(name, subject->name) == 0;
}

static enum hc_status put_incidents(FILE *stream, const struct hc_night_report *report,
                                    const struct subject *subject, struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "job", .is_right = true},
        {.title = "end"},
        {.title = "cause"},
        {.title = "node"},
        {.title = "run"},
        {.title = "side"},
        {.title = "GPU-hours in all", .is_right = true},
    };
    struct hc_section section = {.columns = columns, .n_columns = 7};
    for (size_t i = 0; i < report->result->n_incidents; i++) {
        const struct hc_incident_row *row = &report->result->incidents[i];
        char end[32], hours[HC_NUMBER_TEXT];
        if (!is_of(row, subject))
            continue;
        hc_format_iso8601(row->failure->end_ns, end);
        end[19] = '\0';
        hc_section_job(&section, row->failure->job);
        hc_section_text(&section, end);
        hc_section_text(&section, row->cause);
        hc_night_put_name(&section, report, HC_NIGHT_PAGE_NODE, row->node, "../");
        hc_night_put_name(&section, report, HC_NIGHT_PAGE_RUN, row->run, "../");
        hc_section_text(&section, hc_failure_side_name(row->failure->side));
        hc_section_text(&section, hc_night_hours(row->gpu_hours, hours));
    }
    return hc_section_print_headed(stream, "incidents", "Failures of these days", section, err);
}

/* Runs of a user. */
static enum hc_status put_runs(FILE *stream, const struct hc_night_report *report, const char *user,
                               struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "run"},
        {.title = "GPUs", .is_right = true},
        {.title = "GPU-hours", .is_right = true},
        {.title = "productive", .is_right = true},
        {.title = "lost in all", .is_right = true},
    };
    struct hc_section section = {.columns = columns, .n_columns = 5};
    for (size_t i = 0; i < report->result->n_runs; i++) {
        const struct hc_run_row *row = &report->result->runs[i];
        char text[HC_NUMBER_TEXT];
        if (!row->user || strcmp(row->user, user) != 0)
            continue;
        hc_night_put_name(&section, report, HC_NIGHT_PAGE_RUN, row->name, "../");
        hc_section_count(&section, row->run->most_gpus);
        hc_section_text(&section, hc_night_hours(row->day_gpu_hours, text));
        hc_section_percent(&section, row->day_productive_share);
        hc_section_text(&section, hc_night_hours(row->lost_gpu_hours, text));
    }
    return hc_section_print_headed(stream, "runs", "Runs", section, err);
}

/* ---- a run ---- */

static void put_time(FILE *stream, const char *key, int64_t ns)
{
    char text[32];
    hc_format_iso8601(ns, text);
    hc_html_fact(stream, key, "%.19sZ", text);
}

static void put_life(FILE *stream, const struct hc_run_row *row)
{
    const struct hc_night_run *run = row->run;
    char number[4][HC_NUMBER_TEXT];
    hc_html_section_start(stream, "life", "The whole run so far");
    hc_html_facts_start(stream);
    hc_html_fact(stream, "GPU-hours", "%s, %s of them lost or abandoned work",
                 hc_night_hours(row->gpu_hours, number[0]),
                 hc_night_hours(row->lost_gpu_hours, number[1]));
    hc_html_fact(stream, "user", "%s", row->user ? row->user : "not known");
    hc_html_fact(stream, "attempts",
                 "%" PRId64 " on up to %d GPUs, %" PRId64 " launches, %" PRId64
                 " of them ended by a failure%s",
                 run->n_attempts, (int)run->most_gpus, run->n_launches, run->n_stops,
                 run->is_running ? "; one goes on" : "");
    put_time(stream, "first start", run->first_start_ns);
    put_time(stream, run->is_running ? "known until" : "last end", run->last_end_ns);
    hc_html_fact(stream, "steps",
                 "%s that count, %s that were made again or are at risk; an undisturbed one takes "
                 "%s",
                 hc_format_count(run->kept_steps, number[0]),
                 hc_format_count(run->lost_steps, number[1]),
                 hc_format_seconds(run->reference_step_s, number[2]));
    hc_html_fact(stream, "time", "%s h run, %s h queued, %s h held back, %s h nothing submitted",
                 hc_format_fixed(run->ran_s / 3600, 1, number[0]),
                 hc_format_fixed(run->queued_s / 3600, 1, number[1]),
                 hc_format_fixed(run->held_s / 3600, 1, number[2]),
                 hc_format_fixed(run->off_s / 3600, 1, number[3]));
    for (int e = 0; e < HC_N_ETTRS; e++)
        hc_html_fact(stream, hc_ettr_name((enum hc_ettr)e), "%s: %s",
                     isnan(run->ettr[e]) ? "not known"
                                         : hc_format_fixed(run->ettr[e], 4, number[0]),
                     hc_ettr_sentence((enum hc_ettr)e));
    hc_html_facts_end(stream);
    hc_html_section_end(stream);
}

/* ---- the page ---- */

static enum hc_status put_body(FILE *stream, const struct hc_night_report *report,
                               const struct subject *subject, struct hc_error *err)
{
    const struct hc_figure_sink sink = hc_figure_page(stream);
    const struct hc_night_member *member = &subject->member;
    put_tiles(stream, &member->all);
    hc_html_grid_start(stream);
    enum hc_status status = hc_night_put_group_stack(&sink, &member->all, err);
    hc_html_grid_end(stream);
    if (!status)
        status = put_leaves(stream, member, err);
    if (!status && subject->run)
        put_life(stream, subject->run);
    if (!status && subject->kind == HC_NIGHT_PAGE_USER)
        status = put_runs(stream, report, subject->name, err);
    if (!status)
        status = put_incidents(stream, report, subject, err);
    return status ? status : put_days(stream, member, err);
}

static enum hc_status put_page(FILE *stream, const struct hc_night_report *report,
                               const struct subject *subject, struct hc_error *err)
{
    const struct hc_html_input input = {.label = "archive", .path = report->archive};
    const struct hc_night_result *result = report->result;
    const char *first = result->night->days.names[result->range.first];
    const char *last = result->night->days.names[result->range.last];
    char title[256], subtitle[128], kicker[64];
    snprintf(title, sizeof title, "%s %.200s", nouns[subject->kind], subject->name);
    snprintf(subtitle, sizeof subtitle, "%s%s%s, days of %s", first, first == last ? "" : " to ",
             first == last ? "" : last, report->zone);
    snprintf(kicker, sizeof kicker, "nightly report, %s", nouns[subject->kind]);
    hc_html_start(stream,
                  &(struct hc_html_head){kicker, title, subtitle, report->run_id, first, last});
    fputs("<p>", stream);
    hc_html_link(stream, "../index.html", "The whole night");
    fputs("</p>\n", stream);
    enum hc_status status = put_body(stream, report, subject, err);
    hc_html_end(stream, &input, 1);
    return status;
}

enum hc_status hc_night_write_member_page(const struct hc_night_report *report,
                                          enum hc_night_page_kind kind, size_t i,
                                          const struct hc_night_members *members, FILE *stream,
                                          struct hc_error *err)
{
    struct subject subject = {.kind = kind, .name = report->pages->names[kind].text[i]};
    for (size_t r = i; kind == HC_NIGHT_PAGE_RUN && !subject.run; r++)
        if (report->result->runs[r].name && strcmp(report->result->runs[r].name, subject.name) == 0)
            subject.run = &report->result->runs[r];
    int32_t code = subject.run ? hc_night_members_run(members, subject.run)
                               : hc_night_members_find(members, subject.name);
    if (hc_night_member_make(&subject.member, members, code, err))
        return err->status;
    enum hc_status status = put_page(stream, report, &subject, err);
    hc_night_member_fini(&subject.member);
    return status;
}
