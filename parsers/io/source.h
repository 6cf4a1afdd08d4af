/* source.h - the bytes of one input: a file, or standard input.
 *
 * A source is always seekable: standard input, pipes and other unseekable files are spooled to an
 * unlinked temporary file (TMPDIR) first. It never holds the input in memory.
 */
#ifndef HC_PARSERS_IO_SOURCE_H
#define HC_PARSERS_IO_SOURCE_H

#include "core/base/digest.h"
#include "core/base/status.h"
#include "core/files/input_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_source {
    char *name; /* the path as given; "standard input" for "-" */
    int fd;
    int64_t size;                /* bytes */
    char sha256[HC_DIGEST_TEXT]; /* of the bytes as they are (compressed) */
    bool is_spooled;             /* fd is a copy that is nobody else's */
    struct hc_file_state state;  /* as the digest was computed */
};

/* Open path ("-" is standard input) and compute its digest. Directories and devices are refused. */
enum hc_status hc_source_open(struct hc_source *source, const char *path, struct hc_error *err);
/* The same with the digests of beginnings of its bytes as they are. */
enum hc_status hc_source_open_cuts(struct hc_source *source, const char *path,
                                   struct hc_digest_cuts *cuts, struct hc_error *err);
void hc_source_close(struct hc_source *source);

/* As read(context, ...) gives them: at least one byte and at most capacity; *length 0 is the end.
 */
typedef enum hc_status hc_source_read(void *context, void *buffer, size_t capacity, size_t *length,
                                      struct hc_error *err);

/* Budget of what is kept in TMPDIR, of a pipe, of standard input or of one member of an archive:
 * HINDCAST_MAX_SPOOL in the environment (bytes; K, M, G or T behind them), else HC_MAX_SPOOL. What
 * has more is HC_BAD_INPUT, and kept no further. */
#define HC_MAX_SPOOL ((int64_t)16 << 30)

/* Budget before unpacking to disk: an archive may unpack to HC_UNPACK_FREE bytes, and beyond that
 * to HC_UNPACK_A_BYTE for each of its bytes. Traces in JSON pack to 1/15 to 1/32 (gzip) and 1/50
 * (zstd -19, xz), measured on the shared data: what packs better than 1/200 is made to fill a disk.
 */
#define HC_UNPACK_FREE   ((int64_t)64 << 20)
#define HC_UNPACK_A_BYTE 200
enum hc_status hc_source_check_unpacked(const struct hc_source *archive, int64_t n_packed,
                                        int64_t n_unpacked, struct hc_error *err);

/* A source of its own made of what read gives, kept in an unlinked temporary file (TMPDIR) until
 * it is closed. */
enum hc_status hc_source_spool(struct hc_source *source, const char *name, hc_source_read *read,
                               void *context, struct hc_error *err);

/* A source is read twice: for its digest, and by its parser. HC_IO when it was changed since the
 * digest was computed, so that the parser may have read other bytes. To be asked when the last byte
 * was read, and before what was read is kept or shown. A file that was written in the last seconds
 * before it was opened, whose times cannot tell, is hashed once more. */
enum hc_status hc_source_verify(const struct hc_source *source, struct hc_error *err);

/* Budget before work: compressed or run-length coded, a kilobyte can stand for a billion rows. Rows
 * up to HC_FREE_ROWS are always taken; above that, a byte of the source may stand for rows_per_byte
 * of them (0: any number). HC_BAD_INPUT names both figures and --max-rows-per-byte. */
#define HC_FREE_ROWS 1000000
enum hc_status hc_source_check_rows(const struct hc_source *source, int64_t n_rows,
                                    int64_t rows_per_byte, struct hc_error *err);

/* Read exactly length bytes at offset; a shorter read is HC_BAD_INPUT naming file and byte. */
enum hc_status hc_source_read_at(const struct hc_source *source, int64_t offset, void *buffer,
                                 size_t length, struct hc_error *err);

#endif
