/* value_type.h - the types of a segment's columns, dictionaries and attributes, as HDF5 keeps them.
 *
 * Written from the HDF5 file format specification, version 3.0: "The Datatype Message" (versions 1
 * to 3, which are the same for these types) and "The Dataspace Message" (version 2).
 */
#ifndef HC_STORE_OBJECTS_VALUE_TYPE_H
#define HC_STORE_OBJECTS_VALUE_TYPE_H

#include "core/tables/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_value_type {
    bool text;         /* UTF-8, padded with zeros; else a number, little-endian */
    enum hc_type type; /* of a number */
    size_t size;       /* bytes of a value: of text 1 to HC_TEXT_MAX */
};

/* The type that a datatype message of size bytes stands for; false when it is none of ours. */
bool hc_value_type_read(const uint8_t *message, size_t size, struct hc_value_type *type);

/* Whether a dataspace message stands for a single value, or for a row of *n values. */
bool hc_dataspace_is_scalar(const uint8_t *message, size_t size);
bool hc_dataspace_is_row(const uint8_t *message, size_t size, uint64_t *n);

#endif
