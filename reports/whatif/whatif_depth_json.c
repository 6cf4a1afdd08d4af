#include "reports/whatif/whatif_depth_json.h"

#include "reports/whatif/whatif_views.h"

#include <math.h>

/* ---- verdict ---- */

static void write_evidence(struct hc_json_writer *json, const struct hc_verdict *verdict)
{
    hc_json_array(json, "evidence");
    for (size_t i = 0; i < verdict->n_evidence; i++) {
        const struct hc_evidence *evidence = &verdict->evidence[i];
        hc_json_object(json, NULL);
        hc_json_text(json, "test", evidence->key);
        hc_json_text(json, "cause", hc_straggler_cause_key(evidence->cause));
        hc_json_real(json, "value", evidence->value);
        hc_json_real(json, "limit", evidence->limit);
        hc_json_bool(json, "passed", evidence->passed);
        hc_json_text(json, "text", evidence->text[0] ? evidence->text : NULL);
        hc_json_end(json);
    }
    hc_json_end(json);
}

static void write_verdict(struct hc_json_writer *json, const struct hc_verdict *verdict)
{
    if (!verdict->done) {
        hc_json_null(json, "verdict");
        return;
    }
    hc_json_object(json, "verdict");
    hc_json_text(json, "cause", hc_straggler_cause_key(verdict->cause));
    hc_json_array_line(json, "also");
    for (size_t i = 0; i < verdict->n_also; i++)
        hc_json_text(json, NULL, hc_straggler_cause_key(verdict->also[i]));
    hc_json_end(json);
    hc_json_text(json, "text", verdict->text);
    write_evidence(json, verdict);
    hc_json_array(json, "pass_correlation");
    for (size_t s = 0; s < verdict->n_stages; s++) {
        hc_json_object_line(json, NULL);
        hc_json_i64(json, "stage", (int64_t)s);
        hc_json_real(json, "correlation", verdict->pass_correlation[s]);
        hc_json_i64(json, "pairs", verdict->n_pass_pairs[s]);
        hc_json_end(json);
    }
    hc_json_end(json);
    hc_json_end(json);
}

/* ---- intervals and cost ---- */

static void write_interval(struct hc_json_writer *json, const char *key,
                           const struct hc_interval *interval)
{
    hc_json_object_line(json, key);
    hc_json_real(json, "low", interval->low);
    hc_json_real(json, "high", interval->high);
    hc_json_end(json);
}

static void write_intervals(struct hc_json_writer *json, const struct hc_intervals *intervals)
{
    if (!intervals->done) {
        hc_json_null(json, "intervals");
        return;
    }
    hc_json_object(json, "intervals");
    hc_json_real(json, "level", intervals->level);
    hc_json_i64(json, "resampled_steps", (int64_t)intervals->n_steps);
    hc_json_i64(json, "block_steps", (int64_t)intervals->block_steps);
    hc_json_i32(json, "resamples", intervals->n_resamples);
    write_interval(json, "slowdown", &intervals->slowdown);
    write_interval(json, "m_w", &intervals->m_w);
    write_interval(json, "m_s", &intervals->m_s);
    hc_json_end(json);
}

static void write_cost(struct hc_json_writer *json, const struct hc_whatif_result *result)
{
    if (result->n_gpus <= 0) {
        hc_json_null(json, "cost");
        return;
    }
    hc_json_object(json, "cost");
    hc_json_i64(json, "gpus", result->n_gpus);
    hc_json_real(json, "gpu_hours_traced", result->gpu_hours_traced);
    hc_json_real(json, "gpu_hours_lost", result->gpu_hours_lost);
    hc_json_end(json);
}

/* ---- fix curves ---- */

static void write_member(struct hc_json_writer *json, const struct hc_whatif_result *result,
                         enum hc_fix_kind kind, int32_t member)
{
    const struct hc_split *types = &result->blocking[HC_BY_OP_TYPE];
    if (kind == HC_FIX_WORKERS && (size_t)member < result->n_workers)
        hc_json_i32(json, NULL, result->workers[member].rank);
    else if (kind == HC_FIX_OP_TYPES && (size_t)member < types->n_groups)
        hc_json_text(json, NULL, types->groups[member].name);
    else
        hc_json_i32(json, NULL, member);
}

static void write_curve(struct hc_json_writer *json, const struct hc_whatif_result *result,
                        enum hc_fix_kind kind)
{
    const struct hc_fix_curve *curve = &result->depth.fixes[kind];
    if (curve->n_groups == 0) {
        hc_json_null(json, hc_fix_kind_key(kind));
        return;
    }
    hc_json_object(json, hc_fix_kind_key(kind));
    hc_json_array_line(json, "worst_first");
    for (size_t i = 0; i < curve->n_groups; i++)
        write_member(json, result, kind, curve->order[i]);
    hc_json_end(json);
    if (curve->knee > 0)
        hc_json_i64(json, "knee", (int64_t)curve->points[curve->knee].n_fixed);
    else
        hc_json_null(json, "knee");
    hc_json_array(json, "points");
    for (size_t p = 0; p < curve->n_points; p++) {
        hc_json_object_line(json, NULL);
        hc_json_i64(json, "fixed", (int64_t)curve->points[p].n_fixed);
        hc_json_real(json, "mean_step_s", curve->points[p].step_s);
        hc_json_real(json, "recovered", curve->points[p].recovered);
        hc_json_end(json);
    }
    hc_json_end(json);
    hc_json_end(json);
}

static void write_fixes(struct hc_json_writer *json, const struct hc_whatif_result *result)
{
    bool is_done = false;
    for (int kind = 0; kind < HC_N_FIX_KINDS; kind++)
        is_done |= result->depth.fixes[kind].n_groups > 0;
    if (!is_done) {
        hc_json_null(json, "fixes");
        return;
    }
    hc_json_object(json, "fixes");
    for (int kind = 0; kind < HC_N_FIX_KINDS; kind++)
        write_curve(json, result, kind);
    hc_json_end(json);
}

/* ---- Shapley values ---- */

static void write_shapley(struct hc_json_writer *json, const struct hc_shapley *shapley)
{
    if (!shapley->done) {
        hc_json_null(json, "shapley");
        return;
    }
    hc_json_object(json, "shapley");
    hc_json_i64(json, "replays", shapley->n_sweeps);
    hc_json_array(json, "shares");
    for (size_t g = 0; g < shapley->n_groups; g++) {
        hc_json_object_line(json, NULL);
        hc_json_text(json, "op_type", shapley->groups[g].name);
        hc_json_i64(json, "types", (int64_t)shapley->groups[g].n_types);
        hc_json_real(json, "share_s", shapley->groups[g].seconds);
        hc_json_end(json);
    }
    hc_json_end(json);
    hc_json_end(json);
}

void hc_whatif_depth_write_json(struct hc_json_writer *json, const struct hc_whatif_result *result)
{
    write_verdict(json, &result->depth.verdict);
    write_intervals(json, &result->depth.intervals);
    write_cost(json, result);
    write_fixes(json, result);
    write_shapley(json, &result->depth.shapley);
}
