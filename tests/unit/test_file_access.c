/* Who may do what with a file that is replaced: what the old one had, and never more. */
#include "core/files/file_access.h"
#include "core/files/outfile.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ACL   "system.posix_acl_access"
#define OTHER 65534 /* a user, and a group, that we are not */

static char directory[64], path[80];
static struct hc_error err;

/* user::rw-, user:65534:r--, group::---, mask::r--, other::--- */
static const unsigned char acl[] = {
    2, 0,    0,    0,    1,    0,    6,    0, 0xff, 0xff, 0xff, 0xff, 2,    0,    4,
    0, 0xfe, 0xff, 0,    0,    4,    0,    0, 0,    0xff, 0xff, 0xff, 0xff, 0x10, 0,
    4, 0,    0xff, 0xff, 0xff, 0xff, 0x20, 0, 0,    0,    0xff, 0xff, 0xff, 0xff};

static void set_up(void)
{
    snprintf(directory, sizeof directory, "/tmp/hindcast-access-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/out", directory);
    err = (struct hc_error){.status = HC_OK};
}

static void tear_down(void)
{
    unlink(path);
    ck_assert_int_eq(rmdir(directory), 0);
}

static int make(mode_t mode)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(fchmod(fd, mode), 0);
    return fd;
}

static void replace(mode_t umask_then)
{
    struct hc_outfile out;
    mode_t before = umask(umask_then);
    ck_assert_int_eq(hc_outfile_open(&out, path, &err), HC_OK);
    fputs("new\n", out.stream);
    ck_assert_int_eq(hc_outfile_commit(&out, &err), HC_OK);
    umask(before);
}

START_TEST(mode_is_kept)
{
    static const mode_t modes[] = {0600, 0664, 0640, 0606, 0444, 0755};
    struct stat info;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        close(make(modes[i]));
        replace(i % 2 ? 077 : 0);
        ck_assert_int_eq(stat(path, &info), 0);
        ck_assert_int_eq(info.st_size, 4);
        ck_assert_uint_eq(info.st_mode & ALLPERMS, modes[i]);
        unlink(path);
    }
    replace(027); /* nothing is replaced */
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_uint_eq(info.st_mode & ALLPERMS, 0640);
}
END_TEST

START_TEST(owner_is_kept)
{
    struct stat info;
    int fd = make(0640);
    bool may_give = fchown(fd, OTHER, OTHER) == 0;
    close(fd);
    replace(0);
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_uint_eq(info.st_uid, may_give ? OTHER : geteuid());
    ck_assert_uint_eq(info.st_gid, may_give ? OTHER : getegid());
    ck_assert_uint_eq(info.st_mode & ALLPERMS, 0640);
}
END_TEST

/* Of a file of a group that we are not in. */
START_TEST(nobody_gets_more_than_before)
{
    static const struct {
        mode_t old, new;
    } cases[] = {{0660, 0600}, {0640, 0600}, {0664, 0644},
                 {0646, 0644}, {0604, 0600}, {0666, 0666}};
    struct stat info;
    bool is_root = geteuid() == 0; /* who could keep any group */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int fd = make(0600);
        if (is_root)
            ck_assert_int_eq(fchown(fd, OTHER, OTHER) | seteuid(OTHER), 0);
        struct hc_file_access access = {
            .is_known = true, .mode = cases[i].old, .uid = OTHER + 1, .gid = OTHER - 1};
        enum hc_status status = hc_file_access_give(&access, fd, path, &err);
        if (is_root)
            ck_assert_int_eq(seteuid(0), 0);
        ck_assert_int_eq(status, HC_OK);
        ck_assert_int_eq(fstat(fd, &info), 0);
        ck_assert_msg((info.st_mode & ALLPERMS) == cases[i].new, "%o became %o", cases[i].old,
                      info.st_mode & ALLPERMS);
        close(fd);
    }
}
END_TEST

START_TEST(access_list_is_kept)
{
    unsigned char now[sizeof acl];
    struct stat info;
    int fd = make(0600);
    bool has_lists = fsetxattr(fd, ACL, acl, sizeof acl, 0) == 0;
    close(fd);
    if (!has_lists) /* this file system has none */
        return;
    replace(0);
    ck_assert_int_eq(getxattr(path, ACL, now, sizeof now), sizeof acl);
    ck_assert_mem_eq(now, acl, sizeof acl);
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_uint_eq(info.st_mode & ALLPERMS,
                      0640); /* of the mask; the group itself has nothing */
}
END_TEST

START_TEST(those_who_may_write)
{
    static const mode_t cases[][3] = {/* a file, one of its writers alone, a directory */
                                      {0664, 0660, 0775}, {0644, 0600, 0755}, {0600, 0600, 0700},
                                      {0666, 0666, 0777}, {0640, 0600, 0750}, {0444, 0, 0555}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hc_file_access access = {.mode = cases[i][0]};
        hc_file_access_of_writers(&access);
        ck_assert_uint_eq(access.mode, cases[i][1]);
        access.mode = cases[i][0];
        hc_file_access_of_directory(&access);
        ck_assert_uint_eq(access.mode, cases[i][2]);
    }
    struct hc_file_access access = {.mode = 0640, .acl_size = sizeof acl};
    memcpy(access.acl, acl, sizeof acl);
    hc_file_access_of_writers(&access);
    ck_assert_uint_eq(access.mode, 0600);
    ck_assert_uint_eq(access.acl[6], 6);
    ck_assert_uint_eq(access.acl[14], 0); /* the user who may only read */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("file_access");
    TCase *cases = tcase_create("all");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, mode_is_kept);
    tcase_add_test(cases, owner_is_kept);
    tcase_add_test(cases, nobody_gets_more_than_before);
    tcase_add_test(cases, access_list_is_kept);
    tcase_add_test(cases, those_who_may_write);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
