#include "reports/ettr/ettr_records.h"

#include "core/base/clock.h"
#include "reports/ettr/ettr_report.h"

static const struct hc_ettr_report *report_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

#define RATIO(...) HC_FIELD(struct hc_ettr_ratio, __VA_ARGS__)
static const struct hc_field ratio_fields[] = {
    RATIO("value", value, "", "the ratio; null: not known"),
    RATIO("productive", productive, "h", "its numerator; of goodput in GPU-hours"),
    RATIO("all", all, "h", "its denominator; of goodput in GPU-hours"),
};
static const struct hc_record_def ratio_record = HC_RECORD("a ratio of hours", ratio_fields);

/* ---- runs ---- */

#define ROW(...)   HC_FIELD(struct hc_ettr_row, __VA_ARGS__)
#define ROW_OF(at) HC_OF(struct hc_ettr_row, at)
#define RUN_OF(at) ROW_OF(at)->run
HC_GIVES_TEXT(row_rule, hc_run_rule_name(ROW_OF(at)->rule))
HC_GIVES(int64_t, row_gpus, RUN_OF(at)->most_gpus)
HC_GIVES(int64_t, row_attempts, RUN_OF(at)->n_attempts)
HC_GIVES(int64_t, row_launches, RUN_OF(at)->n_launches)
HC_GIVES(int64_t, row_stops, RUN_OF(at)->n_stops)
HC_GIVES_TEXT(row_start, hc_known_iso8601(RUN_OF(at)->first_start_ns, room))
HC_GIVES_TEXT(row_end, hc_known_iso8601(RUN_OF(at)->last_end_ns, room))
HC_GIVES(double, row_queued, RUN_OF(at)->queued_s / 3600)
HC_GIVES(double, row_held, RUN_OF(at)->held_s / 3600)
HC_GIVES(double, row_off, RUN_OF(at)->off_s / 3600)
HC_GIVES(int64_t, row_kept, RUN_OF(at)->kept_steps)
HC_GIVES(int64_t, row_lost, RUN_OF(at)->lost_steps)
HC_GIVES(double, row_reference, RUN_OF(at)->reference_step_s)
HC_GIVES_TEXT(row_least_at, hc_known_iso8601(ROW_OF(at)->hour.least_ns, room))
HC_GIVES_ITEM(row_meta, &ROW_OF(at)->ratio[HC_ETTR_META])
HC_GIVES_ITEM(row_byterobust, &ROW_OF(at)->ratio[HC_ETTR_BYTEROBUST])
HC_GIVES_ITEM(row_goodput, &ROW_OF(at)->ratio[HC_ETTR_GOODPUT])
HC_GIVES_ITEM(row_nominal, &ROW_OF(at)->ratio[HC_ETTR_NOMINAL])
static const struct hc_field row_fields[] = {
    ROW("run", name, "", "its name"),
    ROW("user", user, "", "of its first launch"),
    HC_TEXT_OF("rule", row_rule,
               "what makes its attempts one run: site (a rule of the site file), lineage (of "
               "checkpoints), job (of one job: the ETTR is per job)"),
    HC_INTEGER_OF("gpus", row_gpus, "", "most that an attempt had"),
    HC_INTEGER_OF("attempts", row_attempts, "", "allocations so far"),
    HC_INTEGER_OF("launches", row_launches, "", "of the training processes"),
    HC_INTEGER_OF("failures", row_stops, "", "launches that a failure ended"),
    ROW("missing_attempts", n_missing, "", "that restart counts tell, and no record has"),
    ROW("gaps", n_gaps, "", "launches that began from what no launch here had saved"),
    ROW("is_provisional", is_provisional, "",
        "it runs: steps behind its last checkpoint may be lost yet"),
    ROW("counts", counts, "", "in the value of the fleet"),
    HC_TEXT_OF("first_start", row_start, "of its first attempt"),
    HC_TEXT_OF("last_end", row_end, "of its last attempt, or as far as is known"),
    ROW("gpu_hours", gpu_hours, "GPU-hours", "that it held"),
    HC_OBJECT_OF("meta", row_meta, &ratio_record,
                 "productive time over time run and queued; null where attempts are missing",
                 .rules = HC_LINE),
    HC_OBJECT_OF("byterobust", row_byterobust, &ratio_record,
                 "productive time over time since the first start", .rules = HC_LINE),
    HC_OBJECT_OF("goodput", row_goodput, &ratio_record,
                 "productive GPU-hours over those held, by the categories of ml-goodput",
                 .rules = HC_LINE),
    HC_OBJECT_OF("nominal", row_nominal, &ratio_record,
                 "steps kept times the reference step time, over time since the first start",
                 .rules = HC_LINE),
    HC_REAL_OF("queued_h", row_queued, "h", "in which an attempt waited and could have started"),
    HC_REAL_OF("held_h", row_held, "h", "in which one waited and could not: in no ratio of meta"),
    HC_REAL_OF("off_h", row_off, "h", "in which nothing was submitted: in no ratio of meta"),
    HC_INTEGER_OF("kept_steps", row_kept, "", "that count"),
    HC_INTEGER_OF("lost_steps", row_lost, "", "that were made again, or are at risk"),
    HC_REAL_OF("reference_step_s", row_reference, "s",
               "the 10th percentile of its steady step times"),
    ROW("least_hour", hour.least, "",
        "least of byterobust over a sliding hour; null: it is shorter than an hour"),
    HC_TEXT_OF("least_hour_end", row_least_at, "end of that hour, the first of them"),
    ROW("last_hour", hour.last, "", "byterobust over the last hour"),
};
static const struct hc_record_def row_record = HC_RECORD(NULL, row_fields);

/* ---- days ---- */

#define DAY(...) HC_FIELD(struct hc_ettr_day, __VA_ARGS__)
HC_GIVES_TEXT(day_run, report_of(at)->result->rows[HC_OF(struct hc_ettr_day, at)->row].name)
static const struct hc_field day_fields[] = {
    HC_TEXT_OF("run", day_run, "its name"),
    DAY("day", day, "", "of the zone"),
    DAY("value", ratio.value, "", "byterobust within that day"),
    DAY("productive", ratio.productive, "h", "of that day"),
    DAY("all", ratio.all, "h", "of that day, since the first start and up to the last end"),
    DAY("cumulative", cumulative, "", "byterobust from the first start to the end of that day"),
};
static const struct hc_record_def day_record = HC_RECORD(NULL, day_fields);

/* ---- the fleet ---- */

#define FLEET(...)   HC_FIELD(struct hc_ettr_fleet, __VA_ARGS__)
#define FLEET_OF(at) (&report_of(at)->result->fleet)
HC_GIVES_TEXT(fleet_name, hc_ettr_name((enum hc_ettr)at->index))
HC_GIVES_TEXT(fleet_sentence, hc_ettr_sentence((enum hc_ettr)at->index))
HC_GIVES(int64_t, fleet_runs, (int64_t)FLEET_OF(at)->n_of[at->index])
static const struct hc_field fleet_ratio_fields[] = {
    HC_TEXT_OF("name", fleet_name, "of the definition"),
    RATIO("value", value, "", "the ratio of the sums; null: no run has it"),
    RATIO("productive", productive, "h", "sum of the numerators; of goodput in GPU-hours"),
    RATIO("all", all, "h", "sum of the denominators; of goodput in GPU-hours"),
    HC_INTEGER_OF("runs", fleet_runs, "", "that have it"),
    HC_TEXT_OF("counts", fleet_sentence, "what it counts"),
};
static const struct hc_record_def fleet_ratio_record = HC_RECORD(NULL, fleet_ratio_fields);
HC_GIVES(size_t, count_fleet, HC_N_ETTRS)
HC_GIVES_ITEM(fleet_at, &FLEET_OF(at)->ratio[i])
#define REPORT(...) HC_FIELD(struct hc_ettr_report, __VA_ARGS__)
HC_GIVES(int64_t, fleet_least_gpus, report_of(at)->least_gpus)
HC_GIVES(double, fleet_least_hours, report_of(at)->least_hours)
static const struct hc_field fleet_fields[] = {
    FLEET("runs", n_runs, "", "that count"),
    FLEET("left_out", n_left_out, "", "runs that the filter leaves out"),
    HC_INTEGER_OF("least_gpus", fleet_least_gpus, "", "the filter: of a run that counts"),
    HC_REAL_OF("least_hours", fleet_least_hours, "h",
               "the filter: since the first start of a run that counts"),
    HC_LIST_OF("ratios", count_fleet, fleet_at, &fleet_ratio_record, "by definition",
               .rules = HC_LINE),
};
static const struct hc_record_def fleet_record = HC_RECORD(NULL, fleet_fields);

/* ---- the report ---- */

HC_GIVES_TEXT(as_of_of, hc_known_iso8601(report_of(at)->as_of_ns, room))
HC_GIVES_ITEM(fleet_of, FLEET_OF(at))
HC_GIVES(size_t, count_rows, report_of(at)->result->n)
HC_GIVES_ITEM(row_at, &report_of(at)->result->rows[i])
HC_GIVES(size_t, count_days, report_of(at)->result->n_days)
HC_GIVES_ITEM(day_at, &report_of(at)->result->days[i])
static const struct hc_field report_fields[] = {
    REPORT("archive", archive, "", "that was read"),
    REPORT("cluster", cluster, "", "that was asked for; null: all"),
    REPORT("zone", zone, "", "of the days"),
    REPORT("from", from, "", "first day on which a run held GPUs; null: any"),
    REPORT("to", to, "", "last such day; null: any"),
    HC_TEXT_OF("as_of", as_of_of, "what came later is not known"),
    HC_OBJECT_OF("fleet", fleet_of, &fleet_record, "all runs together: ratios of sums"),
    HC_LIST_OF("runs", count_rows, row_at, &row_record,
               "most GPU-hours first; each with the whole of its life so far"),
    HC_LIST_OF("days", count_days, day_at, &day_record, "of these runs", .rules = HC_LINE),
};
const struct hc_record_def hc_ettr_record = HC_RECORD(NULL, report_fields);
