#include "pipeline/ingest/gathered_rows.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <stdlib.h>
#include <string.h>

/* What the codes of one dictionary of a batch are called among the gathered rows. */
struct renaming {
    const struct hc_text_set *from;
    struct hc_text_set *to;
    int32_t *code; /* [from->n]; below 0: not looked up yet */
};

static enum hc_status rename_codes(const struct renaming *renaming, const int32_t *from,
                                   int32_t *to, size_t n, struct hc_error *err)
{
    for (size_t i = 0; i < n; i++) {
        int32_t given = from[i];
        to[i] = given;
        if (given == HC_MISSING_I32)
            continue;
        int32_t *code = &renaming->code[given];
        if (*code < 0 && hc_text_set_add(renaming->to, renaming->from->text[given],
                                         hc_text_set_length(renaming->from, given), code, err))
            return err->status;
        to[i] = *code;
    }
    return HC_OK;
}

static enum hc_status start_renamings(struct renaming *renamings, struct hc_gathered_rows *gathered,
                                      const struct hc_table_names *names, struct hc_error *err)
{
    for (size_t i = 0; i < names->n; i++) {
        struct renaming *renaming = &renamings[i];
        renaming->from = &names->set[i];
        renaming->to = hc_table_names_find(&gathered->names, names->dictionary[i]);
        if (!renaming->to)
            continue; /* of another table that the source fills */
        renaming->code = hc_new_array(renaming->from->n, sizeof *renaming->code, err);
        if (!renaming->code)
            return err->status;
        for (size_t c = 0; c < renaming->from->n; c++)
            renaming->code[c] = -1;
    }
    return HC_OK;
}

static const struct renaming *renaming_of(const struct renaming *renamings,
                                          const struct hc_table_names *names,
                                          const char *dictionary)
{
    size_t i = 0;
    while (strcmp(names->dictionary[i], dictionary) != 0)
        i++;
    return &renamings[i];
}

static enum hc_status append(struct hc_gathered_rows *gathered, const struct hc_table *rows,
                             const struct hc_table_names *names, const struct renaming *renamings,
                             struct hc_error *err)
{
    size_t to = gathered->table.n_rows;
    hc_table_append(&gathered->table, rows, 0, rows->n_rows);
    for (size_t c = 0; c < rows->def->n_columns; c++) {
        const char *dictionary = rows->def->columns[c].dictionary;
        if (dictionary &&
            rename_codes(renaming_of(renamings, names, dictionary), hc_table_i32(rows, c),
                         hc_table_i32(&gathered->table, c) + to, rows->n_rows, err)) {
            gathered->table.n_rows = to;
            return err->status;
        }
    }
    return HC_OK;
}

/* Room for n more rows, and sets of texts where there are none yet. */
static enum hc_status reserve(struct hc_gathered_rows *gathered, size_t n, struct hc_error *err)
{
    size_t need = gathered->table.n_rows + n;
    if (!gathered->table.def) {
        gathered->table.def = gathered->kind->tables[0];
        if (hc_kind_start_names(gathered->kind, false, &gathered->names, err))
            return err->status;
    }
    if (hc_table_reserve(&gathered->table, need, err))
        return err->status;
    return hc_reserve(&gathered->source, &gathered->source_capacity, need, sizeof(int32_t), err);
}

enum hc_status hc_gathered_rows_add(struct hc_gathered_rows *gathered, const struct hc_table *rows,
                                    const struct hc_table_names *names, int32_t source,
                                    struct hc_error *err)
{
    struct renaming renamings[HC_MOST_DICTIONARIES] = {0};
    size_t first = gathered->table.n_rows;
    enum hc_status status = reserve(gathered, rows->n_rows, err);
    if (!status)
        status = start_renamings(renamings, gathered, names, err);
    if (!status)
        status = append(gathered, rows, names, renamings, err);
    for (size_t i = first; i < gathered->table.n_rows; i++)
        gathered->source[i] = source;
    for (size_t i = 0; i < names->n; i++)
        free(renamings[i].code);
    return status;
}

void hc_gathered_rows_cut(struct hc_gathered_rows *gathered, size_t n_rows)
{
    if (gathered->table.n_rows > n_rows)
        gathered->table.n_rows = n_rows;
}

void hc_gathered_rows_fini(struct hc_gathered_rows *gathered)
{
    hc_table_fini(&gathered->table);
    hc_table_names_fini(&gathered->names);
    free(gathered->source);
    *gathered = (struct hc_gathered_rows){.kind = gathered->kind};
}
