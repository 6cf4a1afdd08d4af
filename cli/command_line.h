/* command_line.h - all commands of hindcast, and the way from a command line to the one it names.
 * Private to this wing.
 */
#ifndef HC_CLI_COMMAND_LINE_H
#define HC_CLI_COMMAND_LINE_H

#include "cli/frame/command.h"

/* All commands, in the order of the help; ends in NULL. */
extern const struct hc_command *const hc_commands[];

/* Run the command line: find the command, parse, run, check standard output. Fills err. */
enum hc_status hc_command_line(int argc, char **argv, struct hc_error *err);

#endif
