/* Any bytes as the output of nccl-tests: nothing may crash; rows keep the promises of their table
 * whatever the size of the batches, and any question can be asked of them. */
#include "core/tables/collectives/bandwidth_table.h"
#include "models/timings/bandwidth_tables.h"
#include "parsers/registry/format_registry.h"
#include "tests/fuzz/target.h"
#include "tests/support/bytes_source.h"

static bool read_tables(const struct hc_source *source, size_t batch,
                        struct hc_bandwidth_tables *tables, size_t *n_rows)
{
    const struct hc_format *format = &hc_format_nccl_tests;
    struct hc_table_names names;
    struct hc_table rows;
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    void *parser = NULL;
    size_t n = 1;
    *n_rows = 0;
    require(hc_table_names_init(&names, hc_bandwidth_kind_tables, &err) == HC_OK);
    require(hc_table_init(&rows, &hc_bandwidths_def, batch, &err) == HC_OK);
    enum hc_status status =
        format->open(&parser, source, &(struct hc_parse_options){.names = &names}, &err);
    for (; !status && n; n = rows.n_rows) {
        rows.n_rows = 0;
        status = format->next_batch(parser, &rows, &report, &err);
        *n_rows += rows.n_rows;
        for (size_t i = 0; i < rows.n_rows; i++)
            require(hc_table_i64(&rows, HC_BANDWIDTHS_BYTES)[i] >= 0);
        if (!status)
            status = hc_bandwidth_tables_add(tables, &rows, &names.set[0], &err);
    }
    require(status == HC_OK || err.message[0]);
    format->close(parser);
    hc_row_report_fini(&report);
    hc_table_fini(&rows);
    hc_table_names_fini(&names);
    return status == HC_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const ops[] = {"all_reduce", "all_gather", "sendrecv"};
    struct hc_source source = bytes_source("reduce.log", data, size);
    struct hc_bandwidth_tables tables = {0}, other = {0};
    size_t large, small;
    int sure = hc_format_nccl_tests.probe(data, size, source.name);
    require(sure >= 0 && sure <= 100);
    bool is_read = read_tables(&source, 100, &tables, &large);
    require(read_tables(&source, 1, &other, &small) == is_read);
    require(!is_read || large == small);
    hc_bandwidth_tables_finish(&tables);
    for (size_t o = 0; o < 3; o++)
        for (int shift = 0; shift < 63; shift += 3) {
            struct hc_expected_bandwidth expected =
                hc_expected_bandwidth(&tables, ops[o], 8, (int64_t)1 << shift);
            require(!(expected.busbw_gb_s <= 0));
        }
    hc_bandwidth_tables_fini(&tables);
    hc_bandwidth_tables_fini(&other);
    hc_source_close(&source);
    return 0;
}
