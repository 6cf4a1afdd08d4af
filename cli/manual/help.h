/* help.h - help texts, made from the command and option tables; at most 80 columns wide. */
#ifndef HC_CLI_MANUAL_HELP_H
#define HC_CLI_MANUAL_HELP_H

#include "cli/frame/command.h"

#include <stdio.h>

/* What hindcast is for: paragraphs separated by a newline. */
extern const char hc_program_description[];

/* The commit that was built, with "-changed" where the tree had changes; "" where nobody knew
 * (cmake/commit.cmake). */
extern const char hc_commit[];

/* `hindcast --help`. */
void hc_help_program(FILE *stream);

/* `hindcast COMMAND --help`. */
void hc_help_command(FILE *stream, const struct hc_command *command);

/* `hindcast GROUP --help`: the commands whose first word is group. */
void hc_help_group(FILE *stream, const char *group);

/* "HDF5 1.10.8, GSL 2.7.1, ...": the libraries it runs with. */
const char *hc_help_libraries(void);

/* `hindcast --version`: hindcast and the libraries it runs with. */
void hc_help_version(FILE *stream);

#endif
