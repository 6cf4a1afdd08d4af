/* Any bytes as a Parquet step timeline: an error or rows, never more. */
#include "tests/support/bytes_source.h"

#include "core/tables/op_table.h"
#include "parsers/registry/format_registry.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>

#define MAX_BATCHES 64 /* runs of repeated values make long files out of few bytes */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct hc_format *format = &hc_format_step_parquet;
    const struct hc_parse_options options = {0};
    struct hc_source source = bytes_source("fuzz", data, size);
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    struct hc_table ops;
    void *parser = NULL;
    if (hc_table_init(&ops, &hc_ops_def, 1000, &err))
        abort();
    enum hc_status status = format->open(&parser, &source, &options, &err);
    for (int i = 0; status == HC_OK && i < MAX_BATCHES; i++) {
        ops.n_rows = 0;
        status = format->next_batch(parser, &ops, &report, &err);
        if (ops.n_rows == 0)
            break;
    }
    /* nothing here is the fault of the system or of hindcast, and every failure says why */
    if (status != HC_OK && (status != HC_BAD_INPUT || err.message[0] == '\0'))
        abort();
    format->close(parser);
    hc_source_close(&source);
    hc_row_report_fini(&report);
    hc_table_fini(&ops);
    return 0;
}
