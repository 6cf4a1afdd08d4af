/* query_rows.h - rows that a query found, as text, CSV or a JSON object a line. */
#ifndef HC_REPORTS_QUERY_QUERY_ROWS_H
#define HC_REPORTS_QUERY_QUERY_ROWS_H

#include "core/base/status.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"
#include "models/query/query_groups.h"

#include <stdio.h>

enum hc_query_form { HC_QUERY_TEXT, HC_QUERY_CSV, HC_QUERY_JSONL };

/* Numbers are as the table has them, in the units that the names of the columns say; text shows
 * times and durations for people. */
struct hc_query_rows;

/* columns: n of them, in the order in which they are shown. most: rows, after which the others are
 * only counted. */
enum hc_status hc_query_rows_new(struct hc_query_rows **rows, FILE *stream, enum hc_query_form form,
                                 const struct hc_table_def *def, const size_t *columns, size_t n,
                                 int64_t most, struct hc_error *err);
void hc_query_rows_add(struct hc_query_rows *rows, const struct hc_table *table,
                       struct hc_table_names *names, size_t row);
/* What is left to be written, and frees it. HC_INTERNAL with err filled when memory was short. */
enum hc_status hc_query_rows_end(struct hc_query_rows *rows, struct hc_error *err);

/* The groups of a query, in order; most: groups. */
enum hc_status hc_query_write_groups(FILE *stream, enum hc_query_form form,
                                     struct hc_query_groups *groups,
                                     const struct hc_query_plan *plan, int64_t most,
                                     struct hc_error *err);

#endif
