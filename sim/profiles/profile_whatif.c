#include "sim/profiles/profile_whatif.h"

#include "core/base/memory.h"
#include "core/process/threads.h"
#include "sim/profiles/profile_build.h"
#include "sim/profiles/profile_emit.h"
#include "sim/profiles/profile_path.h"
#include "sim/profiles/profile_predict.h"
#include "sim/profiles/profile_variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run {
    struct hc_profile_whatif_result *result;
    const struct hc_profile *profile;
    const struct hc_collectives *collectives;
    const struct hc_profile_whatif_options *options;
    struct hc_scan_window window;
    struct hc_profile_build build;
    struct hc_sweep_lanes lanes;
    struct hc_sweep sweep;
    struct hc_path path;
    struct hc_predict predict;
};

static enum hc_status replay(struct run *run, struct hc_error *err)
{
    struct hc_profile_build *build = &run->build;
    while (hc_build_next(build, err))
        if (hc_sweep_part(&run->sweep, &build->graph, &build->order, err) ||
            hc_path_part(&run->path, &build->graph, &build->order, err) ||
            (run->window.n_steps >= HC_PREDICT_FEWEST &&
             hc_predict_note(&run->predict, build, err)))
            return err->status;
    return err->status;
}

static enum hc_status check_finishes(const struct run *run, struct hc_error *err)
{
    for (size_t lane = 0; lane < run->lanes.n; lane++)
        if (llabs(hc_sweep_finish(&run->sweep, lane)) == HC_SWEEP_MOST_NS)
            return hc_fail(
                err, HC_BAD_INPUT,
                lane < hc_variant_question(run->profile->n_ranks, run->options->no_variants, 0)
                    ? "a replay of more than 104 days cannot be told to the ns"
                    : "what is asked makes the replay last more than 104 days");
    return HC_OK;
}

/* T of a lane. */
static int64_t time_of(const struct run *run, size_t lane)
{
    return hc_sweep_finish(&run->sweep, lane) - run->build.median_start_ns;
}

static enum hc_status take_ranks(struct run *run, struct hc_error *err)
{
    struct hc_profile_whatif_result *result = run->result;
    size_t n = run->profile->n_ranks;
    result->n_ranks = n;
    result->ranks = hc_new_array(n, sizeof *result->ranks, err);
    result->answer_ns = hc_new_array(run->options->n_questions, sizeof *result->answer_ns, err);
    if (!result->ranks || !result->answer_ns)
        return err->status;
    for (size_t r = 0; r < n; r++) {
        const struct hc_build_rank *rank = &run->build.ranks[r];
        struct hc_profile_variants *variants = &result->ranks[r];
        variants->start_skew_ns = hc_build_time(&run->build, r, rank->scan.bound_ns[0]);
        variants->caused_wait_ns = run->collectives->clocks[r].caused_wait_ns;
        if (run->options->no_variants)
            continue;
        variants->mend_ns = time_of(run, hc_variant_mend(r));
        variants->only_ns = time_of(run, hc_variant_only(n, r));
        variants->gain_ns = result->replayed_ns - variants->mend_ns;
        variants->cost_ns = variants->only_ns - result->ideal_ns;
    }
    for (size_t q = 0; q < run->options->n_questions; q++)
        result->answer_ns[q] = time_of(run, hc_variant_question(n, run->options->no_variants, q));
    return HC_OK;
}

/* The stretches of the path stand in a list from its end. */
static enum hc_status take_path(struct run *run, struct hc_error *err)
{
    struct hc_profile_whatif_result *result = run->result;
    const struct hc_way *way = hc_path_last(&run->path);
    if (!way)
        return HC_OK;
    memcpy(result->path_ns, way->part_ns, sizeof result->path_ns);
    result->unexplained_ns = way->part_ns[HC_PATH_UNEXPLAINED];
    for (uint32_t at = way->stretch; at != HC_NO_POINT; at = run->path.stretches[at].before)
        result->n_path++;
    result->path = hc_new_array(result->n_path, sizeof *result->path, err);
    if (!result->path)
        return err->status;
    int64_t to = way->value_ns;
    size_t i = result->n_path;
    for (uint32_t at = way->stretch; at != HC_NO_POINT; at = run->path.stretches[at].before) {
        const struct hc_way_stretch *stretch = &run->path.stretches[at];
        result->path[--i] = (struct hc_path_stretch){
            .rank = run->profile->ranks[stretch->rank_index].rank,
            .from_ns = run->build.origin_ns + stretch->from_ns,
            .to_ns = run->build.origin_ns + to,
            .collective = stretch->collective == HC_NO_POINT ? -1 : (int32_t)stretch->collective};
        to = stretch->from_ns;
    }
    return HC_OK;
}

static double share(const struct run *run, enum hc_graph_work work)
{
    double total = run->build.peers.total_ns[work];
    return total > 0 ? run->build.peers.with_peers_ns[work] / total : 0;
}

static void take_counts(struct run *run)
{
    struct hc_profile_whatif_result *result = run->result;
    const struct hc_profile_graph *graph = &run->build.graph;
    result->n_points = graph->n_points_so_far + run->profile->n_ranks; /* and F of each rank */
    memcpy(result->n_edges, graph->n_arcs_of_kind, sizeof result->n_edges);
    memcpy(result->n_late_edges, graph->n_late, sizeof result->n_late_edges);
    result->n_overlaps = run->build.n_overlaps;
    result->gpu_share_with_peers = share(run, HC_WORK_GPU);
    result->cpu_share_with_peers = share(run, HC_WORK_CPU);
}

static void take_times(struct run *run)
{
    struct hc_profile_whatif_result *result = run->result;
    result->traced_ns = run->build.traced_finish_ns - run->build.median_start_ns;
    result->replayed_ns = time_of(run, HC_VARIANT_TRACED);
    result->structural_ns = time_of(run, HC_VARIANT_STRUCTURAL);
    result->ideal_ns = time_of(run, HC_VARIANT_IDEAL);
    result->no_skew_ns = time_of(run, HC_VARIANT_NO_SKEW);
    result->gpu_ideal_ns = time_of(run, HC_VARIANT_GPU);
    result->cpu_ideal_ns = time_of(run, HC_VARIANT_CPU);
    result->slowdown =
        result->ideal_ns > 0 ? (double)result->replayed_ns / (double)result->ideal_ns : 1;
    result->waste = 1 - 1 / result->slowdown;
}

static void judge(struct hc_profile_whatif_result *result)
{
    int64_t off = result->structural_ns - result->traced_ns;
    double traced = (double)result->traced_ns;
    result->is_unreliable = (double)(off < 0 ? -off : off) > 0.05 * traced ||
                            (double)result->unexplained_ns > 0.10 * traced;
}

static void release_replay(struct run *run)
{
    hc_path_fini(&run->path);
    hc_sweep_fini(&run->sweep);
    hc_sweep_lanes_fini(&run->lanes);
    hc_build_fini(&run->build);
}

static enum hc_status analyse(struct run *run, struct hc_error *err)
{
    if (hc_scan_window_init(&run->window, run->profile, run->collectives, err) ||
        hc_scan_window_choose(&run->window, run->options, err) ||
        hc_build_init(&run->build, &run->window, err) ||
        hc_variants_init(&run->lanes, run->profile, run->options, err))
        return err->status;
    run->lanes.median_start_ns = (double)run->build.median_start_ns;
    if (hc_sweep_init(&run->sweep, &run->lanes, err) ||
        hc_path_init(&run->path, run->profile->n_ranks, err) || replay(run, err) ||
        check_finishes(run, err))
        return err->status;
    run->result->n_steps = run->window.n_steps;
    run->result->first_step = run->window.numbers[0];
    run->result->last_step = run->window.numbers[run->window.n_steps - 1];
    take_counts(run);
    take_times(run);
    if (take_path(run, err) || take_ranks(run, err))
        return err->status;
    judge(run->result);
    bool predicts = run->build.n_parts >= HC_PREDICT_FEWEST;
    release_replay(run); /* what the prediction builds takes its place */
    if (predicts)
        return hc_predict_run(&run->predict, &run->window, run->result, err);
    return HC_OK;
}

enum hc_status hc_profile_whatif_run(struct hc_profile_whatif_result *result,
                                     const struct hc_profile *profile,
                                     const struct hc_collectives *collectives,
                                     const struct hc_profile_whatif_options *options,
                                     struct hc_error *err)
{
    struct run run = {
        .result = result, .profile = profile, .collectives = collectives, .options = options};
    *result = (struct hc_profile_whatif_result){.median_prediction_error = NAN};
    hc_threads_prepare(options->threads);
    enum hc_status status = analyse(&run, err);
    hc_predict_fini(&run.predict);
    release_replay(&run);
    hc_scan_window_fini(&run.window);
    if (status != HC_OK)
        hc_profile_whatif_result_fini(result);
    return status;
}

void hc_profile_whatif_result_fini(struct hc_profile_whatif_result *result)
{
    free(result->ranks);
    free(result->answer_ns);
    free(result->path);
    free(result->predictions);
    memset(result, 0, sizeof *result);
}
