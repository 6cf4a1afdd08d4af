#include "parsers/profiles/kineto_event.h"

#include "parsers/profiles/trace_scan.h"

#include <string.h>

/* ---- classes ---- */

static bool is_cat(const char *cat, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(cat, text, length) == 0;
}

static bool ends(const char *cat, size_t length, const char *text)
{
    size_t n = strlen(text);
    return length >= n && memcmp(cat + length - n, text, n) == 0;
}

static enum hc_kineto_class class_of(const struct hc_trace_value *cat)
{
    static const struct {
        const char *text;
        enum hc_kineto_class class;
    } classes[] = {
        {"cpu_op", HC_KINETO_CPU_OP},
        {"python_function", HC_KINETO_PYTHON},
        {"cuda_runtime", HC_KINETO_CALL},
        {"kernel", HC_KINETO_KERNEL},
        {"gpu_memcpy", HC_KINETO_MEMCPY},
        {"gpu_memset", HC_KINETO_MEMSET},
        {"user_annotation", HC_KINETO_ANNOTATION},
        {"cuda_sync", HC_KINETO_SYNC},
        {"operator", HC_KINETO_CPU_OP},
        {"memcpy", HC_KINETO_MEMCPY},
        {"memset", HC_KINETO_MEMSET},
        {"runtime", HC_KINETO_CALL},
        {"gpu_user_annotation", HC_KINETO_KNOWN},
        {"overhead", HC_KINETO_KNOWN},
        {"trace", HC_KINETO_KNOWN},
    };
    char lower[24];
    if (cat->length >= sizeof lower)
        return HC_KINETO_OTHER;
    for (size_t i = 0; i < cat->length; i++)
        lower[i] =
            (char)(cat->text[i] >= 'A' && cat->text[i] <= 'Z' ? cat->text[i] | 0x20 : cat->text[i]);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (is_cat(lower, cat->length, classes[i].text))
            return classes[i].class;
    if (ends(lower, cat->length, "_runtime") || ends(lower, cat->length, "_driver"))
        return HC_KINETO_CALL;
    return HC_KINETO_OTHER;
}

/* ---- keys and values ---- */

/* The string whose quote is at `at`; returns what is behind it, or NULL. */
static inline const char *take_string(const char *at, const char *end, struct hc_trace_value *value)
{
    value->kind = HC_TRACE_STRING;
    value->text = at + 1;
    const char *close = hc_scan_string_end(at + 1, end, &value->is_escaped);
    value->length = close ? (uint32_t)(close - value->text) : 0;
    return close ? close + 1 : NULL;
}

/* The value at `at`; returns what is behind it, or NULL: *damage then says where it is no JSON, and
 * is NULL where the text ends in it. */
static inline const char *take_value(const char *at, const char *end, struct hc_trace_value *value,
                                     const char **damage)
{
    const char *behind = NULL;
    *value = (struct hc_trace_value){.kind = HC_TRACE_LITERAL, .text = at};
    if (*at == '"')
        return take_string(at, end, value);
    if (*at == '{') {
        value->kind = HC_TRACE_OTHER;
        behind = hc_scan_object_end(at + 1, end, damage);
    } else if (*at == '[') {
        value->kind = HC_TRACE_OTHER;
        behind = hc_scan_value_end(at, end);
    } else {
        behind = hc_scan_literal(at);
        if (behind == at)
            *damage = behind < end ? at : NULL;
        if (behind == at || behind >= end)
            return NULL;
        if (behind - at == 4 && memcmp(at, "null", 4) == 0)
            value->kind = HC_TRACE_ABSENT;
    }
    value->length = behind ? (uint32_t)(behind - at) : 0;
    return behind;
}

/* The key at the quote `at` and its colon; returns where the value is, or NULL as above. */
static inline const char *take_key(const char *at, const char *end, struct hc_trace_value *key,
                                   const char **damage)
{
    *key = (struct hc_trace_value){.kind = HC_TRACE_STRING};
    at = take_string(at, end, key);
    if (!at)
        return NULL;
    if (*at != ':')
        at = hc_scan_blanks(at);
    if (*at != ':') {
        *damage = at < end ? at : NULL;
        return NULL;
    }
    return hc_scan_blanks(at + 1);
}

enum field { PH, CAT, NAME, PID, TID, TS, DUR, ARGS, N_FIELDS, UNKNOWN = N_FIELDS };

static inline enum field field_of(const char *key, size_t length)
{
    switch (length) {
    case 2:
        return memcmp(key, "ph", 2) == 0 ? PH : memcmp(key, "ts", 2) == 0 ? TS : UNKNOWN;
    case 3:
        return memcmp(key, "cat", 3) == 0   ? CAT
               : memcmp(key, "pid", 3) == 0 ? PID
               : memcmp(key, "tid", 3) == 0 ? TID
               : memcmp(key, "dur", 3) == 0 ? DUR
                                            : UNKNOWN;
    case 4:
        return memcmp(key, "name", 4) == 0 ? NAME : memcmp(key, "args", 4) == 0 ? ARGS : UNKNOWN;
    default:
        return UNKNOWN;
    }
}

/* ---- the event ---- */

static void keep(struct hc_kineto_event *event, const struct hc_trace_value field[N_FIELDS])
{
    event->name = field[NAME];
    event->pid = field[PID];
    event->tid = field[TID];
    event->ts = field[TS];
    event->dur = field[DUR];
    event->args = field[ARGS];
}

static bool is_x(const struct hc_trace_value *phase)
{
    return phase->kind == HC_TRACE_STRING && phase->length == 1 && *phase->text == 'X';
}

/* Whether the fields so far say that nothing else of the event matters. */
static bool is_idle(struct hc_kineto_event *event, enum field last,
                    const struct hc_trace_value field[N_FIELDS])
{
    if (last == CAT)
        event->class = class_of(&field[CAT]);
    if (last == PH) {
        event->is_complete = is_x(&field[PH]);
        if (!event->is_complete)
            return true;
    }
    return event->is_complete && field[CAT].kind == HC_TRACE_STRING &&
           event->class >= HC_KINETO_FIRST_COUNTED;
}

static enum hc_kineto_scan fail(const char *damage, const char **behind)
{
    *behind = damage;
    return damage ? HC_SCAN_DAMAGED : HC_SCAN_MORE;
}

enum hc_kineto_scan hc_kineto_scan_event(struct hc_kineto_event *event, const char *at,
                                         const char *end, const char **behind)
{
    struct hc_trace_value field[N_FIELDS + 1] = {{.kind = HC_TRACE_ABSENT}}, key;
    const char *damage = NULL;
    event->is_complete = false;
    event->class = HC_KINETO_OTHER;
    at = hc_scan_blanks(at + 1);
    while (*at == '"') {
        at = take_key(at, end, &key, &damage);
        if (!at)
            return fail(damage, behind);
        enum field which = key.is_escaped ? UNKNOWN : field_of(key.text, key.length);
        at = take_value(at, end, &field[which], &damage);
        if (!at)
            return fail(damage, behind);
        if ((which == PH || which == CAT) && is_idle(event, which, field)) {
            *behind = hc_scan_object_end(at, end, &damage);
            return *behind ? HC_SCAN_EVENT : fail(damage, behind);
        }
        at = hc_scan_blanks(at);
        if (*at != ',')
            break;
        at = hc_scan_blanks(at + 1);
    }
    if (*at != '}')
        return fail(at < end ? at : NULL, behind);
    keep(event, field);
    *behind = at + 1;
    return HC_SCAN_EVENT;
}

bool hc_kineto_next_arg(const char **at, const char *end, struct hc_trace_value *key,
                        struct hc_trace_value *value)
{
    const char *damage = NULL, *here = hc_scan_blanks(*at);
    if (*here == ',')
        here = hc_scan_blanks(here + 1);
    if (*here == '}')
        return false;
    *at = *here == '"' ? take_key(here, end, key, &damage) : NULL;
    if (*at)
        *at = take_value(*at, end, value, &damage);
    return *at;
}
