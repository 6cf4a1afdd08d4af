#include "reports/compare/compare_records.h"

#include "core/tables/json_records.h"
#include "reports/compare/compare_report.h"
#include "reports/compare/compare_views.h"
#include "sim/whatif/straggler_causes.h"

static const struct hc_compare_report *report_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

static const struct hc_comparison *comparison_of(const struct hc_item *at)
{
    return report_of(at)->comparison;
}

/* ---- one figure ---- */

static const char *sign_key(int value)
{
    return hc_change_sign_key((enum hc_change_sign)value);
}

#define CHANGE(...) HC_FIELD(struct hc_change, __VA_ARGS__)
static const struct hc_field change_fields[] = {
    CHANGE("a", a, "", "of A"),
    CHANGE("b", b, "", "of B"),
    CHANGE("value", difference, "", "B less A"),
    CHANGE("low", low, "", "95 % interval of it"),
    CHANGE("high", high, "", "the other end"),
    CHANGE("relative", relative, "", "B over A, less 1"),
    CHANGE("relative_low", relative_low, "",
           "95 % interval of it, never below -1; null where it is not known"),
    CHANGE("relative_high", relative_high, "", "the other end"),
    HC_NAME(struct hc_change, "changed", sign, sign_key, HC_CHANGE_DOWN + 1,
            "`up`, `down`, `no`, `unknown`: whether the steps show it, with the number of figures "
            "of the table taken into account"),
};
static const struct hc_record_def change = HC_RECORD("a change", change_fields);

static const struct hc_field relative_fields[] = {
    CHANGE("value", relative, "", "B over A, less 1"),
    CHANGE("low", relative_low, "", "95 % interval of it"),
    CHANGE("high", relative_high, "", "the other end"),
};
static const struct hc_record_def relative = HC_RECORD(NULL, relative_fields);

#define CHANGED(S, name, member, sentence)                                                         \
    HC_OBJECT(S, name, member, &change, sentence, .rules = HC_LINE)

/* ---- A and B ---- */

static const struct hc_whatif_result *result_of(const struct hc_item *at)
{
    const struct hc_compare_report *report = report_of(at);
    return at->record == &report->a ? report->comparison->a : report->comparison->b;
}

HC_GIVES_ITEM(job_of, &result_of(at)->job)
HC_GIVES(int64_t, steps_of, (int64_t)result_of(at)->n_steps)
HC_GIVES(int64_t, left_out_of, (int64_t)result_of(at)->n_left_out)
HC_GIVES(int64_t, first_step_of, result_of(at)->steps[0])
HC_GIVES(int64_t, last_step_of, result_of(at)->steps[result_of(at)->n_steps - 1])
HC_GIVES(int64_t, first_date_of, hc_step_unix_ns(result_of(at), 0))
HC_GIVES(int64_t, last_date_of, hc_step_unix_ns(result_of(at), result_of(at)->n_steps - 1))
HC_GIVES(int64_t, dp_size_of, result_of(at)->dp_size)
HC_GIVES(int64_t, pp_size_of, result_of(at)->pp_size)
HC_GIVES(int64_t, vpp_size_of, result_of(at)->vpp_size)
HC_GIVES(int64_t, gpus_of, result_of(at)->n_gpus > 0 ? result_of(at)->n_gpus : HC_MISSING_I64)
HC_GIVES(bool, has_cause, result_of(at)->depth.verdict.done)
HC_GIVES_TEXT(cause_of, hc_straggler_cause_key(result_of(at)->depth.verdict.cause))
HC_GIVES_TEXT(verdict_of, result_of(at)->depth.verdict.text)

#define INPUT(...) HC_FIELD(struct hc_compared_input, __VA_ARGS__)
static const struct hc_field input_fields[] = {
    INPUT("argument", argument, "", "as given"),
    INPUT("path", source_path, "", "of the source"),
    INPUT("sha256", source_sha256, "", "of the source"),
    INPUT("archive", archive, "", "null for a file"),
    INPUT("segment", segment, "", "null for a file"),
    HC_PART_OF(job_of, &hc_job_key_record),
    INPUT("steps_option", steps, "", "the steps as given"),
    HC_INTEGER_OF("steps", steps_of, "", "analysed"),
    HC_INTEGER_OF("first_step", first_step_of, "", "of them"),
    HC_INTEGER_OF("last_step", last_step_of, "", "of them"),
    HC_INTEGER_OF("first_step_unix_ns", first_date_of, "ns", "when it began, where that is known"),
    HC_INTEGER_OF("last_step_unix_ns", last_date_of, "ns", "when it began, where that is known"),
    HC_INTEGER_OF("steps_left_out", left_out_of, "", "not analysed, also those not chosen"),
    HC_INTEGER_OF("dp_size", dp_size_of, "", "of the trace"),
    HC_INTEGER_OF("pp_size", pp_size_of, "", "of the trace"),
    HC_INTEGER_OF("vpp_size", vpp_size_of, "", "of the trace"),
    HC_INTEGER_OF("gpus", gpus_of, "", "of the job"),
    HC_TEXT_OF("cause", cause_of, "the likely straggler cause, as in `hindcast-whatif`",
               .has = has_cause),
    HC_TEXT_OF("verdict", verdict_of, "in words", .has = has_cause),
};
static const struct hc_record_def input = HC_RECORD("a side", input_fields);

/* ---- the job as a whole ---- */

#define COMPARISON(...)               HC_FIELD(struct hc_comparison, __VA_ARGS__)
#define FIGURE(name, which, sentence) CHANGED(struct hc_comparison, name, figures[which], sentence)
static const struct hc_field figure_fields[] = {
    HC_OBJECT(struct hc_comparison, "step_change", figures[HC_COMPARED_STEP], &relative,
              "of the mean step as traced, as a share", .rules = HC_LINE),
    FIGURE("mean_traced_s_change", HC_COMPARED_STEP, "mean span of a step as traced, s"),
    FIGURE("mean_replayed_s_change", HC_COMPARED_REPLAYED, "without launch delays, s"),
    FIGURE("mean_ideal_s_change", HC_COMPARED_IDEAL, "without stragglers, s"),
    FIGURE("slowdown_change", HC_COMPARED_SLOWDOWN, "S"),
    FIGURE("waste_change", HC_COMPARED_WASTE, "1 - 1/S"),
    FIGURE("launch_slowdown_change", HC_COMPARED_LAUNCH, "traced over replayed"),
    FIGURE("m_w_change", HC_COMPARED_M_W, "M_W"),
    FIGURE("m_s_change", HC_COMPARED_M_S, "M_S"),
};
static const struct hc_record_def figures = HC_RECORD(NULL, figure_fields);

HC_GIVES_TEXT(figure_key, hc_compared_figure_key((enum hc_compared_figure)at->index))

static const struct hc_field compared_figure_fields[] = {
    HC_TEXT_OF("figure", figure_key, ""),
    HC_SAME_PART(&change),
};
const struct hc_record_def hc_compared_figure_record = HC_RECORD(NULL, compared_figure_fields);

/* ---- sides that change within ---- */

static const struct hc_compared_stretch *stretch_of(const struct hc_item *at)
{
    return at->record;
}

static const int32_t *stretch_steps_of(const struct hc_item *at)
{
    const struct hc_comparison *c = comparison_of(at);
    return (stretch_of(at)->in_b ? c->b : c->a)->steps;
}

HC_GIVES_TEXT(stretch_side_of, stretch_of(at)->in_b ? "b" : "a")
HC_GIVES(int64_t, stretch_first_of, stretch_steps_of(at)[stretch_of(at)->first])
HC_GIVES(int64_t, stretch_last_of, stretch_steps_of(at)[stretch_of(at)->last])

static const struct hc_field stretch_fields[] = {
    HC_TEXT_OF("side", stretch_side_of, "`a` or `b`, whose steps these are"),
    HC_INTEGER_OF("first_step", stretch_first_of, "", "of the stretch"),
    HC_INTEGER_OF("last_step", stretch_last_of, "", "of the stretch"),
    HC_FIELD(struct hc_compared_stretch, "mean_traced_s", mean_s, "s", "mean of these steps"),
    HC_NAME(struct hc_compared_stretch, "changed", sign, sign_key, HC_CHANGE_DOWN + 1,
            "`up`: slower than the other side; `down`: faster; `no`"),
};
static const struct hc_record_def stretch = HC_RECORD(NULL, stretch_fields);

/* ---- its parts ---- */

HC_GIVES_TEXT(op_type_of, hc_op_type_name(HC_OF(struct hc_compared_type, at)->op_type))

#define TYPE(...) HC_FIELD(struct hc_compared_type, __VA_ARGS__)
static const struct hc_field type_fields[] = {
    HC_TEXT_OF("op_type", op_type_of, "of A or B"),
    CHANGED(struct hc_compared_type, "duration_s", duration_s,
            "mean of an op, s; of communication, of its transfer"),
    CHANGED(struct hc_compared_type, "busy_s", busy_s, "time of a worker in such ops in a step, s"),
    TYPE("step_share_a", share_a, "", "the same over the mean step"),
    TYPE("step_share_b", share_b, "", "of B"),
    TYPE("ideal_a_s", ideal_a_s, "s", "ideal duration of an op in A"),
    TYPE("ideal_b_s", ideal_b_s, "s", "in B"),
};
static const struct hc_record_def type = HC_RECORD(NULL, type_fields);

#define PASSES(S)                                                                                  \
    CHANGED(S, "forward_s", forward_s, "mean duration of a forward pass, s"),                      \
        CHANGED(S, "backward_s", backward_s, "of a backward pass, s")
#define STAGE(...) HC_FIELD(struct hc_compared_stage, __VA_ARGS__)
static const struct hc_field stage_fields[] = {
    STAGE("stage", stage, "", "its number"),
    PASSES(struct hc_compared_stage),
    CHANGED(struct hc_compared_stage, "slowdown", slowdown, "S with only this stage as recorded"),
};
static const struct hc_record_def stage = HC_RECORD(NULL, stage_fields);

#define WORKER(...) HC_FIELD(struct hc_compared_worker, __VA_ARGS__)
static const struct hc_field worker_fields[] = {
    WORKER("dp_rank", dp_rank, "", "of the worker"),
    WORKER("stage", stage, "", "of the worker"),
    WORKER("rank_a", rank_a, "", "of the job"),
    WORKER("rank_b", rank_b, "", "of the job"),
    WORKER("host_a", host_a, "", "that it ran on, where the metadata says it"),
    WORKER("host_b", host_b, "", "the same in B"),
    PASSES(struct hc_compared_worker),
    CHANGED(struct hc_compared_worker, "pass_ratio", pass_ratio,
            "time of its passes over that of the middle dp rank of its stage"),
    CHANGED(struct hc_compared_worker, "slowdown", slowdown, "S with only it as recorded"),
};
static const struct hc_record_def worker = HC_RECORD(NULL, worker_fields);

#define HOST(...) HC_FIELD(struct hc_compared_host, __VA_ARGS__)
static const struct hc_field host_fields[] = {
    HOST("host", host, "", "its name"),
    HOST("workers_a", workers_a, "", "that A has on it"),
    HOST("workers_b", workers_b, "", "that B has on it"),
    CHANGED(struct hc_compared_host, "pass_ratio", pass_ratio, "of its workers together"),
};
static const struct hc_record_def host = HC_RECORD(NULL, host_fields);

/* ---- culprits ---- */

static const char *culprit_change_key(int value)
{
    return hc_culprit_change_key((enum hc_culprit_change)value);
}

static const struct hc_compared_culprit *culprit_of(const struct hc_item *at)
{
    return at->record;
}

static const struct hc_culprit *either(const struct hc_item *at)
{
    return culprit_of(at)->a ? culprit_of(at)->a : culprit_of(at)->b;
}

HC_GIVES_TEXT(culprit_cause_of, hc_straggler_cause_key(either(at)->cause))
HC_GIVES(bool, is_in_a, culprit_of(at)->a != NULL)
HC_GIVES(bool, is_in_b, culprit_of(at)->b != NULL)
HC_GIVES_TEXT(text_a_of, culprit_of(at)->a->text)
HC_GIVES_TEXT(text_b_of, culprit_of(at)->b->text)

static const struct hc_field culprit_fields[] = {
    HC_FIELD(struct hc_compared_culprit, "culprit", name, "",
             "what is slow in A, in B, or in both"),
    HC_TEXT_OF("cause", culprit_cause_of, "that it counts under"),
    HC_NAME(struct hc_compared_culprit, "change", change, culprit_change_key, HC_N_CULPRIT_CHANGES,
            "`gone`, `new`, `stronger`, `weaker`, `same`, `unsure`"),
    CHANGED(struct hc_compared_culprit, "factor", factor,
            "how many times as long its ops take, while it is slow"),
    CHANGED(struct hc_compared_culprit, "duty", duty, "share of the steps in which it is slow"),
    HC_TEXT_OF("text_a", text_a_of, "what A shows of it", .has = is_in_a),
    HC_TEXT_OF("text_b", text_b_of, "what B shows of it", .has = is_in_b),
};
static const struct hc_record_def culprit = HC_RECORD(NULL, culprit_fields);

/* ---- the document ---- */

static const char *verdict_key(int value)
{
    return hc_comparison_verdict_key((enum hc_comparison_verdict)value);
}

static const struct hc_field bare_note = {.type = HC_AS_CHARS, .size = HC_COMPARE_NOTE};
static const struct hc_record_def note = {.n_fields = 1, .fields = &bare_note};

static const struct hc_field comparison_fields[] = {
    HC_NAME(struct hc_comparison, "verdict", verdict, verdict_key, HC_N_COMPARISON_VERDICTS,
            "`faster`, `slower`, `same`, `unsure`: B, by its mean step; `mixed`: by its stretches"),
    COMPARISON("sentence", sentence, "", "the answer in words"),
    HC_LIST(struct hc_comparison, "notes", notes, n_notes, &note, "what cannot be compared"),
    HC_GROUP("figures", &figures, "of the job as a whole"),
    HC_LIST(struct hc_comparison, "stretches", stretches, n_stretches, &stretch,
            "of a side that changes its level, or drifts beyond the other side; of others none"),
    HC_LIST(struct hc_comparison, "by_op_type", types, n_types, &type, "by name"),
    HC_LIST(struct hc_comparison, "by_stage", stages, n_stages, &stage,
            "none where the numbers of stages differ"),
    HC_LIST(struct hc_comparison, "by_worker", workers, n_workers, &worker,
            "by dp rank, then stage; none where the numbers of dp ranks or stages differ"),
    HC_LIST(struct hc_comparison, "by_host", hosts, n_hosts, &host,
            "by name; none where the metadata of A or B does not name them"),
    HC_LIST(struct hc_comparison, "culprits", culprits, n_culprits, &culprit,
            "parts of the job that are slower than their peers"),
};
static const struct hc_record_def comparison = HC_RECORD(NULL, comparison_fields);

HC_GIVES_ITEM(comparison_item, comparison_of(at))

static const struct hc_field document_fields[] = {
    HC_OBJECT(struct hc_compare_report, "a", a, &input, ""),
    HC_OBJECT(struct hc_compare_report, "b", b, &input, ""),
    HC_PART_OF(comparison_item, &comparison),
};
const struct hc_record_def hc_compare_record = HC_RECORD(NULL, document_fields);
