/* Any bytes as each of the lists of incidents: rows must keep the promises of the table, codes
 * those of their dictionaries, and nothing may crash. */
#include "core/tables/incidents/incident_table.h"
#include "parsers/registry/format_registry.h"
#include "tests/fuzz/target.h"
#include "tests/support/bytes_source.h"

static void check_codes(const struct hc_table *rows, const struct hc_table_names *names)
{
    for (size_t c = 0; c < rows->def->n_columns; c++) {
        int dictionary = hc_incident_column_dictionary(&rows->def->columns[c]);
        if (dictionary < 0)
            continue;
        for (size_t i = 0; i < rows->n_rows; i++) {
            int32_t code = hc_table_i32(rows, c)[i];
            require(code == HC_MISSING_I32 ||
                    (code >= 0 && (size_t)code < names->set[dictionary].n));
        }
    }
}

static void check_rows(const struct hc_table *rows, const struct hc_table_names *names)
{
    check_codes(rows, names);
    for (size_t i = 0; i < rows->n_rows; i++) {
        int64_t time_ns = hc_table_i64(rows, HC_INCIDENTS_TIME_NS)[i];
        int64_t end_ns = hc_table_i64(rows, HC_INCIDENTS_RECOVERED_NS)[i];
        require(hc_table_i32(rows, HC_INCIDENTS_CAUSE)[i] >= 0);
        require(hc_table_i32(rows, HC_INCIDENTS_CLASS)[i] >= 0);
        require(hc_table_i32(rows, HC_INCIDENTS_COUNT)[i] >= 1);
        int64_t length = 0;
        require(end_ns == HC_MISSING_I64 || (time_ns != HC_MISSING_I64 && end_ns >= time_ns));
        require(end_ns == HC_MISSING_I64 || !__builtin_sub_overflow(end_ns, time_ns, &length));
    }
}

static void read_all(const struct hc_format *format, const struct hc_source *source)
{
    struct hc_error err = {0};
    struct hc_table_names names;
    struct hc_row_report report = {0};
    struct hc_table rows = {0}, inventory = {0};
    void *parser = NULL;
    require(hc_incident_names_init(&names, &err) == HC_OK);
    require(hc_table_init(&rows, &hc_incidents_def, 3, &err) == HC_OK);
    struct hc_parse_options options = {.names = &names};
    enum hc_status status = format->open(&parser, source, &options, &err);
    do {
        rows.n_rows = 0;
        if (status == HC_OK)
            status = format->next_batch(parser, &rows, &report, &err);
        if (status == HC_OK) /* else the last row may be half read */
            check_rows(&rows, &names);
    } while (status == HC_OK && rows.n_rows);
    if (status == HC_OK)
        status = format->further(parser, &hc_inventory_def, &inventory, &err);
    if (status == HC_OK)
        check_codes(&inventory, &names);
    require(status == HC_OK || err.message[0]);
    format->close(parser);
    hc_row_report_fini(&report);
    hc_table_fini(&rows);
    hc_table_fini(&inventory);
    hc_table_names_fini(&names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct hc_format *const formats[] = {
        &hc_format_incidents_csv, &hc_format_incidents_jsonl, &hc_format_incidents_infinitehbd,
        &hc_format_incidents_lanl};
    struct hc_source source = bytes_source("fuzz", data, size);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        formats[i]->probe(data, size, source.name);
        read_all(formats[i], &source);
    }
    hc_source_close(&source);
    return 0;
}
