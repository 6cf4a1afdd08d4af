#include "parsers/parquet/parquet_thrift.h"

#include <string.h>

/* Wire types of the compact protocol. */
enum {
    WIRE_STOP,
    WIRE_TRUE,
    WIRE_FALSE,
    WIRE_BYTE,
    WIRE_I16,
    WIRE_I32,
    WIRE_I64,
    WIRE_DOUBLE,
    WIRE_BINARY,
    WIRE_LIST,
    WIRE_SET,
    WIRE_MAP,
    WIRE_STRUCT,
    WIRE_UUID
};

#define MAX_DEPTH 32 /* of skipped values; Parquet's own structs nest less than ten deep */

void hc_thrift_init(struct hc_thrift *thrift, const void *data, size_t length)
{
    *thrift = (struct hc_thrift){.begin = data, .at = data, .end = (const uint8_t *)data + length};
}

void hc_thrift_stop(struct hc_thrift *thrift, const char *problem)
{
    if (!thrift->problem)
        thrift->problem = problem;
}

static void run_out(struct hc_thrift *thrift)
{
    if (!thrift->problem) {
        thrift->problem = "it ends in the middle";
        thrift->ran_out = true;
    }
}

bool hc_read_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    uint64_t result = 0;
    const uint8_t *byte = *at;
    for (unsigned shift = 0; shift < 64; shift += 7, byte++) {
        if (byte >= end)
            return false;
        result |= (uint64_t)(*byte & 0x7f) << shift;
        if (*byte < 0x80) {
            /* the tenth byte holds one bit */
            if (shift == 63 && *byte > 1)
                return false;
            *at = byte + 1;
            *value = result;
            return true;
        }
    }
    return false;
}

static uint64_t read_varint(struct hc_thrift *thrift)
{
    uint64_t value = 0;
    if (thrift->problem)
        return 0;
    if (!hc_read_varint(&thrift->at, thrift->end, &value)) {
        if (thrift->end - thrift->at < 10)
            run_out(thrift);
        hc_thrift_stop(thrift, "a number in it is longer than 64 bits");
    }
    return value;
}

static uint8_t read_byte(struct hc_thrift *thrift)
{
    if (thrift->problem)
        return 0;
    if (thrift->at >= thrift->end) {
        run_out(thrift);
        return 0;
    }
    return *thrift->at++;
}

static void pass_over(struct hc_thrift *thrift, uint64_t n)
{
    if (thrift->problem)
        return;
    if (n > (uint64_t)(thrift->end - thrift->at))
        run_out(thrift);
    else
        thrift->at += n;
}

/* The next field of a struct; false at its end. *id is the previous id on entry. */
static bool next_field(struct hc_thrift *thrift, int *id, int *type)
{
    uint8_t head = read_byte(thrift);
    *type = head & 15;
    if (thrift->problem)
        return false;
    if (*type == WIRE_STOP) {
        if (head != 0)
            hc_thrift_stop(thrift, "a field in it has no type");
        return false;
    }
    int delta = head >> 4;
    int64_t next = delta ? *id + delta : hc_zigzag(read_varint(thrift));
    if (next < INT16_MIN || next > INT16_MAX || *type > WIRE_UUID) {
        hc_thrift_stop(thrift, "a field in it has an impossible number or type");
        return false;
    }
    *id = (int)next;
    return !thrift->problem;
}

/* The head of a list: number and type of its elements. Each takes at least a byte. */
static uint64_t list_head(struct hc_thrift *thrift, int *type)
{
    uint8_t head = read_byte(thrift);
    *type = head & 15;
    uint64_t n = head >> 4;
    if (n == 15)
        n = read_varint(thrift);
    if (!thrift->problem && n > (uint64_t)(thrift->end - thrift->at))
        run_out(thrift);
    return thrift->problem ? 0 : n;
}

static void skip(struct hc_thrift *thrift, int type, int depth);

static void skip_list(struct hc_thrift *thrift, int depth)
{
    int type;
    uint64_t n = list_head(thrift, &type);
    for (uint64_t i = 0; i < n && !thrift->problem; i++)
        if (type == WIRE_TRUE || type == WIRE_FALSE)
            pass_over(thrift, 1); /* in a list a bool is a byte; as a field it is in the type */
        else
            skip(thrift, type, depth);
}

static void skip_map(struct hc_thrift *thrift, int depth)
{
    uint64_t n = read_varint(thrift);
    if (n == 0)
        return;
    uint8_t types = read_byte(thrift);
    for (uint64_t i = 0; i < n && !thrift->problem; i++) {
        const int kinds[2] = {types >> 4, types & 15};
        for (int k = 0; k < 2; k++)
            if (kinds[k] == WIRE_TRUE || kinds[k] == WIRE_FALSE)
                pass_over(thrift, 1);
            else
                skip(thrift, kinds[k], depth);
    }
}

static void skip_struct(struct hc_thrift *thrift, int depth)
{
    int id = 0, type;
    while (next_field(thrift, &id, &type))
        skip(thrift, type, depth);
}

static void skip(struct hc_thrift *thrift, int type, int depth)
{
    if (depth >= MAX_DEPTH)
        hc_thrift_stop(thrift, "its values nest too deep");
    if (thrift->problem)
        return;
    switch (type) {
    case WIRE_TRUE:
    case WIRE_FALSE:
        break;
    case WIRE_BYTE:
        pass_over(thrift, 1);
        break;
    case WIRE_I16:
    case WIRE_I32:
    case WIRE_I64:
        read_varint(thrift);
        break;
    case WIRE_DOUBLE:
        pass_over(thrift, 8);
        break;
    case WIRE_BINARY:
        pass_over(thrift, read_varint(thrift));
        break;
    case WIRE_LIST:
    case WIRE_SET:
        skip_list(thrift, depth + 1);
        break;
    case WIRE_MAP:
        skip_map(thrift, depth + 1);
        break;
    case WIRE_STRUCT:
        skip_struct(thrift, depth + 1);
        break;
    case WIRE_UUID:
        pass_over(thrift, 16);
        break;
    default:
        hc_thrift_stop(thrift, "a value in it has an impossible type");
    }
}

struct hc_thrift_bytes hc_thrift_read_bytes(struct hc_thrift *thrift, int type)
{
    struct hc_thrift_bytes bytes = {NULL, 0};
    if (type != WIRE_BINARY)
        hc_thrift_stop(thrift, "a field in it is not of the type it should be");
    uint64_t length = read_varint(thrift);
    const uint8_t *data = thrift->at;
    pass_over(thrift, length);
    if (!thrift->problem)
        bytes = (struct hc_thrift_bytes){data, (size_t)length};
    return bytes;
}

void hc_thrift_read_element(struct hc_thrift *thrift, int type,
                            const struct hc_thrift_field *fields, void *target)
{
    if (type != WIRE_STRUCT)
        hc_thrift_stop(thrift, "an element of a list in it is not of the type it should be");
    hc_thrift_read_struct(thrift, fields, target);
}

/* The number of a field whose wire type is right; out of int32 is a problem for the narrow kinds.
 */
static int64_t read_number(struct hc_thrift *thrift, enum hc_thrift_kind kind)
{
    if (kind == HC_THRIFT_INT8)
        return (int8_t)read_byte(thrift);
    int64_t value = hc_zigzag(read_varint(thrift));
    if (kind == HC_THRIFT_INT32 && (value < INT32_MIN || value > INT32_MAX))
        hc_thrift_stop(thrift, "a number in it is out of range");
    return value;
}

static void read_list(struct hc_thrift *thrift, const struct hc_thrift_field *field, void *target)
{
    int type;
    uint64_t n = list_head(thrift, &type);
    for (uint64_t i = 0; i < n && !thrift->problem; i++)
        field->element(thrift, type, target);
}

static void read_field(struct hc_thrift *thrift, int type, const struct hc_thrift_field *field,
                       void *target)
{
    static const uint8_t wire[] = {
        [HC_THRIFT_BOOL] = WIRE_TRUE,     [HC_THRIFT_INT8] = WIRE_BYTE,
        [HC_THRIFT_INT32] = WIRE_I32,     [HC_THRIFT_INT64] = WIRE_I64,
        [HC_THRIFT_BYTES] = WIRE_BINARY,  [HC_THRIFT_LIST] = WIRE_LIST,
        [HC_THRIFT_STRUCT] = WIRE_STRUCT,
    };
    bool right = type == wire[field->kind];
    if (field->kind == HC_THRIFT_BOOL)
        right |= type == WIRE_FALSE;
    if (!right) {
        hc_thrift_stop(thrift, "a field in it is not of the type it should be");
        return;
    }
    void *member = (char *)target + field->offset;
    switch (field->kind) {
    case HC_THRIFT_BOOL:
        *(int8_t *)member = type == WIRE_TRUE;
        break;
    case HC_THRIFT_INT8:
    case HC_THRIFT_INT32:
        *(int32_t *)member = (int32_t)read_number(thrift, field->kind);
        break;
    case HC_THRIFT_INT64:
        *(int64_t *)member = read_number(thrift, field->kind);
        break;
    case HC_THRIFT_BYTES:
        *(struct hc_thrift_bytes *)member = hc_thrift_read_bytes(thrift, type);
        break;
    case HC_THRIFT_STRUCT:
        *(bool *)member = true;
        hc_thrift_read_struct(thrift, field->fields, target);
        break;
    case HC_THRIFT_LIST:
        read_list(thrift, field, target);
        break;
    }
}

void hc_thrift_read_struct(struct hc_thrift *thrift, const struct hc_thrift_field *fields,
                           void *target)
{
    int id = 0, type;
    while (next_field(thrift, &id, &type)) {
        const struct hc_thrift_field *field = fields;
        while (field->id != 0 && field->id != id)
            field++;
        if (field->id != 0)
            read_field(thrift, type, field, target);
        else
            skip(thrift, type, 0);
    }
}
