/* machine.c - where and when the job of a trace ran: hosts of its workers, dates of its steps. */
#include "sim/whatif/whatif_analysis.h"

#include "core/base/clock.h"
#include "core/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Clocks that show a time between these are taken for Unix clocks: 2000-01-01 to 2200-01-01. Clocks
 * of steps and of computers that count from their start are far below. */
#define LEAST_UNIX_NS INT64_C(946684800000000000)
#define MOST_UNIX_NS  INT64_C(7258118400000000000)

enum clock_kind { UNIX_CLOCK, TRACE_CLOCK, STEP_CLOCKS };

/* Steps that begin before half of the step before is over cannot be on one clock with it. */
static enum clock_kind clock_of(const struct hc_census_step *steps, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        int64_t half_ns = (steps[i - 1].last_end_ns - steps[i - 1].first_start_ns) / 2;
        if (steps[i].first_start_ns - steps[i - 1].first_start_ns <= half_ns)
            return STEP_CLOCKS;
    }
    bool is_unix =
        steps[0].first_start_ns >= LEAST_UNIX_NS && steps[n - 1].last_end_ns <= MOST_UNIX_NS;
    return is_unix ? UNIX_CLOCK : TRACE_CLOCK;
}

/* How long the steps of the trace take on average; missing where int64 cannot hold their sum. */
static int64_t mean_span_ns(const struct hc_census_step *steps, size_t n)
{
    int64_t sum_ns = 0;
    for (size_t i = 0; i < n; i++)
        if (__builtin_add_overflow(sum_ns, steps[i].last_end_ns - steps[i].first_start_ns, &sum_ns))
            return HC_MISSING_I64;
    return sum_ns / (int64_t)n;
}

/* The time from the start of a step to that of the next one of the trace, when steps follow each
 * other without a pause and those between the two take as long as the mean. */
static int64_t time_to_next(const struct hc_census_step *step, int64_t mean_ns)
{
    int64_t between_ns, total_ns, n_between = (int64_t)step[1].step - step[0].step - 1;
    if (mean_ns == HC_MISSING_I64 || __builtin_mul_overflow(n_between, mean_ns, &between_ns) ||
        __builtin_add_overflow(between_ns, step->last_end_ns - step->first_start_ns, &total_ns))
        return HC_MISSING_I64;
    return total_ns;
}

/* The sum of two times; missing where int64 cannot hold it, or one of them is missing. */
static int64_t later(int64_t time_ns, int64_t by_ns)
{
    int64_t sum_ns;
    bool is_missing = time_ns == HC_MISSING_I64 || by_ns == HC_MISSING_I64;
    return is_missing || __builtin_add_overflow(time_ns, by_ns, &sum_ns) ? HC_MISSING_I64 : sum_ns;
}

/* The start of a step of the trace, for clocks that need the metadata's start; all steps of the
 * trace count, also those that are not analysed. */
static void count_from_start(struct hc_whatif_result *r, const struct hc_census *census,
                             enum clock_kind clock)
{
    const struct hc_census_step *steps = hc_census_steps(census);
    size_t n = hc_census_n_steps(census), analysed = 0;
    int64_t from_ns = r->job.start_unix_ns, first_ns = steps[0].first_start_ns, passed_ns = 0;
    int64_t mean_ns = mean_span_ns(steps, n);
    for (size_t i = 0; i < n && analysed < r->n_steps; i++) {
        if (steps[i].step == r->steps[analysed])
            r->step_unix_ns[analysed++] = later(
                from_ns, clock == STEP_CLOCKS ? passed_ns : steps[i].first_start_ns - first_ns);
        if (i + 1 < n)
            passed_ns = later(passed_ns, time_to_next(&steps[i], mean_ns));
    }
}

static void copy_starts(struct hc_whatif_result *r, const struct hc_census *census)
{
    const struct hc_census_step *steps = hc_census_steps(census);
    size_t n = hc_census_n_steps(census), analysed = 0;
    for (size_t i = 0; i < n && analysed < r->n_steps; i++)
        if (steps[i].step == r->steps[analysed])
            r->step_unix_ns[analysed++] = steps[i].first_start_ns;
}

static enum hc_status find_dates(struct hc_whatif_analysis *a)
{
    struct hc_whatif_result *r = a->result;
    const struct hc_census *census = a->trace->census;
    size_t n = hc_census_n_steps(census);
    if (n == 0 || r->n_steps == 0)
        return HC_OK;
    enum clock_kind clock = clock_of(hc_census_steps(census), n);
    if (clock != UNIX_CLOCK && r->job.start_unix_ns == HC_MISSING_I64)
        return HC_OK;
    r->step_unix_ns = hc_new_array(r->n_steps, sizeof *r->step_unix_ns, a->err);
    if (!r->step_unix_ns)
        return a->err->status;
    r->dates_are_estimated = clock == STEP_CLOCKS;
    if (clock == UNIX_CLOCK)
        copy_starts(r, census);
    else
        count_from_start(r, census, clock);
    return HC_OK;
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
