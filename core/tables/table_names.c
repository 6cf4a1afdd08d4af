#include "core/tables/table_names.h"

#include "core/tables/op_type.h"

#include <string.h>

struct hc_text_set *hc_table_names_find(struct hc_table_names *names, const char *dictionary)
{
    /* Readers ask for each text of each row, mostly with the name that the table gave. */
    for (size_t i = 0; i < names->n; i++)
        if (names->dictionary[i] == dictionary)
            return &names->set[i];
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->dictionary[i], dictionary) == 0)
            return &names->set[i];
    return NULL;
}

const char *hc_table_names_text(const struct hc_table_names *names, const char *dictionary,
                                int32_t code)
{
    size_t i = 0;
    while (strcmp(names->dictionary[i], dictionary) != 0)
        i++;
    return names->set[i].text[code];
}

enum hc_status hc_table_names_init(struct hc_table_names *names,
                                   const struct hc_table_def *const *tables, struct hc_error *err)
{
    memset(names, 0, sizeof *names);
    for (; *tables; tables++)
        for (size_t c = 0; c < (*tables)->n_columns; c++) {
            const char *dictionary = (*tables)->columns[c].dictionary;
            if (!dictionary || strcmp(dictionary, HC_OP_TYPE_DICTIONARY) == 0 ||
                hc_table_names_find(names, dictionary))
                continue;
            if (names->n == HC_MOST_DICTIONARIES)
                return hc_fail(err, HC_INTERNAL, "table '%s': more than %d dictionaries",
                               (*tables)->name, HC_MOST_DICTIONARIES);
            names->dictionary[names->n++] = dictionary;
        }
    return HC_OK;
}

void hc_table_names_fini(struct hc_table_names *names)
{
    for (size_t i = 0; i < HC_MOST_DICTIONARIES; i++)
        hc_text_set_fini(&names->set[i]);
    memset(names, 0, sizeof *names);
}
