#include "pipeline/synth/cluster/cluster_text.h"
#include "pipeline/synth/cluster/cluster_writers.h"

#include <inttypes.h>

static const struct {
    const char *cause, *scope;
} kinds[HC_CLUSTER_N_FAULTS] = {
    [HC_CLUSTER_GPU_LOST] = {"hardware.gpu", "device"},
    [HC_CLUSTER_ECC] = {"hardware.gpu_memory", "device"},
    [HC_CLUSTER_NVLINK] = {"hardware.gpu_link", "device"},
    [HC_CLUSTER_LINK] = {"network.link", "node"},
    [HC_CLUSTER_SWITCH] = {"network.switch", "switch"},
    [HC_CLUSTER_NODE_DOWN] = {"undetermined.node_crash", "node"},
};

struct row {
    FILE *stream;
    bool as_json;
    int n;
};

/* A value of the row: a text, a time, or nodes, the first of them that is there. */
struct value {
    int64_t time_s;
    int32_t node, n_nodes; /* one, or as many from it on */
    const char *text;
};

static void put(struct row *row, const char *name, struct value value)
{
    if (row->as_json)
        fprintf(row->stream, "%s\"%s\": \"", row->n ? ", " : "{", name);
    else if (row->n)
        fputc(',', row->stream);
    row->n++;
    if (value.text) {
        fputs(value.text, row->stream);
    } else if (value.time_s) {
        hc_cluster_put_time(row->stream, NULL, value.time_s, 'T');
        fputc('Z', row->stream);
    } else {
        hc_cluster_put_node_range(row->stream, value.node, value.n_nodes);
    }
    if (row->as_json)
        fputc('"', row->stream);
}

static void end(struct row *row)
{
    fputs(row->as_json ? "}\n" : "\n", row->stream);
    row->n = 0;
}

static bool is_noticed(const struct hc_cluster *cluster, const struct hc_cluster_fault *f)
{
    return f->notice_s <= cluster->end_s;
}

void hc_cluster_write_incidents(FILE *stream, const struct hc_cluster *cluster, bool as_json)
{
    struct row row = {.stream = stream, .as_json = as_json};
    if (!as_json)
        fputs("time,detected,recovered,node,cause,text,scope\n", stream);
    for (size_t i = 0; i < cluster->n_faults; i++) {
        const struct hc_cluster_fault *f = &cluster->faults[i];
        if (!is_noticed(cluster, f))
            continue;
        put(&row, "time", (struct value){.time_s = f->time_s});
        put(&row, "detected", (struct value){.time_s = f->notice_s});
        put(&row, "recovered", (struct value){.time_s = f->repaired_s});
        put(&row, "node", (struct value){.node = f->node, .n_nodes = f->n_nodes});
        put(&row, "cause", (struct value){.text = kinds[f->kind].cause});
        put(&row, "text", (struct value){.text = hc_cluster_fault_name(f->kind)});
        put(&row, "scope", (struct value){.text = kinds[f->kind].scope});
        end(&row);
    }
}

void hc_cluster_write_corrections(FILE *stream, const struct hc_cluster *cluster, bool as_json)
{
    struct row row = {.stream = stream, .as_json = as_json};
    if (!as_json)
        fputs("date_ns,cluster,node,time_ns,cause,detail,scope,author,reason\n", stream);
    for (size_t i = 0; i < cluster->n_faults; i++) {
        const struct hc_cluster_fault *f = &cluster->faults[i];
        if (!f->n_stopped || !is_noticed(cluster, f))
            continue;
        put(&row, "date_ns", (struct value){.time_s = f->notice_s + 3600});
        put(&row, "cluster", (struct value){.text = HC_CLUSTER_NAME});
        put(&row, "node", (struct value){.node = f->node});
        put(&row, "time_ns", (struct value){.time_s = f->time_s});
        put(&row, "cause", (struct value){.text = "infrastructure"});
        put(&row, "detail", (struct value){.text = hc_cluster_fault_name(f->kind)});
        put(&row, "scope", (struct value){.text = kinds[f->kind].scope});
        put(&row, "author", (struct value){.text = "ann"});
        put(&row, "reason", (struct value){.text = "looked at it"});
        end(&row);
    }
}
