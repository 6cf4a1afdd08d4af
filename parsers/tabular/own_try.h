/* own_try.h - whether a text can be the value of a column, before there are rows. */
#ifndef HC_PARSERS_TABULAR_OWN_TRY_H
#define HC_PARSERS_TABULAR_OWN_TRY_H

#include "parsers/tabular/own_form.h"
#include "parsers/tabular/table_map.h"

/* The unit of that name ("s", "hash"), or a format where it has a '%'; HC_N_MAP_UNITS: none. */
enum hc_map_unit hc_map_unit_find(const char *name);

/* Whether values of a column can have a unit. */
bool hc_own_takes_unit(const struct hc_own_form *form, size_t column, enum hc_map_unit unit);

/* HC_BAD_INPUT with what is wrong with the text as a value of the rule's column in its unit, words
 * aside. */
enum hc_status hc_own_try(const struct hc_own_form *form, const struct hc_map_rule *rule,
                          const char *text, struct hc_error *err);

#endif
