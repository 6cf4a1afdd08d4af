/* study_output.h - everything that a study gave, as files of one directory. */
#ifndef HC_CLI_STUDY_OUTPUT_H
#define HC_CLI_STUDY_OUTPUT_H

#include "cli/output.h"
#include "reports/study_result.h"

/* The document of --json, with what every document begins with. */
enum hc_status hc_study_output_json(struct hc_output *output, const struct hc_study_result *result,
                                    struct hc_error *err);

/* Make directory where it is not there and write the files into it: none before all are written,
 * and result.json last. The result must have its life (hc_study_add_lives). */
enum hc_status hc_study_output_directory(const char *directory,
                                         const struct hc_study_result *result,
                                         struct hc_error *err);

#endif
