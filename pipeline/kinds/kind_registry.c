#include "pipeline/kinds/kind.h"

#include <string.h>

const struct hc_kind *hc_kind_find(const char *table)
{
    for (size_t i = 0; hc_kind_rows[i]; i++)
        if (strcmp(hc_kind_rows[i]->tables[0]->name, table) == 0)
            return hc_kind_rows[i];
    return NULL;
}

/* Fill the sets of fixed codes as the kind's own names have them. */
static enum hc_status copy_fixed(const struct hc_kind *kind, struct hc_table_names *names,
                                 struct hc_error *err)
{
    struct hc_table_names fixed = {0};
    if (!kind || !kind->start_names)
        return HC_OK;
    enum hc_status status = kind->start_names(&fixed, err);
    for (size_t i = 0; i < fixed.n && !status; i++) {
        struct hc_text_set *set = hc_table_names_find(names, fixed.dictionary[i]);
        for (size_t k = 0; set && set->n == k && k < fixed.set[i].n && !status; k++) {
            const char *text = fixed.set[i].text[k];
            int32_t code;
            status = hc_text_set_add(set, text, strlen(text), &code, err);
        }
    }
    hc_table_names_fini(&fixed);
    return status;
}

enum hc_status hc_kind_start_names(const struct hc_kind *kind, bool of_source,
                                   struct hc_table_names *names, struct hc_error *err)
{
    if (!of_source || !kind->yields)
        return kind->start_names ? kind->start_names(names, err)
                                 : hc_table_names_init(names, kind->tables, err);
    enum hc_status status = hc_table_names_init(names, kind->yields, err);
    for (const struct hc_table_def *const *def = kind->yields; *def && !status; def++)
        status = copy_fixed(hc_kind_find((*def)->name), names, err);
    if (status)
        hc_table_names_fini(names);
    return status;
}

const char *hc_kind_name(const char *table)
{
    const struct hc_kind *kind = hc_kind_find(table);
    return kind ? kind->name : table;
}

const char *hc_kind_ignored(const char *table)
{
    const struct hc_kind *kind = hc_kind_find(table);
    return kind && kind->ignored ? kind->ignored
                                 : "rows of op types that the metadata says to ignore";
}
