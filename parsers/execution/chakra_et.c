/* chakra_et.c - Chakra's execution traces (.et), one a rank: messages of Protocol Buffers, each
 * behind its length: one of the trace, then one a node (docs/formats/chakra-et.md). */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "parsers/execution/execution_rows.h"
#include "parsers/execution/protobuf_fields.h"
#include "parsers/io/byte_reader.h"

#include <stdlib.h>
#include <string.h>

#define READ_SIZE    HC_BUFFER_SIZE((size_t)1 << 18)
#define MOST_MESSAGE HC_BUFFER_SIZE((size_t)1 << 24) /* of one node, bytes */
#define MOST_LENGTH  10                              /* bytes of a length */
#define MOST_US      (INT64_MAX / 1000 / 2)

enum node_field {
    NODE_ID = 1,
    NODE_NAME = 2,
    NODE_TYPE = 3,
    NODE_CONTROL = 4,
    NODE_DATA = 5,
    NODE_START_US = 6,
    NODE_DURATION_US = 7,
    NODE_ATTRIBUTE = 10
};
enum attribute_field {
    ATTRIBUTE_NAME = 1,
    ATTRIBUTE_INT32 = 7,
    ATTRIBUTE_INT64 = 9,
    ATTRIBUTE_UINT32 = 11,
    ATTRIBUTE_UINT64 = 13,
    ATTRIBUTE_SINT32 = 15,
    ATTRIBUTE_SINT64 = 17,
    ATTRIBUTE_FIXED32 = 19,
    ATTRIBUTE_FIXED64 = 21,
    ATTRIBUTE_SFIXED32 = 23,
    ATTRIBUTE_SFIXED64 = 25,
    ATTRIBUTE_BOOL = 27,
    ATTRIBUTE_STRING = 29
};
enum { TYPE_SEND = 5, TYPE_RECV = 6, TYPE_COLLECTIVE = 7, N_TYPES = 8 };
static const char *const type_names[N_TYPES] = {"invalid", "metadata",  "mem_load",  "mem_store",
                                                "comp",    "comm_send", "comm_recv", "comm_coll"};
static const char *const comm_types[] = {
    "all_reduce", "reduce",     "all_gather",     "gather",         "scatter",
    "broadcast",  "all_to_all", "reduce_scatter", "reduce_scatter", "barrier"};

struct chakra_et {
    struct hc_execution_rows rows;
    struct hc_byte_reader *reader;
    uint8_t *data; /* data[start, end) is loaded */
    size_t start, end, capacity;
    int64_t base; /* offset of data[0] in the decompressed stream */
    bool at_eof, has_metadata, is_over, is_cut;
    struct hc_et_node node;
};

/* ---- messages ---- */

/* Have n bytes at start, fewer only at the end of the file. */
static enum hc_status load(struct chakra_et *p, size_t n, struct hc_error *err)
{
    while (p->end - p->start < n && !p->at_eof) {
        size_t length = 0, need = n + READ_SIZE;
        if (need > p->capacity && hc_reserve(&p->data, &p->capacity, need, 1, err))
            return err->status;
        memmove(p->data, p->data + p->start, p->end - p->start);
        p->base += (int64_t)p->start;
        p->end -= p->start;
        p->start = 0;
        if (hc_byte_reader_read(p->reader, p->data + p->end, READ_SIZE, &length, err))
            return err->status;
        p->at_eof = length == 0;
        p->end += length;
    }
    return HC_OK;
}

static enum hc_status damaged(const struct chakra_et *p, const char *what, struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT, "'%s': byte %lld: %s", p->rows.source->name,
                   (long long)(p->base + (int64_t)p->start), what);
}

/* The next message; NULL in at: the end of the file, or a tail that is missing (is_cut). */
static enum hc_status next_message(struct chakra_et *p, struct hc_wire *message,
                                   struct hc_error *err)
{
    uint64_t length;
    *message = (struct hc_wire){0};
    if (load(p, MOST_LENGTH, err))
        return err->status;
    if (p->start == p->end)
        return HC_OK;
    struct hc_wire wire = {p->data + p->start, p->data + p->end};
    if (!hc_wire_varint(&wire, &length)) {
        p->is_cut = p->end - p->start < MOST_LENGTH;
        return p->is_cut ? HC_OK : damaged(p, "here no length of a message stands", err);
    }
    size_t head = (size_t)(wire.at - (p->data + p->start));
    if (length > MOST_MESSAGE)
        return damaged(p, "a message is said to have more than 16 MB", err);
    if (load(p, head + (size_t)length, err))
        return err->status;
    p->is_cut = p->end - p->start < head + length;
    if (p->is_cut)
        return HC_OK;
    *message = (struct hc_wire){p->data + p->start + head, p->data + p->start + head + length};
    return HC_OK;
}

static void pass_message(struct chakra_et *p, const struct hc_wire *message)
{
    p->start = (size_t)(message->end - p->data);
}

/* ---- attributes ---- */

static int64_t attribute_number(const struct hc_wire_field *field)
{
    if (field->number == ATTRIBUTE_SINT32 || field->number == ATTRIBUTE_SINT64)
        return hc_wire_zigzag(field->value);
    if (field->number == ATTRIBUTE_SFIXED32)
        return (int32_t)field->value;
    return field->value <= INT64_MAX || field->number == ATTRIBUTE_INT32 ||
                   field->number == ATTRIBUTE_INT64 || field->number == ATTRIBUTE_SFIXED64
               ? (int64_t)field->value
               : HC_MISSING_I64;
}

static bool is_number(uint32_t number)
{
    return number >= ATTRIBUTE_INT32 && number <= ATTRIBUTE_BOOL && number % 2;
}

static void take_attribute(struct hc_et_node *node, const struct hc_wire_field *name,
                           const struct hc_wire_field *value)
{
    const struct {
        const char *name;
        int64_t *number;
    } known[] = {
        {"comm_size", &node->bytes},      {"comm_src", &node->source},
        {"comm_dst", &node->destination}, {"seq_id", &node->sequence},
        {"pg_size", &node->group_size},
    };
    if (value->number == ATTRIBUTE_STRING && name->length == 7 &&
        memcmp(name->bytes, "pg_name", 7) == 0)
        hc_et_set_text(&node->group, (const char *)value->bytes, value->length);
    if (!is_number(value->number) || value->type == HC_WIRE_BYTES)
        return;
    int64_t number = attribute_number(value);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (name->length == strlen(known[i].name) &&
            memcmp(name->bytes, known[i].name, name->length) == 0)
            *known[i].number = number;
    if (name->length == 3 && memcmp(name->bytes, "tid", 3) == 0 && number >= 0 &&
        number <= INT32_MAX)
        node->thread = (int32_t)number;
    if (name->length == 9 && memcmp(name->bytes, "comm_type", 9) == 0 && number >= 0 &&
        (size_t)number < sizeof comm_types / sizeof *comm_types)
        hc_et_set_text(&node->op, comm_types[number], strlen(comm_types[number]));
}

static bool read_attribute(struct hc_et_node *node, const struct hc_wire_field *field)
{
    struct hc_wire wire = {field->bytes, field->bytes + field->length};
    struct hc_wire_field name = {0}, value = {0}, part;
    bool is_bad;
    while (hc_wire_next(&wire, &part, &is_bad)) {
        if (part.number == ATTRIBUTE_NAME && part.type == HC_WIRE_BYTES)
            name = part;
        else if (is_number(part.number) ||
                 (part.number == ATTRIBUTE_STRING && part.type == HC_WIRE_BYTES))
            value = part;
    }
    if (!is_bad && name.length)
        take_attribute(node, &name, &value);
    return !is_bad;
}

/* ---- nodes ---- */

/* Dependencies of one kind: numbers one by one, or packed. The first of control is the parent. */
static enum hc_status read_dependencies(struct chakra_et *p, const struct hc_wire_field *field,
                                        bool stores, size_t *n, struct hc_error *err)
{
    bool is_data = field->number == NODE_DATA;
    bool is_one = field->type == HC_WIRE_VARINT;
    struct hc_wire wire = {0};
    uint64_t on = field->value;
    if (field->type == HC_WIRE_BYTES)
        wire = (struct hc_wire){field->bytes, field->bytes + field->length};
    while (is_one || (wire.at < wire.end && hc_wire_varint(&wire, &on))) {
        ++*n;
        if (!is_data && p->node.parent == HC_MISSING_I64)
            p->node.parent = (int64_t)on;
        if (stores && hc_execution_rows_depend(&p->rows, p->node.id, (int64_t)on, is_data, err))
            return err->status;
        if (is_one)
            break;
    }
    return HC_OK;
}

static int64_t us_to_ns(uint64_t us)
{
    return us <= (uint64_t)MOST_US ? (int64_t)us * 1000 : HC_MISSING_I64;
}

static bool take_field(struct chakra_et *p, const struct hc_wire_field *field)
{
    struct hc_et_node *node = &p->node;
    if (field->number == NODE_ATTRIBUTE && field->type == HC_WIRE_BYTES)
        return read_attribute(node, field);
    if (field->number == NODE_NAME && field->type == HC_WIRE_BYTES)
        hc_et_set_text(&node->name, (const char *)field->bytes, field->length);
    if (field->type != HC_WIRE_VARINT)
        return true;
    switch (field->number) {
    case NODE_ID:
        node->id = field->value <= INT64_MAX ? (int64_t)field->value : HC_MISSING_I64;
        break;
    case NODE_TYPE:
        node->type = field->value < N_TYPES ? type_names[field->value] : type_names[0];
        node->communicates = field->value >= TYPE_SEND && field->value <= TYPE_COLLECTIVE;
        if (field->value == TYPE_SEND || field->value == TYPE_RECV)
            hc_et_set_text(&node->op, field->value == TYPE_SEND ? "send" : "recv", 4);
        break;
    case NODE_START_US:
        node->start_ns = us_to_ns(field->value);
        break;
    case NODE_DURATION_US:
        node->duration_ns = us_to_ns(field->value);
        break;
    default:
        break;
    }
    return true;
}

/* Dependencies need the number of their node, which may stand behind them: the message is gone
 * through twice. *n_dependencies is filled by the first. */
static enum hc_status read_pass(struct chakra_et *p, struct hc_wire wire, bool stores,
                                size_t *n_dependencies, bool *is_bad, struct hc_error *err)
{
    struct hc_wire_field field;
    *n_dependencies = 0;
    while (hc_wire_next(&wire, &field, is_bad)) {
        bool depends = field.number == NODE_CONTROL || field.number == NODE_DATA;
        if (depends && read_dependencies(p, &field, stores, n_dependencies, err))
            return err->status;
        if (!depends && !stores && !take_field(p, &field)) {
            *is_bad = true;
            break;
        }
    }
    return HC_OK;
}

/* *fits is false where the tables have no room for it any more: nothing was read then. */
static enum hc_status read_node(struct chakra_et *p, const struct hc_wire *message, bool *fits,
                                struct hc_error *err)
{
    size_t n_dependencies;
    bool is_bad;
    int64_t byte = p->base + (int64_t)p->start;
    hc_et_node_clear(&p->node);
    p->node.type = type_names[0];
    if (read_pass(p, *message, false, &n_dependencies, &is_bad, err))
        return err->status;
    size_t most = p->rows.tables[HC_EXECUTION_DEPENDENCIES].capacity;
    if (n_dependencies > most)
        return damaged(p, "a node has too many dependencies", err);
    *fits = hc_execution_rows_have_room(&p->rows, n_dependencies);
    if (!*fits)
        return HC_OK;
    pass_message(p, message);
    if (is_bad)
        return hc_execution_rows_drop(&p->rows, byte, "a message is no node", err);
    if (p->node.id == HC_MISSING_I64)
        return hc_execution_rows_drop(&p->rows, byte, "a node has no number", err);
    int64_t parent = p->node.parent;
    p->node.parent = HC_MISSING_I64; /* among the dependencies already */
    if (hc_execution_rows_add(&p->rows, &p->node, err))
        return err->status;
    struct hc_table *nodes = &p->rows.tables[HC_EXECUTION_NODES];
    hc_table_i64(nodes, HC_ET_NODES_PARENT)[nodes->n_rows - 1] = parent;
    p->node.parent = parent;
    return read_pass(p, *message, true, &n_dependencies, &is_bad, err);
}

static void read_metadata(struct chakra_et *p, const struct hc_wire *message)
{
    struct hc_wire wire = *message;
    struct hc_wire_field field;
    bool is_bad;
    while (hc_wire_next(&wire, &field, &is_bad))
        if (field.number == 1 && field.type == HC_WIRE_BYTES)
            hc_et_set_text(&p->rows.schema, (const char *)field.bytes, field.length);
    p->has_metadata = true;
    pass_message(p, message);
}

/* ---- the format ---- */

/* Whether a message could be a node: it begins with its number. */
static bool looks_like_node(struct hc_wire wire)
{
    struct hc_wire_field field;
    bool is_bad;
    return hc_wire_next(&wire, &field, &is_bad) && field.number == NODE_ID &&
           field.type == HC_WIRE_VARINT;
}

static bool looks_like_metadata(struct hc_wire wire)
{
    struct hc_wire_field field;
    bool is_bad;
    while (hc_wire_next(&wire, &field, &is_bad))
        if (field.number > 2 || field.type != HC_WIRE_BYTES)
            return false;
    return !is_bad;
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    struct hc_wire all = {head, head + length};
    uint64_t first, second;
    size_t n = strlen(path);
    bool is_named = n > 3 && strcmp(path + n - 3, ".et") == 0;
    if (!hc_wire_varint(&all, &first) || first > (uint64_t)(all.end - all.at))
        return 0;
    struct hc_wire metadata = {all.at, all.at + first}, node;
    all.at += first;
    if (!looks_like_metadata(metadata))
        return 0;
    if (all.at == all.end)
        return is_named ? 80 : first ? 30 : 0;
    if (!hc_wire_varint(&all, &second))
        return 0;
    node = (struct hc_wire){all.at, all.end};
    if (second <= (uint64_t)(all.end - all.at))
        node.end = node.at + second;
    if (!looks_like_node(node))
        return 0;
    return is_named ? 95 : 70;
}

static void close_et(void *parser)
{
    struct chakra_et *p = parser;
    if (!p)
        return;
    hc_byte_reader_close(p->reader);
    hc_execution_rows_fini(&p->rows);
    free(p->data);
    free(p);
}

static enum hc_status open_et(void **parser, const struct hc_source *source,
                              const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct chakra_et *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    if (hc_execution_rows_init(&p->rows, source, options->names, err) ||
        hc_byte_reader_open(&p->reader, source, err)) {
        close_et(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

static enum hc_status read_on(struct chakra_et *p, bool *fits, struct hc_error *err)
{
    struct hc_wire message;
    *fits = true;
    if (next_message(p, &message, err))
        return err->status;
    if (p->is_cut)
        hc_warn("'%s': byte %lld: the file is cut off here; the %lld nodes before it are kept",
                p->rows.source->name, (long long)(p->base + (int64_t)p->start),
                (long long)p->rows.n_nodes);
    p->is_over = p->is_cut || !message.at;
    if (p->is_over)
        return HC_OK;
    if (p->has_metadata)
        return read_node(p, &message, fits, err);
    read_metadata(p, &message);
    return HC_OK;
}

static enum hc_status next_tables(void *parser, struct hc_table *tables,
                                  struct hc_row_report *report, struct hc_error *err)
{
    struct chakra_et *p = parser;
    bool fits = true;
    p->rows.tables = tables;
    p->rows.report = report;
    while (!p->is_over && fits)
        if (read_on(p, &fits, err))
            return err->status;
    if (p->is_over && !p->rows.is_over)
        return hc_execution_rows_end(&p->rows, p->is_cut, err);
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct chakra_et *p = parser;
    return hc_byte_reader_position(p->reader);
}

const struct hc_format hc_format_chakra_et = {
    .name = "chakra-et",
    .description = "execution trace of Chakra (.et): the nodes of a rank and what they wait for",
    .version = 1,
    .table = &hc_et_nodes_def,
    .probe = probe,
    .open = open_et,
    .next_tables = next_tables,
    .position = position,
    .close = close_et,
};
