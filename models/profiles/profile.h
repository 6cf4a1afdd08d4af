/* profile.h - profiler traces of the ranks of a job in memory, and what is derived from each of
 * them alone: launches, steps, windows (spec: profiler traces 2 and 3).
 *
 * A profile is filled by pipeline (from files or from an archive), then linked once:
 *
 *     hc_profile_link(profile, HC_STEPS_BY_PROFILER, err);
 *
 * Rows of gpu are sorted by (start, stream, order of the trace), those of calls, marks,
 * annotations, comms and syncs by (start, longer first, order of the trace).
 */
#ifndef HC_MODELS_PROFILES_PROFILE_H
#define HC_MODELS_PROFILES_PROFILE_H

#include "core/base/status.h"
#include "core/tables/profile_tables.h"
#include "core/tables/table_names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_NO_ROW  ((uint32_t)-1)
#define HC_NO_STEP (-1)

/* A step of a rank, ascending by start. Windows are half open. */
struct hc_profile_step {
    int64_t number;                   /* N of ProfilerStep#N; HC_MISSING_I64: the whole trace */
    int64_t start_ns, end_ns;         /* of the annotation */
    int64_t cpu_start_ns, cpu_end_ns; /* CPU window: to the start of the next step */
    int64_t gpu_start_ns, gpu_end_ns; /* GPU window; both HC_MISSING_I64 where no linked GPU event
                                         is of the step */
    int64_t last_gpu_end_ns;          /* of the GPU events of the step */
};

struct hc_profile_rank {
    char *name;               /* of the file or segment, for messages */
    int32_t rank, world_size; /* world_size HC_MISSING_I32 where unknown */
    struct hc_table table[HC_PROFILE_N_TABLES];

    /* By hc_profile_link. */
    uint32_t *launch; /* of each gpu row: row of calls, or HC_NO_ROW (unlinked) */
    int32_t *step;    /* of each gpu row: index into steps, or HC_NO_STEP */
    size_t n_unlinked;
    size_t n_steps;
    struct hc_profile_step *steps;
    int32_t main_thread; /* of ProfilerStep, else of most launches; code of dictionary "thread" */
};

struct hc_profile {
    size_t n_ranks;
    struct hc_profile_rank *ranks; /* ascending by rank, each once */
    int32_t world_size;            /* as most ranks say, else the largest rank of a group plus one,
                                      else the largest rank plus one */
    struct hc_table_names names;   /* the codes of all ranks */
};

enum hc_steps_by { HC_STEPS_BY_PROFILER, HC_STEPS_BY_OPTIMIZER };

/* Sort the rows, link GPU events to their launches, find the steps. HC_INTERNAL: no memory. */
enum hc_status hc_profile_link(struct hc_profile *profile, enum hc_steps_by by,
                               struct hc_error *err);

/* The text of a code of a dictionary of the profile; "" for a missing code. */
const char *hc_profile_text(const struct hc_profile *profile, const char *dictionary, int32_t code);

/* Zeroed memory is an empty profile. */
void hc_profile_fini(struct hc_profile *profile);

#endif
