#include "reports/days/days_records.h"
#include "reports/days/days_report.h"
#include "reports/write/table_files.h"

/* Of days the first only. */
static const struct hc_table_file tables[] = {
    {"compare.csv",
     {"rows", "what,a_gpu_hours,b_gpu_hours,a_share,b_share,change,spread,t,freedom,probability,"
              "has_changed"}},
    {"ettr.csv", {"ettr", "name,a,b,change"}},
    {"runs.csv",
     {"sides", "name,first_day,last_day,is_provisional,gpu_hours,rule,attempts,launches,failures,"
               "gpus"}},
};

static const struct hc_record_def *record_of(const struct hc_days_report *report)
{
    return report->runs ? &hc_runs_record : &hc_days_record;
}

void hc_days_write_json(const struct hc_days_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, record_of(report), &(struct hc_item){.record = report});
}

void hc_days_write_csv(const struct hc_days_report *report, FILE *stream)
{
    hc_record_csv_table(stream, record_of(report), &tables[0].table,
                        &(struct hc_item){.record = report});
}

enum hc_status hc_days_write_tables(struct hc_outset *set, const char *directory,
                                    const struct hc_days_report *report, struct hc_error *err)
{
    const struct hc_table_files files = {.def = record_of(report),
                                         .report = report,
                                         .run_id = report->run_id,
                                         .files = tables,
                                         .n = report->runs ? sizeof tables / sizeof *tables : 1};
    return hc_table_files_write(&files, set, directory, err);
}
