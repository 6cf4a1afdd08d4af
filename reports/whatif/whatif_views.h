/* whatif_views.h - what the views of a straggler what-if have in common: names, orders, tables.
 * Private to this wing. */
#ifndef HC_REPORTS_WHATIF_WHATIF_VIEWS_H
#define HC_REPORTS_WHATIF_WHATIF_VIEWS_H

#include "reports/whatif/whatif_report.h"
#include "reports/write/section.h"
#include "sim/whatif/whatif.h"

#include <stdbool.h>
#include <stddef.h>

/* "dp_rank", "stage", "op_type". */
const char *hc_whatif_partition_key(enum hc_partition partition);

/* "duplicate", ... for JSON; "has duplicate rows", ... for people. */
const char *hc_step_fate_key(enum hc_step_fate fate);
const char *hc_step_fate_text(enum hc_step_fate fate);

/* hc_descending of the slowdowns of a split. */
size_t *hc_split_descending(const struct hc_split *split, struct hc_error *err);

/* "workers", "stages", "op_types" of a fix curve; "op types" for people. */
const char *hc_fix_kind_key(enum hc_fix_kind kind);
const char *hc_fix_kind_text(enum hc_fix_kind kind);

#define HC_MEMBER_TEXT 96

/* "rank 0 (dp 0, stage 0)", "stage 3", "forward-compute": a member of the order of a fix curve. */
const char *hc_fix_member_name(const struct hc_whatif_result *result, enum hc_fix_kind kind,
                               int32_t member, char text[HC_MEMBER_TEXT]);

/* "forward-compute", "other types (5)". */
const char *hc_shapley_name(const struct hc_shapley_share *share, char text[HC_MEMBER_TEXT]);

/* ---- tables (whatif_tables.c), to be printed or released by the caller ---- */

/* Every test of the verdict, a row each in the order of verdict->evidence. */
struct hc_section hc_whatif_evidence_table(const struct hc_verdict *verdict);

/* Forward against backward passes, a row a stage. */
struct hc_section hc_whatif_correlations_table(const struct hc_verdict *verdict);

/* The worst `most` workers, exact beside approximated. Where the exact figures are known its one
 * note says how far the approximation is off. */
struct hc_section hc_whatif_worst_workers_table(const struct hc_whatif_result *result, size_t most);

/* The first `most` steps that were left out. */
struct hc_section hc_whatif_left_out_table(const struct hc_whatif_result *result, size_t most);

/* "hindcast whatif --fix node:n2 trace.csv.gz": the command that fixes the first culprit. False
 * where there is none that can be fixed, or fixes were asked for. */
#define HC_TRY_TEXT 4096
bool hc_whatif_try_text(const struct hc_whatif_report *report, char text[HC_TRY_TEXT]);

#endif
