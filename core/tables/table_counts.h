/* table_counts.h - how many rows each of some tables has, by name.
 *
 * What is in a segment, as the segment itself and the manifest of its archive say it: names and
 * numbers, with nothing known of what the tables mean.
 */
#ifndef HC_CORE_TABLES_TABLE_COUNTS_H
#define HC_CORE_TABLES_TABLE_COUNTS_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_table_count {
    char *table;
    int64_t n_rows; /* HC_MISSING_I64: not known */
};

/* Zeroed memory has none. The list is ascending by name, each name once. */
struct hc_table_counts {
    size_t n, capacity;
    struct hc_table_count *list;
};

/* Set the number of rows of a table. HC_BAD_INPUT for a name that no table can have: 1 to 60 small
 * letters, digits and underscores. */
enum hc_status hc_table_counts_set(struct hc_table_counts *counts, const char *table,
                                   int64_t n_rows, struct hc_error *err);

/* Rows of a table; 0 when it is not there or its rows are not known. */
int64_t hc_table_counts_rows(const struct hc_table_counts *counts, const char *table);

/* Whether both have the same tables with the same numbers, as far as these are known. */
bool hc_table_counts_agree(const struct hc_table_counts *a, const struct hc_table_counts *b);

/* On failure the copy has none. */
enum hc_status hc_table_counts_copy(struct hc_table_counts *copy,
                                    const struct hc_table_counts *counts, struct hc_error *err);
void hc_table_counts_fini(struct hc_table_counts *counts);

#endif
