/* night_folder.h - the report of a night as a folder: DIR/2026-03-20/ with a page, tables, metrics,
 * alerts and pages of runs, nodes and users, and DIR/latest. Private to this wing. */
#ifndef HC_CLI_COMMANDS_NIGHT_NIGHT_FOLDER_H
#define HC_CLI_COMMANDS_NIGHT_NIGHT_FOLDER_H

#include "cli/frame/output.h"
#include "pipeline/night/night_input.h"
#include "reports/night/night_report.h"

struct hc_night_folder {
    const char *directory;
    struct hc_night_report *report; /* run_id and pages are set while it is written */
    struct hc_night_data *data;     /* that it was made of */
    hc_record_writer *write_json;   /* of the report */
};

/* HC_USAGE: something that is no report has the name. All other errors leave the folder of an
 * earlier run as it was. */
enum hc_status hc_night_folder_write(const struct hc_night_folder *folder, struct hc_error *err);

#endif
