/* join_index.h - the logs of a site by the number in their names, by their last component, and by
 * the directories above them. Private to this wing.
 *
 * A look-up gives the first link of a chain, or -1; links lead on to the last one.
 */
#ifndef HC_MODELS_JOINS_JOIN_INDEX_H
#define HC_MODELS_JOINS_JOIN_INDEX_H

#include "models/joins/joins.h"

struct hc_join_index {
    struct hc_int_map numbers, names, directories; /* to the first link of a chain */
    size_t n, room;
    struct hc_join_link {
        int32_t log, next;
    } * links;
};

/* *index is the caller's to hc_join_index_free, also after a failure. */
enum hc_status hc_join_index_make(struct hc_join_index **index, const struct hc_joins *joins,
                                  struct hc_error *err);
/* NULL: does nothing. */
void hc_join_index_free(struct hc_join_index *index);

int32_t hc_join_index_number(const struct hc_join_index *index, int64_t number);
int32_t hc_join_index_name(const struct hc_join_index *index, const char *name);
int32_t hc_join_index_directory(const struct hc_join_index *index, const char *path, size_t length);

/* "b.log" of "/a/b.log" */
const char *hc_join_last_component(const char *path);

#endif
