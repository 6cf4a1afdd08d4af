/* kernel_json.c - kernel logs as JSON, an object a line: `journalctl -o json`, and what log stores
 * export. */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/number_text.h"
#include "parsers/io/format.h"
#include "parsers/io/line_reader.h"
#include "parsers/kernel/json_line.h"
#include "parsers/kernel/kernel_line.h"
#include "parsers/kernel/kernel_message.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_S ((int64_t)1000000000)

typedef struct hc_event_text text;

struct kernel_json {
    const struct hc_source *source;
    struct hc_event_writer writer;
    struct hc_kernel_rules *rules;
    struct hc_line_reader *lines;
    struct hc_stamp_clock clock;
    bool at_end;
    struct hc_read_mark mark;
};

/* What the fields of a line say. */
struct record {
    char message[4096], host[256], time[64];
    size_t message_length, host_length, time_length;
    bool is_micro;      /* the time is journald's: microseconds */
    bool is_of_program; /* a field names a program that is not the kernel */
};

/* ---- fields ---- */

static bool is(text word, const char *what)
{
    return word.length == strlen(what) && memcmp(word.text, what, word.length) == 0;
}

/* Whether a field is one of a list of "key" and "outer.key". */
static bool is_one_of(const struct hc_json_field *field, const char *const *names)
{
    for (; *names; names++) {
        const char *dot = strchr(*names, '.');
        if (!field->outer.length
                ? is(field->key, *names)
                : dot && is(field->key, dot + 1) && field->outer.length == (size_t)(dot - *names) &&
                      memcmp(field->outer.text, *names, field->outer.length) == 0)
            return true;
    }
    return false;
}

static const char *const message_names[] = {"MESSAGE", "message",        "msg", "log", "line",
                                            "_raw",    "event.original", NULL};
static const char *const host_names[] = {"_HOSTNAME",       "host",
                                         "hostname",        "host.name",
                                         "host.hostname",   "node",
                                         "nodename",        "node_name",
                                         "kubernetes.node", "kubernetes.node_name",
                                         "kubernetes.host", "agent.hostname",
                                         "labels.host",     "labels.hostname",
                                         "labels.node",     NULL};
static const char *const time_names[] = {
    "__REALTIME_TIMESTAMP", "@timestamp", "timestamp", "ts", "time", "_time", "datetime", NULL};
static const char *const program_names[] = {
    "SYSLOG_IDENTIFIER", "syslog_identifier", "ident", "program", "appname", "app_name", NULL};

static void take_field(const struct hc_json_field *field, void *context)
{
    struct record *r = context;
    char word[16];
    if (!r->message_length && is_one_of(field, message_names)) {
        r->message_length = hc_json_field_text(field, r->message, sizeof r->message);
    } else if (!r->host_length && is_one_of(field, host_names)) {
        r->host_length = hc_json_field_text(field, r->host, sizeof r->host);
    } else if (!r->time_length && is_one_of(field, time_names)) {
        r->is_micro = is(field->key, "__REALTIME_TIMESTAMP");
        r->time_length = hc_json_field_text(field, r->time, sizeof r->time);
    } else if (is_one_of(field, program_names)) {
        text program = {word, hc_json_field_text(field, word, sizeof word)};
        r->is_of_program |= program.length && !is(program, "kernel");
    }
}

/* Seconds, milli-, micro- or nanoseconds since 1970, by their size: of the years 1973 to 2255. */
static bool read_number(const struct record *r, int64_t *time_ns)
{
    int64_t value;
    if (r->is_micro)
        return hc_text_us_to_ns(r->time, r->time_length, time_ns) == HC_TEXT_OK;
    if (hc_text_to_ns(r->time, r->time_length, time_ns) == HC_TEXT_OK &&
        *time_ns < 9000000000 * NS_PER_S)
        return *time_ns >= 100000000 * NS_PER_S;
    if (hc_text_to_i64(r->time, r->time_length, &value) != HC_TEXT_OK || value <= 0)
        return false;
    *time_ns = value < 9000000000000      ? value * 1000000
               : value < 9000000000000000 ? value * 1000
                                          : value;
    return true;
}

static bool tell_time(struct kernel_json *p, const struct record *r,
                      const struct hc_kernel_line *parts, struct hc_event *event)
{
    struct hc_line_stamp stamp;
    if (r->time_length && hc_line_stamp_read(r->time, r->time_length, &stamp))
        return hc_stamp_clock_tell(&p->clock, &stamp, &event->time_ns, &event->clock);
    event->clock = HC_CLOCK_STAMPED;
    if (r->time_length && read_number(r, &event->time_ns))
        return true;
    return parts->has_stamp &&
           hc_stamp_clock_tell(&p->clock, &parts->stamp, &event->time_ns, &event->clock);
}

/* ---- lines ---- */

static enum hc_status bad(const struct hc_line *line, enum hc_bad_reason reason, const char *what,
                          struct hc_row_report *report, struct hc_error *err)
{
    report->rows_read++;
    return hc_row_report_bad(report, reason, HC_MISSING_I32, err, "line %lld: %s",
                             (long long)line->number, what);
}

/* "MESSAGE" : [ 78, 86, ... ]: bytes, in which no words can be looked for */
static bool has_bytes(text line)
{
    static const char name[] = "\"MESSAGE\"";
    const char *at = memmem(line.text, line.length, name, sizeof name - 1);
    const char *end = line.text + line.length;
    for (at = at ? at + sizeof name - 1 : end; at < end && (*at == ' ' || *at == ':'); at++)
        ;
    return at < end && *at == '[';
}

/* Without what journalctl puts before an object in -o json-seq and -o json-sse. */
static text object_of(text line)
{
    static const char event[] = "data: ";
    size_t n = line.length && *line.text == '\x1e' ? 1 : 0;
    if (line.length > sizeof event && memcmp(line.text, event, sizeof event - 1) == 0)
        n = sizeof event - 1;
    return (text){line.text + n, line.length - n};
}

static enum hc_status take_line(struct kernel_json *p, const struct hc_line *line,
                                struct hc_table *rows, struct hc_row_report *report,
                                struct hc_error *err)
{
    struct record record;
    struct hc_kernel_line parts;
    struct hc_event event = hc_event_none;
    text whole = {line->text, line->length};
    if (line->is_long)
        return bad(line, HC_BAD_TEXT, "is too long", report, err);
    if (!hc_kernel_may_match(p->rules, line->text, line->length) && !has_bytes(whole))
        return HC_OK;
    record.message_length = record.host_length = record.time_length = 0;
    record.is_micro = record.is_of_program = false;
    if (!hc_json_line_read(object_of(whole), take_field, &record))
        return bad(line, HC_BAD_FIELDS, "is no JSON object", report, err);
    if (record.is_of_program || !record.message_length)
        return HC_OK;
    hc_kernel_line_split((text){record.message, record.message_length}, &parts);
    if (!parts.is_of_kernel || !hc_kernel_message_read(p->rules, parts.message, &event))
        return HC_OK;
    event.line = line->number;
    event.node = record.host_length ? (text){record.host, record.host_length} : parts.host;
    if (!tell_time(p, &record, &parts, &event))
        return bad(line, HC_BAD_NULL, "an event without a time", report, err);
    report->rows_read++;
    return hc_event_put(&p->writer, &event, rows, err);
}

/* ---- the format ---- */

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    const char *feed = memchr(head, '\n', length);
    size_t first = feed ? (size_t)(feed - (const char *)head) : length;
    struct record record = {.message_length = 0};
    text object = object_of((text){(const char *)head, first});
    if (!object.length || *object.text != '{' || !hc_json_line_read(object, take_field, &record) ||
        !record.message_length || !record.time_length)
        return 0;
    return record.is_micro ? 95 : 40;
}

static void close_json(void *parser)
{
    struct kernel_json *p = parser;
    if (!p)
        return;
    hc_lines_close(p->lines);
    hc_kernel_rules_free(p->rules);
    free(p);
}

static enum hc_status open_json(void **parser, const struct hc_source *source,
                                const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct kernel_json *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->writer = (struct hc_event_writer){options->names, source->name};
    hc_stamp_clock_start(&p->clock, source, options->zone);
    if (hc_kernel_rules_make(&p->rules, err) || hc_lines_open(&p->lines, source, err) ||
        hc_read_mark_go_on(options->go_on, p->lines, err)) {
        close_json(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct kernel_json *p = parser;
    struct hc_line line;
    while (!p->at_end && rows->n_rows < rows->capacity) {
        if (hc_lines_next(p->lines, &line, &p->at_end, err))
            return err->status;
        if (!p->at_end && take_line(p, &line, rows, report, err))
            return err->status;
        if (p->at_end && hc_lines_are_cut(p->lines))
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': the packed data ends too early; fetch or write it again",
                           p->source->name);
        if (p->at_end) {
            hc_read_mark_put(&p->mark, p->lines, report);
            hc_stamp_clock_warn(&p->clock, p->source->name);
        }
    }
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct kernel_json *p = parser;
    return hc_lines_position(p->lines);
}

static void mark_json(const void *parser, struct hc_read_mark *mark)
{
    *mark = ((const struct kernel_json *)parser)->mark;
}

const struct hc_format hc_format_kernel_json = {
    .name = "kernel-json",
    .description = "health events in kernel logs as JSON lines: journalctl -o json, log stores",
    .version = 2,
    .is_lines = true,
    .table = &hc_events_def,
    .probe = probe,
    .open = open_json,
    .next_batch = next_batch,
    .mark = mark_json,
    .position = position,
    .close = close_json,
};
