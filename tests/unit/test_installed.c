/* Where installed GPU-time went: cases by hand, and pairs of inputs that must agree. */
#include "core/base/missing.h"
#include "models/capacity/installed.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define S    ((int64_t)1000000000)
#define HOUR (3600 * S)
#define DAY  (24 * HOUR)

static struct hc_capacity capacity;
static struct hc_error err;
static const int64_t two_days[] = {0, DAY, 2 * DAY};

static void begin(void)
{
    capacity = (struct hc_capacity){.day_ns = two_days, .n_days = 2};
}

static void finish(const struct hc_capacity_watch *watch)
{
    ck_assert_msg(hc_capacity_finish(&capacity, watch, &err) == HC_OK, "%s", err.message);
}

static int32_t node_of(const char *name)
{
    int32_t node;
    ck_assert(hc_capacity_node(&capacity, name, &node, &err) == HC_OK);
    return node;
}

static void add_gpus(const char *node, int64_t from_ns, int32_t gpus)
{
    const struct hc_capacity_inventory row = {
        .from_ns = from_ns, .node = node_of(node), .gpus = gpus};
    ck_assert(hc_capacity_add_inventory(&capacity, &row, &err) == HC_OK);
}

static void add_job(const char *node, int64_t from_ns, int64_t to_ns, int32_t gpus)
{
    const struct hc_capacity_allocation row = {from_ns, to_ns, node_of(node), gpus};
    ck_assert(hc_capacity_add_allocation(&capacity, &row, &err) == HC_OK);
}

static void add_state(const char *node, enum hc_node_knowledge how, int64_t since_ns,
                      int64_t until_ns, const char *text)
{
    struct hc_capacity_state row = {since_ns, until_ns, node_of(node), how, {0}};
    ck_assert(hc_node_state_add(&row.state, text, strlen(text)));
    ck_assert(hc_capacity_add_state(&capacity, &row, &err) == HC_OK);
}

static void add_look(int64_t at_ns, const char *partition)
{
    ck_assert((partition ? hc_capacity_add_demand(&capacity, at_ns, partition, &err)
                         : hc_capacity_add_look(&capacity, at_ns, &err)) == HC_OK);
}

/* GPU-hours of a leaf, which must be whole. */
static int64_t hours(const struct hc_capacity_sum *sum, enum hc_capacity_leaf leaf)
{
    ck_assert(sum->leaf[leaf] % (hc_capacity_ns)HOUR == 0);
    return (int64_t)(sum->leaf[leaf] / (hc_capacity_ns)HOUR);
}

static int64_t total(enum hc_capacity_leaf leaf)
{
    return hours(&capacity.total, leaf);
}

/* Both sums are the whole. */
static void check_sums(void)
{
    hc_capacity_ns of_nodes = 0, of_days = 0;
    for (size_t i = 0; i < capacity.nodes.n; i++)
        of_nodes += hc_capacity_installed(&capacity.by_node[i]);
    for (size_t i = 0; i < capacity.n_days; i++)
        of_days += hc_capacity_installed(&capacity.by_day[i]);
    ck_assert(of_nodes == of_days && of_days == hc_capacity_installed(&capacity.total));
}

/* ---- by hand ---- */

START_TEST(order_of_leaves)
{
    begin();
    add_gpus("n1", 0, 8);
    add_job("n1.site.org", 2 * HOUR, 6 * HOUR, 3);
    add_job("n1", 4 * HOUR, 6 * HOUR, 5);
    add_state("n1", HC_NODE_HISTORY, 5 * HOUR, 9 * HOUR, "DRAIN");
    add_state("n1", HC_NODE_HISTORY, 8 * HOUR, 10 * HOUR, "DOWN*+DRAIN");
    add_state("n1", HC_NODE_PLAN, 7 * HOUR, 12 * HOUR, "RESERVED+MAINT");
    add_state("n1", HC_NODE_PLAN, 11 * HOUR, 14 * HOUR, "RESERVED");
    finish(NULL);
    ck_assert_int_eq(capacity.nodes.n, 1);
    ck_assert_int_eq(total(HC_CAPACITY_ALLOCATED), 3 * 4 + 5 * 2);
    ck_assert_int_eq(total(HC_CAPACITY_DRAINED), 2 * 8); /* 6 to 8; all were held before */
    ck_assert_int_eq(total(HC_CAPACITY_DOWN), 2 * 8);
    ck_assert_int_eq(total(HC_CAPACITY_MAINTENANCE), 2 * 8);
    ck_assert_int_eq(total(HC_CAPACITY_RESERVED), 2 * 8);
    ck_assert_int_eq(total(HC_CAPACITY_IDLE_UNKNOWN), 48 * 8 - 22 - 4 * 16);
    ck_assert(capacity.total.partly_used == (hc_capacity_ns)(2 * 5 * HOUR));
    ck_assert_int_eq(hours(&capacity.by_day[1], HC_CAPACITY_IDLE_UNKNOWN), 24 * 8);
    check_sums();
    hc_capacity_fini(&capacity);
}
END_TEST

/* More held than there is, held where nothing is known, and GPUs that come and go. */
START_TEST(beside_the_tree)
{
    begin();
    add_gpus("n1", 6 * HOUR, 4);
    add_gpus("n1", 12 * HOUR, 8);
    add_gpus("n1", 30 * HOUR, 0);
    add_job("n1", 5 * HOUR, 7 * HOUR, 6);
    add_job("n2", -HOUR, HOUR, 2);
    add_job("n2", 50 * HOUR, 51 * HOUR, 2); /* not in the window */
    add_job("n1", 9 * HOUR, 8 * HOUR, 1);
    add_job("n1", 8 * HOUR, 9 * HOUR, -1);
    finish(NULL);
    ck_assert(hc_capacity_installed(&capacity.total) == (hc_capacity_ns)((6 * 4 + 18 * 8) * HOUR));
    ck_assert_int_eq(total(HC_CAPACITY_ALLOCATED), 4);
    ck_assert(capacity.total.over == (hc_capacity_ns)(2 * HOUR));
    ck_assert(capacity.total.outside == (hc_capacity_ns)((6 + 2) * HOUR));
    ck_assert_int_eq(capacity.n_over, 1);
    ck_assert_int_eq(capacity.n_outside, 2);
    ck_assert_int_eq(capacity.n_bad, 2);
    check_sums();
    hc_capacity_fini(&capacity);
}
END_TEST

/* A look holds for 15 minutes at most; a node has the demand of any of its partitions. */
START_TEST(demand)
{
    begin();
    add_gpus("n1", 0, 4);
    add_gpus("n2", 0, 1);
    add_gpus("n3", 0, 2);
    ck_assert(!hc_capacity_set_partitions(&capacity, 0, "long,short", &err));
    ck_assert(!hc_capacity_set_partitions(&capacity, 1, "short", &err));
    add_look(0, "long");
    add_look(0, "longer"); /* not the partition of any node */
    add_look(HOUR / 8, NULL);
    add_look(HOUR, "short");
    add_look(HOUR, "short");
    finish(NULL);
    const struct hc_capacity_sum *n1 = &capacity.by_node[0], *n2 = &capacity.by_node[1],
                                 *n3 = &capacity.by_node[2];
    ck_assert(n1->leaf[HC_CAPACITY_IDLE_DEMAND] == (hc_capacity_ns)(4 * (HOUR / 8 + HOUR / 4)));
    ck_assert(n1->leaf[HC_CAPACITY_IDLE_NO_DEMAND] == (hc_capacity_ns)(4 * (HOUR / 4)));
    ck_assert(n2->leaf[HC_CAPACITY_IDLE_DEMAND] == (hc_capacity_ns)(HOUR / 4));
    ck_assert(n2->leaf[HC_CAPACITY_IDLE_NO_DEMAND] == (hc_capacity_ns)(HOUR / 8 + HOUR / 4));
    ck_assert(n3->leaf[HC_CAPACITY_IDLE_DEMAND] == 0); /* in no partition that is known */
    ck_assert(n3->leaf[HC_CAPACITY_IDLE_NO_DEMAND] == (hc_capacity_ns)(2 * (HOUR * 5 / 8)));
    check_sums();
    hc_capacity_fini(&capacity);
}
END_TEST

/* Where a history speaks, snapshots say nothing of down and drained; else they do. */
START_TEST(history_over_snapshots)
{
    begin();
    capacity.state_holds_ns = 4 * HOUR;
    add_gpus("n1", 0, 1);
    add_state("n1", HC_NODE_SNAPSHOT, 1 * HOUR, HC_MISSING_I64, "IDLE+DRAIN"); /* until 5 */
    add_state("n1", HC_NODE_SNAPSHOT, 8 * HOUR, HC_MISSING_I64, "DOWN");       /* until 10 */
    add_state("n1", HC_NODE_HISTORY, 10 * HOUR, 11 * HOUR, "DOWN");
    add_state("n1", HC_NODE_SNAPSHOT, 12 * HOUR, HC_MISSING_I64, "DOWN+RESERVED");
    add_state("n1", HC_NODE_SNAPSHOT, 13 * HOUR, HC_MISSING_I64, "IDLE");
    add_state("n1", HC_NODE_HISTORY, 20 * HOUR, HC_MISSING_I64, "DRAIN"); /* until the look at 30 */
    add_state("n1", HC_NODE_SNAPSHOT, 30 * HOUR, HC_MISSING_I64, "IDLE");
    finish(NULL);
    ck_assert_int_eq(total(HC_CAPACITY_DRAINED), 4 + 10);
    ck_assert_int_eq(total(HC_CAPACITY_DOWN), 2 + 1);
    ck_assert_int_eq(total(HC_CAPACITY_RESERVED), 1);
    ck_assert_int_eq(capacity.n_disagreeing, 1);
    /* Nobody says how the node is from 0 to 1, 5 to 8, and after 34. */
    ck_assert(capacity.total.unheard == (hc_capacity_ns)((1 + 3 + 14) * HOUR));
    check_sums();
    hc_capacity_fini(&capacity);
}
END_TEST

/* A node is set back in the second in which its last snapshot saw it drained: the history knows
 * better, also at its very end. Of another node, of which it tells nothing, the snapshot does. */
START_TEST(snapshot_in_the_last_second_of_the_history)
{
    begin();
    add_gpus("n1", 0, 1);
    add_gpus("n2", 0, 1);
    add_state("n1", HC_NODE_HISTORY, 10 * HOUR, 11 * HOUR, "DRAIN");
    add_state("n1", HC_NODE_SNAPSHOT, 11 * HOUR, HC_MISSING_I64, "IDLE+DRAIN");
    add_state("n2", HC_NODE_SNAPSHOT, 11 * HOUR, HC_MISSING_I64, "DOWN");
    add_state("n2", HC_NODE_SNAPSHOT, 13 * HOUR, HC_MISSING_I64, "IDLE");
    finish(NULL);
    ck_assert_int_eq(total(HC_CAPACITY_DRAINED), 1);
    ck_assert_int_eq(total(HC_CAPACITY_DOWN), 2);
    ck_assert_int_eq(capacity.n_disagreeing, 1);
    hc_capacity_fini(&capacity);
}
END_TEST

/* What lasts is over when the next of the node begins; a snapshot within a plan does not outlast
 * the plan. */
START_TEST(what_lasts)
{
    begin();
    add_gpus("n1", 0, 1);
    add_gpus("n2", 0, 1);
    add_state("n1", HC_NODE_HISTORY, 0, HC_MISSING_I64, "DOWN");
    add_state("n1", HC_NODE_HISTORY, 3 * HOUR, 5 * HOUR, "DRAIN");
    add_state("n2", HC_NODE_PLAN, 2 * HOUR, 4 * HOUR, "RESERVED");
    add_state("n2", HC_NODE_SNAPSHOT, 3 * HOUR, HC_MISSING_I64, "RESERVED+IDLE");
    add_state("n2", HC_NODE_SNAPSHOT, 8 * HOUR, HC_MISSING_I64, "maint");
    add_state("n2", HC_NODE_SNAPSHOT, 9 * HOUR, HC_MISSING_I64, "mix");
    add_state("n2", HC_NODE_PLAN, 47 * HOUR, HC_MISSING_I64, "RESERVED");
    finish(NULL);
    ck_assert_int_eq(total(HC_CAPACITY_DOWN), 3);
    ck_assert_int_eq(total(HC_CAPACITY_DRAINED), 2);
    ck_assert_int_eq(total(HC_CAPACITY_RESERVED), 2 + 1);
    ck_assert_int_eq(total(HC_CAPACITY_MAINTENANCE), 1);
    ck_assert_int_eq(capacity.n_disagreeing, 0);
    hc_capacity_fini(&capacity);
}
END_TEST

/* The days on which clocks in Berlin are set have 23 and 25 hours. */
START_TEST(days_of_a_zone)
{
    static const int64_t local_s[] = {1774652400, 1774738800, 1774821600}; /* 28, 29, 30 March */
    static const int64_t autumn_s[] = {1792879200, 1792969200};            /* 25, 26 October */
    int64_t days[3];
    for (int i = 0; i < 3; i++)
        days[i] = local_s[i] * S;
    begin();
    capacity.day_ns = days;
    add_gpus("n1", INT64_MIN / 2 + 1, 2);
    add_job("n1", days[1] - HOUR, days[1] + HOUR, 2);
    finish(NULL);
    ck_assert(hc_capacity_installed(&capacity.by_day[0]) == (hc_capacity_ns)(2 * 24 * HOUR));
    ck_assert(hc_capacity_installed(&capacity.by_day[1]) == (hc_capacity_ns)(2 * 23 * HOUR));
    ck_assert_int_eq(hours(&capacity.by_day[0], HC_CAPACITY_ALLOCATED), 2);
    ck_assert_int_eq(hours(&capacity.by_day[1], HC_CAPACITY_ALLOCATED), 2);
    hc_capacity_fini(&capacity);
    begin();
    const int64_t day[] = {autumn_s[0] * S, autumn_s[1] * S};
    capacity.day_ns = day;
    capacity.n_days = 1;
    add_gpus("n1", 0, 2);
    finish(NULL);
    ck_assert(hc_capacity_installed(&capacity.total) == (hc_capacity_ns)(2 * 25 * HOUR));
    hc_capacity_fini(&capacity);
}
END_TEST

static const struct {
    const char *text;
    enum hc_capacity_leaf leaf;
} leaves[] = {
    {"IDLE", HC_CAPACITY_IDLE_UNKNOWN},
    {"MIXED", HC_CAPACITY_IDLE_UNKNOWN},
    {"IDLE+DRAIN", HC_CAPACITY_DRAINED},
    {"drained", HC_CAPACITY_DRAINED},
    {"DOWN*+DRAIN", HC_CAPACITY_DOWN},
    {"idle*", HC_CAPACITY_DOWN},
    {"idle~", HC_CAPACITY_IDLE_UNKNOWN},
    {"MIXED+DRAIN+MAINT+RESERVED", HC_CAPACITY_DRAINED},
    {"IDLE+MAINT+RESERVED", HC_CAPACITY_MAINTENANCE},
    {"idle$", HC_CAPACITY_MAINTENANCE},
    {"idle@", HC_CAPACITY_MAINTENANCE},
    {"RESERVED", HC_CAPACITY_RESERVED},
    {"mix-", HC_CAPACITY_IDLE_UNKNOWN},
    {"FAIL", HC_CAPACITY_DRAINED},
    {"inval", HC_CAPACITY_DRAINED},
};

START_TEST(leaf_of_state)
{
    begin();
    capacity.n_days = 1;
    add_gpus("n1", 0, 1);
    add_state("n1", HC_NODE_SNAPSHOT, 0, HC_MISSING_I64, leaves[_i].text);
    finish(NULL);
    ck_assert_msg(total(leaves[_i].leaf) == 24, "'%s' is not leaf %d", leaves[_i].text,
                  (int)leaves[_i].leaf);
    hc_capacity_fini(&capacity);
}
END_TEST

/* ---- pairs that must agree ---- */

/* The same exceptions, as a history and as a snapshot every `every` seconds, are at most one
 * interval apart for each beginning and end. */
START_TEST(history_as_snapshots)
{
    static const struct {
        int64_t from_s, to_s;
        const char *history, *snapshot;
    } down[] = {{3000, 20000, "DOWN", "DOWN*"},
                {40000, 41000, "DRAIN", "IDLE+DRAIN"},
                {90000, 150000, "DRAIN", "MIXED+DRAIN"}};
    const int64_t every_s = 3600;
    int64_t told[2][2];
    for (int as_snapshots = 0; as_snapshots < 2; as_snapshots++) {
        begin();
        add_gpus("n1", 0, 8);
        for (size_t i = 0; i < 3 && !as_snapshots; i++)
            add_state("n1", HC_NODE_HISTORY, down[i].from_s * S, down[i].to_s * S, down[i].history);
        for (int64_t at = 0; at < 2 * 86400 && as_snapshots; at += every_s) {
            const char *state = "IDLE";
            for (size_t i = 0; i < 3; i++)
                state = at >= down[i].from_s && at < down[i].to_s ? down[i].snapshot : state;
            add_state("n1", HC_NODE_SNAPSHOT, at * S, HC_MISSING_I64, state);
        }
        finish(NULL);
        told[as_snapshots][0] =
            (int64_t)(capacity.total.leaf[HC_CAPACITY_DOWN] / (hc_capacity_ns)(8 * S));
        told[as_snapshots][1] =
            (int64_t)(capacity.total.leaf[HC_CAPACITY_DRAINED] / (hc_capacity_ns)(8 * S));
        check_sums();
        hc_capacity_fini(&capacity);
    }
    ck_assert_int_eq(told[0][0], 17000);
    ck_assert_int_eq(told[0][1], 61000);
    ck_assert_int_le(llabs(told[1][0] - told[0][0]), every_s);
    ck_assert_int_le(llabs(told[1][1] - told[0][1]), 2 * every_s);
}
END_TEST

struct watched {
    struct hc_capacity_sum sum;
    hc_capacity_ns held;
    size_t n_cells;
};

static enum hc_status take_span(void *context, const struct hc_capacity_span *span,
                                struct hc_error *error)
{
    struct watched *watched = context;
    (void)error;
    watched->held += (hc_capacity_ns)span->held * (hc_capacity_ns)(span->to_ns - span->from_ns);
    return HC_OK;
}

static enum hc_status take_cell(void *context, int32_t node, size_t day,
                                const struct hc_capacity_sum *sum, struct hc_error *error)
{
    struct watched *watched = context;
    (void)error;
    ck_assert(node == 0 && day < 2);
    watched->n_cells++;
    for (int i = 0; i < HC_N_CAPACITY_LEAVES; i++)
        watched->sum.leaf[i] += sum->leaf[i];
    return HC_OK;
}

/* Who watches sees all of it: what jobs held is allocated, over or outside. */
START_TEST(watched_sums)
{
    struct watched watched = {.n_cells = 0};
    const struct hc_capacity_watch watch = {&watched, take_span, take_cell};
    begin();
    add_gpus("n1", 3 * HOUR, 4);
    add_job("n1", 0, 30 * HOUR, 3);
    add_job("n1", 20 * HOUR, 40 * HOUR, 2);
    finish(&watch);
    ck_assert(watched.held == (hc_capacity_ns)((30 * 3 + 20 * 2) * HOUR));
    ck_assert(watched.held == capacity.total.leaf[HC_CAPACITY_ALLOCATED] + capacity.total.over +
                                  capacity.total.outside);
    ck_assert_int_eq(watched.n_cells, 2);
    ck_assert(hc_capacity_installed(&watched.sum) == hc_capacity_installed(&capacity.total));
    hc_capacity_fini(&capacity);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("installed");
    TCase *tests = tcase_create("installed");
    tcase_add_test(tests, order_of_leaves);
    tcase_add_test(tests, beside_the_tree);
    tcase_add_test(tests, demand);
    tcase_add_test(tests, history_over_snapshots);
    tcase_add_test(tests, snapshot_in_the_last_second_of_the_history);
    tcase_add_test(tests, what_lasts);
    tcase_add_test(tests, days_of_a_zone);
    tcase_add_loop_test(tests, leaf_of_state, 0, sizeof leaves / sizeof *leaves);
    tcase_add_test(tests, history_as_snapshots);
    tcase_add_test(tests, watched_sums);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
