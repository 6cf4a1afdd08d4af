/* study_output.h - what a study gave, as files. */
#ifndef HC_CLI_COMMANDS_STUDY_STUDY_OUTPUT_H
#define HC_CLI_COMMANDS_STUDY_STUDY_OUTPUT_H

#include "cli/frame/output.h"
#include "study/run/study_result.h"

/* The document of --json, with what every document begins with. */
enum hc_status hc_study_output_json(struct hc_output *output, const struct hc_study_result *result,
                                    struct hc_error *err);

/* The id of the run, from that document. */
enum hc_status hc_study_output_run_id(const struct hc_study_result *result, char run_id[HC_RUN_ID],
                                      struct hc_error *err);

/* Make directory where it is not there and add its files, with their index, to the set. The result
 * must have its life (hc_study_draw) and its run_id. */
enum hc_status hc_study_output_directory(struct hc_outset *set, const char *directory,
                                         const struct hc_study_result *result,
                                         struct hc_error *err);

/* The same of its tables alone: a CSV file each. */
enum hc_status hc_study_output_tables(struct hc_outset *set, const char *directory,
                                      const struct hc_study_result *result, struct hc_error *err);

/* Add the page alone to the set. */
enum hc_status hc_study_output_page(struct hc_outset *set, const char *path,
                                    const struct hc_study_result *result, struct hc_error *err);

#endif
