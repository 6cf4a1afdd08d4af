#include "reports/startup/startup_records.h"

#include "core/base/clock.h"
#include "reports/startup/startup_report.h"

static const struct hc_startup_report *report_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

static const struct hc_startup_result *result_of(const struct hc_item *at)
{
    return report_of(at)->result;
}

/* ---- leaves and phases ---- */

#define LEAF(...) HC_FIELD(struct hc_startup_leaf_row, __VA_ARGS__)
HC_GIVES_TEXT(leaf_what, hc_what_name(HC_OF(struct hc_startup_leaf_row, at)->what))
static const struct hc_field leaf_fields[] = {
    HC_TEXT_OF("what", leaf_what, "the leaf of the account"),
    LEAF("gpu_hours", gpu_hours, "GPU-hours", "of it"),
    LEAF("share", share, "", "of all start-up"),
    LEAF("share_of_held", share_of_held, "", "of all GPU-hours held"),
};
static const struct hc_record_def leaf_record = HC_RECORD(NULL, leaf_fields);

#define PHASE(...) HC_FIELD(struct hc_startup_phase_row, __VA_ARGS__)
HC_GIVES_TEXT(phase_of, hc_phase_name(HC_OF(struct hc_startup_phase_row, at)->phase))
static const struct hc_field phase_fields[] = {
    HC_TEXT_OF("phase", phase_of, "that nodes mark"),
    PHASE("starts", n_starts, "", "whose nodes marked it"),
    PHASE("times", n_nodes, "", "own times: one a node and start"),
    PHASE("median_s", median_s, "s", "of the own times"),
    PHASE("slowest_s", slowest_s, "s", "most of the own times"),
    PHASE("straggler_ratio", ratio_median, "", "slowest node over median node: median of starts"),
    PHASE("straggler_ratio_most", ratio_most, "", "the same: most"),
    PHASE("waiting_share", waiting_share, "",
          "of the time of the phase, in which a node was done and waited for the slowest"),
    PHASE("waiting_gpu_hours", waiting_gpu_hours, "GPU-hours", "that these waits held"),
};
static const struct hc_record_def phase_record = HC_RECORD(NULL, phase_fields);

/* ---- groups and classes ---- */

#define GROUP(...) HC_FIELD(struct hc_startup_group_row, __VA_ARGS__)
HC_GIVES_TEXT(row_by, hc_startup_group_name((enum hc_startup_group)at->parent->index))
static const struct hc_field group_fields[] = {
    HC_TEXT_OF("by", row_by, "what it is grouped by", .rules = HC_ONLY_CSV),
    GROUP("name", name, "", "of the group; ? where the record says none"),
    GROUP("starts", n_starts, "", "that began in these days"),
    GROUP("held", held, "GPU-hours", "in these days"),
    GROUP("startup", startup, "GPU-hours", "of them"),
    GROUP("share", share, "", "of them"),
    GROUP("avoidable", avoidable, "GPU-hours",
          "of starts that began in these days: above the best tenth of their class"),
};
static const struct hc_record_def group_record = HC_RECORD(NULL, group_fields);
HC_GIVES_TEXT(by_of, hc_startup_group_name((enum hc_startup_group)at->index))
HC_GIVES(size_t, count_rows, result_of(at)->n_groups[at->index])
HC_GIVES_ITEM(row_at, &result_of(at)->groups[at->index][i])
static const struct hc_field grouping_fields[] = {
    HC_TEXT_OF("by", by_of, "what it is grouped by"),
    HC_LIST_OF("rows", count_rows, row_at, &group_record, "most start-up first", .rules = HC_LINE),
};
static const struct hc_record_def grouping_record = HC_RECORD(NULL, grouping_fields);

#define CLASS(...) HC_FIELD(struct hc_startup_class_row, __VA_ARGS__)
static const struct hc_field class_fields[] = {
    CLASS("class", name, "", "partition, GPUs, and whether it is of an allocation or in place"),
    CLASS("starts", n_starts, "", "that came to a step"),
    CLASS("best_s", best_s, "s",
          "the overhead that a tenth of them do not exceed; null: too few starts"),
    CLASS("median_s", median_s, "s", "of the overheads"),
    CLASS("most_s", most_s, "s", "of the overheads"),
    CLASS("gpu_hours", gpu_hours, "GPU-hours", "of start-up"),
    CLASS("avoidable", avoidable, "GPU-hours", "above the best tenth; null: too few starts"),
};
static const struct hc_record_def class_record = HC_RECORD(NULL, class_fields);

/* ---- nodes ---- */

#define NODE(...) HC_FIELD(struct hc_startup_node_row, __VA_ARGS__)
static const struct hc_field node_fields[] = {
    NODE("node", node, "", "its name"),
    NODE("times", n_times, "", "own times: one a start and phase"),
    NODE("slow", n_slow, "",
         "of them, 1.5 times the median of their start and 5 s above it, of 3 nodes or more"),
    NODE("slow_starts", n_starts, "", "starts in which it was slow"),
    NODE("expected", expected, "", "slow times by the rate of the other nodes"),
    NODE("chance", chance, "",
         "of so many slow times or more by that rate, times the number of nodes, at most 1"),
    NODE("is_slow", is_slow, "", "chance below 0.01, and slow in two starts or more"),
    NODE("own_s", own_s, "s", "its own time in the phases that nodes mark: mean of starts"),
    NODE("extra_gpu_hours", extra_gpu_hours, "GPU-hours",
         "for which all waited for it alone: beyond the second slowest node"),
};
static const struct hc_record_def node_record = HC_RECORD(NULL, node_fields);

/* ---- the report ---- */

#define RESULT(...) HC_FIELD(struct hc_startup_result, __VA_ARGS__)
static const struct hc_field total_fields[] = {
    RESULT("held", held, "GPU-hours", "in these days"),
    RESULT("startup", startup, "GPU-hours", "of them"),
    RESULT("share", share, "", "of them"),
    RESULT("starts", n_starts, "", "that began in these days"),
    RESULT("failed", n_failed, "", "of them, that came to no step"),
    RESULT("avoidable", avoidable, "GPU-hours", "of these starts, above the best tenth"),
    RESULT("avoidable_share", avoidable_share, "",
           "of the start-up of these starts whose class has a best tenth"),
    RESULT("without_class", without_class, "GPU-hours",
           "of start-up of those whose class has too few starts"),
};
static const struct hc_record_def total_record = HC_RECORD(NULL, total_fields);

#define REPORT(...) HC_FIELD(struct hc_startup_report, __VA_ARGS__)
HC_GIVES_TEXT(as_of_of, hc_known_iso8601(report_of(at)->as_of_ns, room))
HC_GIVES_ITEM(total_of, result_of(at))
HC_GIVES(size_t, count_leaves, result_of(at)->n_leaves)
HC_GIVES_ITEM(leaf_at, &result_of(at)->leaves[i])
HC_GIVES(size_t, count_phases, result_of(at)->n_phases)
HC_GIVES_ITEM(phase_at, &result_of(at)->phases[i])
HC_GIVES(size_t, count_groupings, HC_N_STARTUP_GROUPS)
HC_GIVES_ITEM(grouping_at, result_of(at)->groups[i])
HC_GIVES(size_t, count_classes, result_of(at)->n_classes)
HC_GIVES_ITEM(class_at, &result_of(at)->classes[i])
HC_GIVES(size_t, count_nodes, result_of(at)->n_nodes)
HC_GIVES_ITEM(node_at, &result_of(at)->nodes[i])
static const struct hc_field report_fields[] = {
    REPORT("archive", archive, "", "that was read"),
    REPORT("cluster", cluster, "", "that was asked for; null: all"),
    REPORT("zone", zone, "", "of the days"),
    REPORT("first_day", first_day, "", "that is looked at"),
    REPORT("last_day", last_day, "", "that is looked at"),
    HC_TEXT_OF("as_of", as_of_of, "what came later is not known"),
    HC_OBJECT_OF("totals", total_of, &total_record, "all of it"),
    HC_LIST_OF("leaves", count_leaves, leaf_at, &leaf_record, "where start-up went",
               .rules = HC_LINE),
    HC_LIST_OF("phases", count_phases, phase_at, &phase_record,
               "own times of nodes, of starts that began in these days", .rules = HC_LINE),
    HC_LIST_OF("groups", count_groupings, grouping_at, &grouping_record, "the same by group"),
    HC_LIST_OF("classes", count_classes, class_at, &class_record,
               "starts that are compared with each other, most avoidable first", .rules = HC_LINE),
    HC_LIST_OF("nodes", count_nodes, node_at, &node_record, "most surely slow first",
               .rules = HC_LINE),
};
const struct hc_record_def hc_startup_record = HC_RECORD(NULL, report_fields);
