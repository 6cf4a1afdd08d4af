/* chrome_events.h - the events of a Chrome trace (JSON), one after the other: the array form, which
 * may lack its closing bracket, and the object form with "traceEvents". Bounded memory.
 * Private to this wing.
 *
 * An event keeps the fields that a step timeline may have and the text they were written in; all
 * others are read over. A tail that is cut off behind a whole event is taken, with a warning.
 */
#ifndef HC_PARSERS_STEPS_CHROME_EVENTS_H
#define HC_PARSERS_STEPS_CHROME_EVENTS_H

#include "core/base/status.h"
#include "core/text/number_text.h"
#include "parsers/io/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_CHROME_TEXT 127 /* bytes that are kept of a field */

enum hc_chrome_field {
    HC_CHROME_PH,
    HC_CHROME_NAME,
    HC_CHROME_CAT,
    HC_CHROME_PID,
    HC_CHROME_TID,
    HC_CHROME_TS,
    HC_CHROME_DUR,
    HC_CHROME_FIRST_ARG, /* those in args */
    HC_CHROME_ARG_NAME = HC_CHROME_FIRST_ARG,
    HC_CHROME_ARG_STEP,
    HC_CHROME_ARG_MODEL_CHUNK,
    HC_CHROME_ARG_MB_ID,
    HC_CHROME_ARG_SEQ_ID,
    HC_CHROME_ARG_STAGE,
    HC_CHROME_ARG_RANK,
    HC_CHROME_ARG_ITERATION,
    HC_CHROME_ARG_MICROBATCH,
    HC_CHROME_ARG_PP_RANK,
    HC_CHROME_N_FIELDS
};

enum hc_chrome_kind {
    HC_CHROME_ABSENT, /* not there, or null */
    HC_CHROME_NUMBER,
    HC_CHROME_STRING,
    HC_CHROME_OTHER /* true, false, an object or an array */
};

struct hc_chrome_value {
    enum hc_chrome_kind kind;
    size_t length; /* of the whole text; more than HC_CHROME_TEXT when the rest is not kept */
    char text[HC_CHROME_TEXT + 1];
};

struct hc_chrome_event {
    int64_t byte; /* where it starts, of the decompressed text */
    char phase;   /* 'X', 'B', ...; 0 when there is none of one letter */
    bool has_args;
    struct hc_chrome_value field[HC_CHROME_N_FIELDS];
};

/* "ts", "args.step". */
const char *hc_chrome_field_name(enum hc_chrome_field field);

struct hc_chrome_reader;

/* HC_BAD_INPUT when the text is no JSON, or JSON without events. is_quiet: no warning about a cut
 * tail (it was given). The source must stay. */
enum hc_status hc_chrome_open(struct hc_chrome_reader **reader, const struct hc_source *source,
                              bool is_quiet, struct hc_error *err);
/* The first bytes of a file, to look what is in them. */
enum hc_status hc_chrome_open_bytes(struct hc_chrome_reader **reader, const void *bytes,
                                    size_t length, struct hc_error *err);
void hc_chrome_close(struct hc_chrome_reader *reader);

/* The next event; *found is false at the end. */
enum hc_status hc_chrome_next(struct hc_chrome_reader *reader, struct hc_chrome_event *event,
                              bool *found, struct hc_error *err);

/* Bytes of the source consumed so far. */
int64_t hc_chrome_position(const struct hc_chrome_reader *reader);

/* Whether the bytes may be JSON with events: the first that is not blank is [ or {. */
bool hc_chrome_may_be(const unsigned char *head, size_t length);

/* A field as a whole number or as nanoseconds (it holds microseconds), whether it was written as a
 * number or as a string of one. HC_TEXT_EMPTY when it is absent. */
enum hc_text_number hc_chrome_i64(const struct hc_chrome_event *event, enum hc_chrome_field field,
                                  int64_t *value);
enum hc_text_number hc_chrome_ns(const struct hc_chrome_event *event, enum hc_chrome_field field,
                                 int64_t *ns);

/* Whether a field is exactly this text. */
bool hc_chrome_is(const struct hc_chrome_event *event, enum hc_chrome_field field,
                  const char *text);

#endif
