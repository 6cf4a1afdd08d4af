#include "parsers/collectives/dump_sizes.h"

#include "core/base/missing.h"

#include <string.h>

#define ELLIPSIS 4 /* bytes of ";..." */

static bool is_list(const struct hc_dump_value *value)
{
    return value && value->kind == HC_DUMP_LIST;
}

/* Append a part of a text, behind ';' unless it is the first; false where no more fits. */
static bool add_part(struct hc_dump_sizes *text, const char *part, size_t length)
{
    size_t between = text->length > 0;
    if (text->length + between + length + ELLIPSIS >= sizeof text->text) {
        memcpy(text->text + text->length, ";...", ELLIPSIS);
        text->length += ELLIPSIS;
        return false;
    }
    if (between)
        text->text[text->length++] = ';';
    memcpy(text->text + text->length, part, length);
    text->length += length;
    return true;
}

/* The digits of a number; how many. */
static size_t number_text(int64_t number, char text[24])
{
    uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
    char digits[24];
    size_t n = 0, length = 0;
    do
        digits[n++] = (char)('0' + left % 10);
    while (left /= 10);
    if (number < 0)
        text[length++] = '-';
    while (n)
        text[length++] = digits[--n];
    return length;
}

/* "4096x1x5120" of a shape, "scalar" of an empty one; 0 where it is none. */
static size_t shape_text(const struct hc_dump_value *shape, char *text, size_t size)
{
    size_t length = 0;
    if (!is_list(shape))
        return 0;
    if (shape->list->n == 0)
        return strlen(strcpy(text, "scalar"));
    for (uint32_t i = 0; i < shape->list->n; i++) {
        const struct hc_dump_value *extent = &shape->list->items[i];
        if (extent->kind != HC_DUMP_INT || length + 25 > size)
            return 0;
        if (i)
            text[length++] = 'x';
        length += number_text(extent->whole, text + length);
    }
    return length;
}

bool hc_dump_sizes_text(const struct hc_dump_value *sizes, struct hc_dump_sizes *text)
{
    char part[256];
    text->length = 0;
    if (!is_list(sizes))
        return false;
    for (uint32_t i = 0; i < sizes->list->n; i++) {
        size_t length = shape_text(&sizes->list->items[i], part, sizeof part);
        if (length == 0)
            return false;
        if (!add_part(text, part, length))
            break;
    }
    return true;
}

bool hc_dump_types_text(const struct hc_dump_value *types, struct hc_dump_sizes *text)
{
    text->length = 0;
    if (!is_list(types))
        return false;
    for (uint32_t i = 0; i < types->list->n; i++) {
        const struct hc_dump_value *type = &types->list->items[i];
        if (type->kind != HC_DUMP_TEXT || memchr(type->text, '\0', type->size))
            return false;
        if (!add_part(text, type->text, type->size))
            break;
    }
    return true;
}

int64_t hc_dump_elements(const struct hc_dump_value *sizes)
{
    int64_t total = 0;
    if (!is_list(sizes))
        return HC_MISSING_I64;
    for (uint32_t i = 0; i < sizes->list->n; i++) {
        const struct hc_dump_value *shape = &sizes->list->items[i];
        int64_t elements = 1;
        if (!is_list(shape))
            return HC_MISSING_I64;
        for (uint32_t d = 0; d < shape->list->n; d++)
            if (shape->list->items[d].kind != HC_DUMP_INT || shape->list->items[d].whole < 0 ||
                __builtin_mul_overflow(elements, shape->list->items[d].whole, &elements))
                return HC_MISSING_I64;
        if (__builtin_add_overflow(total, elements, &total))
            return HC_MISSING_I64;
    }
    return total;
}
