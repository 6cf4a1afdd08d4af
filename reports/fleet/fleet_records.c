#include "reports/fleet/fleet_records.h"

#include "reports/fleet/fleet_views.h"

/* ---- names ---- */

static const char *fate_name(int value)
{
    return hc_fleet_stage_key((enum hc_fleet_fate)value);
}

static const char *cause_name(int value)
{
    return hc_straggler_cause_key((enum hc_straggler_cause)value);
}

static const char *kind_name(int value)
{
    return hc_culprit_kind_key((enum hc_culprit_kind)value);
}

static const char *class_name(int value)
{
    return hc_fleet_class_key((enum hc_fleet_class)value);
}

HC_GIVES_TEXT(stage_of, hc_fleet_stage_key(hc_fleet_stages[at->index]))
HC_GIVES_TEXT(cause_of, cause_name((int)at->index))
HC_GIVES_TEXT(metric_of, hc_fleet_metric_key((enum hc_fleet_metric_id)at->index))
HC_GIVES_TEXT(figure_of, hc_fleet_cdf_figure((enum hc_fleet_cdf_id)at->index))
HC_GIVES_TEXT(weight_of, hc_fleet_cdf_weight((enum hc_fleet_cdf_id)at->index))

/* ---- parts and distributions ---- */

#define PART(...) HC_FIELD(struct hc_fleet_part, __VA_ARGS__)
static const struct hc_field part_fields[] = {
    PART("jobs", n, "", "jobs that pass"),
    PART("of_jobs", of, "", "of so many"),
    PART("share", share, "", "the one over the other"),
    PART("gpu_hours", hours, "GPU-hours", "traced of those that pass, where known"),
    PART("of_gpu_hours", of_hours, "GPU-hours", "traced of all of them, where known"),
    PART("gpu_hours_share", hours_share, "", "the one over the other"),
    PART("gpu_hours_unknown", unknown, "", "jobs that pass whose GPU-hours are not known"),
    PART("of_gpu_hours_unknown", of_unknown, "", "jobs whose GPU-hours are not known"),
};
static const struct hc_record_def part = HC_RECORD("a part", part_fields);

/* The quantiles kept of a distribution are every half per cent. */
#define PERCENT(p) at[(p)*HC_CDF_INTERVALS / 100]
#define CDF(...)   HC_FIELD(struct hc_fleet_cdf, __VA_ARGS__)
static const struct hc_field spread_fields[] = {
    CDF("values", n, "", "number of values"),
    CDF("total_weight", weight, "", "sum of their weights"),
    CDF("mean", mean, "", "weighted"),
    CDF("minimum", PERCENT(0), "", "the least value", .rules = HC_ONLY_CSV),
    CDF("p50", PERCENT(50), "", "the smallest value that half of the weight does not exceed"),
    CDF("p90", PERCENT(90), "", "the same of nine tenths"),
    CDF("p99", PERCENT(99), "", "the same of 99 %"),
    CDF("maximum", PERCENT(100), "", "the largest value", .rules = HC_ONLY_CSV),
};
static const struct hc_record_def spread = HC_RECORD("a distribution", spread_fields);

HC_GIVES(size_t, count_quantiles, HC_OF(struct hc_fleet_cdf, at)->n > 0 ? HC_CDF_INTERVALS + 1 : 0)

static const struct hc_field cdf_fields[] = {
    HC_TEXT_OF("figure", figure_of, "that is spread"),
    HC_TEXT_OF("weight", weight_of, "what a value weighs: `jobs`, `gpu_hours`, `waste`, `steps`"),
    HC_SAME_PART(&spread),
    HC_ARRAY(struct hc_fleet_cdf, "quantiles", at, &hc_real_items,
             "201 values: 0, 0.5, 1, ... 100 %",
             .list = &(const struct hc_list_source){.count = count_quantiles}, .rules = HC_LINE),
};
const struct hc_record_def hc_fleet_cdf_record = HC_RECORD(NULL, cdf_fields);

HC_GIVES(double, share_of, (double)at->index / HC_CDF_INTERVALS)

static const char *parent_figure_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    return figure_of(at->parent, room);
}

static const char *parent_weight_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    return weight_of(at->parent, room);
}

static const struct hc_field quantile_fields[] = {
    HC_TEXT_OF("figure", parent_figure_of, "that is spread"),
    HC_TEXT_OF("weight", parent_weight_of, "what a value weighs"),
    HC_REAL_OF("quantile", share_of, "", "0, 0.005, 0.01, ... 1"),
    {.name = "value", .type = HC_AS_REAL, .sentence = "the quantile"},
};
const struct hc_record_def hc_fleet_quantile_record = HC_RECORD(NULL, quantile_fields);

/* ---- limits and figures ---- */

HC_GIVES(double, straggling_of, HC_STRAGGLING)
HC_GIVES(double, level_of, HC_FLEET_LEVEL)

#define REPORT(...) HC_FIELD(struct hc_fleet_report, __VA_ARGS__)
static const struct hc_field limit_fields[] = {
    REPORT("max_attempts", max_attempts, "", "a job with more is discarded"),
    REPORT("min_steps", min_steps, "", "a job with fewer whole steps is discarded"),
    REPORT("max_discrepancy", max_discrepancy, "",
           "a job above it is discarded, but for late launches"),
    HC_REAL_OF("straggling_slowdown", straggling_of, "", "S from which on a job straggles"),
};
static const struct hc_record_def limits = HC_RECORD(NULL, limit_fields);

static const struct hc_field report_fields[] = {
    REPORT("archive", archive, "", "as given"),
    REPORT("options", options, "", "of the analysis"),
    HC_GROUP("limits", &limits, "of the funnel"),
};
static const struct hc_record_def report = HC_RECORD(NULL, report_fields);

#define SUMMARY(...) HC_FIELD(struct hc_fleet_summary, __VA_ARGS__)
#define SUMMARY_PART(name, member, sentence)                                                       \
    HC_OBJECT(struct hc_fleet_summary, name, member, &part, sentence)
static const struct hc_field straggling_fields[] = {
    HC_PART(struct hc_fleet_summary, straggling, &part),
    SUMMARY("interval_low", straggling_interval.low, "", "exact interval of the share of jobs"),
    SUMMARY("interval_high", straggling_interval.high, "", "its upper end"),
    HC_REAL_OF("interval_level", level_of, "", "0.95"),
    SUMMARY("mean_slowdown", mean_straggling_slowdown, "", "mean S of the straggling jobs"),
};
static const struct hc_record_def straggling = HC_RECORD(NULL, straggling_fields);

HC_GIVES(bool, has_main_cause, HC_OF(struct hc_fleet_summary, at)->main_cause != HC_STRAGGLER_NONE)

static const struct hc_field figure_fields[] = {
    SUMMARY("jobs", n_jobs, "", "all of the archive"),
    SUMMARY("jobs_analysed", n_analysed, "", "those that the funnel left"),
    SUMMARY_PART("lacking", lacking,
                 "jobs that could not be read, are damaged or found no memory: the report is "
                 "incomplete without them"),
    SUMMARY("gpu_hours_unknown", n_hours_unknown, "",
            "analysed jobs whose GPU-hours are not known"),
    SUMMARY("gpu_hours_traced", hours_traced, "GPU-hours", "of the analysed jobs, where known"),
    SUMMARY("gpu_hours_lost", hours_lost, "GPU-hours", "to stragglers"),
    SUMMARY("lost_share", lost_share, "", "of those traced"),
    HC_GROUP("straggling", &straggling, "the straggling jobs, of those analysed"),
    HC_NAME(struct hc_fleet_summary, "main_cause", main_cause, cause_name, HC_N_STRAGGLER_CAUSES,
            "of the straggling jobs, the one with the largest loss; null without any",
            .has = has_main_cause),
    SUMMARY_PART("without_pp", without_pp, "analysed jobs without pipeline parallelism"),
    SUMMARY_PART("straggling_without_pp", straggling_without_pp, "the same of straggling jobs"),
    SUMMARY_PART("late", late,
                 "analysed jobs with a discrepancy above 5 % because their ops start late: the "
                 "paper drops them"),
    SUMMARY("late_gpu_hours_lost", late_hours_lost, "GPU-hours",
            "what late launches took of these jobs, beside what stragglers took"),
    SUMMARY_PART("straggling_in_time", straggling_in_time,
                 "the straggling jobs as the paper counts them: without those that are late"),
    SUMMARY("jobs_split", n_split, "", "jobs that were split by op type"),
    SUMMARY("size_pairs", n_size_pairs, "", "jobs that the correlation is over"),
    SUMMARY("size_correlation", size_correlation, "", "Spearman's, of S and GPUs"),
    SUMMARY("culprits", n_culprits, "", "parts of analysed jobs that are slow"),
    SUMMARY("slow_hosts", n_hosts, "", "hosts that are slow in some analysed job"),
    SUMMARY("slow_hosts_of_several_jobs", n_shared_hosts, "",
            "those that are slow in several jobs"),
};
static const struct hc_record_def figures = HC_RECORD(NULL, figure_fields);

/* ---- funnel, causes, tests, op types, sizes ---- */

static const struct hc_field stage_fields[] = {
    HC_TEXT_OF("fate", stage_of, "the stage ([the funnel](methods/fleet.md#the-funnel))"),
    HC_PART(struct hc_fleet_stage, part, &part),
    HC_FIELD(struct hc_fleet_stage, "share_of_all", share_of_all, "", "of all jobs"),
    HC_FIELD(struct hc_fleet_stage, "gpu_hours_share_of_all", hours_share_of_all, "",
             "of all GPU-hours"),
};
const struct hc_record_def hc_fleet_stage_record = HC_RECORD(NULL, stage_fields);

#define CAUSE(...) HC_FIELD(struct hc_fleet_cause, __VA_ARGS__)
static const struct hc_field cause_fields[] = {
    HC_TEXT_OF("cause", cause_of, "as of a verdict"),
    HC_PART(struct hc_fleet_cause, part, &part),
    CAUSE("jobs_also", n_also, "", "jobs of another cause whose tests this one passes besides"),
    CAUSE("share_of_straggling", share_of_straggling, "", "its jobs that straggle, of all that do"),
    CAUSE("mean_slowdown", mean_slowdown, "", "mean S of its jobs"),
    CAUSE("gpu_hours_lost", hours_lost, "GPU-hours", "by its jobs"),
    CAUSE("lost_share", lost_share, "", "of all that were lost"),
};
const struct hc_record_def hc_fleet_cause_record = HC_RECORD(NULL, cause_fields);

#define METRIC(...) HC_FIELD(struct hc_fleet_metric, __VA_ARGS__)
static const struct hc_field metric_fields[] = {
    HC_TEXT_OF("figure", metric_of, "M_W, M_S or r"),
    METRIC("limit", limit, "", "from which on a job passes"),
    HC_PART(struct hc_fleet_metric, passed, &part),
    METRIC("figure_unknown", n_unknown, "", "straggling jobs where it is not known"),
    METRIC("mean_slowdown", mean_slowdown, "", "mean S of those that pass"),
};
static const struct hc_record_def metric = HC_RECORD(NULL, metric_fields);

#define TYPE(...) HC_FIELD(struct hc_fleet_type_waste, __VA_ARGS__)
static const struct hc_field type_fields[] = {
    HC_NAME(struct hc_fleet_type_waste, "class", op_class, class_name, HC_N_FLEET_CLASSES,
            "of the op type"),
    TYPE("op_type", name, "", "null: the largest type of the class in each job",
         .rules = HC_NULL_IF_EMPTY),
    HC_OBJECT(struct hc_fleet_type_waste, "waste_by_jobs", by_jobs, &spread, "of 1 - 1/S_t",
              .rules = HC_LINE),
    HC_OBJECT(struct hc_fleet_type_waste, "waste_by_gpu_hours", by_hours, &spread, "the same",
              .rules = HC_LINE),
};
static const struct hc_record_def type = HC_RECORD(NULL, type_fields);

HC_GIVES_TEXT(weight_name_of, at->index ? "gpu_hours" : "jobs")

static const void *weighted_of(const struct hc_item *at, size_t i)
{
    const struct hc_fleet_type_waste *waste = at->record;
    (void)i;
    return at->index ? &waste->by_hours : &waste->by_jobs;
}

static const struct hc_field weighted_fields[] = {
    HC_SAME_PART(&type),
    HC_TEXT_OF("weight", weight_name_of, "`jobs` or `gpu_hours`"),
    HC_PART_OF(weighted_of, &spread),
};
const struct hc_record_def hc_fleet_weighted_record = HC_RECORD(NULL, weighted_fields);

HC_GIVES(bool, is_known_size, HC_OF(struct hc_fleet_size, at)->from > 0)
HC_GIVES(int64_t, last_gpus_of, HC_OF(struct hc_fleet_size, at)->to - 1)

#define SIZE(...) HC_FIELD(struct hc_fleet_size, __VA_ARGS__)
static const struct hc_field size_fields[] = {
    SIZE("gpus_from", from, "", "smallest number of GPUs; null: not known", .has = is_known_size),
    HC_INTEGER_OF("gpus_to", last_gpus_of, "", "largest, included", .has = is_known_size),
    HC_OBJECT(struct hc_fleet_size, "slowdown_by_jobs", slowdown, &spread, "of S",
              .rules = HC_LINE),
    HC_OBJECT(struct hc_fleet_size, "straggling", straggling, &part, "the straggling jobs"),
    SIZE("gpu_hours_lost", hours_lost, "GPU-hours", "by its jobs", .has = is_known_size),
};
const struct hc_record_def hc_fleet_size_record = HC_RECORD(NULL, size_fields);

/* ---- hosts ---- */

static const char *first_job_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    const struct hc_fleet_document *document = hc_item_root(at);
    const struct hc_fleet_host_total *total = at->record;
    return hc_fleet_job_text(&document->report->rows[total->first_row], room, HC_CELL_ROOM);
}

#define TOTAL(...) HC_FIELD(struct hc_fleet_host_total, __VA_ARGS__)
static const struct hc_field host_total_fields[] = {
    TOTAL("cluster", cluster, "", "that it is of"),
    TOTAL("host", name, "", "node of the metadata"),
    TOTAL("jobs", n_jobs, "", "in which it is slow; attempts of a job count once"),
    TOTAL("stretches", n_stretches, "", "of steps in which it is slow, in all of them"),
    TOTAL("gpu_hours_lost", hours_lost, "GPU-hours",
          "by it, where they are known: its parts (Shapley values) of what fixing all of each job "
          "saves"),
    HC_TEXT_OF("since_job", first_job_of, "in which it is slow first, by date where that is known"),
    TOTAL("since_step", since_step, "", "number of the first slow step of that job"),
    TOTAL("since_unix_ns", since_unix_ns, "ns", "its date since 1970, where it is known"),
    TOTAL("lasts", lasts, "", "slow at the end of one of the traces"),
};
const struct hc_record_def hc_fleet_host_total_record = HC_RECORD(NULL, host_total_fields);

/* ---- a job ---- */

static int64_t rank_of(const struct hc_item *at)
{
    const struct hc_fleet_document *document = at->parent->record;
    size_t rank = document->rank[at->index];
    return rank > 0 ? (int64_t)rank : HC_MISSING_I64;
}

static const char *page_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    _Static_assert(HC_FLEET_PAGE_NAME <= HC_CELL_ROOM, "a page name must fit a cell");
    return hc_fleet_page_name(at->record, room);
}

HC_GIVES(bool, has_culprit, HC_OF(struct hc_fleet_row, at)->culprit[0] != '\0')
HC_GIVES(bool, is_analysed, HC_OF(struct hc_fleet_row, at)->fate == HC_FLEET_ANALYSED)

#define TYPE_OF_ROW(name, member, ...) HC_FIELD(struct hc_fleet_type, name, member, "", __VA_ARGS__)
static const struct hc_field type_slowdown_fields[] = {
    TYPE_OF_ROW("op_type", name, "op type, or types that are one"),
    TYPE_OF_ROW("slowdown", slowdown, "S_t: with only its ops as traced"),
};
static const struct hc_record_def type_slowdown = HC_RECORD(NULL, type_slowdown_fields);

#define HOST(...) HC_FIELD(struct hc_fleet_host, __VA_ARGS__)
static const struct hc_field host_fields[] = {
    HOST("host", name, "", "node of the metadata"),
    HOST("stretches", n_stretches, "", "of steps in which it is slow"),
    HOST("gpu_hours_lost", gpu_hours_lost, "GPU-hours", "by it, where they are known"),
    HOST("since_step", since_step, "", "number of the first slow step"),
    HOST("since_unix_ns", since_unix_ns, "ns", "its date since 1970, where it is known"),
    HOST("lasts", lasts, "", "slow at the end of the trace"),
};
static const struct hc_record_def host = HC_RECORD(NULL, host_fields);

HC_GIVES_TEXT(culprit_cluster, HC_OF(struct hc_fleet_row, at->parent)->cluster)
HC_GIVES_TEXT(culprit_job, HC_OF(struct hc_fleet_row, at->parent)->job_id)
HC_GIVES(int64_t, culprit_attempt, HC_OF(struct hc_fleet_row, at->parent)->attempt)

static const char *ops_name(int value)
{
    return hc_slow_ops_key((enum hc_slow_ops)value);
}

#define CULPRIT(...) HC_FIELD(struct hc_fleet_culprit, __VA_ARGS__)
static const struct hc_field culprit_fields[] = {
    HC_TEXT_OF("cluster", culprit_cluster, "of the job", .rules = HC_ONLY_CSV),
    HC_TEXT_OF("id", culprit_job, "of the job", .rules = HC_ONLY_CSV),
    HC_INTEGER_OF("attempt", culprit_attempt, "", "of the job", .rules = HC_ONLY_CSV),
    CULPRIT("name", name, "", "in words"),
    HC_NAME(struct hc_fleet_culprit, "kind", kind, kind_name, HC_N_CULPRIT_KINDS,
            "what is slow, as of a culprit of `whatif`"),
    HC_NAME(struct hc_fleet_culprit, "ops", ops, ops_name, HC_N_SLOW_OPS, "which of its ops"),
    HC_NAME(struct hc_fleet_culprit, "cause", cause, cause_name, HC_N_STRAGGLER_CAUSES,
            "under which the verdict counts it"),
    CULPRIT("fix", fix, "", "what `whatif --fix` takes; null where it cannot be named so",
            .rules = HC_NULL_IF_EMPTY),
    CULPRIT("since", since, "", "first slow step"),
    CULPRIT("until", until, "", "last slow step"),
    CULPRIT("slow_steps", n_slow_steps, "", "so many"),
    CULPRIT("lasts", lasts, "", "slow at the end of the trace"),
    CULPRIT("factor", factor, "", "how many times as long its slow ops take"),
    CULPRIT("alone_s", alone_s, "s",
            "what fixing it alone saves of the mean step; such figures do not add up"),
    CULPRIT("split_s", split_s, "s",
            "its part (Shapley value) of what fixing all of the job saves; these add up"),
    CULPRIT("gpu_hours_lost", gpu_hours_lost, "GPU-hours", "`split_s` over all steps and GPUs"),
};
const struct hc_record_def hc_fleet_culprit_record = HC_RECORD(NULL, culprit_fields);

#define ROW(...) HC_FIELD(struct hc_fleet_row, __VA_ARGS__)
/* Kept under another name than it is shown under. */
#define KEPT_AS(kept, name, member, sentence, rules_)                                              \
    ROW(name, member, "", sentence, .rules = (rules_) | HC_NOT_STORED),                            \
        ROW(kept, member, "", sentence, .rules = (rules_) | HC_ONLY_STORED)
static const struct hc_field row_fields[] = {
    ROW("cluster", cluster, "", "of the job"),
    KEPT_AS("job_id", "id", job_id, "of the job", 0),
    ROW("attempt", attempt, "", "of the job"),
    ROW("segment_sha256", segment_sha256, "", "of the segment that it was read from",
        .rules = HC_NULL_IF_EMPTY),
    HC_NAME(struct hc_fleet_row, "fate", fate, fate_name, HC_N_FLEET_FATES,
            "how far it came ([the funnel](methods/fleet.md#the-funnel))"),
    ROW("detail", detail, "", "why not further", .rules = HC_NULL_IF_EMPTY),
    HC_INTEGER_OF("rank", rank_of, "", "by GPU-hours lost, null without"),
    HC_TEXT_OF("page", page_of, "name of its page under `jobs/` of `--html`", .has = is_analysed),
    ROW("dp_size", dp_size, "", "data-parallel ranks"),
    ROW("pp_size", pp_size, "", "stages"),
    ROW("vpp_size", vpp_size, "", "model chunks of a stage"),
    ROW("tp_size", tp_size, "", "tensor-parallel ranks"),
    KEPT_AS("n_gpus", "gpus", n_gpus, "of the job", HC_NULL_BELOW_1),
    KEPT_AS("n_ops", "ops", n_ops, "rows analysed", 0),
    KEPT_AS("n_steps", "steps", n_steps, "analysed", 0),
    KEPT_AS("n_steps_left_out", "steps_left_out", n_steps_left_out, "not analysed", 0),
    ROW("gpu_hours_traced", gpu_hours_traced, "GPU-hours", "of the analysed steps"),
    ROW("gpu_hours_lost", gpu_hours_lost, "GPU-hours", "of them, to stragglers"),
    ROW("mean_traced_s", mean_traced_s, "s", "mean step as traced"),
    ROW("mean_replayed_s", mean_replayed_s, "s", "without launch delays"),
    ROW("mean_ideal_s", mean_ideal_s, "s", "without stragglers"),
    ROW("slowdown", slowdown, "", "S"),
    KEPT_AS("slowdown_low", "interval_low", slowdown_interval.low, "95 % interval of S", 0),
    KEPT_AS("slowdown_high", "interval_high", slowdown_interval.high, "its upper end", 0),
    ROW("waste", waste, "", "1 - 1/S"),
    ROW("launch_slowdown", launch_slowdown, "", "traced over replayed"),
    ROW("discrepancy", discrepancy, "", "between replayed and traced steps"),
    ROW("m_w", m_w, "", "share of the excess that the slowest 3 % of the workers explain"),
    ROW("m_s", m_s, "", "share that the last stage explains; null without pipeline parallelism"),
    ROW("correlation", correlation, "",
        "r of forward and backward times, in the stage that the verdict used"),
    KEPT_AS("max_worker", "max_worker_slowdown", max_worker, "largest exact S of a worker", 0),
    HC_NAME(struct hc_fleet_row, "cause", cause, cause_name, HC_N_STRAGGLER_CAUSES,
            "of the verdict", .has = is_analysed),
    HC_NAMES(struct hc_fleet_row, "also", also, cause_name, HC_N_STRAGGLER_CAUSES,
             "causes whose tests pass besides", .has = is_analysed, .rules = HC_EMPTY_IF_NOT),
    ROW("culprit", culprit, "", "what is slow, and when, in words: the part with the largest share",
        .rules = HC_NULL_IF_EMPTY),
    HC_NAME(struct hc_fleet_row, "culprit_kind", culprit_kind, kind_name, HC_N_CULPRIT_KINDS,
            "\"worker\", \"host\", ..., as of a culprit", .has = has_culprit),
    ROW("culprit_since", culprit_since, "", "its first slow step"),
    ROW("culprit_until", culprit_until, "", "its last slow step"),
    ROW("culprit_factor", culprit_factor, "", "how many times as long its slow ops take"),
    ROW("culprit_duty", culprit_duty, "", "share of the steps in which it is slow"),
    ROW("culprit_share", culprit_share, "", "of the excess, that goes when it alone is mended"),
    ROW("culprits_found", n_found, "", "parts of the job that are slow"),
    HC_LIST_IN(struct hc_fleet_row, "culprits", culprits, n_culprits, &hc_fleet_culprit_record,
               "of them, up to 8, as they are ranked", .rules = HC_LINE),
    HC_MAP_IN(struct hc_fleet_row, "type_slowdowns", types, n_types, &type_slowdown,
              "S_t by op type", .rules = HC_ONLY_STORED),
    HC_LIST_IN(struct hc_fleet_row, "op_types", types, n_types, &type_slowdown, "",
               .rules = HC_LINE | HC_NOT_STORED),
    HC_LIST_IN(struct hc_fleet_row, "hosts", hosts, n_hosts, &host,
               "slow hosts, up to 6, as its culprits rank them", .rules = HC_LINE),
    HC_LIST_IN(struct hc_fleet_row, "sampled_step_slowdowns", sampled, n_sampled, &hc_real_items,
               "slowdown over S of up to 15 steps, drawn by the key of the job",
               .rules = HC_LINE | HC_NOT_STORED),
    HC_LIST_IN(struct hc_fleet_row, "sampled_steps", sampled, n_sampled, &hc_real_items,
               "slowdown over S of up to 15 steps, drawn by the key of the job",
               .rules = HC_LINE | HC_ONLY_STORED),
};
const struct hc_record_def hc_fleet_row_record = HC_RECORD("a row of a fleet", row_fields);

/* ---- the document ---- */

HC_GIVES_ITEM(report_of, HC_OF(struct hc_fleet_document, at)->report)
HC_GIVES_ITEM(summary_of, HC_OF(struct hc_fleet_document, at)->summary)
HC_GIVES(size_t, count_stages, HC_N_FLEET_FATES)
HC_GIVES_ITEM(stage_at, &HC_OF(struct hc_fleet_summary, at)->funnel[hc_fleet_stages[i]])
HC_GIVES(size_t, count_types, HC_N_FLEET_CLASSES + HC_OF(struct hc_fleet_summary, at)->n_types)

/* The classes, then the types. */
static const void *type_at(const struct hc_item *at, size_t i)
{
    const struct hc_fleet_summary *summary = at->record;
    return i < HC_N_FLEET_CLASSES ? &summary->class_waste[i]
                                  : &summary->types[i - HC_N_FLEET_CLASSES];
}

static const struct hc_field summary_fields[] = {
    HC_GROUP("figures", &figures, ""),
    HC_LIST_OF("funnel", count_stages, stage_at, &hc_fleet_stage_record,
               "jobs as discarded one after the other, a part each: of the jobs that the stages "
               "before left; last the analysed ones, of all"),
    HC_ARRAY(struct hc_fleet_summary, "causes", causes, &hc_fleet_cause_record,
             "a part each, of the analysed jobs"),
    HC_ARRAY(struct hc_fleet_summary, "tests", metric, &metric,
             "a part each, of the straggling jobs where the figure is known: those that pass its "
             "limit"),
    HC_ARRAY(struct hc_fleet_summary, "distributions", cdf, &hc_fleet_cdf_record, ""),
    HC_LIST_OF("op_types", count_types, type_at, &type,
               "waste 1 - 1/S_t, over the jobs that were split by op type"),
    HC_LIST_IN(struct hc_fleet_summary, "sizes", sizes, n_sizes, &hc_fleet_size_record,
               "jobs by number of GPUs"),
    HC_LIST(struct hc_fleet_summary, "hosts", hosts, n_hosts, &hc_fleet_host_total_record,
            "slow ones, by jobs, then GPU-hours lost", .rules = HC_LINE),
};
static const struct hc_record_def summary = HC_RECORD(NULL, summary_fields);

HC_GIVES(size_t, count_rows, HC_OF(struct hc_fleet_document, at)->report->n_rows)
HC_GIVES_ITEM(row_at, &HC_OF(struct hc_fleet_document, at)->report->rows[i])

static const struct hc_field document_fields[] = {
    HC_PART_OF(report_of, &report),
    HC_PART_OF(summary_of, &summary),
    HC_LIST_OF("jobs", count_rows, row_at, &hc_fleet_row_record,
               "all jobs, by cluster, id and attempt"),
};
const struct hc_record_def hc_fleet_record = HC_RECORD(NULL, document_fields);
