#include "core/base/digest.h"
#include "core/files/outfile.h"
#include "core/files/outset.h"
#include "core/process/temporary_files.h"

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUN "0123456789abcdef"

static char directory[64];

static const char *path_of(const char *name)
{
    static char path[4][256];
    static int next;
    char *to = path[next++ % 4];
    snprintf(to, sizeof path[0], "%s/%s", directory, name);
    return to;
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static bool holds(const char *name, const char *text)
{
    char there[4096] = "";
    FILE *file = fopen(path_of(name), "r");
    if (!file)
        return false;
    there[fread(there, 1, sizeof there - 1, file)] = '\0';
    fclose(file);
    return strcmp(there, text) == 0;
}

static int count_entries(void)
{
    int n = 0;
    DIR *entries = opendir(directory);
    for (struct dirent *entry; (entry = readdir(entries));)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(entries);
    return n;
}

static void make(void)
{
    strcpy(directory, "/tmp/hc-outset-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
}

static void clean(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    ck_assert_int_eq(system(command), 0);
}

static struct hc_outset *new_set(void)
{
    struct hc_outset *set;
    struct hc_error err;
    ck_assert_int_eq(hc_outset_open(&set, &err), HC_OK);
    return set;
}

static void add(struct hc_outset *set, const char *name, const char *text)
{
    FILE *stream;
    struct hc_error err;
    ck_assert_msg(!hc_outset_add(set, path_of(name), &stream, &err), "%s", err.message);
    fputs(text, stream);
}

START_TEST(nothing_is_seen_before_commit)
{
    struct hc_error err;
    put("a", "old");
    struct hc_outset *set = new_set();
    add(set, "a", "new a");
    add(set, "b", "new b");
    ck_assert(holds("a", "old"));
    ck_assert_int_ne(access(path_of("b"), F_OK), 0);
    ck_assert_int_eq(hc_outset_commit(set, &err), HC_OK);
    hc_outset_close(set);
    ck_assert(holds("a", "new a") && holds("b", "new b"));
    ck_assert_int_eq(count_entries(), 2);
}
END_TEST

/* The third of four cannot be put in place, since a directory takes its name in the meantime. */
START_TEST(failure_brings_back_what_was_there)
{
    struct hc_error err;
    put("a", "old a");
    put("gone", "old gone");
    struct hc_outset *set = new_set();
    add(set, "a", "new a");
    add(set, "b", "new b");
    ck_assert_int_eq(hc_outset_drop(set, path_of("gone"), &err), HC_OK);
    add(set, "c", "new c");
    add(set, "d", "new d");
    ck_assert_int_eq(mkdir(path_of("c"), 0777), 0);
    ck_assert_int_eq(hc_outset_commit(set, &err), HC_IO);
    hc_outset_close(set);
    ck_assert_ptr_nonnull(strstr(err.message, "/c'"));
    ck_assert(holds("a", "old a") && holds("gone", "old gone"));
    ck_assert_int_eq(count_entries(), 3); /* a, gone, and the directory */
}
END_TEST

START_TEST(directories_go_unless_committed)
{
    struct hc_error err;
    struct hc_outset *set = new_set();
    ck_assert_int_eq(hc_outset_directory(set, path_of("x/y"), &err), HC_OK);
    add(set, "x/y/file", "text");
    hc_outset_close(set);
    ck_assert_int_eq(count_entries(), 0);
    set = new_set();
    ck_assert_int_eq(hc_outset_directory(set, path_of("x/y"), &err), HC_OK);
    add(set, "x/y/file", "text");
    ck_assert_int_eq(hc_outset_commit(set, &err), HC_OK);
    hc_outset_close(set);
    ck_assert(holds("x/y/file", "text"));
}
END_TEST

static void commit_indexed(const char *const *names, size_t n, const char *text)
{
    struct hc_error err;
    struct hc_outset *set = new_set();
    ck_assert_msg(!hc_outset_index_begin(set, directory, HC_OUTSET_INDEX, RUN, &err), "%s",
                  err.message);
    for (size_t i = 0; i < n; i++)
        add(set, names[i], text);
    hc_outset_index_end(set);
    ck_assert_msg(!hc_outset_commit(set, &err), "%s", err.message);
    hc_outset_close(set);
}

START_TEST(index_lists_digests)
{
    static const char *const names[] = {"b", "a"};
    char digest[HC_DIGEST_TEXT], expected[512];
    commit_indexed(names, 2, "text");
    hc_digest_bytes("text", 4, digest);
    snprintf(expected, sizeof expected,
             "# hindcast run " RUN ": sha256sum -c tells whether these files are all of it\n"
             "%s  a\n%s  b\n",
             digest, digest);
    ck_assert(holds(HC_OUTSET_INDEX, expected));
}
END_TEST

/* Of three files that the next run does not write: as it was left, changed, and behind a link. */
START_TEST(old_files_go_when_nobody_changed_them)
{
    static const char *const names[] = {"kept", "same", "changed", "linked"};
    commit_indexed(names, 4, "old");
    put("changed", "by hand");
    put("mine", "old");
    ck_assert_int_eq(unlink(path_of("linked")), 0);
    ck_assert_int_eq(symlink("mine", path_of("linked")), 0);
    commit_indexed(names, 1, "new");
    ck_assert(holds("kept", "new"));
    ck_assert_int_ne(access(path_of("same"), F_OK), 0);
    ck_assert(holds("changed", "by hand") && holds("mine", "old") && holds("linked", "old"));
}
END_TEST

/* A table is a file when something stands behind its first line, however long that is; one of an
 * older run goes where the new one has no rows. */
START_TEST(tables_without_rows_are_no_files)
{
    static const char *const old[] = {"gone.csv"};
    static char wide[9000];
    const char *const texts[][2] = {{"gone.csv", "a,b\n"}, {"none.csv", ""},
                                    {"cut.csv", "a,b"},    {"row.csv", "a,b\n1,2\n"},
                                    {"wide.csv", wide},    {"deep.csv", wide + 1}};
    struct hc_error err;
    memset(wide, 'x', sizeof wide - 1);
    wide[sizeof wide - 2] = '\n';
    commit_indexed(old, 1, "a,b\n3,4\n");
    struct hc_outset *set = new_set();
    ck_assert(!hc_outset_index_begin(set, directory, HC_OUTSET_INDEX, RUN, &err));
    for (size_t i = 0; i < 6; i++) {
        FILE *stream = NULL;
        ck_assert(!hc_outset_add_table(set, path_of(texts[i][0]), &stream, &err));
        fputs(texts[i][1], stream);
        if (i == 5)
            fputs("1", stream);
    }
    hc_outset_index_end(set);
    ck_assert_msg(!hc_outset_commit(set, &err), "%s", err.message);
    hc_outset_close(set);
    ck_assert(holds("row.csv", "a,b\n1,2\n"));
    ck_assert_int_eq(access(path_of("deep.csv"), F_OK), 0);
    ck_assert_int_ne(access(path_of("gone.csv"), F_OK), 0);
    ck_assert_int_eq(count_entries(), 3); /* two tables and the index */
}
END_TEST

START_TEST(index_of_others_is_refused)
{
    struct hc_error err;
    struct hc_outset *set = new_set();
    put(HC_OUTSET_INDEX, "somebody's list\n");
    ck_assert_int_eq(hc_outset_index_begin(set, directory, HC_OUTSET_INDEX, RUN, &err), HC_USAGE);
    hc_outset_close(set);
    ck_assert(holds(HC_OUTSET_INDEX, "somebody's list\n"));
}
END_TEST

START_TEST(index_names_nothing_outside)
{
    static const char *const names[] = {"kept"};
    char outside[] = "/tmp/hc-outside-XXXXXX", digest[HC_DIGEST_TEXT], text[1024];
    int fd = mkstemp(outside);
    ck_assert_int_ge(fd, 0);
    close(fd);
    hc_digest_bytes("", 0, digest);
    snprintf(text, sizeof text, "# hindcast run x\n%s  ../%s\n%s  %s\n", digest, outside + 5,
             digest, outside);
    put(HC_OUTSET_INDEX, text);
    commit_indexed(names, 1, "new");
    ck_assert_int_eq(unlink(outside), 0);
}
END_TEST

START_TEST(one_name_twice_is_refused)
{
    FILE *stream;
    struct hc_error err;
    char other[256];
    struct hc_outset *set = new_set();
    add(set, "a", "text");
    snprintf(other, sizeof other, "%s/./a", directory);
    ck_assert_int_eq(hc_outset_add(set, other, &stream, &err), HC_USAGE);
    hc_outset_close(set);
}
END_TEST

/* What a killed writer left goes; what a living one has locked, and what only looks alike, stays.
 */
START_TEST(leftovers_are_swept)
{
    struct hc_error err;
    char *dead = hc_outfile_unused_name(path_of("a"), &err);
    char *alive = hc_outfile_unused_name(path_of("a"), &err);
    put(strrchr(dead, '/') + 1, "half");
    put(strrchr(alive, '/') + 1, "half");
    put("a.tmp-mine", "mine");
    int fd = open(alive, O_RDONLY);
    ck_assert_int_eq(flock(fd, LOCK_EX | LOCK_NB), 0);
    struct hc_outset *set = new_set();
    add(set, "a", "new");
    ck_assert_int_eq(hc_outset_commit(set, &err), HC_OK);
    hc_outset_close(set);
    ck_assert_int_ne(access(dead, F_OK), 0);
    ck_assert_int_eq(access(alive, F_OK), 0);
    ck_assert(holds("a.tmp-mine", "mine"));
    close(fd);
    free(dead);
    free(alive);
}
END_TEST

/* Whoever holds the lock of the directory for good, as `flock DIR hindcast` does, does not stop us.
 */
START_TEST(foreign_lock_does_not_hang)
{
    struct hc_error err;
    int fd = open(directory, O_RDONLY | O_DIRECTORY);
    ck_assert_int_eq(flock(fd, LOCK_EX), 0);
    struct hc_outset *set = new_set();
    add(set, "a", "new");
    ck_assert_int_eq(hc_outset_commit(set, &err), HC_OK);
    hc_outset_close(set);
    close(fd);
    ck_assert(holds("a", "new"));
}
END_TEST

START_TEST(numbers_of_open_files_are_written_in_place)
{
    FILE *stream;
    struct hc_error err;
    char name[64];
    int fd = open(path_of("log"), O_RDWR | O_CREAT, 0666);
    ck_assert_int_eq(write(fd, "before ", 7), 7);
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    struct hc_outset *set = new_set();
    ck_assert_int_eq(hc_outset_add(set, name, &stream, &err), HC_OK);
    fputs("after", stream);
    ck_assert_int_eq(hc_outset_commit(set, &err), HC_OK);
    hc_outset_close(set);
    close(fd);
    ck_assert(holds("log", "before after"));
}
END_TEST

/* More than the handler's list has at first, and a directory that is told after its file. */
START_TEST(handler_removes_any_number)
{
    char *names[700];
    for (int i = 0; i < 700; i++) {
        char name[16];
        snprintf(name, sizeof name, "d/%d", i);
        names[i] = strdup(path_of(i < 699 ? name : "d"));
        if (i == 0)
            ck_assert_int_eq(mkdir(path_of("d"), 0777), 0);
        if (i < 699)
            put(name, "");
        hc_temporary_add(names[i]);
    }
    hc_temporary_remove_all();
    ck_assert_int_eq(count_entries(), 0);
    for (int i = 0; i < 700; i++) {
        hc_temporary_forget(names[i]);
        free(names[i]);
    }
}
END_TEST

static volatile sig_atomic_t n_ended;

static void count_end(int number)
{
    if (hc_temporary_may_end(number))
        n_ended = n_ended + 1;
}

START_TEST(signals_wait_for_a_holder)
{
    struct sigaction action = {.sa_handler = count_end}, old;
    ck_assert_int_eq(sigaction(SIGUSR1, &action, &old), 0);
    hc_temporary_hold();
    hc_temporary_hold();
    raise(SIGUSR1);
    hc_temporary_release();
    ck_assert_int_eq(n_ended, 0);
    hc_temporary_release();
    ck_assert_int_eq(n_ended, 1);
    sigaction(SIGUSR1, &old, NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("outset");
    TCase *tests = tcase_create("outset");
    tcase_add_checked_fixture(tests, make, clean);
    tcase_add_test(tests, nothing_is_seen_before_commit);
    tcase_add_test(tests, failure_brings_back_what_was_there);
    tcase_add_test(tests, directories_go_unless_committed);
    tcase_add_test(tests, index_lists_digests);
    tcase_add_test(tests, old_files_go_when_nobody_changed_them);
    tcase_add_test(tests, tables_without_rows_are_no_files);
    tcase_add_test(tests, index_of_others_is_refused);
    tcase_add_test(tests, index_names_nothing_outside);
    tcase_add_test(tests, one_name_twice_is_refused);
    tcase_add_test(tests, leftovers_are_swept);
    tcase_add_test(tests, foreign_lock_does_not_hang);
    tcase_add_test(tests, numbers_of_open_files_are_written_in_place);
    tcase_add_test(tests, handler_removes_any_number);
    tcase_add_test(tests, signals_wait_for_a_holder); /* the last: nobody can hold any more */
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
