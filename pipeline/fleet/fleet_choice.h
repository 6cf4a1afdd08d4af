/* fleet_choice.h - the jobs of an archive that a condition chooses: "gpus >= 64 and slowdown
 * > 1.1".
 *
 * The grammar is that of every condition on rows (models/query/query_condition.h); a row is a job
 * with a step timeline, by its newest attempt, and its columns are those of the jobs of `whatif
 * --all` (reports/fleet/). What a condition does not read is not looked for: the names of jobs are
 * in the manifest, sizes and steps in the segment, and only for figures of the what-if does each
 * job have to be replayed, unless its row is kept from before.
 */
#ifndef HC_PIPELINE_FLEET_FLEET_CHOICE_H
#define HC_PIPELINE_FLEET_FLEET_CHOICE_H

#include "core/base/status.h"
#include "core/tables/table.h"
#include "models/query/query_condition.h"
#include "pipeline/fleet/fleet_job.h"

#include <stddef.h>

/* What a condition may read of a job. */
extern const struct hc_table_def hc_fleet_choice_def;

struct hc_fleet_choice {
    size_t n_in_archive; /* jobs that there are to choose from */
    size_t n;
    struct hc_fleet_job *jobs; /* [n] in the order of the manifest; the caller's to free */
};

/* The jobs that condition, which was parsed for hc_fleet_choice_def, holds of; NULL: all. A job
 * whose segment cannot be read is chosen, as nobody knows that it is not meant: whoever works on it
 * finds out and says so. */
enum hc_status hc_fleet_choose(struct hc_fleet_choice *choice, const struct hc_archive *archive,
                               struct hc_query_condition *condition, int threads,
                               struct hc_error *err);

#endif
