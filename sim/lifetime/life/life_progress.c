#include "sim/lifetime/life/life_progress.h"

static void add(struct hc_life_run *sum, const struct hc_life_run *part, int64_t times)
{
    sum->ideal_ns += times * part->ideal_ns;
    sum->excess_ns += times * part->excess_ns;
    sum->work_ns += times * part->work_ns;
}

void hc_work_begin(struct hc_life_progress *p, const struct hc_compiled_lifetime *compiled)
{
    *p = (struct hc_life_progress){.compiled = compiled,
                                   .pending_at_ns = HC_LIFE_NEVER,
                                   .every_ns = compiled->every_ns,
                                   .code_speed = 1.0,
                                   .step_factor = 1.0,
                                   .slow = 1.0};
}

struct hc_life_run hc_work_sum(const struct hc_life_progress *p)
{
    struct hc_life_run sum = p->kept;
    add(&sum, &p->flight, 1);
    add(&sum, &p->fresh, 1);
    return sum;
}

static int64_t scaled(int64_t ns, double factor)
{
    double product = (double)ns * factor + 0.5;
    if (factor == 1.0)
        return ns;
    return product < (double)HC_LIFE_NEVER ? (int64_t)product : HC_LIFE_NEVER;
}

/* Ideal time, excess and work of run_ns of steps, at the present speed of the job. */
static struct hc_life_run run_of(const struct hc_life_progress *p, int64_t run_ns)
{
    struct hc_life_run run;
    run.ideal_ns = p->slow == 1.0 ? run_ns : scaled(run_ns, 1.0 / p->slow);
    run.excess_ns = run_ns - run.ideal_ns;
    run.work_ns = scaled(run_ns, p->code_speed * p->step_factor / p->slow);
    return run;
}

/* n saves became durable, each with this much work since the one before it. */
static void keep(struct hc_life_progress *p, const struct hc_life_run *part, int64_t n)
{
    add(&p->kept, part, n);
    if (p->is_tainted) {
        add(&p->tainted, part, n);
        p->saves_tainted += n;
    }
    p->gap[p->gap_end] = (struct hc_life_gap){*part, n};
    p->gap_end = (p->gap_end + 1) % HC_LIFE_RING;
    p->n_gaps += p->n_gaps < HC_LIFE_RING;
    int32_t remote = p->compiled->remote_every;
    if (remote) {
        int64_t saves = p->saves_unremote + n;
        if (saves >= remote)
            p->unremote = (struct hc_life_run){0};
        add(&p->unremote, part, saves >= remote ? saves % remote : n);
        p->saves_unremote = saves % remote;
    }
}

void hc_work_settle(struct hc_life_progress *p, int64_t now_ns)
{
    if (p->pending_at_ns > now_ns)
        return;
    keep(p, &p->flight, 1);
    p->flight = (struct hc_life_run){0};
    p->pending_at_ns = HC_LIFE_NEVER;
}

/* Advance over ns of wall time that contain at least one snapshot; the part that has none needs no
 * such care. The stretch begins at now_ns with steps running, no stall left over. Whole cycles of
 * an interval and a stall are counted by division, not one by one. Returns the ns of stalls. */
static int64_t advance_saves(struct hc_life_progress *p, int64_t now_ns, int64_t ns)
{
    int64_t every = p->every_ns, end_ns = now_ns + ns, first = every - p->since_ns;
    struct hc_life_run part = run_of(p, first), whole = run_of(p, every);
    int64_t rest = ns - first, cycles = rest / (every + p->stall_ns);
    rest %= every + p->stall_ns;
    hc_work_settle(p, end_ns - rest);
    add(&p->fresh, &part, 1);
    p->flight = p->fresh;
    if (cycles) {
        keep(p, &p->flight, 1);
        if (cycles > 1)
            keep(p, &whole, cycles - 1);
        p->flight = whole;
    }
    int64_t stalled = rest < p->stall_ns ? rest : p->stall_ns;
    p->stall_left_ns = p->stall_ns - stalled;
    p->since_ns = rest - stalled;
    p->fresh = run_of(p, p->since_ns);
    p->pending_at_ns = end_ns - rest + p->durable_ns;
    hc_work_settle(p, end_ns);
    return cycles * p->stall_ns + stalled;
}

int64_t hc_work_advance(struct hc_life_progress *p, int64_t now_ns, int64_t ns)
{
    int64_t stalled = p->stall_left_ns < ns ? p->stall_left_ns : ns;
    p->stall_left_ns -= stalled;
    now_ns += stalled;
    ns -= stalled;
    if (p->every_ns != HC_LIFE_NEVER && ns >= p->every_ns - p->since_ns)
        return stalled + advance_saves(p, now_ns, ns);
    struct hc_life_run part = run_of(p, ns);
    add(&p->fresh, &part, 1);
    p->since_ns += ns;
    hc_work_settle(p, now_ns + ns);
    return stalled;
}

int64_t hc_work_to_completion(const struct hc_life_progress *p)
{
    int64_t work = p->compiled->work_ns;
    if (work == HC_LIFE_NEVER)
        return HC_LIFE_NEVER;
    work -= p->kept.work_ns + p->flight.work_ns + p->fresh.work_ns;
    if (work <= 0)
        return 0;
    double speed = p->code_speed * p->step_factor / p->slow;
    double slow_run = (double)work / speed;
    if (slow_run >= (double)HC_LIFE_NEVER)
        return HC_LIFE_NEVER;
    int64_t run = speed == 1.0 ? work : (int64_t)slow_run + 1;
    int64_t first = p->every_ns - p->since_ns, saves = 0, stalls = 0;
    if (run > first)
        saves = (run - first + p->every_ns - 1) / p->every_ns;
    if (__builtin_mul_overflow(saves, p->stall_ns, &stalls) || stalls >= HC_LIFE_NEVER)
        return HC_LIFE_NEVER;
    return p->stall_left_ns + run + stalls;
}

/* The measured interval in which a moment of the life lies. Each is drawn with a probability that
 * goes with its length, so that the mean loss of a fault and the mean number of saves are those of
 * a life whose intervals were drawn one by one. */
static int64_t draw_measured_ns(const struct hc_life_progress *p, struct hc_life_streams *streams)
{
    const struct hc_distribution *d = &p->compiled->config->checkpoint.intervals_s;
    struct hc_philox *rng = &streams->extra[HC_EXTRA_INTERVAL];
    double value = d->scale;
    if (d->kind == HC_DISTRIBUTION_EMPIRICAL) {
        double longest = d->value[d->n_values - 1];
        do
            value = d->value[hc_philox_integer(rng, d->n_values)];
        while (hc_philox_uniform(rng) * longest >= value);
        value *= d->scale;
    }
    return hc_life_ns(hc_life_whole_steps(p->compiled, value));
}

/* Stall and durable time of the saves until the next stop. */
static void draw_saves(struct hc_life_progress *p, struct hc_life_streams *streams)
{
    const struct hc_compiled_lifetime *compiled = p->compiled;
    const struct hc_lifetime_checkpoint *c = &compiled->config->checkpoint;
    if (c->interval == HC_INTERVAL_MEASURED)
        p->every_ns = draw_measured_ns(p, streams);
    p->stall_ns =
        hc_life_draw(streams, &c->stall_s, HC_STREAM_SAVE) + hc_life_ns(compiled->stall_extra_s);
    p->durable_ns = p->stall_ns;
    if (c->mode != HC_CHECKPOINT_BLOCKING)
        p->durable_ns = hc_life_draw(streams, &c->durable_s, HC_STREAM_SAVE) +
                        hc_life_ns(compiled->durable_extra_s);
    /* One save at a time: the next snapshot finds the last one durable. */
    int64_t next_ns = p->stall_ns + p->every_ns;
    p->durable_ns = p->durable_ns < next_ns ? p->durable_ns : next_ns;
}

void hc_work_start_run(struct hc_life_progress *p, struct hc_life_streams *streams,
                       int64_t steps_ns)
{
    const struct hc_compiled_lifetime *compiled = p->compiled;
    if (p->is_held) {
        p->is_held = false;
        p->pending_at_ns = p->held_pending_at_ns;
    } else {
        p->since_ns = p->stall_left_ns = 0;
        p->pending_at_ns = HC_LIFE_NEVER;
        if (compiled->every_ns != HC_LIFE_NEVER)
            draw_saves(p, streams);
    }
    p->step_factor = 1.0;
    if (compiled->step_cv > 0) {
        double steps = (double)steps_ns * 1e-9 / compiled->step_mean_s;
        double z = hc_philox_normal(&streams->rng[HC_STREAM_STEPS]);
        double longer = 1 + z * compiled->step_cv / __builtin_sqrt(steps > 1 ? steps : 1);
        p->step_factor =
            1 / (longer > 0.1 ? longer : 0.1); /* a drawn step time may be 0 or below */
    }
}

void hc_work_hold(struct hc_life_progress *p, int64_t now_ns)
{
    if (p->is_held)
        return;
    hc_work_settle(p, now_ns);
    p->is_held = true;
    p->held_pending_at_ns = p->pending_at_ns;
    p->pending_at_ns = HC_LIFE_NEVER;
}

/* What was in flight is fresh again. */
static void drop_save(struct hc_life_progress *p)
{
    add(&p->fresh, &p->flight, 1);
    p->flight = (struct hc_life_run){0};
    p->pending_at_ns = HC_LIFE_NEVER;
    p->is_held = false;
}

void hc_work_save(struct hc_life_progress *p)
{
    drop_save(p);
    keep(p, &p->fresh, 1);
    p->fresh = (struct hc_life_run){0};
    p->since_ns = p->stall_left_ns = 0;
}

/* ---- losses ---- */

struct hc_life_run hc_work_lose(struct hc_life_progress *p, int64_t now_ns)
{
    if (!p->is_held)
        hc_work_settle(p, now_ns);
    drop_save(p);
    struct hc_life_run lost = p->fresh;
    p->fresh = (struct hc_life_run){0};
    return lost;
}

static void take_off(struct hc_life_run *sum, const struct hc_life_run *part)
{
    if (part->work_ns >= sum->work_ns)
        *sum = (struct hc_life_run){0};
    else
        add(sum, part, -1);
}

/* The work of the last n saves is gone. */
static struct hc_life_run take_back(struct hc_life_progress *p, struct hc_life_run run, int64_t n)
{
    add(&p->kept, &run, -1);
    p->saves_tainted -= n < p->saves_tainted ? n : p->saves_tainted;
    p->saves_unremote -= n < p->saves_unremote ? n : p->saves_unremote;
    take_off(&p->tainted, &run);
    take_off(&p->unremote, &run);
    return run;
}

bool hc_work_fall_back(struct hc_life_progress *p, struct hc_life_run *lost)
{
    if (!p->n_gaps)
        return false;
    int32_t last = (p->gap_end + HC_LIFE_RING - 1) % HC_LIFE_RING;
    *lost = take_back(p, p->gap[last].run, 1);
    if (--p->gap[last].times == 0) {
        p->gap_end = last;
        p->n_gaps--;
    }
    return true;
}

struct hc_life_run hc_work_lose_taint(struct hc_life_progress *p)
{
    p->n_gaps = 0;
    return take_back(p, p->tainted, p->saves_tainted);
}

struct hc_life_run hc_work_lose_memory(struct hc_life_progress *p)
{
    p->n_gaps = 0;
    return take_back(p, p->unremote, p->saves_unremote);
}

/* ---- faults that the job goes on with ---- */

void hc_work_weigh(struct hc_life_progress *p, double slow, bool is_tainted)
{
    p->slow = slow;
    p->is_tainted = is_tainted;
    if (is_tainted)
        return;
    p->tainted = (struct hc_life_run){0};
    p->saves_tainted = 0;
}
