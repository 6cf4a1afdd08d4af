/* segment_file.h - the bytes of a segment, for readers that trust none of them.
 *
 * Three rules keep a file that somebody made up from hurting its reader, whatever it says:
 * - No byte is looked at that is not in the file.
 * - Whoever walks structures of the file claims the bytes of each before it looks into it. In a
 *   file that HDF5 wrote they overlap nowhere, so claims never exceed its size; one that points at
 *   the same bytes again and again runs out of them. So time and memory are bounded by the size.
 * - What the system refuses to read (HC_IO) is told from what it read and is wrong (HC_BAD_INPUT).
 *
 *     const uint8_t *head = hc_segment_file_look(file, at, 16, err);
 *     if (!head)
 *         return err->status;
 *     int64_t next = hc_segment_file_address(file, head + 8);
 *     if (next < 0)
 *         return hc_segment_file_damaged(err, at, "it leads out of the file");
 *
 * Of one thread at a time.
 */
#ifndef HC_STORE_OBJECTS_SEGMENT_FILE_H
#define HC_STORE_OBJECTS_SEGMENT_FILE_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

#define HC_SEGMENT_WINDOW 4096 /* read at once: most headers and nodes */

struct hc_segment_file {
    int fd;
    int64_t size;          /* bytes of the file */
    int64_t unclaimed;     /* of them; size at first */
    int64_t start, length; /* what of the file is in the window */
    uint8_t window[HC_SEGMENT_WINDOW];
};

/* An unsigned number of n bytes (at most 8), lowest first, as all are in our files. */
static inline uint64_t hc_little_endian(const uint8_t *bytes, size_t n)
{
    uint64_t value = 0;
    while (n-- > 0)
        value = value << 8 | bytes[n];
    return value;
}

/* Begin to read the open file fd, which stays the caller's. HC_BAD_INPUT when it is no regular
 * file. name is for the message. */
enum hc_status hc_segment_file_init(struct hc_segment_file *file, int fd, const char *name,
                                    struct hc_error *err);

/* The n bytes (at most a window) at a byte of the file, until the next call. NULL with err filled
 * on failure. */
const uint8_t *hc_segment_file_look(struct hc_segment_file *file, int64_t at, int64_t n,
                                    struct hc_error *err);

/* Copy n bytes of the file, any number. */
enum hc_status hc_segment_file_read(struct hc_segment_file *file, int64_t at, int64_t n,
                                    uint8_t *bytes, struct hc_error *err);

/* Claim n bytes for what is said at byte at. */
enum hc_status hc_segment_file_claim(struct hc_segment_file *file, int64_t n, int64_t at,
                                     struct hc_error *err);

/* The byte that an address of 8 bytes stands for; -1 for none and for one outside. */
int64_t hc_segment_file_address(const struct hc_segment_file *file, const uint8_t *bytes);

/* HC_BAD_INPUT: "byte <at>: <what>; ingest the source again". */
enum hc_status hc_segment_file_damaged(struct hc_error *err, int64_t at, const char *what);

#endif
