/* digest.h - SHA-256 of files and bytes, as sha256sum prints it (nettle, which uses SHA-NI). */
#ifndef HC_CORE_BASE_DIGEST_H
#define HC_CORE_BASE_DIGEST_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define HC_DIGEST_TEXT 65 /* 64 hex digits and the terminator */

/* Digest of length bytes as hex text. */
void hc_digest_bytes(const void *bytes, size_t length, char text[HC_DIGEST_TEXT]);

/* Digest of everything in the open file fd from offset 0, read with pread (the offset of fd does
 * not move); name is for messages. */
enum hc_status hc_digest_fd(int fd, const char *name, char text[HC_DIGEST_TEXT],
                            struct hc_error *err);

/* Digests of beginnings of a file, taken on the way through it. */
struct hc_digest_cut {
    int64_t offset;            /* bytes before it */
    char text[HC_DIGEST_TEXT]; /* of these; "": the file is shorter */
};
struct hc_digest_cuts {
    size_t n;
    struct hc_digest_cut *cut;      /* ascending by offset */
    struct hc_digest_cut last_line; /* behind the last line feed; offset 0: there is none */
};

/* As hc_digest_fd, with the digests of its beginnings. */
enum hc_status hc_digest_fd_cuts(int fd, const char *name, struct hc_digest_cuts *cuts,
                                 char text[HC_DIGEST_TEXT], struct hc_error *err);

/* Bytes that come one after the other, and the beginnings of them. */
struct hc_digest_run;
enum hc_status hc_digest_run_start(struct hc_digest_run **run, struct hc_digest_cuts *cuts,
                                   struct hc_error *err);
void hc_digest_run_take(struct hc_digest_run *run, const void *bytes, size_t length);
/* The digest of all, and the end of the run. */
void hc_digest_run_end(struct hc_digest_run *run, char text[HC_DIGEST_TEXT]);

/* A stream whose bytes go into a digest and nowhere else; fclose puts it into text. NULL with err
 * filled without memory. */
FILE *hc_digest_stream(char text[HC_DIGEST_TEXT], struct hc_error *err);

#endif
