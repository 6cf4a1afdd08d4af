/* history_search.h - of whom facts are looked for, and whether one is theirs. Private to this wing.
 */
#ifndef HC_PIPELINE_DAILY_HISTORY_SEARCH_H
#define HC_PIPELINE_DAILY_HISTORY_SEARCH_H

#include "core/base/int_map.h"
#include "core/text/text_set.h"
#include "models/evidence/recorded.h"
#include "models/joins/joins.h"
#include "pipeline/daily/history_input.h"

#define HC_HISTORY_TEXT 800 /* bytes of a fact */

/* A stay of the subject's jobs on a node. */
struct hc_history_stay {
    int32_t node;
    int64_t from_ns, to_ns;
};

struct hc_history_search {
    struct hc_history *history;
    enum hc_history_subject subject;
    const char *name;
    int64_t job;                /* of a job */
    int32_t array_task;         /* of a job, or missing */
    int32_t run;                /* of a run, in joins */
    struct hc_int_map attempts; /* of a run */
    struct hc_int_map jobs;     /* of a run: their numbers */
    struct hc_joins joins;
    struct hc_recorded recorded;
    struct hc_text_set nodes;
    size_t n_stays, stays_room;
    struct hc_history_stay *stays;
    struct hc_int_map numbers; /* that records may call its attempts by, with or without a task */
};

/* Whether a list of nodes, or NULL, names a node. */
bool hc_history_has_node(const char *list, const char *node);
/* Whether a node's moment belongs to the subject: of the node itself, or of a stay on it. */
bool hc_history_is_there(const struct hc_history_search *search, const char *node, int64_t time_ns);
/* Whether an attempt of the joins, or -1, is one of the subject's, which is a job or a run. */
bool hc_history_is_its_attempt(const struct hc_history_search *search, int32_t number);
bool hc_history_is_its_cycle(const struct hc_history_search *search,
                             const struct hc_join_cycle *cycle);

#endif
