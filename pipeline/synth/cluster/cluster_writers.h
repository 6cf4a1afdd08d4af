/* cluster_writers.h - what a site would have recorded of a made-up cluster, a function a source.
 * Errors of writing are left to whoever closes the stream. Private to this wing. */
#ifndef HC_PIPELINE_SYNTH_CLUSTER_CLUSTER_WRITERS_H
#define HC_PIPELINE_SYNTH_CLUSTER_CLUSTER_WRITERS_H

#include "core/base/zone.h"
#include "sim/synth/cluster/cluster_synth.h"

#include <stdio.h>

/* sacct --parsable2 of all columns that hindcast reads, in a zone (NULL: UTC). */
void hc_cluster_write_sacct(FILE *stream, const struct hc_cluster *cluster,
                            const struct hc_zone *zone);

/* The same in the order of columns that XDMoD asks for, without a header. */
void hc_cluster_write_sacct_xdmod(FILE *stream, const struct hc_cluster *cluster);

/* sacctmgr -P show event, with the history of nodes. */
void hc_cluster_write_node_events(FILE *stream, const struct hc_cluster *cluster);

/* Lines of kernels, in order of time. */
struct hc_cluster_kernel_line {
    int64_t time_s;
    int32_t node, device; /* GPU; HC_CLUSTER_NONE: a network device */
    int32_t code;         /* Xid */
    int32_t pid;
    const char *process, *text;
};
struct hc_cluster_kernel_lines {
    size_t n, capacity;
    struct hc_cluster_kernel_line *lines;
};
enum hc_status hc_cluster_kernel_lines_make(struct hc_cluster_kernel_lines *lines,
                                            const struct hc_cluster *cluster, struct hc_error *err);

enum hc_cluster_kernel_dialect {
    HC_CLUSTER_SYSLOG_ISO, /* with host and zone */
    HC_CLUSTER_SYSLOG_BSD, /* RFC 3164: local time, no year */
    HC_CLUSTER_JOURNAL,    /* journalctl -o json */
    HC_CLUSTER_LOG_STORE,  /* a JSON object a line */
    HC_CLUSTER_N_KERNEL_DIALECTS
};
void hc_cluster_write_kernel(FILE *stream, const struct hc_cluster_kernel_lines *lines,
                             enum hc_cluster_kernel_dialect dialect, const struct hc_zone *zone);

/* What the processes of an attempt of a run printed, as Megatron does. */
void hc_cluster_write_log(FILE *stream, const struct hc_cluster *cluster, size_t attempt,
                          const struct hc_zone *zone);

/* The truth: attempts with what ended them, cycles, runs, faults. */
void hc_cluster_write_attempts(FILE *stream, const struct hc_cluster *cluster);
void hc_cluster_write_cycles(FILE *stream, const struct hc_cluster *cluster);
void hc_cluster_write_runs(FILE *stream, const struct hc_cluster *cluster);
void hc_cluster_write_faults(FILE *stream, const struct hc_cluster *cluster);

#endif
