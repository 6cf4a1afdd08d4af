#include "models/capacity/queue_looks.h"

#include "core/base/memory.h"

#include <stdlib.h>

enum hc_status hc_queue_looks_add(struct hc_queue_looks *looks, int64_t time_ns, int wait,
                                  int64_t gpus, struct hc_error *err)
{
    struct hc_queue_look *last = looks->n ? &looks->looks[looks->n - 1] : NULL;
    if (!last || last->time_ns != time_ns) {
        if (hc_reserve(&looks->looks, &looks->room, looks->n + 1, sizeof *looks->looks, err))
            return err->status;
        last = &looks->looks[looks->n++];
        *last = (struct hc_queue_look){.time_ns = time_ns};
    }
    if (wait >= 0 && wait < HC_N_LOOK_WAITS) {
        last->jobs[wait]++;
        last->gpus[wait] += gpus;
    }
    return HC_OK;
}

static int compare_looks(const void *a, const void *b)
{
    const struct hc_queue_look *x = a, *y = b;
    return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

/* One look a moment: several sources may have told of it. */
static void unite(struct hc_queue_looks *looks)
{
    size_t n = 0;
    if (looks->n)
        qsort(looks->looks, looks->n, sizeof *looks->looks, compare_looks);
    for (size_t i = 0; i < looks->n; i++) {
        struct hc_queue_look *before = n ? &looks->looks[n - 1] : NULL;
        if (!before || before->time_ns != looks->looks[i].time_ns) {
            looks->looks[n++] = looks->looks[i];
            continue;
        }
        for (int wait = 0; wait < HC_N_LOOK_WAITS; wait++) {
            before->jobs[wait] += looks->looks[i].jobs[wait];
            before->gpus[wait] += looks->looks[i].gpus[wait];
        }
    }
    looks->n = n;
}

void hc_queue_looks_end(struct hc_queue_looks *looks)
{
    int64_t most_ns = looks->holds_ns > 0 ? looks->holds_ns : HC_CAPACITY_QUEUE_HOLDS_NS;
    unite(looks);
    for (size_t i = 0; i < looks->n; i++) {
        const struct hc_queue_look *look = &looks->looks[i];
        int64_t from_ns = look->time_ns, to_ns = from_ns + most_ns;
        if (i + 1 < looks->n && look[1].time_ns < to_ns)
            to_ns = look[1].time_ns;
        from_ns = from_ns > looks->from_ns ? from_ns : looks->from_ns;
        to_ns = to_ns < looks->to_ns ? to_ns : looks->to_ns;
        if (from_ns >= to_ns)
            continue;
        looks->n_looks++;
        looks->known_ns += to_ns - from_ns;
        for (int wait = 0; wait < HC_N_LOOK_WAITS; wait++) {
            struct hc_queue_waiting *waiting = &looks->waiting[wait];
            hc_capacity_ns ns = (hc_capacity_ns)(to_ns - from_ns);
            waiting->gpu_ns += (hc_capacity_ns)look->gpus[wait] * ns;
            waiting->job_ns += (hc_capacity_ns)look->jobs[wait] * ns;
            if (look->gpus[wait] > waiting->most_gpus)
                waiting->most_gpus = look->gpus[wait];
        }
    }
}

void hc_queue_looks_fini(struct hc_queue_looks *looks)
{
    free(looks->looks);
    looks->looks = NULL;
    looks->n = looks->room = 0;
}
