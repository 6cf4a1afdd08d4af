/* Kineto traces that are damaged, cut, or have nothing in them: what is whole is kept, what is not
 * is counted. */
#include "tests/support/kineto_texts.h"

#include <inttypes.h>

#define KERNEL(name, args)                                                                         \
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"" name "\", " TIMES ", \"args\": {" args "}" \
    "}"

START_TEST(damaged_events)
{
    static const struct {
        const char *text;
        int n_kernels, n_damaged;
    } cases[] = {
        /* One quote too many, in a name and in arguments that are read or only passed over. */
        {KERNEL("a", "") "," KERNEL("b\"c", "") "," KERNEL("d", ""), 2, 1},
        {KERNEL("a", "\"x\": \"\"\"") "," KERNEL("d", ""), 1, 1},
        {"{\"ph\": \"X\", \"cat\": \"python_function\", \"args\": {\"x\": \"\"\"}}, " KERNEL("d",
                                                                                             ""),
         1, 1},
        /* Two, which leave the arguments of a kernel no JSON. */
        {KERNEL("a", "\"x\": \"a\"b\"c\"") "," KERNEL("d", ""), 1, 1},
        {KERNEL("a", "") "," KERNEL("b\"c\"d", "") "," KERNEL("d", ""), 2, 1},
        {"{\"ph\": \"X\", \"cat\": kernel name}, " KERNEL("d", ""), 1, 1},
        {"{\"ph\": \"X\", \"cat\" \"kernel\"}, " KERNEL("d", ""), 1, 1},
        {"{\"ph\": \"X\", \"pid\": , \"tid\": 3}, " KERNEL("d", ""), 1, 1},
        {"} ] nonsense, " KERNEL("d", "") "," KERNEL("e", ""), 2, 1},
        {"{\"ph\": \"X\"; " KERNEL("d", ""), 1, 1},
        {KERNEL("a", "") "," KERNEL("b\"", "\"y\": 1"), 1, 1},
        {KERNEL("a", "") "," KERNEL("b", "\"x\": \"\"\""), 1, 1},
        /* Missing and double commas hide nothing. */
        {KERNEL("a", "") KERNEL("b", "") ",,\n" KERNEL("d", "") ",", 3, 0},
    };
    char text[2000];
    snprintf(text, sizeof text, "{\"schemaVersion\": 1, \"traceEvents\": [%s], %s}", cases[_i].text,
             "\"baseTimeNanoseconds\": 77, \"distributedInfo\": {\"rank\": 2}");
    read_text(text);
    ck_assert_int_eq(count(HC_RANKS_N_KERNELS), cases[_i].n_kernels);
    ck_assert_int_eq(count(HC_RANKS_N_DAMAGED), cases[_i].n_damaged);
    ck_assert_int_eq(hc_row_report_total_bad(&c.report), cases[_i].n_damaged);
    ck_assert_int_eq(count(HC_RANKS_BASE_NS), 77);
    ck_assert_int_eq(count(HC_RANKS_RANK), 2);
    ck_assert_int_eq(count(HC_RANKS_IS_CUT), 0);
}
END_TEST

START_TEST(damaged_members)
{
    read_text("{\"traceName\": \"C:\"x, \"traceEvents\": [" KERNEL(
        "a", "") "], \"INFO\": [\"a \"b\" c\"], \"baseTimeNanoseconds\": 77}");
    ck_assert_int_eq(count(HC_RANKS_N_KERNELS), 1);
    ck_assert_int_eq(count(HC_RANKS_BASE_NS), 77);
    ck_assert_int_eq(count(HC_RANKS_N_DAMAGED), 1);
}
END_TEST

START_TEST(elements_that_are_no_objects)
{
    read_events("1, \"{\", [{\"ph\": 1}], null, " OP);
    ck_assert_int_eq(count(HC_RANKS_N_NO_OBJECTS), 4);
    ck_assert_int_eq(count(HC_RANKS_N_CPU_OPS), 1);
    ck_assert_int_eq(count(HC_RANKS_N_DAMAGED), 0);
}
END_TEST

/* Cut anywhere, a trace keeps the events before: they never become fewer with more text, and all is
 * there at last. */
START_TEST(cut_anywhere)
{
    static const char text[] = "\xEF\xBB\xBF{\"schemaVersion\": 1, \"traceEvents\": [\n" KERNEL(
        "a\\\"b", "\"x\": [1, {\"y\": \"}\"}]") ", {\"ph\": \"s\", \"id\": 3}, " OP
                                                ", " KERNEL("c", "") "\n], " INFO "}\n";
    int64_t most = 0;
    for (size_t length = 3; length <= sizeof text - 1; length++) {
        read_as("worker5.json", text, length);
        ck_assert_msg(!c.status, "%zu: %s", length, c.err.message);
        ck_assert_int_ge(count(HC_RANKS_N_EVENTS), most);
        most = count(HC_RANKS_N_EVENTS);
        ck_assert_int_eq(count(HC_RANKS_IS_CUT), length < sizeof text - 2);
        ck_assert_int_eq(count(HC_RANKS_N_DAMAGED), 0);
        if (length == sizeof text - 20)
            ck_assert_int_eq(count(HC_RANKS_RANK), 3);
    }
    ck_assert_int_eq(most, 3);
}
END_TEST

START_TEST(arrays)
{
    static const char *const forms[] = {"[" OP "," OP "]", "[" OP "," OP ",", "[" OP "," OP,
                                        " \n[" OP "," OP "] "};
    read_text(forms[_i]);
    ck_assert_int_eq(count(HC_RANKS_N_CPU_OPS), 2);
    ck_assert_int_eq(count(HC_RANKS_IS_CUT), 0);
    ck_assert_int_eq(count(HC_RANKS_N_DAMAGED), 0);
}
END_TEST

START_TEST(empty_traces)
{
    static const char *const forms[] = {"{}", "[]", "{\"traceEvents\": []}",
                                        "{\"traceEvents\": null}"};
    read_text(forms[_i]);
    ck_assert_int_eq(count(HC_RANKS_N_EVENTS), 0);
    ck_assert_int_eq(count(HC_RANKS_IS_CUT), 0);
}
END_TEST

/* Longer than the window: what stands across its end is read whole. */
START_TEST(windows)
{
    static char events[1 << 20];
    size_t used = 0;
    int n = 0;
    for (; used < 900000; n++)
        used += (size_t)snprintf(events + used, sizeof events - used,
                                 "%s{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k%*s\", " TIMES
                                 ", \"args\": {\"correlation\": %d}}",
                                 n ? ",\n" : "", n % 97, "", n);
    read_events(events);
    ck_assert_int_eq(count(HC_RANKS_N_KERNELS), n);
    ck_assert_int_eq(kineto_case_sum(&c, HC_PROFILE_GPU, HC_GPU_CORRELATION),
                     (int64_t)n * (n - 1) / 2);
}
END_TEST

#define LOOP(test, n) tcase_add_loop_test(tcase, test, 0, n)

int main(void)
{
    Suite *suite = suite_create("kineto_damage");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 60);
    LOOP(damaged_events, 13);
    tcase_add_test(tcase, damaged_members);
    tcase_add_test(tcase, elements_that_are_no_objects);
    tcase_add_test(tcase, cut_anywhere);
    LOOP(arrays, 4);
    LOOP(empty_traces, 4);
    tcase_add_test(tcase, windows);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    kineto_case_fini(&c);
    return failed ? 1 : 0;
}
