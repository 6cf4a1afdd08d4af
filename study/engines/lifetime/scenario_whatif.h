/* scenario_whatif.h - factors that are what the straggler what-if says of a job. The trace is read
 * and replayed once, before the run (study/engines/lifetime/scenario_records.h); binding takes the
 * figure. */
#ifndef HC_STUDY_ENGINES_LIFETIME_SCENARIO_WHATIF_H
#define HC_STUDY_ENGINES_LIFETIME_SCENARIO_WHATIF_H

#include "core/base/status.h"
#include "store/archive/archive.h"
#include "study/grammar/scenario_node.h"

#include <stdbool.h>

struct hc_record_source;

/* Replay the file at source->path. */
enum hc_status hc_whatif_source_file(struct hc_record_source *source, bool wants_workers,
                                     struct hc_error *err);

/* Replay a job of the archive. */
enum hc_status hc_whatif_source_entry(struct hc_record_source *source,
                                      const struct hc_archive *archive,
                                      const struct hc_manifest_entry *entry, bool wants_workers,
                                      struct hc_error *err);

/* The factor that whatif, an object of `job` or `file` and `figure`, stands for. HC_BAD_INPUT when
 * it is none that makes steps longer. */
enum hc_status hc_bind_whatif_factor(double *factor, const struct hc_node *whatif,
                                     struct hc_error *err);

/* "the slowdown of job ...", of a source that was read; NULL when there is no memory. The caller
 * frees it. */
char *hc_whatif_factor_words(const struct hc_node *whatif, struct hc_error *err);

#endif
