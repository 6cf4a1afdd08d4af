#include "reports/joins/history_report.h"

#include "core/base/clock.h"
#include "core/base/missing.h"
#include "reports/joins/history_records.h"
#include "reports/write/section.h"

#include <inttypes.h>

void hc_history_write_json(const struct hc_history_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_history_record, &(struct hc_item){.record = report});
}

enum hc_status hc_history_write_text(const struct hc_history_report *report, FILE *stream,
                                     struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "time", .width = 20, .is_whole = true},
        {.title = "what", .gap = 2, .is_whole = true},
        {.title = "", .gap = 22, .is_below = true, .is_whole = true},
    };
    struct hc_section section = {.columns = columns, .n_columns = 3};
    for (size_t i = 0; i < report->history->n; i++) {
        const struct hc_history_item *item = &report->history->items[i];
        char time[48], place[600] = "";
        hc_format_iso8601(item->time_ns, time);
        time[19] = 'Z';
        time[20] = '\0';
        if (item->source && item->line != HC_MISSING_I64)
            snprintf(place, sizeof place, "(%.500s:%" PRId64 ")", item->source, item->line);
        else if (item->source)
            snprintf(place, sizeof place, "(%.500s)", item->source);
        hc_section_text(&section, time);
        hc_section_text(&section, item->text);
        hc_section_text(&section, place);
    }
    return hc_section_print(stream, section, err);
}
