#include "parsers/steps/chrome_events.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "parsers/io/json_source.h"

#include <stdlib.h>
#include <string.h>

struct hc_chrome_reader {
    struct hc_json_pull *pull;
    const char *name;
    bool is_quiet, is_object, at_end;
    int64_t n_events;
};

#define NAME(text)                                                                                 \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }

/* "args." is the first letters of those in args. */
static const struct {
    const char *text;
    size_t length;
} field_names[HC_CHROME_N_FIELDS] = {
    [HC_CHROME_PH] = NAME("ph"),
    [HC_CHROME_NAME] = NAME("name"),
    [HC_CHROME_CAT] = NAME("cat"),
    [HC_CHROME_PID] = NAME("pid"),
    [HC_CHROME_TID] = NAME("tid"),
    [HC_CHROME_TS] = NAME("ts"),
    [HC_CHROME_DUR] = NAME("dur"),
    [HC_CHROME_ARG_NAME] = NAME("args.name"),
    [HC_CHROME_ARG_STEP] = NAME("args.step"),
    [HC_CHROME_ARG_MODEL_CHUNK] = NAME("args.model_chunk"),
    [HC_CHROME_ARG_MB_ID] = NAME("args.mb_id"),
    [HC_CHROME_ARG_SEQ_ID] = NAME("args.seq_id"),
    [HC_CHROME_ARG_STAGE] = NAME("args.stage"),
    [HC_CHROME_ARG_RANK] = NAME("args.rank"),
    [HC_CHROME_ARG_ITERATION] = NAME("args.iteration"),
    [HC_CHROME_ARG_MICROBATCH] = NAME("args.microbatch"),
    [HC_CHROME_ARG_PP_RANK] = NAME("args.pp_rank"),
};

#define ARGS_PREFIX 5 /* "args." */

const char *hc_chrome_field_name(enum hc_chrome_field field)
{
    return field_names[field].text;
}

/* ---- opening ---- */

/* In the object form: to the array of events, or to the end of the object when there is none left.
 */
static enum hc_status find_events(struct hc_chrome_reader *r, struct hc_error *err)
{
    struct hc_pull_token token;
    for (;;) {
        if (hc_pull_next(r->pull, &token, err))
            return err->status;
        if (token.kind == HC_PULL_OBJECT_END) {
            r->at_end = true;
            return HC_OK;
        }
        bool is_events = token.length == 11 && memcmp(token.text, "traceEvents", 11) == 0;
        if (!is_events && hc_pull_skip_value(r->pull, err))
            return err->status;
        if (!is_events)
            continue;
        if (hc_pull_next(r->pull, &token, err))
            return err->status;
        return token.kind == HC_PULL_ARRAY
                   ? HC_OK
                   : hc_fail(err, HC_BAD_INPUT,
                             "'%s': byte %lld: traceEvents is not an array: this is no Chrome "
                             "trace",
                             r->name, (long long)token.byte);
    }
}

static enum hc_status find_start(struct hc_chrome_reader *r, struct hc_error *err)
{
    struct hc_pull_token token;
    if (hc_pull_next(r->pull, &token, err))
        return err->status;
    if (token.kind == HC_PULL_ARRAY)
        return HC_OK;
    r->is_object = token.kind == HC_PULL_OBJECT;
    if (r->is_object && find_events(r, err))
        return err->status;
    if (r->is_object && !r->at_end)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s' is JSON, but no Chrome trace: an array of events, or an object with "
                   "traceEvents, is expected",
                   r->name);
}

static enum hc_status new_reader(struct hc_chrome_reader **reader, const char *name, bool is_quiet,
                                 struct hc_error *err)
{
    *reader = hc_new_array(1, sizeof **reader, err);
    if (!*reader)
        return err->status;
    (*reader)->name = name;
    (*reader)->is_quiet = is_quiet;
    return HC_OK;
}

static enum hc_status start(struct hc_chrome_reader **reader, enum hc_status status,
                            struct hc_error *err)
{
    if (status == HC_OK)
        status = find_start(*reader, err);
    if (status == HC_OK)
        return HC_OK;
    hc_chrome_close(*reader);
    *reader = NULL;
    return status;
}

enum hc_status hc_chrome_open(struct hc_chrome_reader **reader, const struct hc_source *source,
                              bool is_quiet, struct hc_error *err)
{
    enum hc_status status = new_reader(reader, source->name, is_quiet, err);
    if (status == HC_OK)
        status = hc_pull_open_source(&(*reader)->pull, source, err);
    return start(reader, status, err);
}

enum hc_status hc_chrome_open_bytes(struct hc_chrome_reader **reader, const void *bytes,
                                    size_t length, struct hc_error *err)
{
    enum hc_status status = new_reader(reader, "head", true, err);
    if (status == HC_OK)
        status = hc_pull_open_text(&(*reader)->pull, &(struct hc_pull_text){"head", bytes, length},
                                   0, err);
    return start(reader, status, err);
}

void hc_chrome_close(struct hc_chrome_reader *reader)
{
    if (!reader)
        return;
    hc_pull_close(reader->pull);
    free(reader);
}

int64_t hc_chrome_position(const struct hc_chrome_reader *reader)
{
    return hc_pull_position(reader->pull);
}

bool hc_chrome_may_be(const unsigned char *head, size_t length)
{
    size_t i = length >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (i < length && (head[i] == ' ' || (head[i] >= '\t' && head[i] <= '\r')))
        i++;
    return i < length && (head[i] == '[' || head[i] == '{');
}

/* ---- one event ---- */

/* The field of that key among [first, last), or -1. */
static int find_field(const struct hc_pull_token *key, int first, int last, size_t prefix)
{
    for (int field = first; field < last; field++) {
        if (field_names[field].length == key->length + prefix &&
            memcmp(field_names[field].text + prefix, key->text, key->length) == 0)
            return field;
    }
    return -1;
}

static enum hc_status read_value(struct hc_chrome_reader *r, struct hc_chrome_value *value,
                                 struct hc_error *err)
{
    struct hc_pull_token token;
    if (hc_pull_next(r->pull, &token, err))
        return err->status;
    value->length = 0;
    value->text[0] = '\0';
    switch (token.kind) {
    case HC_PULL_NULL:
        value->kind = HC_CHROME_ABSENT;
        return HC_OK;
    case HC_PULL_NUMBER:
    case HC_PULL_STRING:
        value->kind = token.kind == HC_PULL_NUMBER ? HC_CHROME_NUMBER : HC_CHROME_STRING;
        value->length = token.length;
        size_t kept = token.length < HC_CHROME_TEXT ? token.length : HC_CHROME_TEXT;
        memcpy(value->text, token.text, kept);
        value->text[kept] = '\0';
        return HC_OK;
    case HC_PULL_OBJECT:
    case HC_PULL_ARRAY:
        value->kind = HC_CHROME_OTHER;
        return hc_pull_skip_rest(r->pull, err);
    default:
        value->kind = HC_CHROME_OTHER;
        return HC_OK;
    }
}

/* The members of an event, or of its args, whose opening brace was read. */
static enum hc_status read_members(struct hc_chrome_reader *r, struct hc_chrome_event *event,
                                   bool in_args, uint32_t *seen, struct hc_error *err)
{
    int first = in_args ? HC_CHROME_FIRST_ARG : 0;
    int last = in_args ? HC_CHROME_N_FIELDS : HC_CHROME_FIRST_ARG;
    struct hc_pull_token key;
    for (;;) {
        if (hc_pull_next(r->pull, &key, err))
            return err->status;
        if (key.kind == HC_PULL_OBJECT_END)
            return HC_OK;
        bool is_args = !in_args && key.length == 4 && memcmp(key.text, "args", 4) == 0;
        int field =
            is_args ? HC_CHROME_N_FIELDS : find_field(&key, first, last, in_args ? ARGS_PREFIX : 0);
        if (field < 0) {
            if (hc_pull_skip_value(r->pull, err))
                return err->status;
            continue;
        }
        if (*seen & 1U << field)
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': byte %lld: the event has '%s' twice: which one counts is not "
                           "known",
                           r->name, (long long)event->byte,
                           is_args ? "args" : field_names[field].text);
        *seen |= 1U << field;
        struct hc_pull_token args;
        if (!is_args) {
            if (read_value(r, &event->field[field], err))
                return err->status;
        } else if (hc_pull_next(r->pull, &args, err)) {
            return err->status;
        } else if (args.kind == HC_PULL_OBJECT) {
            event->has_args = true;
            if (read_members(r, event, true, seen, err))
                return err->status;
        } else if (args.kind == HC_PULL_ARRAY && hc_pull_skip_rest(r->pull, err)) {
            return err->status;
        }
    }
}

/* Behind the array: what else the object holds must be JSON, and no second array. */
static enum hc_status finish(struct hc_chrome_reader *r, struct hc_error *err)
{
    struct hc_pull_token token;
    r->at_end = !r->is_object;
    if (r->is_object && find_events(r, err))
        return err->status;
    if (!r->at_end)
        return hc_fail(err, HC_BAD_INPUT, "'%s' has traceEvents twice", r->name);
    return hc_pull_next(r->pull, &token, err);
}

/* The text ends between two events, as when the recording process was killed: take the events that
 * are there, with a warning. */
static enum hc_status take_cut(struct hc_chrome_reader *r, struct hc_error *err)
{
    if (!r->is_quiet)
        hc_warn("'%s': the file is cut off behind event %lld, between two events; what it has is "
                "taken",
                r->name, (long long)r->n_events);
    r->at_end = true;
    *err = (struct hc_error){.status = HC_OK};
    return HC_OK;
}

enum hc_status hc_chrome_next(struct hc_chrome_reader *r, struct hc_chrome_event *event,
                              bool *found, struct hc_error *err)
{
    struct hc_pull_token token;
    *found = false;
    if (r->at_end)
        return HC_OK;
    enum hc_status status = hc_pull_next(r->pull, &token, err);
    if (status == HC_OK && token.kind == HC_PULL_ARRAY_END)
        status = finish(r, err);
    else if (status == HC_OK)
        *found = true;
    if (status != HC_OK)
        return hc_pull_is_cut(r->pull) ? take_cut(r, err) : status;
    if (!*found)
        return HC_OK;
    event->byte = token.byte;
    if (token.kind != HC_PULL_OBJECT)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': byte %lld: an event is an object, and this is none: no Chrome trace",
                       r->name, (long long)token.byte);
    uint32_t seen = 0;
    event->has_args = false;
    for (int field = 0; field < HC_CHROME_N_FIELDS; field++)
        event->field[field].kind = HC_CHROME_ABSENT;
    if (read_members(r, event, false, &seen, err))
        return err->status;
    const struct hc_chrome_value *ph = &event->field[HC_CHROME_PH];
    event->phase = ph->kind == HC_CHROME_STRING && ph->length == 1 ? ph->text[0] : '\0';
    r->n_events++;
    return HC_OK;
}

/* ---- values ---- */

static enum hc_text_number number_of(const struct hc_chrome_value *value)
{
    if (value->kind == HC_CHROME_ABSENT)
        return HC_TEXT_EMPTY;
    if (value->kind == HC_CHROME_OTHER)
        return HC_TEXT_NOT_NUMBER;
    return value->length > HC_CHROME_TEXT ? HC_TEXT_OUT_OF_RANGE : HC_TEXT_OK;
}

enum hc_text_number hc_chrome_i64(const struct hc_chrome_event *event, enum hc_chrome_field field,
                                  int64_t *value)
{
    const struct hc_chrome_value *v = &event->field[field];
    enum hc_text_number result = number_of(v);
    *value = 0;
    return result ? result : hc_text_to_i64(v->text, v->length, value);
}

enum hc_text_number hc_chrome_ns(const struct hc_chrome_event *event, enum hc_chrome_field field,
                                 int64_t *ns)
{
    const struct hc_chrome_value *v = &event->field[field];
    enum hc_text_number result = number_of(v);
    *ns = 0;
    return result ? result : hc_text_us_to_ns(v->text, v->length, ns);
}

bool hc_chrome_is(const struct hc_chrome_event *event, enum hc_chrome_field field, const char *text)
{
    const struct hc_chrome_value *v = &event->field[field];
    return v->kind == HC_CHROME_STRING && v->length == strlen(text) &&
           memcmp(v->text, text, v->length) == 0;
}
