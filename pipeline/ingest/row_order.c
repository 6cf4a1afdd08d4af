#include "pipeline/ingest/row_order.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "pipeline/ingest/day_merge.h"

#include <stdlib.h>
#include <string.h>

struct sorting {
    struct hc_row_order *order;
    const struct hc_table *rows;
    int (*compare)(const struct sorting *sorting, size_t a, size_t b);
};

static int compare_by_key(const struct sorting *sorting, size_t a, size_t b)
{
    return hc_day_compare_keys(sorting->order->rules, sorting->rows, a, sorting->rows, b);
}

/* A missing text comes before all others. */
static int compare_texts(const struct sorting *sorting, size_t column, int32_t x, int32_t y)
{
    const struct hc_table_names *names = sorting->order->names;
    const char *dictionary = sorting->rows->def->columns[column].dictionary;
    if (x == y || x == HC_MISSING_I32 || y == HC_MISSING_I32)
        return (x > y) - (x < y);
    return strcmp(hc_table_names_text(names, dictionary, x),
                  hc_table_names_text(names, dictionary, y));
}

static int compare_column(const struct sorting *sorting, size_t column, size_t a, size_t b)
{
    const struct hc_table *rows = sorting->rows;
    const struct hc_column_def *def = &rows->def->columns[column];
    if (def->type == HC_I64) {
        int64_t x = hc_table_i64(rows, column)[a], y = hc_table_i64(rows, column)[b];
        return (x > y) - (x < y);
    }
    if (def->type == HC_F64) { /* by their bits: of two NaN, too, one is the first */
        int64_t x, y;
        memcpy(&x, &hc_table_f64(rows, column)[a], sizeof x);
        memcpy(&y, &hc_table_f64(rows, column)[b], sizeof y);
        return (x > y) - (x < y);
    }
    int32_t x = hc_table_i32(rows, column)[a], y = hc_table_i32(rows, column)[b];
    return def->dictionary ? compare_texts(sorting, column, x, y) : (x > y) - (x < y);
}

static int compare_columns(const struct sorting *sorting, bool of_path, size_t a, size_t b)
{
    const struct hc_record_rules *rules = sorting->order->rules;
    int order = 0;
    for (size_t c = 0; c < sorting->rows->def->n_columns && order == 0; c++)
        if ((c == rules->source || (rules->of_path >> c & 1)) == of_path)
            order = compare_column(sorting, c, a, b);
    return order;
}

static int compare_as_kept(const struct sorting *sorting, size_t a, size_t b)
{
    const struct hc_record_rules *rules = sorting->order->rules;
    int order = compare_column(sorting, rules->node, a, b); /* column 0, the time, is the same */
    if (order == 0)
        order = compare_column(sorting, rules->line, a, b);
    if (order == 0)
        order = compare_columns(sorting, false, a, b);
    return order ? order : compare_columns(sorting, true, a, b);
}

static int compare_rows(const void *a, const void *b, void *context)
{
    const struct sorting *sorting = context;
    return sorting->compare(sorting, *(const uint32_t *)a, *(const uint32_t *)b);
}

/* Copy the rows from first to end to the places that order->rows names. */
static void put_in_order(const struct hc_row_order *order, struct hc_table *rows, size_t first,
                         size_t n)
{
    for (size_t c = 0; c < rows->def->n_columns; c++) {
        size_t size = hc_type_size(rows->def->columns[c].type);
        char *column = rows->column[c];
        for (size_t i = 0; i < n; i++)
            memcpy(order->column + i * size, column + order->rows[i] * size, size);
        memcpy(column + first * size, order->column, n * size);
    }
}

static enum hc_status sort_run(struct sorting *sorting, struct hc_table *rows, size_t first,
                               size_t end, struct hc_error *err)
{
    struct hc_row_order *order = sorting->order;
    size_t n = end - first, i = first + 1;
    while (i < end && sorting->compare(sorting, i - 1, i) <= 0)
        i++;
    if (i == end)
        return HC_OK;
    if (hc_reserve(&order->rows, &order->rows_room, n, sizeof *order->rows, err) ||
        hc_reserve(&order->column, &order->column_room, n * sizeof(int64_t), 1, err))
        return err->status;
    for (i = 0; i < n; i++)
        order->rows[i] = (uint32_t)(first + i);
    qsort_r(order->rows, n, sizeof *order->rows, compare_rows, sorting);
    put_in_order(order, rows, first, n);
    return HC_OK;
}

static enum hc_status sort_runs(struct sorting *sorting, struct hc_table *rows, size_t n,
                                struct hc_error *err)
{
    const int64_t *time_ns = hc_table_i64(rows, sorting->order->rules->key[0]);
    enum hc_status status = HC_OK;
    for (size_t first = 0, end; first < n && !status; first = end) {
        for (end = first + 1; end < n && time_ns[end] == time_ns[first];)
            end++;
        if (end - first > 1)
            status = sort_run(sorting, rows, first, end, err);
    }
    return status;
}

size_t hc_row_order_settled(const struct hc_record_rules *rules, const struct hc_table *rows)
{
    size_t n = rows->n_rows;
    if (!rules->has_hash || n == 0)
        return n;
    const int64_t *time_ns = hc_table_i64(rows, rules->key[0]);
    for (size_t last = n - 1; n > 0 && time_ns[n - 1] == time_ns[last];)
        n--;
    return n;
}

enum hc_status hc_row_order_by_key(struct hc_row_order *order, struct hc_table *rows, size_t n,
                                   struct hc_error *err)
{
    return sort_runs(&(struct sorting){order, rows, compare_by_key}, rows, n, err);
}

enum hc_status hc_row_order_as_kept(struct hc_row_order *order, struct hc_table *rows, size_t n,
                                    struct hc_error *err)
{
    if (!order->rules->has_hash)
        return HC_OK;
    return sort_runs(&(struct sorting){order, rows, compare_as_kept}, rows, n, err);
}

void hc_row_order_fini(struct hc_row_order *order)
{
    free(order->rows);
    free(order->column);
    *order = (struct hc_row_order){.rules = order->rules, .names = order->names};
}
