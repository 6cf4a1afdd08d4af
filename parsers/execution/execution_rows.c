#include "parsers/execution/execution_rows.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/utf8.h"
#include "core/tables/profile_tables.h"
#include "core/text/collective_op.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- texts ---- */

void hc_et_set_text(struct hc_et_text *to, const char *text, size_t length)
{
    to->length = length < HC_ET_TEXT - 1 ? length : HC_ET_TEXT - 1;
    memcpy(to->text, text, to->length);
    to->text[to->length] = '\0';
    for (char *at = to->text; at < to->text + to->length;) {
        size_t n = hc_utf8_length(at);
        if (n == 0 || (unsigned char)*at < ' ' || *at == 0x7f) {
            *at = '?';
            n = 1;
        }
        at += n;
    }
}

static enum hc_status put_text(const struct hc_execution_rows *rows, const char *dictionary,
                               const char *text, size_t length, int32_t *code, struct hc_error *err)
{
    *code = HC_MISSING_I32;
    for (size_t i = 0; length && i < rows->names->n; i++)
        if (strcmp(rows->names->dictionary[i], dictionary) == 0)
            return hc_text_set_add(&rows->names->set[i], text, length, code, err);
    return HC_OK;
}

void hc_et_node_clear(struct hc_et_node *node)
{
    node->id = node->parent = node->sequence = node->start_ns = node->duration_ns = HC_MISSING_I64;
    node->thread = HC_MISSING_I32;
    node->type = "op";
    node->communicates = false;
    node->name.length = node->op.length = node->group.length = node->description.length =
        node->dtype.length = 0;
    node->group_size = node->in_elements = node->out_elements = node->bytes = HC_MISSING_I64;
    node->source = node->destination = HC_MISSING_I64;
}

/* ---- rows ---- */

enum hc_status hc_execution_rows_init(struct hc_execution_rows *rows,
                                      const struct hc_source *source, struct hc_table_names *names,
                                      struct hc_error *err)
{
    (void)err;
    *rows = (struct hc_execution_rows){.source = source, .names = names};
    return HC_OK;
}

void hc_execution_rows_fini(struct hc_execution_rows *rows)
{
    free(rows->ids);
    free(rows->edges);
    memset(rows, 0, sizeof *rows);
}

static bool has_room(const struct hc_table *table, size_t n)
{
    return table->n_rows + n <= table->capacity;
}

bool hc_execution_rows_have_room(const struct hc_execution_rows *rows, size_t n_dependencies)
{
    return has_room(&rows->tables[HC_EXECUTION_NODES], 1) &&
           has_room(&rows->tables[HC_EXECUTION_COMMS], 1) &&
           has_room(&rows->tables[HC_EXECUTION_DEPENDENCIES], n_dependencies);
}

enum hc_status hc_execution_rows_drop(struct hc_execution_rows *rows, int64_t byte, const char *why,
                                      struct hc_error *err)
{
    rows->n_dropped++;
    rows->report->rows_read++;
    return hc_row_report_bad(rows->report, HC_BAD_NULL, HC_MISSING_I32, err, "byte %lld: %s",
                             (long long)byte, why);
}

static int32_t narrow(int64_t value)
{
    return value >= 0 && value <= INT32_MAX ? (int32_t)value : HC_MISSING_I32;
}

static enum hc_status add_comm(struct hc_execution_rows *rows, const struct hc_et_node *node,
                               struct hc_error *err)
{
    struct hc_table *comms = &rows->tables[HC_EXECUTION_COMMS];
    char op[HC_COLLECTIVE_OP] = "";
    size_t row = comms->n_rows++;
    hc_table_i64(comms, HC_ET_COMMS_NODE)[row] = node->id;
    hc_table_i32(comms, HC_ET_COMMS_THREAD)[row] = node->thread;
    hc_table_i32(comms, HC_ET_COMMS_GROUP_SIZE)[row] = narrow(node->group_size);
    hc_table_i64(comms, HC_ET_COMMS_IN_ELEMENTS)[row] = node->in_elements;
    hc_table_i64(comms, HC_ET_COMMS_OUT_ELEMENTS)[row] = node->out_elements;
    hc_table_i64(comms, HC_ET_COMMS_BYTES)[row] = node->bytes;
    hc_table_i32(comms, HC_ET_COMMS_SOURCE_RANK)[row] = narrow(node->source);
    hc_table_i32(comms, HC_ET_COMMS_DESTINATION_RANK)[row] = narrow(node->destination);
    if (node->op.length)
        hc_collective_op(op, node->op.text, node->op.length);
    rows->n_comms++;
    if (put_text(rows, "collective", op, strlen(op), &hc_table_i32(comms, HC_ET_COMMS_OP)[row],
                 err) ||
        put_text(rows, "group", node->group.text, node->group.length,
                 &hc_table_i32(comms, HC_ET_COMMS_GROUP)[row], err) ||
        put_text(rows, "group_description", node->description.text, node->description.length,
                 &hc_table_i32(comms, HC_ET_COMMS_DESCRIPTION)[row], err))
        return err->status;
    return put_text(rows, "dtype", node->dtype.text, node->dtype.length,
                    &hc_table_i32(comms, HC_ET_COMMS_DTYPE)[row], err);
}

static enum hc_status remember_edge(struct hc_execution_rows *rows, int64_t node, int64_t on,
                                    struct hc_error *err)
{
    if (rows->n_edges == rows->edge_capacity &&
        hc_reserve(&rows->edges, &rows->edge_capacity, rows->n_edges + 1, sizeof *rows->edges, err))
        return err->status;
    rows->edges[rows->n_edges++] = (struct hc_et_edge){node, on};
    return HC_OK;
}

enum hc_status hc_execution_rows_add(struct hc_execution_rows *rows, const struct hc_et_node *node,
                                     struct hc_error *err)
{
    struct hc_table *nodes = &rows->tables[HC_EXECUTION_NODES];
    size_t row = nodes->n_rows++;
    if (rows->n_ids == rows->id_capacity &&
        hc_reserve(&rows->ids, &rows->id_capacity, rows->n_ids + 1, sizeof *rows->ids, err))
        return err->status;
    rows->ids[rows->n_ids++] = node->id;
    rows->n_nodes++;
    rows->report->rows_read++;
    hc_table_i64(nodes, HC_ET_NODES_ID)[row] = node->id;
    hc_table_i64(nodes, HC_ET_NODES_PARENT)[row] = node->parent;
    hc_table_i32(nodes, HC_ET_NODES_THREAD)[row] = node->thread;
    hc_table_i64(nodes, HC_ET_NODES_SEQUENCE)[row] = node->sequence;
    hc_table_i64(nodes, HC_ET_NODES_START_NS)[row] = node->start_ns;
    hc_table_i64(nodes, HC_ET_NODES_DURATION_NS)[row] = node->duration_ns;
    if (put_text(rows, "et_name", node->name.text, node->name.length,
                 &hc_table_i32(nodes, HC_ET_NODES_NAME)[row], err) ||
        put_text(rows, "et_type", node->type, strlen(node->type),
                 &hc_table_i32(nodes, HC_ET_NODES_TYPE)[row], err))
        return err->status;
    if (node->parent != HC_MISSING_I64 && remember_edge(rows, node->id, node->parent, err))
        return err->status;
    return node->communicates ? add_comm(rows, node, err) : HC_OK;
}

enum hc_status hc_execution_rows_depend(struct hc_execution_rows *rows, int64_t node, int64_t on,
                                        bool is_data, struct hc_error *err)
{
    struct hc_table *table = &rows->tables[HC_EXECUTION_DEPENDENCIES];
    size_t row = table->n_rows++;
    hc_table_i64(table, HC_ET_DEPENDENCIES_NODE)[row] = node;
    hc_table_i64(table, HC_ET_DEPENDENCIES_ON)[row] = on;
    hc_table_i32(table, HC_ET_DEPENDENCIES_IS_DATA)[row] = is_data;
    return remember_edge(rows, node, on, err);
}

/* ---- the rank ---- */

/* Where the name ends without what says how it is packed and written. */
static size_t stem_length(const char *name)
{
    static const char *const endings[] = {".gz", ".zst", ".xz", ".json", ".et"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t n = strlen(endings[i]);
        if (length > n && memcmp(name + length - n, endings[i], n) == 0)
            length -= n;
    }
    return length;
}

/* "dlrm_eg_2.json", "trace.2.et", "rank[2].json.gz": the digits at the end, behind what is neither
 * letter nor digit, or behind "rank". */
static bool rank_of_name(const char *path, int32_t *rank)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t end = stem_length(name);
    end -= end > 0 && name[end - 1] == ']';
    size_t start = end;
    while (start > 0 && isdigit((unsigned char)name[start - 1]))
        start--;
    bool is_apart = start == 0 || !isalnum((unsigned char)name[start - 1]) ||
                    (start >= 4 && strncasecmp(name + start - 4, "rank", 4) == 0);
    *rank = 0;
    if (start == end || end - start > 9 || !is_apart)
        return false;
    for (size_t i = start; i < end; i++)
        *rank = *rank * 10 + (name[i] - '0');
    return true;
}

/* ---- the whole ---- */

static int compare_ids(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Place of a node among the sorted ids, or n_ids. */
static size_t find_id(const struct hc_execution_rows *rows, int64_t id)
{
    size_t low = 0, high = rows->n_ids;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rows->n_ids && rows->ids[low] == id ? low : rows->n_ids;
}

static int64_t drop_repeated(struct hc_execution_rows *rows)
{
    size_t n = 0, before = rows->n_ids;
    if (rows->n_ids)
        qsort(rows->ids, rows->n_ids, sizeof *rows->ids, compare_ids);
    for (size_t i = 0; i < before; i++)
        if (n == 0 || rows->ids[n - 1] != rows->ids[i])
            rows->ids[n++] = rows->ids[i];
    rows->n_ids = n;
    return (int64_t)(before - n);
}

/* Edges between places of nodes; those to nodes that are not there are counted and left out. A node
 * that is its own parent is the root of a tree: so PyTorch writes it. */
static int64_t place_edges(struct hc_execution_rows *rows)
{
    int64_t n_missing = 0;
    size_t n = 0;
    for (size_t i = 0; i < rows->n_edges; i++) {
        const struct hc_et_edge edge = rows->edges[i];
        size_t node = find_id(rows, edge.node), on = find_id(rows, edge.on);
        if (node == on)
            continue;
        if (on == rows->n_ids || node == rows->n_ids)
            n_missing++;
        else
            rows->edges[n++] = (struct hc_et_edge){(int64_t)node, (int64_t)on};
    }
    rows->n_edges = n;
    return n_missing;
}

static int compare_edges(const void *a, const void *b)
{
    const struct hc_et_edge *x = a, *y = b;
    return (x->on > y->on) - (x->on < y->on);
}

/* Nodes that hang on nothing, and in turn those that hang on such nodes only, are gone. */
struct peeling {
    uint32_t *degree; /* of each node: what is there of what it hangs on */
    uint32_t *queue;
    uint8_t *is_gone;
};

static void peel(struct hc_execution_rows *rows, struct peeling *p)
{
    size_t n_queued = 0, n = 0;
    if (rows->n_edges)
        qsort(rows->edges, rows->n_edges, sizeof *rows->edges, compare_edges);
    memset(p->degree, 0, rows->n_ids * sizeof *p->degree);
    for (size_t i = 0; i < rows->n_edges; i++)
        p->degree[rows->edges[i].node]++;
    for (size_t i = 0; i < rows->n_ids; i++)
        if (!p->is_gone[i] && !p->degree[i])
            p->queue[n_queued++] = (uint32_t)i;
    for (size_t q = 0; q < n_queued; q++) {
        size_t low = 0, high = rows->n_edges;
        p->is_gone[p->queue[q]] = 1;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (rows->edges[middle].on < p->queue[q])
                low = middle + 1;
            else
                high = middle;
        }
        for (; low < rows->n_edges && rows->edges[low].on == p->queue[q]; low++)
            if (--p->degree[rows->edges[low].node] == 0)
                p->queue[n_queued++] = (uint32_t)rows->edges[low].node;
    }
    /* What is left, turned round: then those on which nothing hangs go. */
    for (size_t i = 0; i < rows->n_edges; i++)
        if (!p->is_gone[rows->edges[i].node] && !p->is_gone[rows->edges[i].on])
            rows->edges[n++] = (struct hc_et_edge){rows->edges[i].on, rows->edges[i].node};
    rows->n_edges = n;
}

static enum hc_status count_cycles(struct hc_execution_rows *rows, int64_t *n_left,
                                   struct hc_error *err)
{
    struct peeling p = {.degree = hc_new_array(rows->n_ids, sizeof *p.degree, err),
                        .queue = hc_new_array(rows->n_ids, sizeof *p.queue, err),
                        .is_gone = hc_new_array(rows->n_ids, 1, err)};
    bool has_room = p.degree && p.queue && p.is_gone;
    *n_left = 0;
    if (has_room) {
        peel(rows, &p);
        peel(rows, &p);
        for (size_t i = 0; i < rows->n_ids; i++)
            *n_left += !p.is_gone[i];
    }
    free(p.degree);
    free(p.queue);
    free(p.is_gone);
    return has_room ? HC_OK : err->status;
}

enum hc_status hc_execution_rows_end(struct hc_execution_rows *rows, bool is_cut,
                                     struct hc_error *err)
{
    struct hc_table *table = &rows->tables[HC_EXECUTION_EXECUTIONS];
    size_t row = table->n_rows++;
    int32_t rank = 0;
    int64_t n_in_cycles;
    bool is_named = rank_of_name(rows->source->name, &rank);
    int64_t n_repeated = drop_repeated(rows), n_missing = place_edges(rows);
    if (count_cycles(rows, &n_in_cycles, err))
        return err->status;
    hc_table_i32(table, HC_EXECUTIONS_RANK)[row] = is_named ? rank : 0;
    hc_table_i32(table, HC_EXECUTIONS_RANK_ORIGIN)[row] =
        is_named ? HC_RANK_OF_NAME : HC_RANK_ALONE;
    hc_table_i64(table, HC_EXECUTIONS_N_NODES)[row] = rows->n_nodes;
    hc_table_i64(table, HC_EXECUTIONS_N_COMMS)[row] = rows->n_comms;
    hc_table_i64(table, HC_EXECUTIONS_N_DROPPED)[row] = rows->n_dropped;
    hc_table_i64(table, HC_EXECUTIONS_N_REPEATED)[row] = n_repeated;
    hc_table_i64(table, HC_EXECUTIONS_N_MISSING_PARENTS)[row] = n_missing;
    hc_table_i64(table, HC_EXECUTIONS_N_IN_CYCLES)[row] = n_in_cycles;
    hc_table_i32(table, HC_EXECUTIONS_IS_CUT)[row] = is_cut;
    rows->is_over = true;
    return put_text(rows, "et_schema", rows->schema.text, rows->schema.length,
                    &hc_table_i32(table, HC_EXECUTIONS_SCHEMA)[row], err);
}
