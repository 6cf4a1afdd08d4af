/* history.h - everything that the records of a cluster tell of one job, run or node, in order of
 * time. */
#ifndef HC_MODELS_JOINS_HISTORY_H
#define HC_MODELS_JOINS_HISTORY_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

/* A fact, and the place that tells it. */
struct hc_history_item {
    int64_t time_ns;
    const char *table; /* that has it: "jobs"; static */
    char *text;        /* a sentence without a full stop */
    char *source;      /* file */
    int64_t line;      /* of the file, or missing */
};

struct hc_history {
    size_t n, room;
    struct hc_history_item *items;
};

/* Add a fact; text and source are copied, source may be NULL. HC_INTERNAL only. */
enum hc_status hc_history_add(struct hc_history *history, const struct hc_history_item *item,
                              struct hc_error *err);
/* In order of time, then of tables and texts. */
void hc_history_sort(struct hc_history *history);
/* A zeroed history is empty. */
void hc_history_fini(struct hc_history *history);

#endif
