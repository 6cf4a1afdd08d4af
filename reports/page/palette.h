/* palette.h - the colours of every figure, on a page and in a file (docs/outputs.md, "Figures").
 *
 * Those of Okabe and Ito ("Color Universal Design", 2008), which the colour-blind tell apart, and
 * two greys. In grey print some of them are alike, so each also has a dash for lines, and most a
 * hatch for areas. The two beyond are a colour of the others with a hatch that is always drawn. A
 * page has them as classes "s1" to "s12" of its style, and the shades of maps as "q0" to "q9" and
 * "qn".
 */
#ifndef HC_REPORTS_PAGE_PALETTE_H
#define HC_REPORTS_PAGE_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum hc_color {
    HC_BLUE = 1,
    HC_VERMILLION,
    HC_GREEN,
    HC_PURPLE,
    HC_GREY,
    HC_ORANGE,
    HC_SKY,
    HC_YELLOW,
    HC_BLACK,
    HC_PALE_GREY,
    HC_HATCHED_GREEN,
    HC_HATCHED_GREY,
    HC_N_COLORS
};

enum hc_hatch { HC_SOLID, HC_RISING, HC_FALLING, HC_LEVEL, HC_CROSSED };

struct hc_ink {
    const char *light, *dark; /* "#0072b2" on white; on the dark theme of a page */
    const char *dash;         /* of lines: lengths drawn and left, in line widths; "" is solid */
    enum hc_hatch hatch;      /* of areas that stand beside others */
    bool needs_dark_text;     /* text upon it is dark, not white */
};

/* [enum hc_color]; the first is not used. */
extern const struct hc_ink hc_palette[HC_N_COLORS];

/* "s1". What is no colour is the first. */
const char *hc_color_class(enum hc_color color);

/* The colour of series i of a chart of lines: of HC_N_SERIES, then again from the first. */
#define HC_N_SERIES 6
enum hc_color hc_series_color(size_t i);

/* Shades of a map from low to high; the last stands for what is not known. */
#define HC_N_SHADES 10
extern const struct hc_ink hc_shades[HC_N_SHADES + 1];

/* Rules of style that define all of them for both themes. */
void hc_palette_write_style(FILE *stream);

/* The hatches as patterns "#h1" to "#h12", for a page's body to begin with. */
void hc_palette_write_patterns(FILE *stream);

#endif
