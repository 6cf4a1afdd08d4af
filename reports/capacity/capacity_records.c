#include "reports/capacity/capacity_records.h"

#include "core/base/missing.h"
#include "reports/capacity/capacity_views.h"

#define NS_PER_HOUR 3600e9

static const struct hc_capacity_result *result_of(const struct hc_item *at)
{
    const struct hc_capacity_report *report = hc_item_root(at);
    return report->result;
}

/* ---- GPU-time ---- */

#define ROW(at)        HC_OF(struct hc_capacity_row, at)
#define ROW_FIELD(...) HC_FIELD(struct hc_capacity_row, __VA_ARGS__)

/* A sum of 128 bits in digits, which no number of JSON holds. */
static const char *put_digits(hc_capacity_ns value, char room[HC_CELL_ROOM])
{
    char *at = room + HC_CELL_ROOM - 1;
    *at = '\0';
    do {
        *--at = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value);
    return at;
}

#define LEAF_DIGITS(name, which) HC_GIVES_TEXT(name, put_digits(ROW(at)->sum.leaf[which], room))
LEAF_DIGITS(allocated_ns, HC_CAPACITY_ALLOCATED)
LEAF_DIGITS(down_ns, HC_CAPACITY_DOWN)
LEAF_DIGITS(drained_ns, HC_CAPACITY_DRAINED)
LEAF_DIGITS(maintenance_ns, HC_CAPACITY_MAINTENANCE)
LEAF_DIGITS(reserved_ns, HC_CAPACITY_RESERVED)
LEAF_DIGITS(idle_demand_ns, HC_CAPACITY_IDLE_DEMAND)
LEAF_DIGITS(idle_no_demand_ns, HC_CAPACITY_IDLE_NO_DEMAND)
LEAF_DIGITS(idle_unknown_ns, HC_CAPACITY_IDLE_UNKNOWN)

#define LEAF_FIELD(name, which, sentence_) ROW_FIELD(name, hours[which], "GPU-hours", sentence_)
static const struct hc_field row_fields[] = {
    ROW_FIELD("installed_gpu_hours", installed, "GPU-hours", "sum of the eight leaves that follow"),
    LEAF_FIELD("allocated_gpu_hours", HC_CAPACITY_ALLOCATED, "held by jobs"),
    LEAF_FIELD("down_gpu_hours", HC_CAPACITY_DOWN, "not held, on nodes that were down"),
    LEAF_FIELD("drained_gpu_hours", HC_CAPACITY_DRAINED, "not held, on nodes that were drained"),
    LEAF_FIELD("maintenance_gpu_hours", HC_CAPACITY_MAINTENANCE,
               "not held, on nodes in maintenance"),
    LEAF_FIELD("reserved_gpu_hours", HC_CAPACITY_RESERVED,
               "not held, on nodes set aside by a reservation"),
    LEAF_FIELD("idle_demand_gpu_hours", HC_CAPACITY_IDLE_DEMAND,
               "idle while GPU jobs waited for resources in a partition of the node"),
    LEAF_FIELD("idle_no_demand_gpu_hours", HC_CAPACITY_IDLE_NO_DEMAND, "idle, and none waited"),
    LEAF_FIELD("idle_unknown_gpu_hours", HC_CAPACITY_IDLE_UNKNOWN,
               "idle, and nobody looked at the queue"),
    ROW_FIELD("available_gpu_hours", available, "GPU-hours",
              "installed, neither down, drained, in maintenance nor reserved"),
    ROW_FIELD("used_of_installed", used_of_installed, "", "allocated over installed"),
    ROW_FIELD("used_of_available", used_of_available, "", "allocated over available"),
    ROW_FIELD("over_gpu_hours", over, "GPU-hours", "held above the GPUs of a node: in no leaf"),
    ROW_FIELD("outside_gpu_hours", outside, "GPU-hours",
              "held on nodes that no inventory knows then: in no leaf"),
    ROW_FIELD("assumed_gpu_hours", assumed, "GPU-hours",
              "of the leaves: before a source said the GPUs of the node"),
    ROW_FIELD("unheard_gpu_hours", unheard, "GPU-hours",
              "of what is idle: no source says the state of the node, which counts as up"),
    ROW_FIELD("partly_used_gpu_hours", partly_used, "GPU-hours",
              "of what is idle: on nodes of which jobs held a part"),
};
static const struct hc_record_def row_record = HC_RECORD("GPU-time", row_fields);

static const struct hc_field exact_fields[] = {
    HC_TEXT_OF("allocated_gpu_ns", allocated_ns, "exactly, in digits"),
    HC_TEXT_OF("down_gpu_ns", down_ns, "exactly"),
    HC_TEXT_OF("drained_gpu_ns", drained_ns, "exactly"),
    HC_TEXT_OF("maintenance_gpu_ns", maintenance_ns, "exactly"),
    HC_TEXT_OF("reserved_gpu_ns", reserved_ns, "exactly"),
    HC_TEXT_OF("idle_demand_gpu_ns", idle_demand_ns, "exactly"),
    HC_TEXT_OF("idle_no_demand_gpu_ns", idle_no_demand_ns, "exactly"),
    HC_TEXT_OF("idle_unknown_gpu_ns", idle_unknown_ns, "exactly"),
};
static const struct hc_record_def exact_record = HC_RECORD(NULL, exact_fields);

static const struct hc_field total_fields[] = {
    HC_SAME_PART(&row_record),
    HC_SAME_PART(&exact_record),
};
static const struct hc_record_def total_record = HC_RECORD(NULL, total_fields);

static const struct hc_field node_fields[] = {
    ROW_FIELD("node", name, "", "its name"),
    HC_SAME_PART(&row_record),
};
static const struct hc_record_def node_record = HC_RECORD(NULL, node_fields);

static const struct hc_field partition_fields[] = {
    ROW_FIELD("partition", name, "", "null: of nodes of which nothing says a partition"),
    ROW_FIELD("nodes", n_nodes, "", "in it"),
    HC_SAME_PART(&row_record),
};
static const struct hc_record_def partition_record = HC_RECORD(NULL, partition_fields);

/* ---- days ---- */

#define DAY(at)        HC_OF(struct hc_capacity_day, at)
#define DAY_FIELD(...) HC_FIELD(struct hc_capacity_day, __VA_ARGS__)

static const char *day_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    return hc_capacity_day_text(hc_item_root(at), DAY(at)->row.from_ns, room);
}
HC_GIVES_TEXT(day_text, day_of(at, room))

static const struct hc_field day_fields[] = {
    HC_TEXT_OF("day", day_text, "by the clocks of the zone"),
    DAY_FIELD("from_ns", row.from_ns, "ns", "its begin, or that of the time"),
    DAY_FIELD("to_ns", row.to_ns, "ns", "its end, or that of the time"),
    HC_PART(struct hc_capacity_day, row, &row_record),
    DAY_FIELD("free_nodes_mean", free_nodes, "",
              "nodes that could be used and of which no job held a GPU, over the day"),
    DAY_FIELD("free_nodes_least", least_free_nodes, "", "of them, at once"),
    DAY_FIELD("free_nodes_most", most_free_nodes, "", "of them, at once"),
    DAY_FIELD("free_gpus_most", most_free_gpus, "",
              "GPUs of such nodes at once: the largest job that would have fitted"),
    DAY_FIELD("waiting_jobs", waiting.jobs, "",
              "GPU jobs that could have begun and had not, at the end of the day"),
    DAY_FIELD("waiting_gpus", waiting.gpus, "", "that they asked for"),
    DAY_FIELD("backlog_gpu_hours", backlog_hours, "GPU-hours",
              "GPUs of these jobs times how long they ran later, or else their limit"),
    DAY_FIELD("backlog_by_limit_gpu_hours", backlog_limit_hours, "GPU-hours",
              "of that: by limits, as they had not ended"),
    DAY_FIELD("waiting_unknown", waiting.n_unknown, "",
              "of these jobs: neither is known, and they are not in the backlog"),
    HC_PART(struct hc_capacity_day, row, &exact_record),
};
static const struct hc_record_def day_record = HC_RECORD(NULL, day_fields);

/* ---- waits ---- */

#define GROUP_FIELD(...)  HC_FIELD(struct hc_wait_group, __VA_ARGS__)
#define SPREAD_FIELD(...) HC_FIELD(struct hc_wait_spread, __VA_ARGS__)
static const char *grouping_name(int by)
{
    return hc_wait_grouping_name((enum hc_wait_grouping)by);
}

static const struct hc_field spread_fields[] = {
    SPREAD_FIELD("mean", mean, "", "over the attempts"),
    SPREAD_FIELD("median", median, "", "order statistic"),
    SPREAD_FIELD("p90", p90, "", "90 % are at or below it"),
    SPREAD_FIELD("p99", p99, "", "99 % are at or below it"),
};
static const struct hc_record_def spread_record = HC_RECORD("a spread", spread_fields);

static const struct hc_field group_fields[] = {
    HC_NAME(struct hc_wait_group, "by", by, grouping_name, HC_N_WAIT_GROUPINGS,
            "all, size, partition or user"),
    GROUP_FIELD("group", name, "", "null: of all, or not recorded"),
    GROUP_FIELD("attempts", n, "", "with GPUs that began in the time"),
    GROUP_FIELD("ended", n_ended, "", "of them: run times and slowdowns are of these"),
    GROUP_FIELD("gpu_wait_hours", gpu_wait_hours, "GPU-hours", "waits times GPUs"),
    HC_OBJECT(struct hc_wait_group, "wait_s", of[HC_WAIT_S], &spread_record,
              "from when it could begin until it did, in seconds"),
    HC_OBJECT(struct hc_wait_group, "run_s", of[HC_RUN_S], &spread_record,
              "from then to its end, without suspended time, in seconds"),
    HC_OBJECT(struct hc_wait_group, "slowdown", of[HC_SLOWDOWN], &spread_record,
              "wait and run over run"),
    HC_OBJECT(struct hc_wait_group, "bounded_slowdown", of[HC_BOUNDED_SLOWDOWN], &spread_record,
              "the same with runs of 10 s at least, and at least 1"),
};
static const struct hc_record_def group_record = HC_RECORD(NULL, group_fields);

/* ---- demand ---- */

#define WANT_FIELD(...) HC_FIELD(struct hc_capacity_want, __VA_ARGS__)
static const struct hc_field want_fields[] = {
    WANT_FIELD("waits_for", name, "", "what GPU jobs waited for; ?: nothing is said"),
    WANT_FIELD("is_demand", is_demand, "", "idle GPUs of their partitions count as with demand"),
    WANT_FIELD("gpu_hours", gpu_hours, "GPU-hours",
               "GPUs that they asked for times the time for which looks at the queue hold"),
    WANT_FIELD("mean_gpus", mean_gpus, "", "over that time"),
    WANT_FIELD("most_gpus", most_gpus, "", "at one look"),
    WANT_FIELD("mean_jobs", mean_jobs, "", "over that time"),
};
static const struct hc_record_def want_record = HC_RECORD(NULL, want_fields);

/* ---- the report ---- */

HC_GIVES(bool, is_binned, result_of(at)->waits->is_binned)
HC_GIVES(bool, begins_of, result_of(at)->begins_at_allocated)
HC_GIVES(size_t, count_days, result_of(at)->n_days)
HC_GIVES_ITEM(nth_day, &result_of(at)->days[i])
HC_GIVES(size_t, count_partitions, result_of(at)->n_partitions)
HC_GIVES_ITEM(nth_partition, &result_of(at)->partitions[i])
HC_GIVES(size_t, count_nodes, result_of(at)->n_nodes)
HC_GIVES_ITEM(nth_node, &result_of(at)->nodes[i])
HC_GIVES(size_t, count_groups, result_of(at)->waits->n_groups)
HC_GIVES_ITEM(nth_group, &result_of(at)->waits->groups[i])
HC_GIVES(size_t, count_wants, result_of(at)->n_wants)
HC_GIVES_ITEM(nth_want, &result_of(at)->wants[i])
HC_GIVES_ITEM(the_total, &result_of(at)->total)
HC_GIVES(int64_t, from_of, result_of(at)->from_ns)
HC_GIVES(int64_t, to_of, result_of(at)->to_ns)
HC_GIVES(int64_t, installed_nodes, result_of(at)->n_installed_nodes)
HC_GIVES(int64_t, looks_of, result_of(at)->n_looks)
HC_GIVES(double, known_of, result_of(at)->queue_known)

#define COUNT(name, member) HC_GIVES(int64_t, name, result_of(at)->counts->member)
#define HOURS(name, member)                                                                        \
    HC_GIVES(double, name, (double)result_of(at)->counts->member / NS_PER_HOUR)
COUNT(attempts_of, n_attempts)
HOURS(held_of, held)
HOURS(uneven_of, uneven)
HOURS(by_site_of, by_site)
COUNT(unplaced_attempts, n_unplaced)
HOURS(unplaced_of, unplaced)
COUNT(gpus_unknown, n_gpus_unknown)
COUNT(running_of, n_running)
COUNT(snapshots_of, n_snapshots)
COUNT(history_of, n_history)
COUNT(plans_of, n_plans)
COUNT(gone_of, n_gone)
COUNT(by_site_nodes, n_by_site)
COUNT(queue_unknown, n_queue_gpus_unknown)
HC_GIVES(int64_t, over_of, result_of(at)->capacity->n_over)
HC_GIVES(int64_t, outside_of, result_of(at)->capacity->n_outside)
HC_GIVES(int64_t, disagreeing_of, result_of(at)->capacity->n_disagreeing)
HC_GIVES(int64_t, bad_of, result_of(at)->capacity->n_bad)

static const struct hc_field trust_fields[] = {
    HC_INTEGER_OF("attempts", attempts_of, "", "that held GPUs in the time"),
    HC_REAL_OF("held_gpu_hours", held_of, "GPU-hours",
               "by them: allocated, over, outside and unplaced together"),
    HC_INTEGER_OF("unplaced_attempts", unplaced_attempts, "",
                  "whose record has no list of nodes that can be read"),
    HC_REAL_OF("unplaced_gpu_hours", unplaced_of, "GPU-hours", "held by these: in no leaf"),
    HC_REAL_OF("uneven_gpu_hours", uneven_of, "GPU-hours",
               "held by attempts whose GPUs do not divide by their nodes: the first have one more, "
               "an assumption"),
    HC_REAL_OF("by_site_gpu_hours", by_site_of, "GPU-hours",
               "held by attempts whose GPUs are those that the site says of their nodes"),
    HC_INTEGER_OF("gpus_unknown", gpus_unknown, "",
                  "attempts of which nothing says how many GPUs they held: not counted"),
    HC_INTEGER_OF("running", running_of, "",
                  "attempts counted up to when their record was written"),
    HC_INTEGER_OF("times_over", over_of, "", "that a node's jobs held more than it has"),
    HC_INTEGER_OF("times_outside", outside_of, "",
                  "that jobs held GPUs of a node that no inventory knows then"),
    HC_INTEGER_OF("snapshots", snapshots_of, "", "of nodes"),
    HC_INTEGER_OF("events", history_of, "", "of nodes, of a history"),
    HC_INTEGER_OF("reservations", plans_of, "", "of nodes"),
    HC_INTEGER_OF("disagreeing", disagreeing_of, "",
                  "snapshots that say another thing of down or drained than the history"),
    HC_INTEGER_OF("bad", bad_of, "", "rows without sense, passed over"),
    HC_INTEGER_OF("nodes_gone", gone_of, "", "nodes that later looks no longer list"),
    HC_INTEGER_OF("nodes_by_site", by_site_nodes, "", "nodes whose GPUs only the site file says"),
    HC_INTEGER_OF("looks", looks_of, "", "at the queue"),
    HC_REAL_OF("queue_known", known_of, "", "share of the time in which one of them holds"),
    HC_INTEGER_OF("queue_gpus_unknown", queue_unknown, "",
                  "rows of the queue that wait for resources and do not say how many GPUs"),
};
static const struct hc_record_def trust_record = HC_RECORD(NULL, trust_fields);

#define REPORT(...) HC_FIELD(struct hc_capacity_report, __VA_ARGS__)
static const struct hc_field report_fields[] = {
    REPORT("archive", archive, "", "that was read"),
    REPORT("cluster", cluster, "", "whose records were"),
    REPORT("zone", zone_name, "", "of the days"),
    HC_INTEGER_OF("from_ns", from_of, "ns", "begin of the time"),
    HC_INTEGER_OF("to_ns", to_of, "ns", "its end"),
    HC_BOOL_OF("begins_at_allocated", begins_of,
               "nothing tells what is installed: allocated is all that is known of the tree"),
    HC_INTEGER_OF("nodes", installed_nodes, "", "with GPUs that are known"),
    HC_OBJECT_OF("total", the_total, &total_record, "of all nodes and days"),
    HC_GROUP("trust", &trust_record, "what it is made of, and what is wrong with that"),
    HC_LIST_OF("days", count_days, nth_day, &day_record, "by day", .rules = HC_LINE),
    HC_LIST_OF("partitions", count_partitions, nth_partition, &partition_record,
               "by partition; nodes of several are in each of them", .rules = HC_LINE),
    HC_LIST_OF("demand", count_wants, nth_want, &want_record,
               "what GPU jobs waited for, while the queue was looked at", .rules = HC_LINE),
    HC_BOOL_OF("waits_binned", is_binned,
               "there are so many attempts that quantiles are those of bins, at most 1.6 % off"),
    HC_LIST_OF("waits", count_groups, nth_group, &group_record, "how long GPU jobs waited and ran",
               .rules = HC_LINE),
    HC_LIST_OF("by_node", count_nodes, nth_node, &node_record, "by node", .rules = HC_LINE),
};
const struct hc_record_def hc_capacity_record = HC_RECORD(NULL, report_fields);
