/* cluster_files.h - the files of the site of a made-up cluster, in a set of which all are written
 * or none. Names are below the site's directory. Private to this wing. */
#ifndef HC_PIPELINE_SYNTH_CLUSTER_CLUSTER_FILES_H
#define HC_PIPELINE_SYNTH_CLUSTER_CLUSTER_FILES_H

#include "core/files/outset.h"
#include "pipeline/synth/cluster/cluster_writers.h"
#include "sim/synth/trace_synth.h"

struct hc_cluster_sweep;

struct hc_cluster_site {
    const char *directory;
    const struct hc_zone *zone; /* of what is written in local time */
    struct hc_cluster cluster;
    struct hc_cluster_kernel_lines lines;
    struct hc_outset *set;
    struct hc_cluster_sweep *sweep; /* while somebody looks; else NULL */
    struct hc_trace_synth *trace;   /* whose step the timelines show; NULL: there are none yet */
};

enum hc_status hc_cluster_add_directory(struct hc_cluster_site *site, const char *name,
                                        struct hc_error *err);

/* The stream is open until the set is committed: for a few files. */
FILE *hc_cluster_add_file(struct hc_cluster_site *site, const char *name, struct hc_error *err);

/* What to write, and of what: an attempt, a node. */
struct hc_cluster_part {
    void (*write)(FILE *stream, const struct hc_cluster_site *site, int32_t of, int dialect);
    int32_t of;
    int dialect;
};

/* Write a file, and close it: for many files. is_more: append to the file that was added before. */
enum hc_status hc_cluster_add_part(struct hc_cluster_site *site, const char *name,
                                   const struct hc_cluster_part *part, bool is_more,
                                   struct hc_error *err);

/* Where files are until the set is committed: before the first part. */
enum hc_status hc_cluster_begin_parts(struct hc_cluster_site *site, struct hc_error *err);

/* Below timelines/: a profiler's traces of some jobs of runs. */
enum hc_status hc_cluster_add_timelines(struct hc_cluster_site *site, struct hc_error *err);

/* How often somebody looks: at the nodes every so many days (0: never), at the queue in the last
 * so many. */
struct hc_cluster_looks {
    int32_t node_days, queue_days;
};
/* Below nodes/ and queue/: a file a look, a file a day. */
enum hc_status hc_cluster_add_looks(struct hc_cluster_site *site,
                                    const struct hc_cluster_looks *looks, struct hc_error *err);

/* Every further form that hindcast reads, below dialects/. */
enum hc_status hc_cluster_add_dialects(struct hc_cluster_site *site, struct hc_error *err);

#endif
