/* phase_marks.c - the lines that examples/recorders/phase-mark.sh writes:
 *
 *   hindcast-phase 1 2026-11-20T10:00:00.5Z start image job=7 restart=0 node=n01 rank=3 detail=...
 *   hindcast-phase 1 2026-11-20T10:01:00.5Z end image job=7 ... began=2026-11-20T10:00:00.5Z
 *
 * They may stand in any log: other lines are passed over. A start gives a row without an end, an
 * end the same row with it, which wins. The start of an end that does not name it is the last one
 * of the same phase that the file has. */
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/printable.h"
#include "core/tables/nodes/phase_table.h"
#include "core/tables/nodes/record_rows.h"
#include "core/tables/record.h"
#include "core/text/number_text.h"
#include "parsers/io/format.h"
#include "parsers/io/line_reader.h"

#include <stdlib.h>
#include <string.h>

#define MARK      "hindcast-phase 1 "
#define MOST_OPEN 4096 /* starts that wait for their ends; beyond it the oldest is forgotten */

struct open_phase {
    int64_t who; /* hash of phase, job, restart, node and rank; 0: none */
    int64_t start_ns;
};

struct phase_marks {
    const struct hc_source *source;
    struct hc_table_names *names;
    struct hc_line_reader *lines;
    struct open_phase open[MOST_OPEN]; /* a ring: next_open is the oldest */
    size_t next_open;
    bool at_end;
    struct hc_read_mark mark;
};

/* A line in its parts. */
struct mark {
    struct hc_phase_row row;
    int64_t time_ns, began_ns;
    bool is_end;
    int64_t who;
    const char *wrong; /* what is wrong with it, or NULL */
};

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    if (length >= sizeof MARK - 1 && memcmp(head, MARK, sizeof MARK - 1) == 0)
        return 95;
    return memmem(head, length, "\n" MARK, sizeof MARK) ? 20 : 0;
}

/* ---- a line ---- */

static struct hc_phase_text next_word(struct hc_phase_text *rest)
{
    while (rest->length && *rest->text == ' ') {
        rest->text++;
        rest->length--;
    }
    const char *space = rest->length ? memchr(rest->text, ' ', rest->length) : NULL;
    struct hc_phase_text word = {rest->text, space ? (size_t)(space - rest->text) : rest->length};
    rest->text += word.length;
    rest->length -= word.length;
    return word;
}

static bool is(struct hc_phase_text text, const char *word)
{
    return text.length == strlen(word) && memcmp(text.text, word, text.length) == 0;
}

static bool take_name(struct hc_phase_text *word, const char *name)
{
    size_t length = strlen(name);
    if (word->length < length || memcmp(word->text, name, length) != 0)
        return false;
    word->text += length;
    word->length -= length;
    return true;
}

/* ISO 8601 with a zone, or nanoseconds since 1970. */
static bool read_time(struct hc_phase_text text, int64_t *time_ns)
{
    return hc_parse_iso8601(text.text, text.length, time_ns) ||
           (hc_text_to_i64(text.text, text.length, time_ns) == HC_TEXT_OK &&
            *time_ns > (int64_t)1000000000000000);
}

static bool read_i32(struct hc_phase_text text, int32_t *value)
{
    int64_t wide;
    if (hc_text_to_i64(text.text, text.length, &wide) || wide < 0 || wide > INT32_MAX)
        return false;
    *value = (int32_t)wide;
    return true;
}

/* A word NAME=VALUE. Returns what is wrong with it, or NULL. */
static const char *read_value(struct mark *mark, struct hc_phase_text word)
{
    struct hc_phase_row *row = &mark->row;
    if (take_name(&word, "job="))
        return hc_text_to_i64(word.text, word.length, &row->job) || row->job < 0 ? "'job'" : NULL;
    if (take_name(&word, "array_task="))
        return read_i32(word, &row->array_task) ? NULL : "'array_task'";
    if (take_name(&word, "restart="))
        return read_i32(word, &row->restarts) ? NULL : "'restart'";
    if (take_name(&word, "cycle="))
        return read_i32(word, &row->cycle) ? NULL : "'cycle'";
    if (take_name(&word, "rank="))
        return read_i32(word, &row->rank) ? NULL : "'rank'";
    if (take_name(&word, "began="))
        return read_time(word, &mark->began_ns) ? NULL : "'began'";
    if (take_name(&word, "node="))
        row->node = word;
    return NULL; /* names of later versions too */
}

/* The line behind MARK. */
static void read_mark(struct mark *mark, struct hc_phase_text rest)
{
    *mark = (struct mark){.row = hc_phase_none, .began_ns = HC_MISSING_I64};
    struct hc_phase_text time = next_word(&rest), what = next_word(&rest), phase = next_word(&rest);
    mark->is_end = is(what, "end");
    mark->row.phase = hc_phase_find(phase.text, phase.length);
    if (mark->row.phase == HC_PHASE_OTHER)
        mark->row.detail = phase;
    if (!read_time(time, &mark->time_ns))
        mark->wrong = "the time";
    else if (!mark->is_end && !is(what, "start"))
        mark->wrong = "'start' or 'end'";
    else if (!phase.length)
        mark->wrong = "the phase";
    while (!mark->wrong && rest.length) {
        struct hc_phase_text from = rest, word = next_word(&rest);
        if (take_name(&word, "detail=")) {
            word.length = (size_t)(from.text + from.length - word.text);
            if (mark->row.phase != HC_PHASE_OTHER)
                mark->row.detail = word;
            break;
        }
        mark->wrong = read_value(mark, word);
    }
    int32_t numbers[] = {mark->row.array_task, mark->row.restarts, mark->row.cycle, mark->row.rank};
    mark->who = hc_record_fact(0, phase.text, phase.length);
    mark->who = hc_record_fact(mark->who, (const char *)&mark->row.job, sizeof mark->row.job);
    mark->who = hc_record_fact(mark->who, (const char *)numbers, sizeof numbers);
    mark->who = hc_record_fact(mark->who, mark->row.node.text, mark->row.node.length) | 1;
}

/* ---- starts and ends ---- */

static void open_phase(struct phase_marks *p, const struct mark *mark)
{
    p->open[p->next_open] = (struct open_phase){mark->who, mark->time_ns};
    p->next_open = (p->next_open + 1) % MOST_OPEN;
}

/* The start of the phase that ends, HC_MISSING_I64 where the file has none. */
static int64_t close_phase(struct phase_marks *p, const struct mark *mark)
{
    for (size_t i = 1; i <= MOST_OPEN; i++) {
        struct open_phase *open = &p->open[(p->next_open + MOST_OPEN - i) % MOST_OPEN];
        if (open->who != mark->who)
            continue;
        open->who = 0;
        return open->start_ns;
    }
    return HC_MISSING_I64;
}

static enum hc_status bad(struct hc_row_report *report, enum hc_bad_reason reason,
                          const struct hc_line *line, const char *what, struct hc_error *err)
{
    return hc_row_report_bad(report, reason, HC_MISSING_I32, err, "line %lld: %s: '%s'",
                             (long long)line->number, what,
                             hc_printable(line->text, line->length).text);
}

static enum hc_status take(struct phase_marks *p, const struct hc_line *line, struct hc_table *rows,
                           struct hc_row_report *report, struct hc_error *err)
{
    struct mark mark;
    struct hc_phase_text text = {line->text, line->length};
    if (!take_name(&text, MARK))
        return HC_OK;
    report->rows_read++;
    read_mark(&mark, text);
    if (mark.wrong)
        return bad(report, HC_BAD_NUMBER, line, mark.wrong, err);
    if (!mark.is_end) {
        open_phase(p, &mark);
        mark.row.start_ns = mark.time_ns;
    } else {
        int64_t found_ns = close_phase(p, &mark);
        mark.row.start_ns = mark.began_ns != HC_MISSING_I64 ? mark.began_ns : found_ns;
        mark.row.end_ns = mark.time_ns;
        if (mark.row.start_ns == HC_MISSING_I64)
            return bad(report, HC_BAD_NULL, line, "an end whose start the file does not have", err);
        if (mark.row.end_ns < mark.row.start_ns)
            return bad(report, HC_BAD_RANGE, line, "an end before its start", err);
    }
    mark.row.line = line->number;
    mark.row.source = (struct hc_phase_text){p->source->name, strlen(p->source->name)};
    return hc_phase_put(&mark.row, p->names, rows, err);
}

/* ---- the format ---- */

static void close_marks(void *parser)
{
    struct phase_marks *p = parser;
    if (!p)
        return;
    hc_lines_close(p->lines);
    free(p);
}

/* Starts that wait, the oldest first. */
#define MOST_KEPT 512
struct kept_phase {
    struct open_phase open;
    int64_t ago; /* starts since, itself among them */
};
struct marks_state {
    size_t n;
    struct kept_phase open[MOST_KEPT];
};

#define OPEN(...) HC_FIELD(struct kept_phase, __VA_ARGS__)
static const struct hc_field open_fields[] = {
    OPEN("who", open.who, "", "hash of phase, job, restart, node and rank"),
    OPEN("start_ns", open.start_ns, "ns", "when it began"),
    OPEN("ago", ago, "", "starts since, itself among them"),
};
static const struct hc_record_def open_record = HC_RECORD(NULL, open_fields);
static const struct hc_field state_fields[] = {
    HC_LIST_IN(struct marks_state, "open", open, n, &open_record, "phases that have not ended",
               .rules = HC_LINE),
};
static const struct hc_record_def state_record = HC_RECORD(NULL, state_fields);

/* A file with more starts that wait than are kept has no mark. */
static void mark_marks(const void *parser, struct hc_read_mark *mark)
{
    const struct phase_marks *p = parser;
    struct marks_state *state = mark->state;
    state->n = 0;
    for (size_t ago = MOST_OPEN; ago > 0; ago--) {
        const struct open_phase *open = &p->open[(p->next_open + MOST_OPEN - ago) % MOST_OPEN];
        if (!open->who)
            continue;
        if (state->n == MOST_KEPT) {
            mark->offset = 0;
            return;
        }
        state->open[state->n++] = (struct kept_phase){*open, (int64_t)ago};
    }
    *mark = p->mark;
    mark->state = state;
}

static void take_open(struct phase_marks *p, const struct hc_read_mark *go_on)
{
    const struct marks_state *state = go_on ? go_on->state : NULL;
    for (size_t i = 0; state && i < state->n; i++)
        if (state->open[i].ago > 0 && state->open[i].ago <= MOST_OPEN)
            p->open[MOST_OPEN - (size_t)state->open[i].ago] = state->open[i].open;
}

static enum hc_status open_marks(void **parser, const struct hc_source *source,
                                 const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct phase_marks *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->names = options->names;
    take_open(p, options->go_on);
    if (hc_lines_open(&p->lines, source, err) ||
        hc_read_mark_go_on(options->go_on, p->lines, err)) {
        close_marks(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct phase_marks *p = parser;
    struct hc_line line;
    while (!p->at_end && rows->n_rows < rows->capacity) {
        if (hc_lines_next(p->lines, &line, &p->at_end, err))
            return err->status;
        if (!p->at_end && take(p, &line, rows, report, err))
            return err->status;
        if (p->at_end && hc_lines_are_cut(p->lines))
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': the packed data ends too early; fetch or write it again",
                           p->source->name);
        if (p->at_end)
            hc_read_mark_put(&p->mark, p->lines, report);
    }
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct phase_marks *p = parser;
    return hc_lines_position(p->lines);
}

const struct hc_format hc_format_phase_marks = {
    .name = "phase-marks",
    .description = "start-up phases that phase-mark.sh wrote down",
    .version = 1,
    .is_lines = true,
    .table = &hc_phases_def,
    .probe = probe,
    .open = open_marks,
    .next_batch = next_batch,
    .mark = mark_marks,
    .state_size = sizeof(struct marks_state),
    .state_record = &state_record,
    .position = position,
    .close = close_marks,
};
