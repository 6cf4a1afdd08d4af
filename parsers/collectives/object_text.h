/* object_text.h - JSON objects that stand one behind the other in a source, as logs have them: one
 * object after the other, each with its members as they are written.
 *
 * A window moves over the text and holds whole objects, so that members are read where they stand.
 * What is no JSON costs the object that it is in: the next one is looked for. Bytes below a blank
 * may stand in strings, as loggers write them.
 * Private to this wing.
 */
#ifndef HC_PARSERS_COLLECTIVES_OBJECT_TEXT_H
#define HC_PARSERS_COLLECTIVES_OBJECT_TEXT_H

#include "parsers/io/byte_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_OBJECT_MOST_MEMBERS 64 /* that are kept of an object, those in its objects included */

enum hc_member_kind {
    HC_MEMBER_TEXT,    /* without its quotes, escapes as written */
    HC_MEMBER_LITERAL, /* a number, true, false, null */
    HC_MEMBER_OBJECT   /* with its braces; its members follow */
};

/* A member of an object, or of an object in it. Members of lists, and lists, are read over. */
struct hc_object_member {
    const char *key, *text; /* in the window */
    uint32_t key_length, length;
    int16_t parent; /* the member whose object it is in, or -1 */
    uint8_t kind;   /* enum hc_member_kind */
    bool is_escaped;
};

enum hc_object_outcome {
    HC_OBJECT_READ,
    HC_OBJECT_DAMAGED, /* no JSON, or longer than HC_OBJECT_MOST: read over */
    HC_OBJECT_CUT,     /* the text ends in it */
    HC_OBJECT_END      /* there is none any more */
};

struct hc_object_text {
    struct hc_byte_reader *reader;
    char *bytes;
    size_t capacity, at, end; /* bytes[at, end) was read and not yet used */
    int64_t offset;           /* of bytes[0] in the unpacked text */
    bool is_ended, is_cut;    /* nothing follows; the packed data ended too early */
    /* The object that was read, until the next one is. */
    int64_t byte; /* where it begins, of the unpacked text */
    size_t n_members;
    struct hc_object_member members[HC_OBJECT_MOST_MEMBERS];
};

enum hc_status hc_object_text_open(struct hc_object_text *text, const struct hc_source *source,
                                   struct hc_error *err);
void hc_object_text_close(struct hc_object_text *text);

/* The next object. After damage, the text goes on at the next brace with one of `keys` (ends in
 * NULL) behind it: the first keys of the objects of this log. */
enum hc_status hc_object_text_next(struct hc_object_text *text, const char *const *keys,
                                   enum hc_object_outcome *outcome, struct hc_error *err);

/* The member of that key in the object of member `parent` (-1: the whole one), or NULL. */
const struct hc_object_member *hc_object_text_find(const struct hc_object_text *text, int parent,
                                                   const char *key);

/* The same as the parent of others: its place, or -2 where it is not there or no object. */
int hc_object_text_inner(const struct hc_object_text *text, int parent, const char *key);

#endif
