#include "reports/study/replay/replay_jobs_views.h"
#include "reports/study/study_value_records.h"
#include "reports/write/table_files.h"

static const struct hc_replay_jobs *jobs_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

/* ---- a run of a job ---- */

HC_GIVES_TEXT(run_of, jobs_of(at)->run_name[at->index])

#define RUN(...) HC_FIELD(struct hc_replay_job_run, __VA_ARGS__)
#define FIGURE(name_, sentence)                                                                    \
    HC_OBJECT(struct hc_replay_job_run, #name_, name_, &hc_study_interval_record, sentence,        \
              .rules = HC_LINE)
static const struct hc_field run_fields[] = {
    HC_TEXT_OF("run", run_of, "`base`, or the variant"),
    RUN("untouched", is_untouched, "", "it applies no edits: the job as it was"),
    FIGURE(step_s, "of hindcast-simulate, the same here and below: time of a step"),
    FIGURE(change, "of it, over the untouched job"),
    FIGURE(slowdown, "S over the ideal of the untouched job"),
    FIGURE(recovered, "share of what the untouched job takes beyond its ideal"),
    FIGURE(gained_gpu_h, "GPU-hours over the steps replayed; null where GPUs are not known"),
};
static const struct hc_record_def run = HC_RECORD(NULL, run_fields);

/* ---- a job ---- */

static bool selects_nothing(const struct hc_replay_job *job, size_t edit)
{
    return job->empty[edit / 64] >> edit % 64 & 1;
}

HC_GIVES(size_t, count_edits, jobs_of(at)->n_edits)
HC_GIVES_ITEM(empty_edit, selects_nothing(HC_OF(struct hc_replay_job, at), i)
                              ? &jobs_of(at)->edit_name[i]
                              : NULL)
HC_GIVES(size_t, count_runs, HC_OF(struct hc_replay_job, at)->run ? jobs_of(at)->n_runs : 0)
HC_GIVES_ITEM(run_at, &HC_OF(struct hc_replay_job, at)->run[i])

#define JOB(...) HC_FIELD(struct hc_replay_job, __VA_ARGS__)
static const struct hc_field known_fields[] = {
    JOB("cluster", cluster, "", "of the job"),
    JOB("id", job_id, "", "of the job"),
    JOB("attempt", attempt, "", "the newest of the archive"),
    JOB("segment_sha256", segment_sha256, "", "of its file in the archive"),
    HC_NAME(struct hc_replay_job, "fate", fate, hc_job_fate_key, HC_N_JOB_FATES,
            "`answered`; `unreadable`, `damaged`, `no_memory`: it is lacking; `no_replay`, "
            "`discrepancy`; `refused`: the edits mean nothing in it"),
    JOB("detail", detail, "", "why it was not answered", .rules = HC_NULL_IF_EMPTY),
    JOB("gpus", n_gpus, "", "of its metadata", .rules = HC_NULL_BELOW_1),
    JOB("dp_size", dp_size, "", "of its timeline"),
    JOB("stages", n_stages, "", "of its timeline"),
    JOB("steps", n_steps, "", "that are replayed", .rules = HC_NULL_BELOW_1),
    JOB("discrepancy", discrepancy, "", "untouched steps, replayed, over those traced, less 1"),
    JOB("untouched_s", untouched_s, "s", "of a step of the untouched job, replayed"),
    JOB("untouched_slowdown", untouched_slowdown, "", "S of the untouched job"),
    JOB("gpu_hours", gpu_h, "GPU-hours", "of the steps, untouched; null where GPUs are not known"),
};
static const struct hc_record_def known = HC_RECORD(NULL, known_fields);

static const struct hc_field job_fields[] = {
    HC_SAME_PART(&known),
    HC_LIST_OF("edits_without_ops", count_edits, empty_edit, &hc_text_items,
               "names of edits that select nothing in it", .rules = HC_LINE),
    HC_LIST_OF("runs", count_runs, run_at, &run, "none of a job that was not answered"),
};
static const struct hc_record_def job = HC_RECORD(NULL, job_fields);

/* ---- totals ---- */

#define TOTAL(...) HC_FIELD(struct hc_replay_jobs_total, __VA_ARGS__)

static const struct hc_replay_job *job_at(const struct hc_item *at, size_t j)
{
    return j == HC_STUDY_NONE ? NULL : &jobs_of(at)->job[j];
}

/* Of the job with the least change, and of that with the most. */
static const void *best_job(const struct hc_item *at, size_t i)
{
    (void)i;
    return job_at(at, HC_OF(struct hc_replay_jobs_total, at)->best);
}

static const void *worst_job(const struct hc_item *at, size_t i)
{
    (void)i;
    return job_at(at, HC_OF(struct hc_replay_jobs_total, at)->worst);
}

/* The item around is the total of a run. */
HC_GIVES(double, change_there, HC_OF(struct hc_replay_job, at)->run[at->parent->index].change.mean)

static const struct hc_field extreme_fields[] = {
    JOB("cluster", cluster, "", "of the job"),
    JOB("id", job_id, "", "of the job"),
    HC_REAL_OF("change", change_there, "", "its change"),
};
static const struct hc_record_def extreme = HC_RECORD(NULL, extreme_fields);

static const struct hc_field total_fields[] = {
    HC_TEXT_OF("run", run_of, "`base`, or the variant"),
    TOTAL("untouched", is_untouched, "", "it applies no edits in any job"),
    TOTAL("jobs_faster", n_faster, "", "whose interval of the change is below 0"),
    TOTAL("jobs_slower", n_slower, "", "whose interval is above 0"),
    TOTAL("jobs_open", n_open, "", "the others: nought is in the interval, or there is none"),
    TOTAL("median_change", median_change, "", "over the jobs, each counts the same"),
    HC_OBJECT_OF("least", best_job, &extreme, "the job that gains most", .rules = HC_LINE),
    HC_OBJECT_OF("most", worst_job, &extreme, "the one that gains least", .rules = HC_LINE),
    TOTAL("gained_gpu_hours", gained_gpu_h, "GPU-hours", "sum over jobs whose GPUs are known"),
    TOTAL("change", change, "", "of these together: less what is gained over their GPU-hours"),
};
static const struct hc_record_def total = HC_RECORD(NULL, total_fields);

/* ---- fates and edits ---- */

HC_GIVES_TEXT(fate_of, hc_job_fate_key((int)at->index))
HC_GIVES(int64_t, fate_count, (int64_t)jobs_of(at)->n_of[at->index])
HC_GIVES(size_t, count_fates, HC_N_JOB_FATES)
HC_GIVES_ITEM(same, at->record)

static const struct hc_field fate_fields[] = {
    HC_TEXT_OF("fate", fate_of, "as of a job"),
    HC_INTEGER_OF("jobs", fate_count, "", "so many"),
};
static const struct hc_record_def fate = HC_RECORD(NULL, fate_fields);

HC_GIVES_TEXT(edit_of, jobs_of(at)->edit_name[at->index])
HC_GIVES(int64_t, empty_of, (int64_t)jobs_of(at)->n_empty[at->index])

static const struct hc_field edit_fields[] = {
    HC_TEXT_OF("edit", edit_of, "its name"),
    HC_INTEGER_OF("jobs_without_ops", empty_of, "", "answered jobs in which it selects nothing"),
};
static const struct hc_record_def edit = HC_RECORD(NULL, edit_fields);

static const struct hc_field input_fields[] = {
    HC_FIELD(struct hc_study_input, "path", path, "", "as given"),
    HC_FIELD(struct hc_study_input, "sha256", sha256, "", "of its bytes"),
};
static const struct hc_record_def input = HC_RECORD(NULL, input_fields);

/* ---- rows of CSV: every run of every job, and one of a job that was not answered ---- */

HC_GIVES(size_t, count_rows, jobs_of(at)->n_jobs *jobs_of(at)->n_runs)
HC_GIVES_ITEM(row_at, jobs_of(at)->job[i / jobs_of(at)->n_runs].run || i % jobs_of(at)->n_runs == 0
                          ? &jobs_of(at)->job[i / jobs_of(at)->n_runs]
                          : NULL)
HC_GIVES(size_t, run_index, at->index % jobs_of(at)->n_runs)

static const struct hc_replay_job_run *run_here(const struct hc_item *at)
{
    const struct hc_replay_job *here = at->record;
    return here->run ? &here->run[run_index(at)] : NULL;
}

HC_GIVES_TEXT(run_name_here, run_here(at) ? jobs_of(at)->run_name[run_index(at)] : NULL)

#define FIGURE_HERE(figure)                                                                        \
    HC_GIVES_ITEM(figure##_here, run_here(at) ? &run_here(at)->figure : NULL)
FIGURE_HERE(step_s)
FIGURE_HERE(change)
FIGURE_HERE(slowdown)
FIGURE_HERE(recovered)
FIGURE_HERE(gained_gpu_h)

#define CELLS_HERE(figure)                                                                         \
    HC_OBJECT_OF(#figure, figure##_here, &hc_study_interval_record, "as in JSON")
static const struct hc_field row_fields[] = {
    HC_SAME_PART(&known),     HC_TEXT_OF("run", run_name_here, "`base`, or the variant"),
    CELLS_HERE(step_s),       CELLS_HERE(change),
    CELLS_HERE(slowdown),     CELLS_HERE(recovered),
    CELLS_HERE(gained_gpu_h),
};
static const struct hc_record_def row = HC_RECORD(NULL, row_fields);

/* ---- all of it ---- */

HC_GIVES(bool, has_run_id, jobs_of(at)->run_id != NULL)

#define JOBS(...)      HC_FIELD(struct hc_replay_jobs, __VA_ARGS__)
#define JOBS_LIST(...) HC_LIST(struct hc_replay_jobs, __VA_ARGS__)
static const struct hc_field document_fields[] = {
    JOBS("run_id", run_id, "", "where it is one of several files", .has = has_run_id,
         .rules = HC_LEFT_OUT),
    JOBS("name", name, "", "of the scenario: file name without ending"),
    JOBS("question", question, "", "of the scenario"),
    JOBS("scenario", scenario, "", "complete, as JSON on one line"),
    JOBS_LIST("inputs", inputs, n_inputs, &input, "files of it that were read", .rules = HC_LINE),
    JOBS("confidence", confidence, "", "of the intervals, as the scenario says"),
    JOBS("archive", archive, "", "path"),
    JOBS("where", where, "", "the condition; null: every job"),
    JOBS("jobs_in_archive", n_in_archive, "", "that there are to choose from"),
    JOBS("jobs_chosen", n_jobs, "", "by the condition"),
    HC_MAP_OF("fates", count_fates, same, &fate, "jobs by what became of them"),
    JOBS("gpus_unknown", n_gpus_unknown, "", "answered jobs that count as jobs only"),
    JOBS("gpu_hours", gpu_h, "GPU-hours", "of the steps replayed of the others, untouched"),
    JOBS_LIST("totals", total, n_runs, &total, "over the jobs that were answered, by run"),
    HC_LIST_OF("edits", count_edits, same, &edit, "of the scenario", .rules = HC_LINE),
    JOBS_LIST("jobs", job, n_jobs, &job, "by cluster and id"),
    HC_LIST_OF("rows", count_rows, row_at, &row, "jobs by run", .rules = HC_ONLY_CSV),
};
const struct hc_record_def hc_replay_jobs_record = HC_RECORD(NULL, document_fields);

void hc_replay_jobs_write_json(const struct hc_replay_jobs *jobs, struct hc_json_writer *json)
{
    hc_record_members(json, &hc_replay_jobs_record, &(struct hc_item){.record = jobs});
}

#define INTERVAL(figure)                                                                           \
    "," figure "=" figure ".mean," figure "_low=" figure ".low," figure "_high=" figure ".high"

const struct hc_table_file hc_replay_jobs_tables[HC_REPLAY_JOBS_TABLES] = {
    {"jobs.csv",
     {"rows", "cluster,id,attempt,fate,detail,gpus,dp_size,stages,steps,discrepancy,untouched_s,"
              "untouched_slowdown,gpu_hours,run" INTERVAL("step_s") INTERVAL("change")
                  INTERVAL("slowdown") INTERVAL("recovered") INTERVAL("gained_gpu_h")}},
    {"totals.csv",
     {"totals", "run,jobs_faster,jobs_slower,jobs_open,median_change,least_change=least.change,"
                "least_cluster=least.cluster,least_id=least.id,most_change=most.change,"
                "most_cluster=most.cluster,most_id=most.id,gained_gpu_hours,change"}},
    {"edits.csv", {"edits", "edit,jobs_without_ops"}},
};

void hc_replay_jobs_write_csv(const struct hc_replay_jobs *jobs, FILE *stream)
{
    hc_record_csv_table(stream, &hc_replay_jobs_record, &hc_replay_jobs_tables[0].table,
                        &(struct hc_item){.record = jobs});
}

enum hc_status hc_replay_jobs_write_tables(struct hc_outset *set, const char *directory,
                                           const struct hc_replay_jobs *jobs, struct hc_error *err)
{
    const struct hc_table_files tables = {.def = &hc_replay_jobs_record,
                                          .report = jobs,
                                          .run_id = jobs->run_id,
                                          .files = hc_replay_jobs_tables,
                                          .n = HC_REPLAY_JOBS_TABLES};
    return hc_table_files_write(&tables, set, directory, err);
}
