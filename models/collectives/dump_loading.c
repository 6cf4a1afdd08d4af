#include "models/collectives/dump_loading.h"

#include "core/base/memory.h"
#include "core/tables/collectives/collective_tables.h"
#include "core/tables/profile_tables.h"
#include "models/collectives/collective_names.h"

#include <stdlib.h>
#include <string.h>

static const struct hc_text_set *texts_of(const struct hc_table_names *names,
                                          const char *dictionary)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->dictionary[i], dictionary) == 0)
            return &names->set[i];
    return NULL;
}

enum hc_status hc_loading_new(struct hc_dump_loading **loading, struct hc_collective_set *set,
                              const struct hc_table_names *names, struct hc_error *err)
{
    struct hc_dump_loading *new = hc_new_array(1, sizeof *new, err);
    *loading = new;
    if (!new)
        return err->status;
    new->codes[HC_LOADED_GROUP] =
        (struct hc_loaded_codes){.from = texts_of(names, "group"), .to = &set->names};
    new->codes[HC_LOADED_DESCRIPTION] = (struct hc_loaded_codes){
        .from = texts_of(names, "group_description"), .to = &set->descriptions};
    new->codes[HC_LOADED_OP] =
        (struct hc_loaded_codes){.from = texts_of(names, "collective"), .to = &set->ops};
    new->codes[HC_LOADED_DTYPE] =
        (struct hc_loaded_codes){.from = texts_of(names, "dtype"), .to = &set->dtypes};
    return HC_OK;
}

void hc_loading_free(struct hc_dump_loading *loading)
{
    if (!loading)
        return;
    for (int i = 0; i < HC_LOADED_N; i++)
        free(loading->codes[i].code);
    free(loading->groups);
    free(loading->members);
    free(loading->entries);
    free(loading->progress);
    free(loading);
}

/* A code of the dump as the code of the set; -1 for a missing one. */
static enum hc_status translate(struct hc_dump_loading *loading, enum hc_loaded_names which,
                                int32_t code, int32_t *translated, struct hc_error *err)
{
    struct hc_loaded_codes *codes = &loading->codes[which];
    *translated = -1;
    if (code < 0 || !codes->from || (size_t)code >= codes->from->n)
        return HC_OK;
    if ((size_t)code >= codes->n) {
        if (hc_reserve(&codes->code, &codes->capacity, (size_t)code + 1, sizeof *codes->code, err))
            return err->status;
        for (; codes->n <= (size_t)code; codes->n++)
            codes->code[codes->n] = -1;
    }
    const char *text = codes->from->text[code];
    if (codes->code[code] < 0 &&
        hc_text_set_add(codes->to, text, strlen(text), &codes->code[code], err))
        return err->status;
    *translated = codes->code[code];
    return HC_OK;
}

/* ---- rows ---- */

/* A row for each member; those of a group follow each other. */
static enum hc_status add_groups(struct hc_dump_loading *loading, const struct hc_table *rows,
                                 struct hc_error *err)
{
    const int32_t *member = hc_table_i32(rows, HC_GROUPS_MEMBER);
    if (hc_reserve(&loading->members, &loading->members_capacity, loading->n_members + rows->n_rows,
                   sizeof *loading->members, err))
        return err->status;
    for (size_t i = 0; i < rows->n_rows; i++) {
        int32_t name = 0, description = 0;
        if (translate(loading, HC_LOADED_GROUP, hc_table_i32(rows, HC_GROUPS_GROUP)[i], &name,
                      err) ||
            translate(loading, HC_LOADED_DESCRIPTION, hc_table_i32(rows, HC_GROUPS_DESCRIPTION)[i],
                      &description, err))
            return err->status;
        if (name < 0)
            continue;
        struct hc_loaded_group *last =
            loading->n_groups ? &loading->groups[loading->n_groups - 1] : NULL;
        if (!last || last->name != name) {
            if (hc_reserve(&loading->groups, &loading->groups_capacity, loading->n_groups + 1,
                           sizeof *loading->groups, err))
                return err->status;
            last = &loading->groups[loading->n_groups++];
            *last = (struct hc_loaded_group){.name = name,
                                             .description = description,
                                             .first = loading->n_members,
                                             .local = HC_MISSING_I64,
                                             .group = -1,
                                             .enqueued = HC_MISSING_I64,
                                             .completed = HC_MISSING_I64};
        }
        if (member[i] == HC_MISSING_I32)
            continue;
        if (member[i] < 0 || member[i] >= HC_MOST_RANKS)
            return hc_fail(err, HC_BAD_INPUT, "rank %d of group '%s' is not below %d", member[i],
                           loading->codes[HC_LOADED_GROUP].to->text[name], HC_MOST_RANKS);
        loading->members[loading->n_members++] = member[i];
        last->n++;
    }
    return HC_OK;
}

static enum hc_status add_entries(struct hc_dump_loading *loading, const struct hc_table *rows,
                                  struct hc_error *err)
{
    if (hc_reserve(&loading->entries, &loading->entries_capacity, loading->n_entries + rows->n_rows,
                   sizeof *loading->entries, err))
        return err->status;
    for (size_t i = 0; i < rows->n_rows; i++) {
        struct hc_loaded_entry *entry = &loading->entries[loading->n_entries++];
        *entry =
            (struct hc_loaded_entry){.local = hc_table_i64(rows, HC_ENTRIES_LOCAL_GROUP)[i],
                                     .seq = hc_table_i64(rows, HC_ENTRIES_SEQ)[i],
                                     .p2p_seq = hc_table_i64(rows, HC_ENTRIES_P2P_SEQ)[i],
                                     .in_elements = hc_table_i64(rows, HC_ENTRIES_IN_ELEMENTS)[i],
                                     .out_elements = hc_table_i64(rows, HC_ENTRIES_OUT_ELEMENTS)[i],
                                     .created_ns = hc_table_i64(rows, HC_ENTRIES_CREATED_NS)[i],
                                     .state = hc_table_i32(rows, HC_ENTRIES_STATE)[i],
                                     .source = hc_table_i32(rows, HC_ENTRIES_SOURCE)[i],
                                     .destination = hc_table_i32(rows, HC_ENTRIES_DESTINATION)[i],
                                     .is_p2p = hc_table_i32(rows, HC_ENTRIES_IS_P2P)[i] == 1};
        if (translate(loading, HC_LOADED_GROUP, hc_table_i32(rows, HC_ENTRIES_GROUP)[i],
                      &entry->name, err) ||
            translate(loading, HC_LOADED_DESCRIPTION, hc_table_i32(rows, HC_ENTRIES_DESCRIPTION)[i],
                      &entry->description, err) ||
            translate(loading, HC_LOADED_OP, hc_table_i32(rows, HC_ENTRIES_OP)[i], &entry->op,
                      err) ||
            translate(loading, HC_LOADED_DTYPE, hc_table_i32(rows, HC_ENTRIES_IN_DTYPES)[i],
                      &entry->dtype, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status add_progress(struct hc_dump_loading *loading, const struct hc_table *rows,
                                   struct hc_error *err)
{
    if (hc_reserve(&loading->progress, &loading->progress_capacity,
                   loading->n_progress + rows->n_rows, sizeof *loading->progress, err))
        return err->status;
    for (size_t i = 0; i < rows->n_rows; i++)
        if (hc_table_i64(rows, HC_PROGRESS_LOCAL_GROUP)[i] != HC_MISSING_I64)
            loading->progress[loading->n_progress++] =
                (struct hc_loaded_progress){hc_table_i64(rows, HC_PROGRESS_LOCAL_GROUP)[i],
                                            hc_table_i64(rows, HC_PROGRESS_ENQUEUED)[i],
                                            hc_table_i64(rows, HC_PROGRESS_COMPLETED)[i]};
    return HC_OK;
}

static void add_dumps(struct hc_dump_loading *loading, const struct hc_table *rows)
{
    for (size_t i = 0; i < rows->n_rows; i++) {
        loading->dump.n_entries = hc_table_i64(rows, HC_DUMPS_N_ENTRIES)[i];
        loading->dump.n_dropped = hc_table_i64(rows, HC_DUMPS_N_DROPPED)[i];
        loading->dump.is_cut = hc_table_i32(rows, HC_DUMPS_IS_CUT)[i] == 1;
    }
}

enum hc_status hc_loading_add(struct hc_dump_loading *loading, const struct hc_table *rows,
                              struct hc_error *err)
{
    if (rows->def == &hc_entries_def)
        return add_entries(loading, rows, err);
    if (rows->def == &hc_groups_def)
        return add_groups(loading, rows, err);
    if (rows->def == &hc_progress_def)
        return add_progress(loading, rows, err);
    if (rows->def == &hc_dumps_def)
        add_dumps(loading, rows);
    return HC_OK;
}

/* ---- counters and groups ---- */

static int compare_progress(const void *a, const void *b)
{
    const struct hc_loaded_progress *x = a, *y = b;
    return (x->local > y->local) - (x->local < y->local);
}

struct named {
    const char *name;
    size_t group; /* of the dump */
};

static int compare_named(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    return hc_collective_compare_names(x->name, y->name);
}

static struct hc_loaded_group *group_of(struct hc_dump_loading *loading, int32_t name)
{
    for (size_t g = 0; g < loading->n_groups; g++)
        if (loading->groups[g].name == name)
            return &loading->groups[g];
    return NULL;
}

/* The k-th smallest number in the process is that of the k-th smallest name, where there are as
 * many of both: groups are made in one order, which both count. */
static enum hc_status assign_by_order(struct hc_dump_loading *loading,
                                      const struct hc_collective_set *set, struct hc_error *err)
{
    size_t n = loading->n_groups;
    struct named *named = hc_new_array(n + 1, sizeof *named, err);
    if (!named)
        return err->status;
    for (size_t g = 0; g < n; g++)
        named[g] = (struct named){set->names.text[loading->groups[g].name], g};
    qsort(named, n, sizeof *named, compare_named);
    for (size_t k = 0; k < n; k++)
        loading->groups[named[k].group].local = loading->progress[k].local;
    free(named);
    return HC_OK;
}

/* An entry names its group and the number that it has in the process. */
static void check_by_entries(struct hc_dump_loading *loading)
{
    for (size_t i = 0; i < loading->n_entries; i++) {
        const struct hc_loaded_entry *entry = &loading->entries[i];
        const struct hc_loaded_group *group = group_of(loading, entry->name);
        if (entry->local == HC_MISSING_I64 || !group)
            continue;
        loading->dump.n_checked++;
        loading->dump.is_contradicted |= group->local != entry->local;
    }
}

static void assign_by_entries(struct hc_dump_loading *loading)
{
    for (size_t g = 0; g < loading->n_groups; g++)
        loading->groups[g].local = HC_MISSING_I64;
    for (size_t i = 0; i < loading->n_entries; i++) {
        struct hc_loaded_group *group = group_of(loading, loading->entries[i].name);
        if (group && loading->entries[i].local != HC_MISSING_I64)
            group->local = loading->entries[i].local;
    }
}

enum hc_status hc_loading_assign(struct hc_dump_loading *loading,
                                 const struct hc_collective_set *set, struct hc_error *err)
{
    /* The counters of a cut dump would make its rank late where it waits in an entry that is cut.
     */
    if (loading->n_progress == 0 || loading->dump.is_cut)
        return HC_OK;
    qsort(loading->progress, loading->n_progress, sizeof *loading->progress, compare_progress);
    loading->dump.is_by_order = loading->n_progress == loading->n_groups;
    if (loading->dump.is_by_order) {
        if (assign_by_order(loading, set, err))
            return err->status;
        check_by_entries(loading);
        loading->dump.is_by_order = !loading->dump.is_contradicted;
    }
    if (!loading->dump.is_by_order)
        assign_by_entries(loading);
    for (size_t g = 0; g < loading->n_groups; g++) {
        struct hc_loaded_progress key = {.local = loading->groups[g].local};
        const struct hc_loaded_progress *found =
            bsearch(&key, loading->progress, loading->n_progress, sizeof key, compare_progress);
        if (found && key.local != HC_MISSING_I64) {
            loading->groups[g].enqueued = found->enqueued;
            loading->groups[g].completed = found->completed;
        }
    }
    return HC_OK;
}
