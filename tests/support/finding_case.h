/* finding_case.h - a small input of findings, to be filled by hand. Days are of 24 hours; the
 * series have the days of look-back, of the baseline, and those between, and a week. */
#ifndef HC_TESTS_FINDING_CASE_H
#define HC_TESTS_FINDING_CASE_H

#include "core/random/stable_math.h"
#include "models/findings/findings.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define N_DAYS  98 /* the days of look-back, of the baseline, and those between, and a week */
#define TODAY   (N_DAYS - 1)
#define MOST    64
#define HOUR_NS INT64_C(3600000000000)
#define FIRST   20000 /* 2024-10-04 */

static struct hc_error err;

/* ---- a small input ---- */

static struct {
    struct hc_findings_input input;
    struct hc_findings_options options;
    struct hc_finding_series series[MOST];
    double amount[MOST][N_DAYS], exposure[MOST][N_DAYS], error[MOST][N_DAYS];
    double gpu_hours[MOST][N_DAYS];
    struct hc_finding_failure failures[MOST][40];
    struct hc_failure_end ends[400];
    int64_t start[N_DAYS + 1];
} s;
static struct hc_findings found;

static inline void setup(void)
{
    memset(&s, 0, sizeof s);
    s.options = hc_findings_defaults();
    for (int day = 0; day <= N_DAYS; day++)
        s.start[day] = 24 * HOUR_NS * day;
    s.input = (struct hc_findings_input){.n_days = N_DAYS,
                                         .first_day = FIRST,
                                         .series = s.series,
                                         .ends = s.ends,
                                         .day_start_ns = s.start};
}

static inline void teardown(void)
{
    hc_findings_fini(&found);
}

static inline int add(enum hc_finding_kind kind, const char *subject, double exposure)
{
    int i = (int)s.input.n_series++;
    ck_assert_int_lt(i, MOST);
    s.series[i] = (struct hc_finding_series){.kind = kind,
                                             .subject = subject,
                                             .amount = s.amount[i],
                                             .exposure = s.exposure[i],
                                             .error = s.error[i],
                                             .gpu_hours = s.gpu_hours[i],
                                             .failures = s.failures[i]};
    if (kind == HC_FINDING_LEMON_NODE)
        s.series[i].amount = NULL;
    for (int day = 0; day < N_DAYS; day++)
        s.exposure[i][day] = exposure;
    return i;
}

static inline void put_failure(int i, int day, uint64_t run, double weight)
{
    s.failures[i][s.series[i].n_failures++] =
        (struct hc_finding_failure){.day = day, .run = run, .source = 1, .weight = weight};
}

static inline void run(void)
{
    hc_findings_fini(&found);
    ck_assert_msg(hc_findings_run(&found, &s.input, &s.options, &err) == HC_OK, "%s", err.message);
}

static inline const struct hc_finding *finding_of(const char *subject)
{
    for (size_t i = 0; i < found.n; i++)
        if (strcmp(found.rows[i].subject, subject) == 0)
            return &found.rows[i];
    return NULL;
}

/* Days that differ a little and have no pattern: within 1 of 0, the same for all tests. */
static inline double wiggle(int day, int which)
{
    return (double)((day * 7919 + which * 104729) % 1009) / 504 - 1;
}

static const char *const node_names[40] = {"n00", "n01", "n02", "n03", "n04", "n05", "n06", "n07",
                                           "n08", "n09", "n10", "n11", "n12", "n13", "n14", "n15",
                                           "n16", "n17", "n18", "n19", "n20", "n21", "n22", "n23",
                                           "n24", "n25", "n26", "n27", "n28", "n29", "n30", "n31",
                                           "n32", "n33", "n34", "n35", "n36", "n37", "n38", "n39"};

/* 40 nodes; every fourth one failed once in the window, a different day each. */
static inline void add_nodes(void)
{
    for (int i = 0; i < 40; i++) {
        add(HC_FINDING_LEMON_NODE, node_names[i], 1);
        if (i % 4 == 1)
            put_failure(i, TODAY - 2 * (i / 4), 100 + (uint64_t)i, 1);
    }
}

static inline void set_level(int i, int day, double value)
{
    s.amount[i][day] = value;
    s.error[i][day] = 0.02;
}

static inline struct hc_failure_end *end_at(int day, double second, const char *job,
                                            const char *user)
{
    struct hc_failure_end *end = &s.ends[s.input.n_ends++];
    *end = (struct hc_failure_end){.time_ns = s.start[day] + (int64_t)(second * 1e9),
                                   .job = job,
                                   .user = user,
                                   .place = {[HC_PLACE_PARTITION] = "gpu"},
                                   .gpu_hours = 10};
    return end;
}

/* A failure a day, of four users. */
static inline void add_ends(void)
{
    static char names[N_DAYS][16];
    static const char *const users[] = {"ada", "bo", "cy", "dee"};
    for (int day = 0; day < N_DAYS; day++) {
        snprintf(names[day], sizeof names[day], "d%d", day);
        end_at(day, 500.0 * (day % 100), names[day], users[day % 4])->place[HC_PLACE_RACK] = "r1";
    }
}

#endif
