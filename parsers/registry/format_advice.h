/* format_advice.h - what a file may be that is in no format which hindcast reads, and what to do
 * about it: the output of Slurm for people, tables and documents of other tools, UTF-16, web pages.
 */
#ifndef HC_PARSERS_REGISTRY_FORMAT_ADVICE_H
#define HC_PARSERS_REGISTRY_FORMAT_ADVICE_H

#include <stddef.h>

/* By its first bytes (decompressed) and its path: the predicate of a sentence about the file, such
 * as "is UTF-16 text; convert it ...". Never NULL. */
const char *hc_format_advice(const unsigned char *head, size_t length, const char *path);

#endif
