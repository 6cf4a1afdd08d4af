#include "sim/engine/crew.h"

#include "core/base/clock.h"
#include "core/process/threads.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>

struct crew {
    const struct hc_crew_trade *trade;
    const void *errand;
    size_t n, failed_at; /* n: nothing failed */
    struct hc_error err; /* of what failed */
};

static void fail_crew(struct crew *crew, size_t at, const struct hc_error *err)
{
#pragma omp critical(hc_crew)
    if (at < crew->failed_at) {
        crew->failed_at = at;
        crew->err = *err;
    }
}

/* ---- small work ---- */

/* As long as all work of the process together has taken no longer than this, it stays on the
 * calling thread: others would be asked, woken and waited for, which takes longer than it saves,
 * and on cores that are shared with other programs much longer. */
#define ALONE_NS ((int64_t)5000000)

static _Atomic int64_t alone_ns; /* that it has taken */

bool hc_crew_is_alone(void)
{
    return alone_ns < ALONE_NS;
}

/* A worker with the error that it was hired with, which is told of all that it does. */
struct hired {
    void *worker;
    bool is_ready;
    struct hc_error err;
};

static void hire(struct crew *crew, struct hired *hired)
{
    hired->worker = NULL;
    hired->is_ready = !crew->trade->hire(&hired->worker, crew->errand, &hired->err);
    if (!hired->is_ready)
        fail_crew(crew, 0, &hired->err);
}

static void do_one(struct crew *crew, struct hired *hired, size_t i)
{
    if (hired->is_ready && crew->trade->work(hired->worker, crew->errand, i, &hired->err))
        fail_crew(crew, i, &hired->err);
}

/* Do the first of the work alone; returns the first i that is left. */
static size_t begin_alone(struct crew *crew, struct hired *leader)
{
    int64_t started_ns = hc_monotonic_ns(), spent_ns = 0, before_ns = alone_ns;
    size_t i = 0;
    while (i < crew->n && before_ns + spent_ns < ALONE_NS) {
        do_one(crew, leader, i++);
        spent_ns = hc_monotonic_ns() - started_ns;
    }
    alone_ns += spent_ns;
    return i;
}

/* ---- shares ---- */

/* One thread's share of what is left from first on; the leader has the calling thread. */
static void work(struct crew *crew, size_t first, struct hired *leader)
{
    struct hired other, *hired = omp_get_thread_num() == 0 ? leader : &other;
    if (hired == &other)
        hire(crew, hired);
#pragma omp for schedule(dynamic, 1)
    for (size_t i = first; i < crew->n; i++)
        do_one(crew, hired, i);
    if (hired == &other)
        crew->trade->dismiss(hired->worker);
}

static void run(struct crew *crew, int32_t threads)
{
    struct hired leader;
    hire(crew, &leader);
    size_t first = threads > 1 ? begin_alone(crew, &leader) : 0;
    if (first < crew->n) {
        if (threads > 1)
            threads = hc_threads_raise(threads);
#pragma omp parallel num_threads(threads)
        work(crew, first, &leader);
    }
    crew->trade->dismiss(leader.worker);
}

enum hc_status hc_crew_run(const struct hc_crew_trade *trade, const void *errand, size_t n,
                           int32_t threads, struct hc_error *err)
{
    struct crew crew = {.trade = trade, .errand = errand, .n = n, .failed_at = n};
    if (!threads)
        threads = hc_threads_most();
    if ((size_t)threads > n)
        threads = n ? (int32_t)n : 1;
    run(&crew, threads);
    if (crew.failed_at == n)
        return HC_OK;
    *err = crew.err;
    return err->status;
}
