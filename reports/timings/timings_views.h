/* timings_views.h - what the views of timed collectives share. Private to this wing. */
#ifndef HC_REPORTS_TIMINGS_TIMINGS_VIEWS_H
#define HC_REPORTS_TIMINGS_TIMINGS_VIEWS_H

#include "core/tables/record.h"
#include "reports/timings/timings_report.h"
#include "reports/write/section.h"

#define HC_TIMINGS_WORDS HC_CELL_ROOM

/* "8 logs, 72 records of 8 processes": what was read. */
const char *hc_timings_extent(const struct hc_timings_report *report, char text[HC_TIMINGS_WORDS]);

/* The sentence that is read first. */
const char *hc_timings_verdict(const struct hc_timings_report *report, char text[HC_TIMINGS_WORDS]);

/* What limits the answer: sentences, NULL behind the last one; "" where there is nothing to say. i
 * counts from 0. */
const char *hc_timings_doubt(const struct hc_timings_report *report, int i,
                             char text[HC_TIMINGS_WORDS]);

/* Tables; most: rows at most, the others are counted in a note. */
struct hc_section hc_timings_ranks_table(const struct hc_timings_report *report, size_t most);
struct hc_section hc_timings_collectives_table(const struct hc_timings_report *report, size_t most);
struct hc_section hc_timings_classes_table(const struct hc_timings_report *report, size_t most);
struct hc_section hc_timings_rates_table(const struct hc_timings_report *report, size_t most);

#endif
