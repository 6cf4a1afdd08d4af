/* column_chunks.h - the columns of a table as the stored bytes of one chunk each.
 * Private to this wing. */
#ifndef HC_STORE_SEGMENT_COLUMN_CHUNKS_H
#define HC_STORE_SEGMENT_COLUMN_CHUNKS_H

#include "core/base/status.h"
#include "core/tables/table.h"
#include "store/codec/chunk_codec.h"

/* Encode the rows, which have room for chunk_rows (at least 1) and are not more, into
 * stored[column] each; what a chunk lacks is missing. */
enum hc_status hc_column_chunks_encode(struct hc_codec_pool *pool, const struct hc_table *rows,
                                       size_t chunk_rows, struct hc_stored_chunk *stored,
                                       struct hc_error *err);

#endif
