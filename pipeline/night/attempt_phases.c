#include "pipeline/night/attempt_phases.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "models/joins/join_logs.h"

#include <stdlib.h>
#include <string.h>

struct finding {
    struct hc_attempt_phases *phases;
    const struct hc_launch *launches; /* of the attempt */
    size_t n_launches;
    const struct hc_text_set *nodes;
};

static enum hc_status add_own(struct finding *finding, const struct hc_phase_of *row, size_t launch,
                              struct hc_error *err)
{
    struct hc_attempt_phases *p = finding->phases;
    if (hc_reserve(&p->own, &p->own_room, p->n_own + 1, sizeof *p->own, err))
        return err->status;
    p->own[p->n_own++] = (struct hc_own_phase){launch, finding->nodes->text[row->node], row->phase,
                                               row->from_ns, row->to_ns};
    return HC_OK;
}

/* Join a phase of a node to that of the launch. */
static enum hc_status add(struct finding *finding, const struct hc_phase_of *row, size_t launch,
                          struct hc_error *err)
{
    struct hc_attempt_phases *p = finding->phases;
    if (row->node != HC_MISSING_I32 && add_own(finding, row, launch, err))
        return err->status;
    for (size_t i = p->n; i-- > 0;) { /* from the last: rows are in order of time */
        struct hc_phase_span *span = &p->found[i].span;
        if (p->found[i].launch != launch || span->phase != row->phase)
            continue;
        if (row->from_ns < span->from_ns)
            span->from_ns = row->from_ns;
        if (row->to_ns > span->to_ns)
            span->to_ns = row->to_ns;
        return HC_OK;
    }
    if (hc_reserve(&p->found, &p->room, p->n + 1, sizeof *p->found, err))
        return err->status;
    p->found[p->n++] = (struct hc_span_of){launch, {row->from_ns, row->to_ns, row->phase}};
    return HC_OK;
}

/* The launch that a phase came before. */
static size_t launch_after(const struct finding *finding, const struct hc_phase_of *row)
{
    size_t k = 0;
    if (row->cycle != HC_MISSING_I32 && (size_t)row->cycle < finding->n_launches)
        return (size_t)row->cycle;
    while (k + 1 < finding->n_launches &&
           (finding->launches[k].first_step_ns == HC_MISSING_I64
                ? finding->launches[k].end_ns
                : finding->launches[k].first_step_ns) <= row->from_ns)
        k++;
    return k;
}

/* The first row, in order of job and time, of a job that is not before a time. */
static size_t lower_bound(const struct hc_launch_rows *rows, int64_t job, int64_t from_ns)
{
    size_t low = 0, high = rows->n_phases;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct hc_phase_of *row = &rows->phases[middle];
        if (row->job < job || (row->job == job && row->from_ns < from_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A cluster that is not told, or that the source was not asked for ("default"), may be any. */
static bool may_be(const char *cluster, const char *other)
{
    return !cluster || !other || strcmp(cluster, other) == 0 || strcmp(cluster, "default") == 0 ||
           strcmp(other, "default") == 0;
}

/* Rows that tell an array task have the number of the array. A prolog knows that of the allocation
 * alone, which is that of the array for one of its tasks. */
static bool is_its_task(const struct hc_phase_of *row, const struct hc_walked_attempt *attempt)
{
    if (row->array_task != HC_MISSING_I32)
        return row->job == attempt->job && row->array_task == attempt->array_task;
    return row->job == attempt->raw_job || attempt->array_task == HC_MISSING_I32 ||
           attempt->raw_job == HC_MISSING_I64;
}

static bool is_its(const struct hc_launch_rows *rows, const struct hc_phase_of *row,
                   const struct hc_walked_attempt *attempt)
{
    const char *cluster = row->cluster == HC_MISSING_I32 ? NULL : rows->clusters.text[row->cluster];
    return may_be(cluster, attempt->cluster) && is_its_task(row, attempt) &&
           (row->restarts == HC_MISSING_I32 || attempt->restarts == HC_MISSING_I32 ||
            row->restarts == attempt->restarts);
}

static int compare(const void *a, const void *b)
{
    const struct hc_span_of *x = a, *y = b;
    if (x->launch != y->launch)
        return x->launch < y->launch ? -1 : 1;
    if (x->span.to_ns != y->span.to_ns)
        return x->span.to_ns < y->span.to_ns ? -1 : 1;
    if (x->span.from_ns != y->span.from_ns)
        return x->span.from_ns < y->span.from_ns ? -1 : 1;
    return (x->span.phase > y->span.phase) - (x->span.phase < y->span.phase);
}

/* The rows of a number: of the job, or of its allocation. What was over before the attempt began is
 * of the attempt before: of a job that is requeued at once, restart counts tell them apart only
 * where the scheduler records them. */
static enum hc_status find_by_number(struct finding *finding, const struct hc_launch_rows *rows,
                                     const struct hc_walked_attempt *attempt, int64_t number,
                                     struct hc_error *err)
{
    if (number == HC_MISSING_I64)
        return HC_OK;
    for (size_t i = lower_bound(rows, number, attempt->start_ns - HC_JOIN_SLACK_NS);
         i < rows->n_phases && rows->phases[i].job == number &&
         rows->phases[i].from_ns < attempt->end_ns;
         i++)
        if (rows->phases[i].launch < 0 && rows->phases[i].to_ns > attempt->start_ns &&
            is_its(rows, &rows->phases[i], attempt) && rows->phases[i].phase != HC_PHASE_QUEUE &&
            add(finding, &rows->phases[i], launch_after(finding, &rows->phases[i]), err))
            return err->status;
    return HC_OK;
}

static enum hc_status find_by_job(struct finding *finding, const struct hc_launch_rows *rows,
                                  const struct hc_walked_attempt *attempt, struct hc_error *err)
{
    return find_by_number(finding, rows, attempt, attempt->job, err) ||
                   (attempt->raw_job != attempt->job &&
                    find_by_number(finding, rows, attempt, attempt->raw_job, err))
               ? err->status
               : HC_OK;
}

static enum hc_status find_by_log(struct finding *finding, const struct hc_launch_rows *rows,
                                  const struct hc_launches *launches, struct hc_error *err)
{
    for (size_t k = 0; k < finding->n_launches; k++) {
        size_t launch = (size_t)(finding->launches - launches->list) + k;
        for (size_t i = rows->first_log_phase[launch]; i < rows->first_log_phase[launch + 1]; i++)
            if (add(finding, &rows->phases[rows->log_phases[i]], k, err))
                return err->status;
    }
    return HC_OK;
}

enum hc_status hc_attempt_phases_find(struct hc_attempt_phases *phases,
                                      const struct hc_launch_rows *rows,
                                      const struct hc_walked_attempt *attempt,
                                      const struct hc_launches *launches, struct hc_error *err)
{
    struct finding finding = {.phases = phases, .nodes = &rows->nodes};
    phases->n = phases->n_own = 0;
    if (attempt->attempt >= 0) {
        size_t first = launches->of_attempt[attempt->attempt];
        finding.launches = launches->list + first;
        finding.n_launches = launches->of_attempt[attempt->attempt + 1] - first;
    }
    if (find_by_job(&finding, rows, attempt, err) || find_by_log(&finding, rows, launches, err) ||
        hc_reserve(&phases->spans, &phases->spans_room, phases->n + 1, sizeof *phases->spans, err))
        return err->status;
    if (phases->n)
        qsort(phases->found, phases->n, sizeof *phases->found, compare);
    for (size_t i = 0; i < phases->n; i++)
        phases->spans[i] = phases->found[i].span;
    return HC_OK;
}

const struct hc_phase_span *hc_attempt_phases_of(const struct hc_attempt_phases *phases,
                                                 size_t launch, size_t *n)
{
    size_t first = 0, end = phases->n;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (phases->found[middle].launch < launch)
            first = middle + 1;
        else
            end = middle;
    }
    *n = 0;
    while (first + *n < phases->n && phases->found[first + *n].launch == launch)
        ++*n;
    return phases->spans + first;
}

void hc_attempt_phases_fini(struct hc_attempt_phases *phases)
{
    free(phases->found);
    free(phases->own);
    free(phases->spans);
}
