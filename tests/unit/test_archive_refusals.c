/* What an archive does when it meets what it cannot read: nothing is taken for damaged, nothing is
 * dropped, and nothing is written anew. */
#include "tests/support/archive_obstacles.h"

#include <sys/resource.h>

START_TEST(an_unreadable_segment_is_neither_damaged_nor_dropped)
{
    for (int i = 0; i < N_OBSTACLES; i++) {
        struct case_archive made = make_case();
        move(made.ar, made.aside);
        put(made.ar, (enum obstacle)i, made.aside);
        struct findings findings = check(made.path);
        ck_assert_int_eq(findings.count[HC_CHECK_UNREADABLE],
                         2); /* and what it took the place of */
        ck_assert_int_eq(findings.count[HC_CHECK_DAMAGED], 0);
        ck_assert_int_eq(findings.count[HC_CHECK_OK], 1);
        ck_assert_ptr_nonnull(strstr(findings.last[HC_CHECK_UNREADABLE], obstacle_words[i]));

        findings = repair(made.path);
        ck_assert_int_eq(findings.count[HC_CHECK_UNREADABLE], 1);
        ck_assert_int_eq(findings.count[HC_CHECK_DAMAGED], 0);
        ck_assert_int_eq(findings.count[HC_CHECK_OK], 2);
        ck_assert_ptr_nonnull(strstr(findings.last[HC_CHECK_UNREADABLE], "is kept"));

        /* The older segment of the same job stays while its follower cannot be read. */
        findings = collect(made.path);
        ck_assert_int_eq(findings.count[HC_CHECK_UNREADABLE], 1);
        ck_assert(there(made.old));

        take_away(made.ar);
        move(made.aside, made.ar);
        assert_clean(made.path, 2);
        collect(made.path);
        assert_clean(made.path, 2);
        ck_assert(!there(made.old));
        free_case(&made);
    }
}
END_TEST

START_TEST(an_unreadable_segment_is_not_written_again)
{
    struct case_archive made = make_case();
    struct hc_archive *archive = open_archive(made.path);
    const struct hc_manifest_entry *found = NULL;
    struct hc_segment *segment = NULL;
    struct hc_error err = {0};
    struct hc_job job;
    struct hc_provenance provenance;
    bool replaced = false;
    fill_job(&job, "AR");
    fill_provenance(&provenance, "new");
    ASSERT_OK(hc_archive_holds(archive, &job, &provenance, &found, &err));
    ck_assert_ptr_nonnull(found);
    move(made.ar, made.aside);
    put(made.ar, LINK, made.aside);
    ck_assert_int_eq(hc_archive_holds(archive, &job, &provenance, &found, &err), HC_IO);
    ck_assert_int_eq(hc_archive_open_segment(archive, &archive->entries[0], &segment, &err), HC_IO);
    struct source source = {NULL, "AR", "new", 0};
    ck_assert_int_eq(ingest(archive, source, &replaced, &err), HC_IO);
    take_away(made.ar);
    ck_assert_int_eq(hc_archive_open_segment(archive, &archive->entries[0], &segment, &err),
                     HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "is missing"));
    move(made.aside, made.ar);
    assert_clean(made.path, 2);
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
    hc_archive_close(archive);
    free_case(&made);
}
END_TEST

START_TEST(an_unreadable_manifest_is_not_replaced)
{
    for (int i = 0; i < N_OBSTACLES; i++) {
        struct case_archive made = make_case();
        struct findings findings = {0};
        struct hc_archive *archive = NULL;
        struct hc_error err = {0};
        move(made.manifest, made.aside);
        put(made.manifest, (enum obstacle)i, made.aside);
        ck_assert_int_eq(hc_archive_open(&archive, made.path, false, &err), HC_IO);
        ck_assert_ptr_nonnull(strstr(err.message, obstacle_words[i]));
        ck_assert_int_eq(hc_archive_open(&archive, made.path, true, &err), HC_IO);
        ck_assert_int_eq(hc_archive_gc(made.path, take_finding, &findings, &err), HC_IO);
        ck_assert_int_eq(hc_archive_repair(made.path, take_finding, &findings, &err), HC_IO);
        ck_assert_ptr_nonnull(strstr(err.message, obstacle_words[i]));
        ck_assert(there(made.manifest) && there(made.old));
        take_away(made.manifest);
        move(made.aside, made.manifest);
        assert_clean(made.path, 2);
        free_case(&made);
    }
}
END_TEST

START_TEST(parts_that_are_links_are_refused)
{
    static const char *const parts[] = {"lock", "segments"};
    for (size_t i = 0; i < 2; i++) {
        struct case_archive made = make_case();
        char *part = join(made.path, parts[i]);
        struct findings findings = {0};
        struct hc_archive *archive = open_archive(made.path);
        struct hc_archive_ingest *begun = NULL;
        struct hc_error err = {0};
        bool replaced = false;
        move(part, made.aside);
        put(part, LINK, made.aside);
        struct source source = {NULL, "CR", "x", 0};
        if (i == 0)
            ck_assert_int_eq(ingest(archive, source, &replaced, &err), HC_IO);
        else
            ck_assert_int_eq(hc_archive_ingest_begin(&begun, archive, false, &err), HC_IO);
        ck_assert_ptr_nonnull(strstr(err.message, "a symbolic link"));
        ck_assert_int_eq(hc_archive_gc(made.path, take_finding, &findings, &err), HC_IO);
        ck_assert_int_eq(hc_archive_repair(made.path, take_finding, &findings, &err), HC_IO);
        take_away(part);
        move(made.aside, part);
        ck_assert(there(made.old));
        assert_clean(made.path, 2);
        hc_archive_close(archive);
        free(part);
        free_case(&made);
    }
}
END_TEST

START_TEST(too_few_descriptors_lose_nothing)
{
    struct case_archive made = make_case();
    struct rlimit before;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    int n_refused = 0;
    for (rlim_t n = 3; n < 16; n++) {
        struct findings checked = {0}, repaired = {0}, collected = {0};
        struct hc_error err = {0};
        struct rlimit few = {.rlim_cur = n, .rlim_max = before.rlim_max};
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
        enum hc_status check = hc_archive_check(made.path, take_finding, &checked, &err);
        enum hc_status repair = hc_archive_repair(made.path, take_finding, &repaired, &err);
        enum hc_status gc = hc_archive_gc(made.path, take_finding, &collected, &err);
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
        ck_assert(check == HC_OK || check == HC_IO);
        ck_assert(repair == HC_OK || repair == HC_IO);
        ck_assert(gc == HC_OK || gc == HC_IO);
        n_refused += check == HC_IO || checked.count[HC_CHECK_UNREADABLE];
        ck_assert_msg(checked.count[HC_CHECK_DAMAGED] + repaired.count[HC_CHECK_DAMAGED] == 0,
                      "%d descriptors: %s%s", (int)n, checked.last[HC_CHECK_DAMAGED],
                      repaired.last[HC_CHECK_DAMAGED]);
        assert_clean(made.path, 2);
    }
    ck_assert_int_gt(n_refused, 0);
    free_case(&made);
}
END_TEST

START_TEST(every_field_is_compared_with_the_segment)
{
    static const char *const edits[][3] = {
        {"\"source_path\": \"/", "\"source_path\": \"/x", "source_path"},
        {"\"ops\": 300", "\"ops\": 301", "tables"},
        {"\"options\": \"", "\"options\": \"x", "options"},
    };
    struct case_archive made = make_case();
    char *text = text_of(made.path, HC_MANIFEST_FILE);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        char *at = strstr(text, edits[i][0]);
        ck_assert_msg(at != NULL, "%s in %s", edits[i][0], text);
        struct hc_error err = {0};
        char *edited = hc_new_text(&err, "%.*s%s%s", (int)(at - text), text, edits[i][1],
                                   at + strlen(edits[i][0]));
        write_bytes(made.manifest, edited, strlen(edited));
        struct findings findings = check(made.path);
        ck_assert_int_eq(findings.count[HC_CHECK_DAMAGED], 1);
        ck_assert_ptr_nonnull(strstr(findings.last[HC_CHECK_DAMAGED], edits[i][2]));
        repair(made.path);
        assert_clean(made.path, 2);
        free(edited);
    }
    free(text);
    free_case(&made);
}
END_TEST

/* Without a manifest that can be read, a segment that cannot be read now is known by its name only:
 * nothing is made that would forget it, or publish what it took the place of. */
START_TEST(repair_without_a_manifest_reads_every_segment)
{
    static const char *const texts[] = {"{ \"schema\": broken", NULL};
    for (int i = 0; i < 2 * N_OBSTACLES; i++) {
        const char *text = texts[i / N_OBSTACLES];
        struct case_archive made = make_case();
        char *leftover = join(made.path, "segments/.tmp-1-0123456789abcdef.h5");
        write_bytes(leftover, "", 0);
        move(made.ar, made.aside);
        put(made.ar, (enum obstacle)(i % N_OBSTACLES), made.ar); /* a link: to itself */
        take_away(made.manifest);
        if (text)
            write_bytes(made.manifest, text, strlen(text));
        struct findings findings = repair(made.path);
        ck_assert_int_eq(findings.count[HC_CHECK_UNREADABLE], 1);
        ck_assert_int_eq(findings.count[HC_CHECK_OK], 0);
        ck_assert_int_eq(findings.count[HC_CHECK_DAMAGED], 1);
        ck_assert_ptr_nonnull(strstr(findings.last[HC_CHECK_DAMAGED], "repair again"));
        ck_assert(there(leftover) && there(made.manifest) == (text != NULL));
        if (text) {
            char *now = text_of(made.path, HC_MANIFEST_FILE);
            ck_assert_str_eq(now, text);
            free(now);
        }
        take_away(made.ar);
        move(made.aside, made.ar);
        repair(made.path);
        assert_clean(made.path, 2);
        collect(made.path);
        ck_assert(!there(made.old) && there(made.ar));
        free(leftover);
        free_case(&made);
    }
}
END_TEST

int main(void)
{
    const TTest *const all[] = {
        an_unreadable_segment_is_neither_damaged_nor_dropped,
        an_unreadable_segment_is_not_written_again,
        an_unreadable_manifest_is_not_replaced,
        parts_that_are_links_are_refused,
        too_few_descriptors_lose_nothing,
        every_field_is_compared_with_the_segment,
        repair_without_a_manifest_reads_every_segment,
    };
    return run_archive_tests("archive refusals", all, sizeof all / sizeof *all);
}
