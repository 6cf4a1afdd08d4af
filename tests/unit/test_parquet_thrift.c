/* The Thrift reader: what it reads, and that hostile bytes only make it stop. */
#include "tests/support/parquet_maker.h"

#include "parsers/parquet/parquet_thrift.h"

#include <check.h>

struct inner {
    bool seen;
    int32_t number;
};

struct outer {
    int8_t flag;
    int32_t small, number;
    int64_t large;
    struct hc_thrift_bytes text;
    struct inner inner;
    int n_elements;
    int32_t sum;
};

static void read_element(struct hc_thrift *thrift, int type, void *target)
{
    static const struct hc_thrift_field fields[] = {
        {1, HC_THRIFT_INT32, offsetof(struct inner, number), NULL, NULL}, {0}};
    struct outer *outer = target;
    struct inner inner = {0};
    hc_thrift_read_element(thrift, type, fields, &inner);
    outer->n_elements++;
    outer->sum += inner.number;
}

static const struct hc_thrift_field inner_fields[] = {
    {1, HC_THRIFT_INT32, offsetof(struct outer, inner.number), NULL, NULL}, {0}};

static const struct hc_thrift_field outer_fields[] = {
    {1, HC_THRIFT_BOOL, offsetof(struct outer, flag), NULL, NULL},
    {2, HC_THRIFT_INT8, offsetof(struct outer, small), NULL, NULL},
    {3, HC_THRIFT_INT32, offsetof(struct outer, number), NULL, NULL},
    {4, HC_THRIFT_INT64, offsetof(struct outer, large), NULL, NULL},
    {5, HC_THRIFT_BYTES, offsetof(struct outer, text), NULL, NULL},
    {40, HC_THRIFT_STRUCT, offsetof(struct outer, inner.seen), inner_fields, NULL},
    {41, HC_THRIFT_LIST, 0, NULL, read_element},
    {0},
};

/* All kinds, with things in between that must be skipped. */
static struct mk make_outer(void)
{
    struct mk mk = {0};
    int last = 0, inner = 0;
    mk_field(&mk, &last, 1, MK_TRUE);
    mk_field(&mk, &last, 2, MK_I8);
    mk_byte(&mk, 0xf9);
    mk_number(&mk, &last, 3, MK_I32, -5);
    mk_number(&mk, &last, 4, MK_I64, INT64_MIN);
    mk_field(&mk, &last, 5, MK_BINARY);
    mk_text(&mk, "abc");
    mk_list(&mk, &last, 6, MK_TRUE, 3); /* skipped: a list of bools takes a byte each */
    mk_put(&mk, "\1\2\1", 3);
    mk_field(&mk, &last, 7, 11); /* skipped: a map of texts to doubles */
    mk_varint(&mk, 1);
    mk_byte(&mk, 0x87);
    mk_text(&mk, "k");
    mk_u64(&mk, 0);
    mk_field(&mk, &last, 8, 11); /* skipped: an empty map has no types */
    mk_varint(&mk, 0);
    mk_field(&mk, &last, 40, MK_STRUCT);
    mk_number(&mk, &inner, 1, MK_I32, 77);
    mk_number(&mk, &inner, 2, MK_I64, 1);
    mk_byte(&mk, 0);
    mk_list(&mk, &last, 41, MK_STRUCT, 20);
    for (int i = 0; i < 20; i++) {
        int element = 0;
        mk_number(&mk, &element, 1, MK_I32, i);
        mk_byte(&mk, 0);
    }
    mk_byte(&mk, 0);
    return mk;
}

START_TEST(reads_all_kinds)
{
    struct mk mk = make_outer();
    struct outer outer = {0};
    struct hc_thrift thrift;
    hc_thrift_init(&thrift, mk.p, mk.n);
    hc_thrift_read_struct(&thrift, outer_fields, &outer);
    ck_assert_ptr_null(thrift.problem);
    ck_assert_ptr_eq(thrift.at, thrift.end);
    ck_assert_int_eq(outer.flag, 1);
    ck_assert_int_eq(outer.small, -7);
    ck_assert_int_eq(outer.number, -5);
    ck_assert_int_eq(outer.large, INT64_MIN);
    ck_assert_uint_eq(outer.text.length, 3);
    ck_assert_mem_eq(outer.text.data, "abc", 3);
    ck_assert(outer.inner.seen);
    ck_assert_int_eq(outer.inner.number, 77);
    ck_assert_int_eq(outer.n_elements, 20);
    ck_assert_int_eq(outer.sum, 190);
    free(mk.p);
}
END_TEST

START_TEST(every_truncation_runs_out)
{
    struct mk mk = make_outer();
    for (size_t n = 0; n < mk.n; n++) {
        uint8_t *exact = malloc(n ? n : 1); /* so that a sanitizer sees a read beyond */
        memcpy(exact, mk.p, n);
        struct outer outer = {0};
        struct hc_thrift thrift;
        hc_thrift_init(&thrift, exact, n);
        hc_thrift_read_struct(&thrift, outer_fields, &outer);
        ck_assert_msg(thrift.problem && thrift.ran_out, "cut at %zu", n);
        free(exact);
    }
    free(mk.p);
}
END_TEST

static const char *problem_with(const void *bytes, size_t n)
{
    struct outer outer = {0};
    struct hc_thrift thrift;
    hc_thrift_init(&thrift, bytes, n);
    hc_thrift_read_struct(&thrift, outer_fields, &outer);
    return thrift.problem;
}

START_TEST(hostile_bytes_stop)
{
    struct mk mk = {0};
    /* field 3 as text instead of a number */
    ck_assert_ptr_nonnull(problem_with("\x38\x01\x41\x00", 4));
    /* field 3 beyond 32 bits */
    ck_assert_str_eq(problem_with("\x35\xff\xff\xff\xff\xff\x01\x00", 8),
                     "a number in it is out of range");
    /* eleven bytes of number */
    ck_assert_str_eq(problem_with("\x36\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00", 13),
                     "a field in it is not of the type it should be");
    ck_assert_str_eq(problem_with("\x46\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00", 13),
                     "a number in it is longer than 64 bits");
    /* wire types 14 and 15 do not exist */
    ck_assert_ptr_nonnull(problem_with("\x1e\x00", 2));
    /* a stop with a field number */
    ck_assert_ptr_nonnull(problem_with("\x10\x00", 2));
    /* a text of 2^63 bytes, a list of 2^60 elements */
    ck_assert_ptr_nonnull(problem_with("\x58\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x00", 11));
    mk_byte(&mk, 0x99);
    mk_byte(&mk, 0xfc);
    mk_varint(&mk, (uint64_t)1 << 60);
    ck_assert_ptr_nonnull(problem_with(mk.p, mk.n));
    /* structs in structs without end */
    mk.n = 0;
    for (int i = 0; i < 100000; i++)
        mk_byte(&mk, 0x9c);
    ck_assert_str_eq(problem_with(mk.p, mk.n), "its values nest too deep");
    /* lists in lists without end */
    mk.n = 0;
    mk_byte(&mk, 0x99);
    for (int i = 0; i < 100000; i++)
        mk_byte(&mk, 0x19);
    ck_assert_str_eq(problem_with(mk.p, mk.n), "its values nest too deep");
    free(mk.p);
}
END_TEST

START_TEST(varints_of_all_lengths)
{
    for (unsigned bits = 0; bits < 64; bits++) {
        struct mk mk = {0};
        const uint64_t value = ((uint64_t)1 << bits) + (bits > 3 ? 5 : 0);
        uint64_t read = 0;
        mk_varint(&mk, value);
        const uint8_t *at = mk.p;
        ck_assert(hc_read_varint(&at, mk.p + mk.n, &read));
        ck_assert_uint_eq(read, value);
        ck_assert_ptr_eq(at, mk.p + mk.n);
        at = mk.p;
        ck_assert(!hc_read_varint(&at, mk.p + mk.n - 1, &read));
        ck_assert_ptr_eq(at, mk.p);
        free(mk.p);
    }
    /* a 65th bit */
    const uint8_t long_one[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
    const uint8_t *at = long_one;
    uint64_t read;
    ck_assert(!hc_read_varint(&at, long_one + sizeof long_one, &read));
    ck_assert_int_eq(hc_zigzag(UINT64_MAX), INT64_MIN);
    ck_assert_int_eq(hc_zigzag(3), -2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("parquet_thrift");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, reads_all_kinds);
    tcase_add_test(tests, every_truncation_runs_out);
    tcase_add_test(tests, hostile_bytes_stop);
    tcase_add_test(tests, varints_of_all_lengths);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
