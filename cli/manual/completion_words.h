/* completion_words.h - what may stand where on a command line, for the completion of every shell.
 * Private to this wing. */
#ifndef HC_CLI_MANUAL_COMPLETION_WORDS_H
#define HC_CLI_MANUAL_COMPLETION_WORDS_H

#include "cli/frame/command.h"

#include <stdio.h>

/* What stands for the value of an option, or an argument. Several may: "a job or a file". */
enum hc_word_kind {
    HC_WORD_FILE = 1,
    HC_WORD_DIRECTORY = 2,
    HC_WORD_JOB = 4,      /* of the archive */
    HC_WORD_COMMAND = 8,  /* of hindcast */
    HC_WORD_PRESET = 16,  /* the names of presets */
    HC_WORD_KEY = 32,     /* /job/nodes= of --set */
    HC_WORD_CHOICES = 64, /* hc_put_choices */
};

unsigned hc_word_kinds_of_option(const struct hc_option *option);
unsigned hc_word_kinds_of_argument(const struct hc_positional *positional);

/* The words of a kind that can be listed, each with a space before it. */
void hc_put_choices(FILE *stream, const struct hc_option *option);
void hc_put_presets(FILE *stream);
void hc_put_set_keys(FILE *stream);

/* Words of all commands at one level: the first words, or those after a group. */
void hc_put_command_words(FILE *stream, const char *group);

#endif
