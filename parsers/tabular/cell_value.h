/* cell_value.h - the text of a cell as the value of a column of a table of records. */
#ifndef HC_PARSERS_TABULAR_CELL_VALUE_H
#define HC_PARSERS_TABULAR_CELL_VALUE_H

#include "core/tables/row_report.h"
#include "parsers/io/line_stamp.h"
#include "parsers/tabular/own_form.h"
#include "parsers/tabular/table_map.h"

struct hc_cell_text {
    const char *text; /* HC_TEXT_PADDING bytes behind it may be read */
    size_t length;
};

/* What the values of a source are read with. */
struct hc_cell_values {
    const struct hc_own_form *form;
    struct hc_record_writer writer;
    struct hc_stamp_clock *clock; /* has the zone of local times, and counts doubtful ones */
    bool is_own;                  /* an own form: numbers of columns in ns are nanoseconds */
    uint64_t worded;              /* bit c: column c has permitted words */
    bool has_local;               /* of the row: a time was read by the zone of the source */
};

/* Why a value cannot be put; what NULL: it was. */
struct hc_cell_fault {
    enum hc_bad_reason reason;
    const char *what;
};

/* Which columns have permitted words, by sets that nothing was added to yet. */
uint64_t hc_cell_worded(const struct hc_own_form *form, struct hc_table_names *names);

/* Put a text, which is not empty, in a column of the last row, by the unit and the words of a rule.
 * plus: the text of the duration that is added, of length 0 where the rule has none. *err:
 * HC_NO_MEMORY only. */
struct hc_cell_fault hc_cell_put(struct hc_cell_values *values, const struct hc_map_rule *rule,
                                 struct hc_cell_text text, struct hc_cell_text plus,
                                 struct hc_error *err);

#endif
