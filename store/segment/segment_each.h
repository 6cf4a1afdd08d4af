/* segment_each.h - reading a table of a segment chunk by chunk, with progress. */
#ifndef HC_STORE_SEGMENT_SEGMENT_EACH_H
#define HC_STORE_SEGMENT_SEGMENT_EACH_H

#include "core/base/status.h"
#include "core/tables/table.h"
#include "store/segment/segment.h"

#include <stdint.h>

typedef enum hc_status hc_segment_chunk(const struct hc_table *table, void *context,
                                        struct hc_error *err);

/* Call chunk for each chunk of a table in order, with only the columns of column_mask (bit i:
 * column i) filled. One chunk is in memory at a time. */
enum hc_status hc_segment_each(struct hc_segment *segment, const struct hc_table_def *def,
                               uint64_t column_mask, hc_segment_chunk *chunk, void *context,
                               struct hc_error *err);

#endif
