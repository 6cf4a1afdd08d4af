/* anonymous_rows.h - rows of record tables, for those who may not know whose they are.
 *
 * Names (users, accounts, jobs, partitions, nodes, files, ...) become keyed hashes: the same name
 * is the same in every table and every export with one key, so that rows still join, and without
 * the key nobody can tell by trying names which is which. So do numbers of jobs, processes and
 * users. Times are earlier by an offset that follows from the key, of 1 to 11 years; durations
 * stay. What people wrote freely (comments, reasons, messages) is missing. Fixed words (states,
 * classes), types of GPUs, names of measures, counts, iterations and other numbers stay.
 *
 * A column of which nothing is said here is missing too: nothing is let through by mistake.
 */
#ifndef HC_MODELS_QUERY_ANONYMOUS_ROWS_H
#define HC_MODELS_QUERY_ANONYMOUS_ROWS_H

#include "core/base/status.h"
#include "core/files/keyed_hash.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"

#include <stddef.h>
#include <stdint.h>

#define HC_ANONYMOUS_ROWS 256

/* Rows that were changed, with texts of their own. */
struct hc_anonymous_rows {
    const struct hc_key *key;
    int64_t shift_ns; /* taken from every time */
    struct hc_table table;
    struct hc_table_names names;
};

/* Room for HC_ANONYMOUS_ROWS rows of a table. Release it whatever the result. */
enum hc_status hc_anonymous_init(struct hc_anonymous_rows *rows, const struct hc_table_def *def,
                                 const struct hc_key *key, struct hc_error *err);
void hc_anonymous_fini(struct hc_anonymous_rows *rows);

/* Of n columns of a table (places in its def), a row; its codes are of names. */
struct hc_anonymous_source {
    const struct hc_table *table;
    struct hc_table_names *names;
    size_t n_columns;
    const size_t *columns;
};

/* Append a row of another table: these columns of it, changed. The others hold anything. */
enum hc_status hc_anonymous_add(struct hc_anonymous_rows *rows,
                                const struct hc_anonymous_source *source, size_t row,
                                struct hc_error *err);

/* What becomes of a column; NULL: nothing is said of it, and it is missing. */
const char *hc_anonymous_fate(const struct hc_column_def *column);

/* No rows, and none of their texts. */
enum hc_status hc_anonymous_clear(struct hc_anonymous_rows *rows, struct hc_error *err);

#endif
