/* What counts as evidence that a node ended a job: kinds of events, the window, whose process,
 * order in time, repeats, and what chance would give. */
#include "core/base/missing.h"
#include "models/evidence/evidence.h"

#include <check.h>
#include <string.h>

#define S_NS    ((int64_t)1000000000)
#define DAY_S   86400
#define START_S ((int64_t)20000 * DAY_S) /* some midnight */

static struct hc_evidence_set set;
static struct hc_error err;

static void start(void)
{
    set = (struct hc_evidence_set){0};
}

static void stop(void)
{
    hc_evidence_fini(&set);
}

static void add(int64_t at_s, const char *node, int32_t code, enum hc_event_effect effect,
                const char *process)
{
    const struct hc_node_event_row row = {.event = {.time_ns = (START_S + at_s) * S_NS,
                                                    .pid = 77,
                                                    .code = code,
                                                    .line = 1,
                                                    .event_class = HC_EVENT_XID,
                                                    .effect = effect},
                                          .node = node,
                                          .process = process,
                                          .source = "kern.log"};
    ck_assert_int_eq(hc_evidence_add(&set, &row, &err), HC_OK);
}

static struct hc_end end_at(int64_t fault_s, int64_t end_s)
{
    return (struct hc_end){.start_ns = (START_S + fault_s - 7200) * S_NS,
                           .fault_ns = (START_S + fault_s) * S_NS,
                           .end_ns = (START_S + end_s) * S_NS,
                           .root_pid = HC_MISSING_I64,
                           .nodes = "gpu[07-08]"};
}

static struct hc_judgement judge(struct hc_end end)
{
    struct hc_judgement judgement;
    hc_evidence_judge(&set, &end, &judgement);
    return judgement;
}

static const struct {
    int64_t at_s; /* the fault is at 10,000 s, the end at 10,600 */
    const char *node, *process;
    enum hc_event_effect effect;
    enum hc_failure_evidence is;
} kinds[] = {
    {9400, "gpu07", "python3", HC_EFFECT_STOPS, HC_EVIDENCE_LIKELY},
    {9399, "gpu07", "python3", HC_EFFECT_STOPS, HC_EVIDENCE_NONE},
    {10600, "gpu08.site.org", NULL, HC_EFFECT_HARDWARE, HC_EVIDENCE_LIKELY},
    {10601, "gpu08", NULL, HC_EFFECT_MAY_STOP, HC_EVIDENCE_COINCIDENT}, /* after the end */
    {10900, "gpu08", NULL, HC_EFFECT_STOPS, HC_EVIDENCE_COINCIDENT},
    {10901, "gpu08", NULL, HC_EFFECT_STOPS, HC_EVIDENCE_NONE},
    {10000, "gpu09", NULL, HC_EFFECT_STOPS, HC_EVIDENCE_NONE}, /* another node */
    {10000, "gpu07", "nvidia-smi", HC_EFFECT_STOPS, HC_EVIDENCE_COINCIDENT},
    {10000, "gpu07", "python3", HC_EFFECT_CLEANUP, HC_EVIDENCE_COINCIDENT},
    {10000, "gpu07", "python3", HC_EFFECT_PROGRAM, HC_EVIDENCE_COINCIDENT},
    {10000, "gpu07", "python3", HC_EFFECT_INFORMS, HC_EVIDENCE_COINCIDENT},
};

START_TEST(events_count_by_kind_and_time)
{
    add(kinds[_i].at_s, kinds[_i].node, 79, kinds[_i].effect, kinds[_i].process);
    ck_assert_int_eq(hc_evidence_end(&set, &err), HC_OK);
    struct hc_judgement is = judge(end_at(10000, 10600));
    ck_assert_int_eq(is.evidence, kinds[_i].is);
    ck_assert((is.event != NULL) == (is.evidence != HC_EVIDENCE_NONE));
}
END_TEST

START_TEST(the_scheduler_knows_of_nodes)
{
    add(10700, "gpu08", 79, HC_EFFECT_STOPS, NULL); /* a node that fails says so late */
    ck_assert_int_eq(hc_evidence_end(&set, &err), HC_OK);
    struct hc_end end = end_at(10600, 10600);
    end.is_node_failure = true;
    ck_assert_int_eq(judge(end).evidence, HC_EVIDENCE_CERTAIN);
    ck_assert_ptr_nonnull(judge(end).event);
    end.nodes = NULL;
    ck_assert_int_eq(judge(end).evidence, HC_EVIDENCE_CERTAIN);
}
END_TEST

START_TEST(the_rank_that_failed_is_named)
{
    add(10500, "gpu08", 79, HC_EFFECT_STOPS, "python3");
    ck_assert_int_eq(hc_evidence_end(&set, &err), HC_OK);
    struct hc_end end = end_at(10600, 10600);
    end.root_pid = 77;
    end.root_node = "gpu08.site.org";
    ck_assert_int_eq(judge(end).evidence, HC_EVIDENCE_CERTAIN);
    end.root_node = "gpu07"; /* a process of that number on another node is another one */
    ck_assert_int_eq(judge(end).evidence, HC_EVIDENCE_LIKELY);
    end.root_node = "gpu08";
    end.root_pid = 78;
    ck_assert_int_eq(judge(end).evidence, HC_EVIDENCE_LIKELY);
}
END_TEST

START_TEST(repeats_are_one)
{
    for (int i = 0; i < 4; i++)
        add(10000 + 5 * i, "gpu07", 79, HC_EFFECT_STOPS, NULL);
    add(10002, "gpu07", 63, HC_EFFECT_HARDWARE, NULL); /* between them, and another */
    add(10002, "gpu08", 79, HC_EFFECT_STOPS, NULL);
    add(10021, "gpu07", 79, HC_EFFECT_STOPS, NULL); /* 6 s behind the last of them */
    ck_assert_int_eq(hc_evidence_end(&set, &err), HC_OK);
    ck_assert_uint_eq(set.n, 4);
    ck_assert_int_eq(set.n_repeats, 3);
}
END_TEST

START_TEST(chance_is_other_days)
{
    add(-10 * DAY_S, "gpu01", 1, HC_EFFECT_INFORMS, NULL); /* the record begins and ends */
    add(10 * DAY_S, "gpu01", 1, HC_EFFECT_INFORMS, NULL);
    add(10000 - 3 * DAY_S, "gpu07", 79, HC_EFFECT_STOPS, NULL);
    add(10000 - 3 * DAY_S + 60, "gpu08", 79, HC_EFFECT_STOPS, NULL); /* the same day */
    add(10000 + 5 * DAY_S, "gpu08", 43, HC_EFFECT_CLEANUP, NULL);    /* would not count */
    add(10000 + 7 * DAY_S, "gpu08", 79, HC_EFFECT_MAY_STOP, NULL);
    add(10000 + 8 * DAY_S, "gpu08", 79, HC_EFFECT_MAY_STOP, NULL); /* too far */
    ck_assert_int_eq(hc_evidence_end(&set, &err), HC_OK);
    struct hc_judgement is = judge(end_at(10000, 10600));
    ck_assert_int_eq(is.evidence, HC_EVIDENCE_NONE);
    ck_assert_int_eq(is.n_shifts, 14);
    ck_assert_int_eq(is.n_chance, 2);
    is = judge(end_at(10000 + 8 * DAY_S, 10600 + 8 * DAY_S)); /* one day of the record is left */
    ck_assert_int_eq(is.n_shifts, 8);
}
END_TEST

START_TEST(lists_that_cannot_be_read)
{
    add(10000, "gpu07", 79, HC_EFFECT_STOPS, NULL);
    ck_assert_int_eq(hc_evidence_end(&set, &err), HC_OK);
    struct hc_end end = end_at(10000, 10600);
    end.nodes = "gpu[07";
    ck_assert(judge(end).has_bad_list);
    ck_assert_int_eq(judge(end).evidence, HC_EVIDENCE_NONE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("evidence");
    TCase *tests = tcase_create("evidence");
    tcase_add_checked_fixture(tests, start, stop);
    tcase_add_loop_test(tests, events_count_by_kind_and_time, 0, sizeof kinds / sizeof *kinds);
    tcase_add_test(tests, the_scheduler_knows_of_nodes);
    tcase_add_test(tests, the_rank_that_failed_is_named);
    tcase_add_test(tests, repeats_are_one);
    tcase_add_test(tests, chance_is_other_days);
    tcase_add_test(tests, lists_that_cannot_be_read);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed ? 1 : 0;
}
