#include "core/base/printable.h"

#include "core/base/utf8.h"

#include <string.h>

struct hc_printable hc_printable(const char *text, size_t length)
{
    static const char hex[] = "0123456789abcdef";
    struct hc_printable out;
    const size_t room = sizeof out.text - sizeof "...";
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        size_t width = c >= 0x20 && c < 0x7f ? 1 : 4;
        if (used + width > room) {
            memcpy(out.text + used, "...", 4);
            return out;
        }
        if (width == 1)
            out.text[used] = (char)c;
        else
            memcpy(out.text + used, (char[]){'\\', 'x', hex[c >> 4], hex[c & 15]}, 4);
        used += width;
    }
    out.text[used] = '\0';
    return out;
}

/* ---- characters that do something ---- */

static const struct {
    uint32_t first, last;
} acting[] = {
    {0x0000, 0x001F},   /* C0 */
    {0x007F, 0x009F},   /* DEL and C1 */
    {0x00AD, 0x00AD},   /* soft hyphen */
    {0x061C, 0x061C},   /* Arabic letter mark */
    {0x180E, 0x180E},   /* Mongolian vowel separator */
    {0x200B, 0x200F},   /* no width, and marks of direction */
    {0x2028, 0x202E},   /* ends of line and paragraph; embedding and overriding of direction */
    {0x2060, 0x206F},   /* joiners and isolates */
    {0xFEFF, 0xFEFF},   /* byte order mark */
    {0xFFF9, 0xFFFB},   /* annotations between the lines */
    {0xE0000, 0xE0FFF}, /* tags */
};

static bool is_acting(uint32_t code)
{
    for (size_t i = 0; i < sizeof acting / sizeof *acting && code >= acting[i].first; i++)
        if (code <= acting[i].last)
            return true;
    return false;
}

static uint32_t decode(const unsigned char *bytes, size_t length)
{
    static const unsigned char first_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = bytes[0] & first_bits[length];
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (bytes[i] & 0x3F);
    return code;
}

struct hc_shown hc_show(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    struct hc_shown shown = {.length = 1, .code = bytes[0], .is_text = true};
    if (bytes[0] >= 0x20 && bytes[0] < 0x7F)
        return shown;
    size_t length = hc_utf8_length(text);
    shown.is_text = length > 0;
    if (length > 0) {
        shown.length = length;
        shown.code = decode(bytes, length);
    }
    shown.is_escaped = !shown.is_text || is_acting(shown.code);
    if (shown.is_escaped)
        snprintf(shown.escape, sizeof shown.escape,
                 shown.length == 1      ? "\\x%02x"
                 : shown.code <= 0xFFFF ? "\\u%04x"
                                        : "\\u{%x}",
                 (unsigned)shown.code);
    return shown;
}

void hc_show_bytes(FILE *stream, const char *text, size_t length)
{
    for (const char *end = text + length; text < end;) {
        struct hc_shown shown = hc_show(text);
        if (shown.is_escaped)
            fputs(shown.escape, stream);
        else
            fwrite(text, 1, shown.length, stream);
        text += shown.length;
    }
}

void hc_show_text(FILE *stream, const char *text)
{
    hc_show_bytes(stream, text, strlen(text));
}

void hc_show_copy(char *to, size_t size, const char *text)
{
    size_t at = 0;
    while (*text) {
        struct hc_shown shown = hc_show(text);
        size_t width = shown.is_escaped ? strlen(shown.escape) : shown.length;
        if (at + width >= size)
            break;
        memcpy(to + at, shown.is_escaped ? shown.escape : text, width);
        at += width;
        text += shown.length;
    }
    to[at] = '\0';
}
