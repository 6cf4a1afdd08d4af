#include "core/base/utf8.h"

size_t hc_utf8_length(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t n = bytes[0] < 0x80   ? 1
               : bytes[0] < 0xC2 ? 0
               : bytes[0] < 0xE0 ? 2
               : bytes[0] < 0xF0 ? 3
               : bytes[0] < 0xF5 ? 4
                                 : 0;
    for (size_t i = 1; i < n; i++)
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
    if ((bytes[0] == 0xE0 && bytes[1] < 0xA0) || (bytes[0] == 0xED && bytes[1] > 0x9F) ||
        (bytes[0] == 0xF0 && bytes[1] < 0x90) || (bytes[0] == 0xF4 && bytes[1] > 0x8F))
        return 0;
    return n;
}
