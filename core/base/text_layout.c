#include "core/base/text_layout.h"

#include "core/base/printable.h"

#include <stdbool.h>
#include <string.h>

/* A character takes one column, its escape as many as it has characters. */
static size_t columns_of(const struct hc_shown *shown)
{
    return shown->is_escaped ? strlen(shown->escape) : 1;
}

static size_t size_of(const struct hc_shown *shown)
{
    return shown->is_escaped ? strlen(shown->escape) : shown->length;
}

/* What a text, or the first length bytes of it, takes when it is shown. */
struct extent {
    size_t columns, size;
};

static struct extent measure(const char *text, size_t length)
{
    struct extent extent = {0, 0};
    for (const char *end = text + length; text < end;) {
        struct hc_shown shown = hc_show(text);
        extent.columns += columns_of(&shown);
        extent.size += size_of(&shown);
        text += shown.length;
    }
    return extent;
}

size_t hc_text_columns(const char *text)
{
    return measure(text, strlen(text)).columns;
}

/* Bytes of the characters of text that fit so many columns and bytes when they are shown. */
static size_t fitting(const char *text, size_t length, size_t columns, size_t size)
{
    size_t used = 0;
    while (used < length) {
        struct hc_shown shown = hc_show(text + used);
        if (columns_of(&shown) > columns || size_of(&shown) > size)
            break;
        columns -= columns_of(&shown);
        size -= size_of(&shown);
        used += shown.length;
    }
    return used;
}

/* Returns the end of what was written, a NUL. */
static char *copy_shown(char *to, const char *from, size_t length)
{
    for (const char *end = from + length; from < end;) {
        struct hc_shown shown = hc_show(from);
        size_t size = size_of(&shown);
        memcpy(to, shown.is_escaped ? shown.escape : from, size);
        to += size;
        from += shown.length;
    }
    *to = '\0';
    return to;
}

const char *hc_text_head(char *to, size_t size, const char *text, size_t columns)
{
    if (!text)
        text = "";
    size_t length = strlen(text);
    struct extent extent = measure(text, length);
    bool fits = extent.size < size && extent.columns <= columns;
    if (!fits)
        length = fitting(text, length, columns - 3, size - 4);
    char *end = copy_shown(to, text, length);
    if (!fits)
        strcpy(end, "...");
    return to;
}

const char *hc_text_tail(char *to, size_t size, const char *text, size_t columns)
{
    if (!text)
        text = "";
    struct extent left = measure(text, strlen(text));
    if (left.size < size && left.columns <= columns) {
        copy_shown(to, text, strlen(text));
        return to;
    }
    while (left.columns > columns - 3 || left.size > size - 4) {
        struct hc_shown shown = hc_show(text);
        left.columns -= columns_of(&shown);
        left.size -= size_of(&shown);
        text += shown.length;
    }
    strcpy(to, "...");
    copy_shown(to + 3, text, strlen(text));
    return to;
}

void hc_text_wrap(FILE *stream, const char *text, size_t column, size_t indent, size_t width)
{
    bool at_start = true; /* nothing on this line yet */
    if (indent >= width)
        indent = 0;
    while (*(text += strspn(text, " "))) {
        size_t length = strcspn(text, " ");
        size_t columns = measure(text, length).columns;
        if (column + !at_start + columns > width && (!at_start || column > indent)) {
            fprintf(stream, "\n%*s", (int)indent, "");
            column = indent;
            at_start = true;
        }
        size_t room = width - column - !at_start;
        if (columns > room) {
            size_t part = fitting(text, length, room, SIZE_MAX);
            length = part ? part : hc_show(text).length; /* an escape wider than a line */
            columns = measure(text, length).columns;
        }
        if (!at_start)
            fputc(' ', stream);
        hc_show_bytes(stream, text, length);
        column += columns + !at_start;
        at_start = false;
        text += length;
    }
    fputc('\n', stream);
}
