/* watermark.h - how far files were read, so that those that grew are read on from there.
 *
 * A watermark holds for a file whose first bytes have the digest of those that were read, whatever
 * became of its name: the live log, the copy that rotation made of it, or that copy compressed.
 * Looked for are those of the same log: of the same path, but for what rotation and compression put
 * into it (hc_log_path_key). */
#ifndef HC_PARSERS_IO_WATERMARK_H
#define HC_PARSERS_IO_WATERMARK_H

#include "core/base/digest.h"
#include "parsers/io/format.h"

/* Zeroed: none. */
struct hc_watermark {
    const struct hc_format *format; /* that read it; NULL: there is no mark */
    struct hc_read_mark mark;
    char sha256[HC_DIGEST_TEXT]; /* of the bytes before it, unpacked */
    char *log;  /* path by which its rows are of their log: that under which its first bytes were
                   read */
    bool waits; /* it is behind all that was read, and rows wait in its state for further lines */
};

/* On failure there is none. */
enum hc_status hc_watermark_copy(struct hc_watermark *to, const struct hc_watermark *from,
                                 struct hc_error *err);
void hc_watermark_fini(struct hc_watermark *watermark);

/* Those that may be used. Zeroed memory is none. */
struct hc_watermarks {
    size_t n, capacity;
    struct hc_named_watermark {
        const char *path; /* absolute; the caller's */
        uint64_t key;     /* of its log */
        const struct hc_watermark *watermark;
    } * at; /* by log; those that wait last; ascending by offset, once sorted */
};

/* Add one; path and watermark stay the caller's, and valid. */
enum hc_status hc_watermarks_add(struct hc_watermarks *set, const char *path,
                                 const struct hc_watermark *watermark, struct hc_error *err);
void hc_watermarks_sort(struct hc_watermarks *set);
void hc_watermarks_fini(struct hc_watermarks *set);

/* Those of the log at path, and the digests that the beginnings of its file have. */
#define HC_WATERMARKS_MOST 16
struct hc_watermark_trial {
    size_t n;
    const struct hc_watermark *watermark[HC_WATERMARKS_MOST]; /* ascending by offset */
    struct hc_digest_cut cut[HC_WATERMARKS_MOST];
    struct hc_digest_cuts cuts; /* of these; to be filled on the way through the file */
};

/* Which watermarks to try; of more than there is room for, those that wait, and those farthest in.
 * set may be NULL. The trial is not to be moved. */
void hc_watermark_trial_start(struct hc_watermark_trial *trial, const struct hc_watermarks *set,
                              const char *path);

/* Of compressed data, the cuts are those of what is unpacked, which is read once for it. */
enum hc_status hc_watermark_trial_unpack(struct hc_watermark_trial *trial,
                                         const struct hc_source *source, struct hc_error *err);

/* Whether the i-th is of this format, and the file begins as it says. */
bool hc_watermark_trial_fits(const struct hc_watermark_trial *trial, size_t i,
                             const struct hc_format *format);

/* The farthest that fits, or NULL. */
const struct hc_watermark *hc_watermark_trial_find(const struct hc_watermark_trial *trial,
                                                   const struct hc_format *format);

#endif
