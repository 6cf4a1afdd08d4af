#include "core/text_layout.h"

#include <stdbool.h>
#include <string.h>

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/* Bytes of the control character at text, which are one or two (U+0080 to U+009F, of which U+009B
 * starts an escape sequence like ESC [), or 0. */
static size_t control_length(const char *text)
{
    unsigned char first = (unsigned char)text[0];
    if (first == 0xC2 && (unsigned char)text[1] >= 0x80 && (unsigned char)text[1] < 0xA0)
        return 2;
    return first < 0x20 || first == 0x7F;
}

size_t hc_text_columns(const char *text)
{
    size_t columns = 0;
    for (; *text; text++)
        columns += !is_continuation((unsigned char)*text);
    return columns;
}

/* Bytes of the first columns columns of text, but at most limit. */
static size_t bytes_of_columns(const char *text, size_t columns, size_t limit)
{
    size_t used = 0;
    while (text[used]) {
        size_t next = used + 1;
        while (is_continuation((unsigned char)text[next]))
            next++;
        if (columns-- == 0 || next > limit)
            break;
        used = next;
    }
    return used;
}

static void copy_printable(char *to, const char *from, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        size_t n = control_length(from + i);
        *to++ = n ? '?' : from[i];
        i += n == 2;
    }
    *to = '\0';
}

const char *hc_text_head(char *to, size_t size, const char *text, size_t columns)
{
    if (!text)
        text = "";
    size_t length = strlen(text);
    bool fits = length < size && hc_text_columns(text) <= columns;
    if (!fits)
        length = bytes_of_columns(text, columns - 3, size - 4);
    copy_printable(to, text, length);
    if (!fits)
        strcat(to, "...");
    return to;
}

const char *hc_text_tail(char *to, size_t size, const char *text, size_t columns)
{
    if (!text)
        text = "";
    size_t left = hc_text_columns(text);
    if (strlen(text) < size && left <= columns) {
        copy_printable(to, text, strlen(text));
        return to;
    }
    for (; left > columns - 3 || strlen(text) > size - 4; left--)
        do
            text++;
        while (is_continuation((unsigned char)*text));
    strcpy(to, "...");
    copy_printable(to + 3, text, strlen(text));
    return to;
}

static void print_printable(FILE *stream, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        size_t n = control_length(text + i);
        fputc(n ? '?' : text[i], stream);
        i += n == 2;
    }
}

void hc_text_wrap(FILE *stream, const char *text, size_t column, size_t indent, size_t width)
{
    bool at_start = true; /* nothing on this line yet */
    if (indent >= width)
        indent = 0;
    while (*(text += strspn(text, " "))) {
        size_t length = strcspn(text, " ");
        size_t columns = 0;
        for (size_t i = 0; i < length; i++)
            columns += !is_continuation((unsigned char)text[i]);
        if (column + !at_start + columns > width && (!at_start || column > indent)) {
            fprintf(stream, "\n%*s", (int)indent, "");
            column = indent;
            at_start = true;
        }
        size_t room = width - column - !at_start;
        if (columns > room) {
            length = bytes_of_columns(text, room, length);
            columns = room;
        }
        if (!at_start)
            fputc(' ', stream);
        print_printable(stream, text, length);
        column += columns + !at_start;
        at_start = false;
        text += length;
    }
    fputc('\n', stream);
}
