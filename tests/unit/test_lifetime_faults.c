/* The faults of a life, handed out and given back, are the same life: to the nanosecond, whatever
 * the config; and what was recorded of an incident goes before what would be drawn. */
#include "sim/lifetime/lifetime_trace.h"
#include "tests/support/any_life.h"
#include "tests/support/fault_replay.h"
#include "tests/support/hand_life.h"

#include <check.h>
#include <string.h>

static struct hc_error err;

#define SECOND ((int64_t)1000000000)

enum { CONFIGS = 300, LIVES = 2 };

static void ok(enum hc_status status)
{
    ck_assert_msg(status == HC_OK, "%s", err.message);
}

/* Any config that a list can carry; domains have any effect here. */
static void any_listed_life(struct any_life *life, uint64_t key)
{
    any_life_init(life, key);
    for (int f = 0; f < 4; f++) {
        life->fault[f].detection.misdiagnosis = 0;
        if (!one_of(4))
            life->fault[f].unit = HC_PER_DOMAIN;
        if (life->fault[f].effect == HC_EFFECT_SLOW && one_of(2)) {
            life->fault[f].remedy = HC_REMEDY_NONE;
            life->fault[f].n_ladder = life->fault[f].rollback_checkpoints = 0;
            life->fault[f].lasts_s = any_time(20000);
            life->fault[f].saves_first = false;
        }
        if (life->fault[f].per_day > 0 && life->config.lemon_share > 0 &&
            (life->fault[f].unit == HC_PER_NODE || life->fault[f].unit == HC_PER_DEVICE))
            life->fault[f].on_lemon = 1 + upto(5);
    }
    life->config.strikes = one_of(3);
}

static void assert_same_trace(const struct hc_lifetime_config *a,
                              const struct hc_lifetime_config *b, uint64_t replica)
{
    struct hc_lifetime_trace x, y;
    ok(hc_lifetime_trace_run(&x, a, replica, NULL, &err));
    ok(hc_lifetime_trace_run(&y, b, replica, NULL, &err));
    ck_assert_uint_eq(x.n_spans, y.n_spans);
    ck_assert_uint_eq(x.n_marks, y.n_marks);
    ck_assert_int_eq(memcmp(x.span, y.span, x.n_spans * sizeof *x.span), 0);
    for (size_t i = 0; i < x.n_marks; i++) {
        ck_assert_int_eq(x.mark[i].time_ns, y.mark[i].time_ns);
        ck_assert_int_eq(x.mark[i].cause, y.mark[i].cause);
        ck_assert_int_eq(x.mark[i].node_slot, y.mark[i].node_slot);
    }
    hc_lifetime_trace_fini(&x);
    hc_lifetime_trace_fini(&y);
}

/* Returns how many faults struck. */
static int64_t try_life(const struct hc_lifetime_config *config, uint64_t replica)
{
    static struct hc_lifetime_replica first, again;
    struct noted_faults noted = {0};
    struct fault_replay replay;
    ok(hc_lifetime_faults_run(config, replica, note_fault, &noted, &first, &err));
    ok(hc_lifetime_run(config, replica, 1, &again, &err));
    ck_assert_int_eq(memcmp(&first, &again, sizeof first), 0); /* who looks changes nothing */
    fault_replay_init(&replay, config, &noted, &err);
    ok(hc_lifetime_run(&replay.config, replica, 1, &again, &err));
    ck_assert_int_eq(first.wall_ns, again.wall_ns);
    ck_assert_int_eq(memcmp(&first, &again, sizeof first), 0);
    assert_same_trace(config, &replay.config, replica);
    fault_replay_fini(&replay, &noted);
    return first.count[HC_COUNT_FAULTS];
}

START_TEST(any_life_comes_back)
{
    static struct any_life life;
    int64_t n = 0;
    for (uint64_t i = 0; i < CONFIGS; i++) {
        any_listed_life(&life, i);
        for (uint64_t replica = 0; replica < LIVES; replica++)
            n += try_life(&life.config, replica);
    }
    ck_assert_int_gt(n, 10000);
}
END_TEST

/* Detection and the end of slow faults come from the rows where the scenario says nothing of them.
 */
START_TEST(rows_say_when_faults_are_noticed)
{
    static struct any_life life;
    static struct hc_lifetime_replica first, again;
    for (uint64_t i = 0; i < CONFIGS; i++) {
        struct noted_faults noted = {0};
        struct fault_replay replay;
        any_listed_life(&life, i);
        for (int f = 0; f < 4; f++)
            life.fault[f].helps = 1; /* the second time is not in the rows */
        ok(hc_lifetime_faults_run(&life.config, 0, note_fault, &noted, &first, &err));
        fault_replay_init(&replay, &life.config, &noted, &err);
        for (size_t f = 0; f < life.config.n_faults; f++) {
            replay.fault[f].detection = hc_lifetime_fault_defaults().detection;
            replay.fault[f].lasts_s = hc_distribution_constant(0);
        }
        ok(hc_lifetime_run(&replay.config, 0, 1, &again, &err));
        ck_assert_int_eq(memcmp(&first, &again, sizeof first), 0);
        fault_replay_fini(&replay, &noted);
    }
}
END_TEST

/* ---- by hand ---- */

/* Two nodes of ten fail at 300 s and at 310 s of a slow cause each, and each ends at its own time.
 */
static void two_slow_faults(struct life *l, struct hc_lifetime_record record[2])
{
    life_init(l);
    for (int i = 0; i < 2; i++) {
        record[i] = (struct hc_lifetime_record){(300 + 10 * i) * SECOND, -1, -1, -1, -1};
        l->incident[i] = (struct hc_lifetime_incident){300 + 10 * i, 3 + i, 1};
    }
    l->fault[0].n_incidents = 2;
    l->fault[0].record = record;
    l->fault[0].effect = HC_EFFECT_SLOW;
    l->fault[0].slow_factor = 2;
    l->fault[0].remedy = HC_REMEDY_NONE;
    l->fault[0].lasts_s = hc_distribution_constant(500);
}

START_TEST(slow_faults_pass_at_their_own_time)
{
    struct life l;
    struct hc_lifetime_record record[2];
    two_slow_faults(&l, record);
    record[0].recovered_ns = 400000000000; /* the earlier one ends later */
    record[1].recovered_ns = 350000000000;
    ok(hc_lifetime_run(&l.config, 0, 1, &l.out, &err));
    ck_assert_int_eq(l.out.wall_ns, 1100000000000); /* 50 + 1,000, and 100 s at half the speed */
    record[0].recovered_ns = 330000000000;
    record[1].recovered_ns = -1; /* not recorded: 500 s, until 810 s */
    ok(hc_lifetime_run(&l.config, 0, 1, &l.out, &err));
    ck_assert_int_eq(l.out.wall_ns, 1050000000000 + (int64_t)(810 - 300) * 500000000);
}
END_TEST

/* Of a pool of eleven the node in slot 3 fails at 300 s, that in slot 4 at 500 s: then no node is
 * there before one of them is repaired. Automatic repair takes 10,000 s, but the records say
 * otherwise. */
static void two_repairs(struct life *l, struct hc_lifetime_record record[2])
{
    life_init(l);
    for (int i = 0; i < 2; i++) {
        record[i] = (struct hc_lifetime_record){(300 + 200 * i) * SECOND, -1, -1, -1, -1};
        l->incident[i] = (struct hc_lifetime_incident){300 + 200 * i, 3 + i, 1};
    }
    l->fault[0].n_incidents = 2;
    l->fault[0].record = record;
    l->config.recovery.pool_nodes = 11;
    l->config.repair.automatic_s = hc_distribution_constant(10000);
}

static int64_t wall_of(struct life *l)
{
    ok(hc_lifetime_run(&l->config, 0, 1, &l->out, &err));
    return l->out.wall_ns / 1000000000;
}

START_TEST(nodes_come_back_at_their_own_time)
{
    struct life l;
    struct hc_lifetime_record record[2];
    two_repairs(&l, record);
    int64_t drawn_s = wall_of(&l); /* waits from 500 s to 10,300 s */
    record[0].recovered_ns = 2300000000000;
    ck_assert_int_eq(wall_of(&l), drawn_s - 8000);
    record[1].recovered_ns = 1300000000000; /* the later one is back first */
    ck_assert_int_eq(wall_of(&l), drawn_s - 9000);
    record[0].recovered_ns = 310000000000; /* back before the second fault */
    ck_assert_int_eq(wall_of(&l), drawn_s - 9800);
    l.config.repair.automatic_s = hc_distribution_constant(1); /* longer than what would be drawn */
    record[0].recovered_ns = 2300000000000;
    record[1].recovered_ns = -1;
    ck_assert_int_eq(wall_of(&l), drawn_s - 9800 + 1);
    record[1].recovered_ns = 3000000000000;
    ck_assert_int_eq(wall_of(&l), drawn_s - 8000);
    ck_assert_int_eq(l.out.count[HC_COUNT_WAITS], 1);
    l.config.repair.to_manual = 1; /* nor do manual repair and retirement change it */
    l.config.repair.manual_s = hc_distribution_constant(100000);
    l.config.repair.retire = 1;
    ck_assert_int_eq(wall_of(&l), drawn_s - 8000);
    ck_assert_int_eq(l.out.count[HC_COUNT_RETIRED], 0);
}
END_TEST

/* Two jobs of a node each on a pool of three. The other job is struck at 10 s, goes on with the
 * free node and ends at 150 s; its first node comes back at 500 s, as was recorded, for the job
 * that waits since 300 s. */
START_TEST(a_node_comes_back_when_its_job_is_gone)
{
    struct life waits, ends;
    struct hc_lifetime_record record = {10 * SECOND, -1, -1, 500 * SECOND, -1};
    struct hc_lifetime_record late[] = {{200 * SECOND, -1, -1, 5000 * SECOND, -1},
                                        {300 * SECOND, -1, -1, 5000 * SECOND, -1}};
    life_init(&waits);
    life_init(&ends);
    struct life *both[] = {&waits, &ends};
    for (int i = 0; i < 2; i++) {
        both[i]->config.job.nodes = 1;
        both[i]->config.recovery.pool_nodes = 3;
        both[i]->config.repair.automatic_s = hc_distribution_constant(1);
        both[i]->phase.first_s = both[i]->phase.full_s = hc_distribution_constant(0);
        both[i]->config.checkpoint.mode = HC_CHECKPOINT_NONE;
        both[i]->incident[0].node = both[i]->incident[1].node = 0;
    }
    waits.fault[0].record = late;
    waits.incident[0].at_s = 200;
    waits.incident[1].at_s = 300;
    waits.fault[0].n_incidents = 2;
    ends.incident[0].at_s = 10;
    ends.fault[0].record = &record;
    ends.config.job.work_s = 140;
    const struct hc_shared_pool_job other = {"ends", ends.config};
    waits.config.other = &other;
    waits.config.n_others = 1;
    ok(hc_lifetime_run(&waits.config, 0, 1, &waits.out, &err));
    ck_assert(!waits.out.starved);
    ck_assert_int_eq(waits.out.wall_ns, 1500 * SECOND); /* all anew from 500 s on */
}
END_TEST

/* Three nodes of one fault are one stop, whatever the order of other records; while the job stands
 * they are one that is absorbed. */
START_TEST(rows_of_one_fault_are_one)
{
    struct life l;
    struct hc_lifetime_record record[4];
    const int32_t node[] = {2, 5, 7, 5};
    life_init(&l);
    l.fault[0].effect = HC_EFFECT_CORRUPT;
    l.fault[0].detection.delay_s = hc_distribution_constant(30);
    for (int i = 0; i < 4; i++) {
        l.incident[i] = (struct hc_lifetime_incident){300, node[i], 1};
        record[i] = (struct hc_lifetime_record){300 * SECOND, -1, -1, -1, i / 3};
    }
    l.fault[0].record = record;
    l.fault[0].n_incidents = 4;
    ok(hc_lifetime_run(&l.config, 0, 1, &l.out, &err));
    ck_assert_int_eq(l.out.count[HC_COUNT_FAULTS], 2);
    ck_assert_int_eq(l.out.count[HC_COUNT_EVICTED], 4);
    for (int i = 0; i < 4; i++) {
        l.incident[i].at_s = 10; /* while the job starts for the first time */
        record[i].at_ns = 10 * SECOND;
    }
    ok(hc_lifetime_run(&l.config, 0, 1, &l.out, &err));
    ck_assert_int_eq(l.out.count[HC_COUNT_ABSORBED], 2);
}
END_TEST

/* ---- several lives ---- */

START_TEST(lives_are_taken_in_turn)
{
    struct life l;
    static const size_t begin[] = {0, 1, 3};
    struct hc_lifetime_record record[3];
    const double at_s[] = {300, 200, 400};
    int64_t wall_ns[4];
    life_init(&l);
    for (int i = 0; i < 3; i++) {
        l.incident[i] = (struct hc_lifetime_incident){at_s[i], 3, 1};
        record[i] = (struct hc_lifetime_record){(int64_t)at_s[i] * 1000000000, -1, -1, -1, -1};
    }
    l.fault[0].n_incidents = 3;
    l.fault[0].record = record;
    l.fault[0].lives = (struct hc_lifetime_recorded_lives){7, 2, begin};
    for (uint64_t i = 0; i < 4; i++) {
        ok(hc_lifetime_run(&l.config, 6 + i, 1, &l.out, &err));
        wall_ns[i] = l.out.wall_ns;
        ck_assert_int_eq(l.out.count[HC_COUNT_FAULTS], i % 2 ? 1 : 2);
    }
    l.config.first_replica = 7;
    ok(hc_lifetime_run(&l.config, 0, 1, &l.out, &err));
    ck_assert_int_eq(l.out.wall_ns, wall_ns[1]);
    ok(hc_lifetime_run(&l.config, 1, 1, &l.out, &err));
    ck_assert_int_eq(l.out.wall_ns, wall_ns[2]);
}
END_TEST

/* ---- what rows cannot carry ---- */

static void refused(struct hc_lifetime_config *config, const char *place)
{
    struct noted_faults noted = {0};
    static struct hc_lifetime_replica out;
    ck_assert_int_eq(hc_lifetime_faults_run(config, 0, note_fault, &noted, &out, &err),
                     HC_BAD_INPUT);
    ck_assert_msg(strncmp(err.message, place, strlen(place)) == 0, "%s", err.message);
    ck_assert_uint_eq(noted.n, 0);
}

START_TEST(refuses_what_rows_cannot_carry)
{
    static struct any_life life;
    any_listed_life(&life, 1);
    struct hc_lifetime_config *c = &life.config;
    c->n_faults = 1;
    life.fault[0] = hc_lifetime_fault_defaults();
    life.fault[0].name = "gpu";
    life.fault[0].per_day = 1;
    life.fault[0].detection.misdiagnosis = 0.1;
    refused(c, "/faults/gpu/misdiagnosis");
    life.fault[0].detection.misdiagnosis = 0;
    c->recovery.standbys_fail = true;
    refused(c, "/recovery/standbys_fail");
    c->recovery.standbys_fail = false;
    c->recovery.pool_nodes = c->job.nodes + 10;
    life.fault[0].infant_factor = 2;
    life.fault[0].infant_s = 3600;
    refused(c, "/faults/gpu/infant_factor");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_faults");
    TCase *tc = tcase_create("life");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, any_life_comes_back);
    tcase_add_test(tc, rows_say_when_faults_are_noticed);
    tcase_add_test(tc, slow_faults_pass_at_their_own_time);
    tcase_add_test(tc, nodes_come_back_at_their_own_time);
    tcase_add_test(tc, a_node_comes_back_when_its_job_is_gone);
    tcase_add_test(tc, rows_of_one_fault_are_one);
    tcase_add_test(tc, lives_are_taken_in_turn);
    tcase_add_test(tc, refuses_what_rows_cannot_carry);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
