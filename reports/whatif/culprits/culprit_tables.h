/* culprit_tables.h - what is slow, and when, as tables (reports/write/section.h) and paragraphs. */
#ifndef HC_REPORTS_WHATIF_CULPRITS_CULPRIT_TABLES_H
#define HC_REPORTS_WHATIF_CULPRITS_CULPRIT_TABLES_H

#include "core/base/status.h"
#include "reports/write/section.h"
#include "sim/whatif/whatif.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether anything is slow, the job changes its level, or a fix was asked for: else there is
 * nothing to show. */
bool hc_whatif_has_culprits(const struct hc_whatif_result *result);

/* The worst `most` culprits, a row each, for a page. */
struct hc_section hc_whatif_culprits_table(const struct hc_whatif_result *result, size_t most);

/* Their stretches of slow steps, the first `most`. */
struct hc_section hc_whatif_stretches_table(const struct hc_whatif_result *result, size_t most);

/* The levels of the job as a whole, a row each; no rows when it has one. */
struct hc_section hc_whatif_levels_table(const struct hc_whatif_result *result);

/* "fixing node n0 (4 workers) saves 93.9 ms of a mean step (15.0 %)": what a fix that was asked for
 * brings. */
#define HC_FIX_TEXT 1400
const char *hc_whatif_fix_text(const struct hc_whatif_result *result,
                               const struct hc_asked_fix *fix, char text[HC_FIX_TEXT]);

/* All of it as text, with an empty line before it; nothing without culprits. */
enum hc_status hc_whatif_write_culprits(FILE *stream, const struct hc_whatif_result *result,
                                        struct hc_error *err);

#endif
