#include "reports/study/study_sections.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- columns ---- */

const char *hc_study_html_head(const struct hc_study_column *column, char text[HC_STUDY_TEXT])
{
    snprintf(text, HC_STUDY_TEXT, "%s", column->title);
    text[0] = (char)toupper((unsigned char)text[0]);
    return text;
}

static bool is_share(const char *unit)
{
    return strcmp(unit, "share") == 0;
}

#define POINTS "points"

const char *hc_study_html_change_unit(const char *unit)
{
    return is_share(unit) ? POINTS : unit;
}

/* What stands behind a number: a price has no unit that we know. */
static const char *shown_unit(const char *unit)
{
    if (strcmp(unit, POINTS) == 0)
        return "pp";
    return is_share(unit) || strcmp(unit, "money") == 0 ? "" : unit;
}

struct hc_axis hc_study_html_axis(const struct hc_study_column *column, double size)
{
    bool is_points = strcmp(column->unit, POINTS) == 0;
    const char *power = is_share(column->unit) || is_points ? ""
                        : size >= 1e6                       ? "M"
                        : size >= 1e4                       ? "k"
                                                            : "";
    return (struct hc_axis){.title = column->title,
                            .unit = shown_unit(column->unit),
                            .power = power,
                            .low = INFINITY,
                            .high = -INFINITY,
                            .is_share = is_share(column->unit),
                            .factor = is_points         ? 100
                                      : power[0] == 'M' ? 1e-6
                                      : power[0] == 'k' ? 1e-3
                                                        : 1};
}

double hc_study_html_size(const struct hc_study_value *value, double size)
{
    const double ends[] = {value->mean, value->low, value->high};
    for (size_t i = 0; i < 3; i++)
        if (isfinite(ends[i]))
            size = fmax(size, fabs(ends[i]));
    return size;
}

/* ---- numbers ---- */

/* Commas between the thousands of a number with a point. */
static void group_digits(char text[HC_NUMBER_TEXT])
{
    size_t first = text[0] == '-', digits = strspn(text + first, "0123456789");
    if (strchr(text, 'e'))
        return;
    for (size_t at = digits; at > 3 && strlen(text) + 1 < HC_NUMBER_TEXT;) {
        at -= 3;
        memmove(text + first + at + 1, text + first + at, strlen(text + first + at) + 1);
        text[first + at] = ',';
    }
}

/* How a number of this size is written: times factor, with what behind it. */
struct scale {
    double factor;
    const char *suffix;
};

static struct scale scale_of(const char *unit, double size)
{
    if (is_share(unit))
        return (struct scale){100, " %"};
    if (strcmp(unit, POINTS) == 0)
        return (struct scale){100, ""};
    if (size >= 1e10)
        return (struct scale){1e-9, " bn"};
    if (size >= 1e6)
        return (struct scale){1e-6, " M"};
    return (struct scale){1, ""};
}

/* The power of ten that a number is shown to: 1 below that of step, or four digits in all where
 * step is not known. */
static int power_of(double value, double step)
{
    double size = fabs(value) > 0 ? floor(log10(fabs(value))) : 0;
    bool has_step = isfinite(step) && step > 0;
    if (!has_step && value == round(value) && fabs(value) < 1e6)
        return 0;
    /* Seven digits are enough, however narrow the interval is. */
    double power = has_step ? fmax(floor(log10(step / 2)), size - 6) : fmin(0, size - 3);
    return (int)fmax(-6, fmin(15, power));
}

static const char *scaled(double value, const struct scale *scale, double step,
                          char text[HC_NUMBER_TEXT])
{
    double shown = value * scale->factor;
    int power = power_of(shown, step * scale->factor);
    /* Of digits before the point, one more than step says: "35,700" and not "35,707". */
    double round_to = power > 1 ? pow(10, power - 1) : 0;
    if (round_to > 0)
        shown = round_to * round(shown / round_to);
    hc_format_fixed(shown, power < 0 ? -power : 0, text);
    group_digits(text);
    return text;
}

const char *hc_study_html_number(double value, const char *unit, double step,
                                 char text[HC_STUDY_TEXT])
{
    char number[HC_NUMBER_TEXT];
    struct scale scale = scale_of(unit, fabs(value));
    if (!isfinite(value))
        return strcpy(text, "-");
    snprintf(text, HC_STUDY_TEXT, "%s%s%s%s", scaled(value, &scale, step, number), scale.suffix,
             shown_unit(unit)[0] ? " " : "", shown_unit(unit));
    return text;
}

const char *hc_study_html_given(double value, const char *unit, char text[HC_STUDY_TEXT])
{
    char number[HC_NUMBER_TEXT];
    int decimals = 0;
    if (!isfinite(value))
        return strcpy(text, "-");
    double off = fabs(value) * 1e-7, step = 1;
    for (; decimals < 9 && fabs(value - round(value / step) * step) > off; decimals++)
        step /= 10;
    hc_format_fixed(value, decimals, number);
    group_digits(number);
    snprintf(text, HC_STUDY_TEXT, "%s%s%s", number, shown_unit(unit)[0] ? " " : "",
             shown_unit(unit));
    return text;
}

double hc_study_html_half_width(const struct hc_study_value *value)
{
    return (value->high - value->low) / 2;
}

/* What is the same in every life needs none. */
static bool has_interval(const struct hc_study_value *value)
{
    return isfinite(value->low) && isfinite(value->high) && value->high > value->low;
}

/* Low and high in the scale of the mean, so that they are read against it. */
static void write_ends(const struct hc_study_value *value, const char *unit, const char *end,
                       char text[HC_STUDY_TEXT])
{
    char low[HC_NUMBER_TEXT], high[HC_NUMBER_TEXT];
    struct scale scale = scale_of(unit, fabs(value->mean));
    double step = hc_study_html_half_width(value);
    snprintf(text, HC_STUDY_TEXT, "%s to %s%s", scaled(value->low, &scale, step, low),
             scaled(value->high, &scale, step, high), end[0] ? scale.suffix : "");
}

const char *hc_study_html_value(const struct hc_study_value *value, const char *unit,
                                char text[HC_STUDY_TEXT])
{
    char mean[HC_STUDY_TEXT], ends[HC_STUDY_TEXT];
    if (!isfinite(value->mean) || !has_interval(value))
        return hc_study_html_number(value->mean, unit, NAN, text);
    hc_study_html_number(value->mean, unit, hc_study_html_half_width(value), mean);
    write_ends(value, unit, "", ends);
    int n = snprintf(text, HC_STUDY_TEXT, "%s (%s)", mean, ends);
    if (n >= HC_STUDY_TEXT) /* a unit that is longer than any that there is */
        memcpy(text, mean, sizeof mean);
    return text;
}

const char *hc_study_html_interval(const struct hc_study_value *value, const char *unit,
                                   char text[HC_STUDY_TEXT])
{
    if (!isfinite(value->mean) || !has_interval(value))
        return NULL;
    write_ends(value, unit, "with its scale", text);
    return text;
}

const char *hc_study_html_change(const struct hc_study_value *value, const char *unit,
                                 char text[HC_STUDY_TEXT])
{
    char plain[HC_STUDY_TEXT];
    hc_study_html_value(value, hc_study_html_change_unit(unit), plain);
    int n = snprintf(text, HC_STUDY_TEXT, "%s%s", value->mean > 0 ? "+" : "", plain);
    return n < HC_STUDY_TEXT ? text : strcpy(text, plain);
}

const char *hc_study_html_duration(double seconds, char text[HC_NUMBER_TEXT])
{
    static const struct {
        double length;
        const char *suffix;
    } units[] = {{86400, " d"}, {3600, " h"}, {60, " min"}};
    for (size_t i = 0; isfinite(seconds) && i < sizeof units / sizeof units[0]; i++) {
        double value = seconds / units[i].length, size = fabs(value);
        if (size < (units[i].length > 3600 ? 2 : 1))
            continue;
        hc_format_fixed(value, size < 10 ? 2 : size < 100 ? 1 : 0, text);
        group_digits(text);
        return strcat(text, units[i].suffix);
    }
    return hc_format_seconds(seconds, text);
}

double hc_study_html_time_unit(double seconds, const char **name)
{
    bool is_days = seconds >= 3 * 86400, is_hours = seconds >= 3 * 3600;
    *name = is_days ? "days" : is_hours ? "hours" : "minutes";
    return is_days ? 86400 : is_hours ? 3600 : 60;
}

void hc_study_html_remainder(FILE *stream, size_t n, size_t shown, const char *what)
{
    char number[HC_NUMBER_TEXT];
    if (n > shown)
        hc_html_paragraph(stream, "note", "And %s more %s, which are not shown here.",
                          hc_format_count((int64_t)(n - shown), number), what);
}
