#include "parsers/parquet/parquet_schema.h"

#include <string.h>

#define ABSENT INT32_MIN

enum { REQUIRED, OPTIONAL, REPEATED };

/* ConvertedType, the older annotation. */
enum { CONVERTED_UTF8 = 0, CONVERTED_ENUM = 4, CONVERTED_UINT_8 = 11, CONVERTED_INT_8 = 15 };

struct element {
    int32_t type, repetition, n_children, converted, bits;
    struct hc_thrift_bytes name;
    bool has_logical, is_string, is_enum, is_integer;
    int8_t is_signed;
};

#define MEMBER(name) offsetof(struct element, name)

static const struct hc_thrift_field no_fields[] = {{0}};

static const struct hc_thrift_field integer_fields[] = {
    {1, HC_THRIFT_INT8, MEMBER(bits), NULL, NULL},
    {2, HC_THRIFT_BOOL, MEMBER(is_signed), NULL, NULL},
    {0},
};

static const struct hc_thrift_field logical_fields[] = {
    {1, HC_THRIFT_STRUCT, MEMBER(is_string), no_fields, NULL},
    {4, HC_THRIFT_STRUCT, MEMBER(is_enum), no_fields, NULL},
    {10, HC_THRIFT_STRUCT, MEMBER(is_integer), integer_fields, NULL},
    {0},
};

static const struct hc_thrift_field element_fields[] = {
    {1, HC_THRIFT_INT32, MEMBER(type), NULL, NULL},
    {3, HC_THRIFT_INT32, MEMBER(repetition), NULL, NULL},
    {4, HC_THRIFT_BYTES, MEMBER(name), NULL, NULL},
    {5, HC_THRIFT_INT32, MEMBER(n_children), NULL, NULL},
    {6, HC_THRIFT_INT32, MEMBER(converted), NULL, NULL},
    {10, HC_THRIFT_STRUCT, MEMBER(has_logical), logical_fields, NULL},
    {0},
};

static const char *name_of(const char *const *names, size_t n, int32_t code, const char *unknown)
{
    return code >= 0 && (size_t)code < n && names[code] ? names[code] : unknown;
}

const char *hc_parquet_type_name(int32_t type)
{
    static const char *const names[] = {"BOOLEAN", "INT32",  "INT64",      "INT96",
                                        "FLOAT",   "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"};
    return name_of(names, sizeof names / sizeof names[0], type, "an unknown type");
}

const char *hc_parquet_encoding_name(int32_t encoding)
{
    static const char *const names[] = {"PLAIN",
                                        NULL,
                                        "PLAIN_DICTIONARY",
                                        "RLE",
                                        "BIT_PACKED",
                                        "DELTA_BINARY_PACKED",
                                        "DELTA_LENGTH_BYTE_ARRAY",
                                        "DELTA_BYTE_ARRAY",
                                        "RLE_DICTIONARY",
                                        "BYTE_STREAM_SPLIT"};
    return name_of(names, sizeof names / sizeof names[0], encoding, "an unknown encoding");
}

void hc_parquet_schema_init(struct hc_parquet_schema *schema, const char *const *names, size_t n)
{
    *schema = (struct hc_parquet_schema){.n_columns = n};
    for (size_t i = 0; i < n; i++) {
        schema->columns[i].name = names[i];
        schema->columns[i].leaf = -1;
    }
}

static void set_meaning(struct hc_parquet_field *field, const struct element *element)
{
    field->meaning = HC_PARQUET_NO_MEANING;
    field->bits = 0;
    field->is_unsigned = false;
    if (element->has_logical) {
        field->meaning = element->is_integer                      ? HC_PARQUET_MEANS_INTEGER
                         : element->is_string || element->is_enum ? HC_PARQUET_MEANS_TEXT
                                                                  : HC_PARQUET_MEANS_OTHER;
        field->bits = element->bits;
        field->is_unsigned = element->is_signed == 0;
    } else if (element->converted == CONVERTED_UTF8 || element->converted == CONVERTED_ENUM) {
        field->meaning = HC_PARQUET_MEANS_TEXT;
    } else if (element->converted >= CONVERTED_UINT_8 && element->converted < CONVERTED_INT_8 + 4) {
        field->meaning = HC_PARQUET_MEANS_INTEGER;
        field->is_unsigned = element->converted < CONVERTED_INT_8;
        field->bits = 8 << ((element->converted - CONVERTED_UINT_8) & 3);
    } else if (element->converted != ABSENT) {
        field->meaning = HC_PARQUET_MEANS_OTHER;
    }
}

/* A child of the root: note it when it is wanted. */
static void note_column(struct hc_parquet_schema *schema, const struct element *element)
{
    for (size_t i = 0; i < schema->n_columns; i++) {
        struct hc_parquet_field *field = &schema->columns[i];
        if (strlen(field->name) != element->name.length ||
            memcmp(field->name, element->name.data, element->name.length) != 0)
            continue;
        field->found++;
        field->leaf = schema->n_leaves;
        field->nested =
            element->n_children > 0 || element->type == ABSENT || element->repetition == REPEATED;
        field->optional = element->repetition == OPTIONAL;
        field->type = element->type;
        set_meaning(field, element);
    }
}

static const char *problem_of(const struct element *element, bool is_root)
{
    if (!element->name.data)
        return "a column of the schema has no name";
    if (element->n_children < 0)
        return "a column of the schema has a negative number of children";
    if (!is_root && element->n_children == 0 && element->type == ABSENT)
        return "a column of the schema has neither a type nor children";
    if (!is_root && (element->repetition < REQUIRED || element->repetition > REPEATED))
        return "a column of the schema is neither required, optional nor repeated";
    return NULL;
}

void hc_parquet_schema_element(struct hc_parquet_schema *schema, struct hc_thrift *thrift, int type)
{
    struct element element = {
        .type = ABSENT, .repetition = ABSENT, .converted = ABSENT, .is_signed = 1};
    hc_thrift_read_element(thrift, type, element_fields, &element);
    bool is_root = schema->n_elements == 0;
    if (!thrift->problem) {
        const char *problem = problem_of(&element, is_root);
        if (problem)
            hc_thrift_stop(thrift, problem);
    }
    if (!is_root && schema->top_left == 0 && schema->nested_left == 0)
        hc_thrift_stop(thrift, "the schema has more columns than it announces");
    if (thrift->problem)
        return;
    schema->n_elements++;
    if (is_root) {
        schema->top_left = element.n_children;
        return;
    }
    if (schema->nested_left > 0) {
        schema->nested_left--;
    } else {
        schema->top_left--;
        note_column(schema, &element);
    }
    schema->nested_left += element.n_children;
    if (element.n_children == 0)
        schema->n_leaves++;
}

bool hc_parquet_schema_complete(const struct hc_parquet_schema *schema)
{
    return schema->n_elements > 0 && schema->top_left == 0 && schema->nested_left == 0;
}
