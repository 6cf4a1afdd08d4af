/* table_codes.h - what holds in the tables of any parser: codes are missing, or of a text that is
 * there. */
#ifndef HC_TESTS_FUZZ_TABLE_CODES_H
#define HC_TESTS_FUZZ_TABLE_CODES_H

#include "core/base/missing.h"
#include "core/tables/table.h"
#include "tests/fuzz/target.h"

static inline void check_codes(const struct hc_table *table, const struct hc_table_names *names)
{
    for (size_t c = 0; c < table->def->n_columns; c++) {
        const char *dictionary = table->def->columns[c].dictionary;
        for (size_t d = 0; dictionary && d < names->n; d++)
            for (size_t i = 0; i < table->n_rows && strcmp(dictionary, names->dictionary[d]) == 0;
                 i++) {
                int32_t code = hc_table_i32(table, c)[i];
                require(code == HC_MISSING_I32 || (code >= 0 && (size_t)code < names->set[d].n));
            }
    }
}

#endif
