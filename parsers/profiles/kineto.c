/* kineto.c - traces of the PyTorch profiler (Kineto), a file a rank: an object with "traceEvents"
 * and what the trace says of itself before or behind them, or the bare array
 * (docs/formats/kineto.md).
 *
 * One pass over the text, event by event. Three things go wrong in real files and are survived: the
 * tail is missing (the job was killed), control bytes stand in strings, and a quote within a string
 * is not escaped. Behind such damage the reader goes on at the next event that it can tell.
 */
#include "core/base/log.h"
#include "parsers/io/format.h"
#include "parsers/profiles/kineto_info.h"
#include "parsers/profiles/kineto_rows.h"
#include "parsers/profiles/trace_rank.h"
#include "parsers/profiles/trace_scan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BRACE_BEFORE                                                                               \
    64 /* bytes from the brace of an event to its "ph" or "cat", to be found again */

enum place { AT_START, IN_MEMBERS, IN_EVENTS, AT_GROUPS, AT_RANK, AT_END };

struct kineto {
    const char *source;
    struct hc_trace_text text;
    struct hc_kineto_info info;
    struct hc_kineto_rows *rows;
    enum place place;
    bool is_array; /* the text is the array of events itself */
    bool is_cut;
    int64_t n_damaged, n_no_objects;
};

static void close_kineto(void *parser)
{
    struct kineto *p = parser;
    if (!p)
        return;
    hc_trace_text_close(&p->text);
    hc_kineto_info_fini(&p->info);
    hc_kineto_rows_close(p->rows);
    free(p);
}

static enum hc_status open_kineto(void **parser, const struct hc_source *source,
                                  const struct hc_parse_options *options, struct hc_error *err)
{
    struct kineto *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source->name;
    hc_kineto_info_init(&p->info);
    if (hc_kineto_rows_open(&p->rows, source->name, options->names, options->op_names, err) ||
        hc_trace_text_open(&p->text, source, err)) {
        close_kineto(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

static int64_t position(const void *parser)
{
    return hc_byte_reader_position(((const struct kineto *)parser)->text.reader);
}

/* ---- damage ---- */

/* Members of the trace that the reader can go on with: {"traceEvents": ... */
static bool is_known_member(const char *quote)
{
    static const char *const names[] = {"\"traceEvents\"", "\"distributedInfo\"",
                                        "\"baseTimeNanoseconds\""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(quote, names[i], strlen(names[i])) == 0)
            return *hc_scan_blanks(quote + strlen(names[i])) == ':';
    return false;
}

/* The brace of the event whose first key may be at the quote, or NULL. */
static const char *brace_before(const char *quote, const char *first)
{
    const char *at = quote;
    while (at > first && quote - at < BRACE_BEFORE && *at != '{')
        at--;
    return *at == '{' && hc_scan_begins_event(at) ? at : NULL;
}

/* Look for a place in the window where reading can go on; *next is where to look on. */
static bool find_place(struct kineto *p, size_t *next)
{
    struct hc_trace_text *text = &p->text;
    const char *first = text->bytes + text->at, *end = text->bytes + text->end;
    for (const char *at = text->bytes + *next; (at = memchr(at, '"', (size_t)(end - at))); at++) {
        if (!text->is_ended && end - at < BRACE_BEFORE)
            break; /* what it is shows with more text */
        *next = (size_t)(at + 1 - text->bytes);
        const char *brace = NULL;
        if (strncmp(at, "\"ph\"", 4) == 0 || strncmp(at, "\"cat\"", 5) == 0)
            brace = brace_before(at, first);
        if (!brace && !is_known_member(at))
            continue;
        p->place = brace ? IN_EVENTS : IN_MEMBERS;
        text->at = (size_t)((brace ? brace : at) - text->bytes);
        return true;
    }
    return false;
}

/* Count a damaged stretch, which begins at text->at and shows a little later, and go to where
 * reading can go on: the next event, or a member of the trace that matters, or the end. */
static enum hc_status go_on(struct kineto *p, struct hc_row_report *report, struct hc_error *err)
{
    struct hc_trace_text *text = &p->text;
    p->n_damaged++;
    report->rows_read++;
    if (hc_row_report_bad(report, HC_BAD_FIELDS, HC_MISSING_I32, err,
                          "'%s': byte %" PRId64 ": what follows is no JSON", p->source,
                          hc_trace_text_byte(text)))
        return err->status;
    if (text->at < text->end)
        text->at++;
    for (;;) {
        size_t next = text->at;
        if (find_place(p, &next))
            return HC_OK;
        size_t kept = text->end - text->at > BRACE_BEFORE ? text->end - BRACE_BEFORE : text->at;
        bool more = true;
        text->at = kept > text->at ? kept : text->at;
        if (text->is_ended) {
            text->at = text->end;
            p->place = AT_GROUPS;
            return HC_OK;
        }
        if (hc_trace_text_more(text, &more, err))
            return err->status;
    }
}

/* The text ends where it should not. */
static void note_cut(struct kineto *p)
{
    hc_warn("'%s': the trace ends within its text at byte %lld; the %lld events before it are read",
            p->source, (long long)hc_trace_text_byte(&p->text), (long long)p->rows->n_events);
    p->is_cut = true;
    p->place = AT_GROUPS;
}

/* A value that is no JSON, or is not ended before the text is. */
static enum hc_status leave_value(struct kineto *p, struct hc_row_report *report,
                                  struct hc_error *err)
{
    if (!p->text.is_over)
        return go_on(p, report, err);
    note_cut(p);
    return HC_OK;
}

/* ---- what is around the events ---- */

static enum hc_status start(struct kineto *p, struct hc_row_report *report, struct hc_error *err)
{
    struct hc_trace_value token;
    bool more = true;
    if (hc_trace_text_more(&p->text, &more, err))
        return err->status;
    if (memcmp(p->text.bytes, "\xEF\xBB\xBF", 3) == 0)
        p->text.at = 3;
    if (hc_trace_text_token(&p->text, &token, err))
        return err->status;
    p->is_array = hc_trace_is_mark(&token, '[');
    p->place = p->is_array ? IN_EVENTS : IN_MEMBERS;
    if (p->is_array || hc_trace_is_mark(&token, '{'))
        return HC_OK;
    return token.kind == HC_TRACE_END ? leave_value(p, report, err) : go_on(p, report, err);
}

/* The value of a member that nothing is read from. */
static enum hc_status skip_member(struct kineto *p, bool *is_good, struct hc_error *err)
{
    struct hc_trace_value token;
    if (hc_trace_text_token(&p->text, &token, err))
        return err->status;
    return hc_trace_text_skip(&p->text, &token, is_good, err);
}

static enum hc_status take_base(struct kineto *p, bool *is_good, struct hc_error *err)
{
    struct hc_trace_value token;
    int64_t base_ns = 0;
    if (hc_trace_text_token(&p->text, &token, err))
        return err->status;
    if (hc_trace_i64(&token, &base_ns)) {
        p->info.base_ns = base_ns;
        return HC_OK;
    }
    return hc_trace_text_skip(&p->text, &token, is_good, err);
}

/* The array of events is entered; any other value in its place is read over. */
static enum hc_status enter_events(struct kineto *p, bool *is_good, struct hc_error *err)
{
    struct hc_trace_value token;
    if (hc_trace_text_token(&p->text, &token, err))
        return err->status;
    if (!hc_trace_is_mark(&token, '['))
        return hc_trace_text_skip(&p->text, &token, is_good, err);
    p->place = IN_EVENTS;
    return HC_OK;
}

enum member { EVENTS, INFO, BASE, OTHER_MEMBER };

static enum member member_of(const struct hc_trace_value *key)
{
    return hc_trace_is(key, "traceEvents")           ? EVENTS
           : hc_trace_is(key, "distributedInfo")     ? INFO
           : hc_trace_is(key, "baseTimeNanoseconds") ? BASE
                                                     : OTHER_MEMBER;
}

static enum hc_status take_member(struct kineto *p, enum member member, bool *is_good,
                                  struct hc_error *err)
{
    const struct hc_kineto_group_names names = {&p->rows->group, &p->rows->description};
    switch (member) {
    case EVENTS:
        return enter_events(p, is_good, err);
    case INFO:
        return hc_kineto_info_read(&p->info, &p->text, &names, is_good, err);
    case BASE:
        return take_base(p, is_good, err);
    default:
        return skip_member(p, is_good, err);
    }
}

/* A member of the trace, or its end. */
static enum hc_status read_member(struct kineto *p, struct hc_row_report *report,
                                  struct hc_error *err)
{
    struct hc_trace_value token, colon;
    if (hc_trace_text_token(&p->text, &token, err))
        return err->status;
    if (hc_trace_is_mark(&token, ','))
        return HC_OK;
    if (hc_trace_is_mark(&token, '}')) {
        p->place = AT_GROUPS;
        return HC_OK;
    }
    if (token.kind != HC_TRACE_STRING)
        return leave_value(p, report, err);
    enum member member = member_of(&token);
    bool is_good = true;
    enum hc_status status = hc_trace_text_token(&p->text, &colon, err);
    if (!status && !hc_trace_is_mark(&colon, ':'))
        return leave_value(p, report, err);
    if (!status)
        status = take_member(p, member, &is_good, err);
    return status || is_good ? status : leave_value(p, report, err);
}

/* ---- events ---- */

/* What stands in the array and is no object: counted and read over. */
static enum hc_status skip_element(struct kineto *p, struct hc_row_report *report,
                                   struct hc_error *err)
{
    struct hc_trace_value token;
    bool is_good = true;
    int64_t byte = hc_trace_text_byte(&p->text);
    if (hc_trace_text_token(&p->text, &token, err) ||
        hc_trace_text_skip(&p->text, &token, &is_good, err))
        return err->status;
    if (!is_good)
        return leave_value(p, report, err);
    p->n_no_objects++;
    report->rows_read++;
    return hc_row_report_bad(report, HC_BAD_FIELDS, HC_MISSING_I32, err,
                             "'%s': byte %" PRId64 ": an event is no object", p->source, byte);
}

/* Whether an event or a member that matters follows in an event that the text ends in: then it is
 * damaged, not cut. */
static bool is_followed(struct kineto *p)
{
    const enum place place = p->place;
    const size_t at = p->text.at;
    size_t next = at + 1;
    p->text.at = next;
    bool is_found = next < p->text.end && find_place(p, &next);
    p->place = place;
    p->text.at = at;
    return is_found;
}

/* The event goes on behind the window, or is cut, or as long as no event is. */
static enum hc_status read_on(struct kineto *p, struct hc_row_report *report, struct hc_error *err)
{
    bool more = true;
    if (hc_trace_text_more(&p->text, &more, err))
        return err->status;
    if (more)
        return HC_OK;
    if (!p->text.is_ended || is_followed(p))
        return go_on(p, report, err);
    if (!p->is_array || p->text.at < p->text.end)
        note_cut(p);
    p->place = AT_GROUPS;
    return HC_OK;
}

static enum hc_status read_event(struct kineto *p, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct hc_trace_text *text = &p->text;
    struct hc_kineto_event event;
    const char *at = text->bytes + text->at, *behind = NULL;
    bool is_good = true;
    enum hc_kineto_scan scan = hc_kineto_scan_event(&event, at, text->bytes + text->end, &behind);
    if (scan == HC_SCAN_MORE)
        return read_on(p, report, err);
    if (scan == HC_SCAN_EVENT && event.is_complete &&
        hc_kineto_rows_take(p->rows, &event, hc_trace_text_byte(text), report, &is_good, err))
        return err->status;
    if (scan == HC_SCAN_DAMAGED || !is_good)
        return go_on(p, report, err);
    text->at = (size_t)(behind - text->bytes);
    return HC_OK;
}

/* Events until the array ends or a table is full. */
static enum hc_status read_events(struct kineto *p, struct hc_row_report *report,
                                  struct hc_error *err)
{
    struct hc_trace_text *text = &p->text;
    enum hc_status status = HC_OK;
    while (!status && p->place == IN_EVENTS && !p->rows->is_full) {
        text->at = (size_t)(hc_scan_blanks(text->bytes + text->at) - text->bytes);
        char next = text->bytes[text->at];
        if (next == '{') {
            status = read_event(p, report, err);
        } else if (next == ',') {
            text->at++;
        } else if (text->at >= text->end) {
            status = read_on(p, report, err);
        } else if (next == ']') {
            text->at++;
            p->place = p->is_array ? AT_GROUPS : IN_MEMBERS;
        } else {
            status = skip_element(p, report, err);
        }
    }
    return status;
}

/* ---- the end ---- */

/* Starts and base are good by themselves; their sum must be, too. */
static enum hc_status check_base(const struct kineto *p, struct hc_error *err)
{
    const int64_t most_ns = (int64_t)1 << 62;
    int64_t base_ns = p->info.base_ns, end_ns = 0, start_ns = 0;
    if (base_ns > -most_ns && base_ns < most_ns &&
        !__builtin_add_overflow(base_ns, p->rows->last_end_ns, &end_ns) && end_ns < most_ns &&
        !__builtin_add_overflow(base_ns, p->rows->first_start_ns, &start_ns) && start_ns > -most_ns)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': 'baseTimeNanoseconds' is %" PRId64
                   ", which puts events out of the range of times",
                   p->source, base_ns);
}

static void fill_rank(const struct kineto *p, struct hc_table *ranks, size_t row)
{
    int32_t rank = p->info.rank;
    enum hc_rank_origin origin = HC_RANK_RECORDED;
    if (rank == HC_MISSING_I32)
        origin = hc_trace_rank_of_name(p->source, &rank) ? HC_RANK_OF_NAME : HC_RANK_ALONE;
    hc_table_i32(ranks, HC_RANKS_RANK)[row] = origin == HC_RANK_ALONE ? 0 : rank;
    hc_table_i32(ranks, HC_RANKS_RANK_ORIGIN)[row] = origin;
    hc_table_i32(ranks, HC_RANKS_WORLD_SIZE)[row] = p->info.world_size;
    hc_table_i64(ranks, HC_RANKS_BASE_NS)[row] = p->info.base_ns;
    bool has_rows = p->rows->first_start_ns <= p->rows->last_end_ns;
    hc_table_i64(ranks, HC_RANKS_FIRST_START_NS)[row] =
        has_rows ? p->rows->first_start_ns : HC_MISSING_I64;
    hc_table_i64(ranks, HC_RANKS_LAST_END_NS)[row] =
        has_rows ? p->rows->last_end_ns : HC_MISSING_I64;
    hc_table_i32(ranks, HC_RANKS_IS_CUT)[row] = p->is_cut;
}

static void fill_counts(const struct kineto *p, struct hc_table *ranks, size_t row)
{
    const struct hc_kineto_rows *rows = p->rows;
    const int64_t *n = rows->n_class;
    const int64_t counts[][2] = {
        {HC_RANKS_N_EVENTS, rows->n_events},
        {HC_RANKS_N_CPU_OPS, n[HC_KINETO_CPU_OP]},
        {HC_RANKS_N_CALLS, n[HC_KINETO_CALL]},
        {HC_RANKS_N_KERNELS, n[HC_KINETO_KERNEL]},
        {HC_RANKS_N_MEMCPYS, n[HC_KINETO_MEMCPY]},
        {HC_RANKS_N_MEMSETS, n[HC_KINETO_MEMSET]},
        {HC_RANKS_N_ANNOTATIONS, n[HC_KINETO_ANNOTATION]},
        {HC_RANKS_N_SYNCS, n[HC_KINETO_SYNC]},
        {HC_RANKS_N_PYTHON, n[HC_KINETO_PYTHON]},
        {HC_RANKS_N_OTHERS, n[HC_KINETO_KNOWN] + n[HC_KINETO_OTHER]},
        {HC_RANKS_N_NO_OBJECTS, p->n_no_objects},
        {HC_RANKS_N_NO_TIME, rows->n_no_time},
        {HC_RANKS_N_NO_DURATION, rows->n_no_duration},
        {HC_RANKS_N_NEGATIVE, rows->n_negative},
        {HC_RANKS_N_OUT_OF_RANGE, rows->n_out_of_range},
        {HC_RANKS_N_DAMAGED, p->n_damaged},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        hc_table_i64(ranks, (size_t)counts[i][0])[row] = counts[i][1];
}

static enum hc_status add_rank(struct kineto *p, struct hc_table *ranks, struct hc_error *err)
{
    if (check_base(p, err))
        return err->status;
    size_t row = ranks->n_rows++;
    fill_rank(p, ranks, row);
    fill_counts(p, ranks, row);
    p->place = AT_END;
    return HC_OK;
}

static enum hc_status next_tables(void *parser, struct hc_table *tables,
                                  struct hc_row_report *report, struct hc_error *err)
{
    struct kineto *p = parser;
    enum hc_status status = HC_OK;
    p->rows->tables = tables;
    p->rows->is_full = false;
    while (!status && !p->rows->is_full && p->place < AT_GROUPS)
        status = p->place == AT_START     ? start(p, report, err)
                 : p->place == IN_MEMBERS ? read_member(p, report, err)
                                          : read_events(p, report, err);
    if (p->text.is_cut && !p->is_cut && !status && p->place == AT_GROUPS)
        note_cut(p);
    if (!status && p->place == AT_GROUPS) {
        struct hc_table *groups = &tables[HC_PROFILE_GROUPS];
        hc_kineto_info_rows(&p->info, groups);
        if (groups->n_rows < groups->capacity)
            p->place = AT_RANK;
    }
    return !status && p->place == AT_RANK ? add_rank(p, &tables[HC_PROFILE_RANKS], err) : status;
}

/* ---- recognition ---- */

/* What the first bytes of a file show. */
struct signs {
    bool has_events, is_marked, is_profiled;
};

/* Whether any of the first events is of a class of the profiler. */
static void look_at_events(struct hc_trace_text *text, struct signs *signs)
{
    struct hc_kineto_event event;
    signs->has_events = true;
    for (;;) {
        const char *at = hc_scan_blanks(text->bytes + text->at), *end = text->bytes + text->end;
        if (*at == ',')
            at = hc_scan_blanks(at + 1);
        if (*at != '{' || hc_kineto_scan_event(&event, at, end, &at) != HC_SCAN_EVENT)
            return;
        signs->is_profiled |= event.is_complete && event.class != HC_KINETO_OTHER;
        text->at = (size_t)(at - text->bytes);
    }
}

static void look_at_members(struct hc_trace_text *text, struct signs *signs)
{
    static const char *const marks[] = {"schemaVersion", "distributedInfo", "deviceProperties",
                                        "baseTimeNanoseconds"};
    struct hc_trace_value token;
    struct hc_error err = {0};
    bool is_good = true;
    while (is_good && !hc_trace_text_token(text, &token, &err)) {
        if (hc_trace_is_mark(&token, ','))
            continue;
        if (token.kind != HC_TRACE_STRING)
            return;
        bool are_events = hc_trace_is(&token, "traceEvents");
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
            signs->is_marked |= hc_trace_is(&token, marks[i]);
        if (hc_trace_text_token(text, &token, &err) || !hc_trace_is_mark(&token, ':') ||
            hc_trace_text_token(text, &token, &err))
            return;
        if (are_events && hc_trace_is_mark(&token, '[')) {
            look_at_events(text, signs);
            return;
        }
        hc_trace_text_skip(text, &token, &is_good, &err);
    }
}

/* Surer than a step timeline in the same clothes can be. Where the first bytes end before the
 * events, as with many process groups, the marks have to do. */
static int probe(const unsigned char *head, size_t length, const char *path)
{
    struct hc_trace_text text;
    struct hc_trace_value token;
    struct hc_error err = {0};
    struct signs signs = {false, false, false};
    (void)path;
    if (length >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0) {
        head += 3;
        length -= 3;
    }
    if (hc_trace_text_open_bytes(&text, head, length, &err))
        return 0;
    if (!hc_trace_text_token(&text, &token, &err) && hc_trace_is_mark(&token, '{'))
        look_at_members(&text, &signs);
    else if (hc_trace_is_mark(&token, '['))
        look_at_events(&text, &signs);
    hc_trace_text_close(&text);
    if (signs.has_events)
        return signs.is_marked || signs.is_profiled ? 97 : 0;
    return signs.is_marked ? 60 : 0;
}

const struct hc_format hc_format_kineto = {
    .name = "kineto",
    .description = "trace of the PyTorch profiler (Kineto), one rank: JSON",
    .version = 1,
    .table = &hc_gpu_def,
    .probe = probe,
    .open = open_kineto,
    .next_tables = next_tables,
    .position = position,
    .close = close_kineto,
};
