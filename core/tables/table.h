/* table.h - the column tables that all parts exchange.
 *
 * A table is a structure of arrays described by a constant hc_table_def: the store writes and reads
 * any of them by that description alone, and the readers of one kind of table reach its columns
 * through typed accessors (see op_table.h). A table has a fixed capacity and serves as a batch:
 * parsers fill it up to its capacity, writers drain it.
 */
#ifndef HC_CORE_TABLES_TABLE_H
#define HC_CORE_TABLES_TABLE_H

#include "core/base/missing.h"
#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

#define HC_TABLE_MAX_COLUMNS 40

enum hc_type { HC_I32, HC_I64, HC_F64 };

struct hc_column_def {
    const char *name;
    enum hc_type type;
    const char *unit;        /* "ns", "" for ids and counts */
    const char *description; /* one line, kept as an attribute of the stored column */
    const char *dictionary;  /* name of the dictionary its codes refer to, or NULL */
};

struct hc_table_def {
    const char *name; /* group name in the archive: "ops" */
    size_t n_columns;
    const struct hc_column_def *columns;
    /* The minor schema version of segments that has all of these columns: of an older segment,
     * those that it lacks are missing. */
    int32_t minor;
};

struct hc_table {
    const struct hc_table_def *def;
    size_t n_rows;
    size_t capacity;
    void *column[HC_TABLE_MAX_COLUMNS]; /* column[i]: capacity values of def->columns[i].type */
};

/* Bytes of one value of a type. */
size_t hc_type_size(enum hc_type type);

/* An empty table with room for capacity rows, which hold anything until they are written. On
 * failure the table is left all NULL. */
enum hc_status hc_table_init(struct hc_table *table, const struct hc_table_def *def,
                             size_t capacity, struct hc_error *err);
void hc_table_fini(struct hc_table *table);

/* Make room for capacity rows: doubles, keeps the rows. table may be zeroed but for its def. On
 * failure it keeps its rows and its room. */
enum hc_status hc_table_reserve(struct hc_table *table, size_t capacity, struct hc_error *err);

/* Bytes of its rows. */
size_t hc_table_bytes(const struct hc_table *table);

/* Append n rows of another table of the same def, from row first on; to must have room for them. */
void hc_table_append(struct hc_table *to, const struct hc_table *from, size_t first, size_t n);

/* Copy row from over row to. */
void hc_table_move_row(struct hc_table *table, size_t to, size_t from);

/* Give back the room behind the rows, and the columns of column_mask (bit i = def->columns[i]),
 * which are NULL then. On failure the table keeps its room. */
enum hc_status hc_table_shrink(struct hc_table *table, uint32_t column_mask, struct hc_error *err);

static inline int32_t *hc_table_i32(const struct hc_table *table, size_t column)
{
    return table->column[column];
}

static inline int64_t *hc_table_i64(const struct hc_table *table, size_t column)
{
    return table->column[column];
}

static inline double *hc_table_f64(const struct hc_table *table, size_t column)
{
    return table->column[column];
}

#endif
