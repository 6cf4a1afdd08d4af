#include "reports/export/thrift_compact.h"

#include <string.h>

static uint64_t zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

static void field(struct hc_thrift *thrift, int16_t id, enum hc_thrift_type type)
{
    int delta = id - thrift->last_id[thrift->depth];
    if (delta > 0 && delta <= 15) {
        hc_bytes_byte(thrift->out, (unsigned char)(delta << 4 | (int)type));
    } else {
        hc_bytes_byte(thrift->out, (unsigned char)type);
        hc_bytes_varint(thrift->out, zigzag(id));
    }
    thrift->last_id[thrift->depth] = id;
}

void hc_thrift_i32(struct hc_thrift *thrift, int16_t id, int32_t value)
{
    field(thrift, id, HC_THRIFT_I32);
    hc_bytes_varint(thrift->out, zigzag(value));
}

void hc_thrift_i64(struct hc_thrift *thrift, int16_t id, int64_t value)
{
    field(thrift, id, HC_THRIFT_I64);
    hc_bytes_varint(thrift->out, zigzag(value));
}

static void binary(struct hc_thrift *thrift, const void *data, size_t n)
{
    hc_bytes_varint(thrift->out, n);
    hc_bytes_append(thrift->out, data, n);
}

void hc_thrift_binary(struct hc_thrift *thrift, int16_t id, const void *data, size_t n)
{
    field(thrift, id, HC_THRIFT_BINARY);
    binary(thrift, data, n);
}

void hc_thrift_text(struct hc_thrift *thrift, int16_t id, const char *text)
{
    hc_thrift_binary(thrift, id, text, strlen(text));
}

void hc_thrift_begin(struct hc_thrift *thrift, int16_t id)
{
    field(thrift, id, HC_THRIFT_STRUCT);
    hc_thrift_element(thrift);
}

void hc_thrift_list(struct hc_thrift *thrift, int16_t id, enum hc_thrift_type type, size_t n)
{
    field(thrift, id, HC_THRIFT_LIST);
    if (n < 15) {
        hc_bytes_byte(thrift->out, (unsigned char)(n << 4 | (unsigned)type));
    } else {
        hc_bytes_byte(thrift->out, (unsigned char)(0xf0 | (unsigned)type));
        hc_bytes_varint(thrift->out, n);
    }
}

void hc_thrift_element(struct hc_thrift *thrift)
{
    thrift->last_id[++thrift->depth] = 0;
}

void hc_thrift_element_i32(struct hc_thrift *thrift, int32_t value)
{
    hc_bytes_varint(thrift->out, zigzag(value));
}

void hc_thrift_element_text(struct hc_thrift *thrift, const char *text)
{
    binary(thrift, text, strlen(text));
}

void hc_thrift_end(struct hc_thrift *thrift)
{
    hc_bytes_byte(thrift->out, 0);
    if (thrift->depth > 0)
        thrift->depth--;
}
