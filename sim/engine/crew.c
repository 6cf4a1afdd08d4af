#include "sim/engine/crew.h"

#include <omp.h>
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

/* One thread's share. */
static void work(struct crew *crew)
{
    struct hc_error err;
    void *worker = NULL;
    bool is_ready = !crew->trade->hire(&worker, crew->errand, &err);
    if (!is_ready)
        fail_crew(crew, 0, &err);
#pragma omp for schedule(dynamic, 1)
    for (size_t i = 0; i < crew->n; i++)
        if (is_ready && crew->trade->work(worker, crew->errand, i, &err))
            fail_crew(crew, i, &err);
    crew->trade->dismiss(worker);
}

enum hc_status hc_crew_run(const struct hc_crew_trade *trade, const void *errand, size_t n,
                           int32_t threads, struct hc_error *err)
{
    struct crew crew = {.trade = trade, .errand = errand, .n = n, .failed_at = n};
    if (!threads)
        threads = omp_get_max_threads();
    if ((size_t)threads > n)
        threads = n ? (int32_t)n : 1;
#pragma omp parallel num_threads(threads)
    work(&crew);
    if (crew.failed_at == n)
        return HC_OK;
    *err = crew.err;
    return err->status;
}
