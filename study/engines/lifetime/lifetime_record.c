#include "study/engines/lifetime/lifetime_record.h"

#include "study/engines/lifetime/lifetime_findings.h"

/* ---- the account ---- */

#define LEAF(...) HC_FIELD(struct hc_life_leaf, __VA_ARGS__)
static const struct hc_field leaf_fields[] = {
    LEAF("what", what, "", "what the GPUs did"),
    LEAF("why", why, "", "why"),
    LEAF("gpu_h", gpu_h, "GPU-hours", "of a replica in the mean"),
    LEAF("share", share, "", "of all that was held"),
};
static const struct hc_record_def leaf = HC_RECORD(NULL, leaf_fields);

static const char *state_name(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    (void)room;
    return hc_life_state_name((enum hc_life_state)at->index);
}

static double state_gpu_h(const struct hc_item *at)
{
    return *(const double *)at->record;
}

static const struct hc_field state_fields[] = {
    HC_TEXT_OF("state", state_name, "what the job was doing"),
    HC_REAL_OF("gpu_h", state_gpu_h, "GPU-hours", "of a replica in the mean"),
};
static const struct hc_record_def state = HC_RECORD(NULL, state_fields);

static size_t n_states(const struct hc_item *at)
{
    (void)at;
    return HC_STATE_COUNT;
}

static const void *state_at(const struct hc_item *at, size_t i)
{
    return &((const struct hc_life_findings *)at->record)->state_gpu_h[i];
}

/* ---- causes and stages ---- */

#define CAUSE(...) HC_FIELD(struct hc_life_cause, __VA_ARGS__)
static const struct hc_field cause_fields[] = {
    CAUSE("cause", name, "", "as the scenario calls it"),
    CAUSE("faults", faults.mean, "", "that struck a replica, mean"),
    CAUSE("unproductive_s", unproductive_s, "s", "lost and stood for it"),
    CAUSE("class", class, "", "explicit, implicit, manual"),
    CAUSE("faults_low", faults.low, "", "interval of the faults: its low end"),
    CAUSE("faults_high", faults.high, "", "and its high end"),
    CAUSE("share", share, "", "of all unproductive time"),
    CAUSE("unproductive_of_one_s", unproductive_of_one_s, "s", "of one fault"),
};
static const struct hc_record_def cause = HC_RECORD(NULL, cause_fields);

#define STAGE(...) HC_FIELD(struct hc_life_stage, __VA_ARGS__)
static const char *stage_name(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    (void)room;
    return hc_life_state_name(((const struct hc_life_stage *)at->record)->state);
}
static const struct hc_field stage_fields[] = {
    HC_TEXT_OF("stage", stage_name, "of recovery"),
    STAGE("of_stop_s", of_stop_s, "s", "of a stop: GPU-time over all GPUs and stops"),
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

static size_t n_counts(const struct hc_item *at)
{
    (void)at;
    return HC_COUNT_COUNT;
}

static const void *count_at(const struct hc_item *at, size_t i)
{
    return &((const struct hc_life_findings *)at->record)->tally[i];
}

#define STOPS(...) HC_FIELD(struct hc_life_stops, __VA_ARGS__)
static const struct hc_field stops_fields[] = {
    STOPS("number", n, "", "of all replicas"),
    STOPS("p50_s", p50_s, "s", "half are shorter"),
    STOPS("p90_s", p90_s, "s", "90 % are shorter"),
    STOPS("p99_s", p99_s, "s", "99 % are shorter"),
    STOPS("longest_s", longest_s, "s", "the longest, exact"),
};
static const struct hc_record_def stops = HC_RECORD(NULL, stops_fields);

static bool has_stops(const struct hc_item *at)
{
    return ((const struct hc_life_findings *)at->record)->stops.n > 0;
}

/* ---- theory ---- */

#define THEORY(...) HC_FIELD(struct hc_study_reference, __VA_ARGS__)
static const struct hc_field reference_fields[] = {
    THEORY("mttf_s", mttf_s, "s", "mean time to failure"),
    THEORY("ettr_exact", ettr_exact, "", "exact for exponential faults and an endless run"),
    THEORY("ettr_first_order", ettr_first_order, "", "as published"),
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

static size_t n_times(const struct hc_item *at)
{
    return ((const struct hc_lifetime_curve *)at->record)->n;
}

static const void *same_curve(const struct hc_item *at, size_t i)
{
    (void)i;
    return at->record;
}

static const struct hc_field curve_fields[] = {
    HC_FIELD(struct hc_lifetime_curve, "replicas", n_replicas, "", "that were lived again"),
    HC_FIELD(struct hc_lifetime_curve, "window_s", window_s, "s", "of the sliding value"),
    HC_LIST_OF("times", n_times, same_curve, &time_of_curve, "ascending"),
};
static const struct hc_record_def curve = HC_RECORD(NULL, curve_fields);

static bool has_half_over(const struct hc_item *at)
{
    return ((const struct hc_life_findings *)at->record)->curve != NULL;
}

/* ---- one life ---- */

static size_t n_slices(const struct hc_item *at)
{
    (void)at;
    return HC_LIFE_SLICES;
}

static const void *slice_at(const struct hc_item *at, size_t i)
{
    return (const double *)at->record + i;
}

static const struct hc_field slices_fields[] = {
    HC_TEXT_OF("state", state_name, "what the job was doing"),
    HC_LIST_OF("shares", n_slices, slice_at, &hc_real_items,
               "of each of 120 slices of the life, as long as each other", .rules = HC_LINE),
};
static const struct hc_record_def slices = HC_RECORD(NULL, slices_fields);

static const void *slices_at(const struct hc_item *at, size_t i)
{
    return ((const struct hc_life_story *)at->record)->slice[i];
}

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
    size_t n = ((const struct hc_life_story *)at->record)->n_halts;
    return n < HC_LIFE_NAMED ? n : HC_LIFE_NAMED;
}

static const void *halt_at(const struct hc_item *at, size_t i)
{
    return &((const struct hc_life_story *)at->record)->halt[i];
}

static int64_t n_marks(const struct hc_item *at)
{
    return (int64_t)((const struct hc_life_story *)at->record)->trace->n_marks;
}

#define STORY(...) HC_FIELD(struct hc_life_story, __VA_ARGS__)
static const struct hc_field story_fields[] = {
    STORY("replica", replica, "", "which one it is"),
    STORY("wall_s", wall_s, "s", "from submission to the end"),
    STORY("halts", n_halts, "", "stretches without steps, the first start too"),
    HC_INTEGER_OF("events", n_marks, "", "faults and what was planned"),
    HC_LIST_OF("longest", n_named, halt_at, &halt, "the longest 20 of the halts", .rules = HC_LINE),
    HC_LIST_OF("slices", n_states, slices_at, &slices, "by state"),
};
static const struct hc_record_def story = HC_RECORD(NULL, story_fields);

/* ---- a run ---- */

#define FOUND(...) HC_FIELD(struct hc_life_findings, __VA_ARGS__)
#define LIST(...)  HC_LIST(struct hc_life_findings, __VA_ARGS__)
static const struct hc_field findings_fields[] = {
    LIST("account", leaf, n_leaves, &leaf, "leaves with anything in them", .rules = HC_LINE),
    LIST("causes", cause, n_causes, &cause, "as the scenario has them", .rules = HC_LINE),
    FOUND("other_unproductive_s", other_unproductive_s, "s", "first start, planned stops, saves"),
    {.name = "counts",
     .type = HC_AS_MAP,
     .count = n_counts,
     .item = count_at,
     .record = &count,
     .unit = "",
     .sentence = "means of what happened in a replica"},
    HC_OBJECT(struct hc_life_findings, "stops", stops, &stops, "all stops of all replicas",
              .has = has_stops),
    HC_OBJECT(struct hc_life_findings, "reference", reference, &reference, "closed forms"),
    HC_OBJECT_BEHIND(struct hc_life_findings, "curve", curve, &curve, "ETTR over time"),
};
const struct hc_record_def hc_life_json = HC_RECORD(NULL, findings_fields);

/* What came later, behind all that documents had before. */
static const struct hc_field more_fields[] = {
    FOUND("gpu_h", gpu_h, "GPU-hours", "held, of a replica in the mean"),
    FOUND("unproductive_gpu_h", unproductive_gpu_h, "GPU-hours", "of them not productive"),
    FOUND("unproductive_cost", unproductive_money, "", "these at the price"),
    HC_LIST_OF("states", n_states, state_at, &state, "the account by state", .rules = HC_LINE),
    LIST("stages", stage, n_stages, &stage, "of recovery, without the first start",
         .rules = HC_LINE),
    {.name = "count_intervals",
     .type = HC_AS_MAP,
     .count = n_counts,
     .item = count_at,
     .record = &interval,
     .unit = "",
     .sentence = "of the counts"},
    FOUND("other_share", other_share, "", "of all unproductive time"),
    FOUND("half_over_s", half_over_s, "s",
          "when less than half of the replicas of the curve are left", .has = has_half_over),
    HC_OBJECT_BEHIND(struct hc_life_findings, "life", life, &story, "one replica"),
};
const struct hc_record_def hc_life_more_json = HC_RECORD(NULL, more_fields);
