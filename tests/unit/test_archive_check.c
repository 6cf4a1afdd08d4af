/* What check, repair and stale say of an archive. */
#include "store/archive/manifest.h"
#include "tests/support/archive_fixture.h"

static uint64_t seed;

START_TEST(repair_gives_the_same_entries)
{
    char *path = new_path(), *manifest = join(path, HC_MANIFEST_FILE);
    struct hc_archive *archive = open_archive(path);
    struct findings findings = {0};
    struct hc_error err = {0};
    bool replaced = false;
    ingest_ok(archive, "AR", "old");
    sleep_us(20000); /* so that the file times differ */
    ck_assert(ingest_ok(archive, "AR", "new"));
    ASSERT_OK(ingest(archive, (struct source){"east", "ST", "x", 3}, &replaced, &err));
    int64_t generation = archive->generation;
    hc_archive_close(archive);
    char *before = text_of(path, HC_MANIFEST_FILE);
    ASSERT_OK(hc_archive_repair(path, take_finding, &findings, &err));
    ck_assert_int_eq(findings.count[HC_CHECK_OK], 2);
    ck_assert_int_eq(findings.count[HC_CHECK_UNPUBLISHED], 1);
    char *after = text_of(path, HC_MANIFEST_FILE);
    ck_assert_str_eq(strstr(before, "\"segments\""), strstr(after, "\"segments\""));
    free(after);

    ck_assert_int_eq(unlink(manifest), 0);
    ck_assert_int_eq(hc_archive_open(&archive, path, true, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "repair"));
    ASSERT_OK(hc_archive_repair(path, take_finding, &findings, &err));
    after = text_of(path, HC_MANIFEST_FILE);
    ck_assert_str_eq(strstr(before, "\"segments\""), strstr(after, "\"segments\""));
    archive = open_archive(path);
    ck_assert_int_lt(archive->generation, generation);
    hc_archive_close(archive);
    assert_clean(path, 2);

    write_bytes(manifest, "{", 1);
    ASSERT_OK(hc_archive_repair(path, take_finding, &findings, &err));
    assert_clean(path, 2);
    ck_assert_int_ne(hc_archive_repair(scratch, take_finding, &findings, &err), HC_OK);
    free(before);
    free(after);
    free(manifest);
    free(path);
}
END_TEST

/* The segment that was published is lost: an older one of its job does not come back in its place.
 */
START_TEST(repair_enters_nothing_older)
{
    char *path = new_path();
    struct hc_archive *archive = open_archive(path);
    struct findings findings = {0};
    ingest_ok(archive, "AR", "old");
    ck_assert(ingest_ok(archive, "AR", "new"));
    ingest_ok(archive, "BR", "other");
    char *file = join(path, archive->entries[0].file);
    size_t size = 0;
    uint8_t *bytes = read_bytes(file, &size);
    write_bytes(file, bytes, size / 2);
    ASSERT_OK(hc_archive_repair(path, take_finding, &findings, &err));
    ck_assert_int_eq(findings.count[HC_CHECK_DAMAGED], 1);
    ck_assert_int_eq(findings.count[HC_CHECK_OK], 1);
    hc_archive_close(archive);
    archive = open_archive(path);
    ck_assert_uint_eq(archive->n_entries, 1);
    ck_assert_str_eq(archive->entries[0].job_id, "BR");
    hc_archive_close(archive);
    free(bytes);
    free(file);
    free(path);
}
END_TEST

START_TEST(check_tells_what_is_wrong)
{
    char *path = new_path();
    struct hc_archive *archive = open_archive(path);
    struct findings findings;
    ingest_ok(archive, "AR", "one");
    ingest_ok(archive, "BR", "two");
    size_t size = 0;
    char *file = join(path, archive->entries[0].file);
    uint8_t *bytes = read_bytes(file, &size);
    for (int i = 0; i < 40; i++) {
        size_t at = next_random(&seed) % size;
        bytes[at] ^= 4;
        write_bytes(file, bytes, size);
        bytes[at] ^= 4;
        findings = check(path);
        ck_assert_int_eq(findings.count[HC_CHECK_DAMAGED], 1);
        ck_assert_int_eq(findings.count[HC_CHECK_OK], 1);
        ck_assert_ptr_nonnull(strstr(findings.last[HC_CHECK_DAMAGED], archive->entries[0].file));
    }
    struct findings repaired = {0};
    ASSERT_OK(hc_archive_repair(path, take_finding, &repaired, &err));
    ck_assert_int_le(repaired.count[HC_CHECK_DAMAGED], 1);
    ck_assert_int_eq(unlink(file), 0);
    ASSERT_OK(hc_archive_repair(path, take_finding, &repaired, &err));
    assert_clean(path, 1);

    char *other = join(path, "segments/.tmp-1-0000000000000000.h5"),
         *stray = join(path, "segments/default~AR~0.0123456789ab.h5");
    char *manifest = join(path, "manifest.json.tmp-aB3xYz");
    write_bytes(other, "", 0);
    write_bytes(stray, bytes, size);
    write_bytes(manifest, "{", 1);
    findings = check(path);
    ck_assert_int_eq(findings.count[HC_CHECK_LEFTOVER], 2);
    ck_assert_int_eq(findings.count[HC_CHECK_UNPUBLISHED], 1);
    ASSERT_OK(hc_archive_gc(path, take_finding, &findings, &err));
    ck_assert_int_ne(access(other, F_OK), 0);
    ck_assert_int_eq(access(stray, F_OK), 0); /* of a job that the manifest does not name */
    ck_assert_int_ne(access(manifest, F_OK), 0);
    assert_clean(path, 1);
    ASSERT_OK(hc_archive_repair(path, take_finding, &findings, &err));
    assert_clean(path, 2);
    free(manifest);
    free(stray);
    free(other);
    free(bytes);
    free(file);
    hc_archive_close(archive);
    free(path);
}
END_TEST

START_TEST(swapped_segments_are_found)
{
    char *path = new_path();
    struct hc_archive *archive = open_archive(path);
    ingest_ok(archive, "AR", "one");
    ingest_ok(archive, "BR", "two");
    char *a = join(path, archive->entries[0].file), *b = join(path, archive->entries[1].file);
    char *c = join(path, "c");
    ck_assert_int_eq(rename(a, c) | rename(b, a) | rename(c, b), 0);
    ck_assert_int_eq(check(path).count[HC_CHECK_DAMAGED], 2);
    free(a);
    free(b);
    free(c);
    hc_archive_close(archive);
    free(path);
}
END_TEST

static int newer_parquet(const char *format)
{
    return strcmp(format, "parquet") == 0 ? 2 : 0;
}

static int same_parquet(const char *format)
{
    return strcmp(format, "parquet") == 0;
}

START_TEST(stale_entries_are_told)
{
    char *path = new_path();
    struct hc_archive *archive = open_archive(path);
    struct findings findings = {0};
    ingest_ok(archive, "AR", "one");
    ASSERT_OK(hc_archive_stale(path, same_parquet, take_finding, &findings, &err));
    ck_assert_int_eq(findings.count[HC_CHECK_STALE], 0);
    ASSERT_OK(hc_archive_stale(path, newer_parquet, take_finding, &findings, &err));
    ck_assert_int_eq(findings.count[HC_CHECK_STALE], 1);
    ck_assert_ptr_nonnull(strstr(findings.last[HC_CHECK_STALE], "version 1 of format 'parquet'"));
    ck_assert_ptr_nonnull(strstr(findings.last[HC_CHECK_STALE], "is not there any more"));
    hc_archive_close(archive);
    free(path);
}
END_TEST

int main(void)
{
    const TTest *const all[] = {
        repair_gives_the_same_entries, repair_enters_nothing_older, check_tells_what_is_wrong,
        swapped_segments_are_found,    stale_entries_are_told,
    };
    seed = 99;
    scratch = make_scratch();
    Suite *suite = suite_create("archive check");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 300);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tcase_add_test(tests, all[i]);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    remove_scratch(scratch);
    return failed != 0;
}
