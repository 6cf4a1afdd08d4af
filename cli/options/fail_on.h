/* fail_on.h - --fail-on CONDITION: what makes a report a finding (exit status 1).
 *
 * A report says which figures it has, by the paths that they have in its JSON (the object "figures"
 * is left out, an element of an array is named by its first member). Conditions are parsed before
 * the work, so that a slip of the pen costs nothing, and looked at when the report is written.
 */
#ifndef HC_CLI_OPTIONS_FAIL_ON_H
#define HC_CLI_OPTIONS_FAIL_ON_H

#include "cli/frame/options.h"
#include "core/text/condition.h"

/* The figures of a kind of report. */
struct hc_report_figures {
    const struct hc_condition_figure *figure;
    size_t n;
    /* The i-th figure of a report of that kind. */
    struct hc_condition_value (*value)(const void *report, size_t i);
    /* Of its figures that have a spread, the quantile of 5, 50 or 95 percent. NULL: none has. */
    struct hc_condition_value (*quantile)(const void *report, size_t i, int32_t percent);
};

/* HC_USAGE when a condition is none, or names a figure, or a quantile, that the report has not. */
enum hc_status hc_fail_on_check(const struct hc_words *conditions,
                                const struct hc_report_figures *figures, struct hc_error *err);

/* HC_FINDING with a message that gives the figure when a condition holds (of several the first
 * one), else HC_OK. subject: whose report it is ("job 'x'"), or NULL. */
enum hc_status hc_fail_on(const struct hc_words *conditions,
                          const struct hc_report_figures *figures, const void *report,
                          const char *subject, struct hc_error *err);

/* ---- the reports ---- */

extern const struct hc_report_figures hc_whatif_figures;      /* of a struct hc_whatif_result */
extern const struct hc_report_figures hc_compare_figures;     /* of a struct hc_comparison */
extern const struct hc_report_figures hc_profile_figures;     /* of a struct hc_profile_report */
extern const struct hc_report_figures hc_fleet_figures;       /* of a struct hc_fleet_summary */
extern const struct hc_report_figures hc_reliability_figures; /* of a struct hc_reliability */
extern const struct hc_report_figures hc_account_figures;     /* of a struct hc_account_result */
extern const struct hc_report_figures hc_failure_figures;     /* of a struct hc_failures */
extern const struct hc_report_figures hc_capacity_figures;    /* of a struct hc_capacity_result */
extern const struct hc_report_figures hc_night_figures;       /* of a struct hc_night_result */
extern const struct hc_report_figures hc_finding_figures;     /* of a struct hc_findings_view */
extern const struct hc_report_figures hc_ettr_figures;        /* of a struct hc_ettr_result */
extern const struct hc_report_figures hc_startup_figures;     /* of a struct hc_startup_result */
extern const struct hc_report_figures hc_top_figures;         /* of a struct hc_top */
extern const struct hc_report_figures hc_subject_figures;     /* of a struct hc_subject */

#endif
