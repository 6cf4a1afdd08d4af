#include "sim/fleet/fleet_summary_tables.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *hc_fleet_class_key(enum hc_fleet_class op_class)
{
    static const char *const keys[HC_N_FLEET_CLASSES] = {"compute", "pp_comm", "dp_comm", "other"};
    return keys[op_class];
}

/* The classes of the paper's Fig. 5; what it does not show is "other". */
static enum hc_fleet_class class_of(const char *name)
{
    static const struct {
        const char *name;
        enum hc_fleet_class op_class;
    } known[] = {{"forward-compute", HC_CLASS_COMPUTE},     {"backward-compute", HC_CLASS_COMPUTE},
                 {"forward-pp-comm", HC_CLASS_PP},          {"backward-pp-comm", HC_CLASS_PP},
                 {"grads-reduce-scatter", HC_CLASS_DP},     {"params-all-gather", HC_CLASS_DP},
                 {"separate-grads-all-reduce", HC_CLASS_DP}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i].name) == 0)
            return known[i].op_class;
    return HC_CLASS_OTHER;
}

/* ---- the names that there are ---- */

struct names {
    size_t n, capacity;
    char (*name)[40];
};

static enum hc_status add_name(struct names *names, const char *name, struct hc_error *err)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->name[i], name) == 0)
            return HC_OK;
    enum hc_status status =
        hc_reserve(&names->name, &names->capacity, names->n + 1, sizeof *names->name, err);
    if (status == HC_OK)
        strcpy(names->name[names->n++], name);
    return status;
}

static enum hc_status find_names(struct names *names, const struct hc_fleet_rows *rows,
                                 struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < rows->n && status == HC_OK; i++)
        for (size_t t = 0; t < rows->row[i].n_types && status == HC_OK; t++)
            if (hc_fleet_is_analysed(&rows->row[i]))
                status = add_name(names, rows->row[i].types[t].name, err);
    return status;
}

/* ---- waste of a type, or of the largest type of a class ---- */

static double waste_of_type(const struct hc_fleet_row *row, const char *name)
{
    for (size_t t = 0; t < row->n_types; t++)
        if (strcmp(row->types[t].name, name) == 0)
            return 1 - 1 / row->types[t].slowdown;
    return NAN;
}

static double waste_of_class(const struct hc_fleet_row *row, enum hc_fleet_class op_class)
{
    double largest = NAN;
    for (size_t t = 0; t < row->n_types; t++)
        if (class_of(row->types[t].name) == op_class)
            largest = fmax(largest, 1 - 1 / row->types[t].slowdown);
    return largest;
}

/* by_jobs and by_hours of what is named in waste: the type, or with an empty name the class. */
static void find_waste(struct hc_fleet_type_waste *waste, const struct hc_fleet_rows *rows)
{
    for (int is_hours = 0; is_hours < 2; is_hours++) {
        size_t n = 0;
        for (size_t i = 0; i < rows->n; i++) {
            const struct hc_fleet_row *row = &rows->row[i];
            double weight = is_hours ? hc_fleet_row_hours(row) : 1;
            double value = waste->name[0] ? waste_of_type(row, waste->name)
                                          : waste_of_class(row, waste->op_class);
            if (hc_fleet_is_analysed(row) && isfinite(value) && weight > 0)
                rows->scratch[n++] = (struct hc_weighted){value, weight};
        }
        hc_fleet_cdf_build(is_hours ? &waste->by_hours : &waste->by_jobs, rows->scratch, n);
    }
}

/* By class, then descending mean over jobs, then name. */
static int by_class(const void *left, const void *right)
{
    const struct hc_fleet_type_waste *a = left, *b = right;
    double x = isnan(a->by_jobs.mean) ? -INFINITY : a->by_jobs.mean;
    double y = isnan(b->by_jobs.mean) ? -INFINITY : b->by_jobs.mean;
    if (a->op_class != b->op_class)
        return a->op_class < b->op_class ? -1 : 1;
    if (x != y)
        return x > y ? -1 : 1;
    return strcmp(a->name, b->name);
}

static enum hc_status fill_types(struct hc_fleet_summary *summary, const struct names *names,
                                 const struct hc_fleet_rows *rows, struct hc_error *err)
{
    summary->types = hc_new_array(names->n, sizeof *summary->types, err);
    if (!summary->types)
        return err->status;
    for (summary->n_types = 0; summary->n_types < names->n; summary->n_types++) {
        struct hc_fleet_type_waste *type = &summary->types[summary->n_types];
        strcpy(type->name, names->name[summary->n_types]);
        type->op_class = class_of(type->name);
        find_waste(type, rows);
    }
    qsort(summary->types, summary->n_types, sizeof *summary->types, by_class);
    return HC_OK;
}

enum hc_status hc_fleet_find_types(struct hc_fleet_summary *summary,
                                   const struct hc_fleet_rows *rows, struct hc_error *err)
{
    struct names names = {.n = 0};
    for (size_t i = 0; i < rows->n; i++)
        summary->n_split += hc_fleet_is_analysed(&rows->row[i]) && rows->row[i].n_types > 0;
    for (int c = 0; c < HC_N_FLEET_CLASSES; c++) {
        summary->class_waste[c].op_class = c;
        find_waste(&summary->class_waste[c], rows);
    }
    enum hc_status status = find_names(&names, rows, err);
    if (status == HC_OK)
        status = fill_types(summary, &names, rows, err);
    free(names.name);
    return status;
}
