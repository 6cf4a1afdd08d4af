/* manual.h - manual pages and shell completion, made from the command and option tables like the
 * help texts, so that the three cannot disagree (tests/golden/manual_agrees.sh). */
#ifndef HC_CLI_MANUAL_MANUAL_H
#define HC_CLI_MANUAL_MANUAL_H

#include "cli/frame/command.h"

#include <stdio.h>

/* The manual page of a command, or of hindcast itself (command NULL), as scdoc source. */
void hc_manual_page(FILE *stream, const struct hc_command *command);

/* The names of all manual pages, one a line: "hindcast", "hindcast-whatif", ... */
void hc_manual_names(FILE *stream);

/* Completion for a shell: its functions and their registration. */
void hc_completion_bash(FILE *stream);
void hc_completion_zsh(FILE *stream);
void hc_completion_fish(FILE *stream);

#endif
