/* Threads are asked for softly, and a library that ends the program does not look like a finding.
 */
#include "core/base/status.h"
#include "core/process/threads.h"

#include <check.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int exit_of(bool announced, int status)
{
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        hc_threads_guard_exit();
        if (announced)
            hc_threads_leave();
        exit(status);
    }
    int how = 0;
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    ck_assert(WIFEXITED(how));
    return WEXITSTATUS(how);
}

START_TEST(an_exit_of_a_library_is_a_failure)
{
    ck_assert_int_eq(exit_of(false, 1), HC_INTERNAL);
    ck_assert_int_eq(exit_of(true, 1), 1);
    ck_assert_int_eq(exit_of(true, 0), 0);
    ck_assert_int_eq(exit_of(false, 0), 0);
}
END_TEST

START_TEST(a_team_has_what_was_asked_for)
{
    ck_assert_int_eq(hc_threads_prepare(3), 3);
    ck_assert_int_eq(omp_get_max_threads(), 3);
    ck_assert_int_eq(hc_threads_prepare(1), 1);
    ck_assert_int_eq(omp_get_max_threads(), 1);
    ck_assert_int_eq(hc_threads_prepare(0), 1); /* as OpenMP says */
}
END_TEST

/* Until the work turns out to be large there is one thread, but it is known how many there will be.
 */
START_TEST(a_team_is_put_off)
{
    hc_threads_prepare(3);
    ck_assert_int_eq(hc_threads_raise(8), 8); /* nothing was put off */
    hc_threads_postpone();
    ck_assert_int_eq(omp_get_max_threads(), 1);
    ck_assert_int_eq(hc_threads_most(), 3);
    ck_assert_int_eq(hc_threads_raise(8), 3);
    ck_assert_int_eq(omp_get_max_threads(), 3);
    ck_assert_int_eq(hc_threads_raise(8), 8);
    hc_threads_postpone();
    ck_assert_int_eq(hc_threads_raise(2), 2);
    ck_assert_int_eq(hc_threads_most(), 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, an_exit_of_a_library_is_a_failure);
    tcase_add_test(tests, a_team_has_what_was_asked_for);
    tcase_add_test(tests, a_team_is_put_off);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
