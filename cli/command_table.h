/* command_table.h - all commands of hindcast.
 * Private to this wing.
 */
#ifndef HC_CLI_COMMAND_TABLE_H
#define HC_CLI_COMMAND_TABLE_H

#include "cli/frame/command.h"

/* In the order of the help; ends in NULL. */
extern const struct hc_command *const hc_commands[];

#endif
