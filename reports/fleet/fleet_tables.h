/* fleet_tables.h - the tables that text and page of a fleet both show (reports/write/section.h).
 * Private to this wing.
 *
 * Each fills a section, which is the caller's to hc_section_fini, or to print, which finishes it
 * and fails when memory was short for a cell. */
#ifndef HC_REPORTS_FLEET_FLEET_TABLES_H
#define HC_REPORTS_FLEET_FLEET_TABLES_H

#include "reports/fleet/fleet_report.h"
#include "reports/write/section.h"
#include "sim/fleet/fleet_summary.h"

struct hc_section hc_fleet_funnel_table(const struct hc_fleet_report *report,
                                        const struct hc_fleet_summary *summary);
struct hc_section hc_fleet_causes_table(const struct hc_fleet_summary *summary);
struct hc_section hc_fleet_tests_table(const struct hc_fleet_summary *summary);
struct hc_section hc_fleet_types_table(const struct hc_fleet_summary *summary);
struct hc_section hc_fleet_sizes_table(const struct hc_fleet_summary *summary);
struct hc_section hc_fleet_quantiles_table(const struct hc_fleet_summary *summary);

/* Hosts that are slow, the first `most` of them; without rows where there is none. */
struct hc_section hc_fleet_hosts_table(const struct hc_fleet_report *report,
                                       const struct hc_fleet_summary *summary, size_t most);

/* Jobs that are lacking (hc_fleet_is_lacking), and why: the first `most` of them. */
struct hc_section hc_fleet_lacking_table(const struct hc_fleet_report *report, size_t most);

/* Jobs by their place in order, from first on and before end. Title and caption are the caller's;
 * jobs that have a page are links. */
struct hc_section hc_fleet_ranking_table(const struct hc_fleet_report *report, const size_t *order,
                                         size_t first, size_t end);

#endif
