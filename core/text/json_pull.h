/* json_pull.h - JSON read token by token (RFC 8259, UTF-8), from memory or from whatever gives
 * bytes (of a source: parsers/io/json_source.h).
 *
 * Memory is bounded whatever the document is: some 1.5 MB. Nothing is taken that is not JSON: no
 * NaN, no comments, no commas before a closing bracket, but where a liberty allows it. Numbers are
 * given as the text that they are, so that time stamps keep all their digits (see number_text.h).
 *
 * A message for people names file, line and byte. Who can say more of a mistake asks what was
 * expected where (hc_pull_mistake), as the reader of scenarios does.
 */
#ifndef HC_CORE_TEXT_JSON_PULL_H
#define HC_CORE_TEXT_JSON_PULL_H

#include "core/base/memory.h"
#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_PULL_MAX_DEPTH 512
#define HC_PULL_MAX_TOKEN                                                                          \
    HC_BUFFER_SIZE((size_t)1 << 20) /* longest string or number that is given, bytes */

enum hc_pull_kind {
    HC_PULL_END, /* of the document: nothing but blanks follows */
    HC_PULL_OBJECT,
    HC_PULL_OBJECT_END,
    HC_PULL_ARRAY,
    HC_PULL_ARRAY_END,
    HC_PULL_KEY, /* its value is next */
    HC_PULL_STRING,
    HC_PULL_NUMBER,
    HC_PULL_TRUE,
    HC_PULL_FALSE,
    HC_PULL_NULL
};

struct hc_pull_token {
    enum hc_pull_kind kind;
    const char *text; /* of keys, strings (escapes resolved; may hold NUL) and numbers; valid until
                         the next call */
    size_t length;
    int64_t byte; /* where it starts, of the decompressed text, from 0 */
};

struct hc_json_pull;

/* Where the bytes come from. context is the callbacks' own; close gets it when the reader is
 * closed, or could not be opened. */
struct hc_pull_input {
    const char *name; /* for messages; must stay */
    void *context;
    /* Fill buffer with up to room bytes; *length 0 is the end. */
    enum hc_status (*read)(void *context, void *buffer, size_t room, size_t *length,
                           struct hc_error *err);
    int64_t (*position)(const void *context); /* bytes of the source so far; NULL: of the text */
    void (*close)(void *context);             /* or NULL */
};

/* What is allowed beyond JSON, as bits; and what is not. */
enum hc_pull_liberty {
    HC_PULL_COMMENTS = 1 << 0,        /* from two slashes to the end of the line */
    HC_PULL_TRAILING_COMMAS = 1 << 1, /* before a closing bracket */
    HC_PULL_NO_NUL = 1 << 2           /* an escape for U+0000 in a string is refused */
};

enum hc_status hc_pull_open(struct hc_json_pull **pull, const struct hc_pull_input *input,
                            unsigned liberties, struct hc_error *err);

/* Text in memory, which must stay; name is for messages. */
struct hc_pull_text {
    const char *name;
    const void *bytes;
    size_t length;
};
enum hc_status hc_pull_open_text(struct hc_json_pull **pull, const struct hc_pull_text *text,
                                 unsigned liberties, struct hc_error *err);
void hc_pull_close(struct hc_json_pull *pull);

/* The next token. What is no JSON is HC_BAD_INPUT naming file, line, byte and what was found. */
enum hc_status hc_pull_next(struct hc_json_pull *pull, struct hc_pull_token *token,
                            struct hc_error *err);

/* What hc_pull_next expected where it found something else. */
enum hc_pull_wanted {
    HC_WANTED_VALUE,
    HC_WANTED_KEY,
    HC_WANTED_COLON,
    HC_WANTED_IN_OBJECT, /* a comma or a closing brace */
    HC_WANTED_IN_ARRAY,  /* a comma or a closing bracket */
    HC_WANTED_END,       /* of the document */
    HC_WANTED_STRING,    /* what may stand in a string */
    HC_WANTED_NUMBER,    /* what a number goes on with */
    HC_WANTED_LESS       /* shorter, or less deeply nested, than it is */
};

struct hc_pull_mistake {
    enum hc_pull_wanted wanted;
    int64_t byte;  /* where it is, of the decompressed text, from 0 */
    int64_t token; /* where the token that it is in starts */
};

/* Of the last call, which returned HC_BAD_INPUT for the text itself, not for its source. */
struct hc_pull_mistake hc_pull_mistake(const struct hc_json_pull *pull);

/* Read over the value that comes next; after a token that opens an object or array was given, over
 * what is left of it. Strings may have any length there. */
enum hc_status hc_pull_skip_value(struct hc_json_pull *pull, struct hc_error *err);
enum hc_status hc_pull_skip_rest(struct hc_json_pull *pull, struct hc_error *err);

/* Whether the last call failed because the text ends between two tokens of an unfinished document:
 * the tail is cut off. */
bool hc_pull_is_cut(const struct hc_json_pull *pull);

/* Bytes of the source consumed so far (compressed), for progress. */
int64_t hc_pull_position(const struct hc_json_pull *pull);

#endif
