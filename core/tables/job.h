/* job.h - who a step timeline belongs to, and what its metadata says of it. */
#ifndef HC_CORE_TABLES_JOB_H
#define HC_CORE_TABLES_JOB_H

#include "core/base/status.h"
#include "core/tables/op_type.h"
#include "core/tables/table.h"

#include <stdbool.h>

/* A name of the source that stands for a known op type, or HC_OP_IGNORED. */
struct hc_op_alias {
    char *name;
    int op_type;
};

/* The node that a rank ran on. */
struct hc_rank_node {
    int32_t rank;
    char *node;
};

/* The switch that a node hangs at. */
struct hc_switched_node {
    char *node;
    int32_t switch_code; /* index into hc_job.switches */
};

#define HC_DAY_TEXT 11 /* "2026-03-01" and its end */

/* What ends the text of the last day that a month can have. */
#define HC_LAST_DAY_OF_MONTH "-31"

#define HC_MOST_NODES 10000000 /* of a job, or that recorded data watched; for scenarios */

/* Sizes are HC_MISSING_I32 where nothing says them. All strings are owned by the struct. */
struct hc_job {
    char *cluster;   /* "default" when nothing says it */
    char *id;        /* metadata's job_id, else trial_name, else from the file name */
    int32_t attempt; /* metadata's attempt, else run_id, else 0 */
    /* "" of a job. Else what a source, whose name is id, says of this one day (UTC), or of all days
     * of this month: "2026-03". */
    char day[HC_DAY_TEXT];
    int32_t of_rank; /* what this rank alone recorded; HC_MISSING_I32: the job as a whole */
    int32_t dp_size, pp_size, tp_size, dsp_size, vpp_size, world_size;
    int64_t start_unix_ns; /* absolute start of the traced period, or HC_MISSING_I64 */
    size_t n_aliases;
    struct hc_op_alias *aliases;
    size_t n_nodes;
    struct hc_rank_node *nodes; /* ascending by rank */
    size_t n_switches;
    char **switches; /* names, ascending, each once */
    size_t n_switched;
    struct hc_switched_node *switched; /* ascending by node, each once; also nodes that no rank of
                                          the job ran on */
    uint32_t absent_ops;  /* 1 << op type of those that the metadata declares as not there */
    char *meta_path;      /* where this was read, or NULL */
    char meta_sha256[65]; /* "" without metadata */
};

/* A job about which nothing is known but its id. */
enum hc_status hc_job_init(struct hc_job *job, const char *id, struct hc_error *err);
enum hc_status hc_job_copy(struct hc_job *to, const struct hc_job *from, struct hc_error *err);
void hc_job_fini(struct hc_job *job);

/* Whether text is written as a day: "2026-03-01". */
bool hc_is_day(const char *text);

/* Whether text is written as a month: "2026-03". */
bool hc_is_month(const char *text);

/* Whether month is a month, and day one of its days. */
bool hc_month_has_day(const char *month, const char *day);

/* The node of a rank, or NULL where it is not known. */
const char *hc_job_node(const struct hc_job *job, int32_t rank);

/* The switch of a node as an index into switches, or -1 where it is not known. */
int32_t hc_job_switch(const struct hc_job *job, const char *node);

/* The op type of a name in the source: an alias first, then the known names, else HC_OP_UNKNOWN.
 * job may be NULL. */
int hc_job_op_type(const struct hc_job *job, const char *name, size_t length);

/* HC_BAD_INPUT when the metadata says another dp, pp or vpp size than the trace has, or a world
 * size that does not go with them. */
enum hc_status hc_job_check_sizes(const struct hc_job *job, int32_t dp_size, int32_t pp_size,
                                  int32_t vpp_size, struct hc_error *err);

#endif
