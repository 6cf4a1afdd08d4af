#include "models/joins/join_match.h"

#include "core/base/missing.h"
#include "models/joins/join_index.h"
#include "models/joins/join_logs.h"

#include <stdlib.h>

static int compare_candidates(const void *a, const void *b)
{
    const struct hc_join_candidate *x = a, *y = b;
    if (x->log != y->log)
        return x->log < y->log ? -1 : 1;
    if (x->method != y->method)
        return x->method < y->method ? -1 : 1;
    if (hc_join_names_it(x) != hc_join_names_it(y))
        return hc_join_names_it(x) ? -1 : 1;
    if (x->parts != y->parts)
        return x->parts > y->parts ? -1 : 1;
    if (x->number != y->number)
        return x->number > y->number ? -1 : 1;
    return (x->attempt > y->attempt) - (x->attempt < y->attempt);
}

/* A moment of a log, and what came of it. */
struct point {
    const struct hc_join_log *log;
    int64_t time_ns;
    bool has_clock;
    int32_t attempt; /* -1: none */
    enum hc_join_method method;
    enum hc_join_failure failure;
    bool is_off;
    bool is_named;      /* the log names the attempt, whatever the time */
    bool may_come_late; /* a line, that processes of an attempt may write while they are ended */
};

/* Of attempts of one job that a moment is between, the one that ended before it: of a job that is
 * requeued at once the next may be as near. Ends are told in whole seconds, rounded down, and what
 * is killed writes yet. -1: they are not of one job, or none had begun. */
static int32_t ended_before(const struct hc_joins *joins, const struct point *point,
                            const struct hc_join_candidate *candidates, size_t n)
{
    int32_t last = -1;
    for (size_t i = 0; i < n; i++) {
        const struct hc_join_attempt *a = &joins->attempts[candidates[i].attempt];
        if (a->raw_job != joins->attempts[candidates[0].attempt].raw_job)
            return -1;
        if (a->start_ns <= point->time_ns &&
            (last < 0 || a->start_ns > joins->attempts[last].start_ns))
            last = candidates[i].attempt;
    }
    return last;
}

/* How many of n candidates ran at a moment; the last of them. */
static size_t count_then(const struct hc_joins *joins, const struct point *point,
                         const struct hc_join_candidate *candidates, size_t n, int32_t *attempt)
{
    size_t n_exact = 0, n_near = 0;
    int32_t exact = -1, near = -1;
    for (size_t i = 0; i < n && point->has_clock; i++) {
        const struct hc_join_attempt *a = &joins->attempts[candidates[i].attempt];
        if (hc_join_ran_at(a, point->time_ns, 0)) {
            n_exact++;
            exact = candidates[i].attempt;
        } else if (hc_join_ran_at(a, point->time_ns, HC_JOIN_SLACK_NS)) {
            n_near++;
            near = candidates[i].attempt;
        }
    }
    if (n_exact == 0 && n_near > 1 && point->may_come_late) {
        int32_t ended = ended_before(joins, point, candidates, n);
        near = ended < 0 ? near : ended;
        n_near = ended < 0 ? n_near : 1;
    }
    *attempt = n_exact ? exact : near;
    return n_exact ? n_exact : n_near;
}

static void join(struct point *point, int32_t attempt, const struct hc_join_candidate *by)
{
    point->attempt = attempt;
    point->method = by->method;
    point->failure = HC_JOINED;
    point->is_named = hc_join_names_it(by);
}

static bool match_alike(const struct hc_join_candidate *a, const struct hc_join_candidate *b)
{
    return a->method == b->method && a->parts == b->parts && a->number == b->number;
}

/* Candidates that match equally well are tried together, the better ones first: by time; and one
 * that is the only one of its kind whatever the time. */
static void match_point(const struct hc_joins *joins, struct point *point)
{
    const struct hc_join_candidate *c = joins->candidates + point->log->candidates;
    for (size_t i = 0, end, n_all = point->log->n_candidates; i < n_all; i = end) {
        for (end = i + 1; end < n_all && match_alike(&c[end], &c[i]);)
            end++;
        int32_t attempt;
        size_t n = count_then(joins, point, c + i, end - i, &attempt);
        if (n == 1) {
            join(point, attempt, &c[i]);
            return;
        }
        if (n == 0 && end == i + 1 && hc_join_names_it(&c[i])) {
            join(point, c[i].attempt, &c[i]);
            point->is_off = point->has_clock;
            return;
        }
        point->failure = n > 1 ? HC_JOIN_SEVERAL : HC_JOIN_NOT_THEN;
        /* Another job of the directory is not the one that the log names. */
        if (n > 1 || (hc_join_names_it(&c[i]) && c[i].method == HC_JOIN_WORK_DIR))
            return;
    }
}

/* Whether it joined an attempt that its log names. */
static bool match_cycle(const struct hc_joins *joins, struct hc_join_cycle *cycle)
{
    struct point point = {.log = &joins->logs[cycle->log],
                          .time_ns = cycle->start_ns,
                          .has_clock = cycle->has_clock,
                          .attempt = -1,
                          .failure = HC_JOIN_NO_ATTEMPT};
    match_point(joins, &point);
    cycle->attempt = point.attempt;
    cycle->method = point.method;
    cycle->failure = point.failure;
    cycle->is_off = point.is_off;
    return point.is_named;
}

static void match_fact(const struct hc_joins *joins, struct hc_join_fact *fact)
{
    struct point point = {.log = &joins->logs[fact->log],
                          .time_ns = fact->time_ns,
                          .has_clock = fact->has_clock,
                          .attempt = -1,
                          .may_come_late = true};
    match_point(joins, &point);
    fact->attempt = point.attempt;
}

static void match_timeline(const struct hc_joins *joins, struct hc_join_timeline *timeline)
{
    struct point point = {.log = &joins->logs[timeline->log],
                          .time_ns = timeline->from_ns,
                          .has_clock = timeline->from_ns != HC_MISSING_I64,
                          .attempt = -1,
                          .failure = HC_JOIN_NO_ATTEMPT};
    if (point.has_clock)
        match_point(joins, &point);
    else
        point.failure = HC_JOIN_RELATIVE;
    if (point.is_off) { /* a number in the name of a trace may be a step: it counts where the job
                           ran then */
        point.attempt = -1;
        point.failure = HC_JOIN_NOT_THEN;
    }
    timeline->attempt = point.attempt;
    timeline->method = point.method;
    timeline->failure = point.failure;
}

/* What, added to the log's times, puts a cycle between start and end of its attempt. */
static void narrow(struct hc_join_offset *offset, const struct hc_join_cycle *cycle,
                   const struct hc_join_attempt *attempt)
{
    int64_t least_ns = attempt->start_ns - cycle->start_ns;
    int64_t end_ns = cycle->end_ns == HC_MISSING_I64 ? cycle->start_ns : cycle->end_ns;
    int64_t most_ns = attempt->end_ns == HC_MISSING_I64 ? INT64_MAX : attempt->end_ns - end_ns;
    if (offset->n++ == 0) {
        offset->least_ns = least_ns;
        offset->most_ns = most_ns;
        return;
    }
    offset->least_ns = least_ns > offset->least_ns ? least_ns : offset->least_ns;
    offset->most_ns = most_ns < offset->most_ns ? most_ns : offset->most_ns;
}

void hc_joins_match(struct hc_joins *joins)
{
    if (joins->n_candidates)
        qsort(joins->candidates, joins->n_candidates, sizeof *joins->candidates,
              compare_candidates);
    for (size_t i = 0; i < joins->n_candidates; i++) {
        struct hc_join_log *log = &joins->logs[joins->candidates[i].log];
        if (log->n_candidates++ == 0)
            log->candidates = i;
    }
    for (size_t i = 0; i < joins->n_cycles; i++) {
        struct hc_join_cycle *cycle = &joins->cycles[i];
        bool is_named = match_cycle(joins, cycle);
        if (cycle->attempt < 0)
            continue;
        joins->attempts[cycle->attempt].n_cycles++;
        if (cycle->has_clock && is_named)
            narrow(&joins->offset, cycle, &joins->attempts[cycle->attempt]);
    }
    for (size_t i = 0; i < joins->n_facts; i++)
        match_fact(joins, &joins->facts[i]);
    for (size_t i = 0; i < joins->n_timelines; i++)
        match_timeline(joins, &joins->timelines[i]);
    for (size_t i = 0; i < joins->n_attempts; i++)
        if (joins->attempts[i].n_cycles == 0 && joins->attempts[i].gpus >= HC_JOIN_NODE_GPUS) {
            joins->n_without_log++;
            joins->without_log_gpu_ns += joins->attempts[i].gpu_ns;
        }
    hc_join_index_free(joins->index);
    joins->index = NULL;
}
