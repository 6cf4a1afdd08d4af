/* The threads are plain ones and not those of an OpenMP region: an analysis has parallel regions of
 * its own, and libgomp makes the threads of nested regions anew each time, while every plain thread
 * keeps a team.
 */
#include "pipeline/fleet/fleet_work.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/process/threads.h"
#include "pipeline/fleet/fleet_jobs.h"

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define LARGE_ARRAY (1 << 20) /* bytes */
#define KEPT_ARRAY  (32 << 20)

struct run {
    const struct hc_fleet_work *work;
    int threads;
    int64_t budget; /* rows of the jobs that may be at work at once */
    size_t *order;  /* largest first */

    pthread_mutex_t mutex;
    pthread_cond_t freed;
    /* Under the mutex: */
    size_t next, n_done; /* next: place in order */
    int64_t rows_at_work, rows_done;
    bool failed;
    size_t failed_job; /* the first in the order of the array: the same whoever is faster */
    struct hc_error err;
    struct hc_progress progress;
    char label[64];
};

/* ---- what may run when ---- */

static int64_t rows_of(const struct run *run, size_t job)
{
    return hc_fleet_job_rows(&run->work->jobs[job]);
}

static void set_budget(struct run *run)
{
    run->budget = (int64_t)run->threads * HC_FLEET_SMALL_ROWS;
    if (run->work->n && rows_of(run, run->order[0]) > run->budget)
        run->budget = rows_of(run, run->order[0]);
}

/* Where the largest job decides the peak of memory, what others leave in pieces in the arenas of
 * the threads must not come on top: arrays of a megabyte get pages of their own, which go when they
 * are freed. That costs time for new pages (docs/methods/fleet.md). Where small jobs decide, each
 * thread keeps the pages of one job for the next: threads that give back and fetch pages all the
 * time wait for each other in the kernel. */
static void choose_allocation(const struct run *run)
{
#ifdef __GLIBC__
    if (run->budget > (int64_t)run->threads * HC_FLEET_SMALL_ROWS) {
        mallopt(M_MMAP_THRESHOLD, LARGE_ARRAY);
        return;
    }
#else
    (void)run;
#endif
    hc_keep_freed_arrays(KEPT_ARRAY);
}

/* Wait until the next job has room, and take it. False when there is none left. */
static bool take_job(struct run *run, size_t *job)
{
    bool taken = false;
    pthread_mutex_lock(&run->mutex);
    while (!taken && run->next < run->work->n) {
        *job = run->order[run->next];
        taken = run->rows_at_work + rows_of(run, *job) <= run->budget;
        if (!taken)
            pthread_cond_wait(&run->freed, &run->mutex);
    }
    if (taken) {
        run->next++;
        run->rows_at_work += rows_of(run, *job);
    }
    pthread_mutex_unlock(&run->mutex);
    return taken;
}

static int threads_of(const struct run *run, size_t job)
{
    int64_t share = (int64_t)run->threads * rows_of(run, job) / run->budget;
    return share > 1 ? (int)share : 1;
}

/* Each thread allocates in an arena of its own, which keeps what is freed: without this a large job
 * on one thread would come on top of what another thread kept of the one before. */
static void give_back(const struct run *run, size_t job)
{
#ifdef __GLIBC__
    if (rows_of(run, job) >= HC_FLEET_SMALL_ROWS / 4)
        malloc_trim(0);
#else
    (void)run;
    (void)job;
#endif
}

/* err is NULL when the job succeeded. */
static void end_job(struct run *run, size_t job, const struct hc_error *err)
{
    give_back(run, job);
    pthread_mutex_lock(&run->mutex);
    run->rows_at_work -= rows_of(run, job);
    run->rows_done += rows_of(run, job);
    run->n_done++;
    if (err && (!run->failed || job < run->failed_job)) {
        run->failed = true;
        run->failed_job = job;
        run->err = *err;
    }
    snprintf(run->label, sizeof run->label, "%zu of %zu jobs", run->n_done, run->work->n);
    hc_progress_update(&run->progress, run->rows_done);
    pthread_cond_broadcast(&run->freed);
    pthread_mutex_unlock(&run->mutex);
}

/* ---- threads ---- */

static void *work(void *context)
{
    struct run *run = context;
    size_t job = 0;
    while (take_job(run, &job)) {
        struct hc_error err = {0};
        int threads = hc_threads_prepare(threads_of(run, job)); /* of this thread only */
        enum hc_status status = run->work->run(run->work->context, job, threads, &err);
        end_job(run, job, status ? &err : NULL);
    }
    return NULL;
}

/* The caller is one of the threads; fewer than asked for only make it slower. */
static void work_together(struct run *run, pthread_t *helpers)
{
    int n_helpers = 0;
    while (n_helpers < run->threads - 1 && (size_t)n_helpers + 1 < run->work->n &&
           pthread_create(&helpers[n_helpers], NULL, work, run) == 0)
        n_helpers++;
#ifdef _OPENMP
    int threads_before = omp_get_max_threads();
#endif
    work(run);
    for (int i = 0; i < n_helpers; i++)
        pthread_join(helpers[i], NULL);
#ifdef _OPENMP
    omp_set_num_threads(threads_before);
#endif
}

static int count_threads(int threads)
{
#ifdef _OPENMP
    return threads > 0 ? threads : omp_get_max_threads();
#else
    return threads > 0 ? threads : 1;
#endif
}

static void run_all(struct run *run, pthread_t *helpers)
{
    int64_t total = 0;
    for (size_t i = 0; i < run->work->n; i++)
        total += rows_of(run, i);
    set_budget(run);
    choose_allocation(run);
    snprintf(run->label, sizeof run->label, "0 of %zu jobs", run->work->n);
    hc_progress_start(&run->progress, run->label, "rows", total);
    hc_progress_hold(true);
    pthread_mutex_init(&run->mutex, NULL);
    pthread_cond_init(&run->freed, NULL);
    work_together(run, helpers);
    pthread_cond_destroy(&run->freed);
    pthread_mutex_destroy(&run->mutex);
    hc_progress_hold(false);
    hc_progress_end(&run->progress);
}

enum hc_status hc_fleet_work_run(const struct hc_fleet_work *work, struct hc_error *err)
{
    hc_threads_raise(1);
    struct run run = {.work = work, .threads = count_threads(work->threads)};
    run.order = hc_fleet_jobs_by_size(work->jobs, work->n, err);
    pthread_t *helpers = run.order ? hc_new_array((size_t)run.threads, sizeof *helpers, err) : NULL;
    if (helpers)
        run_all(&run, helpers);
    if (run.failed)
        *err = run.err;
    bool is_done = helpers && !run.failed;
    free(helpers);
    free(run.order);
    return is_done ? HC_OK : err->status;
}
