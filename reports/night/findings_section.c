#include "reports/night/findings_report.h"

#include "core/base/clock.h"

struct hc_section hc_findings_section(const struct hc_findings_view *view)
{
    static const struct hc_section_column columns[] = {
        {.title = "severity", .width = 9},
        {.title = "finding", .gap = 1, .width = 14},
        {.title = "subject", .gap = 1, .width = 20},
        {.title = "since", .gap = 1, .width = 11},
        {.title = "owner", .gap = 1, .width = 12},
        {.title = "acknowledged", .gap = 1, .width = 12},
        {.title = "what", .gap = 4, .is_below = true},
    };
    struct hc_section section = {.title = "FINDINGS", .columns = columns, .n_columns = 7};
    for (size_t i = 0; i < view->n; i++) {
        const struct hc_shown_finding *row = &view->rows[i];
        char since[40];
        hc_format_iso8601(row->finding->first_seen * 86400 * (int64_t)1000000000, since);
        since[10] = '\0';
        hc_section_text(&section, hc_finding_severity_name(row->finding->severity));
        hc_section_text(&section, hc_finding_kind_name(row->finding->kind));
        hc_section_text(&section, row->finding->subject);
        hc_section_text(&section, since);
        hc_section_text(&section, row->owner);
        hc_section_text(&section, row->acknowledged_until);
        hc_section_prose(&section, row->finding->text);
    }
    return section;
}
