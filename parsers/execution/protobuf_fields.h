/* protobuf_fields.h - the fields of a message in the wire format of Protocol Buffers, one after the
 * other. Private to this wing. */
#ifndef HC_PARSERS_EXECUTION_PROTOBUF_FIELDS_H
#define HC_PARSERS_EXECUTION_PROTOBUF_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hc_wire_type { HC_WIRE_VARINT = 0, HC_WIRE_64 = 1, HC_WIRE_BYTES = 2, HC_WIRE_32 = 5 };

struct hc_wire_field {
    uint32_t number;
    enum hc_wire_type type;
    uint64_t value; /* of varints and fixed ones */
    const uint8_t *bytes;
    size_t length; /* of bytes */
};

/* Bytes that are left of a message. */
struct hc_wire {
    const uint8_t *at, *end;
};

/* Read a varint of at most ten bytes. False: it is cut off or too long. */
bool hc_wire_varint(struct hc_wire *wire, uint64_t *value);

/* The next field; false at the end (*is_bad is false then), and where what stands there is none. */
bool hc_wire_next(struct hc_wire *wire, struct hc_wire_field *field, bool *is_bad);

/* Of a signed varint in zigzag. */
static inline int64_t hc_wire_zigzag(uint64_t value)
{
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

#endif
