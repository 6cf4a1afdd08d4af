/* run_list.h - `hindcast ls runs`: the runs that records join to, as `hindcast runs propose` has
 * them without a site file. */
#ifndef HC_CLI_COMMANDS_RECORDS_RUN_LIST_H
#define HC_CLI_COMMANDS_RECORDS_RUN_LIST_H

#include "cli/frame/options.h"
#include "core/base/status.h"

#include <stdint.h>

struct hc_run_list {
    const struct hc_common_options *common;
    const struct hc_archive_options *archive;
    const char *cluster; /* NULL: all */
    int64_t limit;       /* runs; 0: 25 */
};

enum hc_status hc_run_list(const struct hc_run_list *list, struct hc_error *err);

#endif
