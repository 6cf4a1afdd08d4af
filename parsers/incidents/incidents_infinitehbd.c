/* incidents_infinitehbd.c - the fault trace of InfiniteHBD: a JSON array of events, each the start
 * or the end of a fault of a node, in days (docs/formats/incidents.md). An end closes the oldest
 * open fault of its node and type; what is open at the end of the file has no recovery. */
#include "core/base/int_map.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/text/number_text.h"
#include "parsers/incidents/incident_rows.h"
#include "parsers/io/format.h"
#include "parsers/io/json_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART_MAX 300 /* bytes of one part of a fault type */

/* A fault that has begun. */
struct fault {
    int32_t node, text;
    int64_t time_ns;
    int32_t next; /* of the same node and type, or -1 */
    int32_t last; /* of the list, where this one is its first */
    bool is_open;
};

enum event_type { NO_TYPE, FAULT_START, FAULT_END, OTHER_TYPE };

struct part {
    size_t length; /* 0 when absent */
    char text[PART_MAX];
};

enum { LEVEL, CLASS, DESC, N_PARTS };

struct event {
    struct part node, parts[N_PARTS];
    enum event_type type;
    bool has_time;
    int64_t time_ns;
};

struct incidents_infinitehbd {
    const struct hc_source *source;
    struct hc_json_pull *pull;
    struct hc_incident_builder builder;
    size_t n_faults, capacity;
    struct fault *faults;
    struct hc_int_map oldest; /* node and type -> first open fault, or -1 */
    size_t next_open;         /* of the faults that no event closed, at the end */
    int64_t n_events, last_ns;
    bool is_begun, at_end;
};

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    size_t start = 0;
    while (start < length && strchr(" \t\r\n\xEF\xBB\xBF", head[start]) && head[start])
        start++;
    if (start == length || head[start] != '[')
        return 0;
    return memmem(head, length, "\"fault_type\"", 12) && memmem(head, length, "\"event_time\"", 12)
               ? 95
               : 0;
}

/* ---- one event ---- */

static bool is_text(const struct hc_pull_token *token, const char *text)
{
    return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

static enum hc_status skip_opened(struct incidents_infinitehbd *p,
                                  const struct hc_pull_token *token, struct hc_error *err)
{
    if (token->kind == HC_PULL_OBJECT || token->kind == HC_PULL_ARRAY)
        return hc_pull_skip_rest(p->pull, err);
    return HC_OK;
}

static enum hc_status read_part(struct incidents_infinitehbd *p, const char *name,
                                struct part *part, struct hc_error *err)
{
    struct hc_pull_token token;
    if (hc_pull_next(p->pull, &token, err))
        return err->status;
    if (token.kind != HC_PULL_STRING) {
        hc_incident_bad(&p->builder, HC_BAD_NULL, "'%s' is not a string", name);
        return skip_opened(p, &token, err);
    }
    if (token.length > PART_MAX) {
        hc_incident_bad(&p->builder, HC_BAD_TEXT, "'%s' has %zu bytes, more than %d", name,
                        token.length, PART_MAX);
        return HC_OK;
    }
    memcpy(part->text, token.text, token.length);
    part->length = token.length;
    return HC_OK;
}

/* Days of nine decimals at most are whole nanoseconds times 86,400. */
static enum hc_status read_time(struct incidents_infinitehbd *p, struct event *event,
                                struct hc_error *err)
{
    struct hc_pull_token token;
    if (hc_pull_next(p->pull, &token, err))
        return err->status;
    int64_t days_e9 = 0;
    if (token.kind != HC_PULL_NUMBER ||
        hc_text_to_ns(token.text, token.length, &days_e9) != HC_TEXT_OK) {
        hc_incident_bad(&p->builder, HC_BAD_NUMBER, "'event_time' is not a number of days");
        return skip_opened(p, &token, err);
    }
    event->has_time = !__builtin_mul_overflow(days_e9, (int64_t)86400, &event->time_ns) &&
                      event->time_ns >= 0 && event->time_ns <= HC_INCIDENT_TIME_LIMIT;
    if (!event->has_time)
        hc_incident_bad(&p->builder, HC_BAD_RANGE, "'event_time' is %s, out of range",
                        hc_printable(token.text, token.length).text);
    return HC_OK;
}

static enum hc_status read_type(struct incidents_infinitehbd *p, struct event *event,
                                struct hc_error *err)
{
    struct part part = {0};
    if (read_part(p, "event_type", &part, err))
        return err->status;
    struct hc_pull_token word = {.text = part.text, .length = part.length};
    event->type = is_text(&word, "fault_start") ? FAULT_START
                  : is_text(&word, "fault_end") ? FAULT_END
                                                : OTHER_TYPE;
    if (event->type == OTHER_TYPE)
        hc_incident_bad(&p->builder, HC_BAD_TEXT,
                        "'event_type' is '%s', not fault_start or fault_end",
                        hc_printable(part.text, part.length).text);
    return HC_OK;
}

static enum hc_status read_fault_type(struct incidents_infinitehbd *p, struct event *event,
                                      struct hc_error *err)
{
    static const char *const parts[N_PARTS] = {"Level", "Class", "Desc"};
    struct hc_pull_token token;
    if (hc_pull_next(p->pull, &token, err))
        return err->status;
    if (token.kind != HC_PULL_OBJECT) {
        hc_incident_bad(&p->builder, HC_BAD_NULL, "'fault_type' is not an object");
        return skip_opened(p, &token, err);
    }
    for (;;) {
        if (hc_pull_next(p->pull, &token, err))
            return err->status;
        if (token.kind == HC_PULL_OBJECT_END)
            return HC_OK;
        int part = 0;
        while (part < N_PARTS && !is_text(&token, parts[part]))
            part++;
        if (part < N_PARTS ? read_part(p, parts[part], &event->parts[part], err)
                           : hc_pull_skip_value(p->pull, err))
            return err->status;
    }
}

/* The members of an event whose object is open. */
static enum hc_status read_event(struct incidents_infinitehbd *p, struct event *event,
                                 struct hc_error *err)
{
    for (;;) {
        struct hc_pull_token token;
        enum hc_status status = HC_OK;
        if (hc_pull_next(p->pull, &token, err))
            return err->status;
        if (token.kind == HC_PULL_OBJECT_END)
            return HC_OK;
        if (is_text(&token, "node_id"))
            status = read_part(p, "node_id", &event->node, err);
        else if (is_text(&token, "event_time"))
            status = read_time(p, event, err);
        else if (is_text(&token, "event_type"))
            status = read_type(p, event, err);
        else if (is_text(&token, "fault_type"))
            status = read_fault_type(p, event, err);
        else
            status = hc_pull_skip_value(p->pull, err);
        if (status)
            return status;
    }
}

static void check_event(struct incidents_infinitehbd *p, const struct event *event)
{
    const char *missing = !event->node.length           ? "node_id"
                          : !event->has_time            ? "event_time"
                          : event->type == NO_TYPE      ? "event_type"
                          : !event->parts[LEVEL].length ? "fault_type/Level"
                                                        : NULL;
    if (missing)
        hc_incident_bad(&p->builder, HC_BAD_NULL, "'%s' is missing or empty", missing);
}

/* ---- faults ---- */

/* Put node and type of an event into the row; the builder holds their codes then. */
static enum hc_status put_names(struct incidents_infinitehbd *p, const struct event *event,
                                struct hc_error *err)
{
    char text[3 * PART_MAX + 8];
    size_t length = 0;
    for (int i = 0; i < N_PARTS; i++) {
        const struct part *part = &event->parts[i];
        if (!part->length)
            continue;
        if (length) {
            memcpy(text + length, ": ", 2);
            length += 2;
        }
        memcpy(text + length, part->text, part->length);
        length += part->length;
    }
    if (hc_incident_put_text(&p->builder, HC_INCIDENTS_NODE, event->node.text, event->node.length,
                             err))
        return err->status;
    return hc_incident_put_text(&p->builder, HC_INCIDENTS_TEXT, text, length, err);
}

static uint64_t key_of(int32_t node, int32_t text)
{
    return (uint64_t)(uint32_t)node << 32 | (uint32_t)text;
}

/* Remember a fault that has begun behind the open ones of its kind. */
static enum hc_status open_fault(struct incidents_infinitehbd *p, const struct fault *fault,
                                 struct hc_error *err)
{
    size_t entry = 0;
    if (p->n_faults >= INT32_MAX)
        return hc_fail(err, HC_BAD_INPUT, "'%s' has too many faults", p->source->name);
    if (hc_reserve(&p->faults, &p->capacity, p->n_faults + 1, sizeof *p->faults, err) ||
        hc_int_map_insert(&p->oldest, key_of(fault->node, fault->text), -1, &entry, err))
        return err->status;
    int32_t index = (int32_t)p->n_faults++;
    p->faults[index] = *fault;
    int32_t *first = &p->oldest.values[entry];
    if (*first < 0)
        *first = index;
    else
        p->faults[p->faults[*first].last].next = index;
    p->faults[*first].last = index;
    return HC_OK;
}

/* The oldest open fault of that kind, taken from the list; NULL when there is none. */
static struct fault *take_fault(struct incidents_infinitehbd *p, int32_t node, int32_t text)
{
    int64_t entry = hc_int_map_find(&p->oldest, key_of(node, text));
    if (entry < 0 || p->oldest.values[entry] < 0)
        return NULL;
    struct fault *fault = &p->faults[p->oldest.values[entry]];
    p->oldest.values[entry] = fault->next;
    if (fault->next >= 0)
        p->faults[fault->next].last = fault->last;
    fault->is_open = false;
    return fault;
}

static void put_times(struct incidents_infinitehbd *p, const struct fault *fault, int64_t end_ns)
{
    struct hc_incident_builder *builder = &p->builder;
    hc_table_i64(builder->rows, HC_INCIDENTS_TIME_NS)[builder->row] = fault->time_ns;
    hc_table_i64(builder->rows, HC_INCIDENTS_RECOVERED_NS)[builder->row] = end_ns;
}

/* Take one event; a start adds no row yet. */
static enum hc_status take_event(struct incidents_infinitehbd *p, struct hc_error *err)
{
    struct event event = {.type = NO_TYPE};
    struct hc_incident_builder *builder = &p->builder;
    hc_incident_begin(builder, (long long)++p->n_events);
    if (read_event(p, &event, err))
        return err->status;
    check_event(p, &event);
    if (put_names(p, &event, err))
        return err->status;
    if (builder->is_bad)
        return hc_incident_end(builder, err);
    int32_t node = hc_table_i32(builder->rows, HC_INCIDENTS_NODE)[builder->row];
    int32_t text = hc_table_i32(builder->rows, HC_INCIDENTS_TEXT)[builder->row];
    if (event.time_ns > p->last_ns)
        p->last_ns = event.time_ns;
    if (event.type == FAULT_START) {
        struct fault fault = {node, text, event.time_ns, -1, -1, true};
        builder->rows->n_rows = builder->row;
        builder->report->rows_read++;
        return open_fault(p, &fault, err);
    }
    const struct fault *fault = take_fault(p, node, text);
    if (fault)
        put_times(p, fault, event.time_ns);
    else
        hc_incident_bad(builder, HC_BAD_RANGE, "a fault ends that did not begin");
    return hc_incident_end(builder, err);
}

/* The faults that nothing closed, in the order in which they began. */
static enum hc_status emit_open(struct incidents_infinitehbd *p, struct hc_error *err)
{
    struct hc_incident_builder *builder = &p->builder;
    for (; p->next_open < p->n_faults && builder->rows->n_rows < builder->rows->capacity;
         p->next_open++) {
        const struct fault *fault = &p->faults[p->next_open];
        if (!fault->is_open)
            continue;
        hc_incident_begin(builder, (long long)p->n_events);
        hc_table_i32(builder->rows, HC_INCIDENTS_NODE)[builder->row] = fault->node;
        hc_table_i32(builder->rows, HC_INCIDENTS_TEXT)[builder->row] = fault->text;
        put_times(p, fault, HC_MISSING_I64);
        builder->report->rows_read--; /* its event was counted when it came */
        if (hc_incident_end(builder, err))
            return err->status;
    }
    return HC_OK;
}

/* ---- the format ---- */

static enum hc_status next_event(struct incidents_infinitehbd *p, struct hc_error *err)
{
    struct hc_pull_token token;
    if (hc_pull_next(p->pull, &token, err))
        return err->status;
    if (!p->is_begun && token.kind != HC_PULL_ARRAY)
        return hc_fail(err, HC_BAD_INPUT, "'%s': byte %lld: an array of events is expected",
                       p->source->name, (long long)token.byte);
    if (!p->is_begun) {
        p->is_begun = true;
        return HC_OK;
    }
    if (token.kind == HC_PULL_ARRAY_END) {
        p->at_end = true;
        return hc_pull_next(p->pull, &token, err); /* nothing may follow */
    }
    if (token.kind == HC_PULL_OBJECT)
        return take_event(p, err);
    return hc_fail(err, HC_BAD_INPUT, "'%s': byte %lld: an event is expected, which is an object",
                   p->source->name, (long long)token.byte);
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct incidents_infinitehbd *p = parser;
    p->builder.rows = rows;
    p->builder.report = report;
    while (!p->at_end && rows->n_rows < rows->capacity)
        if (next_event(p, err))
            return err->status;
    return p->at_end ? emit_open(p, err) : HC_OK;
}

static void close_infinitehbd(void *parser)
{
    struct incidents_infinitehbd *p = parser;
    if (!p)
        return;
    hc_pull_close(p->pull);
    hc_int_map_fini(&p->oldest);
    free(p->faults);
    free(p);
}

static enum hc_status open_infinitehbd(void **parser, const struct hc_source *source,
                                       const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct incidents_infinitehbd *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->builder = (struct hc_incident_builder){.file = source->name,
                                              .place_word = "event",
                                              .words = HC_SOURCE_INFINITEHBD,
                                              .names = options->names,
                                              .clock = HC_CLOCK_RELATIVE};
    if (hc_pull_open_source(&p->pull, source, err)) {
        close_infinitehbd(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

/* Watched from the beginning of its clock to its last event; it does not say how many nodes. */
static enum hc_status inventory(void *parser, const struct hc_table_def *def, struct hc_table *rows,
                                struct hc_error *err)
{
    const struct incidents_infinitehbd *p = parser;
    if (hc_table_init(rows, def, 1, err))
        return err->status;
    size_t row = hc_inventory_add(rows, HC_CLOCK_RELATIVE);
    hc_table_i64(rows, HC_INVENTORY_START_NS)[row] = 0;
    hc_table_i64(rows, HC_INVENTORY_END_NS)[row] = p->last_ns;
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct incidents_infinitehbd *p = parser;
    return hc_pull_position(p->pull);
}

const struct hc_format hc_format_incidents_infinitehbd = {
    .name = "incidents-infinitehbd",
    .description = "fault trace of InfiniteHBD, JSON",
    .version = 1,
    .table = &hc_incidents_def,
    .probe = probe,
    .open = open_infinitehbd,
    .next_batch = next_batch,
    .further = inventory,
    .position = position,
    .close = close_infinitehbd,
};
