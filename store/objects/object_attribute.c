#include "store/objects/object_attribute.h"

#include "core/base/memory.h"
#include "store/objects/value_type.h"

#include <inttypes.h>
#include <string.h>

#define HEAD_SIZE 9 /* version, flags, sizes of name, type and space, character set */

/* The parts of an attribute message, in their order behind its head. */
struct parts {
    const uint8_t *name, *type, *space, *value;
    size_t name_size, type_size, space_size, value_size;
};

/* False when the message is not one of ours, or too short for its parts. */
static bool split(const struct hc_message *message, struct parts *parts)
{
    const uint8_t *data = message->data;
    if (message->size < HEAD_SIZE || data[0] != 3 || data[1] != 0)
        return false;
    parts->name_size = hc_little_endian(data + 2, 2);
    parts->type_size = hc_little_endian(data + 4, 2);
    parts->space_size = hc_little_endian(data + 6, 2);
    size_t used = HEAD_SIZE + parts->name_size + parts->type_size + parts->space_size;
    if (used > message->size)
        return false;
    parts->name = data + HEAD_SIZE;
    parts->type = parts->name + parts->name_size;
    parts->space = parts->type + parts->type_size;
    parts->value = parts->space + parts->space_size;
    parts->value_size = message->size - used;
    return true;
}

static bool find_attribute(const struct hc_object *object, const char *name, struct parts *parts)
{
    for (size_t i = 0; i < object->n_messages; i++)
        if (object->messages[i].type == HC_MESSAGE_ATTRIBUTE &&
            split(&object->messages[i], parts) && parts->name_size == strlen(name) + 1 &&
            memcmp(parts->name, name, parts->name_size) == 0)
            return true;
    return false;
}

bool hc_attribute_exists(const struct hc_object *object, const char *name)
{
    struct parts parts;
    return find_attribute(object, name, &parts);
}

static enum hc_status find_value(const struct hc_object *object, const char *name,
                                 struct parts *parts, struct hc_value_type *type,
                                 struct hc_error *err)
{
    if (!find_attribute(object, name, parts))
        return hc_fail(err, HC_BAD_INPUT, "attribute '%s' is missing", name);
    if (!hc_value_type_read(parts->type, parts->type_size, type) ||
        !hc_dataspace_is_scalar(parts->space, parts->space_size))
        return hc_fail(err, HC_BAD_INPUT, "attribute '%s' is not of its type", name);
    if (parts->value_size < type->size)
        return hc_fail(err, HC_BAD_INPUT, "attribute '%s' is larger than its message", name);
    return HC_OK;
}

enum hc_status hc_attribute_read_text(const struct hc_object *object, const char *name, char **text,
                                      struct hc_error *err)
{
    struct parts parts;
    struct hc_value_type type;
    if (find_value(object, name, &parts, &type, err))
        return err->status;
    if (!type.text)
        return hc_fail(err, HC_BAD_INPUT, "attribute '%s' is not of its type", name);
    *text = hc_new_array(type.size + 1, 1, err);
    if (!*text)
        return err->status;
    memcpy(*text, parts.value, type.size);
    return HC_OK;
}

enum hc_status hc_attribute_read_int(const struct hc_object *object, const char *name,
                                     int64_t least, int64_t most, int64_t *value,
                                     struct hc_error *err)
{
    struct parts parts;
    struct hc_value_type type;
    if (find_value(object, name, &parts, &type, err))
        return err->status;
    if (type.text || type.type == HC_F64)
        return hc_fail(err, HC_BAD_INPUT, "attribute '%s' is not of its type", name);
    *value = (int64_t)hc_little_endian(parts.value, type.size);
    if (type.type == HC_I32)
        *value = (int32_t)*value;
    if (*value < least || *value > most)
        return hc_fail(err, HC_BAD_INPUT, "attribute '%s' is %" PRId64 ", out of range", name,
                       *value);
    return HC_OK;
}
