#include "parsers/failures/failure_blocks.h"

#include "core/base/missing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRACEBACK_MOST 400 /* lines: then it is none */
#define CAUSE_MOST     12

typedef struct hc_event_text text;

static bool begins(text line, const char *with)
{
    return line.length >= strlen(with) && memcmp(line.text, with, strlen(with)) == 0;
}

static text trim(text from)
{
    while (from.length && *from.text == ' ')
        from = (text){from.text + 1, from.length - 1};
    while (from.length && strchr(" \r", from.text[from.length - 1]))
        from.length--;
    return from;
}

/* ---- tracebacks ---- */

bool hc_traceback_begins(struct hc_event_text line)
{
    return begins(line, "Traceback (most recent call last)") ||
           begins(line, "  + Exception Group Traceback (most recent call last)");
}

/* Without the bar before the lines of a group of exceptions: "  |   File ...". */
static text without_bar(text line)
{
    text bare = trim(line);
    if (!bare.length || *bare.text != '|' || bare.text == line.text)
        return line;
    size_t n = bare.length > 1 && bare.text[1] == ' ' ? 2 : 1;
    return (text){bare.text + n, bare.length - n};
}

/* '  File "train.py", line 12, in main' */
static void put_frame(struct hc_traceback *t, text line)
{
    text bare = trim(line);
    if (begins(bare, "File \""))
        snprintf(t->frame, sizeof t->frame, "%.*s", (int)bare.length, bare.text);
}

/* "torch.cuda.OutOfMemoryError: CUDA out of memory", "KeyboardInterrupt": length of the class, or 0
 */
static size_t class_length(text line)
{
    size_t n = 0;
    if (!line.length || (!isalpha((unsigned char)*line.text) && *line.text != '_'))
        return 0;
    while (n < line.length &&
           (isalnum((unsigned char)line.text[n]) || line.text[n] == '_' || line.text[n] == '.'))
        n++;
    return n == line.length || line.text[n] == ':' ? n : 0;
}

enum hc_block_line hc_traceback_take(struct hc_traceback *t, struct hc_event_text line,
                                     struct hc_event *event, char *buffer)
{
    line = without_bar(line);
    /* What wrapped the lines may have taken the blanks before them. */
    bool is_inside =
        line.length == 0 || *line.text == ' ' || *line.text == '\t' || begins(line, "File \"");
    if (++t->n_lines > TRACEBACK_MOST)
        return HC_BLOCK_NOT;
    if (is_inside) {
        put_frame(t, line);
        return HC_BLOCK_GOES_ON;
    }
    text bare = trim(line);
    size_t length = class_length(bare);
    if (!length)
        return HC_BLOCK_GOES_ON; /* of another process, that has no prefix of its own */
    int n = snprintf(buffer, HC_FAILURE_TEXT_MOST, "%.*s%s%s%s",
                     (int)(bare.length > 250 ? 250 : bare.length), bare.text, *t->frame ? " (" : "",
                     t->frame, *t->frame ? ")" : "");
    event->event_class = HC_EVENT_PYTHON;
    event->effect = HC_EFFECT_PROGRAM;
    event->line = t->line;
    event->name = (text){buffer, length < 250 ? length : 250};
    event->message =
        (text){buffer, n < HC_FAILURE_TEXT_MOST ? (size_t)n : HC_FAILURE_TEXT_MOST - 1};
    return HC_BLOCK_ENDS;
}

/* ---- torchrun ---- */

bool hc_root_cause_begins(struct hc_event_text line)
{
    text bare = trim(line); /* the latter of PyTorch 1.9 */
    return begins(bare, "Root Cause (first observed failure)") ||
           (bare.length == 11 && begins(bare, "Root Cause:"));
}

static void put(char *to, size_t size, text value)
{
    snprintf(to, size, "%.*s", (int)value.length, value.text);
}

static int64_t number_behind(text value, const char *word)
{
    const char *at = memmem(value.text, value.length, word, strlen(word));
    text rest = {value.text, value.length};
    if (at) {
        size_t n = (size_t)(at - value.text) + strlen(word);
        rest = (text){value.text + n, value.length - n};
    }
    char digits[24];
    put(digits, sizeof digits, trim(rest));
    char *end = digits;
    long long number = strtoll(digits, &end, 10);
    return end == digits || (!at && *word) ? HC_MISSING_I64 : number;
}

static void put_field(struct hc_root_cause *cause, text key, text value)
{
    struct hc_event *event = &cause->event;
    if (begins(key, "time")) {
        put(cause->time, sizeof cause->time, value);
    } else if (begins(key, "host")) {
        put(cause->node, sizeof cause->node, value);
    } else if (begins(key, "rank")) {
        int64_t rank = number_behind(value, "");
        event->rank = rank >= 0 && rank <= INT32_MAX ? (int32_t)rank : HC_MISSING_I32;
    } else if (begins(key, "exitcode")) {
        int64_t code = number_behind(value, "");
        event->code = code > INT32_MIN && code <= INT32_MAX ? (int32_t)code : HC_MISSING_I32;
        event->pid = number_behind(value, "pid:");
    } else if (begins(key, "traceback")) {
        put(cause->message, sizeof cause->message, value);
    }
}

static void finish(struct hc_root_cause *cause)
{
    struct hc_event *event = &cause->event;
    cause->is_open = false;
    event->event_class = HC_EVENT_TORCHRUN;
    event->effect = HC_EFFECT_STOPS;
    event->line = cause->line;
    event->name = (text){"root_cause", 10};
    event->node = (text){cause->node, strlen(cause->node)};
    event->message = (text){cause->message, strlen(cause->message)};
}

enum hc_block_line hc_root_cause_take(struct hc_root_cause *cause, struct hc_event_text line)
{
    text bare = trim(line);
    const char *colon = memchr(bare.text, ':', bare.length);
    if (++cause->n_lines > CAUSE_MOST || begins(bare, "=====")) {
        finish(cause);
        return HC_BLOCK_ENDS;
    }
    if (colon) {
        text key = trim((text){bare.text, (size_t)(colon - bare.text)});
        put_field(cause, key,
                  trim((text){colon + 1, (size_t)(bare.text + bare.length - colon - 1)}));
    }
    return HC_BLOCK_GOES_ON;
}
