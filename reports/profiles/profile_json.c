/* JSON and CSV of a report on profiler traces. */
#include "reports/profiles/profile_report.h"

#include "core/base/memory.h"
#include "reports/profiles/profile_records.h"

#include <stdlib.h>

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

static const struct {
    const char *name;
    struct hc_record_table table;
} tables[N_TABLES] = {
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

static bool is_there(const struct hc_profile_report *report, enum table table)
{
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

static void write_table(const struct hc_profile_report *report, enum table table, FILE *stream)
{
    hc_record_csv_table(stream, &hc_profile_record, &tables[table].table,
                        &(struct hc_item){.record = report});
}

void hc_profile_write_csv(const struct hc_profile_report *report, FILE *stream)
{
    write_table(report, main_table(report), stream);
}

static enum hc_status write_file(struct hc_outset *set, enum table table, const char *directory,
                                 const struct hc_profile_report *report, struct hc_error *err)
{
    FILE *stream;
    char *path = hc_new_text(err, "%s/%s", directory, tables[table].name);
    enum hc_status status = path ? hc_outset_add(set, path, &stream, err) : err->status;
    if (status == HC_OK)
        write_table(report, table, stream);
    free(path);
    return status;
}

enum hc_status hc_profile_write_tables(struct hc_outset *set, const char *directory,
                                       const struct hc_profile_report *report, struct hc_error *err)
{
    if (hc_outset_directory(set, directory, err) ||
        hc_outset_index_begin(set, directory, HC_OUTSET_INDEX, report->run_id, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (int table = 0; table < N_TABLES && status == HC_OK; table++)
        if (is_there(report, (enum table)table))
            status = write_file(set, (enum table)table, directory, report, err);
    hc_outset_index_end(set);
    return status;
}
