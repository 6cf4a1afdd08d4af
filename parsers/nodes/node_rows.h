/* node_rows.h - rows of `node_states`, put together from fields as Slurm's commands name and write
 * them. Private to this wing. */
#ifndef HC_PARSERS_NODES_NODE_ROWS_H
#define HC_PARSERS_NODES_NODE_ROWS_H

#include "core/tables/nodes/node_state_table.h"
#include "core/tables/row_report.h"
#include "parsers/io/format.h"
#include "parsers/io/line_reader.h"
#include "parsers/jobs/slurm_values.h"

#include <stdbool.h>

/* A node as a reader finds it. Missing numbers are HC_MISSING_I64. */
struct hc_node_row {
    int64_t line;
    int64_t since_ns, until_ns, reason_ns;
    int64_t gpus, gpus_used, cpus;
    struct hc_node_state state;
    bool has_state;
    enum hc_node_knowledge how;
    enum hc_time_basis clock;
    struct hc_span node, cluster, reason, user, gpu_type, partitions;
};

/* A node of which nothing is known yet. */
extern const struct hc_node_row hc_node_row_none;

struct hc_node_builder {
    const struct hc_source *source;
    const struct hc_zone *zone;
    struct hc_table_names *names;
    struct hc_date_cache dates;
    int64_t n_twice, n_never; /* local times of the hour in which clocks were set back, forward */
    /* of snapshots */
    int64_t at_ns;
    enum hc_time_basis at_basis;
};

/* What a field of some name says. */
enum hc_node_field {
    HC_NODE_FIELD_NONE, /* not read */
    HC_NODE_FIELD_NODE,
    HC_NODE_FIELD_STATE,
    HC_NODE_FIELD_REASON,
    HC_NODE_FIELD_USER,
    HC_NODE_FIELD_TRES, /* of the node */
    HC_NODE_FIELD_TRES_USED,
    HC_NODE_FIELD_GRES,
    HC_NODE_FIELD_GRES_USED,
    HC_NODE_FIELD_CPUS,
    HC_NODE_FIELD_PARTITIONS,
    HC_NODE_FIELD_CLUSTER,
    HC_NODE_FIELD_START,
    HC_NODE_FIELD_END
};

/* The field of a name in any case ("NodeName", "NODELIST", "CfgTRES"). */
enum hc_node_field hc_node_field_find(struct hc_span name);

/* Put a field in a row. Returns what is wrong with it ("'TimeStart' is no time"), or NULL. */
const char *hc_node_field_put(struct hc_node_builder *builder, struct hc_node_row *row,
                              enum hc_node_field field, struct hc_span text);

/* A time as Slurm writes it; HC_MISSING_I64 where none is known. False: it is none. */
bool hc_node_time(struct hc_node_builder *builder, struct hc_span text, int64_t *time_ns,
                  enum hc_time_basis *basis);

/* When a snapshot was taken, unless its lines say so: by its name ("sinfo-20261123T055445Z.txt"),
 * or when the file was written. Warns of the latter. */
void hc_node_snapshot_of_file(struct hc_node_builder *builder);

/* By its first line: "2026-11-23T05:54:45+00:00" of `date -Is`, or "Mon Nov 23 05:54:45 2026" of
 * `sinfo -l`. False: it is none of them. */
bool hc_node_snapshot_of_line(struct hc_node_builder *builder, struct hc_span line);

/* Append a row. Of a snapshot, its time is put. HC_NO_MEMORY only. */
enum hc_status hc_node_row_put(const struct hc_node_builder *builder, const struct hc_node_row *row,
                               struct hc_table *rows, struct hc_error *err);

/* Say how many local times were ambiguous. */
void hc_node_warn_at_end(const struct hc_node_builder *builder);

/* Without the blanks around it. */
struct hc_span hc_node_trim(struct hc_span text);

#endif
