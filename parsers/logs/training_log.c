/* training_log.c - logs of training runs: Megatron-LM and what grew from it, MLPerf (:::MLLOG),
 * verl, DeepSpeed, and others by patterns (data/patterns/training.conf). Lines that are none of
 * these are passed over; prefixes of srun and of launchers ("12: ", "vm-07-05: ") do not matter,
 * since what is looked for stands anywhere in a line. */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/needle_set.h"
#include "core/text/number_text.h"
#include "parsers/failures/failure_lines.h"
#include "parsers/io/format.h"
#include "parsers/io/log_text.h"
#include "parsers/logs/log_patterns.h"
#include "parsers/logs/log_state.h"
#include "parsers/logs/megatron_lines.h"
#include "parsers/logs/other_lines.h"
#include "parsers/logs/timer_lines.h"

#include <stdlib.h>
#include <string.h>

struct training_log {
    struct hc_line_reader *lines;
    struct hc_needle_set *words;      /* that mark lines */
    const char *file;                 /* of the log, for messages */
    struct hc_log_patterns *patterns; /* of the site; or NULL */
    struct hc_log_patterns *ours;     /* of data/patterns/training.conf */
    struct hc_log_text text;
    bool has_piece; /* of the line at hand there may be more */
    int64_t n_long;
    struct hc_run_log log;
    struct hc_failure_lines *failures;
    bool at_end, may_grow;
    struct hc_read_mark mark; /* with this state: */
    struct hc_log_state state;
};

#define ROOM_A_LINE 4 /* rows that one line may make of a table */

/* ---- lines ---- */

/* The words that mark a line, and who reads it. A line with several is of the first here. */
static const struct {
    const char *words;
    hc_log_take *take;
} marks[] = {
    {":::MLLOG", hc_take_mlperf},
    {"timing_s/step:", hc_take_verl},
    {"perf/time_per_step:", hc_take_verl},
    {"iter time (s)", hc_take_deepspeed},
    {"elapsed time per iteration", hc_take_megatron_iteration},
    {"using world size:", hc_take_megatron_world},
    {"time to initialize megatron (seconds)", hc_take_megatron_initialised},
    {"loading fused kernels. Compilation time:", hc_take_megatron_compiled},
    {"] datetime:", hc_take_megatron_datetime},
    {"successfully saved checkpoint", hc_take_megatron_save},
    {"successfully loaded checkpoint", hc_take_megatron_load},
    {"validation loss at iteration", hc_take_megatron_validation},
    {"time (ms) |", hc_take_timers_row},
    {"(min, max) time across ranks (ms):", hc_take_timers_min_max},
    {"max time across ranks (ms):", hc_take_timers_max},
    {"times across ranks (ms):", hc_take_timers_each},
    {"MnRtt/Rnk:", hc_take_straggler_extremes},
    {"MnEtpt/Rnk:", hc_take_straggler_extremes},
    {"Ranks with lowest", hc_take_straggler_ranks},
    {"Ranks with highest", hc_take_straggler_ranks},
};
#define N_MARKS (sizeof marks / sizeof *marks)

static size_t n_training_words(const struct training_log *p)
{
    return N_MARKS + hc_log_patterns_count(p->ours);
}

/* Words that mark a line: the marks, what marks the lines of our patterns, those of failures. */
static const char *words_of(const struct training_log *p, size_t i)
{
    size_t n = n_training_words(p);
    return i < N_MARKS ? marks[i].words
           : i < n     ? hc_log_patterns_literal(p->ours, i - N_MARKS)
                       : hc_failure_literal(hc_failure_lines_patterns(p->failures), i - n);
}

static enum hc_status make_words(struct training_log *p, struct hc_error *err)
{
    const struct hc_pattern_text ours = {"data/patterns/training.conf", hc_training_patterns_text};
    if (hc_log_patterns_make(&p->ours, ours, err))
        return err->status;
    size_t n =
        n_training_words(p) + hc_failure_literals_count(hc_failure_lines_patterns(p->failures));
    struct hc_needle *needles = hc_new_array(n, sizeof *needles, err);
    for (size_t i = 0; needles && i < n; i++)
        needles[i] = (struct hc_needle){words_of(p, i), strlen(words_of(p, i))};
    if (needles)
        hc_needle_set_make(&p->words, needles, n, err);
    free(needles);
    return err->status;
}

/* The first of the words of training runs that stand in the line, or -1. *may_fail: words of
 * failures do too. Failures may be told of with the same words, which then are found as the former.
 */
static int32_t mark_of(const struct training_log *p, const struct hc_line *line, bool *may_fail)
{
    int32_t first = -1, found, n = (int32_t)n_training_words(p);
    *may_fail = false;
    for (size_t at = 0;
         (found = hc_needle_set_find(p->words, line->text, line->length, &at)) >= 0;) {
        *may_fail = true;
        if (found < n && (first < 0 || found < first))
            first = found;
    }
    return first;
}

static enum hc_status take_line(struct training_log *p, const struct hc_line *line, int32_t mark,
                                struct hc_row_report *report, struct hc_error *err)
{
    bool is_taken = false;
    if (p->patterns && hc_log_patterns_take(p->patterns, &p->log, line, report, &is_taken, err))
        return err->status;
    if (!is_taken && p->log.timers.form && hc_take_timer_line(&p->log, line, &is_taken, err))
        return err->status;
    if (is_taken || mark < 0)
        return HC_OK;
    if ((size_t)mark < N_MARKS)
        return marks[mark].take(&p->log, line, report, err);
    return hc_log_patterns_take(p->ours, &p->log, line, report, &is_taken, err);
}

/* The next piece of the line at hand of what the run printed; one at a time, since each may make
 * rows of its own. */
static enum hc_status take_piece(struct training_log *p, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct hc_line piece;
    bool is_there, has_stamp, may_fail;
    int64_t ns;
    if (hc_log_text_next(&p->text, &piece, &is_there, &has_stamp, err))
        return err->status;
    p->has_piece = !p->text.is_over;
    p->log.rows.is_stamped = false;
    if (has_stamp && hc_log_time(&p->log.rows.times, piece.text, piece.text + piece.length, &ns))
        hc_log_stamp(&p->log.rows, ns);
    int32_t mark = mark_of(p, &piece, &may_fail);
    if (take_line(p, &piece, mark, report, err))
        return err->status;
    return hc_failure_lines_take(p->failures, &piece, may_fail, err);
}

static void warn_at_end(const struct training_log *p)
{
    const struct hc_log_times *times = &p->log.rows.times;
    if (times->n_twice)
        hc_warn("'%s': %lld times are of an hour that the clocks showed twice; each is taken as "
                "the first",
                p->log.rows.source, (long long)times->n_twice);
    if (times->n_never)
        hc_warn("'%s': %lld times are of an hour that the clocks left out (check --zone)",
                p->log.rows.source, (long long)times->n_never);
    if (p->log.n_dropped)
        hc_warn("'%s': %lld figures are left out: they stand in lines with more than 65,536",
                p->log.rows.source, (long long)p->log.n_dropped);
    if (p->n_long)
        hc_warn("'%s': %lld lines are passed over: they are longer than %zu bytes",
                p->log.rows.source, (long long)p->n_long, (size_t)HC_LINE_MOST);
    if (hc_lines_are_cut(p->lines))
        hc_warn("'%s': the packed data ends too early; what came before is read",
                p->log.rows.source);
}

static bool has_room(const struct hc_table *tables)
{
    for (int i = 0; i < HC_N_LOG_TABLES; i++)
        if (tables[i].n_rows + ROOM_A_LINE > tables[i].capacity)
            return false;
    return true;
}

/* What waits for room, up to that room. */
static enum hc_status give(struct training_log *p, struct hc_table *tables, struct hc_error *err)
{
    struct hc_run_log *log = &p->log;
    const struct hc_table *measures = &tables[HC_LOG_MEASURES];
    for (; log->first_pending < log->n_pending && measures->n_rows < measures->capacity;
         log->first_pending++)
        if (hc_log_add_measure(&log->rows, &log->pending[log->first_pending], err))
            return err->status;
    if (log->first_pending == log->n_pending)
        log->first_pending = log->n_pending = 0;
    return hc_failure_lines_give(p->failures, &tables[HC_LOG_EVENTS], err);
}

/* Where the end of a log waits for a stamp, the place is before that, but not far. */
static void try_mark(struct training_log *p, const struct hc_row_report *report)
{
    if (!p->has_piece && hc_read_mark_is_due(&p->mark, p->lines) &&
        hc_log_state_save(&p->state, &p->log, p->failures))
        hc_read_mark_put(&p->mark, p->lines, report);
}

/* A launch of which later lines may say that it began at another time waits for them. */
static enum hc_status take_end(struct training_log *p, struct hc_row_report *report,
                               struct hc_error *err)
{
    const struct hc_run_log log = p->log; /* with the launch at hand */
    warn_at_end(p);
    if (p->may_grow && p->log.rows.has_cycle && !hc_log_start_is_final(&p->log))
        report->rows_waiting++;
    else if (hc_log_end_cycle(&p->log.rows, err))
        return err->status;
    if (hc_failure_lines_end(p->failures, report, err))
        return err->status;
    if (hc_log_state_save(&p->state, &log, p->failures))
        hc_read_mark_put(&p->mark, p->lines, report);
    return HC_OK;
}

/* The next piece, or line, and of the last one what is left. */
static enum hc_status take_next(struct training_log *p, struct hc_row_report *report,
                                struct hc_error *err)
{
    struct hc_line line;
    if (p->has_piece)
        return take_piece(p, report, err);
    if (hc_lines_next(p->lines, &line, &p->at_end, err))
        return err->status;
    if (p->at_end)
        return take_end(p, report, err);
    p->log.rows.line = line.number;
    p->n_long += line.is_long;
    if (line.is_long)
        return HC_OK;
    hc_log_text_begin(&p->text, &line);
    return take_piece(p, report, err);
}

static enum hc_status next_tables(void *parser, struct hc_table *tables,
                                  struct hc_row_report *report, struct hc_error *err)
{
    struct training_log *p = parser;
    p->log.rows.steps = &tables[HC_LOG_STEPS];
    p->log.rows.cycles = &tables[HC_LOG_CYCLES];
    p->log.rows.checkpoints = &tables[HC_LOG_CHECKPOINTS];
    p->log.rows.measures = &tables[HC_LOG_MEASURES];
    p->log.rows.phases = &tables[HC_LOG_PHASES];
    enum hc_status status = give(p, tables, err);
    while (!status && !p->at_end && !p->log.n_pending && has_room(tables)) {
        status = take_next(p, report, err);
        if (!status)
            status = give(p, tables, err);
        if (!status && !p->at_end)
            try_mark(p, report);
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
    hc_needle_set_free(p->words);
    hc_log_patterns_report(p->patterns, p->file);
    hc_log_patterns_report(p->ours, p->file);
    hc_log_patterns_free(p->patterns);
    hc_log_patterns_free(p->ours);
    hc_line_labels_free(p->log.iteration_labels);
    hc_log_text_fini(&p->text);
    free(p->log.pending);
    free(p);
}

static void mark_log(const void *parser, struct hc_read_mark *mark)
{
    const struct training_log *p = parser;
    struct hc_log_state *state = mark->state;
    *state = p->state;
    *mark = p->mark;
    mark->state = state;
}

static enum hc_status go_on(struct training_log *p, const struct hc_read_mark *mark,
                            struct hc_error *err)
{
    if (mark && hc_log_state_go_on(mark->state, &p->log, p->failures, err))
        return err->status;
    return hc_read_mark_go_on(mark, p->lines, err);
}

static enum hc_status open_log(void **parser, const struct hc_source *source,
                               const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct training_log *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->file = source->name;
    if (hc_log_rows_init(&p->log.rows, source->name, options, err)) {
        close_log(p);
        return err->status;
    }
    struct hc_matched job = hc_text_pattern_named(options->path, source->name, "job");
    int64_t number;
    if (job.length && hc_text_to_i64(job.text, job.length, &number) == HC_TEXT_OK)
        p->log.rows.name.job = number;
    p->log.startup = hc_startup_none;
    p->may_grow = options->may_grow;
    p->log.rows.names = options->names;
    if (hc_failure_lines_open(&p->failures, source, options, err) || make_words(p, err) ||
        hc_megatron_labels_make(&p->log.iteration_labels, err) ||
        hc_log_patterns_make(&p->patterns, options->patterns, err) ||
        hc_lines_open(&p->lines, source, err) || go_on(p, options->go_on, err)) {
        close_log(p);
        return err->status;
    }
    hc_lines_break_at_returns(p->lines);
    *parser = p;
    return HC_OK;
}

/* Logs begin with whatever a site prints: what is looked for may come late. A line of a framework
 * that prints common words is known by two of them. */
static const struct {
    const char *words, *also; /* NULL: the former are enough */
    int sure;
} signs[] = {{":::MLLOG", NULL, 90},
             {"elapsed time per iteration (ms)", NULL, 90},
             {"elapsed time per iteration (s)", NULL, 90},
             {"using world size:", NULL, 80},
             {"timing_s/step:", NULL, 80},
             {"perf/time_per_step:", NULL, 80},
             {"time to initialize megatron (seconds)", NULL, 90},
             {"------------------------ arguments ------------------------", NULL, 80},
             {"iter time (s)", NULL, 60},
             {":::DLPAL", NULL, 60},
             {"GiB(", "mfu: ", 70},
             {"GiB(", "tps: ", 70},
             {"| global_step: ", "train_step_timing in s: ", 70},
             {", global_step=", "train_step_timing in s=", 70},
             {", v_num=", "Epoch ", 70},
             {"{'loss': ", "'epoch': ", 70},
             {"elapsed_time_per_iteration_ms: ", "| lm_loss: ", 70},
             {"[step=", "throughput/", 70},
             {"[batch=", "Train loss/train/total: ", 70},
             {"completed step: ", "TFLOP/s/device: ", 70},
             {"tgs (tokens/gpu/second)=", NULL, 70},
             {"| iter time: ", "| loss train: ", 70},
             {", CurrSamplesPerSec=", NULL, 70},
             {"| train_inner | ", "\"num_updates\": ", 70},
             {"get_accelerator] Setting ds_accelerator to", NULL, 40},
             {"DeepSpeed C++/CUDA extension op report", NULL, 40},
             {"DeepSpeed general environment info:", NULL, 40}};

static bool has(const unsigned char *head, size_t length, const char *words)
{
    return !words || memmem(head, length, words, strlen(words));
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    int sure = 0;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].sure > sure && has(head, length, signs[i].words) &&
            has(head, length, signs[i].also))
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
    .description = "log of a training run: Megatron-LM, MLPerf, verl, DeepSpeed and others",
    .version = 4,
    .is_lines = true,
    .table = &hc_train_steps_def,
    .probe = probe,
    .open = open_log,
    .next_tables = next_tables,
    .mark = mark_log,
    .state_size = sizeof(struct hc_log_state),
    .state_record = &hc_log_state_record,
    .position = position,
    .close = close_log,
};
