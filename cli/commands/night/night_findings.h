/* night_findings.h - the findings of a night, with what the site file says of them.
 * Private to this wing. */
#ifndef HC_CLI_COMMANDS_NIGHT_NIGHT_FINDINGS_H
#define HC_CLI_COMMANDS_NIGHT_NIGHT_FINDINGS_H

#include "pipeline/night/night_input.h"
#include "reports/night/findings_report.h"

struct hc_night_findings {
    struct hc_findings found;
    struct hc_shown_finding *rows;
    struct hc_findings_view view;
};

/* Judge the last day of the series of a night. The caller's to hc_night_findings_fini. */
enum hc_status hc_night_findings_make(struct hc_night_findings *findings,
                                      const struct hc_night_data *data, const struct hc_site *site,
                                      struct hc_error *err);
void hc_night_findings_fini(struct hc_night_findings *findings);

#endif
