/* What stands beside the tree of installed GPU-time: waits and slowdowns, backlog, free nodes,
 * looks at the queue; days of zones, and since when nodes are there. */
#include "core/base/missing.h"
#include "core/base/zone.h"
#include "core/random/philox.h"
#include "models/capacity/capacity_result.h"
#include "pipeline/capacity/capacity_days.h"
#include "pipeline/capacity/node_inventory.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define S    ((int64_t)1000000000)
#define HOUR (3600 * S)
#define DAY  (24 * HOUR)

static struct hc_error err;
static const int64_t two_days[] = {0, DAY, 2 * DAY};

/* ---- waits ---- */

static void add_wait(struct hc_job_waits *waits, int64_t wait_s, int64_t run_s, const char *size,
                     const char *user)
{
    const struct hc_job_wait job = {.wait_ns = wait_s * S,
                                    .run_ns = run_s < 0 ? HC_MISSING_I64 : run_s * S,
                                    .gpus = 2,
                                    .name = {[HC_WAITS_BY_SIZE] = size, [HC_WAITS_BY_USER] = user}};
    ck_assert(hc_job_waits_add(waits, &job, &err) == HC_OK);
}

static const struct hc_wait_group *find(const struct hc_job_waits *waits, enum hc_wait_grouping by,
                                        const char *name)
{
    for (size_t i = 0; i < waits->n_groups; i++) {
        const char *has = waits->groups[i].name;
        if (waits->groups[i].by == by && (has && name ? strcmp(has, name) == 0 : has == name))
            return &waits->groups[i];
    }
    ck_abort_msg("no group '%s'", name ? name : "none");
    return NULL;
}

START_TEST(waits_by_hand)
{
    struct hc_job_waits waits = {0};
    add_wait(&waits, 100, 100, "small", "ann"); /* slowdown 2, bounded 2 */
    add_wait(&waits, 99, 1, "small", "bob");    /* slowdown 100, bounded 10 */
    add_wait(&waits, 0, 1, "large", "ann");     /* 1, bounded 1 and not 0.1 */
    add_wait(&waits, -5, 0, "large", NULL);     /* no slowdown; bounded 1 */
    add_wait(&waits, 3, -1, "large", "ann");    /* runs still */
    ck_assert(hc_job_waits_end(&waits, &err) == HC_OK);
    const struct hc_wait_group *all = find(&waits, HC_WAITS_OF_ALL, NULL);
    ck_assert_int_eq(all->n, 5);
    ck_assert_int_eq(all->n_ended, 4);
    ck_assert_double_eq_tol(all->gpu_wait_hours, 2 * 202 / 3600.0, 1e-12);
    ck_assert_double_eq(all->of[HC_WAIT_S].median, 3);
    ck_assert_double_eq(all->of[HC_WAIT_S].p90, 100);
    ck_assert_double_eq(all->of[HC_RUN_S].median, 1);
    ck_assert_double_eq_tol(all->of[HC_SLOWDOWN].mean, 103 / 3.0, 1e-6);
    ck_assert_double_eq(all->of[HC_SLOWDOWN].median, 2);
    ck_assert_double_eq(all->of[HC_BOUNDED_SLOWDOWN].mean, 14 / 4.0);
    ck_assert_double_eq(all->of[HC_BOUNDED_SLOWDOWN].p99, 10);
    const struct hc_wait_group *ann = find(&waits, HC_WAITS_BY_USER, "ann");
    ck_assert_int_eq(ann->n, 3);
    ck_assert_double_eq(ann->of[HC_WAIT_S].median, 3);
    ck_assert_int_eq(find(&waits, HC_WAITS_BY_USER, NULL)->n, 1);
    ck_assert(isnan(find(&waits, HC_WAITS_BY_USER, NULL)->of[HC_SLOWDOWN].median));
    ck_assert_str_eq(waits.groups[1].name, "large"); /* most attempts first */
    ck_assert_int_eq(find(&waits, HC_WAITS_BY_PARTITION, NULL)->n, 5);
    hc_job_waits_fini(&waits);
}
END_TEST

START_TEST(no_waits)
{
    struct hc_job_waits waits = {0};
    ck_assert(hc_job_waits_end(&waits, &err) == HC_OK);
    ck_assert_int_eq(waits.n_groups, 0);
    hc_job_waits_fini(&waits);
}
END_TEST

/* Bins give the same as all values to 1.6 %, and sums exactly; the order is of no matter. */
START_TEST(bins_as_values)
{
    static const char *const users[] = {"a", "b", "c"};
    struct hc_job_waits waits[2] = {{.most_rows = 0}, {.most_rows = 500}};
    struct hc_philox rng;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 4000; i++) {
            hc_philox_seek(&rng, 15, (uint64_t)(pass ? 3999 - i : i), 0);
            int64_t wait_s = (int64_t)(1 / (1e-6 + hc_philox_uniform(&rng)));
            int64_t run_s = (int64_t)hc_philox_integer(&rng, 100000);
            add_wait(&waits[pass], wait_s, run_s, "x", users[hc_philox_integer(&rng, 3)]);
        }
        ck_assert(hc_job_waits_end(&waits[pass], &err) == HC_OK);
    }
    ck_assert(!waits[0].is_binned && waits[1].is_binned);
    ck_assert_int_eq(waits[0].n_groups, waits[1].n_groups);
    for (size_t i = 0; i < waits[0].n_groups; i++) {
        const struct hc_wait_group *exact = &waits[0].groups[i], *binned = &waits[1].groups[i];
        ck_assert(exact->n == binned->n && exact->gpu_wait_hours == binned->gpu_wait_hours);
        for (int m = 0; m < HC_N_WAIT_MEASURES; m++) {
            const struct hc_wait_spread *x = &exact->of[m], *y = &binned->of[m];
            ck_assert(x->mean == y->mean);
            ck_assert_double_le(fabs(x->median - y->median), 0.0001 + 0.016 * x->median);
            ck_assert_double_le(fabs(x->p90 - y->p90), 0.0001 + 0.016 * x->p90);
            ck_assert_double_le(fabs(x->p99 - y->p99), 0.0001 + 0.016 * x->p99);
        }
    }
    hc_job_waits_fini(&waits[0]);
    hc_job_waits_fini(&waits[1]);
}
END_TEST

/* ---- backlog ---- */

START_TEST(backlog_by_hand)
{
    struct hc_backlog backlog = {.day_ns = two_days, .n_days = 2};
    const struct hc_backlog_job jobs[] = {
        {HOUR, DAY, 8, HOUR, HC_MISSING_I64},               /* began as the day ended */
        {HOUR, DAY + 1, 8, 2 * HOUR, HOUR},                 /* waits at the first end */
        {DAY, HC_MISSING_I64, 4, HC_MISSING_I64, 3 * HOUR}, /* from that end on, by its limit */
        {3 * DAY, HC_MISSING_I64, 4, HOUR, HOUR},
        {-DAY, 2 * DAY + 1, 1, HC_MISSING_I64, HC_MISSING_I64},
    };
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        ck_assert(hc_backlog_add(&backlog, &jobs[i], &err) == HC_OK);
    ck_assert_int_eq(backlog.days[0].jobs, 3);
    ck_assert_int_eq(backlog.days[0].gpus, 8 + 4 + 1);
    ck_assert(backlog.days[0].work_gpu_ns == (hc_capacity_ns)((16 + 12) * HOUR));
    ck_assert(backlog.days[0].limit_gpu_ns == (hc_capacity_ns)(12 * HOUR));
    ck_assert_int_eq(backlog.days[0].n_unknown, 1);
    ck_assert_int_eq(backlog.days[1].jobs, 2);
    ck_assert_int_eq(backlog.days[1].gpus, 4 + 1);
    hc_backlog_fini(&backlog);
}
END_TEST

/* ---- free nodes ---- */

START_TEST(free_nodes_by_hand)
{
    struct hc_capacity capacity = {.day_ns = two_days, .n_days = 2};
    struct hc_free_nodes nodes = {.day_ns = two_days, .n_days = 2};
    const struct hc_capacity_watch watch = {.context = &nodes, .span = hc_free_nodes_take};
    for (int32_t i = 0, node; i < 3; i++) {
        const char *const names[] = {"a", "b", "c"};
        const struct hc_capacity_inventory gpus = {0, i, 8, false};
        ck_assert(!hc_capacity_node(&capacity, names[i], &node, &err) && node == i);
        ck_assert(!hc_capacity_add_inventory(&capacity, &gpus, &err));
    }
    const struct hc_capacity_allocation held[] = {
        {0, 12 * HOUR, 0, 8}, {6 * HOUR, DAY, 1, 1}, {11 * HOUR, 12 * HOUR, 2, 4}};
    for (size_t i = 0; i < 3; i++)
        ck_assert(!hc_capacity_add_allocation(&capacity, &held[i], &err));
    const struct hc_capacity_state down = {
        DAY + HOUR, DAY + 2 * HOUR, 2, HC_NODE_HISTORY, {HC_NODE_DOWN, 0}};
    ck_assert(!hc_capacity_add_state(&capacity, &down, &err));
    ck_assert(!hc_capacity_finish(&capacity, &watch, &err));
    ck_assert(!hc_free_nodes_end(&nodes, &err));
    /* a from 12 on; b to 6, and the second day; c but for one hour of each day */
    ck_assert(nodes.days[0].node_ns == (hc_capacity_ns)((12 + 6 + 23) * HOUR));
    ck_assert(nodes.days[0].gpu_ns == (hc_capacity_ns)(8 * 41 * HOUR));
    ck_assert_int_eq(nodes.days[0].least, 0);
    ck_assert_int_eq(nodes.days[0].most, 2);
    ck_assert_int_eq(nodes.days[1].least, 2);
    ck_assert_int_eq(nodes.days[1].most, 3);
    ck_assert_int_eq(nodes.days[1].most_gpus, 24);
    ck_assert(nodes.days[1].node_ns == (hc_capacity_ns)(71 * HOUR));
    ck_assert(capacity.total.partly_used == (hc_capacity_ns)((18 * 7 + 4) * HOUR));
    hc_free_nodes_fini(&nodes);
    hc_capacity_fini(&capacity);
}
END_TEST

/* ---- looks ---- */

START_TEST(looks_by_hand)
{
    struct hc_queue_looks looks = {.from_ns = HOUR, .to_ns = 3 * HOUR};
    const struct {
        int64_t at_ns;
        int wait;
        int64_t gpus;
    } rows[] = {
        {HOUR - 300 * S, HC_WAITS_RESOURCES, 8}, /* 10 minutes of it are in the time */
        {2 * HOUR, -1, 0},                       /* nobody waits */
        {2 * HOUR + 300 * S, HC_WAITS_LIMIT, 4},
        {2 * HOUR + 300 * S, HC_WAITS_RESOURCES, 2},
        {2 * HOUR, HC_N_QUEUE_WAITS, 1}, /* of another source, and nothing is said */
        {4 * HOUR, HC_WAITS_RESOURCES, 99},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert(!hc_queue_looks_add(&looks, rows[i].at_ns, rows[i].wait, rows[i].gpus, &err));
    hc_queue_looks_end(&looks);
    ck_assert_int_eq(looks.n_looks, 3);
    ck_assert_int_eq(looks.known_ns, (600 + 300 + 900) * S);
    ck_assert(looks.waiting[HC_WAITS_RESOURCES].gpu_ns ==
              (hc_capacity_ns)((8 * 600 + 2 * 900) * S));
    ck_assert_int_eq(looks.waiting[HC_WAITS_RESOURCES].most_gpus, 8);
    ck_assert(looks.waiting[HC_WAITS_LIMIT].gpu_ns == (hc_capacity_ns)(4 * 900 * S));
    ck_assert(looks.waiting[HC_N_QUEUE_WAITS].job_ns == (hc_capacity_ns)(300 * S));
    hc_queue_looks_fini(&looks);
}
END_TEST

/* ---- days ---- */

static size_t days_of(const char *zone_name, int64_t from_s, int64_t to_s, int64_t lengths_h[8])
{
    struct hc_zone zone;
    const int64_t window_ns[] = {from_s * S, to_s * S};
    int64_t *days;
    size_t n;
    ck_assert(hc_zone_init(&zone, zone_name, &err) == HC_OK);
    ck_assert_msg(hc_capacity_days_make(&days, &n, &zone, window_ns, &err) == HC_OK, "%s",
                  err.message);
    ck_assert(days[0] == window_ns[0] && days[n] == window_ns[1]);
    for (size_t i = 0; i < n && i < 8; i++)
        lengths_h[i] = (days[i + 1] - days[i]) / HOUR;
    free(days);
    hc_zone_fini(&zone);
    return n;
}

START_TEST(days_of_zones)
{
    int64_t h[8];
    int64_t march = 1774652400, october = 1792792800; /* 28 March, 24 October, midnight in Berlin */
    ck_assert_int_eq(days_of("Europe/Berlin", march, march + 71 * 3600, h), 3);
    ck_assert(h[0] == 24 && h[1] == 23 && h[2] == 24);
    ck_assert_int_eq(days_of("Europe/Berlin", october, october + 73 * 3600, h), 3);
    ck_assert(h[0] == 24 && h[1] == 25 && h[2] == 24);
    ck_assert_int_eq(days_of("Europe/Berlin", march + 3600, march + 2 * 3600, h), 1);
    ck_assert_int_eq(days_of("UTC", march, march + 71 * 3600, h), 4); /* from 23:00 on */
    ck_assert(h[0] == 1 && h[1] == 24 && h[2] == 24 && h[3] == 22);
    ck_assert_int_eq(days_of("+05:30", 0, 86400, h), 2);
    ck_assert(h[0] == 18 && h[1] == 5); /* 18.5 and 5.5 */
    ck_assert_int_eq(days_of("UTC", -3600, 3600, h), 2);
}
END_TEST

START_TEST(days_refused)
{
    const struct hc_zone utc = {0};
    int64_t *days;
    size_t n;
    ck_assert(hc_capacity_days_make(&days, &n, &utc, (const int64_t[]){5, 5}, &err) ==
              HC_BAD_INPUT);
    ck_assert(hc_capacity_days_make(&days, &n, &utc, (const int64_t[]){INT64_MAX, INT64_MIN},
                                    &err) == HC_BAD_INPUT);
    ck_assert(hc_capacity_days_make(&days, &n, &utc, (const int64_t[]){INT64_MIN, INT64_MAX},
                                    &err) == HC_BAD_INPUT);
    ck_assert(!days);
}
END_TEST

/* ---- inventory ---- */

static struct hc_node_inventory inventory;

static void list(int32_t node, int64_t at_ns, int32_t gpus)
{
    ck_assert(!hc_node_inventory_tell(&inventory, node, at_ns, at_ns, &err));
    ck_assert(!hc_node_inventory_list(&inventory, node, at_ns, &err));
    ck_assert(!hc_node_inventory_see(&inventory, node, at_ns, gpus, &err));
}

/* Looks each 12 hours from 12 on: node 0 is in all, 1 from the second on and had a job before it, 2
 * in the first only, 3 in the first only with a job later, 4 in none, by the site. */
START_TEST(since_when_nodes_are)
{
    struct hc_capacity capacity = {.day_ns = two_days, .n_days = 2};
    const char *const names[] = {"0", "1", "2", "3", "4"};
    int32_t node;
    inventory = (struct hc_node_inventory){0};
    for (int i = 0; i < 5; i++)
        ck_assert(!hc_capacity_node(&capacity, names[i], &node, &err));
    for (int i = 1; i <= 3; i++) {
        list(0, 12 * i * HOUR, i < 3 ? 4 : 8);
        if (i > 1)
            list(1, 12 * i * HOUR, 8);
        else {
            list(2, 12 * HOUR, 2);
            list(3, 12 * HOUR, 1);
        }
    }
    ck_assert(!hc_node_inventory_tell(&inventory, 1, 18 * HOUR, 19 * HOUR, &err));
    ck_assert(!hc_node_inventory_tell(&inventory, 3, 40 * HOUR, 41 * HOUR, &err));
    ck_assert(!hc_node_inventory_tell(&inventory, 4, 6 * HOUR, 7 * HOUR, &err));
    hc_node_inventory_of(&inventory, 4, &err)->site_gpus = 3;
    ck_assert(!hc_node_inventory_end(&inventory, &capacity, 0, &err));
    ck_assert(!hc_capacity_finish(&capacity, NULL, &err));
    const int64_t gpu_hours[] = {36 * 4 + 12 * 8, 30 * 8, 24 * 2, 48 * 1, 42 * 3};
    const int64_t assumed[] = {12 * 4, 6 * 8, 12 * 2, 12 * 1, 42 * 3};
    for (int i = 0; i < 5; i++) {
        ck_assert_msg(hc_capacity_installed(&capacity.by_node[i]) ==
                          (hc_capacity_ns)(gpu_hours[i] * HOUR),
                      "node %d", i);
        ck_assert_msg(capacity.by_node[i].assumed == (hc_capacity_ns)(assumed[i] * HOUR),
                      "node %d, assumed", i);
    }
    ck_assert_int_eq(inventory.n_gone, 1);
    ck_assert_int_eq(inventory.n_by_site, 1);
    hc_node_inventory_fini(&inventory);
    hc_capacity_fini(&capacity);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("capacity_parts");
    TCase *tests = tcase_create("parts");
    tcase_add_test(tests, waits_by_hand);
    tcase_add_test(tests, no_waits);
    tcase_add_test(tests, bins_as_values);
    tcase_add_test(tests, backlog_by_hand);
    tcase_add_test(tests, free_nodes_by_hand);
    tcase_add_test(tests, looks_by_hand);
    tcase_add_test(tests, days_of_zones);
    tcase_add_test(tests, days_refused);
    tcase_add_test(tests, since_when_nodes_are);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
