/* json_line.h - the fields of a JSON object that stands in one line, as log stores export them:
 * passed over once, nothing kept. For lines of which few are looked at, and few fields of these.
 * Private to this wing. */
#ifndef HC_PARSERS_KERNEL_JSON_LINE_H
#define HC_PARSERS_KERNEL_JSON_LINE_H

#include "core/tables/events/event_table.h"

#include <stdbool.h>

struct hc_json_field {
    struct hc_event_text outer; /* of a field within an object: the key of that; else empty */
    struct hc_event_text key;
    /* Of a string, what stands between its quotes, escapes unresolved; of an array, all of it. */
    struct hc_event_text value;
    bool is_string, is_array;
};

typedef void hc_json_field_taker(const struct hc_json_field *field, void *context);

/* Give all fields of the object, and those of objects in it (not deeper), in their order. False:
 * the line is no such object. */
bool hc_json_line_read(struct hc_event_text line, hc_json_field_taker *take, void *context);

/* The text of a string, or of an array of the numbers of its bytes (as journalctl writes what is
 * not UTF-8), in a buffer of size bytes, to which it is cut; its length. */
size_t hc_json_field_text(const struct hc_json_field *field, char *buffer, size_t size);

#endif
