/* near_file.h - what a path that leads nowhere may have meant.
 *
 * The mistakes of a command line: a letter too many, an address in place of a file, a pattern that
 * the shell found no file for. Each gets a message that says what to do.
 */
#ifndef HC_CORE_FILES_NEAR_FILE_H
#define HC_CORE_FILES_NEAR_FILE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* The file or directory beside path whose name is nearest to its own, with the directory that path
 * has, into found; false where none is near enough. */
bool hc_near_file(const char *path, char *found, size_t size);

/* Whether a word on the command line is meant as a file, there or not: it has a slash in it that no
 * cluster/job would have, or ends in the ending of a file ("x.parquet", "run.csv.gz"). */
bool hc_looks_like_file(const char *word);

/* HC_IO for a path that open(2) has just refused: what errno says, and what may have been meant. */
enum hc_status hc_fail_open(struct hc_error *err, const char *path);

#endif
