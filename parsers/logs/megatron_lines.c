#include "parsers/logs/megatron_lines.h"

#include "core/base/missing.h"

#include <math.h>
#include <string.h>

/* ---- start-up ---- */

const struct hc_log_startup hc_startup_none = {
    .init_s = NAN,
    .compile_s = NAN,
    .load_s = NAN,
    .initialised_ns = HC_MISSING_I64,
    .built_ns = HC_MISSING_I64,
    .ready_ns = HC_MISSING_I64,
};

static int64_t ns_of_s(double seconds)
{
    return hc_log_ns_of_ms(seconds * 1e3);
}

/* A time that is written is cut to the second, so a load may seem to begin before its cause did. */
static int64_t largest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Between initialisation and the model that is built, the checkpoint is loaded last; but where
 * several nodes print, the time that it took may come after the line that ends it. So this is told
 * when all is ready, and a log that is read before that tells nothing which it would take back. */
static enum hc_status end_startup(struct hc_run_log *log, struct hc_error *err)
{
    struct hc_log_startup *s = &log->startup;
    int64_t load_ns = ns_of_s(s->load_s);
    if (s->is_split || s->initialised_ns == HC_MISSING_I64 || s->built_ns == HC_MISSING_I64)
        return HC_OK;
    s->is_split = true;
    int64_t loads_ns = load_ns == HC_MISSING_I64 ? s->built_ns : s->built_ns - load_ns;
    struct hc_log_span model = {s->initialised_ns, largest(s->initialised_ns, loads_ns),
                                s->built_line};
    if (hc_log_add_phase(&log->rows, HC_PHASE_INIT, "model and optimizer", model, err) ||
        load_ns == HC_MISSING_I64)
        return err->status;
    return hc_log_add_phase(&log->rows, HC_PHASE_LOAD, "checkpoint",
                            (struct hc_log_span){loads_ns, s->built_ns, s->load_line}, err);
}

static enum hc_status begin_cycle(struct hc_run_log *log, struct hc_error *err)
{
    if (end_startup(log, err) || hc_log_begin_cycle(&log->rows, "megatron", err))
        return err->status;
    log->startup = hc_startup_none;
    return HC_OK;
}

/* "using world size: 64, data-parallel-size: 1, ..." */
enum hc_status hc_take_megatron_world(struct hc_run_log *log, const struct hc_line *line,
                                      struct hc_row_report *report, struct hc_error *err)
{
    (void)report;
    if (begin_cycle(log, err))
        return err->status;
    log->rows.world_size = hc_log_small(hc_log_real(line, "using world size"));
    return HC_OK;
}

/* "time to initialize megatron (seconds): 54.967" */
enum hc_status hc_take_megatron_initialised(struct hc_run_log *log, const struct hc_line *line,
                                            struct hc_row_report *report, struct hc_error *err)
{
    (void)report;
    (void)err;
    log->startup.init_s = hc_log_real(line, "time to initialize megatron (seconds)");
    return HC_OK;
}

/* ">>> done with compiling and loading fused kernels. Compilation time: 17.880 seconds" */
enum hc_status hc_take_megatron_compiled(struct hc_run_log *log, const struct hc_line *line,
                                         struct hc_row_report *report, struct hc_error *err)
{
    (void)report;
    (void)err;
    log->startup.compile_s = hc_log_real(line, "Compilation time");
    log->startup.compile_line = line->number;
    return HC_OK;
}

/* Megatron's own initialisation ends with the compilation of its kernels. */
static enum hc_status take_initialised(struct hc_run_log *log, int64_t ns, struct hc_error *err)
{
    struct hc_log_startup *s = &log->startup;
    int64_t init_ns = ns_of_s(s->init_s), compile_ns = ns_of_s(s->compile_s);
    bool was_known = hc_log_start_is_final(log);
    s->initialised_ns = ns;
    if (init_ns == HC_MISSING_I64)
        return HC_OK;
    if (!was_known) {
        log->rows.start_ns = ns - init_ns;
        log->rows.start_clock = HC_LOG_STAMPED;
    }
    bool compiles = compile_ns != HC_MISSING_I64 && compile_ns <= init_ns;
    struct hc_log_span init = {ns - init_ns, compiles ? ns - compile_ns : ns, log->rows.line};
    if (hc_log_add_phase(&log->rows, HC_PHASE_INIT, "megatron", init, err) || !compiles)
        return err->status;
    return hc_log_add_phase(&log->rows, HC_PHASE_COMPILE, "fused kernels",
                            (struct hc_log_span){ns - compile_ns, ns, s->compile_line}, err);
}

static enum hc_status take_data(struct hc_run_log *log, int64_t ns, struct hc_error *err)
{
    if (log->startup.built_ns == HC_MISSING_I64)
        return HC_OK;
    return hc_log_add_phase(&log->rows, HC_PHASE_DATA, "data loaders",
                            (struct hc_log_span){log->startup.built_ns, ns, log->rows.line}, err);
}

/* "[after dataloaders are built] datetime: 2026-03-01 10:11:12" */
enum hc_status hc_take_megatron_datetime(struct hc_run_log *log, const struct hc_line *line,
                                         struct hc_row_report *report, struct hc_error *err)
{
    struct hc_log_rows *rows = &log->rows;
    int64_t ns;
    const char *at = hc_log_find(line, "] datetime:"), *end = line->text + line->length;
    (void)report;
    while (at < end && *at == ' ')
        at++;
    if (!hc_log_time(&rows->times, at, end, &ns))
        return HC_OK;
    hc_log_stamp(rows, ns);
    if (!rows->has_cycle)
        return HC_OK;
    if (hc_log_find(line, "after megatron is initialized"))
        return take_initialised(log, ns, err);
    if (hc_log_find(line, "scheduler are built") || hc_log_find(line, "scheduler is built")) {
        log->startup.built_ns = ns;
        log->startup.built_line = line->number;
    }
    if (hc_log_find(line, "after dataloaders are built"))
        return take_data(log, ns, err);
    if (hc_log_find(line, "after training is done"))
        rows->is_done = 1;
    if (hc_log_find(line, "before the start of training step")) {
        rows->first_step_ns = log->startup.ready_ns = ns;
        return end_startup(log, err);
    }
    return HC_OK;
}

/* ---- iterations ---- */

/* The first iteration of a cycle, which began when all was ready. */
static enum hc_status end_first_step(struct hc_run_log *log, const struct hc_log_step *step,
                                     struct hc_error *err)
{
    const struct hc_log_startup *startup = &log->startup;
    int64_t ready_ns = startup->ready_ns;
    if (end_startup(log, err))
        return err->status;
    log->startup = hc_startup_none;
    if (ready_ns == HC_MISSING_I64 || step->iterations != 1)
        return HC_OK;
    return hc_log_add_phase(
        &log->rows, HC_PHASE_FIRST_STEP, "",
        (struct hc_log_span){ready_ns, ready_ns + step->duration_ns, log->rows.line}, err);
}

enum {
    ITERATION,
    MS,
    S,
    SAMPLES,
    TOKENS,
    LOSS,
    RATE = LOSS + 3,
    SKIPPED = RATE + 3,
    NANS,
    N_LABELS
};

/* Of losses and rates, those of forks, GPT-NeoX the last. */
static const char *const labels[N_LABELS] = {
    [ITERATION] = "iteration ",
    [MS] = "elapsed time per iteration (ms)",
    [S] = "elapsed time per iteration (s)", /* Megatron-DeepSpeed */
    [SAMPLES] = "consumed samples",
    [TOKENS] = "consumed tokens",
    [LOSS] = "lm loss",
    "reduced_train_loss",
    "lm_loss:",
    [RATE] = "throughput per GPU (TFLOP/s/GPU)",
    "TFLOPs:",
    "approx flops per GPU:",
    [SKIPPED] = "number of skipped iterations",
    [NANS] = "number of nan iterations",
};

enum hc_status hc_megatron_labels_make(struct hc_line_labels **made, struct hc_error *err)
{
    return hc_line_labels_make(made, labels, N_LABELS, err);
}

/* The first of n numbers that is there. */
static double first_of(const struct hc_line *line, const char *const *behind, size_t n)
{
    double value = NAN;
    for (size_t i = 0; i < n && isnan(value); i++)
        value = hc_log_real_at(line, behind[i]);
    return value;
}

/* " [2026-03-01 10:11:12.345678] iteration 100/ 5000 | ... elapsed time per iteration (ms): 12.3"
 */
enum hc_status hc_take_megatron_iteration(struct hc_run_log *log, const struct hc_line *line,
                                          struct hc_row_report *report, struct hc_error *err)
{
    struct hc_log_step step = hc_log_no_step;
    struct hc_log_rows *rows = &log->rows;
    const char *behind[HC_LINE_LABELS_MOST];
    hc_line_labels_find(log->iteration_labels, line, behind);
    step.duration_ns = hc_log_ns_of_ms(hc_log_real_at(line, behind[MS]));
    if (step.duration_ns == HC_MISSING_I64)
        step.duration_ns = ns_of_s(hc_log_real_at(line, behind[S]));
    step.iteration = hc_log_whole_of(hc_log_real_at(line, behind[ITERATION]));
    if (step.iteration == HC_MISSING_I64 || step.duration_ns == HC_MISSING_I64)
        return HC_OK; /* another line with these words */
    report->rows_read++;
    hc_log_take_stamp(rows, line, (size_t)(behind[ITERATION] - line->text));
    step.samples = hc_log_whole_of(hc_log_real_at(line, behind[SAMPLES]));
    step.tokens = hc_log_whole_of(hc_log_real_at(line, behind[TOKENS]));
    step.loss = first_of(line, behind + LOSS, RATE - LOSS);
    step.tflops = first_of(line, behind + RATE, SKIPPED - RATE);
    step.skipped = hc_log_small(hc_log_real_at(line, behind[SKIPPED]));
    step.nan = hc_log_small(hc_log_real_at(line, behind[NANS]));
    step.iterations = hc_log_iterations_since(rows, step.iteration);
    if (end_first_step(log, &step, err))
        return err->status;
    return hc_log_add_step(rows, "megatron", &step, err);
}

/* ---- checkpoints ---- */

static enum hc_status take_checkpoint(struct hc_run_log *log, const struct hc_line *line,
                                      enum hc_checkpoint_kind kind, struct hc_error *err)
{
    const char *path = hc_log_find(line, kind == HC_CHECKPOINT_SAVE ? " to " : "checkpoint from ");
    const char *end = line->text + line->length;
    size_t n = 0;
    while (path && path + n < end && path[n] != ' ')
        n++;
    return hc_log_add_checkpoint(
        &log->rows, kind,
        hc_log_whole(line, kind == HC_CHECKPOINT_SAVE ? "from iteration" : "at iteration"), path, n,
        err);
}

/* "successfully saved checkpoint from iteration 100 to /ckpt [ t 1/8, ..." */
enum hc_status hc_take_megatron_save(struct hc_run_log *log, const struct hc_line *line,
                                     struct hc_row_report *report, struct hc_error *err)
{
    (void)report;
    return take_checkpoint(log, line, HC_CHECKPOINT_SAVE, err);
}

/* "successfully loaded checkpoint from /ckpt [ ... ] at iteration 100" */
enum hc_status hc_take_megatron_load(struct hc_run_log *log, const struct hc_line *line,
                                     struct hc_row_report *report, struct hc_error *err)
{
    (void)report;
    return take_checkpoint(log, line, HC_CHECKPOINT_LOAD, err);
}

/* "validation loss at iteration 100 | lm loss value: 8.017406E+00 | lm loss PPL: ...", since 2023
 * with "on validation set" behind the iteration: that the model was evaluated then, and with what
 * loss. */
enum hc_status hc_take_megatron_validation(struct hc_run_log *log, const struct hc_line *line,
                                           struct hc_row_report *report, struct hc_error *err)
{
    struct hc_log_measure measure = hc_log_measure_here(&log->rows);
    (void)report;
    strcpy(measure.name, "validation_loss");
    measure.value = hc_log_real(line, "lm loss value");
    return isnan(measure.value) ? HC_OK : hc_log_keep_measure(log, &measure, err);
}
