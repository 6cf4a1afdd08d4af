#include "pipeline/results/json_difference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value as text that fits. */
static void show(const json_t *value, char text[80])
{
    char *all = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    int shown = snprintf(text, 80, "%s", all ? all : value ? "?" : "nothing");
    if (shown >= 80)
        strcpy(text + 76, "...");
    free(all);
}

/* They differ here, if nothing further in does. */
static bool is_here(struct hc_json_difference *difference, const json_t *a, const json_t *b)
{
    show(a, difference->a);
    show(b, difference->b);
    return true;
}

/* Add a step to the path, and compare what is there; the path stays where they differ. */
static bool differ_at(struct hc_json_difference *difference, const char *step, const json_t *a,
                      const json_t *b)
{
    size_t length = strlen(difference->path);
    snprintf(difference->path + length, sizeof difference->path - length, "%s", step);
    bool differs = hc_json_differ(difference, a, b);
    if (!differs)
        difference->path[length] = '\0';
    return differs;
}

static bool objects_differ(struct hc_json_difference *difference, const json_t *a, const json_t *b)
{
    char step[HC_DIFFERENCE_TEXT];
    const char *key;
    json_t *value;
    const char *dot = *difference->path ? "." : "";
    json_object_foreach((json_t *)a, key, value)
    {
        snprintf(step, sizeof step, "%s%s", dot, key);
        if (differ_at(difference, step, value, json_object_get(b, key)))
            return true;
    }
    json_object_foreach((json_t *)b, key, value)
    {
        snprintf(step, sizeof step, "%s%s", dot, key);
        if (!json_object_get(a, key) && differ_at(difference, step, NULL, value))
            return true;
    }
    return false;
}

static bool arrays_differ(struct hc_json_difference *difference, const json_t *a, const json_t *b)
{
    char step[32];
    size_t n = json_array_size(a), m = json_array_size(b);
    for (size_t i = 0; i < n || i < m; i++) {
        snprintf(step, sizeof step, "[%zu]", i);
        if (differ_at(difference, step, json_array_get(a, i), json_array_get(b, i)))
            return true;
    }
    return false;
}

bool hc_json_differ(struct hc_json_difference *difference, const json_t *a, const json_t *b)
{
    if (json_is_object(a) && json_is_object(b))
        return objects_differ(difference, a, b);
    if (json_is_array(a) && json_is_array(b))
        return arrays_differ(difference, a, b);
    return a && b && json_equal(a, b) ? false : is_here(difference, a, b);
}
