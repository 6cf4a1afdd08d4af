#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reads_back(const char *text, double value)
{
    return strtod(text, NULL) == value;
}

/* The decimal point of the C locale, whatever the program's locale is. */
static void use_point(char *text)
{
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.';
}

const char *hc_format_real(double value, char text[HC_NUMBER_TEXT])
{
    if (!isfinite(value)) {
        strcpy(text, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return text;
    }
    /* 17 digits always read back. Fewer than 16 may only when 16 do, which most values lack. */
    snprintf(text, HC_NUMBER_TEXT, "%.16g", value);
    if (reads_back(text, value)) {
        char shorter[HC_NUMBER_TEXT];
        snprintf(shorter, sizeof shorter, "%.15g", value);
        if (reads_back(shorter, value))
            memcpy(text, shorter, sizeof shorter);
    } else {
        snprintf(text, HC_NUMBER_TEXT, "%.17g", value);
    }
    use_point(text);
    if (!strpbrk(text, ".e"))
        strcat(text, ".0");
    return text;
}

const char *hc_format_count(int64_t value, char text[HC_NUMBER_TEXT])
{
    char digits[24];
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    int n = snprintf(digits, sizeof digits, "%" PRIu64, magnitude);
    char *to = text;
    if (value < 0)
        *to++ = '-';
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}

const char *hc_format_fixed(double value, int decimals, char text[HC_NUMBER_TEXT])
{
    if (!isfinite(value))
        return strcpy(text, "-");
    /* Beyond 1e15 the digits would not fit, and none after the point would mean anything. */
    if (fabs(value) < 1e15)
        snprintf(text, HC_NUMBER_TEXT, "%.*f", decimals, value);
    else
        snprintf(text, HC_NUMBER_TEXT, "%.3e", value);
    use_point(text);
    if (text[0] == '-' && !strpbrk(text, "123456789"))
        memmove(text, text + 1, strlen(text));
    return text;
}

/* value in a unit, with about four digits. */
static const char *with_unit(double value, const char *unit, char text[HC_NUMBER_TEXT])
{
    double size = fabs(value);
    hc_format_fixed(value, size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0, text);
    strcat(text, unit);
    return text;
}

const char *hc_format_seconds(double seconds, char text[HC_NUMBER_TEXT])
{
    double size = fabs(seconds);
    if (!isfinite(seconds))
        return strcpy(text, "-");
    if (seconds == 0)
        return strcpy(text, "0 s");
    if (size >= 1)
        return with_unit(seconds, " s", text);
    if (size >= 1e-3)
        return with_unit(seconds * 1e3, " ms", text);
    if (size >= 1e-6)
        return with_unit(seconds * 1e6, " us", text);
    hc_format_fixed(seconds * 1e9, 0, text);
    return strcat(text, " ns");
}

const char *hc_format_percent(double share, char text[HC_NUMBER_TEXT])
{
    double size = fabs(share) * 100;
    if (!isfinite(share))
        return strcpy(text, "-");
    hc_format_fixed(share * 100, size < 9.995 ? 2 : size < 99.95 ? 1 : 0, text);
    return strcat(text, " %");
}

const char *hc_format_bytes(int64_t bytes, char text[HC_NUMBER_TEXT])
{
    static const char *const units[] = {" B", " kB", " MB", " GB", " TB", " PB", " EB"};
    double value = (double)bytes;
    size_t unit = 0;
    while (fabs(value) >= 999.5 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1000;
        unit++;
    }
    hc_format_fixed(value, unit > 0 && fabs(value) < 99.95 ? 1 : 0, text);
    return strcat(text, units[unit]);
}
