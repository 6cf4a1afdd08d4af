/* whatif_findings.c - what follows from a result when all else is known: orders, the worst, how far
 * the approximated slowdowns of workers are off. */
#include "sim/whatif/worker_wander.h"

#include "core/base/memory.h"
#include "core/base/select.h"
#include "core/tables/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A worker stands out when it is slower than the median by so many robust standard deviations, and
 * by this part of what the worst one is slower. */
#define OUTSTANDING_DEVIATIONS 6.0
#define OUTSTANDING_PART       0.3

static int by_descending_value(const void *left, const void *right, void *context)
{
    const double *values = context;
    size_t i = *(const size_t *)left, j = *(const size_t *)right;
    double a = isnan(values[i]) ? -INFINITY : values[i];
    double b = isnan(values[j]) ? -INFINITY : values[j];
    if (a != b)
        return a > b ? -1 : 1;
    return i < j ? -1 : i > j;
}

size_t *hc_descending(const double *values, size_t n, struct hc_error *err)
{
    size_t *order = hc_new_array(n, sizeof *order, err);
    if (!order)
        return NULL;
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof *order, by_descending_value, (void *)values);
    return order;
}

double hc_worker_step_slowdown(const struct hc_whatif_result *result, size_t worker, size_t step)
{
    int64_t ideal_ns = result->ideal_end_ns[step];
    if (!result->worker_end_ns || ideal_ns <= 0)
        return NAN;
    return (double)result->worker_end_ns[worker * result->n_steps + step] / (double)ideal_ns;
}

double hc_blocking_step_slowdown(const struct hc_whatif_result *result,
                                 const struct hc_split_group *group, size_t step)
{
    return (double)group->end_ns[step] / (double)result->ideal_end_ns[step];
}

double hc_launch_step_slowdown(const struct hc_whatif_result *result,
                               const struct hc_split_group *group, size_t step)
{
    return (double)group->end_ns[step] / (double)result->replayed_end_ns[step];
}

double hc_stage_step_slowdown(const struct hc_whatif_result *result, size_t stage, size_t step)
{
    size_t n_stages = (size_t)result->pp_size;
    double largest = NAN;
    for (size_t w = stage; w < result->n_workers; w += n_stages)
        largest = fmax(largest, hc_worker_step_slowdown(result, w, step));
    return largest;
}

double hc_dp_rank_step_slowdown(const struct hc_whatif_result *result, size_t dp_rank,
                                size_t first_stage, size_t n, size_t step)
{
    size_t first = dp_rank * (size_t)result->pp_size + first_stage;
    double largest = NAN;
    for (size_t w = first; w < first + n; w++)
        largest = fmax(largest, hc_worker_step_slowdown(result, w, step));
    return largest;
}

double hc_split_group_slowdown(const struct hc_split *split, const char *name)
{
    for (size_t g = 0; g < split->n_groups; g++)
        if (split->groups[g].name && strcmp(split->groups[g].name, name) == 0)
            return split->groups[g].slowdown;
    return NAN;
}

bool hc_whatif_has_p2p(const struct hc_whatif_result *result)
{
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        if (hc_op_is_p2p(type) && result->n_by_type[type] > 0)
            return true;
    return false;
}

bool hc_verdict_names(const struct hc_verdict *verdict, enum hc_straggler_cause cause)
{
    bool named = verdict->done && verdict->cause == cause;
    for (size_t i = 0; verdict->done && i < verdict->n_also; i++)
        named |= verdict->also[i] == cause;
    return named;
}

static bool has_exact(const struct hc_whatif_result *result)
{
    for (size_t w = 0; w < result->n_workers; w++)
        if (!(result->workers[w].exact > 0))
            return false;
    return result->n_workers > 0;
}

static double median_of(const double *values, const size_t *order, size_t n)
{
    return n > 0 ? (values[order[(n - 1) / 2]] + values[order[n / 2]]) / 2 : NAN;
}

enum hc_status hc_median_step(size_t *index, const struct hc_whatif_result *result,
                              struct hc_error *err)
{
    size_t n = result->n_steps;
    *index = 0;
    if (n == 0)
        return HC_OK;
    double *negated = hc_new_array(n, sizeof *negated, err);
    if (!negated)
        return err->status;
    for (size_t s = 0; s < n; s++)
        negated[s] = -result->step_slowdown[s];
    size_t *ascending = hc_descending(negated, n, err);
    if (ascending)
        *index = ascending[(n - 1) / 2];
    free(ascending);
    free(negated);
    return ascending ? HC_OK : err->status;
}

static enum hc_status find_picture_step(struct hc_whatif_result *result, struct hc_error *err)
{
    const struct hc_step_picture *picture = &result->depth.picture;
    size_t median;
    if (hc_median_step(&median, result, err))
        return err->status;
    result->findings.picture_step = picture->done         ? picture->step
                                    : result->n_steps > 0 ? result->steps[median]
                                                          : HC_MISSING_I32;
    return HC_OK;
}

static void find_approximation_error(struct hc_whatif_findings *findings,
                                     const struct hc_whatif_result *result)
{
    findings->approximation_error = NAN;
    for (size_t w = 0; w < result->n_workers; w++) {
        double difference = fabs(result->workers[w].exact - result->workers[w].slowdown);
        if (!isfinite(difference) || difference <= findings->approximation_error)
            continue;
        findings->approximation_error = difference;
        findings->approximation_worst = w;
    }
}

/* Count the workers of m_w that stand out: m_w takes 3 % of all, however many are slow. */
static enum hc_status count_outstanding(struct hc_whatif_result *result, struct hc_error *err)
{
    const double *slowdown = result->findings.worker_slowdown;
    size_t n = 0, *count = &result->findings.n_outstanding;
    double *values = hc_new_array(result->n_workers, sizeof *values, err);
    if (!values)
        return err->status;
    for (size_t w = 0; w < result->n_workers; w++)
        if (isfinite(slowdown[w]))
            values[n++] = slowdown[w];
    double median = n ? hc_median(values, n) : NAN;
    for (size_t i = 0; i < n; i++)
        values[i] = fabs(values[i] - median);
    double noise = n ? OUTSTANDING_DEVIATIONS * HC_MAD_TO_SD * hc_median(values, n) : NAN;
    double worst = result->n_slowest ? slowdown[result->slowest[0]] - median : NAN;
    *count = 0;
    while (*count < result->n_slowest && worst > 0) {
        double above = slowdown[result->slowest[*count]] - median;
        if (!(above > noise && above >= OUTSTANDING_PART * worst))
            break;
        ++*count;
    }
    free(values);
    return HC_OK;
}

static void find_shares(struct hc_whatif_result *result)
{
    struct hc_shapley *shapley = &result->depth.shapley;
    double total_s = 0;
    for (size_t g = 0; g < shapley->n_groups; g++)
        total_s += shapley->groups[g].seconds;
    bool has_excess = !isnan(hc_whatif_excess_s(result));
    for (size_t g = 0; g < shapley->n_groups; g++)
        shapley->groups[g].share = has_excess ? shapley->groups[g].seconds / total_s : NAN;
    result->findings.shapley_s = total_s;
}

/* Find the worst dp rank and the median one; a dp rank is as slow as its slowest worker. */
static enum hc_status find_dp_ranks(struct hc_whatif_result *result, struct hc_error *err)
{
    struct hc_whatif_findings *findings = &result->findings;
    if (result->n_workers == 0)
        return HC_OK;
    size_t n_dp = (size_t)result->dp_size, n_stages = (size_t)result->pp_size;
    double *slowdowns = hc_new_array(n_dp, sizeof *slowdowns, err);
    if (!slowdowns)
        return err->status;
    for (size_t d = 0; d < n_dp; d++) {
        slowdowns[d] = NAN;
        for (size_t s = 0; s < n_stages; s++)
            slowdowns[d] = fmax(slowdowns[d], findings->worker_slowdown[d * n_stages + s]);
    }
    size_t *order = hc_descending(slowdowns, n_dp, err);
    if (order) {
        findings->worst_dp_rank = (int32_t)order[0];
        findings->typical_dp_rank = (int32_t)order[n_dp / 2];
    }
    free(slowdowns);
    free(order);
    return order ? HC_OK : err->status;
}

void hc_whatif_findings_fini(struct hc_whatif_findings *findings)
{
    free(findings->steps);
    free(findings->worker_slowdown);
    free(findings->workers);
    *findings = (struct hc_whatif_findings){.steps = NULL};
}

enum hc_status hc_whatif_find(struct hc_whatif_result *result, struct hc_error *err)
{
    struct hc_whatif_findings *findings = &result->findings;
    hc_whatif_findings_fini(findings);
    findings->has_exact = has_exact(result);
    findings->steps = hc_descending(result->step_slowdown, result->n_steps, err);
    findings->worker_slowdown = hc_new_array(result->n_workers, sizeof(double), err);
    if (!findings->steps || !findings->worker_slowdown)
        return err->status;
    for (size_t w = 0; w < result->n_workers; w++)
        findings->worker_slowdown[w] =
            findings->has_exact ? result->workers[w].exact : result->workers[w].slowdown;
    findings->workers = hc_descending(findings->worker_slowdown, result->n_workers, err);
    if (!findings->workers || find_dp_ranks(result, err) || count_outstanding(result, err) ||
        hc_whatif_wander(result, &findings->wander, err) || find_picture_step(result, err))
        return err->status;
    findings->wanders = hc_wanders(&findings->wander, result->n_steps);
    findings->median_step_slowdown =
        median_of(result->step_slowdown, findings->steps, result->n_steps);
    find_approximation_error(findings, result);
    find_shares(result);
    return HC_OK;
}
