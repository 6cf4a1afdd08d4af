/* fake_study.h - made-up studies of scenarios, for the tests of their page. */
#ifndef HC_TESTS_UNIT_FAKE_STUDY_H
#define HC_TESTS_UNIT_FAKE_STUDY_H

#include "study/engines/lifetime/lifetime_findings.h"
#include "study/run/study_digest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAKE_DAY_NS ((int64_t)86400 * 1000000000)

/* All that a study points to is kept in a chain, and freed together. */
struct fake_block {
    struct fake_block *next;
    _Alignas(16) char data[];
};

struct fake_study {
    struct hc_study_result result;
    struct fake_block *blocks;
    struct hc_arena arena; /* of what is derived */
    uint32_t random;
};

static inline void *fake_new(struct fake_study *fake, size_t n, size_t size)
{
    struct fake_block *block = calloc(1, sizeof *block + n * size + 16);
    if (!block)
        abort();
    block->next = fake->blocks;
    fake->blocks = block;
    return block->data;
}

static inline void fake_study_free(struct fake_study *fake)
{
    hc_arena_fini(&fake->arena);
    for (struct fake_block *block = fake->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
}

/* What follows from the numbers: after the last change of them, before the study is shown. */
static inline void fake_digest(struct fake_study *fake)
{
    struct hc_error err = {.status = HC_OK};
    if (hc_study_digest(&fake->result, &fake->arena, &err) ||
        hc_life_find_all(&fake->result, &fake->arena, &err))
        abort();
}

/* In [0, 1), the same everywhere. */
static inline double fake_random(struct fake_study *fake)
{
    fake->random = fake->random * 1664525u + 1013904223u;
    return (double)(fake->random >> 8) / 16777216.0;
}

static inline const char *fake_text(struct fake_study *fake, const char *format, size_t i)
{
    char *text = fake_new(fake, 1, 64);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, 64, format, i);
#pragma GCC diagnostic pop
    return text;
}

static const struct hc_study_column fake_columns[] = {
    {"ettr", "share", "productive time / wall time", true, true, "ETTR", true, 3, 1, "ETTR", 1},
    {"wall_d", "d", "wall time, days", true, true, "wall time", false, 1, 2, "Wall time", 1},
    {"total_gpu_h", "GPU-h", "GPU-hours held, idle standbys included", true, true, "GPU-hours",
     false, 2, 3, "GPU-hours held", 1},
    {"lost_gpu_h", "GPU-h", "GPU-hours of steps that were done again", true, false, "lost work",
     false, 0, 0, NULL, 1},
    {"unproductive_gpu_h", "GPU-h", "GPU-hours held less productive ones", true, false,
     "unproductive GPU-hours", false, 0, 0, "Unproductive", 1},
    {"standby_idle_gpu_h", "GPU-h", "GPU-hours of warm standbys that waited", true, false,
     "idle standbys", false, 0, 0, NULL, 1},
    {"interruptions", "", "number of stops", true, false, "interruptions", false, 0, 0,
     "Interruptions", 1},
    {"mtbf_h", "h", "hours of running between stops", true, false, "time between stops", true, 0, 0,
     "Between stops", 1},
    {"mttr_s", "s", "seconds from a stop to the next step", true, false, "time of a stop", false, 0,
     0, "Length of a stop", 1},
    {"cost", "money", "GPU-hours held times the price", true, false, "cost", false, 0, 0, "Cost",
     1},
};
#define FAKE_N_COLUMNS (sizeof fake_columns / sizeof fake_columns[0])

static inline struct hc_study_value fake_value(double mean, double half)
{
    return (struct hc_study_value){mean, mean - half, mean + half, 4 * half};
}

/* Values of all columns for a job whose ETTR is that. */
static inline void fake_values(struct hc_study_value *value, double ettr, double standby_h)
{
    double wall_d = 90 / ettr, total = wall_d * 24 * 9600 + standby_h;
    value[0] = fake_value(ettr, 0.0004);
    value[1] = fake_value(wall_d, 0.04);
    value[2] = fake_value(total, 9000);
    value[3] = fake_value(total * (1 - ettr) * 0.3, 800);
    value[4] = fake_value(total - 90 * 24 * 9600, 9000);
    value[5] = fake_value(standby_h, standby_h > 0 ? 5 : 0);
    value[6] = fake_value(188.2, 1.1);
    value[7] = fake_value(11.5, 0.08);
    value[8] = fake_value((1 - ettr) * 40000, 9);
    value[9] = fake_value(total * 2.5, 22500);
}

static inline void fake_differences(struct hc_study_value *to, const struct hc_study_value *value,
                                    const struct hc_study_value *base)
{
    for (size_t c = 0; c < FAKE_N_COLUMNS; c++)
        to[c] = fake_value(value[c].mean - base[c].mean,
                           0.3 * (value[c].high - value[c].low) / 2 + 1e-9);
}

/* ---- a config and its summary ---- */

static inline struct hc_lifetime_config *fake_config(struct fake_study *fake, size_t n_faults)
{
    struct hc_lifetime_config *config = fake_new(fake, 1, sizeof *config);
    struct hc_lifetime_fault *faults = fake_new(fake, n_faults, sizeof *faults);
    for (size_t i = 0; i < n_faults; i++) {
        faults[i] = hc_lifetime_fault_defaults();
        faults[i].name = fake_text(fake, "cause %zu", i);
        faults[i].fault_class = (int32_t)(i % 3);
    }
    *config = hc_lifetime_config_defaults();
    config->job.nodes = 1200;
    config->job.gpus_per_node = 8;
    config->job.work_s = 90 * 86400.0;
    config->fault = faults;
    config->n_faults = n_faults;
    return config;
}

static inline void fake_summary(struct fake_study *fake, struct hc_lifetime_summary *summary,
                                const struct hc_lifetime_config *config, uint64_t n)
{
    const hc_gpu_ns hour = (hc_gpu_ns)3600 * 1000000000;
    *summary = (struct hc_lifetime_summary){.n = n, .n_finished = n};
    struct {
        enum hc_what what;
        enum hc_why why;
        int64_t hours;
    } leaves[] = {
        {HC_WHAT_PRODUCTIVE_IDEAL, HC_WHY_NONE, 20736000},
        {HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS, HC_WHY_INFRASTRUCTURE, 41000},
        {HC_WHAT_CHECKPOINT_STALL, HC_WHY_NONE, 34500},
        {HC_WHAT_LOST_WORK, HC_WHY_INFRASTRUCTURE, 152000},
        {HC_WHAT_LOST_WORK, HC_WHY_USER, 31000},
        {HC_WHAT_DETECTION, HC_WHY_INFRASTRUCTURE, 61000},
        {HC_WHAT_LOCALISATION, HC_WHY_INFRASTRUCTURE, 12000},
        {HC_WHAT_RECOVERY, HC_WHY_INFRASTRUCTURE, 23000},
        {HC_WHAT_RECOVERY, HC_WHY_PLANNED, 9000},
        {HC_WHAT_STARTUP_UNSPLIT, HC_WHY_FIRST_START, 1900},
        {HC_WHAT_STARTUP_UNSPLIT, HC_WHY_INFRASTRUCTURE, 80300},
        {HC_WHAT_STARTUP_LOAD, HC_WHY_INFRASTRUCTURE, 44100},
        {HC_WHAT_STANDBY_IDLE, HC_WHY_NONE, 70200},
    };
    for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; i++)
        summary->account.leaf[leaves[i].what][leaves[i].why] =
            hour * leaves[i].hours * (hc_gpu_ns)n;
    for (uint64_t r = 0; r < n; r++) {
        for (size_t i = 0; i < config->n_faults; i++) {
            double faults = floor(1 + 40 / (1 + (double)i) * (0.8 + 0.4 * fake_random(fake)));
            hc_moments_add(&summary->faults[i], faults);
            hc_moments_add(&summary->unproductive_s[i], faults * (600 + 1200 * fake_random(fake)));
        }
        hc_moments_add(&summary->unproductive_s[HC_LIFETIME_MAX_FAULTS], 5000);
        hc_moments_add(&summary->count[HC_COUNT_STOPS], 180 + floor(16 * fake_random(fake)));
        hc_moments_add(&summary->count[HC_COUNT_FAULTS], 190 + floor(16 * fake_random(fake)));
        hc_moments_add(&summary->count[HC_COUNT_EVICTED], 150 + floor(9 * fake_random(fake)));
    }
}

/* ---- a life and a curve ---- */

static inline void fake_span(struct hc_lifetime_trace *life, int64_t length_ns, int32_t what,
                             int32_t cause)
{
    int64_t start_ns = life->n_spans ? life->span[life->n_spans - 1].end_ns : 0;
    life->span[life->n_spans++] = (struct hc_lifetime_span){
        .start_ns = start_ns,
        .end_ns = start_ns + length_ns,
        .what = what,
        .why = HC_WHY_INFRASTRUCTURE,
        .cause = cause,
        .stall_ns = what == HC_WHAT_PRODUCTIVE_IDEAL ? length_ns / 500 : 0,
    };
}

static inline void fake_life(struct fake_study *fake, size_t n_stops, size_t n_causes)
{
    struct hc_lifetime_trace *life = fake_new(fake, 1, sizeof *life);
    const double minute = 60e9;
    life->span = fake_new(fake, n_stops * 8 + 8, sizeof *life->span);
    life->mark = fake_new(fake, n_stops + 1, sizeof *life->mark);
    fake_span(life, (int64_t)(90 * minute), HC_SPAN_QUEUE, -1);
    fake_span(life, (int64_t)(12 * minute), HC_WHAT_STARTUP_UNSPLIT, -1);
    for (size_t i = 0; i < n_stops; i++) {
        int32_t cause = n_causes ? (int32_t)(i % n_causes) : -1;
        double size = fake_random(fake), long_one = i % 40 == 7 ? 20 : 1;
        fake_span(life, (int64_t)((double)FAKE_DAY_NS * 90 / (double)n_stops * (0.2 + 1.6 * size)),
                  HC_WHAT_PRODUCTIVE_IDEAL, -1);
        fake_span(life, (int64_t)(10 * minute * size), HC_WHAT_LOST_WORK, cause);
        life->mark[life->n_marks++] = (struct hc_lifetime_mark){
            .time_ns = life->span[life->n_spans - 1].end_ns, .cause = cause, .name = "mark"};
        fake_span(life, (int64_t)(10 * minute * long_one * size), HC_WHAT_DETECTION, cause);
        fake_span(life, (int64_t)(3 * minute * long_one), HC_WHAT_LOCALISATION, cause);
        fake_span(life, (int64_t)(6 * minute * size), HC_WHAT_RECOVERY, cause);
        fake_span(life, (int64_t)(4 * minute), HC_WHAT_STARTUP_UNSPLIT, cause);
        fake_span(life, (int64_t)(1.5 * minute), HC_WHAT_STARTUP_LOAD, cause);
    }
    hc_life_run_detail(&fake->result.run[0])->life = life;
    fake->result.drawn_replica = 3;
    fake->result.events = "faults";
}

static inline struct hc_lifetime_curve *fake_curve(struct fake_study *fake, double ettr)
{
    struct hc_lifetime_curve *curve = fake_new(fake, 1, sizeof *curve);
    curve->n = 400;
    curve->window_s = 86400;
    curve->n_replicas = 50;
    curve->time_s = fake_new(fake, curve->n, sizeof(double));
    curve->n_alive = fake_new(fake, curve->n, sizeof(int64_t));
    static const double offsets[HC_CURVE_N_LINES] = {0.0005, -1.64, -0.67, 0, 0.67, 1.64};
    for (int line = 0; line < HC_CURVE_N_LINES; line++) {
        curve->cumulative[line] = fake_new(fake, curve->n, sizeof(double));
        curve->sliding[line] = fake_new(fake, curve->n, sizeof(double));
    }
    for (size_t i = 0; i < curve->n; i++) {
        double t = 94.0 * 86400 * (double)(i + 1) / (double)curve->n, wave = sin((double)i / 7);
        curve->time_s[i] = t;
        curve->n_alive[i] = i < 380 ? 50 : i < 399 ? 20 : 1;
        for (int line = 0; line < HC_CURVE_N_LINES; line++) {
            double spread = 0.02 / sqrt(1 + (double)i / 4);
            curve->cumulative[line][i] =
                fmin(1, ettr - 0.1 / (double)(i + 1) + offsets[line] * spread);
            curve->sliding[line][i] =
                i < 4 ? NAN : fmin(1, ettr + 0.004 * wave + offsets[line] * 0.012);
        }
    }
    return curve;
}

/* ---- a study ---- */

/* A study of a base with these causes, and as many runs; the rest is added by those below. */
static inline void fake_study_init(struct fake_study *fake, size_t n_faults, size_t n_runs)
{
    *fake = (struct fake_study){.random = 1};
    struct hc_study_result *result = &fake->result;
    result->engine = "lifetime";
    result->title = "The life of a job, simulated";
    result->one = "life";
    result->many = "lives";
    result->subject = "1,200 nodes of 8 GPUs, 90 d of work";
    result->name = "standbys";
    result->seed = 1;
    result->confidence = 0.95;
    result->column = fake_columns;
    result->n_columns = FAKE_N_COLUMNS;
    result->run = fake_new(fake, n_runs, sizeof *result->run);
    result->n_runs = n_runs;
    result->is_compared = n_runs > 1;
    result->common_random_numbers = true;
    for (size_t r = 0; r < n_runs; r++) {
        struct hc_study_run *run = &result->run[r];
        const struct hc_lifetime_config *config = fake_config(fake, n_faults);
        run->name = r ? fake_text(fake, "variant %zu", r) : "base";
        run->engine = "lifetime";
        run->detail = fake_new(fake, 1, sizeof(struct hc_life_detail));
        hc_life_run_detail(run)->config = config;
        fake_summary(fake, &hc_life_run_detail(run)->summary, config, 50);
        run->n_replicas = hc_life_run_detail(run)->summary.n;
        run->n_finished = hc_life_run_detail(run)->summary.n_finished;
        run->value = fake_new(fake, FAKE_N_COLUMNS, sizeof *run->value);
        fake_values(run->value, 0.9731 + 0.002 * (double)(r % 7), r % 2 ? 8000 : 0);
        hc_life_run_detail(run)->reference =
            (struct hc_study_reference){NAN, false, NAN, NAN, NAN, NULL};
        if (r == 0)
            continue;
        run->difference = fake_new(fake, FAKE_N_COLUMNS, sizeof *run->difference);
        fake_differences(run->difference, run->value, result->run[0].value);
    }
}

/* The last run combines the two before it. */
static inline void fake_interaction(struct fake_study *fake)
{
    struct hc_study_run *run = &fake->result.run[fake->result.n_runs - 1];
    const char **names = fake_new(fake, 2, sizeof *names);
    names[0] = run[-2].name;
    names[1] = run[-1].name;
    run->combines = names;
    run->n_combines = 2;
    run->interaction = fake_new(fake, FAKE_N_COLUMNS, sizeof *run->interaction);
    for (size_t c = 0; c < FAKE_N_COLUMNS; c++)
        run->interaction[c] = fake_value(-0.1 * run->difference[c].mean,
                                         fabs(run->difference[c].mean) * (c % 2 ? 0.2 : 0.02));
}

/* Axes of so many values each; words: values that are no numbers. */
static inline void fake_sweep(struct fake_study *fake, const size_t *sizes, size_t n_axes,
                              bool words)
{
    static const char *const paths[] = {"/recovery/warm_standbys", "/recovery/replenish_h",
                                        "/checkpoint/every_s", "/job/nodes"};
    struct hc_study_result *result = &fake->result;
    struct hc_study_axis *axis = fake_new(fake, n_axes, sizeof *axis);
    result->n_points = 1;
    for (size_t a = 0; a < n_axes; a++) {
        const char **labels = fake_new(fake, sizes[a], sizeof *labels);
        double *numbers = fake_new(fake, sizes[a], sizeof *numbers);
        for (size_t i = 0; i < sizes[a]; i++) {
            numbers[i] = words ? NAN : (double)(i * (a + 1));
            labels[i] = fake_text(fake, words ? "\"choice %zu\"" : "%zu", i * (a + 1));
        }
        axis[a] = (struct hc_study_axis){.path = paths[a % 4],
                                         .unit = a == 1 ? "h" : "",
                                         .n = sizes[a],
                                         .label = labels,
                                         .number = numbers,
                                         .base = HC_STUDY_NONE};
        result->n_points *= sizes[a];
    }
    result->axis = axis;
    result->n_axes = n_axes;
    result->cell = fake_new(fake, result->n_runs * result->n_points, sizeof *result->cell);
    for (size_t i = 0; i < result->n_runs * result->n_points; i++) {
        struct hc_study_cell *cell = &result->cell[i];
        double x = (double)(i % result->n_points) / (double)result->n_points;
        cell->n_replicas = 100;
        cell->n_unfinished = i % 17 == 3;
        cell->value = fake_new(fake, FAKE_N_COLUMNS, sizeof *cell->value);
        fake_values(cell->value, 0.96 + 0.02 * sqrt(x) + 0.001 * (double)(i / result->n_points % 8),
                    20000 * x);
    }
}

static inline void fake_find(struct fake_study *fake, bool is_found)
{
    static const double numbers[] = {0, 1, 2, 4, 8, 16, 32};
    struct hc_study_found *found = &fake->result.found;
    *found = (struct hc_study_found){.is_asked = true,
                                     .is_found = is_found,
                                     .is_smallest = true,
                                     .path = "/recovery/warm_standbys",
                                     .unit = "",
                                     .such_that = is_found ? "ettr.low >= 0.97" : "ettr >= 0.99",
                                     .column = 0,
                                     .bound = is_found ? 0.97 : 0.99,
                                     .number = is_found ? 4 : NAN};
    found->n_tries = sizeof numbers / sizeof numbers[0];
    found->tries = fake_new(fake, found->n_tries, sizeof *found->tries);
    for (size_t i = 0; i < found->n_tries; i++) {
        double ettr = 0.975 - 0.012 / (1 + numbers[i]);
        found->tries[i] = (struct hc_study_try){.number = numbers[i],
                                                .value = fake_value(ettr, 0.0015),
                                                .holds = is_found && ettr - 0.0015 >= 0.97,
                                                .margin = is_found ? fabs(ettr - 0.0015 - 0.97)
                                                                   : fabs(ettr - 0.99)};
    }
}

static inline void fake_tornado(struct fake_study *fake, size_t n)
{
    static const char *const paths[] = {"/checkpoint/every_s", "/faults/machine/per_1000_node_days",
                                        "/faults/hang/detect_s", "/recovery/warm_standbys"};
    struct hc_study_bar *bars = fake_new(fake, n, sizeof *bars);
    for (size_t i = 0; i < n; i++) {
        double wide = 0.008 / (double)(i + 1);
        bars[i] = (struct hc_study_bar){
            .path = paths[i % 4],
            .unit = i % 4 == 0 || i % 4 == 2 ? "s" : "",
            .low = 60,
            .high = 1200,
            .base = i == 1 ? NAN : 300,
            .at_low = fake_value(0.9731 + wide, 0.0006),
            .at_high = fake_value(i == 3 ? 0.9731 + wide / 2 : 0.9731 - 1.4 * wide, 0.0006)};
    }
    fake->result.bar = bars;
    fake->result.n_bars = n;
    fake->result.bar_column = &fake_columns[0];
}

/* All sections at once. */
static inline void fake_study_full(struct fake_study *fake, size_t n_faults, size_t n_runs)
{
    static const struct hc_study_input inputs[] = {
        {"scenarios/standbys.json",
         "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}};
    static const char *const notes[] = {"3.2 recorded incidents of a life met a job that stood "
                                        "anyway, and were absorbed"};
    struct hc_study_result *result = &fake->result;
    fake_study_init(fake, n_faults, n_runs);
    result->question = "How many warm standbys for 97 % ETTR?";
    result->scenario = "{\"schema\": \"hindcast/scenario/1\", \"job\": {\"nodes\": 1200}, "
                       "\"checkpoint\": {\"every_s\": 4}, \"sweep\": []}";
    result->inputs = inputs;
    result->n_inputs = 1;
    result->notes = notes;
    result->n_notes = 1;
    result->price_per_gpu_h = 2.5;
    for (size_t r = 0; r < n_runs; r++) {
        hc_life_run_detail(&result->run[r])->curve = fake_curve(fake, result->run[r].value[0].mean);
        hc_life_run_detail(&result->run[r])->reference =
            (struct hc_study_reference){41400, false, 0.9741, 0.9736, 263.5, NULL};
    }
    if (n_runs > 3)
        fake_interaction(fake);
    fake_find(fake, true);
    fake_tornado(fake, 4);
    fake_life(fake, 180, n_faults);
}

#endif
