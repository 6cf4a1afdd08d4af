/* output.h - where a command writes its result: -o FILE or standard output; and the files that it
 * writes besides, which come and go with that (core/files/outset.h).
 */
#ifndef HC_CLI_FRAME_OUTPUT_H
#define HC_CLI_FRAME_OUTPUT_H

#include "cli/frame/options.h"
#include "core/base/status.h"
#include "core/files/outset.h"
#include "core/text/json_writer.h"

#include <stdbool.h>
#include <stdio.h>

struct hc_output {
    FILE *stream;          /* write here */
    const char *path;      /* as it was given; "-" is standard output */
    struct hc_outset *set; /* files to be written besides are added to it */
};

/* Open what -o says. With hold, nothing reaches standard output before commit either, and what is
 * added to the set is in place by then. */
enum hc_status hc_output_open(struct hc_output *output, const struct hc_common_options *common,
                              bool hold, struct hc_error *err);

/* Whether the command line says where the output goes, be it '-o -'. */
bool hc_output_is_asked(const struct hc_common_options *common);

/* Whether rows for other programs would go to a terminal, and nobody has asked for that with '-o
 * -'.
 */
bool hc_output_floods_terminal(const struct hc_common_options *common);

/* Put the output and all other files of the set in place: all of them or none. */
enum hc_status hc_output_commit(struct hc_output *output, struct hc_error *err);

/* Give up: the files are as they were. Does nothing after commit, or on a zeroed struct. */
void hc_output_abort(struct hc_output *output);

/* Commit when status is HC_OK or HC_FINDING and abort otherwise; returns the status to end with. */
enum hc_status hc_output_end(struct hc_output *output, enum hc_status status, struct hc_error *err);

/* Writes the JSON record of a report to output->stream. */
typedef enum hc_status hc_record_writer(const struct hc_output *output, const void *report,
                                        struct hc_error *err);

/* The id that all files of a run carry: of the digest of its record (core/files/outset.h). */
enum hc_status hc_output_run_id(char run_id[HC_RUN_ID], hc_record_writer *write, const void *report,
                                struct hc_error *err);

/* Print a formatted line of text; control bytes in it, as names from input may have them, become
 * '?'. */
void hc_output_line(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Start the JSON document of a command: opens its object and writes what all documents begin with:
 * its schema ("hindcast-ls"), the version of that, and the version of hindcast. */
void hc_output_json_start(struct hc_json_writer *json, const struct hc_output *output,
                          const char *schema);

/* Close the object and check that it was written. */
enum hc_status hc_output_json_end(struct hc_json_writer *json, const struct hc_output *output,
                                  struct hc_error *err);

#endif
