#include "reports/night/night_records.h"

#include "core/base/clock.h"
#include "core/tables/jobs/job_state.h"
#include "reports/night/night_report.h"

static const struct hc_night_report *report_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

static const struct hc_night_result *result_of(const struct hc_item *at)
{
    return report_of(at)->result;
}

/* ---- totals ---- */

#define RESULT(...) HC_FIELD(struct hc_night_result, __VA_ARGS__)
HC_GIVES_TEXT(total_ns_of, hc_gpu_ns_text(result_of(at)->total_gpu_ns, room))
HC_GIVES_TEXT(first_day_of, result_of(at)->night->days.names[result_of(at)->range.first])
HC_GIVES_TEXT(last_day_of, result_of(at)->night->days.names[result_of(at)->range.last])
HC_GIVES_TEXT(from_of,
              hc_known_iso8601(result_of(at)->night->days.edges_ns[result_of(at)->range.first],
                               room))
HC_GIVES_TEXT(to_of,
              hc_known_iso8601(result_of(at)->night->days.edges_ns[result_of(at)->range.last + 1],
                               room))
HC_GIVES(bool, provisional_of, result_of(at)->days[result_of(at)->range.last].is_provisional)
HC_GIVES(int64_t, attempts_of, result_of(at)->night->n_attempts)
HC_GIVES(int64_t, bad_lists_of, result_of(at)->night->n_bad_lists)
HC_GIVES(int64_t, uneven_of, result_of(at)->night->n_uneven)

#define GAP(name, give, about) HC_INTEGER_OF(name, give, "", about)
#define GAPS_OF(at)            (&result_of(at)->night->gaps)
HC_GIVES(int64_t, never_ran_of, GAPS_OF(at)->n_never_ran)
HC_GIVES(int64_t, unplaced_of, GAPS_OF(at)->n_unplaced)
HC_GIVES(int64_t, gpus_unknown_of, GAPS_OF(at)->n_gpus_unknown)
HC_GIVES(int64_t, gpus_estimated_of, GAPS_OF(at)->n_gpus_estimated)
HC_GIVES(int64_t, suspended_of, GAPS_OF(at)->n_suspended)
HC_GIVES(double, suspended_hours_of, hc_gpu_hours(GAPS_OF(at)->suspended_gpu_ns))
HC_GIVES(int64_t, unjoined_of, GAPS_OF(at)->n_unjoined)
HC_GIVES(int64_t, without_clock_of, GAPS_OF(at)->n_without_clock)
HC_GIVES(int64_t, united_of, GAPS_OF(at)->n_united)
HC_GIVES(int64_t, outside_of, GAPS_OF(at)->n_outside)
HC_GIVES(int64_t, crowded_of, GAPS_OF(at)->n_crowded)
HC_GIVES(int64_t, any_cluster_of, GAPS_OF(at)->n_any_cluster)

static const struct hc_field total_fields[] = {
    HC_TEXT_OF("first_day", first_day_of, "that is reported"),
    HC_TEXT_OF("last_day", last_day_of, "that is reported"),
    HC_TEXT_OF("from", from_of, "beginning of the first"),
    HC_TEXT_OF("to", to_of, "end of the last"),
    HC_BOOL_OF("is_provisional", provisional_of, "later records may restate the last day yet"),
    RESULT("gpu_hours", gpu_hours, "GPU-hours", "that attempts held in these days"),
    HC_TEXT_OF("gpu_ns", total_ns_of, "the same in GPU-nanoseconds, exactly"),
    RESULT("productive_share", productive_share, "", "of them, productive"),
    RESULT("measured_share", measured_share, "", "of them, whose leaf is measured"),
    RESULT("estimated_share", estimated_share, "", "of them, whose leaf rests on an assumption"),
    RESULT("unknown_share", unknown_share, "", "of them, of which nothing recorded says"),
    RESULT(
        "uncertain_gpu_hours", uncertain_gpu_hours, "GPU-hours",
        "of these days, between detection and lost work, since logs tell faults to an interval: of "
        "faults whose detection begins in them"),
    RESULT("excess_bound_gpu_hours", excess_bound_gpu_hours, "GPU-hours",
           "that stragglers may have added at most to productive steps beside traced ones, which "
           "are not split: the site file does not say that tracing is at random or periodic"),
    RESULT("window_gpu_hours", held_gpu_hours, "GPU-hours",
           "that attempts held in the window of days: GPUs times time"),
    RESULT("adds_up", adds_up, "",
           "the leaves of the window sum to that, to the nanosecond, in each grouping"),
    HC_INTEGER_OF("attempts", attempts_of, "", "that held GPUs in the window"),
    HC_INTEGER_OF("bad_node_lists", bad_lists_of, "",
                  "attempts whose list of nodes cannot be read: their GPU-time is of node ?"),
    HC_INTEGER_OF("uneven_attempts", uneven_of, "",
                  "attempts whose GPUs are no equal parts of their nodes: spread as evenly as can "
                  "be"),
    GAP("never_ran", never_ran_of, "jobs of the window that held nothing"),
    GAP("unplaced", unplaced_of,
        "jobs that ran at a time that is not recorded, or ended before they began: left out"),
    GAP("gpus_unknown", gpus_unknown_of,
        "attempts whose record does not say how many GPUs they held: left out"),
    GAP("gpus_estimated", gpus_estimated_of,
        "attempts whose GPUs are worked out of their nodes and the site file"),
    GAP("suspended", suspended_of, "attempts that were suspended for a time, which they held, too"),
    HC_REAL_OF("suspended_gpu_hours", suspended_hours_of, "GPU-hours",
               "of them, in which they were: no record says when"),
    GAP("unjoined_launches", unjoined_of,
        "launches in logs that joined no attempt, or several: hindcast joins lists them"),
    GAP("launches_without_clock", without_clock_of,
        "launches in logs without times, which cannot be placed: left out"),
    GAP("united_logs", united_of, "logs of a launch that another log tells of, too"),
    GAP("launches_outside", outside_of,
        "launches that began when their attempt did not run: cut to its time"),
    GAP("crowded_launches", crowded_of, "launches with more ranks than their attempt has GPUs"),
    GAP("any_cluster_launches", any_cluster_of,
        "launches that joined, of logs without a cluster, though the archive has jobs of several: "
        "they may be of another"),
};
#define TIMELINES(...) HC_FIELD(struct hc_timeline_use, __VA_ARGS__)
static const struct hc_field timeline_fields[] = {
    TIMELINES("joined", n_joined, "", "to attempts of the window"),
    TIMELINES("split", n_split, "", "of them, by which productive steps are split"),
    TIMELINES("discrepant", n_discrepant, "",
              "of them, whose replay differs from the trace by more than 5 %: they split nothing"),
    TIMELINES("unusable", n_unusable, "", "of them, that cannot be replayed"),
};
static const struct hc_record_def timeline_record = HC_RECORD(NULL, timeline_fields);
static const struct hc_record_def total_record = HC_RECORD(NULL, total_fields);

/* ---- leaves ---- */

#define LEAF(...)   HC_FIELD(struct hc_leaf_row, __VA_ARGS__)
#define LEAF_OF(at) HC_OF(struct hc_leaf_row, at)
HC_GIVES_TEXT(what_of, hc_what_name(LEAF_OF(at)->what))
HC_GIVES_TEXT(title_of, hc_what_title(LEAF_OF(at)->what))
HC_GIVES_TEXT(means_of, hc_what_sentence(LEAF_OF(at)->what))
HC_GIVES_TEXT(why_of, LEAF_OF(at)->why == HC_WHY_COUNT ? NULL : hc_why_name(LEAF_OF(at)->why))
HC_GIVES_TEXT(evidence_of,
              LEAF_OF(at)->why == HC_WHY_COUNT ? NULL : hc_evidence_name(LEAF_OF(at)->evidence))
HC_GIVES_TEXT(leaf_ns_of, hc_gpu_ns_text(LEAF_OF(at)->gpu_ns, room))

static const struct hc_field leaf_fields[] = {
    HC_TEXT_OF("what", what_of, "what the GPUs did: the leaf"),
    HC_TEXT_OF("title", title_of, "of the leaf, for people"),
    HC_TEXT_OF("means", means_of, "what the leaf is"),
    HC_TEXT_OF("why", why_of, "because of what; null: all of the leaf"),
    HC_TEXT_OF("evidence", evidence_of, "for the why; null: all of the leaf"),
    LEAF("gpu_hours", gpu_hours, "GPU-hours", "of it"),
    HC_TEXT_OF("gpu_ns", leaf_ns_of, "the same in GPU-nanoseconds, exactly"),
    LEAF("share", share, "", "of all"),
    LEAF("measured_gpu_hours", measured, "GPU-hours", "of it, measured"),
    LEAF("estimated_gpu_hours", estimated, "GPU-hours", "of it, resting on an assumption"),
    LEAF("unknown_gpu_hours", unknown, "GPU-hours", "of it, of which nothing recorded says"),
    LEAF("day_before", day_before, "GPU-hours",
         "the same leaf a day before; null: not in the window"),
    LEAF("week_before", week_before, "GPU-hours", "7 days before"),
    LEAF("four_weeks_before", four_weeks_before, "GPU-hours", "28 days before"),
};
static const struct hc_record_def leaf_record = HC_RECORD(NULL, leaf_fields);

#define GOODPUT(...) HC_FIELD(struct hc_goodput_row, __VA_ARGS__)
HC_GIVES(int64_t, category_of, HC_OF(struct hc_goodput_row, at)->category)
HC_GIVES_TEXT(category_name_of, hc_goodput_name(HC_OF(struct hc_goodput_row, at)->category))
HC_GIVES_TEXT(category_ns_of, hc_gpu_ns_text(HC_OF(struct hc_goodput_row, at)->gpu_ns, room))
static const struct hc_field goodput_fields[] = {
    HC_INTEGER_OF("number", category_of, "", "of ml-goodput's BadputType; 0: productive"),
    HC_TEXT_OF("category", category_name_of, "its name there"),
    GOODPUT("gpu_hours", gpu_hours, "GPU-hours", "of it"),
    HC_TEXT_OF("gpu_ns", category_ns_of, "the same in GPU-nanoseconds, exactly"),
    GOODPUT("share", share, "", "of all"),
};
static const struct hc_record_def goodput_record = HC_RECORD(NULL, goodput_fields);

/* ---- installed ---- */

HC_GIVES(size_t, count_installed, report_of(at)->installed ? HC_N_CAPACITY_LEAVES : 0)
HC_GIVES_ITEM(installed_at, report_of(at)->installed)
HC_GIVES_TEXT(installed_name, hc_capacity_leaf_title((enum hc_capacity_leaf)at->index))
HC_GIVES(double, installed_hours, report_of(at)->installed->total.hours[at->index])
HC_GIVES(double, installed_share,
         report_of(at)->installed->total.hours[at->index] /
             report_of(at)->installed->total.installed)
static const struct hc_field installed_fields[] = {
    HC_TEXT_OF("leaf", installed_name, "of the installed GPU-time"),
    HC_REAL_OF("gpu_hours", installed_hours, "GPU-hours",
               "of it; null: nothing tells which GPUs are installed"),
    HC_REAL_OF("share", installed_share, "", "of all that is installed"),
};
static const struct hc_record_def installed_record = HC_RECORD(NULL, installed_fields);

/* ---- groups and days ---- */

#define GROUP(...) HC_FIELD(struct hc_group_row, __VA_ARGS__)
HC_GIVES_TEXT(dimension_of, hc_cube_dimension_name((enum hc_cube_dimension)(at->parent->index + 1)))
static const struct hc_field group_fields[] = {
    HC_TEXT_OF("by", dimension_of, "what it is grouped by", .rules = HC_ONLY_CSV),
    GROUP("name", name, "", "of the group; ? where the record says none"),
    GROUP("gpu_hours", gpu_hours, "GPU-hours", "held"),
    GROUP("share", share, "", "of all"),
    GROUP("productive", productive, "GPU-hours", "of them"),
    GROUP("startup", startup, "GPU-hours", "of them"),
    GROUP("stalls", stalls, "GPU-hours", "of them: checkpoints, evaluation, waiting for data"),
    GROUP("lost", lost, "GPU-hours", "of them: lost and abandoned work"),
    GROUP("faults", faults, "GPU-hours",
          "of them: start-up that failed, detection, localisation, recovery"),
    GROUP("idle", idle, "GPU-hours", "of them: standbys, degraded, after the end"),
    GROUP("unknown", unknown, "GPU-hours", "of them"),
    GROUP("productive_share", productive_share, "", "of its GPU-hours"),
};
static const struct hc_record_def group_record = HC_RECORD(NULL, group_fields);

static const struct hc_group_rows *rows_of(const struct hc_item *at)
{
    return &result_of(at)->by[at->index + 1];
}
HC_GIVES(size_t, count_rows, rows_of(at)->n)
HC_GIVES_ITEM(row_at, &rows_of(at)->rows[i])
HC_GIVES_TEXT(by_of, hc_cube_dimension_name((enum hc_cube_dimension)(at->index + 1)))
static const struct hc_field grouping_fields[] = {
    HC_TEXT_OF("by", by_of, "what the time is grouped by; of causes, only the time of failures is"),
    HC_LIST_OF("rows", count_rows, row_at, &group_record, "most GPU-hours first", .rules = HC_LINE),
};
static const struct hc_record_def grouping_record = HC_RECORD(NULL, grouping_fields);
HC_GIVES(size_t, count_groupings, HC_N_CUBE_DIMENSIONS - 1)
HC_GIVES_ITEM(grouping_at, &result_of(at)->by[i + 1])

#define DAY(...) HC_FIELD(struct hc_day_row, __VA_ARGS__)
static const struct hc_field day_fields[] = {
    DAY("day", day, "", "of the window"),
    DAY("hours", hours, "h", "that it has"),
    DAY("is_provisional", is_provisional, "", "later records may restate it yet"),
    DAY("gpu_hours", all.gpu_hours, "GPU-hours", "held"),
    DAY("productive", all.productive, "GPU-hours", "of them"),
    DAY("startup", all.startup, "GPU-hours", "of them"),
    DAY("stalls", all.stalls, "GPU-hours", "of them"),
    DAY("lost", all.lost, "GPU-hours", "of them"),
    DAY("faults", all.faults, "GPU-hours", "of them"),
    DAY("idle", all.idle, "GPU-hours", "of them"),
    DAY("unknown", all.unknown, "GPU-hours", "of them"),
    DAY("productive_share", all.productive_share, "", "of its GPU-hours"),
};
static const struct hc_record_def day_record = HC_RECORD(NULL, day_fields);

/* ---- runs ---- */

#define RUN(...)   HC_FIELD(struct hc_run_row, __VA_ARGS__)
#define RUN_OF(at) HC_OF(struct hc_run_row, at)->run
HC_GIVES(int64_t, run_attempts, RUN_OF(at)->n_attempts)
HC_GIVES(int64_t, run_launches, RUN_OF(at)->n_launches)
HC_GIVES(int64_t, run_stops, RUN_OF(at)->n_stops)
HC_GIVES(int64_t, run_gpus, RUN_OF(at)->most_gpus)
HC_GIVES(bool, run_is_running, RUN_OF(at)->is_running)
HC_GIVES_TEXT(run_first, hc_known_iso8601(RUN_OF(at)->first_start_ns, room))
HC_GIVES_TEXT(run_last, hc_known_iso8601(RUN_OF(at)->last_end_ns, room))
HC_GIVES(double, run_meta, RUN_OF(at)->ettr[HC_ETTR_META])
HC_GIVES(double, run_byterobust, RUN_OF(at)->ettr[HC_ETTR_BYTEROBUST])
HC_GIVES(double, run_goodput, RUN_OF(at)->ettr[HC_ETTR_GOODPUT])
HC_GIVES(double, run_nominal, RUN_OF(at)->ettr[HC_ETTR_NOMINAL])
HC_GIVES(double, run_reference, RUN_OF(at)->reference_step_s)
HC_GIVES(int64_t, run_kept, RUN_OF(at)->kept_steps)
HC_GIVES(int64_t, run_lost_steps, RUN_OF(at)->lost_steps)
HC_GIVES(double, run_ran, RUN_OF(at)->ran_s)
HC_GIVES(double, run_queued, RUN_OF(at)->queued_s)
HC_GIVES(double, run_held, RUN_OF(at)->held_s)
HC_GIVES(double, run_off, RUN_OF(at)->off_s)
static const struct hc_field run_fields[] = {
    RUN("run", name, "", "its name"),
    RUN("user", user, "", "of its first launch"),
    HC_INTEGER_OF("gpus", run_gpus, "", "most that an attempt had"),
    HC_INTEGER_OF("attempts", run_attempts, "", "allocations so far"),
    HC_INTEGER_OF("launches", run_launches, "", "of the training processes"),
    HC_INTEGER_OF("failures", run_stops, "", "launches that a failure ended"),
    HC_BOOL_OF("is_running", run_is_running, "an attempt of it goes on"),
    HC_TEXT_OF("first_start", run_first, "of its first attempt"),
    HC_TEXT_OF("last_end", run_last, "of its last attempt, or as far as is known"),
    RUN("gpu_hours", gpu_hours, "GPU-hours", "that it held in all"),
    RUN("day_gpu_hours", day_gpu_hours, "GPU-hours", "that it held in the days reported"),
    RUN("day_productive_share", day_productive_share, "", "of these"),
    RUN("lost_gpu_hours", lost_gpu_hours, "GPU-hours", "lost and abandoned work, in all"),
    HC_REAL_OF("ettr_meta", run_meta, "", "effective training time ratio, see ettr below"),
    HC_REAL_OF("ettr_byterobust", run_byterobust, "", "the same, since the first start"),
    HC_REAL_OF("ettr_goodput", run_goodput, "", "the same, by the categories of ml-goodput"),
    HC_REAL_OF("ettr_nominal", run_nominal, "", "the same, at nominal speed"),
    HC_REAL_OF("reference_step_s", run_reference, "s",
               "the 10th percentile of its steady step times, for ettr_nominal"),
    HC_INTEGER_OF("kept_steps", run_kept, "", "that count"),
    HC_INTEGER_OF("lost_steps", run_lost_steps, "", "that were made again, or are at risk"),
    HC_REAL_OF("ran_s", run_ran, "s", "of its life, in which an attempt ran"),
    HC_REAL_OF("queued_s", run_queued, "s", "in which one waited and could have started"),
    HC_REAL_OF("held_s", run_held, "s", "in which one waited and could not: in no ETTR of meta"),
    HC_REAL_OF("off_s", run_off, "s", "in which nothing was submitted: in no ETTR of meta"),
};
static const struct hc_record_def run_record = HC_RECORD(NULL, run_fields);

HC_GIVES_TEXT(ettr_name_of, hc_ettr_name((enum hc_ettr)at->index))
HC_GIVES_TEXT(ettr_sentence_of, hc_ettr_sentence((enum hc_ettr)at->index))
static const struct hc_field ettr_fields[] = {
    HC_TEXT_OF("name", ettr_name_of, "of the definition"),
    HC_TEXT_OF("counts", ettr_sentence_of, "what it counts"),
};
static const struct hc_record_def ettr_record = HC_RECORD(NULL, ettr_fields);
HC_GIVES(size_t, count_ettrs, HC_N_ETTRS)
HC_GIVES_ITEM(ettr_at, report_of(at))

/* ---- incidents ---- */

#define INCIDENT(...)  HC_FIELD(struct hc_incident_row, __VA_ARGS__)
#define FAILURE_OF(at) HC_OF(struct hc_incident_row, at)->failure
HC_GIVES(int64_t, incident_job, FAILURE_OF(at)->job)
HC_GIVES(int64_t, incident_restarts,
         FAILURE_OF(at)->restarts == INT32_MIN ? INT64_MIN : FAILURE_OF(at)->restarts)
HC_GIVES(int64_t, incident_cycle,
         FAILURE_OF(at)->cycle == INT32_MIN ? INT64_MIN : FAILURE_OF(at)->cycle)
HC_GIVES_TEXT(incident_end, hc_known_iso8601(FAILURE_OF(at)->end_ns, room))
HC_GIVES_TEXT(incident_side, hc_failure_side_name(FAILURE_OF(at)->side))
HC_GIVES_TEXT(incident_evidence, hc_evidence_name(FAILURE_OF(at)->evidence))
HC_GIVES(int64_t, incident_gpus, FAILURE_OF(at)->gpus)
HC_GIVES_TEXT(incident_corrected,
              FAILURE_OF(at)->correction ? FAILURE_OF(at)->correction->author : NULL)
static const struct hc_field incident_fields[] = {
    HC_INTEGER_OF("job", incident_job, "", "whose end it is"),
    HC_INTEGER_OF("restarts", incident_restarts, "", "of the attempt"),
    HC_INTEGER_OF("launch", incident_cycle, "",
                  "that ended in place, from 0; null: the attempt ended"),
    HC_TEXT_OF("end", incident_end, "when the attempt or launch ended"),
    HC_TEXT_OF("side", incident_side, "whose failure it is"),
    HC_TEXT_OF("evidence", incident_evidence, "for the infrastructure"),
    INCIDENT("cause", cause, "", "as nodes, log or scheduler call it"),
    HC_TEXT_OF("corrected_by", incident_corrected, "author of the correction that holds; or null"),
    HC_INTEGER_OF("gpus", incident_gpus, "", "of the attempt"),
    INCIDENT("gpu_hours", gpu_hours, "GPU-hours",
             "that it cost in all, on whatever day: the sum of what follows"),
    INCIDENT("lost", lost, "GPU-hours", "work lost, and start-up that failed"),
    INCIDENT("detection", detection, "GPU-hours", "from the fault to its notice"),
    INCIDENT("recovery", recovery, "GPU-hours", "from there to the next launch, or the end"),
    INCIDENT("startup", startup, "GPU-hours", "of the next launch, with its warm-up"),
    INCIDENT("is_unknown", is_unknown, "", "no log tells what it cost: counted as nothing"),
    INCIDENT("uncertain", uncertain, "GPU-hours",
             "between lost and detection: the log tells the fault to an interval"),
};
static const struct hc_record_def incident_record = HC_RECORD(NULL, incident_fields);

/* ---- restated ---- */

#define RESTATED(...)   HC_FIELD(struct hc_restated_row, __VA_ARGS__)
#define RESTATED_OF(at) HC_OF(struct hc_restated_row, at)
HC_GIVES_TEXT(restated_what, hc_what_name(RESTATED_OF(at)->what))
HC_GIVES_TEXT(restated_run, RESTATED_OF(at)->run < 0
                                ? NULL
                                : report_of(at)->names->run_name(RESTATED_OF(at)->run,
                                                                 report_of(at)->names->context))
static const struct hc_field restated_fields[] = {
    RESTATED("day", day, "", "that is restated"),
    HC_TEXT_OF("what", restated_what, "leaf"),
    RESTATED("before_gpu_hours", before_gpu_hours, "GPU-hours",
             "of it, as known when the day of the report began"),
    RESTATED("now_gpu_hours", now_gpu_hours, "GPU-hours", "of it, as known now"),
    HC_TEXT_OF("run", restated_run, "that changed most of it; null: attempts without a run"),
    RESTATED("run_gpu_hours", run_gpu_hours, "GPU-hours", "by which that changed"),
    RESTATED("reason", reason, "", "by which leaves of it became less and more"),
};
static const struct hc_record_def restated_record = HC_RECORD(NULL, restated_fields);
HC_GIVES(size_t, count_restated, report_of(at)->restated ? report_of(at)->restated->n : 0)
HC_GIVES_ITEM(restated_at, &report_of(at)->restated->rows[i])

/* ---- trust ---- */

#define JOIN(...) HC_FIELD(struct hc_night_join, __VA_ARGS__)
static const struct hc_field join_fields[] = {
    JOIN("method", method, "", "by which a log came to its attempt, or why it came to none"),
    JOIN("is_joined", is_joined, "", "it came to one"),
    JOIN("launches", launches, "", "of training, in such logs of the archive"),
    JOIN("gpu_hours", gpu_hours, "GPU-hours", "of these attempts, in all"),
};
static const struct hc_record_def join_record = HC_RECORD(NULL, join_fields);
HC_GIVES(size_t, count_joins, report_of(at)->context ? report_of(at)->context->n_joins : 0)
HC_GIVES_ITEM(join_at, &report_of(at)->context->joins[i])

#define SOURCE(...)   HC_FIELD(struct hc_night_source, __VA_ARGS__)
#define SOURCE_OF(at) HC_OF(struct hc_night_source, at)
HC_GIVES_TEXT(source_last, hc_known_iso8601(SOURCE_OF(at)->last_ns, room))
static const struct hc_field source_fields[] = {
    SOURCE("table", table, "", "of records"),
    SOURCE(
        "gpu_hours", gpu_hours, "GPU-hours",
        "that it covers: of attempts that it tells of, or on nodes that it names; null: it is of "
        "no GPU-time"),
    SOURCE("share", share, "", "of all that was held"),
    HC_TEXT_OF("last_time", source_last,
               "its last time stamp by a clock of a source; null: not known"),
};
static const struct hc_record_def source_record = HC_RECORD(NULL, source_fields);
HC_GIVES(size_t, count_sources, report_of(at)->context ? report_of(at)->context->n_sources : 0)
HC_GIVES_ITEM(source_at, &report_of(at)->context->sources[i])

/* ---- the report ---- */

#define REPORT(...) HC_FIELD(struct hc_night_report, __VA_ARGS__)
HC_GIVES_TEXT(as_of_of, hc_known_iso8601(report_of(at)->as_of_ns, room))
HC_GIVES(size_t, count_leaves, result_of(at)->n_leaves)
HC_GIVES_ITEM(leaf_at, &result_of(at)->leaves[i])
HC_GIVES(size_t, count_goodput, result_of(at)->n_goodput)
HC_GIVES_ITEM(goodput_at, &result_of(at)->goodput[i])
HC_GIVES(size_t, count_days, result_of(at)->n_days)
HC_GIVES_ITEM(day_at, &result_of(at)->days[i])
HC_GIVES(size_t, count_runs, result_of(at)->n_runs)
HC_GIVES_ITEM(run_at, &result_of(at)->runs[i])
HC_GIVES(size_t, count_incidents, result_of(at)->n_incidents)
HC_GIVES_ITEM(incident_at, &result_of(at)->incidents[i])
HC_GIVES_ITEM(result_at, result_of(at))
HC_GIVES_ITEM(timelines_at, report_of(at)->timelines)
static const struct hc_field report_fields[] = {
    REPORT("archive", archive, "", "that was read"),
    REPORT("cluster", cluster, "", "that was asked for; null: all"),
    REPORT("zone", zone, "", "of the days"),
    REPORT("site_sha256", site_sha256, "",
           "of the site file by which all days of the window are counted; null: there is none"),
    HC_TEXT_OF("as_of", as_of_of, "what came later is not known"),
    HC_OBJECT_BEHIND(struct hc_night_report, "findings", findings, &hc_night_findings_record,
                     "what changed; null: not looked for"),
    HC_OBJECT_OF("totals", result_at, &total_record, "of the days that are reported"),
    HC_OBJECT_OF("timelines", timelines_at, &timeline_record,
                 "timelines of ops, by whose what-if productive steps are split", .rules = HC_LINE),
    HC_LIST_OF("sources", count_sources, source_at, &source_record,
               "what tells of the GPU-hours, how much of them, and until when", .rules = HC_LINE),
    HC_LIST_OF("joins", count_joins, join_at, &join_record, "how logs came to attempts",
               .rules = HC_LINE),
    HC_LIST_OF("leaves", count_leaves, leaf_at, &leaf_record,
               "where the GPU-hours went: a row a leaf, and behind it a row a reason",
               .rules = HC_LINE),
    HC_LIST_OF("installed", count_installed, installed_at, &installed_record,
               "where installed GPU-time went, of which all that is above is allocated; empty "
               "where several clusters are reported together",
               .rules = HC_LINE),
    HC_LIST_OF("goodput", count_goodput, goodput_at, &goodput_record,
               "the same time by the categories of ml-goodput", .rules = HC_LINE),
    HC_LIST_OF("groups", count_groupings, grouping_at, &grouping_record, "the same time by group"),
    HC_LIST_OF("runs", count_runs, run_at, &run_record,
               "that held GPUs in these days, most GPU-hours first", .rules = HC_LINE),
    HC_LIST_OF("ettr", count_ettrs, ettr_at, &ettr_record, "what each ETTR of a run counts",
               .rules = HC_LINE),
    HC_LIST_OF("incidents", count_incidents, incident_at, &incident_record,
               "failures that ended something in these days, the dearest first", .rules = HC_LINE),
    HC_LIST_OF("restated", count_restated, restated_at, &restated_record,
               "what of the 7 days before is another by what came since the day began",
               .rules = HC_LINE),
    HC_LIST_OF("days", count_days, day_at, &day_record, "of the window", .rules = HC_LINE),
};
const struct hc_record_def hc_night_record = HC_RECORD(NULL, report_fields);
