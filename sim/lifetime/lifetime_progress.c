/* Steps and checkpoints between two events, computed in one go.
 *
 * Run time is cut into intervals of every_ns, each followed by a stall of stall_ns at whose start
 * the snapshot is taken; it is durable durable_ns later. Work is in three parts: kept (durable),
 * in flight (up to a snapshot that is not durable yet) and fresh (since the last snapshot). */
#include "sim/lifetime/lifetime_state.h"

static void add(struct hc_life_run *sum, const struct hc_life_run *part, int64_t times)
{
    sum->ideal_ns += times * part->ideal_ns;
    sum->excess_ns += times * part->excess_ns;
    sum->work_ns += times * part->work_ns;
}

static int64_t scaled(int64_t ns, double factor)
{
    double product = (double)ns * factor + 0.5;
    if (factor == 1.0)
        return ns;
    return product < (double)HC_LIFE_NEVER ? (int64_t)product : HC_LIFE_NEVER;
}

/* What run_ns of steps at the speed of now brings. */
static struct hc_life_run run_of(const struct hc_life *s, int64_t run_ns)
{
    struct hc_life_run run;
    run.ideal_ns = s->slow == 1.0 ? run_ns : scaled(run_ns, 1.0 / s->slow);
    run.excess_ns = run_ns - run.ideal_ns;
    run.work_ns = scaled(run_ns, s->code_speed * s->step_factor / s->slow);
    return run;
}

/* n saves became durable, each with this much work since the one before it. */
static void keep(struct hc_life *s, const struct hc_life_run *part, int64_t n)
{
    add(&s->kept, part, n);
    if (s->is_tainted) {
        add(&s->tainted, part, n);
        s->saves_tainted += n;
    }
    s->gap[s->gap_end] = (struct hc_life_gap){*part, n};
    s->gap_end = (s->gap_end + 1) % HC_LIFE_RING;
    s->n_gaps += s->n_gaps < HC_LIFE_RING;
    int32_t remote = s->plan->remote_every;
    if (remote) {
        int64_t saves = s->saves_unremote + n;
        if (saves >= remote)
            s->unremote = (struct hc_life_run){0};
        add(&s->unremote, part, saves >= remote ? saves % remote : n);
        s->saves_unremote = saves % remote;
    }
}

static void settle(struct hc_life *s, int64_t at_ns)
{
    if (s->pending_at_ns > at_ns)
        return;
    keep(s, &s->flight, 1);
    s->flight = (struct hc_life_run){0};
    s->pending_at_ns = HC_LIFE_NEVER;
}

/* ns from the end of a stall on, in which at least one snapshot is taken. */
static void advance_saves(struct hc_life *s, int64_t ns)
{
    int64_t every = s->every_ns, end_ns = s->now_ns + ns, first = every - s->since_ns;
    struct hc_life_run part = run_of(s, first), whole = run_of(s, every);
    int64_t rest = ns - first, cycles = rest / (every + s->stall_ns);
    rest %= every + s->stall_ns;
    settle(s, end_ns - rest);
    add(&s->fresh, &part, 1);
    s->flight = s->fresh;
    if (cycles) {
        keep(s, &s->flight, 1);
        if (cycles > 1)
            keep(s, &whole, cycles - 1);
        s->flight = whole;
    }
    int64_t stalled = rest < s->stall_ns ? rest : s->stall_ns;
    s->stall_left_ns = s->stall_ns - stalled;
    hc_life_book(s, HC_WHAT_CHECKPOINT_STALL, HC_WHY_NONE, cycles * s->stall_ns + stalled);
    s->since_ns = rest - stalled;
    s->fresh = run_of(s, s->since_ns);
    s->pending_at_ns = end_ns - rest + s->durable_ns;
    settle(s, end_ns);
}

/* Let ns pass in steps and saves, at one speed. The caller moves the clock. */
void hc_life_advance(struct hc_life *s, int64_t ns)
{
    int64_t start_ns = s->now_ns, stalled = s->stall_left_ns < ns ? s->stall_left_ns : ns;
    if (stalled) {
        hc_life_book(s, HC_WHAT_CHECKPOINT_STALL, HC_WHY_NONE, stalled);
        s->stall_left_ns -= stalled;
        s->now_ns += stalled;
        ns -= stalled;
    }
    if (s->every_ns != HC_LIFE_NEVER && ns >= s->every_ns - s->since_ns) {
        advance_saves(s, ns);
    } else {
        struct hc_life_run part = run_of(s, ns);
        add(&s->fresh, &part, 1);
        s->since_ns += ns;
        settle(s, s->now_ns + ns);
    }
    s->now_ns = start_ns;
}

/* Wall time until the work is done, if nothing happens. */
int64_t hc_life_to_completion(const struct hc_life *s)
{
    int64_t work = s->plan->work_ns;
    if (work == HC_LIFE_NEVER)
        return HC_LIFE_NEVER;
    work -= s->kept.work_ns + s->flight.work_ns + s->fresh.work_ns;
    if (work <= 0)
        return 0;
    double speed = s->code_speed * s->step_factor / s->slow;
    double slow_run = (double)work / speed;
    if (slow_run >= (double)HC_LIFE_NEVER)
        return HC_LIFE_NEVER;
    int64_t run = speed == 1.0 ? work : (int64_t)slow_run + 1;
    int64_t first = s->every_ns - s->since_ns, saves = 0, stalls = 0;
    if (run > first)
        saves = (run - first + s->every_ns - 1) / s->every_ns;
    if (__builtin_mul_overflow(saves, s->stall_ns, &stalls) || stalls >= HC_LIFE_NEVER)
        return HC_LIFE_NEVER;
    return s->stall_left_ns + run + stalls;
}

/* The measured interval in which any moment lies: long ones more often, as they are longer. So the
 * mean of what a fault loses and of the number of saves is that of intervals drawn one by one. */
int64_t hc_life_measured_ns(struct hc_life *s)
{
    const struct hc_distribution *d = &s->config->checkpoint.intervals_s;
    struct hc_philox *rng = &s->extra[HC_EXTRA_INTERVAL];
    double value = d->scale;
    if (d->kind == HC_DISTRIBUTION_EMPIRICAL) {
        double longest = d->value[d->n_values - 1];
        do
            value = d->value[hc_philox_below(rng, d->n_values)];
        while (hc_philox_uniform(rng) * longest >= value);
        value *= d->scale;
    }
    return hc_life_ns(hc_life_whole_steps(s->plan, value));
}

/* Steps begin, on the state of the last durable save; the next event is at until_ns. */
void hc_life_begin_run(struct hc_life *s, int64_t until_ns)
{
    const struct hc_lifetime_checkpoint *c = &s->config->checkpoint;
    s->since_ns = s->stall_left_ns = 0;
    s->pending_at_ns = HC_LIFE_NEVER;
    if (s->plan->every_ns != HC_LIFE_NEVER) {
        if (c->interval == HC_INTERVAL_MEASURED)
            s->every_ns = hc_life_measured_ns(s);
        s->stall_ns =
            hc_life_draw(s, &c->stall_s, HC_STREAM_SAVE) + hc_life_ns(s->plan->stall_extra_s);
        s->durable_ns = s->stall_ns;
        if (c->mode != HC_CHECKPOINT_BLOCKING)
            s->durable_ns = hc_life_draw(s, &c->durable_s, HC_STREAM_SAVE) +
                            hc_life_ns(s->plan->durable_extra_s);
        /* One save at a time: the next snapshot finds the last one durable. */
        int64_t next_ns = s->stall_ns + s->every_ns;
        s->durable_ns = s->durable_ns < next_ns ? s->durable_ns : next_ns;
    }
    s->step_factor = 1.0;
    if (s->plan->step_cv > 0) {
        double steps = (double)(until_ns - s->now_ns) * 1e-9 / s->plan->step_mean_s;
        double z = hc_philox_normal(&s->rng[HC_STREAM_STEPS]);
        double longer = 1 + z * s->plan->step_cv / __builtin_sqrt(steps > 1 ? steps : 1);
        s->step_factor = 1 / (longer > 0.1 ? longer : 0.1);
    }
    if (s->elastic)
        s->step_factor *= hc_life_elastic_begin(s);
}

static void lose(struct hc_life *s, const struct hc_life_run *run, enum hc_why why)
{
    /* Not hc_life_book(): what is lost had its own absent nodes, not those of now. */
    int64_t ns = run->ideal_ns + run->excess_ns;
    s->leaf_ns[HC_WHAT_LOST_WORK][why] += ns;
    s->out->unproductive_ns[s->blame] += ns;
    if (s->elastic)
        hc_life_elastic_lost(s, run, why);
    if (s->recorder)
        hc_life_record_loss(s, run, why);
}

/* The steps stop, but nothing is lost yet: who runs on has the state of now. */
void hc_life_hold(struct hc_life *s)
{
    settle(s, s->now_ns);
    add(&s->fresh, &s->flight, 1);
    s->flight = (struct hc_life_run){0};
    s->pending_at_ns = HC_LIFE_NEVER;
}

/* The steps since the last durable save are gone. */
void hc_life_lose(struct hc_life *s, enum hc_why why)
{
    settle(s, s->now_ns);
    add(&s->fresh, &s->flight, 1);
    lose(s, &s->fresh, why);
    s->fresh = s->flight = (struct hc_life_run){0};
    s->pending_at_ns = HC_LIFE_NEVER;
}

static void take_off(struct hc_life_run *sum, const struct hc_life_run *part)
{
    if (part->work_ns >= sum->work_ns)
        *sum = (struct hc_life_run){0};
    else
        add(sum, part, -1);
}

/* The work of the last n saves. */
static void take_back(struct hc_life *s, struct hc_life_run run, int64_t n, enum hc_why why)
{
    add(&s->kept, &run, -1);
    s->saves_tainted -= n < s->saves_tainted ? n : s->saves_tainted;
    s->saves_unremote -= n < s->saves_unremote ? n : s->saves_unremote;
    take_off(&s->tainted, &run);
    take_off(&s->unremote, &run);
    lose(s, &run, why);
}

/* Go n durable saves further back, as far as they are remembered; all of what a silent corruption
 * touched, when there is one. */
void hc_life_fall_back(struct hc_life *s, int32_t n, enum hc_why why)
{
    if (n && s->is_tainted) {
        hc_life_lose_taint(s, why);
        return;
    }
    for (; n && s->n_gaps; n--) {
        int32_t last = (s->gap_end + HC_LIFE_RING - 1) % HC_LIFE_RING;
        take_back(s, s->gap[last].run, 1, why);
        if (--s->gap[last].times)
            continue;
        s->gap_end = last;
        s->n_gaps--;
    }
}

/* What became durable since a silent corruption is worthless. */
void hc_life_lose_taint(struct hc_life *s, enum hc_why why)
{
    take_back(s, s->tainted, s->saves_tainted, why);
    s->n_gaps = 0;
}

/* The copies in memory are gone: back to the last remote save. */
void hc_life_lose_memory(struct hc_life *s, enum hc_why why)
{
    take_back(s, s->unremote, s->saves_unremote, why);
    s->n_gaps = 0;
}

/* A save before a stop that was foreseen: the job stands for it, then it is durable. */
void hc_life_save_now(struct hc_life *s)
{
    settle(s, s->now_ns);
    hc_life_down(s, s->stall_ns, HC_WHAT_CHECKPOINT_STALL, HC_WHY_PLANNED);
    add(&s->fresh, &s->flight, 1);
    keep(s, &s->fresh, 1);
    s->fresh = s->flight = (struct hc_life_run){0};
    s->pending_at_ns = HC_LIFE_NEVER;
}
