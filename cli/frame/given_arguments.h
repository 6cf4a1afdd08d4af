/* given_arguments.h - the command line as it was given, in one form: options in the order of their
 * table, by their long names, then the words. So the same command is the same text, however it was
 * typed. */
#ifndef HC_CLI_FRAME_GIVEN_ARGUMENTS_H
#define HC_CLI_FRAME_GIVEN_ARGUMENTS_H

#include "cli/frame/command.h"

/* Options that say how and from where, and change no byte of a report. */
bool hc_option_is_of_the_run(const struct hc_option *option);

/* Options that say where a report goes, and when it is a finding: those of merge. */
bool hc_option_is_of_merge(const struct hc_option *option);

/* "hindcast report nightly --date=2026-03-30 -- word": what shapes the result, for a shell. The
 * caller's to free; NULL with err filled. */
char *hc_given_command(const struct hc_command *command, const struct hc_given_options *given,
                       const struct hc_words *words, struct hc_error *err);

#endif
