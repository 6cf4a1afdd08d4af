#include "study/run/study_numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Digits after the point so that the number of size `size` shows `digits` significant ones. */
static int decimals_for(double size, int digits)
{
    if (!(size > 0))
        return 0;
    int decimals = digits - 1 - (int)floor(log10(size));
    return decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
}

/* With the thousands grouped, before the point too. */
static const char *fixed(double value, int decimals, char text[HC_NUMBER_TEXT])
{
    char digits[HC_NUMBER_TEXT], whole[HC_NUMBER_TEXT];
    if (!isfinite(value))
        return strcpy(text, "-");
    hc_format_fixed(value, decimals, digits);
    const char *point = strchr(digits, '.');
    if (fabs(value) >= 1e15 || fabs(value) < 1000)
        return strcpy(text, digits);
    snprintf(text, HC_NUMBER_TEXT, "%s%.12s", hc_format_count(strtoll(digits, NULL, 10), whole),
             point ? point : "");
    return text;
}

/* Digits of one number that is shown without an interval. */
static int plain_decimals(double value)
{
    return decimals_for(fabs(value), fabs(value) < 1 ? 4 : 5);
}

const char *hc_study_number_text(double value, char text[HC_NUMBER_TEXT])
{
    if (!isfinite(value))
        return strcpy(text, "-");
    fixed(value, plain_decimals(value), text);
    if (strchr(text, '.') && !strchr(text, 'e')) {
        size_t length = strlen(text);
        while (text[length - 1] == '0')
            length--;
        text[text[length - 1] == '.' ? length - 1 : length] = '\0';
    }
    return text;
}

/* Whether an interval is below a millionth and below the last digit of the mean alone: what is left
 * of rounding to nanoseconds, "46.00000000 +- 0.00000004". */
static bool is_noise(double mean, double width)
{
    return width < 1e-6 * fabs(mean) && width < 0.5 * pow(10, -plain_decimals(mean));
}

/* Whether the interval goes farther to one side, or is known on one only: one of a mean does not.
 */
static bool is_lopsided(const struct hc_study_value *value)
{
    double below = value->mean - value->low, above = value->high - value->mean;
    if (isfinite(below) != isfinite(above))
        return true;
    return isfinite(below) && isfinite(above) && above + below > 0 &&
           fabs(above - below) > 1e-6 * (above + below);
}

/* "97.2 (96.5 to 98.4)" */
static const char *ends_text(const struct hc_study_value *value, const char *sign,
                             char text[HC_STUDY_NUMBER])
{
    char mean[HC_NUMBER_TEXT], low[HC_NUMBER_TEXT], high[HC_NUMBER_TEXT];
    double width = value->high - value->low;
    if (!isfinite(width)) /* one end is known */
        width = isfinite(value->low) ? value->mean - value->low : value->high - value->mean;
    int decimals = decimals_for(width, 2);
    snprintf(text, HC_STUDY_NUMBER, "%s%s (%s to %s)", sign, fixed(value->mean, decimals, mean),
             fixed(value->low, decimals, low), fixed(value->high, decimals, high));
    return text;
}

static const char *value_text(const struct hc_study_value *value, bool is_signed,
                              char text[HC_STUDY_NUMBER])
{
    char mean[HC_NUMBER_TEXT], half[HC_NUMBER_TEXT];
    double width = value->high - value->mean;
    if (!isfinite(value->mean))
        return strcpy(text, "-");
    const char *sign = is_signed && value->mean > 0 ? "+" : "";
    if (is_lopsided(value))
        return ends_text(value, sign, text);
    if (!isfinite(width) || width <= 0 || is_noise(value->mean, width)) {
        snprintf(text, HC_STUDY_NUMBER, "%s%s", sign, hc_study_number_text(value->mean, mean));
        return text;
    }
    double leading = width / pow(10, floor(log10(width)));
    int decimals = decimals_for(width, width >= 1 || leading < 1.95 ? 2 : 1);
    snprintf(text, HC_STUDY_NUMBER, "%s%s +- %s", sign, fixed(value->mean, decimals, mean),
             fixed(width, decimals, half));
    return text;
}

const char *hc_study_value_text(const struct hc_study_value *value, char text[HC_STUDY_NUMBER])
{
    return value_text(value, false, text);
}

const char *hc_study_change_text(const struct hc_study_value *value, char text[HC_STUDY_NUMBER])
{
    return value_text(value, true, text);
}

void hc_study_range_text(double low, double high, char text[HC_STUDY_NUMBER])
{
    char low_text[HC_NUMBER_TEXT], high_text[HC_NUMBER_TEXT];
    int decimals = decimals_for(high - low, 2);
    snprintf(text, HC_STUDY_NUMBER, "%s to %s", fixed(low, decimals, low_text),
             fixed(high, decimals, high_text));
}

const char *hc_study_unit_text(const char *unit, char text[HC_NUMBER_TEXT])
{
    bool is_bare = !*unit || strcmp(unit, "share") == 0;
    snprintf(text, HC_NUMBER_TEXT, "%s%s", is_bare ? "" : " ", is_bare ? "" : unit);
    return text;
}

bool hc_study_is_clear(const struct hc_study_value *difference)
{
    return difference->low > 0 || difference->high < 0;
}

bool hc_study_is_unclear(const struct hc_study_value *difference)
{
    return isfinite(difference->mean) && difference->low <= 0 && difference->high >= 0;
}

double hc_study_relative(const struct hc_study_value *difference, double base)
{
    bool is_known = isfinite(difference->mean) && base != 0 && isfinite(base);
    return is_known ? difference->mean / base : NAN;
}
