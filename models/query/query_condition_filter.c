#include "models/query/query_condition.h"

#include "core/base/memory.h"
#include "models/query/query_terms.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

void hc_query_condition_free(struct hc_query_condition *condition)
{
    if (!condition)
        return;
    for (size_t i = 0; i < condition->n_terms; i++)
        free(condition->terms[i].text);
    free(condition->codes);
    free(condition->masks);
    free(condition);
}

uint64_t hc_query_condition_columns(const struct hc_query_condition *condition)
{
    uint64_t columns = 0;
    for (size_t i = 0; condition && i < condition->n_terms; i++)
        columns |= (uint64_t)1 << condition->terms[i].column;
    return columns;
}

/* ---- bounds ---- */

/* What a node allows of a column: everything, unless it is a bound or an "and" of such. */
static void bound(const struct hc_query_condition *c, int at, size_t column, int64_t *from,
                  int64_t *to)
{
    const struct hc_query_node *node = &c->nodes[at];
    if (node->kind == HC_QUERY_AND) {
        bound(c, node->left, column, from, to);
        bound(c, node->right, column, from, to);
        return;
    }
    if (node->kind != HC_QUERY_TERM)
        return;
    const struct hc_query_term *term = &c->terms[node->term];
    bool is_equal = term->relation == HC_QUERY_EQUAL;
    if (term->column != column || !term->is_whole)
        return;
    if ((is_equal || term->relation == HC_QUERY_AT_LEAST || term->relation == HC_QUERY_ABOVE) &&
        term->whole > *from)
        *from = term->whole;
    if ((is_equal || term->relation == HC_QUERY_AT_MOST || term->relation == HC_QUERY_BELOW) &&
        term->whole < *to)
        *to = term->whole;
}

void hc_query_condition_bounds(const struct hc_query_condition *condition, size_t column,
                               int64_t *from, int64_t *to)
{
    *from = INT64_MIN;
    *to = INT64_MAX;
    if (condition)
        bound(condition, condition->root, column, from, to);
}

/* ---- terms ---- */

/* The whole numbers from low to high; with is_outside, all others: a relation to a number, which
 * need not be whole itself, as whole numbers keep it. */
struct range {
    int64_t low, high;
    bool is_outside, is_empty;
};

static int64_t ceiling(double x)
{
    int64_t whole = (int64_t)x;
    return (double)whole < x ? whole + 1 : whole;
}

/* Of a number beyond all of 64 bits: what is compared lies wholly below it, or wholly above. */
static struct range range_of_huge(const struct hc_query_term *term)
{
    bool is_below = term->real > 0;
    enum hc_query_relation all[] = {is_below ? HC_QUERY_BELOW : HC_QUERY_ABOVE,
                                    is_below ? HC_QUERY_AT_MOST : HC_QUERY_AT_LEAST};
    struct range range = {INT64_MIN + 1, INT64_MAX, false, false};
    range.is_outside = term->relation == HC_QUERY_UNEQUAL;
    range.is_empty = term->relation != all[0] && term->relation != all[1];
    return range;
}

static struct range range_of(const struct hc_query_term *term)
{
    struct range range = {INT64_MIN + 1, INT64_MAX, false, false};
    if (!term->is_whole && (term->real >= 0x1p63 || term->real < -0x1p63))
        return range_of_huge(term);
    bool is_whole = term->is_whole;
    int64_t above = is_whole ? term->whole : ceiling(term->real); /* the least that is not below */
    int64_t below = is_whole || above == INT64_MIN ? above : above - 1; /* the largest not above */
    switch (term->relation) {
    case HC_QUERY_EQUAL:
    case HC_QUERY_UNEQUAL:
        range.low = range.high = above;
        range.is_empty = !is_whole;
        range.is_outside = term->relation == HC_QUERY_UNEQUAL;
        break;
    case HC_QUERY_AT_LEAST:
        range.low = above;
        break;
    case HC_QUERY_AT_MOST:
        range.high = below;
        break;
    case HC_QUERY_ABOVE:
        range.is_empty = below == INT64_MAX;
        range.low = below + !range.is_empty;
        break;
    case HC_QUERY_BELOW:
        range.is_empty = above <= INT64_MIN + 1;
        range.high = above - !range.is_empty;
        break;
    default:
        break;
    }
    if (range.low == INT64_MIN) /* which stands for missing, and that no relation holds of */
        range.low = INT64_MIN + 1;
    return range;
}

static void filter_i32(const int32_t *values, size_t n, struct range range, uint8_t *mask)
{
    int64_t low = range.low < INT32_MIN + 1 ? INT32_MIN + 1 : range.low;
    int64_t high = range.high > INT32_MAX ? INT32_MAX : range.high;
    uint8_t in = !range.is_outside;
    if (range.is_empty || low > high) {
        for (size_t i = 0; i < n; i++)
            mask[i] = !in & (values[i] != HC_MISSING_I32);
        return;
    }
    int32_t least = (int32_t)low, most = (int32_t)high;
    if (in)
        for (size_t i = 0; i < n; i++)
            mask[i] = (values[i] >= least) & (values[i] <= most);
    else
        for (size_t i = 0; i < n; i++)
            mask[i] = ((values[i] < least) | (values[i] > most)) & (values[i] != HC_MISSING_I32);
}

static void filter_i64(const int64_t *values, size_t n, struct range range, uint8_t *mask)
{
    uint8_t in = !range.is_outside;
    if (range.is_empty) {
        for (size_t i = 0; i < n; i++)
            mask[i] = !in & (values[i] != HC_MISSING_I64);
        return;
    }
    if (in)
        for (size_t i = 0; i < n; i++)
            mask[i] = (values[i] >= range.low) & (values[i] <= range.high);
    else
        for (size_t i = 0; i < n; i++)
            mask[i] = ((values[i] < range.low) | (values[i] > range.high)) &
                      (values[i] != HC_MISSING_I64);
}

static bool relates(double value, const struct hc_query_term *term)
{
    switch (term->relation) {
    case HC_QUERY_EQUAL:
        return value == term->real;
    case HC_QUERY_UNEQUAL:
        return value < term->real || value > term->real;
    case HC_QUERY_AT_LEAST:
        return value >= term->real;
    case HC_QUERY_AT_MOST:
        return value <= term->real;
    case HC_QUERY_ABOVE:
        return value > term->real;
    case HC_QUERY_BELOW:
        return value < term->real;
    default:
        return false;
    }
}

static void filter_missing(const struct hc_table *table, const struct hc_query_term *term,
                           uint8_t *mask)
{
    enum hc_type type = table->def->columns[term->column].type;
    uint8_t wanted = term->relation == HC_QUERY_MISSING;
    for (size_t i = 0; i < table->n_rows; i++) {
        bool is_missing = type == HC_I32   ? hc_table_i32(table, term->column)[i] == HC_MISSING_I32
                          : type == HC_I64 ? hc_table_i64(table, term->column)[i] == HC_MISSING_I64
                                           : hc_table_f64(table, term->column)[i] !=
                                                 hc_table_f64(table, term->column)[i];
        mask[i] = is_missing == wanted;
    }
}

/* Each text is looked at once, each row by its code. */
static enum hc_status filter_texts(struct hc_query_condition *c, const struct hc_table *table,
                                   const struct hc_query_term *term, const struct hc_text_set *set,
                                   uint8_t *mask, struct hc_error *err)
{
    const int32_t *codes = hc_table_i32(table, term->column);
    if (hc_reserve(&c->codes, &c->codes_room, set->n + 1, 1, err))
        return err->status;
    for (size_t i = 0; i < set->n; i++) {
        bool is_it = term->relation == HC_QUERY_LIKE ? fnmatch(term->text, set->text[i], 0) == 0
                                                     : strcmp(term->text, set->text[i]) == 0;
        c->codes[i] = is_it == (term->relation != HC_QUERY_UNEQUAL);
    }
    for (size_t i = 0; i < table->n_rows; i++)
        mask[i] = codes[i] == HC_MISSING_I32 ? 0 : c->codes[codes[i]];
    return HC_OK;
}

static enum hc_status filter_term(struct hc_query_condition *c, const struct hc_table *table,
                                  struct hc_table_names *names, const struct hc_query_term *term,
                                  uint8_t *mask, struct hc_error *err)
{
    const struct hc_column_def *column = &table->def->columns[term->column];
    const struct hc_text_set *set =
        column->dictionary ? hc_table_names_find(names, column->dictionary) : NULL;
    if (term->relation == HC_QUERY_MISSING || term->relation == HC_QUERY_PRESENT)
        filter_missing(table, term, mask);
    else if (set)
        return filter_texts(c, table, term, set, mask, err);
    else if (column->dictionary)
        return hc_fail(err, HC_USAGE, "column '%s' cannot be looked at by its texts", column->name);
    else if (column->type == HC_I32)
        filter_i32(hc_table_i32(table, term->column), table->n_rows, range_of(term), mask);
    else if (column->type == HC_I64)
        filter_i64(hc_table_i64(table, term->column), table->n_rows, range_of(term), mask);
    else
        for (size_t i = 0; i < table->n_rows; i++)
            mask[i] = relates(hc_table_f64(table, term->column)[i], term);
    return HC_OK;
}

/* ---- the tree ---- */

/* The mask of a node goes to the place of its depth; deeper places are free. */
static enum hc_status filter_node(struct hc_query_condition *c, const struct hc_table *table,
                                  struct hc_table_names *names, int at, size_t depth,
                                  struct hc_error *err)
{
    const struct hc_query_node *node = &c->nodes[at];
    size_t n = table->n_rows;
    if (hc_reserve(&c->masks, &c->masks_room, (depth + 2) * n, 1, err))
        return err->status;
    if (node->kind == HC_QUERY_TERM)
        return filter_term(c, table, names, &c->terms[node->term], c->masks + depth * n, err);
    if (filter_node(c, table, names, node->left, depth, err) ||
        (node->right >= 0 && filter_node(c, table, names, node->right, depth + 1, err)))
        return err->status;
    uint8_t *mask = c->masks + depth * n, *other = mask + n;
    if (node->kind == HC_QUERY_NOT)
        for (size_t i = 0; i < n; i++)
            mask[i] = !mask[i];
    else if (node->kind == HC_QUERY_AND)
        for (size_t i = 0; i < n; i++)
            mask[i] &= other[i];
    else
        for (size_t i = 0; i < n; i++)
            mask[i] |= other[i];
    return HC_OK;
}

enum hc_status hc_query_condition_filter(struct hc_query_condition *condition,
                                         const struct hc_table *table, struct hc_table_names *names,
                                         uint8_t *is_wanted, struct hc_error *err)
{
    size_t n = table->n_rows;
    if (!condition) {
        memset(is_wanted, 1, n);
        return HC_OK;
    }
    if (filter_node(condition, table, names, condition->root, 0, err))
        return err->status;
    memcpy(is_wanted, condition->masks, n);
    return HC_OK;
}
