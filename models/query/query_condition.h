/* query_condition.h - which rows of a table are wanted: "gpus >= 8 and state = failed".
 *
 *     CONDITION = ALL { "or" ALL }
 *     ALL       = ONE { "and" ONE }
 *     ONE       = "not" ONE | "(" CONDITION ")" | TERM
 *     TERM      = COLUMN ("=" | "!=" | ">=" | "<=" | ">" | "<") VALUE
 *               | COLUMN "~" PATTERN                  of texts: * and ? stand for anything
 *               | COLUMN "in" "(" VALUE { "," VALUE } ")"
 *               | COLUMN "is" ["not"] "missing"
 *     VALUE     = NUMBER [UNIT] | TIME | WORD | 'any text' | "any text"
 *
 * UNIT is one of time (ns, us, ms, s, min, h, d) for columns in ns; TIME is "2026-03-30" or
 * "2026-03-30T12:00:00Z", for such columns, too. A missing value is neither equal nor unequal to
 * anything: only "is missing" holds of it (and what "not" makes of a term that does not hold).
 */
#ifndef HC_MODELS_QUERY_QUERY_CONDITION_H
#define HC_MODELS_QUERY_QUERY_CONDITION_H

#include "core/base/status.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"

#include <stdbool.h>
#include <stdint.h>

#define HC_QUERY_MOST_TERMS 64

struct hc_query_condition;

/* NULL text: every row is wanted, and *condition is NULL. HC_USAGE: it is no condition on the
 * table; the message quotes where. */
enum hc_status hc_query_condition_parse(struct hc_query_condition **condition, const char *text,
                                        const struct hc_table_def *def, struct hc_error *err);
void hc_query_condition_free(struct hc_query_condition *condition);

/* The columns that it reads: bit i is column i. */
uint64_t hc_query_condition_columns(const struct hc_query_condition *condition);

/* Of the column of a time, the values that can be wanted: [*from, *to]; all where nothing bounds
 * them. What is outside need not be looked at. */
void hc_query_condition_bounds(const struct hc_query_condition *condition, size_t column,
                               int64_t *from, int64_t *to);

/* Set is_wanted[row] of each row of the table, whose codes are of names. */
enum hc_status hc_query_condition_filter(struct hc_query_condition *condition,
                                         const struct hc_table *table, struct hc_table_names *names,
                                         uint8_t *is_wanted, struct hc_error *err);

/* The column with this name, or HC_USAGE naming the nearest one. */
enum hc_status hc_query_column(size_t *column, const struct hc_table_def *def, const char *name,
                               size_t length, struct hc_error *err);

#endif
