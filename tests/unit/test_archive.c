/* The archive: publication, names, concurrency, kills. */
#include "store/archive/manifest.h"
#include "store/archive/segment_name.h"
#include "tests/support/archive_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

static uint64_t seed;

/* ---- opening ---- */

START_TEST(only_empty_directories_become_archives)
{
    struct hc_archive *archive = NULL;
    struct hc_error err = {0};
    char *path = new_path(), *other = new_path(), *file = join(other, "notes.txt");
    ck_assert_int_eq(hc_archive_open(&archive, path, false, &err), HC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "does not exist"));
    hc_archive_close(open_archive(path));
    ASSERT_OK(hc_archive_open(&archive, path, false, &err));
    ck_assert_uint_eq(archive->n_entries, 0);
    ck_assert_int_eq(archive->generation, 0);
    hc_archive_close(archive);
    assert_clean(path, 0);

    ck_assert_int_eq(mkdir(other, 0777), 0);
    hc_archive_close(open_archive(other));
    char *manifest = join(other, HC_MANIFEST_FILE);
    ck_assert_int_eq(unlink(manifest), 0);
    write_bytes(file, "mine", 4);
    ck_assert_int_eq(hc_archive_open(&archive, other, true, &err), HC_USAGE);
    ck_assert_ptr_nonnull(strstr(err.message, "notes.txt"));
    ck_assert_int_eq(hc_archive_open(&archive, other, false, &err), HC_BAD_INPUT);
    ck_assert_int_eq(hc_archive_open(&archive, file, false, &err), HC_USAGE);
    ck_assert_int_ne(hc_archive_open(&archive, file, true, &err), HC_OK);
    free(manifest);
    free(file);
    free(other);
    free(path);
}
END_TEST

/* ---- publishing ---- */

static const struct hc_manifest_entry *held(const struct hc_archive *archive,
                                            const struct hc_job *job,
                                            const struct hc_provenance *provenance)
{
    const struct hc_manifest_entry *found = NULL;
    ASSERT_OK(hc_archive_holds(archive, job, provenance, &found, &err));
    return found;
}

START_TEST(ingest_is_idempotent)
{
    char *path = new_path();
    struct hc_archive *archive = open_archive(path);
    struct hc_job job;
    struct hc_provenance provenance;
    fill_job(&job, "AR");
    fill_provenance(&provenance, "one");
    ck_assert_ptr_null(held(archive, &job, &provenance));
    ck_assert(!ingest_ok(archive, "AR", "one"));
    ck_assert_ptr_nonnull(held(archive, &job, &provenance));
    ck_assert_int_eq(archive->generation, 1);
    char *before = text_of(path, HC_MANIFEST_FILE);
    ck_assert(!ingest_ok(archive, "AR", "one"));
    char *after = text_of(path, HC_MANIFEST_FILE);
    ck_assert_str_eq(before, after);
    job.attempt = 1;
    ck_assert_ptr_null(held(archive, &job, &provenance));
    job.attempt = 0;
    provenance.format_version = 2;
    ck_assert_ptr_null(held(archive, &job, &provenance));

    ck_assert(ingest_ok(archive, "AR", "two")); /* a changed source replaces */
    ck_assert_uint_eq(archive->n_entries, 1);
    struct findings findings = check(path);
    ck_assert_int_eq(findings.count[HC_CHECK_OK], 1);
    ck_assert_int_eq(findings.count[HC_CHECK_UNPUBLISHED], 1);
    for (int is_read = 1; is_read >= 0; is_read--) { /* it stays for who may open it still */
        findings = (struct findings){0};
        ASSERT_OK(hc_archive_gc(path, take_finding, &findings, &err));
        ck_assert_int_eq(findings.count[HC_CHECK_UNPUBLISHED], 1);
        findings = check(path);
        ck_assert_int_eq(findings.count[HC_CHECK_UNPUBLISHED], is_read);
        hc_archive_end_reading(archive);
    }
    assert_clean(path, 1);
    free(before);
    free(after);
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
    hc_archive_close(archive);
    free(path);
}
END_TEST

START_TEST(ingesting_again_heals_damage)
{
    char *path = new_path();
    struct hc_archive *archive = open_archive(path);
    ingest_ok(archive, "AR", "one");
    char *file = join(path, archive->entries[0].file);
    ck_assert_int_eq(truncate(file, 1000), 0);
    ck_assert_int_eq(check(path).count[HC_CHECK_DAMAGED], 1);
    ingest_ok(archive, "AR", "one");
    assert_clean(path, 1);
    free(file);
    hc_archive_close(archive);
    free(path);
}
END_TEST

START_TEST(names_never_leave_the_directory)
{
    static const char *const odd[] = {
        "../../etc/passwd", "..",          ".hidden",   "a/b", "~", "",
        "caf\xc3\xa9",      "bad\xff\xfe", "new\nline", "a#2"};
    char *path = new_path(), long_id[3000];
    struct hc_archive *archive = open_archive(path);
    size_t n = sizeof odd / sizeof *odd;
    for (size_t i = 0; i < n; i++)
        ingest_ok(archive, odd[i], "one");
    memset(long_id, '/', sizeof long_id - 1);
    long_id[sizeof long_id - 1] = '\0';
    ingest_ok(archive, long_id, "one");
    long_id[sizeof long_id - 2] = 'x'; /* differs past the cut */
    ingest_ok(archive, long_id, "one");
    ck_assert_uint_eq(archive->n_entries, n + 2);
    for (size_t i = 0; i < archive->n_entries; i++) {
        ck_assert_msg(hc_is_segment_file(archive->entries[i].file), "%s", archive->entries[i].file);
        ck_assert_uint_lt(strlen(archive->entries[i].file), 200);
        ck_assert_ptr_null(strchr(archive->entries[i].file, '\n'));
    }
    assert_clean(path, (int)n + 2);
    ck_assert(!ingest_ok(archive, "bad\xff\xfe", "one")); /* the same again */
    ck_assert_uint_eq(archive->n_entries, n + 2);
    hc_archive_close(archive);
    free(path);
}
END_TEST

START_TEST(aborted_ingests_leave_nothing)
{
    char *path = new_path();
    struct hc_archive *archive = open_archive(path);
    struct hc_archive_ingest *ingest = NULL;
    ASSERT_OK(hc_archive_ingest_begin(&ingest, archive, false, &err));
    append_made_up(hc_archive_ingest_writer(ingest), 10, 1, 1);
    /* One at work is nobody's leftover. */
    struct findings findings = check(path);
    ck_assert_int_eq(findings.count[HC_CHECK_LEFTOVER], 0);
    ASSERT_OK(hc_archive_gc(path, take_finding, &findings, &err));
    ck_assert_int_eq(findings.count[HC_CHECK_LEFTOVER], 0);
    hc_archive_ingest_abort(ingest);
    hc_archive_ingest_abort(NULL);
    char command[4096];
    snprintf(command, sizeof command, "test -z \"$(ls -A '%s/segments')\"", path);
    ck_assert_int_eq(system(command), 0);
    hc_archive_close(archive);
    free(path);
}
END_TEST

/* ---- finding ---- */

static void assert_finds(const struct hc_archive *archive, const char *name, const char *cluster,
                         const char *id, int attempt)
{
    const struct hc_manifest_entry *entry = NULL;
    ASSERT_OK(hc_archive_find(archive, name, "ops", &entry, &err));
    ck_assert_str_eq(entry->cluster, cluster);
    ck_assert_str_eq(entry->job_id, id);
    ck_assert_int_eq(entry->attempt, attempt);
}

static void assert_not_found(const struct hc_archive *archive, const char *name,
                             const char *message)
{
    const struct hc_manifest_entry *entry = NULL;
    struct hc_error err = {0};
    ck_assert_int_eq(hc_archive_find(archive, name, "ops", &entry, &err), HC_USAGE);
    ck_assert_msg(strstr(err.message, message) != NULL, "%s", err.message);
}

START_TEST(names_are_resolved)
{
    static const struct source sources[] = {
        {"east", "run-10", "a", 0}, {"east", "run-1", "b", 0}, {"east", "run-1", "c", 2},
        {"west", "run-1", "d", 0},  {"west", "solo", "e", 0},  {"west", "solo", "f", 10},
        {"west", "tag#3", "g", 0},
    };
    char *path = new_path();
    struct hc_archive *archive = open_archive(path);
    bool replaced = false;
    assert_not_found(archive, "x", "is empty");
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        ASSERT_OK(ingest(archive, sources[i], &replaced, &err));
    assert_finds(archive, "east/run-1", "east", "run-1", 2); /* exact wins, newest attempt */
    assert_finds(archive, "east/run-1#0", "east", "run-1", 0);
    assert_finds(archive, "run-10", "east", "run-10", 0);
    assert_finds(archive, "solo", "west", "solo", 10);
    assert_finds(archive, "so", "west", "solo", 10);
    assert_finds(archive, "so#0", "west", "solo", 0);
    assert_finds(archive, "west/s", "west", "solo", 10);
    assert_finds(archive, "west/r", "west", "run-1", 0);
    assert_finds(archive, "tag#3", "west", "tag#3", 0);
    assert_not_found(archive, "run-1", "any of 'east/run-1#0', 'east/run-1#2', 'west/run-1#0'");
    assert_not_found(archive, "run", "'east/run-10#0'");
    assert_not_found(archive, "west/", "'west/solo#10'");
    assert_not_found(archive, "east/run-1#1", "'east/run-1#0', 'east/run-1#2'");
    assert_not_found(archive, "nothing", "which has 'east/run-1#0'");
    assert_not_found(archive, "north/run-1", "which has 'east/run-1#0'");
    assert_finds(archive, "s*o", "west", "solo", 10); /* a pattern that one job matches */
    assert_finds(archive, "*/sol?#0", "west", "solo", 0);
    assert_not_found(archive, "run-[0-9]*", "any of 'east/run-1#0'");
    assert_not_found(archive, "rum-1*", "did you mean");
    hc_archive_close(archive);
    free(path);
}
END_TEST

/* The chosen entries as "id#attempt id#attempt"; what is wrong where nothing is chosen. */
static void assert_chooses(const struct hc_archive *archive, struct hc_archive_choice choice,
                           const char *expected)
{
    struct hc_error err = {0};
    bool is_chosen[16] = {false};
    char text[HC_ERROR_SIZE] = "";
    size_t used = 0;
    ck_assert_uint_le(archive->n_entries, 16);
    if (hc_archive_choose(archive, &choice, is_chosen, &err))
        snprintf(text, sizeof text, "%s", err.message);
    for (size_t i = 0; i < archive->n_entries; i++)
        if (is_chosen[i])
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s/%s#%d", used ? " " : "",
                                     archive->entries[i].cluster, archive->entries[i].job_id,
                                     (int)archive->entries[i].attempt);
    ck_assert_msg(*expected == '~' ? strstr(text, expected + 1) != NULL
                                   : strcmp(text, expected) == 0,
                  "'%s' chooses: %s", choice.name ? choice.name : "(all)", text);
}

START_TEST(several_jobs_are_chosen)
{
    static const struct source sources[] = {
        {"east", "run-10", "a", 0}, {"east", "run-1", "b", 0}, {"east", "run-1", "c", 2},
        {"west", "run-1", "d", 0},  {"west", "solo", "e", 0},
    };
    char *path = new_path();
    struct hc_archive *archive = open_archive(path);
    bool replaced = false;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        ASSERT_OK(ingest(archive, sources[i], &replaced, &err));
    const struct {
        struct hc_archive_choice choice;
        const char *expected; /* '~': what the message holds */
    } cases[] = {
        {{.name = NULL}, "east/run-1#2 east/run-10#0 west/run-1#0 west/solo#0"},
        {{.name = "run-*"}, "east/run-1#2 east/run-10#0 west/run-1#0"},
        {{.name = "run-*", .every_attempt = true},
         "east/run-1#0 east/run-1#2 east/run-10#0 west/run-1#0"},
        {{.name = "run-*#0"}, "east/run-1#0 east/run-10#0 west/run-1#0"},
        {{.name = "east/*"}, "east/run-1#2 east/run-10#0"},
        {{.name = "run-*", .cluster = "west"}, "west/run-1#0"},
        {{.name = "run-1", .cluster = "west"}, "west/run-1#0"},
        {{.name = "run-1"}, "~could be any of"},
        {{.name = "so", .every_attempt = true}, "west/solo#0"},
        {{.name = "*", .table = "incidents"}, "~no job with 'incidents'"},
        {{.name = NULL, .table = "incidents"}, ""},
        {{.name = "run-*#7"}, "~no job 'run-*#7'"},
        {{.name = "rum-1*"}, "~did you mean"},
        {{.name = "solo", .cluster = "east"}, "~which has 'east/run-1#0'"},
        {{.name = "*", .cluster = "wets"}, "~did you mean 'west'?"},
        {{.name = "*", .cluster = "elsewhere"}, "~which has 'east', 'west'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_chooses(archive, cases[i].choice, cases[i].expected);
    hc_archive_close(archive);
    free(path);
}
END_TEST

/* ---- manifests from elsewhere ---- */

/* Replace the first occurrence of from in text. */
static char *replace_text(const char *text, const char *from, const char *to)
{
    struct hc_error err = {0};
    const char *at = strstr(text, from);
    ck_assert_msg(at != NULL, "'%s' is not in the manifest", from);
    return hc_new_text(&err, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

START_TEST(hostile_manifests_are_refused_by_name)
{
    static const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"\"hindcast-archive\"", "\"something\"", "'schema'"},
        {"\"hindcast-archive\"", "7", "'schema'"},
        {"\"major\": 2", "\"major\": 3", "version 3.0"},
        {"\"major\": 2", "\"major\": \"2\"", "version number"},
        {"\"generation\": 1", "\"generation\": -1", "'generation'"},
        {"\"generation\": 1", "\"generation\": 1, \"colour\": 2", "'colour'"},
        {"\"segments\": [", "\"segments\": 5, \"x\": [", "'x'"},
        {"\"attempt\": 0", "\"attempt\": \"0\"", "segment 0: 'attempt'"},
        {"\"attempt\": 0", "\"attempt\": 4294967296", "'attempt'"},
        {"\"attempt\": 0", "\"attempt\": 0, \"attempt\": 1", "duplicate"},
        {"\"ops\": 300", "\"ops\": -300", "'ops'"},
        {"\"ops\": 300", "\"ops\": 3.5", "'ops'"},
        {"\"ops\": 300, ", "", "'table' is 'ops', which is not in 'tables'"},
        {"\"table\": \"ops\", ", "", "'table' is missing"},
        {"\"tables\": {\"ops\": 300, \"steps\": 5}", "\"tables\": 300", "'tables'"},
        {"\"attempt\": 0", "\"attempt\": 0, \"day\": \"2026-3-1\"", "'day' is no day and no month"},
        {"\"job_id\": \"AR\"", "\"job_id\": null", "'job_id'"},
        {"\"job_id\": \"AR\"", "\"job_id\": \"A\\u0000R\"", "manifest.json"},
        {"\"file\": \"segments/", "\"file\": \"segments/../", "segments/../"},
        {"\"file\": \"segments/", "\"file\": \"/etc/", "/etc/"},
        {"\"file\": \"segments/", "\"file\": \"", "'file'"},
        {"\"file\": \"segments/", "\"file\": \"segments/.", "'file'"},
        {"\"sha256\": \"", "\"sha256\": \"z", "'sha256'"},
        {"\"format\": \"parquet\"", "\"format\": []", "'format'"},
        {"    {", "    7, {", "segment 0: it is not an object"},
        {"}\n  ]", "}\n  ", "manifest.json':"},
    };
    struct hc_archive *archive = NULL;
    char *path = new_path(), *manifest = join(path, HC_MANIFEST_FILE);
    archive = open_archive(path);
    ingest_ok(archive, "AR", "one");
    hc_archive_close(archive);
    char *text = text_of(path, HC_MANIFEST_FILE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hc_error err = {0};
        char *bad = replace_text(text, cases[i].from, cases[i].to);
        write_bytes(manifest, bad, strlen(bad));
        ck_assert_msg(hc_archive_open(&archive, path, true, &err) == HC_BAD_INPUT, "case %zu", i);
        ck_assert_msg(strstr(err.message, cases[i].message) != NULL, "case %zu: %s", i,
                      err.message);
        ck_assert_ptr_nonnull(strstr(err.message, manifest));
        free(bad);
    }
    free(text);
    free(manifest);
    free(path);
}
END_TEST

START_TEST(same_entry_twice_is_refused)
{
    struct hc_archive *archive = NULL;
    struct hc_error err = {0};
    char *path = new_path(), *manifest = join(path, HC_MANIFEST_FILE);
    archive = open_archive(path);
    ingest_ok(archive, "AR", "one");
    hc_archive_close(archive);
    char *text = text_of(path, HC_MANIFEST_FILE), *line = strstr(text, "    {");
    char *entry = strndup(line, (size_t)(strchr(line, '\n') - line));
    char *twice = hc_new_text(&err, "%s,\n%s", entry, entry);
    char *bad = replace_text(text, entry, twice);
    write_bytes(manifest, bad, strlen(bad));
    ck_assert_int_eq(hc_archive_open(&archive, path, false, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "'default/AR' attempt 0 is there twice"));
    free(bad);
    bad = replace_text(twice, "\"job_id\": \"AR\"", "\"job_id\": \"BR\"");
    char *worse = replace_text(text, entry, bad);
    write_bytes(manifest, worse, strlen(worse));
    ck_assert_int_eq(hc_archive_open(&archive, path, false, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, ".h5' is there twice"));
    free(worse);
    free(bad);
    free(twice);
    free(entry);
    free(text);
    free(manifest);
    free(path);
}
END_TEST

START_TEST(newer_minor_is_read_but_not_written)
{
    struct hc_error err = {0};
    char *path = new_path(), *manifest = join(path, HC_MANIFEST_FILE);
    struct hc_archive *archive = open_archive(path);
    struct hc_archive_ingest *ingest = NULL;
    ingest_ok(archive, "AR", "one");
    hc_archive_close(archive);
    char *text = text_of(path, HC_MANIFEST_FILE);
    char *minor = replace_text(text, "\"minor\": 0", "\"minor\": 9, \"colour\": \"red\"");
    char *newer = replace_text(minor, "\"tables\"", "\"shape\": [1], \"tables\"");
    write_bytes(manifest, newer, strlen(newer));
    ASSERT_OK(hc_archive_open(&archive, path, true, &err));
    ck_assert_uint_eq(archive->n_entries, 1);
    ck_assert_int_eq(hc_archive_ingest_begin(&ingest, archive, false, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "newer hindcast"));
    hc_archive_close(archive);
    assert_clean(path, 1);
    struct findings findings = {0};
    ck_assert_int_eq(hc_archive_repair(path, take_finding, &findings, &err), HC_BAD_INPUT);
    free(newer);
    newer = replace_text(text, "\"major\": 2", "\"major\": 3");
    write_bytes(manifest, newer, strlen(newer));
    ck_assert_int_eq(hc_archive_repair(path, take_finding, &findings, &err), HC_BAD_INPUT);
    free(newer);
    free(minor);
    free(text);
    free(manifest);
    free(path);
}
END_TEST

/* ---- many at once ---- */

static struct {
    const char *path;
    int writer, n, fd;
} order; /* of a writer, which is a child process */

/* Ingest sources until they are all in. Reports each as its number on fd. */
START_TEST(ingest_many)
{
    struct hc_archive *archive = open_archive(order.path);
    for (int i = 0; i < order.n; i++) {
        char id[64];
        bool replaced = false;
        snprintf(id, sizeof id, "job-%d-%d", order.writer, i);
        ASSERT_OK(ingest(archive, (struct source){NULL, id, id, 0}, &replaced, &err));
        ck_assert_int_eq(write(order.fd, &i, sizeof i), sizeof i);
        ASSERT_OK(ingest(archive, (struct source){NULL, "shared", "same", 0}, &replaced, &err));
        ck_assert(!replaced);
    }
    hc_archive_close(archive);
}
END_TEST

/* A runner of its own gives the writer a file of its own for Check's messages, of which each
 * assertion writes one with the path of the source. Processes that share the parent's file and its
 * offset mix parts of messages as soon as one of them has filled its buffer of 4096 bytes. */
static _Noreturn void run_writer(void)
{
    Suite *suite = suite_create("writer");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, ingest_many);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    if (failed)
        srunner_print(runner, CK_NORMAL);
    fflush(stdout);
    _exit(failed != 0);
}

static pid_t fork_writer(const char *path, int writer, int n, int fd)
{
    fflush(NULL);
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        order.path = path;
        order.writer = writer;
        order.n = n;
        order.fd = fd;
        run_writer();
    }
    return pid;
}

START_TEST(eight_writers_at_once)
{
    enum { WRITERS = 8, EACH = 6 };
    char *path = new_path(); /* which they create, too */
    pid_t pids[WRITERS];
    int null = open("/dev/null", O_WRONLY);
    for (int i = 0; i < WRITERS; i++)
        pids[i] = fork_writer(path, i, EACH, null);
    for (int i = 0; i < WRITERS; i++) {
        int status = 0;
        ck_assert_int_eq(waitpid(pids[i], &status, 0), pids[i]);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    close(null);
    struct hc_archive *archive = open_archive(path);
    ck_assert_uint_eq(archive->n_entries, WRITERS * EACH + 1);
    ck_assert_int_eq(archive->generation, WRITERS * EACH + 1);
    hc_archive_close(archive);
    assert_clean(path, WRITERS * EACH + 1);
    struct findings findings = check(path);
    ck_assert_int_eq(findings.count[HC_CHECK_UNPUBLISHED] + findings.count[HC_CHECK_LEFTOVER], 0);
    free(path);
}
END_TEST

/* Let a writer report up to wanted ingests, kill it a little later, and take what it reported; each
 * must be in the archive. Returns how many. */
static int kill_writer(const char *path, int round, int wanted)
{
    int ends[2], i = 0, n_reported = 0;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t pid = fork_writer(path, round, 1000, ends[1]);
    close(ends[1]);
    while (n_reported < wanted && read(ends[0], &i, sizeof i) == sizeof i)
        n_reported++;
    sleep_us(next_random(&seed) % 20000);
    kill(pid, SIGKILL);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    while (read(ends[0], &i, sizeof i) == sizeof i)
        n_reported++;
    close(ends[0]);
    struct hc_archive *archive = open_archive(path);
    for (i = 0; i < n_reported; i++) {
        const struct hc_manifest_entry *entry = NULL;
        char id[64];
        snprintf(id, sizeof id, "default/job-%d-%d", round, i);
        ASSERT_OK(hc_archive_find(archive, id, "ops", &entry, &err));
    }
    hc_archive_close(archive);
    return n_reported;
}

START_TEST(kills_lose_nothing_that_was_reported)
{
    enum { ROUNDS = 20 };
    char *path = new_path();
    int n_reported = 0, n_leftover = 0;
    hc_archive_close(open_archive(path));
    /* Most kills come within an ingest; on a busy machine all of twenty may not. */
    for (int round = 0; round < ROUNDS || (n_leftover == 0 && round < 20 * ROUNDS); round++) {
        n_reported += kill_writer(path, round, (int)(next_random(&seed) % 4));
        struct findings findings = check(path);
        ck_assert_msg(findings.count[HC_CHECK_DAMAGED] == 0, "%s", findings.last[HC_CHECK_DAMAGED]);
        ck_assert_int_ge(findings.count[HC_CHECK_OK], n_reported);
        n_leftover += findings.count[HC_CHECK_LEFTOVER];
        if (round % 5 == 4) {
            findings = (struct findings){0};
            ASSERT_OK(hc_archive_gc(path, take_finding, &findings, &err));
            findings = check(path);
            ck_assert_int_eq(findings.count[HC_CHECK_LEFTOVER], 0);
            /* Of jobs that the manifest does not name nothing is removed, but entered by repair. */
            ASSERT_OK(hc_archive_repair(path, take_finding, &findings, &err));
            ck_assert_int_eq(check(path).count[HC_CHECK_UNPUBLISHED], 0);
        }
    }
    ck_assert_int_gt(n_reported, 0);
    ck_assert_int_gt(n_leftover, 0);
    free(path);
}
END_TEST

int main(void)
{
    const TTest *const all[] = {
        only_empty_directories_become_archives,
        ingest_is_idempotent,
        ingesting_again_heals_damage,
        names_never_leave_the_directory,
        aborted_ingests_leave_nothing,
        names_are_resolved,
        several_jobs_are_chosen,
        hostile_manifests_are_refused_by_name,
        same_entry_twice_is_refused,
        newer_minor_is_read_but_not_written,
        eight_writers_at_once,
        kills_lose_nothing_that_was_reported,
    };
    seed = 99;
    scratch = make_scratch();
    Suite *suite = suite_create("archive");
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
