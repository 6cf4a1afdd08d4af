/* job_log.c - logs of jobs of which only the lines that tell of a failure are read. */
#include "core/base/memory.h"
#include "parsers/failures/failure_lines.h"
#include "parsers/io/format.h"
#include "parsers/io/log_text.h"

#include <stdlib.h>
#include <string.h>

struct job_log {
    const struct hc_source *source;
    struct hc_line_reader *lines;
    struct hc_failure_lines *failures;
    struct hc_log_text text;
    bool at_end;
    struct hc_read_mark mark; /* with this state: */
    struct hc_failure_state state;
};

/* Whether a line of the first bytes tells of a failure: words of one alone may stand in any text.
 */
static bool has_failure(const struct hc_failure_patterns *patterns, const char *at, const char *end)
{
    while (at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        struct hc_event_text line = {at, (size_t)((feed ? feed : end) - at)};
        struct hc_event event = hc_event_none;
        struct hc_failure_groups groups;
        if (hc_failure_match(patterns, line, &event, &groups))
            return true;
        at = feed ? feed + 1 : end;
    }
    return false;
}

/* Any text may be such a log: it is one where no other format knows it, and a line of its first
 * bytes is a failure. */
static int probe(const unsigned char *head, size_t length, const char *path)
{
    struct hc_failure_patterns *patterns = NULL;
    struct hc_error err = {0};
    const char *text = (const char *)head;
    (void)path;
    if (memchr(head, '\0', length))
        return 0;
    if (memmem(head, length, "Traceback (most recent call last)", 33) ||
        memmem(head, length, "Root Cause (first observed failure)", 35) ||
        memmem(head, length, "\nRoot Cause:\n[0]:\n", 18))
        return 20;
    if (hc_failure_patterns_make(&patterns, (struct hc_pattern_text){0}, &err))
        return 0;
    bool is_one =
        hc_failure_may_match(patterns, text, length) && has_failure(patterns, text, text + length);
    hc_failure_patterns_free(patterns);
    return is_one ? 20 : 0;
}

static void close_log(void *parser)
{
    struct job_log *p = parser;
    if (!p)
        return;
    hc_lines_close(p->lines);
    hc_failure_lines_close(p->failures);
    hc_log_text_fini(&p->text);
    free(p);
}

static enum hc_status open_log(void **parser, const struct hc_source *source,
                               const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct job_log *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    if (hc_failure_lines_open(&p->failures, source, options, err) ||
        hc_lines_open(&p->lines, source, err) ||
        hc_read_mark_go_on(options->go_on, p->lines, err)) {
        close_log(p);
        return err->status;
    }
    if (options->go_on)
        hc_failure_lines_go_on(p->failures, options->go_on->state);
    hc_lines_break_at_returns(p->lines);
    *parser = p;
    return HC_OK;
}

/* Where the end of a log waits for a stamp, the place is before that, but not far. */
static void try_mark(struct job_log *p, const struct hc_row_report *report)
{
    if ((p->at_end || hc_read_mark_is_due(&p->mark, p->lines)) &&
        hc_failure_lines_save(p->failures, &p->state))
        hc_read_mark_put(&p->mark, p->lines, report);
}

/* What the line holds of what the job printed. */
static enum hc_status take_pieces(struct job_log *p, const struct hc_line *line,
                                  struct hc_error *err)
{
    struct hc_line piece;
    bool is_there = true, has_stamp;
    if (line->is_long)
        return HC_OK;
    hc_log_text_begin(&p->text, line);
    while (!hc_log_text_next(&p->text, &piece, &is_there, &has_stamp, err) && is_there)
        if (hc_failure_lines_take(p->failures, &piece, true, err))
            return err->status;
    return err->status;
}

static enum hc_status take_next(struct job_log *p, struct hc_row_report *report,
                                struct hc_error *err)
{
    struct hc_line line;
    if (hc_lines_next(p->lines, &line, &p->at_end, err))
        return err->status;
    if (!p->at_end)
        return take_pieces(p, &line, err);
    if (hc_lines_are_cut(p->lines))
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': the packed data ends too early; fetch or write it again",
                       p->source->name);
    if (hc_failure_lines_end(p->failures, report, err))
        return err->status;
    try_mark(p, report);
    return HC_OK;
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct job_log *p = parser;
    size_t had = rows->n_rows;
    enum hc_status status = hc_failure_lines_give(p->failures, rows, err);
    while (!status && !p->at_end && rows->n_rows < rows->capacity) {
        status = take_next(p, report, err);
        if (!status)
            status = hc_failure_lines_give(p->failures, rows, err);
        if (!status && !p->at_end)
            try_mark(p, report);
    }
    report->rows_read += (int64_t)(rows->n_rows - had);
    return status;
}

static void mark_log(const void *parser, struct hc_read_mark *mark)
{
    const struct job_log *p = parser;
    struct hc_failure_state *state = mark->state;
    *state = p->state;
    *mark = p->mark;
    mark->state = state;
}

static int64_t position(const void *parser)
{
    const struct job_log *p = parser;
    return hc_lines_position(p->lines);
}

const struct hc_format hc_format_job_log = {
    .name = "job-log",
    .description = "failures in the log of a job: watchdogs, tracebacks, torchrun, Slurm",
    .version = 2,
    .is_lines = true,
    .table = &hc_events_def,
    .probe = probe,
    .open = open_log,
    .next_batch = next_batch,
    .mark = mark_log,
    .state_size = sizeof(struct hc_failure_state),
    .state_record = &hc_failure_state_record,
    .position = position,
    .close = close_log,
};
