#include "pipeline/packs/pack_source.h"

#include "core/base/log.h"
#include "store/archive/derived.h"

#include <stdatomic.h>

/* Said before scans begin. Two threads may scan at once, and both find that nothing can be kept: it
 * is said once. */
static struct hc_pack_source in_use;
static atomic_bool has_given_up;

void hc_pack_source_use(const struct hc_pack_source *source)
{
    in_use = *source;
}

struct hc_pack_source hc_pack_source(void)
{
    struct hc_pack_source source = in_use;
    source.keeps = source.keeps && !has_given_up;
    return source;
}

void hc_pack_source_give_up(const char *archive, const struct hc_error *why)
{
    if (!atomic_exchange(&has_given_up, true))
        hc_warn("what was read could not be kept in '%s/" HC_DERIVED_DIRECTORY
                "', and will be read again next time: %s",
                archive, why->message);
}
