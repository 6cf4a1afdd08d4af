/* The colours of figures and pages, as the colour-blind and a grey printer have them: what stands
 * side by side can be told apart, and what is read or looked at stands out from what is behind it.
 * The colours are those that a page writes into its style, in both of its themes. */
#include "reports/page/html_page.h"
#include "reports/page/palette.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART         10.0 /* CIEDE2000 */
#define TEXT_CONTRAST 4.5  /* WCAG 2.2, 1.4.3 */
#define MARK_CONTRAST 3.0  /* 1.4.11 */

/* ---- colours ---- */

struct rgb {
    double v[3]; /* linear, 0 to 1 */
};

struct lab {
    double l, a, b;
};

static double linear(double s)
{
    return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

static struct rgb rgb_of(const char *hex)
{
    unsigned r, g, b;
    ck_assert_msg(hex && sscanf(hex, "#%2x%2x%2x", &r, &g, &b) == 3, "no colour: %s", hex);
    return (struct rgb){{linear(r / 255.0), linear(g / 255.0), linear(b / 255.0)}};
}

static double luminance(struct rgb c)
{
    return 0.2126 * c.v[0] + 0.7152 * c.v[1] + 0.0722 * c.v[2];
}

static double contrast(const char *a, const char *b)
{
    double x = luminance(rgb_of(a)) + 0.05, y = luminance(rgb_of(b)) + 0.05;
    return x > y ? x / y : y / x;
}

static double lab_root(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* sRGB to CIELAB under D65. */
static struct lab lab_of(struct rgb c)
{
    const double *v = c.v;
    double x = lab_root((0.4124564 * v[0] + 0.3575761 * v[1] + 0.1804375 * v[2]) / 0.95047);
    double y = lab_root(0.2126729 * v[0] + 0.7151522 * v[1] + 0.0721750 * v[2]);
    double z = lab_root((0.0193339 * v[0] + 0.1191920 * v[1] + 0.9503041 * v[2]) / 1.08883);
    return (struct lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/* ---- eyes ---- */

/* Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
 * Deficiency" (IEEE TVCG 15, 2009), severity 1.0; for linear RGB. */
enum { NORMAL, PROTANOPE, DEUTERANOPE, TRITANOPE, GREY_PRINT, N_EYES };
static const char *const eye_names[N_EYES] = {"normal eyes", "protanopes", "deuteranopes",
                                              "tritanopes", "a grey print"};
static const double machado[][3][3] = {
    [NORMAL] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    [PROTANOPE] = {{0.152286, 1.052583, -0.204868},
                   {0.114503, 0.786281, 0.099216},
                   {-0.003882, -0.048116, 1.051998}},
    [DEUTERANOPE] = {{0.367322, 0.860646, -0.227968},
                     {0.280085, 0.672501, 0.047413},
                     {-0.011820, 0.042940, 0.968881}},
    [TRITANOPE] = {{1.255528, -0.076749, -0.178779},
                   {-0.078411, 0.930809, 0.147602},
                   {0.004733, 0.691367, 0.303900}},
};

static struct rgb seen_by(int eye, struct rgb c)
{
    struct rgb seen;
    double grey = luminance(c);
    if (eye == GREY_PRINT)
        return (struct rgb){{grey, grey, grey}};
    for (int i = 0; i < 3; i++) {
        const double *row = machado[eye][i];
        seen.v[i] = fmin(1, fmax(0, row[0] * c.v[0] + row[1] * c.v[1] + row[2] * c.v[2]));
    }
    return seen;
}

/* ---- CIEDE2000: Sharma, Wu and Dalal, Color Res. Appl. 30 (2005), 21-30 ---- */

static double degrees(double radians)
{
    double d = radians * 180 / M_PI;
    return d < 0 ? d + 360 : d;
}

static double cosine(double d)
{
    return cos(d * M_PI / 180);
}

static double pow7_share(double c)
{
    return sqrt(pow(c, 7) / (pow(c, 7) + pow(25, 7)));
}

/* Chroma and hue with a stretched by g. */
static void polar(struct lab c, double g, double *chroma, double *hue)
{
    double a = c.a * (1 + g);
    *chroma = hypot(a, c.b);
    *hue = *chroma > 0 ? degrees(atan2(c.b, a)) : 0;
}

static double hue_difference(const double h[2], bool is_grey)
{
    double d = h[1] - h[0];
    return is_grey ? 0 : d > 180 ? d - 360 : d < -180 ? d + 360 : d;
}

static double hue_mean(const double h[2], bool is_grey)
{
    double sum = h[0] + h[1];
    if (is_grey)
        return sum;
    if (fabs(h[0] - h[1]) <= 180)
        return sum / 2;
    return sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
}

static double ciede2000(struct lab x, struct lab y)
{
    double c[2], h[2];
    double g = 0.5 * (1 - pow7_share((hypot(x.a, x.b) + hypot(y.a, y.b)) / 2));
    polar(x, g, &c[0], &h[0]);
    polar(y, g, &c[1], &h[1]);
    bool is_grey = c[0] * c[1] == 0;
    double dh = hue_difference(h, is_grey), mean_h = hue_mean(h, is_grey);
    double mean_l = (x.l + y.l) / 2, mean_c = (c[0] + c[1]) / 2;
    double t = 1 - 0.17 * cosine(mean_h - 30) + 0.24 * cosine(2 * mean_h) +
               0.32 * cosine(3 * mean_h + 6) - 0.20 * cosine(4 * mean_h - 63);
    double off = (mean_l - 50) * (mean_l - 50);
    double l_term = (y.l - x.l) / (1 + 0.015 * off / sqrt(20 + off));
    double c_term = (c[1] - c[0]) / (1 + 0.045 * mean_c);
    double h_term = 2 * sqrt(c[0] * c[1]) * sin(dh * M_PI / 360) / (1 + 0.015 * mean_c * t);
    double turn = 60 * exp(-pow((mean_h - 275) / 25, 2)) * M_PI / 180;
    double r = -2 * pow7_share(mean_c) * sin(turn);
    return sqrt(l_term * l_term + c_term * c_term + h_term * h_term + r * c_term * h_term);
}

static double distance(int eye, const char *a, const char *b)
{
    return ciede2000(lab_of(seen_by(eye, rgb_of(a))), lab_of(seen_by(eye, rgb_of(b))));
}

/* Pairs 1, 7, 9, 13, 17, 19, 21, 25, 30 and 34 of table 1 of Sharma et al. */
START_TEST(distance_is_that_of_the_published_pairs)
{
    static const struct {
        struct lab a, b;
        double distance;
    } pairs[] = {
        {{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
        {{50, 0, 0}, {50, -1, 2}, 2.3669},
        {{50, 2.49, -0.001}, {50, -2.49, 0.0009}, 7.1792},
        {{50, -0.001, 2.49}, {50, 0.0009, -2.49}, 4.8045},
        {{50, 2.5, 0}, {73, 25, -18}, 27.1492},
        {{50, 2.5, 0}, {56, -27, -3}, 31.9030},
        {{50, 2.5, 0}, {50, 3.1736, 0.5854}, 1.0000},
        {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
        {{22.7233, 20.0904, -46.6940}, {23.0331, 14.9730, -42.5619}, 2.0373},
        {{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        ck_assert_double_eq_tol(ciede2000(pairs[i].a, pairs[i].b), pairs[i].distance, 5e-5);
}
END_TEST

/* ---- figures ---- */

static const char *area_color(int color, bool is_dark)
{
    return is_dark ? hc_palette[color].dark : hc_palette[color].light;
}

static const char *line_color(int color, bool is_dark)
{
    return is_dark ? hc_palette[color].dark : hc_line_light(&hc_palette[color]);
}

typedef const char *color_function(int color, bool is_dark);

/* Two colours, as color_of has them, are apart for every eye in the theme. */
static void check_apart(color_function *color_of, int a, int b, bool is_dark)
{
    for (int eye = 0; eye < N_EYES; eye++) {
        double d = distance(eye, color_of(a, is_dark), color_of(b, is_dark));
        ck_assert_msg(d >= APART, "s%d and s%d, %s: CIEDE2000 %.1f for %s", a, b,
                      is_dark ? "dark" : "light", d, eye_names[eye]);
    }
}

START_TEST(areas_that_share_a_hatch_are_apart)
{
    for (int a = 1; a < HC_N_COLORS; a++)
        for (int b = a + 1; b < HC_N_COLORS; b++)
            if (hc_palette[a].hatch == hc_palette[b].hatch)
                check_apart(area_color, a, b, _i);
}
END_TEST

START_TEST(lines_that_share_a_dash_are_apart)
{
    for (int a = 1; a < HC_N_COLORS; a++)
        for (int b = a + 1; b < HC_N_COLORS; b++)
            if (strcmp(hc_palette[a].dash, hc_palette[b].dash) == 0)
                check_apart(line_color, a, b, _i);
}
END_TEST

/* Dots have no dash: where charts have dots of several colours, these say more, less or none. In
 * grey it is their place that says so. */
START_TEST(dots_are_apart_for_the_colour_blind)
{
    static const enum hc_color dots[] = {HC_VERMILLION, HC_BLUE, HC_GREEN, HC_GREY};
    for (size_t i = 0; i < 4; i++)
        for (size_t j = i + 1; j < 4; j++)
            for (int eye = 0; eye < GREY_PRINT; eye++) {
                double d = distance(eye, line_color(dots[i], _i), line_color(dots[j], _i));
                ck_assert_msg(d >= APART, "dots s%d and s%d: %.1f for %s", dots[i], dots[j], d,
                              eye_names[eye]);
            }
}
END_TEST

/* The first colours of series are told apart by more than their dash, since dashes are hard to see
 * where lines cross. */
START_TEST(the_first_series_are_apart_for_the_colour_blind)
{
    for (size_t i = 0; i < 3; i++)
        for (size_t j = i + 1; j < 3; j++)
            for (int eye = 0; eye < TRITANOPE; eye++)
                ck_assert_double_ge(distance(eye, line_color((int)hc_series_color(i), _i),
                                             line_color((int)hc_series_color(j), _i)),
                                    APART);
}
END_TEST

/* Lightness alone orders the shades of a map, for every eye, and what is not known is hatched. */
START_TEST(shades_are_in_order_for_every_eye)
{
    for (int eye = 0; eye < N_EYES; eye++)
        for (int shade = 2; shade < HC_N_SHADES; shade++) {
            const struct hc_ink *low = &hc_shades[shade - 1], *high = &hc_shades[shade];
            double a = lab_of(seen_by(eye, rgb_of(_i ? low->dark : low->light))).l;
            double b = lab_of(seen_by(eye, rgb_of(_i ? high->dark : high->light))).l;
            ck_assert_msg((_i ? b - a : a - b) >= 2.5, "shades %d and %d, %s: %.1f and %.1f for %s",
                          shade - 1, shade, _i ? "dark" : "light", a, b, eye_names[eye]);
        }
    for (int shade = 0; shade < HC_N_SHADES; shade++)
        ck_assert_int_ne(hc_shades[shade].hatch, hc_shades[HC_N_SHADES].hatch);
}
END_TEST

/* ---- the style of a page ---- */

static char *style;

static void write_style(void)
{
    size_t size = 0;
    FILE *stream = open_memstream(&style, &size);
    hc_palette_write_style(stream);
    for (const char *const *part = hc_html_style; *part; part++)
        fputs(*part, stream);
    fclose(stream);
}

static void free_style(void)
{
    free(style);
}

/* The value of a variable, of the n-th time that the style sets it: light, then dark. */
static const char *variable(const char *name, bool is_dark)
{
    static char values[2][8];
    static int next;
    char wanted[64];
    snprintf(wanted, sizeof wanted, "--%s:#", name);
    const char *at = strstr(style, wanted);
    if (at && is_dark)
        at = strstr(at + 1, wanted);
    ck_assert_msg(at, "the style has no %s", wanted);
    next = !next;
    snprintf(values[next], sizeof values[next], "%.7s", at + strlen(wanted) - 1);
    return values[next];
}

static void check_contrast(const char *what, const char *on, double least, bool is_dark)
{
    double c = contrast(variable(what, is_dark), variable(on, is_dark));
    ck_assert_msg(c >= least, "%s on %s, %s: contrast %.2f", what, on, is_dark ? "dark" : "light",
                  c);
}

START_TEST(text_stands_out_from_its_background)
{
    static const char *const grounds[] = {"page",    "card",       "plain-bg",
                                          "good-bg", "warning-bg", "bad-bg"};
    for (size_t i = 0; i < sizeof grounds / sizeof grounds[0]; i++) {
        check_contrast("ink", grounds[i], TEXT_CONTRAST, _i);
        check_contrast("quiet", grounds[i], TEXT_CONTRAST, _i);
        check_contrast("link", grounds[i], TEXT_CONTRAST, _i);
    }
    check_contrast("good", "card", TEXT_CONTRAST, _i);
    check_contrast("warning", "card", TEXT_CONTRAST, _i);
    check_contrast("bad", "card", TEXT_CONTRAST, _i);
}
END_TEST

/* The class "ondark" of html_style.c is the page of the dark theme, in both. */
static const char *letters_color(const struct hc_ink *ink, bool is_dark)
{
    return ink->letters == HC_INK_LETTERS     ? variable("ink", is_dark)
           : ink->letters == HC_PAPER_LETTERS ? variable("on", is_dark)
                                              : variable("page", true);
}

static void check_letters(const struct hc_ink *ink, bool is_dark)
{
    const char *color = is_dark ? ink->dark : ink->light;
    double c = contrast(letters_color(ink, is_dark), color);
    ck_assert_msg(c >= TEXT_CONTRAST, "letters on %s: contrast %.2f", color, c);
}

START_TEST(letters_stand_out_from_areas)
{
    ck_assert_ptr_nonnull(strstr(style, "svg .ondark{fill:#14181c}"));
    ck_assert_str_eq(variable("page", true), "#14181c");
    for (int color = 1; color < HC_N_COLORS; color++)
        check_letters(&hc_palette[color], _i);
    for (int shade = 0; shade <= HC_N_SHADES; shade++)
        check_letters(&hc_shades[shade], _i);
}
END_TEST

START_TEST(marks_stand_out_from_the_card)
{
    char rule[64];
    check_contrast("quiet", "card", MARK_CONTRAST, _i); /* of edges and rules */
    for (int color = 1; color < HC_N_COLORS; color++) {
        const char *card = variable("card", _i);
        double line = contrast(line_color(color, _i), card);
        if (color < HC_PALE_GREY) /* those from there on are for areas only */
            ck_assert_msg(line >= MARK_CONTRAST, "lines of s%d: contrast %.2f", color, line);
        if (contrast(area_color(color, _i), card) >= MARK_CONTRAST)
            continue;
        snprintf(rule, sizeof rule, " .fill.s%d{stroke:var(--quiet)", color);
        ck_assert_msg(strstr(style, rule) != NULL, "areas of s%d have no edge", color);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("palette");
    TCase *tests = tcase_create("colours");
    tcase_add_unchecked_fixture(tests, write_style, free_style);
    tcase_add_test(tests, distance_is_that_of_the_published_pairs);
    /* Each for the light theme and the dark one. */
    tcase_add_loop_test(tests, areas_that_share_a_hatch_are_apart, 0, 2);
    tcase_add_loop_test(tests, lines_that_share_a_dash_are_apart, 0, 2);
    tcase_add_loop_test(tests, dots_are_apart_for_the_colour_blind, 0, 2);
    tcase_add_loop_test(tests, the_first_series_are_apart_for_the_colour_blind, 0, 2);
    tcase_add_loop_test(tests, shades_are_in_order_for_every_eye, 0, 2);
    tcase_add_loop_test(tests, text_stands_out_from_its_background, 0, 2);
    tcase_add_loop_test(tests, letters_stand_out_from_areas, 0, 2);
    tcase_add_loop_test(tests, marks_stand_out_from_the_card, 0, 2);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
