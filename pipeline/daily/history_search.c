#include "pipeline/daily/history_search.h"

#include "core/base/missing.h"
#include "core/text/node_list.h"

#include <string.h>

bool hc_history_has_node(const char *list, const char *node)
{
    struct hc_node_list_reader reader;
    struct hc_error ignored = {0};
    if (!list || hc_node_list_open(&reader, list, strlen(list), &ignored))
        return false;
    for (const char *name; (name = hc_node_list_next(&reader));)
        if (strcmp(name, node) == 0)
            return true;
    return false;
}

bool hc_history_is_there(const struct hc_history_search *search, const char *node, int64_t time_ns)
{
    if (!node)
        return false;
    if (search->subject == HC_HISTORY_NODE)
        return strcmp(node, search->name) == 0;
    int32_t code = hc_text_set_find(&search->nodes, node, strlen(node));
    for (size_t i = 0; code >= 0 && i < search->n_stays; i++)
        if (search->stays[i].node == code && time_ns >= search->stays[i].from_ns &&
            time_ns <= search->stays[i].to_ns)
            return true;
    return false;
}

bool hc_history_is_its_attempt(const struct hc_history_search *search, int32_t number)
{
    const struct hc_join_attempt *attempt = number < 0 ? NULL : &search->joins.attempts[number];
    if (search->subject == HC_HISTORY_RUN)
        return attempt && attempt->run == search->run;
    return search->subject == HC_HISTORY_JOB && attempt &&
           (attempt->job == search->job || attempt->raw_job == search->job) &&
           (search->array_task == HC_MISSING_I32 || attempt->array_task == search->array_task);
}

bool hc_history_is_its_cycle(const struct hc_history_search *search,
                             const struct hc_join_cycle *cycle)
{
    return search->subject == HC_HISTORY_RUN ? cycle->run == search->run
                                             : hc_history_is_its_attempt(search, cycle->attempt);
}
