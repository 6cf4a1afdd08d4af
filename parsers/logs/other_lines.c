#include "parsers/logs/other_lines.h"

#include "core/base/missing.h"

#include <math.h>
#include <string.h>

/* ---- MLPerf ---- */

/* What stands behind "NAME" and a colon, or NULL. */
static const char *value_of(const struct hc_line *line, const char *name)
{
    const char *at = hc_log_find(line, name), *end = line->text + line->length;
    while (at && at < end && (*at == ' ' || *at == ':'))
        at++;
    return at && at < end ? at : NULL;
}

static bool has_text(const struct hc_line *line, const char *name, const char *text)
{
    const char *at = value_of(line, name);
    size_t n = strlen(text);
    return at && *at == '"' && (size_t)(line->text + line->length - at) > n + 1 &&
           memcmp(at + 1, text, n) == 0 && at[n + 1] == '"';
}

static bool has_key(const struct hc_line *line, const char *key)
{
    return has_text(line, "\"key\"", key);
}

/* What the run measures of itself beside its steps: a number, or one within an object. */
static enum hc_status take_figures(struct hc_run_log *log, const struct hc_line *line,
                                   struct hc_error *err)
{
    static const struct {
        const char *key, *label, *name;
    } figures[] = {
        {"eval_accuracy", "\"value\"", "eval_accuracy"},
        {"eval_error", "\"value\"", "eval_error"},
        {"eval_loss", "\"value\"", "eval_loss"},
        {"train_loss", "\"value\"", "train_loss"},
        {"tracked_stats", "\"throughput\"", "throughput"},
        {"tracked_stats", "\"train_loss\"", "train_loss"},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        struct hc_log_measure measure = hc_log_measure_here(&log->rows);
        if (!has_key(line, figures[i].key))
            continue;
        strcpy(measure.name, figures[i].name);
        measure.value = hc_log_real(line, figures[i].label);
        if (!isnan(measure.value) && hc_log_keep_measure(log, &measure, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status take_logged_step(struct hc_run_log *log, const struct hc_line *line,
                                       struct hc_row_report *report, struct hc_error *err)
{
    struct hc_log_step step = hc_log_no_step;
    double seconds = hc_log_real(line, "\"train_step_time\"");
    if (isnan(seconds))
        return HC_OK;
    report->rows_read++;
    step.duration_ns = hc_log_ns_of_ms(seconds * 1e3);
    step.loss = hc_log_real(line, "\"reduced_train_loss\"");
    step.samples = hc_log_whole(line, "\"samples_count\"");
    if (step.samples == HC_MISSING_I64)
        step.samples = hc_log_whole(line, "\"step\"");
    step.iteration = ++log->n_logged_steps;
    step.iterations = 1;
    return hc_log_add_step(&log->rows, "mlperf", &step, err);
}

enum hc_status hc_take_mlperf(struct hc_run_log *log, const struct hc_line *line,
                              struct hc_row_report *report, struct hc_error *err)
{
    struct hc_log_rows *rows = &log->rows;
    int64_t ms = hc_log_whole(line, "\"time_ms\"");
    if (ms == HC_MISSING_I64 || ms < 0 || ms > INT64_MAX / 1000000)
        return HC_OK;
    bool begins =
        has_key(line, "init_start") && (!rows->has_cycle || rows->first_step_ns != HC_MISSING_I64);
    if (begins) { /* of all ranks, the first; it becomes a row when the launch ends */
        rows->is_stamped = true;
        rows->last_ns = ms * 1000000;
        if (hc_log_begin_cycle(rows, "mlperf", err))
            return err->status;
        log->n_logged_steps = 0;
    }
    hc_log_stamp(rows, ms * 1000000);
    if (has_key(line, "run_start") && rows->has_cycle)
        rows->first_step_ns = ms * 1000000;
    if (has_key(line, "run_stop") && rows->has_cycle)
        rows->is_done = !has_text(line, "\"status\"", "aborted");
    if (has_key(line, "tracked_stats") && take_logged_step(log, line, report, err))
        return err->status;
    return take_figures(log, line, err);
}

/* ---- verl, DeepSpeed ---- */

enum hc_status hc_take_verl(struct hc_run_log *log, const struct hc_line *line,
                            struct hc_row_report *report, struct hc_error *err)
{
    struct hc_log_step step = hc_log_no_step;
    double seconds = hc_log_real(line, "timing_s/step:");
    if (isnan(seconds))
        seconds = hc_log_real(line, "perf/time_per_step:");
    step.iteration = hc_log_whole(line, "step:");
    step.duration_ns = hc_log_ns_of_ms(seconds * 1e3);
    if (step.iteration == HC_MISSING_I64 || step.duration_ns == HC_MISSING_I64)
        return HC_OK;
    report->rows_read++;
    step.iterations = 1;
    step.loss = hc_log_real(line, "actor/pg_loss:");
    return hc_log_add_step(&log->rows, "verl", &step, err);
}

/* "steps: 10 loss: 1.25 iter time (s): 2.345 samples/sec: 7.0" */
enum hc_status hc_take_deepspeed(struct hc_run_log *log, const struct hc_line *line,
                                 struct hc_row_report *report, struct hc_error *err)
{
    struct hc_log_step step = hc_log_no_step;
    step.duration_ns = hc_log_ns_of_ms(hc_log_real(line, "iter time (s)") * 1e3);
    step.iteration = hc_log_whole(line, "steps:");
    if (step.iteration == HC_MISSING_I64 || step.duration_ns == HC_MISSING_I64)
        return HC_OK;
    report->rows_read++;
    hc_log_take_stamp(&log->rows, line, line->length);
    step.loss = hc_log_real(line, " loss:");
    return hc_log_add_step(&log->rows, "deepspeed", &step, err);
}
