#include "pipeline/synth/cluster/cluster_text.h"
#include "pipeline/synth/cluster/cluster_writers.h"

#include <inttypes.h>
#include <stddef.h>

#define CPUS_A_GPU 16
#define FIRST_UID  5000

struct record {
    FILE *stream;
    const struct hc_cluster *cluster;
    const struct hc_cluster_sacct_form *form;
    const struct hc_cluster_attempt *attempt;
};

typedef void put(const struct record *record);

static int32_t n_cpus(const struct record *r)
{
    return r->attempt->gpus ? r->attempt->gpus * CPUS_A_GPU : CPUS_A_GPU;
}

static bool has_begun(const struct record *r)
{
    return r->attempt->start_s != HC_CLUSTER_NO_TIME_S;
}

static void put_time(const struct record *r, int64_t time_s)
{
    if (time_s == HC_CLUSTER_NO_TIME_S)
        fputs("Unknown", r->stream);
    else if (r->form->in_seconds)
        fprintf(r->stream, "%" PRId64, time_s);
    else
        hc_cluster_put_time(r->stream, r->form->zone, time_s, 'T');
}

static void put_job(const struct record *r)
{
    fprintf(r->stream, "%" PRId64, r->attempt->job);
    if (r->attempt->array_task != HC_CLUSTER_NONE)
        fprintf(r->stream, "_%d", r->attempt->array_task);
}
static void put_raw_job(const struct record *r)
{
    fprintf(r->stream, "%" PRId64, r->attempt->raw_job);
}
static void put_cluster(const struct record *r)
{
    fputs(HC_CLUSTER_NAME, r->stream);
}
static void put_partition(const struct record *r)
{
    fputs(r->attempt->gpus >= HC_CLUSTER_GPUS ? "train" : "shared", r->stream);
}
static void put_qos(const struct record *r)
{
    fputs("normal", r->stream);
}
static void put_account(const struct record *r)
{
    fprintf(r->stream, "lab%d", r->attempt->user % 5 + 1);
}
static void put_user(const struct record *r)
{
    fprintf(r->stream, "user%02d", r->attempt->user + 1);
}
static void put_uid(const struct record *r)
{
    fprintf(r->stream, "%d", FIRST_UID + r->attempt->user);
}
static void put_submit(const struct record *r)
{
    put_time(r, r->attempt->submit_s);
}
static void put_eligible(const struct record *r)
{
    put_time(r, r->attempt->eligible_s);
}
static void put_start(const struct record *r)
{
    put_time(r, r->attempt->start_s);
}
static void put_end(const struct record *r)
{
    put_time(r, r->attempt->end_s);
}
static int64_t elapsed_s(const struct record *r)
{
    int64_t end_s = r->attempt->end_s;
    if (!has_begun(r))
        return 0;
    return (end_s == HC_CLUSTER_NO_TIME_S ? r->cluster->end_s : end_s) - r->attempt->start_s;
}
static void put_span(FILE *stream, int64_t span_s)
{
    if (span_s >= 86400)
        fprintf(stream, "%" PRId64 "-", span_s / 86400);
    fprintf(stream, "%02d:%02d:%02d", (int)(span_s / 3600 % 24), (int)(span_s / 60 % 60),
            (int)(span_s % 60));
}
static void put_elapsed(const struct record *r)
{
    put_span(r->stream, elapsed_s(r));
}
static void put_elapsed_raw(const struct record *r)
{
    fprintf(r->stream, "%" PRId64, elapsed_s(r));
}
static void put_exit_code(const struct record *r)
{
    enum hc_cluster_end end = r->attempt->end;
    fputs(end == HC_CLUSTER_FAILED          ? "1:0"
          : end == HC_CLUSTER_OUT_OF_MEMORY ? "0:125"
          : end == HC_CLUSTER_CANCELLED     ? "0:15"
                                            : "0:0",
          r->stream);
}
static void put_state(const struct record *r)
{
    fputs(hc_cluster_state(r->attempt), r->stream);
    if (r->attempt->end == HC_CLUSTER_CANCELLED)
        fprintf(r->stream, " by %d", FIRST_UID + r->attempt->user);
}
static void put_n_nodes(const struct record *r)
{
    fprintf(r->stream, "%d", r->attempt->n_nodes);
}
static void put_n_cpus(const struct record *r)
{
    fprintf(r->stream, "%d", n_cpus(r));
}
static void put_memory(const struct record *r)
{
    fprintf(r->stream, "%dG", 128 * (r->attempt->gpus ? r->attempt->gpus : 1));
}
static void put_tres(const struct record *r, bool with_type)
{
    fprintf(r->stream, "billing=%d,cpu=%d,", n_cpus(r), n_cpus(r));
    if (r->attempt->gpus && with_type)
        fprintf(r->stream, "gres/gpu:h100=%d,", r->attempt->gpus);
    if (r->attempt->gpus)
        fprintf(r->stream, "gres/gpu=%d,", r->attempt->gpus);
    fputs("mem=", r->stream);
    put_memory(r);
    fprintf(r->stream, ",node=%d", r->attempt->n_nodes);
}
static void put_requested(const struct record *r)
{
    put_tres(r, false);
}
static void put_allocated(const struct record *r)
{
    if (has_begun(r))
        put_tres(r, true);
}
static void put_limit(const struct record *r)
{
    put_span(r->stream, r->attempt->limit_s);
}
static void put_nodes(const struct record *r)
{
    if (has_begun(r))
        hc_cluster_put_nodes(r->stream, r->cluster, r->attempt);
    else
        fputs("None assigned", r->stream);
}
static void put_restarts(const struct record *r)
{
    fprintf(r->stream, "%d", r->attempt->restarts);
}
static void put_reason(const struct record *r)
{
    fputs(r->attempt->end == HC_CLUSTER_PENDING ? "Resources" : "None", r->stream);
}
static void put_work_dir(const struct record *r)
{
    fprintf(r->stream, "/work/user%02d/", r->attempt->user + 1);
    hc_cluster_put_run(r->stream, r->attempt);
}
static void put_stdout(const struct record *r)
{
    put_work_dir(r);
    fputs("/%j.out", r->stream);
}
static void put_name(const struct record *r)
{
    hc_cluster_put_run(r->stream, r->attempt);
}

static const struct column {
    const char *name;
    put *put;
} full[] = {
    {"JobID", put_job},
    {"JobIDRaw", put_raw_job},
    {"Cluster", put_cluster},
    {"Partition", put_partition},
    {"QOS", put_qos},
    {"Account", put_account},
    {"User", put_user},
    {"UID", put_uid},
    {"Submit", put_submit},
    {"Eligible", put_eligible},
    {"Start", put_start},
    {"End", put_end},
    {"ElapsedRaw", put_elapsed_raw},
    {"ExitCode", put_exit_code},
    {"State", put_state},
    {"NNodes", put_n_nodes},
    {"NCPUS", put_n_cpus},
    {"ReqTRES", put_requested},
    {"AllocTRES", put_allocated},
    {"Timelimit", put_limit},
    {"NodeList", put_nodes},
    {"Restarts", put_restarts},
    {"Reason", put_reason},
    {"WorkDir", put_work_dir},
    {"StdOut", put_stdout},
    {"JobName", put_name},
};

static const struct column xdmod[] = {
    {"jobid", put_job},
    {"jobidraw", put_raw_job},
    {"cluster", put_cluster},
    {"partition", put_partition},
    {"qos", put_qos},
    {"account", put_account},
    {"group", put_account},
    {"gid", put_uid},
    {"user", put_user},
    {"uid", put_uid},
    {"submit", put_submit},
    {"eligible", put_eligible},
    {"start", put_start},
    {"end", put_end},
    {"elapsed", put_elapsed},
    {"exitcode", put_exit_code},
    {"state", put_state},
    {"nnodes", put_n_nodes},
    {"ncpus", put_n_cpus},
    {"reqcpus", put_n_cpus},
    {"reqmem", put_memory},
    {"reqtres", put_requested},
    {"alloctres", put_allocated},
    {"timelimit", put_limit},
    {"nodelist", put_nodes},
    {"jobname", put_name},
};

void hc_cluster_write_sacct(FILE *stream, const struct hc_cluster *cluster,
                            const struct hc_cluster_sacct_form *form)
{
    struct record record = {.stream = stream, .cluster = cluster, .form = form};
    const struct column *columns = form->is_xdmod ? xdmod : full;
    size_t n = form->is_xdmod ? sizeof xdmod / sizeof *xdmod : sizeof full / sizeof *full;
    const char *between = form->delimiter ? form->delimiter : "|";
    const char *end = form->ends_with_delimiter ? between : "";
    for (size_t c = 0; c < n && !form->is_xdmod; c++)
        fprintf(stream, "%s%s%s", c ? between : "", columns[c].name, c + 1 == n ? end : "");
    if (!form->is_xdmod)
        fputc('\n', stream);
    for (size_t i = 0; i < cluster->n_attempts; i++) {
        record.attempt = &cluster->attempts[i];
        for (size_t c = 0; c < n; c++) {
            if (c)
                fputs(between, stream);
            columns[c].put(&record);
        }
        fprintf(stream, "%s\n", end);
    }
}
