/* pack.h - a partial of scans: the records of some segments in a form that is read nearly for
 * nothing, in one file.
 *
 * A segment is made to be small and to be read by anybody; opening one, reading the index of its
 * chunks and inflating them costs more than what most reports do with the rows. A pack has the same
 * rows of any number of segments, each known by the SHA-256 that the manifest has of it, as blocks:
 * one for the texts of each dictionary, and one for each column of each chunk
 * (store/pack/pack_block.h). A reader fetches the blocks of the columns that it wants with few
 * reads of the one file. A pack is a pure function of its segments and their order.
 *
 * Layout: 8 bytes that say what it is; the blocks; the index; 24 bytes at the end: the length of
 * the index, its sum, and what it is once more. So it is written in one go, also to a pipe. The
 * index has the sum of every block, and is itself summed (store/pack/block_sum.h): whatever is read
 * was checked, and what is not read costs nothing. docs/formats/pack.md has the bytes.
 *
 *     struct hc_pack *pack = NULL;
 *     if (hc_pack_open(&pack, fd, "derived/x.pack", err))
 *         ... torn, of another version, or no pack: read the segments ...
 *     const struct hc_pack_entry *entry = hc_pack_find(pack, sha256, &hc_jobs_def);
 *     for (size_t chunk = 0; entry && chunk < hc_pack_n_chunks(entry); chunk++)
 *         hc_pack_read(pack, &(struct hc_pack_choice){entry, columns, chunk}, &rows, names, err);
 *     hc_pack_close(pack);
 */
#ifndef HC_STORE_PACK_PACK_H
#define HC_STORE_PACK_PACK_H

#include "core/base/digest.h"
#include "core/base/status.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Raised when the bytes change, or what is read from a segment: older packs are made anew. */
#define HC_PACK_VERSION 1

/* A chunk of rows is an allocation of whoever reads: larger ones are refused. */
#define HC_PACK_MOST_CHUNK_ROWS (1 << 18)

/* Whether a file begins with these n bytes of its first 8 (begins_so of a temporary file). */
bool hc_begins_as_pack(const uint8_t *head, size_t n);

/* ---- reading ---- */

struct hc_pack;

/* The rows of one segment. */
struct hc_pack_entry {
    char sha256[HC_DIGEST_TEXT];
    size_t table; /* of the tables of the pack */
    uint64_t n_rows, chunk_rows;
    uint64_t offset;      /* of its first block */
    const uint8_t *items; /* of its blocks, in the index: dictionaries, then columns by chunk */
};

/* Open a pack: its index is read and checked, no block. The descriptor is the pack's from now on:
 * closed with it, and on failure. HC_BAD_INPUT: it is torn, damaged, of another version, or none;
 * HC_IO: it could not be read. name is what messages call it. */
enum hc_status hc_pack_open(struct hc_pack **pack, int fd, const char *name, struct hc_error *err);
void hc_pack_close(struct hc_pack *pack); /* may be NULL */

/* What its writer says of it: a text that is nobody's business here; "" of most. */
const char *hc_pack_about(const struct hc_pack *pack);

/* The rows of a table of the segment with this SHA-256, or NULL where the pack has none, or has
 * other columns than def. */
const struct hc_pack_entry *hc_pack_find(const struct hc_pack *pack, const char *sha256,
                                         const struct hc_table_def *def);

size_t hc_pack_n_chunks(const struct hc_pack_entry *entry);

struct hc_pack_choice {
    const struct hc_pack_entry *entry;
    uint64_t columns; /* bit i: column i is read; the others are left as they are */
    size_t chunk;
};

/* Replace the contents of rows, whose def is that of the entry and which has room for a chunk.
 * names (NULL: not wanted) is of that def alone and empty: the texts of the columns that are read
 * are added, so that codes agree. HC_BAD_INPUT: a block is damaged; HC_IO: it could not be read. */
enum hc_status hc_pack_read(struct hc_pack *pack, const struct hc_pack_choice *choice,
                            struct hc_table *rows, struct hc_table_names *names,
                            struct hc_error *err);

/* Read all blocks and compare their sums. */
enum hc_status hc_pack_verify(struct hc_pack *pack, struct hc_error *err);

/* ---- writing ---- */

struct hc_pack_writer;

/* Whether a table can be in a pack: all codes of its columns are of texts. */
bool hc_pack_can_hold(const struct hc_table_def *def);

/* Begin a pack on a stream, which stays the caller's. */
enum hc_status hc_pack_writer_open(struct hc_pack_writer **writer, FILE *stream, const char *about,
                                   struct hc_error *err);

/* Begin the rows of a segment. names: the texts of all dictionaries of def, as the segment has
 * them; written by this call. */
enum hc_status hc_pack_writer_entry(struct hc_pack_writer *writer, const char *sha256,
                                    const struct hc_table_def *def,
                                    const struct hc_table_names *names, struct hc_error *err);

/* Add a chunk of rows to it, all columns filled. All chunks but the last have as many rows as the
 * first. */
enum hc_status hc_pack_writer_rows(struct hc_pack_writer *writer, const struct hc_table *rows,
                                   struct hc_error *err);

/* Add the rows of a segment as another pack has them. HC_BAD_INPUT: that one is damaged; the writer
 * goes on without them. */
enum hc_status hc_pack_writer_copy(struct hc_pack_writer *writer, struct hc_pack *from,
                                   const struct hc_pack_entry *entry,
                                   const struct hc_table_def *def, struct hc_error *err);

/* Write the index and flush the stream. The writer is freed whatever the result. */
enum hc_status hc_pack_writer_close(struct hc_pack_writer *writer, struct hc_error *err);

/* Give up. writer may be NULL. */
void hc_pack_writer_abort(struct hc_pack_writer *writer);

#endif
