#include "tests/support/lifetime_means.h"

#include "core/base/memory.h"

#include <stdlib.h>

enum hc_status hc_lifetime_simulate(const struct hc_lifetime_config *config,
                                    struct hc_lifetime_summary *summary, struct hc_error *err)
{
    enum { BLOCK = 256 };
    *summary = (struct hc_lifetime_summary){0};
    struct hc_lifetime_replica *block = hc_new_array(BLOCK, sizeof *block, err);
    if (!block)
        return err->status;
    enum hc_status status = HC_OK;
    uint64_t all = config->replicas > 0 ? (uint64_t)config->replicas : 1;
    for (uint64_t at = 0; at < all && !status; at += BLOCK) {
        size_t n = all - at < BLOCK ? (size_t)(all - at) : BLOCK;
        status = hc_lifetime_run(config, at, n, block, err);
        for (size_t i = 0; i < n && !status; i++)
            hc_lifetime_summary_add(summary, &block[i]);
    }
    free(block);
    return status;
}
