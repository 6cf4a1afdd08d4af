#include "pipeline/night/night_document.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/files/input_file.h"
#include "core/files/outfile.h"
#include "models/account/tree/leaf_choice.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_NS ((int64_t)86400 * 1000000000)

static enum hc_status wrong(const char *path, const char *key, struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': /%s is missing or wrong: give a document that 'hindcast report nightly "
                   "--json' wrote",
                   path, key);
}

static enum hc_status wrong_run(const char *path, const char *key, struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': /%s is missing or wrong: give a document that 'hindcast report run "
                   "--json' wrote",
                   path, key);
}

static bool read_day(const json_t *value, int64_t *day)
{
    char full[64];
    int64_t ns;
    if (!json_is_string(value) || json_string_length(value) != 10)
        return false;
    snprintf(full, sizeof full, "%sT00:00:00Z", json_string_value(value));
    if (!hc_parse_iso8601(full, strlen(full), &ns))
        return false;
    *day = ns / DAY_NS;
    return true;
}

static bool find_leaf(const json_t *row, enum hc_what *what, enum hc_why *why)
{
    const char *name = json_string_value(json_object_get(row, "what"));
    const char *reason = json_string_value(json_object_get(row, "why"));
    *what = HC_WHAT_COUNT;
    *why = HC_WHY_COUNT;
    for (int i = 0; name && i < HC_WHAT_COUNT; i++)
        if (strcmp(hc_what_name((enum hc_what)i), name) == 0)
            *what = (enum hc_what)i;
    for (int i = 0; reason && i < HC_WHY_COUNT; i++)
        if (strcmp(hc_why_name((enum hc_why)i), reason) == 0)
            *why = (enum hc_why)i;
    return *what != HC_WHAT_COUNT && (!reason || *why != HC_WHY_COUNT);
}

static enum hc_status read_leaves(struct hc_compared_side *side, const json_t *leaves,
                                  const char *path, struct hc_error *err)
{
    if (!json_is_array(leaves))
        return wrong(path, "leaves", err);
    for (size_t i = 0; i < json_array_size(leaves); i++) {
        const json_t *row = json_array_get(leaves, i);
        const json_t *hours = json_object_get(row, "gpu_hours");
        enum hc_what what;
        enum hc_why why;
        if (!find_leaf(row, &what, &why) || !json_is_number(hours))
            return wrong(path, "leaves", err);
        double value = json_number_value(hours);
        if (why != HC_WHY_COUNT) {
            if (hc_leaf_choice_has("lost", what, why))
                side->sum.hours[HC_COMPARED_LOST] += value;
            continue;
        }
        side->sum.hours[what] = value;
        if (hc_what_goodput(what) == HC_GOODPUT_PRODUCTIVE)
            side->sum.hours[HC_COMPARED_PRODUCTIVE] += value;
    }
    return HC_OK;
}

static enum hc_status read_days(struct hc_night_document *document, const json_t *days,
                                const char *path, struct hc_error *err)
{
    if (!json_is_array(days))
        return wrong(path, "days", err);
    document->days = hc_new_array(json_array_size(days), sizeof *document->days, err);
    if (!document->days)
        return err->status;
    for (size_t i = 0; i < json_array_size(days); i++) {
        const json_t *row = json_array_get(days, i);
        struct hc_compared_day *day = &document->days[document->n_days];
        for (int w = 0; w < HC_N_COMPARED; w++)
            day->hours[w] = NAN;
        if (!read_day(json_object_get(row, "day"), &day->day) ||
            !json_is_number(json_object_get(row, "gpu_hours")) ||
            !json_is_number(json_object_get(row, "productive")))
            return wrong(path, "days", err);
        day->held = json_number_value(json_object_get(row, "gpu_hours"));
        day->hours[HC_COMPARED_PRODUCTIVE] = json_number_value(json_object_get(row, "productive"));
        document->n_days++;
    }
    return HC_OK;
}

static enum hc_status read_document(struct hc_night_document *document, const json_t *root,
                                    const char *path, struct hc_error *err)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    const json_t *totals = json_object_get(root, "totals");
    struct hc_compared_side *side = &document->side;
    if (!schema || strcmp(schema, "hindcast-nightly") != 0)
        return wrong(path, "schema", err);
    if (!json_is_integer(json_object_get(root, "schema_major")) ||
        !json_is_integer(json_object_get(root, "schema_minor")))
        return wrong(path, "schema_major", err);
    document->major = json_integer_value(json_object_get(root, "schema_major"));
    document->minor = json_integer_value(json_object_get(root, "schema_minor"));
    const char *site = json_string_value(json_object_get(root, "site_sha256"));
    if (site)
        snprintf(document->site_sha256, sizeof document->site_sha256, "%s", site);
    if (!read_day(json_object_get(totals, "first_day"), &side->first_day) ||
        !read_day(json_object_get(totals, "last_day"), &side->last_day) ||
        !json_is_number(json_object_get(totals, "gpu_hours")))
        return wrong(path, "totals", err);
    side->sum.held = json_number_value(json_object_get(totals, "gpu_hours"));
    side->is_provisional = json_is_true(json_object_get(totals, "is_provisional"));
    return read_leaves(side, json_object_get(root, "leaves"), path, err) ||
                   read_days(document, json_object_get(root, "days"), path, err)
               ? err->status
               : HC_OK;
}

/* ---- documents of runs ---- */

static enum hc_status read_run_leaves(struct hc_compared_side *side, const json_t *leaves,
                                      const char *path, struct hc_error *err)
{
    if (!json_is_array(leaves))
        return wrong_run(path, "leaves", err);
    side->sum.hours[HC_COMPARED_LOST] = NAN;
    for (size_t i = 0; i < json_array_size(leaves); i++) {
        const json_t *row = json_array_get(leaves, i);
        const json_t *hours = json_object_get(row, "gpu_hours");
        enum hc_what what;
        enum hc_why why;
        if (!find_leaf(row, &what, &why) || !json_is_number(hours))
            return wrong_run(path, "leaves", err);
        side->sum.hours[what] = json_number_value(hours);
        if (hc_what_goodput(what) == HC_GOODPUT_PRODUCTIVE)
            side->sum.hours[HC_COMPARED_PRODUCTIVE] += json_number_value(hours);
    }
    return HC_OK;
}

static enum hc_status read_ettrs(struct hc_compared_run *run, const json_t *ettrs, const char *path,
                                 struct hc_error *err)
{
    if (!json_is_array(ettrs))
        return wrong_run(path, "ettr", err);
    for (int e = 0; e < HC_N_ETTRS; e++)
        run->ettr[e] = NAN;
    for (size_t i = 0; i < json_array_size(ettrs); i++) {
        const json_t *row = json_array_get(ettrs, i), *value = json_object_get(row, "value");
        const char *name = json_string_value(json_object_get(row, "name"));
        if (!name || !(json_is_number(value) || json_is_null(value)))
            return wrong_run(path, "ettr", err);
        for (int e = 0; e < HC_N_ETTRS; e++)
            if (strcmp(hc_ettr_name((enum hc_ettr)e), name) == 0 && json_is_number(value))
                run->ettr[e] = json_number_value(value);
    }
    return HC_OK;
}

/* The day of a time such as "2026-03-01T05:00:00Z". */
static bool read_time(const json_t *value, int64_t *day)
{
    int64_t ns;
    if (!json_is_string(value) ||
        !hc_parse_iso8601(json_string_value(value), json_string_length(value), &ns))
        return false;
    *day = ns / DAY_NS - (ns % DAY_NS < 0);
    return true;
}

static enum hc_status read_attempts(struct hc_night_document *document, const json_t *attempts,
                                    const char *path, struct hc_error *err)
{
    struct hc_compared_side *side = &document->side;
    struct hc_compared_run *run = &document->run;
    if (!json_is_array(attempts) || json_array_size(attempts) == 0)
        return wrong_run(path, "attempts", err);
    side->first_day = INT64_MAX;
    side->last_day = INT64_MIN;
    for (size_t i = 0; i < json_array_size(attempts); i++) {
        const json_t *row = json_array_get(attempts, i), *end = json_object_get(row, "end");
        int64_t first_day, last_day, gpus = json_integer_value(json_object_get(row, "gpus"));
        if (!read_time(json_object_get(row, "start"), &first_day) ||
            !(json_is_null(end) || read_time(end, &last_day)))
            return wrong_run(path, "attempts", err);
        last_day = json_is_null(end) ? first_day : last_day;
        side->is_provisional |= json_is_null(end);
        side->first_day = first_day < side->first_day ? first_day : side->first_day;
        side->last_day = last_day > side->last_day ? last_day : side->last_day;
        run->attempts++;
        run->launches += json_integer_value(json_object_get(row, "launches"));
        run->failures += json_integer_value(json_object_get(row, "failures"));
        run->gpus = gpus > run->gpus ? gpus : run->gpus;
    }
    return HC_OK;
}

static enum hc_status read_run(struct hc_night_document *document, const json_t *root,
                               const char *path, struct hc_error *err)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    const char *kind = json_string_value(json_object_get(root, "kind"));
    if (!schema || strcmp(schema, "hindcast-subject") != 0)
        return wrong_run(path, "schema", err);
    if (!kind || strcmp(kind, "run") != 0)
        return wrong_run(path, "kind", err);
    if (!json_is_integer(json_object_get(root, "schema_major")) ||
        !json_is_integer(json_object_get(root, "schema_minor")))
        return wrong_run(path, "schema_major", err);
    document->major = json_integer_value(json_object_get(root, "schema_major"));
    document->minor = json_integer_value(json_object_get(root, "schema_minor"));
    if (!json_is_number(json_object_get(root, "gpu_hours")))
        return wrong_run(path, "gpu_hours", err);
    document->side.sum.held = json_number_value(json_object_get(root, "gpu_hours"));
    return read_run_leaves(&document->side, json_object_get(root, "leaves"), path, err) ||
                   read_ettrs(&document->run, json_object_get(root, "ettr"), path, err) ||
                   read_attempts(document, json_object_get(root, "attempts"), path, err)
               ? err->status
               : HC_OK;
}

/* ---- both ---- */

/* NULL with err filled: HC_BAD_INPUT where it is no JSON, HC_IO where it is not there or the
 * system refused to read it. */
static json_t *open_document(const char *path, const char *advice, struct hc_error *err)
{
    json_error_t why;
    enum hc_file_kind kind;
    char *text = NULL;
    size_t length = 0;
    bool is_file = strcmp(path, "-") != 0;
    if (is_file && hc_look_at_file(path, &kind, err))
        return NULL;
    if (is_file && kind == HC_FILE_NONE) {
        (void)hc_fail(err, HC_IO, "'%s' is not there: %s", path, advice);
        return NULL;
    }
    if (hc_input_file_load(path, HC_DOCUMENT_MAX_BYTES, &text, &length, err))
        return NULL;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    free(text);
    if (!root && json_error_code(&why) == json_error_out_of_memory)
        (void)hc_fail_memory(err, length);
    else if (!root)
        (void)hc_fail(err, HC_BAD_INPUT, "'%s':%d: %s", path, why.line, why.text);
    return root;
}

enum hc_status hc_night_document_load(struct hc_night_document *document, const char *path,
                                      struct hc_error *err)
{
    *document = (struct hc_night_document){.n_days = 0};
    json_t *root = open_document(
        path, "give a day, or a document that 'hindcast report nightly --json' wrote", err);
    enum hc_status status = root ? read_document(document, root, path, err) : err->status;
    json_decref(root);
    return status;
}

enum hc_status hc_run_document_load(struct hc_night_document *document, const char *path,
                                    struct hc_error *err)
{
    *document = (struct hc_night_document){.n_days = 0};
    json_t *root = open_document(
        path, "give a run, or a document that 'hindcast report run --json' wrote", err);
    enum hc_status status = root ? read_run(document, root, path, err) : err->status;
    json_decref(root);
    return status;
}

void hc_night_document_fini(struct hc_night_document *document)
{
    free(document->days);
    *document = (struct hc_night_document){.n_days = 0};
}

enum hc_status hc_night_documents_check(const struct hc_night_document documents[2],
                                        struct hc_error *err)
{
    const struct hc_night_document *a = &documents[0], *b = &documents[1];
    if (a->major == b->major && a->minor == b->minor)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "A has schema %lld.%lld and B %lld.%lld: their figures are defined differently; "
                   "report both anew by one version",
                   (long long)a->major, (long long)a->minor, (long long)b->major,
                   (long long)b->minor);
}
