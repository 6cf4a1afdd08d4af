#include "core/text/number_text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* Exponents beyond it give zero or overflow whatever the digits are (text is at most some MB). */
#define EXPONENT_LIMIT 1000000000LL

/* +-digits * 10^exponent, where the digits are those of whole[n_whole] and fraction[n_fraction] and
 * the point stands between them. */
struct decimal {
    bool negative;
    const char *whole, *fraction;
    size_t n_whole, n_fraction;
    int64_t exponent;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static size_t count_digits(const char *at, const char *end)
{
    const char *start = at;
    while (at < end && is_digit(*at))
        at++;
    return (size_t)(at - start);
}

static bool read_exponent(const char *at, const char *end, int64_t *exponent)
{
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end || count_digits(at, end) != (size_t)(end - at))
        return false;
    for (*exponent = 0; at < end; at++)
        if (*exponent < EXPONENT_LIMIT)
            *exponent = *exponent * 10 + (*at - '0');
    if (negative)
        *exponent = -*exponent;
    return true;
}

static enum hc_text_number read_word(const char *at, const char *end)
{
    size_t n = (size_t)(end - at);
    if (n == 3 && strncasecmp(at, "nan", 3) == 0)
        return HC_TEXT_NAN;
    if ((n == 3 && strncasecmp(at, "inf", 3) == 0) ||
        (n == 8 && strncasecmp(at, "infinity", 8) == 0))
        return HC_TEXT_INFINITE;
    return HC_TEXT_NOT_NUMBER;
}

static enum hc_text_number read_decimal(const char *text, size_t length, struct decimal *decimal)
{
    const char *at = text, *end = text + length;
    while (at < end && is_blank(*at))
        at++;
    while (at < end && is_blank(end[-1]))
        end--;
    if (at == end)
        return HC_TEXT_EMPTY;
    memset(decimal, 0, sizeof *decimal);
    decimal->negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    decimal->whole = at;
    decimal->n_whole = count_digits(at, end);
    at += decimal->n_whole;
    decimal->fraction = at;
    if (at < end && *at == '.') {
        decimal->fraction = ++at;
        decimal->n_fraction = count_digits(at, end);
        at += decimal->n_fraction;
    }
    if (!decimal->n_whole && !decimal->n_fraction)
        return read_word(decimal->whole, end);
    if (at == end)
        return HC_TEXT_OK;
    if ((*at == 'e' || *at == 'E') && read_exponent(at + 1, end, &decimal->exponent))
        return HC_TEXT_OK;
    return HC_TEXT_NOT_NUMBER;
}

static size_t n_digits(const struct decimal *decimal)
{
    return decimal->n_whole + decimal->n_fraction;
}

static unsigned digit(const struct decimal *decimal, size_t i)
{
    char c = i < decimal->n_whole ? decimal->whole[i] : decimal->fraction[i - decimal->n_whole];
    return (unsigned)(c - '0');
}

/* The magnitude in units of 10^lowest, cut off below. */
struct units {
    uint64_t count;
    unsigned next; /* the first digit that was cut off */
    bool rest;     /* any digit that was cut off is not 0 */
    bool overflow;
};

static void push(struct units *units, unsigned next_digit)
{
    units->overflow |= __builtin_mul_overflow(units->count, 10, &units->count);
    units->overflow |= __builtin_add_overflow(units->count, next_digit, &units->count);
}

static struct units count_units(const struct decimal *decimal, int64_t lowest)
{
    struct units units = {0, 0, false, false};
    int64_t place = (int64_t)decimal->n_whole - 1 + decimal->exponent;
    for (size_t i = 0; i < n_digits(decimal); i++, place--) {
        unsigned value = digit(decimal, i);
        if (place >= lowest)
            push(&units, value);
        else if (place == lowest - 1)
            units.next = value;
        units.rest |= place < lowest && value != 0;
    }
    for (; place >= lowest && units.count && !units.overflow; place--)
        push(&units, 0);
    return units;
}

/* The signed value of a magnitude; INT64_MIN is left out, since it means "missing". */
static enum hc_text_number give(const struct decimal *decimal, const struct units *units,
                                int64_t *value)
{
    if (units->overflow || units->count > INT64_MAX)
        return HC_TEXT_OUT_OF_RANGE;
    *value = decimal->negative ? -(int64_t)units->count : (int64_t)units->count;
    return HC_TEXT_OK;
}

enum hc_text_number hc_text_to_i64(const char *text, size_t length, int64_t *value)
{
    *value = 0;
    struct decimal decimal;
    enum hc_text_number result = read_decimal(text, length, &decimal);
    if (result)
        return result;
    struct units units = count_units(&decimal, 0);
    return units.rest ? HC_TEXT_NOT_WHOLE : give(&decimal, &units, value);
}

/* Decimals to units of 10^lowest. */
static enum hc_text_number to_nearest(const char *text, size_t length, int64_t lowest, int64_t *ns)
{
    *ns = 0;
    struct decimal decimal;
    enum hc_text_number result = read_decimal(text, length, &decimal);
    if (result)
        return result;
    struct units units = count_units(&decimal, lowest);
    /* Halves go away from zero, so the first digit that was cut off decides alone. */
    if (units.next >= 5)
        units.overflow |= __builtin_add_overflow(units.count, 1, &units.count);
    return give(&decimal, &units, ns);
}

enum hc_text_number hc_text_to_ns(const char *text, size_t length, int64_t *ns)
{
    return to_nearest(text, length, -9, ns);
}

enum hc_text_number hc_text_ms_to_ns(const char *text, size_t length, int64_t *ns)
{
    return to_nearest(text, length, -6, ns);
}

enum hc_text_number hc_text_us_to_ns(const char *text, size_t length, int64_t *ns)
{
    return to_nearest(text, length, -3, ns);
}

bool hc_nearest_double(uint64_t digits, int power, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (digits > (uint64_t)1 << 53 || power > 22 || power < -22)
        return false;
    *value = power < 0 ? (double)digits / powers[-power] : (double)digits * powers[power];
    return true;
}

bool hc_nearest_float32(uint64_t digits, int power, float *value)
{
    double nearest;
    uint64_t bits;
    if (!hc_nearest_double(digits, power, &nearest))
        return false;
    memcpy(&bits, &nearest, sizeof bits);
    bool on_middle = (bits & 0x1FFFFFFF) == 0x10000000;
    if (on_middle || (nearest != 0 && nearest < (double)FLT_MIN) || nearest > 1e38)
        return false;
    *value = (float)nearest;
    return true;
}

static bool to_float32_fast(const struct decimal *decimal, float *value)
{
    int64_t power = decimal->exponent - (int64_t)decimal->n_fraction;
    if (n_digits(decimal) > 18 || power > 22 || power < -22)
        return false;
    uint64_t digits = 0;
    for (size_t i = 0; i < n_digits(decimal); i++)
        digits = digits * 10 + digit(decimal, i);
    if (!hc_nearest_float32(digits, (int)power, value))
        return false;
    *value = decimal->negative ? -*value : *value;
    return true;
}

/* strtof of the digits without a point, which a locale could not change. The middles between floats
 * have at most 113 digits, so that 160 and a last 1 for anything behind them decide the same. */
static float to_float32_slow(const struct decimal *decimal)
{
    char text[224];
    size_t used = 0, n = n_digits(decimal), i = 0;
    int64_t power = decimal->exponent - (int64_t)decimal->n_fraction;
    if (decimal->negative)
        text[used++] = '-';
    while (i < n && digit(decimal, i) == 0)
        i++;
    size_t last = n - i > 160 ? i + 160 : n;
    for (; i < last; i++)
        text[used++] = (char)('0' + digit(decimal, i));
    bool rest = false;
    for (; i < n; i++, power++)
        rest |= digit(decimal, i) != 0;
    if (rest) {
        text[used++] = '1';
        power--;
    }
    snprintf(text + used, sizeof text - used, "%se%lld", used == decimal->negative ? "0" : "",
             (long long)power);
    return strtof(text, NULL);
}

enum hc_text_number hc_text_to_float32(const char *text, size_t length, float *value)
{
    *value = 0;
    struct decimal decimal;
    enum hc_text_number result = read_decimal(text, length, &decimal);
    if (result || to_float32_fast(&decimal, value))
        return result;
    *value = to_float32_slow(&decimal);
    if (isfinite(*value))
        return HC_TEXT_OK;
    *value = 0;
    return HC_TEXT_OUT_OF_RANGE;
}
