/* printable.h - text from outside, made fit for a message. */
#ifndef HC_CORE_PRINTABLE_H
#define HC_CORE_PRINTABLE_H

#include <stddef.h>

#define HC_PRINTABLE_SIZE 64

struct hc_printable {
    char text[HC_PRINTABLE_SIZE];
};

/* length bytes of text with everything but printable ASCII as \xNN, cut to fit and then ending in
 * "...". Messages stay one line of valid UTF-8 whatever the input holds. */
struct hc_printable hc_printable(const char *text, size_t length);

#endif
