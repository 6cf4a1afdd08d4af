/* Any bytes as a dump of sacct, or as the log of a training run: nothing may crash; what is read
 * keeps the promises of its tables, and is the same whatever the size of the batches; what is
 * refused says why. */
#include "core/tables/events/event_table.h"
#include "core/tables/jobs/job_table.h"
#include "core/tables/logs/log_tables.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/kinds/kind.h"
#include "tests/fuzz/target.h"
#include "tests/support/bytes_source.h"

#define MOST_TABLES 8

/* What a reading gave. */
struct reading {
    bool is_read;
    int64_t n_rows, n_bad;
    uint64_t sum[MOST_TABLES]; /* of the first columns, in their order */
};

/* Codes have texts, and the key begins with a time. */
static void check_rows(const struct hc_table *rows, struct hc_table_names *names, size_t key,
                       uint64_t *sum)
{
    for (size_t i = 0; i < rows->n_rows; i++) {
        require(hc_table_i64(rows, key)[i] != HC_MISSING_I64);
        *sum = *sum * 31 + (uint64_t)hc_table_i64(rows, key)[i];
        for (size_t c = 0; c < rows->def->n_columns; c++) {
            const struct hc_column_def *def = &rows->def->columns[c];
            if (!def->dictionary)
                continue;
            int32_t code = hc_table_i32(rows, c)[i];
            require(code == HC_MISSING_I32 ||
                    (code >= 0 && (size_t)code < hc_table_names_find(names, def->dictionary)->n));
        }
    }
}

static struct reading read_all(const struct hc_format *format, const struct hc_source *source,
                               size_t batch)
{
    const struct hc_kind *kind = hc_kind_find(format->table->name);
    const struct hc_table_def *const *defs = kind->yields ? kind->yields : kind->tables;
    struct reading reading = {0};
    struct hc_table_names names;
    struct hc_table tables[MOST_TABLES] = {0};
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    void *parser = NULL;
    size_t n = 0, n_new;
    require(hc_kind_start_names(kind, true, &names, &err) == HC_OK);
    for (; defs[n] && (kind->yields || n == 0); n++)
        require(hc_table_init(&tables[n], defs[n], batch, &err) == HC_OK);
    const struct hc_parse_options options = {.names = &names};
    enum hc_status status = format->open(&parser, source, &options, &err);
    do {
        n_new = 0;
        for (size_t t = 0; t < n; t++)
            tables[t].n_rows = 0;
        if (!status)
            status = (format->next_tables ? format->next_tables
                                          : format->next_batch)(parser, tables, &report, &err);
        for (size_t t = 0; t < n; t++) {
            n_new += tables[t].n_rows;
            check_rows(&tables[t], &names, hc_kind_find(defs[t]->name)->records->key[0],
                       &reading.sum[t]);
        }
        reading.n_rows += (int64_t)n_new;
    } while (!status && n_new);
    reading.is_read = !status;
    reading.n_bad = hc_row_report_total_bad(&report);
    require(status == HC_OK || err.message[0]);
    format->close(parser);
    hc_row_report_fini(&report);
    for (size_t t = 0; t < n; t++)
        hc_table_fini(&tables[t]);
    hc_table_names_fini(&names);
    return reading;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct hc_format *const formats[] = {
        &hc_format_slurm_sacct, &hc_format_training_log, &hc_format_megatron_golden};
    struct hc_source source = bytes_source("runs/1234.out", data, size);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        int sure = formats[i]->probe(data, size, source.name);
        require(sure >= 0 && sure <= 100);
        struct reading large = read_all(formats[i], &source, 1000);
        struct reading small = read_all(formats[i], &source, 8);
        require(large.is_read == small.is_read);
        require(!large.is_read || memcmp(&large, &small, sizeof large) == 0);
    }
    hc_source_close(&source);
    return 0;
}
