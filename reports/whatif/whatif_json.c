#include "reports/whatif/whatif_json.h"

#include "core/tables/json_records.h"
#include "core/tables/table.h"
#include "core/text/json_writer.h"
#include "reports/whatif/whatif_depth_json.h"
#include "reports/whatif/whatif_views.h"

#include <math.h>

static void write_input(struct hc_json_writer *json, const struct hc_whatif_report *report)
{
    const struct hc_job *job = &report->result->job;
    hc_json_object(json, "input");
    hc_json_text(json, "path", report->source_path);
    hc_json_text(json, "sha256", report->source_sha256);
    hc_json_i64(json, "size_bytes", report->source_size);
    hc_json_text(json, "format", report->format);
    hc_json_i32(json, "format_version", report->format_version);
    hc_json_text(json, "metadata_path", job->meta_path);
    hc_json_text(json, "metadata_sha256", job->meta_sha256[0] ? job->meta_sha256 : NULL);
    hc_json_text(json, "archive", report->archive);
    hc_json_text(json, "segment", report->segment);
    hc_json_end(json);
    hc_json_object(json, "options");
    hc_json_text(json, "steps", report->steps_option);
    hc_json_real(json, "threshold", report->result->threshold);
    hc_json_bool(json, "quick", report->depth == 0);
    hc_json_end(json);
}

static void write_job(struct hc_json_writer *json, const struct hc_job *job)
{
    hc_json_object(json, "job");
    hc_json_text(json, "cluster", job->cluster);
    hc_json_text(json, "id", job->id);
    hc_json_i32(json, "attempt", job->attempt);
    hc_json_job_sizes(json, job);
    hc_json_i64(json, "start_unix_ns", job->start_unix_ns);
    hc_json_end(json);
}

static void write_op_types(struct hc_json_writer *json, const struct hc_whatif_result *result)
{
    hc_json_array(json, "op_types");
    for (int type = 0; type < HC_N_OP_TYPES; type++) {
        if (result->n_by_type[type] == 0)
            continue;
        hc_json_object_line(json, NULL);
        hc_json_text(json, "op_type", hc_op_type_name(type));
        hc_json_i64(json, "ops", result->n_by_type[type]);
        hc_json_i64(json, "ideal_duration_ns", result->ideal_duration_ns[type]);
        hc_json_end(json);
    }
    hc_json_end(json);
}

static void write_trace(struct hc_json_writer *json, const struct hc_whatif_result *result)
{
    hc_json_object(json, "trace");
    hc_json_i32(json, "dp_size", result->dp_size);
    hc_json_i32(json, "pp_size", result->pp_size);
    hc_json_i32(json, "vpp_size", result->vpp_size);
    hc_json_bool(json, "uses_dp", result->uses_dp);
    hc_json_bool(json, "overlaps_dp", result->overlaps_dp);
    hc_json_i64(json, "steps", (int64_t)result->n_steps);
    hc_json_i64(json, "steps_left_out", (int64_t)result->n_left_out);
    hc_json_i64(json, "ops", result->n_ops);
    hc_json_i64(json, "structures", (int64_t)result->n_structures);
    write_op_types(json, result);
    hc_json_object_line(json, "graph");
    hc_json_i64(json, "ops", (int64_t)result->n_graph_ops);
    hc_json_i64(json, "edges", (int64_t)result->n_graph_edges);
    hc_json_i64(json, "groups", (int64_t)result->n_graph_groups);
    hc_json_i64(json, "roots", (int64_t)result->n_graph_roots);
    hc_json_end(json);
    hc_json_i64(json, "clamped_transfers", result->clamped_transfers);
    hc_json_i64(json, "clamped_delays", result->clamped_delays);
    hc_json_end(json);
}

static void write_left_out(struct hc_json_writer *json, const struct hc_whatif_result *result)
{
    hc_json_array(json, "steps_left_out");
    for (size_t i = 0; i < result->n_left_out; i++) {
        const struct hc_step_out *out = &result->left_out[i];
        hc_json_object_line(json, NULL);
        hc_json_i32(json, "step", out->step);
        hc_json_text(json, "reason", hc_step_fate_key(out->fate));
        hc_json_text(json, "detail", out->detail[0] ? out->detail : NULL);
        hc_json_end(json);
    }
    hc_json_end(json);
}

static void write_figures(struct hc_json_writer *json, const struct hc_whatif_result *result)
{
    hc_json_object(json, "figures");
    hc_json_real(json, "slowdown", result->slowdown);
    hc_json_real(json, "waste", result->waste);
    hc_json_bool(json, "straggling", result->slowdown >= HC_STRAGGLING);
    hc_json_real(json, "mean_traced_s", result->traced_s);
    hc_json_real(json, "mean_replayed_s", result->replayed_s);
    hc_json_real(json, "mean_ideal_s", result->ideal_s);
    hc_json_bool(json, "hides_waiting", result->hides_waiting);
    hc_json_real(json, "launch_slowdown", result->launch_slowdown);
    hc_json_real(json, "discrepancy", result->discrepancy);
    hc_json_bool(json, "discrepancy_too_large", result->discrepancy > HC_DISCREPANCY_LIMIT);
    hc_json_i64(json, "delayed_error_ns", result->delayed_error_ns);
    hc_json_end(json);
}

static void write_explained(struct hc_json_writer *json, const char *key,
                            const struct hc_explained *explained)
{
    if (!explained->done) {
        hc_json_null(json, key);
        return;
    }
    hc_json_object(json, key);
    hc_json_real(json, "explained_by_removing", explained->rem);
    hc_json_real(json, "explained_by_adding", explained->add);
    hc_json_real(json, "mean_removed_s", explained->removed_s);
    hc_json_real(json, "mean_added_s", explained->added_s);
    hc_json_real(json, "mean_replayed_s", explained->replayed_s);
    hc_json_real(json, "mean_ideal_s", explained->ideal_s);
    hc_json_end(json);
}

static void write_steps(struct hc_json_writer *json, const struct hc_whatif_result *result)
{
    hc_json_array(json, "steps");
    for (size_t s = 0; s < result->n_steps; s++) {
        hc_json_object_line(json, NULL);
        hc_json_i32(json, "step", result->steps[s]);
        hc_json_i64(json, "traced_ns", result->traced_ns[s]);
        hc_json_i64(json, "replayed_ns", result->replayed_ns[s]);
        hc_json_i64(json, "ideal_ns", result->ideal_ns[s]);
        hc_json_i64(json, "replayed_end_ns", result->replayed_end_ns[s]);
        hc_json_i64(json, "ideal_end_ns", result->ideal_end_ns[s]);
        hc_json_real(json, "slowdown", result->step_slowdown[s]);
        hc_json_real(json, "launch_slowdown", result->step_launch_slowdown[s]);
        hc_json_end(json);
    }
    hc_json_end(json);
}

static void write_worker(struct hc_json_writer *json, const struct hc_whatif_result *result,
                         size_t w)
{
    const struct hc_worker *worker = &result->workers[w];
    bool has_steps = result->worker_end_ns != NULL;
    if (has_steps)
        hc_json_object(json, NULL);
    else
        hc_json_object_line(json, NULL);
    hc_json_i32(json, "rank", worker->rank);
    hc_json_i32(json, "dp_rank", worker->dp_rank);
    hc_json_i32(json, "stage", worker->stage);
    hc_json_real(json, "slowdown", worker->slowdown);
    hc_json_real(json, "slowdown_exact", worker->exact > 0 ? worker->exact : NAN);
    if (has_steps) {
        hc_json_array_line(json, "step_slowdown");
        for (size_t s = 0; s < result->n_steps; s++)
            hc_json_real(json, NULL, hc_worker_step_slowdown(result, w, s));
        hc_json_end(json);
    } else {
        hc_json_null(json, "step_slowdown");
    }
    hc_json_end(json);
}

static void write_workers(struct hc_json_writer *json, const struct hc_whatif_result *result)
{
    hc_json_array(json, "workers");
    for (size_t w = 0; w < result->n_workers; w++)
        write_worker(json, result, w);
    hc_json_end(json);
    hc_json_array_line(json, "slowest_ranks");
    for (size_t i = 0; i < result->n_slowest; i++)
        hc_json_i32(json, NULL, result->workers[result->slowest[i]].rank);
    hc_json_end(json);
}

static void write_split(struct hc_json_writer *json, enum hc_partition partition,
                        const struct hc_split *split, size_t n_steps)
{
    const char *partition_key = hc_whatif_partition_key(partition);
    char key[32];
    snprintf(key, sizeof key, "by_%s", partition_key);
    hc_json_array(json, key);
    for (size_t g = 0; g < split->n_groups; g++) {
        const struct hc_split_group *group = &split->groups[g];
        hc_json_object(json, NULL);
        if (group->name)
            hc_json_text(json, partition_key, group->name);
        else
            hc_json_i32(json, partition_key, group->id);
        hc_json_real(json, "slowdown", group->slowdown);
        hc_json_array_line(json, "step_end_ns");
        for (size_t s = 0; s < n_steps; s++)
            hc_json_i64(json, NULL, group->end_ns[s]);
        hc_json_end(json);
        hc_json_end(json);
    }
    hc_json_end(json);
}

/* The three partitions, or null when the slowdown was below the threshold. */
static void write_splits(struct hc_json_writer *json, const char *key,
                         const struct hc_split splits[HC_N_PARTITIONS], size_t n_steps)
{
    if (splits[HC_BY_OP_TYPE].n_groups == 0) {
        hc_json_null(json, key);
        return;
    }
    hc_json_object(json, key);
    for (int partition = 0; partition < HC_N_PARTITIONS; partition++)
        write_split(json, partition, &splits[partition], n_steps);
    hc_json_end(json);
}

enum hc_status hc_whatif_write_json(FILE *stream, const struct hc_whatif_report *report,
                                    struct hc_error *err)
{
    const struct hc_whatif_result *result = report->result;
    struct hc_json_writer json;
    hc_json_start(&json, stream, 2);
    hc_json_object(&json, NULL);
    hc_json_text(&json, "schema", HC_WHATIF_SCHEMA);
    hc_json_i32(&json, "schema_major", HC_WHATIF_SCHEMA_MAJOR);
    hc_json_i32(&json, "schema_minor", HC_WHATIF_SCHEMA_MINOR);
    hc_json_text(&json, "tool_version", HC_VERSION);
    if (report->run_id)
        hc_json_text(&json, "run_id", report->run_id);
    write_input(&json, report);
    write_job(&json, &result->job);
    write_trace(&json, result);
    hc_json_row_report(&json, &result->rows);
    write_left_out(&json, result);
    write_figures(&json, result);
    hc_whatif_depth_write_json(&json, result);
    write_explained(&json, "m_s", &result->m_s);
    write_explained(&json, "m_w", &result->m_w);
    write_workers(&json, result);
    write_steps(&json, result);
    write_splits(&json, "blocking", result->blocking, result->n_steps);
    write_splits(&json, "launch", result->launch, result->n_steps);
    hc_json_end(&json);
    fputc('\n', stream);
    return hc_json_finish(&json, "the JSON record", err);
}
