#include "store/objects/object_header.h"

#include "core/base/memory.h"
#include "store/codec/lookup3.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SUPERBLOCK_SIZE 48
#define SUM_SIZE        4
#define MAX_BYTES       (2 << 20) /* of a header: 64 attributes of the longest text take half */

enum { MESSAGE_NIL = 0x00, MESSAGE_CONTINUATION = 0x10 };
enum { MESSAGE_SHARED = 0x02 }; /* flag of a message */
enum {                          /* flags of a header */
       HEADER_WIDTH = 0x03,     /* log2 of the bytes of the size of its first block */
       HEADER_ORDERED = 0x04,
       HEADER_THRESHOLDS = 0x10,
       HEADER_TIMES = 0x20,
       HEADER_UNKNOWN = 0xc0
};

/* ---- superblock ---- */

bool hc_is_hdf5_signature(const uint8_t head[8])
{
    return memcmp(head, "\211HDF\r\n\032\n", 8) == 0;
}

enum hc_status hc_superblock_read(struct hc_segment_file *file, int64_t *root, struct hc_error *err)
{
    const uint8_t *block = NULL;
    if (file->size < SUPERBLOCK_SIZE)
        return hc_fail(err, HC_BAD_INPUT, "not a segment of an archive: it has %" PRId64 " bytes",
                       file->size);
    block = hc_segment_file_look(file, 0, SUPERBLOCK_SIZE, err);
    if (!block)
        return err->status;
    if (!hc_is_hdf5_signature(block))
        return hc_fail(err, HC_BAD_INPUT, "not a segment of an archive: it does not begin as HDF5");
    if (block[8] != 2)
        return hc_fail(err, HC_BAD_INPUT,
                       "not written by hindcast: its superblock is of version %d, not 2", block[8]);
    if (hc_little_endian(block + 44, SUM_SIZE) != hc_lookup3(block, 44))
        return hc_segment_file_damaged(err, 0, "the checksum of the superblock is wrong");
    if (block[9] != 8 || block[10] != 8 || hc_little_endian(block + 12, 8) != 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "not written by hindcast: its addresses are not of 8 bytes from byte 0");
    if (hc_little_endian(block + 28, 8) != (uint64_t)file->size)
        return hc_fail(err, HC_BAD_INPUT,
                       "it has %" PRId64 " bytes, but was written with %" PRIu64
                       "; ingest the source again",
                       file->size, hc_little_endian(block + 28, 8));
    *root = hc_segment_file_address(file, block + 36);
    return HC_OK;
}

/* ---- blocks of a header ---- */

static enum hc_status read_block(struct hc_object *object, struct hc_object_block *block,
                                 struct hc_segment_file *file, struct hc_error *err)
{
    size_t summed = (size_t)block->size - SUM_SIZE;
    object->n_bytes += (size_t)block->size;
    if (object->n_bytes > MAX_BYTES)
        return hc_segment_file_damaged(err, block->at, "a header larger than any of a segment");
    if (hc_segment_file_claim(file, block->size, block->at, err))
        return err->status;
    block->bytes = hc_new_array((size_t)block->size, 1, err);
    if (!block->bytes || hc_segment_file_read(file, block->at, block->size, block->bytes, err))
        return err->status;
    if (hc_little_endian(block->bytes + summed, SUM_SIZE) != hc_lookup3(block->bytes, summed))
        return hc_segment_file_damaged(err, block->at, "the checksum of a header is wrong");
    return HC_OK;
}

static enum hc_status add_block(struct hc_object *object, const struct hc_segment_file *file,
                                int64_t start, uint64_t size, struct hc_error *err)
{
    if (object->n_blocks == HC_OBJECT_MAX_BLOCKS)
        return hc_segment_file_damaged(err, start, "more blocks of a header than any has");
    if (start < 0 || size < 4 + SUM_SIZE || size > (uint64_t)(file->size - start))
        return hc_segment_file_damaged(err, start, "a block of a header outside the file");
    object->blocks[object->n_blocks++] = (struct hc_object_block){start, (int64_t)size, NULL};
    return HC_OK;
}

/* ---- messages ---- */

static enum hc_status take_message(struct hc_object *object, const struct hc_segment_file *file,
                                   struct hc_message message, int64_t at, struct hc_error *err)
{
    if (message.type == MESSAGE_NIL)
        return HC_OK;
    if (message.type == MESSAGE_CONTINUATION && message.size >= 16)
        return add_block(object, file, hc_segment_file_address(file, message.data),
                         hc_little_endian(message.data + 8, 8), err);
    if (message.type == MESSAGE_CONTINUATION)
        return hc_segment_file_damaged(err, at, "a continuation that is too short");
    if (object->n_messages == HC_OBJECT_MAX_MESSAGES)
        return hc_segment_file_damaged(err, at, "more messages than any header of a segment has");
    object->messages[object->n_messages++] = message;
    return HC_OK;
}

/* The messages of a block, from its byte start on: a head each, then data. What is left and too
 * short for another one is a gap. */
static enum hc_status take_messages(struct hc_object *object, const struct hc_segment_file *file,
                                    const struct hc_object_block block, size_t start,
                                    struct hc_error *err)
{
    size_t end = (size_t)block.size - SUM_SIZE, head = object->message_head;
    for (size_t i = start, size = 0; i + head <= end; i += head + size) {
        const uint8_t *bytes = block.bytes + i;
        int64_t at = block.at + (int64_t)i;
        size = hc_little_endian(bytes + 1, 2);
        if (size > end - i - head)
            return hc_segment_file_damaged(err, at, "a message larger than its header");
        if (bytes[3] & MESSAGE_SHARED)
            return hc_segment_file_damaged(err, at, "a message that is kept elsewhere");
        struct hc_message message = {.type = bytes[0], .size = size, .data = bytes + head};
        if (take_message(object, file, message, at, err))
            return err->status;
    }
    return HC_OK;
}

/* Refuse an object whose links or attributes stand in a heap of their own instead of in messages of
 * its header: we never write that, and do not read it. Link info and attribute info both say where
 * that heap is, behind a counter of which only the width differs. */
static enum hc_status refuse_heap(const struct hc_object *object, enum hc_message_type type,
                                  size_t counter, struct hc_error *err)
{
    const struct hc_message *info = hc_object_find(object, type, 0);
    if (!info)
        return HC_OK;
    size_t heap = 2 + (info->size > 1 && info->data[1] & 1 ? counter : 0);
    if (info->size < heap + 8 || info->data[0] != 0 ||
        hc_little_endian(info->data + heap, 8) != UINT64_MAX)
        return hc_fail(err, HC_BAD_INPUT,
                       "not written by hindcast: its %s are not kept in its header",
                       type == HC_MESSAGE_LINK_INFO ? "links" : "attributes");
    return HC_OK;
}

/* ---- header ---- */

/* The head of a header: where its messages begin, and the first block, which reaches from the head
 * to its checksum. */
static enum hc_status read_head(struct hc_object *object, struct hc_segment_file *file, int64_t at,
                                size_t *start, struct hc_error *err)
{
    const uint8_t *head = hc_segment_file_look(file, at, 6, err);
    if (!head)
        return err->status;
    if (memcmp(head, "OHDR\2", 5) != 0 || head[5] & HEADER_UNKNOWN)
        return hc_segment_file_damaged(err, at, "no object header of version 2");
    int flags = head[5];
    size_t width = (size_t)1 << (flags & HEADER_WIDTH);
    size_t prefix = 6 + (flags & HEADER_TIMES ? 16 : 0) + (flags & HEADER_THRESHOLDS ? 4 : 0);
    *start = prefix + width;
    object->message_head = 4 + (flags & HEADER_ORDERED ? 2 : 0);
    head = hc_segment_file_look(file, at, (int64_t)*start, err);
    if (!head)
        return err->status;
    uint64_t size = hc_little_endian(head + prefix, width);
    if (size > MAX_BYTES)
        return hc_segment_file_damaged(err, at, "a header larger than any of a segment");
    return add_block(object, file, at, *start + size + SUM_SIZE, err);
}

enum hc_status hc_object_read(struct hc_object *object, struct hc_segment_file *file, int64_t at,
                              struct hc_error *err)
{
    size_t start = 0;
    object->n_blocks = object->n_bytes = object->n_messages = 0;
    enum hc_status status = read_head(object, file, at, &start, err);
    for (size_t i = 0; !status && i < object->n_blocks; i++, start = 4) {
        status = read_block(object, &object->blocks[i], file, err);
        if (!status && i > 0 && memcmp(object->blocks[i].bytes, "OCHK", 4) != 0)
            status = hc_segment_file_damaged(err, object->blocks[i].at,
                                             "no continuation of an object header");
        if (!status)
            status = take_messages(object, file, object->blocks[i], start, err);
    }
    if (!status)
        status = refuse_heap(object, HC_MESSAGE_LINK_INFO, 8, err);
    return status ? status : refuse_heap(object, HC_MESSAGE_ATTRIBUTE_INFO, 2, err);
}

void hc_object_fini(struct hc_object *object)
{
    for (size_t i = 0; i < object->n_blocks; i++)
        free(object->blocks[i].bytes);
    object->n_blocks = object->n_messages = 0;
}

const struct hc_message *hc_object_find(const struct hc_object *object, enum hc_message_type type,
                                        size_t size)
{
    for (size_t i = 0; i < object->n_messages; i++)
        if (object->messages[i].type == (int)type)
            return object->messages[i].size < size ? NULL : &object->messages[i];
    return NULL;
}
