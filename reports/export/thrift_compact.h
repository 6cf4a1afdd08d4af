/* thrift_compact.h - writing Thrift's compact protocol, as far as Parquet's headers need it.
 * Private to this wing. */
#ifndef HC_REPORTS_EXPORT_THRIFT_COMPACT_H
#define HC_REPORTS_EXPORT_THRIFT_COMPACT_H

#include "reports/export/byte_buffer.h"

#include <stdbool.h>
#include <stdint.h>

enum hc_thrift_type {
    HC_THRIFT_I8 = 3,
    HC_THRIFT_I32 = 5,
    HC_THRIFT_I64 = 6,
    HC_THRIFT_BINARY = 8,
    HC_THRIFT_LIST = 9,
    HC_THRIFT_STRUCT = 12
};

#define HC_THRIFT_MAX_DEPTH 8

/* Start from {.out = buffer}: that is a struct at depth 0, to be closed by hc_thrift_end. Fields
 * are written in ascending order of id. */
struct hc_thrift {
    struct hc_bytes *out;
    int depth;
    int16_t last_id[HC_THRIFT_MAX_DEPTH];
};

void hc_thrift_i32(struct hc_thrift *thrift, int16_t id, int32_t value);
void hc_thrift_i64(struct hc_thrift *thrift, int16_t id, int64_t value);
void hc_thrift_binary(struct hc_thrift *thrift, int16_t id, const void *data, size_t n);
void hc_thrift_text(struct hc_thrift *thrift, int16_t id, const char *text);

/* A struct as a field; its fields follow, then hc_thrift_end. */
void hc_thrift_begin(struct hc_thrift *thrift, int16_t id);

/* A list as a field; n elements follow: structs each by hc_thrift_element and hc_thrift_end, others
 * by hc_thrift_element_i32 or _text. */
void hc_thrift_list(struct hc_thrift *thrift, int16_t id, enum hc_thrift_type type, size_t n);
void hc_thrift_element(struct hc_thrift *thrift);
void hc_thrift_element_i32(struct hc_thrift *thrift, int32_t value);
void hc_thrift_element_text(struct hc_thrift *thrift, const char *text);

void hc_thrift_end(struct hc_thrift *thrift);

#endif
