/* archive_listing.h - what `ls` lists: the jobs, and the days of records, of an archive, with their
 * dates; filtered by a condition and sorted by a column.
 *
 *     hc_archive_listing_make(&listing, archive, is_chosen, err)
 *     hc_archive_listing_filter(&listing, condition, err)    "rows >= 1e6 and format ~ 'step*'"
 *     hc_archive_listing_sort(&listing, "size", true, err)
 *
 * Columns are those of hc_archive_listing_def, in the grammar of every condition on rows
 * (models/query/query_condition.h).
 */
#ifndef HC_PIPELINE_CHOICE_ARCHIVE_LISTING_H
#define HC_PIPELINE_CHOICE_ARCHIVE_LISTING_H

#include "core/tables/record.h"
#include "core/tables/table.h"
#include "models/query/query_condition.h"
#include "pipeline/choice/entry_dates.h"
#include "store/archive/archive.h"

/* What a user may ask of a line of the listing. */
extern const struct hc_table_def hc_archive_listing_def;

/* A line: a segment, or those of the ranks of one job. */
struct hc_listed_job {
    const struct hc_manifest_entry *entry; /* the first of n_ranks neighbours */
    size_t n_ranks;
    struct hc_entry_dates dates; /* of the first; missing, too, where its segment cannot be read */
    int64_t size;                /* bytes of all */
};

/* A segment, for JSON. */
struct hc_listed_segment {
    const struct hc_manifest_entry *entry;
    struct hc_entry_dates dates; /* of its line */
};

struct hc_archive_listing {
    const struct hc_archive *archive;
    size_t n;
    /* Lines without dates since their segment is damaged, or the system refused to read it now. */
    size_t n_damaged, n_unreadable;
    struct hc_listed_job *jobs;
    size_t n_segments;
    struct hc_listed_segment *segments; /* of the jobs, in their order: hc_archive_listing_spread */
};

/* The lines of the chosen entries (NULL: of all) in the order of the manifest. Zeroed before; to
 * hc_archive_listing_fini whatever the result. */
enum hc_status hc_archive_listing_make(struct hc_archive_listing *listing,
                                       const struct hc_archive *archive, const bool *is_chosen,
                                       struct hc_error *err);
void hc_archive_listing_fini(struct hc_archive_listing *listing);

/* Keep the lines that condition, which was parsed for hc_archive_listing_def, holds of; NULL: all.
 */
enum hc_status hc_archive_listing_filter(struct hc_archive_listing *listing,
                                         struct hc_query_condition *condition,
                                         struct hc_error *err);

/* The column of a key: a name of hc_archive_listing_def, or the start of one ("size"). HC_USAGE:
 * there is none, naming the nearest. */
enum hc_status hc_archive_listing_key(size_t *column, const char *key, struct hc_error *err);

/* Sort by a column, descending where is_reverse; what is missing comes last, what is equal stays in
 * the order of the manifest. */
enum hc_status hc_archive_listing_sort(struct hc_archive_listing *listing, size_t column,
                                       bool is_reverse, struct hc_error *err);

/* Fill the segments, for the record. */
enum hc_status hc_archive_listing_spread(struct hc_archive_listing *listing, struct hc_error *err);
extern const struct hc_record_def hc_archive_listing_record;

#endif
