#include "reports/joins/joins_records.h"
#include "reports/joins/joins_report.h"

void hc_joins_write_json(const struct hc_joins_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_joins_record, &(struct hc_item){.record = report});
}

void hc_joins_write_csv(const struct hc_joins_report *report, FILE *stream)
{
    static const struct hc_record_table table = {
        "cycles",
        "log,line,cycle,start_ns,end_ns,ranks,gpu_hours,joined,method,off,job,raw_job,submit_ns,"
        "run,"
        "loaded_iteration,loaded_from,first_iteration,last_iteration,saved_iteration,saved_to"};
    hc_record_csv_table(stream, &hc_joins_record, &table, &(struct hc_item){.record = report});
}

void hc_runs_write_csv(const struct hc_joins_report *report, FILE *stream)
{
    static const struct hc_record_table table = {
        "runs", "run,rule,attempts,cycles,gaps,forked_from,fork_iteration,first_ns,last_ns,"
                "first_iteration,last_iteration,saved_iteration,done,gpu_hours,checkpoints"};
    hc_record_csv_table(stream, &hc_joins_record, &table, &(struct hc_item){.record = report});
}
