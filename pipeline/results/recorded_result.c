#include "pipeline/results/recorded_result.h"

#include "core/base/memory.h"
#include "core/files/near_file.h"
#include "pipeline/results/json_difference.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "hindcast-simulate"
#define READ   65536

static enum hc_status read_all(struct hc_recorded_result *recorded, struct hc_error *err)
{
    FILE *file = fopen(recorded->path, "rb");
    size_t capacity = 0, got = 1;
    if (!file)
        return hc_fail_open(err, recorded->path);
    while (got > 0 && !hc_reserve(&recorded->text, &capacity, recorded->length + READ, 1, err)) {
        got = fread(recorded->text + recorded->length, 1, READ, file);
        recorded->length += got;
    }
    if (err->status == HC_OK && ferror(file))
        hc_fail_errno(err, "cannot read", recorded->path);
    fclose(file);
    return err->status;
}

static const char *text_of(const json_t *root, const char *key)
{
    return json_string_value(json_object_get(root, key));
}

/* What cannot be run again, and why. */
static enum hc_status check_kind(const struct hc_recorded_result *recorded, struct hc_error *err)
{
    const char *schema = text_of(recorded->root, "schema");
    const char *version = text_of(recorded->root, "tool_version");
    if (!schema || strncmp(schema, "hindcast-", 9) != 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' is no JSON result of hindcast: give what 'hindcast simulate --json -o "
                       "FILE' wrote",
                       recorded->path);
    if (strcmp(schema, SCHEMA) != 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' is a '%s': only results of 'hindcast simulate' can be run again, with "
                       "their variants, sweeps and sought values; the others say which inputs they "
                       "are of",
                       recorded->path, schema);
    if (json_integer_value(json_object_get(recorded->root, "schema_major")) != 1)
        return hc_fail(err, HC_BAD_INPUT, "'%s' is of another version of its schema than 1",
                       recorded->path);
    if (!version || strcmp(version, HC_VERSION) != 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' is of hindcast %s, this is %s: only the version that wrote a result "
                       "is to give the same bytes",
                       recorded->path, version ? version : "of no version", HC_VERSION);
    return HC_OK;
}

static enum hc_status read_inputs(struct hc_recorded_result *recorded, struct hc_error *err)
{
    const json_t *inputs = json_object_get(recorded->root, "inputs");
    size_t n = json_array_size(inputs);
    recorded->input = hc_new_array(n ? n : 1, sizeof *recorded->input, err);
    if (!recorded->input)
        return err->status;
    for (size_t i = 0; i < n; i++) {
        const json_t *input = json_array_get(inputs, i);
        const char *path = text_of(input, "path"), *sha256 = text_of(input, "sha256");
        if (!path || !sha256 || strlen(sha256) + 1 != sizeof recorded->input[i].sha256)
            return hc_fail(err, HC_BAD_INPUT, "'%s': inputs[%zu] has no path or SHA-256",
                           recorded->path, i);
        recorded->input[i].path = path;
        memcpy(recorded->input[i].sha256, sha256, strlen(sha256) + 1);
    }
    recorded->n_inputs = n;
    return HC_OK;
}

static enum hc_status read_run(struct hc_recorded_result *recorded, struct hc_error *err)
{
    const json_t *base = json_array_get(json_object_get(recorded->root, "runs"), 0);
    const json_t *most = json_object_get(json_object_get(base, "life"), "most_events");
    recorded->name = text_of(recorded->root, "name");
    recorded->scenario = text_of(recorded->root, "scenario");
    recorded->made_by = (struct hc_made_by){.commit = text_of(recorded->root, "commit"),
                                            .libraries = text_of(recorded->root, "libraries"),
                                            .command = text_of(recorded->root, "command")};
    recorded->has_run_id = text_of(recorded->root, "run_id") != NULL;
    recorded->life_events = json_is_integer(most) && json_integer_value(most) > 0
                                ? (size_t)json_integer_value(most)
                                : 0;
    if (!recorded->name || !recorded->scenario)
        return hc_fail(err, HC_BAD_INPUT, "'%s' has no scenario in it", recorded->path);
    return read_inputs(recorded, err);
}

enum hc_status hc_recorded_result_read(struct hc_recorded_result *recorded, const char *path,
                                       struct hc_error *err)
{
    json_error_t wrong;
    *recorded = (struct hc_recorded_result){.path = path};
    if (read_all(recorded, err))
        return err->status;
    recorded->root = json_loadb(recorded->text, recorded->length, 0, &wrong);
    if (!json_is_object(recorded->root))
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' is no JSON result of hindcast: give what 'hindcast simulate --json -o "
                       "FILE' wrote",
                       path);
    return check_kind(recorded, err) ? err->status : read_run(recorded, err);
}

void hc_recorded_result_fini(struct hc_recorded_result *recorded)
{
    free(recorded->text);
    free(recorded->input);
    json_decref(recorded->root);
    *recorded = (struct hc_recorded_result){.path = NULL};
}

const struct hc_study_input *hc_recorded_input(const struct hc_recorded_result *recorded,
                                               const char *path)
{
    for (size_t i = 0; i < recorded->n_inputs; i++)
        if (strcmp(recorded->input[i].path, path) == 0)
            return &recorded->input[i];
    return NULL;
}

bool hc_recorded_differs(const struct hc_recorded_result *recorded, const char *text, size_t length,
                         struct hc_json_difference *difference)
{
    json_error_t wrong;
    json_t *other = json_loadb(text, length, 0, &wrong);
    *difference = (struct hc_json_difference){.path = ""};
    bool differs = hc_json_differ(difference, recorded->root, other);
    json_decref(other);
    return differs;
}
