/* capacity_json.c - JSON and CSV of a capacity report. */
#include "reports/capacity/capacity_records.h"
#include "reports/capacity/capacity_report.h"
#include "reports/write/table_files.h"

void hc_capacity_write_json(const struct hc_capacity_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_capacity_record, &(struct hc_item){.record = report});
}

#define ROW_COLUMNS                                                                                \
    "installed_gpu_hours,allocated_gpu_hours,down_gpu_hours,drained_gpu_hours,"                    \
    "maintenance_gpu_hours,reserved_gpu_hours,idle_demand_gpu_hours,idle_no_demand_gpu_hours,"     \
    "idle_unknown_gpu_hours,available_gpu_hours,used_of_installed,used_of_available,"              \
    "over_gpu_hours,outside_gpu_hours,assumed_gpu_hours,unheard_gpu_hours,partly_used_gpu_hours"
#define SPREAD_COLUMNS(of)                                                                         \
    of "_mean=" of ".mean," of "_median=" of ".median," of "_p90=" of ".p90," of "_p99=" of ".p99"

static const struct hc_table_file tables[] = {
    {"days.csv",
     {"days", "day,from_ns,to_ns," ROW_COLUMNS
              ",free_nodes_mean,free_nodes_least,free_nodes_most,free_gpus_most,waiting_jobs,"
              "waiting_gpus,backlog_gpu_hours,backlog_by_limit_gpu_hours,waiting_unknown,"
              "allocated_gpu_ns,down_gpu_ns,drained_gpu_ns,maintenance_gpu_ns,reserved_gpu_ns,"
              "idle_demand_gpu_ns,idle_no_demand_gpu_ns,idle_unknown_gpu_ns"}},
    {"partitions.csv", {"partitions", "partition,nodes," ROW_COLUMNS}},
    {"nodes.csv", {"by_node", "node," ROW_COLUMNS}},
    {"waits.csv",
     {"waits",
      "by,group,attempts,ended,gpu_wait_hours," SPREAD_COLUMNS("wait_s") "," SPREAD_COLUMNS(
          "run_s") "," SPREAD_COLUMNS("slowdown") "," SPREAD_COLUMNS("bounded_slowdown")}},
    {"demand.csv", {"demand", "waits_for,is_demand,gpu_hours,mean_gpus,most_gpus,mean_jobs"}},
};

void hc_capacity_write_csv(const struct hc_capacity_report *report, FILE *stream)
{
    hc_record_csv_table(stream, &hc_capacity_record, &tables[0].table,
                        &(struct hc_item){.record = report});
}

enum hc_status hc_capacity_write_tables(struct hc_outset *set, const char *directory,
                                        const struct hc_capacity_report *report,
                                        struct hc_error *err)
{
    const struct hc_table_files files = {.def = &hc_capacity_record,
                                         .report = report,
                                         .run_id = report->run_id,
                                         .files = tables,
                                         .n = sizeof tables / sizeof *tables};
    return hc_table_files_write(&files, set, directory, err);
}
