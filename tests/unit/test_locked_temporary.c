/* A temporary file whose name a cleaner takes away between its making and its lock: another is
 * made, and nothing is said of the first. fcntl is this file's own, which plays the cleaner. */
#include "store/folder/folder.h"
#include "store/folder/locked_temporary.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int n_to_take; /* names that the cleaner still takes away */
static bool says_locked;

static void take_name(int fd)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n > 0) {
        path[n] = '\0';
        unlink(path);
    }
}

int fcntl(int fd, int command, ...)
{
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    if (command == F_OFD_SETLK && n_to_take > 0) {
        n_to_take--;
        if (says_locked) {
            errno = EAGAIN;
            return -1;
        }
        take_name(fd);
    }
    return (int)syscall(SYS_fcntl, fd, command, argument);
}

static char directory[64];
static struct hc_folder folder;
static struct hc_error err;

static bool begins_so(const uint8_t *head, size_t n)
{
    (void)head;
    return n > 0;
}
static const struct hc_temporary_kind kind = {
    .prefix = ".tmp-", .suffix = ".test", .begins_so = begins_so};

static void set_up(void)
{
    snprintf(directory, sizeof directory, "/tmp/hindcast-temporary-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    ck_assert_int_eq(hc_folder_open(&folder, directory, &err), HC_OK);
    err = (struct hc_error){.status = HC_OK};
    errno = 0;
}

static void tear_down(void)
{
    hc_folder_close(&folder);
    ck_assert_int_eq(rmdir(directory), 0);
}

static void made_after(int n, bool locked)
{
    struct hc_locked_temporary temporary;
    n_to_take = n;
    says_locked = locked;
    ck_assert_int_eq(hc_locked_temporary_make(&temporary, &folder, &kind, true, &err), HC_OK);
    ck_assert_int_eq(err.status, HC_OK);
    ck_assert_int_eq(access(temporary.path, F_OK), 0);
    hc_locked_temporary_release(&temporary);
}

START_TEST(another_name_is_no_error)
{
    made_after(0, false);
    made_after(1, false);
    made_after(5, false);
    made_after(1, true);
}
END_TEST

/* The message says what was wrong with the last, and no file is left. */
START_TEST(always_taken_is_told)
{
    struct hc_locked_temporary temporary;
    n_to_take = 1000;
    says_locked = false;
    ck_assert_int_eq(hc_locked_temporary_make(&temporary, &folder, &kind, true, &err), HC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "cannot lock"));
    ck_assert_ptr_nonnull(strstr(err.message, strerror(ENOENT)));
    hc_locked_temporary_release(&temporary);
    n_to_take = 0;
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("locked_temporary");
    TCase *cases = tcase_create("all");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, another_name_is_no_error);
    tcase_add_test(cases, always_taken_is_told);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
