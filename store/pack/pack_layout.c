#include "store/pack/pack_layout.h"

#include "core/tables/op_type.h"

#include <string.h>

const uint8_t hc_pack_magic[HC_PACK_MAGIC_BYTES] = {'h', 'c', 'p', 'a',
                                                    'c', 'k', 1,   HC_PACK_VERSION};

bool hc_begins_as_pack(const uint8_t *head, size_t n)
{
    n = n < HC_PACK_MAGIC_BYTES - 1 ? n : HC_PACK_MAGIC_BYTES - 1; /* of any version */
    return memcmp(head, hc_pack_magic, n) == 0;
}

size_t hc_pack_dictionaries(const struct hc_table_def *def,
                            const char *dictionaries[HC_MOST_DICTIONARIES])
{
    size_t n = 0;
    for (size_t c = 0; c < def->n_columns; c++) {
        const char *name = def->columns[c].dictionary;
        size_t i = 0;
        while (name && i < n && strcmp(dictionaries[i], name) != 0)
            i++;
        if (name && i == n && n < HC_MOST_DICTIONARIES)
            dictionaries[n++] = name;
    }
    return n;
}

bool hc_pack_can_hold(const struct hc_table_def *def)
{
    for (size_t c = 0; c < def->n_columns; c++) {
        const char *name = def->columns[c].dictionary;
        if (name && strcmp(name, HC_OP_TYPE_DICTIONARY) == 0)
            return false;
    }
    return true;
}
