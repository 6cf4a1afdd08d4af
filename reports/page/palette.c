#include "reports/page/palette.h"

const struct hc_ink hc_palette[HC_N_COLORS] = {
    [HC_BLUE] = {"#0072b2", "#3d9bd8", "", HC_SOLID, false},
    [HC_VERMILLION] = {"#d55e00", "#ee7a2a", "9 3", HC_RISING, false},
    [HC_GREEN] = {"#009e73", "#22b98f", "3 2.4", HC_SOLID, false},
    [HC_PURPLE] = {"#cc79a7", "#d98fb8", "9 3 2 3", HC_FALLING, true},
    [HC_GREY] = {"#7f868d", "#8d96a0", "1.5 2.5", HC_SOLID, false},
    [HC_ORANGE] = {"#e69f00", "#e69f00", "14 4", HC_LEVEL, true},
    [HC_SKY] = {"#56b4e9", "#7cc6ef", "9 3 2 3 2 3", HC_RISING, true},
    [HC_YELLOW] = {"#f0e442", "#f0e442", "5 5", HC_SOLID, true},
    [HC_BLACK] = {"#20262c", "#e4e8ec", "", HC_SOLID, false},
    [HC_PALE_GREY] = {"#c6ced6", "#55626f", "2 4", HC_SOLID, true},
    [HC_HATCHED_GREEN] = {"#7fceb9", "#1b6b55", "", HC_CROSSED, true},
    [HC_HATCHED_GREY] = {"#b4bbc2", "#67717b", "", HC_CROSSED, true},
};

const struct hc_ink hc_shades[HC_N_SHADES + 1] = {
    {"#eef0f2", "#262c33", "", HC_SOLID, true},  {"#fdf0d2", "#3d3145", "", HC_SOLID, true},
    {"#fddfa5", "#58344f", "", HC_SOLID, true},  {"#fbc676", "#773854", "", HC_SOLID, true},
    {"#f7a556", "#974052", "", HC_SOLID, true},  {"#ee8047", "#b64e4b", "", HC_SOLID, true},
    {"#df5c42", "#d26544", "", HC_SOLID, false}, {"#c53f46", "#e88544", "", HC_SOLID, false},
    {"#9f2a49", "#f5ab55", "", HC_SOLID, false}, {"#701a46", "#fdd98a", "", HC_SOLID, false},
    {"#c9ced4", "#4b545e", "", HC_SOLID, true},
};

const char *hc_color_class(enum hc_color color)
{
    static const char *const classes[HC_N_COLORS] = {"s1", "s1", "s2", "s3",  "s4",  "s5", "s6",
                                                     "s7", "s8", "s9", "s10", "s11", "s12"};
    return color > 0 && color < HC_N_COLORS ? classes[color] : classes[0];
}

enum hc_color hc_series_color(size_t i)
{
    static const enum hc_color colors[HC_N_SERIES] = {HC_BLUE,   HC_VERMILLION, HC_GREEN,
                                                      HC_PURPLE, HC_SKY,        HC_ORANGE};
    return colors[i % HC_N_SERIES];
}

/* ---- for pages ---- */

static void write_variables(FILE *stream, bool is_dark)
{
    for (int color = 1; color < HC_N_COLORS; color++)
        fprintf(stream, "--s%d:%s;", color,
                is_dark ? hc_palette[color].dark : hc_palette[color].light);
    for (int shade = 0; shade <= HC_N_SHADES; shade++) {
        const char *value = is_dark ? hc_shades[shade].dark : hc_shades[shade].light;
        if (shade < HC_N_SHADES)
            fprintf(stream, "--q%d:%s;", shade, value);
        else
            fprintf(stream, "--qn:%s", value);
    }
}

void hc_palette_write_style(FILE *stream)
{
    fputs(":root{", stream);
    write_variables(stream, false);
    fputs("}\n@media (prefers-color-scheme:dark){:root{", stream);
    write_variables(stream, true);
    fputs("}}\n", stream);
    for (int color = 1; color < HC_N_COLORS; color++) {
        fprintf(stream, ".s%d{--c:var(--s%d)}svg .line.s%d{stroke:var(--c)", color, color, color);
        if (hc_palette[color].dash[0])
            fprintf(stream, ";stroke-dasharray:%s", hc_palette[color].dash);
        fputs("}\n", stream);
        if (hc_palette[color].hatch != HC_SOLID)
            fprintf(stream, "svg .hatched .fill.s%d{fill:url(#h%d)}", color, color);
    }
    for (int shade = 0; shade < HC_N_SHADES; shade++)
        fprintf(stream, ".q%d{fill:var(--q%d)}", shade, shade);
    fputs(".qn{fill:var(--qn)}\n", stream);
}

void hc_palette_write_patterns(FILE *stream)
{
    static const char *const lines[] = {
        [HC_RISING] = "M-1 1L1 -1M0 6L6 0M5 7L7 5",
        [HC_FALLING] = "M-1 5L1 7M0 0L6 6M5 -1L7 1",
        [HC_LEVEL] = "M0 1H6M0 4H6",
        [HC_CROSSED] = "M-1 1L1 -1M0 6L6 0M5 7L7 5M-1 5L1 7M0 0L6 6M5 -1L7 1",
    };
    fputs("<svg class=\"patterns\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n", stream);
    for (int color = 1; color < HC_N_COLORS; color++)
        if (hc_palette[color].hatch != HC_SOLID)
            fprintf(stream,
                    "<pattern id=\"h%d\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
                    "<path class=\"fill s%d\" d=\"M0 0h6v6h-6z\"/><path class=\"hatch\" "
                    "d=\"%s\"/></pattern>\n",
                    color, color, lines[hc_palette[color].hatch]);
    fputs("</defs></svg>\n", stream);
}
