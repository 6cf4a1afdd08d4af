#include "pipeline/kinds/kind.h"

#include <string.h>

const struct hc_kind *hc_kind_find(const char *table)
{
    for (size_t i = 0; hc_kind_rows[i]; i++)
        if (strcmp(hc_kind_rows[i]->tables[0]->name, table) == 0)
            return hc_kind_rows[i];
    return NULL;
}

const char *hc_kind_name(const char *table)
{
    const struct hc_kind *kind = hc_kind_find(table);
    return kind ? kind->name : table;
}
