/* Where installed GPU-time went, in made-up clusters: against a look at each second of each node,
 * which asks all rows what was so then. */
#include "core/base/missing.h"
#include "core/random/philox.h"
#include "models/capacity/installed.h"

#include <check.h>
#include <string.h>

#define S ((int64_t)1000000000)

static struct hc_capacity capacity;
static struct hc_error err;

static void add_look(int64_t at_ns, const char *partition)
{
    ck_assert((partition ? hc_capacity_add_demand(&capacity, at_ns, partition, &err)
                         : hc_capacity_add_look(&capacity, at_ns, &err)) == HC_OK);
}

#define N_NODES   4
#define SECONDS   240 /* two days of 100 and 140 seconds */
#define MOST_ROWS 24

static const int64_t short_days[] = {1000 * S, 1100 * S, 1240 * S};
static const char *const words[] = {"IDLE",        "DOWN",  "IDLE+DRAIN",    "MIXED",
                                    "DOWN+DRAIN",  "maint", "RESERVED+IDLE", "MAINT+RESERVED",
                                    "idle*+DRAIN", "mix-"};
static const char *const lists[] = {NULL, "a", "b", "a,b"};

struct made_up {
    size_t n_states, n_jobs, n_looks, n_gpus;
    struct hc_capacity_state states[MOST_ROWS];
    struct hc_capacity_allocation jobs[MOST_ROWS];
    struct hc_capacity_inventory gpus[MOST_ROWS];
    struct {
        int64_t at_ns;
        bool a, b;
    } looks[MOST_ROWS];
    int list[N_NODES];
};

static int64_t second(struct hc_philox *rng)
{
    return (980 + (int64_t)hc_philox_integer(rng, SECONDS + 40)) * S;
}

static void make_up(struct made_up *made, struct hc_philox *rng)
{
    *made = (struct made_up){.n_states = hc_philox_integer(rng, MOST_ROWS),
                             .n_jobs = hc_philox_integer(rng, MOST_ROWS),
                             .n_looks = hc_philox_integer(rng, MOST_ROWS),
                             .n_gpus = hc_philox_integer(rng, 10)};
    for (size_t i = 0; i < made->n_states; i++) {
        const char *word = words[hc_philox_integer(rng, sizeof words / sizeof *words)];
        struct hc_capacity_state *row = &made->states[i];
        /* An event at each second at most, as the archive has them. */
        row->since_ns = (960 + 11 * (int64_t)i + (int64_t)hc_philox_integer(rng, 10)) * S;
        row->how = (enum hc_node_knowledge)hc_philox_integer(rng, HC_N_NODE_KNOWLEDGES);
        row->node = (int32_t)hc_philox_integer(rng, N_NODES);
        row->until_ns = row->how == HC_NODE_SNAPSHOT || hc_philox_integer(rng, 4) == 0
                            ? HC_MISSING_I64
                            : row->since_ns + (int64_t)hc_philox_integer(rng, 90) * S;
        hc_node_state_add(&row->state, word, strlen(word));
    }
    for (size_t i = 0; i < made->n_jobs; i++) {
        int64_t from_ns = second(rng);
        made->jobs[i] = (struct hc_capacity_allocation){
            from_ns, from_ns + (int64_t)hc_philox_integer(rng, 80) * S,
            (int32_t)hc_philox_integer(rng, N_NODES), (int32_t)hc_philox_integer(rng, 5)};
    }
    for (size_t i = 0; i < made->n_gpus; i++)
        made->gpus[i] = (struct hc_capacity_inventory){
            (980 + 25 * (int64_t)i) * S, (int32_t)hc_philox_integer(rng, N_NODES),
            (int32_t)hc_philox_integer(rng, 9), hc_philox_integer(rng, 2) == 0};
    for (size_t i = 0; i < made->n_looks; i++) {
        made->looks[i].at_ns = second(rng);
        made->looks[i].a = hc_philox_integer(rng, 2);
        made->looks[i].b = hc_philox_integer(rng, 2);
    }
    for (int i = 0; i < N_NODES; i++)
        made->list[i] = (int)hc_philox_integer(rng, 4);
}

/* Rows go in from the last to the first where is_reversed. */
static void put_in(const struct made_up *made, bool is_reversed)
{
    static const char *const names[N_NODES] = {"n0", "n1", "n2", "n3"};
    int32_t node;
    capacity = (struct hc_capacity){
        .day_ns = short_days, .n_days = 2, .queue_holds_ns = 15 * S, .state_holds_ns = 40 * S};
    for (int i = 0; i < N_NODES; i++) {
        ck_assert(!hc_capacity_node(&capacity, names[i], &node, &err));
        ck_assert(!lists[made->list[i]] ||
                  !hc_capacity_set_partitions(&capacity, node, lists[made->list[i]], &err));
    }
#define AT(n) (is_reversed ? (n)-1 - i : i)
    for (size_t i = 0; i < made->n_states; i++)
        ck_assert(!hc_capacity_add_state(&capacity, &made->states[AT(made->n_states)], &err));
    for (size_t i = 0; i < made->n_jobs; i++)
        ck_assert(!hc_capacity_add_allocation(&capacity, &made->jobs[AT(made->n_jobs)], &err));
    for (size_t i = 0; i < made->n_gpus; i++)
        ck_assert(!hc_capacity_add_inventory(&capacity, &made->gpus[AT(made->n_gpus)], &err));
    for (size_t i = 0; i < made->n_looks; i++) {
        size_t at = AT(made->n_looks);
        add_look(made->looks[at].at_ns, NULL);
        if (made->looks[at].a)
            add_look(made->looks[at].at_ns, "a");
        if (made->looks[at].b)
            add_look(made->looks[at].at_ns, "b");
    }
#undef AT
    ck_assert_msg(hc_capacity_finish(&capacity, NULL, &err) == HC_OK, "%s", err.message);
}

/* The history that speaks: from its first moment to its last. */
static bool is_in_history(const struct made_up *made, int64_t ns)
{
    int64_t from_ns = INT64_MAX, to_ns = INT64_MIN;
    for (size_t i = 0; i < made->n_states; i++) {
        const struct hc_capacity_state *row = &made->states[i];
        if (row->how != HC_NODE_HISTORY)
            continue;
        from_ns = row->since_ns < from_ns ? row->since_ns : from_ns;
        to_ns = row->since_ns + 1 > to_ns ? row->since_ns + 1 : to_ns;
        to_ns = row->until_ns > to_ns ? row->until_ns : to_ns;
    }
    return ns >= from_ns && ns < to_ns;
}

static bool has(const struct hc_capacity_state *row, int what)
{
    const int32_t flags = row->state.flags;
    switch (what) {
    case HC_CAPACITY_DOWN:
        return row->state.base == HC_NODE_DOWN || (flags & HC_NODE_NOT_RESPONDING);
    case HC_CAPACITY_DRAINED:
        return flags & HC_NODE_DRAIN;
    case HC_CAPACITY_MAINTENANCE:
        return flags & HC_NODE_MAINT;
    default:
        return flags & HC_NODE_RESERVED;
    }
}

/* Whether a row of a history or plan holds at a moment. */
static bool holds(const struct made_up *made, const struct hc_capacity_state *row, int64_t ns)
{
    if (ns < row->since_ns || (row->until_ns != HC_MISSING_I64 && ns >= row->until_ns))
        return false;
    if (row->until_ns != HC_MISSING_I64 || row->how == HC_NODE_PLAN)
        return true;
    for (size_t i = 0; i < made->n_states; i++) {
        const struct hc_capacity_state *other = &made->states[i];
        if (other->node != row->node || other->since_ns > ns)
            continue;
        if ((other->how == HC_NODE_HISTORY && other->since_ns > row->since_ns) ||
            (other->how == HC_NODE_SNAPSHOT && other->since_ns > row->since_ns &&
             !is_in_history(made, other->since_ns)))
            return false;
    }
    return true;
}

static bool is_planned(const struct made_up *made, int32_t node, int64_t ns)
{
    for (size_t i = 0; i < made->n_states; i++) {
        const struct hc_capacity_state *row = &made->states[i];
        bool says = false;
        for (int what = HC_CAPACITY_DOWN; what <= HC_CAPACITY_RESERVED; what++)
            says |= has(row, what);
        if (row->node == node && row->how == HC_NODE_PLAN && says && holds(made, row, ns))
            return true;
    }
    return false;
}

/* Whether a node is down, drained, ... at a moment. */
static bool is_so(const struct made_up *made, int32_t node, int what, int64_t ns)
{
    const struct hc_capacity_state *last = NULL;
    bool is_health = what == HC_CAPACITY_DOWN || what == HC_CAPACITY_DRAINED;
    for (size_t i = 0; i < made->n_states; i++) {
        const struct hc_capacity_state *row = &made->states[i];
        if (row->node != node || row->since_ns > ns)
            continue;
        if (row->how != HC_NODE_SNAPSHOT && has(row, what) && holds(made, row, ns))
            return true;
        if (row->how == HC_NODE_SNAPSHOT && (!last || row->since_ns > last->since_ns))
            last = row;
    }
    if (!last || ns >= last->since_ns + 40 * S || !has(last, what))
        return false;
    if (!is_health)
        return !is_planned(made, node, last->since_ns);
    if (is_in_history(made, ns) || is_in_history(made, last->since_ns))
        return false;
    /* A snapshot from before the history says nothing of after it. */
    for (int64_t at = last->since_ns; at < ns; at += S)
        if (is_in_history(made, at))
            return false;
    return true;
}

/* 1: jobs wait for the node, 0: none does, -1: nobody looked. */
static int waits(const struct made_up *made, int list, int64_t ns)
{
    int64_t last_ns = INT64_MIN;
    bool a = false, b = false;
    for (size_t i = 0; i < made->n_looks; i++)
        if (made->looks[i].at_ns <= ns && made->looks[i].at_ns > last_ns)
            last_ns = made->looks[i].at_ns;
    if (last_ns == INT64_MIN || ns >= last_ns + 15 * S)
        return -1;
    for (size_t i = 0; i < made->n_looks; i++)
        if (made->looks[i].at_ns == last_ns) {
            a |= made->looks[i].a;
            b |= made->looks[i].b;
        }
    return (a && (list == 1 || list == 3)) || (b && (list == 2 || list == 3));
}

static void add_second(const struct made_up *made, int32_t node, int64_t ns,
                       struct hc_capacity_sum *sum)
{
    int64_t held = 0, gpus = 0, known_ns = INT64_MIN;
    for (size_t i = 0; i < made->n_jobs; i++)
        held +=
            made->jobs[i].node == node && made->jobs[i].from_ns <= ns && ns < made->jobs[i].to_ns
                ? made->jobs[i].gpus
                : 0;
    for (size_t i = 0; i < made->n_gpus; i++)
        if (made->gpus[i].node == node && made->gpus[i].from_ns <= ns &&
            made->gpus[i].from_ns > known_ns) {
            known_ns = made->gpus[i].from_ns;
            gpus = made->gpus[i].gpus;
        }
    for (int64_t gpu = 0; gpu < held || gpu < gpus; gpu++) {
        int leaf = HC_CAPACITY_DOWN;
        if (gpu >= gpus) {
            *(gpus ? &sum->over : &sum->outside) += (hc_capacity_ns)S;
            continue;
        }
        while (leaf <= HC_CAPACITY_RESERVED && !is_so(made, node, leaf, ns))
            leaf++;
        if (gpu < held)
            leaf = HC_CAPACITY_ALLOCATED;
        else if (leaf > HC_CAPACITY_RESERVED) {
            int is_waiting = waits(made, made->list[node], ns);
            leaf = is_waiting < 0   ? HC_CAPACITY_IDLE_UNKNOWN
                   : is_waiting > 0 ? HC_CAPACITY_IDLE_DEMAND
                                    : HC_CAPACITY_IDLE_NO_DEMAND;
            sum->partly_used += held ? (hc_capacity_ns)S : 0;
        }
        sum->leaf[leaf] += (hc_capacity_ns)S;
    }
}

static void compare(const struct hc_capacity_sum *is, const struct hc_capacity_sum *should,
                    const char *of, int number)
{
    for (int leaf = 0; leaf < HC_N_CAPACITY_LEAVES; leaf++)
        ck_assert_msg(is->leaf[leaf] == should->leaf[leaf],
                      "cluster %d, %s: %lld GPU-seconds are leaf %d, and should be %lld", number,
                      of, (long long)(is->leaf[leaf] / (hc_capacity_ns)S), leaf,
                      (long long)(should->leaf[leaf] / (hc_capacity_ns)S));
    ck_assert(is->over == should->over && is->outside == should->outside);
    ck_assert(is->partly_used == should->partly_used);
}

START_TEST(each_second)
{
    struct hc_philox rng;
    struct made_up made;
    for (int number = 0; number < 300; number++) {
        struct hc_capacity_sum nodes[N_NODES], days[2];
        memset(nodes, 0, sizeof nodes);
        memset(days, 0, sizeof days);
        hc_philox_seek(&rng, 15, (uint64_t)number, 0);
        make_up(&made, &rng);
        put_in(&made, number % 2);
        for (int32_t node = 0; node < N_NODES; node++)
            for (int64_t ns = short_days[0]; ns < short_days[2]; ns += S) {
                add_second(&made, node, ns, &nodes[node]);
                add_second(&made, node, ns, &days[ns >= short_days[1]]);
            }
        for (int32_t node = 0; node < N_NODES; node++)
            compare(&capacity.by_node[node], &nodes[node], capacity.nodes.text[node], number);
        compare(&capacity.by_day[0], &days[0], "first day", number);
        compare(&capacity.by_day[1], &days[1], "second day", number);
        hc_capacity_fini(&capacity);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("installed_seconds");
    TCase *tests = tcase_create("seconds");
    tcase_add_test(tests, each_second);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
