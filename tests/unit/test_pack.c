/* Packs: what goes in comes out, for each type and width; what is torn, flipped or of another
 * version is refused and never believed; a pack that was copied is the same bytes. */
#include "core/base/missing.h"
#include "core/tables/table_names.h"
#include "store/pack/block_sum.h"
#include "store/pack/pack.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TIME, COUNT, SHARE, NAME, OTHER, FRUIT, N_COLUMNS };
static const struct hc_column_def columns[N_COLUMNS] = {
    [TIME] = {"time_ns", HC_I64, "ns", "", NULL}, [COUNT] = {"count", HC_I32, "", "", NULL},
    [SHARE] = {"share", HC_F64, "", "", NULL},    [NAME] = {"name", HC_I32, "", "", "names"},
    [OTHER] = {"other", HC_I32, "", "", "names"}, [FRUIT] = {"fruit", HC_I32, "", "", "fruits"},
};
static const struct hc_table_def def = {"made_up", N_COLUMNS, columns, 1};
static const struct hc_table_def *const tables[] = {&def, NULL};

#define SHA_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define SHA_B "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static struct hc_error err;
static struct hc_table rows, got;
static struct hc_table_names names, read_names;

static void add_text(const char *dictionary, const char *text)
{
    int32_t code;
    ck_assert_int_eq(
        hc_text_set_add(hc_table_names_find(&names, dictionary), text, strlen(text), &code, &err),
        HC_OK);
}

static void set_up(void)
{
    ck_assert_int_eq(hc_table_init(&rows, &def, 300, &err), HC_OK);
    ck_assert_int_eq(hc_table_init(&got, &def, 300, &err), HC_OK);
    ck_assert_int_eq(hc_table_names_init(&names, tables, &err), HC_OK);
    ck_assert_int_eq(hc_table_names_init(&read_names, tables, &err), HC_OK);
    for (size_t i = 0; i < 300; i++) {
        hc_table_i64(&rows, TIME)[i] = 0;
        hc_table_i32(&rows, COUNT)[i] = 0;
        hc_table_f64(&rows, SHARE)[i] = 0;
        for (size_t c = NAME; c <= FRUIT; c++)
            hc_table_i32(&rows, c)[i] = HC_MISSING_I32;
    }
}

static void tear_down(void)
{
    hc_table_fini(&rows);
    hc_table_fini(&got);
    hc_table_names_fini(&names);
    hc_table_names_fini(&read_names);
}

/* ---- making and opening ---- */

struct file {
    char *bytes;
    size_t n;
};

/* A pack of the rows under each of n digests. */
static struct file make_pack(const char *const *digests, size_t n)
{
    struct file file;
    struct hc_pack_writer *writer = NULL;
    FILE *stream = open_memstream(&file.bytes, &file.n);
    ck_assert_int_eq(hc_pack_writer_open(&writer, stream, "about it", &err), HC_OK);
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq(hc_pack_writer_entry(writer, digests[i], &def, &names, &err), HC_OK);
        if (rows.n_rows)
            ck_assert_int_eq(hc_pack_writer_rows(writer, &rows, &err), HC_OK);
    }
    ck_assert_int_eq(hc_pack_writer_close(writer, &err), HC_OK);
    fclose(stream);
    return file;
}

static enum hc_status open_pack(struct hc_pack **pack, const char *bytes, size_t n)
{
    int fd = memfd_create("pack", MFD_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n);
    *pack = NULL;
    return hc_pack_open(pack, fd, "the pack", &err);
}

/* Write the rows, read them, and compare every value. */
static void goes_round(void)
{
    const char *const digests[] = {SHA_A};
    struct file file = make_pack(digests, 1);
    struct hc_pack *pack;
    ck_assert_int_eq(open_pack(&pack, file.bytes, file.n), HC_OK);
    const struct hc_pack_entry *entry = hc_pack_find(pack, SHA_A, &def);
    ck_assert_ptr_nonnull(entry);
    ck_assert_uint_eq(entry->n_rows, rows.n_rows);
    ck_assert_uint_eq(hc_pack_n_chunks(entry), rows.n_rows > 0);
    if (rows.n_rows) {
        const struct hc_pack_choice choice = {entry, UINT64_MAX, 0};
        ck_assert_msg(hc_pack_read(pack, &choice, &got, &read_names, &err) == HC_OK, "%s",
                      err.message);
        ck_assert_uint_eq(got.n_rows, rows.n_rows);
        for (size_t c = 0; c < N_COLUMNS; c++)
            ck_assert_msg(memcmp(got.column[c], rows.column[c],
                                 rows.n_rows * hc_type_size(columns[c].type)) == 0,
                          "column '%s' differs", columns[c].name);
    }
    hc_pack_close(pack);
    free(file.bytes);
}

/* ---- values ---- */

START_TEST(numbers_of_each_width_come_back)
{
    /* The largest difference that still fits into each width, the one above, and all there is. */
    static const int64_t differences[] = {0,          1,          254,          255,   256,
                                          65534,      65535,      65536,        70000, 4294967294,
                                          4294967295, 4294967296, INT64_MAX - 5};
    static const int64_t bases[] = {0, -7, INT64_MIN + 1, 1772323200000000000};
    rows.n_rows = 3;
    for (size_t b = 0; b < sizeof bases / sizeof *bases; b++)
        for (size_t d = 0; d < sizeof differences / sizeof *differences; d++) {
            int64_t high = 0;
            if (__builtin_add_overflow(bases[b], differences[d], &high))
                continue;
            for (int missing = 0; missing < 2; missing++) {
                hc_table_i64(&rows, TIME)[0] = bases[b];
                hc_table_i64(&rows, TIME)[1] = missing ? HC_MISSING_I64 : bases[b] + 1;
                hc_table_i64(&rows, TIME)[2] = high;
                hc_table_i32(&rows, COUNT)[0] = (int32_t)bases[b];
                hc_table_i32(&rows, COUNT)[1] = missing ? HC_MISSING_I32 : 5;
                hc_table_i32(&rows, COUNT)[2] = (int32_t)high;
                goes_round();
            }
        }
}
END_TEST

START_TEST(extremes_missing_and_odd_numbers_come_back)
{
    static const double odd[] = {
        0.0, -0.0, 1.5, 1e308, -1e-320, 0.25, __builtin_nan("7"), 1e15, 3.0, __builtin_inf()};
    rows.n_rows = 10;
    for (size_t i = 0; i < rows.n_rows; i++) {
        hc_table_i64(&rows, TIME)[i] = i % 2 ? INT64_MAX : HC_MISSING_I64;
        hc_table_i32(&rows, COUNT)[i] = i % 3 ? INT32_MAX : HC_MISSING_I32 + 1;
        hc_table_f64(&rows, SHARE)[i] = odd[i];
    }
    goes_round();
    for (size_t i = 0; i < rows.n_rows; i++) { /* all missing, all alike */
        hc_table_i64(&rows, TIME)[i] = HC_MISSING_I64;
        hc_table_i32(&rows, COUNT)[i] = HC_MISSING_I32;
        hc_table_f64(&rows, SHARE)[i] = -0.0;
    }
    goes_round();
}
END_TEST

START_TEST(whole_seconds_are_narrow)
{
    const char *const digests[] = {SHA_A};
    rows.n_rows = 300;
    for (size_t i = 0; i < rows.n_rows; i++)
        hc_table_i64(&rows, TIME)[i] = 1772323200000000000 + (int64_t)(i * 97 % 250) * 1000000000;
    goes_round();
    struct file seconds = make_pack(digests, 1);
    hc_table_i64(&rows, TIME)[7]++; /* one nanosecond: nothing divides all any more */
    struct file nanoseconds = make_pack(digests, 1);
    ck_assert_uint_eq(nanoseconds.n - seconds.n, 300 * (8 - 1));
    free(seconds.bytes);
    free(nanoseconds.bytes);
}
END_TEST

START_TEST(a_table_without_rows_is_there)
{
    rows.n_rows = 0;
    goes_round();
}
END_TEST

START_TEST(texts_come_with_their_codes)
{
    const char *const digests[] = {SHA_A, SHA_B};
    struct hc_pack *pack;
    add_text("names", "");
    add_text("names", "node-17");
    add_text("fruits", "pêche");
    rows.n_rows = 2;
    hc_table_i32(&rows, NAME)[0] = 1;
    hc_table_i32(&rows, OTHER)[1] = 0;
    hc_table_i32(&rows, FRUIT)[1] = 0;
    struct file file = make_pack(digests, 2);
    ck_assert_int_eq(open_pack(&pack, file.bytes, file.n), HC_OK);
    ck_assert_str_eq(hc_pack_about(pack), "about it");
    const struct hc_pack_choice choice = {hc_pack_find(pack, SHA_B, &def),
                                          (uint64_t)1 << OTHER | (uint64_t)1 << TIME, 0};
    memset(got.column[FRUIT], 7, 2 * sizeof(int32_t));
    ck_assert_int_eq(hc_pack_read(pack, &choice, &got, &read_names, &err), HC_OK);
    /* The dictionary of a column that is read, and no other; columns that are not read stay. */
    struct hc_text_set *set = hc_table_names_find(&read_names, "names");
    ck_assert_uint_eq(set->n, 2);
    ck_assert_str_eq(set->text[0], "");
    ck_assert_str_eq(set->text[1], "node-17");
    ck_assert_uint_eq(hc_table_names_find(&read_names, "fruits")->n, 0);
    ck_assert_int_eq(hc_table_i32(&got, FRUIT)[0], 0x07070707);
    /* The set is as any other: it is searched, and grows. */
    int32_t code = -1;
    ck_assert_int_eq(hc_text_set_find(set, "node-17", 7), 1);
    ck_assert_int_eq(hc_text_set_find(set, "node-18", 7), -1);
    ck_assert_int_eq(hc_text_set_add(set, "node-17", 7, &code, &err), HC_OK);
    ck_assert_int_eq(code, 1);
    ck_assert_int_eq(hc_text_set_add(set, "node-18", 7, &code, &err), HC_OK);
    ck_assert_int_eq(code, 2);
    ck_assert_int_eq(hc_text_set_find(set, "", 0), 0);
    hc_pack_close(pack);
    free(file.bytes);
}
END_TEST

START_TEST(a_code_without_a_text_is_refused)
{
    const char *const digests[] = {SHA_A};
    struct hc_pack *pack;
    add_text("names", "only");
    rows.n_rows = 1;
    hc_table_i32(&rows, NAME)[0] = 1;
    struct file file = make_pack(digests, 1);
    ck_assert_int_eq(open_pack(&pack, file.bytes, file.n), HC_OK);
    const struct hc_pack_choice choice = {hc_pack_find(pack, SHA_A, &def), UINT64_MAX, 0};
    ck_assert_int_eq(hc_pack_read(pack, &choice, &got, &read_names, &err), HC_BAD_INPUT);
    hc_pack_close(pack);
    free(file.bytes);
}
END_TEST

START_TEST(chunks_are_read_one_by_one)
{
    struct file file;
    struct hc_pack *pack;
    struct hc_pack_writer *writer = NULL;
    FILE *stream = open_memstream(&file.bytes, &file.n);
    ck_assert_int_eq(hc_pack_writer_open(&writer, stream, "", &err), HC_OK);
    ck_assert_int_eq(hc_pack_writer_entry(writer, SHA_A, &def, &names, &err), HC_OK);
    for (int chunk = 0; chunk < 3; chunk++) {
        rows.n_rows = chunk == 2 ? 1 : 4;
        for (size_t i = 0; i < rows.n_rows; i++)
            hc_table_i32(&rows, COUNT)[i] = chunk * 100 + (int32_t)i;
        ck_assert_int_eq(hc_pack_writer_rows(writer, &rows, &err), HC_OK);
    }
    rows.n_rows = 4; /* behind a chunk that was not full */
    ck_assert_int_eq(hc_pack_writer_rows(writer, &rows, &err), HC_INTERNAL);
    ck_assert_int_eq(hc_pack_writer_close(writer, &err), HC_OK);
    fclose(stream);
    ck_assert_int_eq(open_pack(&pack, file.bytes, file.n), HC_OK);
    const struct hc_pack_entry *entry = hc_pack_find(pack, SHA_A, &def);
    ck_assert_uint_eq(hc_pack_n_chunks(entry), 3);
    for (size_t chunk = 0; chunk < 3; chunk++) {
        const struct hc_pack_choice choice = {entry, (uint64_t)1 << COUNT, chunk};
        ck_assert_int_eq(hc_pack_read(pack, &choice, &got, NULL, &err), HC_OK);
        ck_assert_uint_eq(got.n_rows, chunk == 2 ? 1 : 4);
        ck_assert_int_eq(hc_table_i32(&got, COUNT)[0], (int)chunk * 100);
    }
    hc_pack_close(pack);
    free(file.bytes);
}
END_TEST

/* ---- which pack it is ---- */

START_TEST(a_table_with_other_columns_is_not_there)
{
    const char *const digests[] = {SHA_A};
    struct hc_column_def changed[N_COLUMNS];
    struct hc_table_def other = {"made_up", N_COLUMNS, changed, 1};
    struct hc_pack *pack;
    rows.n_rows = 1;
    struct file file = make_pack(digests, 1);
    for (int what = 0; what < 5; what++) {
        memcpy(changed, columns, sizeof changed);
        other = (struct hc_table_def){"made_up", N_COLUMNS, changed, 1};
        if (what == 0)
            changed[COUNT].name = "counts";
        else if (what == 1)
            changed[COUNT].type = HC_I64;
        else if (what == 2)
            changed[FRUIT].dictionary = "names";
        else if (what == 3)
            other.n_columns--;
        else
            other.name = "made";
        ck_assert_int_eq(open_pack(&pack, file.bytes, file.n), HC_OK);
        ck_assert_ptr_null(hc_pack_find(pack, SHA_A, &other));
        ck_assert_ptr_null(hc_pack_find(pack, SHA_B, &def));
        ck_assert_ptr_nonnull(hc_pack_find(pack, SHA_A, &def));
        hc_pack_close(pack);
    }
    free(file.bytes);
}
END_TEST

START_TEST(a_copy_is_the_same_bytes)
{
    const char *const digests[] = {SHA_B, SHA_A};
    struct file copy;
    struct hc_pack *pack;
    struct hc_pack_writer *writer = NULL;
    add_text("fruits", "fig");
    rows.n_rows = 200;
    for (size_t i = 0; i < rows.n_rows; i++)
        hc_table_i32(&rows, COUNT)[i] = (int32_t)(i * i);
    struct file file = make_pack(digests, 2);
    ck_assert_int_eq(open_pack(&pack, file.bytes, file.n), HC_OK);
    FILE *stream = open_memstream(&copy.bytes, &copy.n);
    ck_assert_int_eq(hc_pack_writer_open(&writer, stream, "about it", &err), HC_OK);
    for (size_t i = 0; i < 2; i++)
        ck_assert_int_eq(
            hc_pack_writer_copy(writer, pack, hc_pack_find(pack, digests[i], &def), &def, &err),
            HC_OK);
    ck_assert_int_eq(hc_pack_writer_close(writer, &err), HC_OK);
    fclose(stream);
    ck_assert_uint_eq(copy.n, file.n);
    ck_assert_int_eq(memcmp(copy.bytes, file.bytes, file.n), 0);
    hc_pack_close(pack);
    free(copy.bytes);
    free(file.bytes);
}
END_TEST

/* ---- damage ---- */

static struct file small_pack(void)
{
    const char *const digests[] = {SHA_A, SHA_B};
    add_text("names", "n1");
    add_text("fruits", "fig");
    rows.n_rows = 5;
    for (size_t i = 0; i < rows.n_rows; i++)
        hc_table_i64(&rows, TIME)[i] = (int64_t)(i * 1234567);
    hc_table_i32(&rows, NAME)[0] = 0;
    return make_pack(digests, 2);
}

START_TEST(a_torn_pack_is_refused)
{
    struct file file = small_pack();
    struct hc_pack *pack;
    for (size_t n = 0; n < file.n; n++) {
        ck_assert_msg(open_pack(&pack, file.bytes, n) == HC_BAD_INPUT, "%zu of %zu bytes", n,
                      file.n);
        ck_assert_str_ne(err.message, "");
    }
    free(file.bytes);
}
END_TEST

START_TEST(each_flipped_bit_is_seen)
{
    struct file file = small_pack();
    for (size_t bit = 0; bit < 8 * file.n; bit++) {
        struct hc_pack *pack;
        file.bytes[bit / 8] ^= (char)(1 << bit % 8);
        enum hc_status opened = open_pack(&pack, file.bytes, file.n);
        ck_assert_msg(opened == HC_BAD_INPUT || hc_pack_verify(pack, &err) == HC_BAD_INPUT,
                      "bit %zu of byte %zu", bit % 8, bit / 8);
        hc_pack_close(pack);
        file.bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    free(file.bytes);
}
END_TEST

START_TEST(another_version_says_so)
{
    struct file file = small_pack();
    struct hc_pack *pack;
    file.bytes[7] = HC_PACK_VERSION + 1;
    ck_assert_int_eq(open_pack(&pack, file.bytes, file.n), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "version 2"));
    free(file.bytes);
}
END_TEST

/* ---- the sum ---- */

/* As xxhsum -H1 prints them. */
START_TEST(the_sum_is_xxh64)
{
    ck_assert_uint_eq(hc_block_sum("", 0), 0xEF46DB3751D8E999U);
    ck_assert_uint_eq(hc_block_sum("a", 1), 0xD24EC4F1A98C6E5BU);
    ck_assert_uint_eq(hc_block_sum("abc", 3), 0x44BC2CF5AD770999U);
}
END_TEST

START_TEST(a_set_is_filled_from_whole_texts_only)
{
    static const char good[] = "\2\0\0\0ab\0\0\0\0\0";
    static const struct {
        const char *bytes;
        size_t length, n;
    } bad[] = {
        {good, 11, 2},                  /* a byte short of the second */
        {good, 12, 1},                  /* another behind the last */
        {good, 12, 3},                  /* one too many */
        {"\2\0\0\0abc", 7, 1},          /* no end */
        {"\2\0\0\0a\0\0", 7, 1},        /* an end within */
        {"\377\377\377\377ab\0", 7, 1}, /* longer than all */
        {"", 1, 0},
    };
    struct hc_text_set set = {0};
    ck_assert_int_eq(hc_text_set_fill(&set, good, 12, 2, &err), HC_OK);
    ck_assert_uint_eq(set.n, 2);
    ck_assert_uint_eq(hc_text_set_length(&set, 0), 2);
    hc_text_set_fini(&set);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_msg(hc_text_set_fill(&set, bad[i].bytes, bad[i].length, bad[i].n, &err) ==
                          HC_BAD_INPUT,
                      "%zu", i);
        hc_text_set_fini(&set);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pack");
    TCase *tcase = tcase_create("pack");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, numbers_of_each_width_come_back);
    tcase_add_test(tcase, extremes_missing_and_odd_numbers_come_back);
    tcase_add_test(tcase, whole_seconds_are_narrow);
    tcase_add_test(tcase, a_table_without_rows_is_there);
    tcase_add_test(tcase, texts_come_with_their_codes);
    tcase_add_test(tcase, a_code_without_a_text_is_refused);
    tcase_add_test(tcase, chunks_are_read_one_by_one);
    tcase_add_test(tcase, a_table_with_other_columns_is_not_there);
    tcase_add_test(tcase, a_copy_is_the_same_bytes);
    tcase_add_test(tcase, a_torn_pack_is_refused);
    tcase_add_test(tcase, each_flipped_bit_is_seen);
    tcase_add_test(tcase, another_version_says_so);
    tcase_add_test(tcase, the_sum_is_xxh64);
    tcase_add_test(tcase, a_set_is_filled_from_whole_texts_only);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed > 0;
}
