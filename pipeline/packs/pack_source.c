#include "pipeline/packs/pack_source.h"

#include "core/base/log.h"
#include "store/archive/derived.h"

/* Scans are begun by one thread; what they read is said before. */
static struct hc_pack_source in_use;
static bool has_given_up;

void hc_pack_source_use(const struct hc_pack_source *source)
{
    in_use = *source;
}

struct hc_pack_source hc_pack_source(void)
{
    return in_use;
}

void hc_pack_source_give_up(const char *archive, const struct hc_error *why)
{
    in_use.keeps = false;
    if (!has_given_up)
        hc_warn("what was read could not be kept in '%s/" HC_DERIVED_DIRECTORY
                "', and will be read again next time: %s",
                archive, why->message);
    has_given_up = true;
}
