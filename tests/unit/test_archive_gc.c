/* What gc removes: segments that newer ones stand for, and nothing else, within the archive or
 * outside. */
#include "tests/support/archive_obstacles.h"

START_TEST(gc_stays_inside_and_lists_what_is_not_its_own)
{
    static const char *const foreign[] = {"segments/notes.txt", "segments/backup.h5",
                                          "derived/notes.txt", "derived/.tmp-mine.txt"};
    struct case_archive made = make_case();
    char *derived = join(made.path, "derived"),
         *leftover = join(made.path, "segments/.tmp-1-0123456789abcdef.h5");
    char *dangling = join(made.path, "segments/.tmp-2-0123456789abcdef.h5"),
         *folder = join(made.path, "segments/d");
    char *outside = join(made.aside, "mine"), name[128], *result;
    /* `derived` is a link: what is behind it is not read, listed or removed. */
    ck_assert_int_eq(mkdir(made.aside, 0777), 0);
    write_bytes(outside, "mine", 4);
    put(derived, LINK, made.aside);
    put(dangling, LINK, "nowhere");
    put(folder, DIRECTORY, NULL);
    write_bytes(leftover, "", 0);
    struct findings findings = collect(made.path);
    ck_assert_int_eq(findings.count[HC_CHECK_FOREIGN], 3);
    ck_assert_int_eq(findings.count[HC_CHECK_LEFTOVER], 1);
    ck_assert(there(outside) && there(dangling) && there(folder));
    ck_assert(!there(leftover) && !there(made.old));

    /* The same with a derived/ of its own, in which only what is ours goes. */
    take_away(derived);
    put(derived, DIRECTORY, NULL);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        char *path = join(made.path, foreign[i]);
        write_bytes(path, "mine", 4);
        free(path);
    }
    snprintf(name, sizeof name, "%064d.fleet-row.%016d.json", 7, 7);
    result = join(derived, name);
    write_bytes(result, "mine", 4); /* by name, but not by what is in it */
    findings = collect(made.path);
    ck_assert_int_eq(findings.count[HC_CHECK_FOREIGN], 7);
    ck_assert_int_eq(findings.count[HC_CHECK_LEFTOVER], 0);
    write_bytes(result, "{\"schema\"", 9); /* torn by a crash */
    findings = collect(made.path);
    ck_assert_int_eq(findings.count[HC_CHECK_FOREIGN], 6);
    ck_assert_int_eq(findings.count[HC_CHECK_LEFTOVER], 1);
    ck_assert(!there(result));
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        char *path = join(made.path, foreign[i]);
        ck_assert_msg(there(path), "%s", path);
        free(path);
    }
    assert_clean(made.path, 2);
    take_away(outside);
    take_away(made.aside);
    free(result);
    free(outside);
    free(folder);
    free(dangling);
    free(leftover);
    free(derived);
    free_case(&made);
}
END_TEST

START_TEST(gc_keeps_what_nothing_newer_stands_for)
{
    struct case_archive made = make_case();
    size_t size = 0;
    uint8_t *bytes = read_bytes(made.br, &size);

    /* The manifest names the older of two segments, as after an ingest that was cut short. */
    struct hc_archive *archive = open_archive(made.path);
    char *copy = join(made.path, "segments/default~BR~0.0123456789ab.h5");
    take_away(made.old);
    ingest_ok(archive, "AR", "old");
    hc_archive_close(archive);
    ck_assert_int_eq(utimensat(AT_FDCWD, made.ar,
                               (struct timespec[2]){{.tv_sec = 4000000000}, {.tv_sec = 4000000000}},
                               0),
                     0);
    struct findings findings = collect(made.path);
    ck_assert_int_eq(findings.count[HC_CHECK_UNPUBLISHED], 1);
    ck_assert_ptr_nonnull(strstr(findings.last[HC_CHECK_UNPUBLISHED], "newer"));
    ck_assert(there(made.ar) && there(made.old));

    /* A copy with the same bytes goes, whatever its time. */
    write_bytes(copy, bytes, size);
    collect(made.path);
    ck_assert(!there(copy) && there(made.br) && there(made.ar));

    /* A manifest that does not name the job at all: its segments stay, until repair enters one. */
    archive = open_archive(made.path);
    hc_manifest_entry_fini(&archive->entries[0]);
    archive->entries[0] = archive->entries[1];
    archive->n_entries = 1;
    ASSERT_OK(hc_manifest_write(archive, &err));
    hc_archive_close(archive);
    findings = collect(made.path);
    ck_assert_int_eq(findings.count[HC_CHECK_UNPUBLISHED], 2);
    ck_assert_ptr_nonnull(strstr(findings.last[HC_CHECK_UNPUBLISHED], "enters it"));
    ck_assert(there(made.ar) && there(made.old));
    repair(made.path);
    assert_clean(made.path, 2);

    /* The segment that stands for another is damaged: the other is all there is. */
    write_bytes(made.ar, "x", 1);
    collect(made.path);
    ck_assert(there(made.old));
    free(copy);
    free(bytes);
    free_case(&made);
}
END_TEST

static void set_written(const char *path, const struct timespec *when)
{
    struct timespec times[2] = {*when, *when};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

static struct stat state_of(const char *path)
{
    struct stat info;
    ck_assert_int_eq(stat(path, &info), 0);
    return info;
}

/* gc must keep the replaced segment, and say `why`. */
static void assert_kept(const struct case_archive *made, const char *why)
{
    struct findings findings = collect(made->path);
    ck_assert_int_eq(findings.count[HC_CHECK_UNPUBLISHED], 1);
    ck_assert_msg(strstr(findings.last[HC_CHECK_UNPUBLISHED], why) != NULL, "%s",
                  findings.last[HC_CHECK_UNPUBLISHED]);
    ck_assert(there(made->old));
    assert_clean(made->path, 2);
}

START_TEST(gc_keeps_what_times_do_not_prove_replaced)
{
    struct case_archive made = make_case();
    struct stat old = state_of(made.old), new = state_of(made.ar);
    ck_assert(old.st_mtim.tv_sec != new.st_mtim.tv_sec ||
              old.st_mtim.tv_nsec < new.st_mtim.tv_nsec);

    /* Equal times, as of a copy that does not keep them. */
    set_written(made.old, &new.st_mtim);
    sleep_us(20000);
    set_written(made.ar, &new.st_mtim);
    assert_kept(&made, "of the same time");

    /* The older time, but set after the named segment was published. */
    sleep_us(20000);
    set_written(made.old, &old.st_mtim);
    assert_kept(&made, "touched");

    /* Both times in the order of a replacement. */
    sleep_us(20000);
    set_written(made.ar, &new.st_mtim);
    collect(made.path);
    ck_assert(!there(made.old));
    assert_clean(made.path, 2);
    free_case(&made);
}
END_TEST

int main(void)
{
    const TTest *const all[] = {
        gc_stays_inside_and_lists_what_is_not_its_own,
        gc_keeps_what_nothing_newer_stands_for,
        gc_keeps_what_times_do_not_prove_replaced,
    };
    return run_archive_tests("archive gc", all, sizeof all / sizeof *all);
}
