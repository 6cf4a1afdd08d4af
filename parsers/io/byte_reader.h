/* byte_reader.h - a forward stream over a source: plain, gzip (many members), zstd (many frames),
 * xz (many streams) or the one file of a zip archive, recognised by content. Bounded memory. */
#ifndef HC_PARSERS_IO_BYTE_READER_H
#define HC_PARSERS_IO_BYTE_READER_H

#include "core/base/status.h"
#include "parsers/io/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_byte_reader;

/* Whether the first bytes of a file are those of compressed data. */
bool hc_is_packed(const unsigned char *head, size_t length);

enum hc_status hc_byte_reader_open(struct hc_byte_reader **reader, const struct hc_source *source,
                                   struct hc_error *err);
void hc_byte_reader_close(struct hc_byte_reader *reader);

/* What is unpacked is bounded by the packed bytes (hc_source_check_unpacked). Text of which nothing
 * is kept but rows, which have a bound of their own, needs none: a log of one line again and again
 * packs better than that. To be called before the first read. */
void hc_byte_reader_unbound(struct hc_byte_reader *reader);

/* Fill buffer with up to capacity decompressed bytes; *length 0 is the end. A truncated or damaged
 * compressed stream, or bytes after its end that are no new member, are HC_BAD_INPUT naming file
 * and compressed byte; so is what unpacks to more than its budget. */
enum hc_status hc_byte_reader_read(struct hc_byte_reader *reader, void *buffer, size_t capacity,
                                   size_t *length, struct hc_error *err);

/* Go to byte `offset` of the unpacked data, which is read up to there where it is packed; of a
 * shorter source, to its end. To be called before the first read. */
enum hc_status hc_byte_reader_skip(struct hc_byte_reader *reader, int64_t offset,
                                   struct hc_error *err);

/* Whether the last read failed because the compressed data ends too early. What was unpacked before
 * is in its buffer, *length bytes. */
bool hc_byte_reader_is_cut(const struct hc_byte_reader *reader);

/* Bytes of the source consumed so far (compressed), for progress. */
int64_t hc_byte_reader_position(const struct hc_byte_reader *reader);

#endif
