#include "pipeline/synth/cluster/cluster_writers.h"

#include "core/base/memory.h"
#include "pipeline/synth/cluster/cluster_text.h"

#include <inttypes.h>
#include <stdlib.h>

#define CPUS_A_GPU    16
#define MOST_SEQUENCE 1000000 /* numbers of the jobs of one run of YARN are below it */

static bool has(int64_t time_s)
{
    return time_s != HC_CLUSTER_NO_TIME_S;
}

static int64_t elapsed_s(const struct hc_cluster *cluster, const struct hc_cluster_attempt *a)
{
    if (!has(a->start_s))
        return 0;
    return (has(a->end_s) ? a->end_s : cluster->end_s) - a->start_s;
}

static bool is_large(const struct hc_cluster_attempt *a)
{
    return a->gpus >= HC_CLUSTER_GPUS;
}

/* ---- SWF ---- */

static int swf_status(const struct hc_cluster_attempt *a)
{
    switch (a->end) {
    case HC_CLUSTER_PENDING:
    case HC_CLUSTER_RUNNING:
        return -1;
    case HC_CLUSTER_COMPLETED:
        return 1;
    case HC_CLUSTER_CANCELLED:
        return 5;
    default:
        return 0;
    }
}

void hc_cluster_write_swf(FILE *stream, const struct hc_cluster *cluster)
{
    fprintf(stream,
            "; Version: 2.2\n; Computer: " HC_CLUSTER_NAME "\n; UnixStartTime: %" PRId64
            "\n; MaxRecords: %zu\n; Partition: 1 train\n; Partition: 2 shared\n",
            cluster->options.start_s, cluster->n_attempts);
    for (size_t i = 0; i < cluster->n_attempts; i++) {
        const struct hc_cluster_attempt *a = &cluster->attempts[i];
        int64_t wait_s = has(a->start_s) ? a->start_s - a->submit_s : -1;
        int64_t run_s = has(a->start_s) ? elapsed_s(cluster, a) : -1;
        int32_t cpus = a->gpus ? a->gpus * CPUS_A_GPU : CPUS_A_GPU;
        fprintf(stream,
                "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %d -1 -1 %d %" PRId64
                " -1 %d %d %d -1 -1 %d -1 -1\n",
                a->raw_job, a->submit_s - cluster->options.start_s, wait_s, run_s, cpus, cpus,
                a->limit_s, swf_status(a), a->user + 1, a->user % 5 + 1, is_large(a) ? 1 : 2);
    }
}

/* ---- Philly ---- */

static void put_local(FILE *stream, const struct hc_zone *zone, int64_t time_s)
{
    if (has(time_s)) {
        fputc('"', stream);
        hc_cluster_put_time(stream, zone, time_s, ' ');
        fputc('"', stream);
    } else {
        fputs("\"None\"", stream);
    }
}

static void put_philly_attempt(FILE *stream, const struct hc_cluster *cluster,
                               const struct hc_cluster_attempt *a, const struct hc_zone *zone)
{
    fputs("{\"start_time\": ", stream);
    put_local(stream, zone, a->start_s);
    fputs(", \"end_time\": ", stream);
    put_local(stream, zone, a->end_s);
    fputs(", \"detail\": [", stream);
    for (int32_t k = 0; k < a->n_nodes; k++) {
        fprintf(stream, "%s{\"ip\": \"", k ? ", " : "");
        hc_cluster_put_node(stream, cluster->nodes[a->nodes + (size_t)k]);
        fputs("\", \"gpus\": [", stream);
        for (int32_t g = 0; g < a->gpus / a->n_nodes; g++)
            fprintf(stream, "%s\"gpu%d\"", g ? ", " : "", g);
        fputs("]}", stream);
    }
    fputs("]}", stream);
}

static void put_philly_job(FILE *stream, const struct hc_cluster *cluster, const size_t *order,
                           size_t n)
{
    const struct hc_cluster_attempt *first = &cluster->attempts[order[0]];
    const struct hc_cluster_attempt *last = &cluster->attempts[order[n - 1]];
    fprintf(stream,
            "{\"status\": \"%s\", \"vc\": \"%s\", \"jobid\": \"application_%" PRId64 "_%" PRId64
            "\", \"user\": \"user%02d\", \"submitted_time\": ",
            last->end == HC_CLUSTER_COMPLETED   ? "Pass"
            : last->end == HC_CLUSTER_CANCELLED ? "Killed"
                                                : "Failed",
            is_large(first) ? "train" : "shared", cluster->options.start_s * 1000,
            first->raw_job % MOST_SEQUENCE, first->user + 1);
}

/* Attempts by raw job, then by restart. */
static int compare_attempts(const void *a, const void *b, void *cluster)
{
    const struct hc_cluster_attempt *attempts = ((const struct hc_cluster *)cluster)->attempts;
    const struct hc_cluster_attempt *x = &attempts[*(const size_t *)a];
    const struct hc_cluster_attempt *y = &attempts[*(const size_t *)b];
    if (x->raw_job != y->raw_job)
        return x->raw_job < y->raw_job ? -1 : 1;
    return (x->restarts > y->restarts) - (x->restarts < y->restarts);
}

enum hc_status hc_cluster_write_philly_log(FILE *stream, const struct hc_cluster *cluster,
                                           const struct hc_zone *zone, struct hc_error *err)
{
    size_t n = cluster->n_attempts;
    size_t *order = hc_new_array(n ? n : 1, sizeof *order, err);
    if (!order)
        return err->status;
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof *order, compare_attempts, (void *)cluster);
    fputs("[", stream);
    for (size_t i = 0, end; i < n; i = end) {
        const struct hc_cluster_attempt *first = &cluster->attempts[order[i]];
        for (end = i + 1; end < n && cluster->attempts[order[end]].raw_job == first->raw_job;)
            end++;
        fputs(i ? ",\n" : "\n", stream);
        put_philly_job(stream, cluster, order + i, end - i);
        put_local(stream, zone, first->submit_s);
        fputs(", \"attempts\": [", stream);
        for (size_t k = i; k < end; k++) {
            const struct hc_cluster_attempt *a = &cluster->attempts[order[k]];
            if (!has(a->start_s))
                continue;
            fputs(k > i ? ", " : "", stream);
            put_philly_attempt(stream, cluster, a, zone);
        }
        fputs("]}", stream);
    }
    fputs("\n]\n", stream);
    free(order);
    return HC_OK;
}

void hc_cluster_write_philly_csv(FILE *stream, const struct hc_cluster *cluster,
                                 const struct hc_zone *zone)
{
    fputs("timestamp,duration,num_gpus,gpu_time,cluster\n", stream);
    for (size_t i = 0; i < cluster->n_attempts; i++) {
        const struct hc_cluster_attempt *a = &cluster->attempts[i];
        int64_t ran_s = elapsed_s(cluster, a);
        hc_cluster_put_time(stream, zone, a->submit_s, ' ');
        fprintf(stream, ",%" PRId64 ".0,%d,%" PRId64 ".0,%s\n", ran_s, a->gpus, ran_s * a->gpus,
                is_large(a) ? "train" : "shared");
    }
}

/* ---- hindcast's own form ---- */

struct own {
    FILE *stream;
    bool as_json;
    size_t n; /* columns of this row so far */
};

static void begin(struct own *own, const char *name)
{
    if (own->as_json)
        fprintf(own->stream, "%s\"%s\": ", own->n ? ", " : "{", name);
    else if (own->n)
        fputc(',', own->stream);
    own->n++;
}

static void put_number(struct own *own, const char *name, int64_t number, bool is_known)
{
    begin(own, name);
    if (is_known)
        fprintf(own->stream, "%" PRId64, number);
    else if (own->as_json)
        fputs("null", own->stream);
}

static void put_quote(struct own *own)
{
    fputc('"', own->stream);
}

static void put_time(struct own *own, const char *name, int64_t time_s)
{
    if (!has(time_s)) {
        put_number(own, name, 0, false);
        return;
    }
    begin(own, name);
    put_quote(own);
    hc_cluster_put_time(own->stream, NULL, time_s, 'T');
    fputc('Z', own->stream);
    put_quote(own);
}

static void put_own(struct own *own, const struct hc_cluster *cluster,
                    const struct hc_cluster_attempt *a)
{
    FILE *stream = own->stream;
    own->n = 0;
    put_number(own, "job", a->job, true);
    put_number(own, "raw_job", a->raw_job, true);
    put_number(own, "array_task", a->array_task, a->array_task != HC_CLUSTER_NONE);
    put_number(own, "restarts", a->restarts, true);
    begin(own, "cluster");
    fputs("\"" HC_CLUSTER_NAME "\"", stream);
    begin(own, "partition");
    fprintf(stream, "\"%s\"", is_large(a) ? "train" : "shared");
    begin(own, "account");
    fprintf(stream, "\"lab%d\"", a->user % 5 + 1);
    begin(own, "user");
    fprintf(stream, "\"user%02d\"", a->user + 1);
    begin(own, "name");
    put_quote(own);
    hc_cluster_put_run(stream, a);
    put_quote(own);
    begin(own, "state");
    fprintf(stream, "\"%s\"", hc_cluster_state(a));
    put_time(own, "submit_ns", a->submit_s);
    put_time(own, "eligible_ns", a->eligible_s);
    put_time(own, "start_ns", a->start_s);
    put_time(own, "end_ns", a->end_s);
    put_number(own, "elapsed_ns", elapsed_s(cluster, a) * 1000000000, true);
    put_number(own, "nodes", a->n_nodes, true);
    put_number(own, "gpus", a->gpus, has(a->start_s));
    begin(own, "node_list");
    put_quote(own);
    if (has(a->start_s))
        hc_cluster_put_nodes(stream, cluster, a);
    put_quote(own);
    fputs(own->as_json ? "}\n" : "\n", stream);
}

void hc_cluster_write_own_jobs(FILE *stream, const struct hc_cluster *cluster, bool as_json)
{
    struct own own = {.stream = stream, .as_json = as_json};
    if (!as_json)
        fputs("job,raw_job,array_task,restarts,cluster,partition,account,user,name,state,submit_ns,"
              "eligible_ns,start_ns,end_ns,elapsed_ns,nodes,gpus,node_list\n",
              stream);
    for (size_t i = 0; i < cluster->n_attempts; i++)
        put_own(&own, cluster, &cluster->attempts[i]);
}
