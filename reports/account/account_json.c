#include "reports/account/account_records.h"
#include "reports/account/account_report.h"

void hc_account_write_json(const struct hc_account_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_account_record, &(struct hc_item){.record = report});
}

void hc_account_write_csv(const struct hc_account_report *report, FILE *stream)
{
    static const struct hc_record_table table = {"groups.rows",
                                                 "by,name,attempts,gpu_hours,cpu_hours,share,cost"};
    hc_record_csv_table(stream, &hc_account_record, &table, &(struct hc_item){.record = report});
}
