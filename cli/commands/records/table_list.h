/* table_list.h - `hindcast ls TABLE`: rows of a table for people. */
#ifndef HC_CLI_COMMANDS_RECORDS_TABLE_LIST_H
#define HC_CLI_COMMANDS_RECORDS_TABLE_LIST_H

#include "cli/commands/records/row_choice.h"
#include "cli/frame/options.h"
#include "core/base/status.h"

#include <stdint.h>

struct hc_table_list {
    const char *archive; /* its path */
    const struct hc_common_options *common;
    struct hc_row_words words; /* without columns: those that tell most of this table */
    int64_t limit;             /* rows; 0: 25 */
};

/* Whether a word is what `ls` calls a table. */
bool hc_is_listed_table(const char *name);

/* List the rows that are wanted. HC_USAGE as of hc_row_choice_init. */
enum hc_status hc_table_list(const struct hc_table_list *list, struct hc_error *err);

#endif
