/* rank_arrivals.h - what single ranks of a job recorded, read side by side and published together.
 * Private to this wing.
 *
 * An arrival is one such source. Several are read at once, by threads that share nothing but the
 * archive; what each has to say is kept. Then they are settled one after the other, in the order in
 * which they were given, so that messages and archive are the same for any number of threads:
 *
 *     hc_arrival_open(&arrival, run, path, options);      // on any thread
 *     hc_arrival_settle(&arrival, run, err);              // in order
 *     hc_arrivals_publish(run, err);                      // after the last
 */
#ifndef HC_PIPELINE_INGEST_RANK_ARRIVALS_H
#define HC_PIPELINE_INGEST_RANK_ARRIVALS_H

#include "core/base/log.h"
#include "pipeline/ingest/ingest.h"

/* Sources that are read at once, at most: a segment on its way holds one chunk a column, up to some
 * 60 MB, and all together stay below 256 MB. */
#define HC_ARRIVALS_AT_ONCE 4

struct hc_arrival {
    struct hc_source_input input;
    struct hc_ingested ingested;
    struct hc_archive_ingest *ingest; /* a finished segment; NULL: nothing is to be kept */
    bool was_there;
    bool is_other; /* no rank recorded it: it is closed again, and nothing was read */
    struct hc_error failure;
    struct hc_log_lines said;
};

struct hc_arrivals_run; /* the arrivals of one command */

enum hc_status hc_arrivals_run_new(struct hc_arrivals_run **run, struct hc_archive *archive,
                                   const struct hc_ingest_observer *observer, struct hc_error *err);
void hc_arrivals_run_free(struct hc_arrivals_run *run);

/* Before ranks are read: columns of chunks are megabytes that come and go with each, and what is
 * said of it stays. On glibc's heap, where it puts such arrays once it has seen a few, the small
 * ones would keep the room of the large ones from the system: 3 MB a rank. Mapped by themselves
 * they are given back. */
void hc_arrivals_give_back_memory(void);

/* Read a source into a segment, unless the archive holds it; arrival is filled, and what went
 * wrong is its failure. _open opens path first; _take takes an input that is open. */
void hc_arrival_open(struct hc_arrival *arrival, const struct hc_arrivals_run *run,
                     const char *path, const struct hc_trace_options *options);
void hc_arrival_take(struct hc_arrival *arrival, const struct hc_arrivals_run *run,
                     struct hc_source_input *input);

/* Say what the arrival has to say, and let its segment wait for the others. HC_BAD_INPUT: another
 * source of this command, which the message names, is the same rank and differs. Releases arrival,
 * whatever the result. */
enum hc_status hc_arrival_settle(struct hc_arrival *arrival, struct hc_arrivals_run *run,
                                 struct hc_error *err);

/* Publish all that wait, at once, and tell the observer. */
enum hc_status hc_arrivals_publish(struct hc_arrivals_run *run, struct hc_error *err);

#endif
