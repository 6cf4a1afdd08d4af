#include "core/base/digest.h"
#include "parsers/io/byte_reader.h"
#include "parsers/io/source.h"
#include "parsers/registry/format_registry.h"
#include "tests/support/bytes_source.h"

#include <check.h>
#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#define N 700000 /* more than the buffers of the reader */

static unsigned char original[N];
static char directory[] = "/tmp/hc-test-source-XXXXXX";

static void make_original(void)
{
    uint32_t state = 12345;
    for (size_t i = 0; i < N; i++) {
        state = state * 1664525 + 1013904223;
        original[i] = (unsigned char)((state >> 24) & (i % 1000 < 500 ? 0xff : 0x03));
    }
}

/* One gzip member of original[from, from + n) behind packed; returns the new length. */
static size_t add_gzip(unsigned char *packed, size_t length, size_t from, size_t n)
{
    z_stream z = {.next_in = original + from, .avail_in = (uInt)n};
    z.next_out = packed + length;
    z.avail_out = (uInt)(2 * N - length);
    ck_assert_int_eq(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    length += z.total_out;
    deflateEnd(&z);
    return length;
}

static size_t add_zstd(unsigned char *packed, size_t length, size_t from, size_t n)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1); /* as the zstd program does */
    size_t made = ZSTD_compress2(context, packed + length, 2 * N - length, original + from, n);
    ZSTD_freeCCtx(context);
    ck_assert(!ZSTD_isError(made));
    return length + made;
}

/* One xz stream with a dictionary of so many bytes. */
static size_t add_xz_window(unsigned char *packed, size_t length, size_t n, uint32_t window)
{
    lzma_options_lzma options;
    ck_assert(!lzma_lzma_preset(&options, 0));
    options.dict_size = window;
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};
    ck_assert_int_eq(lzma_stream_buffer_encode(filters, LZMA_CHECK_CRC64, NULL, original, n, packed,
                                               &length, 2 * N),
                     LZMA_OK);
    return length;
}

static size_t add_xz(unsigned char *packed, size_t length, size_t from, size_t n)
{
    ck_assert_int_eq(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, original + from, n, packed,
                                             &length, 2 * N),
                     LZMA_OK);
    return length;
}

static enum hc_status unpack(const void *bytes, size_t length, size_t chunk, unsigned char *out,
                             size_t *n, struct hc_error *err)
{
    struct hc_source source = bytes_source("x.bin", bytes, length);
    struct hc_byte_reader *reader = NULL;
    enum hc_status status = hc_byte_reader_open(&reader, &source, err);
    size_t got = 1;
    *n = 0;
    while (status == HC_OK && got) {
        status = hc_byte_reader_read(reader, out + *n, chunk, &got, err);
        *n += got;
        ck_assert_uint_le(*n, N);
    }
    if (status == HC_OK)
        ck_assert_int_eq(hc_byte_reader_position(reader), (int64_t)length);
    hc_byte_reader_close(reader);
    hc_source_close(&source);
    return status;
}

static void check_unpack(const void *bytes, size_t length, size_t expected)
{
    static unsigned char out[2 * N];
    static const size_t chunks[] = {1000, 65536, 131072, N};
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        struct hc_error err = {0};
        size_t n = 0;
        ck_assert_msg(unpack(bytes, length, chunks[i], out, &n, &err) == HC_OK, "%s", err.message);
        ck_assert_uint_eq(n, expected);
        ck_assert(memcmp(out, original, expected) == 0);
    }
}

static void check_refused(const void *bytes, size_t length, const char *expected)
{
    static unsigned char out[2 * N];
    struct hc_error err = {0};
    size_t n = 0;
    ck_assert_int_eq(unpack(bytes, length, 65536, out, &n, &err), HC_BAD_INPUT);
    ck_assert_msg(strstr(err.message, expected) != NULL, "%s", err.message);
}

static unsigned char packed[2 * N];

START_TEST(plain_bytes_pass_through)
{
    check_unpack(original, N, N);
    check_unpack(original, 3, 3);
    check_unpack(original, 0, 0);
}
END_TEST

START_TEST(gzip_with_many_members)
{
    check_unpack(packed, add_gzip(packed, 0, 0, N), N);
    size_t length = add_gzip(packed, 0, 0, 300000);
    length = add_gzip(packed, length, 300000, 0);
    length = add_gzip(packed, length, 300000, 1);
    length = add_gzip(packed, length, 300001, N - 300001);
    check_unpack(packed, length, N);
}
END_TEST

START_TEST(zstd_with_many_frames)
{
    check_unpack(packed, add_zstd(packed, 0, 0, N), N);
    static const unsigned char skippable[] = {0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 'h', 'i'};
    memcpy(packed, skippable, sizeof skippable);
    size_t length = add_zstd(packed, sizeof skippable, 0, 300000);
    length = add_zstd(packed, length, 300000, N - 300000);
    check_unpack(packed, length, N);
}
END_TEST

START_TEST(xz_with_many_streams)
{
    static const size_t paddings[] = {0, 4, 8, 300000}; /* zeros by fours, more than a buffer too */
    check_unpack(packed, add_xz(packed, 0, 0, N), N);
    for (size_t i = 0; i < sizeof paddings / sizeof *paddings; i++) {
        size_t length = add_xz(packed, 0, 0, 300000);
        length = add_xz(packed, length, 300000, 0);
        memset(packed + length, 0, paddings[i]);
        length = add_xz(packed, length + paddings[i], 300000, N - 300000);
        check_unpack(packed, length, N);
        memset(packed + length, 0, paddings[i]);
        check_unpack(packed, length + paddings[i], N);
    }
}
END_TEST

static size_t (*const packers[])(unsigned char *, size_t, size_t, size_t) = {add_gzip, add_zstd,
                                                                             add_xz};
static const char *const names[] = {"gzip", "zstd", "xz"};
static const size_t magic_sizes[] = {2, 4, 6};

/* Cut at any byte, a compressed file is refused (but for nought bytes, which are an empty file, and
 * a head too short to be told from plain bytes). */
START_TEST(cut_files_are_refused)
{
    for (int kind = 0; kind < 3; kind++) {
        char expected[64];
        snprintf(expected, sizeof expected, "the %s data is cut off", names[kind]);
        size_t length = packers[kind](packed, 0, 0, 3000);
        for (size_t cut = magic_sizes[kind]; cut < length; cut += 1 + cut / 50)
            check_refused(packed, cut, expected);
        length = packers[kind](packed, 0, 0, N);
        check_refused(packed, length - 1, "is cut off here; fetch or write the file again");
        check_refused(packed, length / 2, "is cut off here");
    }
}
END_TEST

START_TEST(damaged_xz_is_refused)
{
    size_t length = add_xz(packed, 0, 0, N);
    packed[length / 2] ^= 1;
    check_refused(packed, length,
                  "the xz data is damaged (its contents do not agree with its checks); fetch or "
                  "write the file again");
    for (size_t at = 6; at < 24; at++) { /* headers of stream and block */
        length = add_xz(packed, 0, 0, 3000);
        packed[at] ^= 0x40;
        check_refused(packed, length, "the xz data is damaged (");
    }
    for (size_t back = 1; back < 28; back++) { /* footer and index */
        length = add_xz(packed, 0, 0, 3000);
        packed[length - back] ^= 1;
        check_refused(packed, length, "the xz data is damaged (");
    }
}
END_TEST

START_TEST(xz_takes_bounded_memory)
{
    check_unpack(packed, add_xz_window(packed, 0, 3000, (uint32_t)128 << 20), 3000);
    check_refused(packed, add_xz_window(packed, 0, 3000, (uint32_t)256 << 20),
                  "the xz data takes 256 MiB of memory to unpack, more than 130; "
                  "write the file again with a smaller dictionary, as with 'xz -9'");
}
END_TEST

START_TEST(damaged_files_are_refused)
{
    size_t length = add_gzip(packed, 0, 0, N);
    packed[length - 6] ^= 1; /* the checksum */
    check_refused(packed, length, "the gzip data is damaged (incorrect data check)");
    length = add_gzip(packed, 0, 0, N);
    packed[3] = 0xff;
    check_refused(packed, length, "the gzip data is damaged");
    length = add_zstd(packed, 0, 0, N);
    memset(packed + length / 2, 0xff, 64);
    check_refused(packed, length, "the zstd data is damaged");
}
END_TEST

START_TEST(bytes_behind_the_data_are_refused)
{
    size_t length = add_gzip(packed, 0, 0, 10);
    char expected[64];
    snprintf(expected, sizeof expected, "'x.bin': byte %zu: these bytes after the gzip", length);
    memcpy(packed + length, "hello", 5);
    check_refused(packed, length + 5, expected);
    memset(packed + length, 0, 5);
    check_refused(packed, length + 5, expected);
    check_refused(packed, length + 1, expected);
    length = add_zstd(packed, 0, 0, 10);
    memcpy(packed + length, "hello", 5);
    check_refused(packed, length + 5, "these bytes after the zstd data belong to nothing");
    length = add_xz(packed, 0, 0, 10);
    memcpy(packed + length, "\0\0\0\0hello", 9);
    snprintf(expected, sizeof expected, "'x.bin': byte %zu: these bytes after the xz", length + 4);
    check_refused(packed, length + 9, expected);
    memset(packed + length, 0, 7);
    check_refused(packed, length + 7, expected);
    check_refused(packed, length + 6, expected);
}
END_TEST

static char *write_file(const char *name, const void *bytes, size_t length)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

static void check_source(const char *path, const char *name)
{
    struct hc_error err = {0};
    struct hc_source source;
    static unsigned char out[N];
    char digest[HC_DIGEST_TEXT];
    ck_assert_msg(hc_source_open(&source, path, &err) == HC_OK, "%s", err.message);
    ck_assert_str_eq(source.name, name);
    ck_assert_int_eq(source.size, N);
    hc_digest_bytes(original, N, digest);
    ck_assert_str_eq(source.sha256, digest);
    ck_assert_int_eq(hc_source_read_at(&source, 5, out, N - 5, &err), HC_OK);
    ck_assert(memcmp(out, original + 5, N - 5) == 0);
    ck_assert_int_eq(hc_source_read_at(&source, N - 3, out, 5, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "byte 700000: the file ends here but 2 more bytes"));
    hc_source_close(&source);
}

START_TEST(files_pipes_and_standard_input)
{
    char *path = write_file("whole", original, N);
    check_source(path, path);
    char fifo[256], command[600];
    snprintf(fifo, sizeof fifo, "%s/fifo", directory);
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    snprintf(command, sizeof command, "cat '%s' > '%s' &", path, fifo);
    ck_assert_int_eq(system(command), 0);
    check_source(fifo, fifo);
    int kept = dup(STDIN_FILENO), fd = open(path, O_RDONLY);
    ck_assert(kept >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    close(fd);
    check_source("-", "standard input");
    dup2(kept, STDIN_FILENO);
    close(kept);
}
END_TEST

START_TEST(half_read_standard_input_starts_where_it_stands)
{
    char *path = write_file("half", "skipped,rest", 12);
    int kept = dup(STDIN_FILENO), fd = open(path, O_RDONLY);
    ck_assert(kept >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    close(fd);
    ck_assert_int_eq(lseek(STDIN_FILENO, 8, SEEK_SET), 8);
    struct hc_error err = {0};
    struct hc_source source;
    char out[4];
    ck_assert_int_eq(hc_source_open(&source, "-", &err), HC_OK);
    ck_assert_int_eq(source.size, 4);
    ck_assert_int_eq(hc_source_read_at(&source, 0, out, 4, &err), HC_OK);
    ck_assert_mem_eq(out, "rest", 4);
    hc_source_close(&source);
    dup2(kept, STDIN_FILENO);
    close(kept);
}
END_TEST

START_TEST(what_cannot_be_opened_is_named)
{
    struct hc_error err = {0};
    struct hc_source source;
    ck_assert_int_eq(hc_source_open(&source, "/no/such/file", &err), HC_IO);
    ck_assert_str_eq(err.message, "cannot open '/no/such/file': No such file or directory");
    ck_assert_int_eq(hc_source_open(&source, "/", &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, "cannot read '/': it is a directory; name a file");
    hc_source_close(&source); /* harmless on what was never opened */
}
END_TEST

START_TEST(formats_are_detected_through_compression)
{
    static const char header[] =
        "dp_rank,stage,rank,step,optype,start_ts,duration,seq_id,mc,mb_id,gmc\n";
    struct hc_error err = {0};
    const struct hc_format *format = NULL;
    memcpy(original, header, sizeof header - 1);
    size_t length = add_zstd(packed, 0, 0, sizeof header - 1);
    struct hc_source source = bytes_source("noname", packed, length);
    ck_assert_msg(hc_format_detect(&format, &source, &err) == HC_OK, "%s", err.message);
    ck_assert_str_eq(format->name, "step-csv");
    hc_source_close(&source);
    source = bytes_source("noname",
                          "\x7f"
                          "ELF",
                          4);
    ck_assert_int_eq(hc_format_detect(&format, &source, &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message,
                     "'noname' is in none of the formats that 'hindcast formats' lists; convert "
                     "it, or name its format");
    hc_source_close(&source);
    source = bytes_source("noname", "", 0);
    ck_assert_int_eq(hc_format_detect(&format, &source, &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, "'noname' is empty; nothing can be read from it");
    hc_source_close(&source);
    ck_assert_ptr_eq(hc_format_find("step-csv"), &hc_format_step_csv);
    ck_assert_ptr_null(hc_format_find("step"));
    make_original();
}
END_TEST

int main(void)
{
    make_original();
    if (!mkdtemp(directory))
        return 1;
    Suite *suite = suite_create("source");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, plain_bytes_pass_through);
    tcase_add_test(tcase, gzip_with_many_members);
    tcase_add_test(tcase, zstd_with_many_frames);
    tcase_add_test(tcase, xz_with_many_streams);
    tcase_add_test(tcase, cut_files_are_refused);
    tcase_add_test(tcase, damaged_xz_is_refused);
    tcase_add_test(tcase, xz_takes_bounded_memory);
    tcase_add_test(tcase, damaged_files_are_refused);
    tcase_add_test(tcase, bytes_behind_the_data_are_refused);
    tcase_add_test(tcase, files_pipes_and_standard_input);
    tcase_add_test(tcase, half_read_standard_input_starts_where_it_stands);
    tcase_add_test(tcase, what_cannot_be_opened_is_named);
    tcase_add_test(tcase, formats_are_detected_through_compression);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    static const char *const names[] = {"whole", "fifo", "half"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        unlink(path);
    }
    rmdir(directory);
    return failed != 0;
}
