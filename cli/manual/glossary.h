/* glossary.h - the words that reports print, each explained once.
 *
 * docs/glossary.md, the section TERMS of the manual pages and `hindcast help WORD` are made of this
 * table. A new word of a report is a new row.
 */
#ifndef HC_CLI_MANUAL_GLOSSARY_H
#define HC_CLI_MANUAL_GLOSSARY_H

#include "cli/frame/command.h"

#include <stdio.h>

struct hc_term {
    const char *name;    /* as it is printed: "ETTR", "launch delay" */
    const char *meaning; /* one or two plain sentences, with their full stops */
    const char *topic;   /* the heading that it stands under in the page */
    const char *reports; /* commands that print it, with commas: "whatif,compare" */
};

/* The word, whatever the case of its letters, or NULL. */
const struct hc_term *hc_term_find(const char *name);

/* The next word that a command prints, after the one that is given (NULL: the first); NULL: none.
 */
const struct hc_term *hc_term_of_command(const struct hc_command *command,
                                         const struct hc_term *after);

/* docs/glossary.md. */
void hc_glossary_write(FILE *stream);

#endif
