#include "parsers/tabular/own_try.h"

#include "core/base/memory.h"
#include "core/text/number_text.h"
#include "parsers/tabular/cell_value.h"

#include <stdlib.h>
#include <string.h>

enum hc_map_unit hc_map_unit_find(const char *name)
{
    static const char *const names[HC_N_MAP_UNITS] = {
        [HC_UNIT_NS] = "ns",   [HC_UNIT_US] = "us", [HC_UNIT_MS] = "ms", [HC_UNIT_S] = "s",
        [HC_UNIT_MIN] = "min", [HC_UNIT_H] = "h",   [HC_UNIT_D] = "d",   [HC_UNIT_HASH] = "hash",
    };
    if (strchr(name, '%'))
        return HC_UNIT_FORMAT;
    for (int unit = 0; unit < HC_N_MAP_UNITS; unit++)
        if (names[unit] && strcmp(names[unit], name) == 0)
            return (enum hc_map_unit)unit;
    return HC_N_MAP_UNITS;
}

bool hc_own_takes_unit(const struct hc_own_form *form, size_t column, enum hc_map_unit unit)
{
    const struct hc_column_def *def = &form->def->columns[column];
    switch (unit) {
    case HC_UNIT_OF_COLUMN:
        return true;
    case HC_UNIT_FORMAT:
        return hc_own_is_time(form, column);
    case HC_UNIT_HASH:
        return def->type == HC_I64 && !def->dictionary && strcmp(def->unit, "ns") != 0;
    default:
        return strcmp(def->unit, "ns") == 0;
    }
}

static enum hc_status try_in(struct hc_table *scratch, struct hc_table_names *names,
                             const struct hc_own_form *form, const struct hc_map_rule *rule,
                             struct hc_cell_text text, struct hc_error *err)
{
    struct hc_stamp_clock clock = {.zone = NULL};
    struct hc_map_rule bare = *rule;
    struct hc_cell_values values = {.form = form,
                                    .writer = {names, scratch},
                                    .clock = &clock,
                                    .worded = hc_cell_worded(form, names)};
    bare.n_words = 0;
    bare.otherwise = NULL;
    bare.pattern = NULL;
    hc_record_begin(&values.writer);
    struct hc_cell_fault fault =
        hc_cell_put(&values, &bare, text, (struct hc_cell_text){"", 0}, err);
    if (!err->status && fault.what)
        hc_fail(err, HC_BAD_INPUT, "'%.80s' %s", text.text, fault.what);
    return err->status;
}

enum hc_status hc_own_try(const struct hc_own_form *form, const struct hc_map_rule *rule,
                          const char *text, struct hc_error *err)
{
    struct hc_table scratch = {0};
    struct hc_table_names names = {0};
    size_t length = strlen(text);
    char *padded = hc_new_array(length + HC_TEXT_PADDING, 1, err);
    if (!padded)
        return err->status;
    memcpy(padded, text, length);
    enum hc_status status = form->start_names(&names, err);
    if (!status)
        status = hc_table_init(&scratch, form->def, 1, err);
    if (!status)
        status = try_in(&scratch, &names, form, rule, (struct hc_cell_text){padded, length}, err);
    hc_table_fini(&scratch);
    hc_table_names_fini(&names);
    free(padded);
    return status;
}
