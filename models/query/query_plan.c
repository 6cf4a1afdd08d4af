#include "models/query/query_condition.h"
#include "models/query/query_groups.h"

#include <stdlib.h>
#include <string.h>

/* The next part of a list between commas, without blanks around it. */
static size_t next_part(const char **at)
{
    while (**at == ' ' || **at == ',')
        (*at)++;
    size_t n = strcspn(*at, ",");
    while (n && (*at)[n - 1] == ' ')
        n--;
    return n;
}

static enum hc_status parse_keys(struct hc_query_plan *plan, const char *keys, struct hc_error *err)
{
    for (const char *at = keys; at && *at;) {
        size_t n = next_part(&at);
        if (n == 0)
            break;
        if (plan->n_keys == HC_QUERY_MOST_KEYS)
            return hc_fail(err, HC_USAGE, "--group-by takes %d columns at most",
                           HC_QUERY_MOST_KEYS);
        if (hc_query_column(&plan->keys[plan->n_keys], plan->def, at, n, err))
            return hc_context(err, "--group-by");
        if (plan->def->columns[plan->keys[plan->n_keys++]].type == HC_F64)
            return hc_fail(err, HC_USAGE,
                           "--group-by: '%.*s' is a real number, of which few are equal", (int)n,
                           at);
        at += n;
    }
    return HC_OK;
}

static enum hc_status unknown(const char *at, size_t n, struct hc_error *err)
{
    return hc_fail(
        err, HC_USAGE,
        "--agg: '%.*s' is none of count, sum(X), mean(X), min(X), max(X), p50(X), p99.9(X)", (int)n,
        at);
}

/* "sum", or "p90" */
static bool find_function(struct hc_query_aggregate *aggregate, const char *name, size_t n)
{
    static const struct {
        const char *name;
        enum hc_query_function function;
    } functions[] = {{"sum", HC_QUERY_SUM},
                     {"mean", HC_QUERY_MEAN},
                     {"min", HC_QUERY_MIN},
                     {"max", HC_QUERY_MAX}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strlen(functions[i].name) == n && strncmp(functions[i].name, name, n) == 0) {
            aggregate->function = functions[i].function;
            return true;
        }
    char *end;
    double percent = n > 1 && name[0] == 'p' ? strtod(name + 1, &end) : -1;
    if (!(percent >= 0 && percent <= 100) || end != name + n)
        return false;
    aggregate->function = HC_QUERY_QUANTILE;
    aggregate->share = percent / 100;
    return true;
}

static enum hc_status parse_aggregate(struct hc_query_plan *plan, const char *at, size_t n,
                                      struct hc_error *err)
{
    struct hc_query_aggregate *aggregate = &plan->aggregates[plan->n_aggregates];
    if (n >= sizeof aggregate->text)
        return unknown(at, n, err);
    memcpy(aggregate->text, at, n);
    aggregate->text[n] = '\0';
    if (strcmp(aggregate->text, "count") == 0) {
        plan->n_aggregates++;
        return HC_OK;
    }
    const char *open = memchr(at, '(', n);
    if (!open || at[n - 1] != ')' || !find_function(aggregate, at, (size_t)(open - at)))
        return unknown(at, n, err);
    if (hc_query_column(&aggregate->column, plan->def, open + 1, (size_t)(at + n - 1 - open - 1),
                        err))
        return hc_context(err, "--agg");
    if (plan->def->columns[aggregate->column].dictionary)
        return hc_fail(err, HC_USAGE, "--agg: '%s' wants numbers, and the column has texts",
                       aggregate->text);
    plan->n_aggregates++;
    return HC_OK;
}

enum hc_status hc_query_plan_parse(struct hc_query_plan *plan, const struct hc_table_def *def,
                                   const char *keys, const char *aggregates, struct hc_error *err)
{
    *plan = (struct hc_query_plan){.def = def};
    if (parse_keys(plan, keys, err))
        return err->status;
    for (const char *at = aggregates ? aggregates : "count"; *at;) {
        size_t n = next_part(&at);
        if (n == 0)
            break;
        if (plan->n_aggregates == HC_QUERY_MOST_AGGREGATES)
            return hc_fail(err, HC_USAGE, "--agg takes %d figures at most",
                           HC_QUERY_MOST_AGGREGATES);
        if (parse_aggregate(plan, at, n, err))
            return err->status;
        at += n;
    }
    return HC_OK;
}

uint64_t hc_query_plan_columns(const struct hc_query_plan *plan)
{
    uint64_t columns = 0;
    for (size_t i = 0; i < plan->n_keys; i++)
        columns |= (uint64_t)1 << plan->keys[i];
    for (size_t i = 0; i < plan->n_aggregates; i++)
        if (plan->aggregates[i].function != HC_QUERY_COUNT)
            columns |= (uint64_t)1 << plan->aggregates[i].column;
    return columns;
}
