/* Any bytes as a log of events, of each format: nothing may crash; what is read keeps the promises
 * of the table, and is the same whatever the size of the batches; what is refused says why. */
#include "core/tables/events/event_table.h"
#include "parsers/registry/format_registry.h"
#include "tests/fuzz/target.h"
#include "tests/support/bytes_source.h"

/* What a reading gave. */
struct reading {
    bool is_read;
    int64_t n_rows, n_bad;
    uint64_t sum; /* of keys, in their order */
};

static void check_rows(const struct hc_table *rows, struct hc_table_names *names,
                       struct reading *reading)
{
    for (size_t i = 0; i < rows->n_rows; i++) {
        int64_t time_ns = hc_table_i64(rows, HC_EVENTS_TIME_NS)[i];
        int32_t event_class = hc_table_i32(rows, HC_EVENTS_CLASS)[i];
        require(time_ns != HC_MISSING_I64);
        require(hc_table_i64(rows, HC_EVENTS_FACT)[i] >= 0);
        require(event_class >= 0 && event_class < HC_N_EVENT_CLASSES);
        for (size_t c = 0; c < HC_EVENTS_N_COLUMNS; c++) {
            const struct hc_column_def *def = &hc_events_def.columns[c];
            if (!def->dictionary)
                continue;
            int32_t code = hc_table_i32(rows, c)[i];
            require(code == HC_MISSING_I32 ||
                    (code >= 0 && (size_t)code < hc_table_names_find(names, def->dictionary)->n));
        }
        reading->sum = reading->sum * 31 + (uint64_t)time_ns +
                       (uint64_t)hc_table_i64(rows, HC_EVENTS_FACT)[i] +
                       (uint64_t)hc_table_i64(rows, HC_EVENTS_TO_NS)[i];
    }
    reading->n_rows += (int64_t)rows->n_rows;
}

static struct reading read_log(const struct hc_format *format, const struct hc_source *source,
                               size_t batch)
{
    struct reading reading = {0};
    struct hc_table_names names;
    struct hc_table rows;
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    void *parser = NULL;
    require(hc_event_names_init(&names, &err) == HC_OK);
    require(hc_table_init(&rows, &hc_events_def, batch, &err) == HC_OK);
    const struct hc_parse_options options = {.names = &names};
    enum hc_status status = format->open(&parser, source, &options, &err);
    do {
        rows.n_rows = 0;
        if (!status)
            status = format->next_batch(parser, &rows, &report, &err);
        check_rows(&rows, &names, &reading);
    } while (!status && rows.n_rows);
    reading.is_read = !status;
    reading.n_bad = hc_row_report_total_bad(&report);
    require(status == HC_OK || err.message[0]);
    require(status || report.rows_read == reading.n_rows + reading.n_bad);
    format->close(parser);
    hc_row_report_fini(&report);
    hc_table_fini(&rows);
    hc_table_names_fini(&names);
    return reading;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct hc_format *const formats[] = {&hc_format_kernel_log, &hc_format_kernel_json,
                                                      &hc_format_job_log, &hc_format_torch_error};
    struct hc_source source = bytes_source("n7/kern.log", data, size);
    source.state.info.st_mtim.tv_sec = 1741000000;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        int sure = formats[i]->probe(data, size, source.name);
        require(sure >= 0 && sure <= 100);
        struct reading large = read_log(formats[i], &source, 100);
        struct reading small = read_log(formats[i], &source, 1);
        require(large.is_read == small.is_read);
        require(!large.is_read || (large.n_rows == small.n_rows && large.n_bad == small.n_bad &&
                                   large.sum == small.sum));
    }
    hc_source_close(&source);
    return 0;
}
