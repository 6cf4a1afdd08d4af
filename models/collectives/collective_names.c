#include "models/collectives/collective_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int compare_ranks(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int64_t hc_collective_place(const struct hc_collective_group *group, int32_t rank)
{
    const int32_t *found =
        group->n ? bsearch(&rank, group->members, group->n, sizeof rank, compare_ranks) : NULL;
    return found ? found - group->members : -1;
}

static bool is_number(const char *text)
{
    size_t n = 0;
    while (isdigit((unsigned char)text[n]))
        n++;
    return n > 0 && !text[n];
}

int hc_collective_compare_names(const char *a, const char *b)
{
    bool a_is_number = is_number(a), b_is_number = is_number(b);
    if (a_is_number != b_is_number)
        return a_is_number ? -1 : 1;
    if (!a_is_number)
        return strcmp(a, b);
    a += strspn(a, "0");
    b += strspn(b, "0");
    size_t x = strlen(a), y = strlen(b);
    return x == y ? strcmp(a, b) : x < y ? -1 : 1;
}

const char *hc_collective_group_name(const struct hc_collective_set *set, int32_t group)
{
    return set->names.text[set->groups[group].name];
}

const char *hc_collective_group_description(const struct hc_collective_set *set, int32_t group)
{
    int32_t description = set->groups[group].description;
    return description < 0 ? "" : set->descriptions.text[description];
}

const char *hc_collective_op_name(const struct hc_collective_set *set, int32_t op)
{
    return op < 0 ? "" : set->ops.text[op];
}
