/* site_ledger.h - which files an archive has read, so that those that are as they were need not be
 * read again. Private to this wing.
 *
 * A cache in the archive (store/archive/derived.h): without it, or with one that is damaged, every
 * file is read once more, and its rows are merged by key into what is there.
 *
 *     hc_site_ledger_load(&ledger, archive, err);
 *     hc_site_mark_take(&mark, path, how, err);
 *     if (!hc_site_ledger_has(&ledger, &mark))    // read it, then
 *         hc_site_ledger_put(&ledger, &mark, err);
 *     hc_site_ledger_save(&ledger, archive, err);
 */
#ifndef HC_PIPELINE_SITE_SITE_LEDGER_H
#define HC_PIPELINE_SITE_SITE_LEDGER_H

#include "core/base/digest.h"
#include "parsers/io/watermark.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* A file as it was read. */
struct hc_site_mark {
    char *path; /* absolute, links resolved */
    char *how;  /* it was read: source of the site file, format, cluster, zone */
    int64_t size;
    int64_t changed_ns;            /* time of the last change of its content; missing: changed so
                                      shortly before that the next change may leave the same time */
    int64_t written_ns;            /* the same, whenever that was */
    char edges[HC_DIGEST_TEXT];    /* of its first and last bytes */
    char sha256[HC_DIGEST_TEXT];   /* of all of it; "": not yet known */
    struct hc_watermark watermark; /* how far it was read; or zeroed */
    bool waits; /* rows were left out since further lines may change them: once nothing was written
                   to the file for a while, it is read again */
    bool is_at_rest; /* that is so now */
    /* Of the ledger as it was before an ingest: */
    bool is_listed;    /* a file of that path is among those of its source */
    bool is_unchanged; /* and is as it was */
    bool is_settled;   /* what it had when it was read is in some file that is there */
};

/* Zeroed memory is an empty ledger. */
struct hc_site_ledger {
    size_t n, capacity;
    struct hc_site_mark *marks; /* ascending by path */
    bool is_unreadable;         /* there may be one, which is left as it is */
};

/* The ledger of the archive at path; an empty one where none is there, or it cannot be read or made
 * out, which is warned of. */
enum hc_status hc_site_ledger_load(struct hc_site_ledger *ledger, const char *archive,
                                   struct hc_error *err);
enum hc_status hc_site_ledger_save(const struct hc_site_ledger *ledger, const char *archive,
                                   struct hc_error *err);
void hc_site_ledger_fini(struct hc_site_ledger *ledger);

/* What the file at path is now, by its times and edges; its digest is left open. The caller's to
 * hc_site_mark_fini, also on failure. */
enum hc_status hc_site_mark_take(struct hc_site_mark *mark, const char *path, const char *how,
                                 struct hc_error *err);
void hc_site_mark_fini(struct hc_site_mark *mark);

/* The mark of that path, or NULL. */
struct hc_site_mark *hc_site_ledger_find(const struct hc_site_ledger *ledger, const char *path);

/* All watermarks of files that were read in this way, sorted; they stay the ledger's. */
enum hc_status hc_site_ledger_watermarks(const struct hc_site_ledger *ledger, const char *how,
                                         struct hc_watermarks *set, struct hc_error *err);

/* Whether the file was read in this way and is as it was, by its times and edges. */
bool hc_site_ledger_has(const struct hc_site_ledger *ledger, const struct hc_site_mark *mark);

/* A file of any name with the same bytes that was read in this way, or NULL. The digest of mark is
 * filled where one has its size and edges. HC_IO where it cannot be read. */
enum hc_status hc_site_ledger_find_content(const struct hc_site_ledger *ledger,
                                           struct hc_site_mark *mark,
                                           const struct hc_site_mark **found, struct hc_error *err);

/* Forget a mark of the ledger. */
void hc_site_ledger_drop(struct hc_site_ledger *ledger, struct hc_site_mark *mark);

/* Keep a mark in place of the one of its path. It is moved into the ledger on success. */
enum hc_status hc_site_ledger_put(struct hc_site_ledger *ledger, struct hc_site_mark *mark,
                                  struct hc_error *err);

#endif
