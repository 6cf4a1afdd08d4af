/* collectives_words.h - what the views of a diagnosis of collectives say in the same words.
 * Private to this wing. */
#ifndef HC_REPORTS_COLLECTIVES_COLLECTIVES_WORDS_H
#define HC_REPORTS_COLLECTIVES_COLLECTIVES_WORDS_H

#include "reports/collectives/collectives_report.h"
#include "reports/write/section.h"

#define HC_RANKS_TEXT   96
#define HC_VERDICT_TEXT 1000

/* "9, 14" or "0-7, 9"; of many, the first, and "... (123)". */
const char *hc_ranks_text(const struct hc_collective_diagnosis *diagnosis, struct hc_rank_span span,
                          char text[HC_RANKS_TEXT]);

/* The verdict in a sentence without a full stop. */
const char *hc_collectives_verdict(const struct hc_collectives_report *report,
                                   char text[HC_VERDICT_TEXT]);

/* What was read, and what was not: sentences, NULL behind the last one. i counts from 0. */
const char *hc_collectives_account(const struct hc_collectives_report *report, int i,
                                   char text[HC_VERDICT_TEXT]);

/* Tables, to be printed or released by the caller; without rows where there is nothing to show.
 * most: rows that are shown. */
struct hc_section hc_collectives_suspects_table(const struct hc_collectives_report *report,
                                                size_t most);
struct hc_section hc_collectives_waits_table(const struct hc_collectives_report *report,
                                             size_t most);
struct hc_section hc_collectives_late_table(const struct hc_collectives_report *report,
                                            size_t most);
struct hc_section hc_collectives_progress_table(const struct hc_collectives_report *report,
                                                size_t most);
struct hc_section hc_collectives_mismatch_table(const struct hc_collectives_report *report,
                                                size_t most);
struct hc_section hc_collectives_unknown_table(const struct hc_collectives_report *report,
                                               size_t most);
struct hc_section hc_collectives_pairs_table(const struct hc_collectives_report *report,
                                             size_t most);

#endif
