/* text_stream.h - a stream whose text goes into memory, and which knows when there was none.
 *
 * open_memstream() of glibc does not: where its buffer cannot grow it drops what does not fit, and
 * neither ferror() nor fclose() tells. A manifest was published cut so.
 *
 *     char *text;
 *     size_t length;
 *     FILE *stream = hc_text_stream(&text, &length, err);
 *     if (!stream)
 *         return err->status;
 *     enum hc_status status = hc_text_stream_end(stream, &text, write_it(stream, err), err);
 *     ...
 *     free(text);
 */
#ifndef HC_CORE_TEXT_TEXT_STREAM_H
#define HC_CORE_TEXT_TEXT_STREAM_H

#include "core/base/status.h"

#include <stdio.h>

/* A stream to write to, of which *text (with a NUL behind it) and *length are what was written, up
 * to date after fflush() and the end. *text is NULL until then. NULL with err filled without
 * memory. */
FILE *hc_text_stream(char **text, size_t *length, struct hc_error *err);

/* Close the stream. status: of what was written to it; returned when it is not HC_OK. HC_INTERNAL:
 * there was no memory for all of the text. *text is the caller's to free; NULL on failure. */
enum hc_status hc_text_stream_end(FILE *stream, char **text, enum hc_status status,
                                  struct hc_error *err);

#endif
