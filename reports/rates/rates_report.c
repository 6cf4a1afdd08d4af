#include "reports/rates/rates_report.h"

#include "core/base/clock.h"
#include "core/tables/incidents/incident_scope.h"
#include "core/tables/jobs/job_state.h"
#include "reports/write/gpu_hours.h"

#include <math.h>

static void put_interval(struct hc_section *section, double low, double high, int decimals)
{
    char text[2 * HC_NUMBER_TEXT + 8], number[2][HC_NUMBER_TEXT];
    if (isnan(low))
        snprintf(text, sizeof text, "-");
    else
        snprintf(text, sizeof text, "%s to %s", hc_format_fixed(low, decimals, number[0]),
                 isnan(high) ? "?" : hc_format_fixed(high, decimals, number[1]));
    hc_section_text(section, text);
}

static struct hc_section make_rates(const struct hc_rates_report *report)
{
    static const char *const classes[HC_N_RATE_CLASSES] = {
        "certain", "likely", "certain and likely", "with unknown ones"};
    static const struct hc_section_column columns[] = {
        {.title = "failures", .width = 19},
        {.title = "node-days", .width = 9, .gap = 1},
        {.title = "count", .gap = 1, .width = 6, .is_right = true},
        {.title = "of", .gap = 1, .width = 9, .is_right = true},
        {.title = "per 1,000", .gap = 1, .width = 9, .is_right = true},
        {.title = "Poisson", .gap = 1, .width = 16, .is_right = true},
        {.title = "dispersion", .gap = 1, .width = 10, .is_right = true},
        {.title = "widened", .gap = 1, .width = 16, .is_right = true},
        {.title = "MTTF of a node, h", .gap = 1, .width = 17, .is_right = true},
        {.title = "widened", .gap = 1, .width = 16, .is_right = true},
    };
    struct hc_section section = {
        .title = "FAILURES PER 1,000 NODE-DAYS", .columns = columns, .n_columns = 10};
    for (int c = 0; c < HC_N_RATE_CLASSES; c++)
        for (int b = 0; b < HC_N_RATE_BASES; b++) {
            const struct hc_rate_row *row = &report->rates->rows[c][b];
            hc_section_text(&section, b ? "" : classes[c]);
            hc_section_text(&section, hc_rate_basis_name(row->basis));
            hc_section_count(&section, row->n);
            hc_section_real(&section, row->node_days, 1);
            hc_section_real(&section, row->per_1000, 3);
            put_interval(&section, row->low, row->high, 3);
            hc_section_real(&section, row->dispersion, 2);
            put_interval(&section, row->wide_low, row->wide_high, 3);
            hc_section_real(&section, row->mttf_h, 0);
            put_interval(&section, row->mttf_low, row->mttf_high, 0);
        }
    hc_section_note(&section, "running: while a launch of training ran, and failures that ended "
                              "one; allocated: that jobs with GPUs held; installed: of all nodes");
    hc_section_note(&section, "dispersion: variance over mean of the counts of days, at least 1; "
                              "intervals of 95 %%");
    return section;
}

static struct hc_section make_incidents(const struct hc_rates_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "end", .width = 20},
        {.title = "job", .gap = 1, .width = 9, .is_right = true},
        {.title = "scope", .gap = 2, .width = 11},
        {.title = "evidence", .gap = 1, .width = 9},
        {.title = "event", .gap = 1, .width = 16},
        {.title = "stopped", .gap = 1, .width = 7, .is_right = true},
        {.title = "GPU-hours", .gap = 1, .width = 9, .is_right = true},
    };
    const struct hc_failure_rates *rates = report->rates;
    struct hc_section section = {
        .title = "INCIDENTS OF THE INFRASTRUCTURE, BY COST", .columns = columns, .n_columns = 7};
    for (size_t i = 0; i < rates->n_incidents && i < report->top; i++) {
        const struct hc_rated_incident *incident = &rates->incidents[i];
        const struct hc_failure *f = &rates->failures->failures[incident->failure];
        char end[32];
        hc_format_iso8601(f->end_ns, end);
        end[19] = '\0';
        hc_section_text(&section, end);
        hc_section_job(&section, f->job);
        hc_section_text(&section, hc_incident_scope_name(incident->scope));
        hc_section_text(&section, hc_evidence_name(f->evidence));
        hc_section_text(&section, f->event       ? hc_event_class_name(f->event->event_class)
                                  : f->state < 0 ? "?"
                                                 : hc_job_state_name(f->state));
        hc_section_count(&section, incident->n_stopped);
        hc_section_gpu_hours(&section, hc_gpu_hours(incident->gpu_ns));
    }
    if (rates->n_incidents > report->top)
        hc_section_note(&section, "%zu more (--csv, --json)", rates->n_incidents - report->top);
    return section;
}

static void put_head(FILE *stream, const struct hc_rates_report *report)
{
    const struct hc_failure_rates *rates = report->rates;
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT];
    hc_line_add(&line, "'%s'", report->archive);
    if (report->cluster)
        hc_line_add(&line, ", cluster '%s'", report->cluster);
    hc_line_put(stream, "archive", &line);
    if (report->days->n)
        hc_line_add(&line, "%s to %s (%s)", report->days->names[0],
                    report->days->names[report->days->n - 1], report->zone);
    else
        hc_line_add(&line, "none: no attempt held GPUs");
    hc_line_put(stream, "days", &line);
    hc_line_add(&line, "%lld: %s", (long long)report->n_installed,
                report->is_installed_given ? "by --nodes"
                                           : "those that jobs of these days name, which is a lower "
                                             "bound (--nodes)");
    hc_line_put(stream, "nodes", &line);
    hc_line_add(&line, "%lld likely failures",
                (long long)rates->rows[HC_RATED_LIKELY][HC_RATED_ALLOCATED].n);
    if (isnan(rates->chance))
        hc_line_add(&line, "; how many chance alone would give is not known");
    else
        hc_line_add(
            &line,
            "; chance alone would give %s of them: the windows of %lld failures, on other days",
            hc_format_fixed(rates->chance, 2, number), (long long)rates->n_chance_known);
    hc_line_put(stream, "chance", &line);
    hc_line_add(
        &line,
        "%lld failures of users, in no rate; %lld unknown ones with an event that proves nothing",
        (long long)rates->n_user, (long long)rates->n_coincident);
    if (rates->n_attempts_without_nodes)
        hc_line_add(&line, "; %lld attempts do not tell their nodes",
                    (long long)rates->n_attempts_without_nodes);
    hc_line_put(stream, "beside", &line);
}

enum hc_status hc_rates_write_text(const struct hc_rates_report *report, FILE *stream,
                                   struct hc_error *err)
{
    put_head(stream, report);
    if (report->days->n == 0)
        return HC_OK;
    if (hc_section_print(stream, make_rates(report), err))
        return err->status;
    return hc_section_print_any(stream, make_incidents(report), err);
}
