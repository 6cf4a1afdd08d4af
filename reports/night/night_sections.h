/* night_sections.h - the tables of a night, for text and page. Private to this wing. */
#ifndef HC_REPORTS_NIGHT_NIGHT_SECTIONS_H
#define HC_REPORTS_NIGHT_NIGHT_SECTIONS_H

#include "reports/night/night_pages.h"
#include "reports/night/night_report.h"
#include "reports/write/section.h"

/* Each is the caller's to print or finish; one without rows is empty. */
struct hc_section hc_night_leaves_section(const struct hc_night_report *report);
struct hc_section hc_night_restated_section(const struct hc_night_report *report);
struct hc_section hc_night_installed_section(const struct hc_night_report *report);
struct hc_section hc_night_groups_section(const struct hc_night_report *report,
                                          enum hc_cube_dimension dimension);
struct hc_section hc_night_incidents_section(const struct hc_night_report *report);
struct hc_section hc_night_runs_section(const struct hc_night_report *report);

/* Nodes, those that lost most first; HC_INTERNAL is that of a section. */
struct hc_section hc_night_nodes_section(const struct hc_night_report *report);

/* Of the page alone: how long starts or waits took; how the GPU-hours are known; how logs came to
 * attempts; what sources cover, and how far they reach; what became of timelines. */
struct hc_section hc_night_times_section(const struct hc_night_times *times, size_t n);
struct hc_section hc_night_marks_section(const struct hc_night_result *result);
struct hc_section hc_night_joins_section(const struct hc_night_context *context);
struct hc_section hc_night_sources_section(const struct hc_night_context *context);
struct hc_section hc_night_timelines_section(const struct hc_timeline_use *use);

/* Cells: GPU-hours, productive share, start-up, lost, faults, other, unknown of a group. */
void hc_night_put_group(struct hc_section *section, const struct hc_group_row *row);
/* A name, with a link to its page where it has one; up: "" or "../". NULL: an empty cell. */
void hc_night_put_name(struct hc_section *section, const struct hc_night_report *report,
                       enum hc_night_page_kind kind, const char *name, const char *up);

/* "1,234", "12.3"; "-" where it is not known. */
const char *hc_night_hours(double value, char text[HC_NUMBER_TEXT]);

#endif
