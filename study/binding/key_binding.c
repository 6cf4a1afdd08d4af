#include "study/binding/key_binding.h"
#include "core/base/select.h"

#include "study/binding/recorded_data.h"
#include "study/grammar/scenario_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool bind_table(struct hc_key_binder *b, const struct hc_scenario_key *table,
                       const struct hc_node *node, unsigned char *base);

/* ---- durations ---- */

static double part(const struct hc_node *shape, const char *name)
{
    const struct hc_node *child = hc_node_member(shape, name);
    return child ? child->number : 0;
}

static bool bind_empirical(struct hc_key_binder *b, const struct hc_node *shape, double scale,
                           struct hc_distribution *to)
{
    const struct hc_node *values = hc_node_member(shape, "values");
    double *value = values ? hc_arena_new(b->arena, values->n * sizeof *value, b->err) : NULL;
    if (!value)
        return hc_binder_fails(b, HC_INTERNAL);
    size_t n = 0;
    for (const struct hc_node *child = values->first; child; child = child->next)
        value[n++] = child->number;
    hc_sort(value, n);
    *to = (struct hc_distribution){
        .kind = HC_DISTRIBUTION_EMPIRICAL, .scale = scale, .value = value, .n_values = n};
    return true;
}

/* Times that were read before the run. */
static bool bind_times(struct hc_key_binder *b, const struct hc_node *shape,
                       enum hc_distribution_key key, struct hc_distribution *to)
{
    size_t before = hc_path_add(&b->path, shape->key);
    bool all = key == HC_KEY_FITTED     ? hc_bind_fitted_times(b, shape, to)
               : key == HC_KEY_REPLAYED ? hc_bind_replayed_steps(b, shape, to)
                                        : hc_bind_recorded_times(b, shape, to);
    hc_path_back(&b->path, before);
    return all;
}

static struct hc_distribution lognormal(const struct hc_node *shape, double scale)
{
    double mean = part(shape, "mean") * scale;
    return mean > 0 ? hc_distribution_lognormal_mean(mean, part(shape, "sd") * scale)
                    : hc_distribution_lognormal_p99(part(shape, "median") * scale,
                                                    part(shape, "p99") * scale);
}

/* A duration that is in no table, in seconds. */
static bool bind_duration(struct hc_key_binder *b, const struct hc_node *value, double scale,
                          struct hc_distribution *to)
{
    const struct hc_node *shape = value->first;
    if (value->type == HC_NODE_NUMBER) {
        *to = hc_distribution_constant(value->number * scale);
        return true;
    }
    double mean = part(shape, "mean") * scale;
    const struct hc_scenario_key *row = hc_scenario_key(hc_distribution_keys, shape->key);
    switch ((enum hc_distribution_key)(row - hc_distribution_keys)) {
    case HC_KEY_LOGNORMAL:
        *to = lognormal(shape, scale);
        return true;
    case HC_KEY_WEIBULL:
        *to = hc_distribution_weibull_mean(mean, part(shape, "shape"));
        return true;
    case HC_KEY_GAMMA:
        *to = hc_distribution_gamma_mean(mean, part(shape, "shape"));
        return true;
    case HC_KEY_EXPONENTIAL:
        *to = hc_distribution_exponential(mean);
        return true;
    case HC_KEY_EMPIRICAL:
        return bind_empirical(b, shape, scale, to);
    case HC_KEY_RECORDED:
    case HC_KEY_FITTED:
    case HC_KEY_REPLAYED:
        return bind_times(b, shape, (enum hc_distribution_key)(row - hc_distribution_keys), to);
    }
    return true;
}

/* ---- words ---- */

static int32_t place_among(const char *const *choices, const char *word)
{
    int32_t i = 0;
    while (choices[i] && strcmp(choices[i], word) != 0)
        i++;
    return i;
}

static void bind_choices(const struct hc_scenario_key *key, const struct hc_node *value,
                         unsigned char *base)
{
    int32_t *to = (int32_t *)(void *)(base + key->target), n = 0;
    if (value->type == HC_NODE_TEXT)
        to[n++] = place_among(key->choices, value->text);
    for (const struct hc_node *child = value->first; child; child = child->next)
        to[n++] = place_among(key->choices, child->text);
    *(int32_t *)(void *)(base + key->n_target) = n;
}

/* ---- walking ---- */

static bool bind_named(struct hc_key_binder *b, const struct hc_scenario_key *key,
                       const struct hc_node *value, unsigned char *base)
{
    static const struct hc_key_elements plain = {.start = NULL};
    const struct hc_key_elements *of = key->elements ? key->elements : &plain;
    size_t n = 0;
    unsigned char *elements = hc_arena_new(b->arena, value->n * key->element_size, b->err);
    if (!elements)
        return hc_binder_fails(b, HC_INTERNAL);
    for (const struct hc_node *child = value->first; child; child = child->next, n++) {
        unsigned char *element = elements + n * key->element_size;
        size_t before = hc_path_add(&b->path, child->key);
        if (of->start)
            of->start(element);
        if (!bind_table(b, key->members, child, element))
            return false;
        if (!key->is_nameless)
            memcpy(element, &child->key, sizeof child->key);
        if (of->finish && !of->finish(b, child, element))
            return false;
        hc_path_back(&b->path, before);
    }
    if (of->order)
        qsort(elements, n, key->element_size, of->order);
    memcpy(base + key->target, &elements, sizeof elements);
    memcpy(base + key->n_target, &n, sizeof n);
    return true;
}

static bool bind_value(struct hc_key_binder *b, const struct hc_scenario_key *key,
                       const struct hc_node *value, unsigned char *base)
{
    void *to = base + key->target;
    double scale = key->scale != 0 ? key->scale : 1;
    switch (key->kind) {
    case HC_KEY_BOOL:
        *(bool *)to = value->truth;
        return true;
    case HC_KEY_COUNT:
        *(int32_t *)to = (int32_t)value->number;
        return true;
    case HC_KEY_NUMBER:
        if (value->type == HC_NODE_OBJECT && key->take)
            return key->take(b, value, to);
        *(double *)to = value->number * scale;
        return true;
    case HC_KEY_DURATION:
        return bind_duration(b, value, scale, to);
    case HC_KEY_CHOICE:
        if (value->type == HC_NODE_OBJECT)
            return bind_table(b, key->members, value, base);
        *(int32_t *)to = place_among(key->choices, value->text);
        return true;
    case HC_KEY_CHOICES:
        bind_choices(key, value, base);
        return true;
    case HC_KEY_NAMED:
        return bind_named(b, key, value, base);
    default:
        return true;
    }
}

/* The value of a key, or its default; NULL when it has none. */
static const struct hc_node *value_of(struct hc_key_binder *b, const struct hc_scenario_key *key,
                                      const struct hc_node *node)
{
    const struct hc_node *child = hc_node_member(node, key->name);
    if (child || !key->value)
        return child;
    return hc_scenario_text("default", key->value, strlen(key->value), b->arena, &b->errors);
}

static bool bind_table(struct hc_key_binder *b, const struct hc_scenario_key *table,
                       const struct hc_node *node, unsigned char *base)
{
    for (const struct hc_scenario_key *key = table; key->name; key++) {
        if (!key->is_bound)
            continue;
        size_t before = hc_path_add(&b->path, key->name);
        if (key->kind == HC_KEY_OBJECT) { /* also when it is not there: its defaults hold */
            if (!bind_table(b, key->members, hc_node_member(node, key->name), base + key->target))
                return false;
            hc_path_back(&b->path, before);
            continue;
        }
        struct hc_arena_mark mark = hc_arena_mark(b->arena);
        const struct hc_node *value = value_of(b, key, node);
        if (value && !bind_value(b, key, value, base))
            return false;
        if (!hc_node_member(node, key->name)) /* a default: nothing of it is kept */
            hc_arena_release(b->arena, mark);
        if (key->also && hc_node_member(node, key->name))
            memcpy(base + key->also, &key->also_value, sizeof key->also_value);
        hc_path_back(&b->path, before);
    }
    return !b->errors.no_memory.status || hc_binder_fails(b, HC_INTERNAL);
}

enum hc_status hc_bind_keys(void *config, const struct hc_scenario_key *keys,
                            const struct hc_node *root, struct hc_arena *arena,
                            struct hc_refusal *refusal, struct hc_error *err)
{
    struct hc_key_binder b = {.arena = arena, .config = config, .refusal = refusal, .err = err};
    bool all = bind_table(&b, keys, root, config);
    if (b.errors.no_memory.status)
        *err = b.errors.no_memory;
    hc_scenario_errors_fini(&b.errors);
    return all ? HC_OK : b.status;
}
