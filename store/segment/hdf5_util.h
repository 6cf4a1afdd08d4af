/* hdf5_util.h - the house rules for writing HDF5: one lock, no messages of its own, no time stamps.
 * Reading is without HDF5 (store/objects/object_header.h). Private to this wing.
 *
 * Debian's serial HDF5 is not thread-safe: every function here, and every H5 call elsewhere, is
 * made between hc_hdf5_lock and hc_hdf5_unlock. Compression and decompression are outside.
 */
#ifndef HC_STORE_SEGMENT_HDF5_UTIL_H
#define HC_STORE_SEGMENT_HDF5_UTIL_H

#include "core/base/status.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Most links of a group, and attributes of an object, that are kept in its header. */
#define HC_HDF5_MAX_COMPACT 64

void hc_hdf5_lock(void);
void hc_hdf5_unlock(void);

/* Fill err with the formatted message, ": " and the innermost description of HDF5's error stack,
 * which is cleared; returns status. */
enum hc_status hc_hdf5_fail(struct hc_error *err, enum hc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Create a file; one that is there is emptied. HDF5 indexes the chunks of a column by nodes of one
 * size, which is that of the whole file: 2,096 bytes a column, or, with has_small_nodes, 176, with
 * more levels where a column has more than four chunks. Negative with err filled on failure. */
hid_t hc_hdf5_create(const char *path, bool has_small_nodes, struct hc_error *err);

/* How many links a group is to have, and the bytes of their names. */
struct hc_link_room {
    size_t n, name_bytes;
};

static inline void hc_link_room_add(struct hc_link_room *room, const char *name)
{
    room->n++;
    room->name_bytes += strlen(name);
}

/* Create the group name in parent, with room in one block for its links (NULL: nothing is known),
 * rather than in ever more, each of which HDF5 tries to extend for each link. Negative with err
 * filled on failure. */
hid_t hc_hdf5_create_group(hid_t parent, const char *name, const struct hc_link_room *room,
                           struct hc_error *err);

/* A string type of length bytes (at least 1), padded with zeros, UTF-8; negative on failure. It is
 * made once, as to make one takes as long as an attribute: it holds until the next call, and is not
 * closed. */
hid_t hc_hdf5_text_type(size_t length);

/* ---- attributes: scalars of fixed-size types only, which HDF5 keeps under checksums ---- */

/* Write value as an attribute of type (a file type); memory_type describes *value. */
enum hc_status hc_attribute_write(hid_t object, const char *name, hid_t type, hid_t memory_type,
                                  const void *value, struct hc_error *err);
enum hc_status hc_attribute_write_text(hid_t object, const char *name, const char *text,
                                       struct hc_error *err);
enum hc_status hc_attribute_write_int(hid_t object, const char *name, hid_t type, int64_t value,
                                      struct hc_error *err);

#endif
