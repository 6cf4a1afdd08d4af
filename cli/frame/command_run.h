/* command_run.h - one command with its arguments: parsed, checked and run.
 *
 * Of the reports of records (those with hc_record_archive_options) it also sees to what they have
 * in common and need not know of: whether packs are read and kept (--no-cache), and with --shard,
 * in place of the report, the part of a shard (cli/frame/record_shard.h).
 */
#ifndef HC_CLI_FRAME_COMMAND_RUN_H
#define HC_CLI_FRAME_COMMAND_RUN_H

#include "cli/frame/command.h"

/* Run a command; argv[0] is the last word of its name. Also for a command that runs another, as
 * merge does. */
enum hc_status hc_command_run(const struct hc_command *command, int argc, char **argv,
                              struct hc_error *err);

#endif
