/* Any bytes as records of nodes, queues, phases and cycles: nothing may crash; codes are of their
 * dictionaries, the key's time is there, and rows and bad rows are the same whatever the size of
 * the batches; what is refused says why. */
#include "core/base/missing.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/kinds/kind.h"
#include "tests/fuzz/target.h"
#include "tests/support/bytes_source.h"

static const struct hc_format *const formats[] = {
    &hc_format_phase_marks,       &hc_format_slurm_events,     &hc_format_slurm_nodes,
    &hc_format_slurm_sinfo,       &hc_format_slurm_sacct,      &hc_format_swf,
    &hc_format_kubernetes_events, &hc_format_nvrx_cycle_info,  &hc_format_philly_csv,
    &hc_format_philly_log,        &hc_format_slurm_nodes_json, &hc_format_slurm_reservations,
    &hc_format_slurm_squeue,
};

/* What a reading gave. */
struct reading {
    int64_t n_rows, n_bad;
};

static void check_rows(const struct hc_table *rows, struct hc_table_names *names,
                       const struct hc_record_rules *rules)
{
    for (size_t i = 0; i < rows->n_rows; i++) {
        require(hc_table_i64(rows, rules->key[0])[i] != HC_MISSING_I64);
        require(hc_table_i64(rows, rules->line)[i] >= 1);
    }
    for (size_t c = 0; c < rows->def->n_columns; c++)
        for (size_t i = 0; rows->def->columns[c].dictionary && i < rows->n_rows; i++) {
            int32_t code = hc_table_i32(rows, c)[i];
            const struct hc_text_set *set =
                hc_table_names_find(names, rows->def->columns[c].dictionary);
            require(code == HC_MISSING_I32 || (code >= 0 && (size_t)code < set->n));
        }
}

static bool read_records(const struct hc_format *format, const struct hc_source *source,
                         size_t batch, struct reading *reading)
{
    const struct hc_kind *kind = hc_kind_find(format->table->name);
    struct hc_table_names names = {0};
    struct hc_table rows;
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    void *parser = NULL;
    *reading = (struct reading){0};
    require(hc_table_init(&rows, format->table, batch, &err) == HC_OK);
    require(kind->start_names(&names, &err) == HC_OK);
    enum hc_status status =
        format->open(&parser, source, &(struct hc_parse_options){.names = &names}, &err);
    for (size_t n = 1; !status && n;) {
        rows.n_rows = 0;
        hc_table_names_fini(&names); /* as records are read: no code lives longer than a batch */
        require(kind->start_names(&names, &err) == HC_OK);
        status = format->next_batch(parser, &rows, &report, &err);
        n = rows.n_rows;
        require(n <= batch);
        if (!status)
            check_rows(&rows, &names, kind->records);
        reading->n_rows += (int64_t)n;
    }
    reading->n_bad = hc_row_report_total_bad(&report);
    require(status == HC_OK || err.message[0]);
    format->close(parser);
    hc_row_report_fini(&report);
    hc_table_fini(&rows);
    hc_table_names_fini(&names);
    return status == HC_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        struct hc_source source = bytes_source("records", data, size);
        struct reading large, small;
        int sure = formats[f]->probe(data, size, source.name);
        require(sure >= 0 && sure <= 100);
        bool is_read = read_records(formats[f], &source, 100, &large);
        require(read_records(formats[f], &source, 1, &small) == is_read);
        require(!is_read || (large.n_rows == small.n_rows && large.n_bad == small.n_bad));
        hc_source_close(&source);
    }
    return 0;
}
