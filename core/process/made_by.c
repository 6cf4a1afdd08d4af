#include "core/process/made_by.h"

static struct hc_made_by now;

struct hc_made_by hc_made_by(void)
{
    return now;
}

void hc_made_by_set(const struct hc_made_by *made_by)
{
    now = *made_by;
}
