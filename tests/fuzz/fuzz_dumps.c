/* Any bytes as a dump of a flight recorder: nothing may crash; what is read keeps the promises of
 * its tables whatever the size of the batches, and can be diagnosed; what is refused says why. */
#include "core/tables/collectives/collective_tables.h"
#include "core/tables/profile_tables.h"
#include "models/collectives/collective_diagnosis.h"
#include "parsers/registry/format_registry.h"
#include "tests/fuzz/table_codes.h"
#include "tests/support/bytes_source.h"

#define MOST_TABLES HC_COLLECTIVE_N_TABLES

struct counts {
    size_t n[MOST_TABLES];
};

static void check_entries(const struct hc_table *entries)
{
    for (size_t i = 0; i < entries->n_rows; i++) {
        int32_t state = hc_table_i32(entries, HC_ENTRIES_STATE)[i];
        require(state == HC_MISSING_I32 || (state >= 0 && state <= HC_COLLECTIVE_COMPLETED));
        require(hc_table_i32(entries, HC_ENTRIES_GROUP)[i] >= 0);
        require(hc_table_i32(entries, HC_ENTRIES_OP)[i] >= 0);
    }
}

/* Read all tables in batches; into a set too where there is one. False when the dump is refused. */
static bool read_dump(const struct hc_source *source, size_t batch, struct hc_collective_set *set,
                      struct counts *counts)
{
    const struct hc_format *format = &hc_format_flight_recorder;
    struct hc_table_names names;
    struct hc_table tables[MOST_TABLES];
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    void *parser = NULL;
    size_t n = 1;
    *counts = (struct counts){{0}};
    require(hc_table_names_init(&names, hc_collective_tables, &err) == HC_OK);
    for (int t = 0; t < MOST_TABLES; t++)
        require(hc_table_init(&tables[t], hc_collective_tables[t], batch, &err) == HC_OK);
    enum hc_status status =
        format->open(&parser, source, &(struct hc_parse_options){.names = &names}, &err);
    if (!status && set)
        require(hc_collective_set_begin(set, 0, &names, &err) == HC_OK);
    for (; !status && n; n = status ? 0 : n) {
        n = 0;
        for (int t = 0; t < MOST_TABLES; t++)
            tables[t].n_rows = 0;
        status = format->next_tables(parser, tables, &report, &err);
        for (int t = 0; t < MOST_TABLES && !status; t++) {
            check_codes(&tables[t], &names);
            counts->n[t] += tables[t].n_rows;
            n += tables[t].n_rows;
            if (set)
                status = hc_collective_set_add(set, &tables[t], &err);
        }
        check_entries(&tables[HC_COLLECTIVE_ENTRIES]);
    }
    if (!status && set)
        status = hc_collective_set_end(set, &err);
    require(status == HC_OK || err.message[0]);
    format->close(parser);
    hc_row_report_fini(&report);
    for (int t = 0; t < MOST_TABLES; t++)
        hc_table_fini(&tables[t]);
    hc_table_names_fini(&names);
    return status == HC_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hc_source source = bytes_source("rank_0", data, size);
    struct hc_collective_set set = {0};
    struct hc_collective_diagnosis diagnosis;
    struct hc_error err = {0};
    struct counts large, small;
    int sure = hc_format_flight_recorder.probe(data, size, source.name);
    require(sure >= 0 && sure <= 100);
    bool is_dump = read_dump(&source, 100, NULL, &large);
    bool is_kept = read_dump(&source, 1, &set, &small);
    require(is_dump || !is_kept);
    if (is_dump && is_kept)
        require(memcmp(&large, &small, sizeof large) == 0);
    if (is_kept && hc_collective_set_finish(&set, &err) == HC_OK &&
        hc_collective_diagnose(&diagnosis, &set, &err) == HC_OK) {
        require(diagnosis.n_complete + diagnosis.n_partial == diagnosis.n_collectives);
        hc_collective_diagnosis_fini(&diagnosis);
    }
    hc_collective_set_fini(&set);
    hc_source_close(&source);
    return 0;
}
