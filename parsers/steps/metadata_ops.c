/* metadata_ops.c - the ops of a timeline: names that stand for known op types, and op types that
 * the job does not have. */
#include "parsers/steps/metadata_reader.h"

#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "core/base/printable.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ALIASES 4096

/* ---- names that stand for op types ---- */

/* Say which known op type a word is next to. Under op_types 'ignored' is known, too. */
static enum hc_status unknown_op_type(const struct hc_metadata_reader *r,
                                      const struct hc_yaml_token *token, const char *key,
                                      struct hc_error *err)
{
    bool may_ignore = strcmp(key, "op_types") == 0;
    const char *known[HC_N_OP_TYPES + 1] = {[HC_N_OP_TYPES] = "ignored"};
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        known[type] = hc_op_type_name(type);
    const char *near =
        hc_nearest(token->text, token->length, known, (size_t)HC_N_OP_TYPES + may_ignore);
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': line %lld: %s: '%s' is not a known op type%s%s%s; name one%s", r->path,
                   (long long)token->line, key, hc_printable(token->text, token->length).text,
                   near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "",
                   may_ignore ? ", or 'ignored'" : "");
}

static enum hc_status read_op_type(struct hc_metadata_reader *r, int *op_type, struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    if (token.kind != HC_YAML_SCALAR)
        return hc_metadata_wrong(r, &token, "op_types", "a known op type or 'ignored'", err);
    *op_type = hc_op_type_find(token.text, token.length);
    if (strcmp(token.text, "ignored") == 0)
        *op_type = HC_OP_IGNORED;
    return *op_type == HC_OP_UNKNOWN ? unknown_op_type(r, &token, "op_types", err) : HC_OK;
}

static enum hc_status add_alias(struct hc_metadata_reader *r, const struct hc_yaml_token *name,
                                struct hc_error *err)
{
    struct hc_job *job = r->job;
    char *copy = NULL;
    int op_type = HC_OP_UNKNOWN;
    long long line = name->line;
    if (hc_metadata_take_text(r, name, "op_types", &copy, err))
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

enum hc_status hc_metadata_read_op_types(struct hc_metadata_reader *r, struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    if (token.kind != HC_YAML_MAP)
        return hc_metadata_wrong(r, &token, "op_types", "a map from names to known op types", err);
    for (;;) {
        if (hc_yaml_next(r->yaml, &token, err))
            return err->status;
        if (token.kind == HC_YAML_END)
            return HC_OK;
        if (add_alias(r, &token, err))
            return err->status;
    }
}

/* ---- op types that the job does not have ---- */

enum hc_status hc_metadata_read_absent_ops(struct hc_metadata_reader *r, struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    if (token.kind != HC_YAML_LIST)
        return hc_metadata_wrong(r, &token, "absent_ops", "a list of known op types", err);
    for (;;) {
        if (hc_yaml_next(r->yaml, &token, err))
            return err->status;
        if (token.kind == HC_YAML_END)
            return HC_OK;
        if (token.kind != HC_YAML_SCALAR)
            return hc_metadata_wrong(r, &token, "absent_ops", "a known op type", err);
        int op_type = hc_op_type_find(token.text, token.length);
        if (op_type == HC_OP_UNKNOWN)
            return unknown_op_type(r, &token, "absent_ops", err);
        if (hc_op_is_pass(op_type) || hc_op_is_p2p(op_type))
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': line %lld: absent_ops: '%s' cannot be declared: without passes "
                           "nothing can be replayed, and a job with one stage has no transfers to "
                           "begin with",
                           r->path, (long long)token.line, hc_op_type_name(op_type));
        if (r->job->absent_ops >> op_type & 1)
            return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: absent_ops: '%s' is there already",
                           r->path, (long long)token.line, hc_op_type_name(op_type));
        r->job->absent_ops |= 1u << op_type;
    }
}
