#include "models/profiles/profile_fill.h"

#include "core/base/memory.h"
#include "models/profiles/profile_internal.h"

#include <stdlib.h>
#include <string.h>

enum hc_status hc_profile_init(struct hc_profile *profile, struct hc_error *err)
{
    memset(profile, 0, sizeof *profile);
    return hc_table_names_init(&profile->names, hc_profile_tables, err);
}

enum hc_status hc_profile_rank_init(struct hc_profile_rank *rank, const char *name,
                                    struct hc_error *err)
{
    memset(rank, 0, sizeof *rank);
    rank->rank = rank->world_size = rank->main_thread = HC_MISSING_I32;
    for (int t = 0; t < HC_PROFILE_N_TABLES; t++)
        rank->table[t].def = hc_profile_tables[t];
    rank->name = hc_copy_text(name, err);
    return rank->name ? HC_OK : err->status;
}

enum hc_status hc_profile_rank_add(struct hc_profile_rank *rank, const struct hc_table *rows,
                                   struct hc_error *err)
{
    for (int t = 0; t < HC_PROFILE_N_TABLES; t++) {
        struct hc_table *table = &rank->table[t];
        if (table->def != rows->def)
            continue;
        if (hc_table_reserve(table, table->n_rows + rows->n_rows, err))
            return err->status;
        hc_table_append(table, rows, 0, rows->n_rows);
        return HC_OK;
    }
    return hc_fail(err, HC_INTERNAL, "table '%s' is none of a profiler trace", rows->def->name);
}

/* ---- into the profile ---- */

/* The codes of one dictionary of a rank in that of the profile. */
static enum hc_status map_codes(struct hc_text_set *into, const struct hc_text_set *from,
                                int32_t **codes, struct hc_error *err)
{
    *codes = hc_new_array(from->n, sizeof **codes, err);
    if (!*codes)
        return err->status;
    for (size_t i = 0; i < from->n; i++)
        if (hc_text_set_add(into, from->text[i], strlen(from->text[i]), &(*codes)[i], err))
            return err->status;
    return HC_OK;
}

/* Codes of a segment may be anything. */
static enum hc_status check_column(const struct hc_table *table, size_t column,
                                   const struct hc_text_set *set, struct hc_error *err)
{
    const int32_t *value = hc_table_i32(table, column);
    for (size_t i = 0; value && i < table->n_rows; i++)
        if (value[i] != HC_MISSING_I32 && (value[i] < 0 || (size_t)value[i] >= set->n))
            return hc_fail(err, HC_BAD_INPUT, "table '%s', row %zu: '%s' is no code of its texts",
                           table->def->name, i, table->def->columns[column].name);
    return HC_OK;
}

enum hc_status hc_profile_check_codes(const struct hc_profile *profile,
                                      const struct hc_profile_rank *rank, struct hc_error *err)
{
    for (int t = 0; t < HC_PROFILE_N_TABLES; t++) {
        const struct hc_table *table = &rank->table[t];
        for (size_t c = 0; c < table->def->n_columns; c++) {
            const char *dictionary = table->def->columns[c].dictionary;
            const struct hc_text_set *set =
                dictionary ? hc_profile_dictionary(profile, dictionary) : NULL;
            if (set && check_column(table, c, set, err))
                return err->status;
        }
    }
    return HC_OK;
}

static enum hc_status translate_column(const struct hc_table *table, size_t column,
                                       const struct hc_text_set *from, const int32_t *codes,
                                       struct hc_error *err)
{
    int32_t *value = hc_table_i32(table, column);
    if (check_column(table, column, from, err))
        return err->status;
    for (size_t i = 0; value && i < table->n_rows; i++)
        if (value[i] != HC_MISSING_I32)
            value[i] = codes[value[i]];
    return HC_OK;
}

static enum hc_status translate(struct hc_profile_rank *rank, const char *dictionary,
                                const struct hc_text_set *from, const int32_t *codes,
                                struct hc_error *err)
{
    for (int t = 0; t < HC_PROFILE_N_TABLES; t++) {
        const struct hc_table *table = &rank->table[t];
        for (size_t c = 0; c < table->def->n_columns; c++) {
            const char *own = table->def->columns[c].dictionary;
            if (own && strcmp(own, dictionary) == 0 && translate_column(table, c, from, codes, err))
                return err->status;
        }
    }
    if (rank->is_settled && rank->main_thread >= 0 && strcmp(dictionary, "thread") == 0)
        rank->main_thread = codes[rank->main_thread];
    return HC_OK;
}

/* names of a rank and of the profile are of the same tables, so in the same order. */
static enum hc_status take_names(struct hc_profile *profile, struct hc_profile_rank *rank,
                                 const struct hc_table_names *names, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t d = 0; d < names->n && status == HC_OK; d++) {
        int32_t *codes = NULL;
        status = map_codes(&profile->names.set[d], &names->set[d], &codes, err);
        if (status == HC_OK)
            status = translate(rank, names->dictionary[d], &names->set[d], codes, err);
        free(codes);
    }
    return status;
}

enum hc_status hc_profile_take(struct hc_profile *profile, struct hc_profile_rank *rank,
                               const struct hc_table_names *names, struct hc_error *err)
{
    const struct hc_table *own = &rank->table[HC_PROFILE_RANKS];
    size_t capacity = profile->n_ranks;
    if (own->n_rows != 1)
        return hc_fail(err, HC_BAD_INPUT, "'%s' has %zu rows of 'ranks', not 1", rank->name,
                       own->n_rows);
    if (take_names(profile, rank, names, err))
        return hc_context(err, "'%s'", rank->name);
    if (hc_reserve(&profile->ranks, &capacity, profile->n_ranks + 1, sizeof *profile->ranks, err))
        return err->status;
    rank->rank = hc_table_i32(own, HC_RANKS_RANK)[0];
    rank->world_size = hc_table_i32(own, HC_RANKS_WORLD_SIZE)[0];
    profile->ranks[profile->n_ranks++] = *rank;
    memset(rank, 0, sizeof *rank);
    return HC_OK;
}
