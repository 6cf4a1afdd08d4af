#include "core/process/made_by.h"

#include <stddef.h>

static struct hc_made_by now;

struct hc_made_by hc_made_by(void)
{
    return now;
}

const char *hc_made_by_libraries(void)
{
    return now.ask_libraries ? now.ask_libraries() : now.libraries;
}

void hc_made_by_set(const struct hc_made_by *made_by)
{
    now = *made_by;
}
