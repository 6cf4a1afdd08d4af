#include "pipeline/synth/cluster/cluster_text.h"

#include "core/base/clock.h"

#include <inttypes.h>

#define SECOND_NS ((int64_t)1000000000)

void hc_cluster_put_time(FILE *stream, const struct hc_zone *zone, int64_t unix_s, char between)
{
    char text[32];
    if (zone)
        unix_s += hc_zone_offset_s(zone, unix_s);
    hc_format_iso8601(unix_s * SECOND_NS, text);
    fprintf(stream, "%.10s%c%.8s", text, between, text + 11);
}

void hc_cluster_format_date(char date[16], int64_t unix_s)
{
    char text[32];
    hc_format_iso8601(unix_s * SECOND_NS, text);
    snprintf(date, 16, "%.10s", text);
}

void hc_cluster_put_date(FILE *stream, int64_t unix_s)
{
    char date[16];
    hc_cluster_format_date(date, unix_s);
    fputs(date, stream);
}

void hc_cluster_put_gpu_ns(FILE *stream, hc_gpu_ns gpu_ns)
{
    const hc_gpu_ns part = (hc_gpu_ns)SECOND_NS * SECOND_NS;
    if (gpu_ns >= part)
        fprintf(stream, "%" PRId64 "%018" PRId64, (int64_t)(gpu_ns / part),
                (int64_t)(gpu_ns % part));
    else
        fprintf(stream, "%" PRId64, (int64_t)gpu_ns);
}

void hc_cluster_put_node(FILE *stream, int32_t node)
{
    fprintf(stream, "gpu%04d", node + 1);
}

void hc_cluster_put_node_range(FILE *stream, int32_t first, int32_t n)
{
    if (n > 1)
        fprintf(stream, "gpu[%04d-%04d]", first + 1, first + n);
    else
        hc_cluster_put_node(stream, first);
}

void hc_cluster_put_nodes(FILE *stream, const struct hc_cluster *cluster,
                          const struct hc_cluster_attempt *attempt)
{
    const int32_t *nodes = &cluster->nodes[attempt->nodes];
    int32_t n = attempt->n_nodes;
    if (n == 1) {
        hc_cluster_put_node(stream, nodes[0]);
        return;
    }
    fputs("gpu[", stream);
    for (int32_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && nodes[end] == nodes[end - 1] + 1;)
            end++;
        fprintf(stream, "%s%04d", first ? "," : "", nodes[first] + 1);
        if (end > first + 1)
            fprintf(stream, "-%04d", nodes[end - 1] + 1);
    }
    fputc(']', stream);
}

void hc_cluster_put_run(FILE *stream, const struct hc_cluster_attempt *attempt)
{
    if (attempt->run == HC_CLUSTER_NONE)
        fputs("job", stream);
    else
        fprintf(stream, "run-%02d", attempt->run + 1);
}

const char *hc_cluster_state(const struct hc_cluster_attempt *attempt)
{
    static const char *const names[] = {
        [HC_CLUSTER_PENDING] = "PENDING",     [HC_CLUSTER_RUNNING] = "RUNNING",
        [HC_CLUSTER_COMPLETED] = "COMPLETED", [HC_CLUSTER_FAILED] = "FAILED",
        [HC_CLUSTER_CANCELLED] = "CANCELLED", [HC_CLUSTER_TIMEOUT] = "TIMEOUT",
        [HC_CLUSTER_NODE_FAIL] = "NODE_FAIL", [HC_CLUSTER_OUT_OF_MEMORY] = "OUT_OF_MEMORY",
    };
    return names[attempt->end];
}
