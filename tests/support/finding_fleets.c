#include "tests/support/finding_fleets.h"

#include "core/random/philox.h"
#include "models/findings/day_summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct fleet_law fleet_laws[N_FLEET_LAWS] = {
    {.name = "poisson", .burst = 1, .weekend = 1, .wait_sd = 1, .run_sd = 0.005, .night = 1},
    {.name = "bursts",
     .burst = 4,
     .repeat = 0.4,
     .weekend = 1,
     .day_sd = 0.05,
     .wait_sd = 1.2,
     .run_sd = 0.005,
     .run_dips = 0.1,
     .night = 1,
     .storm = 0.02},
    {.name = "weekly",
     .burst = 1,
     .weekend = 0.4,
     .trend = 0.01,
     .day_sd = 0.05,
     .wait_sd = 1.2,
     .run_sd = 0.01,
     .run_dips = 0.3,
     .night = 0.2},
    {.name = "heavy",
     .burst = 1,
     .heavy_burst = 1.2,
     .repeat = 0.2,
     .node_shape = 1,
     .weekend = 0.7,
     .day_sd = 0.1,
     .day_tail = 3,
     .wait_sd = 2,
     .zero_waits = 0.3,
     .run_sd = 0.005,
     .run_dips = 0.02,
     .night = 0.5,
     .storm = 0.05},
    {.name = "wandering",
     .burst = 2,
     .node_shape = 3,
     .weekend = 0.8,
     .day_sd = 0.2,
     .serial = 0.7,
     .wait_sd = 1.5,
     .zero_waits = 0.1,
     .run_sd = 0.01,
     .run_dips = 0.1,
     .night = 0.5},
    {.name = "falling",
     .burst = 2,
     .repeat = 0.1,
     .weekend = 0.6,
     .trend = -0.015,
     .day_sd = 0.1,
     .serial = 0.4,
     .wait_sd = 1.5,
     .run_sd = 0.02,
     .run_dips = 1,
     .night = 0.5},
    {.name = "stepped",
     .burst = 3,
     .repeat = 0.3,
     .node_shape = 2,
     .weekend = 0.9,
     .day_sd = 0.15,
     .day_tail = 5,
     .serial = 0.3,
     .wait_sd = 2.5,
     .zero_waits = 0.5,
     .run_sd = 0.01,
     .run_dips = 0.5,
     .night = 0.7,
     .storm = 0.01,
     .step = 0.7,
     .outage = 0.03},
};

struct fleet_plan fleet_plan_usual(const struct fleet_law *law, uint64_t seed, int n_days)
{
    return (struct fleet_plan){.law = law,
                               .seed = seed,
                               .n_days = n_days,
                               .n_nodes = 300,
                               .failures_per_28_days = 0.5,
                               .n_events = 20,
                               .n_phases = 6,
                               .n_runs = 20,
                               .n_queues = 8,
                               .n_sources = 6,
                               .events_a_day = 10,
                               .values_a_day = 200,
                               .ends_a_day = 60,
                               .change_day = n_days,
                               .lemon_factor = 1,
                               .event_factor = 1,
                               .startup_factor = 1,
                               .queue_factor = 1};
}

/* ---- draws ---- */

static void *keep(struct finding_fleet *fleet, size_t n, size_t size)
{
    fleet->blocks = realloc(fleet->blocks, (fleet->n_blocks + 1) * sizeof *fleet->blocks);
    void *block = calloc(n ? n : 1, size);
    if (!fleet->blocks || !block)
        abort();
    fleet->blocks[fleet->n_blocks++] = block;
    return block;
}

static double exponential(struct hc_philox *rng)
{
    return -log(1 - hc_philox_uniform(rng));
}

/* By the times between, or normal where it is large. */
static int poisson(struct hc_philox *rng, double mean)
{
    if (mean > 400)
        return (int)fmax(0, floor(mean + sqrt(mean) * hc_philox_normal(rng) + 0.5));
    double sum = exponential(rng);
    int n = 0;
    for (; sum < mean; n++)
        sum += exponential(rng);
    return n;
}

static double gamma_of_mean_1(struct hc_philox *rng, double shape)
{
    /* Marsaglia and Tsang, with the shape raised by 1. */
    double d = shape + 1 - 1.0 / 3, c = 1 / sqrt(9 * d), v, z;
    do {
        z = hc_philox_normal(rng);
        v = 1 + c * z;
        v = v * v * v;
    } while (v <= 0 || log(1 - hc_philox_uniform(rng)) > z * z / 2 + d - d * v + d * log(v));
    return d * v * pow(1 - hc_philox_uniform(rng), 1 / shape) / shape;
}

static double burst_size(const struct fleet_law *law, struct hc_philox *rng)
{
    if (law->heavy_burst > 0)
        return floor(exp(law->heavy_burst * hc_philox_normal(rng)) + 1);
    return law->burst > 1 ? 1 + floor(exponential(rng) / -log(1 - 1 / law->burst)) : 1;
}

static double mean_burst(const struct fleet_law *law)
{
    /* Of the lognormal one, by its mean and the rounding, nearly. */
    return law->heavy_burst > 0 ? exp(law->heavy_burst * law->heavy_burst / 2) + 0.5 : law->burst;
}

static bool is_weekend(int day)
{
    return day % 7 >= 5;
}

/* How much of the fleet is there on a day. */
static double fleet_share(const struct fleet_plan *plan, int day)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, plan->seed, UINT64_MAX, (uint64_t)day);
    return hc_philox_uniform(&rng) < plan->law->outage ? 0.1 : 1;
}

/* Logarithms of how a series deviates on each day, but for noise within the day. */
static void draw_days(double *level, const struct fleet_plan *plan, struct hc_philox *rng)
{
    const struct fleet_law *law = plan->law;
    double state = hc_philox_normal(rng);
    double step = law->step > 0 ? law->step * hc_philox_normal(rng) : 0;
    int step_day = law->step > 0 ? 20 + (int)hc_philox_integer(rng, 50) : 0;
    for (int day = 0; day < plan->n_days; day++) {
        state = law->serial * state + sqrt(1 - law->serial * law->serial) * hc_philox_normal(rng);
        double tail = 1;
        if (law->day_tail > 0)
            tail = 1 / sqrt(gamma_of_mean_1(rng, law->day_tail / 2));
        level[day] = law->day_sd * state * tail + law->trend * (day - plan->n_days) +
                     (is_weekend(day) ? log(law->weekend) : 0) + (day >= step_day ? step : 0);
    }
}

/* ---- series ---- */

struct making {
    const struct fleet_plan *plan;
    struct finding_fleet *fleet;
    size_t n;
    struct hc_philox rng;
    double *level; /* [n_days] */
};

static struct hc_finding_series *add(struct making *making, enum hc_finding_kind kind, int number)
{
    struct hc_finding_series *series = &making->fleet->series[making->n++];
    size_t n_days = (size_t)making->plan->n_days;
    char *subject = keep(making->fleet, 32, 1);
    snprintf(subject, 32, "%s-%d", hc_finding_kind_name(kind), number);
    double *numbers = keep(making->fleet, 4 * n_days, sizeof *numbers);
    *series = (struct hc_finding_series){.kind = kind,
                                         .subject = subject,
                                         .amount = numbers,
                                         .exposure = numbers + n_days,
                                         .error = numbers + 2 * n_days,
                                         .gpu_hours = numbers + 3 * n_days};
    hc_philox_seek(&making->rng, making->plan->seed, (uint64_t)kind << 32 | (uint32_t)number, 0);
    return series;
}

static double factor_of(const struct making *making, int number, int day, double factor)
{
    return number == 0 && day >= making->plan->change_day ? factor : 1;
}

static void put_failure(struct hc_finding_failure *failures, size_t *n, int day, size_t most,
                        struct hc_philox *rng)
{
    if (*n < most)
        failures[(*n)++] =
            (struct hc_finding_failure){.day = day, .run = hc_philox_u64(rng), .weight = 1};
}

static void make_node(struct making *making, int number)
{
    const struct fleet_plan *plan = making->plan;
    struct hc_finding_series *series = add(making, HC_FINDING_LEMON_NODE, number);
    double *exposure = (double *)series->exposure;
    size_t most = (size_t)plan->n_days * 8, n = 0;
    struct hc_finding_failure *failures = keep(making->fleet, most, sizeof *failures);
    double rate = plan->failures_per_28_days / 28;
    if (plan->law->node_shape > 0 && number) {
        double factor; /* who is above three times the others by nature is no false finding */
        do
            factor = gamma_of_mean_1(&making->rng, plan->law->node_shape);
        while (factor > 2);
        rate *= factor;
    }
    for (int day = 0; day < plan->n_days; day++) {
        exposure[day] = 0.5 + 0.5 * hc_philox_uniform(&making->rng);
        exposure[day] *= fleet_share(plan, day);
        double mean = rate * exposure[day] * factor_of(making, number, day, plan->lemon_factor);
        mean *= 1 - plan->law->repeat;
        for (int i = poisson(&making->rng, mean); i > 0; i--) {
            int at = day;
            put_failure(failures, &n, at, most, &making->rng);
            while (hc_philox_uniform(&making->rng) < plan->law->repeat) {
                at += (int)hc_philox_integer(&making->rng, 4);
                if (at < plan->n_days)
                    put_failure(failures, &n, at, most, &making->rng);
            }
        }
    }
    series->amount = series->error = NULL;
    series->failures = failures;
    series->n_failures = n;
}

static void make_event(struct making *making, int number)
{
    const struct fleet_plan *plan = making->plan;
    struct hc_finding_series *series = add(making, HC_FINDING_EVENT_RATE, number);
    double *amount = (double *)series->amount, *exposure = (double *)series->exposure;
    /* From a thousandth of the planted one to ten times it. */
    double mean = plan->events_a_day;
    mean *= number ? pow(10, 1 - 4.0 * number / plan->n_events) : 1;
    draw_days(making->level, plan, &making->rng);
    for (int day = 0; day < plan->n_days; day++) {
        double factor = factor_of(making, number, day, plan->event_factor);
        exposure[day] = 300 * (0.8 + 0.1 * hc_philox_uniform(&making->rng));
        exposure[day] *= fleet_share(plan, day);
        double faults = mean * factor * exp(making->level[day]) * exposure[day] / (0.85 * 300) /
                        mean_burst(plan->law);
        for (int i = poisson(&making->rng, faults); i > 0; i--)
            amount[day] += burst_size(plan->law, &making->rng);
    }
}

static void make_times(struct making *making, enum hc_finding_kind kind, int number)
{
    const struct fleet_plan *plan = making->plan;
    struct hc_finding_series *series = add(making, kind, number);
    double *amount = (double *)series->amount, *exposure = (double *)series->exposure;
    double *error = (double *)series->error, *gpu_hours = (double *)series->gpu_hours;
    bool is_queue = kind == HC_FINDING_QUEUE;
    double mean = plan->values_a_day / (number ? 1 << number % 4 : 1);
    double *seconds = calloc((size_t)(10 * mean) + 100, sizeof *seconds);
    if (!seconds)
        abort();
    draw_days(making->level, plan, &making->rng);
    for (int day = 0; day < plan->n_days; day++) {
        double factor =
            factor_of(making, number, day, is_queue ? plan->queue_factor : plan->startup_factor);
        int n = poisson(&making->rng,
                        mean * fleet_share(plan, day) * (is_weekend(day) ? plan->law->weekend : 1));
        for (int i = 0; i < n; i++)
            seconds[i] =
                600 * factor *
                exp(making->level[day] + plan->law->wait_sd * hc_philox_normal(&making->rng));
        for (int i = 0; i < n && is_queue; i++)
            if (hc_philox_uniform(&making->rng) < plan->law->zero_waits)
                seconds[i] = 0;
        struct hc_day_summary summary = hc_day_summarise(seconds, (size_t)n);
        exposure[day] = isfinite(summary.error) ? n : 0;
        amount[day] = summary.location;
        error[day] = summary.error;
        gpu_hours[day] = n;
    }
    free(seconds);
}

static void make_run(struct making *making, int number)
{
    const struct fleet_plan *plan = making->plan;
    struct hc_finding_series *series = add(making, HC_FINDING_RUN_ETTR, number);
    double *amount = (double *)series->amount, *exposure = (double *)series->exposure;
    double *steady = keep(making->fleet, 2 * (size_t)plan->n_days, sizeof *steady);
    double *going = steady + plan->n_days;
    series->steady_amount = steady;
    series->steady_exposure = going;
    /* Every third run is younger than the past that is looked at. */
    int first = number % 3 == 1 ? (int)hc_philox_integer(&making->rng, (uint64_t)plan->n_days) : 0;
    for (int day = first; day < plan->n_days; day++) {
        double lost = 0.04 + plan->law->run_sd * hc_philox_normal(&making->rng), stopped = 0;
        for (int i = poisson(&making->rng, plan->law->run_dips); i > 0; i--)
            stopped += 2 * exponential(&making->rng) / 24;
        stopped = fmin(stopped, 1);
        if (number == 0 && day >= plan->change_day)
            lost += plan->ettr_fall;
        exposure[day] = 24 * 512 * (0.9 + 0.1 * hc_philox_uniform(&making->rng));
        exposure[day] *= fleet_share(plan, day);
        going[day] = exposure[day] * (1 - stopped);
        steady[day] = going[day] * fmin(fmax(1 - lost, 0), 1);
        amount[day] = exposure[day] * fmin(fmax(1 - stopped - lost, 0), 1);
    }
}

static void make_source(struct making *making, int number)
{
    const struct fleet_plan *plan = making->plan;
    struct hc_finding_series *series = add(making, HC_FINDING_STALE_SOURCE, number);
    double *amount = (double *)series->amount, *exposure = (double *)series->exposure;
    for (int day = 0; day < plan->n_days; day++) {
        /* Every second one is dumped once a day, the others come at random. */
        exposure[day] = 1;
        amount[day] = number % 2 ? 24 / (number + 1.0) * exponential(&making->rng)
                                 : 20 + 0.2 * hc_philox_uniform(&making->rng);
        if (number == 0 && day >= plan->change_day && plan->is_silent)
            amount[day] = 20 + 24 * (day - plan->change_day + 1);
    }
}

/* ---- failed jobs ---- */

static double failures_of_hour(const struct fleet_plan *plan, int hour, struct hc_philox *rng)
{
    const struct fleet_law *law = plan->law;
    double mean = plan->ends_a_day / 24;
    mean *= hour % 24 < 8 ? law->night : 1;
    mean *= is_weekend(hour / 24) ? law->weekend : 1;
    return hc_philox_uniform(rng) < law->storm ? 10 * mean : mean;
}

static void make_ends(struct making *making)
{
    const struct fleet_plan *plan = making->plan;
    struct finding_fleet *fleet = making->fleet;
    static const char *const users[] = {"ada", "bo", "cy",  "dee", "eli", "fay", "gus", "hal",
                                        "ida", "jo", "kim", "lou", "mia", "ned", "ola", "pat"};
    static const char *const racks[12] = {"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7"};
    int64_t *start = keep(fleet, (size_t)plan->n_days + 1, sizeof *start);
    for (int day = 0; day <= plan->n_days; day++)
        start[day] = day * INT64_C(86400000000000);
    size_t most = (size_t)(plan->n_days * (plan->ends_a_day * 30 + 200)) + 100;
    fleet->ends = keep(fleet, most, sizeof *fleet->ends);
    size_t n = 0;
    hc_philox_seek(&making->rng, plan->seed, (uint64_t)HC_FINDING_COFAILURE << 32, 0);
    for (int hour = 0; hour < 24 * plan->n_days && plan->ends_a_day > 0; hour++) {
        double mean = failures_of_hour(plan, hour, &making->rng);
        for (int i = poisson(&making->rng, mean); i > 0; i--) {
            int64_t time = (int64_t)((hour + hc_philox_uniform(&making->rng)) * 3600e9);
            const char *user = users[hc_philox_integer(&making->rng, 16)];
            const char *rack = racks[hc_philox_integer(&making->rng, 12)]; /* a third has none */
            int jobs = hc_philox_uniform(&making->rng) < 0.1 ? 10 : 1;     /* an array of jobs */
            for (; jobs > 0 && n < most; jobs--)
                fleet->ends[n++] = (struct hc_failure_end){
                    .time_ns = time,
                    .user = user,
                    .place = {[HC_PLACE_RACK] = rack, [HC_PLACE_PARTITION] = "gpu"}};
        }
    }
    for (int i = 0; i < 8 && plan->has_cofailure && n < most; i++)
        fleet->ends[n++] = (struct hc_failure_end){
            .time_ns = start[plan->change_day] + (40000 + 12 * i) * INT64_C(1000000000),
            .user = users[i % 6],
            .place = {[HC_PLACE_RACK] = "r7", [HC_PLACE_PARTITION] = "gpu"},
            .gpu_hours = 64};
    for (size_t i = 0; i < n; i++) {
        char *job = keep(fleet, 24, 1);
        snprintf(job, 24, "%zu", i);
        fleet->ends[i].job = job;
    }
    fleet->input.ends = fleet->ends;
    fleet->input.n_ends = n;
    fleet->input.day_start_ns = start;
}

void finding_fleet_make(struct finding_fleet *fleet, const struct fleet_plan *plan)
{
    struct making making = {.plan = plan, .fleet = fleet};
    *fleet = (struct finding_fleet){.n_blocks = 0};
    size_t n_series = (size_t)(plan->n_nodes + plan->n_events + plan->n_phases + plan->n_runs +
                               plan->n_queues + plan->n_sources);
    fleet->series = keep(fleet, n_series, sizeof *fleet->series);
    making.level = keep(fleet, (size_t)plan->n_days, sizeof *making.level);
    for (int i = 0; i < plan->n_nodes; i++)
        make_node(&making, i);
    for (int i = 0; i < plan->n_events; i++)
        make_event(&making, i);
    for (int i = 0; i < plan->n_phases; i++)
        make_times(&making, HC_FINDING_STARTUP, i);
    for (int i = 0; i < plan->n_queues; i++)
        make_times(&making, HC_FINDING_QUEUE, i);
    for (int i = 0; i < plan->n_runs; i++)
        make_run(&making, i);
    for (int i = 0; i < plan->n_sources; i++)
        make_source(&making, i);
    fleet->input = (struct hc_findings_input){.n_days = plan->n_days,
                                              .first_day = 20424, /* 2025-12-02 */
                                              .series = fleet->series,
                                              .n_series = making.n};
    make_ends(&making);
}

void finding_fleet_free(struct finding_fleet *fleet)
{
    for (size_t i = 0; i < fleet->n_blocks; i++)
        free(fleet->blocks[i]);
    free(fleet->blocks);
}

/* ---- findings ---- */

struct fleet_plan fleet_plan_changed(const struct fleet_law *law, uint64_t seed,
                                     enum hc_finding_kind kind, double exposure, int most_delay)
{
    struct hc_findings_options options = hc_findings_defaults();
    struct fleet_plan plan =
        fleet_plan_usual(law, seed, hc_findings_days_wanted(&options) + most_delay);
    plan.change_day = plan.n_days - most_delay;
    plan.n_nodes = kind == HC_FINDING_LEMON_NODE ? plan.n_nodes : 0;
    plan.n_events = kind == HC_FINDING_EVENT_RATE ? plan.n_events : 0;
    plan.n_phases = kind == HC_FINDING_STARTUP ? plan.n_phases : 0;
    plan.n_queues = kind == HC_FINDING_QUEUE ? plan.n_queues : 0;
    plan.n_runs = kind == HC_FINDING_RUN_ETTR ? (int)exposure : 0;
    plan.n_sources = 0;
    plan.has_cofailure = kind == HC_FINDING_COFAILURE;
    plan.ends_a_day = plan.has_cofailure ? exposure : 0;
    plan.failures_per_28_days = plan.events_a_day = plan.values_a_day = exposure;
    plan.lemon_factor = 10;
    plan.event_factor = 3;
    plan.startup_factor = 2;
    plan.queue_factor = 1.5;
    plan.ettr_fall = 0.05;
    return plan;
}

static struct hc_findings_backtest backtest_of(const struct finding_fleet *fleet, int n_days)
{
    struct hc_error err;
    struct hc_findings_options options = hc_findings_defaults();
    struct hc_findings_backtest backtest;
    if (hc_findings_backtest(&backtest, &fleet->input, &options, n_days, &err)) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    return backtest;
}

int finding_fleet_delay(const struct fleet_plan *plan, enum hc_finding_kind kind, int most_delay)
{
    struct finding_fleet fleet;
    finding_fleet_make(&fleet, plan);
    struct hc_findings_backtest backtest = backtest_of(&fleet, most_delay);
    char subject[32] = "r7";
    if (kind != HC_FINDING_COFAILURE)
        snprintf(subject, sizeof subject, "%s-0", hc_finding_kind_name(kind));
    int delay = most_delay + 1;
    for (size_t i = backtest.n; i-- > 0;)
        if (strcmp(backtest.rows[i].subject, subject) == 0)
            delay = backtest.rows[i].day - plan->change_day + 1;
    hc_findings_backtest_fini(&backtest);
    finding_fleet_free(&fleet);
    return delay;
}

void finding_fleet_count(const struct fleet_plan *plan, int n_days, size_t n[HC_N_FINDING_KINDS])
{
    struct finding_fleet fleet;
    finding_fleet_make(&fleet, plan);
    struct hc_findings_backtest backtest = backtest_of(&fleet, n_days);
    for (int kind = 0; kind < HC_N_FINDING_KINDS; kind++)
        n[kind] += backtest.n_opened[kind];
    hc_findings_backtest_fini(&backtest);
    finding_fleet_free(&fleet);
}
