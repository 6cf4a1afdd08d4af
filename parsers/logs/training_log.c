/* training_log.c - logs of training runs: Megatron-LM and what grew from it, MLPerf (:::MLLOG),
 * verl and DeepSpeed. Lines that are none of these are passed over; prefixes of srun and of
 * launchers ("12: ", "vm-07-05: ") do not matter, since what is looked for stands anywhere in a
 * line. */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/needle_set.h"
#include "core/text/number_text.h"
#include "parsers/failures/failure_lines.h"
#include "parsers/io/format.h"
#include "parsers/logs/log_patterns.h"
#include "parsers/logs/log_state.h"
#include "parsers/logs/megatron_lines.h"
#include "parsers/logs/other_lines.h"
#include "parsers/logs/timer_lines.h"

#include <stdlib.h>
#include <string.h>

struct training_log {
    struct hc_line_reader *lines;
    struct hc_needle_set *marks;
    struct hc_log_patterns *patterns; /* of the site; or NULL */
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

static enum hc_status make_marks(struct hc_needle_set **set, struct hc_error *err)
{
    struct hc_needle needles[N_MARKS];
    for (size_t i = 0; i < N_MARKS; i++)
        needles[i] = (struct hc_needle){marks[i].words, strlen(marks[i].words)};
    return hc_needle_set_make(set, needles, N_MARKS, err);
}

static hc_log_take *reader_of(const struct training_log *p, const struct hc_line *line)
{
    int32_t first = -1, found;
    for (size_t at = 0; (found = hc_needle_set_find(p->marks, line->text, line->length, &at)) >= 0;)
        if (first < 0 || found < first)
            first = found;
    return first < 0 ? NULL : marks[first].take;
}

static enum hc_status take_line(struct training_log *p, const struct hc_line *line,
                                struct hc_row_report *report, struct hc_error *err)
{
    bool is_taken = false;
    p->log.rows.line = line->number;
    p->log.rows.is_stamped = false;
    if (line->is_long)
        return HC_OK;
    if (p->patterns && hc_log_patterns_take(p->patterns, &p->log, line, report, &is_taken, err))
        return err->status;
    if (!is_taken && p->log.timers.form && hc_take_timer_line(&p->log, line, &is_taken, err))
        return err->status;
    hc_log_take *take = is_taken ? NULL : reader_of(p, line);
    return take ? take(&p->log, line, report, err) : HC_OK;
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
    if (hc_read_mark_is_due(&p->mark, p->lines) &&
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
    return take_end(p, report, err);
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
    hc_needle_set_free(p->marks);
    hc_log_patterns_free(p->patterns);
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
    hc_log_rows_init(&p->log.rows, source->name, options->zone);
    struct hc_matched job = hc_text_pattern_named(options->path, source->name, "job");
    int64_t number;
    if (job.length && hc_text_to_i64(job.text, job.length, &number) == HC_TEXT_OK)
        p->log.rows.name.job = number;
    p->log.startup = hc_startup_none;
    p->may_grow = options->may_grow;
    p->log.rows.names = options->names;
    if (make_marks(&p->marks, err) || hc_log_patterns_make(&p->patterns, options->patterns, err) ||
        hc_failure_lines_open(&p->failures, source, options, err) ||
        hc_lines_open(&p->lines, source, err) || go_on(p, options->go_on, err)) {
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
    .version = 3,
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
