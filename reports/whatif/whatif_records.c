#include "reports/whatif/whatif_records.h"

#include "core/tables/json_records.h"
#include "reports/whatif/whatif_views.h"

#include <math.h>

#define RESULT(...) HC_FIELD(struct hc_whatif_result, __VA_ARGS__)

static const struct hc_whatif_result *result_of(const struct hc_item *at)
{
    return at->record;
}

/* ---- input, options, job ---- */

static const void *job_of(const struct hc_item *at, size_t i)
{
    const struct hc_whatif_report *report = at->record;
    (void)i;
    return &report->result->job;
}

static const struct hc_field metadata_fields[] = {
    HC_FIELD(struct hc_job, "metadata_path", meta_path, "", "of the metadata, where there is any"),
    HC_FIELD(struct hc_job, "metadata_sha256", meta_sha256, "", "of its file",
             .rules = HC_NULL_IF_EMPTY),
};
static const struct hc_record_def metadata = HC_RECORD(NULL, metadata_fields);

#define REPORT(...) HC_FIELD(struct hc_whatif_report, __VA_ARGS__)
static const struct hc_field input_fields[] = {
    REPORT("path", source_path, "", "of the source"),
    REPORT("sha256", source_sha256, "", "of the source"),
    REPORT("size_bytes", source_size, "B", "of the source"),
    REPORT("format", format, "", "that it was read as"),
    REPORT("format_version", format_version, "", "of the reader"),
    HC_PART_OF(job_of, &metadata),
    REPORT("archive", archive, "", "null for a file"),
    REPORT("segment", segment, "", "null for a file"),
};
static const struct hc_record_def input = HC_RECORD(NULL, input_fields);

HC_GIVES(double, threshold_of, HC_OF(struct hc_whatif_report, at)->result->threshold)
HC_GIVES(bool, is_quick, HC_OF(struct hc_whatif_report, at)->depth == 0)

static const struct hc_field option_fields[] = {
    REPORT("steps", steps_option, "", "as given"),
    REPORT("keep_outliers", keeps_outliers, "",
           "steps that stand apart are analysed, too: by the option, or for `--compat`"),
    HC_REAL_OF("threshold", threshold_of, "", "S from which on the slowdown is decomposed"),
    HC_BOOL_OF("quick", is_quick, "the figures of the paper only"),
};
static const struct hc_record_def options = HC_RECORD(NULL, option_fields);

static const struct hc_field job_fields[] = {
    HC_SAME_PART(&hc_job_key_record),
    HC_SAME_PART(&hc_job_sizes_record),
    HC_FIELD(struct hc_job, "start_unix_ns", start_unix_ns, "ns", "start of the job since 1970"),
};
static const struct hc_record_def job = HC_RECORD(NULL, job_fields);

/* ---- the trace ---- */

HC_GIVES(size_t, count_op_types, HC_N_OP_TYPES)

/* An item is the result itself at the place of a type that it has. */
HC_GIVES_ITEM(op_type_at, result_of(at)->n_by_type[i] > 0 ? at->record : NULL)
HC_GIVES_TEXT(op_type_of, hc_op_type_name((int)at->index))
HC_GIVES(int64_t, ops_of, result_of(at)->n_by_type[at->index])
HC_GIVES(int64_t, ideal_duration_of, result_of(at)->ideal_duration_ns[at->index])

static const struct hc_field op_type_fields[] = {
    HC_TEXT_OF("op_type", op_type_of, "of the trace"),
    HC_INTEGER_OF("ops", ops_of, "", "of this type"),
    HC_INTEGER_OF("ideal_duration_ns", ideal_duration_of, "ns",
                  "of an op; of communication, of its transfer"),
};
static const struct hc_record_def op_type = HC_RECORD(NULL, op_type_fields);

static const struct hc_field graph_fields[] = {
    RESULT("ops", n_graph_ops, "", "of one dp rank"),
    RESULT("edges", n_graph_edges, "", "dependencies"),
    RESULT("groups", n_graph_groups, "", "collectives and pairs of send and receive"),
    RESULT("roots", n_graph_roots, "", "ops that wait for none"),
};
static const struct hc_record_def graph = HC_RECORD(NULL, graph_fields);

static const struct hc_field trace_fields[] = {
    RESULT("dp_size", dp_size, "", "of the rows"),
    RESULT("pp_size", pp_size, "", "of the rows"),
    RESULT("vpp_size", vpp_size, "", "of the rows"),
    RESULT("workers", n_workers, "", "dp ranks times stages", .rules = HC_ONLY_CSV),
    RESULT("uses_dp", uses_dp, "", "data-parallel collectives are in the graph"),
    RESULT("overlaps_dp", overlaps_dp, "", "gradients are reduced under the backward passes"),
    RESULT("steps", n_steps, "", "analysed"),
    RESULT("steps_left_out", n_left_out, "", "not analysed"),
    RESULT(
        "dates_are_estimated", dates_are_estimated, "",
        "of the steps: each has a clock of its own, and is taken to follow the one before without "
        "a pause"),
    RESULT("gpus_per_worker", places.group_size, "",
           "ranks that each rank of the trace stands for; 1 also where nothing says it",
           .rules = HC_NULL_BELOW_1),
    RESULT("ops", n_ops, "", "analysed"),
    RESULT("structures", n_structures, "", "different sets of ops"),
    HC_LIST_OF("op_types", count_op_types, op_type_at, &op_type, "", .rules = HC_LINE),
    HC_GROUP("graph", &graph, "of the first structure and one dp rank", .rules = HC_LINE),
    RESULT("clamped_transfers", clamped_transfers, "", "of −10 ms or less, taken as 0"),
    RESULT("clamped_delays", clamped_delays, "", "the same of launch delays"),
};
static const struct hc_record_def trace = HC_RECORD(NULL, trace_fields);

static const char *fate_name(int value)
{
    return hc_step_fate_key((enum hc_step_fate)value);
}

static const struct hc_field left_out_fields[] = {
    HC_FIELD(struct hc_left_out_step, "step", step, "", "its number"),
    HC_NAME(struct hc_left_out_step, "reason", fate, fate_name, HC_N_STEP_FATES,
            "`not_selected`, `bad_rows`, `duplicate`, `absent`, `no_graph`, `warm_up`, `outlier`"),
    HC_FIELD(struct hc_left_out_step, "detail", detail, "", "in words", .rules = HC_NULL_IF_EMPTY),
};
const struct hc_record_def hc_whatif_left_out_record = HC_RECORD(NULL, left_out_fields);

/* ---- figures ---- */

HC_GIVES(bool, is_straggling, result_of(at)->slowdown >= HC_STRAGGLING)
HC_GIVES(bool, is_discrepant, result_of(at)->discrepancy > HC_DISCREPANCY_LIMIT)

static const struct hc_field figure_fields[] = {
    RESULT("slowdown", slowdown, "", "S"),
    RESULT("waste", waste, "", "1 - 1/S"),
    HC_BOOL_OF("straggling", is_straggling, "S is 1.1 or more"),
    RESULT("mean_traced_s", traced_s, "s", "mean span of a step as traced"),
    RESULT("mean_replayed_s", replayed_s, "s", "without launch delays"),
    RESULT("mean_ideal_s", ideal_s, "s", "without stragglers"),
    RESULT("hides_waiting", hides_waiting, "",
           "the trace shows transfers without the wait before them: the launch figures are null"),
    RESULT("launch_slowdown", launch_slowdown, "", "traced over replayed"),
    RESULT("discrepancy", discrepancy, "", "between replayed and traced steps"),
    HC_BOOL_OF("discrepancy_too_large", is_discrepant, "above 5 %"),
    RESULT("delayed_error_ns", delayed_error_ns, "ns",
           "the largest difference in a step with launch delays put back"),
};
static const struct hc_record_def figures = HC_RECORD(NULL, figure_fields);

/* ---- M_S and M_W ---- */

#define EXPLAINED(...) HC_FIELD(struct hc_explained, __VA_ARGS__)
static const struct hc_field explained_fields[] = {
    EXPLAINED("explained_by_removing", rem, "", "share of the excess that goes; null without any"),
    EXPLAINED("explained_by_adding", add, "", "share that they alone bring"),
    EXPLAINED("mean_removed_s", removed_s, "s", "mean span with them ideal"),
    EXPLAINED("mean_added_s", added_s, "s", "with only them as traced"),
    EXPLAINED("mean_replayed_s", replayed_s, "s", "with all as traced"),
    EXPLAINED("mean_ideal_s", ideal_s, "s", "with all ideal"),
};
static const struct hc_record_def explained = HC_RECORD("an explained share", explained_fields);

HC_GIVES_ITEM(m_s_of, result_of(at)->m_s.done ? &result_of(at)->m_s : NULL)
HC_GIVES_ITEM(m_w_of, result_of(at)->m_w.done ? &result_of(at)->m_w : NULL)

/* ---- workers and steps ---- */

HC_GIVES(bool, has_worker_steps, result_of(at->parent)->worker_end_ns != NULL)
HC_GIVES(size_t, count_worker_steps, result_of(at->parent)->n_steps)

/* Of a worker: an item is the result, at the place of the step. */
HC_GIVES_ITEM(worker_step_at, at->parent->record)
HC_GIVES(double, step_slowdown_of,
         hc_worker_step_slowdown(at->record, at->parent->index, at->index))

static int64_t step_end_of(const struct hc_item *at)
{
    const struct hc_whatif_result *result = at->record;
    return result->worker_end_ns[at->parent->index * result->n_steps + at->index];
}

static size_t worker_index(const struct hc_item *at)
{
    return (size_t)(HC_OF(struct hc_worker, at) - result_of(at->parent)->workers);
}

/* Where a worker ran; NULL without any place, as of a result that no analysis made. */
static const struct hc_worker_place *place_of(const struct hc_item *at)
{
    const struct hc_job_places *places = &result_of(at->parent)->places;
    return worker_index(at) < places->n_workers ? &places->workers[worker_index(at)] : NULL;
}

static int64_t i64_of(int32_t number)
{
    return number == HC_MISSING_I32 ? HC_MISSING_I64 : number;
}

HC_GIVES_TEXT(node_of, hc_worker_host(&result_of(at->parent)->places, worker_index(at)))
HC_GIVES_TEXT(switch_of, hc_worker_switch(&result_of(at->parent)->places, worker_index(at)))
HC_GIVES(int64_t, first_gpu_of, place_of(at) ? i64_of(place_of(at)->first_gpu) : HC_MISSING_I64)
HC_GIVES(int64_t, last_gpu_of, place_of(at) ? i64_of(place_of(at)->last_gpu) : HC_MISSING_I64)

static const struct hc_field bare_step_slowdown = {.type = HC_AS_REAL, .real = step_slowdown_of};
static const struct hc_record_def step_slowdowns = {.n_fields = 1, .fields = &bare_step_slowdown};

#define WORKER(...) HC_FIELD(struct hc_worker, __VA_ARGS__)
static const struct hc_field worker_fields[] = {
    WORKER("rank", rank, "", "of the job"),
    WORKER("dp_rank", dp_rank, "", "of the rank"),
    WORKER("stage", stage, "", "of the rank"),
    WORKER("slowdown", slowdown, "", "approximated: the smaller of its dp rank's and its stage's"),
    WORKER("slowdown_exact", exact, "", "S with only this worker as recorded",
           .rules = HC_NULL_BELOW_1),
    HC_TEXT_OF("node", node_of, "that it ran on, where the metadata says it"),
    HC_TEXT_OF("switch", switch_of, "of the node, where the metadata says it"),
    HC_INTEGER_OF("first_gpu", first_gpu_of, "",
                  "of the node's, from 0: the first that the worker stands for; null where the "
                  "metadata does not name the nodes of all ranks"),
    HC_INTEGER_OF("last_gpu", last_gpu_of, "", "the last of them"),
    HC_LIST_OF("step_slowdown", count_worker_steps, worker_step_at, &step_slowdowns,
               "the same for each of `steps`", .has = has_worker_steps, .rules = HC_LINE),
};
const struct hc_record_def hc_whatif_worker_record = HC_RECORD(NULL, worker_fields);

HC_GIVES_ITEM(worker_of, at->parent->record)

static const struct hc_field worker_step_fields[] = {
    HC_COLUMN(struct hc_whatif_result, "step", steps, "", "its number"),
    HC_PART_OF(worker_of, &hc_whatif_worker_record),
    HC_INTEGER_OF("end_ns", step_end_of, "ns", "of the step with only this worker as recorded"),
    HC_REAL_OF("slowdown_in_step", step_slowdown_of, "", "over the ideal end"),
};
const struct hc_record_def hc_whatif_worker_step_record = HC_RECORD(NULL, worker_step_fields);

HC_GIVES(int64_t, slowest_rank_of,
         result_of(at->parent)->workers[*(const int32_t *)at->record].rank)

static const struct hc_field bare_slowest = {.type = HC_AS_I64, .integer = slowest_rank_of};
static const struct hc_record_def slowest_ranks = {.n_fields = 1, .fields = &bare_slowest};

/* ---- findings ---- */

static int64_t approximation_rank_of(const struct hc_item *at)
{
    const struct hc_whatif_result *result = at->record;
    bool is_known = isfinite(result->findings.approximation_error);
    return is_known ? result->workers[result->findings.approximation_worst].rank : HC_MISSING_I64;
}

static int64_t worst_rank_of(const struct hc_item *at)
{
    const struct hc_whatif_result *result = at->record;
    return result->workers[result->findings.wander.most].rank;
}

HC_GIVES(bool, has_wander, result_of(at)->findings.wander.n_workers > 0)

static const struct hc_field wander_fields[] = {
    RESULT("wanders", findings.wanders, "",
           "no worker is the worst in more than half of the steps"),
    RESULT("workers", findings.wander.n_workers, "", "that are the worst of some step"),
    HC_INTEGER_OF("rank", worst_rank_of, "", "the worst most often"),
    RESULT("steps", findings.wander.n_steps, "", "in so many steps"),
    RESULT("share", findings.wander.share, "", "of the excess that the worst of each step brings"),
    RESULT("next_share", findings.wander.next_share, "", "that the second worst of each brings"),
};
static const struct hc_record_def wander = HC_RECORD(NULL, wander_fields);

static bool is_pictured(const struct hc_item *at)
{
    const struct hc_whatif_report *report = hc_item_root(at);
    return report->depth != 0 && result_of(at)->n_workers > 0;
}

static const struct hc_field picture_fields[] = {
    RESULT("step", findings.picture_step, "",
           "that of median slowdown, or the one that `--picture-step` asks for; `steps` has its "
           "times"),
    RESULT("worst_dp_rank", findings.worst_dp_rank, "", "that the slowest worker is of"),
    RESULT("typical_dp_rank", findings.typical_dp_rank, "",
           "in the middle of the dp ranks, each taken by its slowest worker"),
};
static const struct hc_record_def picture = HC_RECORD(NULL, picture_fields);

HC_GIVES(size_t, count_workers, result_of(at)->findings.workers ? result_of(at)->n_workers : 0)
HC_GIVES_ITEM(worst_worker_at, &result_of(at)->workers[result_of(at)->findings.workers[i]].rank)
HC_GIVES(size_t, count_worst_steps, result_of(at)->findings.steps ? result_of(at)->n_steps : 0)
HC_GIVES_ITEM(worst_step_at, &result_of(at)->steps[result_of(at)->findings.steps[i]])

static const struct hc_field finding_fields[] = {
    RESULT("median_step_slowdown", findings.median_step_slowdown, "", "median S of the steps"),
    HC_LIST_OF("steps_worst_first", count_worst_steps, worst_step_at, &hc_i32_items,
               "by their slowdown", .rules = HC_LINE),
    HC_LIST_OF("ranks_worst_first", count_workers, worst_worker_at, &hc_i32_items,
               "by their exact slowdown where it is known, else by the approximated one",
               .rules = HC_LINE),
    RESULT("approximation_error", findings.approximation_error, "",
           "largest difference of the exact and the approximated slowdown of a worker"),
    HC_INTEGER_OF("approximation_error_rank", approximation_rank_of, "", "where it is"),
    HC_GROUP("worst_worker", &wander, "whether it is the same in every step; null: not known",
             .has = has_wander),
    HC_GROUP("picture", &picture,
             "what the page draws of one step, as recorded and ideal; null with `--quick`",
             .has = is_pictured),
};
static const struct hc_record_def findings = HC_RECORD(NULL, finding_fields);

/* ---- steps ---- */

HC_GIVES(int64_t, step_unix_of, hc_step_unix_ns(at->record, at->index))

#define STEP(...) HC_COLUMN(struct hc_whatif_result, __VA_ARGS__)
static const struct hc_field step_fields[] = {
    STEP("step", steps, "", "its number"),
    STEP("traced_ns", traced_ns, "ns", "span as traced"),
    STEP("replayed_ns", replayed_ns, "ns", "span without launch delays"),
    STEP("ideal_ns", ideal_ns, "ns", "span without stragglers"),
    STEP("replayed_end_ns", replayed_end_ns, "ns", "end of the last optimizer op"),
    STEP("ideal_end_ns", ideal_end_ns, "ns", "the same without stragglers"),
    STEP("slowdown", step_slowdown, "", "S of the step"),
    STEP("launch_slowdown", step_launch_slowdown, "", "of the step"),
    HC_INTEGER_OF("start_unix_ns", step_unix_of, "ns",
                  "when it began, since 1970; null where it is not known"),
};
const struct hc_record_def hc_whatif_step_record = HC_RECORD(NULL, step_fields);

HC_GIVES(size_t, count_steps, result_of(at)->n_steps)
HC_GIVES_ITEM(step_at, at->record)

/* ---- splits ---- */

HC_GIVES_ITEM(end_at, &HC_OF(struct hc_split_group, at)->end_ns[i])
HC_GIVES(size_t, count_ends, result_of(at->parent)->n_steps)

#define GROUP(...) HC_FIELD(struct hc_split_group, __VA_ARGS__)
static const struct hc_field split_fields[] = {
    GROUP("slowdown", slowdown, "", "S with this group as recorded"),
    HC_LIST_OF("step_end_ns", count_ends, end_at, &hc_i64_items, "an end for each of `steps`",
               .rules = HC_LINE),
};
static const struct hc_record_def split = HC_RECORD(NULL, split_fields);

static const struct hc_field dp_rank_fields[] = {
    GROUP("dp_rank", id, "", "that the group is of"),
    HC_SAME_PART(&split),
};
static const struct hc_field stage_fields[] = {
    GROUP("stage", id, "", "that the group is of"),
    HC_SAME_PART(&split),
};
static const struct hc_field type_fields[] = {
    GROUP("op_type", name, "", "that the group is of"),
    HC_SAME_PART(&split),
};
static const struct hc_record_def dp_rank_group = HC_RECORD(NULL, dp_rank_fields);
static const struct hc_record_def stage_group = HC_RECORD(NULL, stage_fields);
static const struct hc_record_def type_group = HC_RECORD(NULL, type_fields);

#define SPLIT(name, kind, partition, def)                                                          \
    HC_LIST(struct hc_whatif_result, name, kind[partition].groups, kind[partition].n_groups, def,  \
            "")
static const struct hc_field blocking_fields[] = {
    SPLIT("by_dp_rank", blocking, HC_BY_DP_RANK, &dp_rank_group),
    SPLIT("by_stage", blocking, HC_BY_STAGE, &stage_group),
    SPLIT("by_op_type", blocking, HC_BY_OP_TYPE, &type_group),
};
static const struct hc_field launch_fields[] = {
    SPLIT("by_dp_rank", launch, HC_BY_DP_RANK, &dp_rank_group),
    SPLIT("by_stage", launch, HC_BY_STAGE, &stage_group),
    SPLIT("by_op_type", launch, HC_BY_OP_TYPE, &type_group),
};
static const struct hc_record_def blocking = HC_RECORD(NULL, blocking_fields);
static const struct hc_record_def launch = HC_RECORD(NULL, launch_fields);

HC_GIVES(bool, has_blocking, result_of(at)->blocking[HC_BY_OP_TYPE].n_groups > 0)
HC_GIVES(bool, has_launch, result_of(at)->launch[HC_BY_OP_TYPE].n_groups > 0)
HC_GIVES_TEXT(kind_of, at->parent->parent->index == 0 ? "blocking" : "launch")
HC_GIVES_TEXT(partition_of, hc_whatif_partition_key((enum hc_partition)at->parent->index))

static const char *group_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    const struct hc_split_group *group = at->record;
    if (group->name)
        return group->name;
    snprintf(room, HC_CELL_ROOM, "%d", (int)group->id);
    return room;
}

static const struct hc_field group_fields[] = {
    HC_TEXT_OF("kind", kind_of, "`blocking` or `launch`"),
    HC_TEXT_OF("partition", partition_of, "`dp_rank`, `stage` or `op_type`"),
    HC_TEXT_OF("group", group_of, "number or name"),
    GROUP("slowdown", slowdown, "", "S with this group as recorded"),
};
const struct hc_record_def hc_whatif_group_record = HC_RECORD(NULL, group_fields);

/* ---- the document ---- */

static const struct hc_field result_fields[] = {
    HC_OBJECT(struct hc_whatif_result, "job", job, &job,
              "the sizes are of the trace where the metadata has none"),
    HC_GROUP("trace", &trace, ""),
    HC_OBJECT(struct hc_whatif_result, "rows", rows, &hc_row_report_record, ""),
    HC_LIST(struct hc_whatif_result, "steps_left_out", left_out, n_left_out,
            &hc_whatif_left_out_record, "", .rules = HC_LINE),
    HC_GROUP("figures", &figures, ""),
    HC_SAME_PART(&hc_whatif_depth_record),
    HC_OBJECT_OF("m_s", m_s_of, &explained,
                 "M_S, of the last stage; null when not done, its shares null with one stage"),
    HC_OBJECT_OF("m_w", m_w_of, &explained,
                 "M_W, of the slowest 3 % of the workers; null when not done"),
    HC_LIST(struct hc_whatif_result, "workers", workers, n_workers, &hc_whatif_worker_record,
            "by dp rank, then stage", .rules = HC_LINE),
    HC_LIST(struct hc_whatif_result, "slowest_ranks", slowest, n_slowest, &slowest_ranks,
            "that M_W is about, worst first", .rules = HC_LINE),
    HC_GROUP("findings", &findings, ""),
    HC_LIST_OF("steps", count_steps, step_at, &hc_whatif_step_record, "those analysed",
               .rules = HC_LINE),
    HC_GROUP("blocking", &blocking,
             "S with one group as recorded and all else ideal; null below the threshold",
             .has = has_blocking),
    HC_GROUP("launch", &launch, "the same for launch delays, over the replayed step",
             .has = has_launch),
};
static const struct hc_record_def result = HC_RECORD(NULL, result_fields);

HC_GIVES_ITEM(result_in, HC_OF(struct hc_whatif_report, at)->result)

static const char *tool_version_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    (void)at;
    (void)room;
    return HC_VERSION;
}

static const struct hc_field document_fields[] = {
    HC_TEXT_OF("tool_version", tool_version_of, "of hindcast", .rules = HC_ONLY_CSV),
    HC_GROUP("input", &input, ""),
    HC_GROUP("options", &options, ""),
    HC_PART_OF(result_in, &result),
};
const struct hc_record_def hc_whatif_record = HC_RECORD(NULL, document_fields);
