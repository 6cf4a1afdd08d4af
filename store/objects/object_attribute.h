/* object_attribute.h - the attributes of a segment's groups and datasets: single values, kept in
 * their object headers.
 *
 * Written from the HDF5 file format specification, version 3.0: "The Attribute Message" (version
 * 3). Its parts have sizes of their own; all are checked against that of the message.
 */
#ifndef HC_STORE_OBJECTS_OBJECT_ATTRIBUTE_H
#define HC_STORE_OBJECTS_OBJECT_ATTRIBUTE_H

#include "store/objects/object_header.h"

#include <stdbool.h>

bool hc_attribute_exists(const struct hc_object *object, const char *name);

/* The text of an attribute, which the caller frees. */
enum hc_status hc_attribute_read_text(const struct hc_object *object, const char *name, char **text,
                                      struct hc_error *err);

/* An integer attribute, which must lie in [least, most]. */
enum hc_status hc_attribute_read_int(const struct hc_object *object, const char *name,
                                     int64_t least, int64_t most, int64_t *value,
                                     struct hc_error *err);

#endif
