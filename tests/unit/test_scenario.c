/* Scenarios from file to config: merging, variants, what is asked, and what the engine is told. */
#include "pipeline/inputs/study_data.h"
#include "sim/lifetime/lifetime_config.h"
#include "study/grammar/scenario_prepare.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct hc_scenario scenario;
static struct hc_study study;
static struct hc_error err;

static void load(const char *path, const char *const *settings, size_t n)
{
    struct hc_study_data data = {.archive_path = "no-archive"};
    const struct hc_data_provider provider = hc_study_data_provider(&data);
    const struct hc_scenario_request request = {.path = path,
                                                .settings = settings,
                                                .n_settings = n,
                                                .engines = hc_engines,
                                                .data = &provider};
    char message[HC_ERROR_SIZE] = "";
    enum hc_status status = hc_scenario_prepare(&scenario, &study, &request, &err);
    if (status == HC_OK && hc_scenario_errors_status(&scenario.errors, &err))
        memcpy(message, err.message, sizeof message);
    ck_assert_msg(status == HC_OK && !*message, "%s: %s %s", path, err.message, message);
}

static struct hc_node *at(struct hc_node *root, const char *text)
{
    struct hc_pointer pointer;
    ck_assert(hc_pointer_parse(&pointer, text));
    return hc_pointer_walk(&pointer, pointer.n, root);
}

static double number(struct hc_node *root, const char *pointer)
{
    struct hc_node *node = at(root, pointer);
    ck_assert_msg(node && node->type == HC_NODE_NUMBER, "%s", pointer);
    return node->number;
}

static struct hc_lifetime_config bound(struct hc_node *root)
{
    struct hc_engine_point point;
    enum hc_status status =
        hc_scenario_bind_point(&scenario, &study, &study.variant[0], root, &point, &err);
    if (status == HC_OK)
        status = hc_scenario_errors_status(&scenario.errors, &err);
    ck_assert_msg(status == HC_OK, "%s", err.message);
    return *(struct hc_lifetime_config *)point.config;
}

#define NEAR(a, b) ck_assert_double_eq_tol((a), (b), 1e-12 * fabs(b))

START_TEST(standbys_is_what_it_says)
{
    load("tests/scenarios/spec/standbys.json", NULL, 0);
    struct hc_lifetime_config c = bound(scenario.root);
    ck_assert_int_eq(c.job.nodes, 1200);
    ck_assert_int_eq(c.job.gpus_per_node, 8);
    NEAR(c.job.work_s, 90 * 86400.0);
    ck_assert_uint_eq(c.n_faults, 5);
    ck_assert_str_eq(c.fault[0].name, "machine");
    ck_assert_int_eq(c.fault[0].fault_class, HC_FAULT_EXPLICIT);
    ck_assert_int_eq(c.fault[0].unit, HC_PER_NODE);
    NEAR(c.fault[0].per_day, 1.185e-3);
    ck_assert_int_eq(c.fault[0].detection.delay_s.kind, HC_DISTRIBUTION_LOGNORMAL);
    ck_assert_double_eq_tol(hc_distribution_exceeded(&c.fault[0].detection.delay_s, 0.01), 60,
                            1e-6);
    ck_assert_int_eq(c.fault[1].remedy, HC_REMEDY_EVICT_GROUP);
    ck_assert_int_eq(c.fault[2].remedy, HC_REMEDY_ROLLBACK);
    ck_assert_int_eq(c.fault[2].unit, HC_PER_JOB);
    ck_assert_int_eq(c.fault[2].why, HC_WHY_INFRASTRUCTURE);
    ck_assert_int_eq(c.fault[3].effect, HC_EFFECT_NONE);
    ck_assert_int_eq(c.fault[3].why, HC_WHY_USER);
    ck_assert_int_eq(c.fault[4].unit, HC_PER_DOMAIN);
    NEAR(c.fault[4].per_day, 0.5e-3);
    ck_assert_int_eq(c.checkpoint.mode, HC_CHECKPOINT_ASYNC);
    NEAR(c.checkpoint.durable_s.scale, 120.0);
    ck_assert_uint_eq(c.startup.n_phases, 1);
    ck_assert_int_eq(c.startup.phase[0].what, HC_WHAT_STARTUP_UNSPLIT);
    ck_assert_double_eq(c.startup.phase[0].first_s.scale, c.startup.phase[0].full_s.scale);
    NEAR(c.startup.phase[0].hot_s.scale, 65.0);
    NEAR(c.recovery.replenish_s.scale, 12 * 3600.0);
    ck_assert_int_eq(c.recovery.shortfall, HC_SHORTFALL_RESCHEDULE);
    ck_assert_int_eq(c.replicas, 20000);

    ck_assert_str_eq(study.question, "How many warm standbys for 97 % ETTR?");
    ck_assert_str_eq(study.until->name, "ettr");
    ck_assert_double_eq(study.half_width, 0.002);
    ck_assert_uint_eq(study.n_points, 21);
    ck_assert(study.find.is_asked && study.find.is_smallest);
    ck_assert_int_eq(study.find.condition.term[0].bound, HC_BOUND_LOW);
    ck_assert_double_eq(study.find.condition.term[0].number, 0.97);
    ck_assert_uint_eq(study.report_figures.n, 4);
}
END_TEST

/* Member by member: what stands between members of a struct is not copied by every compiler. */
#define SAME(member) ck_assert_mem_eq(&a->member, &b->member, sizeof a->member)

static void same_distribution(const struct hc_distribution *a, const struct hc_distribution *b)
{
    SAME(kind);
    SAME(scale);
    SAME(shape);
    SAME(value);
    SAME(n_values);
}

static void same_detection(const struct hc_lifetime_detection *a,
                           const struct hc_lifetime_detection *b)
{
    same_distribution(&a->delay_s, &b->delay_s);
    SAME(inspect_every_s);
    SAME(inspect_count);
    SAME(timeout_s);
    same_distribution(&a->localise_s, &b->localise_s);
    SAME(replay_s);
    SAME(misdiagnosis);
}

static void same_fault(const struct hc_lifetime_fault *a, const struct hc_lifetime_fault *b)
{
    SAME(name);
    SAME(fault_class);
    SAME(why);
    SAME(effect);
    SAME(unit);
    SAME(per_day);
    same_distribution(&a->between_s, &b->between_s);
    SAME(incident);
    SAME(n_incidents);
    SAME(domain_nodes);
    SAME(on_healthy);
    SAME(on_lemon);
    SAME(infant_factor);
    SAME(infant_s);
    same_detection(&a->detection, &b->detection);
    SAME(remedy);
    same_distribution(&a->remedy_s, &b->remedy_s);
    SAME(helps);
    SAME(ladder);
    SAME(n_ladder);
    SAME(ladder_helps);
    SAME(group);
    SAME(group_nodes);
    SAME(rollback_checkpoints);
    SAME(slow_factor);
    same_distribution(&a->lasts_s, &b->lasts_s);
    SAME(saves_first);
    SAME(forced_after_s);
}

/* What is not given is what the engine takes by itself. */
START_TEST(defaults_are_those_of_the_engine)
{
    load("tests/scenarios/right/smallest.json", NULL, 0);
    struct hc_lifetime_config c = bound(scenario.root), d = hc_lifetime_config_defaults();
    ck_assert(c.recovery.full_start_on_reschedule && d.recovery.full_start_on_reschedule);
    ck_assert_int_eq(c.job.gpus_per_node, d.job.gpus_per_node);
    ck_assert_uint_eq(c.seed, d.seed);
    ck_assert_int_eq(c.replicas, HC_SCENARIO_REPLICAS);
    ck_assert_int_eq(c.strikes, d.strikes);
    ck_assert_int_eq(c.recovery.refill, d.recovery.refill);
    ck_assert_double_eq(c.confidence, d.confidence);
    ck_assert_int_eq(study.replicas, HC_SCENARIO_REPLICAS);

    hc_scenario_fini(&scenario);
    const char *const set[] = {
        "/faults/a={\"class\": \"explicit\", \"per_job_day\": 1, \"remedy\": \"evict\"}"};
    load("tests/scenarios/right/smallest.json", set, 1);
    c = bound(scenario.root);
    struct hc_lifetime_fault f = hc_lifetime_fault_defaults();
    f.name = c.fault[0].name;
    f.per_day = 1;
    f.unit = HC_PER_JOB;
    same_fault(&c.fault[0], &f);
}
END_TEST

START_TEST(every_kind_of_value_is_bound)
{
    load("tests/scenarios/right/most_keys.json", NULL, 0);
    struct hc_lifetime_config c = bound(scenario.root);
    const struct hc_lifetime_fault *machine = &c.fault[0];
    ck_assert_uint_eq(c.seed, 7);
    ck_assert_int_eq(c.strikes, HC_STRIKES_HELD);
    ck_assert_int_eq(machine->n_ladder, 2);
    ck_assert_int_eq(machine->ladder[0], HC_REMEDY_EVICT);
    ck_assert_int_eq(machine->ladder[1], HC_REMEDY_EVICT_GROUP);
    ck_assert_str_eq(c.job.planned_stop[0].name, "power");
    ck_assert(c.job.planned_stop[0].full_start && !c.job.planned_stop[0].saves_first);
    NEAR(c.job.planned_stop[0].every_s, 14 * 86400.0);
    ck_assert_double_eq_tol(hc_distribution_mean(&c.job.step_s), 8, 1e-9);
    ck_assert_uint_eq(c.checkpoint.load_s.n_values, 3);
    ck_assert_double_eq(c.checkpoint.load_s.value[1], 70); /* ascending */
    ck_assert_int_eq(c.startup.phase[0].what, HC_WHAT_STARTUP_IMAGE);
    ck_assert_int_eq(c.startup.phase[1].what, HC_WHAT_STARTUP_UNSPLIT);
    ck_assert_double_eq(c.startup.phase[1].hot_s.scale, 60);
    ck_assert_int_eq(c.recovery.refill, HC_REFILL_AT_RESCHEDULE);

    hc_scenario_fini(&scenario);
    load("tests/scenarios/right/other_keys.json", NULL, 0);
    c = bound(scenario.root);
    const struct hc_lifetime_fault *outage = &c.fault[c.n_faults - 1];
    ck_assert_str_eq(outage->name, "outage");
    ck_assert_uint_eq(outage->n_incidents, 2);
    NEAR(outage->incident[0].at_s, 5 * 86400.0); /* by time, not as written */
    ck_assert_int_eq(outage->incident[0].node, -1);
    ck_assert_int_eq(outage->incident[1].nodes, 4);
    ck_assert_double_eq_tol(hc_distribution_mean(&c.fault[1].between_s), 90000 * 3600.0, 1);
}
END_TEST

START_TEST(includes_merge_by_key)
{
    load("tests/scenarios/right/other_keys.json", NULL, 0);
    ck_assert_double_eq(number(scenario.root, "/job/nodes"), 64);
    ck_assert_str_eq(at(scenario.root, "/job/nodes")->place.file,
                     "tests/scenarios/right/most_keys.json");
    ck_assert_ptr_null(at(scenario.root, "/job/step_s/gamma")); /* replaced as a whole */
    ck_assert_double_eq(number(scenario.root, "/job/step_s/weibull/shape"), 20);
    ck_assert_ptr_null(at(scenario.root, "/faults/machine")); /* removed, then its own */
    ck_assert_ptr_nonnull(at(scenario.root, "/faults/early"));
    ck_assert_ptr_null(at(scenario.root, "/find/largest"));
    ck_assert_double_eq(number(scenario.root, "/checkpoint/corrupt"), 0.01);
    ck_assert_str_eq(at(scenario.root, "/checkpoint/interval")->text, "fixed");
}
END_TEST

START_TEST(settings_come_last)
{
    const char *const set[] = {
        "/job/nodes=12",           "/checkpoint/mode=blocking",
        "/checkpoint/every_s=9",   "/repair/retire=0.5",
        "/recovery/pool_nodes=20", "/checkpoint/load_s={\"exponential\": {\"mean\": 5}}"};
    load("tests/scenarios/right/smallest.json", set, 6);
    struct hc_lifetime_config c = bound(scenario.root);
    ck_assert_int_eq(c.job.nodes, 12);
    ck_assert_int_eq(c.checkpoint.mode, HC_CHECKPOINT_BLOCKING);
    ck_assert_int_eq(c.checkpoint.load_s.kind, HC_DISTRIBUTION_EXPONENTIAL);
    ck_assert_double_eq(c.repair.retire, 0.5);
    ck_assert_str_eq(at(scenario.root, "/job/nodes")->place.file, "--set '/job/nodes=12'");
}
END_TEST

START_TEST(variants_leave_the_base_as_it_is)
{
    load("tests/scenarios/right/most_keys.json", NULL, 0);
    ck_assert_uint_eq(study.n_variants, 4);
    ck_assert_str_eq(study.variant[3].name, "both");
    struct hc_node *both = study.variant[3].root;
    ck_assert_double_eq(number(both, "/recovery/warm_standbys"), 4);
    ck_assert_double_eq(number(both, "/checkpoint/load_s"), 30);
    ck_assert_double_eq(number(both, "/faults/machine/detect_s/lognormal/p99"), 20);
    ck_assert_double_eq(number(scenario.root, "/recovery/warm_standbys"), 2);
    ck_assert_double_eq(number(scenario.root, "/faults/machine/detect_s"), 10);
    ck_assert_double_eq(number(study.variant[1].root, "/faults/machine/detect_s"), 10);
    ck_assert_uint_eq(study.variant[3].n_use, 2);
    ck_assert(!study.common_random_numbers && study.is_compared);
}
END_TEST

START_TEST(a_point_is_a_variant_with_values)
{
    load("tests/scenarios/right/most_keys.json", NULL, 0);
    ck_assert_uint_eq(study.n_sweeps, 2);
    ck_assert_uint_eq(study.sweep[1].n, 3); /* 0.8, 0.85 and 0.9, which the steps meet */
    ck_assert_uint_eq(study.n_points, 9);
    struct hc_arena_mark mark = hc_arena_mark(&scenario.arena);
    const char *const paths[] = {study.sweep[0].path, study.sweep[1].path};
    const struct hc_node *const values[] = {study.sweep[0].value[2], study.sweep[1].value[1]};
    struct hc_node *root = hc_study_point(&scenario, &study.variant[1], 2, paths, values);
    struct hc_lifetime_config c = bound(root);
    ck_assert_int_eq(c.job.nodes, 66);
    NEAR(c.confidence, 0.85);
    ck_assert_int_eq(c.recovery.warm_standbys, 4);
    ck_assert_double_eq(number(study.variant[1].root, "/job/nodes"), 64);
    hc_arena_release(&scenario.arena, mark);
    ck_assert_double_eq(number(scenario.root, "/job/nodes"), 64);
}
END_TEST

/* cluster.jsonl has 10 and 20 nodes: rack-1 takes the slots from 0, rack-2 those from 10. */
START_TEST(recorded_incidents_are_bound)
{
    load("tests/scenarios/right/recorded.json", NULL, 0);
    struct hc_lifetime_config c = bound(scenario.root);
    const struct hc_lifetime_fault *seen = &c.fault[0], *alike = &c.fault[1];
    static const double at_d[] = {1 + 4 / 24.0 + 10 / 1440.0, 1 + 8 / 24.0, 3.5, 7};
    static const int32_t slot[] = {0, 0, 5, 10}; /* n01 and n02 of 10, n11 and n12 of 20 */
    ck_assert_uint_eq(seen->n_incidents, 4);
    for (size_t i = 0; i < 4; i++) {
        NEAR(seen->incident[i].at_s, (2 + at_d[i]) * 86400); /* start_d 2, from_d 1 */
        ck_assert_int_eq(seen->incident[i].node, slot[i]);
        ck_assert_int_eq(seen->incident[i].nodes, 1);
    }
    const struct hc_distribution *detect = &seen->detection.delay_s;
    ck_assert_int_eq(detect->kind, HC_DISTRIBUTION_EMPIRICAL);
    ck_assert_uint_eq(detect->n_values, 2);
    ck_assert_double_eq(detect->scale * detect->value[0], 30);
    ck_assert_double_eq(detect->scale * detect->value[1], 1800);
    /* Four nodes over 10 days, less 1.5 of a and 7 of b; the last failure is at the end. */
    ck_assert_int_eq(alike->between_s.kind, HC_DISTRIBUTION_EXPONENTIAL);
    NEAR(alike->between_s.scale, (40 - 1.5 - 7) * 86400 / 2);
    c = bound(study.variant[1].root);
    ck_assert_uint_eq(c.fault[0].n_incidents, 3);
}
END_TEST

/* Eq. 4 and Eq. 1 of the samples: one worker of dp 1, stage 2, and all workers of stage 3. */
START_TEST(factors_are_taken_from_what_ifs)
{
    load("tests/scenarios/right/slow_factor.json", NULL, 0);
    NEAR(bound(scenario.root).fault[0].slow_factor, 1.2745709912843093);
    NEAR(bound(study.variant[1].root).fault[0].slow_factor, 1.265836820584833);
    NEAR(bound(study.variant[2].root).fault[0].slow_factor, 1.1430000314449762);
    ck_assert_uint_eq(scenario.n_inputs, 5); /* itself, two traces and their metadata, each once */
}
END_TEST

/* ---- no key is without a test ---- */

static bool has_pattern(const struct hc_node *node, const struct hc_pointer *pattern, size_t i)
{
    if (!node || i == pattern->n)
        return node != NULL;
    if (*pattern->token[i] != '<')
        return has_pattern(hc_node_member(node, pattern->token[i]), pattern, i + 1);
    for (const struct hc_node *child = node->first; child; child = child->next)
        if (has_pattern(child, pattern, i + 1))
            return true;
    return false;
}

struct coverage {
    const struct hc_node *root[11];
    size_t n_keys, n_lacking;
};

static void on_key(const char *text, const struct hc_scenario_key *key, struct coverage *coverage)
{
    struct hc_pointer pattern;
    ck_assert(hc_pointer_parse(&pattern, text));
    coverage->n_keys++;
    ck_assert_msg(key->help && key->help[strlen(key->help) - 1] == '.', "%s: help", text);
    ck_assert_msg(key->kind != HC_KEY_COUNT || !key->is_bound || key->high > 0,
                  "%s: a count of the engine needs a limit", text);
    bool is_there = false;
    for (size_t i = 0; i < 11; i++)
        is_there = is_there || has_pattern(coverage->root[i], &pattern, 0);
    if (!is_there) {
        printf("no right scenario has %s\n", text);
        coverage->n_lacking++;
    }
}

/* Every row of a table, depth first, with its pattern. */
static void walk_keys(const struct hc_scenario_key *table, struct hc_path *path,
                      struct coverage *coverage)
{
    for (; table->name; table++) {
        size_t before = hc_path_add(path, table->name);
        on_key(path->text, table, coverage);
        if (table->kind == HC_KEY_NAMED)
            hc_path_add(path, "<name>");
        else if (table->kind == HC_KEY_LIST)
            hc_path_add(path, "<index>");
        else if (table->kind == HC_KEY_BY_POINTER)
            hc_path_add(path, "<pointer>");
        if (table->members && !table->is_overlay)
            walk_keys(table->members, path, coverage);
        hc_path_back(path, before);
    }
}

START_TEST(right_scenarios_have_every_key)
{
    static const char *const others[] = {
        "other_keys",  "recorded",        "recorded_job", "parallel",      "several_jobs",
        "slow_factor", "slow_factor_job", "faults_list",  "step_timeline", "work_steps"};
    struct hc_scenario other[10];
    struct hc_path path = {.length = 0};
    char file[64];
    load("tests/scenarios/right/most_keys.json", NULL, 0);
    struct coverage coverage = {.root = {scenario.root}};
    for (size_t i = 0; i < 10; i++) {
        snprintf(file, sizeof file, "tests/scenarios/right/%s.json", others[i]);
        const struct hc_scenario_request request = {.path = file, .engines = hc_engines};
        ck_assert_int_eq(hc_scenario_load(&other[i], &request, &err), HC_OK);
        coverage.root[i + 1] = other[i].root;
    }
    walk_keys(scenario.top->keys, &path, &coverage);
    for (size_t i = 0; i < 10; i++)
        hc_scenario_fini(&other[i]);
    ck_assert_uint_ge(coverage.n_keys, 120);
    ck_assert_uint_eq(coverage.n_lacking, 0);
}
END_TEST

static void setup(void)
{
    memset(&scenario, 0, sizeof scenario);
    err = (struct hc_error){.status = HC_OK};
}

static void teardown(void)
{
    hc_scenario_fini(&scenario);
}

int main(void)
{
    const char *source = getenv("SOURCE_DIR");
    if (source && chdir(source))
        return 1;
    Suite *suite = suite_create("scenario");
    TCase *tcase = tcase_create("all");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, standbys_is_what_it_says);
    tcase_add_test(tcase, defaults_are_those_of_the_engine);
    tcase_add_test(tcase, every_kind_of_value_is_bound);
    tcase_add_test(tcase, includes_merge_by_key);
    tcase_add_test(tcase, settings_come_last);
    tcase_add_test(tcase, variants_leave_the_base_as_it_is);
    tcase_add_test(tcase, a_point_is_a_variant_with_values);
    tcase_add_test(tcase, recorded_incidents_are_bound);
    tcase_add_test(tcase, factors_are_taken_from_what_ifs);
    tcase_add_test(tcase, right_scenarios_have_every_key);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
