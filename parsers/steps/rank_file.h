/* rank_file.h - whether a file is what one rank recorded of a job (docs/record.md): a step timeline
 * as CSV with a column `job`, by whose value the files of one job are found. */
#ifndef HC_PARSERS_STEPS_RANK_FILE_H
#define HC_PARSERS_STEPS_RANK_FILE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct hc_rank_file {
    char *job;                      /* of its first row; NULL: it is no file of a rank */
    int32_t rank, dp_size, pp_size; /* of its first row; HC_MISSING_I32 where it says none */
};

/* Look at the header and first row of the file at path, which may be packed. Anything but a regular
 * file, and a file that cannot be read or is no such CSV, is no file of a rank and no error:
 * whoever reads it next says what it is. HC_INTERNAL without memory. */
enum hc_status hc_rank_file_look(struct hc_rank_file *found, const char *path,
                                 struct hc_error *err);
void hc_rank_file_fini(struct hc_rank_file *found);

#endif
