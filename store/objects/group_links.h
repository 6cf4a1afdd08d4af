/* group_links.h - what is in a group of a segment, from the link messages of its object header.
 *
 * Written from the HDF5 file format specification, version 3.0: "The Link Message" (version 1).
 */
#ifndef HC_STORE_OBJECTS_GROUP_LINKS_H
#define HC_STORE_OBJECTS_GROUP_LINKS_H

#include "store/objects/object_header.h"

/* Bounds on what a file may claim; far above what any version writes. */
#define HC_MAX_LINKS     64
#define HC_MAX_LINK_NAME 64 /* with its end */

struct hc_link {
    char name[HC_MAX_LINK_NAME];
    int64_t object; /* byte of its header */
};

struct hc_link_list {
    size_t n;
    struct hc_link links[HC_MAX_LINKS];
};

/* Read the group that a link leads to (HC_BAD_INPUT when it is NULL), and its links in the order of
 * their names, each there once. Soft, external and other links are refused: nothing of a segment is
 * anywhere else. The group is to be freed by hc_object_fini, on failure too. */
enum hc_status hc_group_read(struct hc_object *group, struct hc_segment_file *file,
                             const struct hc_link *link, struct hc_link_list *links,
                             struct hc_error *err);

/* The link of that name, or NULL. */
const struct hc_link *hc_link_find(const struct hc_link_list *list, const char *name);

#endif
