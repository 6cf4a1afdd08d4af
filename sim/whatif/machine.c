/* machine.c - where and when the job of a trace ran: hosts of its workers, dates of its steps. */
#include "sim/whatif/whatif_analysis.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "models/steps/step_dates.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static enum hc_status find_dates(struct hc_whatif_analysis *a)
{
    struct hc_whatif_result *r = a->result;
    const struct hc_census_step *steps = hc_census_steps(a->trace->census);
    size_t n = hc_census_n_steps(a->trace->census), analysed = 0;
    if (n == 0 || r->n_steps == 0)
        return HC_OK;
    struct hc_step_span *spans = hc_new_array(n, sizeof *spans, a->err);
    if (!spans)
        return a->err->status;
    for (size_t i = 0; i < n; i++)
        spans[i] =
            (struct hc_step_span){steps[i].first_start_ns, steps[i].last_end_ns, steps[i].step};
    bool are_known = hc_step_dates_set(spans, n, r->job.start_unix_ns, &r->dates_are_estimated);
    if (are_known)
        r->step_unix_ns = hc_new_array(r->n_steps, sizeof *r->step_unix_ns, a->err);
    /* All steps of the trace count, also those that are not analysed. */
    for (size_t i = 0; r->step_unix_ns && i < n && analysed < r->n_steps; i++)
        if (spans[i].step == r->steps[analysed])
            r->step_unix_ns[analysed++] = spans[i].from_ns;
    free(spans);
    return are_known && !r->step_unix_ns ? a->err->status : HC_OK;
}

static enum hc_status find_places(struct hc_whatif_analysis *a)
{
    struct hc_whatif_result *r = a->result;
    int32_t *ranks = hc_new_array(r->n_workers, sizeof *ranks, a->err);
    if (!ranks)
        return a->err->status;
    for (size_t w = 0; w < r->n_workers; w++)
        ranks[w] = r->workers[w].rank;
    enum hc_status status = hc_job_places_find(&r->places, &r->job, ranks, r->n_workers, a->err);
    free(ranks);
    return status;
}

enum hc_status hc_machine_find(struct hc_whatif_analysis *analysis)
{
    return find_places(analysis) ? analysis->err->status : find_dates(analysis);
}

int64_t hc_step_unix_ns(const struct hc_whatif_result *result, size_t step)
{
    return result->step_unix_ns && step < result->n_steps ? result->step_unix_ns[step]
                                                          : HC_MISSING_I64;
}

void hc_step_name(const struct hc_whatif_result *result, size_t step, char text[HC_STEP_NAME])
{
    int64_t unix_ns = hc_step_unix_ns(result, step);
    char date[32];
    if (unix_ns == HC_MISSING_I64) {
        snprintf(text, HC_STEP_NAME, "step %" PRId32, result->steps[step]);
        return;
    }
    hc_format_iso8601(unix_ns, date); /* "2026-11-21T10:14:05.123456789Z" */
    snprintf(text, HC_STEP_NAME, "step %" PRId32 " (%s%.10s %.8s UTC)", result->steps[step],
             result->dates_are_estimated ? "about " : "", date, date + 11);
}

/* Which GPUs besides its own a rank of the trace stands for: ", with the 3 ranks after it"; ""
 * where it stands for itself. */
static void describe_group(const struct hc_job_places *places, char text[64])
{
    int32_t others = places->group_size - 1;
    text[0] = '\0';
    if (others < 1)
        return;
    if (others == 1)
        snprintf(text, 64, ", with the %s",
                 places->is_contiguous ? "rank after it" : "other rank of its group");
    else
        snprintf(text, 64, ", with the %" PRId32 " %s", others,
                 places->is_contiguous ? "ranks after it" : "other ranks of its group");
}

void hc_worker_name(const struct hc_whatif_result *result, size_t worker, char text[HC_WORKER_NAME])
{
    const struct hc_worker *w = &result->workers[worker];
    char group[64], place[HC_PLACE_TEXT];
    describe_group(&result->places, group);
    hc_worker_place_text(&result->places, worker, place);
    if (w->rank == HC_MISSING_I32)
        snprintf(text, HC_WORKER_NAME, "the worker of dp %" PRId32 ", stage %" PRId32, w->dp_rank,
                 w->stage);
    else
        snprintf(text, HC_WORKER_NAME, "rank %" PRId32 " (dp %" PRId32 ", stage %" PRId32 "%s)%s%s",
                 w->rank, w->dp_rank, w->stage, group, place[0] ? " on " : "", place);
}
