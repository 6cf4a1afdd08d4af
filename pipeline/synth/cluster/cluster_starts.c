#include "pipeline/synth/cluster/cluster_text.h"
#include "pipeline/synth/cluster/cluster_writers.h"
#include "sim/synth/cluster/cluster_node_start.h"

#include <inttypes.h>

static const char *const phases[HC_CLUSTER_N_PHASES] = {"allocate", "image", "environment"};

/* What a node of an attempt did. */
struct node_start {
    const struct hc_cluster_attempt *attempt;
    int32_t node;
    bool is_first; /* of all */
    int64_t times_s[HC_CLUSTER_N_PHASES + 1];
};

typedef void put(FILE *stream, const struct node_start *start);

static void put_each(FILE *stream, const struct hc_cluster *cluster, put *node_of)
{
    struct node_start start = {.is_first = true};
    for (size_t i = 0; i < cluster->n_attempts; i++) {
        const struct hc_cluster_attempt *a = start.attempt = &cluster->attempts[i];
        int64_t end_s = a->end_s == HC_CLUSTER_NO_TIME_S ? cluster->end_s : a->end_s;
        if (!a->n_cycles)
            continue;
        hc_cluster_slowest_start(cluster, i, start.times_s);
        /* Of one that ended before its launch, nothing is marked. */
        bool begins = start.times_s[HC_CLUSTER_N_PHASES] < end_s;
        for (int32_t k = 0; k < a->n_nodes && begins; k++) {
            start.node = cluster->nodes[a->nodes + (size_t)k];
            hc_cluster_node_start(cluster, i, k, start.times_s);
            node_of(stream, &start);
            start.is_first = false;
        }
    }
}

static void put_mark_time(FILE *stream, int64_t time_s)
{
    hc_cluster_put_time(stream, NULL, time_s, 'T');
    fputs(".000000000Z", stream);
}

static void put_marks(FILE *stream, const struct node_start *start)
{
    const struct hc_cluster_attempt *a = start->attempt;
    for (int p = 0; p < HC_CLUSTER_N_PHASES; p++)
        for (int is_end = 0; is_end < 2; is_end++) {
            fputs("hindcast-phase 1 ", stream);
            put_mark_time(stream, start->times_s[p + is_end]);
            fprintf(stream, " %s %s job=%" PRId64 " restart=%d node=", is_end ? "end" : "start",
                    phases[p], a->job, a->restarts);
            hc_cluster_put_node(stream, start->node);
            if (is_end) {
                fputs(" began=", stream);
                put_mark_time(stream, start->times_s[p]);
            }
            fputc('\n', stream);
        }
}

void hc_cluster_write_marks(FILE *stream, const struct hc_cluster *cluster)
{
    put_each(stream, cluster, put_marks);
}

static void put_truth(FILE *stream, const struct node_start *start)
{
    const struct hc_cluster_attempt *a = start->attempt;
    for (int p = 0; p < HC_CLUSTER_N_PHASES; p++) {
        fprintf(stream, "%" PRId64 ",%d,", a->job, a->restarts);
        hc_cluster_put_node(stream, start->node);
        fprintf(stream, ",%s,%" PRId64 ",%" PRId64 "\n", phases[p], start->times_s[p],
                start->times_s[p + 1]);
    }
}

void hc_cluster_write_starts(FILE *stream, const struct hc_cluster *cluster)
{
    fputs("job,restarts,node,phase,start_s,end_s\n", stream);
    put_each(stream, cluster, put_truth);
}

/* ---- Kubernetes ---- */

static void put_event(FILE *stream, const struct hc_cluster_attempt *a, int32_t node,
                      const char *reason, int64_t time_s)
{
    bool is_assignment = reason[0] == 'S' && reason[1] == 'c';
    fputs("{\"kind\":\"Event\",\"involvedObject\":{\"kind\":\"Pod\",\"namespace\":\"train\","
          "\"name\":\"",
          stream);
    fprintf(stream, "job-%" PRId64 "-%d-", a->job, a->restarts);
    hc_cluster_put_node(stream, node);
    fprintf(stream, "\"},\"reason\":\"%s\",\"message\":\"", reason);
    if (is_assignment) {
        fputs("Successfully assigned train/pod to ", stream);
        hc_cluster_put_node(stream, node);
    }
    fputs("\",\"firstTimestamp\":\"", stream);
    hc_cluster_put_time(stream, NULL, time_s, 'T');
    fputs("Z\",\"source\":{", stream);
    if (!is_assignment) {
        fputs("\"component\":\"kubelet\",\"host\":\"", stream);
        hc_cluster_put_node(stream, node);
        fputc('"', stream);
    }
    fputs("}}", stream);
}

static void put_pod(FILE *stream, const struct node_start *start, const char *between)
{
    static const char *const reasons[HC_CLUSTER_N_PHASES + 1] = {"Scheduled", "Pulling", "Pulled",
                                                                 "Started"};
    for (int r = 0; r <= HC_CLUSTER_N_PHASES; r++) {
        fputs(r ? between : "", stream);
        put_event(stream, start->attempt, start->node, reasons[r], start->times_s[r]);
    }
}

static void put_pod_lines(FILE *stream, const struct node_start *start)
{
    put_pod(stream, start, "\n");
    fputc('\n', stream);
}

static void put_pod_items(FILE *stream, const struct node_start *start)
{
    fputs(start->is_first ? "" : ",\n", stream);
    put_pod(stream, start, ",\n");
}

void hc_cluster_write_pods(FILE *stream, const struct hc_cluster *cluster, bool as_lines)
{
    fputs(as_lines ? "" : "{\"apiVersion\":\"v1\",\"items\":[\n", stream);
    put_each(stream, cluster, as_lines ? put_pod_lines : put_pod_items);
    fputs(as_lines ? "" : "\n],\"kind\":\"List\"}\n", stream);
}
