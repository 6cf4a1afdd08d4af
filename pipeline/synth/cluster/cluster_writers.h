/* cluster_writers.h - what a site would have recorded of a made-up cluster, a function a source.
 * Errors of writing are left to whoever closes the stream. Private to this wing. */
#ifndef HC_PIPELINE_SYNTH_CLUSTER_CLUSTER_WRITERS_H
#define HC_PIPELINE_SYNTH_CLUSTER_CLUSTER_WRITERS_H

#include "core/base/zone.h"
#include "sim/synth/cluster/cluster_synth.h"

#include <stdio.h>

/* sacct of all columns that hindcast reads. */
struct hc_cluster_sacct_form {
    const struct hc_zone *zone; /* NULL: UTC */
    bool is_xdmod;              /* the columns that XDMoD asks for, without a header */
    bool in_seconds;            /* SLURM_TIME_FORMAT=%s */
    const char *delimiter;      /* --delimiter; NULL: "|" */
    bool ends_with_delimiter;   /* --parsable, else --parsable2 */
};
void hc_cluster_write_sacct(FILE *stream, const struct hc_cluster *cluster,
                            const struct hc_cluster_sacct_form *form);

/* sacctmgr -P show event, with the history of nodes. */
void hc_cluster_write_node_events(FILE *stream, const struct hc_cluster *cluster);

/* "IB link down": why a node is drained, or down. */
const char *hc_cluster_fault_reason(enum hc_cluster_fault_kind kind);

/* The nodes at an instant, and what Slurm would print of them then. */
struct hc_cluster_node_now {
    int32_t gpus_used, n_jobs;
    bool is_down, is_drained;
    const char *reason; /* NULL: none */
    int64_t reason_s;
};
struct hc_cluster_instant {
    int64_t at_s;
    int32_t n_nodes;
    struct hc_cluster_node_now *nodes;
};
void hc_cluster_write_scontrol(FILE *stream, const struct hc_cluster_instant *instant);
void hc_cluster_write_scontrol_oneliner(FILE *stream, const struct hc_cluster_instant *instant);
void hc_cluster_write_sinfo(FILE *stream, const struct hc_cluster_instant *instant);
void hc_cluster_write_nodes_json(FILE *stream, const struct hc_cluster_instant *instant);
void hc_cluster_write_instant(FILE *stream, const struct hc_cluster_instant *instant); /* truth */

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
    HC_CLUSTER_SYSLOG_ISO,   /* with host and zone */
    HC_CLUSTER_SYSLOG_BSD,   /* RFC 3164: local time, no year */
    HC_CLUSTER_JOURNAL,      /* journalctl -o json */
    HC_CLUSTER_LOG_STORE,    /* a JSON object a line */
    HC_CLUSTER_JOURNAL_TEXT, /* journalctl -o short-iso */
    HC_CLUSTER_SYSLOG_5424
};
void hc_cluster_write_kernel(FILE *stream, const struct hc_cluster_kernel_lines *lines,
                             enum hc_cluster_kernel_dialect dialect, const struct hc_zone *zone);

/* dmesg of a node, which the lines do not name. */
enum hc_cluster_dmesg_dialect {
    HC_CLUSTER_DMESG_BOOT, /* seconds since the boot, whose time is told once */
    HC_CLUSTER_DMESG_TIME, /* -T: local time */
    HC_CLUSTER_DMESG_ISO   /* -x --time-format iso */
};
struct hc_cluster_boot {
    int64_t at_s;
    const struct hc_zone *zone;
};
void hc_cluster_write_dmesg(FILE *stream, const struct hc_cluster_kernel_lines *lines, int32_t node,
                            enum hc_cluster_dmesg_dialect dialect,
                            const struct hc_cluster_boot *boot);

/* What the processes of an attempt of a run printed, as Megatron does. */
void hc_cluster_write_log(FILE *stream, const struct hc_cluster *cluster, size_t attempt,
                          const struct hc_zone *zone);

/* The steps of the same, as others print them; of the older Megatron all lines, without times. */
enum hc_cluster_log_dialect {
    HC_CLUSTER_LOG_MEGATRON_OLD,
    HC_CLUSTER_LOG_MLPERF,
    HC_CLUSTER_LOG_DEEPSPEED,
    HC_CLUSTER_LOG_VERL
};
void hc_cluster_write_other_log(FILE *stream, const struct hc_cluster *cluster, size_t attempt,
                                enum hc_cluster_log_dialect dialect);

double hc_cluster_loss(int64_t iteration);

/* The run whose checkpoint a cycle resumes from: its own, or the one that that is forked from, as
 * long as it has saved none. */
int32_t hc_cluster_loaded_run(const struct hc_cluster *cluster,
                              const struct hc_cluster_cycle *cycle);

/* The jobs in other forms than Slurm's: SWF 2.2, the two of Philly (whose clocks are those of the
 * zone), and hindcast's own. */
void hc_cluster_write_swf(FILE *stream, const struct hc_cluster *cluster);
enum hc_status hc_cluster_write_philly_log(FILE *stream, const struct hc_cluster *cluster,
                                           const struct hc_zone *zone, struct hc_error *err);
void hc_cluster_write_philly_csv(FILE *stream, const struct hc_cluster *cluster,
                                 const struct hc_zone *zone);
void hc_cluster_write_own_jobs(FILE *stream, const struct hc_cluster *cluster, bool as_json);

/* How the nodes of runs began: as phase-mark.sh writes it, as Kubernetes does (a pod a node), and
 * the truth. */
void hc_cluster_write_marks(FILE *stream, const struct hc_cluster *cluster);
void hc_cluster_write_pods(FILE *stream, const struct hc_cluster *cluster, bool as_lines);
void hc_cluster_write_starts(FILE *stream, const struct hc_cluster *cluster);

/* The faults as a list of incidents, and what a person says of those that stopped something. */
void hc_cluster_write_incidents(FILE *stream, const struct hc_cluster *cluster, bool as_json);
void hc_cluster_write_corrections(FILE *stream, const struct hc_cluster *cluster, bool as_json);

/* The truth: attempts with what ended them, cycles, runs, faults. */
void hc_cluster_write_attempts(FILE *stream, const struct hc_cluster *cluster);
void hc_cluster_write_cycles(FILE *stream, const struct hc_cluster *cluster);
void hc_cluster_write_runs(FILE *stream, const struct hc_cluster *cluster);
enum hc_status hc_cluster_write_timelines(FILE *stream, const struct hc_cluster *cluster,
                                          struct hc_error *err);
void hc_cluster_write_faults(FILE *stream, const struct hc_cluster *cluster);
void hc_cluster_write_planted(FILE *stream, const struct hc_cluster *cluster);

/* The truth of the nodes: of each day (UTC) and partition, what their GPUs were, in GPU-ns. */
enum hc_status hc_cluster_write_installed(FILE *stream, const struct hc_cluster *cluster,
                                          struct hc_error *err);

/* The truth of the account: of each attempt with GPUs and day, GPU-ns by what and why. */
enum hc_status hc_cluster_write_account(FILE *stream, const struct hc_cluster *cluster,
                                        struct hc_error *err);

#endif
