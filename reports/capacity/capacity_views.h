/* capacity_views.h - what text, page and figures of a capacity report share.
 * Private to this wing. */
#ifndef HC_REPORTS_CAPACITY_CAPACITY_VIEWS_H
#define HC_REPORTS_CAPACITY_CAPACITY_VIEWS_H

#include "reports/capacity/capacity_report.h"
#include "reports/page/palette.h"
#include "reports/write/section.h"

extern const enum hc_color hc_capacity_leaf_colors[HC_N_CAPACITY_LEAVES];

#define HC_CAPACITY_DAY 32
/* "2026-03-01", by the clocks of the zone. */
const char *hc_capacity_day_text(const struct hc_capacity_report *report, int64_t ns,
                                 char text[HC_CAPACITY_DAY]);

/* ---- tables; whoever asks for one prints and finishes it ---- */

struct hc_section hc_capacity_tree_table(const struct hc_capacity_report *report, size_t most);
struct hc_section hc_capacity_days_table(const struct hc_capacity_report *report, size_t most);
struct hc_section hc_capacity_partitions_table(const struct hc_capacity_report *report,
                                               size_t most);
struct hc_section hc_capacity_demand_table(const struct hc_capacity_report *report, size_t most);
struct hc_section hc_capacity_free_table(const struct hc_capacity_report *report, size_t most);
struct hc_section hc_capacity_sizes_table(const struct hc_capacity_report *report, size_t most);
struct hc_section hc_capacity_wait_partitions_table(const struct hc_capacity_report *report,
                                                    size_t most);
struct hc_section hc_capacity_users_table(const struct hc_capacity_report *report, size_t most);

/* ---- sentences ---- */

#define HC_CAPACITY_WORDS 1024
/* What a report is of. */
void hc_capacity_extent(const struct hc_capacity_report *report, char text[HC_CAPACITY_WORDS]);

/* The i-th doubt about the figures, without a full stop; false: there are no more. Those that do
 * not hold are left out as "". */
bool hc_capacity_doubt(const struct hc_capacity_report *report, int i,
                       char text[HC_CAPACITY_WORDS]);

#endif
