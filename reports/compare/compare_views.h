/* compare_views.h - what the views of a comparison have in common: names and tables.
 * Private to this wing. */
#ifndef HC_REPORTS_COMPARE_COMPARE_VIEWS_H
#define HC_REPORTS_COMPARE_COMPARE_VIEWS_H

#include "reports/compare/compare_report.h"
#include "reports/write/section.h"

/* "mean_traced_s", "slowdown", ...: for CSV; "mean step", "S", ... for people. */
const char *hc_compared_figure_key(enum hc_compared_figure figure);
const char *hc_compared_figure_text(enum hc_compared_figure figure);

/* How a figure is shown: times in seconds, with their change in per cent of A; ratios with their
 * change as it is. */
enum hc_change_unit { HC_CHANGE_OF_TIME, HC_CHANGE_OF_RATIO };

#define HC_CHANGE_TEXT 96

/* "-23.5 %" or "+0.580"; "-" where it is not known. */
const char *hc_change_text(const struct hc_change *change, enum hc_change_unit unit,
                           char text[HC_CHANGE_TEXT]);
/* "-24.1 to -22.8 %" or "+0.571 to +0.589"; "" without an interval. */
const char *hc_change_interval_text(const struct hc_change *change, enum hc_change_unit unit,
                                    char text[HC_CHANGE_TEXT]);

/* "rank 9 (dp 2, stage 1)" */
const char *hc_compared_worker_text(const struct hc_compared_worker *worker,
                                    char text[HC_CHANGE_TEXT]);

#define HC_COMPARED_STEPS_TEXT (2 * HC_STEP_NAME + 8)

/* "1 to 60"; with dates "step 1 (2026-11-21 10:14:05 UTC) to step 60 (...)" where they are known.
 */
const char *hc_compared_steps_text(const struct hc_whatif_result *result,
                                   char text[HC_COMPARED_STEPS_TEXT]);

/* The indices of the workers, the one first whose time beside its peers (with one dp rank: whose S)
 * changed most; what is not known comes last. The caller frees it; NULL with err filled when memory
 * is short. */
size_t *hc_compare_workers_by_change(const struct hc_comparison *c, struct hc_error *err);

/* ---- tables (compare_tables.c), to be printed or released by the caller; without rows where there
 * is nothing to compare. most: rows that are shown, those that changed most. ---- */

struct hc_section hc_compare_figures_table(const struct hc_comparison *c);
struct hc_section hc_compare_types_table(const struct hc_comparison *c);
struct hc_section hc_compare_stages_table(const struct hc_comparison *c, size_t most);
struct hc_section hc_compare_culprits_table(const struct hc_comparison *c);
enum hc_status hc_compare_workers_table(struct hc_section *section, const struct hc_comparison *c,
                                        size_t most, struct hc_error *err);
enum hc_status hc_compare_hosts_table(struct hc_section *section, const struct hc_comparison *c,
                                      size_t most, struct hc_error *err);

#endif
