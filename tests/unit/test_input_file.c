/* What a name may lead to: files, FIFOs, pipes, directories, devices; and files that change. */
#include "core/files/input_file.h"
#include "parsers/io/source.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[] = "/tmp/hindcast-test-input-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static const char *write_file(const char *name, const char *text)
{
    const char *path = path_of(name);
    FILE *file = fopen(path, "w");
    ck_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
    return path;
}

static const char *make_fifo(const char *name)
{
    ck_assert_int_eq(mkfifo(path_of(name), 0600), 0);
    return path_of(name);
}

static void check_loads(const char *path, const char *expected)
{
    struct hc_error err = {0};
    char *bytes = NULL;
    size_t length = 0;
    ck_assert_msg(!hc_input_file_load(path, 100, &bytes, &length, &err), "%s", err.message);
    ck_assert_uint_eq(length, strlen(expected));
    ck_assert_str_eq(bytes, expected);
    free(bytes);
}

static void check_refused(const char *path, const char *expected)
{
    struct hc_error err = {0};
    char *bytes = NULL;
    size_t length = 0;
    ck_assert_int_eq(hc_input_file_load(path, 100, &bytes, &length, &err), HC_BAD_INPUT);
    ck_assert_msg(strstr(err.message, expected), "%s", err.message);
    ck_assert_ptr_null(bytes);
}

START_TEST(files_and_their_limit)
{
    check_loads(write_file("empty", ""), "");
    check_loads(write_file("text", "dp_size: 4\n"), "dp_size: 4\n");
    char text[128];
    memset(text, 'x', sizeof text);
    text[100] = '\0';
    check_loads(write_file("most", text), text);
    text[100] = 'x';
    text[101] = '\0';
    check_refused(write_file("more", text), "more' has more than 100 bytes");
}
END_TEST

START_TEST(directories_and_devices_are_refused)
{
    check_refused(directory, "it is a directory; name a file");
    check_refused("/dev/zero", "'/dev/zero': it is a character device; name a file");
    check_refused("/dev/null", "'/dev/null': it is a character device; name a file");
    struct hc_error err = {0};
    struct hc_input_file file;
    ck_assert_int_eq(hc_input_file_open(&file, path_of("absent"), &err), HC_IO);
    hc_input_file_close(&file); /* harmless on what was never opened */
}
END_TEST

START_TEST(a_fifo_that_nobody_writes_into_is_refused)
{
    check_refused(make_fifo("silent"), "it is a FIFO, and nobody writes into it");
}
END_TEST

/* What is looked at only, or read twice, is a regular file: a look takes nothing from a pipe. */
START_TEST(a_look_is_at_regular_files_only)
{
    struct hc_error err = {0};
    char head[8] = "", digest[HC_DIGEST_TEXT];
    size_t length = 9;
    FILE *stream = stdin;
    const char *path = write_file("looked", "abcdefghij");
    ck_assert(!hc_input_file_head(path, head, 4, &length, &err) && length == 4);
    ck_assert_mem_eq(head, "abcd\0", 5);
    ck_assert(!hc_input_file_digest(path, digest, &err));
    ck_assert_int_eq(strncmp(digest, "72399361da6a7754", 16), 0);
    ck_assert(!hc_input_file_stream(path_of("nowhere"), &stream, &err) && !stream);
    ck_assert_int_eq(symlink("looked", path_of("link")), 0);
    ck_assert_int_eq(hc_input_file_stream(path_of("link"), &stream, &err), HC_IO);
    ck_assert_int_eq(hc_input_file_stream(directory, &stream, &err), HC_IO);
    path = make_fifo("looked-at");
    ck_assert_int_eq(hc_input_file_head(path, head, 4, &length, &err), HC_BAD_INPUT);
    ck_assert_int_eq(hc_input_file_digest(path, digest, &err), HC_BAD_INPUT);
    ck_assert_int_eq(hc_input_file_stream(path, &stream, &err), HC_IO);
}
END_TEST

/* A child that opens the FIFO after a moment, waits another, and writes. */
static pid_t start_writer(const char *path, const char *text, size_t n_times)
{
    pid_t child = fork();
    if (child)
        return child;
    usleep(50000);
    int fd = open(path, O_WRONLY);
    for (size_t i = 0; i < n_times; i++) {
        usleep(50000);
        if (write(fd, text, strlen(text)) < 0)
            _exit(1);
    }
    _exit(fd < 0);
}

START_TEST(a_fifo_is_read_to_its_end)
{
    const char *path = make_fifo("written");
    pid_t child = start_writer(path, "abc\n", 3);
    ck_assert_int_ge(child, 0);
    check_loads(path, "abc\nabc\nabc\n");
    waitpid(child, NULL, 0);
    path = make_fifo("opened"); /* and closed, without a byte */
    child = start_writer(path, "", 0);
    check_loads(path, "");
    waitpid(child, NULL, 0);
}
END_TEST

/* The reader leaves at its limit; the writer, which would never end, gets SIGPIPE. */
START_TEST(an_endless_fifo_is_read_to_the_limit)
{
    const char *path = make_fifo("endless");
    pid_t child = start_writer(path, "0123456789", (size_t)-1);
    int status = 0;
    check_refused(path, "has more than 100 bytes");
    waitpid(child, &status, 0);
    ck_assert(WIFSIGNALED(status));
}
END_TEST

START_TEST(pipes_without_a_name)
{
    int ends[2];
    char path[64];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], "a: 1\n", 5), 5);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    check_loads(path, "a: 1\n");
    check_loads(path, ""); /* at once: nobody can open the other end any more */
    close(ends[0]);
}
END_TEST

/* ---- files that change ---- */

/* A time long ago, so that the times of the file are told apart. */
static void make_old(int fd)
{
    const struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};
    ck_assert_int_eq(futimens(fd, times), 0);
}

START_TEST(a_change_is_seen_by_its_times)
{
    struct hc_error err = {0};
    struct hc_file_state state;
    int fd = open(write_file("state", "0123456789"), O_RDWR);
    ck_assert_int_ge(fd, 0);
    make_old(fd);
    ck_assert_int_eq(hc_file_state_take(&state, fd, "state", &err), HC_OK);
    ck_assert(state.is_recent); /* its inode was changed just now */
    ck_assert_int_eq(hc_file_state_verify(&state, fd, "state", &err), HC_OK);
    struct hc_file_state other = state;
    other.info.st_ctim.tv_nsec ^= 1; /* as one who sets the time back leaves it */
    ck_assert_int_eq(hc_file_state_verify(&other, fd, "state", &err), HC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "'state' was changed while it was read"));
    other = state;
    other.info.st_mtim.tv_nsec ^= 1;
    ck_assert_int_eq(hc_file_state_verify(&other, fd, "state", &err), HC_IO);
    other = state;
    other.info.st_ino++;
    ck_assert_int_eq(hc_file_state_verify(&other, fd, "state", &err), HC_IO);
    ck_assert_int_eq(ftruncate(fd, 9), 0);
    ck_assert_int_eq(hc_file_state_verify(&state, fd, "state", &err), HC_IO);
    close(fd);
}
END_TEST

static void open_source(struct hc_source *source, const char *path)
{
    struct hc_error err = {0};
    ck_assert_msg(!hc_source_open(source, path, &err), "%s", err.message);
    ck_assert_msg(!hc_source_verify(source, &err), "%s", err.message);
}

/* Whatever the clock of the file system can tell: the state is made that of the file after the
 * change, as a change within one tick of that clock leaves it. */
START_TEST(a_change_within_a_tick_is_seen_by_content)
{
    struct hc_error err = {0};
    struct hc_source source;
    const char *path = write_file("tick", "0123456789");
    open_source(&source, path);
    ck_assert(source.state.is_recent);
    int fd = open(path, O_WRONLY);
    ck_assert_int_eq(pwrite(fd, "x", 1, 4), 1);
    close(fd);
    ck_assert_int_eq(fstat(source.fd, &source.state.info), 0);
    ck_assert_int_eq(hc_source_verify(&source, &err), HC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "was changed while it was read"));
    hc_source_close(&source);
}
END_TEST

/* A name that leads to another file by now: what is read is the file that was opened. */
START_TEST(a_file_that_was_replaced_is_read_as_it_was)
{
    struct hc_error err = {0};
    struct hc_source source;
    char text[10];
    open_source(&source, write_file("replaced", "0123456789"));
    write_file("new", "9876543210");
    char *from = strdup(path_of("new"));
    ck_assert_int_eq(rename(from, path_of("replaced")), 0);
    free(from);
    ck_assert_int_eq(hc_source_read_at(&source, 0, text, 10, &err), HC_OK);
    ck_assert_mem_eq(text, "0123456789", 10);
    hc_source_close(&source);
}
END_TEST

int main(void)
{
    if (!mkdtemp(directory))
        return 1;
    Suite *suite = suite_create("input_file");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, files_and_their_limit);
    tcase_add_test(tcase, directories_and_devices_are_refused);
    tcase_add_test(tcase, a_fifo_that_nobody_writes_into_is_refused);
    tcase_add_test(tcase, a_look_is_at_regular_files_only);
    tcase_add_test(tcase, a_fifo_is_read_to_its_end);
    tcase_add_test(tcase, an_endless_fifo_is_read_to_the_limit);
    tcase_add_test(tcase, pipes_without_a_name);
    tcase_add_test(tcase, a_change_is_seen_by_its_times);
    tcase_add_test(tcase, a_change_within_a_tick_is_seen_by_content);
    tcase_add_test(tcase, a_file_that_was_replaced_is_read_as_it_was);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    char command[300];
    snprintf(command, sizeof command, "rm -r '%s'", directory);
    return system(command) != 0 || failed != 0;
}
