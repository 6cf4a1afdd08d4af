/* scenario_choice.h - the scenario that a word on the command line names: a file, a preset by its
 * bare name, or "preset:NAME". */
#ifndef HC_CLI_OPTIONS_SCENARIO_CHOICE_H
#define HC_CLI_OPTIONS_SCENARIO_CHOICE_H

#include "core/base/status.h"

#include <limits.h>

#define HC_SCENARIO_PATH PATH_MAX

/* The path by which `word` is loaded: `word` itself, or the text put into buffer. A file that is
 * there comes first; X.json also finds X.jsonc, as files that are not plain JSON are called now.
 * HC_USAGE: neither a file nor a preset, with what was meant where that can be told; HC_BAD_INPUT:
 * a file of something else, with the command that takes it. */
enum hc_status hc_scenario_choose(const char *word, char buffer[HC_SCENARIO_PATH],
                                  const char **path, struct hc_error *err);

#endif
