/* table_export.h - `hindcast export TABLE`: all rows of a table that are wanted, for other tools.
 */
#ifndef HC_CLI_COMMANDS_RECORDS_TABLE_EXPORT_H
#define HC_CLI_COMMANDS_RECORDS_TABLE_EXPORT_H

#include "cli/commands/records/row_choice.h"
#include "cli/frame/options.h"
#include "core/base/status.h"

enum hc_table_form { HC_TABLE_CSV, HC_TABLE_JSONL, HC_TABLE_PARQUET };

struct hc_table_export {
    const char *archive; /* its path */
    const struct hc_common_options *common;
    struct hc_row_words words;
    enum hc_table_form form;
    const char *key; /* file of the key by which rows are made anonymous; NULL: rows as they are */
};

/* Write the rows where --output says: a segment at a time, so that memory does not grow with the
 * archive; a file is there when all of it is. HC_USAGE as of hc_row_choice_init; errors of the
 * key as of hc_key_load. */
enum hc_status hc_table_export(const struct hc_table_export *given, struct hc_error *err);

#endif
