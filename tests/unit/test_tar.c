/* Members of tar archives: what tar writes is read back, whatever the headers; damage is said. */
#include "parsers/io/tar.h"
#include "tests/support/bytes_source.h"

#include <check.h>
#include <limits.h>

static struct hc_error err;

/* A command of sh in a directory of its own, then the archive that it wrote. */
static struct hc_source archive_of(const char *script)
{
    char directory[] = "/tmp/hindcast-tar-XXXXXX", command[4096], path[PATH_MAX];
    struct hc_source source;
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(command, sizeof command, "cd %s && { %s; }", directory, script);
    ck_assert_int_eq(system(command), 0);
    snprintf(path, sizeof path, "%s/a.tar", directory);
    ck_assert_msg(!hc_source_open(&source, path, &err), "%s", err.message);
    snprintf(command, sizeof command, "rm -r %s", directory);
    ck_assert_int_eq(system(command), 0);
    free(source.name);
    source.name = strdup("a.tar");
    return source;
}

/* The names and the first bytes of all members, "name=bytes;". */
static enum hc_status list(const struct hc_source *archive, char *text, size_t room)
{
    struct hc_tar *tar = NULL;
    struct hc_source member;
    bool found = true;
    *text = '\0';
    memset(&err, 0, sizeof err);
    enum hc_status status = hc_tar_open(&tar, archive, &err);
    while (!status && !(status = hc_tar_next(tar, &member, &found, &err)) && found) {
        char bytes[9] = "";
        ck_assert(
            !hc_source_read_at(&member, 0, bytes, member.size < 8 ? (size_t)member.size : 8, &err));
        ck_assert_uint_eq(strlen(member.sha256), 64);
        ck_assert(!hc_source_verify(&member, &err));
        size_t used = strlen(text);
        snprintf(text + used, room - used, "%s=%s(%lld);", member.name, bytes,
                 (long long)member.size);
        hc_source_close(&member);
    }
    hc_tar_close(tar);
    return status;
}

static const struct {
    const char *script, *members;
} written[] = {
    {"mkdir d && echo one >d/rank0.json && : >d/empty && tar cf a.tar d/rank0.json d/empty",
     "a.tar:d/rank0.json=one\n(4);a.tar:d/empty=(0);"},
    /* Directories, links and AppleDouble twins are no members. */
    {"mkdir d && echo one >d/r && echo x >d/._r && echo y >._d && ln -s r d/link && "
     "tar cf a.tar --sort=name ./d ._d",
     "a.tar:d/r=one\n(4);"},
    {"echo one >r0 && head -c 1000 /dev/zero >r1 && echo two >r2 && tar czf a.tar r0 r1 r2",
     "a.tar:r0=one\n(4);a.tar:r1=(1000);a.tar:r2=two\n(4);"},
    {"echo one >r0 && tar c r0 | zstd -q >a.tar", "a.tar:r0=one\n(4);"},
    {"echo one >r0 && tar c r0 | xz >a.tar", "a.tar:r0=one\n(4);"},
    {"echo one >r0 && echo two >r1 && tar --format=v7 -cf a.tar r0 r1",
     "a.tar:r0=one\n(4);a.tar:r1=two\n(4);"},
};

START_TEST(what_tar_writes_is_read)
{
    char text[4096];
    struct hc_source archive = archive_of(written[_i].script);
    bool is_tar = false;
    ck_assert(!hc_tar_is(&archive, &is_tar, &err));
    ck_assert(is_tar);
    ck_assert_msg(!list(&archive, text, sizeof text), "%s", err.message);
    ck_assert_str_eq(text, written[_i].members);
    hc_source_close(&archive);
}
END_TEST

START_TEST(long_names)
{
    static const char *const formats[] = {"gnu", "pax", "ustar"};
    char script[1024], text[4096], wanted[512], part[91];
    memset(part, 'n', 90);
    part[90] = '\0';
    snprintf(script, sizeof script,
             "mkdir %s && echo one >%s/%s && echo two >r && tar --format=%s -cf a.tar %s/%s r",
             part, part, part, formats[_i], part, part);
    snprintf(wanted, sizeof wanted, "a.tar:%s/%s=one\n(4);a.tar:r=two\n(4);", part, part);
    struct hc_source archive = archive_of(script);
    ck_assert_msg(!list(&archive, text, sizeof text), "%s", err.message);
    ck_assert_str_eq(text, wanted);
    hc_source_close(&archive);
}
END_TEST

START_TEST(damage_is_said)
{
    static const struct {
        const char *script, *message;
    } damaged[] = {
        {"head -c 2000 /dev/zero >r && tar cf b r && head -c 1500 b >a.tar",
         "'a.tar': byte 1500 of the tar archive: it is cut off here; fetch or write it again"},
        {"echo one >r && echo two >s && tar cf b r s && "
         "{ head -c 1030 b; printf X; tail -c +1032 b; } >a.tar",
         "'a.tar': byte 1024 of the tar archive: the checksum of a header is wrong"},
        {"echo one >r && tar cf b r && head -c 700 b >a.tar",
         "'a.tar': byte 700 of the tar archive: it is cut off here; fetch or write it again"},
    };
    char text[4096];
    struct hc_source archive = archive_of(damaged[_i].script);
    ck_assert_int_eq(list(&archive, text, sizeof text), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, damaged[_i].message);
    hc_source_close(&archive);
}
END_TEST

/* What is made to fill a disk is refused by what its header says; what lies, where that shows. */
START_TEST(what_unpacks_to_too_much_is_refused)
{
    static const struct {
        const char *script, *message;
    } bombs[] = {
        {"truncate -s 100M r && tar c r | zstd -q >a.tar", "'a.tar' unpacks to 1048"},
        {"truncate -s 100M ._r && echo x >s && tar c ._r s | zstd -q >a.tar",
         "'a.tar' unpacks to 6"},
    };
    char text[4096] = "";
    struct hc_source archive = archive_of(bombs[_i].script);
    ck_assert_int_eq(list(&archive, text, sizeof text), HC_BAD_INPUT);
    ck_assert_msg(strstr(err.message, bombs[_i].message) &&
                      strstr(err.message, "unpack it yourself"),
                  "%s", err.message);
    ck_assert_str_eq(text, "");
    hc_source_close(&archive);
}
END_TEST

/* 64 MiB are free. */
START_TEST(what_packs_well_is_read)
{
    char text[4096];
    struct hc_source archive = archive_of("truncate -s 60M r && tar c r | zstd -q >a.tar");
    ck_assert_msg(!list(&archive, text, sizeof text), "%s", err.message);
    ck_assert_str_eq(text, "a.tar:r=(62914560);");
    hc_source_close(&archive);
}
END_TEST

START_TEST(other_files_are_no_archives)
{
    static const char text[1024] = "{\"traceEvents\": []}";
    bool is_tar = true;
    for (size_t length = 0; length <= sizeof text; length += 256) {
        struct hc_source source = bytes_source("x", text, length);
        ck_assert(!hc_tar_is(&source, &is_tar, &err));
        ck_assert(!is_tar);
        hc_source_close(&source);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tar");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, what_tar_writes_is_read, 0, sizeof written / sizeof *written);
    tcase_add_loop_test(tcase, long_names, 0, 3);
    tcase_add_loop_test(tcase, damage_is_said, 0, 3);
    tcase_add_loop_test(tcase, what_unpacks_to_too_much_is_refused, 0, 2);
    tcase_add_test(tcase, what_packs_well_is_read);
    tcase_add_test(tcase, other_files_are_no_archives);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
