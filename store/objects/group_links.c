#include "store/objects/group_links.h"

#include <stdlib.h>
#include <string.h>

#define ADDRESS_SIZE 8

enum {                    /* flags of a link */
       NAME_WIDTH = 0x03, /* log2 of the bytes of the length of the name */
       HAS_ORDER = 0x04,
       HAS_TYPE = 0x08, /* hard when there is none */
       HAS_CHARSET = 0x10
};

static enum hc_status refuse_link(struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT, "it has links that no segment has");
}

/* Version, flags, what the flags say there is, the name, and the address of the object. */
static enum hc_status take_link(const struct hc_message *message,
                                const struct hc_segment_file *file, struct hc_link *link,
                                struct hc_error *err)
{
    const uint8_t *data = message->data;
    int flags = message->size > 1 ? data[1] : 0;
    size_t width = (size_t)1 << (flags & NAME_WIDTH), at = 2;
    if (message->size < 3 || data[0] != 1 || (flags & HAS_TYPE && data[2] != 0))
        return refuse_link(err);
    at += (flags & HAS_TYPE ? 1 : 0) + (flags & HAS_ORDER ? 8 : 0) + (flags & HAS_CHARSET ? 1 : 0);
    if (message->size < at + width)
        return refuse_link(err);
    uint64_t length = hc_little_endian(data + at, width);
    at += width;
    if (length < 1 || length >= HC_MAX_LINK_NAME || message->size < at + length + ADDRESS_SIZE ||
        memchr(data + at, '\0', length))
        return refuse_link(err);
    memcpy(link->name, data + at, length);
    link->name[length] = '\0';
    link->object = hc_segment_file_address(file, data + at + length);
    return HC_OK;
}

static int compare_links(const void *a, const void *b)
{
    const struct hc_link *left = a, *right = b;
    return strcmp(left->name, right->name);
}

static enum hc_status take_links(const struct hc_object *group, const struct hc_segment_file *file,
                                 struct hc_link_list *list, struct hc_error *err)
{
    if (!hc_object_find(group, HC_MESSAGE_LINK_INFO, 0))
        return hc_fail(err, HC_BAD_INPUT, "it is not a group as a segment has them");
    for (size_t i = 0; i < group->n_messages; i++) {
        if (group->messages[i].type != HC_MESSAGE_LINK)
            continue;
        if (list->n == HC_MAX_LINKS)
            return refuse_link(err);
        if (take_link(&group->messages[i], file, &list->links[list->n++], err))
            return err->status;
    }
    qsort(list->links, list->n, sizeof *list->links, compare_links);
    for (size_t i = 1; i < list->n; i++)
        if (compare_links(&list->links[i - 1], &list->links[i]) == 0)
            return hc_fail(err, HC_BAD_INPUT, "it has '%s' twice", list->links[i].name);
    return HC_OK;
}

enum hc_status hc_group_read(struct hc_object *group, struct hc_segment_file *file,
                             const struct hc_link *link, struct hc_link_list *links,
                             struct hc_error *err)
{
    links->n = group->n_blocks = 0;
    if (!link)
        return hc_fail(err, HC_BAD_INPUT, "it is missing");
    if (hc_object_read(group, file, link->object, err))
        return err->status;
    return take_links(group, file, links, err);
}

const struct hc_link *hc_link_find(const struct hc_link_list *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->links[i].name, name) == 0)
            return &list->links[i];
    return NULL;
}
