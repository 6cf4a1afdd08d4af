/* fake_fleet.h - made-up fleets, for the tests of their figures and views. */
#ifndef HC_TESTS_UNIT_FAKE_FLEET_H
#define HC_TESTS_UNIT_FAKE_FLEET_H

#include "core/random/philox.h"
#include "core/random/stable_math.h"
#include "core/tables/table.h"
#include "reports/fleet/fleet_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An analysed job of S and so many GPUs (0: not known) that was traced for an hour, and about which
 * nothing else is known. */
static inline struct hc_fleet_row fake_row(const char *id, double slowdown, int64_t n_gpus)
{
    struct hc_fleet_row row = {.cluster = "default",
                               .fate = HC_FLEET_ANALYSED,
                               .dp_size = 4,
                               .pp_size = 4,
                               .vpp_size = 1,
                               .tp_size = HC_MISSING_I32,
                               .n_gpus = n_gpus,
                               .n_ops = 1000,
                               .n_steps = 20,
                               .slowdown = slowdown,
                               .waste = 1 - 1 / slowdown,
                               .cause = HC_STRAGGLER_NONE};
    row.job_id = (char *)id;
    row.gpu_hours_traced = n_gpus > 0 ? (double)n_gpus : NAN;
    row.gpu_hours_lost = row.gpu_hours_traced * row.waste;
    row.mean_traced_s = row.mean_replayed_s = slowdown;
    row.mean_ideal_s = 1;
    row.launch_slowdown = 1.01;
    row.discrepancy = 0.01;
    row.slowdown_interval = (struct hc_interval){NAN, NAN};
    row.m_w = row.m_s = row.correlation = row.max_worker = NAN;
    row.culprit_since = row.culprit_until = HC_MISSING_I32;
    row.culprit_factor = row.culprit_duty = row.culprit_share = NAN;
    return row;
}

/* A job that was discarded, of which only the GPU-hours are known, or not even they (NaN). */
static inline struct hc_fleet_row fake_discarded(const char *id, enum hc_fleet_fate fate,
                                                 double hours)
{
    struct hc_fleet_row row = fake_row(id, NAN, isnan(hours) ? 0 : 128);
    row.fate = fate;
    row.gpu_hours_traced = hours;
    row.waste = row.gpu_hours_lost = row.launch_slowdown = row.discrepancy = NAN;
    row.dp_size = row.pp_size = row.vpp_size = HC_MISSING_I32;
    row.n_steps = row.n_ops = 0;
    snprintf(row.detail, sizeof row.detail, "made up, \"%s\"", id);
    return row;
}

static inline void fake_types(struct hc_fleet_row *row, struct hc_philox *rng)
{
    static const char *const names[] = {"backward-compute",     "backward-pp-comm",
                                        "forward-compute",      "forward-pp-comm",
                                        "grads-reduce-scatter", "optimizer"};
    static const double parts[] = {0.7, 0.08, 0.4, 0.1, 0.05, 0.01};
    row->n_types = sizeof names / sizeof names[0];
    for (size_t t = 0; t < row->n_types; t++) {
        strcpy(row->types[t].name, names[t]);
        row->types[t].slowdown =
            1 + (row->slowdown - 1) * parts[t] * (0.5 + hc_philox_uniform(rng));
    }
}

static inline void fake_metrics(struct hc_fleet_row *row, struct hc_philox *rng)
{
    double u = hc_philox_uniform(rng);
    row->pp_size = hc_philox_uniform(rng) < 0.2 ? 1 : 8;
    row->m_w = u < 0.05 ? 0.6 + 4 * u : 0.3 * hc_philox_uniform(rng);
    row->m_s = row->pp_size == 1 ? 0 : hc_philox_uniform(rng);
    row->correlation = u > 0.6 ? 0.9 + 0.09 * u : u;
    row->cause = row->m_w > 0.5            ? HC_STRAGGLER_WORKER
                 : row->m_s >= 0.5         ? HC_STRAGGLER_STAGE
                 : row->correlation >= 0.9 ? HC_STRAGGLER_SEQUENCE
                 : u < 0.2                 ? HC_STRAGGLER_GC
                                           : HC_STRAGGLER_UNEXPLAINED;
    if (row->cause == HC_STRAGGLER_STAGE && row->correlation >= 0.9)
        row->also = 1u << HC_STRAGGLER_SEQUENCE;
    row->max_worker = 1 + (row->slowdown - 1) * 0.8;
    if (row->cause == HC_STRAGGLER_WORKER) {
        strcpy(row->culprit, "rank 9 (dp 2, stage 1), from step 114 on, in 6 of 20 steps: 1.60 "
                             "times");
        row->culprit_kind = HC_CULPRIT_WORKER;
        row->culprit_since = 114;
        row->culprit_until = 119;
        row->culprit_factor = 1.6;
        row->culprit_duty = 0.3;
        row->culprit_share = row->m_w;
    }
}

/* Job number i of a fleet that looks like one: its name, fate and figures are drawn by i. */
static inline struct hc_fleet_row fake_drawn(size_t i, char *id)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, 7, i, 0);
    double u = hc_philox_uniform(&rng), z = hc_philox_normal(&rng);
    if (u < 0.12)
        return fake_discarded(id, HC_FLEET_RESTARTED + (int)(u / 0.03), u < 0.03 ? NAN : 300);
    double slowdown = 1 + 0.09 * hc_stable_exp(0.9 * z);
    int64_t n_gpus = 8 << hc_philox_integer(&rng, 10);
    struct hc_fleet_row row = fake_row(id, slowdown, i % 17 == 5 ? 0 : n_gpus);
    row.discrepancy = 0.013 * hc_stable_exp(0.8 * hc_philox_normal(&rng));
    row.gpu_hours_traced *= row.n_gpus > 0 ? 0.5 + hc_philox_uniform(&rng) : NAN;
    row.gpu_hours_lost = row.gpu_hours_traced * row.waste * 0.99;
    row.slowdown_interval = (struct hc_interval){slowdown * 0.98, slowdown * 1.02};
    row.launch_slowdown = 1 + 0.02 * hc_philox_uniform(&rng);
    fake_metrics(&row, &rng);
    if (slowdown < 1.1) {
        row.cause = HC_STRAGGLER_NONE;
        row.also = 0;
    }
    fake_types(&row, &rng);
    row.n_sampled = HC_FLEET_SAMPLED_STEPS;
    for (size_t s = 0; s < row.n_sampled; s++)
        row.sampled[s] = 1 + 0.03 * hc_philox_normal(&rng);
    if (row.discrepancy > 0.05)
        row.fate = HC_FLEET_DISCREPANCY;
    return row;
}

/* n jobs in the order of their ids, which the caller frees with fake_fleet_free. */
static inline struct hc_fleet_row *fake_fleet(size_t n)
{
    struct hc_fleet_row *rows = calloc(n + 1, sizeof *rows);
    for (size_t i = 0; i < n; i++) {
        char *id = malloc(32);
        snprintf(id, 32, i % 13 == 4 ? "train<%05zu>, \"b\" & co" : "train-%05zu", i);
        rows[i] = fake_drawn(i, id);
    }
    return rows;
}

static inline void fake_fleet_free(struct hc_fleet_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(rows[i].job_id);
    free(rows);
}

/* The caller's to fake_fleet_report_fini, before its rows are freed. */
static inline struct hc_fleet_report fake_fleet_report(const struct hc_fleet_row *rows, size_t n)
{
    struct hc_error err = {.message = ""};
    struct hc_fleet_summary *summary = calloc(1, sizeof *summary);
    if (hc_fleet_summarise(summary, rows, n, &err)) {
        fprintf(stderr, "fake_fleet_report: %s\n", err.message);
        abort();
    }
    return (struct hc_fleet_report){.rows = rows,
                                    .n_rows = n,
                                    .summary = summary,
                                    .archive = "/data/archive",
                                    .options = "threshold 1.0",
                                    .max_attempts = 15,
                                    .min_steps = 3,
                                    .max_discrepancy = 0.05,
                                    .pages = "jobs"};
}

static inline void fake_fleet_report_fini(struct hc_fleet_report *report)
{
    struct hc_fleet_summary *summary = (struct hc_fleet_summary *)report->summary;
    hc_fleet_summary_fini(summary);
    free(summary);
}

#endif
