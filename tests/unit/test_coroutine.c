/* Functions that are left in their middle: each goes on where it was, with what it had. */
#include "sim/engine/coroutine.h"

#include <check.h>
#include <string.h>

struct counter {
    struct hc_coroutine *self;
    int from, n, *at;
    int n_changed; /* bytes of its stack, by others */
};

/* Far down its stack, and with memory on it. */
static void count_down(struct counter *c, int depth)
{
    char here[512];
    memset(here, c->from + depth, sizeof here);
    if (depth) {
        count_down(c, depth - 1);
    } else {
        for (int i = 0; i < c->n; i++) {
            *c->at = c->from + i;
            hc_coroutine_yield(c->self);
        }
    }
    for (size_t i = 0; i < sizeof here; i++)
        c->n_changed += here[i] != (char)(c->from + depth);
}

static void count(void *context)
{
    count_down(context, 20);
}

START_TEST(two_take_turns)
{
    struct hc_error err;
    int at = -1;
    struct counter c[2] = {{.from = 0, .n = 50, .at = &at}, {.from = 100, .n = 50, .at = &at}};
    for (int i = 0; i < 2; i++) {
        c[i].self = hc_coroutine_new(&err);
        ck_assert_ptr_nonnull(c[i].self);
        hc_coroutine_start(c[i].self, count, &c[i]);
    }
    for (int turn = 0; turn < 50; turn++)
        for (int i = 0; i < 2; i++) {
            ck_assert(hc_coroutine_resume(c[i].self));
            ck_assert_int_eq(at, c[i].from + turn);
        }
    for (int i = 0; i < 2; i++) {
        ck_assert(!hc_coroutine_resume(c[i].self));
        ck_assert(!hc_coroutine_resume(c[i].self)); /* has ended, and stays so */
        ck_assert_int_eq(c[i].n_changed, 0);
        hc_coroutine_free(c[i].self);
    }
}
END_TEST

START_TEST(one_is_used_again_and_one_never)
{
    struct hc_error err;
    int at = -1;
    struct counter c = {.self = hc_coroutine_new(&err), .from = 7, .n = 1, .at = &at};
    struct hc_coroutine *never = hc_coroutine_new(&err);
    ck_assert(c.self && never);
    for (int i = 0; i < 1000; i++) {
        c.from = i % 50;
        hc_coroutine_start(c.self, count, &c);
        ck_assert(hc_coroutine_resume(c.self));
        ck_assert_int_eq(at, c.from);
        ck_assert(!hc_coroutine_resume(c.self));
    }
    ck_assert_int_eq(c.n_changed, 0);
    hc_coroutine_start(never, count, &c);
    hc_coroutine_free(never);
    hc_coroutine_free(c.self);
    hc_coroutine_free(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coroutine");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, two_take_turns);
    tcase_add_test(tests, one_is_used_again_and_one_never);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
