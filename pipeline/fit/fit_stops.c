/* fit_stops.c - what else than the infrastructure ended the attempts of runs, and how long these
 * ran.
 */
#include "pipeline/fit/fit_loading.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"

#include <math.h>

#define NS_PER_DAY 86400e9

/* What an end was that is no failure of the infrastructure; HC_N_STOP_KINDS: none that counts. */
static enum hc_fit_stop_kind kind_of(int32_t state, int32_t side, bool goes_on)
{
    if (side)
        return side - 1 == HC_SIDE_USER      ? HC_STOP_USER
               : side - 1 == HC_SIDE_UNKNOWN ? HC_STOP_UNKNOWN
                                             : HC_N_STOP_KINDS;
    switch (state) {
    case HC_JOB_TIMEOUT:
    case HC_JOB_DEADLINE:
        return HC_STOP_LIMIT;
    case HC_JOB_CANCELLED:
    case HC_JOB_REVOKED:
        return HC_STOP_CANCELLED;
    case HC_JOB_PREEMPTED:
        return HC_STOP_PREEMPTION;
    case HC_JOB_COMPLETED:
        return goes_on ? HC_STOP_END : HC_N_STOP_KINDS;
    default:
        return HC_N_STOP_KINDS;
    }
}

static void add_days(struct hc_fit_records *records, const struct hc_join_attempt *attempt)
{
    int64_t from_ns = attempt->start_ns, to_ns = attempt->end_ns;
    from_ns = from_ns < records->from_ns ? records->from_ns : from_ns;
    to_ns = to_ns == HC_MISSING_I64 || to_ns > records->to_ns ? records->to_ns : to_ns;
    if (to_ns > from_ns)
        records->runs[attempt->run].days += (double)(to_ns - from_ns) / NS_PER_DAY;
}

static enum hc_status add_stop(struct hc_fit_loading *loading, int32_t number, struct hc_error *err)
{
    struct hc_fit_records *records = loading->records;
    const struct hc_joins *joins = &loading->failures->joins;
    const struct hc_join_attempt *attempt = &joins->attempts[number];
    struct hc_fit_namesake next;
    bool has_next = hc_fit_next(loading, number, attempt->end_ns, &next);
    bool is_done = joins->runs[attempt->run].is_done && !has_next;
    enum hc_fit_stop_kind kind = kind_of(attempt->state, loading->side[number], has_next);
    if (kind == HC_N_STOP_KINDS || is_done)
        return HC_OK;
    if (hc_reserve(&records->stops, &records->stops_room, records->n_stops + 1,
                   sizeof *records->stops, err))
        return err->status;
    int64_t to_ns = has_next ? next.start_ns : records->to_ns;
    double gap_s = (double)(to_ns - attempt->end_ns) * 1e-9;
    records->stops[records->n_stops++] =
        (struct hc_fit_stop){kind, attempt->run, gap_s >= 0 ? gap_s : NAN, !has_next};
    return HC_OK;
}

enum hc_status hc_fit_load_stops(struct hc_fit_loading *loading, struct hc_error *err)
{
    const struct hc_fit_records *records = loading->records;
    for (size_t i = 0; i < loading->n_tries; i++) {
        int32_t number = loading->tries[i].attempt;
        const struct hc_join_attempt *attempt = &loading->failures->joins.attempts[number];
        if (attempt->start_ns == HC_MISSING_I64)
            continue;
        add_days(loading->records, attempt);
        if (attempt->end_ns != HC_MISSING_I64 && attempt->end_ns >= records->from_ns &&
            attempt->end_ns <= records->to_ns && add_stop(loading, number, err))
            return err->status;
    }
    return HC_OK;
}
