/* Any bytes as a Chrome timeline, of both formats, and as a log of ndtimeline: rows must keep the
 * promises that the tables make and every event that is a row be counted, whatever the size of the
 * batches; nothing may crash. */
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "parsers/registry/format_registry.h"
#include "tests/fuzz/target.h"
#include "tests/support/bytes_source.h"

static void check_rows(const struct hc_table *ops)
{
    struct hc_op_columns c = hc_op_columns(ops);
    for (size_t i = 0; i < ops->n_rows; i++) {
        require(c.step[i] >= 0 && c.dp_rank[i] >= 0 && c.stage[i] >= 0 && c.rank[i] >= 0);
        require(c.seq_id[i] >= 0 && c.duration_ns[i] >= 0);
        require(c.model_chunk[i] >= 0 || c.model_chunk[i] == HC_MISSING_I32);
        require(c.global_chunk[i] >= 0 || c.global_chunk[i] == HC_MISSING_I32);
        require(c.op_type[i] >= 0 && c.op_type[i] < HC_N_OP_TYPES);
        int64_t end_ns = 0;
        require(!__builtin_add_overflow(c.start_ns[i], c.duration_ns[i], &end_ns));
    }
}

/* Rows read, or -1 when the file is refused. */
static int64_t read_rows(const struct hc_format *format, const struct hc_source *source,
                         const struct hc_job *job, size_t batch)
{
    struct hc_parse_options options = {.job = job};
    struct hc_error err = {0};
    struct hc_row_report report = {0};
    struct hc_table ops;
    void *parser = NULL;
    int64_t rows = 0;
    require(hc_table_init(&ops, &hc_ops_def, batch, &err) == HC_OK);
    enum hc_status status = format->open(&parser, source, &options, &err);
    do {
        ops.n_rows = 0;
        if (status == HC_OK)
            status = format->next_batch(parser, &ops, &report, &err);
        check_rows(&ops);
        rows += (int64_t)ops.n_rows;
    } while (status == HC_OK && ops.n_rows);
    if (status == HC_OK)
        require(report.rows_read == rows + report.rows_ignored + hc_row_report_total_bad(&report));
    else
        require(err.message[0]);
    format->close(parser);
    hc_row_report_fini(&report);
    hc_table_fini(&ops);
    return status ? -1 : rows;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct hc_format *const formats[] = {
        &hc_format_step_chrome, &hc_format_step_dttracer, &hc_format_ndtimeline};
    struct hc_op_alias aliases[] = {{.name = "fwd", .op_type = HC_FORWARD_COMPUTE},
                                    {.name = "marker", .op_type = HC_OP_IGNORED}};
    struct hc_job job = {
        .n_aliases = 2, .aliases = aliases, .dp_size = 2, .pp_size = HC_MISSING_I32};
    struct hc_source source = bytes_source("fuzz.json", data, size);
    for (int i = 0; i < 2; i++) {
        int sure = formats[i]->probe(data, size, source.name);
        require(sure >= 0 && sure <= 100);
        read_rows(formats[i], &source, NULL, 100);
        int64_t rows = read_rows(formats[i], &source, &job, 100);
        require(read_rows(formats[i], &source, &job, 1) == rows);
    }
    hc_source_close(&source);
    return 0;
}
