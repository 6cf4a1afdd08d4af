#include "core/tables/table.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

size_t hc_type_size(enum hc_type type)
{
    return type == HC_I32 ? sizeof(int32_t) : sizeof(int64_t);
}

enum hc_status hc_table_init(struct hc_table *table, const struct hc_table_def *def,
                             size_t capacity, struct hc_error *err)
{
    memset(table, 0, sizeof *table);
    table->def = def;
    table->capacity = capacity;
    for (size_t i = 0; i < def->n_columns; i++) {
        table->column[i] = hc_new_aligned(capacity, hc_type_size(def->columns[i].type), err);
        if (!table->column[i]) {
            hc_table_fini(table);
            return err->status;
        }
    }
    return HC_OK;
}

void hc_table_fini(struct hc_table *table)
{
    for (size_t i = 0; i < HC_TABLE_MAX_COLUMNS; i++)
        free(table->column[i]);
    memset(table, 0, sizeof *table);
}

/* Column by column, so that only one of them is there twice. */
enum hc_status hc_table_reserve(struct hc_table *table, size_t capacity, struct hc_error *err)
{
    if (capacity <= table->capacity)
        return HC_OK;
    if (capacity < 2 * table->capacity)
        capacity = 2 * table->capacity;
    for (size_t c = 0; c < table->def->n_columns; c++) {
        size_t size = hc_type_size(table->def->columns[c].type);
        void *wider = hc_new_aligned(capacity, size, err);
        if (!wider)
            return err->status;
        if (table->n_rows)
            memcpy(wider, table->column[c], table->n_rows * size);
        free(table->column[c]);
        table->column[c] = wider;
    }
    table->capacity = capacity;
    return HC_OK;
}

size_t hc_table_bytes(const struct hc_table *table)
{
    size_t row = 0;
    for (size_t c = 0; table->def && c < table->def->n_columns; c++)
        row += hc_type_size(table->def->columns[c].type);
    return row * table->n_rows;
}

void hc_table_append(struct hc_table *to, const struct hc_table *from, size_t first, size_t n)
{
    for (size_t c = 0; n > 0 && c < to->def->n_columns; c++) {
        size_t size = hc_type_size(to->def->columns[c].type);
        memcpy((char *)to->column[c] + to->n_rows * size,
               (const char *)from->column[c] + first * size, n * size);
    }
    to->n_rows += n;
}

void hc_table_move_row(struct hc_table *table, size_t to, size_t from)
{
    for (size_t c = 0; c < table->def->n_columns; c++) {
        size_t size = hc_type_size(table->def->columns[c].type);
        memcpy((char *)table->column[c] + to * size, (char *)table->column[c] + from * size, size);
    }
}

enum hc_status hc_table_shrink(struct hc_table *table, uint32_t column_mask, struct hc_error *err)
{
    for (size_t c = 0; c < table->def->n_columns; c++) {
        size_t size = hc_type_size(table->def->columns[c].type);
        void *column = NULL;
        if (!(column_mask >> c & 1)) {
            column = hc_new_aligned(table->n_rows, size, err);
            if (!column)
                return err->status;
            if (table->n_rows)
                memcpy(column, table->column[c], table->n_rows * size);
        }
        free(table->column[c]);
        table->column[c] = column;
    }
    table->capacity = table->n_rows;
    return HC_OK;
}
