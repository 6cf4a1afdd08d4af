/* utf8.h - what is valid UTF-8, for writers of formats that demand it. */
#ifndef HC_CORE_BASE_UTF8_H
#define HC_CORE_BASE_UTF8_H

#include <stddef.h>

/* Bytes of the UTF-8 sequence that text, which ends in a NUL, begins with (RFC 3629), or 0 when it
 * is not one. */
size_t hc_utf8_length(const char *text);

#endif
