/* cluster_text.h - how the nodes, runs and times of a made-up cluster are written.
 * Private to this wing. */
#ifndef HC_PIPELINE_SYNTH_CLUSTER_CLUSTER_TEXT_H
#define HC_PIPELINE_SYNTH_CLUSTER_CLUSTER_TEXT_H

#include "core/base/zone.h"
#include "core/tables/account/leaf.h"
#include "sim/synth/cluster/cluster_synth.h"

#include <stdio.h>

#define HC_CLUSTER_NAME "made"

/* Local time of a zone (NULL: UTC): "2026-03-29", a character, "03:00:00". */
void hc_cluster_put_time(FILE *stream, const struct hc_zone *zone, int64_t unix_s, char between);

/* A whole number that may be above 64 bits; not below 0. */
void hc_cluster_put_gpu_ns(FILE *stream, hc_gpu_ns gpu_ns);

/* The day in UTC: "2026-03-29" */
void hc_cluster_format_date(char date[16], int64_t unix_s);
void hc_cluster_put_date(FILE *stream, int64_t unix_s);

/* "gpu0007" */
void hc_cluster_put_node(FILE *stream, int32_t node);

/* "gpu[0001-0016]": n nodes from the first on */
void hc_cluster_put_node_range(FILE *stream, int32_t first, int32_t n);

/* "gpu[0001-0004,0007]" of an attempt, as Slurm writes it. */
void hc_cluster_put_nodes(FILE *stream, const struct hc_cluster *cluster,
                          const struct hc_cluster_attempt *attempt);

/* "run-03"; of a job without one "job". */
void hc_cluster_put_run(FILE *stream, const struct hc_cluster_attempt *attempt);

/* "COMPLETED" */
const char *hc_cluster_state(const struct hc_cluster_attempt *attempt);

#endif
