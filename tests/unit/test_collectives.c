/* Collectives joined over ranks, and clocks by them: the case of two ranks worked out by hand,
 * groups with other names on other ranks, matches that are refused, random jobs whose clocks are
 * known. */
#include "models/profiles/collectives.h"
#include "tests/support/profile_builder.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define US 1000

static struct hc_error err;

static void match(struct hc_profile *profile, bool aligns, struct hc_collectives *collectives)
{
    ck_assert_msg(!hc_profile_link(profile, HC_STEPS_BY_PROFILER, &err), "%s", err.message);
    ck_assert_msg(!hc_collectives_match(collectives, profile, aligns, &err), "%s", err.message);
}

START_TEST(two_ranks)
{
    struct hc_profile profile;
    struct hc_collectives found;
    build_two_ranks(&profile);
    match(&profile, true, &found);
    ck_assert_uint_eq(found.n, 1);
    const struct hc_collective *one = &found.collectives[0];
    const struct hc_rank_clock *clocks = found.clocks;
    ck_assert_str_eq(one->op, "all_reduce");
    ck_assert_uint_eq(one->n, 2);
    ck_assert(one->is_joint && one->is_complete && !one->is_mismatched);
    ck_assert_int_eq(clocks[1].offset_ns, 1000000000);
    ck_assert_int_eq(clocks[1].low_ns, 999975000);
    ck_assert_int_eq(clocks[1].high_ns, 1000295000);
    ck_assert_int_eq(clocks[0].offset_ns, 0);
    ck_assert_int_eq(clocks[0].low_ns, 0);
    ck_assert_int_eq(clocks[0].high_ns, 0);
    ck_assert_int_eq(one->last_rank, 1);
    ck_assert_int_eq(one->arrival_ns, 395000);
    ck_assert_int_eq(one->lead_ns, 270000);
    ck_assert(!one->last_is_unsure);
    ck_assert_int_eq(found.wait_ns[one->first], 270000);
    ck_assert_int_eq(found.wait_ns[one->first + 1], 0);
    ck_assert_int_eq(one->transfer_ns, 25000);
    ck_assert_int_eq(one->end_skew_ns, 0);
    ck_assert_int_eq(one->bytes, 4000000);
    ck_assert_double_eq(one->busbw_gb_s, 160);
    ck_assert_int_eq(clocks[1].caused_wait_ns, 270000);
    ck_assert_int_eq(clocks[0].wait_ns, 270000);
    ck_assert_uint_eq(clocks[1].n_last, 1);
    ck_assert_int_eq(found.max_residual_ns, 0);
    ck_assert_str_eq(found.groups[0].name, "0");
    ck_assert_int_eq(hc_aligned_ns(&found, 1, 1000000500), 500);
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

/* Raw clocks: rank 1 then comes a second late, and nothing is sure. */
START_TEST(not_aligned)
{
    struct hc_profile profile;
    struct hc_collectives found;
    build_two_ranks(&profile);
    match(&profile, false, &found);
    ck_assert(!found.is_aligned);
    ck_assert_int_eq(found.clocks[1].offset_ns, 0);
    ck_assert_int_eq(found.wait_ns[found.collectives[0].first], 1000270000);
    ck_assert_int_eq(found.max_residual_ns, 1000000000);
    ck_assert(found.collectives[0].last_is_unsure);
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

/* ---- jobs that are made up ---- */

/* One kernel of a collective. */
struct member {
    int64_t launch, start, end;
    int32_t stream;
    struct built_comm said; /* said.op NULL: the kernel has no arguments */
    const char *name;
};

static void add_member(struct hc_profile *profile, size_t rank, struct member member)
{
    int64_t correlation = add_launch(
        profile, rank,
        (struct built_launch){.at = member.launch,
                              .call_duration = 1 * US,
                              .start = member.start,
                              .duration = member.end - member.start,
                              .stream = member.stream,
                              .activity = HC_GPU_COMMUNICATES,
                              .name = member.name ? member.name : "ncclDevKernel_Generic"});
    if (!member.said.op)
        return;
    member.said.of_kernel = true;
    member.said.start = member.start;
    member.said.duration = member.end - member.start;
    member.said.stream = member.stream;
    member.said.correlation = correlation;
    add_comm(profile, rank, member.said);
}

/* A plain member of the k-th collective: launched in order, arriving after late, ending together.
 */
static struct member plain(int64_t k, int64_t late, const char *op, const char *group)
{
    int64_t from = k * 1000 * US;
    return (struct member){.launch = from,
                           .start = from + 100 * US + late,
                           .end = from + 900 * US,
                           .stream = 20,
                           .said = {.op = op, .group = group}};
}

static const struct hc_collective *collective_of(const struct hc_collectives *found, size_t kernel)
{
    ck_assert_int_ge(found->kernels[kernel].collective, 0);
    return &found->collectives[found->kernels[kernel].collective];
}

/* What kernels do not say is taken from the record around the launch, then from the annotation,
 * then from the name; only on the launching thread. */
START_TEST(attributes)
{
    struct hc_profile profile;
    struct hc_collectives found;
    profile_begin(&profile, 2);
    for (size_t r = 0; r < 2; r++) {
        struct member said = plain(0, 0, "all_gather", "dp");
        said.said.in_elements = 10;
        said.said.out_elements = 20;
        said.said.dtype = "BFloat16";
        add_member(&profile, r, said);
        struct member recorded = plain(1, 0, NULL, NULL);
        add_comm(&profile, r,
                 (struct built_comm){.start = recorded.launch - 5,
                                     .duration = 100 * US,
                                     .op = "reduce_scatter",
                                     .group = "tp",
                                     .in_elements = 7,
                                     .dtype = "Double"});
        add_comm(&profile, r,
                 (struct built_comm){.start = recorded.launch - 4,
                                     .duration = 100 * US,
                                     .thread = "other",
                                     .op = "broadcast",
                                     .group = "pp"});
        add_member(&profile, r, recorded);
        struct member annotated = plain(2, 0, NULL, NULL);
        add_annotation(
            &profile, r,
            (struct built_span){annotated.launch - 5, 100 * US, NULL, "nccl:_all_gather_base"});
        add_comm(&profile, r,
                 (struct built_comm){.start = annotated.launch - 4, /* a wait says nothing */
                                     .duration = 90 * US,
                                     .op = "wait",
                                     .group = "x"});
        add_member(&profile, r, annotated);
        struct member named = plain(3, 0, NULL, NULL);
        named.name = "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclWorkElem)";
        add_member(&profile, r, named);
    }
    match(&profile, true, &found);
    static const char *const ops[] = {"all_gather", "reduce_scatter", "all_gather", "all_to_all"};
    static const char *const groups[] = {"dp", "tp", "stream 20", "stream 20"};
    static const int64_t bytes[] = {40, 56, HC_MISSING_I64, HC_MISSING_I64};
    ck_assert_uint_eq(found.n, 4);
    for (size_t k = 0; k < 4; k++) {
        const struct hc_collective *one = collective_of(&found, k);
        ck_assert_str_eq(one->op, ops[k]);
        ck_assert_str_eq(found.groups[one->group].name, groups[k]);
        ck_assert_int_eq(one->bytes, bytes[k]);
        ck_assert(isnan(one->busbw_gb_s) == (bytes[k] == HC_MISSING_I64));
        ck_assert_int_eq(found.kernels[4 + k].collective, found.kernels[k].collective);
    }
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

/* Four ranks, two groups of two: each rank calls its group by a name of its own, and ranks 2 and 3
 * use the names the other way round. Membership and description tell. */
START_TEST(names_differ)
{
    struct hc_profile profile;
    struct hc_collectives found;
    static const char *const names[] = {"3", "5", "5", "3"};
    static const int32_t pairs[][2] = {{0, 1}, {2, 3}};
    profile_begin(&profile, 4);
    for (size_t r = 0; r < 4; r++) {
        add_group(&profile, r, names[r], "tensor", pairs[r / 2], 2);
        add_group(&profile, r, "0", "default_pg", (int32_t[]){0, 1, 2, 3}, 4);
        for (int64_t k = 0; k < 5; k++)
            add_member(&profile, r, plain(k, r % 2 ? 10 * US : 0, "all_reduce", names[r]));
        add_member(&profile, r, plain(5, 0, "all_reduce", "0"));
    }
    match(&profile, true, &found);
    ck_assert_uint_eq(found.n, 11);
    ck_assert_uint_eq(found.n_groups, 3);
    ck_assert_uint_eq(found.n_local, 0);
    for (size_t c = 0; c < found.n; c++) {
        const struct hc_collective *one = &found.collectives[c];
        ck_assert(one->is_complete);
        if (one->n == 2)
            ck_assert_int_eq(one->last_rank % 2, 1);
        ck_assert_uint_eq(found.groups[one->group].n_members, one->n);
    }
    ck_assert_str_eq(found.groups[0].name, "3");
    ck_assert_str_eq(found.groups[0].description, "tensor");
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

/* A rank that has two groups of the same members and description: then names alone tell. */
START_TEST(doubled_groups)
{
    struct hc_profile profile;
    struct hc_collectives found;
    profile_begin(&profile, 2);
    for (size_t r = 0; r < 2; r++) {
        add_group(&profile, r, "a", "same", (int32_t[]){0, 1}, 2);
        add_group(&profile, r, r ? "c" : "b", "same", (int32_t[]){0, 1}, 2);
        add_member(&profile, r, plain(0, 0, "all_reduce", "a"));
        add_member(&profile, r, plain(1, 0, "all_reduce", r ? "c" : "b"));
    }
    match(&profile, true, &found);
    ck_assert_uint_eq(found.n, 1);
    ck_assert_uint_eq(found.n_groups, 3);
    ck_assert_uint_eq(found.n_local, 2);
    ck_assert(found.groups[found.collectives[0].group].is_known);
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

/* Members by first rank and stride, and a rank whose trace lost them but has the name. */
START_TEST(strides)
{
    size_t lost = (size_t)_i; /* of this rank nothing is known but the name */
    struct hc_profile profile;
    struct hc_collectives found;
    profile_begin(&profile, 4);
    for (size_t r = 0; r < 4; r++) {
        struct member one = plain(0, 0, "all_reduce", "g");
        one.said.group_size = 2;
        one.said.rank_start = (int32_t)(r % 2);
        one.said.rank_stride = r == lost ? 0 : 2; /* ranks 0 and 2, and 1 and 3 */
        add_member(&profile, r, one);
    }
    match(&profile, true, &found);
    ck_assert_uint_eq(found.n, 2);
    for (size_t g = 0; g < 2; g++) {
        ck_assert(found.groups[g].is_known);
        ck_assert_uint_eq(found.groups[g].n_members, 2);
    }
    ck_assert_int_eq(found.kernels[0].collective, found.kernels[2].collective);
    ck_assert_int_eq(found.kernels[1].collective, found.kernels[3].collective);
    ck_assert_int_eq(found.clocks[0].component, found.clocks[2].component);
    ck_assert_int_ne(found.clocks[0].component, found.clocks[1].component);
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

/* A Seq joins whatever order the kernels have, linked or not, and a lost kernel moves nothing. */
START_TEST(by_seq)
{
    struct hc_profile profile;
    struct hc_collectives found;
    profile_begin(&profile, 3);
    for (size_t r = 0; r < 3; r++)
        for (int64_t k = 0; k < 20; k++) {
            struct member one = plain(k, 0, "all_reduce", "g");
            one.said.has_seq = true;
            one.said.seq = k;
            if (r == 1 && k == 7)
                continue;
            add_member(&profile, r, one);
        }
    hc_table_i64(&profile.ranks[2].table[HC_PROFILE_GPU], HC_GPU_CORRELATION)[3] = HC_MISSING_I64;
    hc_table_i64(&profile.ranks[2].table[HC_PROFILE_COMMS], HC_COMMS_CORRELATION)[3] =
        HC_MISSING_I64;
    match(&profile, true, &found);
    ck_assert_uint_eq(found.n, 20);
    ck_assert_uint_eq(found.n_violations, 0);
    for (size_t c = 0; c < 20; c++) {
        ck_assert(!found.collectives[c].is_by_order);
        ck_assert_uint_eq(found.collectives[c].n, c == 7 ? 2 : 3);
        ck_assert_int_eq(found.collectives[c].is_complete, c != 7);
    }
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

/* Sends and receives of a chain of three ranks, in another order on each: sender and receiver
 * tell. */
START_TEST(between_two)
{
    struct hc_profile profile;
    struct hc_collectives found;
    profile_begin(&profile, 3);
    static const struct {
        size_t rank;
        const char *op;
        int32_t source, destination;
        int64_t at;
    } ops[] = {{0, "send", 0, 1, 0}, {1, "send", 1, 2, 0}, {1, "recv", 0, 1, 1},
               {2, "recv", 1, 2, 0}, {0, "send", 0, 1, 2}, {1, "recv", 0, 1, 2}};
    for (size_t i = 0; i < 6; i++) {
        struct member one = plain(ops[i].at, 0, ops[i].op, "pp");
        one.said.is_p2p = one.said.has_peers = true;
        one.said.group_size = 3;
        one.said.source = ops[i].source;
        one.said.destination = ops[i].destination;
        one.said.in_elements = one.said.out_elements = 100;
        one.said.dtype = "Half";
        add_member(&profile, ops[i].rank, one);
    }
    match(&profile, true, &found);
    ck_assert_uint_eq(found.n, 3);
    ck_assert_uint_eq(found.n_mismatched, 0);
    ck_assert_uint_eq(found.n_local, 0);
    for (size_t c = 0; c < 3; c++) {
        ck_assert_uint_eq(found.collectives[c].n, 2);
        ck_assert(found.collectives[c].is_complete && !found.collectives[c].is_joint);
        ck_assert_int_eq(found.collectives[c].bytes, 200);
        /* Nothing here tells clocks: the ranks are not comparable. */
        ck_assert_int_eq(found.collectives[c].last_rank, HC_MISSING_I32);
    }
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

/* Rank 2 of three has no trace: what is known of the group says so, and if nothing is, the world.
 */
START_TEST(incomplete)
{
    for (int is_listed = 0; is_listed < 2; is_listed++) {
        struct hc_profile profile;
        struct hc_collectives found;
        profile_begin(&profile, 2);
        for (size_t r = 0; r < 2; r++) {
            profile.ranks[r].world_size = 3;
            if (is_listed)
                add_group(&profile, r, "g", "", (int32_t[]){0, 1, 2}, 3);
            add_member(&profile, r, plain(0, 0, "all_reduce", "g"));
        }
        match(&profile, true, &found);
        ck_assert_uint_eq(found.n, 1);
        ck_assert(!found.collectives[0].is_complete);
        ck_assert_int_eq(found.groups[0].is_known, is_listed);
        ck_assert_uint_eq(found.groups[0].size, is_listed ? 3 : 2);
        hc_collectives_fini(&found);
        hc_profile_fini(&profile);
    }
}
END_TEST

/* Two groups matched by order; one rank lost the second kernel of group "bad", so all that follow
 * are joined wrongly. That group is refused, the clocks are those of the other. */
START_TEST(refused)
{
    struct hc_profile profile;
    struct hc_collectives found;
    profile_begin(&profile, 2);
    for (size_t r = 0; r < 2; r++)
        for (int64_t k = 0; k < 30; k++) {
            struct member one = plain(k, 0, "all_reduce", k % 3 == 2 ? "good" : "bad");
            if (r == 1 && k == 1)
                continue;
            add_member(&profile, r, one);
        }
    shift_rank(&profile, 1, 123456789);
    match(&profile, true, &found);
    ck_assert_uint_eq(found.n, 10);
    ck_assert_uint_eq(found.n_local, 39);
    ck_assert_int_eq(found.clocks[1].offset_ns, 123456789);
    for (size_t g = 0; g < 2; g++) {
        bool is_bad = !strcmp(found.groups[g].name, "bad");
        ck_assert_int_eq(found.groups[g].is_refused, is_bad);
        ck_assert_uint_eq(found.groups[g].n_by_order, is_bad ? 19 : 10);
        ck_assert_int_eq(found.groups[g].n_violations >= 2, is_bad);
    }
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

/* Thirteen groups, of which one has most collectives and lost a kernel: its wrong joins shift the
 * clock by one place, by which those of all other groups look wrong. It alone is refused. */
START_TEST(refused_among_many)
{
    struct hc_profile profile;
    struct hc_collectives found;
    profile_begin(&profile, 2);
    for (size_t r = 0; r < 2; r++)
        for (int64_t k = 0; k < 300; k++) {
            char name[16] = "bad";
            if (k % 5 == 4)
                snprintf(name, sizeof name, "g%d", (int)(k / 5 % 12));
            if (r == 1 && k == 3)
                continue;
            add_member(&profile, r, plain(k, 0, "all_reduce", name));
        }
    match(&profile, true, &found);
    ck_assert_uint_eq(found.n_groups, 13);
    for (size_t g = 0; g < 13; g++) {
        bool is_bad = !strcmp(found.groups[g].name, "bad");
        ck_assert_int_eq(found.groups[g].is_refused, is_bad);
        ck_assert_uint_eq(found.groups[g].n_uneven, is_bad);
    }
    ck_assert_uint_eq(found.n, 60);
    ck_assert_int_eq(found.clocks[1].offset_ns, 0);
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

/* One of a hundred matches disagrees in its elements: below what refuses a group; it is left out of
 * the waits. Two and more are refused. */
START_TEST(mismatches)
{
    for (int64_t n_wrong = 1; n_wrong < 4; n_wrong++) {
        struct hc_profile profile;
        struct hc_collectives found;
        profile_begin(&profile, 2);
        for (size_t r = 0; r < 2; r++)
            for (int64_t k = 0; k < 100; k++) {
                struct member one = plain(k, r ? 10 * US : 0, "all_reduce", "g");
                one.said.in_elements = 5 + (r == 1 && k >= 50 && k < 50 + n_wrong);
                add_member(&profile, r, one);
            }
        match(&profile, true, &found);
        bool is_refused = n_wrong > 2; /* 2 of 100 are not over 2 % */
        ck_assert_int_eq(found.groups[0].is_refused, is_refused);
        ck_assert_uint_eq(found.groups[0].n_mismatches, (size_t)n_wrong);
        ck_assert_uint_eq(found.n, is_refused ? 0 : 100);
        ck_assert_uint_eq(found.n_mismatched, is_refused ? 0 : (size_t)n_wrong);
        ck_assert_int_eq(found.clocks[1].caused_wait_ns,
                         is_refused ? 0 : (100 - n_wrong) * 10 * US);
        hc_collectives_fini(&found);
        hc_profile_fini(&profile);
    }
}
END_TEST

/* Sequence numbers that cannot be of one run: rank 1 counts backwards. */
START_TEST(contradiction)
{
    struct hc_profile profile;
    struct hc_collectives found;
    profile_begin(&profile, 2);
    for (size_t r = 0; r < 2; r++)
        for (int64_t k = 0; k < 9; k++) {
            struct member one = plain(k, 0, "all_reduce", "g");
            one.said.has_seq = true;
            one.said.seq = r ? 8 - k : k;
            add_member(&profile, r, one);
        }
    ck_assert(!hc_profile_link(&profile, HC_STEPS_BY_PROFILER, &err));
    ck_assert_int_eq(hc_collectives_match(&found, &profile, true, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "no clocks fit the collectives of ranks "));
    ck_assert_ptr_nonnull(strstr(err.message, "all_reduce of group 'g', Seq "));
    hc_profile_fini(&profile);
}
END_TEST

/* No kernels at all, and no ranks at all. */
START_TEST(nothing)
{
    struct hc_profile profile;
    struct hc_collectives found;
    for (size_t n = 0; n < 3; n += 2) {
        profile_begin(&profile, n);
        match(&profile, true, &found);
        ck_assert_uint_eq(found.n + found.n_kernels + found.n_groups, 0);
        hc_collectives_fini(&found);
        hc_profile_fini(&profile);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("collectives");
    TCase *tests = tcase_create("collectives");
    tcase_add_test(tests, two_ranks);
    tcase_add_test(tests, not_aligned);
    tcase_add_test(tests, attributes);
    tcase_add_test(tests, names_differ);
    tcase_add_test(tests, doubled_groups);
    tcase_add_loop_test(tests, strides, 0, 4);
    tcase_add_test(tests, by_seq);
    tcase_add_test(tests, between_two);
    tcase_add_test(tests, incomplete);
    tcase_add_test(tests, refused);
    tcase_add_test(tests, refused_among_many);
    tcase_add_test(tests, mismatches);
    tcase_add_test(tests, contradiction);
    tcase_add_test(tests, nothing);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
