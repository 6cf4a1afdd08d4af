#include "reports/subject/subject_records.h"

#include "core/base/clock.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"
#include "reports/subject/subject_report.h"

static const struct hc_subject_report *report_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

static const struct hc_subject *subject_of(const struct hc_item *at)
{
    return report_of(at)->subject;
}

#define ATTEMPT(...)   HC_FIELD(struct hc_subject_attempt, __VA_ARGS__)
#define ATTEMPT_OF(at) HC_OF(struct hc_subject_attempt, at)
#define FAILURE_OF(at)                                                                             \
    (ATTEMPT_OF(at)->failure < 0 ? NULL                                                            \
                                 : &report_of(at)->failures->failures[ATTEMPT_OF(at)->failure])
HC_GIVES_TEXT(attempt_user, subject_of(at)->users.text[ATTEMPT_OF(at)->user])
HC_GIVES_TEXT(attempt_start, hc_known_iso8601(ATTEMPT_OF(at)->start_ns, room))
HC_GIVES_TEXT(attempt_end,
              ATTEMPT_OF(at)->is_running ? NULL : hc_known_iso8601(ATTEMPT_OF(at)->end_ns, room))
HC_GIVES_TEXT(attempt_state,
              ATTEMPT_OF(at)->state < 0 ? NULL : hc_job_state_name(ATTEMPT_OF(at)->state))
HC_GIVES_TEXT(attempt_side, FAILURE_OF(at) ? hc_failure_side_name(FAILURE_OF(at)->side) : NULL)
HC_GIVES_TEXT(attempt_evidence, FAILURE_OF(at) ? hc_evidence_name(FAILURE_OF(at)->evidence) : NULL)
HC_GIVES(double, attempt_hours, hc_subject_hours(ATTEMPT_OF(at), HC_N_SUBJECT_PARTS))
HC_GIVES(double, attempt_productive, hc_subject_hours(ATTEMPT_OF(at), HC_SUBJECT_PRODUCTIVE))
HC_GIVES(double, attempt_startup, hc_subject_hours(ATTEMPT_OF(at), HC_SUBJECT_STARTUP))
HC_GIVES(double, attempt_stalls, hc_subject_hours(ATTEMPT_OF(at), HC_SUBJECT_STALLS))
HC_GIVES(double, attempt_lost, hc_subject_hours(ATTEMPT_OF(at), HC_SUBJECT_LOST))
HC_GIVES(double, attempt_faults, hc_subject_hours(ATTEMPT_OF(at), HC_SUBJECT_FAULTS))
HC_GIVES(double, attempt_other, hc_subject_hours(ATTEMPT_OF(at), HC_SUBJECT_OTHER))
HC_GIVES(double, attempt_unknown, hc_subject_hours(ATTEMPT_OF(at), HC_SUBJECT_UNKNOWN))
static const struct hc_field attempt_fields[] = {
    ATTEMPT("job", job, "", "its number"),
    ATTEMPT("array_task", array_task, "", "of an array"),
    ATTEMPT("restarts", restarts, "", "before this attempt"),
    HC_TEXT_OF("user", attempt_user, "of the job"),
    HC_TEXT_OF("start", attempt_start, "of the attempt"),
    HC_TEXT_OF("end", attempt_end, "of the attempt; null: it runs"),
    HC_TEXT_OF("state", attempt_state, "as the scheduler says"),
    ATTEMPT("gpus", gpus, "", "that it held"),
    ATTEMPT("launches", launches, "", "of training, that logs tell"),
    ATTEMPT("failures", n_failures, "", "that ended one of them"),
    HC_TEXT_OF("side", attempt_side, "whose the last of these was"),
    HC_TEXT_OF("evidence", attempt_evidence, "that it was the infrastructure's"),
    HC_REAL_OF("gpu_hours", attempt_hours, "GPU-hours", "of a node: its part of the attempt's"),
    HC_REAL_OF("productive", attempt_productive, "GPU-hours", "of them"),
    HC_REAL_OF("startup", attempt_startup, "GPU-hours", "of them"),
    HC_REAL_OF("stalls", attempt_stalls, "GPU-hours", "of them: checkpoints, evaluation, data"),
    HC_REAL_OF("lost", attempt_lost, "GPU-hours", "of them: lost and abandoned work"),
    HC_REAL_OF("faults", attempt_faults, "GPU-hours",
               "of them: start-up that failed, detection, localisation, recovery"),
    HC_REAL_OF("other", attempt_other, "GPU-hours", "of them: idle, degraded"),
    HC_REAL_OF("unknown", attempt_unknown, "GPU-hours", "of them"),
};
static const struct hc_record_def attempt_record = HC_RECORD(NULL, attempt_fields);

HC_GIVES_TEXT(leaf_name, hc_what_name((enum hc_what)at->index))
HC_GIVES(double, leaf_hours, *HC_OF(double, at))
static const struct hc_field leaf_fields[] = {
    HC_TEXT_OF("what", leaf_name, "the leaf of the account"),
    HC_REAL_OF("gpu_hours", leaf_hours, "GPU-hours", "of it"),
};
static const struct hc_record_def leaf_record = HC_RECORD(NULL, leaf_fields);

HC_GIVES_TEXT(ettr_name, hc_ettr_name((enum hc_ettr)at->index))
static const struct hc_field ettr_fields[] = {
    HC_TEXT_OF("name", ettr_name, "of the definition"),
    HC_REAL_OF("value", leaf_hours, "", "of the run; null: not known"),
};
static const struct hc_record_def ettr_record = HC_RECORD(NULL, ettr_fields);

static bool is_node(const struct hc_item *at)
{
    return subject_of(at)->kind == HC_SUBJECT_NODE;
}

#define SLOW(...) HC_FIELD(struct hc_history_item, __VA_ARGS__)
HC_GIVES_TEXT(slow_since, hc_known_iso8601(HC_OF(struct hc_history_item, at)->time_ns, room))
static const struct hc_field slow_fields[] = {
    HC_TEXT_OF("since", slow_since, "the first slow step"),
    SLOW("text", text, "", "job, step, stretches and GPU-hours, in words"),
};
static const struct hc_record_def slow_record = HC_RECORD(NULL, slow_fields);
HC_GIVES(size_t, count_slow, report_of(at)->slow ? report_of(at)->slow->n : 0)
HC_GIVES_ITEM(slow_at, &report_of(at)->slow->items[i])

#define REPORT(...) HC_FIELD(struct hc_subject_report, __VA_ARGS__)
HC_GIVES_TEXT(kind_of, hc_subject_kind_name(subject_of(at)->kind))
HC_GIVES_TEXT(name_of, subject_of(at)->name)
HC_GIVES(double, hours_of, subject_of(at)->hours)
HC_GIVES(size_t, count_leaves, HC_WHAT_COUNT)
HC_GIVES_ITEM(leaf_at, subject_of(at)->leaves[i] > 0 ? &subject_of(at)->leaves[i] : NULL)
HC_GIVES(size_t, count_ettrs, report_of(at)->ettr ? HC_N_ETTRS : 0)
HC_GIVES_ITEM(ettr_at, &report_of(at)->ettr[i])
HC_GIVES(size_t, count_attempts, subject_of(at)->n)
HC_GIVES_ITEM(attempt_at, &subject_of(at)->attempts[i])
HC_GIVES(int64_t, own_of, subject_of(at)->n_own)
HC_GIVES(double, own_days, subject_of(at)->own_node_days)
HC_GIVES(double, expected_of,
         (double)subject_of(at)->n_all *subject_of(at)->own_node_days /
             subject_of(at)->all_node_days)
static const struct hc_field report_fields[] = {
    REPORT("archive", archive, "", "that was read"),
    REPORT("cluster", cluster, "", "that was asked for; null: all"),
    HC_TEXT_OF("kind", kind_of, "what is reported: run, job or node"),
    HC_TEXT_OF("name", name_of, "of it"),
    HC_REAL_OF("gpu_hours", hours_of, "GPU-hours", "that it held"),
    HC_INTEGER_OF("failures", own_of, "",
                  "of the infrastructure that an event of the node tells; null: it is no node",
                  .has = is_node),
    HC_REAL_OF("expected", expected_of, "",
               "of them, by the rate of all nodes and its own time; null: it is no node",
               .has = is_node),
    HC_REAL_OF("node_days", own_days, "d", "that jobs held it; null: it is no node",
               .has = is_node),
    HC_LIST_OF("slow", count_slow, slow_at, &slow_record,
               "of a node: jobs in which it is slow by itself, as far as `whatif --all` or a "
               "nightly report analysed them",
               .rules = HC_LINE),
    HC_LIST_OF("ettr", count_ettrs, ettr_at, &ettr_record, "of a run", .rules = HC_LINE),
    HC_LIST_OF("leaves", count_leaves, leaf_at, &leaf_record, "where its GPU-hours went",
               .rules = HC_LINE),
    HC_LIST_OF("attempts", count_attempts, attempt_at, &attempt_record, "in order of time",
               .rules = HC_LINE),
};
const struct hc_record_def hc_subject_record = HC_RECORD(NULL, report_fields);
