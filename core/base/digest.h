/* digest.h - SHA-256 of files and bytes, as sha256sum prints it (nettle, which uses SHA-NI). */
#ifndef HC_CORE_BASE_DIGEST_H
#define HC_CORE_BASE_DIGEST_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdio.h>

#define HC_DIGEST_TEXT 65 /* 64 hex digits and the terminator */

/* Digest of length bytes as hex text. */
void hc_digest_bytes(const void *bytes, size_t length, char text[HC_DIGEST_TEXT]);

/* Digest of everything in the open file fd from offset 0, read with pread (the offset of fd does
 * not move); name is for messages. */
enum hc_status hc_digest_fd(int fd, const char *name, char text[HC_DIGEST_TEXT],
                            struct hc_error *err);

/* Digest of the file at path. */
enum hc_status hc_digest_file(const char *path, char text[HC_DIGEST_TEXT], struct hc_error *err);

/* A stream whose bytes go into a digest and nowhere else; fclose puts it into text. NULL with err
 * filled without memory. */
FILE *hc_digest_stream(char text[HC_DIGEST_TEXT], struct hc_error *err);

#endif
