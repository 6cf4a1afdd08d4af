/* The views of `hindcast report findings`. */
#include "reports/night/findings_report.h"

#include "core/text/number_format.h"
#include "reports/write/table_files.h"
#include "reports/write/text_line.h"

void hc_findings_write_json(const struct hc_findings_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_findings_report_record, &(struct hc_item){.record = report});
}

/* ---- tables ---- */

static const struct hc_table_file tables[] = {
    {"findings.csv",
     {"findings.rows", "id,kind,severity,owner,subject,text,first_seen,is_new,is_ongoing,"
                       "acknowledged_until,value,expected,p_value,probability,by_chance,dispersion,"
                       "window_days,baseline_days,gpu_hours,without_stops,explained"}},
    {"onsets.csv", {"backtest.onsets", "day,kind,subject"}},
};

static bool has_table(const void *report, size_t file)
{
    return file == 0 || ((const struct hc_findings_report *)report)->backtest;
}

void hc_findings_write_csv(const struct hc_findings_report *report, FILE *stream)
{
    hc_record_csv_table(stream, &hc_findings_report_record, &tables[report->backtest != NULL].table,
                        &(struct hc_item){.record = report});
}

enum hc_status hc_findings_write_tables(struct hc_outset *set, const char *directory,
                                        const struct hc_findings_report *report,
                                        struct hc_error *err)
{
    const struct hc_table_files files = {.def = &hc_findings_report_record,
                                         .report = report,
                                         .run_id = report->run_id,
                                         .files = tables,
                                         .n = sizeof tables / sizeof *tables,
                                         .has = has_table};
    return hc_table_files_write(&files, set, directory, err);
}

/* ---- text ---- */

static enum hc_status put_kinds(FILE *stream, const struct hc_findings_report *report,
                                struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "kind", .width = 16},
        {.title = "subjects", .gap = 1, .width = 8, .is_right = true},
        {.title = "tested", .gap = 1, .width = 8, .is_right = true},
        {.title = "too short", .gap = 1, .width = 9, .is_right = true},
        {.title = "withheld", .gap = 1, .width = 8, .is_right = true},
        {.title = "found", .gap = 1, .width = 6, .is_right = true},
    };
    struct hc_section section = {.title = "WHAT WAS LOOKED AT", .columns = columns, .n_columns = 6};
    for (int kind = 0; kind < HC_N_FINDING_KINDS; kind++) {
        const struct hc_finding_counts *counts = &report->view->found->counts[kind];
        hc_section_text(&section, hc_finding_kind_name((enum hc_finding_kind)kind));
        hc_section_count(&section, (int64_t)counts->n_series);
        hc_section_count(&section, (int64_t)counts->n_tested);
        hc_section_count(&section, (int64_t)counts->n_short);
        hc_section_count(&section, (int64_t)counts->n_withheld);
        hc_section_count(&section, (int64_t)counts->n_findings);
    }
    hc_section_note(&section,
                    "At most %g finding a week opens by chance, of all kinds together: where %.0f "
                    "%% of the subjects change in a week and %.0f %% of the changes are found, "
                    "%.0f %% of the findings are false.",
                    report->view->false_per_week, 100 * report->view->prevalence,
                    100 * report->view->power, 100 * report->view->false_share);
    return hc_section_print(stream, section, err);
}

static enum hc_status put_backtest(FILE *stream, const struct hc_findings_report *report,
                                   struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "day", .width = 10},
        {.title = "kind", .gap = 2, .width = 16},
        {.title = "subject", .gap = 1, .width = 40},
    };
    const struct hc_findings_backtest *backtest = report->backtest;
    struct hc_section section = {
        .title = "WHAT WOULD HAVE BEEN FOUND", .columns = columns, .n_columns = 3};
    for (size_t i = 0; i < backtest->n; i++) {
        hc_section_text(&section, report->days->names[backtest->rows[i].day]);
        hc_section_text(&section, hc_finding_kind_name(backtest->rows[i].kind));
        hc_section_text(&section, backtest->rows[i].subject);
    }
    hc_section_note(&section, "%zu in %d days, %.2f a week", backtest->n, backtest->n_days,
                    7.0 * (double)backtest->n / backtest->n_days);
    return hc_section_print(stream, section, err);
}

enum hc_status hc_findings_write_text(const struct hc_findings_report *report, FILE *stream,
                                      struct hc_error *err)
{
    struct hc_text_line line = {.used = 0};
    hc_line_add(&line, "%s (%s), '%s'", report->days->names[report->days->n - 1], report->zone,
                report->archive);
    if (report->cluster)
        hc_line_add(&line, ", cluster '%s'", report->cluster);
    hc_line_put(stream, "day", &line);
    if (report->view->n == 0)
        fputs("\nNo findings.\n", stream);
    else if (hc_section_print(stream, hc_findings_section(report->view), err))
        return err->status;
    if (put_kinds(stream, report, err))
        return err->status;
    return report->backtest ? put_backtest(stream, report, err) : HC_OK;
}
