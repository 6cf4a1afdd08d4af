#include "reports/whatif/culprits/culprit_records.h"

#include <string.h>

static const char *kind_name(int value)
{
    return hc_culprit_kind_key((enum hc_culprit_kind)value);
}

static const char *ops_name(int value)
{
    return hc_slow_ops_key((enum hc_slow_ops)value);
}

static const char *pattern_name(int value)
{
    return hc_slow_pattern_key((enum hc_slow_pattern)value);
}

static const char *cause_name(int value)
{
    return hc_straggler_cause_key((enum hc_straggler_cause)value);
}

/* The number of a step, of the item of a culprit or level in the result. */
static int64_t number_of(const struct hc_item *at, size_t step)
{
    const struct hc_whatif_result *result = at->parent->record;
    return step < result->n_steps ? result->steps[step] : HC_MISSING_I64;
}

/* ---- measured ---- */

#define MEASURED(...) HC_FIELD(struct hc_measured, __VA_ARGS__)
static const struct hc_field measured_fields[] = {
    MEASURED("value", value, "", "the figure"),
    MEASURED("low", low, "", "lower end of its interval of 95 %; null where none can be given"),
    MEASURED("high", high, "", "upper end"),
};
static const struct hc_record_def measured = HC_RECORD("a measured figure", measured_fields);

/* ---- stretches, in a culprit, in the result ---- */

#define STRETCH_STEP(name, member)                                                                 \
    HC_GIVES(int64_t, name, number_of(at->parent, HC_OF(struct hc_slow_stretch, at)->member))
STRETCH_STEP(stretch_first, first)
STRETCH_STEP(stretch_last, last)
STRETCH_STEP(stretch_first_low, first_low)
STRETCH_STEP(stretch_first_high, first_high)
STRETCH_STEP(stretch_last_low, last_low)
STRETCH_STEP(stretch_last_high, last_high)

HC_GIVES(int64_t, culprit_place, (int64_t)at->parent->index)
HC_GIVES_TEXT(culprit_text, HC_OF(struct hc_culprit, at->parent)->name)

static const struct hc_field stretch_fields[] = {
    HC_INTEGER_OF("culprit", culprit_place, "", "its place by share, from 0", .rules = HC_ONLY_CSV),
    HC_TEXT_OF("name", culprit_text, "of the culprit", .rules = HC_ONLY_CSV),
    HC_INTEGER_OF("first", stretch_first, "", "slow step"),
    HC_INTEGER_OF("last", stretch_last, "", "slow step"),
    HC_INTEGER_OF("first_low", stretch_first_low, "",
                  "with 95 % the first slow step lies from here"),
    HC_INTEGER_OF("first_high", stretch_first_high, "", "to here"),
    HC_INTEGER_OF("last_low", stretch_last_low, "", "the same of the last"),
    HC_INTEGER_OF("last_high", stretch_last_high, "", "upper end"),
    HC_FIELD(struct hc_slow_stretch, "factor", factor, "",
             "how many times as long its slow ops take as those of peers"),
};
const struct hc_record_def hc_whatif_stretch_record = HC_RECORD(NULL, stretch_fields);

/* ---- members, in a culprit, in the result ---- */

static const struct hc_worker *member_of(const struct hc_item *at)
{
    const struct hc_whatif_result *result = at->parent->parent->record;
    return &result->workers[*(const int32_t *)at->record];
}

HC_GIVES(int64_t, member_dp_rank, member_of(at)->dp_rank)
HC_GIVES(int64_t, member_stage, member_of(at)->stage)

static const struct hc_field member_fields[] = {
    HC_INTEGER_OF("dp_rank", member_dp_rank, "", "of the worker"),
    HC_INTEGER_OF("stage", member_stage, "", "of the worker"),
};
static const struct hc_record_def member = HC_RECORD(NULL, member_fields);

/* ---- culprits, in the result ---- */

static int64_t known(int32_t place)
{
    return place < 0 ? HC_MISSING_I64 : place;
}

HC_GIVES(int64_t, culprit_dp_rank, known(HC_OF(struct hc_culprit, at)->dp_rank))
HC_GIVES(int64_t, culprit_stage, known(HC_OF(struct hc_culprit, at)->stage))
HC_GIVES(int64_t, culprit_since, number_of(at, HC_OF(struct hc_culprit, at)->since))
HC_GIVES(int64_t, culprit_until, number_of(at, HC_OF(struct hc_culprit, at)->until))
HC_GIVES(int64_t, all_steps, (int64_t)HC_OF(struct hc_whatif_result, at->parent)->n_steps)
HC_GIVES(int64_t, own_place, (int64_t)at->index)

static const char *direction_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    int direction = HC_OF(struct hc_culprit, at)->direction;
    (void)room;
    return direction < 0 ? NULL : direction == 0 ? "forward" : "backward";
}

HC_GIVES(int64_t, period_of,
         HC_OF(struct hc_culprit, at)->period ? (int64_t)HC_OF(struct hc_culprit, at)->period
                                              : HC_MISSING_I64)

static double split_share(const struct hc_item *at)
{
    const struct hc_whatif_result *result = at->parent->record;
    return hc_culprit_split_share(HC_OF(struct hc_culprit, at), &result->depth.culprits);
}

static const enum hc_op_type all_types[HC_N_OP_TYPES] = {0, 1, 2, 3,  4,  5,  6,
                                                         7, 8, 9, 10, 11, 12, 13};

_Static_assert(HC_N_OP_TYPES == 14, "all_types has each type");

/* The i-th of the slow types. */
static const enum hc_op_type *slow_type(const struct hc_culprit *culprit, size_t i)
{
    const enum hc_op_type *type = all_types;
    while (!(culprit->op_types >> *type & 1) || i-- > 0)
        type++;
    return type;
}

HC_GIVES(size_t, count_types, (size_t)__builtin_popcount(HC_OF(struct hc_culprit, at)->op_types))
HC_GIVES_ITEM(type_at, slow_type(HC_OF(struct hc_culprit, at), i))
static const struct hc_field bare_type = {.type = HC_AS_NAME,
                                          .size = sizeof(enum hc_op_type),
                                          .name_of = hc_op_type_name,
                                          .n_names = HC_N_OP_TYPES};
static const struct hc_record_def op_type = {.n_fields = 1, .fields = &bare_type};

static const char *op_types_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    const struct hc_culprit *culprit = HC_OF(struct hc_culprit, at);
    size_t used = 0;
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        if (culprit->op_types >> type & 1 && used < HC_CELL_ROOM)
            used += (size_t)snprintf(room + used, HC_CELL_ROOM - used, "%s%s", used ? " " : "",
                                     hc_op_type_name(type));
    return used ? room : NULL;
}

HC_GIVES_TEXT(factor_reason_of, hc_culprit_factor_reason(HC_OF(struct hc_culprit, at)))

#define CULPRIT(...) HC_FIELD(struct hc_culprit, __VA_ARGS__)
#define FIGURE(name, member_, sentence)                                                            \
    HC_OBJECT(struct hc_culprit, name, member_, &measured, sentence, .rules = HC_LINE)
static const struct hc_field culprit_fields[] = {
    HC_INTEGER_OF("culprit", own_place, "", "its place by share, from 0", .rules = HC_ONLY_CSV),
    HC_NAME(struct hc_culprit, "kind", kind, kind_name, HC_N_CULPRIT_KINDS,
            "what is slow: `worker`, `dp_rank`, `stage`, `host`, `switch`, slot (the same GPU of "
            "each host), `link` or `job` (all workers alike)"),
    HC_NAME(struct hc_culprit, "ops", ops, ops_name, HC_N_SLOW_OPS,
            "which of its ops: `forward`, `backward`, `passes` (both), `transfers`, `all`, "
            "`launches` or `op_type`"),
    HC_TEXT_OF("op_types", op_types_of, "of its ops, with a blank between them",
               .rules = HC_ONLY_CSV),
    HC_LIST_OF("op_types", count_types, type_at, &op_type,
               "types of ops that are slow, of `op_type`; of others, those that are slow besides",
               .rules = HC_LINE),
    HC_NAME(struct hc_culprit, "pattern", pattern, pattern_name, HC_N_SLOW_PATTERNS,
            "`always`, `since` (a step, to the end), `until`, `between`, `recurrent` or "
            "`some_passes`"),
    HC_NAME(struct hc_culprit, "cause", cause, cause_name, HC_N_STRAGGLER_CAUSES,
            "under which the verdict counts it"),
    HC_INTEGER_OF("dp_rank", culprit_dp_rank, "", "null when several"),
    HC_INTEGER_OF("stage", culprit_stage, "", "null when several"),
    CULPRIT("rank", rank, "", "of its first worker"),
    HC_TEXT_OF("direction", direction_of, "of a link between stages: `forward` or `backward`"),
    CULPRIT("host", host, "", "null when not known, or several"),
    CULPRIT("switch", switch_name, "", "null when not known, or several"),
    HC_LIST(struct hc_culprit, "workers", members, n_members, &member, "that belong to it",
            .rules = HC_LINE),
    FIGURE("factor", factor, "how many times as long its slow ops take as those of peers"),
    FIGURE("forward_factor", forward_factor, "of forward passes"),
    FIGURE("backward_factor", backward_factor, "of backward passes"),
    FIGURE("transfer_factor", transfer_factor, "of transfers"),
    FIGURE("duty", duty, "share of the steps in which it is slow"),
    FIGURE("pass_duty", pass_duty, "share of the passes of these steps that are slow"),
    FIGURE("alone_share", alone_share, "of the excess, that goes when it alone is mended"),
    HC_INTEGER_OF("since", culprit_since, "", "first slow step"),
    HC_INTEGER_OF("until", culprit_until, "", "last slow step"),
    CULPRIT("lasts", lasts, "", "slow at the end of the trace"),
    CULPRIT("slow_steps", n_slow_steps, "", "so many"),
    HC_INTEGER_OF("period_steps", period_of, "",
                  "it is slow in every so many-th step; null where it is not"),
    HC_INTEGER_OF("steps", all_steps, "", "analysed"),
    HC_LIST(struct hc_culprit, "stretches", stretches, n_stretches, &hc_whatif_stretch_record,
            "of consecutive slow steps", .rules = HC_LINE),
    CULPRIT("alone_s", alone_s, "s",
            "what mending it alone saves of the mean step, by an exact replay; such figures do not "
            "add up"),
    CULPRIT("split_s", split_s, "s",
            "its part (Shapley value) of what mending all culprits together saves; these add up"),
    HC_REAL_OF("split_share", split_share, "", "the same of what all together save"),
    CULPRIT("gpu_hours_lost", gpu_hours_lost, "GPU-hours",
            "`split_s` over the analysed steps and all GPUs"),
    HC_TEXT_OF("factor_reason", factor_reason_of,
               "why the factor has no interval; null where it has one"),
    CULPRIT("name", name, "", "in words"),
    CULPRIT("when", when, "", "in words; null when always", .rules = HC_NULL_IF_EMPTY),
    CULPRIT("text", text, "", "all of it in words"),
};
const struct hc_record_def hc_whatif_culprit_record = HC_RECORD(NULL, culprit_fields);

/* ---- levels, in the result ---- */

HC_GIVES(int64_t, level_first, number_of(at, HC_OF(struct hc_job_level, at)->first))
HC_GIVES(int64_t, level_last, number_of(at, HC_OF(struct hc_job_level, at)->last))

static const struct hc_field level_fields[] = {
    HC_INTEGER_OF("first", level_first, "", "step"),
    HC_INTEGER_OF("last", level_last, "", "step"),
    HC_FIELD(struct hc_job_level, "replayed_s", replayed_s, "s", "mean span of these steps"),
    HC_OBJECT(struct hc_job_level, "slowdown", slowdown, &measured, "S of these steps",
              .rules = HC_LINE),
};
static const struct hc_record_def level = HC_RECORD(NULL, level_fields);

/* ---- fixes that were asked for, in the result ---- */

HC_GIVES(double, fix_share,
         HC_OF(struct hc_asked_fix, at)->saved_s /
             HC_OF(struct hc_whatif_result, at->parent)->replayed_s)

#define FIX(...) HC_FIELD(struct hc_asked_fix, __VA_ARGS__)
static const struct hc_field fix_fields[] = {
    FIX("name", name, "", "as asked: `node:n0`, `rank:7,9`"),
    FIX("workers", n_chosen, "", "that it means"),
    FIX("culprits", n_culprits, "", "that these belong to; 0: nothing slow was found on them"),
    FIX("saved_s", saved_s, "s",
        "what fixing what is slow in the ops of these workers saves of the mean step, by an exact "
        "replay"),
    HC_REAL_OF("share", fix_share, "", "the same of the mean step (`mean_replayed_s`)"),
    FIX("launches_saved_s", launches_saved_s, "s",
        "what starting their late ops in time saves of the mean step as traced; null where the "
        "trace hides waiting"),
};
static const struct hc_record_def fix = HC_RECORD(NULL, fix_fields);

/* ---- all of it ---- */

static const char *fix_to_try(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    char name[HC_FIX_NAME];
    if (!hc_fix_to_try(at->record, name) || strlen(name) >= HC_CELL_ROOM)
        return NULL;
    return strcpy(room, name);
}

static const struct hc_field cause_fields[] = {
    HC_LIST(
        struct hc_whatif_result, "culprits", depth.culprits.culprits, depth.culprits.n,
        &hc_whatif_culprit_record,
        "parts that are slower than their peers, or than in other steps: those of the verdict's "
        "cause first, then by `split_s`"),
    HC_FIELD(struct hc_whatif_result, "together_s", depth.culprits.together_s, "s",
             "what mending all culprits but late launches saves of the mean step"),
    HC_FIELD(struct hc_whatif_result, "launches_together_s", depth.culprits.launches_together_s,
             "s", "what mending all late launches saves of the mean step as traced"),
    HC_LIST(struct hc_whatif_result, "levels", depth.culprits.levels, depth.culprits.n_levels,
            &level, "of the job as a whole: one, or a stretch for each level that it changes to",
            .rules = HC_LINE),
    HC_TEXT_OF("try", fix_to_try,
               "what `--fix` takes to replay the job without its first culprit that is a host, dp "
               "rank, worker, slot or stage; null without any"),
    HC_LIST(struct hc_whatif_result, "fixes", depth.asked_fixes, depth.n_asked_fixes, &fix,
            "of `--fix`, in the order in which they were asked for", .rules = HC_LINE),
};
const struct hc_record_def hc_whatif_cause_record = HC_RECORD(NULL, cause_fields);
