/* command_line.h - the way from a command line to the command that it names.
 * Private to this wing.
 */
#ifndef HC_CLI_COMMAND_LINE_H
#define HC_CLI_COMMAND_LINE_H

#include "core/base/status.h"

/* Run the command line: find the command, parse, run, check standard output. Fills err. */
enum hc_status hc_command_line(int argc, char **argv, struct hc_error *err);

#endif
