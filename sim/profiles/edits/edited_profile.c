#include "sim/profiles/edits/edited_profile.h"

#include "core/base/memory.h"
#include "core/process/threads.h"
#include "sim/profiles/edits/work_edits.h"
#include "sim/profiles/profile_path.h"
#include "sim/profiles/profile_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A replay of one kind, going on from part to part. */
struct lane {
    struct hc_sweep_lanes lanes;
    struct hc_sweep sweep;
    int64_t finish_ns; /* of the parts so far */
};

struct run {
    const struct hc_profile_base *base;
    struct hc_scan_window window;
    struct hc_profile_build build;
    struct hc_work_edits edits;
    struct lane edited, ideal, structural;
    struct hc_path path;
};

/* ---- lanes ---- */

static enum hc_status lane_init(struct lane *lane, const struct run *run, struct hc_error *err)
{
    size_t n_ranks = run->build.n_ranks;
    if (hc_sweep_lanes_init(&lane->lanes, 1, n_ranks, err))
        return err->status;
    lane->lanes.median_start_ns = (double)run->build.median_start_ns;
    lane->finish_ns = run->build.median_start_ns;
    return HC_OK;
}

/* All work and all starts at the level of the peers. */
static void make_ideal(struct lane *lane, size_t n_ranks)
{
    for (size_t r = 0; r < n_ranks; r++) {
        lane->lanes.moves_start[r] = 1;
        lane->lanes.alt[r * HC_N_WORKS + HC_WORK_CPU] = 1;
        lane->lanes.alt[r * HC_N_WORKS + HC_WORK_GPU] = 1;
    }
}

static void lane_fini(struct lane *lane)
{
    hc_sweep_fini(&lane->sweep);
    hc_sweep_lanes_fini(&lane->lanes);
}

/* What a lane takes longer by this part. */
static enum hc_status sweep(struct lane *lane, const struct run *run, double *took_ns,
                            struct hc_error *err)
{
    if (hc_sweep_part(&lane->sweep, &run->build.graph, &run->build.order, err))
        return err->status;
    int64_t finish_ns = hc_sweep_finish(&lane->sweep, 0);
    if (llabs(finish_ns) == HC_SWEEP_MOST_NS)
        return hc_fail(err, HC_BAD_INPUT,
                       "the replay lasts more than 104 days, which cannot be "
                       "told to the ns");
    *took_ns = (double)(finish_ns - lane->finish_ns);
    lane->finish_ns = finish_ns;
    return HC_OK;
}

/* ---- parts ---- */

static enum hc_status run_init(struct run *run, struct hc_error *err)
{
    const struct hc_profile_base *base = run->base;
    hc_threads_prepare(base->window.threads);
    if (hc_scan_window_init(&run->window, base->profile, base->collectives, err) ||
        hc_scan_window_choose(&run->window, &base->window, err) ||
        hc_build_init(&run->build, &run->window, err) || lane_init(&run->edited, run, err) ||
        lane_init(&run->ideal, run, err) || lane_init(&run->structural, run, err))
        return err->status;
    make_ideal(&run->ideal, run->build.n_ranks);
    run->structural.lanes.residual[0] = 0;
    if (hc_sweep_init(&run->edited.sweep, &run->edited.lanes, err) ||
        hc_sweep_init(&run->ideal.sweep, &run->ideal.lanes, err) ||
        hc_sweep_init(&run->structural.sweep, &run->structural.lanes, err))
        return err->status;
    return hc_path_init(&run->path, run->build.n_ranks, err);
}

static void run_fini(struct run *run)
{
    hc_path_fini(&run->path);
    lane_fini(&run->edited);
    lane_fini(&run->ideal);
    lane_fini(&run->structural);
    hc_work_edits_fini(&run->edits);
    hc_build_fini(&run->build);
    hc_scan_window_fini(&run->window);
}

/* The next part with its edits, as it then is; then its ideal, which knows no delays. */
static enum hc_status replay_part(struct run *run, double *span_ns, double *ideal_ns,
                                  struct hc_error *err)
{
    struct hc_profile_build *build = &run->build;
    if (hc_work_edits_apply(&run->edits, build, err) || sweep(&run->edited, run, span_ns, err) ||
        hc_path_part(&run->path, &build->graph, &build->order, err))
        return err->status;
    hc_work_edits_undelay(&run->edits, build);
    return sweep(&run->ideal, run, ideal_ns, err);
}

/* ---- the path ---- */

static void take_path(struct hc_profile_times *times, const struct run *run)
{
    const struct hc_way *way = hc_path_last(&run->path);
    if (!way)
        return;
    for (int part = 0; part < HC_N_PATH_PARTS; part++)
        times->path_ns[part] += (double)way->part_ns[part];
    times->start_ns += (double)(way->begin_ns - run->build.median_start_ns);
    int64_t to_ns = way->value_ns;
    for (uint32_t at = way->stretch; at != HC_NO_POINT; at = run->path.stretches[at].before) {
        const struct hc_way_stretch *stretch = &run->path.stretches[at];
        times->rank_path_ns[stretch->rank_index] += (double)(to_ns - stretch->from_ns);
        to_ns = stretch->from_ns;
    }
}

/* ---- with edits ---- */

enum hc_status hc_profile_edited_replay(struct hc_profile_times *times,
                                        struct hc_profile_effect *effect,
                                        const struct hc_profile_base *base,
                                        const struct hc_edit *edits, size_t n_edits,
                                        const struct hc_edit_draws *draws, size_t *failed,
                                        struct hc_error *err)
{
    struct run run = {.base = base};
    size_t n = 0;
    double span_ns = 0, ideal_ns = 0;
    enum hc_status status = run_init(&run, err);
    if (!status)
        status = hc_work_edits_init(&run.edits, base, edits, n_edits, draws, effect, err);
    while (!status && hc_build_next(&run.build, err)) {
        status = replay_part(&run, &span_ns, &ideal_ns, err);
        times->span[n] += span_ns;
        times->ideal[n++] += ideal_ns;
    }
    status = status ? status : err->status;
    if (!status)
        take_path(times, &run);
    *failed = run.edits.failed;
    run_fini(&run);
    return status;
}

/* ---- the untouched job ---- */

static enum hc_status new_arrays(struct hc_profile_base *base, size_t n, struct hc_error *err)
{
    base->number = hc_new_array(n, sizeof *base->number, err);
    base->traced_ns = hc_new_array(n, sizeof(int64_t), err);
    base->structural_ns = hc_new_array(n, sizeof(int64_t), err);
    base->span_ns = hc_new_array(n, sizeof(int64_t), err);
    base->ideal_ns = hc_new_array(n, sizeof(int64_t), err);
    base->times.span = hc_new_array(n, sizeof(double), err);
    base->times.ideal = hc_new_array(n, sizeof(double), err);
    base->times.rank_path_ns = hc_new_array(base->profile->n_ranks, sizeof(double), err);
    return base->number && base->traced_ns && base->structural_ns && base->span_ns &&
                   base->ideal_ns && base->times.span && base->times.ideal &&
                   base->times.rank_path_ns
               ? HC_OK
               : err->status;
}

static enum hc_status take_step(struct hc_profile_base *base, struct run *run, int64_t *traced_ns,
                                struct hc_error *err)
{
    const struct hc_profile_build *build = &run->build;
    size_t n = base->n_steps;
    double structural_ns = 0;
    if (replay_part(run, &base->times.span[n], &base->times.ideal[n], err) ||
        sweep(&run->structural, run, &structural_ns, err))
        return err->status;
    int64_t number = run->window.numbers[build->next_step];
    base->number[n] = number == HC_MISSING_I64 ? 0 : (int32_t)number;
    base->structural_ns[n] = (int64_t)structural_ns;
    base->traced_ns[n] = build->traced_finish_ns - *traced_ns;
    base->span_ns[n] = (int64_t)base->times.span[n];
    base->ideal_ns[n] = (int64_t)base->times.ideal[n];
    base->n_steps++;
    *traced_ns = build->traced_finish_ns;
    return HC_OK;
}

static void count_period(struct hc_profile_base *base, const struct run *run)
{
    const struct hc_profile *profile = base->profile;
    int64_t first = profile->common_steps[0],
            last = profile->common_steps[profile->n_common_steps - 1];
    base->n_numbered = run->window.n_steps;
    base->n_period = first == HC_MISSING_I64 ? 1 : last - first + 1;
}

static enum hc_status replay_untouched(struct hc_profile_base *base, struct run *run,
                                       struct hc_error *err)
{
    static const struct hc_edit_draws no_draws = {0};
    if (run_init(run, err) || new_arrays(base, run->window.n_steps, err) ||
        hc_work_edits_init(&run->edits, base, NULL, 0, &no_draws, NULL, err))
        return err->status;
    int64_t start_ns = run->build.median_start_ns, traced_ns = start_ns;
    while (hc_build_next(&run->build, err))
        if (take_step(base, run, &traced_ns, err))
            return err->status;
    if (err->status)
        return err->status;
    if (traced_ns <= start_ns)
        return hc_fail(err, HC_BAD_INPUT, "the steps of the trace take no time");
    take_path(&base->times, run);
    count_period(base, run);
    base->discrepancy =
        (double)(run->structural.finish_ns - traced_ns) / (double)(traced_ns - start_ns);
    return HC_OK;
}

enum hc_status hc_profile_base_init(struct hc_profile_base *base, const struct hc_profile *profile,
                                    const struct hc_collectives *collectives,
                                    const struct hc_profile_whatif_options *window,
                                    struct hc_error *err)
{
    *base =
        (struct hc_profile_base){.profile = profile, .collectives = collectives, .window = *window};
    struct run run = {.base = base};
    enum hc_status status = replay_untouched(base, &run, err);
    run_fini(&run);
    if (status)
        hc_profile_base_fini(base);
    return status;
}

void hc_profile_base_fini(struct hc_profile_base *base)
{
    free(base->number);
    free(base->structural_ns);
    free(base->traced_ns);
    free(base->span_ns);
    free(base->ideal_ns);
    free(base->times.span);
    free(base->times.ideal);
    free(base->times.rank_path_ns);
    memset(base, 0, sizeof *base);
}
