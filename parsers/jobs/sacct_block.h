/* sacct_block.h - a few hundred records of sacct at once, as an index of their fields, so that a
 * column can be read over all of them in one loop.
 *
 * Only lines that are a record each are in a block: the right number of fields, the first byte a
 * digit (as no header begins). It ends before any other line, which sacct_records.h reads.
 *
 * Private to this wing. */
#ifndef HC_PARSERS_JOBS_SACCT_BLOCK_H
#define HC_PARSERS_JOBS_SACCT_BLOCK_H

#include "parsers/jobs/sacct_records.h"

#include <stdint.h>

#define HC_SACCT_BLOCK_RECORDS 256
#define HC_SACCT_BLOCK_ENDS    16384
/* Delimiters of a line with too many of them, up to where that is noticed. */
#define HC_SACCT_BLOCK_ROOM (HC_SACCT_MOST_FIELDS + 64)

struct hc_sacct_block {
    const char *text;
    size_t n; /* records */
    size_t n_fields;
    int64_t line[HC_SACCT_BLOCK_RECORDS];
    /* [n][n_fields + 1] bytes from text: of a record, the one before its first field, then the one
     * behind each field. */
    uint32_t ends[HC_SACCT_BLOCK_ENDS + HC_SACCT_BLOCK_ROOM];
};

/* One field of all records, from one of them to the next. */
struct hc_sacct_fields {
    const char *text;
    const uint32_t *ends;
    size_t stride;
};

static inline struct hc_sacct_fields hc_sacct_block_fields(const struct hc_sacct_block *block,
                                                           size_t field)
{
    return (struct hc_sacct_fields){block->text, block->ends + field, block->n_fields + 1};
}

/* That of the next record; there must be one. */
static inline struct hc_span hc_sacct_fields_next(struct hc_sacct_fields *fields)
{
    uint32_t start = fields->ends[0] + 1, end = fields->ends[1];
    fields->ends += fields->stride;
    return (struct hc_span){fields->text + start, end - start};
}

static inline struct hc_span hc_sacct_block_field(const struct hc_sacct_block *block, size_t record,
                                                  size_t field)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(block, field);
    fields.ends += record * fields.stride;
    return hc_sacct_fields_next(&fields);
}

/* Index the records that `text` begins with, at most `most`: lines with their line feeds, the first
 * of which has that number. HC_TEXT_PADDING bytes may be read behind them. Returns the bytes of the
 * lines taken, as many as there are records. */
size_t hc_sacct_block_split(struct hc_sacct_block *block, struct hc_span text, char delimiter,
                            size_t most, int64_t line);

/* Take out the records r with is_dropped[r]. */
void hc_sacct_block_drop(struct hc_sacct_block *block, const bool *is_dropped);

#endif
