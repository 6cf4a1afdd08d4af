/* Foreign names and any numbers in the JSON of every report: Jansson reads it, each key is there
 * once, and the names that are UTF-8 come back as they were. */
#include "reports/study/study_views.h"
#include "reports/whatif/whatif_json.h"
#include "tests/fuzz/documents.h"

#include <jansson.h>
#include <stdio.h>

/* What was written is read; the caller releases it. */
static json_t *read_back(FILE *stream, char **text, const size_t *size)
{
    json_error_t error;
    require(!fclose(stream));
    json_t *json = json_loadb(*text, *size, JSON_REJECT_DUPLICATES, &error);
    if (!json)
        fprintf(stderr, "%s at byte %d of:\n%s\n", error.text, error.position, *text);
    require(json);
    free(*text);
    return json;
}

static void check_name(const json_t *json, const char *name)
{
    json_t *expected = json_string(name);
    if (expected) /* else it is no UTF-8, and something else stands there */
        require(json_is_string(json) && json_equal(json, expected));
    json_decref(expected);
}

static void check_fleet(const struct fuzz_documents *d)
{
    struct hc_error err = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    require(stream && !hc_fleet_write_json(stream, &d->fleet, &err));
    json_decref(read_back(stream, &text, &size));
}

static void check_study(const struct fuzz_documents *d)
{
    struct hc_json_writer writer;
    struct hc_error err = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    require(stream);
    hc_json_start(&writer, stream, 2);
    hc_json_object(&writer, NULL);
    hc_study_write_json(&d->study.result, &writer);
    hc_json_end(&writer);
    require(!hc_json_finish(&writer, "fuzz", &err));
    json_decref(read_back(stream, &text, &size));
}

static void check_whatif(const struct fuzz_documents *d)
{
    struct hc_error err = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    require(stream && !hc_whatif_write_json(stream, &d->whatif, &err));
    json_t *json = read_back(stream, &text, &size);
    check_name(json_object_get(json_object_get(json, "job"), "id"), d->result.job.id);
    check_name(json_object_get(json_object_get(json, "input"), "path"), d->whatif.source_path);
    json_decref(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, data + size};
    static void (*const checks[])(const struct fuzz_documents *) = {check_fleet, check_study,
                                                                    check_whatif};
    uint8_t which = fuzz_byte(&input) % (sizeof checks / sizeof *checks);
    struct fuzz_documents d;
    fuzz_documents_init(&d, &input, false);
    checks[which](&d);
    fuzz_documents_fini(&d);
    return 0;
}
