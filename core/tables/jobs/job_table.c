#include "core/tables/jobs/job_table.h"

#include <string.h>

static const char *const dictionaries[HC_N_JOB_DICTIONARIES] = {
    [HC_JOB_NAMES_CLUSTER] = "cluster",   [HC_JOB_NAMES_PARTITION] = "partition",
    [HC_JOB_NAMES_QOS] = "qos",           [HC_JOB_NAMES_ACCOUNT] = "account",
    [HC_JOB_NAMES_USER] = "user",         [HC_JOB_NAMES_NAME] = "job_name",
    [HC_JOB_NAMES_STATE] = "job_state",   [HC_JOB_NAMES_REASON] = "job_reason",
    [HC_JOB_NAMES_GPU_TYPE] = "gpu_type", [HC_JOB_NAMES_NODE_LIST] = "node_list",
    [HC_JOB_NAMES_NODE] = "failed_node",  [HC_JOB_NAMES_RESERVATION] = "reservation",
    [HC_JOB_NAMES_PATH] = "path",         [HC_JOB_NAMES_COMMENT] = "comment",
    [HC_JOB_NAMES_SOURCE] = "source",
};

static const struct hc_column_def jobs_columns[HC_JOBS_N_COLUMNS] = {
    [HC_JOBS_JOB] = {"job", HC_I64, "", "number that users know", NULL},
    [HC_JOBS_RAW_JOB] = {"raw_job", HC_I64, "", "number of this allocation", NULL},
    [HC_JOBS_ARRAY_TASK] = {"array_task", HC_I32, "", "task of an array", NULL},
    [HC_JOBS_HET_COMPONENT] = {"het_component", HC_I32, "", "component of a heterogeneous job",
                               NULL},
    [HC_JOBS_RESTARTS] = {"restarts", HC_I32, "", "times it was requeued before", NULL},
    [HC_JOBS_RECORD] = {"record", HC_I64, "", "number of the record in the database", NULL},
    [HC_JOBS_CLUSTER] = {"cluster", HC_I32, "", "cluster", "cluster"},
    [HC_JOBS_PARTITION] = {"partition", HC_I32, "", "partition", "partition"},
    [HC_JOBS_QOS] = {"qos", HC_I32, "", "quality of service", "qos"},
    [HC_JOBS_ACCOUNT] = {"account", HC_I32, "", "account that is charged", "account"},
    [HC_JOBS_USER] = {"user", HC_I32, "", "user", "user"},
    [HC_JOBS_NAME] = {"name", HC_I32, "", "name of the job", "job_name"},
    [HC_JOBS_STATE] = {"state", HC_I32, "", "how it stands or ended", "job_state"},
    [HC_JOBS_EXIT_CODE] = {"exit_code", HC_I32, "", "exit code of the job script", NULL},
    [HC_JOBS_EXIT_SIGNAL] = {"exit_signal", HC_I32, "", "signal that ended it; 0: none", NULL},
    [HC_JOBS_CANCELLED_BY] = {"cancelled_by", HC_I64, "", "uid of who cancelled it", NULL},
    [HC_JOBS_REASON] = {"reason", HC_I32, "", "why it waited or ended", "job_reason"},
    [HC_JOBS_SUBMIT_NS] = {"submit_ns", HC_I64, "ns", "when it was submitted", NULL},
    [HC_JOBS_ELIGIBLE_NS] = {"eligible_ns", HC_I64, "ns", "since when it could start", NULL},
    [HC_JOBS_START_NS] = {"start_ns", HC_I64, "ns", "when it was given its nodes", NULL},
    [HC_JOBS_END_NS] = {"end_ns", HC_I64, "ns", "when it gave them back", NULL},
    [HC_JOBS_ELAPSED_NS] = {"elapsed_ns", HC_I64, "ns", "for how long it had run", NULL},
    [HC_JOBS_SUSPENDED_NS] = {"suspended_ns", HC_I64, "ns", "for how long it was suspended", NULL},
    [HC_JOBS_TIME_LIMIT_NS] = {"time_limit_ns", HC_I64, "ns", "for how long it might run", NULL},
    [HC_JOBS_NODES] = {"nodes", HC_I32, "", "nodes", NULL},
    [HC_JOBS_CPUS] = {"cpus", HC_I32, "", "CPUs", NULL},
    [HC_JOBS_GPUS] = {"gpus", HC_I32, "", "GPUs that it held", NULL},
    [HC_JOBS_GPU_TYPE] = {"gpu_type", HC_I32, "", "type of its GPUs", "gpu_type"},
    [HC_JOBS_REQUESTED_GPUS] = {"requested_gpus", HC_I32, "", "GPUs that it asked for", NULL},
    [HC_JOBS_NODE_LIST] = {"node_list", HC_I32, "", "its nodes, as written", "node_list"},
    [HC_JOBS_FAILED_NODE] = {"failed_node", HC_I32, "", "node whose failure ended it",
                             "failed_node"},
    [HC_JOBS_RESERVATION] = {"reservation", HC_I32, "", "reservation", "reservation"},
    [HC_JOBS_WORK_DIR] = {"work_dir", HC_I32, "", "working directory", "path"},
    [HC_JOBS_STDOUT] = {"stdout", HC_I32, "", "file of its standard output", "path"},
    [HC_JOBS_STDERR] = {"stderr", HC_I32, "", "file of its standard error", "path"},
    [HC_JOBS_COMMENT] = {"comment", HC_I32, "", "comment", "comment"},
    [HC_JOBS_SOURCE] = {"source", HC_I32, "", "file that says so", "source"},
    [HC_JOBS_LINE] = {"line", HC_I64, "", "line of that file", NULL},
};

const struct hc_table_def hc_jobs_def = {"jobs", HC_JOBS_N_COLUMNS, jobs_columns, 1};

const struct hc_table_def *const hc_job_tables[] = {&hc_jobs_def, NULL};

int hc_job_column_dictionary(enum hc_jobs_column column)
{
    const char *name = jobs_columns[column].dictionary;
    for (int i = 0; name && i < HC_N_JOB_DICTIONARIES; i++)
        if (strcmp(name, dictionaries[i]) == 0)
            return i;
    return -1;
}

enum hc_status hc_job_names_init(struct hc_table_names *names, struct hc_error *err)
{
    enum hc_status status = hc_table_names_init(names, hc_job_tables, err);
    for (int i = 0; i < HC_N_JOB_STATES && !status; i++) {
        const char *name = hc_job_state_name((enum hc_job_state)i);
        int32_t code;
        status = hc_text_set_add(&names->set[HC_JOB_NAMES_STATE], name, strlen(name), &code, err);
    }
    if (status)
        hc_table_names_fini(names);
    return status;
}

static bool has_ended(const struct hc_table *jobs, size_t row)
{
    int32_t state = hc_table_i32(jobs, HC_JOBS_STATE)[row];
    return state != HC_MISSING_I32 && hc_job_state_is_end((enum hc_job_state)state);
}

bool hc_job_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b, size_t row_b)
{
    static const enum hc_jobs_column times[] = {HC_JOBS_END_NS, HC_JOBS_ELAPSED_NS,
                                                HC_JOBS_START_NS};
    bool of_a = has_ended(a, row_a), of_b = has_ended(b, row_b);
    if (of_a != of_b)
        return of_a;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        int64_t x = hc_table_i64(a, times[i])[row_a], y = hc_table_i64(b, times[i])[row_b];
        if (x != y)
            return x > y;
    }
    return false;
}

size_t hc_jobs_add(struct hc_table *jobs, size_t n)
{
    size_t first = jobs->n_rows;
    jobs->n_rows += n;
    for (size_t c = 0; c < HC_JOBS_N_COLUMNS; c++)
        if (jobs_columns[c].type == HC_I32)
            for (size_t row = first; row < first + n; row++)
                hc_table_i32(jobs, c)[row] = HC_MISSING_I32;
        else
            for (size_t row = first; row < first + n; row++)
                hc_table_i64(jobs, c)[row] = HC_MISSING_I64;
    return first;
}

int64_t hc_jobs_raw_job(const struct hc_table *jobs, size_t row)
{
    int64_t raw_job = hc_table_i64(jobs, HC_JOBS_RAW_JOB)[row];
    bool is_plain = hc_table_i32(jobs, HC_JOBS_ARRAY_TASK)[row] == HC_MISSING_I32 &&
                    hc_table_i32(jobs, HC_JOBS_HET_COMPONENT)[row] == HC_MISSING_I32;
    return raw_job == HC_MISSING_I64 && is_plain ? hc_table_i64(jobs, HC_JOBS_JOB)[row] : raw_job;
}

int64_t hc_jobs_held_gpu_ns(const struct hc_table *jobs, size_t row)
{
    int64_t elapsed_ns = hc_table_i64(jobs, HC_JOBS_ELAPSED_NS)[row], held_ns;
    int64_t suspended_ns = hc_table_i64(jobs, HC_JOBS_SUSPENDED_NS)[row];
    int32_t gpus = hc_table_i32(jobs, HC_JOBS_GPUS)[row];
    if (elapsed_ns == HC_MISSING_I64 || gpus == HC_MISSING_I32 ||
        __builtin_add_overflow(elapsed_ns, suspended_ns == HC_MISSING_I64 ? 0 : suspended_ns,
                               &held_ns) ||
        __builtin_mul_overflow(held_ns, gpus, &held_ns))
        return 0;
    return held_ns;
}
