/* record_sources.h - sources of records, read one after the other and merged into the archive
 * together.
 *
 *     hc_record_sources_new(&sources, archive, &settings, err);
 *     for each source
 *         hc_record_sources_read(sources, &input, err);
 *     hc_record_sources_settle(sources, err);
 *     hc_record_sources_free(sources);
 *
 * Rows are gathered (gathered_rows.h) until they are HC_GATHERED_BYTES, or of HC_GATHERED_SOURCES;
 * then their days are written and published, and the observer is told of each source. A batch that
 * is large by itself, as of a dump of the accounting, is merged from where it is. So the memory is
 * that of what is gathered and of some chunks, and a day is written a few times a command, however
 * many sources tell of it.
 *
 * Rows of a source that turns out to be bad are forgotten, but for those of a long one that were
 * merged before.
 */
#ifndef HC_PIPELINE_INGEST_RECORD_SOURCES_H
#define HC_PIPELINE_INGEST_RECORD_SOURCES_H

#include "pipeline/ingest/ingest.h"

#define HC_GATHERED_BYTES   ((size_t)48 << 20)
#define HC_GATHERED_SOURCES 4096

struct hc_record_sources;

struct hc_record_settings {
    const struct hc_trace_options *options;
    const struct hc_ingest_observer *observer;
    /* A source that was read, and whose rows could not be merged or published. */
    void (*lost)(const char *path, const struct hc_error *failure, void *context);
    void *context;
};

enum hc_status hc_record_sources_new(struct hc_record_sources **sources, struct hc_archive *archive,
                                     const struct hc_record_settings *settings,
                                     struct hc_error *err);

/* Read a source of records. On success the input is that of the sources, and *input is empty: the
 * observer is told when its rows are published. */
enum hc_status hc_record_sources_read(struct hc_record_sources *sources,
                                      struct hc_source_input *input, struct hc_error *err);

/* Merge and publish what is gathered, and tell the observer. On failure, lost was called for each
 * source of which that is not known to be whole in the archive. */
enum hc_status hc_record_sources_settle(struct hc_record_sources *sources, struct hc_error *err);

/* What is not settled is given up. sources may be NULL. */
void hc_record_sources_free(struct hc_record_sources *sources);

#endif
