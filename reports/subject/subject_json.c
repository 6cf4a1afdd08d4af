#include "reports/subject/subject_records.h"
#include "reports/subject/subject_report.h"
#include "reports/write/table_files.h"

static const struct hc_table_file tables[] = {
    {"attempts.csv",
     {"attempts", "job,array_task,restarts,user,start,end,state,gpus,launches,failures,side,"
                  "evidence,gpu_hours,productive,startup,stalls,lost,faults,other,unknown"}},
    {"leaves.csv", {"leaves", "what,gpu_hours"}},
};

void hc_subject_write_json(const struct hc_subject_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_subject_record, &(struct hc_item){.record = report});
}

void hc_subject_write_csv(const struct hc_subject_report *report, FILE *stream)
{
    hc_record_csv_table(stream, &hc_subject_record, &tables[0].table,
                        &(struct hc_item){.record = report});
}

enum hc_status hc_subject_write_tables(struct hc_outset *set, const char *directory,
                                       const struct hc_subject_report *report, struct hc_error *err)
{
    const struct hc_table_files files = {.def = &hc_subject_record,
                                         .report = report,
                                         .run_id = report->run_id,
                                         .files = tables,
                                         .n = sizeof tables / sizeof *tables};
    return hc_table_files_write(&files, set, directory, err);
}
