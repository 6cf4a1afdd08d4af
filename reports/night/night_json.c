#include "reports/night/night_records.h"
#include "reports/night/night_report.h"
#include "reports/write/table_files.h"

void hc_night_write_json(const struct hc_night_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_night_record, &(struct hc_item){.record = report});
}

static const struct hc_table_file tables[] = {
    {"leaves.csv",
     {"leaves", "what,title,why,evidence,gpu_hours,gpu_ns,share,measured_gpu_hours,"
                "estimated_gpu_hours,unknown_gpu_hours,day_before,week_before,four_weeks_before"}},
    {"goodput.csv", {"goodput", "number,category,gpu_hours,gpu_ns,share"}},
    {"groups.csv",
     {"groups.rows", "by,name,gpu_hours,share,productive,startup,stalls,lost,faults,"
                     "idle,unknown,productive_share"}},
    {"runs.csv",
     {"runs", "run,user,gpus,attempts,launches,failures,is_running,first_start,"
              "last_end,gpu_hours,day_gpu_hours,day_productive_share,lost_gpu_hours,"
              "ettr_meta,ettr_byterobust,ettr_goodput,ettr_nominal,reference_step_s,"
              "kept_steps,lost_steps,ran_s,queued_s,held_s,off_s"}},
    {"incidents.csv",
     {"incidents", "job,restarts,launch,end,side,evidence,cause,corrected_by,gpus,"
                   "gpu_hours,lost,detection,recovery,startup,uncertain,is_unknown"}},
    {"installed.csv", {"installed", "leaf,gpu_hours,share"}},
    {"restated.csv",
     {"restated", "day,what,before_gpu_hours,now_gpu_hours,run,run_gpu_hours,reason"}},
    {"days.csv",
     {"days", "day,hours,is_provisional,gpu_hours,productive,startup,stalls,lost,"
              "faults,idle,unknown,productive_share"}},
    {"sources.csv", {"sources", "table,gpu_hours,share,last_time"}},
    {"joins.csv", {"joins", "method,is_joined,launches,gpu_hours"}},
    {"timelines.csv", {"timelines", "joined,split,discrepant,unusable"}},
};

const char *hc_night_table_name(size_t i)
{
    return i < sizeof tables / sizeof *tables ? tables[i].name : NULL;
}

void hc_night_write_table(const struct hc_night_report *report, size_t i, FILE *stream)
{
    hc_record_csv_table(stream, &hc_night_record, &tables[i].table,
                        &(struct hc_item){.record = report});
}

void hc_night_write_csv(const struct hc_night_report *report, FILE *stream)
{
    hc_night_write_table(report, 0, stream);
}

enum hc_status hc_night_write_tables(struct hc_outset *set, const char *directory,
                                     const struct hc_night_report *report, struct hc_error *err)
{
    const struct hc_table_files files = {.def = &hc_night_record,
                                         .report = report,
                                         .run_id = report->run_id,
                                         .files = tables,
                                         .n = sizeof tables / sizeof *tables};
    return hc_table_files_write(&files, set, directory, err);
}
