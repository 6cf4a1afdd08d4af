/* Any bytes as a table in its own form, and as the table of some tool by a map, as CSV, as JSON
 * lines and as a document: nothing may crash; codes are those of their dictionaries; rows are the
 * same whatever the size of the batches; what is refused says why. */
#include "core/tables/jobs/job_table.h"
#include "parsers/registry/format_registry.h"
#include "parsers/tabular/own_form.h"
#include "parsers/tabular/table_map.h"
#include "tests/fuzz/target.h"
#include "tests/support/bytes_source.h"

struct reading {
    bool is_read;
    int64_t n_rows, n_bad, n_ignored;
    uint64_t sum;
};

static const struct hc_format *const formats[] = {HC_OWN_FORMAT_ROWS};

static void check_rows(const struct hc_own_form *form, const struct hc_table *rows,
                       struct hc_table_names *names, struct reading *reading)
{
    for (size_t i = 0; i < rows->n_rows; i++)
        for (size_t c = 0; c < form->def->n_columns; c++) {
            const struct hc_column_def *def = &form->def->columns[c];
            if (def->type == HC_I64)
                reading->sum = reading->sum * 31 + (uint64_t)hc_table_i64(rows, c)[i];
            if (def->type == HC_I64 && hc_own_is_required(form, c))
                require(hc_table_i64(rows, c)[i] != HC_MISSING_I64);
            int32_t code = def->type == HC_I32 ? hc_table_i32(rows, c)[i] : 0;
            if (def->dictionary)
                require(
                    code == HC_MISSING_I32 ||
                    (code >= 0 && (size_t)code < hc_table_names_find(names, def->dictionary)->n));
        }
    reading->n_rows += (int64_t)rows->n_rows;
}

static struct reading read_table(const struct hc_format *format, const struct hc_source *source,
                                 const struct hc_table_map *map, size_t batch)
{
    struct reading reading = {0};
    struct hc_table_names names;
    struct hc_table rows;
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    void *parser = NULL;
    const struct hc_own_form *form = hc_own_form_find(format->table->name);
    require(form->start_names(&names, &err) == HC_OK);
    require(hc_table_init(&rows, form->def, batch, &err) == HC_OK);
    const struct hc_parse_options options = {.names = &names, .map = map};
    enum hc_status status = format->open(&parser, source, &options, &err);
    do {
        rows.n_rows = 0;
        if (!status)
            status = format->next_batch(parser, &rows, &report, &err);
        check_rows(form, &rows, &names, &reading);
    } while (!status && rows.n_rows);
    reading.is_read = !status;
    reading.n_bad = hc_row_report_total_bad(&report);
    reading.n_ignored = report.rows_ignored;
    require(status == HC_OK || err.message[0]);
    require(status || report.rows_read == reading.n_rows + reading.n_bad + reading.n_ignored);
    format->close(parser);
    hc_row_report_fini(&report);
    hc_table_fini(&rows);
    hc_table_names_fini(&names);
    return reading;
}

static void read_twice(const struct hc_format *format, const struct hc_source *source,
                       const struct hc_table_map *map)
{
    struct reading large = read_table(format, source, map, 100);
    struct reading small = read_table(format, source, map, 1);
    require(large.is_read == small.is_read);
    require(!large.is_read || (large.n_rows == small.n_rows && large.n_bad == small.n_bad &&
                               large.n_ignored == small.n_ignored && large.sum == small.sum));
}

static const struct hc_map_word words[] = {{"COMPLETED", "completed"}, {"Killed", "cancelled"}};
static const char *const no_values[] = {"None", "NaN"};
static const char *const kept[] = {"Pretrain", "1", "true"};
static const struct hc_map_rule rules[] = {
    {.column = HC_JOBS_JOB, .from = "job_id", .unit = HC_UNIT_HASH},
    {.column = HC_JOBS_SUBMIT_NS, .from = "submit_time", .unit = HC_UNIT_S},
    {.column = HC_JOBS_START_NS, .from = "submit_time", .plus = "queue", .unit = HC_UNIT_S},
    {.column = HC_JOBS_END_NS,
     .from = "end.time",
     .unit = HC_UNIT_FORMAT,
     .format = "%d.%m.%Y %H:%M"},
    {.column = HC_JOBS_STATE,
     .from = "state",
     .words = words,
     .n_words = sizeof words / sizeof *words,
     .otherwise = "failed"},
    {.column = HC_JOBS_GPUS, .from = "gpu_num"},
    {.column = HC_JOBS_PARTITION, .constant = "gpu"},
};
static const struct hc_map_filter filter = {"type", kept, sizeof kept / sizeof *kept};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum hc_map_layout layouts[] = {HC_LAYOUT_BY_CONTENT, HC_LAYOUT_CSV,
                                                 HC_LAYOUT_JSONL, HC_LAYOUT_JSON};
    struct hc_source source = bytes_source("t.csv", data, size);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        int sure = formats[i]->probe(data, size, source.name);
        require(sure >= 0 && sure <= 100);
        if (sure || i == 0)
            read_twice(formats[i], &source, NULL);
    }
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        const struct hc_table_map map = {.layout = layouts[i],
                                         .rows = i == 3 && size % 2 ? "items" : NULL,
                                         .rules = rules,
                                         .n_rules = sizeof rules / sizeof *rules,
                                         .filters = &filter,
                                         .n_filters = size % 3 == 0,
                                         .missing = no_values,
                                         .n_missing = sizeof no_values / sizeof *no_values};
        read_twice(&hc_format_jobs_table, &source, &map);
    }
    hc_source_close(&source);
    return 0;
}
