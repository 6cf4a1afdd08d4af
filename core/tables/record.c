#include "core/tables/record.h"

#include "core/base/missing.h"
#include "core/process/made_by.h"

#include <math.h>
#include <string.h>

static const struct hc_field real_item = {.type = HC_AS_REAL, .size = sizeof(double)};
static const struct hc_field i64_item = {.type = HC_AS_I64, .size = sizeof(int64_t)};
static const struct hc_field text_item = {.type = HC_AS_TEXT, .size = sizeof(char *)};
static const struct hc_field i32_item = {.type = HC_AS_I32, .size = sizeof(int32_t)};
const struct hc_record_def hc_real_items = {.n_fields = 1, .fields = &real_item};
const struct hc_record_def hc_i64_items = {.n_fields = 1, .fields = &i64_item};
const struct hc_record_def hc_i32_items = {.n_fields = 1, .fields = &i32_item};
const struct hc_record_def hc_text_items = {.n_fields = 1, .fields = &text_item};

bool hc_field_has(const struct hc_field *field, const struct hc_item *at)
{
    return !field->has || field->has(at);
}

/* ---- single values ---- */

static const void *address_of(const struct hc_field *field, const struct hc_item *at)
{
    const char *member = (const char *)at->record + field->offset;
    if (field->place != HC_BY_INDEX)
        return member;
    const char *column = *(const char *const *)member;
    return column ? column + at->index * field->size : NULL;
}

void hc_cell_set_integer(struct hc_cell *cell, int64_t value)
{
    if (value == HC_MISSING_I64)
        return;
    cell->kind = HC_CELL_INTEGER;
    cell->integer = value;
}

void hc_cell_set_real(struct hc_cell *cell, double value)
{
    if (!isfinite(value))
        return;
    cell->kind = HC_CELL_REAL;
    cell->real = value;
}

static void set_bool(struct hc_cell *cell, bool value)
{
    cell->kind = HC_CELL_BOOL;
    cell->boolean = value;
}

void hc_cell_set_text(struct hc_cell *cell, const char *text)
{
    cell->kind = text ? HC_CELL_TEXT : HC_CELL_NULL;
    cell->text = text;
}

static void ask(const struct hc_field *field, const struct hc_item *at, struct hc_cell *cell)
{
    switch (field->type) {
    case HC_AS_I64:
        hc_cell_set_integer(cell, field->integer(at));
        break;
    case HC_AS_REAL:
        hc_cell_set_real(cell, field->real(at));
        break;
    case HC_AS_BOOL:
        set_bool(cell, field->boolean(at));
        break;
    case HC_AS_TEXT:
        hc_cell_set_text(cell, field->text(at, cell->room));
        break;
    case HC_AS_CELL:
        field->cell(at, cell);
        break;
    default:
        break;
    }
}

static void look(const struct hc_field *field, const struct hc_item *at, struct hc_cell *cell)
{
    const void *value = address_of(field, at);
    if (!value)
        return;
    switch (field->type) {
    case HC_AS_I32: {
        int32_t number = *(const int32_t *)value;
        hc_cell_set_integer(cell, number == HC_MISSING_I32 ? HC_MISSING_I64 : number);
        break;
    }
    case HC_AS_I64:
    case HC_AS_SIZE:
        hc_cell_set_integer(cell, *(const int64_t *)value);
        break;
    case HC_AS_REAL:
        hc_cell_set_real(cell, *(const double *)value);
        break;
    case HC_AS_BOOL:
        set_bool(cell, *(const bool *)value);
        break;
    case HC_AS_TEXT:
        hc_cell_set_text(cell, *(const char *const *)value);
        break;
    case HC_AS_CHARS:
        hc_cell_set_text(cell, value);
        break;
    case HC_AS_NAME:
        hc_cell_set_text(cell, field->name_of(*(const int *)value));
        break;
    default:
        break;
    }
}

static bool is_ruled_out(const struct hc_field *field, const struct hc_cell *cell)
{
    if (field->rules & HC_NULL_IF_EMPTY && cell->kind == HC_CELL_TEXT)
        return cell->text[0] == '\0';
    if (!(field->rules & HC_NULL_BELOW_1))
        return false;
    return cell->kind == HC_CELL_INTEGER ? cell->integer < 1
                                         : cell->kind == HC_CELL_REAL && !(cell->real > 0);
}

/* The value as it is, whatever rules and has() make of it. */
static void take_value(const struct hc_field *field, const struct hc_item *at, struct hc_cell *cell)
{
    cell->kind = HC_CELL_NULL;
    if (field->given)
        ask(field, at, cell);
    else
        look(field, at, cell);
}

void hc_field_value(const struct hc_field *field, const struct hc_item *at, struct hc_cell *cell)
{
    cell->kind = HC_CELL_NULL;
    if (!hc_field_has(field, at))
        return;
    take_value(field, at, cell);
    if (is_ruled_out(field, cell))
        cell->kind = HC_CELL_NULL;
}

/* ---- records in records ---- */

bool hc_field_object(const struct hc_field *field, const struct hc_item *at, struct hc_item *to)
{
    if (field->place == HC_OF_THE_ITEM || field->place == HC_CHOSEN) {
        *to = *at;
        return true;
    }
    const void *record = (const char *)at->record + field->offset;
    if (field->item)
        record = field->item(at, 0);
    else if (field->place == HC_BEHIND)
        record = *(const void *const *)record;
    *to = (struct hc_item){record, at->index, at};
    return record != NULL;
}

size_t hc_field_count(const struct hc_field *field, const struct hc_item *at)
{
    if (field->list)
        return field->list->count(at);
    if (field->n_offset == HC_WHOLE_ARRAY)
        return field->room;
    return *(const size_t *)(const void *)((const char *)at->record + field->n_offset);
}

bool hc_field_item(const struct hc_field *field, const struct hc_item *at, size_t i,
                   struct hc_item *to)
{
    const char *record = (const char *)at->record + field->offset;
    if (field->list && field->list->item)
        record = field->list->item(at, i);
    else if (field->place == HC_IN_ARRAY)
        record += i * field->size;
    else
        record = *(const char *const *)(const void *)record + i * field->size;
    *to = (struct hc_item){record, i, at};
    return record != NULL;
}

/* ---- JSON ---- */

/* What is written: for readers, or to be stored and read back. */
enum form { SHOWN, STORED };

static void put_members(struct hc_json_writer *json, const struct hc_record_def *def,
                        const struct hc_item *at, enum form form);

/* Whether it is a name of a file, and what is written becomes an id: the file is known by its
 * digest. */
static bool is_left_out(const char *key)
{
    static const char *const keys[] = {"path", "metadata_path", "source", "archive", "file"};
    if (!key || !hc_made_by().names_no_file)
        return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

static void put_cell(struct hc_json_writer *json, const char *key, const struct hc_cell *cell)
{
    switch (cell->kind) {
    case HC_CELL_NULL:
        hc_json_null(json, key);
        break;
    case HC_CELL_INTEGER:
        hc_json_i64(json, key, cell->integer);
        break;
    case HC_CELL_REAL:
        hc_json_real(json, key, cell->real);
        break;
    case HC_CELL_BOOL:
        hc_json_bool(json, key, cell->boolean);
        break;
    case HC_CELL_TEXT:
        hc_json_text(json, key, is_left_out(key) ? "" : cell->text);
        break;
    }
}

static bool is_nested(const struct hc_field *field)
{
    return field->type >= HC_AS_NAMES && field->type != HC_AS_PART;
}

/* Whether a field of the record is a list or object that is there: such a record needs lines. A map
 * without a name is none: its values stand among the members. */
static bool has_nested(const struct hc_record_def *def, const struct hc_item *at)
{
    for (size_t i = 0; i < def->n_fields; i++)
        if (is_nested(&def->fields[i]) && def->fields[i].name && hc_field_has(&def->fields[i], at))
            return true;
    return false;
}

static void put_object(struct hc_json_writer *json, const char *key, const struct hc_field *field,
                       const struct hc_item *at, enum form form)
{
    if (field->rules & HC_LINE && !has_nested(field->record, at))
        hc_json_object_line(json, key);
    else
        hc_json_object(json, key);
    put_members(json, field->record, at, form);
    hc_json_end(json);
}

static void put_names(struct hc_json_writer *json, const char *key, const struct hc_field *field,
                      const struct hc_item *at, bool is_there)
{
    uint32_t set = is_there ? *(const uint32_t *)address_of(field, at) : 0;
    hc_json_array_line(json, key);
    for (int value = 0; value < field->n_names; value++)
        if (set >> value & 1)
            hc_json_text(json, NULL, field->name_of(value));
    hc_json_end(json);
}

static bool is_bare(const struct hc_record_def *def)
{
    return def->n_fields == 1 && !def->fields[0].name && def->fields[0].type < HC_AS_NAMES;
}

static void put_bare(struct hc_json_writer *json, const char *key, const struct hc_field *field,
                     const struct hc_item *at)
{
    struct hc_cell cell;
    hc_field_value(field, at, &cell);
    put_cell(json, key, &cell);
}

static size_t count_items(const struct hc_field *field, const struct hc_item *at, enum form form)
{
    return form == STORED || hc_field_has(field, at) ? hc_field_count(field, at) : 0;
}

static void put_list(struct hc_json_writer *json, const char *key, const struct hc_field *field,
                     const struct hc_item *at, enum form form)
{
    struct hc_item item;
    bool has_bare = is_bare(field->record);
    if (has_bare && field->rules & HC_LINE)
        hc_json_array_line(json, key);
    else
        hc_json_array(json, key);
    for (size_t i = 0, n = count_items(field, at, form); i < n; i++) {
        if (!hc_field_item(field, at, i, &item))
            continue;
        if (has_bare)
            put_bare(json, NULL, field->record->fields, &item);
        else
            put_object(json, NULL, field, &item, form);
    }
    hc_json_end(json);
}

/* What is written of a field under a key, which is its name or what a map has. */
static void put_value(struct hc_json_writer *json, const char *key, const struct hc_field *field,
                      const struct hc_item *at, enum form form);

static void put_map(struct hc_json_writer *json, const char *key, const struct hc_field *field,
                    const struct hc_item *at, enum form form)
{
    const struct hc_field *name = &field->record->fields[0], *value = &field->record->fields[1];
    struct hc_item item;
    struct hc_cell cell;
    if (field->name)
        hc_json_object(json, key);
    for (size_t i = 0, n = count_items(field, at, form); i < n; i++) {
        if (!hc_field_item(field, at, i, &item))
            continue;
        hc_field_value(name, &item, &cell);
        put_value(json, cell.text, value, &item, form);
    }
    if (field->name)
        hc_json_end(json);
}

/* A list, map or object, which is there or not. */
static void put_nested(struct hc_json_writer *json, const char *key, const struct hc_field *field,
                       const struct hc_item *at, enum form form)
{
    bool has = form == STORED || hc_field_has(field, at);
    struct hc_item object;
    if (!has && !(field->rules & HC_EMPTY_IF_NOT))
        hc_json_null(json, key);
    else if (field->type == HC_AS_NAMES)
        put_names(json, key, field, at, has);
    else if (field->type == HC_AS_LIST)
        put_list(json, key, field, at, form);
    else if (field->type == HC_AS_MAP)
        put_map(json, key, field, at, form);
    else if (hc_field_object(field, at, &object))
        put_object(json, key, field, &object, form);
    else
        hc_json_null(json, key);
}

static void put_value(struct hc_json_writer *json, const char *key, const struct hc_field *field,
                      const struct hc_item *at, enum form form)
{
    struct hc_cell cell;
    if (is_nested(field)) {
        put_nested(json, key, field, at, form);
        return;
    }
    if (form == STORED)
        take_value(field, at, &cell);
    else
        hc_field_value(field, at, &cell);
    put_cell(json, key, &cell);
}

static void put_part(struct hc_json_writer *json, const struct hc_field *field,
                     const struct hc_item *at, enum form form)
{
    const struct hc_record_def *def = hc_field_record(field, hc_item_root(at));
    struct hc_item part;
    if (def && (form == STORED || hc_field_has(field, at)) && hc_field_object(field, at, &part))
        put_members(json, def, &part, form);
}

static void put_field(struct hc_json_writer *json, const struct hc_field *field,
                      const struct hc_item *at, enum form form)
{
    if (field->type == HC_AS_PART)
        put_part(json, field, at, form);
    else
        put_value(json, field->name, field, at, form);
}

/* Whether a function gives the value, or the items. */
static bool is_given(const struct hc_field *field)
{
    if (field->type == HC_AS_LIST || field->type == HC_AS_MAP)
        return field->list && field->list->item;
    return field->given && field->place != HC_CHOSEN;
}

bool hc_field_is_stored(const struct hc_field *field)
{
    return !(field->rules & (HC_NOT_STORED | HC_ONLY_CSV)) && !is_given(field) &&
           field->place != HC_BY_INDEX;
}

static void put_members(struct hc_json_writer *json, const struct hc_record_def *def,
                        const struct hc_item *at, enum form form)
{
    for (size_t i = 0; i < def->n_fields; i++) {
        const struct hc_field *field = &def->fields[i];
        if (form == STORED ? !hc_field_is_stored(field)
                           : field->rules & (HC_ONLY_CSV | HC_ONLY_STORED))
            continue;
        if (form == SHOWN && field->rules & HC_LEFT_OUT && !hc_field_has(field, at))
            continue;
        put_field(json, field, at, form);
    }
}

void hc_record_members(struct hc_json_writer *json, const struct hc_record_def *def,
                       const struct hc_item *at)
{
    put_members(json, def, at, SHOWN);
}

void hc_record_json(struct hc_json_writer *json, const char *key, const struct hc_record_def *def,
                    const struct hc_item *at)
{
    hc_json_object(json, key);
    put_members(json, def, at, SHOWN);
    hc_json_end(json);
}

void hc_record_store(struct hc_json_writer *json, const struct hc_record_def *def,
                     const struct hc_item *at)
{
    put_members(json, def, at, STORED);
}
