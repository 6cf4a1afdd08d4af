#include "models/query/query_groups.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

/* A figure of a group as it grows. */
struct tally {
    int64_t n; /* values that are not missing */
    wide sum;
    double real_sum;
    double low, high;    /* of real columns */
    int64_t least, most; /* of whole ones */
    size_t capacity, whole_capacity;
    double *values;  /* of quantiles of real columns */
    int64_t *wholes; /* of quantiles of whole ones */
};

struct hc_query_groups {
    struct hc_query_plan plan;
    struct hc_text_set texts[HC_QUERY_MOST_KEYS]; /* of all segments */
    size_t codes_room[HC_QUERY_MOST_KEYS];
    int32_t *codes[HC_QUERY_MOST_KEYS]; /* of the segment's texts in these */
    const void *segment;
    size_t n, keys_room, counts_room, tallies_room, order_room;
    int64_t *keys;         /* [group][key]; HC_MISSING_I64: missing */
    int64_t *counts;       /* rows of a group */
    struct tally *tallies; /* [group][aggregate] */
    size_t *order;
    size_t n_slots;
    uint32_t *slots; /* 1 + group, 0 when free */
    size_t n_values;
};

enum hc_status hc_query_groups_new(struct hc_query_groups **groups,
                                   const struct hc_query_plan *plan, struct hc_error *err)
{
    *groups = hc_new_array(1, sizeof **groups, err);
    if (*groups)
        (*groups)->plan = *plan;
    return *groups ? HC_OK : err->status;
}

void hc_query_groups_free(struct hc_query_groups *groups)
{
    if (!groups)
        return;
    for (size_t k = 0; k < groups->plan.n_keys; k++) {
        hc_text_set_fini(&groups->texts[k]);
        free(groups->codes[k]);
    }
    for (size_t i = 0; i < groups->n * groups->plan.n_aggregates; i++)
        free(groups->tallies[i].values), free(groups->tallies[i].wholes);
    free(groups->keys);
    free(groups->counts);
    free(groups->tallies);
    free(groups->order);
    free(groups->slots);
    free(groups);
}

/* ---- finding the group of a row ---- */

static uint64_t hash_keys(const int64_t *keys, size_t n)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < n; i++) {
        hash ^= (uint64_t)keys[i];
        hash *= 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

static void put_slot(struct hc_query_groups *g, size_t group)
{
    uint64_t at = hash_keys(&g->keys[group * g->plan.n_keys], g->plan.n_keys);
    while (g->slots[at & (g->n_slots - 1)])
        at++;
    g->slots[at & (g->n_slots - 1)] = (uint32_t)group + 1;
}

static enum hc_status grow_slots(struct hc_query_groups *g, struct hc_error *err)
{
    size_t n = g->n_slots ? g->n_slots * 2 : 256;
    uint32_t *slots = hc_new_array(n, sizeof *slots, err);
    if (!slots)
        return err->status;
    free(g->slots);
    g->slots = slots;
    g->n_slots = n;
    for (size_t i = 0; i < g->n; i++)
        put_slot(g, i);
    return HC_OK;
}

static enum hc_status new_group(struct hc_query_groups *g, const int64_t *keys,
                                struct hc_error *err)
{
    size_t n_keys = g->plan.n_keys, n_figures = g->plan.n_aggregates, i = g->n;
    if (i >= UINT32_MAX - 1)
        return hc_fail(err, HC_BAD_INPUT, "more than %zu groups", i);
    if (hc_reserve(&g->keys, &g->keys_room, (i + 1) * n_keys + 1, sizeof *g->keys, err) ||
        hc_reserve(&g->counts, &g->counts_room, i + 1, sizeof *g->counts, err) ||
        hc_reserve(&g->tallies, &g->tallies_room, (i + 1) * n_figures + 1, sizeof *g->tallies, err))
        return err->status;
    memcpy(&g->keys[i * n_keys], keys, n_keys * sizeof *keys);
    g->counts[i] = 0;
    for (size_t a = 0; a < n_figures; a++)
        g->tallies[i * n_figures + a] = (struct tally){
            .low = INFINITY, .high = -INFINITY, .least = INT64_MAX, .most = INT64_MIN};
    g->n++;
    if (2 * g->n > g->n_slots)
        return grow_slots(g, err);
    put_slot(g, i);
    return HC_OK;
}

static enum hc_status find_group(struct hc_query_groups *g, const int64_t *keys, size_t *group,
                                 struct hc_error *err)
{
    size_t n = g->plan.n_keys;
    uint64_t at = hash_keys(keys, n);
    for (; g->n_slots && g->slots[at & (g->n_slots - 1)]; at++) {
        *group = g->slots[at & (g->n_slots - 1)] - 1;
        if (memcmp(&g->keys[*group * n], keys, n * sizeof *keys) == 0)
            return HC_OK;
    }
    *group = g->n;
    return new_group(g, keys, err);
}

/* ---- adding rows ---- */

/* Codes of this segment's texts in the sets of all. */
static enum hc_status map_texts(struct hc_query_groups *g, struct hc_table_names *names,
                                struct hc_error *err)
{
    for (size_t k = 0; k < g->plan.n_keys; k++) {
        const struct hc_column_def *column = &g->plan.def->columns[g->plan.keys[k]];
        const struct hc_text_set *set =
            column->dictionary ? hc_table_names_find(names, column->dictionary) : NULL;
        if (!set)
            continue;
        if (hc_reserve(&g->codes[k], &g->codes_room[k], set->n + 1, sizeof *g->codes[k], err))
            return err->status;
        for (size_t i = 0; i < set->n; i++)
            if (hc_text_set_add(&g->texts[k], set->text[i], strlen(set->text[i]), &g->codes[k][i],
                                err))
                return err->status;
    }
    return HC_OK;
}

static void read_keys(const struct hc_query_groups *g, const struct hc_table *table, size_t row,
                      int64_t *keys)
{
    for (size_t k = 0; k < g->plan.n_keys; k++) {
        size_t c = g->plan.keys[k];
        const struct hc_column_def *column = &table->def->columns[c];
        if (column->type == HC_I64) {
            keys[k] = hc_table_i64(table, c)[row];
            continue;
        }
        int32_t value = hc_table_i32(table, c)[row];
        keys[k] = value == HC_MISSING_I32             ? HC_MISSING_I64
                  : column->dictionary && g->codes[k] ? g->codes[k][value]
                                                      : value;
    }
}

static enum hc_status keep_value(struct hc_query_groups *g, struct tally *tally, bool is_real,
                                 double value, int64_t whole, struct hc_error *err)
{
    size_t need = (size_t)tally->n + 1;
    if (g->n_values++ >= HC_QUERY_MOST_VALUES)
        return hc_fail(err, HC_BAD_INPUT,
                       "quantiles keep %zu values at most, and there are more: narrow --where, or "
                       "leave the quantiles out of --agg",
                       HC_QUERY_MOST_VALUES);
    if (is_real
            ? hc_reserve(&tally->values, &tally->capacity, need, sizeof *tally->values, err)
            : hc_reserve(&tally->wholes, &tally->whole_capacity, need, sizeof *tally->wholes, err))
        return err->status;
    if (is_real)
        tally->values[tally->n] = value;
    else
        tally->wholes[tally->n] = whole;
    return HC_OK;
}

static enum hc_status add_whole(struct hc_query_groups *g, struct tally *tally,
                                const struct hc_query_aggregate *aggregate, int64_t value,
                                struct hc_error *err)
{
    if (aggregate->function == HC_QUERY_QUANTILE && keep_value(g, tally, false, 0, value, err))
        return err->status;
    tally->n++;
    tally->sum += value;
    tally->least = value < tally->least ? value : tally->least;
    tally->most = value > tally->most ? value : tally->most;
    return HC_OK;
}

static enum hc_status add_real(struct hc_query_groups *g, struct tally *tally,
                               const struct hc_query_aggregate *aggregate, double value,
                               struct hc_error *err)
{
    if (aggregate->function == HC_QUERY_QUANTILE && keep_value(g, tally, true, value, 0, err))
        return err->status;
    tally->n++;
    tally->real_sum += value;
    tally->low = value < tally->low ? value : tally->low;
    tally->high = value > tally->high ? value : tally->high;
    return HC_OK;
}

/* Missing values count in no figure. */
static enum hc_status add_value(struct hc_query_groups *g, struct tally *tally,
                                const struct hc_query_aggregate *aggregate,
                                const struct hc_table *table, size_t row, struct hc_error *err)
{
    size_t c = aggregate->column;
    enum hc_type type = table->def->columns[c].type;
    if (type == HC_F64) {
        double value = hc_table_f64(table, c)[row];
        return isnan(value) ? HC_OK : add_real(g, tally, aggregate, value, err);
    }
    int64_t whole = HC_MISSING_I64;
    if (type == HC_I64)
        whole = hc_table_i64(table, c)[row];
    else if (hc_table_i32(table, c)[row] != HC_MISSING_I32)
        whole = hc_table_i32(table, c)[row];
    return whole == HC_MISSING_I64 ? HC_OK : add_whole(g, tally, aggregate, whole, err);
}

enum hc_status hc_query_groups_add(struct hc_query_groups *g, const struct hc_table *table,
                                   struct hc_table_names *names, const void *segment,
                                   const uint8_t *is_wanted, struct hc_error *err)
{
    int64_t keys[HC_QUERY_MOST_KEYS] = {0};
    size_t n_figures = g->plan.n_aggregates, group = 0;
    if (g->segment != segment && map_texts(g, names, err))
        return err->status;
    g->segment = segment;
    for (size_t i = 0; i < table->n_rows; i++) {
        if (!is_wanted[i])
            continue;
        read_keys(g, table, i, keys);
        if (find_group(g, keys, &group, err))
            return err->status;
        g->counts[group]++;
        for (size_t a = 0; a < n_figures; a++)
            if (g->plan.aggregates[a].function != HC_QUERY_COUNT &&
                add_value(g, &g->tallies[group * n_figures + a], &g->plan.aggregates[a], table, i,
                          err))
                return err->status;
    }
    return HC_OK;
}

/* ---- what is shown ---- */

size_t hc_query_groups_n(const struct hc_query_groups *groups)
{
    return groups->n;
}

static size_t group_at(const struct hc_query_groups *g, size_t i)
{
    return g->order ? g->order[i] : i;
}

static struct hc_query_value key_of(const struct hc_query_groups *g, size_t group, size_t key)
{
    int64_t value = g->keys[group * g->plan.n_keys + key];
    if (value == HC_MISSING_I64)
        return (struct hc_query_value){.is_missing = true};
    if (g->codes[key])
        return (struct hc_query_value){.text = g->texts[key].text[value]};
    return (struct hc_query_value){.is_whole = true, .whole = value, .real = (double)value};
}

static struct hc_query_value real_value(double value)
{
    return (struct hc_query_value){.real = value, .is_missing = !isfinite(value)};
}

static struct hc_query_value whole_value(int64_t value)
{
    return (struct hc_query_value){.is_whole = true, .whole = value, .real = (double)value};
}

/* A sum of whole numbers is one, as long as 64 bits hold it. */
static struct hc_query_value sum_of(const struct tally *tally, bool is_real)
{
    if (is_real || tally->sum > INT64_MAX || tally->sum < -INT64_MAX)
        return real_value(is_real ? tally->real_sum : (double)tally->sum);
    return whole_value((int64_t)tally->sum);
}

static struct hc_query_value figure_of(const struct hc_query_groups *g, size_t group, size_t a)
{
    const struct hc_query_aggregate *aggregate = &g->plan.aggregates[a];
    struct tally *tally = &g->tallies[group * g->plan.n_aggregates + a];
    int64_t count = g->counts[group];
    if (aggregate->function == HC_QUERY_COUNT)
        return whole_value(count);
    if (tally->n == 0)
        return (struct hc_query_value){.is_missing = true};
    bool is_real = g->plan.def->columns[aggregate->column].type == HC_F64;
    double wanted = ceil(aggregate->share * (double)tally->n);
    size_t rank = wanted > 0 ? (size_t)wanted - 1 : 0;
    switch (aggregate->function) {
    case HC_QUERY_SUM:
        return sum_of(tally, is_real);
    case HC_QUERY_MEAN:
        return real_value((is_real ? tally->real_sum : (double)tally->sum) / (double)tally->n);
    case HC_QUERY_MIN:
        return is_real ? real_value(tally->low) : whole_value(tally->least);
    case HC_QUERY_MAX:
        return is_real ? real_value(tally->high) : whole_value(tally->most);
    default:
        return is_real ? real_value(hc_select(tally->values, (size_t)tally->n, rank))
                       : whole_value(hc_select_i64(tally->wholes, (size_t)tally->n, rank));
    }
}

struct hc_query_value hc_query_group_key(const struct hc_query_groups *groups, size_t i, size_t key)
{
    return key_of(groups, group_at(groups, i), key);
}

struct hc_query_value hc_query_group_figure(struct hc_query_groups *groups, size_t i,
                                            size_t aggregate)
{
    return figure_of(groups, group_at(groups, i), aggregate);
}

/* ---- order ---- */

struct ordering {
    const struct hc_query_groups *groups;
    int key, figure; /* one of them, or -1 */
    bool descends;
};

static int compare_values(struct hc_query_value a, struct hc_query_value b)
{
    if (a.is_missing || b.is_missing)
        return a.is_missing - b.is_missing;
    if (a.text && b.text)
        return strcmp(a.text, b.text);
    if (a.is_whole && b.is_whole)
        return (a.whole > b.whole) - (a.whole < b.whole);
    return (a.real > b.real) - (a.real < b.real);
}

static int compare_groups(const void *a, const void *b, void *context)
{
    const struct ordering *o = context;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = 0;
    if (o->figure >= 0)
        order = compare_values(figure_of(o->groups, x, (size_t)o->figure),
                               figure_of(o->groups, y, (size_t)o->figure));
    else if (o->key >= 0)
        order = compare_values(key_of(o->groups, x, (size_t)o->key),
                               key_of(o->groups, y, (size_t)o->key));
    if (o->descends)
        order = -order;
    for (size_t k = 0; k < o->groups->plan.n_keys && order == 0; k++)
        order = compare_values(key_of(o->groups, x, k), key_of(o->groups, y, k));
    return order ? order : (x > y) - (x < y);
}

static enum hc_status find_ordering(struct ordering *o, const char *order, struct hc_error *err)
{
    const struct hc_query_plan *plan = &o->groups->plan;
    size_t n = order ? strcspn(order, " ") : 0;
    const char *rest = order ? order + n : "";
    if (!order)
        return HC_OK;
    o->descends = strcmp(rest, " desc") == 0;
    for (size_t a = 0; a < plan->n_aggregates; a++)
        if (strlen(plan->aggregates[a].text) == n &&
            strncmp(plan->aggregates[a].text, order, n) == 0)
            o->figure = (int)a;
    for (size_t k = 0; k < plan->n_keys; k++) {
        const char *name = plan->def->columns[plan->keys[k]].name;
        if (strlen(name) == n && strncmp(name, order, n) == 0)
            o->key = (int)k;
    }
    if ((o->figure < 0 && o->key < 0) || (*rest && !o->descends && strcmp(rest, " asc") != 0))
        return hc_fail(err, HC_USAGE,
                       "--order '%.100s': give what --agg or --group-by has, and 'desc' behind it "
                       "for the largest first, as 'count desc'",
                       order);
    return HC_OK;
}

enum hc_status hc_query_groups_order(struct hc_query_groups *groups, const char *order,
                                     struct hc_error *err)
{
    struct ordering ordering = {.groups = groups, .key = -1, .figure = -1};
    if (find_ordering(&ordering, order, err) ||
        hc_reserve(&groups->order, &groups->order_room, groups->n + 1, sizeof *groups->order, err))
        return err->status;
    for (size_t i = 0; i < groups->n; i++)
        groups->order[i] = i;
    qsort_r(groups->order, groups->n, sizeof *groups->order, compare_groups, &ordering);
    return HC_OK;
}
