/* error_file.c - what torchrun's record decorator leaves of a rank that failed: error.json (the
 * file that TORCHELASTIC_ERROR_FILE names), one exception.
 *
 *     {"message": {"message": "RuntimeError: CUDA error: ...",
 *                  "extraInfo": {"py_callstack": "Traceback ...", "timestamp": "1772359872"}}}
 *
 * "message" may be a text alone. "errorCode" is the exit code, where it is there. */
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/number_text.h"
#include "parsers/failures/failure_patterns.h"
#include "parsers/io/format.h"
#include "parsers/io/json_source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_MOST 400
#define NS_PER_S     ((int64_t)1000000000)

struct error_file {
    const struct hc_source *source;
    struct hc_json_pull *pull;
    struct hc_failure_patterns *patterns;
    struct hc_table_names *names;
    bool at_end;

    char message[MESSAGE_MOST], frame[160];
    int64_t time_ns;
    int32_t code;
};

/* A text in a buffer that ends it, cut to its size. */
static void put_text(char *to, size_t size, const char *text, size_t length)
{
    size_t n = length < size - 1 ? length : size - 1;
    memcpy(to, text, n);
    to[n] = '\0';
}

/* The last '  File "train.py", line 12, in main' of a traceback. */
static void put_frame(struct error_file *e, const char *text, size_t length)
{
    const char *end = text + length, *last = NULL;
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), "File \"", 6)); at++)
        last = at;
    const char *line_end = last ? memchr(last, '\n', (size_t)(end - last)) : NULL;
    if (last)
        put_text(e->frame, sizeof e->frame, last, (size_t)((line_end ? line_end : end) - last));
}

static bool is(const struct hc_pull_token *token, const char *key)
{
    return token->length == strlen(key) && memcmp(token->text, key, token->length) == 0;
}

enum field { FIELD_NONE, FIELD_MESSAGE, FIELD_STACK, FIELD_TIME, FIELD_CODE };

static enum field field_of(const struct hc_pull_token *key)
{
    return is(key, "message")        ? FIELD_MESSAGE
           : is(key, "py_callstack") ? FIELD_STACK
           : is(key, "timestamp")    ? FIELD_TIME
           : is(key, "errorCode")    ? FIELD_CODE
                                     : FIELD_NONE;
}

static void put_value(struct error_file *e, enum field field, const struct hc_pull_token *value)
{
    int64_t number;
    if (value->kind != HC_PULL_STRING && value->kind != HC_PULL_NUMBER)
        return;
    if (field == FIELD_MESSAGE && !*e->message)
        put_text(e->message, sizeof e->message, value->text, value->length);
    else if (field == FIELD_STACK)
        put_frame(e, value->text, value->length);
    else if (field == FIELD_TIME && !hc_text_to_ns(value->text, value->length, &number) &&
             number > 0)
        e->time_ns = number;
    else if (field == FIELD_CODE && !hc_text_to_i64(value->text, value->length, &number) &&
             number > INT32_MIN && number <= INT32_MAX)
        e->code = (int32_t)number;
}

/* The values of all objects, however they are nested: no two of them have one name but "message",
 * whose inner one is the text. */
static enum hc_status read_document(struct error_file *e, struct hc_error *err)
{
    struct hc_pull_token token;
    enum field field = FIELD_NONE;
    do {
        if (hc_pull_next(e->pull, &token, err))
            return err->status;
        if (token.kind == HC_PULL_KEY)
            field = field_of(&token);
        else if (token.kind == HC_PULL_ARRAY && hc_pull_skip_rest(e->pull, err))
            return err->status;
        else
            put_value(e, field, &token);
    } while (token.kind != HC_PULL_END);
    return HC_OK;
}

/* "/tmp/torchelastic_x/run_y/attempt_0/3/error.json": the rank on its node, or HC_MISSING_I32. */
static int32_t local_rank_of(const char *path)
{
    const char *end = strrchr(path, '/');
    if (!end)
        return HC_MISSING_I32;
    const char *start = end;
    while (start > path && isdigit((unsigned char)start[-1]))
        start--;
    if (start == end || end - start > 5 || start == path || start[-1] != '/')
        return HC_MISSING_I32;
    return atoi(start);
}

/* Without a time of its own, the error came before the file was written. */
static void put_time(const struct error_file *e, struct hc_event *event)
{
    event->time_ns = e->time_ns;
    event->clock = HC_CLOCK_STAMPED;
    if (e->time_ns != HC_MISSING_I64)
        return;
    event->time_ns = event->to_ns = (int64_t)e->source->state.info.st_mtim.tv_sec * NS_PER_S;
    event->clock = HC_CLOCK_BEFORE_FILE;
}

static enum hc_status put_error(struct error_file *e, struct hc_table *rows, struct hc_error *err)
{
    struct hc_event event = hc_event_none;
    struct hc_failure_groups groups;
    char whole[MESSAGE_MOST + sizeof e->frame + 4], device[32];
    struct hc_event_text first = {e->message, strcspn(e->message, "\n")};
    const char *colon = memchr(first.text, ':', first.length);
    snprintf(whole, sizeof whole, *e->frame ? "%.*s (%s)" : "%.*s", (int)first.length, first.text,
             e->frame);
    put_time(e, &event);
    event.event_class = HC_EVENT_PYTHON;
    event.effect = HC_EFFECT_PROGRAM;
    struct hc_event known = event; /* what the patterns say of the message */
    if (hc_failure_match(e->patterns, first, &known, &groups)) {
        event.event_class = known.event_class;
        event.effect = known.effect;
        event.device = known.device;
    }
    int32_t rank = local_rank_of(e->source->name);
    if (!event.device.length && rank != HC_MISSING_I32) {
        int n = snprintf(device, sizeof device, "local rank %d", rank);
        event.device = (struct hc_event_text){device, (size_t)n};
    }
    event.code = e->code;
    event.line = 1;
    event.name = (struct hc_event_text){first.text, colon ? (size_t)(colon - first.text) : 0};
    event.message = (struct hc_event_text){whole, strlen(whole)};
    const struct hc_event_writer writer = {e->names, e->source->name};
    return hc_event_put(&writer, &event, rows, err);
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct error_file *e = parser;
    if (e->at_end || rows->n_rows == rows->capacity)
        return HC_OK;
    e->at_end = true;
    if (read_document(e, err))
        return err->status;
    report->rows_read++;
    if (!*e->message)
        return hc_row_report_bad(report, HC_BAD_NULL, HC_MISSING_I32, err,
                                 "'%s': no text in 'message'", e->source->name);
    return put_error(e, rows, err);
}

static void close_file(void *parser)
{
    struct error_file *e = parser;
    if (!e)
        return;
    hc_pull_close(e->pull);
    hc_failure_patterns_free(e->patterns);
    free(e);
}

static enum hc_status open_file(void **parser, const struct hc_source *source,
                                const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct error_file *e = hc_new_array(1, sizeof *e, err);
    if (!e)
        return err->status;
    e->source = source;
    e->names = options->names;
    e->time_ns = HC_MISSING_I64;
    e->code = HC_MISSING_I32;
    if (hc_failure_patterns_make(&e->patterns, options->patterns, err) ||
        hc_pull_open_source(&e->pull, source, err)) {
        close_file(e);
        return err->status;
    }
    *parser = e;
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct error_file *e = parser;
    return hc_pull_position(e->pull);
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t at = 0;
    while (at < length && isspace(head[at]))
        at++;
    if (at == length || head[at] != '{' || !memmem(head, length, "\"message\"", 9))
        return 0;
    if (memmem(head, length, "\"py_callstack\"", 14))
        return 90;
    return strcmp(name, "error.json") == 0 ? 60 : 0;
}

const struct hc_format hc_format_torch_error = {
    .name = "torch-error",
    .description = "error.json of torchrun: the exception of a rank that failed",
    .version = 1,
    .table = &hc_events_def,
    .probe = probe,
    .open = open_file,
    .next_batch = next_batch,
    .position = position,
    .close = close_file,
};
