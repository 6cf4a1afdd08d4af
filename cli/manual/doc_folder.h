/* doc_folder.h - where an installed hindcast has the docs that its help names.
 * Private to this wing. */
#ifndef HC_CLI_MANUAL_DOC_FOLDER_H
#define HC_CLI_MANUAL_DOC_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the folder that holds docs/, examples/ and data/samples/ of the program that runs, as
 * "/usr/share/doc/hindcast", and returns true. False where it was not installed, or without them:
 * then they are in its sources. */
bool hc_doc_folder(char *folder, size_t size);

#endif
