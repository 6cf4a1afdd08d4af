/* event_table.h - the `events` table: what kernels, drivers and programs said of their health.
 *
 * A row is a line of a log (or the few lines that belong together, as a traceback) that tells of a
 * fault, or of something that may have to do with one. The same line in several files, as rotation
 * and overlapping dumps leave it, is one row: the key is the time and a hash of what the line says
 * and of whom. Lines that say the same of the same within a second are one row too where the log
 * has no finer times. Repeats over a few seconds stay rows of their own.
 *
 * Whoever makes rows fills a struct hc_event and puts it:
 *
 *     struct hc_event event = hc_event_none;
 *     event.time_ns = ...;
 *     event.message = (struct hc_event_text){line, length};
 *     status = hc_event_put(&writer, &event, rows, err);
 */
#ifndef HC_CORE_TABLES_EVENTS_EVENT_TABLE_H
#define HC_CORE_TABLES_EVENTS_EVENT_TABLE_H

#include "core/tables/events/event_class.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"

#include <stdbool.h>

enum hc_events_column {
    HC_EVENTS_TIME_NS, /* best time; of a notice of something earlier, that of the notice */
    HC_EVENTS_FROM_NS, /* the fault lies between these, where the line or its neighbours say so */
    HC_EVENTS_TO_NS,
    HC_EVENTS_CLOCK, /* enum hc_event_clock: how the time is known */
    HC_EVENTS_CLUSTER,
    HC_EVENTS_NODE,
    HC_EVENTS_DEVICE, /* "0000:9b:00", "mlx5_0", "GPU 3" */
    HC_EVENTS_JOB,    /* number that users know */
    HC_EVENTS_RANK,
    HC_EVENTS_PID,
    HC_EVENTS_PROCESS, /* its name */
    HC_EVENTS_CLASS,   /* enum hc_event_class */
    HC_EVENTS_CODE,    /* Xid, exit code, signal */
    HC_EVENTS_NAME,    /* of the code, of an exception */
    HC_EVENTS_EFFECT,  /* enum hc_event_effect */
    HC_EVENTS_MESSAGE, /* cut to HC_EVENT_MESSAGE_MOST bytes */
    HC_EVENTS_FACT,    /* hash of who says what, uncut */
    HC_EVENTS_SOURCE,
    HC_EVENTS_LINE,
    HC_EVENTS_N_COLUMNS
};

#define HC_EVENT_MESSAGE_MOST 300 /* bytes */

extern const struct hc_table_def hc_events_def;

/* The list of the one table, ending in NULL. */
extern const struct hc_table_def *const hc_event_tables[];

/* The sets of the table, those of fixed codes filled. */
enum hc_status hc_event_names_init(struct hc_table_names *names, struct hc_error *err);

/* Whether row a knows the time of the same event better than row b of another table. */
bool hc_event_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                       size_t row_b);

/* A piece of text that is not terminated. */
struct hc_event_text {
    const char *text;
    size_t length; /* 0: nothing is known */
};

/* An event as a reader finds it. */
struct hc_event {
    int64_t time_ns; /* Unix time, must be known */
    int64_t from_ns, to_ns;
    int64_t job, pid, line;
    int64_t
        log_id; /* of the log of a job that says it, or 0: two jobs may say the same at a time */
    int32_t rank, code;
    enum hc_event_clock clock;
    enum hc_event_class event_class;
    enum hc_event_effect effect;
    struct hc_event_text node, device, process, name, message;
};

/* An event of which nothing is known yet. */
extern const struct hc_event hc_event_none;

/* Of what the key is made besides the time: a hash of who says what, of which device and process.
 */
int64_t hc_event_fact(const struct hc_event *event);

/* Where events are put. Bytes of texts that are not UTF-8, or control bytes, are kept as '?'. */
struct hc_event_writer {
    struct hc_table_names *names;
    const char *source; /* name of the file; stays the caller's */
};

/* Append an event as a row; the table must have room. The writer may be that of a source that
 * fills other tables too: their texts are in the same names. HC_NO_MEMORY only. */
enum hc_status hc_event_put(const struct hc_event_writer *writer, const struct hc_event *event,
                            struct hc_table *events, struct hc_error *err);

#endif
