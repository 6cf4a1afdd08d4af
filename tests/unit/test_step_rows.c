#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "parsers/steps/step_rows.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N 5000

static struct hc_step_raw raw;
static struct hc_table ops;
static struct hc_row_report report;
static struct hc_error err;
static const struct hc_source source = {.name = "x.parquet", .fd = -1};
static const struct hc_parse_options options;

static void setup(void)
{
    memset(&report, 0, sizeof report);
    memset(&err, 0, sizeof err);
    ck_assert(hc_step_raw_init(&raw, N, &err) == HC_OK);
    ck_assert(hc_table_init(&ops, &hc_ops_def, N, &err) == HC_OK);
    raw.n = N;
    for (int i = 0; i < N; i++) {
        for (int field = 0; field < HC_N_INT_FIELDS; field++)
            raw.ints[field][i] = i * 10 + field;
        raw.op_type[i] = i % HC_N_OP_TYPES;
        raw.start_ns[i] = i * 1000;
        raw.duration_ns[i] = i;
    }
}

static void teardown(void)
{
    hc_step_raw_fini(&raw);
    hc_table_fini(&ops);
    hc_row_report_fini(&report);
}

static enum hc_status append(size_t from, size_t n)
{
    struct hc_step_flow flow = {&source, &options, &ops, &report};
    return hc_step_rows_append(&raw, from, n, &flow, &err);
}

START_TEST(good_rows_arrive_in_their_columns)
{
    ck_assert(append(0, 1) == HC_OK && append(1, N - 1) == HC_OK);
    ck_assert_uint_eq(ops.n_rows, N);
    ck_assert_int_eq(report.rows_read, N);
    struct hc_op_columns c = hc_op_columns(&ops);
    for (int i = 0; i < N; i++) {
        int base = i * 10;
        ck_assert(c.dp_rank[i] == base + HC_FIELD_DP_RANK && c.stage[i] == base + HC_FIELD_STAGE);
        ck_assert(c.rank[i] == base + HC_FIELD_RANK && c.step[i] == base + HC_FIELD_STEP);
        ck_assert(c.seq_id[i] == base + HC_FIELD_SEQ_ID && c.model_chunk[i] == base + HC_FIELD_MC);
        ck_assert(c.microbatch[i] == base + HC_FIELD_MB_ID);
        ck_assert(c.global_chunk[i] == base + HC_FIELD_GMC);
        ck_assert(c.op_type[i] == i % HC_N_OP_TYPES);
        ck_assert(c.start_ns[i] == i * 1000 && c.duration_ns[i] == i);
    }
}
END_TEST

/* Every bad row alone is left out, wherever in a block it stands. */
START_TEST(bad_rows_are_left_out)
{
    raw.ints[HC_FIELD_SEQ_ID][0] = HC_MISSING_I64;
    raw.ints[HC_FIELD_STEP][1023] = (int64_t)INT32_MAX + 1;
    raw.ints[HC_FIELD_MC][1024] = HC_MISSING_I64;
    raw.ints[HC_FIELD_GMC][1025] = -1;
    raw.ints[HC_FIELD_MB_ID][1026] = -2;
    raw.start_flag[2000] = HC_TIME_NULL;
    raw.duration_flag[2001] = HC_TIME_OUT_OF_RANGE;
    raw.op_type[2002] = HC_OP_UNKNOWN;
    raw.op_type[2003] = HC_OP_IGNORED;
    raw.is_bad[2004] = 1; /* counted by the format */
    raw.start_ns[2005] = INT64_MAX;
    raw.start_ns[2006] = INT64_MIN + 1;
    raw.duration_ns[2007] = INT64_MAX;
    raw.start_ns[2008] = raw.duration_ns[2008] = (int64_t)1 << 62;
    raw.ints[HC_FIELD_DP_RANK][N - 1] = -1;
    ck_assert_msg(append(0, N) == HC_OK, "%s", err.message);
    ck_assert_int_eq(report.rows_read, N);
    ck_assert_int_eq(report.rows_ignored, 1);
    ck_assert_int_eq(report.count[HC_BAD_NULL], 3);
    ck_assert_int_eq(report.count[HC_BAD_RANGE], 8);
    ck_assert_int_eq(report.bad_without_step, 1);
    ck_assert_uint_eq(ops.n_rows, N - 13);
    ck_assert_str_eq(report.example[HC_BAD_NULL], "'x.parquet': row 1: seq_id is empty");
    ck_assert_str_eq(report.example[HC_BAD_RANGE],
                     "'x.parquet': row 1024: step 2147483648 is out of range (0 to 2147483647)");
    struct hc_op_columns c = hc_op_columns(&ops);
    ck_assert_int_eq(c.model_chunk[1022], HC_MISSING_I32); /* raw row 1024 */
    ck_assert_int_eq(c.global_chunk[1023], HC_MISSING_I32);
    ck_assert_int_eq(c.duration_ns[1024], 1027);
}
END_TEST

START_TEST(impossible_rows_are_fatal)
{
    raw.first_place = 100;
    raw.duration_ns[7] = -1500000000;
    ck_assert_int_eq(append(0, N), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, "'x.parquet': row 107: duration -1.500000000 s is negative; "
                                  "correct or remove the row");
    ck_assert_uint_eq(ops.n_rows, 7);
    raw.start_flag[6] = HC_TIME_NOT_FINITE;
    ops.n_rows = 0;
    ck_assert_int_eq(append(0, N), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, "'x.parquet': row 106: start_ts is not finite (nan or inf); "
                                  "correct or remove the row");
}
END_TEST

START_TEST(fields_are_found_and_checked)
{
    int found[HC_N_STEP_FIELDS];
    for (int field = 0; field < HC_N_STEP_FIELDS; field++) {
        const char *name = hc_step_field_name(field);
        ck_assert_int_eq(hc_step_field_find(name, strlen(name)), field);
        found[field] = 1;
    }
    ck_assert_int_eq(hc_step_field_find("steps", 5), -1);
    ck_assert_int_eq(hc_step_field_find("", 0), -1);
    ck_assert_int_eq(hc_step_fields_check(found, "f", &err), HC_OK);
    found[HC_FIELD_MC] = 0;
    ck_assert_int_eq(hc_step_fields_check(found, "f", &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, "'f' lacks the column 'mc'; all eleven must be there");
    found[HC_FIELD_OPTYPE] = 2;
    ck_assert_int_eq(hc_step_fields_check(found, "f", &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, "'f' lacks the columns 'mc' and has 'optype' more than once; all "
                                  "eleven must be there once");
    memset(found, 0, sizeof found);
    ck_assert_int_eq(hc_step_fields_check(found, "f", &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "'f' has none of the columns of a step timeline"));
}
END_TEST

static int64_t ns_of(double seconds)
{
    int64_t ns = 1;
    ck_assert_int_eq(hc_seconds_to_ns(seconds, &ns), HC_TIME_OK);
    return ns;
}

START_TEST(seconds_are_rounded_to_the_nearest_ns)
{
    ck_assert_int_eq(ns_of(0), 0);
    ck_assert_int_eq(ns_of(1.5), 1500000000);
    ck_assert_int_eq(ns_of(-1.5), -1500000000);
    ck_assert_int_eq(ns_of((double)0.61643934f), 616439342);
    ck_assert_int_eq(ns_of(0x1p-10), 976563); /* 976562.5: halves away from zero */
    ck_assert_int_eq(ns_of(-0x1p-10), -976563);
    ck_assert_int_eq(ns_of(1763718722.25), 1763718722250000000);
    int64_t ns = 1;
    ck_assert_int_eq(hc_seconds_to_ns((double)NAN, &ns), HC_TIME_NOT_FINITE);
    ck_assert_int_eq(hc_seconds_to_ns(-(double)INFINITY, &ns), HC_TIME_NOT_FINITE);
    ck_assert_int_eq(hc_seconds_to_ns(1e10, &ns), HC_TIME_OUT_OF_RANGE);
    ck_assert_int_eq(hc_seconds_to_ns(-1e300, &ns), HC_TIME_OUT_OF_RANGE);
    ck_assert_int_eq(ns, 0);
}
END_TEST

/* The exact answer: whole seconds apart, the fraction as a 128-bit fixed point number. */
static int64_t exact_ns(double seconds)
{
    double magnitude = fabs(seconds), whole = floor(magnitude);
    int exponent = 0;
    uint64_t mantissa = (uint64_t)ldexp(frexp(magnitude - whole, &exponent), 53);
    int shift = 53 - exponent; /* fraction = mantissa / 2^shift */
    __extension__ unsigned __int128 scaled = (unsigned __int128)mantissa * 1000000000u;
    uint64_t ns = 0;
    if (shift <= 84) /* else it is below half a nanosecond */
        ns = (uint64_t)((scaled + ((__extension__(unsigned __int128) 1) << (shift - 1))) >> shift);
    int64_t result = (int64_t)whole * 1000000000 + (int64_t)ns;
    return seconds < 0 ? -result : result;
}

START_TEST(random_seconds_agree_with_the_exact_answer)
{
    unsigned seed =
        getenv("HC_TEST_SEED") ? (unsigned)atoi(getenv("HC_TEST_SEED")) : (unsigned)time(NULL);
    printf("seed: HC_TEST_SEED=%u\n", seed);
    srand(seed);
    for (int round = 0; round < 1000000; round++) {
        double unit = ((double)rand() + (double)rand() / RAND_MAX) / RAND_MAX;
        double seconds = ldexp(unit, rand() % 48 - 16);
        if (rand() % 4 == 0) /* near halves of a nanosecond */
            seconds = ((double)(rand() % 1000000000) + 0.5) * 1e-9;
        if (rand() % 4 == 0)
            seconds = (double)(float)seconds;
        if (rand() % 2)
            seconds = -seconds;
        ck_assert_msg(ns_of(seconds) == exact_ns(seconds), "%a", seconds);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("step_rows");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, good_rows_arrive_in_their_columns);
    tcase_add_test(tcase, bad_rows_are_left_out);
    tcase_add_test(tcase, impossible_rows_are_fatal);
    tcase_add_test(tcase, fields_are_found_and_checked);
    tcase_add_test(tcase, seconds_are_rounded_to_the_nearest_ns);
    tcase_add_test(tcase, random_seconds_agree_with_the_exact_answer);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
