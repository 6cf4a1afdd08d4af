#include "pipeline/ingest/day_merge.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <math.h>
#include <stdlib.h>
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

/* Room in the maps of rows for all codes that they have; new places are of no group. */
static enum hc_status reserve_maps(const struct hc_day_rows *rows, struct hc_error *err)
{
    for (size_t i = 0; i < rows->names->n; i++) {
        struct hc_code_map *map = &rows->maps[i];
        size_t had = map->capacity;
        if (hc_reserve(&map->codes, &map->capacity, rows->names->set[i].n, sizeof *map->codes, err))
            return err->status;
        if (map->capacity > had)
            memset(map->codes + had, 0, (map->capacity - had) * sizeof *map->codes);
    }
    return HC_OK;
}

/* ---- a row of the merged table ---- */

/* What a code of rows is called in the merged rows. */
static inline enum hc_status map_code(struct hc_day_merge *merge, const struct hc_day_rows *from,
                                      size_t column, int32_t given, int32_t *code,
                                      struct hc_error *err)
{
    size_t set = from->set[column];
    struct hc_mapped_code *mapped = &from->maps[set].codes[given];
    if (mapped->group != merge->group) {
        const struct hc_text_set *texts = &from->names->set[set];
        if (hc_text_set_add(&merge->names->set[merge->set[column]], texts->text[given],
                            hc_text_set_length(texts, given), &mapped->code, err))
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

/* ---- rows that are copied as they are ---- */

/* Such rows, which are most of them, go to the merged table column by column: a row at a time
 * touches some forty places in memory for each. They wait here as ranges of rows that follow each
 * other, until they are MOST_WAITING or one of them is to be changed. */
#define MOST_WAITING 512

struct range {
    const struct hc_day_rows *from;
    size_t row, n;
};

struct waiting {
    size_t n_rows, n;
    struct range ranges[MOST_WAITING];
};

/* Where rows are in no order, ranges are of one row: no call of memcpy for each. */
static inline void copy_values(const struct waiting *waiting, size_t column, size_t size, char *to)
{
    for (size_t i = 0; i < waiting->n; i++) {
        const struct range *range = &waiting->ranges[i];
        const char *values = (const char *)range->from->table->column[column] + range->row * size;
        if (range->n == 1)
            memcpy(to, values, size);
        else
            memcpy(to, values, range->n * size);
        to += range->n * size;
    }
}

/* Codes that are looked at together: in columns that few sources fill, all are mostly the same. */
#define N_TOGETHER 8

static inline bool are_same(const int32_t codes[N_TOGETHER])
{
    uint64_t two[N_TOGETHER / 2], differ = 0;
    memcpy(two, codes, sizeof two);
    for (int i = 1; i < N_TOGETHER / 2; i++)
        differ |= two[i] ^ two[0];
    return !differ && codes[0] == codes[1];
}

static inline int32_t mapped(const struct hc_mapped_code *codes, int32_t given, uint32_t group,
                             uint32_t *others)
{
    if (given == HC_MISSING_I32)
        return given;
    *others |= codes[given].group ^ group;
    return codes[given].code;
}

/* What n codes are called in the merged rows; *others is not 0 where one is not there yet. */
static void copy_mapped(const struct hc_mapped_code *codes, uint32_t group, const int32_t *given,
                        size_t n, int32_t *to, uint32_t *others)
{
    uint32_t found = 0;
    size_t k = 0;
    for (; k + N_TOGETHER <= n; k += N_TOGETHER) {
        if (are_same(given + k)) {
            int32_t code = mapped(codes, given[k], group, &found);
            for (int i = 0; i < N_TOGETHER; i++)
                to[k + i] = code;
            continue;
        }
        for (int i = 0; i < N_TOGETHER; i++)
            to[k + i] = mapped(codes, given[k + i], group, &found);
    }
    for (; k < n; k++)
        to[k] = mapped(codes, given[k], group, &found);
    *others |= found;
}

/* The codes of a column, where all of them are in the merged rows already; else false, and what is
 * there is to be overwritten. */
static bool copy_known_codes(const struct hc_day_merge *merge, const struct waiting *waiting,
                             size_t column, int32_t *to)
{
    uint32_t others = 0;
    for (size_t i = 0; i < waiting->n && !others; i++) {
        const struct range *range = &waiting->ranges[i];
        copy_mapped(range->from->maps[range->from->set[column]].codes, merge->group,
                    hc_table_i32(range->from->table, column) + range->row, range->n, to, &others);
        to += range->n;
    }
    return !others;
}

/* Row by row, since texts are numbered in the order in which the rows name them. */
static enum hc_status copy_new_codes(struct hc_day_merge *merge, const struct range *range,
                                     const size_t *columns, size_t n, size_t to,
                                     struct hc_error *err)
{
    for (size_t k = 0; k < range->n; k++)
        for (size_t c = 0; c < n; c++) {
            int32_t given = hc_table_i32(range->from->table, columns[c])[range->row + k];
            int32_t *code = &hc_table_i32(merge->merged, columns[c])[to + k];
            *code = HC_MISSING_I32;
            if (given != HC_MISSING_I32 &&
                map_code(merge, range->from, columns[c], given, code, err))
                return err->status;
        }
    return HC_OK;
}

/* The columns from first on that share its dictionary. */
static enum hc_status copy_codes(struct hc_day_merge *merge, const struct waiting *waiting,
                                 size_t first, struct hc_error *err)
{
    const struct hc_table_def *def = merge->merged->def;
    size_t columns[HC_TABLE_MAX_COLUMNS], n = 0, to = merge->merged->n_rows;
    bool is_known = true;
    for (size_t c = 0; c < def->n_columns; c++) {
        if (!def->columns[c].dictionary || merge->set[c] != merge->set[first])
            continue;
        if (c < first)
            return HC_OK; /* done with that one */
        columns[n++] = c;
        is_known =
            is_known && copy_known_codes(merge, waiting, c, hc_table_i32(merge->merged, c) + to);
    }
    for (size_t i = 0; i < waiting->n && !is_known; i++) {
        if (copy_new_codes(merge, &waiting->ranges[i], columns, n, to, err))
            return err->status;
        to += waiting->ranges[i].n;
    }
    return HC_OK;
}

static enum hc_status copy_waiting(struct hc_day_merge *merge, struct waiting *waiting,
                                   struct hc_error *err)
{
    const struct hc_table_def *def = merge->merged->def;
    size_t to = merge->merged->n_rows;
    for (size_t c = 0; c < def->n_columns && waiting->n; c++) {
        if (def->columns[c].type == HC_F64)
            copy_values(waiting, c, sizeof(double), (char *)(hc_table_f64(merge->merged, c) + to));
        else if (def->columns[c].type == HC_I64)
            copy_values(waiting, c, sizeof(int64_t), (char *)(hc_table_i64(merge->merged, c) + to));
        else if (!def->columns[c].dictionary)
            copy_values(waiting, c, sizeof(int32_t), (char *)(hc_table_i32(merge->merged, c) + to));
        else if (copy_codes(merge, waiting, c, err))
            return err->status;
    }
    merge->merged->n_rows += waiting->n_rows;
    waiting->n = waiting->n_rows = 0;
    return HC_OK;
}

static enum hc_status append(struct hc_day_merge *merge, struct waiting *waiting,
                             const struct hc_day_rows *from, size_t row, struct hc_error *err)
{
    struct range *last = &waiting->ranges[waiting->n - (waiting->n > 0)];
    if (waiting->n_rows == MOST_WAITING && copy_waiting(merge, waiting, err))
        return err->status;
    if (waiting->n && last->from == from && last->row + last->n == row)
        last->n++;
    else
        waiting->ranges[waiting->n++] = (struct range){from, row, 1};
    waiting->n_rows++;
    return HC_OK;
}

/* ---- a row that another one completes ---- */

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

/* Whether a says nothing other than b does, but perhaps less. All rows of a day are of one cluster:
 * that one of them names it, and the other leaves it to its source, is no difference. */
static bool adds_nothing(const struct hc_record_rules *rules, const struct hc_day_rows *a,
                         size_t row_a, const struct hc_day_rows *b, size_t row_b)
{
    for (size_t c = 0; c < a->table->def->n_columns; c++) {
        const struct hc_column_def *def = &a->table->def->columns[c];
        if (is_place(rules, c) || c == rules->cluster)
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

/* Whether row b is kept and not a, of the same batch, where neither tells of a later moment: the
 * newer row, but of two that differ in nothing the one of the lesser line, and one that says less
 * is no reason to change: so the order in which files with the same records are named decides
 * nothing. */
static bool is_preferred(const struct hc_day_merge *merge, uint32_t a, uint32_t b)
{
    const struct hc_record_rules *rules = merge->kind->records;
    const int64_t *lines = hc_table_i64(merge->batch.table, rules->line);
    bool b_adds = !adds_nothing(rules, &merge->batch, b, &merge->batch, a);
    bool a_adds = !adds_nothing(rules, &merge->batch, a, &merge->batch, b);
    return a_adds == b_adds ? a_adds || lines[b] < lines[a] : b_adds;
}

/* The rows of the batch from first to end are of one key, the newest last: the one to keep. */
static size_t latest(const struct hc_day_merge *merge, const uint32_t *rows, size_t first,
                     size_t end)
{
    const struct hc_table *batch = merge->batch.table;
    size_t best = first;
    for (size_t i = first + 1; i < end; i++)
        if (merge->kind->records->is_later(batch, rows[i], batch, rows[best]) ||
            (!merge->kind->records->is_later(batch, rows[best], batch, rows[i]) &&
             is_preferred(merge, rows[best], rows[i])))
            best = i;
    return best;
}

/* Rows of the batch from first to end, which are of one key, and the held one of that key. */
struct same_key {
    const uint32_t *rows;
    size_t first, end;
    size_t held_row;
    bool has_held;
};

/* Which of them is kept: a row of the batch, unless the held one tells of a later moment, or the
 * batch says nothing that it does not. */
struct winner {
    uint32_t row; /* the latest of the batch */
    bool says_less, is_held;
};

static int32_t source_of(const struct hc_day_merge *merge, uint32_t row)
{
    return merge->source ? merge->source[row] : merge->one_source;
}

/* Complete the last merged row, which won, by the others of its key. */
static enum hc_status complete_key(struct hc_day_merge *merge, const struct same_key *key,
                                   const struct winner *winner, bool *is_filled,
                                   struct hc_error *err)
{
    const struct hc_day_rows *batch = &merge->batch, *held = &merge->held;
    bool is_put = false;
    if (key->has_held && !winner->says_less &&
        fill(merge, winner->is_held ? batch : held, winner->is_held ? winner->row : key->held_row,
             is_filled, err))
        return err->status;
    for (size_t i = key->first; i < key->end; i++) {
        if (key->rows[i] == winner->row)
            continue;
        if (fill(merge, batch, key->rows[i], &is_put, err))
            return err->status;
        *is_filled |= is_put;
    }
    return HC_OK;
}

/* Count the key for each source that tells of it. The first one's row is new where none is held; a
 * later one's is held against the row before it. */
static void count_key(const struct hc_day_merge *merge, const struct same_key *key, bool is_changed)
{
    const struct hc_record_rules *rules = merge->kind->records;
    const struct hc_day_rows *batch = &merge->batch;
    int32_t before = -1;
    for (size_t i = key->first; i < key->end; i++) {
        int32_t source = source_of(merge, key->rows[i]);
        struct hc_day_outcome *outcome = &merge->outcomes[source];
        if (source == before)
            continue;
        bool is_first = i == key->first;
        bool differs = is_first
                           ? is_changed
                           : !adds_nothing(rules, batch, key->rows[i], batch, key->rows[i - 1]);
        outcome->n_new += is_first && !key->has_held;
        outcome->n_changed += (!is_first || key->has_held) && differs;
        outcome->n_same += (!is_first || key->has_held) && !differs;
        before = source;
    }
}

/* Append the only row of a key. */
static enum hc_status append_new(struct hc_day_merge *merge, struct waiting *waiting, uint32_t row,
                                 struct hc_error *err)
{
    merge->is_changed = true;
    merge->outcomes[source_of(merge, row)].n_new++;
    return append(merge, waiting, &merge->batch, row, err);
}

/* Append the row of a key: that which wins, completed by the others. */
static enum hc_status append_key(struct hc_day_merge *merge, struct waiting *waiting,
                                 const struct same_key *key, struct hc_error *err)
{
    const struct hc_record_rules *rules = merge->kind->records;
    const struct hc_day_rows *batch = &merge->batch, *held = &merge->held;
    struct winner winner = {.row = key->rows[latest(merge, key->rows, key->first, key->end)]};
    bool is_filled = false, is_one = key->end - key->first == 1;
    winner.says_less = key->has_held && adds_nothing(rules, batch, winner.row, held, key->held_row);
    winner.is_held =
        winner.says_less ||
        (key->has_held && rules->is_later(held->table, key->held_row, batch->table, winner.row));
    if (append(merge, waiting, winner.is_held ? held : batch,
               winner.is_held ? key->held_row : winner.row, err))
        return err->status;
    if (!is_one || (key->has_held && !winner.says_less)) {
        if (copy_waiting(merge, waiting, err) || complete_key(merge, key, &winner, &is_filled, err))
            return err->status;
    }
    bool is_changed = !winner.is_held || is_filled;
    merge->is_changed |= is_changed;
    count_key(merge, key, is_changed);
    return HC_OK;
}

/* Whether two rows of the batch are of one key; most differ in the time that it begins with. */
static inline bool is_same_key(const struct hc_day_merge *merge, uint32_t a, uint32_t b)
{
    const struct hc_record_rules *rules = merge->kind->records;
    const struct hc_table *batch = merge->batch.table;
    const int64_t *time_ns = hc_table_i64(batch, rules->key[0]);
    return time_ns[a] == time_ns[b] && hc_day_compare_keys(rules, batch, a, batch, b) == 0;
}

static enum hc_status merge_rows(struct hc_day_merge *merge, struct waiting *waiting,
                                 const uint32_t *rows, size_t n, struct hc_error *err)
{
    const struct hc_record_rules *rules = merge->kind->records;
    const struct hc_table *held = merge->held.table, *batch = merge->batch.table;
    struct same_key key = {.rows = rows};
    for (; key.first < n; key.first = key.end) {
        key.end = key.first + 1;
        while (key.end < n && is_same_key(merge, rows[key.first], rows[key.end]))
            key.end++;
        int order = -1;
        for (; key.held_row < held->n_rows; key.held_row++) {
            order = hc_day_compare_keys(rules, held, key.held_row, batch, rows[key.first]);
            if (order >= 0)
                break;
            if (append(merge, waiting, &merge->held, key.held_row, err))
                return err->status;
        }
        key.has_held = key.held_row < held->n_rows && order == 0;
        if (key.end - key.first == 1 && !key.has_held
                ? append_new(merge, waiting, rows[key.first], err)
                : append_key(merge, waiting, &key, err))
            return err->status;
        key.held_row += key.has_held;
    }
    for (; key.held_row < held->n_rows; key.held_row++)
        if (append(merge, waiting, &merge->held, key.held_row, err))
            return err->status;
    return copy_waiting(merge, waiting, err);
}

enum hc_status hc_day_merge_run(struct hc_day_merge *merge, const uint32_t *rows, size_t n,
                                struct hc_error *err)
{
    const struct hc_table_def *def = merge->batch.table->def;
    struct waiting *waiting = hc_new_array(1, sizeof *waiting, err);
    if (!waiting)
        return err->status;
    find_sets(def, merge->batch.names, merge->batch.set);
    find_sets(def, merge->held.names, merge->held.set);
    find_sets(def, merge->names, merge->set);
    enum hc_status status = reserve_maps(&merge->batch, err);
    if (!status)
        status = reserve_maps(&merge->held, err);
    if (!status)
        status = merge_rows(merge, waiting, rows, n, err);
    free(waiting);
    return status;
}
