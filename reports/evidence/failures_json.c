#include "reports/evidence/failures_records.h"
#include "reports/evidence/failures_report.h"
#include "reports/write/table_files.h"

void hc_failures_write_json(const struct hc_failures_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_failures_record, &(struct hc_item){.record = report});
}

static const struct hc_table_file tables[] = {
    {"failures.csv",
     {"failures", "cluster,job,array_task,raw_job,restarts,cycle,user,name,state,start_ns,fault_ns,"
                  "end_ns,nodes,gpus,gpu_hours,side,evidence,event_class,event_code,event_node,"
                  "event_ns,event_source,event_line,log_class,log_name,log_ns,"
                  "log_source,log_line,"
                  "source,line,correction_cause,correction_scope,correction_detail,"
                  "correction_author,correction_reason,correction_date_ns,correction_source,"
                  "correction_line,ruled_side,ruled_evidence,event_name,incident"}},
    {"corrections.csv",
     {"corrections", "date_ns,cluster,job,array_task,restarts,incident,node,time_ns,cause,detail,"
                     "scope,author,reason,outcome,about,held,tied,gpu_hours,source,line"}},
};

void hc_failures_write_csv(const struct hc_failures_report *report, FILE *stream)
{
    hc_record_csv_table(stream, &hc_failures_record, &tables[0].table,
                        &(struct hc_item){.record = report});
}

enum hc_status hc_failures_write_tables(struct hc_outset *set, const char *directory,
                                        const struct hc_failures_report *report,
                                        struct hc_error *err)
{
    const struct hc_table_files files = {.def = &hc_failures_record,
                                         .report = report,
                                         .run_id = report->run_id,
                                         .files = tables,
                                         .n = sizeof tables / sizeof *tables};
    return hc_table_files_write(&files, set, directory, err);
}
