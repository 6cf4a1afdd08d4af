#include "reports/write/gpu_hours.h"

#include <math.h>

const char *hc_gpu_hours_text(double gpu_hours, char text[HC_NUMBER_TEXT])
{
    if (isnan(gpu_hours))
        return "-";
    return hc_format_fixed(gpu_hours, fabs(gpu_hours) < 100 ? 1 : 0, text);
}

void hc_section_gpu_hours(struct hc_section *section, double gpu_hours)
{
    char text[HC_NUMBER_TEXT];
    if (gpu_hours == 0)
        hc_section_text(section, "");
    else
        hc_section_hours(section, gpu_hours, hc_gpu_hours_text(gpu_hours, text));
}

void hc_section_share(struct hc_section *section, double share)
{
    if (isnan(share))
        hc_section_text(section, "-");
    else if (share > 0)
        hc_section_percent(section, share);
    else
        hc_section_text(section, "");
}

void hc_section_real(struct hc_section *section, double value, int decimals)
{
    char text[HC_NUMBER_TEXT];
    hc_section_text(section, isnan(value) ? "-" : hc_format_fixed(value, decimals, text));
}
