#include "reports/rates/rates_records.h"
#include "reports/rates/rates_report.h"
#include "reports/write/table_files.h"

static const struct hc_table_file tables[] = {
    {"rates.csv",
     {"rates", "class,basis,failures,node_days,per_1000,low,high,dispersion,wide_low,wide_high,"
               "mttf_h,mttf_low,mttf_high"}},
    {"incidents.csv", {"incidents", "job,end,scope,evidence,event,stopped,gpu_hours"}},
};

void hc_rates_write_json(const struct hc_rates_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_rates_record, &(struct hc_item){.record = report});
}

void hc_rates_write_csv(const struct hc_rates_report *report, FILE *stream)
{
    hc_record_csv_table(stream, &hc_rates_record, &tables[0].table,
                        &(struct hc_item){.record = report});
}

enum hc_status hc_rates_write_tables(struct hc_outset *set, const char *directory,
                                     const struct hc_rates_report *report, struct hc_error *err)
{
    const struct hc_table_files files = {.def = &hc_rates_record,
                                         .report = report,
                                         .run_id = report->run_id,
                                         .files = tables,
                                         .n = sizeof tables / sizeof *tables};
    return hc_table_files_write(&files, set, directory, err);
}
