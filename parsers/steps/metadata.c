#include "parsers/steps/metadata.h"

#include "core/base/clock.h"
#include "core/base/digest.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "core/base/printable.h"
#include "core/files/input_file.h"
#include "core/text/number_text.h"
#include "parsers/steps/metadata_reader.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZE    ((size_t)64 << 20)
#define MAX_UNKNOWN 32 /* unknown keys before the file is taken for something else */

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
    KEY_SWITCHES,
    KEY_OP_TYPES,
    KEY_ABSENT_OPS,
    N_KEYS
};

static const char *const key_names[N_KEYS] = {
    [KEY_TRIAL_NAME] = "trial_name", [KEY_RUN_ID] = "run_id",
    [KEY_DP_SIZE] = "dp_size",       [KEY_PP_SIZE] = "pp_size",
    [KEY_TP_SIZE] = "tp_size",       [KEY_DSP_SIZE] = "dsp_size",
    [KEY_VPP_SIZE] = "vpp_size",     [KEY_WORLD_SIZE] = "world_size",
    [KEY_CLUSTER] = "cluster",       [KEY_JOB_ID] = "job_id",
    [KEY_ATTEMPT] = "attempt",       [KEY_START_TIME] = "start_time",
    [KEY_NODES] = "nodes",           [KEY_SWITCHES] = "switches",
    [KEY_OP_TYPES] = "op_types",     [KEY_ABSENT_OPS] = "absent_ops",
};

struct reader {
    struct hc_metadata_reader in; /* where values come from and go */
    int64_t line_of[N_KEYS];      /* 0: not there yet */
    char *trial_name;
    int32_t run_id;
    size_t n_unknown;
    char *unknown[MAX_UNKNOWN];
};

/* ---- values ---- */

static enum hc_status read_start_time(struct hc_metadata_reader *r, struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    int64_t *ns = &r->job->start_unix_ns;
    if (token.kind == HC_YAML_SCALAR && (hc_parse_iso8601(token.text, token.length, ns) ||
                                         hc_text_to_ns(token.text, token.length, ns) == HC_TEXT_OK))
        return HC_OK;
    return hc_metadata_wrong(r, &token, "start_time",
                             "a time with a zone (2026-11-21T09:52:02Z) or Unix seconds", err);
}

/* ---- the whole file ---- */

static enum hc_status read_value(struct reader *r, enum key key, struct hc_error *err)
{
    struct hc_job *job = r->in.job;
    const char *name = key_names[key];
    switch (key) {
    case KEY_TRIAL_NAME:
        return hc_metadata_read_text(&r->in, name, &r->trial_name, err);
    case KEY_RUN_ID:
        return hc_metadata_read_i32(&r->in, name, 0, &r->run_id, err);
    case KEY_DP_SIZE:
        return hc_metadata_read_i32(&r->in, name, 1, &job->dp_size, err);
    case KEY_PP_SIZE:
        return hc_metadata_read_i32(&r->in, name, 1, &job->pp_size, err);
    case KEY_TP_SIZE:
        return hc_metadata_read_i32(&r->in, name, 1, &job->tp_size, err);
    case KEY_DSP_SIZE:
        return hc_metadata_read_i32(&r->in, name, 1, &job->dsp_size, err);
    case KEY_VPP_SIZE:
        return hc_metadata_read_i32(&r->in, name, 1, &job->vpp_size, err);
    case KEY_WORLD_SIZE:
        return hc_metadata_read_i32(&r->in, name, 1, &job->world_size, err);
    case KEY_CLUSTER:
        return hc_metadata_read_text(&r->in, name, &job->cluster, err);
    case KEY_JOB_ID:
        return hc_metadata_read_text(&r->in, name, &job->id, err);
    case KEY_ATTEMPT:
        return hc_metadata_read_i32(&r->in, name, 0, &job->attempt, err);
    case KEY_START_TIME:
        return read_start_time(&r->in, err);
    case KEY_NODES:
        return hc_metadata_read_nodes(&r->in, err);
    case KEY_SWITCHES:
        return hc_metadata_read_switches(&r->in, err);
    case KEY_OP_TYPES:
        return hc_metadata_read_op_types(&r->in, err);
    case KEY_ABSENT_OPS:
        return hc_metadata_read_absent_ops(&r->in, err);
    default:
        return hc_fail(err, HC_INTERNAL, "metadata key %d has no reader", key);
    }
}

static enum hc_status duplicate(const struct reader *r, const struct hc_yaml_token *token,
                                struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': line %lld: key '%s' is there already; remove one of the two", r->in.path,
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
                       r->in.path, (long long)token->line, MAX_UNKNOWN);
    if (!(r->unknown[r->n_unknown] = hc_copy_text(token->text, err)))
        return err->status;
    r->n_unknown++;
    const char *near = hc_nearest(token->text, token->length, key_names, N_KEYS);
    hc_warn("'%s': line %lld: unknown key '%s' is ignored%s%s%s", r->in.path,
            (long long)token->line, hc_printable(token->text, token->length).text,
            near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    return hc_yaml_skip_value(r->in.yaml, err);
}

static enum hc_status read_pair(struct reader *r, const struct hc_yaml_token *token,
                                struct hc_error *err)
{
    if (token->kind != HC_YAML_SCALAR)
        return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: a list or map stands as a key",
                       r->in.path, (long long)token->line);
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
    if (hc_yaml_next(r->in.yaml, &token, err))
        return err->status;
    if (token.kind == HC_YAML_NOTHING)
        return hc_fail(err, HC_BAD_INPUT, "'%s' has no content; 'key: value' lines are expected",
                       r->in.path);
    if (token.kind != HC_YAML_MAP)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': line %lld: 'key: value' lines are expected, not a single value or a "
                       "list",
                       r->in.path, (long long)token.line);
    for (;;) {
        if (hc_yaml_next(r->in.yaml, &token, err))
            return err->status;
        if (token.kind == HC_YAML_END)
            return hc_yaml_finish(r->in.yaml, err);
        if (read_pair(r, &token, err))
            return err->status;
    }
}

static enum hc_status check_world_size(const struct reader *r, struct hc_error *err)
{
    const struct hc_job *job = r->in.job;
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
                   r->in.path, (long long)r->line_of[KEY_WORLD_SIZE], job->world_size, job->dp_size,
                   job->pp_size, job->tp_size, job->dsp_size);
}

/* The digest is that of the bytes that were parsed: the file may be another one by now. */
static enum hc_status settle(struct reader *r, const struct hc_yaml_text *text,
                             struct hc_error *err)
{
    struct hc_job *job = r->in.job;
    if (check_world_size(r, err) || hc_metadata_settle_nodes(&r->in, err))
        return err->status;
    if (!r->line_of[KEY_JOB_ID] && r->trial_name) {
        free(job->id);
        job->id = r->trial_name;
        r->trial_name = NULL;
    }
    if (!r->line_of[KEY_ATTEMPT])
        job->attempt = r->run_id;
    hc_digest_bytes(text->bytes, text->length, job->meta_sha256);
    job->meta_path = hc_copy_text(r->in.path, err);
    return job->meta_path ? HC_OK : err->status;
}

static void release(struct reader *r)
{
    hc_yaml_close(r->in.yaml);
    hc_metadata_nodes_fini(&r->in);
    for (size_t i = 0; i < r->n_unknown; i++)
        free(r->unknown[i]);
    free(r->trial_name);
    free(r);
}

static enum hc_status parse_text(struct hc_job *job, const struct hc_yaml_text *text,
                                 struct hc_error *err)
{
    struct reader *r = hc_new_array(1, sizeof *r, err);
    if (!r)
        return err->status;
    r->in.path = text->name;
    r->in.job = job;
    enum hc_status status = hc_yaml_open(&r->in.yaml, text, err);
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
