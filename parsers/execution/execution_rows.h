/* execution_rows.h - the rows of an execution trace, put together node by node by any reader; and
 * what is counted of the whole: parents that are missing, cycles. Of each node 16 bytes are held
 * for that, of each dependency 8. Private to this wing. */
#ifndef HC_PARSERS_EXECUTION_EXECUTION_ROWS_H
#define HC_PARSERS_EXECUTION_EXECUTION_ROWS_H

#include "core/tables/execution/execution_tables.h"
#include "core/tables/row_report.h"
#include "parsers/io/format.h"

#include <stdbool.h>

#define HC_ET_TEXT 512

/* A text that is kept cut to fit, cleaned of what no text holds. */
struct hc_et_text {
    char text[HC_ET_TEXT];
    size_t length; /* 0: none */
};
void hc_et_set_text(struct hc_et_text *to, const char *text, size_t length);

/* A node under way. Missing where nothing says it. */
struct hc_et_node {
    int64_t id, parent, sequence, start_ns, duration_ns;
    int32_t thread;
    struct hc_et_text name;
    const char *type;
    bool communicates;
    struct hc_et_text op, group, description, dtype;
    int64_t group_size, in_elements, out_elements, bytes, source, destination;
};
void hc_et_node_clear(struct hc_et_node *node);

struct hc_et_edge {
    int64_t node, on;
};

struct hc_execution_rows {
    const struct hc_source *source;
    struct hc_table_names *names;
    struct hc_table *tables; /* of the batch */
    struct hc_row_report *report;
    struct hc_et_text schema;
    size_t n_ids, id_capacity, n_edges, edge_capacity;
    int64_t *ids;
    struct hc_et_edge *edges;
    int64_t n_nodes, n_comms, n_dropped;
    bool is_over;
};

enum hc_status hc_execution_rows_init(struct hc_execution_rows *rows,
                                      const struct hc_source *source, struct hc_table_names *names,
                                      struct hc_error *err);
void hc_execution_rows_fini(struct hc_execution_rows *rows);

/* Whether the tables have room for a node with n dependencies. */
bool hc_execution_rows_have_room(const struct hc_execution_rows *rows, size_t n_dependencies);

/* A node that is none, or has no number: counted. */
enum hc_status hc_execution_rows_drop(struct hc_execution_rows *rows, int64_t byte, const char *why,
                                      struct hc_error *err);
/* The node is whole. */
enum hc_status hc_execution_rows_add(struct hc_execution_rows *rows, const struct hc_et_node *node,
                                     struct hc_error *err);
/* It waits for another one, beside its parent. */
enum hc_status hc_execution_rows_depend(struct hc_execution_rows *rows, int64_t node, int64_t on,
                                        bool is_data, struct hc_error *err);
/* After the last node: the row of `executions`. */
enum hc_status hc_execution_rows_end(struct hc_execution_rows *rows, bool is_cut,
                                     struct hc_error *err);

#endif
