#include "pipeline/records/record_read.h"

#include "core/base/missing.h"

#include <math.h>
#include <string.h>

/* Each reader of a value is true when it is what the field holds. */

static bool read_real(const json_t *value, double *real)
{
    *real = json_is_null(value) ? NAN : json_number_value(value);
    return json_is_null(value) || json_is_number(value);
}

static bool read_i64(const json_t *value, int64_t *number)
{
    *number = json_is_null(value) ? HC_MISSING_I64 : json_integer_value(value);
    return json_is_null(value) || json_is_integer(value);
}

static bool read_i32(const json_t *value, int32_t *number)
{
    int64_t wide;
    if (!read_i64(value, &wide) ||
        (wide != HC_MISSING_I64 && (wide < INT32_MIN || wide > INT32_MAX)))
        return false;
    *number = wide == HC_MISSING_I64 ? HC_MISSING_I32 : (int32_t)wide;
    return true;
}

static bool read_size(const json_t *value, size_t *number)
{
    *number = (size_t)json_integer_value(value);
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool read_chars(const char *text, char *to, size_t size)
{
    if (!text || strlen(text) >= size)
        return false;
    memcpy(to, text, strlen(text) + 1);
    return true;
}

/* The value with this name, or -1. */
static int find_name(const struct hc_field *field, const json_t *value)
{
    const char *name = json_string_value(value);
    for (int i = 0; name && i < field->n_names; i++)
        if (strcmp(field->name_of(i), name) == 0)
            return i;
    return -1;
}

static bool read_names(const struct hc_field *field, const json_t *names, uint32_t *set)
{
    *set = 0;
    for (size_t i = 0; i < json_array_size(names); i++) {
        int value = find_name(field, json_array_get(names, i));
        if (value < 0)
            return false;
        *set |= 1U << value;
    }
    return json_is_array(names);
}

static bool read_value(const struct hc_field *field, const json_t *value, void *to)
{
    int name;
    switch (field->type) {
    case HC_AS_I32:
        return read_i32(value, to);
    case HC_AS_I64:
        return read_i64(value, to);
    case HC_AS_SIZE:
        return read_size(value, to);
    case HC_AS_REAL:
        return read_real(value, to);
    case HC_AS_BOOL:
        *(bool *)to = json_is_true(value);
        return json_is_boolean(value);
    case HC_AS_CHARS:
        return read_chars(json_string_value(value), to, field->size);
    case HC_AS_NAME:
        name = find_name(field, value);
        *(int *)to = name;
        return name >= 0;
    case HC_AS_NAMES:
        return read_names(field, value, to);
    default:
        return false;
    }
}

/* ---- lists, maps and records ---- */

static bool read_members(const struct hc_record_def *def, const json_t *object, void *record,
                         const char **wrong);

static bool read_item(const struct hc_record_def *def, const json_t *value, void *record,
                      const char **wrong)
{
    const struct hc_field *only = def->fields;
    if (def->n_fields == 1 && !only->name && only->type != HC_AS_PART)
        return read_value(only, value, (char *)record + only->offset);
    return json_is_object(value) && read_members(def, value, record, wrong);
}

static bool read_list(const struct hc_field *field, const json_t *array, void *record,
                      const char **wrong)
{
    char *items = (char *)record + field->offset;
    size_t n = json_array_size(array);
    if (!json_is_array(array) || n > field->room)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!read_item(field->record, json_array_get(array, i), items + i * field->size, wrong))
            return false;
    *(size_t *)(void *)((char *)record + field->n_offset) = n;
    return true;
}

static bool read_map(const struct hc_field *field, json_t *object, void *record)
{
    const struct hc_field *key = &field->record->fields[0], *value = &field->record->fields[1];
    const char *name = NULL;
    json_t *member = NULL;
    size_t n = 0;
    if (!json_is_object(object) || json_object_size(object) > field->room)
        return false;
    json_object_foreach(object, name, member)
    {
        char *item = (char *)record + field->offset + n++ * field->size;
        if (!read_chars(name, item + key->offset, key->size) ||
            !read_value(value, member, item + value->offset))
            return false;
    }
    *(size_t *)(void *)((char *)record + field->n_offset) = n;
    return true;
}

static bool read_field(const struct hc_field *field, const json_t *object, void *record,
                       const char **wrong)
{
    void *to = (char *)record + field->offset;
    if (field->type == HC_AS_PART)
        return read_members(field->record, object, to, wrong);
    json_t *value = json_object_get(object, field->name);
    switch (field->type) {
    case HC_AS_OBJECT:
        return json_is_object(value) && read_members(field->record, value, to, wrong);
    case HC_AS_LIST:
        return read_list(field, value, record, wrong);
    case HC_AS_MAP:
        return read_map(field, value, record);
    default:
        return read_value(field, value, to);
    }
}

/* Whether the value is in the record itself: what is behind pointers has an owner. */
static bool is_held(const struct hc_field *field)
{
    if (field->type == HC_AS_LIST || field->type == HC_AS_MAP)
        return field->place == HC_IN_ARRAY;
    return field->type != HC_AS_TEXT && field->place != HC_BEHIND;
}

static bool read_members(const struct hc_record_def *def, const json_t *object, void *record,
                         const char **wrong)
{
    for (size_t i = 0; i < def->n_fields; i++) {
        const struct hc_field *field = &def->fields[i];
        if (!hc_field_is_stored(field) || !is_held(field))
            continue;
        if (!read_field(field, object, record, wrong)) {
            if (!*wrong)
                *wrong = field->name;
            return false;
        }
    }
    return true;
}

enum hc_status hc_record_read(const struct hc_record_def *def, const json_t *object, void *record,
                              struct hc_error *err)
{
    const char *wrong = NULL;
    if (read_members(def, object, record, &wrong))
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT, "'%s' is missing, or not what %s has", wrong, def->name);
}
