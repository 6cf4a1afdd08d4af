/* study_sections.h - the sections of the page about a scenario, and the words that they share;
 * only the study_html files include it. A section writes nothing where it has nothing to show, and
 * fails when memory is short. Private to this wing. */
#ifndef HC_REPORTS_STUDY_STUDY_SECTIONS_H
#define HC_REPORTS_STUDY_STUDY_SECTIONS_H

#include "core/text/number_format.h"
#include "reports/figure/figure.h"
#include "reports/page/html_page.h"
#include "study/run/study_digest.h"

#define HC_STUDY_TEXT    160
#define HC_STUDY_N_LINES HC_N_SERIES /* that a chart takes, each of a colour */

/* ---- words and numbers (study_html_words.c) ---- */

/* The title of a column with a capital, for the head of a chart. */
const char *hc_study_html_head(const struct hc_study_column *column, char text[HC_STUDY_TEXT]);

/* An axis for values of up to size, with the power of ten that its ticks leave out: "wall time
 * (d)", "GPU-hours (M GPU-h)". Its range is up to the caller. */
struct hc_axis hc_study_html_axis(const struct hc_study_column *column, double size);

/* The largest size of mean, low and high that is known, and size. */
double hc_study_html_size(const struct hc_study_value *value, double size);

/* A number in its unit, "97.31 %", "20.81 M GPU-h". step: the least difference that means anything
 * (half the width of the interval); where it is not known, four digits are shown. */
const char *hc_study_html_number(double value, const char *unit, double step,
                                 char text[HC_STUDY_TEXT]);

/* A number of a scenario, with the digits that it was written with, up to seven: "0.6 s". */
const char *hc_study_html_given(double value, const char *unit, char text[HC_STUDY_TEXT]);

/* Mean and interval: "97.31 % (97.23 to 97.39)"; only the interval, "97.23 to 97.39 %"; NULL where
 * there is none. A value that is not known is a dash. */
const char *hc_study_html_value(const struct hc_study_value *value, const char *unit,
                                char text[HC_STUDY_TEXT]);
const char *hc_study_html_interval(const struct hc_study_value *value, const char *unit,
                                   char text[HC_STUDY_TEXT]);
double hc_study_html_half_width(const struct hc_study_value *value);

/* A difference, with its sign; of shares in percentage points: "+0.20 pp (0.19 to 0.21)". */
const char *hc_study_html_change(const struct hc_study_value *value, const char *unit,
                                 char text[HC_STUDY_TEXT]);
/* The unit that differences of a column are in, for the functions here. */
const char *hc_study_html_change_unit(const char *unit);

/* "91.24 d", "4.200 h", "12.50 min", "34.00 s". */
const char *hc_study_html_duration(double seconds, char text[HC_NUMBER_TEXT]);

/* The unit that an axis of so many seconds is in: its length in seconds, and "days". */
double hc_study_html_time_unit(double seconds, const char **name);

/* A note on what a list leaves out, where it does: "And 44 more.". */
void hc_study_html_remainder(FILE *stream, size_t n, size_t shown, const char *what);

/* ---- keys (study_html_keys.c) ---- */

/* A result whose axes, bars and answer have the path of their key in words, for a page; valid as
 * long as the one that it is made of. */
struct hc_study_html_keys {
    struct hc_study_result result;
    struct hc_study_axis *axis;
    struct hc_study_bar *bar;
    char (*text)[HC_STUDY_TEXT];
};

enum hc_status hc_study_html_keys_init(struct hc_study_html_keys *keys,
                                       const struct hc_study_result *result, struct hc_error *err);
void hc_study_html_keys_fini(struct hc_study_html_keys *keys);

/* ---- sections ---- */

/* figures: where its figures go, which is on the page itself or into files. */
typedef enum hc_status hc_study_section(FILE *stream, const struct hc_figure_sink *figures,
                                        const struct hc_study_result *result, struct hc_error *err);

hc_study_section hc_study_html_compare, hc_study_html_sweep, hc_study_html_find,
    hc_study_html_tornado, hc_study_html_figures, hc_study_html_spreads, hc_study_html_source;

/* ---- parts of the sweep (study_html_maps.c) ---- */

/* Maps of a figure over the first two axes, and as lines. */
hc_study_section hc_study_html_sweep_maps;

/* The tables of the engine, a section each (study_engine_sections.c). */
hc_study_section hc_study_html_engine_sections;

#endif
