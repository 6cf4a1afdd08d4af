/* A recorded life: worked out by hand, and against the account of the same replica. */
#include "sim/lifetime/compiled_lifetime.h"
#include "sim/lifetime/lifetime_trace.h"
#include "sim/lifetime/pool/life_host.h"
#include "tests/support/any_life.h"
#include "tests/support/lifetime_case.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

/* ---- by hand ---- */

/* 1,000 s of work on 10 nodes, saved every 100 s; start-up 50 (first) or 20 s (hot), 5 s to load.
 * One incident of node 3 at 300 s: 250 s into the run. */
struct by_hand {
    struct hc_lifetime_config config;
    struct hc_lifetime_fault fault[2];
    struct hc_lifetime_incident incident[2];
    struct hc_lifetime_phase phase;
};

static struct by_hand *by_hand(void)
{
    static struct by_hand l;
    l.config = hc_lifetime_config_defaults();
    l.config.job.nodes = 10;
    l.config.job.work_s = 1000;
    l.phase = hc_lifetime_phase_defaults();
    l.phase.what = HC_WHAT_STARTUP_INIT;
    l.phase.first_s = hc_distribution_constant(50);
    l.phase.full_s = l.phase.hot_s = hc_distribution_constant(20);
    l.config.startup.phase = &l.phase;
    l.config.startup.n_phases = 1;
    l.config.checkpoint.mode = HC_CHECKPOINT_ASYNC;
    l.config.checkpoint.every_s = 100;
    l.config.checkpoint.load_s = hc_distribution_constant(5);
    for (int i = 0; i < 2; i++) {
        l.incident[i] = (struct hc_lifetime_incident){300, 3, 1};
        l.fault[i] = hc_lifetime_fault_defaults();
        l.fault[i].name = i ? "second" : "first";
        l.fault[i].why = i ? HC_WHY_USER : HC_WHY_INFRASTRUCTURE;
        l.fault[i].incident = &l.incident[i];
        l.fault[i].n_incidents = 1;
    }
    l.config.fault = l.fault;
    l.config.n_faults = 1;
    return &l;
}

/* What a stretch is said to be: until when, what, in whose recovery, and the stalls and slow steps
 * in it. */
struct said {
    double end_s;
    int what, cause;
    double stall_s, excess_s;
};

#define INIT  HC_WHAT_STARTUP_INIT
#define LOAD  HC_WHAT_STARTUP_LOAD
#define STEPS HC_WHAT_PRODUCTIVE_IDEAL
#define LOST  HC_WHAT_LOST_WORK

static void tells(const struct by_hand *l, const struct said *said, size_t n)
{
    struct hc_lifetime_trace trace;
    struct hc_lifetime_replica out;
    if (hc_lifetime_trace_run(&trace, &l->config, 0, &out, &err))
        ck_abort_msg("%s", err.message);
    double start_s = 0;
    for (size_t i = 0; i < n && i < trace.n_spans; i++) {
        const struct hc_lifetime_span *span = &trace.span[i];
        ck_assert_msg(span->start_ns == (int64_t)(start_s * 1e9 + 0.5) &&
                          span->end_ns == (int64_t)(said[i].end_s * 1e9 + 0.5) &&
                          span->what == said[i].what && span->cause == said[i].cause &&
                          span->stall_ns == (int64_t)(said[i].stall_s * 1e9) &&
                          span->excess_ns == (int64_t)(said[i].excess_s * 1e9),
                      "stretch %zu: %g to %g s, %d by %d, stall %g, excess %g", i,
                      (double)span->start_ns * 1e-9, (double)span->end_ns * 1e-9, span->what,
                      span->cause, (double)span->stall_ns * 1e-9, (double)span->excess_ns * 1e-9);
        start_s = said[i].end_s;
    }
    ck_assert_uint_eq(trace.n_spans, n);
    ck_assert_int_eq(trace.span[n - 1].end_ns, out.wall_ns);
    hc_lifetime_trace_fini(&trace);
}

#define TELLS(l, ...)                                                                              \
    tells(l, (const struct said[]){__VA_ARGS__},                                                   \
          sizeof((const struct said[]){__VA_ARGS__}) / sizeof(struct said))

START_TEST(cuts_at_the_last_durable_snapshot)
{
    struct by_hand *l = by_hand();
    TELLS(l, {50, INIT, -1, 0, 0}, {250, STEPS, -1, 0, 0}, {300, LOST, 0, 0, 0},
          {320, INIT, 0, 0, 0}, {325, LOAD, 0, 0, 0}, {1125, STEPS, -1, 0, 0});
    /* The save of 200 s is in flight. */
    l->config.checkpoint.durable_s = hc_distribution_constant(60);
    TELLS(l, {50, INIT, -1, 0, 0}, {150, STEPS, -1, 0, 0}, {300, LOST, 0, 0, 0},
          {320, INIT, 0, 0, 0}, {325, LOAD, 0, 0, 0}, {1225, STEPS, -1, 0, 0});
    /* No save is durable: all is lost, and nothing to load. */
    l->config.checkpoint.mode = HC_CHECKPOINT_NONE;
    l->config.checkpoint.durable_s = l->config.checkpoint.load_s = hc_distribution_constant(0);
    TELLS(l, {50, INIT, -1, 0, 0}, {300, LOST, 0, 0, 0}, {320, INIT, 0, 0, 0},
          {1320, STEPS, -1, 0, 0});
}
END_TEST

/* Saves at 150, 260 and 370 s, 10 s each: the stall of the last one lies after its snapshot. */
START_TEST(stalls_stay_stalls)
{
    struct by_hand *l = by_hand();
    l->incident[0].at_s = 400;
    l->config.checkpoint.mode = HC_CHECKPOINT_BLOCKING;
    l->config.checkpoint.stall_s = hc_distribution_constant(10);
    TELLS(l, {50, INIT, -1, 0, 0}, {370, STEPS, -1, 20, 0}, {400, LOST, 0, 10, 0},
          {420, INIT, 0, 0, 0}, {425, LOAD, 0, 0, 0}, {1185, STEPS, -1, 60, 0});
    /* Struck in the stall: that save is lost too. */
    l->incident[0].at_s = 376;
    TELLS(l, {50, INIT, -1, 0, 0}, {260, STEPS, -1, 10, 0}, {376, LOST, 0, 16, 0},
          {396, INIT, 0, 0, 0}, {401, LOAD, 0, 0, 0}, {1271, STEPS, -1, 70, 0});
}
END_TEST

/* What was saved after the corruption goes with what was not. */
START_TEST(a_corruption_takes_what_was_saved_since)
{
    struct by_hand *l = by_hand();
    l->fault[0].effect = HC_EFFECT_CORRUPT;
    l->fault[0].detection.delay_s = hc_distribution_constant(280);
    TELLS(l, {50, INIT, -1, 0, 0}, {250, STEPS, -1, 0, 0}, {580, LOST, 0, 0, 0},
          {600, INIT, 0, 0, 0}, {605, LOAD, 0, 0, 0}, {1405, STEPS, -1, 0, 0});
}
END_TEST

START_TEST(a_rollback_reaches_back_over_another_loss)
{
    struct by_hand *l = by_hand();
    l->config.n_faults = 2;
    l->incident[1].at_s = 345;
    l->fault[1].remedy = HC_REMEDY_ROLLBACK;
    l->fault[1].rollback_checkpoints = 1;
    TELLS(l, {50, INIT, -1, 0, 0}, {150, STEPS, -1, 0, 0}, {250, LOST, 1, 0, 0},
          {300, LOST, 0, 0, 0}, {320, INIT, 0, 0, 0}, {325, LOAD, 0, 0, 0}, {345, LOST, 1, 0, 0},
          {365, INIT, 1, 0, 0}, {370, LOAD, 1, 0, 0}, {1270, STEPS, -1, 0, 0});
}
END_TEST

/* Copies in memory are gone: back to the third save, which is a remote one. */
START_TEST(lost_copies_go_back_to_the_remote_save)
{
    struct by_hand *l = by_hand();
    l->incident[0].at_s = 500;
    l->config.checkpoint.mode = HC_CHECKPOINT_IN_MEMORY;
    l->config.checkpoint.memory_remote_every_s = 300;
    TELLS(l, {50, INIT, -1, 0, 0}, {350, STEPS, -1, 0, 0}, {500, LOST, 0, 0, 0},
          {520, INIT, 0, 0, 0}, {525, LOAD, 0, 0, 0}, {1225, STEPS, -1, 0, 0});
}
END_TEST

/* Half as fast from 300 to 420 s: a stretch of its own, cut by what is lost at 385 s. */
START_TEST(slow_steps_are_told_apart)
{
    struct by_hand *l = by_hand();
    l->fault[0].effect = HC_EFFECT_SLOW;
    l->fault[0].slow_factor = 2;
    l->fault[0].remedy = HC_REMEDY_NONE;
    l->fault[0].lasts_s = hc_distribution_constant(120);
    TELLS(l, {50, INIT, -1, 0, 0}, {300, STEPS, -1, 0, 0}, {420, STEPS, -1, 0, 60},
          {1110, STEPS, -1, 0, 0});
    l->config.n_faults = 2;
    l->incident[1].at_s = 385;
    l->incident[1].node = 5; /* the slow one stays */
    TELLS(l, {50, INIT, -1, 0, 0}, {300, STEPS, -1, 0, 0}, {350, STEPS, -1, 0, 25},
          {385, LOST, 1, 0, 17.5}, {405, INIT, 1, 0, 0}, {410, LOAD, 1, 0, 0},
          {420, STEPS, -1, 0, 5}, {1140, STEPS, -1, 0, 0});
}
END_TEST

/* Struck again 10 s into the start, and a queue before each. */
START_TEST(failed_starts_and_queues)
{
    struct by_hand *l = by_hand();
    l->config.strikes = HC_STRIKES_HELD;
    l->config.n_faults = 2;
    l->incident[1].at_s = 340;
    l->config.recovery.queues_first = true;
    l->config.recovery.queue_s = hc_distribution_constant(30);
    l->fault[0].remedy = HC_REMEDY_REQUEUE;
    TELLS(l, {30, HC_SPAN_QUEUE, -1, 0, 0}, {80, INIT, -1, 0, 0}, {280, STEPS, -1, 0, 0},
          {300, LOST, 0, 0, 0}, {330, HC_SPAN_QUEUE, 0, 0, 0},
          {340, HC_WHAT_STARTUP_FAILED, 0, 0, 0}, {360, INIT, 1, 0, 0}, {365, LOAD, 1, 0, 0},
          {1165, STEPS, -1, 0, 0});
}
END_TEST

START_TEST(marks_say_what_came_when)
{
    struct by_hand *l = by_hand();
    struct hc_lifetime_code_change change = {"faster", 400, 2};
    struct hc_lifetime_trace trace;
    l->config.job.code_change = &change;
    l->config.job.n_code_changes = 1;
    ck_assert_int_eq(hc_lifetime_trace_run(&trace, &l->config, 0, NULL, &err), HC_OK);
    ck_assert_uint_eq(trace.n_marks, 2);
    ck_assert_int_eq(trace.mark[0].time_ns, 300000000000);
    ck_assert_int_eq(trace.mark[0].cause, 0);
    ck_assert_int_eq(trace.mark[0].node_slot, 3);
    ck_assert_str_eq(trace.mark[0].name, "first");
    ck_assert_int_eq(trace.mark[1].time_ns, 400000000000);
    ck_assert_int_eq(trace.mark[1].cause, -1);
    ck_assert_int_eq(trace.mark[1].node_slot, -1);
    ck_assert_str_eq(trace.mark[1].name, "faster");
    hc_lifetime_trace_fini(&trace);
}
END_TEST

/* ---- any life ---- */

/* The account of wall time, made of the stretches. */
struct told {
    int64_t leaf_ns[HC_WHAT_COUNT][HC_WHY_COUNT];
    int64_t queue_ns, unproductive_ns[HC_LIFETIME_MAX_FAULTS + 1];
};

static void tell(struct told *t, const struct hc_lifetime_span *span)
{
    int64_t length_ns = span->end_ns - span->start_ns, ran_ns = length_ns - span->stall_ns;
    int64_t *by = &t->unproductive_ns[span->cause < 0 ? HC_LIFETIME_MAX_FAULTS : span->cause];
    t->leaf_ns[HC_WHAT_CHECKPOINT_STALL][HC_WHY_NONE] += span->stall_ns;
    t->unproductive_ns[HC_LIFETIME_MAX_FAULTS] += span->stall_ns;
    ck_assert_int_le(0, span->stall_ns);
    ck_assert_int_le(0, span->excess_ns);
    ck_assert_int_le(span->excess_ns, ran_ns);
    if (span->what == HC_WHAT_PRODUCTIVE_IDEAL) {
        t->leaf_ns[HC_WHAT_PRODUCTIVE_IDEAL][span->why] += ran_ns - span->excess_ns;
        t->leaf_ns[HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS][span->why] += span->excess_ns;
        return;
    }
    *by += ran_ns;
    if (span->what == HC_SPAN_QUEUE)
        t->queue_ns += length_ns;
    else
        t->leaf_ns[span->what][span->why] += ran_ns;
}

static void assert_told(const struct hc_lifetime_trace *trace, const struct hc_lifetime_config *c,
                        const struct hc_lifetime_replica *out)
{
    struct told t = {0};
    int64_t at_ns = 0;
    for (size_t i = 0; i < trace->n_spans; i++) {
        ck_assert_int_eq(trace->span[i].start_ns, at_ns);
        at_ns = trace->span[i].end_ns;
        ck_assert_int_lt(trace->span[i].start_ns, at_ns);
        tell(&t, &trace->span[i]);
    }
    ck_assert_int_eq(at_ns, out->wall_ns);
    ck_assert_int_eq(t.queue_ns, out->queue_ns);
    hc_gpu_ns gpus = (hc_gpu_ns)c->job.nodes * c->job.gpus_per_node;
    for (int what = 0; what < HC_WHAT_STANDBY_IDLE; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++)
            ck_assert_msg(t.leaf_ns[what][why] * gpus == out->account.leaf[what][why],
                          "%s, %s: %lld ns told, %g booked", hc_what_name((enum hc_what)what),
                          hc_why_name((enum hc_why)why), (long long)t.leaf_ns[what][why],
                          (double)(out->account.leaf[what][why] / gpus));
    for (int f = 0; f <= HC_LIFETIME_MAX_FAULTS; f++)
        ck_assert_int_eq(t.unproductive_ns[f], out->unproductive_ns[f]);
}

/* In a run, what is lost is its end, from a snapshot or from its first step on. */
static int assert_cuts(const struct hc_lifetime_trace *trace,
                       const struct hc_compiled_lifetime *compiled)
{
    int64_t ran_ns = 0;
    bool lost = false;
    int n_cuts = 0;
    for (size_t i = 0; i < trace->n_spans; i++) {
        const struct hc_lifetime_span *span = &trace->span[i];
        bool stalls = span->what == HC_WHAT_CHECKPOINT_STALL && span->why == HC_WHY_NONE;
        if (!stalls && span->what != HC_WHAT_LOST_WORK && span->what != HC_WHAT_PRODUCTIVE_IDEAL) {
            ran_ns = 0;
            lost = false;
            continue;
        }
        if (span->what == HC_WHAT_LOST_WORK && !lost) {
            ck_assert_int_eq(ran_ns % compiled->every_ns, 0);
            n_cuts += ran_ns > 0;
        }
        ck_assert(!lost || span->what != HC_WHAT_PRODUCTIVE_IDEAL);
        lost |= span->what == HC_WHAT_LOST_WORK;
        ran_ns += stalls ? 0 : span->end_ns - span->start_ns - span->stall_ns;
    }
    return n_cuts;
}

static void assert_marked(const struct hc_lifetime_trace *trace,
                          const struct hc_lifetime_replica *out)
{
    int64_t n[HC_LIFETIME_MAX_FAULTS] = {0}, at_ns = 0;
    for (size_t i = 0; i < trace->n_marks; i++) {
        ck_assert_int_le(at_ns, trace->mark[i].time_ns);
        at_ns = trace->mark[i].time_ns;
        if (trace->mark[i].cause >= 0)
            n[trace->mark[i].cause] += 1 + trace->mark[i].more;
    }
    ck_assert_int_le(at_ns, out->wall_ns);
    for (int f = 0; f < HC_LIFETIME_MAX_FAULTS; f++)
        ck_assert_int_eq(n[f], out->faults[f]);
}

/* Record replica of config, and hold it against a run that nobody looked at. */
static int assert_recorded(const struct hc_lifetime_config *c, uint64_t replica)
{
    struct hc_lifetime_trace trace;
    struct hc_lifetime_replica out, unseen;
    struct hc_compiled_lifetime compiled;
    if (hc_lifetime_trace_run(&trace, c, replica, &out, &err) ||
        hc_lifetime_run(c, replica, 1, &unseen, &err) || hc_compile_lifetime(&compiled, c, &err))
        ck_abort_msg("key %llu: %s", (unsigned long long)c->key, err.message);
    ck_assert_mem_eq(&out, &unseen, sizeof out);
    assert_told(&trace, c, &out);
    assert_marked(&trace, &out);
    int n_cuts = assert_cuts(&trace, &compiled);
    hc_lifetime_trace_fini(&trace);
    return n_cuts;
}

/* Summed up in slices of even width, a life has the same account, and says how much was in it. */
static void assert_summed(const struct hc_lifetime_config *c, size_t most)
{
    struct hc_lifetime_trace all, trace;
    struct hc_lifetime_replica out;
    const struct hc_life_request request = {.replica = 1, .most = most};
    if (hc_lifetime_trace_run(&all, c, 1, NULL, &err) ||
        hc_lifetime_trace_within(&trace, c, &request, &out, &err))
        ck_abort_msg("key %llu: %s", (unsigned long long)c->key, err.message);
    assert_told(&trace, c, &out);
    assert_marked(&trace, &out);
    ck_assert_int_eq(hc_life_n_events(&trace), (int64_t)all.n_marks);
    ck_assert_int_eq(hc_life_n_stretches(&all), (int64_t)all.n_spans);
    if (!trace.fold.slice_ns)
        ck_assert_uint_eq(trace.n_spans, all.n_spans);
    hc_lifetime_trace_fini(&trace);
    hc_lifetime_trace_fini(&all);
}

START_TEST(any_life_can_be_summed_up)
{
    for (uint64_t i = 0; i < 200; i++) {
        struct any_life life;
        any_life_init(&life, i);
        assert_summed(&life.config, 8);
        assert_summed(&life.config, 200);
    }
}
END_TEST

/* Up to each of the given times, time in steps is what it is in the whole record. */
static void assert_cut_at(struct hc_life_host *host, const int64_t *cut_ns, size_t n)
{
    static struct hc_lifetime_replica out;
    struct hc_lifetime_trace all = {0}, trace = {.most = 8, .cut_ns = cut_ns, .n_cuts = n};
    if (hc_life_host_record(host, 1, &out, &all) || hc_life_host_record(host, 1, &out, &trace))
        ck_abort_msg("%s", err.message);
    struct hc_life_reader a = {.trace = &all, .what = HC_WHAT_PRODUCTIVE_IDEAL}, b = a;
    b.trace = &trace;
    for (size_t i = 0; i < n; i++)
        ck_assert_int_eq(hc_life_read_total(&a, cut_ns[i]), hc_life_read_total(&b, cut_ns[i]));
    hc_lifetime_trace_fini(&trace);
    hc_lifetime_trace_fini(&all);
}

START_TEST(any_life_can_be_summed_up_between_times)
{
    for (uint64_t i = 0; i < 200; i++) {
        struct any_life life;
        struct hc_compiled_lifetime compiled;
        struct hc_life_host *host;
        struct hc_lifetime_replica out;
        int64_t cut_ns[7];
        any_life_init(&life, i);
        if (hc_lifetime_run(&life.config, 1, 1, &out, &err) ||
            hc_compile_lifetime(&compiled, &life.config, &err) ||
            hc_life_host_new(&host, &compiled, &err))
            ck_abort_msg("%s", err.message);
        for (int64_t k = 0; k < 7; k++)
            cut_ns[k] = out.wall_ns / 11 * (k + 3) + k * k;
        assert_cut_at(host, cut_ns, 7);
        hc_life_host_free(host);
    }
}
END_TEST

/* However long it is: the bound holds, and the sums do. */
START_TEST(memory_does_not_grow_with_the_life)
{
    struct hc_renewal_case r;
    hc_renewal_case_init(&r, &(struct hc_ettr_terms){3e-4, 1000, 60, 0, 500});
    const struct hc_life_request request = {.replica = 0, .most = 1000};
    for (double work_s = 1e7; work_s < 1e9; work_s *= 9) {
        struct hc_lifetime_trace trace;
        struct hc_lifetime_replica out;
        r.config.job.work_s = work_s;
        ck_assert_int_eq(hc_lifetime_trace_within(&trace, &r.config, &request, &out, &err), HC_OK);
        ck_assert_uint_le(trace.n_spans, 1000);
        ck_assert_uint_le(trace.n_marks, 1000);
        ck_assert_uint_le(trace.span_capacity, 4096);
        ck_assert_uint_le(trace.mark_capacity, 4096);
        ck_assert_int_gt(hc_life_n_events(&trace), (int64_t)(work_s * 2e-4));
        assert_told(&trace, &r.config, &out);
        hc_lifetime_trace_fini(&trace);
    }
}
END_TEST

START_TEST(any_life_is_told_to_the_nanosecond)
{
    int n_cuts = 0;
    for (uint64_t i = 0; i < 400; i++) {
        struct any_life life;
        any_life_init(&life, i);
        for (uint64_t replica = 0; replica < 2; replica++)
            n_cuts += assert_recorded(&life.config, replica);
    }
    ck_assert_int_gt(n_cuts, 4000);
}
END_TEST

/* Of an elastic job the stretches give wall time, as if all its nodes were there, and by which
 * share of them: each rounded down to a nanosecond. */
static int64_t assert_elastic(const struct hc_lifetime_config *c, uint64_t replica)
{
    struct hc_lifetime_trace trace;
    struct hc_lifetime_replica out;
    struct told t = {0};
    int64_t at_ns = 0, ran_ns = 0, missing_ns = 0;
    if (hc_lifetime_trace_run(&trace, c, replica, &out, &err))
        ck_abort_msg("key %llu: %s", (unsigned long long)c->key, err.message);
    int64_t rounding_ns = (int64_t)trace.n_spans;
    for (size_t i = 0; i < trace.n_spans; i++) {
        const struct hc_lifetime_span *span = &trace.span[i];
        ck_assert_int_eq(span->start_ns, at_ns);
        at_ns = span->end_ns;
        tell(&t, span);
        ck_assert(span->missing_ns >= 0 && (!span->missing_ns || span->cause >= 0));
        missing_ns += span->missing_ns;
        if (span->missing_ns)
            t.unproductive_ns[span->cause] += span->missing_ns;
        if (span->what == HC_WHAT_PRODUCTIVE_IDEAL)
            ran_ns += span->end_ns - span->start_ns - span->stall_ns - span->missing_ns;
    }
    ck_assert_int_eq(at_ns, out.wall_ns);
    ck_assert_int_eq(t.queue_ns, out.queue_ns);
    ck_assert_int_le(llabs(ran_ns - out.productive_ns), rounding_ns);
    for (int f = 0; f <= HC_LIFETIME_MAX_FAULTS; f++)
        ck_assert_int_le(llabs(t.unproductive_ns[f] - out.unproductive_ns[f]), rounding_ns);
    struct hc_life_reader reader = {.trace = &trace, .what = HC_WHAT_PRODUCTIVE_IDEAL};
    ck_assert_int_eq(hc_life_read_total(&reader, out.wall_ns), ran_ns);
    hc_lifetime_trace_fini(&trace);
    return missing_ns;
}

START_TEST(any_elastic_life_is_told)
{
    int n_smaller = 0;
    for (uint64_t i = 0; i < 100; i++) {
        struct any_life life;
        any_life_init(&life, i);
        struct hc_lifetime_elastic *e = &life.config.elastic;
        e->on = true;
        e->dp_replicas = life.config.job.nodes;
        e->min_replicas = 1 + one_of(e->dp_replicas);
        e->before_standbys = one_of(2);
        e->keeps_state = one_of(2);
        e->leave_s = any_time(60);
        e->rejoin_s = any_time(200);
        life.config.recovery.reschedule_s = any_time(20000);
        n_smaller += assert_elastic(&life.config, 0) > 0;
    }
    ck_assert_int_gt(n_smaller, 20);
}
END_TEST

START_TEST(long_lives_are_told_to_the_nanosecond)
{
    struct hc_airesim_case a;
    hc_airesim_case_init(&a);
    assert_recorded(&a.config, 0);
    static const struct hc_ettr_terms terms[] = {
        {1e-4, 600, 10, 60, 30}, {1e-3, 300, 0, 120, 0}, {3e-4, 1000, 60, 0, 500}};
    for (int i = 0; i < 3; i++) {
        struct hc_renewal_case r;
        hc_renewal_case_init(&r, &terms[i]);
        r.config.job.work_s = 1e7;
        ck_assert_int_gt(assert_recorded(&r.config, 5), 500);
    }
}
END_TEST

START_TEST(refuses_what_a_run_refuses)
{
    struct by_hand *l = by_hand();
    struct hc_lifetime_trace trace;
    l->config.job.work_s = 0;
    ck_assert_int_eq(hc_lifetime_trace_run(&trace, &l->config, 0, NULL, &err), HC_BAD_INPUT);
    ck_assert_uint_eq(trace.n_spans, 0);
    hc_lifetime_trace_fini(&trace);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_trace");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, cuts_at_the_last_durable_snapshot);
    tcase_add_test(tests, stalls_stay_stalls);
    tcase_add_test(tests, a_corruption_takes_what_was_saved_since);
    tcase_add_test(tests, a_rollback_reaches_back_over_another_loss);
    tcase_add_test(tests, lost_copies_go_back_to_the_remote_save);
    tcase_add_test(tests, slow_steps_are_told_apart);
    tcase_add_test(tests, failed_starts_and_queues);
    tcase_add_test(tests, marks_say_what_came_when);
    tcase_add_test(tests, any_life_is_told_to_the_nanosecond);
    tcase_add_test(tests, any_life_can_be_summed_up);
    tcase_add_test(tests, any_life_can_be_summed_up_between_times);
    tcase_add_test(tests, memory_does_not_grow_with_the_life);
    tcase_add_test(tests, any_elastic_life_is_told);
    tcase_add_test(tests, long_lives_are_told_to_the_nanosecond);
    tcase_add_test(tests, refuses_what_a_run_refuses);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
