#include "store/objects/chunk_index.h"

#include "core/base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LEVEL  8  /* of a tree; with the least that HDF5 fills of a node, over 1e6 chunks */
#define NODE_HEAD  24 /* signature, type, level, entries used, two siblings */
#define KEY_SIZE   24 /* bytes of the chunk, filter mask, offset of row and of byte */
#define ENTRY_SIZE (KEY_SIZE + 8)

struct reader {
    struct hc_segment_file *file;
    const struct hc_dataset_shape *shape;
    struct hc_chunk_place *places;
    int64_t n_chunks, n_found;
    struct hc_error *err;
};

static enum hc_status damaged(struct reader *reader, const char *what, int64_t at)
{
    return hc_segment_file_damaged(reader->err, at, what);
}

static enum hc_status take_chunk(struct reader *reader, const uint8_t *entry, int64_t at)
{
    const struct hc_dataset_shape *shape = reader->shape;
    int64_t chunk = reader->n_found, size = (int64_t)hc_little_endian(entry, 4);
    unsigned skipped = (unsigned)hc_little_endian(entry + 4, 4);
    uint64_t row = hc_little_endian(entry + 8, 8), wanted = (uint64_t)(chunk * shape->chunk_rows);
    if (chunk == reader->n_chunks || row < wanted || row % (uint64_t)shape->chunk_rows ||
        hc_little_endian(entry + 16, 8))
        return damaged(reader, "a chunk that is not the next one", at);
    if (row > wanted || size == 0)
        return hc_fail(reader->err, HC_BAD_INPUT, "chunk %" PRId64 " is missing", chunk);
    if ((size_t)size > hc_dataset_stored_bound(shape))
        return hc_fail(reader->err, HC_BAD_INPUT,
                       "chunk %" PRId64 " takes %" PRId64 " bytes, more than its values can", chunk,
                       size);
    if (skipped)
        return hc_fail(reader->err, HC_BAD_INPUT, "chunk %" PRId64 " skips filters (mask 0x%x)",
                       chunk, skipped);
    int64_t address = hc_segment_file_address(reader->file, entry + KEY_SIZE);
    if (address < 0 || address > reader->file->size - size)
        return damaged(reader, "a chunk outside the file", at);
    if (hc_segment_file_claim(reader->file, size + ENTRY_SIZE, at, reader->err))
        return reader->err->status;
    reader->places[reader->n_found++] = (struct hc_chunk_place){.address = address, .size = size};
    return HC_OK;
}

/* Levels fall by one and every leaf has a chunk that was not yet found: that ends, and a node is
 * read once a child. Siblings need no look, since all nodes are reached from above. */
static enum hc_status walk(struct reader *reader, int64_t at, int level)
{
    const uint8_t *node = hc_segment_file_look(reader->file, at, NODE_HEAD, reader->err);
    if (!node)
        return reader->err->status;
    if (memcmp(node, "TREE\1", 5) != 0)
        return damaged(reader, "no node of a B-tree of chunks", at);
    if (level < 0)
        level = node[5]; /* of the root */
    int64_t n_entries = (int64_t)hc_little_endian(node + 6, 2);
    if (node[5] != level || level > MAX_LEVEL)
        return damaged(reader, "a node of another level than its place in the tree", at);
    if (n_entries == 0)
        return damaged(reader, "a node without entries", at);
    at += NODE_HEAD;
    enum hc_status status = HC_OK;
    for (int64_t i = 0; !status && i < n_entries; i++, at += ENTRY_SIZE) {
        const uint8_t *entry = hc_segment_file_look(reader->file, at, ENTRY_SIZE, reader->err);
        if (!entry)
            status = reader->err->status;
        else if (level == 0)
            status = take_chunk(reader, entry, at);
        else
            status =
                walk(reader, hc_segment_file_address(reader->file, entry + KEY_SIZE), level - 1);
    }
    return status;
}

/* All chunks, of which there is one at least; without any there may be no index. */
static enum hc_status find_chunks(struct reader *reader)
{
    if (reader->shape->index < 0)
        return hc_fail(reader->err, HC_BAD_INPUT, "chunk 0 is missing");
    if (walk(reader, reader->shape->index, -1))
        return hc_context(reader->err, "the index of its chunks");
    if (reader->n_found < reader->n_chunks)
        return hc_fail(reader->err, HC_BAD_INPUT, "chunk %" PRId64 " is missing", reader->n_found);
    return HC_OK;
}

enum hc_status hc_chunk_index_read(struct hc_segment_file *file,
                                   const struct hc_dataset_shape *shape,
                                   struct hc_chunk_place **places, struct hc_error *err)
{
    struct reader reader = {.file = file, .shape = shape, .err = err};
    reader.n_chunks = (shape->n_rows + shape->chunk_rows - 1) / shape->chunk_rows;
    if (reader.n_chunks > file->unclaimed / ENTRY_SIZE)
        return hc_fail(err, HC_BAD_INPUT,
                       "it has %" PRId64 " chunks, more than a file of this size can hold",
                       reader.n_chunks);
    reader.places = hc_new_array((size_t)reader.n_chunks + 1, sizeof *reader.places, err);
    if (!reader.places)
        return err->status;
    if (reader.n_chunks && find_chunks(&reader)) {
        free(reader.places);
        return err->status;
    }
    *places = reader.places;
    return HC_OK;
}

enum hc_status hc_chunk_read(struct hc_segment_file *file, const struct hc_chunk_place *place,
                             int64_t chunk, struct hc_stored_chunk *stored, struct hc_error *err)
{
    size_t size = (size_t)place->size;
    if (hc_reserve(&stored->bytes, &stored->capacity, size, 1, err) ||
        hc_segment_file_read(file, place->address, place->size, stored->bytes, err))
        return hc_context(err, "chunk %" PRId64, chunk);
    stored->size = size;
    return HC_OK;
}
