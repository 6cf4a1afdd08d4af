/* findings_report.h - findings as they are shown. */
#ifndef HC_REPORTS_NIGHT_FINDINGS_REPORT_H
#define HC_REPORTS_NIGHT_FINDINGS_REPORT_H

#include "core/files/outset.h"
#include "core/tables/record.h"
#include "models/account/night/night.h"
#include "models/findings/findings.h"
#include "reports/write/section.h"

struct hc_shown_finding {
    const struct hc_finding *finding;
    const char *owner;              /* NULL: nobody is named */
    const char *acknowledged_until; /* "2026-04-01", or NULL */
};

struct hc_findings_view {
    const struct hc_findings *found;
    size_t n;
    const struct hc_shown_finding *rows; /* in the order of found */
    int64_t n_unacknowledged;
    double false_per_week;
    double prevalence, power; /* share of subjects that change in a week, and of changes found: */
    double false_share;       /* then so much of all findings is false */
};

/* Of a struct hc_findings_report. */
extern const struct hc_record_def hc_findings_report_record;
/* Of a struct hc_findings_view. */
extern const struct hc_record_def hc_night_findings_record;

/* Of a day alone, or of what the past would have said. */
struct hc_findings_report {
    const struct hc_findings_view *view;
    const struct hc_findings_backtest *backtest; /* NULL: not asked for */
    const struct hc_night_days *days;            /* of the series */
    const char *archive, *cluster, *zone;
    const char *run_id;
};

/* HC_INTERNAL with err filled when memory was short. */
enum hc_status hc_findings_write_text(const struct hc_findings_report *report, FILE *stream,
                                      struct hc_error *err);
/* Members of the object that is open. */
void hc_findings_write_json(const struct hc_findings_report *report, struct hc_json_writer *json);
/* The findings, a row each; in a directory, a file a table. */
void hc_findings_write_csv(const struct hc_findings_report *report, FILE *stream);
enum hc_status hc_findings_write_tables(struct hc_outset *set, const char *directory,
                                        const struct hc_findings_report *report,
                                        struct hc_error *err);

/* A row each; empty where there are none. The caller's to print or finish. */
struct hc_section hc_findings_section(const struct hc_findings_view *view);

#endif
