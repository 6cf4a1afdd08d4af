/* json_pull.h - JSON read token by token from a stream (RFC 8259, UTF-8): plain, gzip, zstd or
 * xz.
 *
 * Memory is bounded whatever the document is: some 1.5 MB. Nothing is taken that is not JSON: no
 * NaN, no comments, no commas before a closing bracket. Numbers are given as the text that
 * they are, so that time stamps keep all their digits (see number_text.h).
 */
#ifndef HC_PARSERS_IO_JSON_PULL_H
#define HC_PARSERS_IO_JSON_PULL_H

#include "core/base/memory.h"
#include "core/base/status.h"
#include "parsers/io/source.h"

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

enum hc_status hc_pull_open(struct hc_json_pull **pull, const struct hc_source *source,
                            struct hc_error *err);

/* Read length bytes of memory, which must stay; name is for messages. */
enum hc_status hc_pull_open_bytes(struct hc_json_pull **pull, const char *name, const void *bytes,
                                  size_t length, struct hc_error *err);
void hc_pull_close(struct hc_json_pull *pull);

/* The next token. What is no JSON is HC_BAD_INPUT naming file, line, byte and what was found. */
enum hc_status hc_pull_next(struct hc_json_pull *pull, struct hc_pull_token *token,
                            struct hc_error *err);

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
