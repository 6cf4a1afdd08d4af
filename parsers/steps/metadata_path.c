#include "parsers/steps/metadata_path.h"

#include "core/base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Length of a file name without the first of the endings that it has; a name that is nothing but an
 * ending keeps it. */
static size_t without(const char *name, size_t length, const char *const *endings)
{
    for (; *endings; endings++) {
        size_t n = strlen(*endings);
        if (length > n && strncasecmp(name + length - n, *endings, n) == 0)
            return length - n;
    }
    return length;
}

/* Length of the base name without the endings of packings and formats. */
static size_t stem_length(const char *base)
{
    static const char *const packings[] = {".gz", ".gzip", ".zst", ".zstd", ".xz", NULL};
    static const char *const formats[] = {".csv", ".parquet", ".pq", ".json", ".jsonl", NULL};
    return without(base, without(base, strlen(base), packings), formats);
}

/* Length of the "trace-" or "timeline-" that a name begins with, when something follows; else 0. */
static size_t prefix_length(const char *base, size_t stem)
{
    static const char *const prefixes[] = {"trace-", "timeline-"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i]);
        if (stem > length && strncmp(base, prefixes[i], length) == 0)
            return length;
    }
    return 0;
}

enum hc_status hc_job_id_of_path(const char *trace_path, char **id, struct hc_error *err)
{
    const char *base = base_of(trace_path);
    size_t stem = stem_length(base);
    if (strcmp(trace_path, "-") == 0 || stem == 0) {
        *id = hc_copy_text("stdin", err);
    } else {
        size_t skipped = prefix_length(base, stem);
        *id = hc_new_text(err, "%.*s", (int)(stem - skipped), base + skipped);
    }
    return *id ? HC_OK : err->status;
}

enum hc_status hc_metadata_beside(const char *trace_path, char **path, struct hc_error *err)
{
    *path = NULL;
    const char *base = base_of(trace_path);
    size_t stem = stem_length(base);
    size_t skipped = prefix_length(base, stem);
    if (strcmp(trace_path, "-") == 0 || stem == 0)
        return HC_OK;
    char *beside = hc_new_text(err, "%.*smeta-%.*s.yaml", (int)(base - trace_path), trace_path,
                               (int)(stem - skipped), base + skipped);
    if (!beside)
        return err->status;
    struct stat info;
    if (stat(beside, &info) == 0) {
        *path = beside;
        return HC_OK;
    }
    /* The name may be longer than that of the trace, and then too long for any file. */
    bool is_absent = errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;
    if (!is_absent)
        hc_fail_errno(err, "cannot look for the metadata", beside);
    free(beside);
    return is_absent ? HC_OK : err->status;
}
