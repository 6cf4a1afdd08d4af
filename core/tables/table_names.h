/* table_names.h - the texts behind the codes of some tables: a set of texts for each dictionary
 * that their columns name.
 *
 * A parser puts its texts there and their codes in the rows; whoever takes the rows reads the texts
 * or writes them beside. The dictionary of op types is none of these: its codes are an enum.
 */
#ifndef HC_CORE_TABLES_TABLE_NAMES_H
#define HC_CORE_TABLES_TABLE_NAMES_H

#include "core/tables/table.h"
#include "core/text/text_set.h"

#define HC_MOST_DICTIONARIES 32

/* Dictionaries are in the order in which the columns first name them. Zeroed memory has none. */
struct hc_table_names {
    size_t n;
    const char *dictionary[HC_MOST_DICTIONARIES];
    struct hc_text_set set[HC_MOST_DICTIONARIES];
};

/* An empty set for each dictionary of tables, a list that ends in NULL. HC_INTERNAL: they have more
 * than HC_MOST_DICTIONARIES. */
enum hc_status hc_table_names_init(struct hc_table_names *names,
                                   const struct hc_table_def *const *tables, struct hc_error *err);

/* The set of a dictionary; NULL: the tables name no such one. */
struct hc_text_set *hc_table_names_find(struct hc_table_names *names, const char *dictionary);

/* The text of a code of a dictionary, which the tables name. */
const char *hc_table_names_text(const struct hc_table_names *names, const char *dictionary,
                                int32_t code);
void hc_table_names_fini(struct hc_table_names *names);

#endif
