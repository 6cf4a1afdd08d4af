/* file_guide.h - `hindcast FILE`: what a file or directory is, and which commands can use it.
 *
 * The first thing that a newcomer types. Traces and records are known by their formats, documents
 * of hindcast itself by the schema that stands in them, directories by what lies in them.
 */
#ifndef HC_CLI_FRAME_FILE_GUIDE_H
#define HC_CLI_FRAME_FILE_GUIDE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdio.h>

/* Say on stream what path is and what to type next. HC_BAD_INPUT for what no command can use, with
 * what to do about it; HC_IO for what cannot be read. */
enum hc_status hc_file_guide_print(FILE *stream, const char *path, struct hc_error *err);

/* Whether the directory is an archive of hindcast. */
bool hc_file_is_archive(const char *directory);

/* HC_BAD_INPUT where path is none of what is wanted ("a scenario") but known as something else:
 * says as what, and names the first command that takes it. HC_OK where nothing is known of it, so
 * that whoever reads it finds what is wrong. */
enum hc_status hc_file_guide_refuse(const char *path, const char *wanted_kind, const char *wanted,
                                    struct hc_error *err);

#endif
