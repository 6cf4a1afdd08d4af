/* gpu_hours.h - GPU-hours and ratios as cells and texts of reports. */
#ifndef HC_REPORTS_WRITE_GPU_HOURS_H
#define HC_REPORTS_WRITE_GPU_HOURS_H

#include "core/text/number_format.h"
#include "reports/write/section.h"

/* "1234", "12.3"; "-": not known (NaN). */
const char *hc_gpu_hours_text(double gpu_hours, char text[HC_NUMBER_TEXT]);

/* Cells; 0 is empty, NaN is "-". */
void hc_section_gpu_hours(struct hc_section *section, double gpu_hours);
void hc_section_share(struct hc_section *section, double share);
/* With so many decimals; 0 is shown. */
void hc_section_real(struct hc_section *section, double value, int decimals);

#endif
