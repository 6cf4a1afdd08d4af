#include "reports/study/lifetime/life_records.h"

#include "reports/study/study_value_records.h"
#include "study/engines/lifetime/lifetime_findings.h"

HC_GIVES_ITEM(findings_of, hc_life_run_findings(at->record))

/* ---- the account ---- */

#define LEAF(...) HC_FIELD(struct hc_life_leaf, __VA_ARGS__)
static const struct hc_field leaf_fields[] = {
    HC_SAME_PART(&hc_study_run_name_record),
    LEAF("what", what, "", "what the GPUs did"),
    LEAF("why", why, "", "why"),
    LEAF("gpu_h", gpu_h, "GPU-hours", "of a replica in the mean"),
    LEAF("share", share, "", "of all that was held"),
};
static const struct hc_record_def leaf = HC_RECORD(NULL, leaf_fields);

HC_GIVES_TEXT(state_name, hc_life_state_name((enum hc_life_state)at->index))
HC_GIVES(double, state_gpu_h, *(const double *)at->record)

static const struct hc_field state_fields[] = {
    HC_TEXT_OF("state", state_name, "what the job was doing"),
    HC_REAL_OF("gpu_h", state_gpu_h, "GPU-hours", "of a replica in the mean"),
};
static const struct hc_record_def state = HC_RECORD(NULL, state_fields);

HC_GIVES(size_t, n_states, HC_STATE_COUNT)
HC_GIVES_ITEM(state_at, &HC_OF(struct hc_life_findings, at)->state_gpu_h[i])

/* ---- causes and stages ---- */

#define CAUSE(...) HC_FIELD(struct hc_life_cause, __VA_ARGS__)
static const struct hc_field cause_fields[] = {
    HC_SAME_PART(&hc_study_run_name_record),
    CAUSE("cause", name, "", "as the scenario calls it"),
    CAUSE("faults", faults.mean, "", "that struck a replica, mean"),
    CAUSE("unproductive_s", unproductive_s, "s", "lost and stood for it"),
    CAUSE("class", class, "", "explicit, implicit, manual, or null"),
    CAUSE("faults_low", faults.low, "", "interval of the faults: its low end"),
    CAUSE("faults_high", faults.high, "", "and its high end"),
    CAUSE("share", share, "", "of all unproductive time"),
    CAUSE("unproductive_of_one_s", unproductive_of_one_s, "s", "of one fault"),
};
static const struct hc_record_def cause = HC_RECORD(NULL, cause_fields);

/* The causes, and after them the time that has none. */
HC_GIVES(size_t, n_causes, HC_OF(struct hc_life_findings, at)->n_causes + 1)

static const void *cause_at(const struct hc_item *at, size_t i)
{
    const struct hc_life_findings *life = at->record;
    return i < life->n_causes ? &life->cause[i] : &life->other;
}

#define STAGE(...) HC_FIELD(struct hc_life_stage, __VA_ARGS__)
HC_GIVES_TEXT(stage_name, hc_life_state_name(HC_OF(struct hc_life_stage, at)->state))

static const struct hc_field stage_fields[] = {
    HC_TEXT_OF("stage", stage_name, "of recovery"),
    STAGE("of_stop_s", of_stop_s, "s",
          "wall time of a stop: its GPU-time over all GPUs and all stops"),
    STAGE("gpu_h", gpu_h, "GPU-hours", "of a replica in the mean"),
    STAGE("share", share, "", "of all that is not productive"),
};
static const struct hc_record_def stage = HC_RECORD(NULL, stage_fields);

/* ---- counts and stops ---- */

#define TALLY(...) HC_FIELD(struct hc_life_tally, __VA_ARGS__)
static const struct hc_field count_fields[] = {
    TALLY("count", name, "", "name"),
    TALLY("mean", value.mean, "", "of a replica"),
};
static const struct hc_record_def count = HC_RECORD(NULL, count_fields);

static const struct hc_field ends_fields[] = {
    TALLY("low", value.low, "", "low end"),
    TALLY("high", value.high, "", "high end"),
};
static const struct hc_record_def ends = HC_RECORD(NULL, ends_fields);
static const struct hc_field interval_fields[] = {
    TALLY("count", name, "", "name"),
    HC_GROUP("interval", &ends, "of the mean"),
};
static const struct hc_record_def interval = HC_RECORD(NULL, interval_fields);

HC_GIVES(size_t, n_counts, HC_COUNT_COUNT)
HC_GIVES_ITEM(count_at, &HC_OF(struct hc_life_findings, at)->tally[i])

#define STOPS(...) HC_FIELD(struct hc_life_stops, __VA_ARGS__)
static const struct hc_field stops_fields[] = {
    STOPS("number", n, "", "of all replicas"),
    STOPS("p50_s", p50_s, "s", "half are shorter; to a sixteenth"),
    STOPS("p90_s", p90_s, "s", "90 % are shorter; to a sixteenth"),
    STOPS("p99_s", p99_s, "s", "99 % are shorter; to a sixteenth"),
    STOPS("longest_s", longest_s, "s", "the longest, exact"),
};
static const struct hc_record_def stops = HC_RECORD(NULL, stops_fields);

HC_GIVES(bool, has_stops, HC_OF(struct hc_life_findings, at)->stops.n > 0)

/* ---- theory ---- */

#define THEORY(...) HC_FIELD(struct hc_study_reference, __VA_ARGS__)
static const struct hc_field reference_fields[] = {
    THEORY("mttf_s", mttf_s, "s", "mean time to failure"),
    THEORY("ettr_exact", ettr_exact, "", "exact for exponential faults and an endless run"),
    THEORY("ettr_first_order", ettr_first_order, "", "as published"),
    THEORY("outside", outside, "",
           "what of the scenario the closed form of the ETTR does not know: then there is none"),
    THEORY("young_interval_s", young_interval_s, "s", "between checkpoints"),
};
static const struct hc_record_def reference = HC_RECORD(NULL, reference_fields);

/* ---- ETTR over time ---- */

#define CURVE(...) HC_COLUMN(struct hc_lifetime_curve, __VA_ARGS__)
#define LINES(of)                                                                                  \
    {                                                                                              \
        CURVE("mean", of[HC_CURVE_MEAN], "", "of the replicas"),                                   \
            CURVE("p05", of[HC_CURVE_P05], "", "quantile"),                                        \
            CURVE("p25", of[HC_CURVE_P25], "", "quantile"),                                        \
            CURVE("p50", of[HC_CURVE_P50], "", "quantile"),                                        \
            CURVE("p75", of[HC_CURVE_P75], "", "quantile"),                                        \
            CURVE("p95", of[HC_CURVE_P95], "", "quantile"),                                        \
    }
static const struct hc_field cumulative_fields[] = LINES(cumulative);
static const struct hc_field sliding_fields[] = LINES(sliding);
static const struct hc_record_def cumulative = HC_RECORD(NULL, cumulative_fields);
static const struct hc_record_def sliding = HC_RECORD(NULL, sliding_fields);
static const struct hc_field time_fields[] = {
    CURVE("time_s", time_s, "s", "since the first start"),
    CURVE("alive", n_alive, "", "replicas that are not at their end"),
    HC_GROUP("cumulative", &cumulative, "since the first start", .rules = HC_LINE),
    HC_GROUP("sliding", &sliding, "over the last window", .rules = HC_LINE),
};
static const struct hc_record_def time_of_curve = HC_RECORD(NULL, time_fields);

HC_GIVES(size_t, n_times, HC_OF(struct hc_lifetime_curve, at)->n)
HC_GIVES_ITEM(same_curve, at->record)

static const struct hc_field curve_fields[] = {
    HC_FIELD(struct hc_lifetime_curve, "replicas", n_replicas, "", "that were lived again"),
    HC_FIELD(struct hc_lifetime_curve, "window_s", window_s, "s", "of the sliding value"),
    HC_LIST_OF("times", n_times, same_curve, &time_of_curve, "ascending"),
};
static const struct hc_record_def curve = HC_RECORD(NULL, curve_fields);

HC_GIVES(bool, has_half_over, HC_OF(struct hc_life_findings, at)->curve != NULL)

/* ---- one life ---- */

HC_GIVES(size_t, n_slices, HC_LIFE_SLICES)
HC_GIVES_ITEM(slice_at, (const double *)at->record + i)

static const struct hc_field slices_fields[] = {
    HC_TEXT_OF("state", state_name, "what the job was doing"),
    HC_LIST_OF("shares", n_slices, slice_at, &hc_real_items,
               "of each of 120 slices of the life, as long as each other", .rules = HC_LINE),
};
static const struct hc_record_def slices = HC_RECORD(NULL, slices_fields);

HC_GIVES_ITEM(slices_at, HC_OF(struct hc_life_story, at)->slice[i])

#define HALT(...) HC_FIELD(struct hc_life_halt, __VA_ARGS__)
static const struct hc_field halt_fields[] = {
    HALT("start_s", start_s, "s", "since submission"),
    HALT("name", name, "", "cause, what was planned, or first start"),
    HALT("length_s", length_s, "s", "without steps"),
    HALT("detection_s", state_s[HC_STATE_DETECTION], "s", "of these"),
    HALT("localisation_s", state_s[HC_STATE_LOCALISATION], "s", "of these"),
    HALT("recovery_s", state_s[HC_STATE_RECOVERY], "s", "of these"),
    HALT("startup_s", state_s[HC_STATE_STARTUP], "s", "of these"),
    HALT("queue_s", state_s[HC_STATE_QUEUE], "s", "of these"),
    HALT("lost_s", lost_s, "s", "of steps just before that were lost"),
};
static const struct hc_record_def halt = HC_RECORD(NULL, halt_fields);

static size_t n_named(const struct hc_item *at)
{
    size_t n = HC_OF(struct hc_life_story, at)->n_halts;
    return n < HC_LIFE_NAMED ? n : HC_LIFE_NAMED;
}

HC_GIVES_ITEM(halt_at, &HC_OF(struct hc_life_story, at)->halt[i])
HC_GIVES(int64_t, n_halts,
         HC_OF(struct hc_life_story, at)->is_summed
             ? HC_MISSING_I64
             : (int64_t)HC_OF(struct hc_life_story, at)->n_halts)

#define STORY(...) HC_FIELD(struct hc_life_story, __VA_ARGS__)
static const struct hc_field story_fields[] = {
    STORY("replica", replica, "", "which one it is"),
    STORY("wall_s", wall_s, "s", "from submission to the end"),
    HC_INTEGER_OF("halts", n_halts, "",
                  "without steps, the first start too; not known where the life is summed up"),
    STORY("events", n_events, "", "faults and what was planned"),
    STORY("stretches", n_stretches, "", "of one state, from submission to the end"),
    STORY("most_events", most_events, "", "stretches and events that are kept one by one at most"),
    STORY("slice_s", slice_s, "s", "the life is summed up in slices of this; `null`: it is not"),
    HC_LIST_OF("longest", n_named, halt_at, &halt, "the longest 20 of the halts", .rules = HC_LINE),
    HC_LIST_OF("slices", n_states, slices_at, &slices, "by state"),
};
static const struct hc_record_def story = HC_RECORD(NULL, story_fields);

/* ---- jobs ---- */

#define JOB(...) HC_FIELD(struct hc_study_job, __VA_ARGS__)
static const struct hc_field job_fields[] = {
    JOB("name", name, "", "the first is `job`"),
    JOB("nodes", nodes, "", "that it runs on"),
    JOB("priority", priority, "", "as the scenario says"),
    HC_STUDY_FIGURES(struct hc_study_job, "figures", value, "of this job"),
};
static const struct hc_record_def job = HC_RECORD(NULL, job_fields);

static const struct hc_field jobs_fields[] = {
    HC_OBJECT(struct hc_study_jobs, "pool_idle_gpu_h", pool_idle_gpu_h, &hc_study_value_record,
              "free nodes of the pool", .rules = HC_LINE),
    HC_OBJECT(struct hc_study_jobs, "total_gpu_h", total_gpu_h, &hc_study_value_record,
              "of all jobs, and the pool", .rules = HC_LINE),
    HC_LIST(struct hc_study_jobs, "each", job, n_jobs, &job, "one by one"),
};
static const struct hc_record_def jobs = HC_RECORD(NULL, jobs_fields);

/* ---- a run ---- */

#define FOUND(...) HC_FIELD(struct hc_life_findings, __VA_ARGS__)
#define LIST(...)  HC_LIST(struct hc_life_findings, __VA_ARGS__)
static const struct hc_field findings_fields[] = {
    LIST("account", leaf, n_leaves, &leaf, "leaves with anything in them", .rules = HC_LINE),
    LIST("causes", cause, n_causes, &cause, "as the scenario has them", .rules = HC_LINE),
    HC_LIST_OF("all_causes", n_causes, cause_at, &cause, "", .rules = HC_ONLY_CSV),
    FOUND("other_unproductive_s", other.unproductive_s, "s", "first start, planned stops, saves"),
    HC_MAP_OF("counts", n_counts, count_at, &count, "means of what happened in a replica"),
    HC_OBJECT(struct hc_life_findings, "stops", stops, &stops,
              "all stops of all replicas; null where nothing stopped", .has = has_stops),
    HC_OBJECT(struct hc_life_findings, "reference", reference, &reference,
              "closed forms, null where they do not apply"),
    HC_OBJECT_BEHIND(struct hc_life_findings, "curve", curve, &curve, "ETTR over time"),
    HC_OBJECT_BEHIND(struct hc_life_findings, "jobs", jobs, &jobs,
                     "where several are on one pool; the figures of the run are those of the first "
                     "with the free nodes in them"),
    FOUND("gpu_h", gpu_h, "GPU-hours", "held, of a replica in the mean"),
    FOUND("unproductive_gpu_h", unproductive_gpu_h, "GPU-hours", "of them not productive"),
    FOUND("unproductive_cost", unproductive_money, "", "these at the price, where there is one"),
    HC_LIST_OF("states", n_states, state_at, &state, "the account by state", .rules = HC_LINE),
    LIST("stages", stage, n_stages, &stage, "of recovery, without the first start",
         .rules = HC_LINE),
    HC_MAP_OF("count_intervals", n_counts, count_at, &interval, "of the counts: `low` and `high`"),
    FOUND("other_share", other.share, "", "of all unproductive time"),
    FOUND(
        "half_over_s", half_over_s, "s",
        "when less than half of the replicas of the curve are left; null where more are to the end",
        .has = has_half_over),
    HC_OBJECT_BEHIND(struct hc_life_findings, "life", life, &story,
                     "of the base: one replica in full"),
};
static const struct hc_record_def findings = HC_RECORD(NULL, findings_fields);

static const struct hc_field run_fields[] = {HC_PART_OF(findings_of, &findings)};
const struct hc_record_def hc_life_run_record = HC_RECORD(NULL, run_fields);

static const struct hc_field starved_fields[] = {
    FOUND("starved", n_starved, "", "replicas that ended without a node"),
};
static const struct hc_record_def starved = HC_RECORD(NULL, starved_fields);
static const struct hc_field counts_fields[] = {HC_PART_OF(findings_of, &starved)};
const struct hc_record_def hc_life_counts_record = HC_RECORD(NULL, counts_fields);
