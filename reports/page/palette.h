/* palette.h - the colours of every figure, on a page and in a file (docs/outputs.md, "Figures").
 *
 * Those of Okabe and Ito ("Color Universal Design", 2008), which the colour-blind tell apart, and
 * two greys. Hue alone is never what tells two of them apart: each has a dash for lines and a hatch
 * for areas, and two that share a hatch differ for every eye and in grey by a CIEDE2000 of 10 or
 * more, so any of them may stand beside any other on one chart. Pale ones are drawn with an edge,
 * and as lines and dots in a darker form, since a mark needs a contrast of 3 to what is behind it,
 * and letters one of 4.5. tests/unit/test_palette.c measures all of this, for both themes.
 *
 * A page has them as classes "s1" to "s12" of its style, and the shades of maps as "q0" to "q9" and
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
    HC_PALE_GREY, /* this and those that follow are for areas only */
    HC_HATCHED_GREEN,
    HC_HATCHED_GREY,
    HC_N_COLORS
};

enum hc_hatch {
    HC_SOLID,
    HC_RISING,
    HC_FALLING,
    HC_LEVEL,
    HC_UPRIGHT,
    HC_CROSSED,
    HC_GRID,
    HC_DASHED,
    HC_N_HATCHES
};

/* What letters upon a colour are: of the theme's ink (light on dark in the dark theme), of the
 * colour of its paper, or dark in both. */
enum hc_letters { HC_INK_LETTERS, HC_PAPER_LETTERS, HC_DARK_LETTERS };

struct hc_ink {
    const char *light, *dark; /* "#0072b2" on white; on the dark theme of a page */
    const char *line;         /* on white as a line or a dot; NULL: as light */
    const char *dash;         /* of lines: lengths drawn and left, in line widths; "" is solid */
    enum hc_hatch hatch;      /* of areas that stand beside others */
    enum hc_letters letters;  /* upon it */
    bool has_edge;            /* an area of it is outlined */
};

/* [enum hc_color]; the first is not used. */
extern const struct hc_ink hc_palette[HC_N_COLORS];

/* "s1". What is no colour is the first. */
const char *hc_color_class(enum hc_color color);

/* The class of letters upon an ink. */
const char *hc_letters_class(const struct hc_ink *ink);

/* The colour of a line or a dot on white. */
const char *hc_line_light(const struct hc_ink *ink);

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
