#include "reports/joins/joins_records.h"

#include "core/base/missing.h"
#include "reports/evidence/recorded_report.h"
#include "reports/joins/joins_report.h"

#define NS_PER_HOUR 3600e9

static const struct hc_joins *joins_of(const struct hc_item *at)
{
    const struct hc_joins_report *report = hc_item_root(at);
    return report->joins;
}

static const char *text_of(const struct hc_item *at, int32_t code)
{
    return hc_joins_find_text(joins_of(at), code);
}

/* ---- cycles ---- */

#define CYCLE(at)        HC_OF(struct hc_join_cycle, at)
#define CYCLE_FIELD(...) HC_FIELD(struct hc_join_cycle, __VA_ARGS__)

static const struct hc_join_attempt *attempt_of(const struct hc_item *at)
{
    int32_t attempt = CYCLE(at)->attempt;
    return attempt < 0 ? NULL : &joins_of(at)->attempts[attempt];
}

static const char *run_name(const struct hc_item *at, int32_t run)
{
    return run < 0 ? NULL : text_of(at, joins_of(at)->runs[run].name);
}

HC_GIVES_TEXT(cycle_log, text_of(at, joins_of(at)->logs[CYCLE(at)->log].path))
HC_GIVES(int64_t, cycle_job, attempt_of(at) ? attempt_of(at)->job : HC_MISSING_I64)
HC_GIVES(int64_t, cycle_raw_job, attempt_of(at) ? attempt_of(at)->raw_job : HC_MISSING_I64)
HC_GIVES(int64_t, cycle_submit, attempt_of(at) ? attempt_of(at)->submit_ns : HC_MISSING_I64)
HC_GIVES(double, cycle_gpu_hours, hc_join_cycle_gpu_hours(CYCLE(at)))
HC_GIVES_TEXT(cycle_method, attempt_of(at) ? hc_join_method_name(CYCLE(at)->method) : NULL)
HC_GIVES_TEXT(cycle_failure, hc_join_failure_name(CYCLE(at)->failure))
HC_GIVES_TEXT(cycle_run, run_name(at, CYCLE(at)->run))
HC_GIVES_TEXT(cycle_saves, text_of(at, CYCLE(at)->save_path))
HC_GIVES_TEXT(cycle_loads, text_of(at, CYCLE(at)->load_path))

static const struct hc_field cycle_fields[] = {
    HC_TEXT_OF("log", cycle_log, "file that tells of it"),
    CYCLE_FIELD("line", line, "", "of that file where it begins"),
    CYCLE_FIELD("cycle", number, "", "launch in the log, from 0"),
    CYCLE_FIELD("start_ns", start_ns, "ns", "first that the log tells of it"),
    CYCLE_FIELD("end_ns", end_ns, "ns", "last that the log tells of it"),
    CYCLE_FIELD("ranks", world_size, "", "of the launch"),
    HC_REAL_OF("gpu_hours", cycle_gpu_hours, "GPU-hours",
               "of its ranks, a GPU each, from start to end; null: the log does not say"),
    HC_TEXT_OF("joined", cycle_failure,
               "joined; no_attempt: nothing matches; several match equally well; not_then: several "
               "match, and none ran then"),
    HC_TEXT_OF("method", cycle_method,
               "path: StdOut or StdErr of the record names the log; work_dir: the log lies in it; "
               "number: of the job, in the log's name"),
    CYCLE_FIELD("off", is_off, "", "it began when its attempt did not run: the clocks differ"),
    HC_INTEGER_OF("job", cycle_job, "", "that it joined"),
    HC_INTEGER_OF("raw_job", cycle_raw_job, "", "number of the allocation that it joined"),
    HC_INTEGER_OF("submit_ns", cycle_submit, "ns", "submission of the attempt that it joined"),
    HC_TEXT_OF("run", cycle_run, "that it is part of"),
    CYCLE_FIELD("loaded_iteration", loaded_iteration, "", "of the checkpoint it began from"),
    HC_TEXT_OF("loaded_from", cycle_loads, "directory of that checkpoint"),
    CYCLE_FIELD("first_iteration", first_iteration, "", "first that it made"),
    CYCLE_FIELD("last_iteration", last_iteration, "", "last that it made"),
    CYCLE_FIELD("saved_iteration", saved_iteration, "", "of the last checkpoint it saved"),
    HC_TEXT_OF("saved_to", cycle_saves, "directory of that checkpoint"),
};
static const struct hc_record_def cycle_record = HC_RECORD(NULL, cycle_fields);

/* ---- timelines ---- */

#define TIMELINE(at)        HC_OF(struct hc_join_timeline, at)
#define TIMELINE_FIELD(...) HC_FIELD(struct hc_join_timeline, __VA_ARGS__)

static const struct hc_join_attempt *attempt_of_timeline(const struct hc_item *at)
{
    int32_t attempt = TIMELINE(at)->attempt;
    return attempt < 0 ? NULL : &joins_of(at)->attempts[attempt];
}
HC_GIVES_TEXT(timeline_name, text_of(at, TIMELINE(at)->name))
HC_GIVES_TEXT(timeline_path, text_of(at, joins_of(at)->logs[TIMELINE(at)->log].path))
HC_GIVES_TEXT(timeline_failure, hc_join_failure_name(TIMELINE(at)->failure))
HC_GIVES_TEXT(timeline_method,
              attempt_of_timeline(at) ? hc_join_method_name(TIMELINE(at)->method) : NULL)
HC_GIVES(int64_t, timeline_job,
         attempt_of_timeline(at) ? attempt_of_timeline(at)->job : HC_MISSING_I64)
HC_GIVES(int64_t, timeline_raw_job,
         attempt_of_timeline(at) ? attempt_of_timeline(at)->raw_job : HC_MISSING_I64)
HC_GIVES(int64_t, timeline_submit,
         attempt_of_timeline(at) ? attempt_of_timeline(at)->submit_ns : HC_MISSING_I64)

static const struct hc_field timeline_fields[] = {
    HC_TEXT_OF("timeline", timeline_name, "cluster, name and attempt, as the archive has it"),
    HC_TEXT_OF("source", timeline_path, "file that it was read from"),
    TIMELINE_FIELD("start_ns", from_ns, "ns", "Unix time of its first op; null: it is relative"),
    TIMELINE_FIELD("end_ns", to_ns, "ns", "of its last op"),
    TIMELINE_FIELD("steps", n_steps, "", "that it has; 0: of a profiler, which tells none"),
    HC_TEXT_OF("joined", timeline_failure, "as of cycles; relative: it is of no day"),
    HC_TEXT_OF("method", timeline_method, "as of cycles; number: its own name may have it too"),
    HC_INTEGER_OF("job", timeline_job, "", "that it joined"),
    HC_INTEGER_OF("raw_job", timeline_raw_job, "", "number of the allocation that it joined"),
    HC_INTEGER_OF("submit_ns", timeline_submit, "ns", "submission of the attempt that it joined"),
};
static const struct hc_record_def timeline_record = HC_RECORD(NULL, timeline_fields);

/* ---- runs ---- */

#define RUN(at)        HC_OF(struct hc_run, at)
#define RUN_FIELD(...) HC_FIELD(struct hc_run, __VA_ARGS__)

HC_GIVES_TEXT(name_of_run, text_of(at, RUN(at)->name))
HC_GIVES_TEXT(path_of_run, text_of(at, RUN(at)->path))
HC_GIVES_TEXT(rule_of_run, hc_run_rule_name(RUN(at)->rule))
HC_GIVES_TEXT(parent_of_run, run_name(at, RUN(at)->forked_from))
HC_GIVES(double, hours_of_run, (double)RUN(at)->gpu_ns / NS_PER_HOUR)

static const void *nth_job(const struct hc_item *at, size_t i)
{
    const struct hc_join_attempt *attempt = &joins_of(at)->attempts[i];
    return attempt->run == (int32_t)(RUN(at) - joins_of(at)->runs) ? attempt : NULL;
}
HC_GIVES(size_t, count_attempts, joins_of(at)->n_attempts)
HC_GIVES(int64_t, raw_job_of, HC_OF(struct hc_join_attempt, at)->raw_job)

static const struct hc_field job_fields[] = {
    HC_INTEGER_OF(NULL, raw_job_of, "", "number of the allocation"),
};
static const struct hc_record_def job_record = HC_RECORD(NULL, job_fields);

static const struct hc_field run_fields[] = {
    HC_TEXT_OF("run", name_of_run, "its name, unlike that of any other"),
    HC_TEXT_OF("rule", rule_of_run, "what groups it: site file, lineage of checkpoints, job"),
    RUN_FIELD("attempts", n_attempts, "", "allocations of the scheduler"),
    RUN_FIELD("cycles", n_cycles, "", "launches of training"),
    RUN_FIELD("gaps", n_gaps, "",
              "cycles that began from a checkpoint that no cycle here wrote: logs are missing"),
    HC_TEXT_OF("forked_from", parent_of_run, "run from whose checkpoint it began"),
    RUN_FIELD("fork_iteration", fork_iteration, "", "of that checkpoint"),
    RUN_FIELD("first_ns", first_ns, "ns", "first that a log tells of it"),
    RUN_FIELD("last_ns", last_ns, "ns", "last that a log tells of it"),
    RUN_FIELD("first_iteration", first_iteration, "", "first that it made"),
    RUN_FIELD("last_iteration", last_iteration, "", "last that it made"),
    RUN_FIELD("saved_iteration", saved_iteration, "", "of its last checkpoint"),
    RUN_FIELD("done", is_done, "", "a log says that its training is done"),
    HC_REAL_OF("gpu_hours", hours_of_run, "GPU-hours", "held by its attempts"),
    HC_TEXT_OF("checkpoints", path_of_run, "directory that it saves to"),
    HC_LIST_OF("raw_jobs", count_attempts, nth_job, &job_record, "numbers of its allocations",
               .rules = HC_LINE),
};
static const struct hc_record_def run_record = HC_RECORD(NULL, run_fields);

/* ---- the document ---- */

HC_GIVES(size_t, count_cycles, joins_of(at)->n_cycles)
HC_GIVES_ITEM(nth_cycle, &joins_of(at)->cycles[i])
HC_GIVES(size_t, count_timelines, joins_of(at)->n_timelines)
HC_GIVES_ITEM(nth_timeline, &joins_of(at)->timelines[i])
HC_GIVES(size_t, count_runs, joins_of(at)->n_runs)
HC_GIVES_ITEM(nth_run, &joins_of(at)->runs[i])
HC_GIVES(int64_t, offered_of, joins_of(at)->n_offered)
HC_GIVES(double, offered_hours, (double)joins_of(at)->offered_gpu_ns / NS_PER_HOUR)
HC_GIVES(int64_t, without_of, joins_of(at)->n_without_log)
HC_GIVES(double, without_hours, (double)joins_of(at)->without_log_gpu_ns / NS_PER_HOUR)
HC_GIVES(bool, has_offset, joins_of(at)->offset.n > 0)
HC_GIVES(int64_t, least_offset, joins_of(at)->offset.least_ns)
HC_GIVES(int64_t, most_offset, joins_of(at)->offset.most_ns)

static const struct hc_recorded *recorded_of(const struct hc_item *at)
{
    const struct hc_joins_report *report = hc_item_root(at);
    return report->recorded;
}
HC_GIVES(size_t, count_incidents, recorded_of(at) ? recorded_of(at)->n : 0)
HC_GIVES_ITEM(nth_incident, &recorded_of(at)->list[i])

#define REPORT(...) HC_FIELD(struct hc_joins_report, __VA_ARGS__)
static const struct hc_field report_fields[] = {
    REPORT("archive", archive, "", "that was read"),
    REPORT("cluster", cluster, "", "that was asked for; null: all"),
    HC_INTEGER_OF("attempts", offered_of, "", "of the scheduler that ran"),
    HC_REAL_OF("gpu_hours", offered_hours, "GPU-hours", "held by them"),
    HC_INTEGER_OF("without_log", without_of, "", "attempts of 8 GPUs or more that no log joined"),
    HC_REAL_OF("without_log_gpu_hours", without_hours, "GPU-hours", "held by these"),
    HC_INTEGER_OF("least_offset_ns", least_offset, "ns",
                  "least that, added to the times of logs, puts each cycle within its attempt",
                  .has = has_offset),
    HC_INTEGER_OF("most_offset_ns", most_offset, "ns", "most that does; below the least: none does",
                  .has = has_offset),
    HC_LIST_OF("cycles", count_cycles, nth_cycle, &cycle_record, "launches of training",
               .rules = HC_LINE),
    HC_LIST_OF("timelines", count_timelines, nth_timeline, &timeline_record,
               "that were recorded, of ops or by a profiler", .rules = HC_LINE),
    HC_LIST_OF("incidents", count_incidents, nth_incident, &hc_recorded_record,
               "that are recorded, as their lists have them", .rules = HC_LINE),
    HC_LIST_OF("runs", count_runs, nth_run, &run_record, "in order of time", .rules = HC_LINE),
};
const struct hc_record_def hc_joins_record = HC_RECORD(NULL, report_fields);
