/* site_init.h - a site file for what lies in a directory: its files by format, and by names that
 * differ in numbers only. */
#ifndef HC_PIPELINE_SITE_SITE_INIT_H
#define HC_PIPELINE_SITE_SITE_INIT_H

#include "parsers/io/format.h"

#include <stdint.h>
#include <stdio.h>

/* Files of one format that one pattern names. */
struct hc_found_group {
    const struct hc_format *format; /* NULL: in no known format */
    char *pattern;                  /* below the directory */
    size_t n_files;
    int64_t n_bytes;
};

/* What lies in a directory. Zeroed memory is nothing. */
struct hc_found_files {
    size_t n, capacity;
    struct hc_found_group *groups; /* by format, in the order of the registry, those without one
                                      last; then by pattern */
    size_t n_empty;                /* files without a byte, which are in no group */
    size_t n_forbidden;            /* names that may not be looked at, with what is below them */
};

/* Look at the files below a directory, hidden ones and links to directories aside: at their first
 * bytes only. HC_USAGE: it is no directory; HC_IO: the system refused for another reason than want
 * of a permission. Release with hc_found_files_fini, on failure too. */
enum hc_status hc_site_look(struct hc_found_files *found, const char *directory,
                            struct hc_error *err);
void hc_found_files_fini(struct hc_found_files *found);

/* Write the site file, a source for each format, with comments. It names every file that is in a
 * known format, and no other one. */
void hc_site_init_write(const struct hc_found_files *found, FILE *stream);

#endif
