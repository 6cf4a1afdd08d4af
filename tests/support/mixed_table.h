/* mixed_table.h - a table with a column of each type, drawn and written to a segment. */
#ifndef HC_TESTS_SUPPORT_MIXED_TABLE_H
#define HC_TESTS_SUPPORT_MIXED_TABLE_H

#include "tests/support/segment_fixture.h"

static char *scratch;
static uint64_t seed;

static const struct hc_column_def mixed_columns[] = {
    {"id", HC_I32, "", "an id", NULL},
    {"kind", HC_I32, "", "an op type", "op_type"},
    {"time", HC_I64, "ns", "a time", NULL},
    {"value", HC_F64, "W", "a measurement", NULL},
};
static const struct hc_table_def mixed_def = {"mixed", 4, mixed_columns, 0};

static inline void fill_mixed(struct hc_table *table, size_t n)
{
    table->n_rows = n;
    for (size_t i = 0; i < n; i++) {
        uint64_t r = next_random(&seed);
        hc_table_i32(table, 0)[i] = r & 15 ? (int32_t)(i / 3) : HC_MISSING_I32;
        hc_table_i32(table, 1)[i] = r >> 4 & 15 ? (int32_t)(r % HC_N_OP_TYPES) : HC_MISSING_I32;
        hc_table_i64(table, 2)[i] = r >> 8 & 15 ? (int64_t)(r >> 24) : HC_MISSING_I64;
        hc_table_f64(table, 3)[i] = r >> 12 & 15 ? (double)(r >> 33) * 0.001 : __builtin_nan("");
    }
}

/* Write the rows of table in batches of random sizes. */
static inline void write_in_batches(const char *path, const struct hc_table *table)
{
    struct hc_segment_writer *writer = start_segment(path);
    struct hc_table batch = *table;
    batch.n_rows = 0;
    ASSERT_OK(hc_segment_writer_append(writer, &batch, &err));
    for (size_t first = 0; first < table->n_rows; first += batch.n_rows) {
        batch.n_rows = 1 + next_random(&seed) % 200000;
        if (batch.n_rows > table->n_rows - first)
            batch.n_rows = table->n_rows - first;
        for (size_t c = 0; c < table->def->n_columns; c++)
            batch.column[c] =
                (char *)table->column[c] + first * hc_type_size(table->def->columns[c].type);
        ASSERT_OK(hc_segment_writer_append(writer, &batch, &err));
    }
    finish_segment(writer);
}

#endif
