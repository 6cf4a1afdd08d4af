/* A made-up engine: a counter with servers, to which customers come at random. Nothing else knows
 * it: this file has its keys, its binding, its simulation, its figures and its section of reports,
 * and takes the place of the table of engines (study/engines/engines.c). golden/made_up_engine.sh
 * takes it through every way in which a scenario may be asked. */
#include "study/binding/key_binding.h"
#include "study/binding/recorded_data.h"
#include "study/engines/lifetime/lifetime_engine.h"
#include "study/run/study_work.h"

#include <math.h>
#include <stdio.h>

#define MOST_SERVERS 100

struct queue_config {
    int32_t servers, customers;
    double arrivals_per_s;
    struct hc_distribution service_s;
    double slow_factor;
    size_t n_outages; /* recorded: each takes a server away for good */
    struct hc_run_settings settings;
};

struct queue_replica {
    double waited_s, busy_s, open_s; /* sums */
    int64_t n, n_waited, n_waited_long;
};

struct queue_detail {
    struct queue_replica sum;
    struct hc_study_section section;
    struct hc_study_section_cell cell[6];
};

/* ---- keys ---- */

#define QUEUE(member) HC_KEY_BOUND(queue_config, member)

static const struct hc_scenario_key queue_keys[] = {
    {"servers", HC_KEY_COUNT, .is_required = true, .low = 1, .high = MOST_SERVERS, QUEUE(servers),
     .help = "Servers at the counter."},
    {"customers", HC_KEY_COUNT, .low = 1, .high = 100000, .value = "1000", QUEUE(customers),
     .help = "Customers of a day."},
    {"arrivals_per_h", HC_KEY_NUMBER, .is_required = true, .is_above = true, .high = 1e6,
     .scale = 1 / 3600.0, .unit = "1/h", QUEUE(arrivals_per_s),
     .help = "Customers that come in an hour."},
    {"service_s", HC_KEY_DURATION, .is_required = true, .unit = "s", QUEUE(service_s),
     .help = "Time at the counter, of which the mean counts."},
    {"slow_factor", HC_KEY_NUMBER, .low = 1, .high = 1000, .value = "1", .unit = "factor",
     .members = hc_whatif_number_keys, .take = hc_bind_whatif_number, QUEUE(slow_factor),
     .help = "Factor on it, or the job that says it."},
    {"outages", HC_KEY_OBJECT, .members = hc_incidents_from_keys,
     .help = "Recorded incidents, each of which takes a server away."},
    {.name = NULL},
};

static const struct hc_scenario_key keys[] = {
    {"queue", HC_KEY_OBJECT, .is_required = true, .is_bound = true, .members = queue_keys,
     .help = "The counter."},
    {.name = NULL},
};

/* ---- binding ---- */

static enum hc_status bind_outages(struct queue_config *config, struct hc_scenario *scenario,
                                   const struct hc_node *outages, struct hc_refusal *refusal,
                                   struct hc_error *err)
{
    struct hc_incident_choice choice;
    struct hc_incident_replay replay;
    char within[HC_WITHIN], pointer[2 * HC_WITHIN];
    enum hc_status status = hc_recorded_choice(&choice, outages, &scenario->arena, within, err);
    if (status == HC_OK)
        status = hc_incident_replay_open(&replay, &choice, config->servers, err);
    snprintf(pointer, sizeof pointer, "/queue/outages%s", within);
    if (status == HC_BAD_INPUT)
        return hc_refuse(refusal, pointer, "%s", err->message);
    if (status)
        return status;
    config->n_outages = replay.n;
    hc_incident_replay_close(&replay);
    return HC_OK;
}

static enum hc_status bind(void *config, struct hc_scenario *scenario, const struct hc_node *root,
                           struct hc_refusal *refusal, struct hc_error *err)
{
    const struct hc_node *outages = hc_node_member(hc_node_member(root, "queue"), "outages");
    *(struct queue_config *)config = (struct queue_config){.n_outages = 0};
    enum hc_status status = hc_bind_keys(config, keys, root, &scenario->arena, refusal, err);
    return status || !outages ? status : bind_outages(config, scenario, outages, refusal, err);
}

static double service_of(const struct queue_config *c)
{
    return hc_distribution_mean(&c->service_s) * c->slow_factor;
}

static enum hc_status check(const void *config, const struct hc_node *root,
                            struct hc_refusal *refusal, struct hc_error *err)
{
    const struct queue_config *c = config;
    (void)root;
    (void)err;
    if (c->n_outages >= (size_t)c->servers)
        return hc_refuse(refusal, "/queue/servers", "%zu outages leave none of them", c->n_outages);
    if (c->arrivals_per_s * service_of(c) >= (double)c->servers - (double)c->n_outages)
        return hc_refuse(refusal, "/queue/arrivals_per_h", "more come than are served");
    return HC_OK;
}

static void settle(void *config, const struct hc_run_settings *settings)
{
    ((struct queue_config *)config)->settings = *settings;
}

/* ---- a replica ---- */

/* SplitMix64 */
static double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}

/* First come, first served, by the server that is free first. */
static void live(const struct queue_config *c, uint64_t which, struct queue_replica *out)
{
    uint64_t state = c->settings.seed * 1000003 + c->settings.key + which * 7919;
    double free_s[MOST_SERVERS] = {0}, at_s = 0;
    int32_t n = c->servers - (int32_t)c->n_outages;
    *out = (struct queue_replica){.n = c->customers};
    for (int32_t i = 0; i < c->customers; i++) {
        int32_t first = 0;
        at_s -= log(uniform(&state)) / c->arrivals_per_s;
        double service_s = -log(uniform(&state)) * service_of(c);
        for (int32_t k = 1; k < n; k++)
            first = free_s[k] < free_s[first] ? k : first;
        double begins_s = fmax(at_s, free_s[first]), wait_s = begins_s - at_s;
        free_s[first] = begins_s + service_s;
        out->waited_s += wait_s;
        out->busy_s += service_s;
        out->n_waited += wait_s > 0;
        out->n_waited_long += wait_s > 60;
    }
    out->open_s = at_s * n;
}

static enum hc_status run(const void *config, uint64_t first, size_t n, void *replicas,
                          struct hc_error *err)
{
    struct queue_replica *replica = replicas;
    (void)err;
    for (size_t i = 0; i < n; i++)
        live(config, first + i, &replica[i]);
    return HC_OK;
}

/* ---- figures ---- */

static double wait_s(const struct hc_engine_figure *figure, const void *replica,
                     const struct hc_figure_scale *scale)
{
    const struct queue_replica *r = replica;
    (void)figure;
    (void)scale;
    return r->waited_s / (double)r->n;
}

static double busy_s(const struct hc_engine_figure *figure, const void *replica,
                     const struct hc_figure_scale *scale)
{
    (void)figure;
    (void)scale;
    return ((const struct queue_replica *)replica)->busy_s;
}

static double open_s(const struct hc_engine_figure *figure, const void *replica,
                     const struct hc_figure_scale *scale)
{
    (void)figure;
    (void)scale;
    return ((const struct queue_replica *)replica)->open_s;
}

static const struct hc_engine_figure figures[] = {
    {.name = "wait_s",
     .title = "wait",
     .unit = "s",
     .help = "seconds that a customer waits",
     .has_interval = true,
     .places.compared = HC_COMPARED_ALWAYS,
     .above = wait_s},
    {.name = "busy",
     .title = "servers at work",
     .unit = "share",
     .help = "time that servers work / time that they are there",
     .is_gain = true,
     .has_interval = true,
     .places.compared = HC_COMPARED_BY_DEFAULT,
     .above = busy_s,
     .below = open_s},
    {.name = NULL},
};

/* ---- reports ---- */

static const char *subject(const void *config, struct hc_arena *arena, struct hc_error *err)
{
    const struct queue_config *c = config;
    return hc_arena_format(arena, err, "%d servers, %d customers", c->servers, c->customers);
}

static void add_detail(void *detail, const void *replica)
{
    struct queue_replica *sum = &((struct queue_detail *)detail)->sum;
    const struct queue_replica *r = replica;
    sum->n += r->n;
    sum->n_waited += r->n_waited;
    sum->n_waited_long += r->n_waited_long;
}

static enum hc_status describe(struct hc_study_work *work, size_t which, struct hc_error *err)
{
    static const struct hc_study_section_column columns[] = {{"wait", "wait", ""},
                                                             {"share", "customers", "share"}};
    struct hc_study_run *of = &work->result->run[which];
    struct queue_detail *d = of->detail;
    double n = (double)d->sum.n;
    const double share[] = {1 - (double)d->sum.n_waited / n,
                            (double)(d->sum.n_waited - d->sum.n_waited_long) / n,
                            (double)d->sum.n_waited_long / n};
    static const char *const words[] = {"none", "up to a minute", "longer"};
    (void)err;
    for (size_t i = 0; i < 3; i++) {
        d->cell[2 * i] = (struct hc_study_section_cell){.text = words[i]};
        d->cell[2 * i + 1] = (struct hc_study_section_cell){.number = share[i]};
    }
    d->section = (struct hc_study_section){.name = "waits",
                                           .title = "Waits",
                                           .help = "Who waits how long.",
                                           .column = columns,
                                           .n_columns = 2,
                                           .n_rows = 3,
                                           .cell = d->cell};
    of->section = &d->section;
    of->n_sections = 1;
    return HC_OK;
}

static enum hc_status note_run(struct hc_study_work *work, size_t which, struct hc_error *err)
{
    const struct queue_config *c = work->study->variant[which].point.config;
    return c->n_outages ? hc_study_note(work, err, "%zu servers are away.", c->n_outages) : HC_OK;
}

static const struct hc_engine queue_engine = {
    .name = "queue",
    .title = "A day at the counter",
    .one = "day",
    .many = "days",
    .keys = keys,
    .figures = figures,
    .config_size = sizeof(struct queue_config),
    .replica_size = sizeof(struct queue_replica),
    .detail_size = sizeof(struct queue_detail),
    .bind = bind,
    .check = check,
    .settle = settle,
    .run = run,
    .subject = subject,
    .add_detail = add_detail,
    .describe = describe,
    .note_run = note_run,
};

const struct hc_engine *const hc_engines[] = {&hc_lifetime_engine, &queue_engine, NULL};
