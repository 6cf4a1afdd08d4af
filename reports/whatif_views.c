#include "reports/whatif_views.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

static const struct {
    const char *key, *text;
} fates[HC_N_STEP_FATES] = {
    [HC_STEP_USED] = {"used", "used"},
    [HC_STEP_NOT_SELECTED] = {"not_selected", "not selected by --steps"},
    [HC_STEP_BAD_ROWS] = {"bad_rows", "rows could not be read"},
    [HC_STEP_DUPLICATE] = {"duplicate", "duplicate rows"},
    [HC_STEP_ABSENT] = {"absent", "dp ranks differ in their ops"},
    [HC_STEP_NO_GRAPH] = {"no_graph", "no valid dependency graph"},
};

const char *hc_whatif_partition_key(enum hc_partition partition)
{
    static const char *const keys[HC_N_PARTITIONS] = {"dp_rank", "stage", "op_type"};
    return keys[partition];
}

const char *hc_step_fate_key(enum hc_step_fate fate)
{
    return fates[fate].key;
}

const char *hc_step_fate_text(enum hc_step_fate fate)
{
    return fates[fate].text;
}

static int by_descending_value(const void *left, const void *right, void *context)
{
    const double *values = context;
    size_t i = *(const size_t *)left, j = *(const size_t *)right;
    double a = isnan(values[i]) ? -INFINITY : values[i];
    double b = isnan(values[j]) ? -INFINITY : values[j];
    if (a != b)
        return a > b ? -1 : 1;
    return i < j ? -1 : i > j;
}

size_t *hc_descending(const double *values, size_t n, struct hc_error *err)
{
    size_t *order = hc_new_array(n, sizeof *order, err);
    if (!order)
        return NULL;
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof *order, by_descending_value, (void *)values);
    return order;
}

size_t *hc_split_descending(const struct hc_split *split, struct hc_error *err)
{
    double *values = hc_new_array(split->n_groups, sizeof *values, err);
    if (!values)
        return NULL;
    for (size_t g = 0; g < split->n_groups; g++)
        values[g] = split->groups[g].slowdown;
    size_t *order = hc_descending(values, split->n_groups, err);
    free(values);
    return order;
}

bool hc_whatif_has_p2p(const struct hc_whatif_result *result)
{
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        if (hc_op_is_p2p(type) && result->n_by_type[type] > 0)
            return true;
    return false;
}
