/* findings_report.h - findings as they are shown. */
#ifndef HC_REPORTS_NIGHT_FINDINGS_REPORT_H
#define HC_REPORTS_NIGHT_FINDINGS_REPORT_H

#include "core/tables/record.h"
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
    double false_per_week;
};

/* Of a struct hc_shown_finding; of a struct hc_findings_view. */
extern const struct hc_record_def hc_night_finding_record, hc_night_findings_record;

/* A row each; empty where there are none. The caller's to print or finish. */
struct hc_section hc_findings_section(const struct hc_findings_view *view);

#endif
