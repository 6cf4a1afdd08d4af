#include "models/account/night/night_runs.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "models/account/tree/steady_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONCURRENT_SHARE 100 /* attempts that run at once for more of the time than a 100th */

enum stretch { RUNS, QUEUES, IS_HELD, IS_OFF, N_STRETCHES };

/* ---- definitions ---- */

const char *hc_ettr_name(enum hc_ettr ettr)
{
    static const char *const names[HC_N_ETTRS] = {"meta", "byterobust", "goodput", "nominal"};
    return names[ettr];
}

const char *hc_ettr_sentence(enum hc_ettr ettr)
{
    static const char *const sentences[HC_N_ETTRS] = {
        "productive time over time run and queued, per run; time in which nothing was submitted, "
        "and held, dependent or requeue-delayed time, is left out; evaluation, straggler excess "
        "and warm-up count as productive, checkpoint stalls do not (arXiv 2410.21680)",
        "productive time over wall-clock time since the first start; evaluation, straggler excess "
        "and warm-up count as productive, checkpoint stalls do not (arXiv 2509.16293)",
        "productive GPU-time over GPU-time held, by the categories of ml-goodput; straggler excess "
        "counts as productive, evaluation, warm-up and checkpoint stalls do not",
        "steps that were kept, times the 10th percentile of the steady step times of the run, over "
        "wall-clock time since the first start",
    };
    return sentences[ettr];
}

bool hc_ettr_counts(enum hc_ettr ettr, enum hc_what what)
{
    bool is_step = what == HC_WHAT_PRODUCTIVE_IDEAL || what == HC_WHAT_PRODUCTIVE_UNSPLIT ||
                   what == HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS;
    if (ettr == HC_ETTR_GOODPUT)
        return hc_what_goodput(what) == HC_GOODPUT_PRODUCTIVE;
    return is_step || (ettr != HC_ETTR_NOMINAL &&
                       (what == HC_WHAT_EVALUATION || what == HC_WHAT_STARTUP_WARM_UP));
}

/* ---- taking ---- */

static enum hc_status add_stretch(struct hc_night_run *run, int64_t from_ns, int64_t to_ns,
                                  enum stretch kind, struct hc_error *err)
{
    if (to_ns <= from_ns)
        return HC_OK;
    if (hc_reserve(&run->stretches, &run->stretches_room, run->n_stretches + 1,
                   sizeof *run->stretches, err))
        return err->status;
    run->stretches[run->n_stretches++] = (struct hc_run_stretch){from_ns, to_ns, (int32_t)kind};
    return HC_OK;
}

static enum hc_status take_steps(struct hc_night_run *run, int32_t gpus,
                                 const struct hc_launch_facts *facts, struct hc_error *err)
{
    const struct hc_steady_steps steady = hc_steady_steps_find(facts->steps, facts->n_steps);
    if (hc_reserve(&run->times, &run->times_room, run->n_times + facts->n_steps, sizeof *run->times,
                   err))
        return err->status;
    for (size_t i = steady.n_warm; i < facts->n_steps; i++)
        if (facts->steps[i].duration_ns != HC_MISSING_I64)
            run->times[run->n_times++] = (struct hc_run_times){
                gpus, facts->steps[i].duration_ns,
                facts->steps[i].iterations > 0 ? facts->steps[i].iterations : 1};
    return HC_OK;
}

/* Room for the steps that are kept at a size of the run. */
static enum hc_status reach_size(struct hc_night_run *run, int32_t gpus, struct hc_error *err)
{
    for (size_t i = 0; i < run->n_sizes; i++)
        if (run->sizes[i].gpus == gpus)
            return HC_OK;
    if (hc_reserve(&run->sizes, &run->sizes_room, run->n_sizes + 1, sizeof *run->sizes, err))
        return err->status;
    run->sizes[run->n_sizes++] = (struct hc_run_size){.gpus = gpus};
    return HC_OK;
}

static void keep_steps(struct hc_night_run *run, int32_t gpus, int64_t steps)
{
    for (size_t i = 0; i < run->n_sizes; i++)
        if (run->sizes[i].gpus == gpus)
            run->sizes[i].kept_steps = hc_capped_sum(run->sizes[i].kept_steps, steps);
}

static enum hc_status reach(struct hc_night_runs *runs, size_t n, struct hc_error *err)
{
    if (hc_reserve(&runs->list, &runs->room, n, sizeof *runs->list, err))
        return err->status;
    for (; runs->n < n; runs->n++)
        runs->list[runs->n] = (struct hc_night_run){
            .first_submit_ns = INT64_MAX, .first_start_ns = INT64_MAX, .last_end_ns = INT64_MIN};
    return HC_OK;
}

/* A time of a record that must be at most another; where it is missing, what stands for it. */
static int64_t known_before(int64_t time_ns, int64_t most_ns, int64_t otherwise_ns)
{
    return time_ns == HC_MISSING_I64 ? otherwise_ns : time_ns < most_ns ? time_ns : most_ns;
}

/* The productive time of the attempt at hand is complete. */
static void end_attempt(struct hc_night_run *run)
{
    for (int e = 0; e < HC_N_ETTRS && run->counted_gpus > 0; e++)
        run->productive_s[e] += (double)run->counted_gpu_ns[e] * 1e-9 / run->counted_gpus;
    memset(run->counted_gpu_ns, 0, sizeof run->counted_gpu_ns);
}

/* How many attempts of a job there are, and how many its restart counts tell. */
static enum hc_status count_job(struct hc_night_run *run, const struct hc_run_attempt *attempt,
                                struct hc_error *err)
{
    size_t i = run->n_jobs;
    while (i > 0 && run->jobs[i - 1].raw_job != attempt->raw_job)
        i--;
    if (i == 0) {
        if (hc_reserve(&run->jobs, &run->jobs_room, run->n_jobs + 1, sizeof *run->jobs, err))
            return err->status;
        run->jobs[run->n_jobs++] = (struct hc_run_job){.raw_job = attempt->raw_job};
        i = run->n_jobs;
    }
    struct hc_run_job *job = &run->jobs[i - 1];
    job->n++;
    if (attempt->restarts > job->most_restarts) /* missing is below all */
        job->most_restarts = attempt->restarts;
    return HC_OK;
}

enum hc_status hc_night_runs_take_attempt(struct hc_night_runs *runs, int32_t run,
                                          const struct hc_run_attempt *attempt,
                                          const struct hc_attempt_facts *facts,
                                          struct hc_error *err)
{
    if (reach(runs, (size_t)run + 1, err))
        return err->status;
    struct hc_night_run *r = &runs->list[run];
    int64_t submit_ns = known_before(attempt->submit_ns, attempt->start_ns, attempt->start_ns);
    int64_t eligible_ns = known_before(attempt->eligible_ns, attempt->start_ns, submit_ns);
    end_attempt(r);
    if (count_job(r, attempt, err) || reach_size(r, attempt->gpus, err))
        return err->status;
    r->n_attempts++;
    r->n_launches += (int64_t)facts->n_launches;
    r->is_running |= attempt->is_running;
    r->first_submit_ns = submit_ns < r->first_submit_ns ? submit_ns : r->first_submit_ns;
    r->first_start_ns =
        attempt->start_ns < r->first_start_ns ? attempt->start_ns : r->first_start_ns;
    r->last_end_ns = attempt->end_ns > r->last_end_ns ? attempt->end_ns : r->last_end_ns;
    r->most_gpus = attempt->gpus > r->most_gpus ? attempt->gpus : r->most_gpus;
    for (size_t i = 0; i < facts->n_launches; i++) {
        r->n_stops += facts->launches[i].launch->stop.failure >= 0;
        if (take_steps(r, attempt->gpus, &facts->launches[i], err))
            return err->status;
    }
    return add_stretch(r, attempt->start_ns, attempt->end_ns, RUNS, err) ||
                   add_stretch(r, eligible_ns, attempt->start_ns, QUEUES, err) ||
                   add_stretch(r, submit_ns, eligible_ns, IS_HELD, err)
               ? err->status
               : HC_OK;
}

void hc_night_runs_take_slice(struct hc_night_runs *runs, int32_t run, int32_t gpus,
                              const struct hc_slice *slice)
{
    struct hc_night_run *r = &runs->list[run];
    r->gpu_ns[slice->what] += hc_slice_gpu_ns(slice);
    bool is_kept = hc_ettr_counts(HC_ETTR_NOMINAL, slice->what);
    r->counted_gpus = gpus;
    r->steps = hc_capped_sum(r->steps, slice->steps);
    r->kept_steps = hc_capped_sum(r->kept_steps, is_kept ? slice->steps : 0);
    keep_steps(r, gpus, is_kept ? slice->steps : 0);
    r->lost_steps = hc_capped_sum(r->lost_steps, is_kept ? 0 : slice->steps);
    for (int e = 0; e < HC_N_ETTRS; e++)
        if (hc_ettr_counts((enum hc_ettr)e, slice->what))
            r->counted_gpu_ns[e] += hc_slice_gpu_ns(slice);
}

/* ---- the end ---- */

static int compare_stretches(const void *a, const void *b)
{
    const struct hc_run_stretch *x = a, *y = b;
    if (x->from_ns != y->from_ns)
        return x->from_ns < y->from_ns ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

/* Between two moments at which something begins or ends, what counts most of what holds there. */
static void measure_stretches(const struct hc_night_run *run, int64_t ns[N_STRETCHES])
{
    int64_t until_ns[N_STRETCHES] = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MAX};
    int64_t at_ns = run->first_submit_ns;
    for (size_t i = 0; i <= run->n_stretches; i++) {
        int64_t to_ns = i < run->n_stretches ? run->stretches[i].from_ns : run->last_end_ns;
        while (at_ns < to_ns) {
            int kind = RUNS;
            while (until_ns[kind] <= at_ns)
                kind++;
            int64_t end_ns = until_ns[kind] < to_ns ? until_ns[kind] : to_ns;
            ns[kind] += end_ns - at_ns;
            at_ns = end_ns;
        }
        if (i < run->n_stretches && run->stretches[i].to_ns > until_ns[run->stretches[i].kind])
            until_ns[run->stretches[i].kind] = run->stretches[i].to_ns;
    }
}

/* By size, then by time. */
static int compare_times(const void *a, const void *b)
{
    const struct hc_run_times *x = a, *y = b;
    if (x->gpus != y->gpus)
        return x->gpus < y->gpus ? -1 : 1;
    return (x->step_ns > y->step_ns) - (x->step_ns < y->step_ns);
}

/* The 10th percentile of the steps of these lines, which are in order of time; NaN: there are none.
 */
static double percentile_s(const struct hc_run_times *times, size_t n)
{
    __extension__ __int128 all = 0, before = 0;
    for (size_t i = 0; i < n; i++)
        all += times[i].n;
    for (size_t i = 0; i < n; i++) {
        before += times[i].n;
        if (before > all / 10)
            return (double)times[i].step_ns * 1e-9;
    }
    return NAN;
}

/* Of the steps of one size; NaN: no time of them is known. Times are in order. */
static double reference_of(const struct hc_night_run *run, int32_t gpus)
{
    size_t first = 0, end;
    while (first < run->n_times && run->times[first].gpus != gpus)
        first++;
    for (end = first; end < run->n_times && run->times[end].gpus == gpus; end++)
        ;
    return percentile_s(run->times + first, end - first);
}

/* In the mean of the kept steps, each as those of its size; the steps of a size of which no time is
 * known take as long as the others. Of a run that kept none, that of its largest part. */
static double reference_step_s(const struct hc_night_run *run)
{
    double sum_s = 0, n = 0, most = 0, largest = NAN;
    for (size_t i = 0; i < run->n_sizes; i++) {
        double each_s = reference_of(run, run->sizes[i].gpus);
        double kept = (double)run->sizes[i].kept_steps;
        if (isnan(each_s))
            continue;
        sum_s += kept * each_s;
        n += kept;
        if (run->sizes[i].gpus > most) {
            most = run->sizes[i].gpus;
            largest = each_s;
        }
    }
    return n > 0 ? sum_s / n : largest;
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

static void end_run(struct hc_night_run *run)
{
    int64_t ns[N_STRETCHES] = {0};
    hc_gpu_ns all = 0, productive = 0;
    end_attempt(run);
    if (run->n_stretches)
        qsort(run->stretches, run->n_stretches, sizeof *run->stretches, compare_stretches);
    if (run->n_times)
        qsort(run->times, run->n_times, sizeof *run->times, compare_times);
    measure_stretches(run, ns);
    hc_gpu_ns all_run_ns = 0; /* of damaged records more than 64 bits hold */
    for (size_t i = 0; i < run->n_stretches; i++)
        if (run->stretches[i].kind == RUNS)
            all_run_ns += run->stretches[i].to_ns - run->stretches[i].from_ns;
    run->is_concurrent = all_run_ns - ns[RUNS] > ns[RUNS] / CONCURRENT_SHARE;
    for (size_t i = 0; i < run->n_jobs; i++)
        if (run->jobs[i].n <= run->jobs[i].most_restarts)
            run->n_missing += run->jobs[i].most_restarts + 1 - run->jobs[i].n;
    run->ran_s = (double)ns[RUNS] * 1e-9;
    run->queued_s = (double)ns[QUEUES] * 1e-9;
    run->held_s = (double)ns[IS_HELD] * 1e-9;
    run->off_s = (double)ns[IS_OFF] * 1e-9;
    run->wall_s = run->n_attempts ? (double)(run->last_end_ns - run->first_start_ns) * 1e-9 : 0;
    run->reference_step_s = reference_step_s(run);
    for (int what = 0; what < HC_WHAT_COUNT; what++) {
        all += run->gpu_ns[what];
        productive += hc_ettr_counts(HC_ETTR_GOODPUT, (enum hc_what)what) ? run->gpu_ns[what] : 0;
    }
    run->ettr[HC_ETTR_META] = ratio(run->productive_s[HC_ETTR_META], run->ran_s + run->queued_s);
    run->ettr[HC_ETTR_BYTEROBUST] = ratio(run->productive_s[HC_ETTR_BYTEROBUST], run->wall_s);
    run->ettr[HC_ETTR_GOODPUT] = ratio((double)productive, (double)all);
    run->ettr[HC_ETTR_NOMINAL] =
        ratio((double)run->kept_steps * run->reference_step_s, run->wall_s);
    if (run->n_missing)
        run->ettr[HC_ETTR_META] = NAN;
    if (run->is_concurrent)
        run->ettr[HC_ETTR_META] = run->ettr[HC_ETTR_BYTEROBUST] = run->ettr[HC_ETTR_NOMINAL] = NAN;
}

void hc_night_runs_end(struct hc_night_runs *runs)
{
    for (size_t i = 0; i < runs->n; i++)
        end_run(&runs->list[i]);
}

void hc_night_runs_fini(struct hc_night_runs *runs)
{
    for (size_t i = 0; i < runs->n; i++) {
        free(runs->list[i].stretches);
        free(runs->list[i].times);
        free(runs->list[i].sizes);
        free(runs->list[i].jobs);
    }
    free(runs->list);
    *runs = (struct hc_night_runs){0};
}
