/* timings_json.c - JSON and CSV of a report on timed collectives. */
#include "reports/timings/timings_report.h"

#include "reports/timings/timings_records.h"
#include "reports/write/table_files.h"

void hc_timings_write_json(const struct hc_timings_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_timings_record, &(struct hc_item){.record = report});
}

#define RATE_COLUMNS                                                                               \
    "n_ranks,bytes,transfers,total_ns,median_ns,busbw_gb_s,least_busbw_gb_s,expected_gb_s,share,"  \
    "lost_ns,below_baseline"

static const struct hc_table_file tables[] = {
    {"collectives.csv",
     {"collectives",
      "collective,communicator,op,number,members,n_ranks,is_complete,last_rank,last_process,"
      "lead_ns,waited_ns,transfer_ns,bytes,algobw_gb_s,busbw_gb_s,expected_gb_s,share"}},
    {"waits.csv", {"collectives.waits", "collective,rank,process,duration_ns,wait_ns"}},
    {"ranks.csv", {"ranks", "rank,process,records,collectives,last_in,caused_wait_ns,wait_ns"}},
    {"classes.csv", {"classes", "op," RATE_COLUMNS}},
    {"rates.csv", {"rates", "op,communicator," RATE_COLUMNS}},
};

void hc_timings_write_csv(const struct hc_timings_report *report, FILE *stream)
{
    hc_record_csv_table(stream, &hc_timings_record, &tables[0].table,
                        &(struct hc_item){.record = report});
}

enum hc_status hc_timings_write_tables(struct hc_outset *set, const char *directory,
                                       const struct hc_timings_report *report, struct hc_error *err)
{
    const struct hc_table_files files = {.def = &hc_timings_record,
                                         .report = report,
                                         .run_id = report->run_id,
                                         .files = tables,
                                         .n = sizeof tables / sizeof tables[0]};
    return hc_table_files_write(&files, set, directory, err);
}
