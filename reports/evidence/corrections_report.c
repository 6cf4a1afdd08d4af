#include "reports/evidence/corrections_report.h"

#include "core/base/clock.h"
#include "core/base/missing.h"
#include "core/text/number_format.h"
#include "reports/write/section.h"
#include "reports/write/text_line.h"

#include <inttypes.h>

#define NS_PER_HOUR 3600e9
#define ABOUT_ROOM  300

/* ---- field by field ---- */

#define CORRECTION(at) HC_OF(struct hc_correction, at)
#define FIELD(...)     HC_FIELD(struct hc_correction, __VA_ARGS__)

HC_GIVES_TEXT(cause_of, hc_correction_cause_name(CORRECTION(at)->cause))
HC_GIVES_TEXT(scope_of, hc_incident_scope_name(CORRECTION(at)->scope))
HC_GIVES_TEXT(outcome_of, hc_correction_outcome_name(hc_correction_outcome(CORRECTION(at))))
HC_GIVES(double, hours_of, (double)CORRECTION(at)->gpu_ns / NS_PER_HOUR)

static const struct hc_field correction_fields[] = {
    FIELD("date_ns", date_ns, "ns", "when it was made"),
    FIELD("cluster", cluster, "", "default: of any"),
    FIELD("job", job, "", "that it is about"),
    FIELD("array_task", array_task, "", "null: every one"),
    FIELD("restarts", restarts, "", "null: every attempt"),
    FIELD("incident", incident, "", "that it is about"),
    FIELD("node", node, "", "that it is about, at the time"),
    FIELD("time_ns", time_ns, "ns", "of the end or incident"),
    HC_TEXT_OF("cause", cause_of, "infrastructure, user, planned, preemption, unknown, no_failure"),
    FIELD("detail", detail, "", "what failed"),
    HC_TEXT_OF("scope", scope_of, "how far it reached"),
    FIELD("author", author, "", "who says so"),
    FIELD("reason", reason, "", "how the author knows"),
    HC_TEXT_OF(
        "outcome", outcome_of,
        "acted; overruled: others hold for all that it is about; unmatched: there is nothing "
        "that it is about"),
    FIELD("about", n_about, "", "ends of attempts and incidents that it is about"),
    FIELD("held", n_held, "", "of them, those where it holds"),
    FIELD("tied", n_tied, "", "of them, those of which one of the same date says another cause"),
    HC_REAL_OF("gpu_hours", hours_of, "GPU-hours", "held by the attempts where it holds"),
    FIELD("source", source, "", "file that has it"),
    FIELD("line", line, "", "of that file"),
};
const struct hc_record_def hc_correction_record = HC_RECORD("a correction", correction_fields);

/* ---- text ---- */

void hc_corrections_put_head(FILE *stream, const struct hc_corrections *corrections)
{
    struct hc_text_line line = {.used = 0};
    struct hc_correction_counts counts = hc_corrections_count(corrections);
    char count[3][HC_NUMBER_TEXT];
    if (!corrections || corrections->n == 0)
        return;
    hc_line_add(&line, "%s by people: %s acted, on %s ends or incidents",
                hc_format_count((int64_t)corrections->n, count[0]),
                hc_format_count(counts.n[HC_CORRECTION_ACTED], count[1]),
                hc_format_count(counts.n_held, count[2]));
    if (counts.n[HC_CORRECTION_OVERRULED])
        hc_line_add(&line, "; %s gave way to a later one",
                    hc_format_count(counts.n[HC_CORRECTION_OVERRULED], count[0]));
    if (counts.n[HC_CORRECTION_UNMATCHED])
        hc_line_add(&line, "; %s about nothing that is here",
                    hc_format_count(counts.n[HC_CORRECTION_UNMATCHED], count[0]));
    if (counts.n_tied)
        hc_line_add(&line, "; %s contradict another of the same date",
                    hc_format_count(counts.n_tied, count[0]));
    hc_line_put(stream, "corrections", &line);
}

static void put_one(struct hc_section *section, const struct hc_correction *c)
{
    struct hc_text_line line = {.used = 0};
    char time[48], about[ABOUT_ROOM];
    const char *scope = hc_incident_scope_name(c->scope);
    hc_format_iso8601(c->date_ns, time);
    time[16] = '\0';
    hc_section_text(section, time);
    hc_correction_subject(c, about, sizeof about);
    hc_section_text(section, about);
    hc_section_text(section, hc_correction_cause_name(c->cause));
    hc_section_text(section, c->n_held == c->n_about || !c->n_held
                                 ? hc_correction_outcome_name(hc_correction_outcome(c))
                                 : "acted in part");
    if (c->detail || scope)
        hc_line_add(&line, "%.200s%s%s; ", c->detail ? c->detail : "",
                    c->detail && scope ? ", " : "", scope ? scope : "");
    hc_line_add(&line, "%.60s: %.200s", c->author ? c->author : "?", c->reason ? c->reason : "?");
    if (c->n_tied)
        hc_line_add(&line, "; another of that date says another cause");
    hc_line_add(&line, " (%.200s:%" PRId64 ")", c->source ? c->source : "?", c->line);
    hc_section_text(section, line.text);
}

enum hc_status hc_corrections_put(FILE *stream, const struct hc_corrections *corrections,
                                  size_t top, struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "date", .width = 16},
        {.title = "about", .gap = 2, .width = 24},
        {.title = "cause", .gap = 2},
        {.title = "outcome", .gap = 2},
        {.title = "", .gap = 18, .is_below = true},
    };
    struct hc_section section = {
        .title = "CORRECTIONS", .columns = columns, .n_columns = sizeof columns / sizeof *columns};
    size_t n = 0;
    if (!corrections || corrections->n == 0)
        return HC_OK;
    for (int outcome = HC_N_CORRECTION_OUTCOMES - 1; outcome >= 0; outcome--)
        for (size_t i = 0; i < corrections->n; i++)
            if (hc_correction_outcome(&corrections->list[i]) ==
                    (enum hc_correction_outcome)outcome &&
                n++ < top)
                put_one(&section, &corrections->list[i]);
    if (n > top)
        hc_section_note(&section, "and %zu more, which --json lists", n - top);
    return hc_section_print(stream, section, err);
}
