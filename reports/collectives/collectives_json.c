/* collectives_json.c - JSON and CSV of a diagnosis of collectives. */
#include "reports/collectives/collectives_report.h"

#include "reports/collectives/collectives_records.h"
#include "reports/write/table_files.h"

void hc_collectives_write_json(const struct hc_collectives_report *report,
                               struct hc_json_writer *json)
{
    hc_record_members(json, &hc_collectives_record, &(struct hc_item){.record = report});
}

#define WAIT_COLUMNS                                                                               \
    "group,description,collective,op,in_elements,out_elements,first_ns,n_like,waiting,absent,"     \
    "passed,unknown"
#define SUSPECT_COLUMNS                                                                            \
    "rank,is_behind,is_late,groups_behind,behind_by,behind_group,behind_collective,ahead,waiting"

static const struct hc_table_file tables[] = {
    {"waits.csv", {"waits", WAIT_COLUMNS}},
    {"suspects.csv", {"suspects", SUSPECT_COLUMNS}},
    {"waits_for.csv", {"waits_for", SUSPECT_COLUMNS}},
    {"progress.csv", {"progress", "group,description,enqueued,completed,ranks"}},
    {"unknown_waits.csv", {"unknown_waits", WAIT_COLUMNS}},
    {"mismatches.csv",
     {"mismatches", "group,collective,rank,op,in_elements,other_rank,other_op,other_in_elements"}},
    {"open_pairs.csv",
     {"open_pairs", "group,number,source,destination,rank,elements,is_mismatch,other_elements"}},
};

void hc_collectives_write_csv(const struct hc_collectives_report *report, FILE *stream)
{
    hc_record_csv_table(stream, &hc_collectives_record, &tables[0].table,
                        &(struct hc_item){.record = report});
}

enum hc_status hc_collectives_write_tables(struct hc_outset *set, const char *directory,
                                           const struct hc_collectives_report *report,
                                           struct hc_error *err)
{
    const struct hc_table_files files = {.def = &hc_collectives_record,
                                         .report = report,
                                         .run_id = report->run_id,
                                         .files = tables,
                                         .n = sizeof tables / sizeof tables[0]};
    return hc_table_files_write(&files, set, directory, err);
}
