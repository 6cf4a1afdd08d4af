/* The encodings of values, against bytes by hand and a bitwise writer, and the page codecs. */
#include "tests/support/parquet_maker.h"

#include "parsers/parquet/parquet_bytes.h"
#include "parsers/parquet/parquet_codec.h"
#include "parsers/parquet/parquet_convert.h"
#include "parsers/parquet/parquet_delta.h"
#include "parsers/parquet/parquet_rle.h"
#include "parsers/parquet/parquet_text.h"
#include "parsers/steps/step_rows.h"

#include <check.h>
#include <stdio.h>

static struct hc_error err;
static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Bytes with slack that is not zero, freshly allocated so that a sanitizer sees what lies beyond.
 */
static uint8_t *with_slack(const struct mk *mk)
{
    uint8_t *copy = malloc(mk->n + HC_PARQUET_SLACK);
    if (!copy)
        abort();
    if (mk->n)
        memcpy(copy, mk->p, mk->n);
    memset(copy + mk->n, 0xa5, HC_PARQUET_SLACK);
    return copy;
}

/* Random runs of width bits: 1 to 40 repeated values, or 1 to 5 groups of 8. Returns their number.
 */
static size_t make_runs(struct mk *out, uint32_t *values, size_t room, unsigned width)
{
    const uint64_t mask = ((uint64_t)1 << width) - 1;
    size_t n = 0;
    while (n + 40 <= room) {
        if (next_random() % 2) {
            size_t length = 1 + next_random() % 40;
            uint32_t value = (uint32_t)(next_random() & mask);
            mk_varint(out, length << 1);
            for (unsigned b = 0; b < (width + 7) / 8; b++)
                mk_byte(out, value >> 8 * b);
            while (length-- > 0)
                values[n++] = value;
        } else {
            uint64_t packed[40];
            size_t groups = 1 + next_random() % 5;
            mk_varint(out, groups << 1 | 1);
            for (size_t i = 0; i < groups * 8; i++)
                values[n++] = (uint32_t)(packed[i] = next_random() & mask);
            mk_bits(out, packed, groups * 8, width);
        }
    }
    return n;
}

START_TEST(rle_all_widths_any_steps)
{
    unsigned width = (unsigned)_i;
    for (int round = 0; round < 20; round++) {
        struct mk mk = {0};
        uint32_t expected[1000], got[1000];
        size_t n = make_runs(&mk, expected, 1000, width);
        uint8_t *bytes = with_slack(&mk);
        struct hc_rle rle;
        ck_assert_int_eq(hc_rle_init(&rle, bytes, bytes + mk.n, width, &err), HC_OK);
        for (size_t done = 0; done < n;) {
            size_t step = 1 + next_random() % 100;
            step = step < n - done ? step : n - done;
            ck_assert_int_eq(hc_rle_read(&rle, step, got + done, &err), HC_OK);
            done += step;
        }
        ck_assert_mem_eq(got, expected, n * sizeof *got);
        ck_assert_int_eq(hc_rle_finish(&rle, &err), HC_OK);
        if (width > 0)
            ck_assert_int_eq(hc_rle_read(&rle, 1, got, &err), HC_BAD_INPUT);
        free(bytes);
        free(mk.p);
    }
}
END_TEST

START_TEST(rle_known_bytes)
{
    /* the example of the format's description: 0 to 7 in three bits */
    const uint8_t packed[4 + HC_PARQUET_SLACK] = {0x03, 0x88, 0xc6, 0xfa};
    uint32_t got[8];
    struct hc_rle rle;
    ck_assert_int_eq(hc_rle_init(&rle, packed, packed + 4, 3, &err), HC_OK);
    ck_assert_int_eq(hc_rle_read(&rle, 5, got, &err), HC_OK);
    ck_assert_int_eq(hc_rle_finish(&rle, &err), HC_OK); /* three are padding */
    ck_assert_int_eq(hc_rle_read(&rle, 3, got + 5, &err), HC_OK);
    for (uint32_t i = 0; i < 8; i++)
        ck_assert_uint_eq(got[i], i);
    /* two bytes of three: five whole values, the rest was padding that the writer cut */
    ck_assert_int_eq(hc_rle_init(&rle, packed, packed + 3, 3, &err), HC_OK);
    ck_assert_int_eq(hc_rle_read(&rle, 5, got, &err), HC_OK);
    ck_assert_uint_eq(got[4], 4);
    ck_assert_int_eq(hc_rle_finish(&rle, &err), HC_OK);
    ck_assert_int_eq(hc_rle_read(&rle, 1, got, &err), HC_BAD_INPUT);
}
END_TEST

START_TEST(rle_take_and_damage)
{
    const uint8_t ones[2 + HC_PARQUET_SLACK] = {200, 1, 1}; /* a run of 100 ones */
    uint32_t got[128];
    struct hc_rle rle;
    ck_assert_int_eq(hc_rle_init(&rle, ones, ones + 3, 1, &err), HC_OK);
    ck_assert(!hc_rle_take(&rle, 10, 0));
    ck_assert(hc_rle_take(&rle, 60, 1));
    ck_assert(!hc_rle_take(&rle, 41, 1));
    ck_assert_int_eq(hc_rle_finish(&rle, &err), HC_BAD_INPUT); /* 40 are left */
    ck_assert(hc_rle_take(&rle, 40, 1));
    ck_assert_int_eq(hc_rle_finish(&rle, &err), HC_OK);
    /* a run of none, a value wider than its width, a cut run, a run of 2^62 values */
    const struct {
        const char *bytes;
        size_t n;
        unsigned width;
    } bad[] = {{"\x00\x01", 2, 1},
               {"\x10\x02", 2, 1},
               {"\x10", 1, 9},
               {"\x09\xff", 2, 3},
               {"\x03\x88\xc6", 2, 3},
               {"\x01", 1, 1},
               {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, 32}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct mk mk = {(uint8_t *)bad[i].bytes, bad[i].n, 0};
        uint8_t *bytes = with_slack(&mk);
        ck_assert_int_eq(hc_rle_init(&rle, bytes, bytes + mk.n, bad[i].width, &err), HC_OK);
        ck_assert(!hc_rle_take(&rle, 8, 1)); /* and after it the damage is still seen */
        ck_assert_msg(hc_rle_read(&rle, 8, got, &err) == HC_BAD_INPUT, "case %zu", i);
        free(bytes);
    }
    ck_assert_int_eq(hc_rle_init(&rle, ones, ones + 3, 33, &err), HC_BAD_INPUT);
    ck_assert_int_eq(hc_rle_init(&rle, ones, ones + 3, 1, &err), HC_OK);
    ck_assert_int_eq(hc_rle_finish(&rle, &err), HC_BAD_INPUT); /* nothing was read */
}
END_TEST

/* A delta writer: blocks of 128 in four miniblocks, every width at least `least` bits. */
static void make_delta(struct mk *out, const int64_t *values, size_t n, unsigned least)
{
    mk_varint(out, 128);
    mk_varint(out, 4);
    mk_varint(out, n);
    mk_zigzag(out, n ? values[0] : 0);
    for (size_t at = 1; at < n; at += 128) {
        size_t length = n - at < 128 ? n - at : 128;
        int64_t min_delta = INT64_MAX;
        for (size_t i = at; i < at + length; i++) {
            int64_t delta = (int64_t)((uint64_t)values[i] - (uint64_t)values[i - 1]);
            min_delta = delta < min_delta ? delta : min_delta;
        }
        mk_zigzag(out, min_delta);
        size_t widths = out->n;
        mk_put(out, "\0\0\0\0", 4);
        for (size_t mini = 0; mini * 32 < length; mini++) {
            uint64_t packed[32] = {0}, all = 0;
            for (size_t i = 0; i < 32 && mini * 32 + i < length; i++) {
                const int64_t *value = values + at + mini * 32 + i;
                packed[i] = (uint64_t)value[0] - (uint64_t)value[-1] - (uint64_t)min_delta;
                all |= packed[i];
            }
            unsigned width = all ? 64 - (unsigned)__builtin_clzll(all) : 0;
            width = width < least ? least : width;
            out->p[widths + mini] = (uint8_t)width;
            mk_bits(out, packed, 32, width);
        }
    }
}

START_TEST(delta_all_widths_any_steps)
{
    unsigned bits = (unsigned)_i;
    int64_t expected[700], got[700];
    size_t n = next_random() % 700;
    for (size_t i = 0; i < n; i++)
        expected[i] = bits ? (int64_t)(next_random() >> (64 - bits)) : 42;
    struct mk mk = {0};
    make_delta(&mk, expected, n, 0);
    uint8_t *bytes = with_slack(&mk);
    const uint8_t *end = NULL;
    struct hc_delta delta;
    ck_assert_int_eq(hc_delta_init(&delta, bytes, bytes + mk.n, &err), HC_OK);
    ck_assert_int_eq(hc_delta_end(&delta, &end, &err), HC_OK);
    ck_assert_ptr_eq(end, bytes + mk.n);
    for (size_t done = 0; done < n;) {
        size_t step = 1 + next_random() % 100;
        step = step < n - done ? step : n - done;
        ck_assert_int_eq(hc_delta_read(&delta, step, got + done, &err), HC_OK);
        done += step;
    }
    ck_assert_mem_eq(got, expected, n * sizeof *got);
    ck_assert_int_eq(hc_delta_finish(&delta, &err), HC_OK);
    ck_assert_int_eq(hc_delta_read(&delta, 1, got, &err), HC_BAD_INPUT);
    free(bytes);
    free(mk.p);
}
END_TEST

START_TEST(delta_known_bytes_and_damage)
{
    /* 7 5 3 1 2 3 4 5: first 7, least delta -2, then 0 0 0 3 3 3 3 in two bits (format's example)
     */
    struct mk mk = {0};
    mk_put(&mk, "\x80\x01\x04\x08\x0e\x03\x02\x00\x00\x00\xc0\x3f\0\0\0\0\0\0", 18);
    uint8_t *bytes = with_slack(&mk);
    int64_t got[8];
    const int64_t expected[8] = {7, 5, 3, 1, 2, 3, 4, 5};
    struct hc_delta delta;
    ck_assert_int_eq(hc_delta_init(&delta, bytes, bytes + mk.n, &err), HC_OK);
    ck_assert_int_eq(hc_delta_read(&delta, 8, got, &err), HC_OK);
    ck_assert_mem_eq(got, expected, sizeof got);
    ck_assert_int_eq(hc_delta_finish(&delta, &err), HC_OK);
    for (size_t n = 0; n < mk.n; n++) { /* any cut is seen */
        bool whole = hc_delta_init(&delta, bytes, bytes + n, &err) == HC_OK &&
                     hc_delta_read(&delta, 8, got, &err) == HC_OK;
        ck_assert_msg(!whole, "cut at %zu", n);
    }
    ck_assert_int_eq(hc_delta_init(&delta, bytes, bytes + mk.n, &err), HC_OK);
    ck_assert_int_eq(hc_delta_read(&delta, 7, got, &err), HC_OK);
    ck_assert_int_eq(hc_delta_finish(&delta, &err), HC_BAD_INPUT);
    bytes[6] = 65; /* bits a value */
    ck_assert_int_eq(hc_delta_init(&delta, bytes, bytes + mk.n, &err), HC_OK);
    ck_assert_int_eq(hc_delta_read(&delta, 8, got, &err), HC_BAD_INPUT);
    bytes[2] = 0; /* miniblocks */
    ck_assert_int_eq(hc_delta_init(&delta, bytes, bytes + mk.n, &err), HC_BAD_INPUT);
    bytes[2] = 8; /* of 16 values */
    ck_assert_int_eq(hc_delta_init(&delta, bytes, bytes + mk.n, &err), HC_BAD_INPUT);
    free(bytes);
    free(mk.p);
}
END_TEST

static const char *const words[] = {"gc", "forward-send", "forward-recv", "", "forward-recv"};
enum { N_WORDS = 5 };

static void expect_words(const struct mk *mk, int encoding)
{
    uint8_t *bytes = with_slack(mk);
    struct hc_parquet_text text = {0};
    struct hc_parquet_name name;
    ck_assert_int_eq(hc_parquet_text_init(&text, encoding, bytes, bytes + mk->n, &err), HC_OK);
    for (int i = 0; i < N_WORDS; i++) {
        ck_assert_int_eq(hc_parquet_text_next(&text, &name, &err), HC_OK);
        ck_assert_uint_eq(name.length, strlen(words[i]));
        ck_assert_mem_eq(name.data, words[i], name.length);
    }
    ck_assert_int_eq(hc_parquet_text_finish(&text, &err), HC_OK);
    ck_assert_int_eq(hc_parquet_text_next(&text, &name, &err), HC_BAD_INPUT);
    for (size_t n = 0; n < mk->n; n++) { /* no cut gives all words */
        int i = 0;
        if (hc_parquet_text_init(&text, encoding, bytes, bytes + n, &err) == HC_OK)
            while (i < N_WORDS && hc_parquet_text_next(&text, &name, &err) == HC_OK)
                i++;
        ck_assert_msg(i < N_WORDS, "encoding %d cut at %zu", encoding, n);
    }
    hc_parquet_text_fini(&text);
    free(bytes);
}

START_TEST(texts)
{
    struct mk plain = {0}, lengths = {0}, shared = {0};
    int64_t length[N_WORDS], prefix[N_WORDS] = {0}, suffix[N_WORDS];
    for (int i = 0; i < N_WORDS; i++) {
        mk_plain_text(&plain, words[i]);
        length[i] = (int64_t)strlen(words[i]);
        while (i > 0 && words[i][prefix[i]] && words[i][prefix[i]] == words[i - 1][prefix[i]])
            prefix[i]++;
        suffix[i] = length[i] - prefix[i];
    }
    make_delta(&lengths, length, N_WORDS, 0);
    make_delta(&shared, prefix, N_WORDS, 0);
    make_delta(&shared, suffix, N_WORDS, 0);
    for (int i = 0; i < N_WORDS; i++) {
        mk_put(&lengths, words[i], strlen(words[i]));
        mk_put(&shared, words[i] + prefix[i], (size_t)suffix[i]);
    }
    expect_words(&plain, HC_PARQUET_PLAIN);
    expect_words(&lengths, HC_PARQUET_DELTA_LENGTH_BYTE_ARRAY);
    expect_words(&shared, HC_PARQUET_DELTA_BYTE_ARRAY);
    free(plain.p);
    free(lengths.p);
    free(shared.p);
}
END_TEST

START_TEST(texts_with_impossible_lengths)
{
    struct hc_parquet_text text = {0};
    struct hc_parquet_name name;
    const int64_t negative[] = {-1}, long_prefix[] = {1}, one[] = {1};
    struct mk mk = {0};
    make_delta(&mk, negative, 1, 0);
    mk_put(&mk, "abc", 3);
    uint8_t *bytes = with_slack(&mk);
    ck_assert_int_eq(
        hc_parquet_text_init(&text, HC_PARQUET_DELTA_LENGTH_BYTE_ARRAY, bytes, bytes + mk.n, &err),
        HC_OK);
    ck_assert_int_eq(hc_parquet_text_next(&text, &name, &err), HC_BAD_INPUT);
    free(bytes);
    mk.n = 0;
    make_delta(&mk, long_prefix, 1, 0); /* of a word that has no predecessor */
    make_delta(&mk, one, 1, 0);
    mk_put(&mk, "a", 1);
    bytes = with_slack(&mk);
    ck_assert_int_eq(
        hc_parquet_text_init(&text, HC_PARQUET_DELTA_BYTE_ARRAY, bytes, bytes + mk.n, &err), HC_OK);
    ck_assert_int_eq(hc_parquet_text_next(&text, &name, &err), HC_BAD_INPUT);
    hc_parquet_text_fini(&text);
    free(bytes);
    free(mk.p);
}
END_TEST

START_TEST(float_seconds_round_as_all_seconds_do)
{
    for (int i = 0; i < 2000000; i++) {
        uint32_t bits = (uint32_t)next_random();
        if (i % 2) /* of the magnitude that traces have */
            bits = (bits & 0x80ffffff) | (uint32_t)(110 + i % 25) << 23;
        float seconds;
        memcpy(&seconds, &bits, 4);
        int64_t got = 0, expected = 0;
        hc_parquet_convert_plain(HC_PARQUET_FROM_F32_SECONDS, (const uint8_t *)&bits, 1, &got);
        enum hc_time_flag flag = hc_seconds_to_ns(seconds, &expected);
        if (flag != HC_TIME_OK)
            expected =
                flag == HC_TIME_OUT_OF_RANGE ? HC_PARQUET_OUT_OF_RANGE : HC_PARQUET_NOT_FINITE;
        if (got != expected) /* an assertion each would take longer than what it looks at */
            ck_abort_msg("%a: %lld, not %lld", seconds, (long long)got, (long long)expected);
    }
    /* 2^-10 s is 976562.5 ns: halves go away from zero */
    static const float seconds[] = {0x1p-10f, -0x1p-10f, 0x1.8p-9f, 9.3e9f, -0.0f};
    static const int64_t ns[] = {976563, -976563, 2929688, HC_PARQUET_OUT_OF_RANGE, 0};
    int64_t got[5];
    hc_parquet_convert_plain(HC_PARQUET_FROM_F32_SECONDS, (const uint8_t *)seconds, 5, got);
    ck_assert_mem_eq(got, ns, sizeof got);
}
END_TEST

static const int codecs[] = {MK_PLAIN_CODEC, MK_SNAPPY, MK_GZIP, MK_ZSTD};

START_TEST(codecs_give_exactly_what_was_there)
{
    int codec = codecs[_i];
    struct hc_parquet_buffer buffer = {0};
    for (size_t n = 1; n < 3000000; n = n * 7 + 3) {
        struct mk in = {0}, packed = {0};
        for (size_t i = 0; i < n; i++) /* of large inputs most is alike: zstd's growing output */
            mk_byte(&in, i < 1000 ? (unsigned)next_random() : 7);
        mk_compress(&packed, codec, in.p, n);
        ck_assert_int_eq(hc_parquet_decompress(codec, packed.p, packed.n, &buffer, 5, n, &err),
                         HC_OK);
        ck_assert_mem_eq(buffer.data + 5, in.p, n);
        ck_assert_int_eq(hc_parquet_decompress(codec, packed.p, packed.n, &buffer, 0, n + 1, &err),
                         HC_BAD_INPUT);
        ck_assert_int_eq(hc_parquet_decompress(codec, packed.p, packed.n, &buffer, 0, n - 1, &err),
                         HC_BAD_INPUT);
        ck_assert_int_eq(hc_parquet_decompress(codec, packed.p, packed.n - 1, &buffer, 0, n, &err),
                         HC_BAD_INPUT);
        free(in.p);
        free(packed.p);
    }
    free(buffer.data);
}
END_TEST

START_TEST(a_lying_size_is_not_allocated)
{
    int codec = codecs[_i];
    struct hc_parquet_buffer buffer = {0};
    struct mk packed = {0};
    mk_compress(&packed, codec, (const uint8_t *)"hindcast", 8);
    ck_assert_int_eq(
        hc_parquet_decompress(codec, packed.p, packed.n, &buffer, 0, (size_t)1 << 30, &err),
        HC_BAD_INPUT);
    ck_assert_uint_lt(buffer.capacity, 100000);
    free(packed.p);
    free(buffer.data);
}
END_TEST

START_TEST(several_members_make_one_page)
{
    for (int i = 2; i < 4; i++) { /* gzip, zstd */
        struct mk packed = {0};
        struct hc_parquet_buffer buffer = {0};
        mk_compress(&packed, codecs[i], (const uint8_t *)"hind", 4);
        mk_compress(&packed, codecs[i], (const uint8_t *)"cast", 4);
        ck_assert_int_eq(hc_parquet_decompress(codecs[i], packed.p, packed.n, &buffer, 0, 8, &err),
                         HC_OK);
        ck_assert_mem_eq(buffer.data, "hindcast", 8);
        free(packed.p);
        free(buffer.data);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("parquet_encodings");
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, rle_all_widths_any_steps, 0, 33);
    tcase_add_test(tests, rle_known_bytes);
    tcase_add_test(tests, rle_take_and_damage);
    tcase_add_loop_test(tests, delta_all_widths_any_steps, 0, 65);
    tcase_add_test(tests, delta_known_bytes_and_damage);
    tcase_add_test(tests, texts);
    tcase_add_test(tests, texts_with_impossible_lengths);
    tcase_add_test(tests, float_seconds_round_as_all_seconds_do);
    tcase_add_loop_test(tests, codecs_give_exactly_what_was_there, 0, 4);
    tcase_add_loop_test(tests, a_lying_size_is_not_allocated, 0, 4);
    tcase_add_test(tests, several_members_make_one_page);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
