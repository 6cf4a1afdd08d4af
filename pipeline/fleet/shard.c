#include "pipeline/fleet/shard.h"

#include "core/base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_SHARDS 100000

enum hc_status hc_shard_parse(const char *text, void *target, struct hc_error *err)
{
    struct hc_shard *shard = target;
    char *end = NULL;
    errno = 0;
    long index = strtol(text, &end, 10);
    const char *after = end;
    long n = *after == '/' ? strtol(after + 1, &end, 10) : 0;
    bool is_read = errno == 0 && *text >= '0' && *text <= '9' && *after == '/' && after[1] >= '0' &&
                   after[1] <= '9' && *end == '\0';
    if (!is_read || n < 1 || n > MAX_SHARDS || index < 1 || index > n)
        return hc_fail(err, HC_USAGE,
                       "'%s' is no shard: give the place and the number of shards, as 3/16 (1/16 "
                       "is the first)",
                       text);
    *shard = (struct hc_shard){(int32_t)index, (int32_t)n};
    return HC_OK;
}

/* The shards that are not there, as "2, 5 and 7 others". */
static enum hc_status fail_missing(const char *const *path_of, size_t n_shards,
                                   struct hc_error *err)
{
    char list[200] = "";
    size_t n_missing = 0, length = 0;
    for (size_t i = 0; i < n_shards; i++) {
        if (path_of[i])
            continue;
        n_missing++;
        if (length < sizeof list - 32)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%zu/%zu",
                                       length ? ", " : "", i + 1, n_shards);
    }
    return hc_fail(err, HC_BAD_INPUT, "%zu of %zu shards %s missing: %s%s", n_missing, n_shards,
                   n_missing == 1 ? "is" : "are", list, length < sizeof list - 32 ? "" : ", ...");
}

enum hc_status hc_shards_check(const struct hc_shard *shards, const char *const *paths, size_t n,
                               struct hc_error *err)
{
    size_t n_shards = (size_t)shards[0].n, n_found = 0;
    const char **path_of = hc_new_array(n_shards, sizeof *path_of, err);
    if (!path_of)
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < n && status == HC_OK; i++) {
        const char **path = &path_of[shards[i].index - 1];
        if (*path)
            status = hc_fail(err, HC_BAD_INPUT, "'%s' and '%s' are both shard %d/%d", *path,
                             paths[i], (int)shards[i].index, (int)shards[i].n);
        *path = paths[i];
        n_found++;
    }
    if (status == HC_OK && n_found < n_shards)
        status = fail_missing(path_of, n_shards, err);
    free(path_of);
    return status;
}
