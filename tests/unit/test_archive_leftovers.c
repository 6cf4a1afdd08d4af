/* What dead writers left in an archive is swept away or finished; what is foreign stays, and is
 * told. */
#include "tests/support/archive_obstacles.h"

START_TEST(a_creation_that_was_cut_short_is_an_empty_archive)
{
    struct case_archive made = {.path = new_path()};
    char *lock = join(made.path, "lock"), *segments = join(made.path, "segments");
    char *manifest = join(made.path, "manifest.json.tmp-1-0123456789abcdef");
    struct hc_archive *archive = NULL;
    struct hc_error err = {0};
    put(made.path, DIRECTORY, NULL);
    /* An empty directory may be the place of a file system that is not mounted. */
    ck_assert_int_eq(hc_archive_open(&archive, made.path, false, &err), HC_BAD_INPUT);
    for (int stage = 0; stage < 3; stage++) {
        if (stage == 0)
            write_bytes(lock, "", 0);
        else if (stage == 1)
            put(segments, DIRECTORY, NULL);
        else
            write_bytes(manifest, "{", 1);
        struct findings findings = check(made.path);
        ck_assert_int_eq(findings.count[HC_CHECK_LEFTOVER], stage == 2 ? 2 : 1);
        ck_assert_int_eq(findings.count[HC_CHECK_DAMAGED] + findings.count[HC_CHECK_UNREADABLE], 0);
        ASSERT_OK(hc_archive_open(&archive, made.path, false, &err));
        ck_assert_uint_eq(archive->n_entries, 0);
        hc_archive_close(archive);
    }
    archive = open_archive(made.path);
    ingest_ok(archive, "AR", "one");
    hc_archive_close(archive);
    assert_clean(made.path, 1);
    ck_assert(!there(manifest));
    free(manifest);
    free(segments);
    free(lock);
    free_case(&made);
}
END_TEST

START_TEST(the_next_writer_sweeps_what_dead_ones_left)
{
    struct case_archive made = make_case();
    char *segment = join(made.path, "segments/.tmp-12-0123456789abcdef.h5");
    char *manifest = join(made.path, "manifest.json.tmp-a1-0-187a2f0c11223344");
    char *derived = join(made.path, "derived"),
         *result = join(derived, ".tmp-12-0-187a2f0c11223344");
    char *alive = join(made.path, "segments/.tmp-13-0123456789abcdef.h5");
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    put(derived, DIRECTORY, NULL);
    write_bytes(segment, "\0\0\0\0\0\0\0\0data", 12); /* before its superblock was written */
    write_bytes(manifest, "{\n", 2);
    write_bytes(result, "{", 1);
    write_bytes(alive, "x", 1);
    int fd = open(alive, O_RDWR);
    ck_assert_int_eq(fcntl(fd, F_OFD_SETLK, &lock), 0);
    struct hc_archive *archive = open_archive(made.path);
    ingest_ok(archive, "CR", "one");
    hc_archive_close(archive);
    ck_assert(!there(segment) && !there(manifest) && there(alive));
    struct hc_derived_key key = {.segment_sha256 = "ab", .kind = "fleet-row", .inputs = "x"};
    ASSERT_OK(hc_derived_put(made.path, &key, "{\n}\n", &err));
    ck_assert(!there(result));
    close(fd);
    free(alive);
    free(result);
    free(derived);
    free(manifest);
    free(segment);
    free_case(&made);
}
END_TEST

START_TEST(check_and_repair_agree_on_what_is_foreign)
{
    static const char *const names[] = {
        "segments/default~AR~7.000000000001.h5", "segments/default~AR~7.000000000002.h5",
        "segments/default~AR~7.000000000003.h5", "segments/backup.h5", "segments/notes.txt"};
    struct case_archive made = make_case();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = join(made.path, names[i]);
        if (i < 2)
            put(path, i ? DIRECTORY : LINK, path);
        else
            write_bytes(path, "xy", 2);
        free(path);
    }
    for (int i = 0; i < 3; i++) {
        struct findings findings = i == 1 ? repair(made.path) : check(made.path);
        ck_assert_int_eq(findings.count[HC_CHECK_FOREIGN], 5);
        ck_assert_int_eq(findings.count[HC_CHECK_UNREADABLE], 0);
        ck_assert_int_eq(findings.count[HC_CHECK_DAMAGED], 0);
        ck_assert_int_eq(findings.count[HC_CHECK_UNPUBLISHED], 1); /* the replaced one */
        ck_assert_int_eq(findings.count[HC_CHECK_OK], 2);
    }
    free_case(&made);
}
END_TEST

START_TEST(only_names_and_contents_of_ours_are_leftovers)
{
    static const struct {
        const char *file, *text;
    } foreign[] = {
        /* Names that hindcast does not make. */
        {"segments/.tmp-my-own-notes.h5", ""},
        {"segments/.tmp-1-0123456789abcde.h5", ""},
        {"segments/.tmp-x1-0123456789abcdef.h5", ""},
        {"segments/.tmp--0123456789abcdef.h5", ""},
        {"manifest.json.tmp-before-upgrade", "{"},
        {"manifest.json.tmp-backup", "{"},
        {"manifest.json.tmp-2026-06-01", "{"},
        {"manifest.json.tmp-1-0123456789abcdef-2", "{"},
        {"derived/.tmp-notes", "{"},
        {"derived/.tmp-", "{"},
        /* Contents that hindcast does not write. */
        {"segments/.tmp-1-0123456789abcdef.h5", "precious"},
        {"segments/.tmp-2-0123456789abcdef.h5", "\211HDF"},
        {"manifest.json.tmp-1-0123456789abcdef", "precious"},
        {"manifest.json.tmp-aB3xYz", "precious"},
        {"derived/.tmp-1-0123456789abcdef", "precious"},
    };
    const size_t n = sizeof foreign / sizeof *foreign;
    struct case_archive made = make_case();
    char *derived = join(made.path, "derived");
    put(derived, DIRECTORY, NULL);
    for (size_t i = 0; i < n; i++) {
        char *path = join(made.path, foreign[i].file);
        write_bytes(path, foreign[i].text, strlen(foreign[i].text));
        free(path);
    }
    ck_assert_uint_eq(check(made.path).count[HC_CHECK_FOREIGN], n);
    struct hc_archive *archive = open_archive(made.path);
    ingest_ok(archive, "CR", "one");
    hc_archive_close(archive);
    struct hc_derived_key key = {.segment_sha256 = "ab", .kind = "fleet-row", .inputs = "y"};
    ASSERT_OK(hc_derived_put(made.path, &key, "{\n}\n", &err));
    repair(made.path);
    struct findings findings = collect(made.path);
    ck_assert_uint_ge(findings.count[HC_CHECK_FOREIGN], n);
    ck_assert_int_eq(findings.count[HC_CHECK_UNREADABLE], 0);
    for (size_t i = 0; i < n; i++) {
        char *path = join(made.path, foreign[i].file);
        ck_assert_msg(there(path), "%s", foreign[i].file);
        free(path);
    }
    assert_clean(made.path, 3);
    free(derived);
    free_case(&made);
}
END_TEST

int main(void)
{
    const TTest *const all[] = {
        a_creation_that_was_cut_short_is_an_empty_archive,
        the_next_writer_sweeps_what_dead_ones_left,
        check_and_repair_agree_on_what_is_foreign,
        only_names_and_contents_of_ours_are_leftovers,
    };
    return run_archive_tests("archive leftovers", all, sizeof all / sizeof *all);
}
