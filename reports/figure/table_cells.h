/* table_cells.h - the pieces of the table of a figure. Private to this wing.
 *
 *     hc_table_start(stream, "shades, largest first");
 *     hc_table_head(stream, "cell", false);
 *     hc_table_head(stream, "slowdown S", true);
 *     hc_table_body(stream);
 *     hc_table_row(stream, "dp rank 1");       the head of the row
 *     hc_table_cell(stream, "1.275");
 *     hc_table_row_end(stream);
 *     hc_table_end(stream);
 */
#ifndef HC_REPORTS_FIGURE_TABLE_CELLS_H
#define HC_REPORTS_FIGURE_TABLE_CELLS_H

#include "core/text/number_format.h"
#include "reports/page/axis.h"

#include <stdbool.h>
#include <stdio.h>

void hc_table_start(FILE *stream, const char *caption);
void hc_table_head(FILE *stream, const char *text, bool is_number);
void hc_table_body(FILE *stream);
void hc_table_row(FILE *stream, const char *head);
void hc_table_cell(FILE *stream, const char *text);
void hc_table_row_end(FILE *stream);
void hc_table_end(FILE *stream);

/* How the numbers of one column are written: with as many decimals as its largest needs for four
 * digits, and with its unit in the head. */
struct hc_table_format {
    int decimals;
    bool is_share, is_log; /* is_log: four digits each, since they differ by powers of ten */
};

struct hc_table_format hc_table_format(const struct hc_axis *axis, const double *values, size_t n);
const char *hc_table_number(const struct hc_table_format *format, double value,
                            char text[HC_NUMBER_TEXT]);

/* A number as the cell of a row. */
void hc_table_value(FILE *stream, const struct hc_table_format *format, double value);

#endif
