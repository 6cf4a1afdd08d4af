/* source_list.h - the files that arguments name: a file is itself, a directory is what lies in it.
 */
#ifndef HC_PIPELINE_SOURCES_SOURCE_LIST_H
#define HC_PIPELINE_SOURCES_SOURCE_LIST_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct hc_listed_source {
    char *path;
    bool is_member; /* of a directory that was named: what no format knows may be left out */
};

/* Zeroed memory is an empty list. */
struct hc_source_list {
    size_t n, capacity;
    struct hc_listed_source *sources;
};

/* Add what an argument names. Of a directory: its regular files, numbers in their names by value
 * ("rank-9" before "rank-10"), without hidden ones (those that archivers of macOS leave, "._x",
 * among them), metadata (*.yaml, *.yml) and what `synth kineto` writes beside its traces
 * (truth.json). HC_IO: it cannot be read; HC_BAD_INPUT: a
 * directory without such files. */
enum hc_status hc_source_list_add(struct hc_source_list *list, const char *argument,
                                  struct hc_error *err);

/* Leave out the members of directories whose format is not known by their first bytes (with
 * is_named a format was named, and nothing is), and say how many in a warning. HC_BAD_INPUT:
 * nothing is left. */
enum hc_status hc_source_list_keep_known(struct hc_source_list *list, bool is_named,
                                         struct hc_error *err);

void hc_source_list_fini(struct hc_source_list *list);

/* Whether argument is a directory that is there. */
bool hc_is_directory(const char *argument);

#endif
