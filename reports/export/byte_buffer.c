#include "reports/export/byte_buffer.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

unsigned char *hc_bytes_room(struct hc_bytes *bytes, size_t n)
{
    if (bytes->failure.status)
        return NULL;
    if (n > SIZE_MAX - bytes->size)
        hc_fail_memory(&bytes->failure, n);
    else if (hc_reserve(&bytes->data, &bytes->capacity, bytes->size + n, 1, &bytes->failure) ==
             HC_OK)
        return bytes->data + bytes->size;
    return NULL;
}

void hc_bytes_append(struct hc_bytes *bytes, const void *data, size_t n)
{
    unsigned char *room = n ? hc_bytes_room(bytes, n) : NULL;
    if (!room)
        return;
    memcpy(room, data, n);
    bytes->size += n;
}

void hc_bytes_byte(struct hc_bytes *bytes, unsigned char byte)
{
    hc_bytes_append(bytes, &byte, 1);
}

void hc_bytes_varint(struct hc_bytes *bytes, uint64_t value)
{
    unsigned char text[10];
    size_t n = 0;
    for (; value >= 0x80; value >>= 7)
        text[n++] = (unsigned char)(value | 0x80);
    text[n++] = (unsigned char)value;
    hc_bytes_append(bytes, text, n);
}

void hc_bytes_little_endian(struct hc_bytes *bytes, uint64_t value, size_t n)
{
    unsigned char text[8];
    for (size_t i = 0; i < n; i++)
        text[i] = (unsigned char)(value >> 8 * i);
    hc_bytes_append(bytes, text, n);
}

enum hc_status hc_bytes_status(const struct hc_bytes *bytes, struct hc_error *err)
{
    if (bytes->failure.status)
        *err = bytes->failure;
    return bytes->failure.status;
}

void hc_bytes_clear(struct hc_bytes *bytes)
{
    bytes->size = 0;
}

void hc_bytes_fini(struct hc_bytes *bytes)
{
    free(bytes->data);
    memset(bytes, 0, sizeof *bytes);
}
