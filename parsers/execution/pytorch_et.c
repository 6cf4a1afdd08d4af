/* pytorch_et.c - execution traces of PyTorch, one JSON a rank: every op that ran, with its parent
 * and its inputs (docs/formats/pytorch-et.md). Two forms: until schema 1.0.1 all is beside the name
 * of an op; from 1.0.2-chakra on parents are ctrl_deps and much is among attrs. Each node is read
 * as what it is. */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/number_text.h"
#include "parsers/execution/execution_rows.h"
#include "parsers/io/json_source.h"

#include <stdlib.h>
#include <string.h>

/* Of the inputs or outputs of a node. */
struct values {
    int64_t elements; /* of all tensors; HC_MISSING_I64: none */
};

struct pytorch_et {
    struct hc_execution_rows rows;
    struct hc_json_pull *pull;
    struct hc_et_node node;
    int64_t byte; /* where the node starts */
    bool has_begun, in_nodes, is_over, is_cut;
};

static bool is(const struct hc_pull_token *token, const char *text)
{
    return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    size_t blank = 0;
    (void)path;
    while (blank < length && memchr(" \t\r\n", head[blank], 4))
        blank++;
    if (blank == length || head[blank] != '{' || memmem(head, length, "\"traceEvents\"", 13))
        return 0;
    bool has_nodes = memmem(head, length, "\"nodes\"", 7);
    bool has_schema = memmem(head, length, "\"schema\"", 8);
    bool has_ops = memmem(head, length, "\"op_schema\"", 11) ||
                   memmem(head, length, "\"rf_id\"", 7) ||
                   memmem(head, length, "\"ctrl_deps\"", 11);
    return has_nodes && has_schema && has_ops ? 96 : 0;
}

static int64_t number_of(const struct hc_pull_token *token)
{
    int64_t value;
    bool is_number = token->kind == HC_PULL_NUMBER &&
                     hc_text_to_i64(token->text, token->length, &value) == HC_TEXT_OK;
    return is_number ? value : HC_MISSING_I64;
}

/* The next token as a value: what is an object or array is read over. */
static enum hc_status next_value(struct pytorch_et *p, struct hc_pull_token *token,
                                 struct hc_error *err)
{
    if (hc_pull_next(p->pull, token, err))
        return err->status;
    if (token->kind == HC_PULL_OBJECT || token->kind == HC_PULL_ARRAY)
        return hc_pull_skip_rest(p->pull, err);
    return HC_OK;
}

static enum hc_status read_number(struct pytorch_et *p, int64_t *value, struct hc_error *err)
{
    struct hc_pull_token token;
    if (next_value(p, &token, err))
        return err->status;
    *value = number_of(&token);
    return HC_OK;
}

static enum hc_status read_text(struct pytorch_et *p, struct hc_et_text *text, struct hc_error *err)
{
    struct hc_pull_token token;
    if (next_value(p, &token, err))
        return err->status;
    if (token.kind == HC_PULL_STRING)
        hc_et_set_text(text, token.text, token.length);
    return HC_OK;
}

/* ---- inputs and outputs ---- */

/* What an array among the values may be: a tensor [id, storage, offset, elements, item size,
 * device], or name and description of a group. */
struct array {
    size_t n;
    int64_t number[5];
    size_t n_texts;
    struct hc_et_text text[2];
};

static void end_array(struct pytorch_et *p, struct values *values, const struct array *array)
{
    bool is_tensor = array->n == 6 && array->n_texts == 1 && array->number[3] >= 0;
    if (is_tensor && values->elements == HC_MISSING_I64)
        values->elements = 0;
    if (is_tensor && __builtin_add_overflow(values->elements, array->number[3], &values->elements))
        values->elements = HC_MISSING_I64;
    if (array->n == 2 && array->n_texts == 2 && !p->node.group.length) {
        p->node.group = array->text[0];
        p->node.description = array->text[1];
    }
}

static void take_item(struct array *array, const struct hc_pull_token *token)
{
    if (array->n < 5)
        array->number[array->n] = number_of(token);
    if (token->kind == HC_PULL_STRING && array->n_texts < 2)
        hc_et_set_text(&array->text[array->n_texts], token->text, token->length);
    array->n_texts += token->kind == HC_PULL_STRING;
    array->n++;
}

/* The values of a node, after their opening bracket: the first text of its own is the operation. */
static enum hc_status read_values(struct pytorch_et *p, struct values *values, bool are_inputs,
                                  struct hc_error *err)
{
    struct hc_pull_token token;
    struct array array = {0};
    for (int depth = 1; depth;) {
        if (hc_pull_next(p->pull, &token, err))
            return err->status;
        if (token.kind == HC_PULL_OBJECT) {
            if (hc_pull_skip_rest(p->pull, err))
                return err->status;
        } else if (token.kind == HC_PULL_ARRAY) {
            depth++;
            array.n = array.n_texts = 0;
        } else if (token.kind == HC_PULL_ARRAY_END) {
            if (--depth)
                end_array(p, values, &array);
            array.n = array.n_texts = 0;
        } else if (depth > 1) {
            take_item(&array, &token);
        } else if (token.kind == HC_PULL_STRING && are_inputs && !p->node.op.length) {
            hc_et_set_text(&p->node.op, token.text, token.length);
        }
    }
    return HC_OK;
}

/* "GenericList[Tensor(float)]": what is in the innermost brackets. */
static void take_type(struct hc_et_text *dtype, const struct hc_pull_token *token)
{
    static const char mark[] = "Tensor(";
    const char *at = memmem(token->text, token->length, mark, sizeof mark - 1);
    const char *end = token->text + token->length;
    if (!at || dtype->length)
        return;
    at += sizeof mark - 1;
    const char *close = memchr(at, ')', (size_t)(end - at));
    if (close)
        hc_et_set_text(dtype, at, (size_t)(close - at));
}

static enum hc_status read_types(struct pytorch_et *p, struct hc_error *err)
{
    struct hc_pull_token token;
    if (hc_pull_next(p->pull, &token, err))
        return err->status;
    if (token.kind != HC_PULL_ARRAY)
        return token.kind == HC_PULL_OBJECT ? hc_pull_skip_rest(p->pull, err) : HC_OK;
    for (;;) {
        if (next_value(p, &token, err))
            return err->status;
        if (token.kind == HC_PULL_ARRAY_END)
            return HC_OK;
        if (token.kind == HC_PULL_STRING)
            take_type(&p->node.dtype, &token);
    }
}

/* "inputs": [...], or {"values": [...], "shapes": [...], "types": [...]}. */
static enum hc_status read_side(struct pytorch_et *p, int64_t *elements, bool are_inputs,
                                struct hc_error *err)
{
    struct hc_pull_token token;
    struct values values = {HC_MISSING_I64};
    if (hc_pull_next(p->pull, &token, err))
        return err->status;
    enum hc_status status = HC_OK;
    if (token.kind == HC_PULL_ARRAY)
        status = read_values(p, &values, are_inputs, err);
    while (token.kind == HC_PULL_OBJECT && status == HC_OK) {
        struct hc_pull_token key;
        if (hc_pull_next(p->pull, &key, err))
            return err->status;
        if (key.kind == HC_PULL_OBJECT_END)
            break;
        if (is(&key, "values")) {
            struct hc_pull_token open;
            if (hc_pull_next(p->pull, &open, err))
                return err->status;
            if (open.kind == HC_PULL_ARRAY)
                status = read_values(p, &values, are_inputs, err);
            else if (open.kind == HC_PULL_OBJECT)
                status = hc_pull_skip_rest(p->pull, err);
        } else {
            status = is(&key, "types") && are_inputs ? read_types(p, err)
                                                     : hc_pull_skip_value(p->pull, err);
        }
    }
    if (values.elements != HC_MISSING_I64 && *elements == HC_MISSING_I64)
        *elements = values.elements;
    return status;
}

/* ---- attributes ---- */

/* An attribute under way: its value may stand before its name. */
struct attribute {
    struct hc_et_text name, text;
    int64_t number;
};

static void take_attribute(struct hc_et_node *node, const struct attribute *attribute)
{
    const struct {
        const char *name;
        int64_t *number;
        struct hc_et_text *text;
    } known[] = {
        {"seq_id", &node->sequence, NULL},
        {"collective_name", NULL, &node->op},
        {"dtype", NULL, &node->dtype},
        {"pg_name", NULL, &node->group},
        {"pg_desc", NULL, &node->description},
        {"pg_size", &node->group_size, NULL},
        {"in_msg_nelems", &node->in_elements, NULL},
        {"out_msg_nelems", &node->out_elements, NULL},
        {"src_rank", &node->source, NULL},
        {"dst_rank", &node->destination, NULL},
    };
    if (strcmp(attribute->name.text, "tid") == 0 && attribute->number >= 0 &&
        attribute->number <= INT32_MAX)
        node->thread = (int32_t)attribute->number;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(attribute->name.text, known[i].name) != 0)
            continue;
        if (known[i].number && attribute->number != HC_MISSING_I64)
            *known[i].number = attribute->number;
        if (known[i].text && attribute->text.length)
            *known[i].text = attribute->text;
    }
}

static enum hc_status read_attribute(struct pytorch_et *p, struct hc_error *err)
{
    struct attribute attribute = {.number = HC_MISSING_I64};
    for (;;) {
        struct hc_pull_token token;
        if (hc_pull_next(p->pull, &token, err))
            return err->status;
        if (token.kind == HC_PULL_OBJECT_END)
            break;
        bool is_name = is(&token, "name"), is_value = is(&token, "value");
        if (next_value(p, &token, err))
            return err->status;
        if (is_name && token.kind == HC_PULL_STRING)
            hc_et_set_text(&attribute.name, token.text, token.length);
        if (is_value && token.kind == HC_PULL_STRING)
            hc_et_set_text(&attribute.text, token.text, token.length);
        if (is_value)
            attribute.number = number_of(&token);
    }
    take_attribute(&p->node, &attribute);
    return HC_OK;
}

static enum hc_status read_attributes(struct pytorch_et *p, struct hc_error *err)
{
    struct hc_pull_token token;
    if (hc_pull_next(p->pull, &token, err))
        return err->status;
    if (token.kind != HC_PULL_ARRAY)
        return token.kind == HC_PULL_OBJECT ? hc_pull_skip_rest(p->pull, err) : HC_OK;
    for (;;) {
        if (hc_pull_next(p->pull, &token, err))
            return err->status;
        if (token.kind == HC_PULL_ARRAY_END)
            return HC_OK;
        if (token.kind == HC_PULL_ARRAY    ? hc_pull_skip_rest(p->pull, err)
            : token.kind == HC_PULL_OBJECT ? read_attribute(p, err)
                                           : HC_OK)
            return err->status;
    }
}

/* ---- a node ---- */

static enum hc_status read_member(struct pytorch_et *p, const struct hc_pull_token *key,
                                  struct hc_error *err)
{
    struct hc_et_node *node = &p->node;
    int64_t thread = HC_MISSING_I64;
    if (is(key, "id"))
        return read_number(p, &node->id, err);
    if (is(key, "parent") || is(key, "ctrl_deps"))
        return read_number(p, &node->parent, err);
    if (is(key, "seq_id"))
        return read_number(p, &node->sequence, err);
    if (is(key, "name"))
        return read_text(p, &node->name, err);
    if (is(key, "inputs"))
        return read_side(p, &node->in_elements, true, err);
    if (is(key, "outputs"))
        return read_side(p, &node->out_elements, false, err);
    if (is(key, "input_types"))
        return read_types(p, err);
    if (is(key, "attrs"))
        return read_attributes(p, err);
    if (!is(key, "tid"))
        return hc_pull_skip_value(p->pull, err);
    if (read_number(p, &thread, err))
        return err->status;
    if (thread >= 0 && thread <= INT32_MAX)
        node->thread = (int32_t)thread;
    return HC_OK;
}

/* A node, after its opening brace. */
static enum hc_status read_node(struct pytorch_et *p, struct hc_error *err)
{
    struct hc_et_node *node = &p->node;
    hc_et_node_clear(node);
    for (;;) {
        struct hc_pull_token token;
        if (hc_pull_next(p->pull, &token, err))
            return err->status;
        if (token.kind == HC_PULL_OBJECT_END)
            break;
        if (read_member(p, &token, err))
            return err->status;
    }
    if (node->id == HC_MISSING_I64)
        return hc_execution_rows_drop(&p->rows, p->byte, "a node has no whole number as 'id'", err);
    node->communicates = strcmp(node->name.text, "record_param_comms") == 0 && node->name.length;
    if (node->sequence < 0)
        node->sequence = HC_MISSING_I64;
    return hc_execution_rows_add(&p->rows, node, err);
}

/* The next node, or what is around them. */
static enum hc_status read_on(struct pytorch_et *p, struct hc_error *err)
{
    struct hc_pull_token token;
    if (hc_pull_next(p->pull, &token, err))
        return err->status;
    p->byte = token.byte;
    if (!p->has_begun) {
        p->has_begun = token.kind == HC_PULL_OBJECT;
        return p->has_begun
                   ? HC_OK
                   : hc_fail(err, HC_BAD_INPUT, "'%s' is no object of JSON", p->rows.source->name);
    }
    if (p->in_nodes && token.kind == HC_PULL_OBJECT)
        return read_node(p, err);
    if (p->in_nodes && token.kind == HC_PULL_ARRAY_END) {
        p->in_nodes = false;
        return HC_OK;
    }
    if (p->in_nodes) {
        if (token.kind == HC_PULL_ARRAY && hc_pull_skip_rest(p->pull, err))
            return err->status;
        return hc_execution_rows_drop(&p->rows, p->byte, "in the place of a node is none", err);
    }
    if (token.kind == HC_PULL_OBJECT_END) {
        p->is_over = true;
        return HC_OK;
    }
    if (is(&token, "schema"))
        return read_text(p, &p->rows.schema, err);
    if (!is(&token, "nodes"))
        return hc_pull_skip_value(p->pull, err);
    if (hc_pull_next(p->pull, &token, err))
        return err->status;
    p->in_nodes = token.kind == HC_PULL_ARRAY;
    return token.kind == HC_PULL_OBJECT ? hc_pull_skip_rest(p->pull, err) : HC_OK;
}

/* ---- the format ---- */

static void close_et(void *parser)
{
    struct pytorch_et *p = parser;
    if (!p)
        return;
    hc_pull_close(p->pull);
    hc_execution_rows_fini(&p->rows);
    free(p);
}

static enum hc_status open_et(void **parser, const struct hc_source *source,
                              const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct pytorch_et *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    if (hc_execution_rows_init(&p->rows, source, options->names, err) ||
        hc_pull_open_source(&p->pull, source, err)) {
        close_et(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

/* A tail that is cut between two tokens of the nodes: what was whole stays. */
static enum hc_status end_cut(struct pytorch_et *p, struct hc_error *err)
{
    if (!hc_pull_is_cut(p->pull) || !p->in_nodes)
        return err->status;
    hc_warn("%s; the %lld nodes before it are kept", err->message, (long long)p->rows.n_nodes);
    *err = (struct hc_error){0};
    p->is_over = p->is_cut = true;
    return HC_OK;
}

static enum hc_status next_tables(void *parser, struct hc_table *tables,
                                  struct hc_row_report *report, struct hc_error *err)
{
    struct pytorch_et *p = parser;
    p->rows.tables = tables;
    p->rows.report = report;
    while (!p->is_over && hc_execution_rows_have_room(&p->rows, 0))
        if (read_on(p, err) && end_cut(p, err))
            return err->status;
    if (p->is_over && !p->rows.is_over)
        return hc_execution_rows_end(&p->rows, p->is_cut, err);
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct pytorch_et *p = parser;
    return hc_pull_position(p->pull);
}

const struct hc_format hc_format_pytorch_et = {
    .name = "pytorch-et",
    .description = "execution trace of PyTorch: the ops of a rank, and what they communicate",
    .version = 1,
    .table = &hc_et_nodes_def,
    .probe = probe,
    .open = open_et,
    .next_tables = next_tables,
    .position = position,
    .close = close_et,
};
