/* shard.h - one of several parts of a report, each made by a process of its own: "3/16".
 */
#ifndef HC_PIPELINE_FLEET_SHARD_H
#define HC_PIPELINE_FLEET_SHARD_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

/* The third of sixteen is 3, 16; n is 0 without shards. */
struct hc_shard {
    int32_t index, n; /* index from 1 */
};

/* For HC_OPTION_CALLBACK; target is a struct hc_shard. */
enum hc_status hc_shard_parse(const char *text, void *target, struct hc_error *err);

/* HC_BAD_INPUT, naming files or shards, unless these are all shards of their number, each once. All
 * are of one number; paths are beside them. */
enum hc_status hc_shards_check(const struct hc_shard *shards, const char *const *paths, size_t n,
                               struct hc_error *err);

#endif
