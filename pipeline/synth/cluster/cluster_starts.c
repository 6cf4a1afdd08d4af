#include "pipeline/synth/cluster/cluster_text.h"
#include "pipeline/synth/cluster/cluster_writers.h"

#include <inttypes.h>

/* The start of a node of an attempt, in seconds behind that of the attempt: it is given to the job,
 * pulls the image, which the nodes do at different speeds, and makes its environment. */
#define N_PHASES 3
static const char *const phases[N_PHASES] = {"allocate", "image", "environment"};

static void times_of(const struct hc_cluster_attempt *a, int32_t node,
                     int64_t times_s[N_PHASES + 1])
{
    times_s[0] = a->start_s;
    times_s[1] = a->start_s + 2;
    times_s[2] = a->start_s + 10 + node % 7;
    times_s[3] = a->start_s + 28;
}

typedef void put(FILE *stream, const struct hc_cluster_attempt *a, int32_t node, bool is_first);

static void put_each(FILE *stream, const struct hc_cluster *cluster, put *node_of)
{
    bool is_first = true;
    for (size_t i = 0; i < cluster->n_attempts; i++) {
        const struct hc_cluster_attempt *a = &cluster->attempts[i];
        /* Of one that a fault ended before, nothing is marked. */
        bool begins =
            a->n_cycles && (a->end_s == HC_CLUSTER_NO_TIME_S || a->end_s > a->start_s + 30);
        for (int32_t k = 0; k < a->n_nodes && begins; k++) {
            node_of(stream, a, cluster->nodes[a->nodes + (size_t)k], is_first);
            is_first = false;
        }
    }
}

static void put_mark_time(FILE *stream, int64_t time_s)
{
    hc_cluster_put_time(stream, NULL, time_s, 'T');
    fputs(".000000000Z", stream);
}

static void put_marks(FILE *stream, const struct hc_cluster_attempt *a, int32_t node, bool is_first)
{
    int64_t times_s[N_PHASES + 1];
    (void)is_first;
    times_of(a, node, times_s);
    for (int p = 0; p < N_PHASES; p++)
        for (int is_end = 0; is_end < 2; is_end++) {
            fputs("hindcast-phase 1 ", stream);
            put_mark_time(stream, times_s[p + is_end]);
            fprintf(stream, " %s %s job=%" PRId64 " restart=%d node=", is_end ? "end" : "start",
                    phases[p], a->job, a->restarts);
            hc_cluster_put_node(stream, node);
            if (is_end) {
                fputs(" began=", stream);
                put_mark_time(stream, times_s[p]);
            }
            fputc('\n', stream);
        }
}

void hc_cluster_write_marks(FILE *stream, const struct hc_cluster *cluster)
{
    put_each(stream, cluster, put_marks);
}

static void put_truth(FILE *stream, const struct hc_cluster_attempt *a, int32_t node, bool is_first)
{
    int64_t times_s[N_PHASES + 1];
    (void)is_first;
    times_of(a, node, times_s);
    for (int p = 0; p < N_PHASES; p++) {
        fprintf(stream, "%" PRId64 ",%d,", a->job, a->restarts);
        hc_cluster_put_node(stream, node);
        fprintf(stream, ",%s,%" PRId64 ",%" PRId64 "\n", phases[p], times_s[p], times_s[p + 1]);
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

static void put_pod(FILE *stream, const struct hc_cluster_attempt *a, int32_t node,
                    const char *between)
{
    static const char *const reasons[N_PHASES + 1] = {"Scheduled", "Pulling", "Pulled", "Started"};
    int64_t times_s[N_PHASES + 1];
    times_of(a, node, times_s);
    for (int r = 0; r <= N_PHASES; r++) {
        fputs(r ? between : "", stream);
        put_event(stream, a, node, reasons[r], times_s[r]);
    }
}

static void put_pod_lines(FILE *stream, const struct hc_cluster_attempt *a, int32_t node,
                          bool is_first)
{
    (void)is_first;
    put_pod(stream, a, node, "\n");
    fputc('\n', stream);
}

static void put_pod_items(FILE *stream, const struct hc_cluster_attempt *a, int32_t node,
                          bool is_first)
{
    fputs(is_first ? "" : ",\n", stream);
    put_pod(stream, a, node, ",\n");
}

void hc_cluster_write_pods(FILE *stream, const struct hc_cluster *cluster, bool as_lines)
{
    fputs(as_lines ? "" : "{\"apiVersion\":\"v1\",\"items\":[\n", stream);
    put_each(stream, cluster, as_lines ? put_pod_lines : put_pod_items);
    fputs(as_lines ? "" : "\n],\"kind\":\"List\"}\n", stream);
}
