#include "pipeline/ingest/day_merge.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <math.h>
#include <string.h>

int hc_day_compare_keys(const struct hc_record_rules *rules, const struct hc_table *a, size_t row_a,
                        const struct hc_table *b, size_t row_b)
{
    for (size_t k = 0; k < rules->n_key; k++) {
        size_t c = rules->key[k];
        bool is_wide = a->def->columns[c].type == HC_I64;
        int64_t x = is_wide ? hc_table_i64(a, c)[row_a] : hc_table_i32(a, c)[row_a];
        int64_t y = is_wide ? hc_table_i64(b, c)[row_b] : hc_table_i32(b, c)[row_b];
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* Which of the sets of names each column with a dictionary has; it is one of them. */
static void find_sets(const struct hc_table_def *def, const struct hc_table_names *names,
                      uint8_t set[HC_TABLE_MAX_COLUMNS])
{
    for (size_t c = 0; c < def->n_columns; c++) {
        const char *dictionary = def->columns[c].dictionary;
        for (set[c] = 0;
             dictionary && set[c] < names->n && strcmp(names->dictionary[set[c]], dictionary) != 0;)
            set[c]++;
    }
}

/* ---- a row of the merged table ---- */

/* What a code of rows is called in the merged rows. */
static enum hc_status map_code(struct hc_day_merge *merge, const struct hc_day_rows *from,
                               size_t column, int32_t given, int32_t *code, struct hc_error *err)
{
    size_t set = from->set[column];
    struct hc_text_set *to = &merge->names->set[merge->set[column]];
    struct hc_code_map *map = &from->maps[set];
    size_t n = from->names->set[set].n, had = map->capacity;
    if (n > had) {
        if (hc_reserve(&map->codes, &map->capacity, n, sizeof *map->codes, err))
            return err->status;
        memset(map->codes + had, 0, (map->capacity - had) * sizeof *map->codes);
    }
    struct hc_mapped_code *mapped = &map->codes[given];
    if (mapped->group != merge->group) {
        const char *text = from->names->set[set].text[given];
        if (hc_text_set_add(to, text, strlen(text), &mapped->code, err))
            return err->status;
        mapped->group = merge->group;
    }
    *code = mapped->code;
    return HC_OK;
}

/* Put what a row holds in a column of the last merged row; with only_missing, where that has
 * nothing. *is_put tells whether something was. */
static enum hc_status put(struct hc_day_merge *merge, const struct hc_day_rows *from, size_t row,
                          size_t column, bool only_missing, bool *is_put, struct hc_error *err)
{
    const struct hc_column_def *def = &merge->merged->def->columns[column];
    size_t to = merge->merged->n_rows - 1;
    *is_put = false;
    if (def->type == HC_F64) {
        double *value = &hc_table_f64(merge->merged, column)[to];
        double given = hc_table_f64(from->table, column)[row];
        *is_put = !only_missing || (isnan(*value) && !isnan(given));
        if (*is_put)
            *value = given;
        return HC_OK;
    }
    if (def->type == HC_I64) {
        int64_t *value = &hc_table_i64(merge->merged, column)[to];
        int64_t given = hc_table_i64(from->table, column)[row];
        *is_put = !only_missing || (*value == HC_MISSING_I64 && given != HC_MISSING_I64);
        if (*is_put)
            *value = given;
        return HC_OK;
    }
    int32_t *value = &hc_table_i32(merge->merged, column)[to];
    int32_t given = hc_table_i32(from->table, column)[row];
    *is_put = !only_missing || (*value == HC_MISSING_I32 && given != HC_MISSING_I32);
    if (!*is_put)
        return HC_OK;
    if (def->dictionary && given != HC_MISSING_I32)
        return map_code(merge, from, column, given, value, err);
    *value = given;
    return HC_OK;
}

static enum hc_status append(struct hc_day_merge *merge, const struct hc_day_rows *from, size_t row,
                             struct hc_error *err)
{
    bool is_put;
    merge->merged->n_rows++;
    for (size_t c = 0; c < merge->merged->def->n_columns; c++)
        if (put(merge, from, row, c, false, &is_put, err))
            return err->status;
    return HC_OK;
}

static bool is_place(const struct hc_record_rules *rules, size_t column)
{
    return column == rules->source || column == rules->line;
}

/* Fill what the last merged row leaves open; of columns that change only from a row that tells of
 * the same moment. */
static enum hc_status fill(struct hc_day_merge *merge, const struct hc_day_rows *from, size_t row,
                           bool *is_filled, struct hc_error *err)
{
    const struct hc_record_rules *rules = merge->kind->records;
    size_t last = merge->merged->n_rows - 1;
    bool is_earlier = rules->is_later(merge->merged, last, from->table, row);
    *is_filled = false;
    for (size_t c = 0; c < merge->merged->def->n_columns; c++) {
        bool is_put = false;
        if (is_place(rules, c) || (is_earlier && (rules->changing >> c & 1)))
            continue;
        if (put(merge, from, row, c, true, &is_put, err))
            return err->status;
        *is_filled |= is_put;
    }
    return HC_OK;
}

/* ---- two rows of one key ---- */

static bool is_same_text(size_t column, const struct hc_day_rows *a, int32_t x,
                         const struct hc_day_rows *b, int32_t y)
{
    if (x == HC_MISSING_I32 || y == HC_MISSING_I32 || !a->table->def->columns[column].dictionary)
        return x == y;
    return strcmp(a->names->set[a->set[column]].text[x], b->names->set[b->set[column]].text[y]) ==
           0;
}

/* Whether a says nothing other than b does, but perhaps less. */
static bool adds_nothing(const struct hc_record_rules *rules, const struct hc_day_rows *a,
                         size_t row_a, const struct hc_day_rows *b, size_t row_b)
{
    for (size_t c = 0; c < a->table->def->n_columns; c++) {
        const struct hc_column_def *def = &a->table->def->columns[c];
        if (is_place(rules, c))
            continue;
        if (def->type == HC_F64) {
            double x = hc_table_f64(a->table, c)[row_a];
            if (!isnan(x) && x != hc_table_f64(b->table, c)[row_b])
                return false;
            continue;
        }
        if (def->type == HC_I64) {
            int64_t x = hc_table_i64(a->table, c)[row_a];
            if (x != HC_MISSING_I64 && x != hc_table_i64(b->table, c)[row_b])
                return false;
            continue;
        }
        int32_t x = hc_table_i32(a->table, c)[row_a];
        if (x != HC_MISSING_I32 && !is_same_text(c, a, x, b, hc_table_i32(b->table, c)[row_b]))
            return false;
    }
    return true;
}

/* The rows of the batch from first to end are of one key, the newest last: the one to keep. */
static size_t latest(const struct hc_day_merge *merge, const uint32_t *rows, size_t first,
                     size_t end)
{
    const struct hc_table *batch = merge->batch.table;
    size_t best = first;
    for (size_t i = first + 1; i < end; i++)
        if (!merge->kind->records->is_later(batch, rows[best], batch, rows[i]))
            best = i;
    return best;
}

static enum hc_status append_group(struct hc_day_merge *merge, const uint32_t *rows, size_t first,
                                   size_t end, size_t held_row, bool has_held, struct hc_error *err)
{
    const struct hc_record_rules *rules = merge->kind->records;
    size_t best = latest(merge, rows, first, end);
    const struct hc_day_rows *batch = &merge->batch, *held = &merge->held;
    bool is_filled = false, is_changed = false;
    bool keeps_held =
        has_held && (adds_nothing(rules, batch, rows[best], held, held_row) ||
                     rules->is_later(held->table, held_row, batch->table, rows[best]));
    if (append(merge, keeps_held ? held : batch, keeps_held ? held_row : rows[best], err))
        return err->status;
    if (has_held &&
        fill(merge, keeps_held ? batch : held, keeps_held ? rows[best] : held_row, &is_filled, err))
        return err->status;
    is_changed = !keeps_held || is_filled;
    for (size_t i = first; i < end; i++) {
        if (i == best)
            continue;
        if (fill(merge, batch, rows[i], &is_filled, err))
            return err->status;
        is_changed |= is_filled;
    }
    merge->outcome.n_new += !has_held;
    merge->outcome.n_changed += has_held && is_changed;
    merge->outcome.n_same += has_held && !is_changed;
    return HC_OK;
}

enum hc_status hc_day_merge_run(struct hc_day_merge *merge, const uint32_t *rows, size_t n,
                                struct hc_error *err)
{
    const struct hc_record_rules *rules = merge->kind->records;
    const struct hc_table *held = merge->held.table, *batch = merge->batch.table;
    size_t h = 0;
    merge->outcome = (struct hc_day_outcome){0};
    find_sets(batch->def, merge->batch.names, merge->batch.set);
    find_sets(batch->def, merge->held.names, merge->held.set);
    find_sets(batch->def, merge->names, merge->set);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1;
             end < n && hc_day_compare_keys(rules, batch, rows[first], batch, rows[end]) == 0;)
            end++;
        int order = -1;
        for (; h < held->n_rows; h++) {
            order = hc_day_compare_keys(rules, held, h, batch, rows[first]);
            if (order >= 0)
                break;
            if (append(merge, &merge->held, h, err))
                return err->status;
        }
        bool has_held = h < held->n_rows && order == 0;
        if (append_group(merge, rows, first, end, h, has_held, err))
            return err->status;
        h += has_held;
    }
    for (; h < held->n_rows; h++)
        if (append(merge, &merge->held, h, err))
            return err->status;
    return HC_OK;
}
