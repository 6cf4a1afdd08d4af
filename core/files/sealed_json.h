/* sealed_json.h - JSON documents that carry their own SHA-256: a file that was cut, edited or mixed
 * with another is told from one that is whole.
 *
 * The last member of the object is "sha256", over all bytes before the comma in front of it. Any
 * JSON reader reads such a file; what is sealed is the bytes, so nobody needs a canonical form.
 */
#ifndef HC_CORE_FILES_SEALED_JSON_H
#define HC_CORE_FILES_SEALED_JSON_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* The text of a document (one object that is not empty, as hc_json_writer indents it by 2) with its
 * seal, or NULL with err filled; the caller frees it. */
char *hc_sealed_json(const char *document, struct hc_error *err);

/* Whether text is a document as hc_sealed_json made it. */
bool hc_sealed_json_is_whole(const char *text, size_t length);

/* Read the file at path ("-" is standard input), which must be whole (else HC_BAD_INPUT; HC_IO when
 * it cannot be read). *text ends in a NUL and is the caller's. A pipe is read to its end; what does
 * not begin as a document does is let go at once. */
enum hc_status hc_sealed_json_read(const char *path, char **text, size_t *length,
                                   struct hc_error *err);

#endif
