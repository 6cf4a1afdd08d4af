/* What only a lifetime has to tell: the account by state, reason and cause, and one life. */
#include "tests/support/fake_study.h"

#include <check.h>

static const struct hc_life_findings *findings(struct fake_study *fake)
{
    fake_digest(fake);
    return hc_life_run_findings(&fake->result.run[0]);
}

static void is_near(double value, double wanted)
{
    ck_assert_msg(fabs(value - wanted) <= 1e-9 * fabs(wanted), "%.17g, not %.17g", value, wanted);
}

START_TEST(all_cuts_of_the_account_have_the_same_sum)
{
    struct fake_study fake;
    fake_study_init(&fake, 3, 1);
    fake.result.price_per_gpu_h = 2;
    const struct hc_life_findings *life = findings(&fake);
    double leaves = 0, shares = 0, states = 0, whats = 0, tree = 0;
    for (size_t i = 0; i < life->n_leaves; i++) {
        leaves += life->leaf[i].gpu_h;
        shares += life->leaf[i].share;
    }
    for (int state = 0; state < HC_STATE_COUNT; state++)
        states += life->state_gpu_h[state];
    for (size_t i = 0; i + 1 < life->n_whats; i++)
        whats += life->what[i].gpu_h;
    for (size_t i = 0; i < life->n_branches; i++)
        tree += life->branch[i].depth == 0 ? life->branch[i].gpu_h : 0;
    is_near(leaves, life->gpu_h);
    is_near(shares, 1);
    is_near(states, life->gpu_h);
    is_near(whats, life->gpu_h);
    is_near(tree, life->gpu_h);
    is_near(life->what[life->n_whats - 1].gpu_h, life->gpu_h);
    is_near(life->what[life->n_whats - 1].money, 2 * life->gpu_h);
    is_near(life->unproductive_gpu_h, life->gpu_h - life->state_gpu_h[HC_STATE_PRODUCTIVE]);
    is_near(life->state_gpu_h[HC_STATE_STARTUP], 1900 + 80300 + 44100);
    fake_study_free(&fake);
}
END_TEST

START_TEST(a_group_of_several_has_a_line_of_its_own)
{
    struct fake_study fake;
    fake_study_init(&fake, 1, 1);
    const struct hc_life_findings *life = findings(&fake);
    size_t at = 0;
    while (at < life->n_branches && strcmp(life->branch[at].name, "startup") != 0)
        at++;
    ck_assert_uint_lt(at, life->n_branches);
    ck_assert_int_eq(life->branch[at].depth, 0);
    is_near(life->branch[at].gpu_h, 1900 + 80300 + 44100);
    ck_assert_str_eq(life->branch[at + 1].name, "startup.load");
    ck_assert_int_eq(life->branch[at + 1].depth, 1);
    ck_assert_str_eq(life->branch[at + 2].name, "infrastructure");
    ck_assert_int_eq(life->branch[at + 2].depth, 2);
    fake_study_free(&fake);
}
END_TEST

START_TEST(causes_share_the_unproductive_time)
{
    struct fake_study fake;
    fake_study_init(&fake, 3, 1);
    const struct hc_life_findings *life = findings(&fake);
    double shares = life->other.share;
    for (size_t i = 0; i < life->n_causes; i++) {
        const struct hc_life_cause *cause = &life->cause[i];
        shares += cause->share;
        is_near(cause->unproductive_of_one_s * cause->faults.mean, cause->unproductive_s);
        ck_assert(cause->faults.low < cause->faults.mean &&
                  cause->faults.mean < cause->faults.high);
    }
    is_near(shares, 1);
    is_near(life->other.unproductive_s, 5000);
    ck_assert_str_eq(life->cause[1].class, "implicit");
    fake_study_free(&fake);
}
END_TEST

/* Detection of 61,000 GPU-hours a life on 9,600 GPUs. */
START_TEST(a_stage_is_wall_time_of_a_stop)
{
    struct fake_study fake;
    fake_study_init(&fake, 1, 1);
    const struct hc_life_findings *life = findings(&fake);
    double stops = hc_life_run_detail(&fake.result.run[0])->summary.count[HC_COUNT_STOPS].mean;
    ck_assert_int_eq(life->stage[0].state, HC_STATE_DETECTION);
    is_near(life->stage[0].of_stop_s, 61000 * 3600.0 / 9600 / stops);
    for (size_t i = 0; i < life->n_stages; i++) /* the first start is in none */
        if (life->stage[i].state == HC_STATE_STARTUP)
            is_near(life->stage[i].gpu_h, 80300 + 44100);
    fake_study_free(&fake);
}
END_TEST

static void is_descending(const struct hc_life_ranking *ranking)
{
    for (size_t i = 1; i < ranking->n; i++)
        if (ranking->item[i].name)
            ck_assert_double_ge(ranking->item[i - 1].value, ranking->item[i].value);
}

START_TEST(lists_are_longest_first)
{
    struct fake_study fake;
    fake_study_init(&fake, 3, 1);
    const struct hc_life_findings *life = findings(&fake);
    const struct hc_life_ranking *const rankings[] = {&life->by_stage, &life->by_cause,
                                                      &life->fault_counts};
    for (size_t r = 0; r < 3; r++) {
        double shares = 0;
        is_descending(rankings[r]);
        ck_assert_uint_eq(rankings[r]->n, rankings[r]->n_all);
        for (size_t i = 0; i < rankings[r]->n; i++)
            shares += rankings[r]->item[i].share;
        is_near(shares, 1);
    }
    double stages = 0;
    for (size_t i = 0; i < life->by_stage.n; i++)
        stages += life->by_stage.item[i].value;
    is_near(stages, life->unproductive_gpu_h);
    ck_assert_uint_eq(life->by_cause.n, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct hc_life_item *item = &life->by_cause.item[i];
        is_near(item->value,
                item->of < 0 ? life->other.unproductive_s : life->cause[item->of].unproductive_s);
    }
    is_descending(&life->fault_lengths);
    fake_study_free(&fake);
}
END_TEST

/* The last ones of a long list are one, where their values add up; else they are left out. */
START_TEST(long_lists_are_cut)
{
    enum { N = HC_LIFE_RANKED + 10 };
    struct fake_study fake;
    fake_study_init(&fake, N, 1);
    struct hc_lifetime_summary *summary = &hc_life_run_detail(&fake.result.run[0])->summary;
    for (size_t i = 0; i < N; i++) {
        summary->faults[i].mean = 2;
        summary->unproductive_s[i].mean = i < 5 ? 100 : 100 + (double)i; /* five are equal */
    }
    summary->unproductive_s[HC_LIFETIME_MAX_FAULTS].mean = 0; /* no item */
    const struct hc_life_findings *life = findings(&fake);
    const struct hc_life_ranking *causes = &life->by_cause, *lengths = &life->fault_lengths;
    const struct hc_life_item *last = &causes->item[HC_LIFE_RANKED - 1];
    ck_assert_uint_eq(causes->n, HC_LIFE_RANKED);
    ck_assert_uint_eq(causes->n_all, N);
    ck_assert_int_eq(causes->item[0].of, N - 1);
    ck_assert_ptr_null(last->name);
    ck_assert_uint_eq(last->n, 11);
    is_near(last->value, 5 * 100 + 6 * 107.5); /* the equal ones, and 105 to 110 */
    is_near(last->share, last->value / life->unproductive_s);
    ck_assert_uint_eq(lengths->n, HC_LIFE_RANKED);
    ck_assert_uint_eq(lengths->n_all, N);
    is_near(lengths->item[HC_LIFE_RANKED - 1].value, 55);
    ck_assert_ptr_nonnull(lengths->item[HC_LIFE_RANKED - 1].name);
    fake_study_free(&fake);
}
END_TEST

START_TEST(a_life_without_lives_has_no_numbers)
{
    struct fake_study fake;
    fake_study_init(&fake, 1, 1);
    hc_life_run_detail(&fake.result.run[0])->summary = (struct hc_lifetime_summary){.n = 0};
    const struct hc_life_findings *life = findings(&fake);
    ck_assert_uint_eq(life->n_leaves, 0);
    ck_assert_uint_eq(life->n_stages, 0);
    ck_assert_uint_eq(life->stops.n, 0);
    ck_assert(isnan(life->gpu_h) && isnan(life->cause[0].unproductive_of_one_s));
    ck_assert(isnan(life->tally[0].value.mean));
    ck_assert_uint_eq(life->by_stage.n + life->fault_lengths.n, 0);
    ck_assert_ptr_null(life->life);
    fake_study_free(&fake);
}
END_TEST

START_TEST(halts_are_found_longest_first)
{
    struct fake_study fake;
    const int64_t minute = 60000000000;
    fake_study_init(&fake, 2, 1);
    fake_life(&fake, 0, 2);
    struct hc_lifetime_trace *trace =
        (struct hc_lifetime_trace *)hc_life_run_detail(&fake.result.run[0])->life;
    fake_span(trace, FAKE_DAY_NS, HC_WHAT_PRODUCTIVE_IDEAL, -1);
    fake_span(trace, 5 * minute, HC_WHAT_LOST_WORK, 1);
    fake_span(trace, 40 * minute, HC_WHAT_DETECTION, 1);
    fake_span(trace, 80 * minute, HC_WHAT_RECOVERY, 1);
    fake_span(trace, FAKE_DAY_NS, HC_WHAT_PRODUCTIVE_IDEAL, -1);
    const struct hc_life_story *story = findings(&fake)->life;
    ck_assert_uint_eq(story->n_halts, 2);
    ck_assert_str_eq(story->halt[0].name, "cause 1");
    is_near(story->halt[0].length_s, 7200);
    is_near(story->halt[0].lost_s, 300);
    is_near(story->halt[0].state_s[HC_STATE_DETECTION], 2400);
    is_near(story->halt[0].state_s[HC_STATE_RECOVERY], 4800);
    is_near(story->halt[0].start_s, 102 * 60 + 86400 + 300);
    ck_assert_str_eq(story->halt[1].name, "first start");
    is_near(story->halt[1].state_s[HC_STATE_QUEUE], 5400);
    is_near(story->wall_s, (102 + 5 + 120) * 60 + 2 * 86400);
    /* Each slice is spent on something. */
    for (size_t i = 0; i < HC_LIFE_SLICES; i++) {
        double sum = 0;
        for (int state = 0; state < HC_STATE_COUNT; state++)
            sum += story->slice[state][i];
        is_near(sum, 1);
    }
    is_near(story->most, 1); /* the first: the queue */
    fake_study_free(&fake);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_findings");
    TCase *tests = tcase_create("lifetime_findings");
    tcase_add_test(tests, all_cuts_of_the_account_have_the_same_sum);
    tcase_add_test(tests, a_group_of_several_has_a_line_of_its_own);
    tcase_add_test(tests, causes_share_the_unproductive_time);
    tcase_add_test(tests, a_stage_is_wall_time_of_a_stop);
    tcase_add_test(tests, lists_are_longest_first);
    tcase_add_test(tests, long_lists_are_cut);
    tcase_add_test(tests, a_life_without_lives_has_no_numbers);
    tcase_add_test(tests, halts_are_found_longest_first);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
