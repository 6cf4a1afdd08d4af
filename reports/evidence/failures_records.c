#include "reports/evidence/failures_records.h"

#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"
#include "reports/evidence/corrections_report.h"
#include "reports/evidence/failures_report.h"

#define NS_PER_HOUR 3600e9
#define NS_PER_DAY  86400e9

static const struct hc_failures *failures_of(const struct hc_item *at)
{
    const struct hc_failures_report *report = hc_item_root(at);
    return report->failures;
}

/* ---- a failure ---- */

#define FAILURE(at)        HC_OF(struct hc_failure, at)
#define FAILURE_FIELD(...) HC_FIELD(struct hc_failure, __VA_ARGS__)

static const char *text_of(const struct hc_item *at, int32_t code)
{
    return code == HC_MISSING_I32 ? NULL : failures_of(at)->texts.text[code];
}

static const struct hc_own_event *own_of(const struct hc_item *at)
{
    return FAILURE(at)->own < 0 ? NULL : &failures_of(at)->own[FAILURE(at)->own];
}

static const char *set_text(const struct hc_item *at, int32_t code)
{
    return code == HC_MISSING_I32 ? NULL : failures_of(at)->set->texts.text[code];
}

#define EVENT(at) (FAILURE(at)->event)
HC_GIVES_TEXT(evidence_of, hc_evidence_name(FAILURE(at)->evidence))
HC_GIVES_TEXT(side_of, hc_failure_side_name(FAILURE(at)->side))
HC_GIVES_TEXT(state_of, hc_job_state_name((enum hc_job_state)FAILURE(at)->state))
HC_GIVES_TEXT(cluster_of, text_of(at, FAILURE(at)->cluster))
HC_GIVES_TEXT(user_of, text_of(at, FAILURE(at)->user))
HC_GIVES_TEXT(name_of, text_of(at, FAILURE(at)->name))
HC_GIVES_TEXT(source_of, text_of(at, FAILURE(at)->source))
HC_GIVES(double, hours_of, (double)FAILURE(at)->gpu_ns / NS_PER_HOUR)
HC_GIVES(int64_t, event_time, EVENT(at) ? EVENT(at)->time_ns : HC_MISSING_I64)
static const char *node_of(const struct hc_item *at)
{
    const char *node = EVENT(at) ? failures_of(at)->set->nodes.text[EVENT(at)->node] : NULL;
    return node && node[0] != HC_EVIDENCE_JOB[0] ? node : NULL;
}

static const char *incident_in(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    if (!EVENT(at) || !EVENT(at)->incident)
        return NULL;
    hc_recorded_name(&failures_of(at)->recorded->list[EVENT(at)->incident - 1], room, HC_CELL_ROOM);
    return room;
}
HC_GIVES_TEXT(event_incident, incident_in(at, room))
HC_GIVES_TEXT(event_node, node_of(at))
HC_GIVES_TEXT(event_name, EVENT(at) ? set_text(at, EVENT(at)->name) : NULL)
HC_GIVES_TEXT(event_class, !EVENT(at)            ? NULL
                           : EVENT(at)->incident ? "incident"
                                                 : hc_event_class_name(EVENT(at)->event_class))
HC_GIVES(int64_t, event_code,
         EVENT(at) && EVENT(at)->code != HC_MISSING_I32 ? EVENT(at)->code : HC_MISSING_I64)
HC_GIVES_TEXT(event_source, EVENT(at) ? set_text(at, EVENT(at)->source) : NULL)
HC_GIVES(int64_t, event_line, EVENT(at) ? EVENT(at)->line : HC_MISSING_I64)
HC_GIVES_TEXT(own_class, own_of(at) ? hc_event_class_name(own_of(at)->event_class) : NULL)
HC_GIVES_TEXT(own_name, own_of(at) ? text_of(at, own_of(at)->name) : NULL)
HC_GIVES(int64_t, own_time, own_of(at) ? own_of(at)->time_ns : HC_MISSING_I64)
HC_GIVES_TEXT(own_source, own_of(at) ? text_of(at, own_of(at)->source) : NULL)
HC_GIVES(int64_t, own_line, own_of(at) ? own_of(at)->line : HC_MISSING_I64)

#define SAID(at) (FAILURE(at)->correction)
HC_GIVES_TEXT(said_cause, SAID(at) ? hc_correction_cause_name(SAID(at)->cause) : NULL)
HC_GIVES_TEXT(said_scope, SAID(at) ? hc_incident_scope_name(SAID(at)->scope) : NULL)
HC_GIVES_TEXT(said_detail, SAID(at) ? SAID(at)->detail : NULL)
HC_GIVES_TEXT(said_author, SAID(at) ? SAID(at)->author : NULL)
HC_GIVES_TEXT(said_reason, SAID(at) ? SAID(at)->reason : NULL)
HC_GIVES(int64_t, said_date, SAID(at) ? SAID(at)->date_ns : HC_MISSING_I64)
HC_GIVES_TEXT(said_source, SAID(at) ? SAID(at)->source : NULL)
HC_GIVES(int64_t, said_line, SAID(at) ? SAID(at)->line : HC_MISSING_I64)
HC_GIVES_TEXT(ruled_side, SAID(at) && FAILURE(at)->is_by_rules
                              ? hc_failure_side_name(FAILURE(at)->ruled_side)
                              : NULL)
HC_GIVES_TEXT(ruled_evidence, SAID(at) && FAILURE(at)->is_by_rules
                                  ? hc_evidence_name(FAILURE(at)->ruled_evidence)
                                  : NULL)

static const struct hc_field failure_fields[] = {
    HC_TEXT_OF("cluster", cluster_of, "of the job"),
    FAILURE_FIELD("job", job, "", "number that users know"),
    FAILURE_FIELD("array_task", array_task, "", "of an array"),
    FAILURE_FIELD("raw_job", raw_job, "", "number of the allocation"),
    FAILURE_FIELD("restarts", restarts, "", "how often it was requeued before"),
    FAILURE_FIELD("cycle", cycle, "",
                  "launch of training, from 0, that another followed in place; null: the attempt "
                  "ended"),
    HC_TEXT_OF("user", user_of, "whose job it is"),
    HC_TEXT_OF("name", name_of, "of the job"),
    HC_TEXT_OF("state", state_of, "in which the attempt ended"),
    FAILURE_FIELD("start_ns", start_ns, "ns", "of the attempt, or of the launch"),
    FAILURE_FIELD("fault_ns", fault_ns, "ns", "earliest that it may have failed"),
    FAILURE_FIELD("end_ns", end_ns, "ns", "of the attempt; of a launch: the start of the next"),
    FAILURE_FIELD("nodes", nodes, "", "of the attempt"),
    FAILURE_FIELD("gpus", gpus, "", "of the attempt"),
    HC_REAL_OF("gpu_hours", hours_of, "GPU-hours", "held from its start to its end"),
    HC_TEXT_OF("side", side_of, "infrastructure, user, unknown"),
    HC_TEXT_OF("evidence", evidence_of,
               "for the infrastructure: certain, likely; coincident: an event that proves nothing; "
               "none"),
    HC_TEXT_OF("event_class", event_class,
               "of the event of a node that tells most; incident: a recorded one"),
    HC_INTEGER_OF("event_code", event_code, "", "its Xid"),
    HC_TEXT_OF("event_node", event_node, "where it was"),
    HC_INTEGER_OF("event_ns", event_time, "ns", "when it was"),
    HC_TEXT_OF("event_name", event_name, "of it; of an incident its cause"),
    HC_TEXT_OF("incident", event_incident, "list and row, where it is a recorded one"),
    HC_TEXT_OF("event_source", event_source, "file that says so"),
    HC_INTEGER_OF("event_line", event_line, "", "of that file; of a list of incidents the row"),
    HC_TEXT_OF("log_class", own_class, "of the first cause in the job's own log"),
    HC_TEXT_OF("log_name", own_name, "of that cause, as an exception"),
    HC_INTEGER_OF("log_ns", own_time, "ns", "when the log says so"),
    HC_TEXT_OF("log_source", own_source, "file that says so"),
    HC_INTEGER_OF("log_line", own_line, "", "of that file"),
    HC_TEXT_OF("source", source_of, "file of the record of the scheduler"),
    FAILURE_FIELD("line", line, "", "of that file"),
    HC_TEXT_OF("correction_cause", said_cause,
               "by a person, before all rules; null: no correction holds for it"),
    HC_TEXT_OF("correction_scope", said_scope, "how far it reached, by that person"),
    HC_TEXT_OF("correction_detail", said_detail, "what failed, by that person"),
    HC_TEXT_OF("correction_author", said_author, "who says so"),
    HC_TEXT_OF("correction_reason", said_reason, "how the author knows"),
    HC_INTEGER_OF("correction_date_ns", said_date, "ns", "when it was said"),
    HC_TEXT_OF("correction_source", said_source, "file that has it"),
    HC_INTEGER_OF("correction_line", said_line, "", "of that file"),
    HC_TEXT_OF("ruled_side", ruled_side,
               "what the rules say, where a correction holds; null: that it is no failure"),
    HC_TEXT_OF("ruled_evidence", ruled_evidence, "the same"),
};
static const struct hc_record_def failure_record = HC_RECORD(NULL, failure_fields);

/* ---- sums ---- */

#define SUM_FIELD(...) HC_FIELD(struct hc_failure_sum, __VA_ARGS__)
HC_GIVES(double, hours_of_sum, (double)HC_OF(struct hc_failure_sum, at)->gpu_ns / NS_PER_HOUR)
HC_GIVES_TEXT(name_of_evidence, hc_evidence_name((enum hc_failure_evidence)at->index))
HC_GIVES_TEXT(name_of_side, hc_failure_side_name((enum hc_failure_side)at->index))

static const struct hc_field evidence_fields[] = {
    HC_TEXT_OF("evidence", name_of_evidence, "for the infrastructure"),
    SUM_FIELD("failures", n, "", "with it as the best"),
    HC_REAL_OF("gpu_hours", hours_of_sum, "GPU-hours", "held by them"),
};
static const struct hc_record_def evidence_record = HC_RECORD(NULL, evidence_fields);
static const struct hc_field side_fields[] = {
    HC_TEXT_OF("side", name_of_side, "whose failure it is"),
    SUM_FIELD("failures", n, "", "of that side"),
    HC_REAL_OF("gpu_hours", hours_of_sum, "GPU-hours", "held by them"),
};
static const struct hc_record_def side_record = HC_RECORD(NULL, side_fields);

HC_GIVES(size_t, count_evidences, (size_t)HC_N_EVIDENCES)
HC_GIVES_ITEM(nth_evidence, &failures_of(at)->by_evidence[i])
HC_GIVES(size_t, count_sides, (size_t)HC_N_FAILURE_SIDES)
HC_GIVES_ITEM(nth_side, &failures_of(at)->by_side[i])
HC_GIVES(size_t, count_failures, failures_of(at)->n)
HC_GIVES_ITEM(nth_failure, &failures_of(at)->failures[i])
HC_GIVES(int64_t, ends_of, failures_of(at)->n_ends)
HC_GIVES(int64_t, healthy_of, failures_of(at)->n_healthy)
HC_GIVES(int64_t, beside_of, failures_of(at)->n_healthy_beside)
HC_GIVES(int64_t, any_of, failures_of(at)->n_healthy_any)
HC_GIVES(int64_t, stopped_of, failures_of(at)->n_stopped)
HC_GIVES(int64_t, without_log_of, failures_of(at)->n_without_log)
HC_GIVES(int64_t, taken_out_of, failures_of(at)->n_taken_out)
HC_GIVES(int64_t, put_in_of, failures_of(at)->n_put_in)
HC_GIVES(size_t, count_corrections,
         failures_of(at)->corrections ? failures_of(at)->corrections->n : 0)
HC_GIVES_ITEM(nth_correction, &failures_of(at)->corrections->list[i])
HC_GIVES(int64_t, bad_lists_of, failures_of(at)->n_bad_lists)
HC_GIVES(double, node_days_of, (double)failures_of(at)->gpu_node_ns / NS_PER_DAY)
HC_GIVES(double, chance_of, failures_of(at)->chance)
HC_GIVES(double, chance_low_of, failures_of(at)->chance_low)
HC_GIVES(double, chance_high_of, failures_of(at)->chance_high)
HC_GIVES(int64_t, events_of,
         (int64_t)failures_of(at)->set->n - failures_of(at)->set->n_of_incidents)
HC_GIVES(int64_t, incidents_of,
         failures_of(at)->recorded ? (int64_t)failures_of(at)->recorded->n : 0)
HC_GIVES(int64_t, repeats_of, failures_of(at)->set->n_repeats)
HC_GIVES(int64_t, tools_of, failures_of(at)->set->n_of_tools)

#define REPORT(...) HC_FIELD(struct hc_failures_report, __VA_ARGS__)
static const struct hc_field report_fields[] = {
    REPORT("archive", archive, "", "that was read"),
    REPORT("cluster", cluster, "", "that was asked for; null: all"),
    HC_INTEGER_OF("events", events_of, "", "that nodes reported, repeats within 5 s as one"),
    HC_INTEGER_OF("incidents", incidents_of, "", "that are recorded, with a time or without"),
    HC_INTEGER_OF("repeats", repeats_of, "", "within 5 s of the same"),
    HC_INTEGER_OF("events_of_tools", tools_of, "", "of processes that watch GPUs"),
    REPORT("log_events_unjoined", n_own_unjoined, "",
           "causes in logs of jobs that joined no attempt"),
    HC_INTEGER_OF("ends", ends_of, "", "attempts that ran and ended"),
    HC_INTEGER_OF("healthy", healthy_of, "", "of them, completed"),
    HC_INTEGER_OF("healthy_beside", beside_of, "",
                  "of these, with an event in the window that can stop a job"),
    HC_INTEGER_OF("healthy_beside_any", any_of, "", "of these, with any event in the window"),
    HC_INTEGER_OF("stopped", stopped_of, "",
                  "ended by a person, a limit or pre-emption: no failures"),
    HC_INTEGER_OF("without_log", without_log_of, "",
                  "failures of which no log was read: they may have hung for 12 minutes before"),
    HC_INTEGER_OF("unreadable_node_lists", bad_lists_of, "", "of failures: judged without nodes"),
    HC_INTEGER_OF("taken_out", taken_out_of, "",
                  "failures by the rules that a correction says were none"),
    HC_INTEGER_OF("put_in", put_in_of, "", "failures that only a correction makes"),
    HC_REAL_OF("node_days", node_days_of, "days", "of attempts with GPUs: nodes times time"),
    HC_REAL_OF("expected_by_chance", chance_of, "",
               "likely failures if events had nothing to do with ends: the same windows on the "
               "same nodes on other days; null: no other day is known"),
    HC_REAL_OF("expected_by_chance_low", chance_low_of, "", "of the 95 % interval"),
    HC_REAL_OF("expected_by_chance_high", chance_high_of, "", "of the 95 % interval"),
    HC_LIST_OF("by_evidence", count_evidences, nth_evidence, &evidence_record,
               "failures by the evidence for the infrastructure", .rules = HC_LINE),
    HC_LIST_OF("by_side", count_sides, nth_side, &side_record, "failures by side",
               .rules = HC_LINE),
    HC_LIST_OF("corrections", count_corrections, nth_correction, &hc_correction_record,
               "what people said, by date", .rules = HC_LINE),
    HC_LIST_OF("failures", count_failures, nth_failure, &failure_record,
               "in order of submission; launches before the end of their attempt",
               .rules = HC_LINE),
};
const struct hc_record_def hc_failures_record = HC_RECORD(NULL, report_fields);
