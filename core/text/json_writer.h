/* json_writer.h - JSON written as it comes: no document in memory, shortest numbers, fixed order.
 *
 * Jansson keeps the whole document and prints doubles with 17 digits; results with a value per step
 * and group have millions of them. Keys are written in the order of the calls; nothing checks that
 * they differ. In an array, key is NULL. Text that is not UTF-8 gets U+FFFD for each bad byte; what
 * acts on a terminal (core/base/printable.h) is escaped, which loses nothing.
 * Write errors are kept by the stream and reported by hc_json_finish.
 */
#ifndef HC_CORE_TEXT_JSON_WRITER_H
#define HC_CORE_TEXT_JSON_WRITER_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define HC_JSON_MAX_DEPTH 16

struct hc_json_writer {
    FILE *stream;
    int indent; /* spaces a level */
    int depth;
    bool is_line;  /* inside an array or object that stays on one line */
    bool is_empty; /* nothing in the innermost container yet */
    char closing[HC_JSON_MAX_DEPTH];
};

void hc_json_start(struct hc_json_writer *json, FILE *stream, int indent);

/* An object or array with a member a line. */
void hc_json_object(struct hc_json_writer *json, const char *key);
void hc_json_array(struct hc_json_writer *json, const char *key);
/* The same on one line; nothing but scalars may be in it. */
void hc_json_object_line(struct hc_json_writer *json, const char *key);
void hc_json_array_line(struct hc_json_writer *json, const char *key);
/* End the innermost object or array. */
void hc_json_end(struct hc_json_writer *json);

void hc_json_null(struct hc_json_writer *json, const char *key);
void hc_json_bool(struct hc_json_writer *json, const char *key, bool value);
void hc_json_i64(struct hc_json_writer *json, const char *key, int64_t value); /* missing: null */
void hc_json_i32(struct hc_json_writer *json, const char *key, int32_t value); /* missing: null */
void hc_json_real(struct hc_json_writer *json, const char *key, double value); /* NaN, inf: null */
void hc_json_text(struct hc_json_writer *json, const char *key, const char *value); /* NULL: null */

/* A text in quotes, by itself. */
void hc_json_string(FILE *stream, const char *value);

/* HC_IO when a write to the stream failed; name is the output, for the message. */
enum hc_status hc_json_finish(struct hc_json_writer *json, const char *name, struct hc_error *err);

#endif
