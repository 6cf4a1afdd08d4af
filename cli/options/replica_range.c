#include "cli/options/replica_range.h"

#include "core/text/number_text.h"
#include "study/grammar/scenario_keys.h"

#include <string.h>

enum hc_status hc_replica_range_parse(const char *text, void *target, struct hc_error *err)
{
    struct hc_replica_range *range = target;
    const char *dash = strchr(text, '-'), *last = dash ? dash + 1 : text;
    size_t length = dash ? (size_t)(dash - text) : strlen(text);
    int64_t last_number = 0;
    bool is_range = hc_text_to_i64(text, length, &range->first) == HC_TEXT_OK &&
                    hc_text_to_i64(last, strlen(last), &last_number) == HC_TEXT_OK &&
                    range->first >= 0 && last_number >= range->first &&
                    last_number < HC_SCENARIO_MOST_REPLICAS;
    range->end = last_number + 1;
    if (is_range)
        return HC_OK;
    return hc_fail(err, HC_USAGE,
                   "'%s' is no replica: give its number, as 7, or those of several, as 7-9, up to "
                   "%d",
                   text, HC_SCENARIO_MOST_REPLICAS - 1);
}
