/* row_order.h - the order of rows of records that are of one time. Private to this wing.
 *
 * Rows of a day are merged in order of their key, and kept so where the key is of what they say.
 * The key of what a log tells has a hash of the path of that log, since the same file is read again
 * as it grows and after it was rotated, when its content cannot tell which log it is. Such a hash
 * must not order anything that is read: the same log in another directory would give its rows in
 * another order. Rows of one time are therefore kept in order of their line (of the node before,
 * where many files tell of the same), then of all that they say, and of names of files only where
 * they say the same.
 */
#ifndef HC_PIPELINE_INGEST_ROW_ORDER_H
#define HC_PIPELINE_INGEST_ROW_ORDER_H

#include "core/tables/table.h"
#include "core/tables/table_names.h"
#include "pipeline/kinds/kind.h"

/* Zeroed but for the rules and, where rows are put in the order in which they are kept, the names
 * behind their codes. */
struct hc_row_order {
    const struct hc_record_rules *rules;
    const struct hc_table_names *names;
    size_t rows_room, column_room;
    uint32_t *rows;
    char *column;
};

/* Where the rows of the last time begin, of rows in order of time: more of that time may follow.
 * All rows, where they are kept in order of the key. */
size_t hc_row_order_settled(const struct hc_record_rules *rules, const struct hc_table *rows);

/* Put the first n rows, which are in order of time, in order of the key, or in that in which they
 * are kept. */
enum hc_status hc_row_order_by_key(struct hc_row_order *order, struct hc_table *rows, size_t n,
                                   struct hc_error *err);
enum hc_status hc_row_order_as_kept(struct hc_row_order *order, struct hc_table *rows, size_t n,
                                    struct hc_error *err);

void hc_row_order_fini(struct hc_row_order *order);

#endif
