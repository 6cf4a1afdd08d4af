/* site_glob.h - the files that patterns name: "*", "?" and "[a-z]" within a name, "{a,b}" for one
 * of several texts, and "**" for any number of directories. */
#ifndef HC_PIPELINE_SITE_SITE_GLOB_H
#define HC_PIPELINE_SITE_SITE_GLOB_H

#include "core/base/status.h"

#include <stddef.h>

/* Zeroed memory is an empty list. */
struct hc_site_files {
    size_t n, capacity;
    char **path; /* as the pattern spells their directories */
    /* Names that the system refused to look up, and directories that it refused to read: there may
     * be files in them that are not in the list. */
    size_t n_refused, n_forbidden; /* of the former: for want of a permission */
    struct hc_error refused; /* the first, of those that are not forbidden where there is one */
};

/* Add the regular files that a pattern names, links followed. Names that begin with a dot are
 * matched only where the pattern has the dot, and "**" goes into no such directory and through no
 * link. That nothing matches is no error, and what cannot be looked at is counted (n_refused). */
enum hc_status hc_site_glob_add(struct hc_site_files *files, const char *pattern,
                                struct hc_error *err);

/* Sort from `first` on by name, in bytes, and leave out what is there twice. */
void hc_site_files_sort(struct hc_site_files *files, size_t first);

void hc_site_files_fini(struct hc_site_files *files);

#endif
