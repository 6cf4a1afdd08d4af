/* fit_runs.c - the launches of training runs: how long they take to their first step, and how many
 * iterations lie between checkpoints. */
#include "pipeline/fit/fit_loading.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <stdlib.h>

/* ---- launches ---- */

static int compare_launches(const void *a, const void *b)
{
    const struct hc_fit_launch *x = a, *y = b;
    if (x->attempt != y->attempt)
        return x->attempt < y->attempt ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

/* What begins before another of its attempt has ended is the same launch, told by another log. */
static void unite(struct hc_fit_loading *loading)
{
    size_t n = 0;
    for (size_t i = 0; i < loading->n_launches; i++) {
        const struct hc_fit_launch launch = loading->launches[i];
        struct hc_fit_launch *before = n ? &loading->launches[n - 1] : NULL;
        if (!before || before->attempt != launch.attempt || launch.start_ns > before->end_ns) {
            loading->launches[n++] = launch;
            continue;
        }
        before->end_ns = launch.end_ns > before->end_ns ? launch.end_ns : before->end_ns;
        if (before->first_step_ns == HC_MISSING_I64 ||
            (launch.first_step_ns != HC_MISSING_I64 &&
             launch.first_step_ns < before->first_step_ns))
            before->first_step_ns = launch.first_step_ns;
    }
    loading->n_launches = n;
}

static enum hc_status find_launches(struct hc_fit_loading *loading, struct hc_error *err)
{
    const struct hc_joins *joins = &loading->failures->joins;
    loading->launches = hc_new_array(joins->n_cycles, sizeof *loading->launches, err);
    if (!loading->launches)
        return err->status;
    for (size_t i = 0; i < joins->n_cycles; i++) {
        const struct hc_join_cycle *cycle = &joins->cycles[i];
        if (cycle->attempt >= 0 && cycle->has_clock && !cycle->is_off)
            loading->launches[loading->n_launches++] =
                (struct hc_fit_launch){cycle->attempt,  cycle->run,           (int32_t)i,
                                       cycle->start_ns, cycle->first_step_ns, cycle->end_ns};
    }
    if (loading->n_launches)
        qsort(loading->launches, loading->n_launches, sizeof *loading->launches, compare_launches);
    unite(loading);
    return HC_OK;
}

/* ---- starts ---- */

static enum hc_status add_start(struct hc_fit_loading *loading, size_t i, struct hc_error *err)
{
    struct hc_fit_records *records = loading->records;
    const struct hc_fit_launch *launch = &loading->launches[i];
    const struct hc_join_attempt *attempt = &loading->failures->joins.attempts[launch->attempt];
    bool is_in_place = i > 0 && launch[-1].attempt == launch->attempt;
    bool is_cut = launch->first_step_ns == HC_MISSING_I64;
    int64_t from_ns = is_in_place ? launch->start_ns : attempt->start_ns;
    int64_t to_ns = is_cut ? launch->end_ns : launch->first_step_ns;
    if (launch->start_ns < records->from_ns || launch->start_ns >= records->to_ns ||
        attempt->gpus <= 0 || to_ns <= from_ns)
        return HC_OK;
    if (hc_reserve(&records->starts, &records->starts_room, records->n_starts + 1,
                   sizeof *records->starts, err))
        return err->status;
    records->starts[records->n_starts++] =
        (struct hc_fit_start){(double)(to_ns - from_ns) * 1e-9, launch->run, is_cut, is_in_place};
    return HC_OK;
}

/* ---- saves ---- */

struct save {
    int32_t run, cycle;
    int64_t iteration;
};

static int compare_saves(const void *a, const void *b)
{
    const struct save *x = a, *y = b;
    if (x->run != y->run)
        return x->run < y->run ? -1 : 1;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return (x->iteration > y->iteration) - (x->iteration < y->iteration);
}

static int compare_counts(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The most frequent of n differences, which are sorted by this. */
static void take_saves(struct hc_fit_run *run, int64_t *between, size_t n)
{
    if (n)
        qsort(between, n, sizeof *between, compare_counts);
    for (size_t i = 0, same; i < n; i += same) {
        for (same = 1; i + same < n && between[i + same] == between[i]; same++)
            ;
        if ((int64_t)same > run->n_saves) {
            run->n_saves = (int64_t)same;
            run->save_iterations = between[i];
        }
    }
    run->n_other_saves = (int64_t)n - run->n_saves;
}

static enum hc_status find_saves(struct hc_fit_loading *loading, struct hc_error *err)
{
    const struct hc_joins *joins = &loading->failures->joins;
    const struct hc_fit_records *records = loading->records;
    struct save *saves = hc_new_array(joins->n_saves, sizeof *saves, err);
    int64_t *between = saves ? hc_new_array(joins->n_saves, sizeof *between, err) : NULL;
    size_t n = 0;
    for (size_t i = 0; i < joins->n_saves && between; i++) {
        const struct hc_join_save *save = &joins->saves[i];
        int32_t run = joins->cycles[save->cycle].run;
        if (run >= 0 && save->time_ns >= records->from_ns && save->time_ns < records->to_ns)
            saves[n++] = (struct save){run, save->cycle, save->iteration};
    }
    if (n)
        qsort(saves, n, sizeof *saves, compare_saves);
    for (size_t i = 0; i < n;) {
        size_t m = 0;
        int32_t run = saves[i].run;
        for (i++; i < n && saves[i].run == run; i++)
            if (saves[i].cycle == saves[i - 1].cycle && saves[i].iteration > saves[i - 1].iteration)
                between[m++] = saves[i].iteration - saves[i - 1].iteration;
        take_saves(&records->runs[run], between, m);
    }
    free(saves);
    enum hc_status status = between ? HC_OK : err->status;
    free(between);
    return status;
}

/* ---- runs ---- */

enum hc_status hc_fit_load_runs(struct hc_fit_loading *loading, struct hc_error *err)
{
    const struct hc_joins *joins = &loading->failures->joins;
    struct hc_fit_records *records = loading->records;
    records->n_runs = joins->n_runs;
    records->runs = hc_new_array(joins->n_runs, sizeof *records->runs, err);
    if (!records->runs || find_launches(loading, err))
        return err->status;
    for (size_t i = 0; i < joins->n_runs; i++)
        records->runs[i].name = hc_joins_find_text(joins, joins->runs[i].name);
    for (size_t i = 0; i < joins->n_attempts; i++) {
        const struct hc_join_attempt *attempt = &joins->attempts[i];
        if (attempt->run >= 0 && attempt->nodes > 0) {
            records->runs[attempt->run].nodes = attempt->nodes;
            records->runs[attempt->run].gpus = attempt->gpus;
        }
    }
    for (size_t i = 0; i < loading->n_launches; i++) {
        if (loading->launches[i].run >= 0)
            records->runs[loading->launches[i].run].n_cycles++;
        if (add_start(loading, i, err))
            return err->status;
    }
    return find_saves(loading, err);
}
