/* query_groups.h - rows of a table by the values of some columns, and figures of each group. */
#ifndef HC_MODELS_QUERY_QUERY_GROUPS_H
#define HC_MODELS_QUERY_QUERY_GROUPS_H

#include "core/base/status.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"

#include <stdbool.h>
#include <stdint.h>

#define HC_QUERY_MOST_KEYS       8
#define HC_QUERY_MOST_AGGREGATES 16
/* Values that quantiles keep in memory, of all groups together. */
#define HC_QUERY_MOST_VALUES ((size_t)16 << 20)

enum hc_query_function {
    HC_QUERY_COUNT,
    HC_QUERY_SUM,
    HC_QUERY_MEAN,
    HC_QUERY_MIN,
    HC_QUERY_MAX,
    HC_QUERY_QUANTILE
};

struct hc_query_aggregate {
    enum hc_query_function function;
    double share;  /* of a quantile: the smallest value that this share of all is not above */
    size_t column; /* of no meaning for counts */
    char text[64]; /* "p90(elapsed_ns)" */
};

struct hc_query_plan {
    const struct hc_table_def *def;
    size_t n_keys, keys[HC_QUERY_MOST_KEYS];
    size_t n_aggregates;
    struct hc_query_aggregate aggregates[HC_QUERY_MOST_AGGREGATES];
};

/* Read "state,user" and "count,sum(gpus),p90(elapsed_ns)"; NULL: no keys, and count. HC_USAGE: a
 * column or function that there is not, or that needs numbers and gets texts. */
enum hc_status hc_query_plan_parse(struct hc_query_plan *plan, const struct hc_table_def *def,
                                   const char *keys, const char *aggregates, struct hc_error *err);
uint64_t hc_query_plan_columns(const struct hc_query_plan *plan);

struct hc_query_groups;

enum hc_status hc_query_groups_new(struct hc_query_groups **groups,
                                   const struct hc_query_plan *plan, struct hc_error *err);
void hc_query_groups_free(struct hc_query_groups *groups);

/* Add the rows that is_wanted marks. names are of the table's segment, which `segment` tells from
 * others. HC_BAD_INPUT: quantiles would need more than HC_QUERY_MOST_VALUES. */
enum hc_status hc_query_groups_add(struct hc_query_groups *groups, const struct hc_table *table,
                                   struct hc_table_names *names, const void *segment,
                                   const uint8_t *is_wanted, struct hc_error *err);

/* Sort by what --order names: an aggregate or key as in the plan, and " desc" behind it; NULL: by
 * the keys. HC_USAGE: it names nothing of the plan. */
enum hc_status hc_query_groups_order(struct hc_query_groups *groups, const char *order,
                                     struct hc_error *err);

/* What is shown of group i, in order. */
struct hc_query_value {
    const char *text;          /* of a text; else NULL */
    bool is_missing, is_whole; /* whole: `whole` is the value, else `real` */
    int64_t whole;
    double real;
};
size_t hc_query_groups_n(const struct hc_query_groups *groups);
struct hc_query_value hc_query_group_key(const struct hc_query_groups *groups, size_t i,
                                         size_t key);
struct hc_query_value hc_query_group_figure(struct hc_query_groups *groups, size_t i,
                                            size_t aggregate);

#endif
