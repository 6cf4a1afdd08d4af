/* The Parquet reader on a real trace, all eleven columns to checked rows, and without their checks.
 */
#include "bench/bench.h"

#include "core/tables/op_table.h"
#include "parsers/parquet/parquet_column.h"
#include "parsers/registry/format_registry.h"
#include "parsers/steps/step_rows.h"

#include <stdio.h>
#include <stdlib.h>

struct run {
    struct hc_source source;
    struct hc_table ops;
    int64_t n_rows;
};

static void read_trace(void *context)
{
    const struct hc_format *format = &hc_format_step_parquet;
    const struct hc_parse_options options = {0};
    struct run *run = context;
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    void *parser = NULL;
    if (format->open(&parser, &run->source, &options, &err))
        hc_bench_stop(&err);
    run->n_rows = 0;
    do {
        run->ops.n_rows = 0;
        if (format->next_batch(parser, &run->ops, &report, &err))
            hc_bench_stop(&err);
        run->n_rows += (int64_t)run->ops.n_rows;
    } while (run->ops.n_rows > 0);
    format->close(parser);
    hc_row_report_fini(&report);
}

static bool name_of_any(void *context, const char *name, size_t length, int32_t *code)
{
    (void)context;
    *code = hc_op_type_find(name, length);
    return true;
}

/* All columns, decoded one after the other. */
static void decode_columns(void *context)
{
    const struct run *run = context;
    const struct hc_parquet_names any = {.find = name_of_any};
    const char *names[HC_N_STEP_FIELDS];
    struct hc_parquet_footer footer;
    struct hc_error err = {0};
    int64_t out[4096];
    for (int f = 0; f < HC_N_STEP_FIELDS; f++)
        names[f] = hc_step_field_name(f);
    if (hc_parquet_footer_open(&footer, &run->source, names, HC_N_STEP_FIELDS, &err) ||
        hc_parquet_footer_groups(&footer, &err))
        hc_bench_stop(&err);
    for (int f = 0; f < HC_N_STEP_FIELDS; f++) {
        struct hc_parquet_column column;
        enum hc_parquet_target target = f < HC_N_INT_FIELDS    ? HC_PARQUET_INTEGERS
                                        : f == HC_FIELD_OPTYPE ? HC_PARQUET_NAMES
                                                               : HC_PARQUET_SECONDS;
        if (hc_parquet_column_init(&column, &run->source, &footer.schema.columns[f], target, &any,
                                   &err))
            hc_bench_stop(&err);
        for (size_t g = 0; g < footer.n_groups; g++) {
            const struct hc_parquet_chunk *chunk = &footer.chunks[g * HC_N_STEP_FIELDS + f];
            hc_parquet_column_start(&column, chunk);
            for (int64_t left = chunk->n_values; left > 0; left -= 4096)
                if (hc_parquet_column_read(&column, left < 4096 ? (size_t)left : 4096, out, &err))
                    hc_bench_stop(&err);
            if (hc_parquet_column_finish(&column, &err))
                hc_bench_stop(&err);
        }
        hc_parquet_column_fini(&column);
    }
    hc_parquet_footer_close(&footer);
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    const char *path = hc_bench_shared("data/bytedance-straggler/data/trace-AR.parquet");
    if (!path) {
        hc_bench_skip(&bench, "Parquet", "needs ../shared");
        return hc_bench_end(&bench);
    }
    struct run run = {0};
    struct hc_error err = {0};
    if (hc_source_open(&run.source, path, &err) ||
        hc_table_init(&run.ops, &hc_ops_def, 16384, &err))
        hc_bench_stop(&err);
    read_trace(&run);
    double rows = (double)run.n_rows;
    struct hc_bench_pair decoded = hc_bench_beside(HC_BENCH_BYTES, decode_columns, &run),
                         checked = hc_bench_beside(HC_BENCH_BYTES, read_trace, &run);
    hc_bench_limit(&bench, "Parquet, 11 columns decoded", &decoded, rows, "M rows/s", 28);
    hc_bench_limit(&bench, "Parquet to checked rows", &checked, rows, "M rows/s", 35);
    hc_source_close(&run.source);
    hc_table_fini(&run.ops);
    return hc_bench_end(&bench);
}
