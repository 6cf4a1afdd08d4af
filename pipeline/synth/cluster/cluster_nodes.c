#include "pipeline/synth/cluster/cluster_writers.h"

#include "core/tables/nodes/node_state.h"
#include "pipeline/synth/cluster/cluster_text.h"

#include <inttypes.h>

#define CPUS 128

/* ---- the history ---- */

const char *hc_cluster_fault_reason(enum hc_cluster_fault_kind kind)
{
    static const char *const reasons[HC_CLUSTER_N_FAULTS] = {
        [HC_CLUSTER_GPU_LOST] = "GPU fell off the bus",
        [HC_CLUSTER_ECC] = "uncorrectable ECC error",
        [HC_CLUSTER_NVLINK] = "NVLink error",
        [HC_CLUSTER_LINK] = "IB link down",
        [HC_CLUSTER_SWITCH] = "IB switch down",
        [HC_CLUSTER_NODE_DOWN] = "Not responding",
    };
    return reasons[kind];
}

static void write_event(FILE *stream, const struct hc_cluster *cluster,
                        const struct hc_cluster_fault *fault, int32_t node)
{
    fputs(HC_CLUSTER_NAME "|", stream);
    hc_cluster_put_node(stream, node);
    fputc('|', stream);
    hc_cluster_put_time(stream, NULL, fault->notice_s, 'T');
    fputc('|', stream);
    if (fault->repaired_s > cluster->end_s)
        fputs("Unknown", stream);
    else
        hc_cluster_put_time(stream, NULL, fault->repaired_s, 'T');
    fprintf(stream, "|%s|%s|root\n", fault->kind == HC_CLUSTER_NODE_DOWN ? "DOWN*" : "DRAIN",
            hc_cluster_fault_reason(fault->kind));
}

void hc_cluster_write_node_events(FILE *stream, const struct hc_cluster *cluster)
{
    fputs("Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\n", stream);
    for (size_t i = 0; i < cluster->n_faults; i++) {
        const struct hc_cluster_fault *fault = &cluster->faults[i];
        if (fault->repaired_s == fault->notice_s || fault->notice_s > cluster->end_s)
            continue;
        for (int32_t k = 0; k < fault->n_nodes; k++)
            write_event(stream, cluster, fault, fault->node + k);
    }
}

/* ---- at an instant ---- */

/* A node that a fault took out runs nothing new: what it runs yet goes on. */
static const char *base_of(const struct hc_cluster_node_now *node)
{
    return node->is_down                         ? "DOWN"
           : node->gpus_used >= HC_CLUSTER_GPUS  ? "ALLOCATED"
           : node->gpus_used > 0 || node->n_jobs ? "MIXED"
                                                 : "IDLE";
}

static bool drains(const struct hc_cluster_node_now *node)
{
    return node->is_drained && !node->is_down;
}

static const char *partition_of(const struct hc_cluster_instant *instant, int32_t node)
{
    return node < instant->n_nodes / 4 ? "shared" : "train";
}

static void write_paragraph(FILE *stream, const struct hc_cluster_instant *instant, int32_t n,
                            const char *between)
{
    const struct hc_cluster_node_now *node = &instant->nodes[n];
    fputs("NodeName=", stream);
    hc_cluster_put_node(stream, n);
    fprintf(stream,
            " Arch=x86_64 CoresPerSocket=64%sCPUAlloc=%d CPUEfctv=%d CPUTot=%d CPULoad=1.00%s",
            between, node->gpus_used * CPUS / HC_CLUSTER_GPUS, CPUS, CPUS, between);
    fprintf(stream, "Gres=gpu:h100:%d%sNodeAddr=", HC_CLUSTER_GPUS, between);
    hc_cluster_put_node(stream, n);
    fprintf(stream, " State=%s%s%s ThreadsPerCore=1%sPartitions=%s%s", base_of(node),
            drains(node) ? "+DRAIN" : "", node->is_down ? "*" : "", between,
            partition_of(instant, n), between);
    fprintf(stream, "CfgTRES=cpu=%d,mem=1024G,billing=%d,gres/gpu=%d%sAllocTRES=", CPUS, CPUS,
            HC_CLUSTER_GPUS, between);
    if (node->gpus_used)
        fprintf(stream, "gres/gpu=%d", node->gpus_used);
    fputs(between, stream);
    if (node->reason) {
        fprintf(stream, "Reason=%s [root@", node->reason);
        hc_cluster_put_time(stream, NULL, node->reason_s, 'T');
        fputs("]", stream);
    }
    fputc('\n', stream);
}

static void write_text(FILE *stream, const struct hc_cluster_instant *instant, const char *between,
                       const char *after)
{
    hc_cluster_put_time(stream, NULL, instant->at_s, 'T');
    fputs("+00:00\n", stream);
    for (int32_t n = 0; n < instant->n_nodes; n++) {
        write_paragraph(stream, instant, n, between);
        fputs(after, stream);
    }
}

void hc_cluster_write_scontrol(FILE *stream, const struct hc_cluster_instant *instant)
{
    write_text(stream, instant, "\n   ", "\n");
}
void hc_cluster_write_scontrol_oneliner(FILE *stream, const struct hc_cluster_instant *instant)
{
    write_text(stream, instant, " ", "");
}

/* As sinfo shortens them: "drained" idles, "draining" runs something yet. */
static const char *word_of(const struct hc_cluster_node_now *node)
{
    bool is_busy = node->gpus_used > 0 || node->n_jobs;
    if (node->is_down)
        return "down*";
    if (node->is_drained)
        return is_busy ? "draining" : "drained";
    return node->gpus_used >= HC_CLUSTER_GPUS ? "allocated" : is_busy ? "mixed" : "idle";
}

void hc_cluster_write_sinfo(FILE *stream, const struct hc_cluster_instant *instant)
{
    hc_cluster_put_time(stream, NULL, instant->at_s, 'T');
    fputs("+00:00\nNODELIST NODES PARTITION STATE CPUS S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE "
          "REASON\n",
          stream);
    for (int32_t n = 0; n < instant->n_nodes; n++) {
        const struct hc_cluster_node_now *node = &instant->nodes[n];
        hc_cluster_put_node(stream, n);
        fprintf(stream, " 1 %s %s %d 2:64:1 1048576 0 1 (null) %s\n", partition_of(instant, n),
                word_of(node), CPUS, node->reason ? node->reason : "none");
    }
}

void hc_cluster_write_nodes_json(FILE *stream, const struct hc_cluster_instant *instant)
{
    fputs("{\"meta\": {\"Slurm\": {\"release\": \"22.05.8\"}}, \"errors\": [], \"nodes\": [",
          stream);
    for (int32_t n = 0; n < instant->n_nodes; n++) {
        const struct hc_cluster_node_now *node = &instant->nodes[n];
        fprintf(stream,
                "%s\n{\"architecture\": \"x86_64\", \"cpus\": %d, \"gres\": \"gpu:h100:%d\", "
                "\"name\": \"",
                n ? "," : "", CPUS, HC_CLUSTER_GPUS);
        hc_cluster_put_node(stream, n);
        fputs("\", \"state\": \"", stream);
        for (const char *c = base_of(node); *c; c++)
            fputc(*c - 'A' + 'a', stream);
        fprintf(stream, "\", \"state_flags\": [%s%s], \"partitions\": [\"%s\"], \"reason\": \"%s\"",
                drains(node) ? "\"DRAIN\"" : "", node->is_down ? "\"NOT_RESPONDING\"" : "",
                partition_of(instant, n), node->reason ? node->reason : "");
        fprintf(stream,
                ", \"reason_changed_at\": %" PRId64
                ", \"reason_set_by_user\": %s, \"slurmd_version\": \"22.05.8\", \"tres\": "
                "\"cpu=%d,mem=1024G,billing=%d,gres/gpu=%d\", \"tres_used\": \"",
                node->reason ? node->reason_s : 0, node->reason ? "\"root\"" : "null", CPUS, CPUS,
                HC_CLUSTER_GPUS);
        if (node->gpus_used)
            fprintf(stream, "gres/gpu=%d", node->gpus_used);
        fputs("\"}", stream);
    }
    fputs("\n]}\n", stream);
}

void hc_cluster_write_instant(FILE *stream, const struct hc_cluster_instant *instant)
{
    fputs("time_s,node,state,flags,gpus_used,reason\n", stream);
    for (int32_t n = 0; n < instant->n_nodes; n++) {
        const struct hc_cluster_node_now *node = &instant->nodes[n];
        fprintf(stream, "%" PRId64 ",", instant->at_s);
        hc_cluster_put_node(stream, n);
        fputc(',', stream);
        for (const char *c = base_of(node); *c; c++)
            fputc(*c - 'A' + 'a', stream);
        fprintf(stream, ",%d,%d,%s\n",
                (drains(node) ? HC_NODE_DRAIN : 0) | (node->is_down ? HC_NODE_NOT_RESPONDING : 0),
                node->gpus_used, node->reason ? node->reason : "");
    }
}
