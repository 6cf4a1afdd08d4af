/* metadata_nodes.c - where the ranks of a job ran: the node of each, and the switch of each node.
 */
#include "parsers/steps/metadata_reader.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/text/number_text.h"

#include <stdlib.h>
#include <string.h>

/* ---- nodes ---- */

static enum hc_status add_node(struct hc_metadata_reader *r, int64_t rank,
                               const struct hc_yaml_token *token, struct hc_error *err)
{
    if (rank > INT32_MAX)
        return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: nodes: more than 2147483647 ranks",
                       r->path, (long long)token->line);
    if (hc_reserve(&r->nodes, &r->nodes_capacity, r->n_nodes + 1, sizeof *r->nodes, err))
        return err->status;
    struct hc_node_line *slot = &r->nodes[r->n_nodes];
    *slot = (struct hc_node_line){.node = {.rank = (int32_t)rank}, .line = token->line};
    if (hc_metadata_take_text(r, token, "nodes", &slot->node.node, err))
        return err->status;
    r->n_nodes++;
    return HC_OK;
}

static enum hc_status read_node_list(struct hc_metadata_reader *r, struct hc_error *err)
{
    struct hc_yaml_token token;
    for (int64_t rank = 0;; rank++) {
        if (hc_yaml_next(r->yaml, &token, err))
            return err->status;
        if (token.kind == HC_YAML_END)
            return HC_OK;
        if (add_node(r, rank, &token, err))
            return err->status;
    }
}

static enum hc_status read_node_map(struct hc_metadata_reader *r, struct hc_error *err)
{
    struct hc_yaml_token token;
    for (;;) {
        if (hc_yaml_next(r->yaml, &token, err))
            return err->status;
        if (token.kind == HC_YAML_END)
            return HC_OK;
        int64_t rank = 0;
        if (token.kind != HC_YAML_SCALAR ||
            hc_text_to_i64(token.text, token.length, &rank) != HC_TEXT_OK || rank < 0 ||
            rank > INT32_MAX)
            return hc_metadata_wrong(r, &token, "nodes", "a rank from 0 to 2147483647", err);
        if (hc_yaml_next(r->yaml, &token, err) || add_node(r, rank, &token, err))
            return err->status;
    }
}

enum hc_status hc_metadata_read_nodes(struct hc_metadata_reader *r, struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    if (token.kind == HC_YAML_LIST)
        return read_node_list(r, err);
    if (token.kind == HC_YAML_MAP)
        return read_node_map(r, err);
    return hc_metadata_wrong(r, &token, "nodes", "a list of nodes, or a map from rank to node",
                             err);
}

static int compare_nodes(const void *a, const void *b)
{
    const struct hc_node_line *x = a, *y = b;
    if (x->node.rank != y->node.rank)
        return x->node.rank < y->node.rank ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static enum hc_status give_nodes(struct hc_metadata_reader *r, struct hc_error *err)
{
    if (!r->n_nodes)
        return HC_OK;
    qsort(r->nodes, r->n_nodes, sizeof *r->nodes, compare_nodes);
    for (size_t i = 1; i < r->n_nodes; i++)
        if (r->nodes[i].node.rank == r->nodes[i - 1].node.rank)
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': line %lld: nodes: rank %d is there already (line %lld)", r->path,
                           (long long)r->nodes[i].line, r->nodes[i].node.rank,
                           (long long)r->nodes[i - 1].line);
    const struct hc_node_line *last = &r->nodes[r->n_nodes - 1];
    int32_t world_size = r->job->world_size;
    if (world_size != HC_MISSING_I32 && last->node.rank >= world_size)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': line %lld: nodes: rank %d is not below world_size %d", r->path,
                       (long long)last->line, last->node.rank, world_size);
    r->job->nodes = hc_new_array(r->n_nodes, sizeof *r->job->nodes, err);
    if (!r->job->nodes)
        return err->status;
    for (size_t i = 0; i < r->n_nodes; i++)
        r->job->nodes[i] = r->nodes[i].node;
    r->job->n_nodes = r->n_nodes;
    r->n_nodes = 0; /* the names belong to the job now */
    return HC_OK;
}

/* ---- switches ---- */

static enum hc_status add_switch(struct hc_metadata_reader *r, const struct hc_yaml_token *token,
                                 struct hc_error *err)
{
    if (hc_reserve(&r->switches, &r->switches_capacity, r->n_switches + 1, sizeof *r->switches,
                   err))
        return err->status;
    struct hc_switch_line *slot = &r->switches[r->n_switches];
    *slot = (struct hc_switch_line){.code = (int32_t)r->n_switches, .line = token->line};
    if (hc_metadata_take_text(r, token, "switches", &slot->name, err))
        return err->status;
    r->n_switches++;
    return HC_OK;
}

static enum hc_status add_switched(struct hc_metadata_reader *r, const struct hc_yaml_token *token,
                                   struct hc_error *err)
{
    if (hc_reserve(&r->switched, &r->switched_capacity, r->n_switched + 1, sizeof *r->switched,
                   err))
        return err->status;
    struct hc_switched_line *slot = &r->switched[r->n_switched];
    *slot = (struct hc_switched_line){.node = {.switch_code = (int32_t)r->n_switches - 1},
                                      .line = token->line};
    if (hc_metadata_take_text(r, token, "switches", &slot->node.node, err))
        return err->status;
    r->n_switched++;
    return HC_OK;
}

/* The nodes of the switch that came last. */
static enum hc_status read_switched(struct hc_metadata_reader *r, struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    if (token.kind != HC_YAML_LIST)
        return hc_metadata_wrong(r, &token, "switches", "a list of the nodes of each switch", err);
    for (;;) {
        if (hc_yaml_next(r->yaml, &token, err))
            return err->status;
        if (token.kind == HC_YAML_END)
            return HC_OK;
        if (add_switched(r, &token, err))
            return err->status;
    }
}

enum hc_status hc_metadata_read_switches(struct hc_metadata_reader *r, struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    if (token.kind != HC_YAML_MAP)
        return hc_metadata_wrong(r, &token, "switches", "a map from switches to lists of nodes",
                                 err);
    for (;;) {
        if (hc_yaml_next(r->yaml, &token, err))
            return err->status;
        if (token.kind == HC_YAML_END)
            return HC_OK;
        if (add_switch(r, &token, err) || read_switched(r, err))
            return err->status;
    }
}

static int compare_switches(const void *a, const void *b)
{
    const struct hc_switch_line *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static int compare_switched(const void *a, const void *b)
{
    const struct hc_switched_line *x = a, *y = b;
    int order = strcmp(x->node.node, y->node.node);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* Sort the switches and let the nodes have their new codes. */
static enum hc_status number_switches(struct hc_metadata_reader *r, struct hc_error *err)
{
    int32_t *code = hc_new_array(r->n_switches, sizeof *code, err);
    if (!code)
        return err->status;
    qsort(r->switches, r->n_switches, sizeof *r->switches, compare_switches);
    for (size_t i = 0; i < r->n_switches; i++)
        code[r->switches[i].code] = (int32_t)i;
    for (size_t i = 0; i < r->n_switched; i++)
        r->switched[i].node.switch_code = code[r->switched[i].node.switch_code];
    free(code);
    for (size_t i = 1; i < r->n_switches; i++)
        if (strcmp(r->switches[i].name, r->switches[i - 1].name) == 0)
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': line %lld: switches: '%s' is there already (line %lld)", r->path,
                           (long long)r->switches[i].line,
                           hc_printable(r->switches[i].name, strlen(r->switches[i].name)).text,
                           (long long)r->switches[i - 1].line);
    return HC_OK;
}

/* A node hangs at one switch. */
static enum hc_status check_switched(struct hc_metadata_reader *r, struct hc_error *err)
{
    qsort(r->switched, r->n_switched, sizeof *r->switched, compare_switched);
    for (size_t i = 1; i < r->n_switched; i++) {
        const struct hc_switched_line *one = &r->switched[i - 1], *other = &r->switched[i];
        if (strcmp(one->node.node, other->node.node) != 0)
            continue;
        const char *at = r->switches[one->node.switch_code].name;
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': line %lld: switches: node '%s' is at switch '%s' already (line "
                       "%lld); a node is at one switch",
                       r->path, (long long)other->line,
                       hc_printable(other->node.node, strlen(other->node.node)).text,
                       hc_printable(at, strlen(at)).text, (long long)one->line);
    }
    return HC_OK;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Whether a rank ran on that node. */
static bool is_used(const char *const *used, size_t n, const char *node)
{
    return n && bsearch(&node, used, n, sizeof *used, compare_texts);
}

/* Nodes at switches that are none of the job's are well where a topology is that of a whole
 * cluster. They are told when a node of the job is at no switch: one of the two may be misspelt. */
static enum hc_status warn_of_strangers(const struct hc_metadata_reader *r, struct hc_error *err)
{
    const struct hc_job *job = r->job;
    if (!job->n_nodes) {
        hc_warn("'%s': line %lld: switches say nothing without nodes, which name the node of each "
                "rank",
                r->path, (long long)r->switches[0].line);
        return HC_OK;
    }
    const char **used = hc_new_array(job->n_nodes, sizeof *used, err), *lonely = NULL;
    if (!used)
        return err->status;
    for (size_t i = 0; i < job->n_nodes; i++) {
        used[i] = job->nodes[i].node;
        if (!lonely && hc_job_switch(job, used[i]) < 0)
            lonely = used[i];
    }
    qsort(used, job->n_nodes, sizeof *used, compare_texts);
    for (size_t i = 0; lonely && i < job->n_switched; i++) {
        const char *node = job->switched[i].node;
        if (is_used(used, job->n_nodes, node))
            continue;
        hc_warn("'%s': node '%s' of nodes is at none of the switches, which name '%s', where no "
                "rank ran; is one of the two misspelt?",
                r->path, hc_printable(lonely, strlen(lonely)).text,
                hc_printable(node, strlen(node)).text);
        lonely = NULL;
    }
    free(used);
    return HC_OK;
}

static enum hc_status give_switches(struct hc_metadata_reader *r, struct hc_error *err)
{
    struct hc_job *job = r->job;
    if (!r->n_switches)
        return HC_OK;
    if (number_switches(r, err) || check_switched(r, err))
        return err->status;
    job->switches = hc_new_array(r->n_switches, sizeof *job->switches, err);
    job->switched = hc_new_array(r->n_switched, sizeof *job->switched, err);
    if (!job->switches || !job->switched)
        return err->status;
    for (; job->n_switches < r->n_switches; job->n_switches++)
        job->switches[job->n_switches] = r->switches[job->n_switches].name;
    for (; job->n_switched < r->n_switched; job->n_switched++)
        job->switched[job->n_switched] = r->switched[job->n_switched].node;
    r->n_switches = r->n_switched = 0; /* the names belong to the job now */
    return warn_of_strangers(r, err);
}

/* ---- both ---- */

enum hc_status hc_metadata_settle_nodes(struct hc_metadata_reader *r, struct hc_error *err)
{
    return give_nodes(r, err) ? err->status : give_switches(r, err);
}

void hc_metadata_nodes_fini(struct hc_metadata_reader *r)
{
    for (size_t i = 0; i < r->n_nodes; i++)
        free(r->nodes[i].node.node);
    for (size_t i = 0; i < r->n_switches; i++)
        free(r->switches[i].name);
    for (size_t i = 0; i < r->n_switched; i++)
        free(r->switched[i].node.node);
    free(r->nodes);
    free(r->switches);
    free(r->switched);
}
