/* fake_depth.h - the deeper parts of made-up what-if results: one slow worker, as in trace AR. */
#ifndef HC_TESTS_UNIT_FAKE_DEPTH_H
#define HC_TESTS_UNIT_FAKE_DEPTH_H

#include "tests/support/fake_whatif.h"

/* Worker 0 is slow; in steps where wanders is set, the worker of the step's place in the job. */
static void fake_exact_workers(struct hc_whatif_result *result, bool wanders)
{
    size_t n = result->n_steps;
    result->worker_end_ns = fake_array(result->n_workers * n, sizeof(int64_t));
    for (size_t w = 0; w < result->n_workers; w++) {
        double sum = 0, ideal = 0;
        for (size_t s = 0; s < n; s++) {
            size_t slow = wanders ? s * 5 % result->n_workers : 0;
            double slowdown = w == slow ? 1.9 + 0.001 * (double)s : 1.0 + 0.001 * (double)(w % 7);
            int64_t end_ns = llround(slowdown * (double)result->ideal_end_ns[s]);
            result->worker_end_ns[w * n + s] = end_ns;
            sum += (double)end_ns;
            ideal += (double)result->ideal_end_ns[s];
        }
        result->workers[w].exact = sum / ideal;
    }
}

static void fake_curve(struct hc_fix_curve *curve, size_t n_groups, const double *recovered,
                       size_t knee)
{
    curve->n_groups = n_groups;
    curve->order = fake_array(n_groups, sizeof *curve->order);
    curve->n_points = n_groups + 1;
    curve->points = fake_array(curve->n_points, sizeof *curve->points);
    curve->knee = knee;
    for (size_t g = 0; g < n_groups; g++)
        curve->order[g] = (int32_t)g;
    for (size_t p = 0; p <= n_groups; p++) {
        double share = p == 0 ? 0 : p == n_groups ? 1 : recovered[p < 4 ? p - 1 : 3];
        curve->points[p] = (struct hc_fix_point){p, 46.3363726 - 22.8516724 * share, share};
    }
}

static void fake_fixes(struct hc_whatif_result *result)
{
    struct hc_fix_curve *fixes = result->depth.fixes;
    fake_curve(&fixes[HC_FIX_WORKERS], result->n_workers,
               (const double[]){0.9871, 0.9902, 0.9921, 0.9953}, 1);
    fake_curve(&fixes[HC_FIX_STAGES], (size_t)result->pp_size,
               (const double[]){0.9812, 0.9901, 0.9955, 0.9971}, 1);
    fake_curve(&fixes[HC_FIX_OP_TYPES], FAKE_TYPE_GROUPS,
               (const double[]){0.6212, 0.6215, 0.6219, 0.9877}, 4);
}

static void fake_shapley(struct hc_whatif_result *result)
{
    struct hc_shapley *shapley = &result->depth.shapley;
    *shapley = (struct hc_shapley){.done = true, .n_sweeps = 320, .n_groups = FAKE_TYPE_GROUPS};
    shapley->groups = fake_array(FAKE_TYPE_GROUPS, sizeof *shapley->groups);
    for (size_t g = 0; g < FAKE_TYPE_GROUPS; g++)
        shapley->groups[g] = (struct hc_shapley_share){
            .name = result->blocking[HC_BY_OP_TYPE].groups[g].name,
            .n_types = 1,
            .seconds = g == 0   ? 14.3516724
                       : g == 3 ? 8.3
                       : g == 6 ? 0.22
                                : -0.0025,
        };
}

static void fake_evidence(struct hc_verdict *verdict, struct hc_evidence evidence)
{
    ck_assert(verdict->n_evidence < HC_MAX_EVIDENCE);
    verdict->evidence[verdict->n_evidence++] = evidence;
}

static void fake_verdict(struct hc_whatif_result *result)
{
    struct hc_verdict *verdict = &result->depth.verdict;
    *verdict = (struct hc_verdict){
        .done = true, .cause = HC_STRAGGLER_WORKER, .n_also = 1, .also = {HC_STRAGGLER_LAUNCH}};
    strcpy(verdict->text,
           "slow worker: rank 0 (dp 0, stage 0) takes 2.39 times as long as its peers; without "
           "that, all of the excess is gone; besides: late launches");
    verdict->detail = strlen("slow worker: ");
    fake_evidence(verdict, (struct hc_evidence){
                               HC_STRAGGLER_WORKER, "m_w", 1.0017, 0.5, true,
                               "1.002 of the excess goes when rank 0 (dp 0, stage 0) is fixed"});
    fake_evidence(verdict,
                  (struct hc_evidence){HC_STRAGGLER_STAGE, "m_s", -0.0012, 0.5, false,
                                       "-0.001 of the excess goes when the last stage is fixed"});
    fake_evidence(verdict, (struct hc_evidence){HC_STRAGGLER_SEQUENCE, "r_forward_backward", 0.8977,
                                                0.9, false, "r 0.898 within stage 2"});
    fake_evidence(verdict, (struct hc_evidence){HC_STRAGGLER_GC, "gc_pauses", NAN, 0.1, false,
                                                "not known: too few forward passes"});
    verdict->n_stages = (size_t)result->pp_size;
    verdict->pass_correlation = fake_array(verdict->n_stages, sizeof(double));
    verdict->n_pass_pairs = fake_array(verdict->n_stages, sizeof(int64_t));
    for (size_t s = 0; s < verdict->n_stages; s++) {
        verdict->pass_correlation[s] = s == 1 ? NAN : 0.9992 - 0.03 * (double)s;
        verdict->n_pass_pairs[s] = s == 1 ? 0 : 5632;
    }
}

static void fake_intervals(struct hc_whatif_result *result)
{
    result->depth.intervals = (struct hc_intervals){
        .done = true,
        .level = 0.95,
        .n_steps = result->n_steps,
        .unseen_share = 0.0658,
        .slowdown = {1.9612, 1.9845},
        .m_w = {0.9987, 1.0044},
        .m_s = {NAN, NAN},
        .m_s_reason = {HC_INTERVAL_NO_EXCESS, 0, "the excess may be 0"},
    };
}

/* Two passes and a transfer a worker, the slow worker's twice as long. */
static void fake_picture(struct hc_whatif_result *result)
{
    struct hc_step_picture *picture = &result->depth.picture;
    static const int types[] = {HC_FORWARD_COMPUTE, HC_BACKWARD_COMPUTE, HC_FORWARD_SEND};
    *picture = (struct hc_step_picture){.done = true, .step = result->steps[0]};
    picture->traced_span_ns = result->traced_ns[0];
    picture->ideal_span_ns = result->ideal_ns[0];
    picture->n_ops = result->n_workers * 3;
    picture->ops = fake_array(picture->n_ops, sizeof *picture->ops);
    for (size_t i = 0; i < picture->n_ops; i++) {
        const struct hc_worker *worker = &result->workers[i / 3];
        int64_t unit_ns = picture->traced_span_ns / 8;
        picture->ops[i] = (struct hc_picture_op){
            .op_type = types[i % 3],
            .seq_id = 0,
            .stage = worker->stage,
            .microbatch = i % 3 == 2 ? HC_MISSING_I32 : 0,
            .dp_rank = worker->dp_rank,
            .rank = worker->rank,
            .traced_start_ns = (int64_t)(i % 3) * unit_ns * 2,
            .traced_ns = i < 3 ? unit_ns * 2 : unit_ns,
            .ideal_start_ns = (int64_t)(i % 3) * unit_ns,
            .ideal_ns = unit_ns,
        };
    }
}

/* All parts. */
__attribute__((unused)) static void fake_depth(struct hc_whatif_result *result)
{
    fake_exact_workers(result, false);
    fake_fixes(result);
    fake_shapley(result);
    fake_verdict(result);
    fake_intervals(result);
    fake_picture(result);
    result->n_gpus = 64;
    result->gpu_hours_traced = 36.489;
    result->gpu_hours_lost = 17.876;
}

#endif
