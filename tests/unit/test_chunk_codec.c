/* The bytes of a chunk: the shuffle, the checksum and the deflate stream. */
#include "store/codec/chunk_codec.h"
#include "store/codec/fletcher32.h"
#include "store/codec/shuffle.h"
#include "tests/support/store_fixture.h"

#include <libdeflate.h>

static uint64_t seed;

/* The checksum as its definition has it. */
static uint32_t slow_fletcher32(const uint8_t *bytes, size_t length)
{
    uint64_t sum1 = 0, sum2 = 0;
    for (size_t i = 0; i < length; i += 2) {
        sum1 += (uint64_t)bytes[i] << 8 | (i + 1 < length ? bytes[i + 1] : 0);
        sum1 = sum1 > 0xffff ? sum1 - 0xffff : sum1;
        sum2 += sum1;
        sum2 = sum2 > 0xffff ? sum2 - 0xffff : sum2;
    }
    return (uint32_t)(sum2 << 16 | sum1);
}

/* Kinds of content: constant, one odd byte, periods, runs, ids, floats as ns, noise. */
#define N_KINDS 7

static void make_values(uint8_t *bytes, size_t length, int kind)
{
    uint8_t value = (uint8_t)next_random(&seed);
    size_t period = 1 + next_random(&seed) % 300, run = 0;
    memset(bytes, value, length);
    for (size_t i = 0; i < length && kind > 0; i++) {
        if (kind == 1)
            bytes[i] = i == length / 2 ? (uint8_t)~value : value;
        else if (kind == 2)
            bytes[i] = i < period ? (uint8_t)next_random(&seed) : bytes[i - period];
        else if (kind == 3 && run-- == 0)
            run = next_random(&seed) % 700, value = (uint8_t)next_random(&seed);
        else if (kind == 3)
            bytes[i] = value;
        else if (kind == 4)
            bytes[i] = i % 4 ? 0 : (uint8_t)(i / 4 / period);
        else if (kind == 5)
            bytes[i] = i % 8 < 4 ? (uint8_t)(next_random(&seed) & 0x3f) : (uint8_t)(i / 20000);
        else if (kind == 6)
            bytes[i] = (uint8_t)next_random(&seed);
    }
}

START_TEST(fletcher_is_as_defined)
{
    uint8_t bytes[5000];
    for (int kind = 0; kind < N_KINDS; kind++)
        for (size_t length = 0; length < sizeof bytes; length += 1 + length / 7) {
            make_values(bytes, length, kind);
            ck_assert_uint_eq(hc_fletcher32(bytes, length), slow_fletcher32(bytes, length));
        }
    memset(bytes, 0xff, sizeof bytes);
    ck_assert_uint_eq(hc_fletcher32(bytes, 4998), slow_fletcher32(bytes, 4998));
    memset(bytes, 0, sizeof bytes);
    ck_assert_uint_eq(hc_fletcher32(bytes, 4998), 0);
}
END_TEST

START_TEST(shuffle_is_planes_and_back)
{
    static const size_t sizes[] = {1, 2, 3, 4, 7, 8, 16};
    uint8_t values[16 * 300], planes[16 * 300], back[16 * 300];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t n = 1; n < 300; n += 1 + n / 9) {
            size_t size = sizes[s];
            make_values(values, n * size, 6);
            hc_shuffle(values, n, size, planes);
            for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < size; k++)
                    ck_assert_uint_eq(planes[k * n + i], values[i * size + k]);
            hc_unshuffle(planes, n, size, back);
            ck_assert_mem_eq(back, values, n * size);
        }
}
END_TEST

static void round_trip(struct hc_codec_pool *writing, struct hc_codec_pool *reading, size_t n,
                       size_t size, int kind)
{
    size_t bound = hc_chunk_bound(n, size);
    uint8_t *values = malloc(n * size), *back = malloc(n * size), *stored = malloc(bound);
    make_values(values, n * size, kind);
    ASSERT_OK(hc_codec_pool_reserve(writing, n * size, &err));
    ASSERT_OK(hc_codec_pool_reserve(reading, n * size, &err));
    size_t used = hc_chunk_encode(hc_codec_pool_mine(writing), values, n, size, stored);
    ck_assert_uint_le(used, bound);
    /* The stored bytes alone decide: in a block of their own size, reading past them shows. */
    stored = realloc(stored, used);
    ck_assert_int_eq(hc_chunk_decode(hc_codec_pool_mine(reading), stored, used, back, n, size),
                     HC_CHUNK_WHOLE);
    ck_assert_mem_eq(back, values, n * size);
    size_t at = next_random(&seed) % used;
    stored[at] ^= (uint8_t)(1 << next_random(&seed) % 8);
    ck_assert_int_ne(hc_chunk_decode(hc_codec_pool_mine(reading), stored, used, back, n, size),
                     HC_CHUNK_WHOLE);
    free(values);
    free(back);
    free(stored);
}

START_TEST(chunks_round_trip)
{
    struct hc_codec_pool writing = {.writing = true}, reading = {0};
    static const size_t lengths[] = {1,    2,     3,     4,     5,      13,     100,    258,
                                     1000, 16384, 65535, 65536, 131072, 131073, 262144, 300001};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int kind = 0; kind < N_KINDS; kind++) {
            round_trip(&writing, &reading, lengths[i], 4, kind);
            round_trip(&writing, &reading, lengths[i], 8, kind);
            if (lengths[i] <= 1000)
                round_trip(&writing, &reading, lengths[i], 11, kind);
        }
    hc_codec_pool_fini(&writing);
    hc_codec_pool_fini(&reading);
}
END_TEST

/* Blocks of planes of one value are kept, and begin at any bit. */
START_TEST(constant_planes_round_trip)
{
    struct hc_codec_pool writing = {.writing = true}, reading = {0};
    static uint8_t values[4 * 70000], back[4 * 70000], stored[4 * 70000 + 1000];
    ASSERT_OK(hc_codec_pool_reserve(&writing, sizeof values, &err));
    ASSERT_OK(hc_codec_pool_reserve(&reading, sizeof values, &err));
    for (size_t n = 1; n < 70000; n += n < 600 ? 1 : n / 5)
        for (int turn = 0; turn < (n < 600 ? 40 : 4); turn++) {
            uint8_t bytes[4];
            for (int k = 0; k < 4; k++)
                bytes[k] = (uint8_t)next_random(&seed);
            for (size_t i = 0; i < n; i++)
                memcpy(values + 4 * i, bytes, 4);
            for (size_t i = 0; i < n && turn % 2; i++)
                values[4 * i + 1] = (uint8_t)(next_random(&seed) % 5);
            size_t used = hc_chunk_encode(&writing.codecs[0], values, n, 4, stored);
            ck_assert_uint_le(used, hc_chunk_bound(n, 4));
            ck_assert_int_eq(hc_chunk_decode(&reading.codecs[0], stored, used, back, n, 4),
                             HC_CHUNK_WHOLE);
            ck_assert_mem_eq(back, values, 4 * n);
        }
    hc_codec_pool_fini(&writing);
    hc_codec_pool_fini(&reading);
}
END_TEST

/* What a codec encoded before changes nothing: which thread has which columns is chance. */
START_TEST(encoding_has_no_memory)
{
    struct hc_codec_pool used = {.writing = true};
    static uint8_t values[4 * 3000], first[4 * 3000 + 1000], second[4 * 3000 + 1000];
    ASSERT_OK(hc_codec_pool_reserve(&used, sizeof values, &err));
    for (int turn = 0; turn < 300; turn++) {
        struct hc_codec_pool fresh = {.writing = true};
        size_t n = 1 + next_random(&seed) % 3000;
        make_values(values, 4 * n, (int)(next_random(&seed) % N_KINDS));
        ASSERT_OK(hc_codec_pool_reserve(&fresh, sizeof values, &err));
        size_t size = hc_chunk_encode(&used.codecs[0], values, n, 4, first);
        ck_assert_uint_eq(hc_chunk_encode(&fresh.codecs[0], values, n, 4, second), size);
        ck_assert_mem_eq(first, second, size);
        hc_codec_pool_fini(&fresh);
    }
    hc_codec_pool_fini(&used);
}
END_TEST

START_TEST(compressible_chunks_are_small)
{
    struct hc_codec_pool pool = {.writing = true};
    size_t n = 262144;
    uint8_t *values = calloc(n, 4), *stored = malloc(hc_chunk_bound(n, 4));
    ASSERT_OK(hc_codec_pool_reserve(&pool, n * 4, &err));
    size_t zeros = hc_chunk_encode(hc_codec_pool_mine(&pool), values, n, 4, stored);
    ck_assert_uint_lt(zeros, 2500);
    make_values(values, n * 4, 6);
    size_t noise = hc_chunk_encode(hc_codec_pool_mine(&pool), values, n, 4, stored);
    ck_assert_uint_lt(noise, n * 4 + n * 4 / 1000);
    free(values);
    free(stored);
    hc_codec_pool_fini(&pool);
}
END_TEST

START_TEST(decoding_checks_length)
{
    struct hc_codec_pool writing = {.writing = true}, reading = {0};
    int32_t values[100] = {1, 2, 3}, back[100];
    uint8_t stored[2000];
    ASSERT_OK(hc_codec_pool_reserve(&writing, sizeof values, &err));
    ASSERT_OK(hc_codec_pool_reserve(&reading, sizeof values, &err));
    struct hc_chunk_codec *codec = hc_codec_pool_mine(&reading);
    size_t used = hc_chunk_encode(hc_codec_pool_mine(&writing), values, 99, 4, stored);
    ck_assert_int_eq(hc_chunk_decode(codec, stored, used, back, 100, 4), HC_CHUNK_LENGTH);
    used = hc_chunk_encode(hc_codec_pool_mine(&writing), values, 100, 4, stored);
    ck_assert_int_eq(hc_chunk_decode(codec, stored, used, back, 99, 4), HC_CHUNK_LENGTH);
    ck_assert_int_eq(hc_chunk_decode(codec, stored, 3, back, 100, 4), HC_CHUNK_SHORT);
    ck_assert_int_eq(hc_chunk_decode(codec, stored, used - 1, back, 100, 4), HC_CHUNK_CHECKSUM);
    hc_codec_pool_fini(&writing);
    hc_codec_pool_fini(&reading);
}
END_TEST

int main(void)
{
    seed = 20251121;
    Suite *suite = suite_create("chunk_codec");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, fletcher_is_as_defined);
    tcase_add_test(tests, shuffle_is_planes_and_back);
    tcase_add_test(tests, chunks_round_trip);
    tcase_add_test(tests, constant_planes_round_trip);
    tcase_add_test(tests, encoding_has_no_memory);
    tcase_add_test(tests, compressible_chunks_are_small);
    tcase_add_test(tests, decoding_checks_length);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
