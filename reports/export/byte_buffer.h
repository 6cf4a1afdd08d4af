/* byte_buffer.h - bytes of a file in the making. Private to this wing.
 *
 * Appending cannot fail on the spot: a buffer that ran out of memory stays so, and whoever is about
 * to use its contents asks hc_bytes_status once.
 */
#ifndef HC_REPORTS_EXPORT_BYTE_BUFFER_H
#define HC_REPORTS_EXPORT_BYTE_BUFFER_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

struct hc_bytes {
    unsigned char *data;
    size_t size, capacity;
    struct hc_error failure; /* status HC_OK while nothing went wrong */
};

/* Room for n more bytes behind the contents (size is not changed), or NULL. */
unsigned char *hc_bytes_room(struct hc_bytes *bytes, size_t n);

void hc_bytes_append(struct hc_bytes *bytes, const void *data, size_t n);
void hc_bytes_byte(struct hc_bytes *bytes, unsigned char byte);

/* Unsigned LEB128, as Thrift and Parquet have it. */
void hc_bytes_varint(struct hc_bytes *bytes, uint64_t value);

/* The lowest n bytes of value, lowest first. */
void hc_bytes_little_endian(struct hc_bytes *bytes, uint64_t value, size_t n);

enum hc_status hc_bytes_status(const struct hc_bytes *bytes, struct hc_error *err);

/* Empty it, keeping its memory. */
void hc_bytes_clear(struct hc_bytes *bytes);
void hc_bytes_fini(struct hc_bytes *bytes);

#endif
