/* Zip archives with one file are read as that file; others are refused with what is in the way. */
#include "parsers/io/byte_reader.h"
#include "tests/support/bytes_source.h"

#include <check.h>
#include <zlib.h>

#define N 300000 /* more than the buffers of the reader */

static unsigned char original[N], zip[2 * N];
static size_t length, n_entries, directory_length;
static unsigned char directory[4096];

static unsigned char *put(unsigned char *at, uint64_t value, int n)
{
    for (int i = 0; i < n; i++, value >>= 8)
        *at++ = (unsigned char)value;
    return at;
}

static void begin(void)
{
    length = n_entries = directory_length = 0;
}

/* Add a file: packed with deflate (method 8) or not (0). Sizes in the local header are left out, as
 * writers to a pipe do. */
static void add(const char *name, const void *bytes, size_t n, int method, int flags)
{
    size_t at = length, n_name = strlen(name), packed = n;
    unsigned char *to = put(zip + length, 0x04034b50, 4);
    to = put(put(put(to, 20, 2), (uint32_t)flags, 2), (uint32_t)method, 2);
    to = put(put(put(to, 0, 8), 0, 8), (uint32_t)n_name, 2);
    to = put(to, 4, 2); /* extra: only here */
    memcpy(to, name, n_name);
    to += n_name + 4;
    if (method == 8) {
        z_stream z = {.next_in = (unsigned char *)bytes, .avail_in = (uInt)n, .next_out = to};
        z.avail_out = 2 * N - (uInt)(to - zip);
        ck_assert_int_eq(deflateInit2(&z, 1, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
        ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
        packed = z.total_out;
        deflateEnd(&z);
    } else {
        memcpy(to, bytes, n);
    }
    length = (size_t)(to - zip) + packed;
    unsigned char *entry = directory + directory_length;
    to = put(put(put(entry, 0x02014b50, 4), 20, 2), 20, 2);
    to = put(put(put(to, (uint32_t)flags, 2), (uint32_t)method, 2), 0, 4);
    to = put(to, (uint32_t)crc32(0, bytes, (uInt)n), 4);
    to = put(put(put(to, (uint32_t)packed, 4), (uint32_t)n, 4), (uint32_t)n_name, 2);
    to = put(put(to, 0, 12), (uint32_t)at, 4);
    memcpy(to, name, n_name);
    directory_length += (size_t)(to - entry) + n_name;
    n_entries++;
}

static void end(const char *comment)
{
    unsigned char *to = zip + length;
    memcpy(to, directory, directory_length);
    to = put(put(to + directory_length, 0x06054b50, 4), 0, 4);
    to = put(put(to, (uint32_t)n_entries, 2), (uint32_t)n_entries, 2);
    to = put(put(to, (uint32_t)directory_length, 4), (uint32_t)length, 4);
    to = put(to, (uint32_t)strlen(comment), 2);
    memcpy(to, comment, strlen(comment));
    length = (size_t)(to - zip) + strlen(comment);
}

static enum hc_status unpack(size_t capacity, unsigned char *out, size_t *n, struct hc_error *err)
{
    struct hc_source source = bytes_source("x.zip", zip, length);
    struct hc_byte_reader *reader = NULL;
    enum hc_status status = hc_byte_reader_open(&reader, &source, err);
    *n = 0;
    for (size_t some = 1; some && !status; *n += some)
        status = hc_byte_reader_read(reader, out + *n, *n + capacity > N ? N - *n + 1 : capacity,
                                     &some, err);
    hc_byte_reader_close(reader);
    hc_source_close(&source);
    return status;
}

static void check_unpack(size_t expected)
{
    static const size_t capacities[] = {1000, 65536, N};
    static unsigned char out[N + 1];
    for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
        struct hc_error err = {0};
        size_t n;
        ck_assert_msg(unpack(capacities[i], out, &n, &err) == HC_OK, "%s", err.message);
        ck_assert_uint_eq(n, expected);
        ck_assert(memcmp(out, original, n) == 0);
    }
}

static void refused(const char *why)
{
    static unsigned char out[N + 1];
    struct hc_error err = {0};
    size_t n;
    ck_assert_int_eq(unpack(65536, out, &n, &err), HC_BAD_INPUT);
    ck_assert_msg(strstr(err.message, "'x.zip': ") == err.message, "%s", err.message);
    ck_assert_msg(strstr(err.message, why) != NULL, "%s", err.message);
}

START_TEST(the_one_file_is_read)
{
    for (int method = 0; method <= 8; method += 8)
        for (int flags = 0; flags <= 8; flags += 8) {
            begin();
            add("log.swf", original, N, method, flags);
            end("");
            check_unpack(N);
            begin();
            add("logs/", "", 0, 0, 0);
            add("logs/log.swf", original, 1000, method, flags);
            add("__MACOSX/log.swf", "other", 5, 0, 0);
            add("logs/._log.swf", "other", 5, 8, 0);
            end("packed by hand, with PK in a comment");
            check_unpack(1000);
            begin();
            add("empty", original, 0, method, flags);
            end("");
            check_unpack(0);
        }
}
END_TEST

START_TEST(what_is_not_one_readable_file_is_refused)
{
    begin();
    add("a", original, 10, 8, 0);
    add("b", original, 10, 8, 0);
    add("c", original, 10, 8, 0);
    end("");
    refused("holds 3 files, not one; unpack it first");
    begin();
    add("a/", "", 0, 0, 0);
    end("");
    refused("holds 0 files");
    begin();
    add("a", original, 10, 8, 1);
    end("");
    refused("is encrypted; unpack it first");
    begin();
    add("a", original, 10, 12, 0);
    end("");
    refused("by another method than deflate");
}
END_TEST

/* Cut anywhere it is refused: what says where the file is stands at the end. Damage in the data is
 * told by the checksum, if not by what unpacks it. */
START_TEST(damage_is_refused)
{
    for (int method = 0; method <= 8; method += 8) {
        begin();
        add("log.swf", original, 3000, method, 0);
        size_t data = length;
        end("");
        size_t whole = length;
        for (length = 4; length < whole; length += 1 + length / 50)
            refused("is cut off or damaged; fetch or write it again");
        length = whole;
        zip[data - 100] ^= 1;
        refused("the zip data is damaged (");
        zip[data - 100] ^= 1;
        zip[data + 24] ^= 1; /* its size in the directory */
        refused("the zip data is damaged (its size or checksum");
        zip[data + 24] ^= 1;
        zip[data + 1] ^= 1;
        refused("is cut off or damaged");
        zip[data + 1] ^= 1;
        check_unpack(3000);
    }
}
END_TEST

int main(void)
{
    uint32_t state = 12345;
    for (size_t i = 0; i < N; i++) {
        state = state * 1664525 + 1013904223;
        original[i] = (unsigned char)((state >> 24) & (i % 1000 < 500 ? 0xff : 0x03));
    }
    Suite *suite = suite_create("zip");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, the_one_file_is_read);
    tcase_add_test(tcase, what_is_not_one_readable_file_is_refused);
    tcase_add_test(tcase, damage_is_refused);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
