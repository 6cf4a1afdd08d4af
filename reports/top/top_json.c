#include "reports/top/top_records.h"
#include "reports/top/top_report.h"
#include "reports/write/table_files.h"

static const struct hc_table_file tables[] = {
    {"top.csv",
     {"groups.rows",
      "by,name,gpu_hours,gpu_ns,share,lost,failed_startup,detection,recovery,startup,other,"
      "infrastructure,held,share_of_held,before"}},
};

void hc_top_write_json(const struct hc_top_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_top_record, &(struct hc_item){.record = report});
}

void hc_top_write_csv(const struct hc_top_report *report, FILE *stream)
{
    hc_record_csv_table(stream, &hc_top_record, &tables[0].table,
                        &(struct hc_item){.record = report});
}

enum hc_status hc_top_write_tables(struct hc_outset *set, const char *directory,
                                   const struct hc_top_report *report, struct hc_error *err)
{
    const struct hc_table_files files = {.def = &hc_top_record,
                                         .report = report,
                                         .run_id = report->run_id,
                                         .files = tables,
                                         .n = sizeof tables / sizeof *tables};
    return hc_table_files_write(&files, set, directory, err);
}
