#include "store/objects/value_type.h"

#include "store/objects/segment_file.h"
#include "store/objects/segment_layout.h"

#include <string.h>

#define HEAD_SIZE 8    /* class and version, three bytes of flags, size */
#define TEXT      0x03 /* class */

/* Messages of numbers, but for the version, which is in the high half of the first byte. */
static const struct {
    enum hc_type type;
    size_t size;
    uint8_t message[20];
} numbers[] = {
    {HC_I32, 12, {0x00, 0x08, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0}},
    {HC_I64, 12, {0x00, 0x08, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0}},
    {HC_F64, 20, {0x01, 0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 0x03, 0, 0}},
};

bool hc_value_type_read(const uint8_t *message, size_t size, struct hc_value_type *type)
{
    static const uint8_t utf8_padded[3] = {0x11, 0, 0};
    if (size < HEAD_SIZE || message[0] >> 4 < 1 || message[0] >> 4 > 3)
        return false;
    int class = message[0] & 0x0f;
    type->size = hc_little_endian(message + 4, 4);
    type->text = class == TEXT;
    if (type->text)
        return memcmp(message + 1, utf8_padded, 3) == 0 && type->size >= 1 &&
               type->size <= HC_TEXT_MAX;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        type->type = numbers[i].type;
        if (size >= numbers[i].size && class == numbers[i].message[0] &&
            memcmp(message + 1, numbers[i].message + 1, numbers[i].size - 1) == 0)
            return true;
    }
    return false;
}

bool hc_dataspace_is_scalar(const uint8_t *message, size_t size)
{
    static const uint8_t scalar[4] = {2, 0, 0, 0};
    return size >= sizeof scalar && memcmp(message, scalar, sizeof scalar) == 0;
}

/* Version, dimensions, flags (there are maxima), type. */
bool hc_dataspace_is_row(const uint8_t *message, size_t size, uint64_t *n)
{
    if (size < 12 || message[0] != 2 || message[1] != 1 || message[2] > 1 || message[3] != 1)
        return false;
    *n = hc_little_endian(message + 4, 8);
    return true;
}
