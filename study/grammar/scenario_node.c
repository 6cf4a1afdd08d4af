#include "study/grammar/scenario_node.h"

#include "core/base/memory.h"
#include "core/text/json_writer.h"
#include "core/text/number_format.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE 16384

struct hc_arena_block {
    struct hc_arena_block *next;
    size_t used, size;
    _Alignas(max_align_t) unsigned char bytes[];
};

/* ---- memory ---- */

void *hc_arena_new(struct hc_arena *arena, size_t size, struct hc_error *err)
{
    const size_t unit = _Alignof(max_align_t);
    size_t need = (size + unit - 1) / unit * unit;
    struct hc_arena_block *block = arena->blocks;
    if (need < size) {
        hc_fail_memory(err, size);
        return NULL;
    }
    if (!block || block->size - block->used < need) {
        size_t room = need > BLOCK_SIZE ? need : BLOCK_SIZE;
        block = hc_new_array(1, sizeof *block + room, err);
        if (!block)
            return NULL;
        block->size = room;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *bytes = block->bytes + block->used;
    block->used += need;
    return bytes;
}

char *hc_arena_text(struct hc_arena *arena, const char *text, size_t length, struct hc_error *err)
{
    char *copy = hc_arena_new(arena, length + 1, err);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

char *hc_arena_format(struct hc_arena *arena, struct hc_error *err, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    char *text = length < 0 ? NULL : hc_arena_new(arena, (size_t)length + 1, err);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(list);
    return text;
}

struct hc_arena_mark hc_arena_mark(const struct hc_arena *arena)
{
    return (struct hc_arena_mark){arena->blocks, arena->blocks ? arena->blocks->used : 0};
}

void hc_arena_release(struct hc_arena *arena, struct hc_arena_mark mark)
{
    while (arena->blocks != mark.block) {
        struct hc_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    if (!mark.block)
        return;
    memset(mark.block->bytes + mark.used, 0, mark.block->used - mark.used);
    mark.block->used = mark.used;
}

size_t hc_arena_taken(const struct hc_arena *arena, struct hc_arena_mark mark)
{
    size_t taken = 0;
    const struct hc_arena_block *block = arena->blocks;
    for (; block && block != mark.block; block = block->next)
        taken += block->size;
    return taken + (block ? block->used - mark.used : 0);
}

void hc_arena_fini(struct hc_arena *arena)
{
    hc_arena_release(arena, (struct hc_arena_mark){NULL, 0});
}

/* ---- values ---- */

const char *hc_node_type_name(enum hc_node_type type)
{
    static const char *const names[] = {"null",   "true or false", "a number",
                                        "a text", "an array",      "an object"};
    return names[type];
}

struct hc_node *hc_node_member(const struct hc_node *node, const char *key)
{
    if (!node || node->type != HC_NODE_OBJECT)
        return NULL;
    for (struct hc_node *child = node->first; child; child = child->next)
        if (strcmp(child->key, key) == 0)
            return child;
    return NULL;
}

void hc_node_append(struct hc_node *parent, struct hc_node *child)
{
    child->next = NULL;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->n++;
}

/* Whether a node has the members of an interval: an object as it was read, or the number that was
 * made of it. */
static bool has_ends(const struct hc_node *node, struct hc_node_interval *interval)
{
    *interval = (struct hc_node_interval){NULL, NULL, NULL};
    for (const struct hc_node *child = node->first; child && node->n == 3; child = child->next) {
        if (child->type != HC_NODE_NUMBER || child->first || !child->key)
            return false;
        if (strcmp(child->key, "mean") == 0)
            interval->mean = child;
        else if (strcmp(child->key, "low") == 0)
            interval->low = child;
        else if (strcmp(child->key, "high") == 0)
            interval->high = child;
    }
    return interval->mean && interval->low && interval->high;
}

bool hc_node_interval(const struct hc_node *node, struct hc_node_interval *interval)
{
    return node->type == HC_NODE_NUMBER && has_ends(node, interval);
}

void hc_node_take_interval(struct hc_node *object)
{
    struct hc_node_interval interval;
    if (object->type != HC_NODE_OBJECT || !has_ends(object, &interval))
        return;
    object->type = HC_NODE_NUMBER;
    object->number = interval.mean->number;
    object->text = interval.mean->text;
}

void hc_node_put(struct hc_node *parent, struct hc_node *child)
{
    struct hc_node *before = NULL;
    for (struct hc_node *old = parent->first; old; before = old, old = old->next) {
        if (strcmp(old->key, child->key) != 0)
            continue;
        child->next = old->next;
        if (before)
            before->next = child;
        else
            parent->first = child;
        if (parent->last == old)
            parent->last = child;
        return;
    }
    hc_node_append(parent, child);
}

bool hc_node_remove(struct hc_node *parent, const struct hc_node *child)
{
    struct hc_node *before = NULL;
    for (struct hc_node *old = parent->first; old; before = old, old = old->next) {
        if (old != child)
            continue;
        if (before)
            before->next = old->next;
        else
            parent->first = old->next;
        if (parent->last == old)
            parent->last = before;
        parent->n--;
        return true;
    }
    return false;
}

struct hc_node *hc_node_copy(struct hc_arena *arena, const struct hc_node *node,
                             struct hc_error *err)
{
    struct hc_node *copy = hc_arena_new(arena, sizeof *copy, err);
    if (!copy)
        return NULL;
    *copy = *node;
    copy->first = copy->last = copy->next = NULL;
    copy->n = 0;
    for (const struct hc_node *child = node->first; child; child = child->next) {
        struct hc_node *twin = hc_node_copy(arena, child, err);
        if (!twin)
            return NULL;
        hc_node_append(copy, twin);
    }
    return copy;
}

struct hc_node *hc_node_shallow(struct hc_arena *arena, const struct hc_node *node,
                                struct hc_error *err)
{
    struct hc_node *copy = hc_arena_new(arena, sizeof *copy, err);
    if (!copy)
        return NULL;
    *copy = *node;
    copy->first = copy->last = copy->next = NULL;
    copy->n = 0;
    for (const struct hc_node *child = node->first; child; child = child->next) {
        struct hc_node *twin = hc_arena_new(arena, sizeof *twin, err);
        if (!twin)
            return NULL;
        *twin = *child;
        hc_node_append(copy, twin);
    }
    return copy;
}

static void write_scalar(FILE *stream, const struct hc_node *node)
{
    char number[HC_NUMBER_TEXT];
    if (node->type == HC_NODE_NULL)
        fputs("null", stream);
    else if (node->type == HC_NODE_BOOL)
        fputs(node->truth ? "true" : "false", stream);
    else if (node->type == HC_NODE_NUMBER)
        fputs(node->text ? node->text : hc_format_real(node->number, number), stream);
    else
        hc_json_string(stream, node->text);
}

/* indent < 0: on one line. */
static void write_node(FILE *stream, const struct hc_node *node, int indent)
{
    bool is_array = node->type == HC_NODE_ARRAY;
    bool has_interval = node->type == HC_NODE_NUMBER && node->first;
    if (!is_array && node->type != HC_NODE_OBJECT && !has_interval) {
        write_scalar(stream, node);
        return;
    }
    putc(is_array ? '[' : '{', stream);
    int inner = indent < 0 || is_array || has_interval ? -1 : indent + 2;
    for (const struct hc_node *child = node->first; child; child = child->next) {
        if (inner >= 0)
            fprintf(stream, "\n%*s", inner, "");
        if (child->key) {
            hc_json_string(stream, child->key);
            fputs(": ", stream);
        }
        write_node(stream, child, inner);
        if (child->next)
            fputs(inner >= 0 ? "," : ", ", stream);
    }
    if (inner >= 0 && node->first)
        fprintf(stream, "\n%*s", indent, "");
    putc(is_array ? ']' : '}', stream);
}

void hc_node_write_line(FILE *stream, const struct hc_node *node)
{
    write_node(stream, node, -1);
}

void hc_node_write(FILE *stream, const struct hc_node *node)
{
    write_node(stream, node, 0);
    putc('\n', stream);
}

/* ---- pointers ---- */

bool hc_pointer_parse(struct hc_pointer *pointer, const char *text)
{
    pointer->n = 0;
    if (*text && *text != '/')
        return false;
    char *to = pointer->text, *end = to + sizeof pointer->text - 1;
    for (; *text; text++) {
        if (to >= end || (*text == '/' && pointer->n == HC_POINTER_DEPTH))
            return false;
        if (*text == '/') {
            if (pointer->n)
                *to++ = '\0';
            pointer->token[pointer->n++] = to;
        } else if (*text == '~') {
            if (text[1] != '0' && text[1] != '1')
                return false;
            *to++ = *++text == '0' ? '~' : '/';
        } else {
            *to++ = *text;
        }
    }
    *to = '\0';
    return true;
}

static struct hc_node *element(const struct hc_node *array, const char *token)
{
    char *end = NULL;
    if (*token < '0' || *token > '9' || (*token == '0' && token[1]))
        return NULL;
    unsigned long long index = strtoull(token, &end, 10);
    if (*end || index >= array->n)
        return NULL;
    struct hc_node *child = array->first;
    for (; child && index; index--)
        child = child->next;
    return child;
}

struct hc_node *hc_pointer_walk(const struct hc_pointer *pointer, size_t n, struct hc_node *root)
{
    struct hc_node *node = root;
    for (size_t i = 0; i < n && node; i++)
        node = node->type == HC_NODE_ARRAY ? element(node, pointer->token[i])
                                           : hc_node_member(node, pointer->token[i]);
    return node;
}

size_t hc_path_add(struct hc_path *path, const char *token)
{
    size_t before = path->length;
    if (path->length + 1 < sizeof path->text)
        path->text[path->length++] = '/';
    for (; *token && path->length + 2 < sizeof path->text; token++) {
        if (*token == '~' || *token == '/') {
            path->text[path->length++] = '~';
            path->text[path->length++] = *token == '~' ? '0' : '1';
        } else {
            path->text[path->length++] = *token;
        }
    }
    path->text[path->length] = '\0';
    return before;
}

size_t hc_path_add_index(struct hc_path *path, size_t index)
{
    char token[24];
    snprintf(token, sizeof token, "%zu", index);
    return hc_path_add(path, token);
}

void hc_path_back(struct hc_path *path, size_t length)
{
    path->length = length;
    path->text[length] = '\0';
}
