#include "parsers/jobs/sacct_columns.h"

#include "core/base/missing.h"
#include "core/base/printable.h"
#include "parsers/jobs/sacct_plain.h"

#include <string.h>
#include <strings.h>

#define NS_PER_S ((int64_t)1000000000)

/* ---- how a column is read ---- */

static void bad_value(struct hc_job_builder *builder, const struct hc_sacct_column *column,
                      struct hc_span text, const char *what)
{
    hc_job_bad(builder, HC_BAD_NUMBER, "'%s' is '%s', not %s", column->name,
               hc_printable(text.text, text.length).text, what);
}

static enum hc_status put_text(struct hc_job_builder *builder, const struct hc_sacct_column *column,
                               struct hc_span text, struct hc_error *err)
{
    return hc_job_put_text(builder, column->column, text, err);
}

/* Slurm writes "None assigned" for a list of nodes, "None" for a reason. */
static enum hc_status put_text_or_none(struct hc_job_builder *builder,
                                       const struct hc_sacct_column *column, struct hc_span text,
                                       struct hc_error *err)
{
    if (text.length >= 4 && memcmp(text.text, "None", 4) == 0)
        return HC_OK;
    return hc_job_put_text(builder, column->column, text, err);
}

static enum hc_status put_node_list(struct hc_job_builder *builder,
                                    const struct hc_sacct_column *column, struct hc_span text,
                                    struct hc_error *err)
{
    (void)column;
    if (text.length >= 4 && memcmp(text.text, "None", 4) == 0)
        return HC_OK;
    return hc_job_put_node_list(builder, text, err);
}

static enum hc_status put_time(struct hc_job_builder *builder, const struct hc_sacct_column *column,
                               struct hc_span text, struct hc_error *err)
{
    (void)err;
    hc_job_put_time(builder, column->column, text);
    return HC_OK;
}

static enum hc_status put_duration(struct hc_job_builder *builder,
                                   const struct hc_sacct_column *column, struct hc_span text,
                                   struct hc_error *err)
{
    int64_t duration_ns;
    (void)err;
    enum hc_slurm_text what = hc_slurm_duration(text, &duration_ns);
    if (what == HC_SLURM_WRONG)
        bad_value(builder, column, text, "a duration");
    else if (what == HC_SLURM_VALUE)
        hc_job_put_i64(builder, column->column, duration_ns);
    return HC_OK;
}

static enum hc_status put_whole(struct hc_job_builder *builder,
                                const struct hc_sacct_column *column, struct hc_span text,
                                int64_t unit)
{
    int64_t value;
    enum hc_slurm_text what = hc_slurm_count(text, &value);
    if (what == HC_SLURM_WRONG || (what == HC_SLURM_VALUE && value > INT64_MAX / unit / 2))
        bad_value(builder, column, text, "a whole number");
    else if (what == HC_SLURM_VALUE)
        hc_job_put_i64(builder, column->column, value * unit);
    return HC_OK;
}

static enum hc_status put_count(struct hc_job_builder *builder,
                                const struct hc_sacct_column *column, struct hc_span text,
                                struct hc_error *err)
{
    (void)err;
    return put_whole(builder, column, text, 1);
}

static enum hc_status put_seconds(struct hc_job_builder *builder,
                                  const struct hc_sacct_column *column, struct hc_span text,
                                  struct hc_error *err)
{
    (void)err;
    return put_whole(builder, column, text, NS_PER_S);
}

/* Of a limit in minutes also words stand for none. */
static enum hc_status put_minutes(struct hc_job_builder *builder,
                                  const struct hc_sacct_column *column, struct hc_span text,
                                  struct hc_error *err)
{
    (void)err;
    if (text.length && (text.text[0] < '0' || text.text[0] > '9'))
        return put_duration(builder, column, text, err);
    return put_whole(builder, column, text, 60 * NS_PER_S);
}

static enum hc_status put_job_id(struct hc_job_builder *builder,
                                 const struct hc_sacct_column *column, struct hc_span text,
                                 struct hc_error *err)
{
    struct hc_slurm_job_id id;
    (void)err;
    if (hc_slurm_job_id(text, &id) != HC_SLURM_VALUE) {
        bad_value(builder, column, text, "the number of a job");
        return HC_OK;
    }
    if (column->column == HC_JOBS_RAW_JOB) {
        hc_job_put_i64(builder, HC_JOBS_RAW_JOB, id.job);
        return HC_OK;
    }
    hc_job_put_i64(builder, HC_JOBS_JOB, id.job);
    if (id.array_task != HC_MISSING_I32)
        hc_job_put_i64(builder, HC_JOBS_ARRAY_TASK, id.array_task);
    if (id.het_component != HC_MISSING_I32)
        hc_job_put_i64(builder, HC_JOBS_HET_COMPONENT, id.het_component);
    return HC_OK;
}

static enum hc_status put_state(struct hc_job_builder *builder,
                                const struct hc_sacct_column *column, struct hc_span text,
                                struct hc_error *err)
{
    int state;
    int64_t by;
    (void)err;
    enum hc_slurm_text what = hc_slurm_state(text, &state, &by);
    if (what == HC_SLURM_WRONG)
        bad_value(builder, column, text, "a state of a job");
    if (what != HC_SLURM_VALUE)
        return HC_OK;
    hc_job_put_i64(builder, HC_JOBS_STATE, state);
    if (by != HC_MISSING_I64)
        hc_job_put_i64(builder, HC_JOBS_CANCELLED_BY, by);
    return HC_OK;
}

static enum hc_status put_exit_code(struct hc_job_builder *builder,
                                    const struct hc_sacct_column *column, struct hc_span text,
                                    struct hc_error *err)
{
    int32_t code, signal;
    (void)err;
    enum hc_slurm_text what = hc_slurm_exit_code(text, &code, &signal);
    if (what == HC_SLURM_WRONG)
        bad_value(builder, column, text, "an exit code and a signal");
    if (what != HC_SLURM_VALUE)
        return HC_OK;
    hc_job_put_i64(builder, HC_JOBS_EXIT_CODE, code);
    hc_job_put_i64(builder, HC_JOBS_EXIT_SIGNAL, signal);
    return HC_OK;
}

static enum hc_status put_gpus(struct hc_job_builder *builder, const struct hc_sacct_column *column,
                               struct hc_span text, struct hc_error *err)
{
    const struct hc_slurm_gpus *gpus;
    enum hc_slurm_text what = hc_gpus_memo_read(&builder->gpus, text, &gpus);
    if (what == HC_SLURM_WRONG)
        bad_value(builder, column, text, "a list of resources");
    /* Both AllocGRES and AllocTRES may be there: the latter counts, but for a site that keeps no
     * account of GPUs by it. */
    int32_t known = hc_table_i32(builder->rows, column->column)[builder->row];
    if (what != HC_SLURM_VALUE || (known > 0 && (hc_sacct_column_is_gres(column) || gpus->n == 0)))
        return HC_OK;
    hc_job_put_i64(builder, column->column, gpus->n);
    if (column->column != HC_JOBS_GPUS || !gpus->type.length)
        return HC_OK;
    return hc_job_put_text(builder, HC_JOBS_GPU_TYPE, gpus->type, err);
}

/* ---- the columns ---- */

static const struct hc_sacct_column columns[] = {
    {"JobID", put_job_id, hc_sacct_plain_job_id, HC_JOBS_JOB, false},
    {"JobIDRaw", put_job_id, hc_sacct_plain_job_id, HC_JOBS_RAW_JOB, false},
    {"Cluster", put_text, hc_sacct_plain_text, HC_JOBS_CLUSTER, false},
    {"Partition", put_text, hc_sacct_plain_text, HC_JOBS_PARTITION, false},
    {"QOS", put_text, hc_sacct_plain_text, HC_JOBS_QOS, false},
    {"Account", put_text, hc_sacct_plain_text, HC_JOBS_ACCOUNT, false},
    {"User", put_text, hc_sacct_plain_text, HC_JOBS_USER, false},
    {"JobName", put_text, hc_sacct_plain_text, HC_JOBS_NAME, true},
    {"State", put_state, hc_sacct_plain_state, HC_JOBS_STATE, false},
    {"ExitCode", put_exit_code, hc_sacct_plain_exit_code, HC_JOBS_EXIT_CODE, false},
    {"Reason", put_text_or_none, hc_sacct_plain_text_or_none, HC_JOBS_REASON, false},
    {"Submit", put_time, hc_sacct_plain_time, HC_JOBS_SUBMIT_NS, false},
    {"Eligible", put_time, hc_sacct_plain_time, HC_JOBS_ELIGIBLE_NS, false},
    {"Start", put_time, hc_sacct_plain_time, HC_JOBS_START_NS, false},
    {"End", put_time, hc_sacct_plain_time, HC_JOBS_END_NS, false},
    {"Elapsed", put_duration, hc_sacct_plain_duration, HC_JOBS_ELAPSED_NS, false},
    {"ElapsedRaw", put_seconds, hc_sacct_plain_seconds, HC_JOBS_ELAPSED_NS, false},
    {"Suspended", put_duration, hc_sacct_plain_duration, HC_JOBS_SUSPENDED_NS, false},
    {"Timelimit", put_duration, hc_sacct_plain_duration, HC_JOBS_TIME_LIMIT_NS, false},
    {"TimelimitRaw", put_minutes, hc_sacct_plain_minutes, HC_JOBS_TIME_LIMIT_NS, false},
    {"NNodes", put_count, hc_sacct_plain_count, HC_JOBS_NODES, false},
    {"AllocNodes", put_count, hc_sacct_plain_count, HC_JOBS_NODES, false},
    {"NCPUS", put_count, hc_sacct_plain_count, HC_JOBS_CPUS, false},
    {"AllocCPUS", put_count, hc_sacct_plain_count, HC_JOBS_CPUS, false},
    {"AllocTRES", put_gpus, hc_sacct_plain_gpus, HC_JOBS_GPUS, false},
    {"AllocGRES", put_gpus, hc_sacct_plain_gpus, HC_JOBS_GPUS, false},
    {"ReqTRES", put_gpus, hc_sacct_plain_gpus, HC_JOBS_REQUESTED_GPUS, false},
    {"ReqGRES", put_gpus, hc_sacct_plain_gpus, HC_JOBS_REQUESTED_GPUS, false},
    {"NodeList", put_node_list, hc_sacct_plain_node_list, HC_JOBS_NODE_LIST, false},
    {"FailedNode", put_text_or_none, hc_sacct_plain_text_or_none, HC_JOBS_FAILED_NODE, false},
    {"Reservation", put_text, hc_sacct_plain_text, HC_JOBS_RESERVATION, false},
    {"WorkDir", put_text, hc_sacct_plain_text, HC_JOBS_WORK_DIR, true},
    {"StdOut", put_text, hc_sacct_plain_text, HC_JOBS_STDOUT, true},
    {"StdErr", put_text, hc_sacct_plain_text, HC_JOBS_STDERR, true},
    {"Comment", put_text, hc_sacct_plain_text, HC_JOBS_COMMENT, true},
    {"Restarts", put_count, hc_sacct_plain_count, HC_JOBS_RESTARTS, false},
    {"DBIndex", put_count, hc_sacct_plain_count, HC_JOBS_RECORD, false},
};

/* Others that sacct has, by which a header is known. */
static const char *const others[] = {
    "AdminComment",   "AllocNodes",    "AssocID",
    "AveCPU",         "AveRSS",        "BlockID",
    "Constraints",    "Container",     "ConsumedEnergy",
    "CPUTime",        "CPUTimeRAW",    "DerivedExitCode",
    "Extra",          "Flags",         "GID",
    "Group",          "Layout",        "Licenses",
    "MaxRSS",         "MaxVMSize",     "McsLabel",
    "MinCPU",         "NTasks",        "Planned",
    "Priority",       "QOSRAW",        "QOSREQ",
    "ReqCPUS",        "ReqMem",        "ReqNodes",
    "ReservationId",  "Reserved",      "SLUID",
    "SubmitLine",     "SystemComment", "SystemCPU",
    "TotalCPU",       "UID",           "UserCPU",
    "WCKey",          "WCKeyID",       "StdIn",
    "AveCPUFreq",     "AveDiskRead",   "AveDiskWrite",
    "AvePages",       "AveVMSize",     "ConsumedEnergyRaw",
    "MaxDiskRead",    "MaxPages",      "PlannedCPU",
    "PlannedCPURAW",  "ReqCPUFreq",    "ResvCPU",
    "ResvCPURAW",     "Segment",       "TRESUsageInTot",
    "TRESUsageInMax",
};

static bool is_name(struct hc_span text, const char *name)
{
    return strlen(name) == text.length && strncasecmp(name, text.text, text.length) == 0;
}

const struct hc_sacct_column *hc_sacct_column_find(struct hc_span name)
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (is_name(name, columns[i].name))
            return &columns[i];
    return NULL;
}

/* Others that hold what users write. */
static const char *const other_texts[] = {"AdminComment", "Extra", "SubmitLine", "SystemComment",
                                          "Container",    "StdIn", "Constraints"};

bool hc_sacct_column_is_text(struct hc_span name)
{
    const struct hc_sacct_column *column = hc_sacct_column_find(name);
    for (size_t i = 0; !column && i < sizeof other_texts / sizeof *other_texts; i++)
        if (is_name(name, other_texts[i]))
            return true;
    return column && column->is_text;
}

bool hc_sacct_column_fits(const struct hc_sacct_column *column, struct hc_span text)
{
    struct hc_date_cache dates = {0};
    struct hc_slurm_job_id id;
    int64_t value;
    int32_t code, signal;
    bool is_local;
    int state;
    if (!column)
        return true;
    if (column->put == put_time)
        return hc_slurm_time(&dates, text, &value, &is_local) != HC_SLURM_WRONG;
    if (column->put == put_duration)
        return hc_slurm_duration(text, &value) != HC_SLURM_WRONG;
    if (column->put == put_count || column->put == put_seconds)
        return hc_slurm_count(text, &value) != HC_SLURM_WRONG;
    if (column->put == put_job_id)
        return hc_slurm_job_id(text, &id) == HC_SLURM_VALUE;
    if (column->put == put_state)
        return hc_slurm_state(text, &state, &value) != HC_SLURM_WRONG;
    if (column->put == put_exit_code)
        return hc_slurm_exit_code(text, &code, &signal) != HC_SLURM_WRONG;
    if (column->put == put_gpus)
        return text.length == 0 || memchr(text.text, '=', text.length) ||
               memchr(text.text, ':', text.length);
    return true;
}

bool hc_sacct_column_is_known(struct hc_span name)
{
    if (hc_sacct_column_find(name))
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is_name(name, others[i]))
            return true;
    return false;
}
