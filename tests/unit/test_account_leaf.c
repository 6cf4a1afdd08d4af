/* The leaves of the account against the definitions they are of (spec/account.md 2), written down
 * here a second time: names, which have a reason, and which category of ml-goodput each is in. */
#include "core/tables/account/leaf.h"

#include <check.h>
#include <string.h>

static const struct {
    const char *name;
    bool has_why;
    const char *category;
} table[] = {
    {"startup.image", true, "TRAINING_PREP"},
    {"startup.environment", true, "TRAINING_PREP"},
    {"startup.init", true, "TPU_INITIALIZATION"},
    {"startup.load", true, "UNPRODUCTIVE_CHECKPOINT_RESTORE_TIME"},
    {"startup.compile", true, "PROGRAM_STARTUP"},
    {"startup.warm_up", true, "PROGRAM_STARTUP"},
    {"startup.failed", true, "INFRASTRUCTURE_RECOVERY_FROM_DISRUPTION"},
    {"startup.unsplit", true, "OTHER"},
    {"productive.ideal", false, "PRODUCTIVE"},
    {"productive.straggler_excess", false, "PRODUCTIVE"},
    {"productive.unsplit", false, "PRODUCTIVE"},
    {"degraded", true, "ELASTIC_SLICE_DOWN"},
    {"checkpoint.stall", false, "UNPRODUCTIVE_CHECKPOINT_SAVE_TIME"},
    {"evaluation", false, "CUSTOM_BADPUT_EVENTS"},
    {"data_wait", false, "DATA_LOADING_SYNC"},
    {"lost_work", true, "WASTED_PROGRESS_FROM_DISRUPTION"},
    {"abandoned", true, "WASTED_PROGRESS_FROM_DISRUPTION"},
    {"detection", true, "INFRASTRUCTURE_RECOVERY_FROM_DISRUPTION"},
    {"localisation", true, "INFRASTRUCTURE_RECOVERY_FROM_DISRUPTION"},
    {"recovery", true, "INFRASTRUCTURE_RECOVERY_FROM_DISRUPTION"},
    {"standby.idle", false, "OTHER"},
    {"pool.idle", false, "OTHER"},
    {"idle_after", false, "OTHER"},
    {"unknown", false, "OTHER"},
    /* Not in the definitions: what simulators know as a phase, program start-up as compile is. */
    {"startup.first_step", true, "PROGRAM_STARTUP"},
};

static enum hc_what find(const char *name)
{
    int found = HC_WHAT_COUNT;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        if (strcmp(hc_what_name((enum hc_what)what), name) == 0) {
            ck_assert_msg(found == HC_WHAT_COUNT, "two leaves are called '%s'", name);
            found = what;
        }
    ck_assert_msg(found < HC_WHAT_COUNT, "no leaf is called '%s'", name);
    return (enum hc_what)found;
}

START_TEST(leaves_are_those_of_the_definitions)
{
    ck_assert_uint_eq(sizeof table / sizeof *table, HC_WHAT_COUNT);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        enum hc_what what = find(table[i].name);
        ck_assert_msg(hc_what_has_why(what) == table[i].has_why, "why of '%s'", table[i].name);
        ck_assert_str_eq(hc_goodput_name(hc_what_goodput(what)), table[i].category);
        ck_assert_uint_gt(strlen(hc_what_title(what)), 0);
        ck_assert_uint_gt(strlen(hc_what_sentence(what)), 0);
    }
}
END_TEST

/* The numbers of the categories are those of formats.md 13. */
START_TEST(categories_have_their_numbers)
{
    ck_assert_str_eq(hc_goodput_name((enum hc_goodput_category)1), "TPU_INITIALIZATION");
    ck_assert_str_eq(hc_goodput_name((enum hc_goodput_category)6),
                     "UNPRODUCTIVE_CHECKPOINT_SAVE_TIME");
    ck_assert_str_eq(hc_goodput_name((enum hc_goodput_category)9),
                     "INFRASTRUCTURE_RECOVERY_FROM_DISRUPTION");
    ck_assert_str_eq(hc_goodput_name((enum hc_goodput_category)12), "ELASTIC_SLICE_DOWN");
}
END_TEST

/* Sums by category are the sum of the tree, beyond what 64 bits hold. */
START_TEST(categories_sum_to_the_tree)
{
    struct hc_account account = {0};
    hc_gpu_ns by_category[HC_N_GOODPUT_CATEGORIES] = {0}, sum = 0;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++)
            account.leaf[what][why] =
                ((hc_gpu_ns)1 << 66) + (what * 1000003LL + why * 7919LL) % 524287;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        by_category[hc_what_goodput((enum hc_what)what)] +=
            hc_account_what(&account, (enum hc_what)what);
    for (int c = 0; c < HC_N_GOODPUT_CATEGORIES; c++)
        sum += by_category[c];
    ck_assert(sum == hc_account_total(&account));
    ck_assert(by_category[HC_GOODPUT_DATA_LOADING_ASYNC] == 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("account_leaf");
    TCase *cases = tcase_create("account_leaf");
    tcase_add_test(cases, leaves_are_those_of_the_definitions);
    tcase_add_test(cases, categories_have_their_numbers);
    tcase_add_test(cases, categories_sum_to_the_tree);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
