/* night_document.h - the JSON documents of `hindcast report nightly` and `hindcast report run`,
 * read back to be compared. */
#ifndef HC_PIPELINE_NIGHT_NIGHT_DOCUMENT_H
#define HC_PIPELINE_NIGHT_NIGHT_DOCUMENT_H

#include "core/base/digest.h"
#include "models/account/compare/day_compare.h"

struct hc_night_document {
    int64_t major, minor;             /* of its schema */
    char site_sha256[HC_DIGEST_TEXT]; /* of the site file; "": none, or a run's */
    struct hc_compared_side side;
    size_t n_days;
    struct hc_compared_day *days; /* of its window; of the leaves, productive ones only */
    struct hc_compared_run run;   /* of a document of a run, which has no days */
};

/* HC_BAD_INPUT: it is no such document. The caller's to hc_night_document_fini whatever the
 * result. */
enum hc_status hc_night_document_load(struct hc_night_document *document, const char *path,
                                      struct hc_error *err);
/* The same of a document of `report run`; what is lost to failures is not known of it, and its days
 * are of UTC. */
enum hc_status hc_run_document_load(struct hc_night_document *document, const char *path,
                                    struct hc_error *err);
void hc_night_document_fini(struct hc_night_document *document);

/* HC_BAD_INPUT: their definitions differ, so that their figures mean different things. */
enum hc_status hc_night_documents_check(const struct hc_night_document documents[2],
                                        struct hc_error *err);

#endif
