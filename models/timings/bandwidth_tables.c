#include "models/timings/bandwidth_tables.h"

#include "core/base/memory.h"
#include "core/tables/collectives/bandwidth_table.h"
#include "core/text/collective_op.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void hc_bandwidth_tables_fini(struct hc_bandwidth_tables *tables)
{
    hc_text_set_fini(&tables->ops);
    free(tables->rows);
    memset(tables, 0, sizeof *tables);
}

enum hc_status hc_bandwidth_tables_add(struct hc_bandwidth_tables *tables,
                                       const struct hc_table *rows,
                                       const struct hc_text_set *op_names, struct hc_error *err)
{
    char op[HC_COLLECTIVE_OP];
    if (hc_reserve(&tables->rows, &tables->capacity, tables->n + rows->n_rows, sizeof *tables->rows,
                   err))
        return err->status;
    for (size_t i = 0; i < rows->n_rows; i++) {
        int32_t code = hc_table_i32(rows, HC_BANDWIDTHS_OP)[i];
        double out = hc_table_f64(rows, HC_BANDWIDTHS_OUT_BUSBW_GB_S)[i];
        double in = hc_table_f64(rows, HC_BANDWIDTHS_IN_BUSBW_GB_S)[i];
        struct hc_measured_bandwidth row = {
            .bytes = hc_table_i64(rows, HC_BANDWIDTHS_BYTES)[i],
            .busbw_gb_s = out > 0 ? out : in,
            .n_ranks = hc_table_i32(rows, HC_BANDWIDTHS_N_RANKS)[i],
        };
        if (code < 0 || (size_t)code >= op_names->n || row.bytes <= 0 || !(row.busbw_gb_s > 0))
            continue;
        hc_collective_op(op, op_names->text[code], strlen(op_names->text[code]));
        if (hc_text_set_add(&tables->ops, op, strlen(op), &row.op, err))
            return err->status;
        tables->rows[tables->n++] = row;
    }
    return HC_OK;
}

static int compare_rows(const void *a, const void *b)
{
    const struct hc_measured_bandwidth *x = a, *y = b;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    if (x->n_ranks != y->n_ranks)
        return x->n_ranks < y->n_ranks ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->busbw_gb_s < y->busbw_gb_s) - (x->busbw_gb_s > y->busbw_gb_s);
}

void hc_bandwidth_tables_finish(struct hc_bandwidth_tables *tables)
{
    size_t kept = 0;
    if (tables->n)
        qsort(tables->rows, tables->n, sizeof *tables->rows, compare_rows);
    for (size_t i = 0; i < tables->n; i++) {
        const struct hc_measured_bandwidth *row = &tables->rows[i];
        const struct hc_measured_bandwidth *last = kept ? &tables->rows[kept - 1] : NULL;
        if (!last || last->op != row->op || last->n_ranks != row->n_ranks ||
            last->bytes != row->bytes)
            tables->rows[kept++] = *row;
    }
    tables->n = kept;
}

/* How far the number of ranks of a table is from that asked for; one that does not say is last. */
static int64_t distance_of(const struct hc_measured_bandwidth *row, int32_t n_ranks)
{
    if (row->n_ranks == HC_MISSING_I32 || n_ranks == HC_MISSING_I32)
        return INT64_MAX;
    return llabs((int64_t)row->n_ranks - n_ranks);
}

struct hc_expected_bandwidth hc_expected_bandwidth(const struct hc_bandwidth_tables *tables,
                                                   const char *op, int32_t n_ranks, int64_t bytes)
{
    struct hc_expected_bandwidth expected = {NAN, HC_MISSING_I32, false};
    int32_t code = hc_text_set_find(&tables->ops, op, strlen(op));
    size_t first = tables->n, end;
    for (size_t i = 0; i < tables->n && code >= 0; i++)
        if (tables->rows[i].op == code &&
            (first == tables->n ||
             distance_of(&tables->rows[i], n_ranks) < distance_of(&tables->rows[first], n_ranks)))
            first = i;
    if (first == tables->n || bytes < tables->rows[first].bytes)
        return expected;
    const struct hc_measured_bandwidth *rows = &tables->rows[first];
    expected.n_ranks = rows->n_ranks;
    for (end = 1; first + end < tables->n && rows[end].op == code &&
                  rows[end].n_ranks == rows->n_ranks && rows[end].bytes <= bytes;)
        end++;
    const struct hc_measured_bandwidth *below = &rows[end - 1], *above = &rows[end];
    expected.busbw_gb_s = below->busbw_gb_s;
    bool has_above =
        first + end < tables->n && above->op == code && above->n_ranks == rows->n_ranks;
    expected.is_beyond = !has_above && bytes > below->bytes;
    if (has_above && bytes > below->bytes)
        expected.busbw_gb_s += (above->busbw_gb_s - below->busbw_gb_s) *
                               log((double)bytes / (double)below->bytes) /
                               log((double)above->bytes / (double)below->bytes);
    return expected;
}
