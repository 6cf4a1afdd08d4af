#include "parsers/execution/protobuf_fields.h"

#include <string.h>

#define MOST_VARINT 10

bool hc_wire_varint(struct hc_wire *wire, uint64_t *value)
{
    *value = 0;
    for (int i = 0; i < MOST_VARINT && wire->at < wire->end; i++) {
        uint8_t byte = *wire->at++;
        *value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (!(byte & 0x80))
            return i < MOST_VARINT - 1 || byte <= 1;
    }
    return false;
}

static bool read_fixed(struct hc_wire *wire, size_t size, uint64_t *value)
{
    *value = 0;
    if ((size_t)(wire->end - wire->at) < size)
        return false;
    for (size_t i = 0; i < size; i++)
        *value |= (uint64_t)wire->at[i] << (8 * i);
    wire->at += size;
    return true;
}

static bool read_bytes(struct hc_wire *wire, struct hc_wire_field *field)
{
    uint64_t length;
    if (!hc_wire_varint(wire, &length) || length > (uint64_t)(wire->end - wire->at))
        return false;
    field->bytes = wire->at;
    field->length = (size_t)length;
    wire->at += length;
    return true;
}

bool hc_wire_next(struct hc_wire *wire, struct hc_wire_field *field, bool *is_bad)
{
    uint64_t key;
    *is_bad = false;
    if (wire->at == wire->end)
        return false;
    memset(field, 0, sizeof *field);
    bool is_read = hc_wire_varint(wire, &key) && key >> 3 && key >> 3 < (uint64_t)1 << 29;
    field->number = (uint32_t)(key >> 3);
    field->type = (enum hc_wire_type)(key & 7);
    if (is_read && field->type == HC_WIRE_VARINT)
        is_read = hc_wire_varint(wire, &field->value);
    else if (is_read && field->type == HC_WIRE_64)
        is_read = read_fixed(wire, 8, &field->value);
    else if (is_read && field->type == HC_WIRE_32)
        is_read = read_fixed(wire, 4, &field->value);
    else
        is_read = is_read && field->type == HC_WIRE_BYTES && read_bytes(wire, field);
    *is_bad = !is_read;
    return is_read;
}
