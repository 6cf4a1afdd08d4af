/* rank_source.h - the files of a set (rank_sets.h) as one source: opened together, surveyed for who
 * is in them and how far their clocks are apart, and read on one clock.
 *
 * A survey is a first reading of all files; memory is that of the clocks
 * (models/steps/rank_clocks.h) and of one parser, however many files there are. */
#ifndef HC_PIPELINE_SOURCES_RANK_SOURCE_H
#define HC_PIPELINE_SOURCES_RANK_SOURCE_H

#include "core/base/status.h"
#include "core/tables/job.h"
#include "parsers/io/format.h"
#include "parsers/io/source.h"
#include "pipeline/kinds/guard.h"
#include "pipeline/sources/rank_sets.h"

#include <stddef.h>

struct hc_rank_source;

/* Open all files of a set. whole gets the name of the set, its size, and a SHA-256 over those of
 * its files, whatever their order and names; it has no descriptor, and is closed like any source.
 * Both are filled on success only. The set outlives the source. */
enum hc_status hc_rank_source_open(struct hc_rank_source **source, struct hc_source *whole,
                                   const struct hc_rank_set *set, struct hc_error *err);
void hc_rank_source_close(struct hc_rank_source *source);

size_t hc_rank_source_n(const struct hc_rank_source *source);
const struct hc_source *hc_rank_source_file(const struct hc_rank_source *source, size_t i);

/* hc_source_verify of each file. */
enum hc_status hc_rank_source_verify(const struct hc_rank_source *source, struct hc_error *err);

/* Read all files once. HC_BAD_INPUT, naming files and workers, when two files have the same worker,
 * or a worker of the job has no file. */
enum hc_status hc_rank_source_survey(struct hc_rank_source *source, const struct hc_format *format,
                                     const struct hc_parse_options *options, struct hc_error *err);

/* A sink that puts the rows of one file onto the clock of the first, after the survey, and hands
 * them on: hc_rank_sink_take with one of these as its context. */
struct hc_rank_sink {
    const struct hc_rank_source *source;
    size_t file;
    hc_table_sink *sink;
    void *context;
};
enum hc_status hc_rank_sink_take(const struct hc_table *rows, void *context, struct hc_error *err);

/* The meta.yaml in the directory of the first file of the set that has one beside it, for the
 * caller to free; NULL where there is none. */
enum hc_status hc_rank_set_metadata(const struct hc_rank_set *set, char **path,
                                    struct hc_error *err);

/* HC_BAD_INPUT when the files do not say the same dp and pp size, naming two that differ, or the
 * metadata says others. Sizes that the metadata does not say are put into job. */
enum hc_status hc_rank_set_check_sizes(const struct hc_rank_set *set, struct hc_job *job,
                                       struct hc_error *err);

#endif
