/* object_header.h - the messages of a group or dataset of an HDF5 file, read without libhdf5.
 *
 * Written from the HDF5 file format specification, version 3.0: "Superblock" (version 2) and "Data
 * Object Headers" (version 2), which is what libhdf5 makes where the format is bound to 1.8. An
 * object is a header: blocks of messages, each block with a checksum, chained by messages. Groups
 * keep their links in messages, too, and datasets where their index of chunks is; so an archive's
 * whole structure is in headers.
 *
 * Why not by libhdf5: 1.10.8 believes what a header with a right checksum says, and dies of an
 * attribute larger than its message, of chunks without rows, and of a group whose links are in a
 * heap that is none. It also does not tell a file that cannot be read from one that is wrong.
 *
 * What the messages say is read by group_links, object_attribute, value_type and dataset_shape, and
 * the index that a dataset's layout points at by chunk_index.
 *
 * Read is what our writer writes. Older and newer kinds of superblocks and headers, headers shared
 * between objects, and links or attributes in heaps outside of headers, which have no checksums,
 * are refused by name.
 */
#ifndef HC_STORE_OBJECTS_OBJECT_HEADER_H
#define HC_STORE_OBJECTS_OBJECT_HEADER_H

#include "store/objects/segment_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hc_message_type {
    HC_MESSAGE_DATASPACE = 0x01,
    HC_MESSAGE_LINK_INFO = 0x02,
    HC_MESSAGE_DATATYPE = 0x03,
    HC_MESSAGE_LINK = 0x06,
    HC_MESSAGE_LAYOUT = 0x08,
    HC_MESSAGE_FILTERS = 0x0b,
    HC_MESSAGE_ATTRIBUTE = 0x0c,
    HC_MESSAGE_ATTRIBUTE_INFO = 0x15
};

#define HC_OBJECT_MAX_MESSAGES 256 /* a group has at most 64 links and 64 attributes */
#define HC_OBJECT_MAX_BLOCKS   64

struct hc_message {
    int type;
    size_t size;
    const uint8_t *data; /* in one of the object's blocks */
};

struct hc_object {
    size_t message_head;      /* bytes before the data of each message */
    size_t n_blocks, n_bytes; /* bytes of all blocks */
    struct hc_object_block {
        int64_t at, size; /* in the file */
        uint8_t *bytes;
    } blocks[HC_OBJECT_MAX_BLOCKS];
    size_t n_messages;
    struct hc_message messages[HC_OBJECT_MAX_MESSAGES];
};

/* Whether a file that begins with these bytes says that it is HDF5. */
bool hc_is_hdf5_signature(const uint8_t head[8]);

/* Check the superblock, and that the file is as long as it says; *root is the root group. */
enum hc_status hc_superblock_read(struct hc_segment_file *file, int64_t *root,
                                  struct hc_error *err);

/* Read the header at a byte of the file, whose bytes it claims, verifying its checksums. To be
 * freed by hc_object_fini, on failure too. */
enum hc_status hc_object_read(struct hc_object *object, struct hc_segment_file *file, int64_t at,
                              struct hc_error *err);
void hc_object_fini(struct hc_object *object);

/* The first message of that type with at least size bytes, or NULL. */
const struct hc_message *hc_object_find(const struct hc_object *object, enum hc_message_type type,
                                        size_t size);

#endif
