/* record.h - what is written field by field, described once.
 *
 * A record definition lists the fields of a C struct: name, unit, sentence, where the value lies or
 * which function gives it, and what makes it null. From this one table come the JSON document, the
 * rows of CSV files, the form in which rows are kept and read back (pipeline/records/), and the
 * page of keys in docs/json.md (scripts/json-docs). A field that is added here is in all of them.
 *
 *     #define FIELD(...) HC_FIELD(struct hc_split_group, __VA_ARGS__)
 *     static const struct hc_field group_fields[] = {
 *         FIELD("dp_rank", id, "", "rank that the group is of"),
 *         FIELD("slowdown", slowdown, "", "S with only this group as recorded"),
 *         HC_REAL_OF("excess", excess_of, "s", "T_replayed - T_ideal", .has = is_replayed),
 *     };
 *     static const struct hc_record_def group = HC_RECORD("a group", group_fields);
 *
 * The last argument is the sentence; designators of struct hc_field may follow it. The type comes
 * from the member, at compile time. Missing integers, numbers that are not finite and NULL are null
 * (an empty cell of CSV); rules make more of it null.
 *
 * A value belongs to an *item*: a record, its place in the list in which it stands, and the item
 * that has this list. So a function that gives a value can look it up in whatever encloses its
 * record: a dictionary of the report, a parallel array at the same place.
 */
#ifndef HC_CORE_TABLES_RECORD_H
#define HC_CORE_TABLES_RECORD_H

#include "core/text/csv_writer.h"
#include "core/text/json_writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct hc_item {
    const void *record;
    size_t index;                 /* in its list */
    const struct hc_item *parent; /* of the list, or what the record is a part of; NULL: none */
};

/* The record of the outermost item around one: the report, for whatever is in it. */
static inline const void *hc_item_root(const struct hc_item *at)
{
    while (at->parent)
        at = at->parent;
    return at->record;
}

enum hc_field_type {
    HC_AS_I32,
    HC_AS_I64,
    HC_AS_SIZE, /* size_t */
    HC_AS_REAL,
    HC_AS_BOOL,
    HC_AS_TEXT,   /* char *; not read back: whoever owns the memory reads it */
    HC_AS_CELL,   /* of whatever type its function says of each item */
    HC_AS_CHARS,  /* char[] */
    HC_AS_NAME,   /* an enum, by its name */
    HC_AS_NAMES,  /* bits of a uint32_t: a list of the names of those that are set */
    HC_AS_OBJECT, /* a record in this one */
    HC_AS_PART,   /* a record whose members stand among those of this one */
    HC_AS_LIST,   /* items; of a definition with one field without a name: bare values */
    HC_AS_MAP,    /* items as an object: the first field of each is the key, the second the value; a
                   * map without a name: members among those of this record */
};

/* Where the value lies; of no meaning where a function gives it. */
enum hc_field_place {
    HC_IN_RECORD,   /* the member is the value; of a list it is a pointer to the items */
    HC_IN_ARRAY,    /* the items of a list: the member is their array */
    HC_BY_INDEX,    /* the member points to an array: the value at the place of the item */
    HC_BEHIND,      /* an object behind the pointer that the member is; NULL: null */
    HC_OF_THE_ITEM, /* an object or part that only groups fields of the item itself */
    HC_CHOSEN       /* such a part, whose definition record_of() gives */
};

enum hc_field_rules {
    HC_NULL_IF_EMPTY = 1 << 0, /* the text "" is null */
    HC_NULL_BELOW_1 = 1 << 1,  /* integers below 1 and reals that are not above 0 are null */
    HC_LEFT_OUT = 1 << 2,      /* where has() says no, no member at all instead of null */
    HC_EMPTY_IF_NOT = 1 << 3,  /* where has() says no, an empty list instead of null */
    HC_LINE = 1 << 4,          /* the object, or each item of the list, on a line, unless a list is
                                * in it; of bare values: the list */
    HC_ONLY_CSV = 1 << 5,      /* neither in JSON nor stored */
    HC_ONLY_STORED = 1 << 6,   /* in the form that is stored and read back, in no other */
    HC_NOT_STORED = 1 << 7,    /* what a function gives never is */
};

struct hc_record_def;

#define HC_WHOLE_ARRAY UINT32_MAX /* as many items as there is room for */
#define HC_CELL_ROOM   512        /* bytes of a text that is made up for a value */

struct hc_cell;

/* The items of a list or map that a function counts. */
struct hc_list_source {
    size_t (*count)(const struct hc_item *at);
    /* The record of the i-th item; NULL: it is left out. Without the function, the items lie where
     * the member says. */
    const void *(*item)(const struct hc_item *at, size_t i);
};

/* There are thousands of fields, and each start of the program relocates the pointers in all of
 * them, page by page: so a field is kept small. Its type tells which member of a union holds. */
struct hc_field {
    const char *name; /* of the member and column; NULL: a bare value */
    const char *sentence;
    enum hc_field_type type : 8;
    enum hc_field_place place : 8;
    unsigned rules : 8;
    int n_names;                           /* HC_AS_NAME, HC_AS_NAMES: values of the enum */
    uint32_t offset, size;                 /* of the member; size of an item for lists */
    uint32_t n_offset;                     /* lists: of the size_t that counts the items */
    uint32_t room;                         /* HC_IN_ARRAY: items that the member holds */
    bool (*has)(const struct hc_item *at); /* NULL: always */
    union {
        const char *unit; /* of a value: "s", "GPU-hours"; NULL or "" for counts, ids, ratios */
        const char *(*name_of)(int value);  /* HC_AS_NAME, HC_AS_NAMES */
        const struct hc_record_def *record; /* of an object, part, list or map */
    };
    /* What gives the value, where it lies nowhere; NULL: it lies in the record. */
    union {
        void (*given)(void);                          /* any of them */
        int64_t (*integer)(const struct hc_item *at); /* HC_MISSING_I64: null */
        double (*real)(const struct hc_item *at);
        bool (*boolean)(const struct hc_item *at);
        /* The text may be made in room. */
        const char *(*text)(const struct hc_item *at, char room[HC_CELL_ROOM]);
        void (*cell)(const struct hc_item *at, struct hc_cell *cell); /* which is null before */
        /* The record of an object or part (i = 0). NULL: the object is null. */
        const void *(*item)(const struct hc_item *at, size_t i);
        /* HC_CHOSEN: the definition of the part, by the outermost item; NULL: there is none. */
        const struct hc_record_def *(*record_of)(const void *root);
        const struct hc_list_source *list; /* HC_AS_LIST, HC_AS_MAP */
    };
};

struct hc_record_def {
    const char *name; /* "a part": explained by itself in the docs; NULL: where it stands */
    size_t n_fields;
    const struct hc_field *fields;
};

#define HC_RECORD(name_, fields_)                                                                  \
    {                                                                                              \
        .name = name_, .n_fields = sizeof(fields_) / sizeof *(fields_), .fields = fields_          \
    }

/* ---- what functions give ---- */

/* The record of an item. */
#define HC_OF(S, at) ((const S *)(at)->record)

/* A function for a field, in one expression of the item `at`. That of a text may use `room`, and
 * that of the items of a list, or of a record elsewhere, the place `i`:
 *
 *     HC_GIVES(bool, is_known, HC_OF(struct hc_split, at)->n_groups > 0)
 *     HC_GIVES_TEXT(op_type_of, hc_op_type_name((int)at->index))
 */
#define HC_GIVES(type, name, expression)                                                           \
    static type name(const struct hc_item *at)                                                     \
    {                                                                                              \
        (void)at;                                                                                  \
        return expression;                                                                         \
    }
#define HC_GIVES_TEXT(name, expression)                                                            \
    static const char *name(const struct hc_item *at, char room[HC_CELL_ROOM])                     \
    {                                                                                              \
        (void)at, (void)room;                                                                      \
        return expression;                                                                         \
    }
#define HC_GIVES_ITEM(name, expression)                                                            \
    static const void *name(const struct hc_item *at, size_t i)                                    \
    {                                                                                              \
        (void)i;                                                                                   \
        return expression;                                                                         \
    }

/* ---- fields; the last argument is the sentence, and designators may follow it ---- */

#define HC_MEMBER(S, member) (((S *)0)->member)
/* uint64_t counts as size_t; enums have HC_NAME. */
#define HC_MEMBER_TYPE(S, member)                                                                  \
    _Generic(&HC_MEMBER(S, member),                                                                \
        int32_t *: HC_AS_I32,                                                                      \
        int64_t *: HC_AS_I64,                                                                      \
        size_t *: HC_AS_SIZE,                                                                      \
        double *: HC_AS_REAL,                                                                      \
        bool *: HC_AS_BOOL,                                                                        \
        char **: HC_AS_TEXT,                                                                       \
        const char **: HC_AS_TEXT,                                                                 \
        char(*)[sizeof HC_MEMBER(S, member)]: HC_AS_CHARS)
#define HC_VALUE_TYPE(value)                                                                       \
    _Generic((value),                                                                              \
        int32_t: HC_AS_I32,                                                                        \
        int64_t: HC_AS_I64,                                                                        \
        size_t: HC_AS_SIZE,                                                                        \
        double: HC_AS_REAL,                                                                        \
        bool: HC_AS_BOOL,                                                                          \
        char *: HC_AS_TEXT,                                                                        \
        const char *: HC_AS_TEXT)

/* A member. */
#define HC_FIELD(S, name_, member, unit_, ...)                                                     \
    {                                                                                              \
        .name = name_, .type = HC_MEMBER_TYPE(S, member), .offset = offsetof(S, member),           \
        .size = sizeof HC_MEMBER(S, member), .unit = unit_, .sentence = __VA_ARGS__                \
    }
/* A member that points to an array with a value for each item. */
#define HC_COLUMN(S, name_, member, unit_, ...)                                                    \
    {                                                                                              \
        .name = name_, .type = HC_VALUE_TYPE(*HC_MEMBER(S, member)), .place = HC_BY_INDEX,         \
        .offset = offsetof(S, member), .size = sizeof *HC_MEMBER(S, member), .unit = unit_,        \
        .sentence = __VA_ARGS__                                                                    \
    }
/* An enum, or a set of its values as bits. */
#define HC_NAME(S, name_, member, name_of_, n, ...)                                                \
    {                                                                                              \
        .name = name_, .type = HC_AS_NAME, .offset = offsetof(S, member),                          \
        .size = sizeof HC_MEMBER(S, member), .name_of = name_of_, .n_names = n,                    \
        .sentence = __VA_ARGS__                                                                    \
    }
#define HC_NAMES(S, name_, member, name_of_, n, ...)                                               \
    {                                                                                              \
        .name = name_, .type = HC_AS_NAMES, .offset = offsetof(S, member),                         \
        .size = sizeof HC_MEMBER(S, member), .name_of = name_of_, .n_names = n,                    \
        .sentence = __VA_ARGS__                                                                    \
    }
/* What a function gives. */
#define HC_INTEGER_OF(name_, function, unit_, ...)                                                 \
    {                                                                                              \
        .name = name_, .type = HC_AS_I64, .integer = function, .unit = unit_,                      \
        .sentence = __VA_ARGS__                                                                    \
    }
#define HC_REAL_OF(name_, function, unit_, ...)                                                    \
    {                                                                                              \
        .name = name_, .type = HC_AS_REAL, .real = function, .unit = unit_,                        \
        .sentence = __VA_ARGS__                                                                    \
    }
#define HC_BOOL_OF(name_, function, ...)                                                           \
    {                                                                                              \
        .name = name_, .type = HC_AS_BOOL, .boolean = function, .sentence = __VA_ARGS__            \
    }
#define HC_TEXT_OF(name_, function, ...)                                                           \
    {                                                                                              \
        .name = name_, .type = HC_AS_TEXT, .text = function, .sentence = __VA_ARGS__               \
    }
#define HC_CELL_OF(name_, function, ...)                                                           \
    {                                                                                              \
        .name = name_, .type = HC_AS_CELL, .cell = function, .sentence = __VA_ARGS__               \
    }
/* A record that is a member, that a function gives, or that only groups names of the same item. */
#define HC_OBJECT(S, name_, member, def, ...)                                                      \
    {                                                                                              \
        .name = name_, .type = HC_AS_OBJECT, .offset = offsetof(S, member), .record = def,         \
        .sentence = __VA_ARGS__                                                                    \
    }
#define HC_OBJECT_OF(name_, function, def, ...)                                                    \
    {                                                                                              \
        .name = name_, .type = HC_AS_OBJECT, .item = function, .record = def,                      \
        .sentence = __VA_ARGS__                                                                    \
    }
#define HC_GROUP(name_, def, ...)                                                                  \
    {                                                                                              \
        .name = name_, .type = HC_AS_OBJECT, .place = HC_OF_THE_ITEM, .record = def,               \
        .sentence = __VA_ARGS__                                                                    \
    }
/* The record behind a pointer. */
#define HC_OBJECT_BEHIND(S, name_, member, def, ...)                                               \
    {                                                                                              \
        .name = name_, .type = HC_AS_OBJECT, .place = HC_BEHIND, .offset = offsetof(S, member),    \
        .record = def, .sentence = __VA_ARGS__                                                     \
    }
/* Members of another record, among those of this one; and those of the same item. */
#define HC_PART(S, member, def)                                                                    \
    {                                                                                              \
        .type = HC_AS_PART, .offset = offsetof(S, member), .record = def                           \
    }
#define HC_PART_OF(function, def)                                                                  \
    {                                                                                              \
        .type = HC_AS_PART, .item = function, .record = def                                        \
    }
#define HC_SAME_PART(def)                                                                          \
    {                                                                                              \
        .type = HC_AS_PART, .place = HC_OF_THE_ITEM, .record = def                                 \
    }
/* Members that what is written decides on. */
#define HC_PART_CHOSEN(function, ...)                                                              \
    {                                                                                              \
        .type = HC_AS_PART, .place = HC_CHOSEN, .record_of = function, .sentence = __VA_ARGS__     \
    }
/* Items behind a pointer, in an array of the record, or that functions give. */
#define HC_LIST(S, name_, member, n_member, def, ...)                                              \
    {                                                                                              \
        .name = name_, .type = HC_AS_LIST, .offset = offsetof(S, member),                          \
        .size = sizeof *HC_MEMBER(S, member), .n_offset = offsetof(S, n_member), .record = def,    \
        .sentence = __VA_ARGS__                                                                    \
    }
#define HC_LIST_IN(S, name_, member, n_member, def, ...)                                           \
    {                                                                                              \
        .name = name_, .type = HC_AS_LIST, .place = HC_IN_ARRAY, .offset = offsetof(S, member),    \
        .size = sizeof *HC_MEMBER(S, member), .n_offset = offsetof(S, n_member),                   \
        .room = sizeof HC_MEMBER(S, member) / sizeof *HC_MEMBER(S, member), .record = def,         \
        .sentence = __VA_ARGS__                                                                    \
    }
/* All of an array of the record, and a map whose items lie in one. */
#define HC_ARRAY(S, name_, member, def, ...)                                                       \
    {                                                                                              \
        .name = name_, .type = HC_AS_LIST, .place = HC_IN_ARRAY, .offset = offsetof(S, member),    \
        .size = sizeof *HC_MEMBER(S, member), .n_offset = HC_WHOLE_ARRAY,                          \
        .room = sizeof HC_MEMBER(S, member) / sizeof *HC_MEMBER(S, member), .record = def,         \
        .sentence = __VA_ARGS__                                                                    \
    }
#define HC_MAP_IN(S, name_, member, n_member, def, ...)                                            \
    {                                                                                              \
        .name = name_, .type = HC_AS_MAP, .place = HC_IN_ARRAY, .offset = offsetof(S, member),     \
        .size = sizeof *HC_MEMBER(S, member), .n_offset = offsetof(S, n_member),                   \
        .room = sizeof HC_MEMBER(S, member) / sizeof *HC_MEMBER(S, member), .record = def,         \
        .sentence = __VA_ARGS__                                                                    \
    }
#define HC_LIST_OF(name_, count_, item_, def, ...)                                                 \
    {                                                                                              \
        .name = name_, .type = HC_AS_LIST, .list = &(const struct hc_list_source){count_, item_},  \
        .record = def, .sentence = __VA_ARGS__                                                     \
    }
#define HC_MAP(S, name_, member, n_member, def, ...)                                               \
    {                                                                                              \
        .name = name_, .type = HC_AS_MAP, .offset = offsetof(S, member),                           \
        .size = sizeof *HC_MEMBER(S, member), .n_offset = offsetof(S, n_member), .record = def,    \
        .sentence = __VA_ARGS__                                                                    \
    }
#define HC_MAP_OF(name_, count_, item_, def, ...)                                                  \
    {                                                                                              \
        .name = name_, .type = HC_AS_MAP, .list = &(const struct hc_list_source){count_, item_},   \
        .record = def, .sentence = __VA_ARGS__                                                     \
    }

/* Items that are bare values, at the address of the item. */
extern const struct hc_record_def hc_real_items, hc_i64_items, hc_i32_items, hc_text_items;

/* ---- values ---- */

enum hc_cell_kind { HC_CELL_NULL, HC_CELL_INTEGER, HC_CELL_REAL, HC_CELL_BOOL, HC_CELL_TEXT };

struct hc_cell {
    enum hc_cell_kind kind;
    int64_t integer;
    double real;
    bool boolean;
    const char *text; /* in the record, or in room */
    char room[HC_CELL_ROOM];
};

/* Put a number or a text into a cell: a missing integer, a real that is not finite and NULL leave
 * it null. */
void hc_cell_set_integer(struct hc_cell *cell, int64_t value);
void hc_cell_set_real(struct hc_cell *cell, double value);
void hc_cell_set_text(struct hc_cell *cell, const char *text);

/* The value of a field of an item; null of what is no single value. */
void hc_field_value(const struct hc_field *field, const struct hc_item *at, struct hc_cell *cell);

/* Whether this item has the field: always, unless the field has a function has() that denies it. */
bool hc_field_has(const struct hc_field *field, const struct hc_item *at);

/* Whether it is written in the form that is stored, and read back. */
bool hc_field_is_stored(const struct hc_field *field);

/* The unit of a value; "" of all else. */
static inline const char *hc_field_unit(const struct hc_field *field)
{
    return field->type < HC_AS_NAME && field->unit ? field->unit : "";
}

/* The definition of a part, object, list or map, in a document of this root; NULL of a value. */
static inline const struct hc_record_def *hc_field_record(const struct hc_field *field,
                                                          const void *root)
{
    if (field->place == HC_CHOSEN)
        return field->record_of(root);
    return field->type >= HC_AS_OBJECT ? field->record : NULL;
}

/* What an object or part of an item is written of. False: there is none. */
bool hc_field_object(const struct hc_field *field, const struct hc_item *at, struct hc_item *to);

/* The items of a list or map. hc_field_item is false for one that is left out. */
size_t hc_field_count(const struct hc_field *field, const struct hc_item *at);
bool hc_field_item(const struct hc_field *field, const struct hc_item *at, size_t i,
                   struct hc_item *to);

/* ---- JSON ---- */

/* The item as an object, and as members of the object that is open. */
void hc_record_json(struct hc_json_writer *json, const char *key, const struct hc_record_def *def,
                    const struct hc_item *at);
void hc_record_members(struct hc_json_writer *json, const struct hc_record_def *def,
                       const struct hc_item *at);

/* The form that is stored and read back, as members of the object that is open: under the stored
 * names, without what functions give, and with every value as it is, whatever the rules and has()
 * make of it for readers. */
void hc_record_store(struct hc_json_writer *json, const struct hc_record_def *def,
                     const struct hc_item *at);

/* ---- CSV ---- */

#define HC_RECORD_COLUMNS 48
#define HC_RECORD_DEPTH   6

struct hc_record_csv {
    struct hc_csv csv;
    size_t n;
    struct hc_record_column {
        const struct hc_field *path[HC_RECORD_DEPTH]; /* objects and parts, then the value */
        size_t n;
        const char *name; /* in the list of columns, not ended */
        size_t length;
    } column[HC_RECORD_COLUMNS];
};

/* A table: the header is written with the start. Columns are chosen as "job,gpus,low=interval.low":
 * a name, or a heading and the path of a field through objects. A list of bare values, or a set of
 * names, is one cell with spaces between. A path that is none ends the program: it is a mistake in
 * it, which the first test finds.
 *
 * A map is a column for each of its items, or for each field of their values, under its key
 * ("ettr"; from the second field on with the name of the field, "ettr_low"). As the header comes
 * before any record, the number of items and their keys must follow from the place of the item and
 * from `parent`, what the records are in; without maps, it may be NULL. */
void hc_record_csv_start(struct hc_record_csv *csv, FILE *stream, const struct hc_record_def *def,
                         const char *columns, const struct hc_item *parent);
void hc_record_csv_row(struct hc_record_csv *csv, const struct hc_item *at);

/* A whole table: a row for each item of a list. `rows` is the path to it, from the item, through
 * objects and through other lists: "runs.causes" has the causes of the first run, then those of the
 * second, and so on. */
struct hc_record_table {
    const char *rows, *columns;
};
void hc_record_csv_table(FILE *stream, const struct hc_record_def *def,
                         const struct hc_record_table *table, const struct hc_item *at);

/* One item as rows "key,value,unit", with the units of the fields; no header. */
void hc_record_csv_pairs(FILE *stream, const struct hc_record_def *def, const char *columns,
                         const struct hc_item *at);

#endif
