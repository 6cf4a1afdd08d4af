/* Headers of a segment as somebody may make them up: with right checksums, and false. Each is
 * refused by name; libhdf5 1.10.8 dies of some. And what is no segment, or cannot be read. */
#include "store/codec/lookup3.h"
#include "store/segment/segment_scan.h"
#include "tests/support/segment_fixture.h"
#include "tests/support/segment_sums.h"

#include <fcntl.h>

static char *scratch;

START_TEST(checksums_are_those_of_lookup3)
{
    static const char text[] = "Four score and seven years ago"; /* from the author's own test */
    ck_assert_uint_eq(hc_lookup3((const uint8_t *)text, 0), 0xdeadbeef);
    ck_assert_uint_eq(hc_lookup3((const uint8_t *)text, strlen(text)), 0x17770551);
}
END_TEST

/* ---- false headers with right checksums ---- */

/* The bytes of a segment, and where to find things in them. */
struct bytes {
    uint8_t *data;
    size_t size;
};

static size_t find(const struct bytes *bytes, const void *pattern, size_t length)
{
    const uint8_t *found = memmem(bytes->data, bytes->size, pattern, length);
    ck_assert_ptr_nonnull(found);
    return (size_t)(found - bytes->data);
}

static void put(struct bytes *bytes, size_t at, uint64_t value, size_t n)
{
    put_number(bytes->data, bytes->size, at, value, n);
}

/* ---- the kinds of which libhdf5 died in fuzzing ---- */

/* An attribute whose value is larger than its message. */
static void attribute_too_large(struct bytes *bytes)
{
    size_t at = find(bytes, "schema\0\x13\x11\0\0", 11);
    put(bytes, at + 11, 16000, 4);
}

static void chunks_of_no_rows(struct bytes *bytes)
{
    size_t at = find(bytes, "\x08\x13\0\0\3\2\2", 7);
    put(bytes, at + 4 + 11, 0, 4);
}

static size_t link_info(const struct bytes *bytes)
{
    return find(bytes, "\x02\x12\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 14);
}

static void links_in_a_heap(struct bytes *bytes)
{
    put(bytes, link_info(bytes) + 6, 48, 8);
}

/* ---- others ---- */

static void attribute_parts_too_large(struct bytes *bytes)
{
    size_t at = find(bytes, "schema_major", 13);
    put(bytes, at - 5, 0xffff, 2); /* size of its type */
}

static void attribute_of_another_type(struct bytes *bytes)
{
    size_t at = find(bytes, "schema_major", 13);
    put(bytes, at + 13, 0x19, 1); /* of variable length */
}

static void attributes_in_a_heap(struct bytes *bytes)
{
    size_t at = find(bytes, "\x15\x12\0\4\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 14);
    put(bytes, at + 6, 48, 8);
}

static void group_in_itself(struct bytes *bytes)
{
    size_t at = find(bytes, "\x01\0\3ops", 6);
    put(bytes, at + 6, 48, 8);
}

static void link_twice(struct bytes *bytes)
{
    size_t at = find(bytes, "\x01\0\3ops", 6);
    memcpy(bytes->data + at + 3, "job", 3);
}

static void link_outside(struct bytes *bytes)
{
    size_t at = find(bytes, "\x01\0\3ops", 6);
    put(bytes, at + 6, bytes->size - 2, 8);
}

static void soft_link(struct bytes *bytes)
{
    size_t at = find(bytes, "\x01\0\3ops", 6);
    put(bytes, at + 1, 8, 1);
    put(bytes, at + 2, 1, 1);
}

static void long_link(struct bytes *bytes)
{
    size_t at = find(bytes, "\x01\0\3ops", 6);
    put(bytes, at + 2, 63, 1);
}

static void message_too_large(struct bytes *bytes)
{
    put(bytes, link_info(bytes) + 1, 0xfff0, 2);
}

static void message_elsewhere(struct bytes *bytes)
{
    put(bytes, link_info(bytes) + 3, 2, 1);
}

static void endless_header(struct bytes *bytes)
{
    size_t at = find(bytes, "OCHK", 4);
    uint8_t address[8] = {0};
    put_number(address, 8, 0, at, 8);
    uint64_t size = hc_little_endian(bytes->data + find(bytes, address, 8) + 8, 8);
    ck_assert(size >= 28 && size <= bytes->size - at);
    put(bytes, at + 4, 0x10, 1);
    put(bytes, at + 5, 16, 2);
    put(bytes, at + 8, at, 8);
    put(bytes, at + 16, size, 8);
    memset(bytes->data + at + 24, 0, (size_t)size - 24); /* nothing behind */
}

static void header_of_version_1(struct bytes *bytes)
{
    put(bytes, 48, 1, 4);
}

static void huge_header(struct bytes *bytes)
{
    bytes->data[48 + 5] |= 3;
}

static void old_superblock(struct bytes *bytes)
{
    put(bytes, 8, 0, 1);
}

static void addresses_from_elsewhere(struct bytes *bytes)
{
    put(bytes, 12, 512, 8);
}

static void narrow_addresses(struct bytes *bytes)
{
    put(bytes, 9, 4, 1);
}

static void other_filters(struct bytes *bytes)
{
    size_t at = find(bytes, "\2\3\2\0\1\0\1\0\4\0\0\0", 12);
    put(bytes, at + 8, 8, 4); /* shuffle by another size than that of the values */
}

static void two_dimensions(struct bytes *bytes)
{
    size_t at = find(bytes, "\1\x14\0\0\2\1\1\1", 8);
    put(bytes, at + 5, 2, 1);
}

static enum hc_status open_bytes(const struct bytes *bytes, struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    char *path = join(scratch, "crafted.h5");
    write_bytes(path, bytes->data, bytes->size);
    enum hc_status status = segment_open_path(&segment, path, err);
    hc_segment_close(segment);
    free(path);
    return status;
}

START_TEST(false_headers_are_refused)
{
    static const struct {
        void (*craft)(struct bytes *bytes);
        const char *message;
    } cases[] = {
        {attribute_too_large, "attribute 'schema' is larger than its message"},
        {chunks_of_no_rows, "chunks of 0 rows are not allowed"},
        {links_in_a_heap, "not written by hindcast: its links are not kept in its header"},
        {attribute_parts_too_large, "attribute 'schema_major' is missing"},
        {attribute_of_another_type, "attribute 'schema_major' is not of its type"},
        {attributes_in_a_heap, "not written by hindcast: its attributes are not kept"},
        {group_in_itself, "it is not a dataset"},
        {link_twice, "it has 'job' twice"},
        {link_outside, "it lies outside the file"},
        {soft_link, "links that no segment has"},
        {long_link, "links that no segment has"},
        {message_too_large, "a message larger than its header"},
        {message_elsewhere, "a message that is kept elsewhere"},
        {endless_header, "more blocks of a header than any has"},
        {header_of_version_1, "no object header of version 2"},
        {huge_header, "a header larger than any of a segment"},
        {old_superblock, "not written by hindcast: its superblock is of version 0, not 2"},
        {addresses_from_elsewhere, "its addresses are not of 8 bytes from byte 0"},
        {narrow_addresses, "its addresses are not of 8 bytes from byte 0"},
        {other_filters, "its filters are not shuffle, deflate and fletcher32"},
        {two_dimensions, "it is not one-dimensional"},
    };
    char *path = write_small(scratch);
    size_t size = 0;
    uint8_t *whole = read_bytes(path, &size), *data = malloc(size);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hc_error err = {0};
        struct bytes bytes = {memcpy(data, whole, size), size};
        cases[i].craft(&bytes);
        fix_sums(data, size);
        ck_assert_msg(open_bytes(&bytes, &err) == HC_BAD_INPUT, "case %zu: %s", i, err.message);
        ck_assert_msg(strstr(err.message, cases[i].message) && strstr(err.message, "crafted.h5"),
                      "case %zu: %s", i, err.message);
    }
    free(data);
    free(whole);
    free(path);
}
END_TEST

/* Every bit of every header: refused, and as damage. */
START_TEST(checksums_are_verified)
{
    char *path = write_small(scratch);
    struct bytes bytes;
    size_t n_tried = 0;
    bytes.data = read_bytes(path, &bytes.size);
    for (size_t at = 0; at + 64 < bytes.size; at++) {
        struct hc_error err = {0};
        if (memcmp(bytes.data + at, "OHDR\2", 5) != 0 && memcmp(bytes.data + at, "OCHK", 4) != 0)
            continue;
        size_t changed = at + 4 + n_tried % 40;
        bytes.data[changed] ^= 4;
        ck_assert_int_eq(open_bytes(&bytes, &err), HC_BAD_INPUT);
        bytes.data[changed] ^= 4;
        n_tried++;
    }
    ck_assert_uint_gt(n_tried, 20);
    bytes.data[bytes.size] = 0;
    for (int change = -1; change <= 1; change += 2) {
        struct hc_error err = {0};
        struct bytes other = {bytes.data, bytes.size + (size_t)change};
        ck_assert_int_eq(open_bytes(&other, &err), HC_BAD_INPUT);
        ck_assert_ptr_nonnull(strstr(err.message, "bytes, but was written with"));
    }
    free(bytes.data);
    free(path);
}
END_TEST

/* ---- what cannot be read is not damaged ---- */

/* A descriptor for writing only stands for whatever the system refuses to read. */
START_TEST(refusals_of_the_system_are_told_from_damage)
{
    char *path = write_small(scratch);
    struct hc_segment *segment = NULL;
    struct hc_table rows = {0};
    struct hc_error err = {0};
    ck_assert_int_eq(hc_segment_open(&segment, open(path, O_WRONLY), path, &err), HC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "Bad file descriptor"));
    ck_assert_int_eq(hc_segment_verify(open(path, O_WRONLY), path, &err), HC_IO);
    ASSERT_OK(hc_table_init(&rows, &hc_ops_def, 500, &err));
    ASSERT_OK(segment_open_path(&segment, path, &err));
    int blind = open(path, O_WRONLY);
    ck_assert_int_ge(dup2(blind, segment->file.fd), 0);
    close(blind);
    segment->file.length = 0; /* nothing that was read before */
    ck_assert_int_eq(hc_segment_read(segment, &hc_ops_def, UINT32_MAX, 0, &rows, &err), HC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "chunk 0: cannot read byte"));
    hc_segment_close(segment);
    hc_table_fini(&rows);
    free(path);
}
END_TEST

/* And the descriptor is closed whatever comes of it. */
START_TEST(what_is_no_file_is_refused_at_once)
{
    struct hc_segment *segment = NULL;
    struct hc_error err = {0};
    char *pipe = join(scratch, "pipe.h5");
    const char *const paths[] = {pipe, "/dev/zero", scratch};
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    int free_fd = dup(0);
    close(free_fd);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        ck_assert_int_eq(segment_open_path(&segment, paths[i], &err), HC_BAD_INPUT);
        ck_assert_ptr_nonnull(strstr(err.message, "is not a file"));
        ck_assert_int_eq(segment_verify_path(paths[i], &err), HC_BAD_INPUT);
    }
    int next_fd = dup(0);
    ck_assert_int_eq(next_fd, free_fd);
    close(next_fd);
    free(pipe);
}
END_TEST

int main(void)
{
    scratch = make_scratch();
    Suite *suite = suite_create("segment headers");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, checksums_are_those_of_lookup3);
    tcase_add_test(tests, false_headers_are_refused);
    tcase_add_test(tests, checksums_are_verified);
    tcase_add_test(tests, refusals_of_the_system_are_told_from_damage);
    tcase_add_test(tests, what_is_no_file_is_refused_at_once);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    remove_scratch(scratch);
    return failed != 0;
}
