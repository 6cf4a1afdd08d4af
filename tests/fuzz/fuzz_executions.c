/* Any bytes as an execution trace, of PyTorch or of Chakra: nothing may crash; what is read keeps
 * the promises of its tables whatever the size of the batches; what is refused says why. */
#include "core/base/log.h"
#include "core/base/missing.h"
#include "core/tables/execution/execution_tables.h"
#include "parsers/registry/format_registry.h"
#include "tests/fuzz/table_codes.h"
#include "tests/support/bytes_source.h"

struct counts {
    size_t n[HC_EXECUTION_N_TABLES];
    int64_t whole[HC_EXECUTIONS_N_COLUMNS];
};

static void take_whole(struct counts *counts, const struct hc_table *executions)
{
    for (size_t c = HC_EXECUTIONS_N_NODES; executions->n_rows && c < HC_EXECUTIONS_IS_CUT; c++)
        counts->whole[c] = hc_table_i64(executions, c)[0];
}

/* Read all tables in batches. False when the trace is refused. */
static bool read_trace(const struct hc_format *format, const struct hc_source *source, size_t batch,
                       struct counts *counts)
{
    struct hc_table_names names;
    struct hc_table tables[HC_EXECUTION_N_TABLES];
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    void *parser = NULL;
    size_t n = 1;
    memset(counts, 0, sizeof *counts);
    require(hc_table_names_init(&names, hc_execution_tables, &err) == HC_OK);
    for (int t = 0; t < HC_EXECUTION_N_TABLES; t++)
        require(hc_table_init(&tables[t], hc_execution_tables[t], batch, &err) == HC_OK);
    enum hc_status status =
        format->open(&parser, source, &(struct hc_parse_options){.names = &names}, &err);
    for (; !status && n; n = status ? 0 : n) {
        n = 0;
        for (int t = 0; t < HC_EXECUTION_N_TABLES; t++)
            tables[t].n_rows = 0;
        status = format->next_tables(parser, tables, &report, &err);
        for (int t = 0; t < HC_EXECUTION_N_TABLES && !status; t++) {
            check_codes(&tables[t], &names);
            counts->n[t] += tables[t].n_rows;
            n += tables[t].n_rows;
        }
        if (!status)
            take_whole(counts, &tables[HC_EXECUTION_EXECUTIONS]);
    }
    require(status == HC_OK || err.message[0]);
    format->close(parser);
    hc_row_report_fini(&report);
    for (int t = 0; t < HC_EXECUTION_N_TABLES; t++)
        hc_table_fini(&tables[t]);
    hc_table_names_fini(&names);
    return status == HC_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct hc_format *const formats[] = {&hc_format_pytorch_et, &hc_format_chakra_et};
    struct hc_source source = bytes_source("trace.3.et", data, size);
    hc_log_hush(true); /* of tails that are cut a warning tells, each time */
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        struct counts large, small;
        int sure = formats[f]->probe(data, size, source.name);
        require(sure >= 0 && sure <= 100);
        bool is_trace = read_trace(formats[f], &source, 100, &large);
        bool is_kept = read_trace(formats[f], &source, 4, &small);
        if (is_trace && is_kept) {
            require(memcmp(&large, &small, sizeof large) == 0);
            require(large.n[HC_EXECUTION_EXECUTIONS] == 1);
            require(large.whole[HC_EXECUTIONS_N_NODES] == (int64_t)large.n[HC_EXECUTION_NODES]);
            require(large.whole[HC_EXECUTIONS_N_IN_CYCLES] <= (int64_t)large.n[HC_EXECUTION_NODES]);
        }
    }
    hc_source_close(&source);
    return 0;
}
