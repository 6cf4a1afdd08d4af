/* Any bytes as a CSV step timeline: records must tile the input, rows must keep the promises that
 * the tables make, and nothing may crash. */
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "parsers/io/csv_scanner.h"
#include "parsers/registry/format_registry.h"
#include "tests/fuzz/target.h"
#include "tests/support/bytes_source.h"

static volatile unsigned sink; /* so that every byte of every field is read */

static void scan(const struct hc_source *source)
{
    struct hc_error err = {0};
    struct hc_csv_scanner *scanner = NULL;
    struct hc_csv_record record;
    int64_t byte = 0, line = 0;
    enum hc_status status = hc_csv_open(&scanner, source, &err);
    while (status == HC_OK && (status = hc_csv_next(scanner, &record, &err)) == HC_OK) {
        if (record.n_fields == 0)
            break;
        require(record.byte >= byte && record.next_byte > record.byte && record.line > line);
        byte = record.next_byte;
        line = record.line;
        for (size_t i = 0; i < record.n_fields; i++)
            for (uint32_t j = 0; j < record.fields[i].length; j++)
                sink = (unsigned char)record.fields[i].text[j];
    }
    require(status == HC_OK || err.message[0]);
    hc_csv_close(scanner);
}

static void check_rows(const struct hc_table *ops)
{
    struct hc_op_columns c = hc_op_columns(ops);
    for (size_t i = 0; i < ops->n_rows; i++) {
        require(c.step[i] >= 0 && c.dp_rank[i] >= 0 && c.stage[i] >= 0 && c.rank[i] >= 0);
        require(c.seq_id[i] >= 0 && c.duration_ns[i] >= 0);
        require(c.model_chunk[i] >= 0 || c.model_chunk[i] == HC_MISSING_I32);
        require(c.op_type[i] >= 0 && c.op_type[i] < HC_N_OP_TYPES);
        int64_t end_ns = 0;
        require(!__builtin_add_overflow(c.start_ns[i], c.duration_ns[i], &end_ns));
    }
}

static void read_rows(const struct hc_source *source, bool float32_times)
{
    struct hc_op_alias alias = {.name = "fwd", .op_type = HC_FORWARD_COMPUTE};
    struct hc_job job = {
        .n_aliases = 1, .aliases = &alias, .dp_size = 100, .pp_size = HC_MISSING_I32};
    struct hc_parse_options options = {.job = &job, .float32_times = float32_times};
    struct hc_error err = {0};
    struct hc_row_report report = {0};
    struct hc_table ops;
    void *parser = NULL;
    int64_t rows = 0;
    require(hc_table_init(&ops, &hc_ops_def, 7, &err) == HC_OK);
    enum hc_status status = hc_format_step_csv.open(&parser, source, &options, &err);
    do {
        ops.n_rows = 0;
        if (status == HC_OK)
            status = hc_format_step_csv.next_batch(parser, &ops, &report, &err);
        check_rows(&ops);
        rows += (int64_t)ops.n_rows;
    } while (status == HC_OK && ops.n_rows);
    if (status == HC_OK)
        require(report.rows_read == rows + report.rows_ignored + hc_row_report_total_bad(&report));
    hc_format_step_csv.close(parser);
    hc_row_report_fini(&report);
    hc_table_fini(&ops);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hc_source source = bytes_source("fuzz.csv", data, size);
    hc_format_step_csv.probe(data, size, source.name);
    scan(&source);
    read_rows(&source, false);
    read_rows(&source, true);
    hc_source_close(&source);
    return 0;
}
