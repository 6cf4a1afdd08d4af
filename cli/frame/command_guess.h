/* command_guess.h - what somebody means who names a command that is not there.
 *
 * A typing mistake is near the name of a command; a word of another tool ("list", "info", "diff")
 * is in a table; and of commands of two words people name one ("reliability"), or the wrong first
 * one.
 */
#ifndef HC_CLI_FRAME_COMMAND_GUESS_H
#define HC_CLI_FRAME_COMMAND_GUESS_H

#include "cli/frame/command.h"

#define HC_GUESS_SIZE 80

/* What was meant by `word`, the second word of the group where that is not NULL, as it is to be
 * typed after "hindcast": "ls", "report reliability", "--version". False: nobody knows. */
bool hc_command_guess(const char *group, const char *word, char guess[HC_GUESS_SIZE]);

/* HC_USAGE for argv[1..], which name no command: with what was meant, or how to see what there is.
 */
enum hc_status hc_command_unknown(int argc, char *const *argv, struct hc_error *err);

#endif
