/* Where workers ran: hosts, GPUs of a host, switches, by the metadata of their job. */
#include "core/tables/job_places.h"

#include "core/base/memory.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static struct hc_error err;

/* A job whose rank first + i * step ran on nodes[i]. */
static struct hc_job job_on(const char *const *nodes, size_t n, int32_t first, int32_t step)
{
    struct hc_job job;
    ck_assert_int_eq(hc_job_init(&job, "j", &err), HC_OK);
    job.nodes = hc_new_array(n, sizeof *job.nodes, &err);
    for (; job.n_nodes < n; job.n_nodes++)
        job.nodes[job.n_nodes] = (struct hc_rank_node){
            .rank = first + (int32_t)job.n_nodes * step,
            .node = hc_copy_text(nodes[job.n_nodes], &err),
        };
    return job;
}

static struct hc_job_places places_of(const struct hc_job *job, const int32_t *ranks, size_t n)
{
    struct hc_job_places places;
    ck_assert_int_eq(hc_job_places_find(&places, job, ranks, n, &err), HC_OK);
    return places;
}

static void check_text(const struct hc_job_places *places, size_t worker, const char *expected)
{
    char text[HC_PLACE_TEXT];
    hc_worker_place_text(places, worker, text);
    ck_assert_str_eq(text, expected);
}

START_TEST(nodes_of_every_rank_count_gpus)
{
    /* Two GPUs a worker; the ranks of "a" do not follow each other. */
    static const char *const nodes[] = {"b", "b", "a", "a", "b", "b", "a", "a"};
    static const int32_t ranks[] = {0, 2, 4, 6};
    struct hc_job job = job_on(nodes, 8, 0, 1);
    job.tp_size = 2;
    struct hc_job_places places = places_of(&job, ranks, 4);
    ck_assert_int_eq(places.group_size, 2);
    ck_assert_uint_eq(places.n_hosts, 2);
    ck_assert_str_eq(places.hosts[0].name, "a");
    ck_assert_uint_eq(places.hosts[1].first, 2);
    ck_assert_uint_eq(places.hosts[1].n, 2);
    ck_assert_int_eq(places.members[0], 1);
    ck_assert_int_eq(places.members[3], 2);
    check_text(&places, 0, "b, GPUs 0 to 1");
    check_text(&places, 2, "b, GPUs 2 to 3");
    check_text(&places, 3, "a, GPUs 2 to 3");
    ck_assert_ptr_null(hc_worker_switch(&places, 0));
    hc_job_places_fini(&places);
    hc_job_fini(&job);
}
END_TEST

START_TEST(nodes_of_first_ranks_count_gpus)
{
    static const char *const nodes[] = {"a", "a", "b", "b"};
    static const int32_t ranks[] = {0, 8, 4, 12};
    struct hc_job job = job_on(nodes, 4, 0, 4);
    job.world_size = 16;
    struct hc_job_places places = places_of(&job, ranks, 4);
    ck_assert_int_eq(places.group_size, 4);
    check_text(&places, 0, "a, GPUs 0 to 3");
    check_text(&places, 2, "a, GPUs 4 to 7");
    check_text(&places, 1, "b, GPUs 0 to 3");
    hc_job_places_fini(&places);
    /* One group without a node: it may lie on any of them, so no GPU can be counted. */
    free(job.nodes[--job.n_nodes].node);
    places = places_of(&job, ranks, 4);
    check_text(&places, 0, "a");
    check_text(&places, 1, "b");
    check_text(&places, 3, "");
    ck_assert_ptr_null(hc_worker_host(&places, 3));
    hc_job_places_fini(&places);
    hc_job_fini(&job);
}
END_TEST

START_TEST(one_gpu_a_worker)
{
    static const char *const nodes[] = {"a", "a", "b"};
    static const int32_t ranks[] = {0, 1, 2};
    struct hc_job job = job_on(nodes, 3, 0, 1);
    struct hc_job_places places = places_of(&job, ranks, 3);
    check_text(&places, 1, "a, GPU 1");
    check_text(&places, 2, "b, GPU 0");
    check_text(&places, 7, "");
    hc_job_places_fini(&places);
    hc_job_fini(&job);
}
END_TEST

START_TEST(groups_over_hosts_have_no_gpus)
{
    static const char *const nodes[] = {"a", "b", "a", "b"};
    static const int32_t ranks[] = {0, 2};
    struct hc_job job = job_on(nodes, 4, 0, 1);
    struct hc_job_places places = places_of(&job, ranks, 2);
    ck_assert_int_eq(places.group_size, 2); /* four nodes, two workers */
    check_text(&places, 0, "a");
    check_text(&places, 1, "a");
    hc_job_places_fini(&places);
    hc_job_fini(&job);
}
END_TEST

START_TEST(ranks_without_room_for_groups_have_no_gpus)
{
    static const char *const nodes[] = {"a", "a", "b", "b"};
    static const int32_t ranks[] = {0, 1};
    struct hc_job job = job_on(nodes, 4, 0, 1);
    job.tp_size = 2;
    struct hc_job_places places = places_of(&job, ranks, 2);
    ck_assert(!places.is_contiguous);
    check_text(&places, 0, "a");
    hc_job_places_fini(&places);
    hc_job_fini(&job);
}
END_TEST

START_TEST(hosts_have_switches)
{
    static const char *const nodes[] = {"a", "b"};
    static const int32_t ranks[] = {1, 0};
    struct hc_job job = job_on(nodes, 2, 0, 1);
    job.switches = hc_new_array(1, sizeof *job.switches, &err);
    job.switches[job.n_switches++] = hc_copy_text("leaf", &err);
    job.switched = hc_new_array(1, sizeof *job.switched, &err);
    job.switched[job.n_switched++].node = hc_copy_text("b", &err);
    struct hc_job_places places = places_of(&job, ranks, 2);
    ck_assert_str_eq(hc_worker_switch(&places, 0), "leaf");
    ck_assert_ptr_null(hc_worker_switch(&places, 1));
    ck_assert_int_eq(places.hosts[0].switch_code, -1);
    ck_assert_int_eq(places.hosts[1].switch_code, 0);
    hc_job_places_fini(&places);
    hc_job_fini(&job);
}
END_TEST

START_TEST(nothing_known_is_nothing_said)
{
    static const int32_t ranks[] = {HC_MISSING_I32, HC_MISSING_I32};
    struct hc_job job;
    ck_assert_int_eq(hc_job_init(&job, "j", &err), HC_OK);
    struct hc_job_places places = places_of(&job, ranks, 2);
    ck_assert_uint_eq(places.n_hosts, 0);
    ck_assert_int_eq(places.workers[1].host, -1);
    check_text(&places, 0, "");
    hc_job_places_fini(&places);
    check_text(&places, 0, "");
    hc_job_fini(&job);
}
END_TEST

START_TEST(long_names_are_cut_between_characters)
{
    char name[201], text[HC_PLACE_TEXT];
    for (size_t i = 0; i < 200; i += 2) { /* U+00E9 */
        name[i] = '\xc3';
        name[i + 1] = '\xa9';
    }
    name[200] = '\0';
    name[0] = 'n';
    name[1] = 'x';
    const char *const nodes[] = {name + 1};
    static const int32_t ranks[] = {0};
    struct hc_job job = job_on(nodes, 1, 0, 1);
    struct hc_job_places places = places_of(&job, ranks, 1);
    hc_worker_place_text(&places, 0, text);
    ck_assert_uint_eq(strspn(text, "x\xc3\xa9"), 63);
    ck_assert_str_eq(text + 63, "..., GPU 0");
    hc_job_places_fini(&places);
    hc_job_fini(&job);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("job_places");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, nodes_of_every_rank_count_gpus);
    tcase_add_test(tests, nodes_of_first_ranks_count_gpus);
    tcase_add_test(tests, one_gpu_a_worker);
    tcase_add_test(tests, groups_over_hosts_have_no_gpus);
    tcase_add_test(tests, ranks_without_room_for_groups_have_no_gpus);
    tcase_add_test(tests, hosts_have_switches);
    tcase_add_test(tests, nothing_known_is_nothing_said);
    tcase_add_test(tests, long_names_are_cut_between_characters);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
