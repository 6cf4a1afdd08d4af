/* target.h - what fuzz targets share: a check that stays in every build, and typed values taken
 * from the bytes of the input. */
#ifndef HC_TESTS_FUZZ_TARGET_H
#define HC_TESTS_FUZZ_TARGET_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As assert, in every build. */
#define require(condition) ((condition) ? (void)0 : require_failed(__FILE__, __LINE__, #condition))

static inline _Noreturn void require_failed(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    abort();
}

/* The input as a sequence of values; behind its end all of them are zero or empty. */
struct fuzz_input {
    const uint8_t *at, *end;
};

static inline uint8_t fuzz_byte(struct fuzz_input *input)
{
    return input->at < input->end ? *input->at++ : 0;
}

/* A copy of the bytes up to the next NUL (which is taken, too) or the end, at most most of them,
 * for the caller to free. An own block, so that reads behind it are seen. */
static inline char *fuzz_text(struct fuzz_input *input, size_t most)
{
    size_t length = 0, left = (size_t)(input->end - input->at);
    while (length < left && length < most && input->at[length])
        length++;
    char *text = malloc(length + 1);
    require(text);
    memcpy(text, input->at, length);
    text[length] = '\0';
    input->at += length + (length < left && !input->at[length]);
    return text;
}

/* Numbers are what is hard for who prints them: a byte chooses a special one, or the bits of any.
 */
static inline int64_t fuzz_i64(struct fuzz_input *input)
{
    static const int64_t special[] = {0,         1,         -1,        INT32_MIN, INT32_MAX,
                                      INT64_MIN, INT64_MAX, 999999999, 1000000000};
    uint8_t kind = fuzz_byte(input);
    if (kind < sizeof special / sizeof *special)
        return special[kind];
    uint64_t bits = 0;
    for (int i = 0; i < 1 + kind % 8; i++)
        bits = bits << 8 | fuzz_byte(input);
    return (int64_t)bits;
}

static inline int32_t fuzz_i32(struct fuzz_input *input)
{
    return (int32_t)fuzz_i64(input);
}

static inline double fuzz_real(struct fuzz_input *input)
{
    static const double special[] = {0,   -0.0, 1,     NAN,    INFINITY, -INFINITY, 1e-320,   -1,
                                     1.1, 1e15, 1e300, -1e300, 0.05,     1e-9,      999999.5, 0.5};
    uint8_t kind = fuzz_byte(input);
    if (kind < sizeof special / sizeof *special)
        return special[kind];
    if (kind % 2)
        return (double)fuzz_i64(input) / 1000;
    uint64_t bits = 0;
    double value = 0;
    for (int i = 0; i < 8; i++)
        bits = bits << 8 | fuzz_byte(input);
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
