#include "core/base/memory.h"
#include "core/base/sort_keys.h"
#include "models/profiles/profile_internal.h"

#include <stdlib.h>
#include <string.h>

/* Where a table has what sorts it: the start is its first column in all of them. */
#define START    0
#define DURATION 1

static const struct {
    enum hc_profile_table table;
    size_t second;        /* column that orders rows of one start */
    bool second_descends; /* what encloses comes before what it encloses */
} sorted_tables[] = {
    {HC_PROFILE_GPU, HC_GPU_STREAM, false},   {HC_PROFILE_CALLS, DURATION, true},
    {HC_PROFILE_SYNCS, DURATION, true},       {HC_PROFILE_MARKS, DURATION, true},
    {HC_PROFILE_ANNOTATIONS, DURATION, true}, {HC_PROFILE_COMMS, DURATION, true},
};
#define N_SORTED (sizeof sorted_tables / sizeof sorted_tables[0])

/* A time that may stand in a table: the difference of two of them fits 64 bits. */
static bool is_time(int64_t ns)
{
    return ns >= -((int64_t)1 << 62) && ns < (int64_t)1 << 62;
}

/* Add the base to all starts, drop the rows whose times are none; returns how many. */
static size_t make_absolute(struct hc_table *table, int64_t base_ns)
{
    int64_t *start = hc_table_i64(table, START), *duration = hc_table_i64(table, DURATION);
    size_t n = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        int64_t at, end;
        if (start[i] == HC_MISSING_I64 || duration[i] < 0 ||
            __builtin_add_overflow(start[i], base_ns, &at) ||
            __builtin_add_overflow(at, duration[i], &end) || !is_time(at) || !is_time(end))
            continue;
        start[i] = at;
        if (n != i)
            hc_table_move_row(table, n, i);
        n++;
    }
    size_t n_dropped = table->n_rows - n;
    table->n_rows = n;
    return n_dropped;
}

struct row_order {
    const struct hc_table *table;
    const struct hc_text_set *set[HC_TABLE_MAX_COLUMNS]; /* of columns of codes, else NULL */
    size_t second;
    bool second_descends;
};

static int compare_values(const struct row_order *order, size_t column, uint32_t a, uint32_t b)
{
    const struct hc_table *table = order->table;
    if (table->def->columns[column].type == HC_I64) {
        const int64_t *value = hc_table_i64(table, column);
        return (value[a] > value[b]) - (value[a] < value[b]);
    }
    const int32_t *value = hc_table_i32(table, column);
    const struct hc_text_set *set = order->set[column];
    if (set && value[a] != value[b] && value[a] >= 0 && value[b] >= 0)
        return strcmp(set->text[value[a]], set->text[value[b]]);
    return (value[a] > value[b]) - (value[a] < value[b]);
}

/* Of rows with one start: by the second column, then by all of them. Codes are compared by their
 * texts, since they are numbered in the order of the trace. */
static int compare_rows(const void *a, const void *b, void *context)
{
    const struct hc_sort_key *one = a, *other = b;
    const struct row_order *order = context;
    int difference = compare_values(order, order->second, one->row, other->row);
    if (order->second_descends)
        difference = -difference;
    for (size_t c = 0; !difference && c < order->table->def->n_columns; c++)
        difference = compare_values(order, c, one->row, other->row);
    return difference ? difference : (one->row > other->row) - (one->row < other->row);
}

static enum hc_status reorder(struct hc_table *table, const struct hc_sort_key *keys,
                              struct hc_error *err)
{
    void *sorted = hc_new_aligned(table->n_rows, sizeof(int64_t), err);
    if (!sorted)
        return err->status;
    for (size_t c = 0; c < table->def->n_columns; c++) {
        size_t size = hc_type_size(table->def->columns[c].type);
        if (size == sizeof(int64_t))
            for (size_t i = 0; i < table->n_rows; i++)
                ((int64_t *)sorted)[i] = hc_table_i64(table, c)[keys[i].row];
        else
            for (size_t i = 0; i < table->n_rows; i++)
                ((int32_t *)sorted)[i] = hc_table_i32(table, c)[keys[i].row];
        memcpy(table->column[c], sorted, table->n_rows * size);
    }
    free(sorted);
    return HC_OK;
}

static bool is_in_order(const struct hc_sort_key *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (keys[i].row != i)
            return false;
    return true;
}

/* A qsort of whole tables would take most of the time of a large job; of one start are few rows. */
static enum hc_status sort_rows(struct hc_table *table, struct row_order *order,
                                struct hc_error *err)
{
    size_t n = table->n_rows;
    const int64_t *start = hc_table_i64(table, START);
    struct hc_sort_key *keys = hc_new_aligned(n, sizeof *keys, err);
    if (!keys)
        return err->status;
    for (size_t i = 0; i < n; i++)
        keys[i] = (struct hc_sort_key){start[i], (uint32_t)i};
    enum hc_status status = hc_sort_keys(keys, n, err);
    for (size_t first = 0, end; status == HC_OK && first < n; first = end) {
        for (end = first + 1; end < n && keys[end].key == keys[first].key;)
            end++;
        if (end - first > 1)
            qsort_r(keys + first, end - first, sizeof *keys, compare_rows, order);
    }
    if (status == HC_OK && !is_in_order(keys, n))
        status = reorder(table, keys, err);
    free(keys);
    return status;
}

/* An end of the whole trace from the base on, as Unix time; missing where that is no time. */
static void move_extent(struct hc_table *ranks, size_t column, int64_t base_ns)
{
    int64_t *at = hc_table_i64(ranks, column);
    if (*at != HC_MISSING_I64 && (__builtin_add_overflow(*at, base_ns, at) || !is_time(*at)))
        *at = HC_MISSING_I64;
}

/* The base that starts count from; from here on they count from 0. */
static int64_t take_base(struct hc_table *ranks)
{
    if (ranks->n_rows == 0)
        return 0;
    int64_t *base_ns = hc_table_i64(ranks, HC_RANKS_BASE_NS), taken = *base_ns;
    *base_ns = 0;
    if (taken == HC_MISSING_I64)
        taken = 0;
    move_extent(ranks, HC_RANKS_FIRST_START_NS, taken);
    move_extent(ranks, HC_RANKS_LAST_END_NS, taken);
    return taken;
}

static void count_dropped(struct hc_table *ranks, size_t n_dropped)
{
    if (n_dropped == 0 || ranks->n_rows == 0)
        return;
    int64_t *count = hc_table_i64(ranks, HC_RANKS_N_OUT_OF_RANGE);
    *count = (*count == HC_MISSING_I64 ? 0 : *count) + (int64_t)n_dropped;
}

enum hc_status hc_profile_settle_rows(const struct hc_profile *profile,
                                      struct hc_profile_rank *rank, struct hc_error *err)
{
    struct hc_table *ranks = &rank->table[HC_PROFILE_RANKS];
    int64_t base_ns = take_base(ranks);
    for (size_t s = 0; s < N_SORTED; s++) {
        struct hc_table *table = &rank->table[sorted_tables[s].table];
        if (table->n_rows == 0)
            continue;
        if (table->n_rows >= HC_NO_ROW)
            return hc_fail(err, HC_BAD_INPUT, "%zu rows of '%s' in one trace are too many",
                           table->n_rows, table->def->name);
        struct row_order order = {
            table, {NULL}, sorted_tables[s].second, sorted_tables[s].second_descends};
        for (size_t c = 0; c < table->def->n_columns; c++)
            if (table->def->columns[c].dictionary)
                order.set[c] = hc_profile_dictionary(profile, table->def->columns[c].dictionary);
        count_dropped(ranks, make_absolute(table, base_ns));
        if (sort_rows(table, &order, err))
            return err->status;
    }
    return HC_OK;
}
