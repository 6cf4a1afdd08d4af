/* json_escape.h - what the escapes in JSON strings stand for. Private to this wing. */
#ifndef HC_CORE_TEXT_JSON_ESCAPE_H
#define HC_CORE_TEXT_JSON_ESCAPE_H

#include <stddef.h>
#include <stdint.h>

/* Length of the escape at `at` (a backslash, with 12 readable bytes), 0 when it is none or half a
 * surrogate pair; *code is what it stands for. */
size_t hc_json_escape(const char *at, uint32_t *code);

/* Write a code point as UTF-8 (at most four bytes); returns how many. */
size_t hc_json_put_utf8(char *to, uint32_t code);

#endif
