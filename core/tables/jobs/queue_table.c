#include "core/tables/jobs/queue_table.h"

#include "core/tables/jobs/job_state.h"
#include "core/tables/nodes/record_rows.h"
#include "core/tables/nodes/time_basis.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct hc_column_def columns[HC_QUEUE_N_COLUMNS] = {
    [HC_QUEUE_TIME_NS] = {"time_ns", HC_I64, "ns", "when the queue was looked at", NULL},
    [HC_QUEUE_CLUSTER] = {"cluster", HC_I32, "", "cluster", "cluster"},
    [HC_QUEUE_JOB] = {"job", HC_I64, "", "number of the job that users know; missing: the look",
                      NULL},
    [HC_QUEUE_ARRAY_TASK] = {"array_task", HC_I32, "", "task of an array", NULL},
    [HC_QUEUE_HET_COMPONENT] = {"het_component", HC_I32, "", "component of a heterogeneous job",
                                NULL},
    [HC_QUEUE_PARTITION] = {"partition", HC_I32, "", "partition, or several", "partitions"},
    [HC_QUEUE_USER] = {"user", HC_I32, "", "user", "user"},
    [HC_QUEUE_ACCOUNT] = {"account", HC_I32, "", "account", "account"},
    [HC_QUEUE_STATE] = {"state", HC_I32, "", "how it stood", "job_state"},
    [HC_QUEUE_REASON] = {"reason", HC_I32, "", "why it waited, as written", "queue_reason"},
    [HC_QUEUE_WAITS_FOR] = {"waits_for", HC_I32, "", "what it waited for", "queue_wait"},
    [HC_QUEUE_NODES] = {"nodes", HC_I32, "", "nodes that it asked for or held", NULL},
    [HC_QUEUE_GPUS] = {"gpus", HC_I32, "", "GPUs that it asked for or held", NULL},
    [HC_QUEUE_SUBMIT_NS] = {"submit_ns", HC_I64, "ns", "when it was submitted", NULL},
    [HC_QUEUE_CLOCK] = {"clock", HC_I32, "", "how the time is known", "time_basis"},
    [HC_QUEUE_FACT] = {"fact", HC_I64, "", "hash of job, task and component", NULL},
    [HC_QUEUE_SOURCE] = {"source", HC_I32, "", "file that says so", "source"},
    [HC_QUEUE_LINE] = {"line", HC_I64, "", "line of that file", NULL},
};

const struct hc_table_def hc_queue_def = {"queue", HC_QUEUE_N_COLUMNS, columns, 1};

const struct hc_table_def *const hc_queue_tables[] = {&hc_queue_def, NULL};

static const char *const waits[HC_N_QUEUE_WAITS] = {
    [HC_WAITS_RESOURCES] = "resources",
    [HC_WAITS_PRIORITY] = "priority",
    [HC_WAITS_LIMIT] = "limit",
    [HC_WAITS_DEPENDENCY] = "dependency",
    [HC_WAITS_HELD] = "held",
    [HC_WAITS_TIME] = "time",
    [HC_WAITS_UNAVAILABLE] = "unavailable",
    [HC_WAITS_RESERVATION] = "reservation",
    [HC_WAITS_OTHER] = "other",
};

const char *hc_queue_wait_name(enum hc_queue_wait wait)
{
    return waits[wait];
}

enum hc_status hc_queue_names_init(struct hc_table_names *names, struct hc_error *err)
{
    static const char *const bases[HC_N_TIME_BASES] = HC_TIME_BASIS_NAMES;
    const char *states[HC_N_JOB_STATES];
    for (int i = 0; i < HC_N_JOB_STATES; i++)
        states[i] = hc_job_state_name((enum hc_job_state)i);
    if (hc_table_names_init(names, hc_queue_tables, err))
        return err->status;
    if (hc_record_fixed_names(names, "job_state", states, HC_N_JOB_STATES, err) ||
        hc_record_fixed_names(names, "queue_wait", waits, HC_N_QUEUE_WAITS, err) ||
        hc_record_fixed_names(names, "time_basis", bases, HC_N_TIME_BASES, err))
        hc_table_names_fini(names);
    return err->status;
}

int64_t hc_queue_fact(int64_t job, int32_t array_task, int32_t het_component)
{
    char text[64];
    if (job == HC_MISSING_I64)
        return 0;
    int n = snprintf(text, sizeof text, "%lld %d %d", (long long)job, array_task, het_component);
    return hc_record_fact(0, text, (size_t)n);
}

/* The reasons of Slurm's job_reason_string and the descriptions that its controller puts in their
 * place; what a reason begins with. Of those that begin alike, the longest first. */
static const struct {
    const char *begins;
    enum hc_queue_wait wait;
} reasons[] = {
    {"Resources", HC_WAITS_RESOURCES},
    {"Nodes required for job are DOWN", HC_WAITS_RESOURCES},
    {"Priority", HC_WAITS_PRIORITY},
    {"Assoc", HC_WAITS_LIMIT},
    {"QOSNotAllowed", HC_WAITS_OTHER},
    {"QOS", HC_WAITS_LIMIT},
    {"Max", HC_WAITS_LIMIT}, /* MaxGRESPerAccount and the like */
    {"JobArrayTaskLimit", HC_WAITS_LIMIT},
    {"Licenses", HC_WAITS_LIMIT},
    {"PartitionNodeLimit", HC_WAITS_LIMIT},
    {"PartitionTimeLimit", HC_WAITS_LIMIT},
    {"PartitionDown", HC_WAITS_UNAVAILABLE},
    {"PartitionInactive", HC_WAITS_UNAVAILABLE},
    {"ReqNodeNotAvail", HC_WAITS_UNAVAILABLE},
    {"NodeDown", HC_WAITS_UNAVAILABLE},
    {"FrontEndDown", HC_WAITS_UNAVAILABLE},
    {"DependencyNeverSatisfied", HC_WAITS_DEPENDENCY},
    {"Dependency", HC_WAITS_DEPENDENCY},
    {"JobHeld", HC_WAITS_HELD},
    {"job requeued in held state", HC_WAITS_HELD},
    {"launch failed requeued held", HC_WAITS_HELD},
    {"JobHoldMaxRequeue", HC_WAITS_HELD},
    {"BeginTime", HC_WAITS_TIME},
    {"Reservation", HC_WAITS_RESERVATION},
    {"RESERVATION", HC_WAITS_RESERVATION},
};

int hc_queue_wait_of(const char *reason, size_t length)
{
    static const char *const nothing[] = {"None", "(null)", "N/A", "Unknown"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (length == strlen(nothing[i]) && strncasecmp(reason, nothing[i], length) == 0)
            return -1;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        size_t n = strlen(reasons[i].begins);
        if (length >= n && strncasecmp(reason, reasons[i].begins, n) == 0)
            return (int)reasons[i].wait;
    }
    return length ? HC_WAITS_OTHER : -1;
}

bool hc_queue_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                       size_t row_b)
{
    return hc_table_i32(a, HC_QUEUE_STATE)[row_a] > hc_table_i32(b, HC_QUEUE_STATE)[row_b];
}
