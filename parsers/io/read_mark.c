#include "parsers/io/read_mark.h"

#define MARK_EVERY ((int64_t)1 << 20) /* bytes, of a source that is read on */

bool hc_read_mark_is_due(const struct hc_read_mark *mark, const struct hc_line_reader *lines)
{
    return !hc_lines_are_broken(lines) && hc_lines_offset(lines) - mark->offset >= MARK_EVERY;
}

void hc_read_mark_put(struct hc_read_mark *mark, const struct hc_line_reader *lines,
                      const struct hc_row_report *report)
{
    mark->offset = hc_lines_offset(lines);
    mark->line = hc_lines_number(lines);
    mark->rows_read = report->rows_read + report->rows_before;
    mark->rows_bad = hc_row_report_total_bad(report) + report->bad_before;
}

enum hc_status hc_read_mark_go_on(const struct hc_read_mark *mark, struct hc_line_reader *lines,
                                  struct hc_error *err)
{
    return mark ? hc_lines_go_to(lines, mark->offset, mark->line, err) : HC_OK;
}
