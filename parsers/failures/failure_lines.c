#include "parsers/failures/failure_lines.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "parsers/failures/failure_queue.h"
#include "parsers/failures/line_prefix.h"
#include "parsers/io/log_name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS ((int64_t)1000000)

struct hc_failure_lines {
    struct hc_failure_patterns *patterns;
    struct hc_event_writer writer;
    const char *name;
    struct hc_stamp_clock clock;
    struct hc_failure_queue queue;
    int64_t last_ns; /* of the last stamp, or missing */
    int64_t job;     /* of the file's name, or missing */
    int64_t log_id;
    size_t n_tracebacks;
    struct hc_traceback tracebacks[HC_FAILURE_TRACEBACKS];
    struct hc_root_cause cause;
    /* After the last line: what waited there. */
    bool is_over, has_end;
    struct hc_failure_state end;
};

/* "slurm-123.out", "slurm-123_4.out" */
static int64_t job_of_path(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strncmp(name, "slurm-", 6) != 0 || !isdigit((unsigned char)name[6]))
        return HC_MISSING_I64;
    int64_t job = strtoll(name + 6, NULL, 10);
    return job < INT64_MAX ? job : HC_MISSING_I64;
}

enum hc_status hc_failure_lines_open(struct hc_failure_lines **failures,
                                     const struct hc_source *source,
                                     const struct hc_parse_options *options, struct hc_error *err)
{
    *failures = NULL;
    struct hc_failure_lines *f = hc_new_array(1, sizeof *f, err);
    if (!f)
        return err->status;
    f->name = source->name;
    f->writer = (struct hc_event_writer){options->names, source->name};
    f->last_ns = HC_MISSING_I64;
    const char *log = options->log ? options->log : source->name;
    f->job = job_of_path(log);
    hc_stamp_clock_start(&f->clock, source, options->zone);
    f->queue.end_ns = f->clock.end_ns;
    f->queue.may_grow = options->may_grow;
    struct hc_log_name name;
    if (hc_failure_patterns_make(&f->patterns, options->patterns, err) ||
        hc_log_name_read(&name, log, err)) {
        hc_failure_lines_close(f);
        return err->status;
    }
    f->log_id = name.id;
    *failures = f;
    return HC_OK;
}

void hc_failure_lines_close(struct hc_failure_lines *f)
{
    if (!f)
        return;
    hc_failure_patterns_report(f->patterns, f->name);
    hc_failure_patterns_free(f->patterns);
    hc_failure_queue_fini(&f->queue);
    free(f);
}

/* ---- going on ---- */

static bool take_state(const struct hc_failure_lines *f, enum hc_failure_place place,
                       struct hc_failure_state *state)
{
    if (f->queue.n_waiting || !hc_failure_state_take_queue(state, &f->queue, place))
        return false;
    state->last_ns = f->last_ns;
    state->n_tracebacks = f->n_tracebacks;
    memcpy(state->tracebacks, f->tracebacks, f->n_tracebacks * sizeof *f->tracebacks);
    state->cause = f->cause;
    return hc_failure_state_is_text(state);
}

bool hc_failure_lines_save(const struct hc_failure_lines *f, struct hc_failure_state *state)
{
    if (!f->is_over)
        return take_state(f, HC_WITHIN_LOG, state);
    if (f->has_end)
        *state = f->end;
    return f->has_end;
}

enum hc_status hc_failure_lines_go_on(struct hc_failure_lines *f,
                                      const struct hc_failure_state *state, struct hc_error *err)
{
    const struct hc_root_cause *cause = &state->cause;
    f->last_ns = state->last_ns;
    f->n_tracebacks = state->n_tracebacks;
    memcpy(f->tracebacks, state->tracebacks, state->n_tracebacks * sizeof *f->tracebacks);
    f->cause = *cause;
    f->cause.event = hc_event_none;
    f->cause.event.rank = cause->event.rank;
    f->cause.event.code = cause->event.code;
    f->cause.event.pid = cause->event.pid;
    return hc_failure_state_give_queue(state, &f->queue, err);
}

/* ---- times ---- */

/* A time that stands in a line: that of the event, if it is one. Lines behind it are later, and
 * lines in front of it that have no stamp before them are better placed there than at the end of
 * the log: what Slurm writes at the end of a job has no other time than that of "*** JOB 7 ON n1
 * CANCELLED AT ... ***". */
static void put_written_time(struct hc_failure_lines *f, struct hc_event_text written,
                             struct hc_event *event)
{
    struct hc_line_stamp stamp;
    if (!written.length || !hc_line_stamp_read(written.text, written.length, &stamp) ||
        !hc_stamp_clock_tell(&f->clock, &stamp, &event->time_ns, &event->clock))
        return;
    hc_failure_queue_date_open(&f->queue, event->time_ns);
    if (event->time_ns > f->last_ns) /* a missing one is the least of all numbers */
        f->last_ns = event->time_ns;
}

/* Whose line, when: of the prefix. *is_open: the time is not known before the next stamp. */
static void put_place(const struct hc_failure_lines *f, const struct hc_line_prefix *prefix,
                      struct hc_event *event, bool *is_open)
{
    *is_open = false;
    event->log_id = f->log_id;
    if (event->job == HC_MISSING_I64)
        event->job = f->job;
    if (event->rank == HC_MISSING_I32)
        event->rank = prefix->rank;
    if (!event->node.length)
        event->node = prefix->node;
    if (event->time_ns != HC_MISSING_I64)
        return;
    event->clock = HC_CLOCK_BETWEEN;
    event->time_ns = event->from_ns = f->last_ns;
    *is_open = true;
}

/* The stamp of a line, which also bounds what waits. */
static void take_stamp(struct hc_failure_lines *f, const struct hc_line_prefix *prefix,
                       struct hc_event *event)
{
    int64_t time_ns;
    enum hc_event_clock how;
    if (!prefix->has_stamp || !hc_stamp_clock_tell(&f->clock, &prefix->stamp, &time_ns, &how))
        return;
    hc_failure_queue_close_open(&f->queue, time_ns);
    f->last_ns = time_ns;
    event->time_ns = time_ns;
    event->clock = how;
}

/* A collective that a watchdog found was started when it says, and was stuck for its timeout. */
static void put_bounds(const struct hc_failure_groups *groups, struct hc_event *event)
{
    const int64_t most_ms = (int64_t)366 * 86400 * 1000;
    if (groups->timeout_ms >= 0 && groups->timeout_ms < most_ms)
        event->to_ns = event->time_ns - groups->timeout_ms * NS_PER_MS;
    if (groups->ran_ms >= groups->timeout_ms && groups->ran_ms >= 0 && groups->ran_ms < most_ms)
        event->from_ns = event->time_ns - groups->ran_ms * NS_PER_MS;
}

/* ---- lines ---- */

static enum hc_status put_event(struct hc_failure_lines *f, const struct hc_line_prefix *prefix,
                                struct hc_event *event, const struct hc_failure_groups *groups,
                                struct hc_error *err)
{
    bool is_open;
    char device[32];
    if (!event->device.length && prefix->local_rank != HC_MISSING_I32) {
        int n = snprintf(device, sizeof device, "local rank %d", prefix->local_rank);
        event->device = (struct hc_event_text){device, (size_t)n};
    }
    if (groups)
        put_written_time(f, groups->time, event);
    put_place(f, prefix, event, &is_open);
    if (groups && !is_open)
        put_bounds(groups, event);
    return hc_failure_queue_put(&f->queue, event, is_open, err);
}

static int64_t who_of(const struct hc_line_prefix *prefix)
{
    return (int64_t)((uint64_t)(uint32_t)prefix->rank << 32 | (uint32_t)prefix->local_rank);
}

static struct hc_traceback *find_traceback(struct hc_failure_lines *f, int64_t who)
{
    for (size_t i = 0; i < f->n_tracebacks; i++)
        if (f->tracebacks[i].who == who)
            return &f->tracebacks[i];
    return NULL;
}

/* A traceback begins; one of the same rank that never ended is forgotten, or the oldest. */
static void begin_traceback(struct hc_failure_lines *f, int64_t who, int64_t line)
{
    struct hc_traceback *t = find_traceback(f, who);
    if (!t && f->n_tracebacks == HC_FAILURE_TRACEBACKS) {
        memmove(f->tracebacks, f->tracebacks + 1, (HC_FAILURE_TRACEBACKS - 1) * sizeof *t);
        f->n_tracebacks--;
    }
    if (!t)
        t = &f->tracebacks[f->n_tracebacks++];
    *t = (struct hc_traceback){.who = who, .line = line};
}

/* *is_taken: the line is of the traceback, and nothing else. */
static enum hc_status take_traceback(struct hc_failure_lines *f, struct hc_traceback *t,
                                     const struct hc_line_prefix *prefix, struct hc_event *event,
                                     bool *is_taken, struct hc_error *err)
{
    char buffer[HC_FAILURE_TEXT_MOST];
    struct hc_failure_groups groups;
    enum hc_block_line is = hc_traceback_take(t, prefix->rest, event, buffer);
    *is_taken = is == HC_BLOCK_ENDS ||
                (is == HC_BLOCK_GOES_ON && (!prefix->rest.length || *prefix->rest.text == ' '));
    if (is == HC_BLOCK_GOES_ON)
        return HC_OK;
    *t = f->tracebacks[--f->n_tracebacks];
    if (is == HC_BLOCK_NOT)
        return HC_OK;
    struct hc_event known = *event; /* what the patterns say of the message */
    if (hc_failure_match(f->patterns, prefix->rest, &known, &groups)) {
        event->event_class = known.event_class;
        event->effect = known.effect;
        event->device = known.device;
    }
    return put_event(f, prefix, event, NULL, err);
}

/* torchrun writes the time of the failure with the block. */
static enum hc_status take_cause(struct hc_failure_lines *f, const struct hc_line_prefix *prefix,
                                 struct hc_error *err)
{
    if (hc_root_cause_take(&f->cause, prefix->rest) != HC_BLOCK_ENDS)
        return HC_OK;
    struct hc_line_prefix whose = *prefix; /* of torchrun, not of the rank that failed */
    whose.rank = whose.local_rank = HC_MISSING_I32;
    put_written_time(f, (struct hc_event_text){f->cause.time, strlen(f->cause.time)},
                     &f->cause.event);
    return put_event(f, &whose, &f->cause.event, NULL, err);
}

static enum hc_status take_plain(struct hc_failure_lines *f, const struct hc_line_prefix *prefix,
                                 const struct hc_line *line, bool may_match, struct hc_event *event,
                                 struct hc_error *err)
{
    struct hc_failure_groups groups;
    struct hc_event_text rest = prefix->rest;
    if (rest.length > 25 && (*rest.text == 'T' || *rest.text == ' ') && hc_traceback_begins(rest)) {
        begin_traceback(f, who_of(prefix), line->number);
        return HC_OK;
    }
    if (rest.length > 10 && *rest.text == 'R' && hc_root_cause_begins(rest)) {
        f->cause =
            (struct hc_root_cause){.is_open = true, .line = line->number, .event = hc_event_none};
        return HC_OK;
    }
    if (!may_match || !hc_failure_match(f->patterns, rest, event, &groups))
        return HC_OK;
    event->line = line->number;
    return put_event(f, prefix, event, &groups, err);
}

const struct hc_failure_patterns *hc_failure_lines_patterns(const struct hc_failure_lines *f)
{
    return f->patterns;
}

enum hc_status hc_failure_lines_take(struct hc_failure_lines *f, const struct hc_line *line,
                                     bool may_match, struct hc_error *err)
{
    struct hc_line_prefix prefix;
    struct hc_event event = hc_event_none;
    bool is_taken = false;
    if (line->is_long)
        return HC_OK;
    hc_line_prefix_read((struct hc_event_text){line->text, line->length}, &prefix);
    take_stamp(f, &prefix, &event);
    if (f->cause.is_open)
        return take_cause(f, &prefix, err);
    struct hc_traceback *t = f->n_tracebacks ? find_traceback(f, who_of(&prefix)) : NULL;
    if (t && !hc_traceback_begins(prefix.rest) &&
        take_traceback(f, t, &prefix, &event, &is_taken, err))
        return err->status;
    return is_taken ? HC_OK : take_plain(f, &prefix, line, may_match, &event, err);
}

enum hc_status hc_failure_lines_end(struct hc_failure_lines *f, struct hc_row_report *report,
                                    struct hc_error *err)
{
    f->has_end =
        take_state(f, f->queue.may_grow ? HC_END_OF_GROWING : HC_END_OF_LOG_AT_REST, &f->end);
    f->is_over = true;
    if (f->cause.is_open && f->queue.may_grow) {
        f->cause.is_open = false;
        report->rows_waiting++;
    }
    if (f->cause.is_open) {
        struct hc_line_prefix end = {
            .rank = HC_MISSING_I32, .local_rank = HC_MISSING_I32, .rest = {"=====", 5}};
        if (take_cause(f, &end, err))
            return err->status;
    }
    hc_failure_queue_close_open(&f->queue, HC_MISSING_I64);
    report->rows_waiting += f->queue.n_waiting;
    hc_stamp_clock_warn(&f->clock, f->name);
    return HC_OK;
}

enum hc_status hc_failure_lines_give(struct hc_failure_lines *f, struct hc_table *events,
                                     struct hc_error *err)
{
    const struct hc_event *event;
    while (events->n_rows < events->capacity && (event = hc_failure_queue_first(&f->queue))) {
        if (hc_event_put(&f->writer, event, events, err))
            return err->status;
        hc_failure_queue_drop_first(&f->queue);
    }
    return HC_OK;
}
