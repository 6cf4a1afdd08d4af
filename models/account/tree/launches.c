#include "models/account/tree/launches.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"

#include <stdlib.h>
#include <string.h>

struct making {
    struct hc_launches *launches;
    const struct hc_joins *joins;
    const struct hc_failures *failures;
    struct hc_int_map failure_of; /* hash of an end to the last failure with it */
    int32_t *same_key;            /* of a failure: another one with its key, or -1 */
    struct of_run {
        int64_t start_ns;
        int32_t run, launch;
    } * by_run; /* launches with a run, by run and time */
    size_t n_by_run;
};

/* ---- launches ---- */

static int compare_launches(const void *a, const void *b)
{
    const struct hc_launch *x = a, *y = b;
    if (x->attempt != y->attempt)
        return x->attempt < y->attempt ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->cycle > y->cycle) - (x->cycle < y->cycle);
}

static int64_t resumed(const struct hc_join_cycle *cycle)
{
    if (cycle->first_iteration == HC_MISSING_I64)
        return HC_MISSING_I64;
    return cycle->loaded_iteration != HC_MISSING_I64 &&
                   cycle->loaded_iteration < cycle->first_iteration
               ? cycle->loaded_iteration
               : cycle->first_iteration - 1;
}

static struct hc_launch launch_of(const struct hc_joins *joins, int32_t i)
{
    const struct hc_join_cycle *cycle = &joins->cycles[i];
    /* Where nothing before the first line of steps has a time, the log begins with that line, and
     * the launch with the step of it. */
    bool is_late = cycle->first_step_ns != HC_MISSING_I64 && cycle->first_step_ns < cycle->start_ns;
    return (struct hc_launch){.start_ns = is_late ? cycle->first_step_ns : cycle->start_ns,
                              .first_step_ns = cycle->first_step_ns,
                              .end_ns =
                                  cycle->end_ns == HC_MISSING_I64 ? cycle->start_ns : cycle->end_ns,
                              .first_iteration = cycle->first_iteration,
                              .last_iteration = cycle->last_iteration,
                              .resumed_iteration = resumed(cycle),
                              .saved_iteration = cycle->saved_iteration,
                              .line = cycle->line,
                              .attempt = cycle->attempt,
                              .run = cycle->run,
                              .cycle = i,
                              .world_size = cycle->world_size,
                              .source = cycle->source,
                              .is_done = cycle->is_done,
                              .before = -1};
}

static int64_t n_steps(const struct hc_launch *launch)
{
    return launch->first_iteration == HC_MISSING_I64
               ? 0
               : launch->last_iteration - launch->first_iteration + 1;
}

/* Two logs of one launch: the steps are those of the log with more of them. */
static void unite(struct hc_launch *launch, const struct hc_launch *other)
{
    struct hc_launch whole = n_steps(other) > n_steps(launch) ? *other : *launch;
    const struct hc_launch *rest = whole.cycle == launch->cycle ? other : launch;
    whole.start_ns = launch->start_ns;
    whole.end_ns = launch->end_ns > other->end_ns ? launch->end_ns : other->end_ns;
    whole.is_done = launch->is_done || other->is_done;
    if (whole.first_step_ns == HC_MISSING_I64)
        whole.first_step_ns = rest->first_step_ns;
    if (whole.saved_iteration == HC_MISSING_I64 || rest->saved_iteration > whole.saved_iteration)
        whole.saved_iteration = rest->saved_iteration; /* missing is below all */
    if (whole.world_size == HC_MISSING_I32)
        whole.world_size = rest->world_size;
    if (whole.run < 0)
        whole.run = rest->run;
    *launch = whole;
}

/* What begins before another has ended is the same launch; and where a log saves and makes no step,
 * as that of the first of several ranks does, the steps are in the next one. */
static bool is_same_launch(const struct hc_joins *joins, const struct hc_launch *before,
                           const struct hc_launch *launch)
{
    bool is_other_log = joins->cycles[before->cycle].log != joins->cycles[launch->cycle].log;
    return launch->start_ns <= before->end_ns ||
           (is_other_log && before->first_step_ns == HC_MISSING_I64 &&
            before->saved_iteration != HC_MISSING_I64);
}

static enum hc_status collect(struct making *making, struct hc_error *err)
{
    struct hc_launches *launches = making->launches;
    const struct hc_joins *joins = making->joins;
    launches->list = hc_new_array(joins->n_cycles, sizeof *launches->list, err);
    launches->of_attempt = hc_new_array(joins->n_attempts + 1, sizeof *launches->of_attempt, err);
    if (!launches->list || !launches->of_attempt)
        return err->status;
    size_t n = 0, made = 0;
    for (size_t i = 0; i < joins->n_cycles; i++) {
        if (joins->cycles[i].attempt < 0)
            continue;
        if (joins->cycles[i].has_clock && joins->cycles[i].start_ns != HC_MISSING_I64)
            launches->list[n++] = launch_of(joins, (int32_t)i);
        else
            launches->n_without_clock++;
    }
    if (n)
        qsort(launches->list, n, sizeof *launches->list, compare_launches);
    for (size_t i = 0; i < n; i++) {
        struct hc_launch *before = made ? &launches->list[made - 1] : NULL;
        if (before && before->attempt == launches->list[i].attempt &&
            is_same_launch(joins, before, &launches->list[i])) {
            unite(before, &launches->list[i]);
            launches->n_united++;
        } else {
            launches->list[made++] = launches->list[i];
        }
    }
    launches->n = made;
    return HC_OK;
}

static void number(struct hc_launches *launches, size_t n_attempts)
{
    size_t at = 0;
    for (size_t attempt = 0; attempt <= n_attempts; attempt++) {
        launches->of_attempt[attempt] = at;
        for (int32_t k = 0; at < launches->n && launches->list[at].attempt == (int32_t)attempt;
             at++, k++) {
            launches->list[at].number = k;
            launches->list[at].is_last =
                at + 1 == launches->n || launches->list[at + 1].attempt != (int32_t)attempt;
        }
    }
}

/* ---- ends ---- */

static uint64_t key_of(int64_t raw_job, int64_t start_ns, int32_t cycle)
{
    return ((uint64_t)raw_job * 0x9e3779b97f4a7c15u ^ (uint64_t)start_ns) * 31 + (uint32_t)cycle;
}

static enum hc_status index_failures(struct making *making, struct hc_error *err)
{
    const struct hc_failures *failures = making->failures;
    making->same_key = hc_new_array(failures->n, sizeof *making->same_key, err);
    if (!making->same_key)
        return err->status;
    for (size_t i = 0; i < failures->n; i++) {
        const struct hc_failure *f = &failures->failures[i];
        size_t entry;
        if (hc_int_map_insert(&making->failure_of,
                              key_of(f->raw_job, f->attempt_start_ns, f->cycle), -1, &entry, err))
            return err->status;
        making->same_key[i] = making->failure_of.values[entry];
        making->failure_of.values[entry] = (int32_t)i;
    }
    return HC_OK;
}

static const char *text_of(const struct hc_text_set *set, int32_t code)
{
    return code < 0 || (size_t)code >= set->n ? NULL : set->text[code];
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static int32_t failure_of(const struct making *making, const struct hc_launch *launch)
{
    const struct hc_join_attempt *attempt = &making->joins->attempts[launch->attempt];
    int32_t cycle = launch->is_last ? HC_MISSING_I32 : launch->number;
    int64_t entry =
        hc_int_map_find(&making->failure_of, key_of(attempt->raw_job, attempt->start_ns, cycle));
    int32_t i = entry < 0 ? -1 : making->failure_of.values[entry];
    for (; i >= 0; i = making->same_key[i]) {
        const struct hc_failure *f = &making->failures->failures[i];
        if (f->raw_job == attempt->raw_job && f->attempt_start_ns == attempt->start_ns &&
            f->submit_ns == attempt->submit_ns && f->cycle == cycle &&
            is_same(text_of(&making->joins->texts, attempt->cluster),
                    text_of(&making->failures->texts, f->cluster)))
            return i;
    }
    return -1;
}

static enum hc_why why_of_side(enum hc_failure_side side)
{
    return side == HC_SIDE_INFRASTRUCTURE ? HC_WHY_INFRASTRUCTURE
           : side == HC_SIDE_USER         ? HC_WHY_USER
                                          : HC_WHY_UNKNOWN;
}

/* Of an end that is no failure. A time limit is a plan; who cancels is taken for the user. */
static enum hc_why why_of_state(int32_t state)
{
    switch (state) {
    case HC_JOB_TIMEOUT:
    case HC_JOB_DEADLINE:
    case HC_JOB_COMPLETED:
        return HC_WHY_PLANNED;
    case HC_JOB_CANCELLED:
    case HC_JOB_REVOKED:
        return HC_WHY_USER;
    case HC_JOB_PREEMPTED:
        return HC_WHY_PREEMPTION;
    default:
        return HC_WHY_UNKNOWN;
    }
}

static void find_stop(const struct making *making, struct hc_launch *launch)
{
    const struct hc_failures *failures = making->failures;
    const struct hc_join_attempt *attempt = &making->joins->attempts[launch->attempt];
    struct hc_stop *stop = &launch->stop;
    *stop = (struct hc_stop){.why = why_of_state(attempt->state),
                             .evidence = HC_EVIDENCE_NONE,
                             .failure = failure_of(making, launch),
                             .notice_ns = HC_MISSING_I64,
                             .event_ns = HC_MISSING_I64,
                             .fault_high_ns = HC_MISSING_I64};
    if (stop->failure < 0)
        return;
    const struct hc_failure *f = &failures->failures[stop->failure];
    stop->why = why_of_side(f->side);
    stop->evidence = f->side == HC_SIDE_UNKNOWN ? HC_EVIDENCE_NONE
                     : f->side == HC_SIDE_USER  ? HC_EVIDENCE_CERTAIN
                                                : f->evidence;
    stop->notice_ns = f->notice_ns != HC_MISSING_I64 ? f->notice_ns
                      : launch->is_last              ? f->end_ns
                                                     : launch->end_ns;
    if (f->event && !f->event->incident && f->evidence <= HC_EVIDENCE_LIKELY)
        stop->event_ns = f->event->time_ns;
    stop->fault_high_ns = f->bound_ns != HC_MISSING_I64 && f->bound_ns < stop->notice_ns
                              ? f->bound_ns
                              : stop->notice_ns;
}

/* ---- runs ---- */

static int compare_by_run(const void *a, const void *b)
{
    const struct of_run *x = a, *y = b;
    if (x->run != y->run)
        return x->run < y->run ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->launch > y->launch) - (x->launch < y->launch);
}

static enum hc_status sort_by_run(struct making *making, struct hc_error *err)
{
    const struct hc_launches *launches = making->launches;
    making->by_run = hc_new_array(launches->n, sizeof *making->by_run, err);
    if (!making->by_run)
        return err->status;
    for (size_t i = 0; i < launches->n; i++)
        if (launches->list[i].run >= 0)
            making->by_run[making->n_by_run++] =
                (struct of_run){launches->list[i].start_ns, launches->list[i].run, (int32_t)i};
    if (making->n_by_run)
        qsort(making->by_run, making->n_by_run, sizeof *making->by_run, compare_by_run);
    return HC_OK;
}

/* The losses of the launch at place i: the next launch of its run that came to a step takes what is
 * above the iteration from which it resumed, and each later one that resumed below all before it
 * what is above that; they were lost by the end of the launch before that came to a step, or of
 * this one. What ran beside it did not go on from it. What comes behind a training that was
 * complete is a fork that nothing tells as such, and takes nothing. lowest[j]: of what launches of
 * the run from place j on resumed from. */
static enum hc_status find_losses(struct making *making, size_t i, const int64_t *lowest,
                                  struct hc_error *err)
{
    struct hc_launches *launches = making->launches;
    struct hc_launch *launch = &launches->list[making->by_run[i].launch];
    int64_t kept = INT64_MAX;
    int32_t ended = making->by_run[i].launch;
    launch->losses = launches->n_losses;
    for (size_t j = i + 1; j < making->n_by_run; j++) {
        const struct hc_launch *later = &launches->list[making->by_run[j].launch];
        if (later->run != launch->run || launches->list[making->by_run[j - 1].launch].is_done ||
            (launch->goes_on && lowest[j] >= kept))
            break;
        if (later->resumed_iteration == HC_MISSING_I64 || later->first_step_ns < launch->end_ns)
            continue;
        int32_t stop = ended;
        ended = making->by_run[j].launch;
        launch->goes_on = true;
        if (later->resumed_iteration >= kept)
            continue;
        if (hc_reserve(&launches->losses, &launches->losses_room, launches->n_losses + 1,
                       sizeof *launches->losses, err))
            return err->status;
        kept = later->resumed_iteration;
        launches->losses[launches->n_losses++] = (struct hc_loss){kept, stop};
        launch->n_losses++;
    }
    return HC_OK;
}

/* What launches resumed from at least, from each place of a run on. */
static int64_t *find_lowest(const struct making *making, struct hc_error *err)
{
    int64_t *lowest = hc_new_array(making->n_by_run + 1, sizeof *lowest, err);
    for (size_t j = making->n_by_run; lowest && j-- > 0;) {
        const struct hc_launch *launch = &making->launches->list[making->by_run[j].launch];
        bool is_last =
            j + 1 == making->n_by_run || making->by_run[j + 1].run != making->by_run[j].run;
        lowest[j] = is_last ? INT64_MAX : lowest[j + 1];
        if (launch->resumed_iteration != HC_MISSING_I64 && launch->resumed_iteration < lowest[j])
            lowest[j] = launch->resumed_iteration;
    }
    return lowest;
}

static enum hc_status make_all(struct making *making, struct hc_error *err)
{
    struct hc_launches *launches = making->launches;
    if (collect(making, err))
        return err->status;
    number(launches, making->joins->n_attempts);
    if (index_failures(making, err) || sort_by_run(making, err))
        return err->status;
    for (size_t i = 0; i < launches->n; i++)
        find_stop(making, &launches->list[i]);
    int64_t *lowest = find_lowest(making, err);
    enum hc_status status = lowest ? HC_OK : err->status;
    for (size_t i = 0; i < making->n_by_run && !status; i++) {
        struct hc_launch *launch = &launches->list[making->by_run[i].launch];
        if (i && making->by_run[i - 1].run == launch->run &&
            !launches->list[making->by_run[i - 1].launch].is_done)
            launch->before = making->by_run[i - 1].launch;
        status = find_losses(making, i, lowest, err);
    }
    free(lowest);
    return status;
}

enum hc_status hc_launches_make(struct hc_launches *launches, const struct hc_joins *joins,
                                const struct hc_failures *failures, struct hc_error *err)
{
    struct making making = {.launches = launches, .joins = joins, .failures = failures};
    enum hc_status status = make_all(&making, err);
    hc_int_map_fini(&making.failure_of);
    free(making.same_key);
    free(making.by_run);
    return status;
}

void hc_launches_fini(struct hc_launches *launches)
{
    free(launches->list);
    free(launches->losses);
    free(launches->of_attempt);
    *launches = (struct hc_launches){0};
}

const struct hc_loss *hc_launch_loss(const struct hc_launches *launches,
                                     const struct hc_launch *launch, int64_t iteration)
{
    for (size_t i = 0; i < launch->n_losses; i++)
        if (launches->losses[launch->losses + i].above < iteration)
            return &launches->losses[launch->losses + i];
    return NULL;
}
