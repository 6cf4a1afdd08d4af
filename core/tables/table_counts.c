#include "core/tables/table_counts.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <stdlib.h>
#include <string.h>

#define MOST_OF_NAME 60

/* The place of a table, or where it would be inserted. */
static size_t place_of(const struct hc_table_counts *counts, const char *table)
{
    size_t i = 0;
    while (i < counts->n && strcmp(counts->list[i].table, table) < 0)
        i++;
    return i;
}

/* Names come from files and go into messages and the keys of documents. */
static bool is_name(const char *table)
{
    size_t n = strspn(table, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return n > 0 && n <= MOST_OF_NAME && table[n] == '\0';
}

static bool is_at(const struct hc_table_counts *counts, size_t i, const char *table)
{
    return i < counts->n && strcmp(counts->list[i].table, table) == 0;
}

enum hc_status hc_table_counts_set(struct hc_table_counts *counts, const char *table,
                                   int64_t n_rows, struct hc_error *err)
{
    size_t at = place_of(counts, table);
    if (!is_name(table))
        return hc_fail(err, HC_BAD_INPUT, "'%.100s' is not the name of a table", table);
    if (!is_at(counts, at, table)) {
        if (hc_reserve(&counts->list, &counts->capacity, counts->n + 1, sizeof *counts->list, err))
            return err->status;
        char *copy = hc_copy_text(table, err);
        if (!copy)
            return err->status;
        memmove(&counts->list[at + 1], &counts->list[at], (counts->n - at) * sizeof *counts->list);
        counts->list[at].table = copy;
        counts->n++;
    }
    counts->list[at].n_rows = n_rows;
    return HC_OK;
}

int64_t hc_table_counts_rows(const struct hc_table_counts *counts, const char *table)
{
    size_t at = place_of(counts, table);
    bool is_known = is_at(counts, at, table) && counts->list[at].n_rows != HC_MISSING_I64;
    return is_known ? counts->list[at].n_rows : 0;
}

bool hc_table_counts_agree(const struct hc_table_counts *a, const struct hc_table_counts *b)
{
    bool agree = a->n == b->n;
    for (size_t i = 0; agree && i < a->n; i++) {
        int64_t x = a->list[i].n_rows, y = b->list[i].n_rows;
        agree = strcmp(a->list[i].table, b->list[i].table) == 0 &&
                (x == y || x == HC_MISSING_I64 || y == HC_MISSING_I64);
    }
    return agree;
}

enum hc_status hc_table_counts_copy(struct hc_table_counts *copy,
                                    const struct hc_table_counts *counts, struct hc_error *err)
{
    *copy = (struct hc_table_counts){.n = 0};
    for (size_t i = 0; i < counts->n; i++)
        if (hc_table_counts_set(copy, counts->list[i].table, counts->list[i].n_rows, err)) {
            hc_table_counts_fini(copy);
            return err->status;
        }
    return HC_OK;
}

void hc_table_counts_fini(struct hc_table_counts *counts)
{
    for (size_t i = 0; i < counts->n; i++)
        free(counts->list[i].table);
    free(counts->list);
    *counts = (struct hc_table_counts){.n = 0};
}
