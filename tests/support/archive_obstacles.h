/* archive_obstacles.h - an archive with something unreadable or foreign in it, for the tests of
 * what is done then. A symbolic link, a FIFO or a directory in the place of a file stands for a
 * file that cannot be read now; the tests run as root, whom permissions do not stop. */
#ifndef HC_TESTS_SUPPORT_ARCHIVE_OBSTACLES_H
#define HC_TESTS_SUPPORT_ARCHIVE_OBSTACLES_H

#include "store/archive/derived.h"
#include "store/archive/manifest.h"
#include "tests/support/archive_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

static inline void move(const char *from, const char *to)
{
    ck_assert_msg(rename(from, to) == 0, "%s", from);
}

static inline bool there(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

static inline struct findings collect(const char *path)
{
    struct findings findings = {0};
    ASSERT_OK(hc_archive_gc(path, take_finding, &findings, &err));
    return findings;
}

static inline struct findings repair(const char *path)
{
    struct findings findings = {0};
    ASSERT_OK(hc_archive_repair(path, take_finding, &findings, &err));
    return findings;
}

/* An archive of AR (twice, so that a replaced segment lies there) and BR. */
struct case_archive {
    char *path, *old, *ar, *br, *manifest, *aside;
};

static inline struct case_archive make_case(void)
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

static inline void free_case(struct case_archive *made)
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

static inline void put(const char *path, enum obstacle obstacle, const char *target)
{
    int failed = obstacle == LINK   ? symlink(target, path)
                 : obstacle == FIFO ? mkfifo(path, 0666)
                                    : mkdir(path, 0777);
    ck_assert_int_eq(failed, 0);
}

static inline void take_away(const char *path)
{
    ck_assert_int_eq(remove(path), 0);
}

/* Run tests in this process, with a directory of their own. Returns the exit code. */
static inline int run_archive_tests(const char *name, const TTest *const *all, size_t n)
{
    scratch = make_scratch();
    Suite *suite = suite_create(name);
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 120);
    for (size_t i = 0; i < n; i++)
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

#endif
