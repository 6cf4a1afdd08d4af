#include "parsers/logs/log_rows.h"

#include "core/base/missing.h"
#include "core/base/printable.h"
#include "core/tables/nodes/record_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct hc_log_step hc_log_no_step = {.iteration = HC_MISSING_I64,
                                           .samples = HC_MISSING_I64,
                                           .tokens = HC_MISSING_I64,
                                           .duration_ns = HC_MISSING_I64,
                                           .iterations = HC_MISSING_I32,
                                           .skipped = HC_MISSING_I32,
                                           .nan = HC_MISSING_I32,
                                           .loss = NAN,
                                           .tflops = NAN};

enum hc_status hc_log_rows_init(struct hc_log_rows *rows, const char *source,
                                const struct hc_parse_options *options, struct hc_error *err)
{
    *rows = (struct hc_log_rows){
        .source = source, .times = {.zone = options->zone}, .last_ns = HC_MISSING_I64};
    return hc_log_name_read(&rows->name, options->log ? options->log : source, err);
}

void hc_log_stamp(struct hc_log_rows *rows, int64_t unix_ns)
{
    rows->last_ns = unix_ns;
    rows->is_stamped = true;
    if (!rows->has_cycle)
        return;
    if (rows->end_ns == HC_MISSING_I64 || rows->end_ns < unix_ns)
        rows->end_ns = unix_ns;
    bool has_step = rows->first_iteration != HC_MISSING_I64; /* of a cycle that was told of */
    if (rows->start_clock == HC_LOG_NO_CLOCK && !has_step) { /* it began before its first stamp */
        rows->start_ns = unix_ns;
        rows->start_clock = HC_LOG_BETWEEN;
    }
}

void hc_log_take_stamp(struct hc_log_rows *rows, const struct hc_line *line, size_t n)
{
    int64_t ns;
    const char *end = line->text + line->length, *until = line->text + n;
    for (const char *at = memchr(line->text, '[', n); at && at < until;
         at = memchr(at + 1, '[', (size_t)(until - at - 1)))
        if (hc_log_time(&rows->times, at + 1, end, &ns)) {
            hc_log_stamp(rows, ns);
            return;
        }
}

/* The time of the line at hand, and how it is known. */
static int64_t time_of(const struct hc_log_rows *rows, enum hc_log_clock *clock)
{
    *clock = rows->is_stamped                  ? HC_LOG_STAMPED
             : rows->last_ns != HC_MISSING_I64 ? HC_LOG_BETWEEN
                                               : HC_LOG_NO_CLOCK;
    return *clock == HC_LOG_NO_CLOCK ? rows->line : rows->last_ns;
}

static enum hc_status put_text(struct hc_log_rows *rows, struct hc_table *table, size_t column,
                               const char *text, size_t length, struct hc_error *err)
{
    struct hc_text_set *set =
        hc_table_names_find(rows->names, table->def->columns[column].dictionary);
    char clean[512];
    size_t n = 0;
    for (; n < length && n < sizeof clean - 1; n++)
        clean[n] = (unsigned char)text[n] < 0x20 || (unsigned char)text[n] > 0x7e ? '?' : text[n];
    return hc_text_set_add(set, clean, n, &hc_table_i32(table, column)[table->n_rows - 1], err);
}

/* What rows of all three tables say of where they come from. */
static enum hc_status put_place(struct hc_log_rows *rows, struct hc_table *table, size_t log,
                                size_t source, struct hc_error *err)
{
    if (put_text(rows, table, log, rows->name.text, rows->name.length, err))
        return err->status;
    return put_text(rows, table, source, rows->source, strlen(rows->source), err);
}

/* ---- cycles ---- */

enum hc_status hc_log_begin_cycle(struct hc_log_rows *rows, const char *framework,
                                  struct hc_error *err)
{
    int32_t number = rows->has_cycle ? rows->number + 1 : rows->number;
    if (hc_log_end_cycle(rows, err))
        return err->status;
    rows->has_cycle = true;
    rows->number = number;
    rows->framework = framework;
    rows->start_line = rows->line;
    rows->first_step_ns = rows->end_ns = rows->first_iteration = rows->last_iteration =
        rows->loaded_iteration = rows->saved_iteration = HC_MISSING_I64;
    rows->world_size = rows->is_done = HC_MISSING_I32;
    rows->start_ns = time_of(rows, &rows->start_clock);
    if (rows->start_clock == HC_LOG_BETWEEN && rows->number > 0)
        rows->start_clock = HC_LOG_NO_CLOCK; /* the stamp before it is of the cycle before it */
    if (rows->is_stamped)
        rows->end_ns = rows->last_ns;
    return HC_OK;
}

enum hc_status hc_log_end_cycle(struct hc_log_rows *rows, struct hc_error *err)
{
    struct hc_table *t = rows->cycles;
    if (!rows->has_cycle)
        return HC_OK;
    size_t i = hc_log_row_add(t);
    hc_table_i64(t, HC_CYCLES_START_NS)[i] = rows->start_ns;
    hc_table_i64(t, HC_CYCLES_LOG_ID)[i] = rows->name.id;
    hc_table_i32(t, HC_CYCLES_NUMBER)[i] = rows->number;
    hc_table_i64(t, HC_CYCLES_JOB)[i] = rows->name.job;
    hc_table_i64(t, HC_CYCLES_FIRST_STEP_NS)[i] = rows->first_step_ns;
    hc_table_i64(t, HC_CYCLES_END_NS)[i] = rows->end_ns;
    hc_table_i64(t, HC_CYCLES_FIRST_ITERATION)[i] = rows->first_iteration;
    hc_table_i64(t, HC_CYCLES_LAST_ITERATION)[i] = rows->last_iteration;
    hc_table_i64(t, HC_CYCLES_LOADED_ITERATION)[i] = rows->loaded_iteration;
    hc_table_i64(t, HC_CYCLES_SAVED_ITERATION)[i] = rows->saved_iteration;
    hc_table_i32(t, HC_CYCLES_WORLD_SIZE)[i] = rows->world_size;
    hc_table_i32(t, HC_CYCLES_IS_DONE)[i] = rows->is_done;
    hc_table_i32(t, HC_CYCLES_CLOCK)[i] = (int32_t)rows->start_clock;
    hc_table_i64(t, HC_CYCLES_LINE)[i] = rows->start_line;
    rows->has_cycle = false;
    if (put_text(rows, t, HC_CYCLES_FRAMEWORK, rows->framework, strlen(rows->framework), err))
        return err->status;
    return put_place(rows, t, HC_CYCLES_LOG, HC_CYCLES_SOURCE, err);
}

/* ---- steps, checkpoints ---- */

int32_t hc_log_iterations_since(const struct hc_log_rows *rows, int64_t iteration)
{
    int64_t before = rows->has_cycle ? rows->last_iteration : HC_MISSING_I64;
    if (before == HC_MISSING_I64 && rows->has_cycle)
        before = rows->loaded_iteration == HC_MISSING_I64 ? 0 : rows->loaded_iteration;
    if (before == HC_MISSING_I64 || iteration <= before || iteration - before >= INT32_MAX)
        return HC_MISSING_I32;
    return (int32_t)(iteration - before);
}

enum hc_status hc_log_add_step(struct hc_log_rows *rows, const char *framework,
                               const struct hc_log_step *step, struct hc_error *err)
{
    struct hc_table *t = rows->steps;
    enum hc_log_clock clock;
    if (!rows->has_cycle && hc_log_begin_cycle(rows, framework, err))
        return err->status;
    if (rows->last_iteration == step->iteration && strcmp(rows->step_framework, framework) != 0)
        return HC_OK;
    rows->step_framework = framework;
    int32_t covers = step->iterations == HC_MISSING_I32 ? 1 : step->iterations;
    size_t i = hc_log_row_add(t);
    hc_table_i64(t, HC_TRAIN_STEPS_END_NS)[i] = time_of(rows, &clock);
    hc_table_i64(t, HC_TRAIN_STEPS_ITERATION)[i] = step->iteration;
    hc_table_i64(t, HC_TRAIN_STEPS_LOG_ID)[i] = rows->name.id;
    hc_table_i64(t, HC_TRAIN_STEPS_JOB)[i] = rows->name.job;
    hc_table_i32(t, HC_TRAIN_STEPS_CYCLE)[i] = rows->number;
    hc_table_i32(t, HC_TRAIN_STEPS_ITERATIONS)[i] = step->iterations;
    hc_table_i64(t, HC_TRAIN_STEPS_DURATION_NS)[i] = step->duration_ns;
    hc_table_i64(t, HC_TRAIN_STEPS_SAMPLES)[i] = step->samples;
    hc_table_i64(t, HC_TRAIN_STEPS_TOKENS)[i] = step->tokens;
    hc_table_f64(t, HC_TRAIN_STEPS_LOSS)[i] = step->loss;
    hc_table_f64(t, HC_TRAIN_STEPS_TFLOPS)[i] = step->tflops;
    hc_table_i32(t, HC_TRAIN_STEPS_SKIPPED)[i] = step->skipped;
    hc_table_i32(t, HC_TRAIN_STEPS_NAN)[i] = step->nan;
    hc_table_i32(t, HC_TRAIN_STEPS_CLOCK)[i] = (int32_t)clock;
    hc_table_i64(t, HC_TRAIN_STEPS_LINE)[i] = rows->line;
    if (rows->first_iteration == HC_MISSING_I64) {
        rows->first_iteration = step->iteration - covers + 1;
        if (rows->first_step_ns == HC_MISSING_I64 && clock == HC_LOG_STAMPED &&
            step->duration_ns != HC_MISSING_I64)
            rows->first_step_ns = rows->last_ns - step->duration_ns * covers;
    }
    if (rows->last_iteration == HC_MISSING_I64 || step->iteration > rows->last_iteration)
        rows->last_iteration = step->iteration;
    return put_place(rows, t, HC_TRAIN_STEPS_LOG, HC_TRAIN_STEPS_SOURCE, err);
}

enum hc_status hc_log_add_checkpoint(struct hc_log_rows *rows, enum hc_checkpoint_kind kind,
                                     int64_t iteration, const char *path, size_t length,
                                     struct hc_error *err)
{
    struct hc_table *t = rows->checkpoints;
    enum hc_log_clock clock;
    size_t i = hc_log_row_add(t);
    hc_table_i64(t, HC_CHECKPOINTS_TIME_NS)[i] = time_of(rows, &clock);
    hc_table_i64(t, HC_CHECKPOINTS_ITERATION)[i] = iteration;
    hc_table_i32(t, HC_CHECKPOINTS_KIND)[i] = (int32_t)kind;
    hc_table_i64(t, HC_CHECKPOINTS_LOG_ID)[i] = rows->name.id;
    hc_table_i64(t, HC_CHECKPOINTS_JOB)[i] = rows->name.job;
    hc_table_i32(t, HC_CHECKPOINTS_CYCLE)[i] = rows->number;
    hc_table_i32(t, HC_CHECKPOINTS_CLOCK)[i] = (int32_t)clock;
    hc_table_i64(t, HC_CHECKPOINTS_LINE)[i] = rows->line;
    if (kind == HC_CHECKPOINT_LOAD && rows->has_cycle)
        rows->loaded_iteration = iteration;
    if (kind == HC_CHECKPOINT_SAVE && rows->has_cycle)
        rows->saved_iteration = iteration;
    if (length && put_text(rows, t, HC_CHECKPOINTS_PATH, path, length, err))
        return err->status;
    return put_place(rows, t, HC_CHECKPOINTS_LOG, HC_CHECKPOINTS_SOURCE, err);
}

/* ---- phases, measures ---- */

enum hc_status hc_log_add_phase(struct hc_log_rows *rows, enum hc_phase phase, const char *detail,
                                struct hc_log_span span, struct hc_error *err)
{
    struct hc_phase_row row = hc_phase_none;
    row.start_ns = span.start_ns;
    row.end_ns = span.end_ns;
    row.line = span.line;
    row.job = rows->name.job;
    row.log_id = rows->name.id;
    row.cycle = rows->number;
    row.phase = phase;
    row.clock = HC_TIME_LOCAL;
    row.detail = (struct hc_phase_text){detail, strlen(detail)};
    row.source = (struct hc_phase_text){rows->source, strlen(rows->source)};
    return hc_phase_put(&row, rows->names, rows->phases, err);
}

struct hc_log_measure hc_log_measure_here(const struct hc_log_rows *rows)
{
    struct hc_log_measure here = {.rank = HC_MISSING_I32,
                                  .min_rank = HC_MISSING_I32,
                                  .max_rank = HC_MISSING_I32,
                                  .value = NAN,
                                  .min = NAN,
                                  .max = NAN,
                                  .line = rows->line,
                                  .cycle = rows->number};
    here.iteration = rows->has_cycle ? rows->last_iteration : HC_MISSING_I64;
    here.time_ns = time_of(rows, &here.clock);
    return here;
}

enum hc_status hc_log_add_measure(struct hc_log_rows *rows, const struct hc_log_measure *measure,
                                  struct hc_error *err)
{
    struct hc_table *t = rows->measures;
    size_t i = hc_log_row_add(t);
    char rank[16];
    int n = snprintf(rank, sizeof rank, "%d", measure->rank);
    int64_t fact = hc_record_fact(0, measure->name, strlen(measure->name));
    hc_table_i64(t, HC_TRAIN_MEASURES_TIME_NS)[i] = measure->time_ns;
    hc_table_i64(t, HC_TRAIN_MEASURES_ITERATION)[i] = measure->iteration;
    hc_table_i64(t, HC_TRAIN_MEASURES_LOG_ID)[i] = rows->name.id;
    hc_table_i64(t, HC_TRAIN_MEASURES_FACT)[i] = hc_record_fact(fact, rank, (size_t)n);
    hc_table_i64(t, HC_TRAIN_MEASURES_JOB)[i] = rows->name.job;
    hc_table_i32(t, HC_TRAIN_MEASURES_CYCLE)[i] = measure->cycle;
    hc_table_i32(t, HC_TRAIN_MEASURES_RANK)[i] = measure->rank;
    hc_table_f64(t, HC_TRAIN_MEASURES_VALUE)[i] = measure->value;
    hc_table_f64(t, HC_TRAIN_MEASURES_MIN)[i] = measure->min;
    hc_table_f64(t, HC_TRAIN_MEASURES_MAX)[i] = measure->max;
    hc_table_i32(t, HC_TRAIN_MEASURES_MIN_RANK)[i] = measure->min_rank;
    hc_table_i32(t, HC_TRAIN_MEASURES_MAX_RANK)[i] = measure->max_rank;
    hc_table_i32(t, HC_TRAIN_MEASURES_CLOCK)[i] = (int32_t)measure->clock;
    hc_table_i64(t, HC_TRAIN_MEASURES_LINE)[i] = measure->line;
    if (put_text(rows, t, HC_TRAIN_MEASURES_NAME, measure->name, strlen(measure->name), err) ||
        put_text(rows, t, HC_TRAIN_MEASURES_UNIT, measure->unit, strlen(measure->unit), err))
        return err->status;
    return put_place(rows, t, HC_TRAIN_MEASURES_LOG, HC_TRAIN_MEASURES_SOURCE, err);
}
