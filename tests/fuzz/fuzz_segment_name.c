/* Any bytes as who a segment belongs to, as the name of a segment in a manifest, and as text that
 * is to be UTF-8: names stay in the directory of segments, and different jobs get different ones.
 */
#include "core/base/utf8.h"
#include "store/archive/segment_name.h"
#include "tests/fuzz/target.h"

#include <jansson.h>
#include <stdio.h>

/* Of the alphabet of names: nothing that a file system, a shell or a terminal could take amiss. */
static void check_name(const char *name)
{
    require(hc_is_segment_file(name) && strlen(name) < 200);
    const char *base = strchr(name, '/') + 1;
    for (const char *p = base; *p; p++)
        require((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
                strchr("_-.%~", *p));
}

static bool same_entry(const struct hc_manifest_entry *a, const struct hc_manifest_entry *b)
{
    return strcmp(a->cluster, b->cluster) == 0 && strcmp(a->job_id, b->job_id) == 0 &&
           a->attempt == b->attempt && strcmp(a->options, b->options) == 0 &&
           strcmp(a->format, b->format) == 0 && a->format_version == b->format_version &&
           strcmp(a->source_sha256, b->source_sha256) == 0 &&
           strcmp(a->meta_sha256, b->meta_sha256) == 0;
}

static struct hc_manifest_entry take_entry(struct fuzz_input *input)
{
    struct hc_manifest_entry entry = {.attempt = fuzz_i32(input), .format_version = 1};
    entry.cluster = fuzz_text(input, 300);
    entry.job_id = fuzz_text(input, 300);
    entry.format = fuzz_text(input, 20);
    entry.options = fuzz_text(input, 100);
    snprintf(entry.source_sha256, sizeof entry.source_sha256, "%02x", fuzz_byte(input));
    return entry;
}

static void free_entry(struct hc_manifest_entry *entry)
{
    free(entry->cluster);
    free(entry->job_id);
    free(entry->format);
    free(entry->options);
}

static void check_pair(struct fuzz_input input)
{
    struct hc_error err = {0};
    struct hc_manifest_entry a = take_entry(&input), b = take_entry(&input);
    char *of_a = hc_segment_file_name(&a, "", &err), *of_b = hc_segment_file_name(&b, "", &err);
    char *again = hc_segment_file_name(&a, "", &err);
    require(of_a && of_b && again);
    check_name(of_a);
    check_name(of_b);
    require(strcmp(of_a, again) == 0);
    require((strcmp(of_a, of_b) == 0) == same_entry(&a, &b));
    free(of_a);
    free(of_b);
    free(again);
    free_entry(&a);
    free_entry(&b);
}

/* What is taken from a manifest never leads out of the archive. */
static void check_given(const char *text)
{
    if (!hc_is_segment_file(text))
        return;
    require(strncmp(text, "segments/", 9) == 0 && !strchr(text + 9, '/') && text[9] != '.');
    require(strlen(text) > 12 && strcmp(text + strlen(text) - 3, ".h5") == 0);
}

static bool is_utf8(const char *text)
{
    for (size_t n; *text; text += n)
        if (!(n = hc_utf8_length(text)))
            return false;
    return true;
}

static void check_utf8(const char *text)
{
    struct hc_error err = {0};
    char *clean = hc_utf8_text(text, &err);
    require(clean);
    json_t *others = json_string(clean), *given = json_string(text);
    require(others && is_utf8(clean) && is_utf8(text) == (given != NULL));
    require(!given || strcmp(clean, text) == 0);
    json_decref(others);
    json_decref(given);
    free(clean);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, data + size};
    check_pair(input);
    char *text = fuzz_text(&input, 1000);
    check_given(text);
    check_utf8(text);
    free(text);
    return 0;
}
