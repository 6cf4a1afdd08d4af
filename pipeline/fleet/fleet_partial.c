#include "pipeline/fleet/fleet_partial.h"

#include "core/base/memory.h"
#include "core/files/sealed_json.h"
#include "core/text/number_format.h"
#include "pipeline/fleet/fleet_row_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "hindcast-fleet-partial"
#define MAJOR  1
#define MINOR  1 /* 1.1: fates "damaged" and "no_memory" */

void hc_fleet_partial_fini(struct hc_fleet_partial *partial)
{
    for (size_t i = 0; i < partial->n_rows; i++)
        hc_fleet_row_fini(&partial->rows[i]);
    free(partial->rows);
    free(partial->archive);
    free(partial->inputs);
    free(partial->options);
    memset(partial, 0, sizeof *partial);
}

/* ---- writing ---- */

static void write_members(struct hc_json_writer *json, const struct hc_fleet_partial *partial)
{
    hc_json_text(json, "schema", SCHEMA);
    hc_json_i32(json, "major", MAJOR);
    hc_json_i32(json, "minor", MINOR);
    hc_json_text(json, "hindcast", HC_VERSION);
    hc_json_i32(json, "shard", partial->shard.index);
    hc_json_i32(json, "n_shards", partial->shard.n);
    hc_json_text(json, "archive", partial->archive);
    hc_json_text(json, "segments_sha256", partial->segments_sha256);
    hc_json_i64(json, "n_jobs", partial->n_jobs);
    hc_json_text(json, "inputs", partial->inputs);
    hc_json_text(json, "options", partial->options);
    hc_json_i32(json, "max_attempts", partial->limits.max_attempts);
    hc_json_i32(json, "min_steps", partial->limits.min_steps);
    hc_json_real(json, "max_discrepancy", partial->limits.max_discrepancy);
    hc_json_array(json, "rows");
    for (size_t i = 0; i < partial->n_rows; i++)
        hc_fleet_row_write(json, NULL, &partial->rows[i]);
    hc_json_end(json);
}

enum hc_status hc_fleet_partial_write(FILE *stream, const struct hc_fleet_partial *partial,
                                      struct hc_error *err)
{
    struct hc_json_writer json;
    char *document = NULL, *sealed = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&document, &length);
    if (!memory)
        return hc_fail_memory(err, 0);
    hc_json_start(&json, memory, 2);
    hc_json_object(&json, NULL);
    write_members(&json, partial);
    hc_json_end(&json);
    enum hc_status status = hc_json_finish(&json, "memory", err);
    if (fclose(memory) && status == HC_OK)
        status = hc_fail_memory(err, length);
    if (status == HC_OK && !(sealed = hc_sealed_json(document, err)))
        status = err->status;
    if (status == HC_OK && fputs(sealed, stream) == EOF)
        status = hc_fail_errno(err, "cannot write", "a partial");
    free(document);
    free(sealed);
    return status;
}

/* ---- reading ---- */

static enum hc_status bad(const char *key, struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT, "'%s' is missing, or not what a partial has", key);
}

static enum hc_status get_text(char **to, const json_t *root, const char *key, struct hc_error *err)
{
    const char *text = json_string_value(json_object_get(root, key));
    if (!text)
        return bad(key, err);
    *to = hc_copy_text(text, err);
    return *to ? HC_OK : err->status;
}

static enum hc_status get_i32(int32_t *to, const json_t *root, const char *key, int32_t least,
                              struct hc_error *err)
{
    const json_t *value = json_object_get(root, key);
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < least || number > INT32_MAX)
        return bad(key, err);
    *to = (int32_t)number;
    return HC_OK;
}

static enum hc_status check_version(const json_t *root, struct hc_error *err)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    int32_t major = 0, minor = 0;
    if (!schema || strcmp(schema, SCHEMA) != 0)
        return hc_fail(err, HC_BAD_INPUT, "it is no partial of 'whatif --all --shard'");
    if (get_i32(&major, root, "major", 0, err) || get_i32(&minor, root, "minor", 0, err))
        return err->status;
    if (major != MAJOR || minor > MINOR)
        return hc_fail(err, HC_BAD_INPUT,
                       "it is of version %d.%d, and this hindcast reads %d.%d; make it again, or "
                       "use the hindcast that made it",
                       (int)major, (int)minor, MAJOR, MINOR);
    return HC_OK;
}

static enum hc_status read_header(struct hc_fleet_partial *partial, const json_t *root,
                                  struct hc_error *err)
{
    const char *digest = json_string_value(json_object_get(root, "segments_sha256"));
    const json_t *n_jobs = json_object_get(root, "n_jobs");
    const json_t *discrepancy = json_object_get(root, "max_discrepancy");
    if (get_i32(&partial->shard.index, root, "shard", 1, err) ||
        get_i32(&partial->shard.n, root, "n_shards", partial->shard.index, err) ||
        get_text(&partial->archive, root, "archive", err) ||
        get_text(&partial->inputs, root, "inputs", err) ||
        get_text(&partial->options, root, "options", err) ||
        get_i32(&partial->limits.max_attempts, root, "max_attempts", 0, err) ||
        get_i32(&partial->limits.min_steps, root, "min_steps", 0, err))
        return err->status;
    if (!digest || strlen(digest) != HC_DIGEST_TEXT - 1)
        return bad("segments_sha256", err);
    if (!json_is_integer(n_jobs) || json_integer_value(n_jobs) < 0)
        return bad("n_jobs", err);
    if (!json_is_number(discrepancy))
        return bad("max_discrepancy", err);
    memcpy(partial->segments_sha256, digest, HC_DIGEST_TEXT);
    partial->n_jobs = json_integer_value(n_jobs);
    partial->limits.max_discrepancy = json_number_value(discrepancy);
    return HC_OK;
}

static enum hc_status read_rows(struct hc_fleet_partial *partial, const json_t *root,
                                struct hc_error *err)
{
    const json_t *rows = json_object_get(root, "rows");
    size_t n = json_array_size(rows);
    if (!json_is_array(rows))
        return bad("rows", err);
    partial->rows = hc_new_array(n, sizeof *partial->rows, err);
    if (!partial->rows)
        return err->status;
    for (size_t i = 0; i < n; i++) {
        if (hc_fleet_row_read(&partial->rows[i], json_array_get(rows, i), err))
            return hc_context(err, "row %zu", i);
        partial->n_rows++;
    }
    return HC_OK;
}

enum hc_status hc_fleet_partial_read(struct hc_fleet_partial *partial, const char *path,
                                     struct hc_error *err)
{
    json_error_t why;
    char *text = NULL;
    size_t length = 0;
    memset(partial, 0, sizeof *partial);
    if (hc_sealed_json_read(path, &text, &length, err))
        return err->status;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    free(text);
    enum hc_status status = HC_OK;
    if (!root && (json_error_code(&why) == json_error_out_of_memory || !*why.text))
        status = hc_fail_memory(err, length);
    else if (!root)
        status = hc_fail(err, HC_BAD_INPUT, "'%s': line %d: %s", path, why.line, why.text);
    else if (check_version(root, err) || read_header(partial, root, err) ||
             read_rows(partial, root, err))
        status = hc_context(err, "'%s'", path);
    json_decref(root);
    if (status)
        hc_fleet_partial_fini(partial);
    return status;
}

/* ---- comparing ---- */

static bool same_limits(const struct hc_fleet_limits *a, const struct hc_fleet_limits *b)
{
    return a->max_attempts == b->max_attempts && a->min_steps == b->min_steps &&
           a->max_discrepancy == b->max_discrepancy;
}

static enum hc_status fail_limits(const struct hc_fleet_limits *a, const struct hc_fleet_limits *b,
                                  struct hc_error *err)
{
    char x[HC_NUMBER_TEXT], y[HC_NUMBER_TEXT];
    return hc_fail(
        err, HC_BAD_INPUT,
        "their limits differ: --max-attempts %d --min-steps %d --max-discrepancy %s, and "
        "%d, %d, %s",
        (int)a->max_attempts, (int)a->min_steps, hc_format_real(a->max_discrepancy, x),
        (int)b->max_attempts, (int)b->min_steps, hc_format_real(b->max_discrepancy, y));
}

enum hc_status hc_fleet_partial_match(const struct hc_fleet_partial *a,
                                      const struct hc_fleet_partial *b, struct hc_error *err)
{
    if (a->shard.n != b->shard.n)
        return hc_fail(err, HC_BAD_INPUT, "one is of %d shards, the other of %d", (int)a->shard.n,
                       (int)b->shard.n);
    if (strcmp(a->segments_sha256, b->segments_sha256) != 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "they are of different archives, or something was ingested in between "
                       "('%s' with segments %.12s..., '%s' with %.12s...)",
                       a->archive, a->segments_sha256, b->archive, b->segments_sha256);
    if (strcmp(a->inputs, b->inputs) != 0)
        return hc_fail(err, HC_BAD_INPUT, "their options or methods differ: '%s' and '%s'",
                       a->inputs, b->inputs);
    if (!same_limits(&a->limits, &b->limits))
        return fail_limits(&a->limits, &b->limits, err);
    if (a->n_jobs != b->n_jobs)
        return hc_fail(err, HC_BAD_INPUT, "one says %" PRId64 " jobs in all, the other %" PRId64,
                       a->n_jobs, b->n_jobs);
    return HC_OK;
}

bool hc_fleet_partial_is_done(const struct hc_fleet_partial *there,
                              const struct hc_fleet_partial *wanted)
{
    struct hc_error why;
    if (there->shard.index != wanted->shard.index ||
        hc_fleet_partial_match(there, wanted, &why) != HC_OK ||
        strcmp(there->archive, wanted->archive) != 0 ||
        strcmp(there->options, wanted->options) != 0)
        return false;
    for (size_t i = 0; i < there->n_rows; i++)
        if (hc_fleet_is_lacking(there->rows[i].fate))
            return false;
    return true;
}
