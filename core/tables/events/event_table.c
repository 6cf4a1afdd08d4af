#include "core/tables/events/event_table.h"

#include "core/base/utf8.h"

#include <endian.h>
#include <string.h>

#define PATH_MOST 4000 /* bytes of the name of a file */

static const struct hc_column_def event_columns[HC_EVENTS_N_COLUMNS] = {
    [HC_EVENTS_TIME_NS] = {"time_ns", HC_I64, "ns", "when it was said", NULL},
    [HC_EVENTS_FROM_NS] = {"from_ns", HC_I64, "ns", "it happened no earlier", NULL},
    [HC_EVENTS_TO_NS] = {"to_ns", HC_I64, "ns", "it happened no later", NULL},
    [HC_EVENTS_CLOCK] = {"clock", HC_I32, "", "how the time is known", "event_clock"},
    [HC_EVENTS_CLUSTER] = {"cluster", HC_I32, "", "cluster", "cluster"},
    [HC_EVENTS_NODE] = {"node", HC_I32, "", "node that says so", "event_node"},
    [HC_EVENTS_DEVICE] = {"device", HC_I32, "", "device that it is about", "device"},
    [HC_EVENTS_JOB] = {"job", HC_I64, "", "number of the job that users know", NULL},
    [HC_EVENTS_RANK] = {"rank", HC_I32, "", "rank that says so", NULL},
    [HC_EVENTS_PID] = {"pid", HC_I64, "", "process that it is about", NULL},
    [HC_EVENTS_PROCESS] = {"process", HC_I32, "", "name of that process", "process"},
    [HC_EVENTS_CLASS] = {"class", HC_I32, "", "what it is about", "event_class"},
    [HC_EVENTS_CODE] = {"code", HC_I32, "", "number of the error, signal or exit code", NULL},
    [HC_EVENTS_NAME] = {"name", HC_I32, "", "name of the error", "event_name"},
    [HC_EVENTS_EFFECT] = {"effect", HC_I32, "", "what it does to a job", "event_effect"},
    [HC_EVENTS_MESSAGE] = {"message", HC_I32, "", "what was said, cut", "message"},
    [HC_EVENTS_FACT] = {"fact", HC_I64, "", "hash of who said what", NULL},
    [HC_EVENTS_SOURCE] = {"source", HC_I32, "", "file that says so", "source"},
    [HC_EVENTS_LINE] = {"line", HC_I64, "", "line of that file", NULL},
};

const struct hc_table_def hc_events_def = {"events", HC_EVENTS_N_COLUMNS, event_columns, 1};

const struct hc_table_def *const hc_event_tables[] = {&hc_events_def, NULL};

const struct hc_event hc_event_none = {
    .time_ns = HC_MISSING_I64,
    .from_ns = HC_MISSING_I64,
    .to_ns = HC_MISSING_I64,
    .job = HC_MISSING_I64,
    .pid = HC_MISSING_I64,
    .line = HC_MISSING_I64,
    .rank = HC_MISSING_I32,
    .code = HC_MISSING_I32,
    .event_class = HC_EVENT_OTHER,
    .effect = HC_EFFECT_INFORMS,
};

/* ---- names ---- */

static enum hc_status fill(struct hc_text_set *set, const char *name, int code,
                           struct hc_error *err)
{
    int32_t given;
    if (hc_text_set_add(set, name, strlen(name), &given, err))
        return err->status;
    return given == code ? HC_OK : hc_fail(err, HC_INTERNAL, "'%s' is not code %d", name, code);
}

/* Puts the names of clocks, classes and effects under the numbers of their enums. */
static enum hc_status fill_fixed(struct hc_table_names *names, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    struct hc_text_set *set = hc_table_names_find(names, "event_clock");
    for (int i = 0; i < HC_N_EVENT_CLOCKS && !status; i++)
        status = fill(set, hc_event_clock_name((enum hc_event_clock)i), i, err);
    set = hc_table_names_find(names, "event_class");
    for (int i = 0; i < HC_N_EVENT_CLASSES && !status; i++)
        status = fill(set, hc_event_class_name((enum hc_event_class)i), i, err);
    set = hc_table_names_find(names, "event_effect");
    for (int i = 0; i < HC_N_EVENT_EFFECTS && !status; i++)
        status = fill(set, hc_event_effect_name((enum hc_event_effect)i), i, err);
    return status;
}

enum hc_status hc_event_names_init(struct hc_table_names *names, struct hc_error *err)
{
    if (hc_table_names_init(names, hc_event_tables, err) || fill_fixed(names, err))
        hc_table_names_fini(names);
    return err->status;
}

/* ---- two rows of one event ---- */

bool hc_event_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                       size_t row_b)
{
    int32_t x = hc_table_i32(a, HC_EVENTS_CLOCK)[row_a];
    int32_t y = hc_table_i32(b, HC_EVENTS_CLOCK)[row_b];
    if (x != y)
        return y == HC_MISSING_I32 || (x != HC_MISSING_I32 && x < y);
    int64_t from_a = hc_table_i64(a, HC_EVENTS_FROM_NS)[row_a];
    int64_t from_b = hc_table_i64(b, HC_EVENTS_FROM_NS)[row_b];
    if (from_a != from_b)
        return from_a > from_b; /* a missing one is the least of all numbers */
    int64_t to_a = hc_table_i64(a, HC_EVENTS_TO_NS)[row_a];
    int64_t to_b = hc_table_i64(b, HC_EVENTS_TO_NS)[row_b];
    return to_a != to_b && to_a != HC_MISSING_I64 && (to_b == HC_MISSING_I64 || to_a < to_b);
}

/* ---- rows ---- */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    /* FNV-1a by words of eight bytes, with a shift that brings the high bits down. */
    const unsigned char *at = bytes;
    for (; length >= 8; at += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = (hash ^ le64toh(word)) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 32;
    }
    uint64_t last = length;
    for (; length; at++, length--)
        last = last << 8 | *at;
    hash = (hash ^ last) * 0x9E3779B97F4A7C15ULL;
    return hash ^ hash >> 29;
}

int64_t hc_event_fact(const struct hc_event *event)
{
    uint64_t numbers[] = {htole64((uint64_t)event->job), htole64((uint64_t)event->pid),
                          htole64((uint64_t)event->rank), htole64((uint64_t)event->code),
                          htole64((uint64_t)event->event_class)};
    uint64_t hash = 0xCBF29CE484222325ULL;
    hash = hash_bytes(hash, numbers, sizeof numbers);
    hash = hash_bytes(hash, event->node.text, event->node.length);
    hash = hash_bytes(hash, event->device.text, event->device.length);
    hash = hash_bytes(hash, event->message.text, event->message.length);
    if (event->log_id && !event->node.length && event->job == HC_MISSING_I64) {
        uint64_t log_id = htole64((uint64_t)event->log_id);
        hash = hash_bytes(hash, &log_id, sizeof log_id);
    }
    return (int64_t)(hash >> 1); /* not negative: never HC_MISSING_I64 */
}

/* Make of a text, terminated, what a dictionary can hold. */
static void clean(char *text, size_t length)
{
    for (char *at = text; at < text + length;) {
        size_t n = hc_utf8_length(at);
        if (n == 0 || (unsigned char)*at < ' ' || *at == 0x7f) {
            *at = '?';
            n = 1;
        }
        at += n;
    }
}

/* How much of a text is kept: at most `most` bytes, and whole characters of UTF-8. */
static size_t kept_length(struct hc_event_text text, size_t most)
{
    size_t n = text.length;
    if (n <= most)
        return n;
    for (n = most; n && ((unsigned char)text.text[n] & 0xC0) == 0x80;)
        n--;
    return n;
}

static bool is_plain(const char *text, size_t length)
{
    unsigned odd = 0;
    for (size_t i = 0; i < length; i++)
        odd |= (unsigned char)(text[i] - ' ') >= 0x7f - ' ';
    return !odd;
}

/* The code that the row before has in a column, where it is of that text: what one line says of
 * node, process or file, the next one mostly says too. */
static bool is_as_before(const struct hc_text_set *set, const int32_t *code, const char *text,
                         size_t length)
{
    int32_t before = code[-1];
    return before >= 0 && (size_t)before < set->n &&
           strncmp(set->text[before], text, length) == 0 && set->text[before][length] == '\0';
}

static enum hc_status put_text(const struct hc_event_writer *writer, struct hc_table *events,
                               enum hc_events_column column, struct hc_event_text text,
                               struct hc_error *err)
{
    char copy[PATH_MOST + 1];
    size_t row = events->n_rows - 1;
    int32_t *code = &hc_table_i32(events, column)[row];
    size_t length =
        kept_length(text, column == HC_EVENTS_SOURCE ? PATH_MOST : HC_EVENT_MESSAGE_MOST);
    *code = HC_MISSING_I32;
    if (length == 0)
        return HC_OK;
    const char *kept = text.text;
    if (!is_plain(kept, length)) {
        memcpy(copy, kept, length);
        copy[length] = '\0';
        clean(copy, length);
        kept = copy;
    }
    struct hc_text_set *set = hc_table_names_find(writer->names, event_columns[column].dictionary);
    if (row && is_as_before(set, code, kept, length)) {
        *code = code[-1];
        return HC_OK;
    }
    return hc_text_set_add(set, kept, length, code, err);
}

static void put_numbers(const struct hc_event *event, struct hc_table *events, size_t row)
{
    hc_table_i64(events, HC_EVENTS_TIME_NS)[row] = event->time_ns;
    hc_table_i64(events, HC_EVENTS_FROM_NS)[row] = event->from_ns;
    hc_table_i64(events, HC_EVENTS_TO_NS)[row] = event->to_ns;
    hc_table_i32(events, HC_EVENTS_CLOCK)[row] = (int32_t)event->clock;
    hc_table_i32(events, HC_EVENTS_CLUSTER)[row] = HC_MISSING_I32;
    hc_table_i64(events, HC_EVENTS_JOB)[row] = event->job;
    hc_table_i32(events, HC_EVENTS_RANK)[row] = event->rank;
    hc_table_i64(events, HC_EVENTS_PID)[row] = event->pid;
    hc_table_i32(events, HC_EVENTS_CLASS)[row] = (int32_t)event->event_class;
    hc_table_i32(events, HC_EVENTS_CODE)[row] = event->code;
    hc_table_i32(events, HC_EVENTS_EFFECT)[row] = (int32_t)event->effect;
    hc_table_i64(events, HC_EVENTS_FACT)[row] = hc_event_fact(event);
    hc_table_i64(events, HC_EVENTS_LINE)[row] = event->line;
}

enum hc_status hc_event_put(const struct hc_event_writer *writer, const struct hc_event *event,
                            struct hc_table *events, struct hc_error *err)
{
    struct hc_event_text source = {writer->source, strlen(writer->source)};
    put_numbers(event, events, events->n_rows++);
    if (put_text(writer, events, HC_EVENTS_NODE, event->node, err) ||
        put_text(writer, events, HC_EVENTS_DEVICE, event->device, err) ||
        put_text(writer, events, HC_EVENTS_PROCESS, event->process, err) ||
        put_text(writer, events, HC_EVENTS_NAME, event->name, err) ||
        put_text(writer, events, HC_EVENTS_MESSAGE, event->message, err) ||
        put_text(writer, events, HC_EVENTS_SOURCE, source, err))
        return err->status;
    return HC_OK;
}
