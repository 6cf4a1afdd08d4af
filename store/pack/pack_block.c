#include "store/pack/pack_block.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <stdbool.h>
#include <string.h>

/* What a block of a column begins with. */
struct column_head {
    uint8_t width;       /* bytes of a number: 0, 1, 2, 4; AS_IT_IS: values of their own type */
    uint8_t has_missing; /* the widest number is "missing"; with width 0, all are */
    uint8_t unused[6];
    uint64_t smallest, step;
};
#define AS_IT_IS 255

/* Numbers that may lie anywhere in a buffer. */
typedef uint16_t loose_16 __attribute__((aligned(1), may_alias));
typedef uint32_t loose_32 __attribute__((aligned(1), may_alias));

enum hc_status hc_pack_bytes_add(struct hc_pack_bytes *bytes, const void *from, size_t n,
                                 struct hc_error *err)
{
    if (hc_reserve(&bytes->byte, &bytes->capacity, bytes->n + n, 1, err))
        return err->status;
    if (n)
        memcpy(bytes->byte + bytes->n, from, n);
    bytes->n += n;
    return HC_OK;
}

/* ---- writing ---- */

/* The values of a column whatever their type; floating-point numbers by their bits. */
struct values {
    enum hc_type type;
    const void *of;
    size_t n;
};

static int64_t value_at(const struct values *values, size_t i)
{
    int64_t bits;
    if (values->type == HC_I32)
        return ((const int32_t *)values->of)[i];
    memcpy(&bits, (const char *)values->of + i * sizeof bits, sizeof bits);
    return bits;
}

/* Floating-point numbers have no missing bits of their own: these are numbers like others. */
static bool is_missing_at(const struct values *values, size_t i)
{
    return values->type == HC_I32   ? ((const int32_t *)values->of)[i] == HC_MISSING_I32
           : values->type == HC_I64 ? ((const int64_t *)values->of)[i] == HC_MISSING_I64
                                    : false;
}

static uint64_t divisor_of(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* What of the values is known before a width is chosen. */
struct survey {
    int64_t smallest, largest;
    uint64_t step;
    bool has_missing, has_values;
};

static struct survey survey_values(const struct values *values)
{
    struct survey survey = {.smallest = INT64_MAX, .largest = INT64_MIN};
    for (size_t i = 0; i < values->n; i++) {
        int64_t value = value_at(values, i);
        if (is_missing_at(values, i)) {
            survey.has_missing = true;
            continue;
        }
        survey.has_values = true;
        survey.smallest = value < survey.smallest ? value : survey.smallest;
        survey.largest = value > survey.largest ? value : survey.largest;
    }
    for (size_t i = 0; i < values->n && survey.step != 1; i++) {
        uint64_t above = (uint64_t)value_at(values, i) - (uint64_t)survey.smallest;
        if (!is_missing_at(values, i) && (survey.step == 0 || above % survey.step))
            survey.step = divisor_of(above, survey.step);
    }
    return survey;
}

static struct column_head choose_head(const struct values *values)
{
    struct survey survey = survey_values(values);
    struct column_head head = {.has_missing = survey.has_missing};
    if (!survey.has_values)
        return head;
    head.smallest = (uint64_t)survey.smallest;
    head.step = survey.step;
    uint64_t range = (uint64_t)survey.largest - (uint64_t)survey.smallest;
    uint64_t most = survey.step ? range / survey.step : 0;
    if (most == 0 && !survey.has_missing)
        return head;
    head.width = most < UINT8_MAX ? 1 : most < UINT16_MAX ? 2 : most < UINT32_MAX ? 4 : AS_IT_IS;
    if (head.width >= hc_type_size(values->type))
        head = (struct column_head){.width = AS_IT_IS};
    return head;
}

static void put_numbers(uint8_t *to, const struct values *values, const struct column_head *head)
{
    for (size_t i = 0; i < values->n; i++) {
        uint64_t above = (uint64_t)value_at(values, i) - head->smallest;
        uint64_t number = is_missing_at(values, i) ? UINT64_MAX
                          : head->step             ? above / head->step
                                                   : 0;
        memcpy(to + i * head->width, &number, head->width); /* its low bytes */
    }
}

enum hc_status hc_pack_column_encode(struct hc_pack_bytes *to, enum hc_type type,
                                     const void *values, size_t n, struct hc_error *err)
{
    const struct values of = {type, values, n};
    struct column_head head = choose_head(&of);
    size_t width = head.width == AS_IT_IS ? hc_type_size(type) : head.width;
    if (hc_reserve(&to->byte, &to->capacity, to->n + sizeof head + n * width, 1, err))
        return err->status;
    hc_pack_bytes_add(to, &head, sizeof head, err);
    if (head.width == AS_IT_IS)
        return hc_pack_bytes_add(to, values, n * width, err);
    if (width)
        put_numbers(to->byte + to->n, &of, &head);
    to->n += n * width;
    return HC_OK;
}

/* ---- reading ---- */

/* One loop for each width and type, so that the compiler makes vectors of each. */
#define DECODE(value_type, number_type, missing)                                                   \
    do {                                                                                           \
        const number_type *number = (const void *)numbers;                                         \
        value_type *value = values;                                                                \
        if (head->has_missing)                                                                     \
            for (size_t i = 0; i < n; i++)                                                         \
                value[i] = number[i] == (number_type)-1                                            \
                               ? (missing)                                                         \
                               : (value_type)(head->smallest + head->step * number[i]);            \
        else                                                                                       \
            for (size_t i = 0; i < n; i++)                                                         \
                value[i] = (value_type)(head->smallest + head->step * number[i]);                  \
    } while (0)

static void decode_32(const struct column_head *head, const uint8_t *numbers, void *values,
                      size_t n)
{
    if (head->width == 1)
        DECODE(int32_t, uint8_t, HC_MISSING_I32);
    else if (head->width == 2)
        DECODE(int32_t, loose_16, HC_MISSING_I32);
    else
        DECODE(int32_t, loose_32, HC_MISSING_I32);
}

static void decode_64(const struct column_head *head, const uint8_t *numbers, void *values,
                      size_t n)
{
    if (head->width == 1)
        DECODE(int64_t, uint8_t, HC_MISSING_I64);
    else if (head->width == 2)
        DECODE(int64_t, loose_16, HC_MISSING_I64);
    else
        DECODE(int64_t, loose_32, HC_MISSING_I64);
}

static void fill(const struct column_head *head, enum hc_type type, void *values, size_t n)
{
    if (type == HC_I32) {
        int32_t value = head->has_missing ? HC_MISSING_I32 : (int32_t)head->smallest;
        for (size_t i = 0; i < n; i++)
            ((int32_t *)values)[i] = value;
        return;
    }
    uint64_t bits = head->has_missing ? (uint64_t)HC_MISSING_I64 : head->smallest;
    for (size_t i = 0; i < n; i++)
        memcpy((char *)values + i * sizeof bits, &bits, sizeof bits);
}

enum hc_status hc_pack_column_decode(const uint8_t *block, size_t length, enum hc_type type,
                                     void *values, size_t n, struct hc_error *err)
{
    struct column_head head = {.width = 3};
    if (length >= sizeof head)
        memcpy(&head, block, sizeof head);
    size_t width = head.width == AS_IT_IS ? hc_type_size(type) : head.width;
    if (width == 3 || (width > 4 && head.width != AS_IT_IS) || length != sizeof head + n * width)
        return hc_fail(err, HC_BAD_INPUT, "a column of a pack is %zu bytes for %zu values", length,
                       n);
    if (head.width == AS_IT_IS && n)
        memcpy(values, block + sizeof head, n * width);
    else if (width == 0)
        fill(&head, type, values, n);
    else if (type == HC_I32)
        decode_32(&head, block + sizeof head, values, n);
    else
        decode_64(&head, block + sizeof head, values, n);
    return HC_OK;
}

enum hc_status hc_pack_check_codes(const int32_t *codes, size_t n, size_t n_texts,
                                   struct hc_error *err)
{
    size_t n_wrong = 0;
    for (size_t i = 0; i < n; i++)
        n_wrong += codes[i] != HC_MISSING_I32 && (codes[i] < 0 || (uint32_t)codes[i] >= n_texts);
    return n_wrong ? hc_fail(err, HC_BAD_INPUT, "%zu codes of a pack have no text", n_wrong)
                   : HC_OK;
}

/* ---- texts ---- */

/* As a set of texts keeps them: the length, the text, a NUL. */
enum hc_status hc_pack_texts_encode(struct hc_pack_bytes *to, const struct hc_text_set *set,
                                    struct hc_error *err)
{
    for (size_t i = 0; i < set->n; i++) {
        uint32_t length = (uint32_t)hc_text_set_length(set, (int32_t)i);
        if (hc_pack_bytes_add(to, &length, sizeof length, err) ||
            hc_pack_bytes_add(to, set->text[i], (size_t)length + 1, err))
            return err->status;
    }
    return HC_OK;
}
