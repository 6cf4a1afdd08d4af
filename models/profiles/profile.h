/* profile.h - profiler traces of the ranks of a job in memory, and what is derived from each of
 * them alone: launches, steps, windows (spec: profiler traces 2 and 3).
 *
 * A profile is filled by pipeline (from files or from an archive), then linked once:
 *
 *     hc_profile_link(profile, HC_STEPS_BY_PROFILER, err);
 *
 * Linking makes all starts absolute: it adds base_ns of the row of `ranks`, which is 0 from then
 * on. It sorts the rows of gpu by (start, stream), those of calls, marks, annotations, comms and
 * syncs by (start, longer first), and where that leaves a choice by what else is in the row: in
 * which order a trace lists its events changes nothing. All times are then within 2^62 of 0, ends
 * included, and the difference of two of them fits 64 bits.
 */
#ifndef HC_MODELS_PROFILES_PROFILE_H
#define HC_MODELS_PROFILES_PROFILE_H

#include "core/base/status.h"
#include "core/tables/profile_tables.h"
#include "core/tables/table_names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A thread that did nothing for so long may have waited for another one. */
#define HC_LEAST_GAP_NS 100000

#define HC_NO_ROW  ((uint32_t)-1)
#define HC_NO_STEP (-1)

/* A step of a rank, ascending by start. Windows are half open. */
struct hc_profile_step {
    int64_t number;                   /* N of ProfilerStep#N; by the optimizer 0, 1, ...;
                                         HC_MISSING_I64: the whole trace */
    int64_t start_ns, end_ns;         /* of the annotation, the cuts or the trace */
    int64_t cpu_start_ns, cpu_end_ns; /* CPU window: to the start of the next step */
    int64_t gpu_start_ns, gpu_end_ns; /* GPU window; both HC_MISSING_I64 where no linked GPU event
                                         is of the step (of a trace without links: no GPU event) */
    int64_t last_gpu_end_ns;          /* of the GPU events of the step */
};

struct hc_profile_rank {
    char *name;               /* of the file or segment, for messages */
    int32_t rank, world_size; /* HC_MISSING_I32 where unknown */
    struct hc_table table[HC_PROFILE_N_TABLES];

    /* By hc_profile_rank_settle (profile_fill.h): linked before the others were there; without the
     * marks that nothing depends on and the columns that nobody reads, which are NULL. */
    bool is_settled;

    /* By hc_profile_link, or hc_profile_rank_settle before it. */
    uint32_t *launch;       /* of each gpu row: row of calls, or HC_NO_ROW (unlinked) */
    int32_t *step;          /* of each gpu row: index into steps, or HC_NO_STEP */
    int64_t *latest_end_ns; /* of each gpu row: the latest end of the rows up to it */
    size_t n_unlinked;
    size_t n_steps;
    struct hc_profile_step *steps;
    int32_t main_thread; /* of ProfilerStep, else of most launches; code of dictionary "thread";
                            HC_MISSING_I32: nothing was launched */
};

/* Ranks first..last of a job. */
struct hc_rank_range {
    int32_t first, last;
};

struct hc_profile {
    size_t n_ranks;
    struct hc_profile_rank *ranks;
    struct hc_table_names names; /* the codes of all ranks */

    /* By hc_profile_link, which also sorts the ranks: ascending, each once. */
    int32_t world_size;       /* as most ranks say, else the largest rank of a group plus one; never
                                 less than the largest rank plus one */
    bool has_unequal_worlds;  /* the ranks say different ones, or too small a one */
    size_t n_missing, n_gaps; /* ranks of the job without a trace, and the ranges of them */
    struct hc_rank_range *gaps;
    size_t n_common_steps; /* numbers of the steps that all ranks have, ascending */
    int64_t *common_steps;
};

/* By the optimizer: a step ends where an Optimizer.step does. Without such annotations the whole
 * trace is one step. */
enum hc_steps_by { HC_STEPS_BY_PROFILER, HC_STEPS_BY_OPTIMIZER };

/* Check the ranks, sort the rows, link GPU events to their launches, find the steps. Rows without a
 * usable time are dropped and counted in n_out_of_range of the row of `ranks`. A rank that is there
 * twice with the same rows is taken once. HC_BAD_INPUT: two traces of one rank that differ; several
 * traces of which one has no rank. HC_INTERNAL: no memory. */
enum hc_status hc_profile_link(struct hc_profile *profile, enum hc_steps_by by,
                               struct hc_error *err);

/* The text of a code of a dictionary of the profile; "" for a missing code. */
const char *hc_profile_text(const struct hc_profile *profile, const char *dictionary, int32_t code);

/* The set of texts of a dictionary, or NULL where the profile has none of that name. */
const struct hc_text_set *hc_profile_dictionary(const struct hc_profile *profile,
                                                const char *dictionary);

/* Zeroed memory is an empty profile. */
void hc_profile_fini(struct hc_profile *profile);

#endif
