#include "reports/profiles/profile_records.h"

#include "core/tables/json_records.h"
#include "reports/profiles/profile_views.h"

#include <math.h>

static const struct hc_profile_report *report_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

/* ---- ranks ---- */

static const struct hc_profile_rank *rank_at(const struct hc_item *at)
{
    return &report_of(at)->profile->ranks[at->index];
}

static int64_t counted(const struct hc_item *at, enum hc_ranks_column column)
{
    return hc_table_i64(&rank_at(at)->table[HC_PROFILE_RANKS], column)[0];
}

static const char *origin_of(const struct hc_item *at)
{
    static const char *const names[] = {
        [HC_RANK_RECORDED] = "recorded", [HC_RANK_OF_NAME] = "name", [HC_RANK_ALONE] = "alone"};
    return names[hc_table_i32(&rank_at(at)->table[HC_PROFILE_RANKS], HC_RANKS_RANK_ORIGIN)[0]];
}

HC_GIVES(int64_t, number_of, rank_at(at)->rank)
HC_GIVES_TEXT(rank_origin_of, origin_of(at))
HC_GIVES(int64_t, unlinked_of, (int64_t)rank_at(at)->n_unlinked)
HC_GIVES(int64_t, steps_of, (int64_t)rank_at(at)->n_steps)
HC_GIVES(int64_t, gpu_events_of, (int64_t)rank_at(at)->table[HC_PROFILE_GPU].n_rows)
HC_GIVES(int64_t, calls_of, counted(at, HC_RANKS_N_CALLS))
HC_GIVES(int64_t, cpu_ops_of, counted(at, HC_RANKS_N_CPU_OPS))
HC_GIVES(int64_t, python_of, counted(at, HC_RANKS_N_PYTHON))
HC_GIVES(bool, is_cut, hc_table_i32(&rank_at(at)->table[HC_PROFILE_RANKS], HC_RANKS_IS_CUT)[0] == 1)

#define FILE_(...) HC_FIELD(struct hc_traced_file, __VA_ARGS__)
static const struct hc_field rank_fields[] = {
    HC_INTEGER_OF("rank", number_of, "", "global rank"),
    HC_TEXT_OF("rank_origin", rank_origin_of, "`recorded`, `name` (of the file) or `alone`"),
    FILE_("path", path, "", "of its trace"),
    FILE_("sha256", sha256, "", "of its bytes"),
    FILE_("size_bytes", size, "B", "of it"),
    FILE_("format", format, "", "that it was read as"),
    FILE_("segment", segment, "", "of the archive; null for a file"),
    FILE_("events", n_events, "", "read"),
    FILE_("dropped", n_dropped, "", "of them, for their time"),
    HC_INTEGER_OF("steps", steps_of, "", "of the trace"),
    HC_INTEGER_OF("gpu_events", gpu_events_of, "", "kernels, copies and sets"),
    HC_INTEGER_OF("unlinked", unlinked_of, "", "GPU events whose launch is not in the trace"),
    HC_INTEGER_OF("calls", calls_of, "", "of runtime and driver"),
    HC_INTEGER_OF("cpu_ops", cpu_ops_of, "", "of the framework"),
    HC_INTEGER_OF("python_events", python_of, "", "not kept"),
    HC_BOOL_OF("is_cut", is_cut, "the tail of the trace is missing"),
};
static const struct hc_record_def rank_record = HC_RECORD("a rank", rank_fields);

HC_GIVES(size_t, n_ranks, report_of(at)->profile->n_ranks)
HC_GIVES_ITEM(file_at, &report_of(at)->files[i])

static const struct hc_field gap_fields[] = {
    HC_FIELD(struct hc_rank_range, "first", first, "", "of ranks without a trace"),
    HC_FIELD(struct hc_rank_range, "last", last, "", "of them"),
};
static const struct hc_record_def gap_record = HC_RECORD(NULL, gap_fields);

/* ---- breakdown ---- */

#define ROW(...) HC_FIELD(struct hc_breakdown_row, __VA_ARGS__)
static const struct hc_field breakdown_fields[] = {
    ROW("rank", rank, "", ""),
    ROW("step", step, "", "null: the whole trace"),
    ROW("cpu_step_ns", cpu_step_ns, "ns", "from the start of the step to its end on the CPU"),
    ROW("window_ns", breakdown.window_ns, "ns",
        "of the GPU: compute, exposed_comm, exposed_memcpy and idle are all of it"),
    ROW("compute_ns", breakdown.compute_ns, "ns", "in which a kernel computes"),
    ROW("exposed_comm_ns", breakdown.exposed_comm_ns, "ns",
        "of communication while nothing computes"),
    ROW("overlapped_comm_ns", breakdown.overlapped_comm_ns, "ns",
        "of communication behind compute"),
    ROW("exposed_memcpy_ns", breakdown.exposed_memcpy_ns, "ns", "of copies and nothing else"),
    ROW("idle_ns", breakdown.idle_ns, "ns", "in which nothing runs"),
    ROW("lag_ns", lag_ns, "ns", "by which the GPU ends after the CPU window"),
};
static const struct hc_record_def breakdown_record = HC_RECORD("a window", breakdown_fields);

HC_GIVES(bool, has_breakdown, report_of(at)->breakdown != NULL)
HC_GIVES(size_t, n_breakdowns, report_of(at)->breakdown ? report_of(at)->breakdown->n : 0)
HC_GIVES_ITEM(breakdown_at, &report_of(at)->breakdown->rows[i])

/* ---- collectives ---- */

static const struct hc_collectives *collectives_of(const struct hc_item *at)
{
    return report_of(at)->collectives;
}

static const struct hc_comm_group *group_of(const struct hc_item *at)
{
    return &collectives_of(at)->groups[HC_OF(struct hc_collective, at)->group];
}

static uint32_t kernel_of(const struct hc_item *at)
{
    const struct hc_collective *collective = HC_OF(struct hc_collective, at->parent);
    return collectives_of(at)->member_kernels[collective->first + at->index];
}

static int32_t member_rank(const struct hc_item *at)
{
    uint32_t rank_index = collectives_of(at)->kernels[kernel_of(at)].rank_index;
    return report_of(at)->profile->ranks[rank_index].rank;
}

HC_GIVES(int64_t, member_of, member_rank(at))
HC_GIVES(int64_t, wait_of,
         collectives_of(at)->wait_ns[HC_OF(struct hc_collective, at->parent)->first + at->index])

HC_GIVES(int64_t, waited_in, (int64_t)at->parent->index)

static const struct hc_field wait_fields[] = {
    HC_INTEGER_OF("collective", waited_in, "", "its number"),
    HC_INTEGER_OF("rank", member_of, "", "of a member"),
    HC_INTEGER_OF("wait_ns", wait_of, "ns", "from its arrival to the last one"),
};
static const struct hc_record_def wait_record = HC_RECORD(NULL, wait_fields);

HC_GIVES(int64_t, index_of, (int64_t)at->index)
HC_GIVES_TEXT(op_of, HC_OF(struct hc_collective, at)->op)
HC_GIVES_TEXT(group_name_of, group_of(at)->name)
HC_GIVES_TEXT(description_of, group_of(at)->description)
HC_GIVES(size_t, n_waits, HC_OF(struct hc_collective, at)->n)
HC_GIVES_ITEM(wait_at, &collectives_of(at)->wait_ns[HC_OF(struct hc_collective, at)->first + i])

HC_GIVES(bool, has_expected, report_of(at)->expected_gb_s != NULL)
HC_GIVES(double, expected_of, report_of(at)->expected_gb_s[at->index])
#define COLLECTIVE(...) HC_FIELD(struct hc_collective, __VA_ARGS__)
static const struct hc_field collective_fields[] = {
    HC_INTEGER_OF("collective", index_of, "", "its number, by time"),
    HC_TEXT_OF("op", op_of, "`all_reduce`, ..."),
    HC_TEXT_OF("group", group_name_of, "process group, as its lowest rank names it"),
    HC_TEXT_OF("group_description", description_of, ""),
    COLLECTIVE("members", n, "", "that have a trace"),
    COLLECTIVE("is_complete", is_complete, "", "all members have one"),
    COLLECTIVE("is_by_order", is_by_order, "", "joined by its place, not by a sequence number"),
    COLLECTIVE("is_mismatched", is_mismatched, "",
               "members disagree in op or elements: there are no waits"),
    COLLECTIVE("violates_causality", violates_causality, "", "a member ends before another starts"),
    COLLECTIVE("last_rank", last_rank, "",
               "that arrives last; null: the clocks of the members are not comparable"),
    COLLECTIVE("last_is_unsure", last_is_unsure, "",
               "the lead is within twice the largest residual of the clocks"),
    COLLECTIVE("arrival_ns", arrival_ns, "ns", "of the last, aligned Unix time"),
    COLLECTIVE("lead_ns", lead_ns, "ns", "of the last arrival behind the one before"),
    COLLECTIVE("transfer_ns", transfer_ns, "ns", "shortest time of a member"),
    COLLECTIVE("end_skew_ns", end_skew_ns, "ns", "between the first and the last end"),
    COLLECTIVE("bytes", bytes, "B", "as nccl-tests counts them"),
    COLLECTIVE("busbw_gb_s", busbw_gb_s, "GB/s", "bus bandwidth"),
    HC_REAL_OF("expected_gb_s", expected_of, "GB/s", "by `--baseline`", .has = has_expected),
    HC_LIST_OF("waits", n_waits, wait_at, &wait_record, "of each member"),
};
static const struct hc_record_def collective_record = HC_RECORD("a collective", collective_fields);

HC_GIVES(bool, has_collectives, report_of(at)->collectives != NULL)
HC_GIVES(size_t, n_collectives, collectives_of(at) ? collectives_of(at)->n : 0)
HC_GIVES_ITEM(collective_at, &collectives_of(at)->collectives[i])

/* ---- stragglers and clocks: a row a rank ---- */

static const struct hc_profile_variants *variants_of(const struct hc_item *at)
{
    const struct hc_profile_whatif_result *w = report_of(at)->whatif;
    return w && w->ranks ? &w->ranks[at->index] : NULL;
}

HC_GIVES(bool, has_variants, variants_of(at) != NULL)
HC_GIVES(int64_t, cost_of, variants_of(at)->cost_ns)
HC_GIVES(int64_t, gain_of, variants_of(at)->gain_ns)
HC_GIVES(int64_t, only_of, variants_of(at)->only_ns)
HC_GIVES(int64_t, mend_of, variants_of(at)->mend_ns)
HC_GIVES(int64_t, skew_of, variants_of(at)->start_skew_ns)

#define CLOCK(...) HC_FIELD(struct hc_rank_clock, __VA_ARGS__)
static const struct hc_field straggler_fields[] = {
    HC_INTEGER_OF("rank", number_of, "", ""),
    CLOCK("last_in", n_last, "", "collectives where it arrives last"),
    CLOCK("caused_wait_ns", caused_wait_ns, "ns", "what the others wait for it there"),
    CLOCK("wait_ns", wait_ns, "ns", "what it waits for others"),
    HC_INTEGER_OF("start_skew_ns", skew_of, "ns", "its start behind the earliest",
                  .has = has_variants),
    HC_INTEGER_OF("cost_ns", cost_of, "ns", "only_ns less T ideal", .has = has_variants),
    HC_INTEGER_OF("only_ns", only_of, "ns", "T with all others ideal", .has = has_variants),
    HC_INTEGER_OF("gain_ns", gain_of, "ns", "T less mend_ns", .has = has_variants),
    HC_INTEGER_OF("mend_ns", mend_of, "ns", "T with this rank alone as its peers",
                  .has = has_variants),
    CLOCK("component", component, "", "ranks of different ones are not comparable"),
    CLOCK("offset_ns", offset_ns, "ns", "its clock less that of the lowest rank of its component"),
    CLOCK("drift", drift, "", "ns gained per ns; 0: it does not drift"),
    CLOCK("offset_low_ns", low_ns, "ns", "bound that needs no model; null: none"),
    CLOCK("offset_high_ns", high_ns, "ns", "the other bound"),
};
static const struct hc_record_def straggler_record = HC_RECORD(NULL, straggler_fields);

HC_GIVES(size_t, n_clocks, collectives_of(at) ? report_of(at)->profile->n_ranks : 0)
HC_GIVES_ITEM(clock_at, &collectives_of(at)->clocks[i])
HC_GIVES(int64_t, median_of, collectives_of(at)->median_residual_ns)
HC_GIVES(int64_t, largest_of, collectives_of(at)->max_residual_ns)
HC_GIVES(bool, is_aligned, collectives_of(at)->is_aligned)
HC_GIVES(bool, drifts, collectives_of(at)->has_drift)
HC_GIVES(int64_t, local_of, (int64_t)collectives_of(at)->n_local)

#define REFUSED(...) HC_FIELD(struct hc_comm_group, __VA_ARGS__)
static const struct hc_field group_fields[] = {
    REFUSED("group", name, "", "on its lowest rank"),
    REFUSED("group_description", description, "", ""),
    REFUSED("size", size, "", "members"),
    REFUSED("members_seen", n_members, "", "of them"),
    REFUSED("is_refused", is_refused, "",
            "its matches by order violate causality or disagree: its kernels stay local"),
    REFUSED("kernels", n_kernels, "", "of communication"),
    REFUSED("matched_by_order", n_by_order, "", "collectives without a sequence number"),
    REFUSED("mismatches", n_mismatches, "", "of its collectives"),
    REFUSED("violations", n_violations, "", "of causality"),
};
static const struct hc_record_def group_record = HC_RECORD(NULL, group_fields);

static const struct hc_field matching_fields[] = {
    HC_BOOL_OF("is_aligned", is_aligned, "the clocks were aligned"),
    HC_BOOL_OF("has_drift", drifts, "step by step"),
    HC_INTEGER_OF("median_residual_ns", median_of, "ns", "of ends of collectives"),
    HC_INTEGER_OF("max_residual_ns", largest_of, "ns", "of them"),
    HC_INTEGER_OF("local_kernels", local_of, "", "of communication that are joined to none"),
    HC_LIST(struct hc_collectives, "groups", groups, n_groups, &group_record, "of processes"),
};
static const struct hc_record_def matching_record = HC_RECORD(NULL, matching_fields);

/* ---- what-if ---- */

HC_GIVES_TEXT(part_of, hc_path_part_text((enum hc_path_part)at->index))
HC_GIVES(int64_t, part_ns_of, report_of(at)->whatif->path_ns[at->index])
static const struct hc_field part_fields[] = {
    HC_TEXT_OF("part", part_of, "of the critical path"),
    HC_INTEGER_OF("time_ns", part_ns_of, "ns", "of it"),
};
static const struct hc_record_def part_record = HC_RECORD(NULL, part_fields);
HC_GIVES(size_t, n_parts, HC_N_PATH_PARTS)
HC_GIVES_ITEM(part_at, &report_of(at)->whatif->path_ns[i])

HC_GIVES(int64_t, by_of,
         HC_OF(struct hc_path_stretch, at)->collective < 0
             ? HC_MISSING_I64
             : HC_OF(struct hc_path_stretch, at)->collective)
#define STRETCH(...) HC_FIELD(struct hc_path_stretch, __VA_ARGS__)
static const struct hc_field stretch_fields[] = {
    STRETCH("rank", rank, "", ""),
    STRETCH("from_ns", from_ns, "ns", "aligned Unix time"),
    STRETCH("to_ns", to_ns, "ns", ""),
    HC_INTEGER_OF("collective", by_of, "", "by which the path came over; null: none"),
};
static const struct hc_record_def stretch_record = HC_RECORD(NULL, stretch_fields);

#define PREDICTION(...) HC_FIELD(struct hc_step_prediction, __VA_ARGS__)
static const struct hc_field prediction_fields[] = {
    PREDICTION("first_step", first_step, "", "number of the step"),
    PREDICTION("last_step", last_step, "", "of several that hang together; else the same"),
    PREDICTION("traced_ns", traced_ns, "ns", "time of the step"),
    PREDICTION("predicted_ns", predicted_ns, "ns", "the same with the work of the other steps"),
    PREDICTION("error", error, "", "predicted / traced - 1"),
    PREDICTION("share_without_twin", share_without_twin, "",
               "of the time of its work, which no other step has"),
};
static const struct hc_record_def prediction_record = HC_RECORD(NULL, prediction_fields);

#define WHATIF(...) HC_FIELD(struct hc_profile_whatif_result, __VA_ARGS__)
static const struct hc_field whatif_fields[] = {
    WHATIF("slowdown", slowdown, "", "S = T / T ideal"),
    WHATIF("waste", waste, "", "1 - 1/S"),
    WHATIF("is_unreliable", is_unreliable, "", "the rules do not explain these traces"),
    WHATIF("steps", n_steps, "", "that the window has"),
    WHATIF("traced_ns", traced_ns, "ns", "T as traced"),
    WHATIF("replayed_ns", replayed_ns, "ns", "T replayed, nothing changed"),
    WHATIF("structural_ns", structural_ns, "ns", "T by the rules alone, without residuals"),
    WHATIF("unexplained_ns", unexplained_ns, "ns", "residuals on the critical path"),
    WHATIF("ideal_ns", ideal_ns, "ns", "T with the work and starts of all ranks at their medians"),
    WHATIF("no_skew_ns", no_skew_ns, "ns", "T with the starts alone"),
    WHATIF("gpu_ideal_ns", gpu_ideal_ns, "ns", "T with the GPU work alone"),
    WHATIF("cpu_ideal_ns", cpu_ideal_ns, "ns", "T with the CPU work alone"),
    WHATIF("gpu_share_with_peers", gpu_share_with_peers, "", "of GPU time"),
    WHATIF("cpu_share_with_peers", cpu_share_with_peers, "", "of CPU time"),
    WHATIF("points", n_points, "", "of the graph"),
    WHATIF("median_prediction_error", median_prediction_error, "",
           "lower median of the sizes of the errors of `predictions`"),
    HC_LIST(struct hc_profile_whatif_result, "predictions", predictions, n_predictions,
            &prediction_record, "each step from the others; none with fewer than three steps"),
    HC_LIST_OF("path", n_parts, part_at, &part_record, "parts of the critical path"),
    HC_LIST(struct hc_profile_whatif_result, "path_ranks", path, n_path, &stretch_record,
            "the ranks that it runs over, in order of time"),
};
static const struct hc_record_def whatif_record = HC_RECORD(NULL, whatif_fields);

static const struct hc_profile_question *question_at(const struct hc_item *at)
{
    return &report_of(at)->questions[at->index];
}

static int64_t answer_at(const struct hc_item *at)
{
    return report_of(at)->whatif->answer_ns[at->index];
}

static const char *kind_of_question(const struct hc_item *at)
{
    static const char *const kinds[] = {
        [HC_ASK_SCALE] = "scale", [HC_ASK_MEND] = "mend", [HC_ASK_ONLY] = "only"};
    return kinds[question_at(at)->ask];
}

HC_GIVES(int64_t, asked_rank, question_at(at->parent)->ranks[at->index])
static const struct hc_field asked_rank_fields[] = {
    HC_INTEGER_OF("rank", asked_rank, "", ""),
};
static const struct hc_record_def asked_rank_record = HC_RECORD(NULL, asked_rank_fields);
HC_GIVES(size_t, n_asked_ranks, question_at(at)->n_ranks)
HC_GIVES_ITEM(asked_rank_item, &question_at(at)->ranks[i])

HC_GIVES_TEXT(question_of, hc_question_name(question_at(at), room))
HC_GIVES_TEXT(question_kind, kind_of_question(at))
HC_GIVES(int64_t, answer_of, answer_at(at))
HC_GIVES(int64_t, saved_of, report_of(at)->whatif->replayed_ns - answer_at(at))
HC_GIVES(int64_t, above_ideal, answer_at(at) - report_of(at)->whatif->ideal_ns)
static const struct hc_field question_fields[] = {
    HC_TEXT_OF("question", question_of, "in words"),
    HC_TEXT_OF("kind", question_kind, "\"scale\", \"mend\" (of `--fix`) or \"only\""),
    HC_LIST_OF("ranks", n_asked_ranks, asked_rank_item, &asked_rank_record,
               "that it is of; empty: all"),
    HC_INTEGER_OF("time_ns", answer_of, "ns", "T with it"),
    HC_INTEGER_OF("gain_ns", saved_of, "ns", "T replayed less time_ns"),
    HC_INTEGER_OF("cost_ns", above_ideal, "ns",
                  "time_ns less T ideal: what ranks cost that are alone as traced"),
};
static const struct hc_record_def question_record = HC_RECORD("a question", question_fields);
HC_GIVES(bool, has_questions, report_of(at)->whatif &&report_of(at)->n_questions > 0)
HC_GIVES(size_t, n_questions, report_of(at)->whatif ? report_of(at)->n_questions : 0)
HC_GIVES_ITEM(question_item, &report_of(at)->questions[i])

/* ---- the report ---- */

HC_GIVES_ITEM(job_of, report_of(at)->job)
HC_GIVES(int64_t, world_of, report_of(at)->profile->world_size)
HC_GIVES(bool, disagree, report_of(at)->profile->has_unequal_worlds)
HC_GIVES(size_t, n_gaps, report_of(at)->profile->n_gaps)
HC_GIVES_ITEM(gap_at, &report_of(at)->profile->gaps[i])
HC_GIVES_TEXT(verdict_of, hc_profile_verdict(report_of(at), room))
HC_GIVES_ITEM(whatif_of, report_of(at)->whatif)
HC_GIVES_ITEM(matching_of, report_of(at)->collectives)
HC_GIVES(bool, has_whatif, report_of(at)->whatif != NULL)

static const struct hc_field report_fields[] = {
    HC_PART_OF(job_of, &hc_job_key_record),
    HC_FIELD(struct hc_profile_report, "archive", archive, "", "null for files"),
    HC_INTEGER_OF("world_size", world_of, "", "ranks of the job"),
    HC_BOOL_OF("worlds_differ", disagree, "the traces do not agree on it"),
    HC_LIST_OF("missing", n_gaps, gap_at, &gap_record, "ranks without a trace"),
    HC_LIST_OF("ranks", n_ranks, file_at, &rank_record, "that have one"),
    HC_TEXT_OF("verdict", verdict_of, "in words", .has = has_collectives, .rules = HC_LEFT_OUT),
    HC_OBJECT_OF("whatif", whatif_of, &whatif_record, "", .has = has_whatif, .rules = HC_LEFT_OUT),
    HC_LIST_OF("questions", n_questions, question_item, &question_record,
               "of `--scale`, `--fix` and `--only`", .has = has_questions, .rules = HC_LEFT_OUT),
    HC_LIST_OF("breakdown", n_breakdowns, breakdown_at, &breakdown_record, "by rank and step",
               .has = has_breakdown, .rules = HC_LEFT_OUT),
    HC_OBJECT_OF("matching", matching_of, &matching_record, "how collectives were joined",
                 .has = has_collectives, .rules = HC_LEFT_OUT),
    HC_LIST_OF("stragglers", n_clocks, clock_at, &straggler_record, "each rank",
               .has = has_collectives, .rules = HC_LEFT_OUT),
    HC_LIST_OF("collectives", n_collectives, collective_at, &collective_record, "in order of time",
               .has = has_collectives, .rules = HC_LEFT_OUT),
};
const struct hc_record_def hc_profile_record = HC_RECORD(NULL, report_fields);
