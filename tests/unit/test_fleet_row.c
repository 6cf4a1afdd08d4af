/* Rows of a fleet: the funnel, the sampled steps, through JSON and back to the bit; sealed files;
 * how jobs are dealt. */
#include "core/files/sealed_json.h"
#include "core/random/philox.h"
#include "pipeline/fleet/fleet_jobs.h"
#include "pipeline/fleet/fleet_row_json.h"
#include "reports/fleet/fleet_records.h"
#include "sim/fleet/fleet_row.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

static void make_row(struct hc_fleet_row *row, const char *id)
{
    ck_assert_int_eq(hc_fleet_row_init(row, "c", id, 3, &err), HC_OK);
    memset(row->segment_sha256, 'a', 64);
}

/* ---- JSON ---- */

static char *text_of(const struct hc_fleet_row *row)
{
    char *text = NULL;
    size_t length = 0;
    struct hc_json_writer json;
    FILE *stream = open_memstream(&text, &length);
    hc_json_start(&json, stream, 2);
    hc_json_object(&json, NULL);
    hc_record_store(&json, &hc_fleet_row_record, &(struct hc_item){.record = row});
    hc_json_end(&json);
    ck_assert_int_eq(hc_json_finish(&json, "memory", &err), HC_OK);
    fclose(stream);
    return text;
}

/* Any double but NaN and infinities, which rows do not have. */
static double any_double(struct hc_philox *rng)
{
    double value = NAN;
    while (!isfinite(value)) {
        uint64_t bits = hc_philox_u64(rng);
        memcpy(&value, &bits, sizeof value);
    }
    return value;
}

static void fill_any(struct hc_fleet_row *row, struct hc_philox *rng)
{
    double *reals[] = {&row->gpu_hours_traced,
                       &row->gpu_hours_lost,
                       &row->mean_traced_s,
                       &row->mean_replayed_s,
                       &row->mean_ideal_s,
                       &row->slowdown,
                       &row->waste,
                       &row->launch_slowdown,
                       &row->discrepancy,
                       &row->slowdown_interval.low,
                       &row->slowdown_interval.high,
                       &row->m_w,
                       &row->m_s,
                       &row->correlation,
                       &row->max_worker};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        *reals[i] = hc_philox_integer(rng, 4) ? any_double(rng) : NAN;
    row->fate = (enum hc_fleet_fate)hc_philox_integer(rng, HC_N_FLEET_FATES);
    row->cause = (enum hc_straggler_cause)hc_philox_integer(rng, HC_N_STRAGGLER_CAUSES);
    row->also = (uint32_t)hc_philox_u64(rng) & ((1U << HC_N_STRAGGLER_CAUSES) - 1);
    row->n_gpus = (int64_t)(hc_philox_u64(rng) >> 1);
    row->dp_size = (int32_t)hc_philox_integer(rng, INT32_MAX);
    row->n_types = hc_philox_integer(rng, HC_FLEET_MAX_TYPES + 1);
    for (size_t i = 0; i < row->n_types; i++) {
        snprintf(row->types[i].name, sizeof row->types[i].name, "type-%zu", i);
        row->types[i].slowdown = any_double(rng);
    }
    row->n_sampled = hc_philox_integer(rng, HC_FLEET_SAMPLED_STEPS + 1);
    for (size_t i = 0; i < row->n_sampled; i++)
        row->sampled[i] = any_double(rng);
}

START_TEST(test_json_is_exact)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, 11, 0, 0);
    for (int round = 0; round < 500; round++) {
        struct hc_fleet_row row, back;
        make_row(&row, "a \"job\"\n\xc3\xa4");
        fill_any(&row, &rng);
        char *text = text_of(&row);
        json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        ck_assert_ptr_nonnull(object);
        ck_assert_int_eq(hc_fleet_row_read(&back, object, &err), HC_OK);
        char *again = text_of(&back);
        ck_assert_str_eq(text, again);
        ck_assert(memcmp(&row.slowdown, &back.slowdown, sizeof row.slowdown) == 0 ||
                  (isnan(row.slowdown) && isnan(back.slowdown)));
        ck_assert_int_eq(row.fate, back.fate);
        ck_assert_int_eq(row.also, back.also);
        json_decref(object);
        free(text);
        free(again);
        hc_fleet_row_fini(&row);
        hc_fleet_row_fini(&back);
    }
}
END_TEST

/* Without any one of its members, or with one of another type, a row is refused by name. */
START_TEST(test_json_refuses)
{
    struct hc_fleet_row row, back;
    make_row(&row, "j");
    char *text = text_of(&row);
    json_t *object = json_loads(text, 0, NULL), *value = NULL;
    const char *key = NULL;
    json_object_foreach(object, key, value)
    {
        json_t *copy = json_deep_copy(object);
        json_object_del(copy, key);
        ck_assert_int_eq(hc_fleet_row_read(&back, copy, &err), HC_BAD_INPUT);
        json_object_set_new(copy, key, json_true());
        ck_assert_int_eq(hc_fleet_row_read(&back, copy, &err), HC_BAD_INPUT);
        json_decref(copy);
    }
    json_decref(object);
    free(text);
    hc_fleet_row_fini(&row);
}
END_TEST

/* ---- the funnel ---- */

START_TEST(test_fates)
{
    const struct hc_fleet_limits limits = {15, 5, 0.05};
    struct hc_fleet_row row;
    make_row(&row, "j");
    row.n_steps = 5;
    row.discrepancy = 0.05;
    row.slowdown = 1.5;
    hc_fleet_row_judge(&row, &limits);
    ck_assert_int_eq(row.fate, HC_FLEET_ANALYSED);
    ck_assert(!hc_fleet_row_judge_attempts(&row, 15, &limits));
    row.discrepancy = 0.0501;
    hc_fleet_row_judge(&row, &limits);
    ck_assert_int_eq(row.fate, HC_FLEET_DISCREPANCY);
    ck_assert_double_eq(row.slowdown, 1.5); /* what was found stays, with the reason */
    ck_assert_ptr_nonnull(strstr(row.detail, "5.01 %"));

    /* Late launches are a finding about the job, what makes traced steps shorter is none. */
    row.fate = HC_FLEET_ANALYSED;
    row.launch_slowdown = 0.9;
    hc_fleet_row_judge(&row, &limits);
    ck_assert_int_eq(row.fate, HC_FLEET_DISCREPANCY);
    ck_assert(!hc_fleet_row_is_late(&row));
    row.fate = HC_FLEET_ANALYSED;
    row.launch_slowdown = 1.06;
    hc_fleet_row_judge(&row, &limits);
    ck_assert_int_eq(row.fate, HC_FLEET_ANALYSED);
    ck_assert(hc_fleet_row_is_late(&row));
    row.discrepancy = 0.05;
    ck_assert(!hc_fleet_row_is_late(&row));

    row.fate = HC_FLEET_ANALYSED;
    row.n_steps = 4;
    hc_fleet_row_judge(&row, &limits);
    ck_assert_int_eq(row.fate, HC_FLEET_FEW_STEPS); /* comes before the discrepancy */
    ck_assert(isnan(row.slowdown) && isnan(row.discrepancy));
    ck_assert_int_eq(row.n_steps, 4);

    hc_fleet_row_discard(&row, HC_FLEET_NO_REPLAY, "no \x01graph \xff");
    ck_assert_str_eq(row.detail, "no \\x01graph \\xff");
    row.n_steps = 9;
    hc_fleet_row_judge(&row, &limits);
    ck_assert_int_eq(row.fate, HC_FLEET_NO_REPLAY);
    ck_assert(hc_fleet_row_judge_attempts(&row, 16, &limits));
    ck_assert_int_eq(row.fate, HC_FLEET_RESTARTED);
    hc_fleet_row_fini(&row);
}
END_TEST

/* A detail that does not fit is cut between characters. */
START_TEST(test_detail_is_cut)
{
    struct hc_fleet_row row;
    char text[600] = "x";
    for (size_t i = 1; i + 2 < sizeof text; i += 2)
        memcpy(text + i, "\xc3\xa4", 3);
    make_row(&row, "j");
    hc_fleet_row_discard(&row, HC_FLEET_UNREADABLE, text);
    ck_assert_uint_eq(strlen(row.detail), 399);
    ck_assert_int_eq(memcmp(row.detail, text, 399), 0);
    hc_fleet_row_discard(&row, HC_FLEET_UNREADABLE, text + 1);
    ck_assert_uint_eq(strlen(row.detail), 398);
    hc_fleet_row_fini(&row);
}
END_TEST

/* ---- sampled steps ---- */

/* A result of n steps whose step slowdown is S times the number of the step. */
static void sample(struct hc_fleet_row *row, size_t n)
{
    double *steps = calloc(n, sizeof *steps);
    struct hc_whatif_result result = {.n_steps = n, .step_slowdown = steps, .slowdown = 2};
    for (size_t i = 0; i < n; i++)
        steps[i] = 2 * (double)i;
    hc_fleet_row_fill(row, &result);
    free(steps);
}

START_TEST(test_sampled_steps)
{
    int count[40] = {0};
    for (int job = 0; job < 4000; job++) {
        struct hc_fleet_row row;
        char id[16];
        snprintf(id, sizeof id, "j%d", job);
        make_row(&row, id);
        sample(&row, 40);
        ck_assert_uint_eq(row.n_sampled, HC_FLEET_SAMPLED_STEPS);
        for (size_t i = 0; i < row.n_sampled; i++) {
            ck_assert(i == 0 || row.sampled[i] > row.sampled[i - 1]); /* none twice */
            count[(size_t)row.sampled[i]]++;
        }
        hc_fleet_row_fini(&row);
    }
    /* Each step is drawn by 15 of 40 jobs: 1500, with a standard deviation of 31. */
    for (int step = 0; step < 40; step++)
        ck_assert_int_lt(abs(count[step] - 1500), 5 * 31);
    struct hc_fleet_row few;
    make_row(&few, "j");
    sample(&few, 3);
    ck_assert_uint_eq(few.n_sampled, 3);
    ck_assert_double_eq(few.sampled[2], 2);
    hc_fleet_row_fini(&few);
}
END_TEST

/* ---- seals ---- */

START_TEST(test_seal)
{
    char *sealed = hc_sealed_json("{\n  \"a\": {\n    \"b\": 1\n  }\n}\n", &err);
    size_t length = strlen(sealed);
    ck_assert(hc_sealed_json_is_whole(sealed, length));
    json_t *object = json_loads(sealed, 0, NULL);
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(object, "a"), "b")), 1);
    json_decref(object);
    for (size_t i = 0; i < length; i++) { /* any byte changed, any end cut off */
        ck_assert(!hc_sealed_json_is_whole(sealed, i));
        sealed[i] ^= 1;
        ck_assert(!hc_sealed_json_is_whole(sealed, length));
        sealed[i] ^= 1;
    }
    ck_assert(hc_sealed_json_is_whole(sealed, length));
    free(sealed);
}
END_TEST

/* ---- shards ---- */

START_TEST(test_shard_option)
{
    struct hc_shard shard = {0, 0};
    ck_assert_int_eq(hc_shard_parse("3/16", &shard, &err), HC_OK);
    ck_assert(shard.index == 3 && shard.n == 16);
    const char *const bad[] = {"",     "3",    "/",         "0/3",
                               "4/3",  "-1/3", "1/-3",      "1/3x",
                               "1 /3", "+1/3", "1/9999999", "99999999999999999999/1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(hc_shard_parse(bad[i], &shard, &err) == HC_USAGE, "'%s'", bad[i]);
}
END_TEST

#define N_JOBS 200

/* Every job is in one shard, and no shard has more than the mean and the largest job. */
START_TEST(test_dealing)
{
    struct hc_manifest_entry entries[N_JOBS];
    struct hc_philox rng;
    int64_t total = 0, largest = 0;
    hc_philox_seek(&rng, 5, 0, 0);
    for (int i = 0; i < N_JOBS; i++) {
        int64_t root = (int64_t)hc_philox_integer(&rng, 1000), n_ops = root * root;
        entries[i] = (struct hc_manifest_entry){.table = (char *)"ops"};
        ck_assert_int_eq(hc_table_counts_set(&entries[i].tables, "ops", n_ops, &err), HC_OK);
        total += n_ops;
        largest = n_ops > largest ? n_ops : largest;
    }
    const int32_t shards[] = {1, 3, 16, 300};
    for (size_t k = 0; k < sizeof shards / sizeof *shards; k++) {
        int seen[N_JOBS] = {0};
        for (int32_t index = 1; index <= shards[k]; index++) {
            struct hc_fleet_job jobs[N_JOBS];
            size_t n = N_JOBS;
            int64_t load = 0;
            for (int i = 0; i < N_JOBS; i++)
                jobs[i] = (struct hc_fleet_job){.entry = &entries[i]};
            struct hc_shard shard = {index, shards[k]};
            ck_assert_int_eq(hc_fleet_jobs_deal(jobs, &n, shard, &err), HC_OK);
            for (size_t i = 0; i < n; i++) {
                seen[jobs[i].entry - entries]++;
                load += hc_fleet_job_rows(&jobs[i]);
                ck_assert(i == 0 || jobs[i].entry > jobs[i - 1].entry); /* manifest order */
            }
            ck_assert_int_le(load, total / shards[k] + largest + N_JOBS);
        }
        for (int i = 0; i < N_JOBS; i++)
            ck_assert_int_eq(seen[i], 1);
    }
    for (int i = 0; i < N_JOBS; i++)
        hc_table_counts_fini(&entries[i].tables);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fleet_row");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, test_json_is_exact);
    tcase_add_test(tests, test_json_refuses);
    tcase_add_test(tests, test_fates);
    tcase_add_test(tests, test_detail_is_cut);
    tcase_add_test(tests, test_sampled_steps);
    tcase_add_test(tests, test_seal);
    tcase_add_test(tests, test_shard_option);
    tcase_add_test(tests, test_dealing);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
