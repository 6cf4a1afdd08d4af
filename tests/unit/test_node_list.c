/* Lists of nodes as Slurm writes them: what they stand for, and where they are wrong. */
#include "core/text/node_list.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The list of all names, each followed by a blank, is as expected; so is their number. */
static void check(const char *text, const char *expected)
{
    struct hc_node_list_reader reader;
    struct hc_error err = {0};
    char names[2000] = "";
    int64_t n = 0;
    ck_assert_msg(hc_node_list_open(&reader, text, strlen(text), &err) == HC_OK, "%s", err.message);
    for (const char *name; (name = hc_node_list_next(&reader)); n++) {
        ck_assert_uint_lt(strlen(names) + strlen(name) + 2, sizeof names);
        strcat(strcat(names, name), " ");
    }
    ck_assert_str_eq(names, expected);
    ck_assert_int_eq(n, reader.n_nodes);
    ck_assert_ptr_null(hc_node_list_next(&reader));
}

static void refused(const char *text, size_t byte, const char *why)
{
    struct hc_node_list_reader reader;
    struct hc_error err = {0};
    char place[40];
    snprintf(place, sizeof place, "byte %zu of", byte);
    ck_assert_int_eq(hc_node_list_open(&reader, text, strlen(text), &err), HC_BAD_INPUT);
    ck_assert_msg(strstr(err.message, place) == err.message, "'%s': %s", text, err.message);
    ck_assert_msg(strstr(err.message, why) != NULL, "'%s': %s", text, err.message);
}

START_TEST(names_and_ranges_are_read_out_in_order)
{
    check("n1", "n1 ");
    check("login", "login ");
    check("b,a,b", "b a b ");
    check("cpn-f15-[06,08,11-12],x[001-004]",
          "cpn-f15-06 cpn-f15-08 cpn-f15-11 cpn-f15-12 x001 x002 x003 x004 ");
    check("[3-4].rack", "3.rack 4.rack ");
}
END_TEST

START_TEST(numbers_keep_the_digits_of_the_first)
{
    check("n[08-11]", "n08 n09 n10 n11 ");
    check("n[8-11]", "n8 n9 n10 n11 ");
    check("n[098-101]", "n098 n099 n100 n101 ");
    check("n[08-9,0,00,000]", "n08 n09 n0 n00 n000 ");
    check("n[999999999999999998-999999999999999999]", "n999999999999999998 n999999999999999999 ");
}
END_TEST

START_TEST(several_brackets_are_all_combinations)
{
    check("a[1-2]b[3-4]", "a1b3 a1b4 a2b3 a2b4 ");
    check("r[0-1][0,2]x,z", "r00x r02x r10x r12x z ");
    check("r[1]c[2]s[3]b[4]n[5]a[6]b[7]c[8]", "r1c2s3b4n5a6b7c8 ");
}
END_TEST

START_TEST(wrong_lists_say_where)
{
    refused("", 1, "name of a node is expected");
    refused("a,", 3, "name of a node is expected");
    refused("a,,b", 3, "name of a node is expected");
    refused(",a", 1, "name of a node is expected");
    refused("a[", 3, "a number is expected");
    refused("a[]", 3, "a number is expected");
    refused("a[1,]", 5, "a number is expected");
    refused("a[1-]", 5, "a number is expected");
    refused("a[-1]", 3, "a number is expected");
    refused("a[1-2", 6, "closes the numbers");
    refused("a[1-2-3]", 6, "closes the numbers");
    refused("a[1x]", 4, "closes the numbers");
    refused("a[b[1]]", 3, "a number is expected");
    refused("a]", 2, "no name of a node holds this byte");
    refused("None assigned", 5, "no name of a node holds this byte");
    refused("n\xc3\xa4", 2, "no name of a node holds this byte");
    refused("a[2-1]", 6, "descends");
    refused("a[1000000000000000000]", 22, "too many digits");
    refused("r[1]c[2]s[3]b[4]n[5]a[6]b[7]c[8]d[9]", 34, "too many brackets");
}
END_TEST

START_TEST(sizes_are_bounded_and_counted_without_reading)
{
    struct hc_node_list_reader reader;
    struct hc_error err = {0};
    const char *text = "a[0-999]b[0-999]";
    ck_assert_int_eq(hc_node_list_open(&reader, text, strlen(text), &err), HC_OK);
    ck_assert_int_eq(reader.n_nodes, HC_NODE_LIST_MOST);
    refused("a[0-999]b[0-1000]", 18, "too many nodes");
    refused("a[0-999]b[0-999],c", 19, "too many nodes");
    refused("a[0-1000000]", 12, "too many nodes");
    refused("a[0-600000,0-600000]", 20, "too many nodes");
    refused("a[0-999][0-999][0-999][0-999][0-999][0-999][0-999]", 23, "too many nodes");
    char name[300];
    memset(name, 'n', sizeof name);
    ck_assert_int_eq(hc_node_list_open(&reader, name, HC_NODE_NAME_MOST, &err), HC_OK);
    ck_assert_uint_eq(strlen(hc_node_list_next(&reader)), HC_NODE_NAME_MOST);
    name[HC_NODE_NAME_MOST + 1] = '\0';
    refused(name, HC_NODE_NAME_MOST + 2, "too long");
    /* The longest number of the brackets counts. */
    memcpy(name + HC_NODE_NAME_MOST - 2, "[9-10]", 7);
    ck_assert_int_eq(hc_node_list_open(&reader, name, strlen(name), &err), HC_OK);
    hc_node_list_next(&reader);
    ck_assert_uint_eq(strlen(hc_node_list_next(&reader)), HC_NODE_NAME_MOST);
    memcpy(name + HC_NODE_NAME_MOST - 2, "n[9-10]", 8);
    refused(name, strlen(name) + 1, "too long");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("node_list");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, names_and_ranges_are_read_out_in_order);
    tcase_add_test(tcase, numbers_keep_the_digits_of_the_first);
    tcase_add_test(tcase, several_brackets_are_all_combinations);
    tcase_add_test(tcase, wrong_lists_say_where);
    tcase_add_test(tcase, sizes_are_bounded_and_counted_without_reading);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
