/* training_log.c - logs of training runs: Megatron-LM and what grew from it, MLPerf (:::MLLOG),
 * verl and DeepSpeed. Lines that are none of these are passed over; prefixes of srun and of
 * launchers
 * ("12: ", "vm-07-05: ") do not matter, since what is looked for stands anywhere in a line. */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "parsers/failures/failure_lines.h"
#include "parsers/io/format.h"
#include "parsers/logs/log_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct training_log {
    struct hc_line_reader *lines;
    struct hc_log_rows rows;
    struct hc_failure_lines *failures;
    bool at_end;
    double init_s; /* that the launch at hand took to initialise, as it says; below 0: it did not */
    int64_t n_logged_steps;
};

#define ROOM_A_LINE 4 /* rows that one line may make of a table */

/* ---- Megatron ---- */

static int64_t ns_of_ms(double ms)
{
    return ms >= 0 && ms < 9e12 ? (int64_t)(ms * 1e6 + 0.5) : HC_MISSING_I64;
}

static int32_t small(double value)
{
    return value >= 0 && value < 2e9 ? (int32_t)value : HC_MISSING_I32;
}

/* "[2026-03-01 10:11:12.345678] iteration ..." */
static void take_stamp(struct training_log *p, const struct hc_line *line, const char *until)
{
    int64_t ns;
    const char *end = line->text + line->length;
    for (const char *at = memchr(line->text, '[', (size_t)(until - line->text)); at && at < until;
         at = memchr(at + 1, '[', (size_t)(until - at - 1)))
        if (hc_log_time(&p->rows.times, at + 1, end, &ns)) {
            hc_log_stamp(&p->rows, ns);
            return;
        }
}

static enum hc_status take_iteration(struct training_log *p, const struct hc_line *line,
                                     const char *at, struct hc_row_report *report,
                                     struct hc_error *err)
{
    struct hc_log_step step = hc_log_no_step;
    struct hc_log_rows *rows = &p->rows;
    step.duration_ns = ns_of_ms(hc_log_real(line, "elapsed time per iteration (ms)"));
    step.iteration = hc_log_whole(line, "iteration ");
    if (step.iteration == HC_MISSING_I64 || step.duration_ns == HC_MISSING_I64)
        return HC_OK; /* another line with these words */
    report->rows_read++;
    take_stamp(p, line, at);
    step.samples = hc_log_whole(line, "consumed samples");
    step.tokens = hc_log_whole(line, "consumed tokens");
    step.loss = hc_log_real(line, "lm loss");
    if (isnan(step.loss))
        step.loss = hc_log_real(line, "reduced_train_loss");
    step.tflops = hc_log_real(line, "throughput per GPU (TFLOP/s/GPU)");
    step.skipped = small(hc_log_real(line, "number of skipped iterations"));
    step.nan = small(hc_log_real(line, "number of nan iterations"));
    int64_t before = rows->has_cycle ? rows->last_iteration : HC_MISSING_I64;
    if (before == HC_MISSING_I64 && rows->has_cycle)
        before = rows->loaded_iteration == HC_MISSING_I64 ? 0 : rows->loaded_iteration;
    if (before != HC_MISSING_I64 && step.iteration > before && step.iteration - before < INT32_MAX)
        step.iterations = (int32_t)(step.iteration - before);
    return hc_log_add_step(rows, "megatron", &step, err);
}

/* "[after dataloaders are built] datetime: 2026-03-01 10:11:12" */
static void take_datetime(struct training_log *p, const struct hc_line *line, const char *at)
{
    int64_t ns;
    while (*at == ' ')
        at++;
    if (!hc_log_time(&p->rows.times, at, line->text + line->length, &ns))
        return;
    hc_log_stamp(&p->rows, ns);
    if (p->rows.has_cycle && p->init_s >= 0 && hc_log_find(line, "after megatron is initialized")) {
        p->rows.start_ns = ns - (int64_t)(p->init_s * 1e9);
        p->rows.start_clock = HC_LOG_STAMPED;
    }
    if (p->rows.has_cycle && hc_log_find(line, "before the start of training step"))
        p->rows.first_step_ns = ns;
    if (p->rows.has_cycle && hc_log_find(line, "after training is done"))
        p->rows.is_done = 1;
}

/* "successfully saved checkpoint from iteration 100 to /ckpt [ t 1/8, ...", "successfully loaded
 * checkpoint from /ckpt [ ... ] at iteration 100" */
static enum hc_status take_checkpoint(struct training_log *p, const struct hc_line *line,
                                      enum hc_checkpoint_kind kind, struct hc_error *err)
{
    const char *path = hc_log_find(line, kind == HC_CHECKPOINT_SAVE ? " to " : "checkpoint from ");
    const char *end = line->text + line->length;
    size_t n = 0;
    while (path && path + n < end && path[n] != ' ')
        n++;
    return hc_log_add_checkpoint(
        &p->rows, kind,
        hc_log_whole(line, kind == HC_CHECKPOINT_SAVE ? "from iteration" : "at iteration"), path, n,
        err);
}

static enum hc_status take_megatron(struct training_log *p, const struct hc_line *line,
                                    struct hc_row_report *report, struct hc_error *err)
{
    const char *at = hc_log_find(line, "iteration ");
    if (at && hc_log_find(line, "elapsed time per iteration"))
        return take_iteration(p, line, at, report, err);
    if (hc_log_find(line, "using world size:")) {
        if (hc_log_begin_cycle(&p->rows, "megatron", err))
            return err->status;
        p->init_s = -1;
        p->rows.world_size = small(hc_log_real(line, "using world size"));
        return HC_OK;
    }
    if (hc_log_find(line, "time to initialize megatron (seconds)"))
        p->init_s = hc_log_real(line, "time to initialize megatron (seconds)");
    else if ((at = hc_log_find(line, "] datetime:")))
        take_datetime(p, line, at);
    else if (hc_log_find(line, "successfully saved checkpoint"))
        return take_checkpoint(p, line, HC_CHECKPOINT_SAVE, err);
    else if (hc_log_find(line, "successfully loaded checkpoint"))
        return take_checkpoint(p, line, HC_CHECKPOINT_LOAD, err);
    return HC_OK;
}

/* ---- MLPerf ---- */

static bool has_key(const struct hc_line *line, const char *key)
{
    const char *at = hc_log_find(line, "\"key\": \"");
    size_t n = strlen(key);
    return at && (size_t)(line->text + line->length - at) > n && memcmp(at, key, n) == 0 &&
           at[n] == '"';
}

static enum hc_status take_logged_step(struct training_log *p, const struct hc_line *line,
                                       struct hc_row_report *report, struct hc_error *err)
{
    struct hc_log_step step = hc_log_no_step;
    double seconds = hc_log_real(line, "\"train_step_time\"");
    if (isnan(seconds))
        return HC_OK;
    report->rows_read++;
    step.duration_ns = ns_of_ms(seconds * 1e3);
    step.loss = hc_log_real(line, "\"reduced_train_loss\"");
    step.samples = hc_log_whole(line, "\"samples_count\"");
    if (step.samples == HC_MISSING_I64)
        step.samples = hc_log_whole(line, "\"step\"");
    step.iteration = ++p->n_logged_steps;
    step.iterations = 1;
    return hc_log_add_step(&p->rows, "mlperf", &step, err);
}

static enum hc_status take_mlperf(struct training_log *p, const struct hc_line *line,
                                  struct hc_row_report *report, struct hc_error *err)
{
    int64_t ms = hc_log_whole(line, "\"time_ms\"");
    if (ms == HC_MISSING_I64 || ms < 0 || ms > INT64_MAX / 1000000)
        return HC_OK;
    bool begins = has_key(line, "init_start") &&
                  (!p->rows.has_cycle || p->rows.first_step_ns != HC_MISSING_I64);
    if (begins) { /* of all ranks, the first; it becomes a row when the launch ends */
        p->rows.is_stamped = true;
        p->rows.last_ns = ms * 1000000;
        if (hc_log_begin_cycle(&p->rows, "mlperf", err))
            return err->status;
        p->n_logged_steps = 0;
    }
    hc_log_stamp(&p->rows, ms * 1000000);
    if (has_key(line, "run_start") && p->rows.has_cycle)
        p->rows.first_step_ns = ms * 1000000;
    if (has_key(line, "run_stop") && p->rows.has_cycle)
        p->rows.is_done = 1;
    return has_key(line, "tracked_stats") ? take_logged_step(p, line, report, err) : HC_OK;
}

/* ---- verl, DeepSpeed ---- */

static enum hc_status take_verl(struct training_log *p, const struct hc_line *line,
                                struct hc_row_report *report, struct hc_error *err)
{
    struct hc_log_step step = hc_log_no_step;
    double seconds = hc_log_real(line, "timing_s/step:");
    if (isnan(seconds))
        seconds = hc_log_real(line, "perf/time_per_step:");
    step.iteration = hc_log_whole(line, "step:");
    step.duration_ns = ns_of_ms(seconds * 1e3);
    if (step.iteration == HC_MISSING_I64 || step.duration_ns == HC_MISSING_I64)
        return HC_OK;
    report->rows_read++;
    step.iterations = 1;
    step.loss = hc_log_real(line, "actor/pg_loss:");
    return hc_log_add_step(&p->rows, "verl", &step, err);
}

/* "steps: 10 loss: 1.25 iter time (s): 2.345 samples/sec: 7.0" */
static enum hc_status take_deepspeed(struct training_log *p, const struct hc_line *line,
                                     struct hc_row_report *report, struct hc_error *err)
{
    struct hc_log_step step = hc_log_no_step;
    step.duration_ns = ns_of_ms(hc_log_real(line, "iter time (s)") * 1e3);
    step.iteration = hc_log_whole(line, "steps:");
    if (step.iteration == HC_MISSING_I64 || step.duration_ns == HC_MISSING_I64)
        return HC_OK;
    report->rows_read++;
    take_stamp(p, line, line->text + line->length);
    step.loss = hc_log_real(line, " loss:");
    return hc_log_add_step(&p->rows, "deepspeed", &step, err);
}

/* ---- the format ---- */

static enum hc_status take_line(struct training_log *p, const struct hc_line *line,
                                struct hc_row_report *report, struct hc_error *err)
{
    p->rows.line = line->number;
    p->rows.is_stamped = false;
    if (line->is_long || line->length < 12)
        return HC_OK;
    if (hc_log_find(line, ":::MLLOG"))
        return take_mlperf(p, line, report, err);
    if (hc_log_find(line, "timing_s/step:") || hc_log_find(line, "perf/time_per_step:"))
        return take_verl(p, line, report, err);
    if (hc_log_find(line, "iter time (s)"))
        return take_deepspeed(p, line, report, err);
    return take_megatron(p, line, report, err);
}

static void warn_at_end(const struct training_log *p)
{
    const struct hc_log_times *times = &p->rows.times;
    if (times->n_twice)
        hc_warn("'%s': %lld times are of an hour that the clocks showed twice; each is taken as "
                "the first",
                p->rows.source, (long long)times->n_twice);
    if (times->n_never)
        hc_warn("'%s': %lld times are of an hour that the clocks left out (check --zone)",
                p->rows.source, (long long)times->n_never);
    if (hc_lines_are_cut(p->lines))
        hc_warn("'%s': the packed data ends too early; what came before is read", p->rows.source);
}

static bool has_room(const struct hc_table *tables)
{
    for (int i = 0; i < 4; i++)
        if (tables[i].n_rows + ROOM_A_LINE > tables[i].capacity)
            return false;
    return true;
}

/* The next line, and of the last one what is left. */
static enum hc_status take_next(struct training_log *p, struct hc_row_report *report,
                                struct hc_error *err)
{
    struct hc_line line;
    if (hc_lines_next(p->lines, &line, &p->at_end, err))
        return err->status;
    if (!p->at_end)
        return take_line(p, &line, report, err) ? err->status
                                                : hc_failure_lines_take(p->failures, &line, err);
    warn_at_end(p);
    return hc_log_end_cycle(&p->rows, err) ? err->status : hc_failure_lines_end(p->failures, err);
}

static enum hc_status next_tables(void *parser, struct hc_table *tables,
                                  struct hc_row_report *report, struct hc_error *err)
{
    struct training_log *p = parser;
    p->rows.steps = &tables[0];
    p->rows.cycles = &tables[1];
    p->rows.checkpoints = &tables[2];
    enum hc_status status = hc_failure_lines_give(p->failures, &tables[3], err);
    while (!status && !p->at_end && has_room(tables)) {
        status = take_next(p, report, err);
        if (!status)
            status = hc_failure_lines_give(p->failures, &tables[3], err);
    }
    return status;
}

static void close_log(void *parser)
{
    struct training_log *p = parser;
    if (!p)
        return;
    hc_lines_close(p->lines);
    hc_failure_lines_close(p->failures);
    free(p);
}

static enum hc_status open_log(void **parser, const struct hc_source *source,
                               const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct training_log *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    hc_log_rows_init(&p->rows, source->name, options->zone);
    p->init_s = -1;
    p->rows.names = options->names;
    if (hc_failure_lines_open(&p->failures, source, options, err) ||
        hc_lines_open(&p->lines, source, err)) {
        close_log(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

/* Logs begin with whatever a site prints: what is looked for may come late. */
static int probe(const unsigned char *head, size_t length, const char *path)
{
    static const struct {
        const char *words;
        int sure;
    } signs[] = {{":::MLLOG", 90},
                 {"elapsed time per iteration (ms)", 90},
                 {"using world size:", 80},
                 {"timing_s/step:", 80},
                 {"perf/time_per_step:", 80},
                 {"time to initialize megatron (seconds)", 90},
                 {"iter time (s)", 60},
                 {":::DLPAL", 60},
                 {"pretrain_gpt.py", 40},
                 {"deepspeed", 30}};
    (void)path;
    int sure = 0;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].sure > sure && memmem(head, length, signs[i].words, strlen(signs[i].words)))
            sure = signs[i].sure;
    return sure;
}

static int64_t position(const void *parser)
{
    const struct training_log *p = parser;
    return hc_lines_position(p->lines);
}

const struct hc_format hc_format_training_log = {
    .name = "training-log",
    .description = "log of a training run: Megatron-LM, MLPerf, verl or DeepSpeed",
    .version = 1,
    .is_lines = true,
    .table = &hc_train_steps_def,
    .probe = probe,
    .open = open_log,
    .next_tables = next_tables,
    .position = position,
    .close = close_log,
};
