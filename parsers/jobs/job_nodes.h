/* job_nodes.h - whether what a scheduler's record says of the nodes of a job agrees with itself:
 * the list of nodes with their number, and with the node that failed. Private to this wing.
 *
 * A row is kept whatever is found: which of two statements is wrong is not known. Joins of jobs and
 * nodes go by the list, GPU-time by the counts; so each disagreement is counted and said. */
#ifndef HC_PARSERS_JOBS_JOB_NODES_H
#define HC_PARSERS_JOBS_JOB_NODES_H

#include "core/text/node_list.h"
#include "parsers/jobs/slurm_values.h"

#include <stdbool.h>

/* Rows of one kind of disagreement. */
struct hc_job_nodes_doubt {
    int64_t n;
    char first[200]; /* which row that was, and what it said */
};

/* Zeroed memory before the first row. */
struct hc_job_nodes {
    struct hc_job_nodes_doubt unreadable, differ, elsewhere;
    /* of the row */
    struct hc_node_list_reader reader;
    bool has_list;
};

/* A new row, of which nothing is known yet. */
void hc_job_nodes_begin(struct hc_job_nodes *nodes);

/* Take the list of nodes of the row on a line; it must stay until hc_job_nodes_check. */
void hc_job_nodes_take(struct hc_job_nodes *nodes, struct hc_span list, int64_t line);

/* Check the row on a line against its number of nodes (HC_MISSING_I32: not known) and the node that
 * failed (NULL: none). */
void hc_job_nodes_check(struct hc_job_nodes *nodes, int32_t n_nodes, const char *failed,
                        int64_t line);

/* Say what was found of a file. */
void hc_job_nodes_warn(const struct hc_job_nodes *nodes, const char *file);

#endif
