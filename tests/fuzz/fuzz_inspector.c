/* Any bytes as a log of NCCL Inspector: nothing may crash; what is read keeps the promises of its
 * tables whatever the size of the batches, and can be analysed; what is refused says why. */
#include "core/tables/collectives/timed_tables.h"
#include "models/timings/timed_result.h"
#include "parsers/registry/format_registry.h"
#include "tests/fuzz/target.h"
#include "tests/support/bytes_source.h"

/* What a reading gave. */
struct reading {
    int64_t n_records, n_bad;
    size_t n[HC_TIMED_N_TABLES];
};

static void check_rows(const struct hc_table *records, const struct hc_table_names *names)
{
    for (size_t i = 0; i < records->n_rows; i++) {
        require(hc_table_i32(records, HC_TIMED_COMMUNICATOR)[i] >= 0);
        require((size_t)hc_table_i32(records, HC_TIMED_COMMUNICATOR)[i] < names->set[0].n);
        require(hc_table_i32(records, HC_TIMED_PROCESS)[i] >= 0);
        require(hc_table_i32(records, HC_TIMED_OP)[i] >= 0);
        require(hc_table_i32(records, HC_TIMED_RANK)[i] >= 0);
        require(hc_table_i64(records, HC_TIMED_SEQ)[i] >= 0);
        require(hc_table_i64(records, HC_TIMED_DURATION_NS)[i] >= 0);
    }
}

static bool read_log(const struct hc_source *source, size_t batch, struct hc_timed_set *set,
                     struct reading *reading)
{
    const struct hc_format *format = &hc_format_nccl_inspector;
    struct hc_table_names names;
    struct hc_table tables[HC_TIMED_N_TABLES];
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    void *parser = NULL;
    size_t n = 1;
    *reading = (struct reading){0};
    require(hc_table_names_init(&names, hc_timed_tables, &err) == HC_OK);
    for (int t = 0; t < HC_TIMED_N_TABLES; t++)
        require(hc_table_init(&tables[t], hc_timed_tables[t], batch, &err) == HC_OK);
    enum hc_status status =
        format->open(&parser, source, &(struct hc_parse_options){.names = &names}, &err);
    if (!status)
        require(hc_timed_set_begin(set, &names, &err) == HC_OK);
    for (; !status && n; n = status ? 0 : n) {
        n = 0;
        for (int t = 0; t < HC_TIMED_N_TABLES; t++)
            tables[t].n_rows = 0;
        status = format->next_tables(parser, tables, &report, &err);
        check_rows(&tables[HC_TIMED_RECORDS], &names);
        for (int t = 0; t < HC_TIMED_N_TABLES && !status; t++) {
            reading->n[t] += tables[t].n_rows;
            n += tables[t].n_rows;
            status = hc_timed_set_add(set, &tables[t], &err);
        }
    }
    reading->n_records = report.rows_read;
    reading->n_bad = hc_row_report_total_bad(&report);
    require(status || reading->n[HC_TIMED_LOGS] == 1);
    require(status || reading->n_records == (int64_t)reading->n[0] + reading->n_bad);
    require(status == HC_OK || err.message[0]);
    hc_timed_set_end(set);
    format->close(parser);
    hc_row_report_fini(&report);
    for (int t = 0; t < HC_TIMED_N_TABLES; t++)
        hc_table_fini(&tables[t]);
    hc_table_names_fini(&names);
    return status == HC_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hc_source source = bytes_source("log", data, size);
    struct hc_timed_set set = {0}, other = {0};
    struct hc_timed_result result;
    struct hc_error err = {0};
    struct reading large, small;
    int sure = hc_format_nccl_inspector.probe(data, size, source.name);
    require(sure >= 0 && sure <= 100);
    bool is_read = read_log(&source, 100, &set, &large);
    require(read_log(&source, 1, &other, &small) == is_read);
    require(!is_read || memcmp(&large, &small, sizeof large) == 0);
    if (is_read &&
        hc_timed_analyse(&result, &set, &(struct hc_timed_options){NULL, 0.8}, &err) == HC_OK) {
        int64_t n_last = 0;
        for (size_t i = 0; i < result.n_processes; i++)
            n_last += result.processes[i].n_last;
        require(n_last == result.totals.n_joint);
        for (size_t i = 0; i < result.n_collectives; i++)
            require(result.collectives[i].least_ns >= 0 && result.collectives[i].waited_ns >= 0);
        hc_timed_result_fini(&result);
    }
    hc_timed_set_fini(&set);
    hc_timed_set_fini(&other);
    hc_source_close(&source);
    return 0;
}
