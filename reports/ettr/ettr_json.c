#include "reports/ettr/ettr_records.h"
#include "reports/ettr/ettr_report.h"
#include "reports/write/table_files.h"

static const struct hc_table_file tables[] = {
    {"runs.csv",
     {"runs",
      "run,user,rule,gpus,attempts,launches,failures,missing_attempts,gaps,is_provisional,counts,"
      "first_start,last_end,gpu_hours,meta=meta.value,meta_productive=meta.productive,"
      "meta_all=meta.all,byterobust=byterobust.value,byterobust_productive=byterobust.productive,"
      "byterobust_all=byterobust.all,goodput=goodput.value,goodput_productive=goodput.productive,"
      "goodput_all=goodput.all,nominal=nominal.value,nominal_productive=nominal.productive,"
      "nominal_all=nominal.all,queued_h,held_h,off_h,kept_steps,lost_steps,reference_step_s,"
      "least_hour,least_hour_end,last_hour"}},
    {"days.csv", {"days", "run,day,value,productive,all,cumulative"}},
    {"fleet.csv", {"fleet.ratios", "name,value,productive,all,runs"}},
};

void hc_ettr_write_json(const struct hc_ettr_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_ettr_record, &(struct hc_item){.record = report});
}

void hc_ettr_write_csv(const struct hc_ettr_report *report, FILE *stream)
{
    hc_record_csv_table(stream, &hc_ettr_record, &tables[0].table,
                        &(struct hc_item){.record = report});
}

enum hc_status hc_ettr_write_tables(struct hc_outset *set, const char *directory,
                                    const struct hc_ettr_report *report, struct hc_error *err)
{
    const struct hc_table_files files = {.def = &hc_ettr_record,
                                         .report = report,
                                         .run_id = report->run_id,
                                         .files = tables,
                                         .n = sizeof tables / sizeof *tables};
    return hc_table_files_write(&files, set, directory, err);
}
