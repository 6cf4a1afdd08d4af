#include "core/printable.h"

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
