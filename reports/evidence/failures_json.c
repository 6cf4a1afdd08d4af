#include "reports/evidence/failures_records.h"
#include "reports/evidence/failures_report.h"

void hc_failures_write_json(const struct hc_failures_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_failures_record, &(struct hc_item){.record = report});
}

void hc_failures_write_csv(const struct hc_failures_report *report, FILE *stream)
{
    static const struct hc_record_table table = {
        "failures", "cluster,job,array_task,raw_job,restarts,cycle,user,name,state,start_ns,"
                    "fault_ns,end_ns,nodes,gpus,gpu_hours,side,evidence,event_class,event_code,"
                    "event_node,event_ns,event_source,event_line,log_class,log_name,log_ns,"
                    "log_source,log_line,source,line"};
    hc_record_csv_table(stream, &hc_failures_record, &table, &(struct hc_item){.record = report});
}
