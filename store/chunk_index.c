/* Written from the HDF5 file format specification, version 3.0: "Version 1 B-trees", "Data Object
 * Headers" and "The Data Layout Message". Numbers are little-endian; addresses and lengths take 8
 * bytes in any file that our HDF5 writes. */
#include "store/chunk_index.h"

#include "core/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WINDOW     4096 /* read at once: most headers and nodes */
#define MAX_LEVEL  8    /* of a tree; with the least that HDF5 fills of a node, over 1e6 chunks */
#define MAX_BLOCKS 64   /* of an object header */

#define NODE_HEAD  24 /* signature, type, level, entries used, two siblings */
#define KEY_SIZE   24 /* bytes of the chunk, filter mask, offset of row and of byte */
#define ENTRY_SIZE (KEY_SIZE + 8)

enum { MESSAGE_LAYOUT = 0x08, MESSAGE_CONTINUATION = 0x10 };
enum { FLAG_SHARED = 0x02 }; /* of a message */

struct reader {
    struct hc_chunk_file *file;
    const struct hc_dataset_shape *shape;
    struct hc_chunk_place *places;
    int64_t n_chunks, n_found;
    int64_t header; /* byte of the file */
    struct hc_error *err;
    int64_t start, length; /* of the window */
    uint8_t window[WINDOW];
};

static uint64_t number(const uint8_t *bytes, int n)
{
    uint64_t value = 0;
    while (n-- > 0)
        value = value << 8 | bytes[n];
    return value;
}

static enum hc_status damaged(struct reader *reader, const char *what, int64_t at)
{
    return hc_fail(reader->err, HC_BAD_INPUT,
                   "the index of its chunks is damaged: byte %" PRId64
                   ": %s; ingest the source again",
                   at, what);
}

/* n bytes (at most a window) at a byte of the file, until the next call. NULL with err filled when
 * they are not all in the file. */
static const uint8_t *look(struct reader *reader, int64_t at, int64_t n)
{
    const struct hc_chunk_file *file = reader->file;
    if (at >= reader->start && at - reader->start <= reader->length - n)
        return reader->window + (at - reader->start);
    reader->length = 0;
    if (at < 0 || at > file->size - n) {
        damaged(reader, "it lies outside the file", at);
        return NULL;
    }
    ssize_t got;
    do
        got = pread(file->fd, reader->window, WINDOW, at);
    while (got < 0 && errno == EINTR);
    if (got < n) {
        hc_fail(reader->err, HC_BAD_INPUT, "cannot read the index of its chunks: %s",
                got < 0 ? strerror(errno) : "the file has become shorter");
        return NULL;
    }
    reader->start = at;
    reader->length = got;
    return reader->window;
}

/* The byte of the file that an address stands for; -1, which is outside, for none. */
static int64_t byte_of(const struct reader *reader, const uint8_t *address)
{
    uint64_t value = number(address, 8);
    return value > (uint64_t)(reader->file->size - reader->file->base)
               ? -1
               : (int64_t)value + reader->file->base;
}

/* ---- object header ---- */

/* Blocks of messages: the first, and what continuation messages add. */
struct blocks {
    int n, message_head;
    bool summed; /* version 2: with signatures and checksums */
    struct {
        int64_t at, end;
    } block[MAX_BLOCKS];
};

/* Version 2: signature, version, flags, what the flags say there is, size of the messages. */
static enum hc_status open_summed_header(struct reader *reader, const uint8_t *head,
                                         struct blocks *blocks)
{
    int64_t at = reader->header;
    int flags = head[5], prefix = 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
    int size_bytes = 1 << (flags & 3);
    head = look(reader, at, prefix + size_bytes);
    if (!head)
        return reader->err->status;
    uint64_t size = number(head + prefix, size_bytes);
    if (size > (uint64_t)reader->file->size)
        return damaged(reader, "a header larger than the file", at);
    at += prefix + size_bytes;
    blocks->summed = true;
    blocks->message_head = 4 + (flags & 0x04 ? 2 : 0);
    blocks->block[0].at = at;
    blocks->block[0].end = at + (int64_t)size;
    return HC_OK;
}

static enum hc_status open_header(struct reader *reader, struct blocks *blocks)
{
    int64_t at = reader->header;
    const uint8_t *head = look(reader, at, 16);
    if (!head)
        return reader->err->status;
    blocks->n = 1;
    if (memcmp(head, "OHDR\2", 5) == 0)
        return open_summed_header(reader, head, blocks);
    if (head[0] != 1)
        return damaged(reader, "no object header of version 1 or 2", at);
    blocks->message_head = 8;
    blocks->block[0].at = at + 16;
    blocks->block[0].end = at + 16 + (int64_t)number(head + 8, 4);
    return HC_OK;
}

static enum hc_status add_block(struct reader *reader, struct blocks *blocks, const uint8_t *data,
                                int64_t at)
{
    int64_t start = byte_of(reader, data);
    uint64_t length = number(data + 8, 8);
    if (blocks->n == MAX_BLOCKS)
        return damaged(reader, "more blocks of a header than any has", at);
    if (start < 0 || length > (uint64_t)(reader->file->size - start))
        return damaged(reader, "it continues outside the file", at);
    int64_t end = start + (int64_t)length;
    blocks->block[blocks->n].at = start + (blocks->summed ? 4 : 0);
    blocks->block[blocks->n++].end = end - (blocks->summed ? 4 : 0);
    return HC_OK;
}

/* Version 3, chunked: dimensions with that of the bytes of a value, address, sizes. */
static enum hc_status take_layout(struct reader *reader, const uint8_t *data, int64_t at,
                                  int64_t *root)
{
    if (data[0] != 3 || data[1] != 2 || data[2] != 2)
        return damaged(reader, "no layout of chunks in one dimension under a B-tree", at);
    *root = byte_of(reader, data + 3);
    return HC_OK;
}

/* Look at the messages of one block; *root stays as it is when the layout is not among them. */
static enum hc_status search_block(struct reader *reader, struct blocks *blocks, int which,
                                   int64_t *root)
{
    int64_t at = blocks->block[which].at, end = blocks->block[which].end;
    int head = blocks->message_head;
    for (int64_t size = 0; at + head <= end; at += head + size) {
        const uint8_t *message = look(reader, at, head);
        if (!message)
            return reader->err->status;
        int type = blocks->summed ? message[0] : (int)number(message, 2);
        int flags = blocks->summed ? message[3] : message[4];
        size = (int64_t)number(message + (blocks->summed ? 1 : 2), 2);
        if (type != MESSAGE_LAYOUT && type != MESSAGE_CONTINUATION)
            continue;
        if (size < 16 || flags & FLAG_SHARED)
            return damaged(reader, "a message that is too short, or elsewhere", at);
        const uint8_t *data = look(reader, at + head, 16);
        if (!data)
            return reader->err->status;
        if (type == MESSAGE_LAYOUT)
            return take_layout(reader, data, at, root);
        if (add_block(reader, blocks, data, at))
            return reader->err->status;
    }
    return HC_OK;
}

static enum hc_status find_root(struct reader *reader, int64_t *root)
{
    enum { NOT_FOUND = -2 };
    struct blocks blocks = {0};
    *root = NOT_FOUND;
    enum hc_status status = open_header(reader, &blocks);
    for (int i = 0; !status && *root == NOT_FOUND && i < blocks.n; i++)
        status = search_block(reader, &blocks, i, root);
    if (!status && *root == NOT_FOUND)
        status = damaged(reader, "the header has no layout", reader->header);
    return status;
}

/* ---- B-tree ---- */

static enum hc_status take_chunk(struct reader *reader, const uint8_t *entry, int64_t at)
{
    const struct hc_dataset_shape *shape = reader->shape;
    int64_t chunk = reader->n_found, size = (int64_t)number(entry, 4);
    unsigned skipped = (unsigned)number(entry + 4, 4);
    uint64_t row = number(entry + 8, 8), wanted = (uint64_t)(chunk * shape->chunk_rows);
    if (chunk == reader->n_chunks || row < wanted || row % (uint64_t)shape->chunk_rows ||
        number(entry + 16, 8))
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
    int64_t address = byte_of(reader, entry + KEY_SIZE);
    if (address < 0 || address > reader->file->size - size)
        return damaged(reader, "a chunk outside the file", at);
    reader->file->unclaimed -= size + ENTRY_SIZE;
    if (reader->file->unclaimed < 0)
        return damaged(reader, "more chunks than the file has room for", at);
    reader->places[reader->n_found++] = (struct hc_chunk_place){.address = address, .size = size};
    return HC_OK;
}

/* Levels fall by one and every leaf has a chunk that was not yet found: that ends, and a node is
 * read once a child. Siblings need no look, since all nodes are reached from above. */
static enum hc_status walk(struct reader *reader, int64_t at, int level)
{
    const uint8_t *node = look(reader, at, NODE_HEAD);
    if (!node)
        return reader->err->status;
    if (memcmp(node, "TREE\1", 5) != 0)
        return damaged(reader, "no node of a B-tree of chunks", at);
    if (level < 0)
        level = node[5]; /* of the root */
    int64_t n_entries = (int64_t)number(node + 6, 2);
    if (node[5] != level || level > MAX_LEVEL)
        return damaged(reader, "a node of another level than its place in the tree", at);
    if (n_entries == 0)
        return damaged(reader, "a node without entries", at);
    at += NODE_HEAD;
    enum hc_status status = HC_OK;
    for (int64_t i = 0; !status && i < n_entries; i++, at += ENTRY_SIZE) {
        const uint8_t *entry = look(reader, at, ENTRY_SIZE);
        if (!entry)
            status = reader->err->status;
        else if (level == 0)
            status = take_chunk(reader, entry, at);
        else
            status = walk(reader, byte_of(reader, entry + KEY_SIZE), level - 1);
    }
    return status;
}

enum hc_status hc_chunk_index_read(struct hc_chunk_file *file, const struct hc_dataset_shape *shape,
                                   struct hc_chunk_place **places, struct hc_error *err)
{
    int64_t root = -1;
    struct reader reader;
    reader.file = file;
    reader.shape = shape;
    reader.err = err;
    reader.header = file->base + shape->header;
    reader.n_chunks = (shape->n_rows + shape->chunk_rows - 1) / shape->chunk_rows;
    reader.n_found = reader.start = reader.length = 0;
    if (reader.n_chunks > file->unclaimed / ENTRY_SIZE)
        return hc_fail(err, HC_BAD_INPUT,
                       "it has %" PRId64 " chunks, more than a file of this size can hold",
                       reader.n_chunks);
    reader.places = hc_new_array((size_t)reader.n_chunks + 1, sizeof *reader.places, err);
    if (!reader.places)
        return err->status;
    enum hc_status status = HC_OK;
    if (reader.n_chunks) /* else there may be no index yet */
        status = find_root(&reader, &root);
    if (!status && reader.n_chunks && root < 0)
        status = hc_fail(err, HC_BAD_INPUT, "chunk 0 is missing");
    if (!status && reader.n_chunks)
        status = walk(&reader, root, -1);
    if (!status && reader.n_found < reader.n_chunks)
        status = hc_fail(err, HC_BAD_INPUT, "chunk %" PRId64 " is missing", reader.n_found);
    if (status)
        free(reader.places);
    else
        *places = reader.places;
    return status;
}
