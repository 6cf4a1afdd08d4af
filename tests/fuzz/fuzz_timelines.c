/* Any rows of a job with a foreign name, written as timelines for others: the Perfetto documents of
 * all three timelines are JSON to Jansson, with an event for each op that is not before its
 * document and no shorter than nothing; the CSV comes back as the same rows; the document of a life
 * whose causes have foreign names is JSON, too. Input: which of these, names, then rows (rows.h).
 */
#include "parsers/registry/format_registry.h"
#include "reports/export/perfetto/life_perfetto.h"
#include "reports/export/perfetto/perfetto_writer.h"
#include "reports/export/step_csv_writer.h"
#include "sim/replay/timeline.h"
#include "tests/fuzz/rows.h"
#include "tests/support/bytes_source.h"
#include "tests/support/fake_study.h"

#include <jansson.h>

struct written {
    FILE *stream;
    char *text;
    size_t size;
};

static void start(struct written *written)
{
    *written = (struct written){0};
    written->stream = open_memstream(&written->text, &written->size);
    require(written->stream);
}

/* Its events; what is needed of them is a number. */
static int64_t check_events(struct written *written, double least)
{
    json_error_t error;
    size_t i = 0;
    int64_t n = 0;
    require(!fclose(written->stream));
    json_t *json = json_loadb(written->text, written->size, JSON_REJECT_DUPLICATES, &error), *event;
    require(json);
    json_array_foreach(json_object_get(json, "traceEvents"), i, event)
    {
        const char *phase = json_string_value(json_object_get(event, "ph"));
        require(phase && json_is_string(json_object_get(event, "name")));
        const char *category = json_string_value(json_object_get(event, "cat"));
        if (strcmp(phase, "X") != 0 || (category && strcmp(category, "step") == 0))
            continue;
        require(json_number_value(json_object_get(event, "ts")) >= least);
        require(json_number_value(json_object_get(event, "dur")) >= 0);
        n++;
    }
    json_decref(json);
    free(written->text);
    return n;
}

/* ---- steps ---- */

struct document {
    struct hc_perfetto *perfetto;
    int64_t n_ops;
};

static enum hc_status take_step(const struct hc_timeline_step *step, void *context,
                                struct hc_error *err)
{
    struct document *document = context;
    document->n_ops += (int64_t)step->n_ops;
    return hc_perfetto_step(document->perfetto, step, err);
}

static void check_timeline(const struct hc_table *ops, const char *name, enum hc_timeline timeline)
{
    const struct hc_replay_options options = {.max_bad = 1, .threads = 1};
    struct hc_step_trace *trace = fuzz_trace(ops, name);
    const struct hc_timeline_request request = {&options, 1, {timeline}};
    struct document document = {.n_ops = 0};
    struct hc_perfetto_counts counts;
    struct hc_error err = {0};
    struct written written;
    if (!trace)
        return;
    start(&written);
    require(!hc_perfetto_open(&document.perfetto, written.stream, "fuzz", false, &err));
    if (hc_timeline_each(trace, &request, take_step, &document, &err)) {
        require(err.status == HC_BAD_INPUT && err.message[0]);
        fclose(written.stream);
        free(written.text);
    } else {
        require(!hc_perfetto_finish(document.perfetto, &counts, &err));
        require(check_events(&written, 0) == document.n_ops && counts.n_slices == document.n_ops);
    }
    hc_perfetto_close(document.perfetto);
    hc_step_trace_free(trace);
}

/* ---- CSV ---- */

/* Rows that a parser gives: others are not written. */
static void keep_possible(struct hc_table *ops)
{
    struct hc_op_columns c = hc_op_columns(ops);
    size_t n = 0;
    for (size_t i = 0; i < ops->n_rows; i++) {
        int64_t end_ns = 0;
        bool is_possible = c.step[i] >= 0 && c.dp_rank[i] >= 0 && c.stage[i] >= 0 &&
                           c.rank[i] >= 0 && c.seq_id[i] >= 0 && c.duration_ns[i] >= 0 &&
                           c.op_type[i] >= 0 && c.op_type[i] < HC_N_OP_TYPES &&
                           llabs(c.start_ns[i]) < HC_OPS_TIME_LIMIT / 2 &&
                           c.duration_ns[i] < HC_OPS_TIME_LIMIT / 2 &&
                           !__builtin_add_overflow(c.start_ns[i], c.duration_ns[i], &end_ns);
        for (size_t k = HC_OPS_MODEL_CHUNK; k <= HC_OPS_MICROBATCH; k++)
            is_possible &=
                hc_table_i32(ops, k)[i] >= 0 || hc_table_i32(ops, k)[i] == HC_MISSING_I32;
        if (!is_possible)
            continue;
        for (size_t k = 0; k < ops->def->n_columns; k++) {
            size_t size = hc_type_size(ops->def->columns[k].type);
            memmove((char *)ops->column[k] + n * size, (char *)ops->column[k] + i * size, size);
        }
        n++;
    }
    ops->n_rows = n;
}

static void compare(const struct hc_table *ops, const char *text, size_t size)
{
    struct hc_source source = bytes_source("fuzz.csv", text, size);
    struct hc_parse_options options = {0};
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    struct hc_table back;
    void *parser = NULL;
    require(!hc_table_init(&back, &hc_ops_def, FUZZ_MAX_ROWS + 1, &err));
    require(!hc_format_step_csv.open(&parser, &source, &options, &err));
    require(!hc_format_step_csv.next_batch(parser, &back, &report, &err));
    require(back.n_rows == ops->n_rows && hc_row_report_total_bad(&report) == 0);
    for (size_t k = 0; k < ops->def->n_columns; k++)
        require(memcmp(back.column[k], ops->column[k],
                       ops->n_rows * hc_type_size(ops->def->columns[k].type)) == 0);
    hc_format_step_csv.close(parser);
    hc_row_report_fini(&report);
    hc_table_fini(&back);
    hc_source_close(&source);
}

static void check_csv(struct hc_table *ops)
{
    struct hc_step_csv *csv = NULL;
    struct hc_error err = {0};
    struct written written;
    keep_possible(ops);
    start(&written);
    require(!hc_step_csv_open(&csv, written.stream, "fuzz", false, &err));
    require(!hc_step_csv_write(csv, ops, &err) && !hc_step_csv_finish(csv, &err));
    hc_step_csv_close(csv);
    require(!fclose(written.stream));
    compare(ops, written.text, written.size);
    free(written.text);
}

/* ---- a life ---- */

static void check_life(const char *scenario, const char *cause)
{
    struct fake_study fake;
    struct hc_error err = {0};
    struct written written;
    fake_study_init(&fake, 2, 1);
    fake_life(&fake, 3, 2);
    const struct hc_life_detail *of = hc_life_run_detail(&fake.result.run[0]);
    struct hc_lifetime_config *config = (struct hc_lifetime_config *)of->config;
    ((struct hc_lifetime_fault *)config->fault)[0].name = cause;
    for (size_t i = 0; i < of->life->n_marks; i++)
        of->life->mark[i].name = cause;
    const struct hc_life_perfetto options = {.name = scenario, .output = "fuzz"};
    start(&written);
    require(!hc_life_perfetto_write(written.stream, of->life, config, &options, &err));
    require(check_events(&written, 0) > 0);
    fake_study_free(&fake);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, data + size};
    struct hc_error err = {0};
    struct hc_table ops;
    uint8_t which = fuzz_byte(&input) % (HC_N_TIMELINES + 2);
    char *name = fuzz_text(&input, 300), *cause = fuzz_text(&input, 300);
    require(!hc_table_init(&ops, &hc_ops_def, FUZZ_MAX_ROWS, &err));
    fuzz_rows(&input, &ops);
    if (which < HC_N_TIMELINES)
        check_timeline(&ops, name, which);
    else if (which == HC_N_TIMELINES)
        check_csv(&ops);
    else
        check_life(name, cause);
    hc_table_fini(&ops);
    free(name);
    free(cause);
    return 0;
}
