/* profile_views.h - what text and page of profiler traces share. Private to this wing. */
#ifndef HC_REPORTS_PROFILES_PROFILE_VIEWS_H
#define HC_REPORTS_PROFILES_PROFILE_VIEWS_H

#include "reports/profiles/profile_report.h"
#include "reports/write/section.h"

#define HC_PROFILE_WORDS 512

/* "8 of 8 ranks, one step (10)": what is there, and what is missing. */
const char *hc_profile_extent(const struct hc_profile_report *report, char text[HC_PROFILE_WORDS]);

/* The sentence that is read first: who arrives last and what it costs, or the window of the GPUs
 * where no collective joins the ranks. */
const char *hc_profile_verdict(const struct hc_profile_report *report, char text[HC_PROFILE_WORDS]);

/* How far each step is off when it is predicted from the others. Only with predictions. */
const char *hc_profile_prediction(const struct hc_profile_report *report,
                                  char text[HC_PROFILE_WORDS]);

/* Tables; most: rows at most, the others are counted in a note. */
struct hc_section hc_profile_breakdown_table(const struct hc_profile_report *report, size_t most);
struct hc_section hc_profile_collectives_table(const struct hc_profile_report *report, size_t most);
struct hc_section hc_profile_stragglers_table(const struct hc_profile_report *report, size_t most);
struct hc_section hc_profile_clocks_table(const struct hc_profile_report *report, size_t most);
struct hc_section hc_profile_variants_table(const struct hc_profile_report *report);
struct hc_section hc_profile_predictions_table(const struct hc_profile_report *report, size_t most);
struct hc_section hc_profile_path_table(const struct hc_profile_report *report, size_t most);

/* "communication x 0.5", "CPU work of rank 2 x 1.5", "ranks 3 and 7 mended". */
#define HC_QUESTION_NAME 128
const char *hc_question_name(const struct hc_profile_question *question,
                             char name[HC_QUESTION_NAME]);

/* "compute", "launch": a part of the critical path, in words and as a key. */
const char *hc_path_part_text(enum hc_path_part part);

#endif
