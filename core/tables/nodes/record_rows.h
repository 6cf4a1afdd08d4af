/* record_rows.h - rows of a table of records, put together value by value: texts cleaned for their
 * dictionaries, and the hash that stands for the texts of a record's key.
 *
 * Codes of a dictionary differ from segment to segment, so that no key can hold them. A table whose
 * records are told apart by a text, such as the name of a node, has a column for a hash of it.
 */
#ifndef HC_CORE_TABLES_NODES_RECORD_ROWS_H
#define HC_CORE_TABLES_NODES_RECORD_ROWS_H

#include "core/tables/table.h"
#include "core/tables/table_names.h"

#define HC_RECORD_TEXT_MOST 4000 /* bytes of any text of a row */

/* Where rows are put. */
struct hc_record_writer {
    struct hc_table_names *names;
    struct hc_table *rows;
};

/* Append a row whose every value is missing; the table must have room. */
void hc_record_begin(const struct hc_record_writer *writer);

/* Put a text in a column of the last row that has a dictionary; an empty one is missing. Control
 * bytes and what is not UTF-8 are kept as '?', what is too long is cut. HC_NO_MEMORY only. */
enum hc_status hc_record_put_text(const struct hc_record_writer *writer, size_t column,
                                  const char *text, size_t length, struct hc_error *err);

/* Put a number in a column of the last row. */
void hc_record_put_i32(const struct hc_record_writer *writer, size_t column, int32_t value);
void hc_record_put_i64(const struct hc_record_writer *writer, size_t column, int64_t value);
void hc_record_put_f64(const struct hc_record_writer *writer, size_t column, double value);

/* The hash of a text joined to that of the texts before it (0 before the first). Not negative: it
 * is never HC_MISSING_I64. The same on every machine. */
int64_t hc_record_fact(int64_t before, const char *text, size_t length);

/* Fill the dictionary of an enum: names[i] is to have code i. */
enum hc_status hc_record_fixed_names(struct hc_table_names *names, const char *dictionary,
                                     const char *const *words, size_t n, struct hc_error *err);

#endif
