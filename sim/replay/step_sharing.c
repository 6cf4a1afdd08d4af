#include "sim/replay/step_sharing.h"

#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>

/* The usual step is the median of so many, those whose spans are nearest the median. */
#define N_USUAL 5

/* ---- the own time of workers in one step ---- */

struct piece {
    size_t worker;
    int64_t start_ns, end_ns;
};

static int by_worker_and_start(const void *left, const void *right)
{
    const struct piece *a = left, *b = right;
    if (a->worker != b->worker)
        return a->worker > b->worker ? 1 : -1;
    return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

static bool is_own_work(int type)
{
    return hc_op_is_pass(type) || type == HC_GC || type == HC_OPTIMIZER;
}

static size_t count_workers(const struct hc_step_sharing *sharing)
{
    const struct hc_census *census = sharing->trace->census;
    return (size_t)hc_census_dp_size(census) * (size_t)hc_census_n_stages(census);
}

/* Add the time in which a worker has no op under way, between the start of the step and the end of
 * its last op. */
static void add_idle(double *own_ns, const struct piece *pieces, size_t n, int64_t first_ns)
{
    int64_t covered_ns = first_ns;
    for (size_t i = 0; i < n; i++) {
        if (i && pieces[i].worker != pieces[i - 1].worker)
            covered_ns = first_ns;
        if (pieces[i].start_ns > covered_ns)
            own_ns[pieces[i].worker] += (double)(pieces[i].start_ns - covered_ns);
        covered_ns = pieces[i].end_ns > covered_ns ? pieces[i].end_ns : covered_ns;
    }
}

/* Fill own_ns [n_workers]. Of a trace that hides waiting only the work counts: there a worker that
 * waits has no op under way. */
static enum hc_status find_own(double *own_ns, const struct hc_step_sharing *sharing, size_t s,
                               struct hc_error *err)
{
    const struct hc_packed_step *packed = hc_step_trace_find(sharing->trace, sharing->steps[s]);
    const struct hc_census *census = sharing->trace->census;
    const struct hc_census_op *ops = hc_census_ops(census);
    size_t n_stages = (size_t)hc_census_n_stages(census), n_workers = count_workers(sharing);
    struct piece *pieces = hc_new_array(packed->n_rows, sizeof *pieces, err);
    if (!pieces)
        return err->status;
    for (size_t w = 0; w < n_workers; w++)
        own_ns[w] = 0;
    for (size_t i = 0; i < packed->n_rows; i++) {
        const struct hc_packed_row *row = &packed->rows[i];
        const struct hc_census_op *op = &ops[row->op];
        size_t worker = (size_t)row->dp_rank * n_stages + (size_t)op->stage;
        pieces[i] = (struct piece){worker, row->start_ns, row->start_ns + row->duration_ns};
        if (is_own_work(op->op_type))
            own_ns[worker] += (double)row->duration_ns;
    }
    qsort(pieces, packed->n_rows, sizeof *pieces, by_worker_and_start);
    if (!sharing->trace->hides_waiting)
        add_idle(own_ns, pieces, packed->n_rows, sharing->first_ns[s]);
    free(pieces);
    return HC_OK;
}

/* ---- the usual step ---- */

/* The steps whose spans are nearest the median, at most N_USUAL. Returns how many. */
static size_t choose_usual(size_t chosen[N_USUAL], const struct hc_step_sharing *sharing)
{
    size_t n = 0;
    for (size_t s = 0; s < sharing->n_steps; s++) {
        double distance = fabs((double)sharing->span_ns[s] - sharing->usual_span_ns);
        size_t at = n < N_USUAL ? n++ : N_USUAL;
        for (; at > 0; at--) {
            double other = fabs((double)sharing->span_ns[chosen[at - 1]] - sharing->usual_span_ns);
            if (other <= distance)
                break;
            if (at < N_USUAL)
                chosen[at] = chosen[at - 1];
        }
        if (at < N_USUAL)
            chosen[at] = s;
    }
    return n;
}

/* usual_ns of each worker: the median over the chosen steps of own_ns [n][n_workers]. */
static void find_medians(struct hc_step_sharing *sharing, const double *own_ns, size_t n)
{
    size_t n_workers = count_workers(sharing);
    for (size_t w = 0; w < n_workers; w++) {
        double values[N_USUAL];
        for (size_t k = 0; k < n; k++)
            values[k] = own_ns[k * n_workers + w];
        sharing->usual_ns[w] = hc_median(values, n);
    }
}

static enum hc_status find_usual(struct hc_step_sharing *sharing, struct hc_error *err)
{
    size_t chosen[N_USUAL], n_workers = count_workers(sharing);
    double *spans = hc_new_array(sharing->n_steps, sizeof *spans, err);
    double *own_ns = hc_new_array(N_USUAL * n_workers, sizeof *own_ns, err);
    sharing->usual_ns = hc_new_array(n_workers, sizeof *sharing->usual_ns, err);
    enum hc_status status = spans && own_ns && sharing->usual_ns ? HC_OK : err->status;
    for (size_t s = 0; status == HC_OK && s < sharing->n_steps; s++)
        spans[s] = (double)sharing->span_ns[s];
    if (status == HC_OK) {
        sharing->usual_span_ns = hc_median(spans, sharing->n_steps);
        size_t n = choose_usual(chosen, sharing);
        for (size_t k = 0; k < n && status == HC_OK; k++)
            status = find_own(own_ns + k * n_workers, sharing, chosen[k], err);
        if (status == HC_OK)
            find_medians(sharing, own_ns, n);
    }
    free(spans);
    free(own_ns);
    return status;
}

/* ---- the question ---- */

enum hc_status hc_step_is_shared(bool *shared, size_t s, void *context, struct hc_error *err)
{
    struct hc_step_sharing *sharing = context;
    size_t n_workers = count_workers(sharing), n_with = 0;
    *shared = true;
    if (!sharing->usual_ns && find_usual(sharing, err))
        return err->status;
    double *own_ns = hc_new_array(n_workers, sizeof *own_ns, err);
    if (!own_ns)
        return err->status;
    enum hc_status status = find_own(own_ns, sharing, s, err);
    double most_ns = 0, longer_ns = (double)sharing->span_ns[s] - sharing->usual_span_ns;
    for (size_t w = 0; w < n_workers; w++)
        most_ns = fmax(most_ns, own_ns[w] - sharing->usual_ns[w]);
    for (size_t w = 0; w < n_workers; w++)
        n_with += own_ns[w] - sharing->usual_ns[w] >= most_ns / 2;
    *shared = most_ns < longer_ns / 2 || 2 * n_with > n_workers;
    free(own_ns);
    return status;
}

void hc_step_sharing_fini(struct hc_step_sharing *sharing)
{
    free(sharing->usual_ns);
    sharing->usual_ns = NULL;
}
