#include "reports/startup/startup_records.h"
#include "reports/startup/startup_report.h"
#include "reports/write/table_files.h"

static const struct hc_table_file tables[] = {
    {"leaves.csv", {"leaves", "what,gpu_hours,share,share_of_held"}},
    {"phases.csv",
     {"phases", "phase,starts,times,median_s,slowest_s,straggler_ratio,straggler_ratio_most,"
                "waiting_share,waiting_gpu_hours"}},
    {"groups.csv", {"groups.rows", "by,name,starts,held,startup,share,avoidable"}},
    {"classes.csv", {"classes", "class,starts,best_s,median_s,most_s,gpu_hours,avoidable"}},
    {"nodes.csv",
     {"nodes", "node,times,slow,slow_starts,expected,chance,is_slow,own_s,extra_gpu_hours"}},
};

void hc_startup_write_json(const struct hc_startup_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_startup_record, &(struct hc_item){.record = report});
}

void hc_startup_write_csv(const struct hc_startup_report *report, FILE *stream)
{
    hc_record_csv_table(stream, &hc_startup_record, &tables[0].table,
                        &(struct hc_item){.record = report});
}

enum hc_status hc_startup_write_tables(struct hc_outset *set, const char *directory,
                                       const struct hc_startup_report *report, struct hc_error *err)
{
    const struct hc_table_files files = {.def = &hc_startup_record,
                                         .report = report,
                                         .run_id = report->run_id,
                                         .files = tables,
                                         .n = sizeof tables / sizeof *tables};
    return hc_table_files_write(&files, set, directory, err);
}
