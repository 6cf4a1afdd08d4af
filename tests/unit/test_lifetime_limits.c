/* The limits of numbers in scenarios of lifetimes. The table of keys is walked, so that each key
 * that is added must come here: at its limit a number is taken, by the table and by the engine; the
 * next one beyond it is refused by the table, at its path in the scenario. So no number that the
 * table lets pass is refused by the engine's own limit. */
#include "study/grammar/scenario_prepare.h"
#include "tests/support/text_file.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- scenarios in which keys have a meaning; what has a name is called "x" ---- */

#define SCENARIO(rest) "{\"schema\": \"hindcast/scenario/1\", \"kind\": \"lifetime\", " rest "}"
#define JOB(n)         "\"job\": {\"nodes\": " n ", \"work_d\": 1}, "
#define LARGE          JOB("10000000")
#define SMALL          JOB("1")
#define SAVES          "\"checkpoint\": {\"mode\": \"blocking\", \"every_s\": 60}"
#define NO_SAVES       "\"checkpoint\": {\"mode\": \"none\"}"
#define START          ", \"startup\": {\"full_s\": 1}"
#define FAULT(rest)    "\"faults\": {\"x\": {\"class\": \"explicit\", " rest "}}, "
#define EVICT          "\"remedy\": \"evict\""
#define PARALLEL(n, of)                                                                            \
    "\"job\": {\"nodes\": " n ", \"gpus_per_node\": 1, \"work_d\": 1, \"parallel\": {" of "}}, "
#define POOL(n) ", \"recovery\": {\"pool_nodes\": " n ", \"spare_nodes\": 1}"

static const char *const scenarios[] = {
    SCENARIO(LARGE FAULT("\"per_job_day\": 1, " EVICT) SAVES START),
    SCENARIO(LARGE FAULT(EVICT) NO_SAVES START),
    SCENARIO(LARGE FAULT("\"domain_nodes\": 1, " EVICT) NO_SAVES START),
    SCENARIO(LARGE FAULT("\"unit\": \"node\", " EVICT) NO_SAVES START),
    SCENARIO(LARGE FAULT("\"unit\": \"node\", \"between_h\": 1, " EVICT) NO_SAVES START),
    SCENARIO(LARGE FAULT("\"per_node_day\": 1, \"inspect_every_s\": 1, " EVICT) SAVES START
             ", \"exposure\": {\"lemon_share\": 0.5}"),
    SCENARIO(LARGE FAULT("\"per_1000_domain_days\": 1, \"domain_nodes\": 1, "
                         "\"remedy\": \"evict_group\", \"group_nodes\": 1, "
                         "\"ladder\": [\"rollback\"]") SAVES START),
    SCENARIO(LARGE FAULT("\"per_job_day\": 1, \"effect\": \"slow\", \"slow_factor\": 2, "
                         "\"remedy\": \"none\", \"lasts_s\": 1") NO_SAVES START),
    SCENARIO(LARGE FAULT("\"per_job_day\": 1, \"effect\": \"slow\", \"slow_factor\": 2, " EVICT)
                 NO_SAVES START),
    SCENARIO(LARGE "\"faults\": {\"x\": {\"class\": \"manual\", \"per_job_day\": 1, "
                   "\"remedy\": \"hot_update\"}}, " NO_SAVES START),
    SCENARIO(LARGE FAULT("\"incidents\": {\"x\": {\"at_d\": 1}}, " EVICT) NO_SAVES START),
    SCENARIO(SMALL FAULT("\"per_node_day\": 1, \"infant_factor\": 2, \"infant_h\": 1, " EVICT)
                 NO_SAVES START POOL("10")),
    SCENARIO(SMALL FAULT("\"per_node_day\": 1, \"infant_factor\": 1, \"infant_h\": 1, " EVICT)
                 NO_SAVES START POOL("10")),
    SCENARIO(SMALL NO_SAVES START POOL("10") ", \"repair\": {\"quarantine_h\": 1, "
                                             "\"quarantine_faults\": 1, "
                                             "\"quarantine_window_h\": 1, \"to_manual\": 0.5}"),
    SCENARIO(SMALL NO_SAVES START POOL("1")),
    SCENARIO(SMALL NO_SAVES START POOL("10") ", \"jobs\": {\"y\": {}}"),
    SCENARIO(
        "\"job\": {\"nodes\": 1, \"horizon_d\": 1, "
        "\"code_changes\": {\"x\": {\"at_d\": 0, \"speed_factor\": 1}}, "
        "\"planned_stops\": {\"x\": {\"first_d\": 1, \"saves_first\": false}}}, " NO_SAVES START),
    SCENARIO("\"job\": {\"nodes\": 1, \"horizon_d\": 1, \"step_s\": 0.001}, " NO_SAVES START),
    SCENARIO(PARALLEL("1", "\"tp\": 1, \"pp\": 1, \"dp\": 1") NO_SAVES START),
    SCENARIO(PARALLEL("1048576", "\"tp\": 1048576, \"pp\": 1, \"dp\": 1") NO_SAVES START),
    SCENARIO(PARALLEL("1048576", "\"tp\": 1, \"pp\": 1048576, \"dp\": 1") NO_SAVES START),
    SCENARIO(PARALLEL("1048576", "\"tp\": 1, \"pp\": 1, \"dp\": 1048576") NO_SAVES START),
    SCENARIO(LARGE "\"checkpoint\": {\"mode\": \"async\", \"every_s\": 1, \"stall_s\": 1e12, "
                   "\"size_bytes\": 1}" START),
    SCENARIO(LARGE "\"checkpoint\": {\"mode\": \"blocking\", \"interval\": \"measured\"}" START),
    SCENARIO(LARGE "\"checkpoint\": {\"mode\": \"in_memory\", \"every_s\": 1, "
                   "\"memory_remote_every_s\": 1}" START),
    SCENARIO(LARGE NO_SAVES ", \"startup\": {\"phases\": {\"x\": {\"full_s\": 1}}}"),
    SCENARIO(LARGE NO_SAVES START
             ", \"recovery\": {\"standby_quantile\": 0.9, \"standby_p_per_day\": 0.1}"),
    SCENARIO(LARGE NO_SAVES START ", \"elastic\": {\"on\": true, \"dp_replicas\": 10000000}"),
    SCENARIO(LARGE NO_SAVES START ", \"elastic\": {\"on\": false}"),
};
#define N_SCENARIOS (sizeof scenarios / sizeof *scenarios)

/* ---- one number in one scenario ---- */

struct answer {
    size_t n_errors;
    char pointer[HC_POINTER_SIZE], what[HC_ERROR_SIZE]; /* of the first */
};

static struct answer ask(const char *text, const char *pointer, double number)
{
    struct hc_scenario scenario;
    struct hc_study study;
    struct hc_error err = {0};
    struct answer answer = {0};
    char setting[HC_POINTER_SIZE + 64];
    snprintf(setting, sizeof setting, "%s=%.17g", pointer, number);
    const char *const settings[] = {setting};
    const struct text_file file = text_file_open(text, strlen(text));
    const struct hc_scenario_request request = {
        .path = file.path, .settings = settings, .n_settings = 1, .engines = hc_engines};
    enum hc_status status = hc_scenario_prepare(&scenario, &study, &request, &err);
    text_file_close(&file);
    ck_assert_msg(status == HC_OK, "%s: %s", setting, err.message);
    answer.n_errors = scenario.errors.n;
    if (answer.n_errors) {
        snprintf(answer.pointer, sizeof answer.pointer, "%s", scenario.errors.error[0].pointer);
        snprintf(answer.what, sizeof answer.what, "%s", scenario.errors.error[0].what);
    }
    hc_scenario_fini(&scenario);
    return answer;
}

/* The first scenario that takes the number, or N_SCENARIOS. */
static size_t taker_of(const char *pointer, double number)
{
    size_t i = 0;
    while (i < N_SCENARIOS && ask(scenarios[i], pointer, number).n_errors)
        i++;
    return i;
}

/* ---- the limits of a key ---- */

static double next(const struct hc_scenario_key *key, double number, double towards)
{
    if (key->kind == HC_KEY_COUNT)
        return number + (towards > number ? 1 : -1);
    return nextafter(number, towards);
}

/* wrong is refused by the table, in a scenario that takes right, in these words. */
static void check_limit(const char *pointer, double right, double wrong, const char *words)
{
    char wanted[128];
    size_t i = taker_of(pointer, right);
    ck_assert_msg(i < N_SCENARIOS, "%s=%.17g: no scenario takes it, the first since %s: %s",
                  pointer, right, ask(scenarios[0], pointer, right).pointer,
                  ask(scenarios[0], pointer, right).what);
    struct answer answer = ask(scenarios[i], pointer, wrong);
    ck_assert_msg(answer.n_errors > 0, "%s=%.17g is not refused", pointer, wrong);
    ck_assert_str_eq(answer.pointer, pointer);
    snprintf(wanted, sizeof wanted, "%s, not ", words);
    ck_assert_msg(strncmp(answer.what, wanted, strlen(wanted)) == 0, "%s=%.17g: %s; not: %s",
                  pointer, wrong, answer.what, wanted);
}

static void check_key(const char *pointer, const struct hc_scenario_key *key)
{
    char words[64];
    ck_assert_msg(key->high != 0, "%s has no upper limit", pointer);
    snprintf(words, sizeof words, "must be at most %.15g", key->high);
    check_limit(pointer, key->high, next(key, key->high, INFINITY), words);
    snprintf(words, sizeof words, "must be %s %.15g", key->is_above ? "above" : "at least",
             key->low);
    if (key->is_above)
        check_limit(pointer, key->high, key->low, words);
    else
        check_limit(pointer, key->low, next(key, key->low, -INFINITY), words);
}

/* ---- all keys ---- */

static bool is_number(const struct hc_scenario_key *key)
{
    return key->kind == HC_KEY_COUNT || key->kind == HC_KEY_NUMBER || key->kind == HC_KEY_DURATION;
}

/* Check the numbers of a table whose objects lie at pointer; returns how many. All that has a name
 * is called x. What chooses recorded incidents is of the grammar, and needs records: the engine
 * never sees these numbers. */
static int check_table(const char *pointer, const struct hc_scenario_key *key)
{
    char at[HC_POINTER_SIZE];
    int n = 0;
    for (; key->name; key++) {
        bool is_named = key->kind == HC_KEY_NAMED;
        snprintf(at, sizeof at, "%s/%s%s", pointer, key->name, is_named ? "/x" : "");
        if (is_number(key)) {
            check_key(at, key);
            n++;
        } else if (key->members && !key->is_overlay && strcmp(key->name, "incidents_from") != 0) {
            n += check_table(at, key->members);
        }
    }
    return n;
}

START_TEST(engine_and_table_have_the_same_limits)
{
    ck_assert_int_ge(check_table("", hc_engine_find(hc_engines, "lifetime")->keys), 80);
}
END_TEST

START_TEST(settings_have_limits)
{
    int n = 0;
    for (const struct hc_scenario_key *key = hc_scenario_keys; key->name; key++) {
        char pointer[64];
        snprintf(pointer, sizeof pointer, "/%s", key->name);
        if (!is_number(key))
            continue;
        check_key(pointer, key);
        n++;
    }
    ck_assert_int_eq(n, 4); /* seed, replicas, first_replica, confidence */
}
END_TEST

START_TEST(no_more_causes_than_the_engine_counts)
{
    char text[16384];
    const struct hc_scenario_key *faults =
        hc_scenario_key(hc_engine_find(hc_engines, "lifetime")->keys, "faults");
    ck_assert(faults && faults->most > 0);
    for (size_t n = faults->most; n <= faults->most + 1; n++) {
        size_t used =
            (size_t)snprintf(text, sizeof text,
                             "{\"schema\": \"hindcast/scenario/1\", "
                             "\"kind\": \"lifetime\", " SMALL NO_SAVES START ", \"faults\": {");
        for (size_t i = 0; i < n; i++)
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "%s\"f%zu\": {\"class\": \"explicit\", \"per_job_day\": 1, "
                                     "\"remedy\": \"evict\"}",
                                     i ? ", " : "", i);
        ck_assert_uint_lt(used + 3, sizeof text);
        memcpy(text + used, "}}", 3);
        struct answer answer = ask(text, "/seed", 2);
        ck_assert_msg((answer.n_errors > 0) == (n > faults->most), "%zu causes: %s", n,
                      answer.what);
        if (answer.n_errors)
            ck_assert_str_eq(answer.pointer, "/faults");
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_limits");
    TCase *tc = tcase_create("all");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, engine_and_table_have_the_same_limits);
    tcase_add_test(tc, settings_have_limits);
    tcase_add_test(tc, no_more_causes_than_the_engine_counts);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
