#include "pipeline/kinds/steps_guard.h"

#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "models/steps/census.h"
#include "pipeline/kinds/graph_precheck.h"
#include "pipeline/kinds/steps_account.h"

#include <stdlib.h>

struct steps_guard {
    struct hc_census *census;
    struct hc_graph_precheck precheck;
};

static void free_guard(void *guard)
{
    struct steps_guard *g = guard;
    if (!g)
        return;
    hc_graph_precheck_fini(&g->precheck);
    hc_census_free(g->census);
    free(g);
}

static enum hc_status start(void **guard, const struct hc_job *job, int64_t max_part_rows,
                            struct hc_error *err)
{
    struct steps_guard *g = hc_new_array(1, sizeof *g, err);
    if (!g)
        return err->status;
    enum hc_status status = hc_census_new(&g->census, err);
    if (!status) {
        hc_census_limit_ops(g->census, max_part_rows);
        status = hc_graph_precheck_init(&g->precheck, job, max_part_rows, err);
    }
    if (status)
        free_guard(g);
    else
        *guard = g;
    return status;
}

static enum hc_status take(void *guard, const struct hc_table *rows, int64_t *n_duplicates,
                           struct hc_error *err)
{
    struct steps_guard *g = guard;
    if (hc_census_add(g->census, rows, NULL, err))
        return err->status;
    *n_duplicates = hc_census_n_duplicates(g->census);
    return hc_graph_precheck_add(&g->precheck, rows, err);
}

static enum hc_status finish(void *guard, struct hc_row_report *report, struct hc_error *err)
{
    struct steps_guard *g = guard;
    return hc_census_finish(g->census, report, err);
}

static enum hc_status judge(void *guard, struct hc_error *err)
{
    struct steps_guard *g = guard;
    return hc_graph_precheck_check(&g->precheck, g->census, err);
}

static enum hc_status add_tables(const void *guard, hc_table_sink *sink, void *context,
                                 struct hc_error *err)
{
    const struct steps_guard *g = guard;
    struct hc_table steps = {0};
    enum hc_status status = hc_table_init(&steps, &hc_steps_def, hc_census_n_steps(g->census), err);
    if (!status) {
        hc_census_fill_steps(g->census, &steps);
        status = sink(&steps, context, err);
    }
    hc_table_fini(&steps);
    return status;
}

static enum hc_status account_for(const void *guard, struct hc_rows_account *account,
                                  struct hc_error *err)
{
    return hc_steps_account(((const struct steps_guard *)guard)->census, account, err);
}

const struct hc_guard hc_steps_guard = {
    .start = start,
    .take = take,
    .finish = finish,
    .judge = judge,
    .add_tables = add_tables,
    .account = account_for,
    .account_record = &hc_steps_account_record,
    .free = free_guard,
};
