/* parquet_thrift.h - the Thrift compact protocol, as far as Parquet's footers and page headers use
 * it. Private to this wing.
 *
 * A struct is read by a table of the fields that are wanted; all others are skipped. The reader is
 * sticky: after the first problem every call does nothing, so callers check once, at the end.
 */
#ifndef HC_PARSERS_PARQUET_PARQUET_THRIFT_H
#define HC_PARSERS_PARQUET_PARQUET_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_thrift {
    const uint8_t *begin, *at, *end;
    const char *problem; /* NULL while all is well; "" when an element callback stopped it */
    bool ran_out;        /* the problem is that the bytes end: with more of them it may be well */
};

/* Bytes inside the buffer that is read. */
struct hc_thrift_bytes {
    const uint8_t *data; /* NULL when the field is absent */
    size_t length;
};

enum hc_thrift_kind {
    HC_THRIFT_BOOL,   /* int8_t: 0 or 1 */
    HC_THRIFT_INT8,   /* int32_t */
    HC_THRIFT_INT32,  /* int32_t */
    HC_THRIFT_INT64,  /* int64_t */
    HC_THRIFT_BYTES,  /* struct hc_thrift_bytes; strings too */
    HC_THRIFT_STRUCT, /* its fields go into the same C struct; bool at offset tells it was there */
    HC_THRIFT_LIST    /* element is called for each element, which is a struct unless noted */
};

struct hc_thrift_field {
    int16_t id;
    enum hc_thrift_kind kind;
    size_t offset;                        /* of the member in the C struct; not used for lists */
    const struct hc_thrift_field *fields; /* of a struct: its wanted fields, ended by id 0 */
    /* of a list: read one element of wire type `type`; target is that of hc_thrift_read_struct */
    void (*element)(struct hc_thrift *thrift, int type, void *target);
};

void hc_thrift_init(struct hc_thrift *thrift, const void *data, size_t length);

/* Read one struct: the members of target named by fields (ended by id 0) are set when their field
 * is there and left alone when not, so the caller fills in what absence means. */
void hc_thrift_read_struct(struct hc_thrift *thrift, const struct hc_thrift_field *fields,
                           void *target);

/* For list callbacks: a string element; {NULL, 0} on a problem. */
struct hc_thrift_bytes hc_thrift_read_bytes(struct hc_thrift *thrift, int type);

/* For list callbacks: read an element that must be a struct. */
void hc_thrift_read_element(struct hc_thrift *thrift, int type,
                            const struct hc_thrift_field *fields, void *target);

/* Record a problem, unless there is one already. Callbacks that fail for reasons of their own give
 * "" and keep the reason. */
void hc_thrift_stop(struct hc_thrift *thrift, const char *problem);

/* Unsigned LEB128 varint of at most 64 bits at *at; false when it is cut or too long. The RLE and
 * delta encodings use it too. */
bool hc_read_varint(const uint8_t **at, const uint8_t *end, uint64_t *value);

/* Signed from zigzag. */
static inline int64_t hc_zigzag(uint64_t value)
{
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

#endif
