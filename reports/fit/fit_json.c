#include "reports/fit/fit_report.h"

void hc_fit_write_json(const struct hc_fit_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_fit_record, &(struct hc_item){.record = report});
}

void hc_backtest_write_json(const struct hc_backtest_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_backtest_record, &(struct hc_item){.record = report});
}
