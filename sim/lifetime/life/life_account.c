#include "sim/lifetime/life/life_account.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum hc_status hc_life_account_init(struct hc_life_account *a, bool is_elastic,
                                    struct hc_error *err)
{
    if (!is_elastic)
        return HC_OK;
    a->absence = hc_new_array(1, sizeof *a->absence, err);
    return a->absence ? HC_OK : err->status;
}

void hc_life_account_fini(struct hc_life_account *a)
{
    if (a->absence)
        free(a->absence->stretch);
    free(a->absence);
}

void hc_life_account_begin(struct hc_life_account *a, struct hc_lifetime_replica *out)
{
    a->out = out;
    memset(a->leaf_ns, 0, sizeof a->leaf_ns);
    a->blame = HC_LIFETIME_MAX_FAULTS;
    a->n_absent = 0;
    if (!a->absence)
        return;
    memset(a->absence->less_ns, 0, sizeof a->absence->less_ns);
    a->absence->absent_ns = a->absence->since_ns = 0;
    a->absence->n_stretches = 0;
}

/* ---- elastic jobs ---- */

void hc_life_count_absent(struct hc_life_account *a, int32_t change, int64_t held_ns)
{
    struct hc_life_absence *absence = a->absence;
    absence->absent_ns += (hc_gpu_ns)a->n_absent * (held_ns - absence->since_ns);
    absence->since_ns = held_ns;
    a->n_absent += change;
}

void hc_life_book_stretch(struct hc_life_account *a, const struct hc_life_stretch *ran,
                          struct hc_life_end *end)
{
    struct hc_life_absence *absence = a->absence;
    size_t n = absence->n_stretches;
    struct hc_life_stretch *top = n ? &absence->stretch[n - 1] : NULL;
    if (top && top->n_run == ran->n_run && top->n_absent == ran->n_absent &&
        top->cause == ran->cause) {
        top->ideal_ns += ran->ideal_ns;
        top->excess_ns += ran->excess_ns;
        return;
    }
    if (hc_life_failed(end, hc_reserve(&absence->stretch, &absence->capacity, n + 1,
                                       sizeof *absence->stretch, end->err)))
        return;
    absence->stretch[absence->n_stretches++] = *ran;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Take lost steps off the stack, and the absent nodes' part of them off the lost time. */
static void lose_stretches(struct hc_life_absence *absence, const struct hc_life_run *lost,
                           enum hc_why why)
{
    int64_t ideal_ns = lost->ideal_ns, excess_ns = lost->excess_ns;
    for (size_t i = absence->n_stretches; i-- > 0 && (ideal_ns || excess_ns);) {
        struct hc_life_stretch *of = &absence->stretch[i];
        int64_t ideal = least(of->ideal_ns, ideal_ns), excess = least(of->excess_ns, excess_ns);
        of->ideal_ns -= ideal;
        of->excess_ns -= excess;
        ideal_ns -= ideal;
        excess_ns -= excess;
        absence->less_ns[HC_WHAT_LOST_WORK][why] += (hc_gpu_ns)of->n_absent * (ideal + excess);
    }
    while (absence->n_stretches && !absence->stretch[absence->n_stretches - 1].ideal_ns &&
           !absence->stretch[absence->n_stretches - 1].excess_ns)
        absence->n_stretches--;
}

/* Steps were booked as productive on all nodes of the job. Correct that for a stretch that an
 * elastic job ran on fewer: the time of nodes that were held but took no part becomes degraded,
 * that of absent nodes is taken off without a substitute, since the job did not hold them. */
static void close_stretch(struct hc_life_account *a, const struct hc_life_stretch *of,
                          const struct hc_lifetime_config *config)
{
    struct hc_life_absence *absence = a->absence;
    int32_t nodes = config->job.nodes, without = nodes - of->n_run;
    hc_gpu_ns run_ns = (hc_gpu_ns)of->ideal_ns + of->excess_ns;
    if (!without)
        return;
    absence->less_ns[HC_WHAT_PRODUCTIVE_IDEAL][HC_WHY_NONE] += (hc_gpu_ns)without * of->ideal_ns;
    absence->less_ns[HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS][HC_WHY_NONE] +=
        (hc_gpu_ns)without * of->excess_ns;
    absence->less_ns[HC_WHAT_DEGRADED][config->fault[of->cause].why] -=
        run_ns * (without - of->n_absent);
    int64_t share_ns = (int64_t)(run_ns * without / nodes);
    a->out->productive_ns -= share_ns;
    a->out->unproductive_ns[of->cause] += share_ns;
}

/* Nodes that an elastic job went on without were booked as if they were held: take their time off
 * the account. */
static void close_absence(struct hc_life_account *a, const struct hc_life_closing *c)
{
    struct hc_life_absence *absence = a->absence;
    int32_t gpus = c->config->job.gpus_per_node;
    hc_life_count_absent(a, 0, c->wall_ns - a->out->queue_ns);
    a->out->absent_gpu_ns = absence->absent_ns * gpus;
    for (size_t i = 0; i < absence->n_stretches; i++)
        close_stretch(a, &absence->stretch[i], c->config);
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++)
            a->out->account.leaf[what][why] -= absence->less_ns[what][why] * gpus;
}

void hc_life_book_loss(struct hc_life_account *a, const struct hc_life_run *lost, enum hc_why why)
{
    /* Not hc_life_book(), which counts the nodes absent now: here those absent then count. */
    int64_t ns = lost->ideal_ns + lost->excess_ns;
    a->leaf_ns[HC_WHAT_LOST_WORK][why] += ns;
    a->out->unproductive_ns[a->blame] += ns;
    if (a->absence)
        lose_stretches(a->absence, lost, why);
}

/* ---- the end ---- */

static void book_productive(struct hc_life_account *a, const struct hc_life_run *counts)
{
    a->leaf_ns[HC_WHAT_PRODUCTIVE_IDEAL][HC_WHY_NONE] += counts->ideal_ns;
    a->leaf_ns[HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS][HC_WHY_NONE] += counts->excess_ns;
    a->out->productive_ns = counts->ideal_ns + counts->excess_ns;
    a->out->work_done_ns = counts->work_ns;
}

enum hc_status hc_life_account_close(struct hc_life_account *a, const struct hc_life_closing *c,
                                     struct hc_error *err)
{
    struct hc_lifetime_replica *out = a->out;
    int32_t each = c->config->job.gpus_per_node;
    hc_gpu_ns gpus = (hc_gpu_ns)c->config->job.nodes * each;
    book_productive(a, &c->counts);
    out->wall_ns = c->wall_ns;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++)
            out->account.leaf[what][why] = a->leaf_ns[what][why] * gpus;
    out->account.leaf[HC_WHAT_STANDBY_IDLE][HC_WHY_NONE] = c->standby_ns * each;
    if (a->absence)
        close_absence(a, c);
    out->account.leaf[HC_WHAT_POOL_IDLE][HC_WHY_NONE] = c->idle_ns * each;
    hc_gpu_ns held = (out->wall_ns - out->queue_ns) * gpus - out->absent_gpu_ns +
                     (c->standby_ns + c->idle_ns) * each;
    if (hc_account_total(&out->account) == held)
        return HC_OK;
    return hc_fail(err, HC_INTERNAL,
                   "lifetime: the account misses %g GPU-ns of %g (a mistake in hindcast)",
                   (double)(held - hc_account_total(&out->account)), (double)held);
}
