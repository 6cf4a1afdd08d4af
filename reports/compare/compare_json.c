/* JSON and CSV of a comparison. */
#include "reports/compare/compare_report.h"

#include "core/base/memory.h"
#include "reports/compare/compare_records.h"

#include <stdlib.h>

void hc_compare_write_json(const struct hc_compare_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_compare_record, &(struct hc_item){.record = report});
}

void hc_compare_write_csv(const struct hc_compare_report *report, FILE *stream)
{
    const struct hc_item parent = {.record = report};
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_compared_figure_record,
                        "figure,a,b,value,low,high,relative,relative_low,relative_high,changed",
                        NULL);
    for (size_t i = 0; i < HC_N_COMPARED; i++)
        hc_record_csv_row(&csv, &(struct hc_item){&report->comparison->figures[i], i, &parent});
}

/* The columns of a change, each under the name of the figure. */
#define CHANGE(key)                                                                                \
    key "_a=" key ".a," key "_b=" key ".b," key "_change=" key ".value," key "_low=" key           \
        ".low," key "_high=" key ".high," key "_changed=" key ".changed"

static const struct {
    const char *name;
    struct hc_record_table table;
} tables[] = {
    {"op_types.csv",
     {"by_op_type",
      "op_type," CHANGE("duration_s") "," CHANGE("busy_s") ",step_share_a,"
                                                           "step_share_b,ideal_a_s,ideal_b_s"}},
    {"stages.csv",
     {"by_stage", "stage," CHANGE("forward_s") "," CHANGE("backward_s") "," CHANGE("slowdown")}},
    {"workers.csv",
     {"by_worker", "dp_rank,stage,rank_a,rank_b,host_a,host_b," CHANGE("forward_s") "," CHANGE(
                       "backward_s") "," CHANGE("pass_ratio") "," CHANGE("slowdown")}},
    {"hosts.csv", {"by_host", "host,workers_a,workers_b," CHANGE("pass_ratio")}},
    {"culprits.csv",
     {"culprits", "culprit,cause,change," CHANGE("factor") "," CHANGE("duty") ",text_a,text_b"}},
};

enum { N_TABLES = sizeof tables / sizeof tables[0] };

/* The i-th file: the figures, then the tables. */
static enum hc_status write_file(struct hc_outset *set, size_t i, const char *directory,
                                 const struct hc_compare_report *report, struct hc_error *err)
{
    FILE *stream;
    char *path = hc_new_text(err, "%s/%s", directory, i ? tables[i - 1].name : "figures.csv");
    enum hc_status status = path ? hc_outset_add_table(set, path, &stream, err) : err->status;
    if (status == HC_OK && i == 0)
        hc_compare_write_csv(report, stream);
    else if (status == HC_OK)
        hc_record_csv_table(stream, &hc_compare_record, &tables[i - 1].table,
                            &(struct hc_item){.record = report});
    free(path);
    return status;
}

enum hc_status hc_compare_write_tables(struct hc_outset *set, const char *directory,
                                       const struct hc_compare_report *report, struct hc_error *err)
{
    if (hc_outset_directory(set, directory, err) ||
        hc_outset_index_begin(set, directory, HC_OUTSET_INDEX, report->run_id, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < 1 + N_TABLES && status == HC_OK; i++)
        status = write_file(set, i, directory, report, err);
    hc_outset_index_end(set);
    return status;
}
