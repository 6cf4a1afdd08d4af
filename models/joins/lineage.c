#include "models/joins/lineage.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is kept while runs are made. */
struct lineage {
    struct hc_joins *joins;
    int32_t *by_time;                          /* cycles */
    int32_t *run_of_attempt;                   /* -1: none yet */
    struct hc_int_map run_of_job, run_of_path; /* of the number of a job; of a text */
    struct hc_int_map run_of_name;             /* of a text: those of rules */
    struct hc_int_map last_of_kin;             /* attempt by its user, name and work directory */
};

/* ---- what a cycle began from ---- */

static int compare_saves(const void *a, const void *b)
{
    const struct hc_join_save *x = a, *y = b;
    if (x->path != y->path)
        return x->path < y->path ? -1 : 1;
    if (x->iteration != y->iteration)
        return x->iteration < y->iteration ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return (x->cycle > y->cycle) - (x->cycle < y->cycle);
}

/* Whether x was made before the cycle loads: of the place and iteration that it loads, and earlier.
 */
static bool comes_before(const struct hc_join_save *x, const struct hc_join_cycle *cycle)
{
    if (x->path != cycle->load_path)
        return x->path < cycle->load_path;
    if (x->iteration != cycle->loaded_iteration)
        return x->iteration < cycle->loaded_iteration;
    return !cycle->has_clock || x->time_ns <= cycle->start_ns;
}

/* Where no place of checkpoints is told, only the same log tells of the same ones. */
static bool may_be_it(const struct hc_joins *joins, const struct hc_join_save *save,
                      const struct hc_join_cycle *cycle)
{
    return cycle->load_path != HC_MISSING_I32 || joins->cycles[save->cycle].log == cycle->log;
}

/* The cycle that saved last, before this one began, what it loaded; -1: none here. */
static int32_t writer_of(const struct hc_joins *joins, const struct hc_join_cycle *cycle)
{
    size_t low = 0, high = joins->n_saves;
    if (cycle->loaded_iteration == HC_MISSING_I64)
        return -1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (comes_before(&joins->saves[middle], cycle))
            low = middle + 1;
        else
            high = middle;
    }
    for (; low > 0; low--) {
        const struct hc_join_save *save = &joins->saves[low - 1];
        if (save->path != cycle->load_path || save->iteration != cycle->loaded_iteration)
            return -1;
        if (&joins->cycles[save->cycle] != cycle && may_be_it(joins, save, cycle))
            return save->cycle;
    }
    return -1;
}

/* ---- runs ---- */

static enum hc_status new_run(struct lineage *lineage, const struct hc_join_cycle *cycle,
                              int32_t *run, struct hc_error *err)
{
    struct hc_joins *joins = lineage->joins;
    if (hc_reserve(&joins->runs, &joins->runs_room, joins->n_runs + 1, sizeof *joins->runs, err))
        return err->status;
    *run = (int32_t)joins->n_runs++;
    joins->runs[*run] = (struct hc_run){.name = HC_MISSING_I32,
                                        .path = cycle->save_path,
                                        .forked_from = -1,
                                        .fork_iteration = HC_MISSING_I64,
                                        .first_cycle = -1,
                                        .last_cycle = -1,
                                        .first_ns = HC_MISSING_I64,
                                        .last_ns = HC_MISSING_I64,
                                        .first_iteration = HC_MISSING_I64,
                                        .last_iteration = HC_MISSING_I64,
                                        .saved_iteration = HC_MISSING_I64,
                                        .rule = HC_RUN_BY_LINEAGE};
    return HC_OK;
}

/* A missing key finds nothing. */
static int32_t find(const struct hc_int_map *map, int64_t key)
{
    int64_t entry = key == HC_MISSING_I64 ? -1 : hc_int_map_find(map, (uint64_t)key);
    return entry < 0 ? -1 : map->values[entry];
}

/* Whether a run has a cycle of another attempt that goes on when this one begins. */
static bool goes_on(const struct hc_joins *joins, const struct hc_run *run,
                    const struct hc_join_cycle *cycle)
{
    const struct hc_join_cycle *last = run->last_cycle < 0 ? NULL : &joins->cycles[run->last_cycle];
    return last && last->has_clock && cycle->has_clock && last->attempt != cycle->attempt &&
           last->end_ns != HC_MISSING_I64 && last->end_ns > cycle->start_ns;
}

/* The run that a cycle continues by what it loaded from another; or a fork of it. */
static enum hc_status continue_run(struct lineage *lineage, const struct hc_join_cycle *cycle,
                                   int32_t from, int32_t *run, struct hc_error *err)
{
    struct hc_joins *joins = lineage->joins;
    const struct hc_run *parent = &joins->runs[from];
    bool is_same_place = cycle->save_path == HC_MISSING_I32 || parent->path == HC_MISSING_I32 ||
                         cycle->save_path == parent->path;
    int32_t there = find(&lineage->run_of_path, cycle->save_path);
    *run = from;
    if (is_same_place && !goes_on(joins, parent, cycle))
        return HC_OK;
    if (!is_same_place && there >= 0) { /* a fork that begins anew, before it saved anything */
        *run = there;
        return HC_OK;
    }
    if (new_run(lineage, cycle, run, err))
        return err->status;
    joins->runs[*run].forked_from = from;
    joins->runs[*run].fork_iteration = cycle->loaded_iteration;
    return HC_OK;
}

static int64_t kin_of(const struct hc_join_attempt *attempt)
{
    return (int64_t)(((uint64_t)attempt->user << 42) ^ ((uint64_t)attempt->name << 21) ^
                     (uint64_t)attempt->work_dir);
}

static bool are_kin(const struct hc_join_attempt *a, const struct hc_join_attempt *b)
{
    return a->name != HC_MISSING_I32 && a->user == b->user && a->name == b->name &&
           a->work_dir == b->work_dir;
}

/* The run of the attempt of the same user, name and work directory before this one, which came to
 * no good end before it had saved anything: this one tries again. */
static int32_t tried_before(const struct lineage *lineage, const struct hc_join_attempt *attempt)
{
    const struct hc_joins *joins = lineage->joins;
    int32_t before = find(&lineage->last_of_kin, kin_of(attempt));
    if (before < 0 || !are_kin(&joins->attempts[before], attempt))
        return -1;
    const struct hc_join_attempt *other = &joins->attempts[before];
    int32_t run = lineage->run_of_attempt[before];
    bool is_over = other->end_ns != HC_MISSING_I64 && other->end_ns <= attempt->start_ns &&
                   other->state != HC_JOB_COMPLETED;
    return run >= 0 && is_over && joins->runs[run].saved_iteration == HC_MISSING_I64 ? run : -1;
}

/* The run of a cycle that loaded what no cycle here wrote, or nothing. */
static enum hc_status find_run(struct lineage *lineage, struct hc_join_cycle *cycle, int32_t *run,
                               struct hc_error *err)
{
    struct hc_joins *joins = lineage->joins;
    bool has_loaded = cycle->loaded_iteration != HC_MISSING_I64;
    const struct hc_join_attempt *attempt =
        cycle->attempt < 0 ? NULL : &joins->attempts[cycle->attempt];
    int32_t by_job = attempt ? find(&lineage->run_of_job, attempt->raw_job) : -1;
    int32_t by_load = has_loaded ? find(&lineage->run_of_path, cycle->load_path) : -1;
    int32_t by_save = find(&lineage->run_of_path, cycle->save_path);
    if (by_save >= 0 && !has_loaded && joins->runs[by_save].saved_iteration != HC_MISSING_I64)
        by_save = -1; /* the place of another run, which was left or is written over */
    *run = by_job >= 0 ? by_job : by_load >= 0 ? by_load : by_save;
    if (*run < 0 && !has_loaded && attempt)
        *run = tried_before(lineage, attempt);
    if (*run < 0 && new_run(lineage, cycle, run, err))
        return err->status;
    joins->runs[*run].n_gaps += has_loaded;
    return HC_OK;
}

static enum hc_status note_places(struct lineage *lineage, const struct hc_join_cycle *cycle,
                                  int32_t run, struct hc_error *err)
{
    const struct hc_joins *joins = lineage->joins;
    size_t entry;
    if (cycle->save_path != HC_MISSING_I32) {
        if (hc_int_map_insert(&lineage->run_of_path, (uint64_t)(int64_t)cycle->save_path, run,
                              &entry, err))
            return err->status;
        lineage->run_of_path.values[entry] = run;
    }
    if (cycle->attempt < 0)
        return HC_OK;
    lineage->run_of_attempt[cycle->attempt] = run;
    int64_t job = joins->attempts[cycle->attempt].raw_job;
    if (job != HC_MISSING_I64) {
        if (hc_int_map_insert(&lineage->run_of_job, (uint64_t)job, run, &entry, err))
            return err->status;
        lineage->run_of_job.values[entry] = run;
    }
    if (hc_int_map_insert(&lineage->last_of_kin, (uint64_t)kin_of(&joins->attempts[cycle->attempt]),
                          cycle->attempt, &entry, err))
        return err->status;
    lineage->last_of_kin.values[entry] = cycle->attempt;
    return HC_OK;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b; /* missing is below all */
}

static int64_t earlier(int64_t a, int64_t b)
{
    if (a == HC_MISSING_I64 || b == HC_MISSING_I64)
        return later(a, b);
    return a < b ? a : b;
}

static void add_to_run(struct hc_joins *joins, int32_t cycle, int32_t run)
{
    struct hc_join_cycle *c = &joins->cycles[cycle];
    struct hc_run *r = &joins->runs[run];
    c->run = run;
    r->n_cycles++;
    if (r->first_cycle < 0)
        r->first_cycle = cycle;
    r->last_cycle = cycle;
    if (r->path == HC_MISSING_I32)
        r->path = c->save_path;
    if (c->has_clock) {
        r->first_ns = earlier(r->first_ns, c->start_ns);
        r->last_ns = later(r->last_ns, c->end_ns);
    }
    r->first_iteration = earlier(r->first_iteration, c->first_iteration);
    r->last_iteration = later(r->last_iteration, c->last_iteration);
    r->saved_iteration = later(r->saved_iteration, c->saved_iteration);
    r->is_done |= c->is_done;
}

/* The run that a rule of the site names, made when it is new. */
static enum hc_status named_run(struct lineage *lineage, int32_t name,
                                const struct hc_join_cycle *cycle, int32_t *run,
                                struct hc_error *err)
{
    static const struct hc_join_cycle none = {.save_path = HC_MISSING_I32};
    size_t entry, n = lineage->run_of_name.n;
    if (hc_int_map_insert(&lineage->run_of_name, (uint64_t)name, 0, &entry, err))
        return err->status;
    if (lineage->run_of_name.n > n) {
        if (new_run(lineage, cycle ? cycle : &none, &lineage->run_of_name.values[entry], err))
            return err->status;
        struct hc_run *made = &lineage->joins->runs[lineage->run_of_name.values[entry]];
        made->rule = HC_RUN_BY_SITE;
        made->name = name;
    }
    *run = lineage->run_of_name.values[entry];
    return HC_OK;
}

/* A run of a rule that begins from the checkpoint of another is forked from it. */
static void note_fork(struct hc_joins *joins, const struct hc_join_cycle *cycle, int32_t run,
                      int32_t from)
{
    struct hc_run *r = &joins->runs[run];
    if (from < 0 || from == run || r->n_cycles > 0 || r->forked_from >= 0)
        return;
    r->forked_from = from;
    r->fork_iteration = cycle->loaded_iteration;
}

static enum hc_status place_cycle(struct lineage *lineage, int32_t index, struct hc_error *err)
{
    struct hc_joins *joins = lineage->joins;
    struct hc_join_cycle *cycle = &joins->cycles[index];
    int32_t run = cycle->attempt < 0 ? -1 : lineage->run_of_attempt[cycle->attempt];
    cycle->parent = writer_of(joins, cycle);
    int32_t from = cycle->parent < 0 ? -1 : joins->cycles[cycle->parent].run;
    int32_t named = cycle->attempt < 0 ? HC_MISSING_I32 : joins->attempts[cycle->attempt].named;
    enum hc_status status = HC_OK;
    if (named != HC_MISSING_I32) {
        status = named_run(lineage, named, cycle, &run, err);
        if (!status)
            note_fork(joins, cycle, run, from);
    } else if (run < 0)
        status = from >= 0 ? continue_run(lineage, cycle, from, &run, err)
                           : find_run(lineage, cycle, &run, err);
    if (status || note_places(lineage, cycle, run, err))
        return err->status;
    add_to_run(joins, index, run);
    return HC_OK;
}

/* ---- forks that are none ---- */

/* A run that begins from the last checkpoint of one that nobody went on with is that one, saved to
 * another place from then on. */
static bool is_continuation(const struct hc_joins *joins, int32_t run)
{
    const struct hc_run *r = &joins->runs[run];
    if (r->forked_from < 0 || r->rule == HC_RUN_BY_SITE)
        return false;
    const struct hc_run *parent = &joins->runs[r->forked_from];
    if (parent->is_done || parent->last_ns == HC_MISSING_I64 || r->first_ns == HC_MISSING_I64 ||
        parent->last_ns > r->first_ns || parent->saved_iteration != r->fork_iteration)
        return false;
    for (size_t i = 0; i < joins->n_runs; i++)
        if ((int32_t)i != run && joins->runs[i].forked_from == r->forked_from)
            return false;
    return true;
}

/* Runs are given their final numbers, in order of time; those that are continuations are joined to
 * what they continue. Where each run went: to[]. */
static void renumber(struct hc_joins *joins, const int32_t *to)
{
    size_t n = 0;
    for (size_t i = 0; i < joins->n_runs; i++)
        if (to[i] == (int32_t)n) {
            struct hc_run run = joins->runs[i];
            run.forked_from = run.forked_from < 0 ? -1 : to[run.forked_from];
            run.first_cycle = run.last_cycle = -1;
            run.n_cycles = 0;
            joins->runs[n++] = run;
        }
    joins->n_runs = n;
}

static enum hc_status join_continuations(struct lineage *lineage, struct hc_error *err)
{
    struct hc_joins *joins = lineage->joins;
    int32_t *to = hc_new_array(joins->n_runs, sizeof *to, err), n = 0;
    if (!to)
        return err->status;
    for (size_t i = 0; i < joins->n_runs; i++) /* a parent stands before its forks */
        to[i] = is_continuation(joins, (int32_t)i) ? to[joins->runs[i].forked_from] : n++;
    for (size_t i = 0; i < joins->n_runs; i++)
        if (is_continuation(joins, (int32_t)i))
            joins->runs[to[i]].n_gaps += joins->runs[i].n_gaps;
    renumber(joins, to);
    for (size_t i = 0; i < joins->n_cycles; i++) {
        int32_t cycle = lineage->by_time[i];
        if (joins->cycles[cycle].run >= 0)
            add_to_run(joins, cycle, to[joins->cycles[cycle].run]);
    }
    for (size_t i = 0; i < joins->n_attempts; i++) {
        int32_t run = lineage->run_of_attempt[i];
        if (run < 0)
            run = find(&lineage->run_of_job, joins->attempts[i].raw_job);
        joins->attempts[i].run = run < 0 ? -1 : to[run];
    }
    free(to);
    return HC_OK;
}

/* ---- attempts and names ---- */

static void add_attempts(struct hc_joins *joins)
{
    for (size_t i = 0; i < joins->n_attempts; i++) {
        const struct hc_join_attempt *attempt = &joins->attempts[i];
        if (attempt->run < 0)
            continue;
        struct hc_run *run = &joins->runs[attempt->run];
        run->gpu_ns += attempt->gpu_ns;
        bool is_first = run->n_attempts++ == 0;
        if (run->rule != HC_RUN_BY_SITE)
            run->name = is_first || run->name == attempt->name ? attempt->name : HC_MISSING_I32;
    }
}

/* What a run is to be called: its jobs' name, where all have one; else that of the place of its
 * checkpoints, or of its first log. */
static const char *wanted_name(const struct hc_joins *joins, const struct hc_run *run)
{
    const char *name = hc_joins_find_text(joins, run->name);
    if (name && *name)
        return name;
    const char *path = hc_joins_find_text(joins, run->path);
    if (!path)
        path = run->first_cycle < 0
                   ? "run"
                   : joins->texts.text[joins->logs[joins->cycles[run->first_cycle].log].path];
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* A name that no run has yet: "pretrain", "pretrain-2". */
static enum hc_status name_run(struct hc_joins *joins, struct hc_run *run, struct hc_int_map *taken,
                               struct hc_error *err)
{
    char *wanted = hc_copy_text(wanted_name(joins, run), err);
    enum hc_status status = wanted ? HC_OK : err->status;
    bool is_free = false;
    for (int k = 1; !status && !is_free; k++) {
        char *name = k == 1 ? hc_copy_text(wanted, err) : hc_new_text(err, "%s-%d", wanted, k);
        size_t entry, n = taken->n;
        status = name ? hc_joins_text(joins, name, &run->name, err) : err->status;
        if (!status)
            status = hc_int_map_insert(taken, (uint64_t)run->name, 0, &entry, err);
        is_free = taken->n > n;
        free(name);
    }
    free(wanted);
    return status;
}

static enum hc_status name_runs(struct hc_joins *joins, struct hc_error *err)
{
    struct hc_int_map taken = {0};
    enum hc_status status = HC_OK;
    for (int pass = 0; pass < 2; pass++) /* names that a site gave go first */
        for (size_t i = 0; i < joins->n_runs && !status; i++)
            if ((joins->runs[i].rule == HC_RUN_BY_SITE) == (pass == 0))
                status = name_run(joins, &joins->runs[i], &taken, err);
    hc_int_map_fini(&taken);
    return status;
}

/* ---- all ---- */

static int64_t time_of(const struct hc_joins *joins, const struct hc_join_cycle *cycle)
{
    if (cycle->has_clock)
        return cycle->start_ns;
    return cycle->attempt < 0 ? INT64_MAX : joins->attempts[cycle->attempt].start_ns;
}

static int compare_times(const void *a, const void *b, void *context)
{
    const struct hc_joins *joins = context;
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    int64_t at = time_of(joins, &joins->cycles[x]), other = time_of(joins, &joins->cycles[y]);
    if (at != other)
        return at < other ? -1 : 1;
    return (x > y) - (x < y);
}

/* Attempts that a rule names and no log tells of. */
static enum hc_status place_named(struct lineage *lineage, struct hc_error *err)
{
    struct hc_joins *joins = lineage->joins;
    for (size_t i = 0; i < joins->n_attempts; i++)
        if (joins->attempts[i].named != HC_MISSING_I32 &&
            named_run(lineage, joins->attempts[i].named, NULL, &lineage->run_of_attempt[i], err))
            return err->status;
    return HC_OK;
}

static enum hc_status make(struct lineage *lineage, struct hc_error *err)
{
    struct hc_joins *joins = lineage->joins;
    lineage->by_time = hc_new_array(joins->n_cycles, sizeof *lineage->by_time, err);
    lineage->run_of_attempt =
        lineage->by_time ? hc_new_array(joins->n_attempts, sizeof *lineage->run_of_attempt, err)
                         : NULL;
    if (!lineage->run_of_attempt)
        return err->status;
    for (size_t i = 0; i < joins->n_attempts; i++)
        lineage->run_of_attempt[i] = -1;
    for (size_t i = 0; i < joins->n_cycles; i++)
        lineage->by_time[i] = (int32_t)i;
    if (joins->n_cycles)
        qsort_r(lineage->by_time, joins->n_cycles, sizeof *lineage->by_time, compare_times, joins);
    if (joins->n_saves)
        qsort(joins->saves, joins->n_saves, sizeof *joins->saves, compare_saves);
    for (size_t i = 0; i < joins->n_cycles; i++)
        if (place_cycle(lineage, lineage->by_time[i], err))
            return err->status;
    if (place_named(lineage, err) || join_continuations(lineage, err))
        return err->status;
    add_attempts(joins);
    return name_runs(joins, err);
}

enum hc_status hc_joins_make_runs(struct hc_joins *joins, struct hc_error *err)
{
    struct lineage lineage = {.joins = joins};
    enum hc_status status = make(&lineage, err);
    free(lineage.by_time);
    free(lineage.run_of_attempt);
    hc_int_map_fini(&lineage.run_of_job);
    hc_int_map_fini(&lineage.run_of_path);
    hc_int_map_fini(&lineage.run_of_name);
    hc_int_map_fini(&lineage.last_of_kin);
    return status;
}
