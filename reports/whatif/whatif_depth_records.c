#include "reports/whatif/whatif_records.h"

#include "reports/whatif/culprits/culprit_records.h"
#include "reports/whatif/whatif_views.h"

#include <math.h>

static const struct hc_whatif_result *result_of(const struct hc_item *at)
{
    return at->record;
}

static const char *cause_name(int value)
{
    return hc_straggler_cause_key((enum hc_straggler_cause)value);
}

/* ---- verdict ---- */

#define EVIDENCE(...) HC_FIELD(struct hc_evidence, __VA_ARGS__)
static const struct hc_field evidence_fields[] = {
    EVIDENCE("test", key, "", "its name"),
    HC_NAME(struct hc_evidence, "cause", cause, cause_name, HC_N_STRAGGLER_CAUSES,
            "that it speaks for"),
    EVIDENCE("value", value, "", "of the test; null where it is not known"),
    EVIDENCE("limit", limit, "", "that it is held against"),
    EVIDENCE("passed", passed, "", "the value reaches the limit"),
    EVIDENCE("text", text, "", "the same in words", .rules = HC_NULL_IF_EMPTY),
};
const struct hc_record_def hc_whatif_evidence_record = HC_RECORD(NULL, evidence_fields);

static const struct hc_field bare_cause = {.type = HC_AS_NAME,
                                           .size = sizeof(enum hc_straggler_cause),
                                           .name_of = cause_name,
                                           .n_names = HC_N_STRAGGLER_CAUSES};
static const struct hc_record_def causes = {.n_fields = 1, .fields = &bare_cause};

HC_GIVES(int64_t, place_of, (int64_t)at->index)
HC_GIVES(size_t, count_stages, HC_OF(struct hc_verdict, at)->n_stages)
HC_GIVES_ITEM(stage_at, at->record)

static const struct hc_field correlation_fields[] = {
    HC_INTEGER_OF("stage", place_of, "", "its number"),
    HC_COLUMN(struct hc_verdict, "correlation", pass_correlation, "", "Pearson's"),
    HC_COLUMN(struct hc_verdict, "pairs", n_pass_pairs, "", "of passes"),
};
static const struct hc_record_def correlation = HC_RECORD(NULL, correlation_fields);

#define PAUSES(...) HC_FIELD(struct hc_pauses, __VA_ARGS__)
static const struct hc_field pause_fields[] = {
    PAUSES("forward", n[0], "", "forward passes that pause"),
    PAUSES("backward", n[1], "", "backward passes that do"),
    PAUSES("forward_s", excess_s[0], "s", "that those of forward passes take"),
    PAUSES("backward_s", excess_s[1], "s", "that those of backward passes take"),
    PAUSES("workers", n_workers, "", "with a pause in a forward pass"),
    PAUSES("steps", n_steps, "", "with one"),
    PAUSES("planned_steps", n_planned_steps, "",
           "of these, in which at least nine in ten of the workers pause"),
    PAUSES("planned", n_planned, "", "forward pauses in these steps"),
};
static const struct hc_record_def pauses = HC_RECORD(NULL, pause_fields);

HC_GIVES_ITEM(pauses_of, HC_OF(struct hc_verdict, at)->pauses.done
                             ? &HC_OF(struct hc_verdict, at)->pauses
                             : NULL)

static const struct hc_field verdict_fields[] = {
    HC_NAME(struct hc_verdict, "cause", cause, cause_name, HC_N_STRAGGLER_CAUSES,
            "the likely one: `worker`, `stage`, `sequence`, `gc`, `link`, `launch`, `none` (not "
            "straggling) or `unexplained`"),
    HC_LIST_IN(struct hc_verdict, "also", also, n_also, &causes,
               "causes that pass their tests besides", .rules = HC_LINE),
    HC_FIELD(struct hc_verdict, "text", text, "", "both in words"),
    HC_LIST_IN(struct hc_verdict, "evidence", evidence, n_evidence, &hc_whatif_evidence_record,
               "all tests, also those that fail"),
    HC_OBJECT_OF("pauses", pauses_of, &pauses, "of passes; null when not looked for",
                 .rules = HC_LINE),
    HC_LIST_OF("pass_correlation", count_stages, stage_at, &correlation,
               "of forward against backward passes", .rules = HC_LINE),
};
static const struct hc_record_def verdict = HC_RECORD(NULL, verdict_fields);

HC_GIVES_ITEM(verdict_of, result_of(at)->depth.verdict.done ? &result_of(at)->depth.verdict : NULL)

/* ---- intervals and cost ---- */

static const struct hc_field interval_fields[] = {
    HC_FIELD(struct hc_interval, "low", low, "", "lower end"),
    HC_FIELD(struct hc_interval, "high", high, "", "upper end"),
};
static const struct hc_record_def interval = HC_RECORD("an interval", interval_fields);

#define INTERVALS(...) HC_FIELD(struct hc_intervals, __VA_ARGS__)
#define INTERVAL(name, member, sentence)                                                           \
    HC_OBJECT(struct hc_intervals, name, member, &interval, sentence, .rules = HC_LINE)
#define REASON(name, member) INTERVALS(name, member.text, "", "why not", .rules = HC_NULL_IF_EMPTY)
static const struct hc_field intervals_fields[] = {
    INTERVALS("level", level, "", "0.95"),
    INTERVALS("steps", n_steps, "", "from how these differ"),
    INTERVALS("unseen_share", unseen_share, "",
              "what comes in fewer of the steps may not have been seen: 1 - 0.05^(1/steps)"),
    INTERVAL("slowdown", slowdown, "of S; null where it is not given"),
    REASON("slowdown_reason", slowdown_reason),
    INTERVAL("m_w", m_w, "of M_W"),
    REASON("m_w_reason", m_w_reason),
    INTERVAL("m_s", m_s, "of M_S"),
    REASON("m_s_reason", m_s_reason),
};
static const struct hc_record_def intervals = HC_RECORD(NULL, intervals_fields);

HC_GIVES_ITEM(intervals_of,
              result_of(at)->depth.intervals.done ? &result_of(at)->depth.intervals : NULL)
HC_GIVES(bool, has_cost, result_of(at)->n_gpus > 0)

#define RESULT(...) HC_FIELD(struct hc_whatif_result, __VA_ARGS__)
static const struct hc_field cost_fields[] = {
    RESULT("gpus", n_gpus, "", "of the job"),
    RESULT("gpu_hours_traced", gpu_hours_traced, "GPU-hours", "of the analysed steps"),
    RESULT("gpu_hours_lost", gpu_hours_lost, "GPU-hours", "of them, to stragglers"),
};
static const struct hc_record_def cost = HC_RECORD(NULL, cost_fields);

/* ---- fix curves ---- */

static const struct hc_fix_curve *curve_of(const struct hc_item *at)
{
    return at->parent->record;
}

HC_GIVES_TEXT(kind_of, hc_fix_kind_key((enum hc_fix_kind)at->parent->index))

/* The member that a point adds to the one before it: only where it adds one. */
static const char *last_fixed_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    _Static_assert(HC_MEMBER_TEXT <= HC_CELL_ROOM, "the name of a member must fit a cell");
    const struct hc_fix_curve *curve = curve_of(at);
    size_t point = at->index, n = curve->points[point].n_fixed;
    bool is_one = point > 0 && n == curve->points[point - 1].n_fixed + 1 && n <= curve->n_groups;
    return is_one
               ? hc_fix_member_name(result_of(at->parent->parent),
                                    (enum hc_fix_kind)at->parent->index, curve->order[n - 1], room)
               : NULL;
}

HC_GIVES(bool, is_knee, at->index > 0 && at->index == curve_of(at)->knee)

#define POINT(...) HC_FIELD(struct hc_fix_point, __VA_ARGS__)
static const struct hc_field point_fields[] = {
    HC_TEXT_OF("of", kind_of, "`workers`, `stages` or `op_types`", .rules = HC_ONLY_CSV),
    POINT("fixed", n_fixed, "", "number of the worst that are ideal together"),
    HC_TEXT_OF("last_fixed", last_fixed_of, "that the point adds", .rules = HC_ONLY_CSV),
    POINT("mean_step_s", step_s, "s", "mean span of a step then"),
    POINT("recovered", recovered, "", "share of the excess that goes"),
    HC_BOOL_OF("is_knee", is_knee, "more brings little", .rules = HC_ONLY_CSV),
};
const struct hc_record_def hc_whatif_fix_point_record = HC_RECORD(NULL, point_fields);

static int64_t rank_of(const struct hc_item *at)
{
    const struct hc_whatif_result *result = result_of(at->parent->parent);
    int32_t worker = *(const int32_t *)at->record;
    return (size_t)worker < result->n_workers ? result->workers[worker].rank : worker;
}

static const char *type_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    return hc_fix_member_name(result_of(at->parent->parent), HC_FIX_OP_TYPES,
                              *(const int32_t *)at->record, room);
}

static const struct hc_field bare_rank = {.type = HC_AS_I64, .integer = rank_of};
static const struct hc_field bare_type = {.type = HC_AS_TEXT, .text = type_of};
static const struct hc_record_def ranks = {.n_fields = 1, .fields = &bare_rank};
static const struct hc_record_def types = {.n_fields = 1, .fields = &bare_type};

static int64_t knee_of(const struct hc_item *at)
{
    const struct hc_fix_curve *curve = at->record;
    return curve->knee > 0 ? (int64_t)curve->points[curve->knee].n_fixed : HC_MISSING_I64;
}

#define CURVE_FIELDS(members, what)                                                                \
    {                                                                                              \
        HC_LIST(struct hc_fix_curve, "worst_first", order, n_groups, members, what,                \
                .rules = HC_LINE),                                                                 \
            HC_INTEGER_OF("knee", knee_of, "", "number after which more brings little, or null"),  \
            HC_LIST(struct hc_fix_curve, "points", points, n_points, &hc_whatif_fix_point_record,  \
                    "", .rules = HC_LINE),                                                         \
    }
static const struct hc_field worker_curve_fields[] = CURVE_FIELDS(&ranks, "ranks");
static const struct hc_field stage_curve_fields[] = CURVE_FIELDS(&hc_i32_items, "stages");
static const struct hc_field type_curve_fields[] = CURVE_FIELDS(&types, "names of op types");
static const struct hc_record_def worker_curve = HC_RECORD(NULL, worker_curve_fields);
static const struct hc_record_def stage_curve = HC_RECORD(NULL, stage_curve_fields);
static const struct hc_record_def type_curve = HC_RECORD(NULL, type_curve_fields);

static const void *done_curve(const struct hc_item *at, enum hc_fix_kind kind)
{
    const struct hc_fix_curve *curve = &result_of(at)->depth.fixes[kind];
    return curve->n_groups > 0 ? curve : NULL;
}

HC_GIVES_ITEM(workers_of, done_curve(at, HC_FIX_WORKERS))
HC_GIVES_ITEM(stages_of, done_curve(at, HC_FIX_STAGES))
HC_GIVES_ITEM(op_types_of, done_curve(at, HC_FIX_OP_TYPES))

static bool has_fixes(const struct hc_item *at)
{
    for (int kind = 0; kind < HC_N_FIX_KINDS; kind++)
        if (done_curve(at, (enum hc_fix_kind)kind))
            return true;
    return false;
}

static const struct hc_field fixes_fields[] = {
    HC_OBJECT_OF("workers", workers_of, &worker_curve, ""),
    HC_OBJECT_OF("stages", stages_of, &stage_curve, ""),
    HC_OBJECT_OF("op_types", op_types_of, &type_curve, ""),
};
static const struct hc_record_def fixes = HC_RECORD(NULL, fixes_fields);

/* ---- Shapley values ---- */

static double slowdown_alone_of(const struct hc_item *at)
{
    const struct hc_shapley_share *share = at->record;
    return hc_split_group_slowdown(&result_of(at->parent)->blocking[HC_BY_OP_TYPE], share->name);
}

#define SHARE(...) HC_FIELD(struct hc_shapley_share, __VA_ARGS__)
static const struct hc_field share_fields[] = {
    SHARE("op_type", name, "", "or `other types`, which share one value"),
    SHARE("types", n_types, "", "that share it"),
    SHARE("share_s", seconds, "s", "of the mean step"),
    SHARE("share", share, "", "of their sum; null without excess"),
    HC_REAL_OF("slowdown_alone", slowdown_alone_of, "", "S with only its ops as recorded"),
};
const struct hc_record_def hc_whatif_share_record = HC_RECORD(NULL, share_fields);

#define SHAPLEY(member) depth.shapley.member
static const struct hc_field shapley_fields[] = {
    RESULT("replays", SHAPLEY(n_sweeps), "", "coalitions that were replayed"),
    RESULT("sum_s", findings.shapley_s, "s", "of the shares: the excess of the mean step"),
    HC_LIST(struct hc_whatif_result, "shares", SHAPLEY(groups), SHAPLEY(n_groups),
            &hc_whatif_share_record, "of the excess, by op type; they add up to it",
            .rules = HC_LINE),
};
static const struct hc_record_def shapley = HC_RECORD(NULL, shapley_fields);

HC_GIVES(bool, has_shapley, result_of(at)->depth.shapley.done)

/* ---- all of it ---- */

HC_GIVES(bool, has_culprits, result_of(at)->depth.culprits.done)

static const struct hc_field depth_fields[] = {
    HC_OBJECT_OF("verdict", verdict_of, &verdict, ""),
    HC_GROUP("cause", &hc_whatif_cause_record, "what is slow, and when; null when not looked for",
             .has = has_culprits),
    HC_OBJECT_OF("intervals", intervals_of, &intervals, ""),
    HC_GROUP("cost", &cost, "null when the number of GPUs is not known", .has = has_cost),
    HC_GROUP("fixes", &fixes,
             "what it brings to make the worst few ideal together: by workers, stages, op types",
             .has = has_fixes),
    HC_GROUP("shapley", &shapley, "", .has = has_shapley),
};
const struct hc_record_def hc_whatif_depth_record = HC_RECORD(NULL, depth_fields);
