/* fake_whatif.h - made-up what-if results, for the tests of their views. */
#ifndef HC_TESTS_UNIT_FAKE_WHATIF_H
#define HC_TESTS_UNIT_FAKE_WHATIF_H

#include "core/base/memory.h"
#include "core/tables/table.h"
#include "reports/whatif/whatif_report.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FAKE_TYPE_GROUPS 11

static void *fake_array(size_t n, size_t size)
{
    struct hc_error err;
    void *array = hc_new_array(n, size, &err);
    ck_assert_ptr_nonnull(array);
    return array;
}

static void fake_split(struct hc_split *split, size_t n_groups, size_t n_steps)
{
    split->n_groups = n_groups;
    split->groups = fake_array(n_groups, sizeof *split->groups);
    for (size_t g = 0; g < n_groups; g++) {
        split->groups[g].id = (int32_t)g;
        split->groups[g].end_ns = fake_array(n_steps, sizeof(int64_t));
    }
}

/* Step ends of a group from its slowdown. */
static void fake_group(struct hc_split_group *group, double slowdown, const int64_t *reference_ns,
                       size_t n_steps)
{
    group->slowdown = slowdown;
    for (size_t s = 0; s < n_steps; s++)
        group->end_ns[s] = llround(slowdown * (double)reference_ns[s]);
}

static void fake_steps(struct hc_whatif_result *result)
{
    size_t n = result->n_steps;
    result->steps = fake_array(n, sizeof *result->steps);
    result->traced_ns = fake_array(n, sizeof(int64_t));
    result->replayed_ns = fake_array(n, sizeof(int64_t));
    result->ideal_ns = fake_array(n, sizeof(int64_t));
    result->replayed_end_ns = fake_array(n, sizeof(int64_t));
    result->ideal_end_ns = fake_array(n, sizeof(int64_t));
    result->step_slowdown = fake_array(n, sizeof(double));
    result->step_launch_slowdown = fake_array(n, sizeof(double));
    for (size_t s = 0; s < n; s++) {
        result->steps[s] = (int32_t)(6 + 7 * s);
        result->ideal_ns[s] = result->ideal_end_ns[s] = 23484700210;
        result->replayed_ns[s] = 46336372597 + (int64_t)(s * 37 % 11) * 100000000 - 500000000;
        result->replayed_end_ns[s] = result->replayed_ns[s];
        result->traced_ns[s] = result->replayed_ns[s] + 312803789;
        result->step_slowdown[s] = (double)result->replayed_ns[s] / (double)result->ideal_end_ns[s];
        result->step_launch_slowdown[s] =
            (double)result->traced_ns[s] / (double)result->replayed_end_ns[s];
    }
}

static void fake_blocking(struct hc_whatif_result *result)
{
    static const char *const names[FAKE_TYPE_GROUPS] = {"backward-compute",
                                                        "backward-pp-comm",
                                                        "embedding-grads-all-reduce",
                                                        "forward-compute",
                                                        "forward-pp-comm",
                                                        "gc",
                                                        "grads-reduce-scatter",
                                                        "layernorm-grads-all-reduce",
                                                        "optimizer",
                                                        "optimizer-clip-main-grad",
                                                        "params-all-gather"};
    static const double slowdowns[FAKE_TYPE_GROUPS] = {1.6204, 1.0021, 1.0052, 1.3581, 1.0024, 1.0,
                                                       1.0113, 0.9999, 1.0033, 1.0009, 1.0094};
    struct hc_split *by_type = &result->blocking[HC_BY_OP_TYPE];
    fake_split(by_type, FAKE_TYPE_GROUPS, result->n_steps);
    for (size_t g = 0; g < FAKE_TYPE_GROUPS; g++) {
        by_type->groups[g].name = names[g];
        fake_group(&by_type->groups[g], slowdowns[g], result->ideal_end_ns, result->n_steps);
    }
    struct hc_split *by_dp = &result->blocking[HC_BY_DP_RANK];
    fake_split(by_dp, (size_t)result->dp_size, result->n_steps);
    for (size_t g = 0; g < by_dp->n_groups; g++)
        fake_group(&by_dp->groups[g], g == 0 ? 1.973 : 1.0 + 0.002 * (double)(g * 17 % 40),
                   result->ideal_end_ns, result->n_steps);
    struct hc_split *by_stage = &result->blocking[HC_BY_STAGE];
    fake_split(by_stage, (size_t)result->pp_size, result->n_steps);
    for (size_t g = 0; g < by_stage->n_groups; g++)
        fake_group(&by_stage->groups[g], g == 0 ? 1.974 : 0.9962 + 0.01 * (double)(g * 5 % 12),
                   result->ideal_end_ns, result->n_steps);
}

static void fake_workers(struct hc_whatif_result *result)
{
    int32_t pp = result->pp_size;
    result->n_workers = (size_t)result->dp_size * (size_t)pp;
    result->workers = fake_array(result->n_workers, sizeof *result->workers);
    for (size_t w = 0; w < result->n_workers; w++) {
        struct hc_worker *worker = &result->workers[w];
        worker->dp_rank = (int32_t)w / pp;
        worker->stage = (int32_t)w % pp;
        worker->rank = (worker->stage * result->dp_size + worker->dp_rank) * 4;
        worker->exact = NAN;
        worker->slowdown = fmin(result->blocking[HC_BY_DP_RANK].groups[w / (size_t)pp].slowdown,
                                result->blocking[HC_BY_STAGE].groups[w % (size_t)pp].slowdown);
    }
    result->n_slowest = (3 * result->n_workers + 99) / 100;
    result->slowest = fake_array(result->n_slowest, sizeof *result->slowest);
    for (size_t i = 0; i < result->n_slowest; i++)
        result->slowest[i] = (int32_t)i;
}

static void fake_job(struct hc_whatif_result *result, const char *id)
{
    struct hc_error err;
    struct hc_job *job = &result->job;
    ck_assert_int_eq(hc_job_init(job, id, &err), HC_OK);
    job->attempt = 0;
    job->dp_size = result->dp_size;
    job->pp_size = result->pp_size;
    job->vpp_size = result->vpp_size;
    job->tp_size = 4;
    job->dsp_size = 1;
    job->world_size = result->dp_size * result->pp_size * 4;
}

/* A result like that of trace AR: one slow worker. */
static void fake_result(struct hc_whatif_result *result, int32_t dp, int32_t pp, size_t n_steps)
{
    memset(result, 0, sizeof *result);
    result->dp_size = dp;
    result->pp_size = pp;
    result->vpp_size = 1;
    result->uses_dp = dp > 1;
    result->n_steps = n_steps;
    result->n_structures = 1;
    result->n_graph_ops = 666;
    result->n_graph_edges = 1229;
    result->n_graph_groups = 202;
    result->n_graph_roots = 7;
    result->n_ops = (int64_t)(666 * n_steps) * dp;
    result->rows.rows_read = result->n_ops;
    for (int type = 0; type < HC_N_OP_TYPES; type++) {
        result->n_by_type[type] = type == HC_SEPARATE_GRADS_ALL_REDUCE ? 0 : 100 + type;
        result->ideal_duration_ns[type] = 1000000 * type;
    }
    result->traced_s = 46.6491764;
    result->replayed_s = 46.3363726;
    result->ideal_s = 23.4847002;
    result->slowdown = 1.9730450967;
    result->waste = 1 - 1 / 1.9730450967;
    result->launch_slowdown = 1.0067506609;
    result->discrepancy = 0.0067054515;
    result->delayed_error_ns = 12;
    result->threshold = 1.03;
    result->gpu_hours_traced = result->gpu_hours_lost = NAN;
    result->m_s = (struct hc_explained){true,       46.36407,   23.5403373, 46.3363726,
                                        23.4847002, -0.0012120, 0.0024347};
    result->m_w = (struct hc_explained){true,       23.297494, 46.336355, 46.3363726,
                                        23.4847002, 1.0017013, 0.9999992};
    fake_job(result, "AR");
    fake_steps(result);
    fake_blocking(result);
    fake_workers(result);
}

static void fake_drop_split(struct hc_split *split)
{
    for (size_t g = 0; g < split->n_groups; g++)
        free(split->groups[g].end_ns);
    free(split->groups);
    *split = (struct hc_split){0, NULL};
}

/* As if S were below the threshold. */
__attribute__((unused)) static void fake_undo_blocking(struct hc_whatif_result *result)
{
    for (int partition = 0; partition < HC_N_PARTITIONS; partition++)
        fake_drop_split(&result->blocking[partition]);
    for (size_t w = 0; w < result->n_workers; w++)
        result->workers[w].slowdown = NAN;
    result->slowdown = 1.012;
    result->waste = 1 - 1 / 1.012;
    result->n_slowest = 0;
    result->m_w.done = false;
}

static void fake_free(struct hc_whatif_result *result)
{
    hc_whatif_result_fini(result);
}

__attribute__((unused)) static struct hc_whatif_report fake_report(struct hc_whatif_result *result)
{
    struct hc_error err;
    ck_assert_int_eq(hc_whatif_find(result, &err), HC_OK);
    return (struct hc_whatif_report){
        .result = result,
        .source_path = "data/trace-AR.parquet",
        .source_sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        .format = "parquet",
        .source_size = 1148014,
        .format_version = 1,
    };
}

/* What a writer of a view writes; the caller frees it. */
__attribute__((unused)) static char *
fake_written(enum hc_status (*write)(FILE *, const struct hc_whatif_report *, struct hc_error *),
             const struct hc_whatif_report *report)
{
    struct hc_error err = {.status = HC_OK};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(stream);
    ck_assert_msg(write(stream, report, &err) == HC_OK, "%s", err.message);
    fclose(stream);
    return text;
}

#endif
