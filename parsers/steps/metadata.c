#include "parsers/steps/metadata.h"

#include "core/base/clock.h"
#include "core/base/digest.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "core/base/printable.h"
#include "core/files/input_file.h"
#include "core/text/number_text.h"
#include "parsers/steps/metadata_yaml.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZE    ((size_t)64 << 20)
#define MAX_ALIASES 4096
#define MAX_UNKNOWN 32  /* unknown keys before the file is taken for something else */
#define MAX_TEXT    255 /* ids and names become parts of file names */

enum key {
    KEY_TRIAL_NAME,
    KEY_RUN_ID,
    KEY_DP_SIZE,
    KEY_PP_SIZE,
    KEY_TP_SIZE,
    KEY_DSP_SIZE,
    KEY_VPP_SIZE,
    KEY_WORLD_SIZE,
    KEY_CLUSTER,
    KEY_JOB_ID,
    KEY_ATTEMPT,
    KEY_START_TIME,
    KEY_NODES,
    KEY_OP_TYPES,
    N_KEYS
};

static const char *const key_names[N_KEYS] = {
    [KEY_TRIAL_NAME] = "trial_name", [KEY_RUN_ID] = "run_id",
    [KEY_DP_SIZE] = "dp_size",       [KEY_PP_SIZE] = "pp_size",
    [KEY_TP_SIZE] = "tp_size",       [KEY_DSP_SIZE] = "dsp_size",
    [KEY_VPP_SIZE] = "vpp_size",     [KEY_WORLD_SIZE] = "world_size",
    [KEY_CLUSTER] = "cluster",       [KEY_JOB_ID] = "job_id",
    [KEY_ATTEMPT] = "attempt",       [KEY_START_TIME] = "start_time",
    [KEY_NODES] = "nodes",           [KEY_OP_TYPES] = "op_types",
};

/* A node as it was read: where a rank is named twice, the message needs the line. */
struct node_line {
    struct hc_rank_node node;
    int64_t line;
};

struct reader {
    struct hc_yaml *yaml;
    const char *path;
    struct hc_job *job;
    int64_t line_of[N_KEYS]; /* 0: not there yet */
    char *trial_name;
    int32_t run_id;
    size_t n_nodes, nodes_capacity, aliases_capacity;
    struct node_line *nodes;
    size_t n_unknown;
    char *unknown[MAX_UNKNOWN];
};

/* ---- values ---- */

static enum hc_status wrong(const struct reader *r, const struct hc_yaml_token *token,
                            const char *key, const char *wanted, struct hc_error *err)
{
    if (token->kind != HC_YAML_SCALAR)
        return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: %s: %s is expected, not a list or map",
                       r->path, (long long)token->line, key, wanted);
    return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: %s: '%s' is not %s", r->path,
                   (long long)token->line, key, hc_printable(token->text, token->length).text,
                   wanted);
}

static enum hc_status read_i32(struct reader *r, const char *key, int32_t least, int32_t *to,
                               struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    int64_t value = 0;
    if (token.kind != HC_YAML_SCALAR ||
        hc_text_to_i64(token.text, token.length, &value) != HC_TEXT_OK || value < least ||
        value > INT32_MAX)
        return wrong(r, &token, key,
                     least ? "a whole number from 1 to 2147483647"
                           : "a whole number from 0 to 2147483647",
                     err);
    *to = (int32_t)value;
    return HC_OK;
}

/* Of UTF-8 that ends in a NUL: U+0000 to U+001F, U+007F, U+0080 to U+009F. */
static bool is_control(const char *text)
{
    unsigned char first = (unsigned char)text[0], second = first ? (unsigned char)text[1] : 0;
    return first < 0x20 || first == 0x7f || (first == 0xC2 && second >= 0x80 && second < 0xA0);
}

/* A text fit for names: not empty, not too long, no control characters. A value left out in YAML
 * ("key:", "~", "null") is no text. */
static enum hc_status take_text(struct reader *r, const struct hc_yaml_token *token,
                                const char *key, char **to, struct hc_error *err)
{
    static const char wanted[] = "a text of 1 to 255 letters without control characters";
    bool good = token->kind == HC_YAML_SCALAR && token->length > 0 && token->length <= MAX_TEXT &&
                !hc_yaml_is_null(token);
    for (size_t i = 0; good && i < token->length; i++)
        good = !is_control(token->text + i);
    if (!good)
        return wrong(r, token, key, wanted, err);
    char *text = hc_copy_text(token->text, err);
    if (!text)
        return err->status;
    free(*to);
    *to = text;
    return HC_OK;
}

static enum hc_status read_text(struct reader *r, const char *key, char **to, struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    return take_text(r, &token, key, to, err);
}

static enum hc_status read_start_time(struct reader *r, struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    int64_t *ns = &r->job->start_unix_ns;
    if (token.kind == HC_YAML_SCALAR && (hc_parse_iso8601(token.text, token.length, ns) ||
                                         hc_text_to_ns(token.text, token.length, ns) == HC_TEXT_OK))
        return HC_OK;
    return wrong(r, &token, "start_time",
                 "a time with a zone (2026-11-21T09:52:02Z) or Unix seconds", err);
}

/* ---- nodes ---- */

static enum hc_status add_node(struct reader *r, int64_t rank, const struct hc_yaml_token *token,
                               struct hc_error *err)
{
    if (rank > INT32_MAX)
        return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: nodes: more than 2147483647 ranks",
                       r->path, (long long)token->line);
    if (hc_reserve(&r->nodes, &r->nodes_capacity, r->n_nodes + 1, sizeof *r->nodes, err))
        return err->status;
    struct node_line *slot = &r->nodes[r->n_nodes];
    *slot = (struct node_line){.node = {.rank = (int32_t)rank}, .line = token->line};
    if (take_text(r, token, "nodes", &slot->node.node, err))
        return err->status;
    r->n_nodes++;
    return HC_OK;
}

static enum hc_status read_node_list(struct reader *r, struct hc_error *err)
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

static enum hc_status read_node_map(struct reader *r, struct hc_error *err)
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
            return wrong(r, &token, "nodes", "a rank from 0 to 2147483647", err);
        if (hc_yaml_next(r->yaml, &token, err) || add_node(r, rank, &token, err))
            return err->status;
    }
}

static enum hc_status read_nodes(struct reader *r, struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    if (token.kind == HC_YAML_LIST)
        return read_node_list(r, err);
    if (token.kind == HC_YAML_MAP)
        return read_node_map(r, err);
    return wrong(r, &token, "nodes", "a list of nodes, or a map from rank to node", err);
}

static int compare_nodes(const void *a, const void *b)
{
    const struct node_line *x = a, *y = b;
    if (x->node.rank != y->node.rank)
        return x->node.rank < y->node.rank ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* Sort the nodes, check them and hand them to the job. */
static enum hc_status give_nodes(struct reader *r, struct hc_error *err)
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
    const struct node_line *last = &r->nodes[r->n_nodes - 1];
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

/* ---- op types ---- */

static enum hc_status read_op_type(struct reader *r, int *op_type, struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    if (token.kind != HC_YAML_SCALAR)
        return wrong(r, &token, "op_types", "a known op type or 'ignored'", err);
    *op_type = hc_op_type_find(token.text, token.length);
    if (strcmp(token.text, "ignored") == 0)
        *op_type = HC_OP_IGNORED;
    if (*op_type != HC_OP_UNKNOWN)
        return HC_OK;
    const char *known[HC_N_OP_TYPES + 1] = {[HC_N_OP_TYPES] = "ignored"};
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        known[type] = hc_op_type_name(type);
    const char *near = hc_nearest(token.text, token.length, known, HC_N_OP_TYPES + 1);
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': line %lld: op_types: '%s' is not a known op type%s%s%s; name one, or "
                   "'ignored'",
                   r->path, (long long)token.line, hc_printable(token.text, token.length).text,
                   near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

static enum hc_status add_alias(struct reader *r, const struct hc_yaml_token *name,
                                struct hc_error *err)
{
    struct hc_job *job = r->job;
    char *copy = NULL;
    int op_type = HC_OP_UNKNOWN;
    long long line = name->line;
    if (take_text(r, name, "op_types", &copy, err))
        return err->status;
    for (size_t i = 0; i < job->n_aliases; i++)
        if (strcmp(job->aliases[i].name, copy) == 0) {
            hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: op_types: '%s' is there already", r->path,
                    line, hc_printable(copy, strlen(copy)).text);
            goto fail;
        }
    if (job->n_aliases == MAX_ALIASES) {
        hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: op_types: more than %d names", r->path, line,
                MAX_ALIASES);
        goto fail;
    }
    if (read_op_type(r, &op_type, err) || hc_reserve(&job->aliases, &r->aliases_capacity,
                                                     job->n_aliases + 1, sizeof *job->aliases, err))
        goto fail;
    job->aliases[job->n_aliases++] = (struct hc_op_alias){.name = copy, .op_type = op_type};
    return HC_OK;
fail:
    free(copy);
    return err->status;
}

static enum hc_status read_op_types(struct reader *r, struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    if (token.kind != HC_YAML_MAP)
        return wrong(r, &token, "op_types", "a map from names to known op types", err);
    for (;;) {
        if (hc_yaml_next(r->yaml, &token, err))
            return err->status;
        if (token.kind == HC_YAML_END)
            return HC_OK;
        if (add_alias(r, &token, err))
            return err->status;
    }
}

/* ---- the whole file ---- */

static enum hc_status read_value(struct reader *r, enum key key, struct hc_error *err)
{
    struct hc_job *job = r->job;
    const char *name = key_names[key];
    switch (key) {
    case KEY_TRIAL_NAME:
        return read_text(r, name, &r->trial_name, err);
    case KEY_RUN_ID:
        return read_i32(r, name, 0, &r->run_id, err);
    case KEY_DP_SIZE:
        return read_i32(r, name, 1, &job->dp_size, err);
    case KEY_PP_SIZE:
        return read_i32(r, name, 1, &job->pp_size, err);
    case KEY_TP_SIZE:
        return read_i32(r, name, 1, &job->tp_size, err);
    case KEY_DSP_SIZE:
        return read_i32(r, name, 1, &job->dsp_size, err);
    case KEY_VPP_SIZE:
        return read_i32(r, name, 1, &job->vpp_size, err);
    case KEY_WORLD_SIZE:
        return read_i32(r, name, 1, &job->world_size, err);
    case KEY_CLUSTER:
        return read_text(r, name, &job->cluster, err);
    case KEY_JOB_ID:
        return read_text(r, name, &job->id, err);
    case KEY_ATTEMPT:
        return read_i32(r, name, 0, &job->attempt, err);
    case KEY_START_TIME:
        return read_start_time(r, err);
    case KEY_NODES:
        return read_nodes(r, err);
    case KEY_OP_TYPES:
        return read_op_types(r, err);
    default:
        return hc_fail(err, HC_INTERNAL, "metadata key %d has no reader", key);
    }
}

static enum hc_status duplicate(const struct reader *r, const struct hc_yaml_token *token,
                                struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': line %lld: key '%s' is there already; remove one of the two", r->path,
                   (long long)token->line, hc_printable(token->text, token->length).text);
}

static enum hc_status pass_over_unknown(struct reader *r, const struct hc_yaml_token *token,
                                        struct hc_error *err)
{
    for (size_t i = 0; i < r->n_unknown; i++)
        if (strcmp(r->unknown[i], token->text) == 0)
            return duplicate(r, token, err);
    if (r->n_unknown == MAX_UNKNOWN)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': line %lld: more than %d unknown keys; this is no metadata file",
                       r->path, (long long)token->line, MAX_UNKNOWN);
    if (!(r->unknown[r->n_unknown] = hc_copy_text(token->text, err)))
        return err->status;
    r->n_unknown++;
    const char *near = hc_nearest(token->text, token->length, key_names, N_KEYS);
    hc_warn("'%s': line %lld: unknown key '%s' is ignored%s%s%s", r->path, (long long)token->line,
            hc_printable(token->text, token->length).text, near ? " (did you mean '" : "",
            near ? near : "", near ? "'?)" : "");
    return hc_yaml_skip_value(r->yaml, err);
}

static enum hc_status read_pair(struct reader *r, const struct hc_yaml_token *token,
                                struct hc_error *err)
{
    if (token->kind != HC_YAML_SCALAR)
        return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: a list or map stands as a key", r->path,
                       (long long)token->line);
    for (int key = 0; key < N_KEYS; key++) {
        if (strcmp(token->text, key_names[key]) != 0)
            continue;
        if (r->line_of[key])
            return duplicate(r, token, err);
        r->line_of[key] = token->line;
        return read_value(r, key, err);
    }
    return pass_over_unknown(r, token, err);
}

static enum hc_status read_document(struct reader *r, struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    if (token.kind == HC_YAML_NOTHING)
        return hc_fail(err, HC_BAD_INPUT, "'%s' has no content; 'key: value' lines are expected",
                       r->path);
    if (token.kind != HC_YAML_MAP)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': line %lld: 'key: value' lines are expected, not a single value or a "
                       "list",
                       r->path, (long long)token.line);
    for (;;) {
        if (hc_yaml_next(r->yaml, &token, err))
            return err->status;
        if (token.kind == HC_YAML_END)
            return hc_yaml_finish(r->yaml, err);
        if (read_pair(r, &token, err))
            return err->status;
    }
}

static enum hc_status check_world_size(const struct reader *r, struct hc_error *err)
{
    const struct hc_job *job = r->job;
    const int32_t sizes[] = {job->dp_size, job->pp_size, job->tp_size, job->dsp_size};
    int64_t product = 1;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (sizes[i] == HC_MISSING_I32 || job->world_size == HC_MISSING_I32)
            return HC_OK;
        /* A product beyond int32 cannot be the world size. It is kept as it is, since a further
         * factor could overflow. */
        product = product > INT32_MAX ? product : product * sizes[i];
    }
    if (product == job->world_size)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': line %lld: world_size %d is not dp_size %d x pp_size %d x tp_size %d x "
                   "dsp_size %d; correct the one that is wrong",
                   r->path, (long long)r->line_of[KEY_WORLD_SIZE], job->world_size, job->dp_size,
                   job->pp_size, job->tp_size, job->dsp_size);
}

/* The digest is that of the bytes that were parsed: the file may be another one by now. */
static enum hc_status settle(struct reader *r, const struct hc_yaml_text *text,
                             struct hc_error *err)
{
    struct hc_job *job = r->job;
    if (check_world_size(r, err) || give_nodes(r, err))
        return err->status;
    if (!r->line_of[KEY_JOB_ID] && r->trial_name) {
        free(job->id);
        job->id = r->trial_name;
        r->trial_name = NULL;
    }
    if (!r->line_of[KEY_ATTEMPT])
        job->attempt = r->run_id;
    hc_digest_bytes(text->bytes, text->length, job->meta_sha256);
    job->meta_path = hc_copy_text(r->path, err);
    return job->meta_path ? HC_OK : err->status;
}

static void release(struct reader *r)
{
    hc_yaml_close(r->yaml);
    for (size_t i = 0; i < r->n_nodes; i++)
        free(r->nodes[i].node.node);
    for (size_t i = 0; i < r->n_unknown; i++)
        free(r->unknown[i]);
    free(r->nodes);
    free(r->trial_name);
    free(r);
}

static enum hc_status parse_text(struct hc_job *job, const struct hc_yaml_text *text,
                                 struct hc_error *err)
{
    struct reader *r = hc_new_array(1, sizeof *r, err);
    if (!r)
        return err->status;
    r->path = text->name;
    r->job = job;
    enum hc_status status = hc_yaml_open(&r->yaml, text, err);
    if (status == HC_OK)
        status = read_document(r, err);
    if (status == HC_OK)
        status = settle(r, text, err);
    release(r);
    return status;
}

enum hc_status hc_metadata_read(struct hc_job *job, const char *path, const char *fallback_id,
                                struct hc_error *err)
{
    char *bytes = NULL;
    size_t length = 0;
    if (hc_job_init(job, fallback_id, err))
        return err->status;
    enum hc_status status = hc_input_file_load(path, MAX_SIZE, &bytes, &length, err);
    if (status == HC_OK)
        status = parse_text(job, &(struct hc_yaml_text){path, bytes, length}, err);
    free(bytes);
    if (status)
        hc_job_fini(job);
    return status;
}
