/* fleet_sections.h - the sections of the page of a fleet; for reports/fleet/fleet_html.c.
 * Private to this wing. */
#ifndef HC_REPORTS_FLEET_FLEET_SECTIONS_H
#define HC_REPORTS_FLEET_FLEET_SECTIONS_H

#include "reports/fleet/fleet_report.h"
#include "sim/fleet/fleet_summary.h"

#include <stdio.h>

/* All that follow the headline; only the funnel when no job was analysed. */
enum hc_status hc_fleet_put_sections(FILE *stream, const struct hc_fleet_report *report,
                                     const struct hc_fleet_summary *summary, struct hc_error *err);

#endif
