/* printable.h - text from outside, made fit for people: terminals, messages, CSV, pages.
 *
 * Names of jobs, nodes and files are foreign text. Some characters in them do not show what they
 * are, but do something: control characters (ESC and U+009B begin commands of terminals),
 * characters that turn the direction of text, end a line or have no width, and bytes that are not
 * UTF-8. Whoever shows foreign text shows these as escapes: "\x1b", "\u202e". A backslash stays as
 * it is: what is shown is for reading, and JSON, which loses nothing, is for reading back.
 */
#ifndef HC_CORE_BASE_PRINTABLE_H
#define HC_CORE_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define HC_PRINTABLE_SIZE 64

struct hc_printable {
    char text[HC_PRINTABLE_SIZE];
};

/* length bytes of text with everything but printable ASCII as \xNN, cut to fit and then ending in
 * "...". Messages stay one line of valid UTF-8 whatever the input holds. */
struct hc_printable hc_printable(const char *text, size_t length);

/* A text of n bytes has at most HC_SHOWN_MOST * n when it is shown. */
#define HC_SHOWN_MOST 4

/* One character of a text, as it is to be shown. */
struct hc_shown {
    size_t length;   /* bytes of it in the text */
    uint32_t code;   /* its code point; of a byte that is not UTF-8: that byte */
    bool is_text;    /* it is UTF-8 */
    bool is_escaped; /* it is to be shown as escape */
    char escape[12]; /* "\x1b", "\u202e", "\u{e0001}" */
};

/* The first character of text, which ends in a NUL and is not empty. */
struct hc_shown hc_show(const char *text);

/* All of a text as it is to be shown, into size bytes: cut between characters to fit. For texts
 * that are kept: a message in the row of a job. */
void hc_show_copy(char *to, size_t size, const char *text);

/* Write length bytes of text, whole characters, with what must not be shown as it is as escapes;
 * and all of a text. */
void hc_show_bytes(FILE *stream, const char *text, size_t length);
void hc_show_text(FILE *stream, const char *text);

#endif
