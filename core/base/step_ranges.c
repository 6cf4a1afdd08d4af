#include "core/base/step_ranges.h"

#include "core/base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One "12" or "20-23" at *text, which is moved behind it. */
static bool read_range(const char **text, int32_t range[2])
{
    for (int i = 0; i < 2; i++) {
        if (!isdigit((unsigned char)**text))
            return false;
        char *end = NULL;
        errno = 0;
        long value = strtol(*text, &end, 10);
        if (errno || value > INT32_MAX)
            return false;
        range[i] = (int32_t)value;
        *text = end;
        if (i == 0 && *end != '-') {
            range[1] = range[0];
            return true;
        }
        *text += i == 0;
    }
    return range[0] <= range[1];
}

enum hc_status hc_step_ranges_parse(struct hc_step_ranges *ranges, const char *text,
                                    struct hc_error *err)
{
    const char *p = text;
    ranges->n = 0;
    ranges->text = text;
    for (;; p++) {
        if (hc_reserve(&ranges->range, &ranges->capacity, ranges->n + 1, sizeof *ranges->range,
                       err))
            return err->status;
        if (!read_range(&p, ranges->range[ranges->n]) || (*p && *p != ','))
            return hc_fail(err, HC_USAGE, "'%s' is not a list like 12,20-23", text);
        ranges->n++;
        if (!*p)
            return HC_OK;
    }
}

void hc_step_ranges_fini(struct hc_step_ranges *ranges)
{
    free(ranges->range);
    memset(ranges, 0, sizeof *ranges);
}

bool hc_step_range_includes(const int32_t range[2], int32_t step)
{
    return step >= range[0] && step <= range[1];
}

bool hc_step_ranges_include(const struct hc_step_ranges *ranges, int32_t step)
{
    if (!ranges || ranges->n == 0)
        return true;
    for (size_t i = 0; i < ranges->n; i++)
        if (hc_step_range_includes(ranges->range[i], step))
            return true;
    return false;
}
