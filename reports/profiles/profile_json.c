/* JSON and CSV of a report on profiler traces. */
#include "reports/profiles/profile_report.h"

#include "reports/profiles/profile_records.h"
#include "reports/write/table_files.h"

void hc_profile_write_json(const struct hc_profile_report *report, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_profile_record, &(struct hc_item){.record = report});
}

enum table {
    RANKS,
    QUESTIONS,
    BREAKDOWN,
    STRAGGLERS,
    COLLECTIVES,
    WAITS,
    PATH,
    PREDICTIONS,
    N_TABLES
};

static const struct hc_table_file tables[N_TABLES] = {
    [RANKS] = {"ranks.csv",
               {"ranks",
                "rank,path,events,dropped,steps,gpu_events,unlinked,calls,cpu_ops,is_cut"}},
    [QUESTIONS] = {"questions.csv", {"questions", "question,kind,time_ns,gain_ns,cost_ns"}},
    [BREAKDOWN] = {"breakdown.csv",
                   {"breakdown",
                    "rank,step,cpu_step_ns,window_ns,compute_ns,exposed_comm_ns,overlapped_comm_ns,"
                    "exposed_memcpy_ns,idle_ns,lag_ns"}},
    [STRAGGLERS] = {"stragglers.csv",
                    {"stragglers",
                     "rank,last_in,caused_wait_ns,wait_ns,start_skew_ns,cost_ns,only_ns,gain_ns,"
                     "mend_ns,component,offset_ns,offset_low_ns,offset_high_ns"}},
    [COLLECTIVES] = {"collectives.csv",
                     {"collectives",
                      "collective,op,group,members,is_complete,last_rank,last_is_unsure,arrival_ns,"
                      "lead_ns,transfer_ns,end_skew_ns,bytes,busbw_gb_s,expected_gb_s"}},
    [WAITS] = {"waits.csv", {"collectives.waits", "collective,rank,wait_ns"}},
    [PATH] = {"path.csv", {"whatif.path", "part,time_ns"}},
    [PREDICTIONS] = {"predictions.csv",
                     {"whatif.predictions",
                      "first_step,last_step,traced_ns,predicted_ns,error,share_without_twin"}},
};

static bool is_there(const void *of, size_t table)
{
    const struct hc_profile_report *report = of;
    return table == RANKS || (table == QUESTIONS && report->whatif && report->n_questions) ||
           (table == BREAKDOWN && report->breakdown) || (table == PATH && report->whatif) ||
           (table == PREDICTIONS && report->whatif && report->whatif->n_predictions > 0) ||
           ((table == STRAGGLERS || table == COLLECTIVES || table == WAITS) && report->collectives);
}

static enum table main_table(const struct hc_profile_report *report)
{
    return report->n_questions         ? QUESTIONS
           : report->shows_path        ? PATH
           : report->shows_collectives ? COLLECTIVES
           : report->collectives       ? STRAGGLERS
           : report->breakdown         ? BREAKDOWN
                                       : RANKS;
}

void hc_profile_write_csv(const struct hc_profile_report *report, FILE *stream)
{
    hc_record_csv_table(stream, &hc_profile_record, &tables[main_table(report)].table,
                        &(struct hc_item){.record = report});
}

enum hc_status hc_profile_write_tables(struct hc_outset *set, const char *directory,
                                       const struct hc_profile_report *report, struct hc_error *err)
{
    const struct hc_table_files files = {.def = &hc_profile_record,
                                         .report = report,
                                         .run_id = report->run_id,
                                         .files = tables,
                                         .n = N_TABLES,
                                         .has = is_there};
    return hc_table_files_write(&files, set, directory, err);
}
