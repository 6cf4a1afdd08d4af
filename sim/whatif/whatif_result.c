/* whatif_result.c - releasing the result of a what-if. */
#include "sim/whatif/whatif.h"

#include <stdlib.h>
#include <string.h>

static void split_fini(struct hc_split *split)
{
    for (size_t g = 0; g < split->n_groups; g++)
        free(split->groups[g].end_ns);
    free(split->groups);
}

static void depth_fini(struct hc_whatif_depth *depth)
{
    for (int kind = 0; kind < HC_N_FIX_KINDS; kind++) {
        free(depth->fixes[kind].order);
        free(depth->fixes[kind].points);
    }
    free(depth->shapley.groups);
    free(depth->verdict.pass_correlation);
    free(depth->verdict.n_pass_pairs);
    free(depth->picture.ops);
    free(depth->durations.type_ns);
    free(depth->durations.n_ops);
    free(depth->durations.pass_ns);
    hc_culprits_fini(&depth->culprits);
    for (size_t i = 0; i < depth->n_asked_fixes; i++)
        free(depth->asked_fixes[i].chosen);
    free(depth->asked_fixes);
    memset(depth, 0, sizeof *depth);
}

void hc_whatif_result_fini(struct hc_whatif_result *result)
{
    for (int p = 0; p < HC_N_PARTITIONS; p++) {
        split_fini(&result->blocking[p]);
        split_fini(&result->launch[p]);
    }
    free(result->steps);
    free(result->traced_ns);
    free(result->replayed_ns);
    free(result->ideal_ns);
    free(result->replayed_end_ns);
    free(result->ideal_end_ns);
    free(result->step_slowdown);
    free(result->step_launch_slowdown);
    free(result->left_out);
    free(result->step_unix_ns);
    free(result->workers);
    hc_job_places_fini(&result->places);
    free(result->slowest);
    free(result->worker_end_ns);
    depth_fini(&result->depth);
    hc_whatif_findings_fini(&result->findings);
    hc_row_report_fini(&result->rows);
    hc_job_fini(&result->job);
    memset(result, 0, sizeof *result);
}
