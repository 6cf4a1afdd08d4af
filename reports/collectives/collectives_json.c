/* collectives_json.c - JSON and CSV of a diagnosis of collectives. */
#include "reports/collectives/collectives_report.h"

#include "core/base/memory.h"
#include "reports/collectives/collectives_records.h"

#include <stdlib.h>

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

static const struct {
    const char *name;
    struct hc_record_table table;
} tables[] = {
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

enum { N_TABLES = sizeof tables / sizeof tables[0] };

void hc_collectives_write_csv(const struct hc_collectives_report *report, FILE *stream)
{
    hc_record_csv_table(stream, &hc_collectives_record, &tables[0].table,
                        &(struct hc_item){.record = report});
}

enum hc_status hc_collectives_write_tables(struct hc_outset *set, const char *directory,
                                           const struct hc_collectives_report *report,
                                           struct hc_error *err)
{
    if (hc_outset_directory(set, directory, err) ||
        hc_outset_index_begin(set, directory, HC_OUTSET_INDEX, report->run_id, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < N_TABLES && status == HC_OK; i++) {
        FILE *stream;
        char *path = hc_new_text(err, "%s/%s", directory, tables[i].name);
        status = path ? hc_outset_add(set, path, &stream, err) : err->status;
        if (status == HC_OK)
            hc_record_csv_table(stream, &hc_collectives_record, &tables[i].table,
                                &(struct hc_item){.record = report});
        free(path);
    }
    hc_outset_index_end(set);
    return status;
}
