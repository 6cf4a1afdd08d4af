/* What an archive does when it meets what it cannot read, or what is not its own: nothing is taken
 * for damaged, nothing is dropped, nothing is removed, and nothing outside is touched. A symbolic
 * link, a FIFO or a directory in the place of a file stands for a file that cannot be read now; the
 * tests run as root, whom permissions do not stop. */
#include "store/archive/derived.h"
#include "store/archive/manifest.h"
#include "tests/support/archive_fixture.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

static void move(const char *from, const char *to)
{
    ck_assert_msg(rename(from, to) == 0, "%s", from);
}

static bool there(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

static struct findings collect(const char *path)
{
    struct findings findings = {0};
    ASSERT_OK(hc_archive_gc(path, take_finding, &findings, &err));
    return findings;
}

static struct findings repair(const char *path)
{
    struct findings findings = {0};
    ASSERT_OK(hc_archive_repair(path, take_finding, &findings, &err));
    return findings;
}

/* An archive of AR (twice, so that a replaced segment lies there) and BR. */
struct case_archive {
    char *path, *old, *ar, *br, *manifest, *aside;
};

static struct case_archive make_case(void)
{
    struct case_archive made = {.path = new_path()};
    struct hc_archive *archive = open_archive(made.path);
    ingest_ok(archive, "AR", "old");
    made.old = join(made.path, archive->entries[0].file);
    sleep_us(20000); /* so that the file times differ */
    ingest_ok(archive, "AR", "new");
    ingest_ok(archive, "BR", "one");
    made.ar = join(made.path, archive->entries[0].file);
    made.br = join(made.path, archive->entries[1].file);
    made.manifest = join(made.path, HC_MANIFEST_FILE);
    made.aside = join(scratch, "aside");
    hc_archive_close(archive);
    return made;
}

static void free_case(struct case_archive *made)
{
    free(made->path);
    free(made->old);
    free(made->ar);
    free(made->br);
    free(made->manifest);
    free(made->aside);
}

/* Put something in the place of a file that cannot be read as one. */
enum obstacle { LINK, FIFO, DIRECTORY, N_OBSTACLES };

static const char *const obstacle_words[] = {"a symbolic link", "a FIFO", "a directory"};

static void put(const char *path, enum obstacle obstacle, const char *target)
{
    int failed = obstacle == LINK   ? symlink(target, path)
                 : obstacle == FIFO ? mkfifo(path, 0666)
                                    : mkdir(path, 0777);
    ck_assert_int_eq(failed, 0);
}

static void take_away(const char *path)
{
    ck_assert_int_eq(remove(path), 0);
}

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
            ck_assert_int_eq(hc_archive_ingest_begin(&begun, archive, &err), HC_IO);
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
        an_unreadable_segment_is_neither_damaged_nor_dropped,
        an_unreadable_segment_is_not_written_again,
        an_unreadable_manifest_is_not_replaced,
        parts_that_are_links_are_refused,
        gc_stays_inside_and_lists_what_is_not_its_own,
        gc_keeps_what_nothing_newer_stands_for,
        gc_keeps_what_times_do_not_prove_replaced,
        too_few_descriptors_lose_nothing,
        every_field_is_compared_with_the_segment,
        a_creation_that_was_cut_short_is_an_empty_archive,
        the_next_writer_sweeps_what_dead_ones_left,
        only_names_and_contents_of_ours_are_leftovers,
        repair_without_a_manifest_reads_every_segment,
        check_and_repair_agree_on_what_is_foreign,
    };
    scratch = make_scratch();
    Suite *suite = suite_create("archive refusals");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 120);
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
