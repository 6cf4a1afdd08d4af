#include "pipeline/fleet/fleet_partial.h"

#include "core/base/memory.h"
#include "core/files/sealed_json.h"
#include "core/text/number_format.h"
#include "pipeline/fleet/fleet_row_json.h"
#include "pipeline/fleet/partial_record.h"
#include "pipeline/records/record_read.h"
#include "pipeline/records/sealed_record.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void hc_fleet_partial_fini(struct hc_fleet_partial *partial)
{
    for (size_t i = 0; i < partial->n_rows; i++)
        hc_fleet_row_fini(&partial->rows[i]);
    free(partial->rows);
    free(partial->archive);
    free(partial->inputs);
    free(partial->options);
    free(partial->command);
    memset(partial, 0, sizeof *partial);
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

static enum hc_status read_version(const json_t *root, struct hc_error *err)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    struct hc_partial_file file;
    if (!schema || strcmp(schema, HC_PARTIAL_SCHEMA) != 0)
        return hc_fail(err, HC_BAD_INPUT, "it is no partial of 'whatif --all --shard'");
    if (hc_record_read(&hc_partial_version_record, root, &file, err))
        return err->status;
    if (file.major < 0 || file.minor < 0)
        return bad(file.major < 0 ? "major" : "minor", err);
    if (file.major != HC_PARTIAL_MAJOR || file.minor > HC_PARTIAL_MINOR)
        return hc_fail(err, HC_BAD_INPUT,
                       "it is of version %d.%d, and this hindcast reads %d.%d; make it again, or "
                       "use the hindcast that made it",
                       (int)file.major, (int)file.minor, HC_PARTIAL_MAJOR, HC_PARTIAL_MINOR);
    return HC_OK;
}

/* Whether what was read can be: a number that is not known, or is missing, is below any limit. */
static enum hc_status check_header(const struct hc_fleet_partial *partial, struct hc_error *err)
{
    const struct {
        const char *key;
        bool is_right;
    } checks[] = {
        {"shard", partial->shard.index >= 1},
        {"n_shards", partial->shard.n >= partial->shard.index},
        {"segments_sha256", strlen(partial->segments_sha256) == HC_DIGEST_TEXT - 1},
        {"n_jobs", partial->n_jobs >= 0},
        {"max_attempts", partial->limits.max_attempts >= 0},
        {"min_steps", partial->limits.min_steps >= 0},
        {"max_discrepancy", !isnan(partial->limits.max_discrepancy)},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (!checks[i].is_right)
            return bad(checks[i].key, err);
    return HC_OK;
}

static enum hc_status read_header(struct hc_fleet_partial *partial, const json_t *root,
                                  struct hc_error *err)
{
    struct hc_partial_file file = {.partial = {.n_rows = 0}};
    if (hc_record_read(&hc_partial_rest_record, root, &file, err) ||
        check_header(&file.partial, err))
        return err->status;
    *partial = file.partial;
    if (get_text(&partial->archive, root, "archive", err) ||
        get_text(&partial->inputs, root, "inputs", err) ||
        get_text(&partial->options, root, "options", err) ||
        get_text(&partial->command, root, "command", err))
        return err->status;
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

/* path: for messages. */
static enum hc_status read_text(struct hc_fleet_partial *partial, const char *text, size_t length,
                                const char *path, struct hc_error *err)
{
    json_error_t why;
    memset(partial, 0, sizeof *partial);
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    enum hc_status status = HC_OK;
    if (!root && (json_error_code(&why) == json_error_out_of_memory || !*why.text))
        status = hc_fail_memory(err, length);
    else if (!root)
        status = hc_fail(err, HC_BAD_INPUT, "'%s': line %d: %s", path, why.line, why.text);
    else if (read_version(root, err) || read_header(partial, root, err) ||
             read_rows(partial, root, err))
        status = hc_context(err, "'%s'", path);
    json_decref(root);
    if (status)
        hc_fleet_partial_fini(partial);
    return status;
}

enum hc_status hc_fleet_partial_read(struct hc_fleet_partial *partial, const char *path,
                                     struct hc_error *err)
{
    char *text = NULL;
    size_t length = 0;
    memset(partial, 0, sizeof *partial);
    if (hc_sealed_json_read(path, &text, &length, err))
        return err->status;
    enum hc_status status = read_text(partial, text, length, path, err);
    free(text);
    return status;
}

/* ---- writing ---- */

/* Read the text that is to be written once more: a partial that lost rows would make a false sum.
 */
static enum hc_status check_text(const struct hc_fleet_partial *partial, const char *text,
                                 struct hc_error *err)
{
    struct hc_fleet_partial again;
    if (read_text(&again, text, strlen(text), "a partial", err))
        return err->status;
    bool is_whole = again.n_rows == partial->n_rows;
    hc_fleet_partial_fini(&again);
    return is_whole ? HC_OK
                    : hc_fail(err, HC_INTERNAL, "internal error: a partial would lose rows");
}

enum hc_status hc_fleet_partial_write(FILE *stream, const struct hc_fleet_partial *partial,
                                      struct hc_error *err)
{
    const struct hc_partial_file file = {HC_PARTIAL_SCHEMA, HC_PARTIAL_MAJOR, HC_PARTIAL_MINOR,
                                         HC_VERSION, *partial};
    char *text = hc_sealed_record(&hc_partial_file_record, &file, err);
    enum hc_status status = text ? check_text(partial, text, err) : err->status;
    if (status == HC_OK && fputs(text, stream) == EOF)
        status = hc_fail_errno(err, "cannot write", "a partial");
    free(text);
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
    if (strcmp(a->options, b->options) != 0)
        return hc_fail(err, HC_BAD_INPUT, "their options differ: '%s' and '%s'", a->options,
                       b->options);
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
