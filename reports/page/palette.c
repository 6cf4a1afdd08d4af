#include "reports/page/palette.h"

const struct hc_ink hc_palette[HC_N_COLORS] = {
    [HC_BLUE] = {"#0072b2", "#3590d2", NULL, "", HC_SOLID, HC_PAPER_LETTERS, false},
    [HC_VERMILLION] = {"#d55e00", "#ee7a2a", NULL, "9 3", HC_RISING, HC_DARK_LETTERS, false},
    [HC_GREEN] = {"#009e73", "#3fd0a4", NULL, "3 2.4", HC_SOLID, HC_DARK_LETTERS, false},
    [HC_PURPLE] = {"#cc79a7", "#d98fb8", NULL, "9 3 2 3", HC_FALLING, HC_DARK_LETTERS, false},
    [HC_GREY] = {"#7f868d", "#8d96a0", NULL, "1.5 2.5", HC_UPRIGHT, HC_DARK_LETTERS, false},
    [HC_ORANGE] = {"#e69f00", "#e69f00", "#b87700", "14 4", HC_LEVEL, HC_DARK_LETTERS, true},
    [HC_SKY] = {"#56b4e9", "#7cc6ef", "#2f8fc9", "9 3 2 3 2 3", HC_RISING, HC_DARK_LETTERS, true},
    [HC_YELLOW] = {"#f0e442", "#f0e442", "#918600", "5 5", HC_DASHED, HC_DARK_LETTERS, true},
    [HC_BLACK] = {"#20262c", "#e4e8ec", NULL, "18 3", HC_SOLID, HC_PAPER_LETTERS, false},
    [HC_PALE_GREY] = {"#c6ced6", "#4f5b67", "#8b939b", "2 4", HC_SOLID, HC_INK_LETTERS, true},
    [HC_HATCHED_GREEN] = {"#7fceb9", "#1b6b55", "#3f9a82", "6 2", HC_CROSSED, HC_INK_LETTERS, true},
    [HC_HATCHED_GREY] = {"#b4bbc2", "#5a646e", "#858d95", "2 2", HC_GRID, HC_INK_LETTERS, true},
};

const struct hc_ink hc_shades[HC_N_SHADES + 1] = {
    {.light = "#eef0f2", .dark = "#262c33", .letters = HC_INK_LETTERS},
    {.light = "#fdf0d2", .dark = "#3d3145", .letters = HC_INK_LETTERS},
    {.light = "#fddfa5", .dark = "#58344f", .letters = HC_INK_LETTERS},
    {.light = "#fbc676", .dark = "#773854", .letters = HC_INK_LETTERS},
    {.light = "#f7a556", .dark = "#933f51", .letters = HC_INK_LETTERS},
    {.light = "#ee8047", .dark = "#a84745", .letters = HC_INK_LETTERS},
    {.light = "#e26449", .dark = "#d26544", .letters = HC_DARK_LETTERS},
    {.light = "#c53f46", .dark = "#e88544", .letters = HC_PAPER_LETTERS},
    {.light = "#9f2a49", .dark = "#f5ab55", .letters = HC_PAPER_LETTERS},
    {.light = "#701a46", .dark = "#fdd98a", .letters = HC_PAPER_LETTERS},
    {.light = "#c9ced4", .dark = "#4b545e", .letters = HC_INK_LETTERS, .hatch = HC_UPRIGHT},
};

const char *hc_color_class(enum hc_color color)
{
    static const char *const classes[HC_N_COLORS] = {"s1", "s1", "s2", "s3",  "s4",  "s5", "s6",
                                                     "s7", "s8", "s9", "s10", "s11", "s12"};
    return color > 0 && color < HC_N_COLORS ? classes[color] : classes[0];
}

const char *hc_letters_class(const struct hc_ink *ink)
{
    static const char *const classes[] = {
        [HC_INK_LETTERS] = "off", [HC_PAPER_LETTERS] = "on", [HC_DARK_LETTERS] = "ondark"};
    return classes[ink->letters];
}

const char *hc_line_light(const struct hc_ink *ink)
{
    return ink->line ? ink->line : ink->light;
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
    for (int color = 1; color < HC_N_COLORS; color++) {
        const struct hc_ink *ink = &hc_palette[color];
        fprintf(stream, "--s%d:%s;--l%d:%s;", color, is_dark ? ink->dark : ink->light, color,
                is_dark ? ink->dark : hc_line_light(ink));
    }
    for (int shade = 0; shade <= HC_N_SHADES; shade++) {
        const char *value = is_dark ? hc_shades[shade].dark : hc_shades[shade].light;
        if (shade < HC_N_SHADES)
            fprintf(stream, "--q%d:%s;", shade, value);
        else
            fprintf(stream, "--qn:%s", value);
    }
}

/* The patterns themselves have no edge: it would be a grid over the area. */
static void write_color_rules(FILE *stream, int color)
{
    const struct hc_ink *ink = &hc_palette[color];
    fprintf(stream, ".s%d{--c:var(--s%d);--d:var(--l%d)}", color, color, color);
    if (ink->dash[0])
        fprintf(stream, "svg .line.s%d{stroke-dasharray:%s}", color, ink->dash);
    fputc('\n', stream);
    if (ink->hatch != HC_SOLID)
        fprintf(stream, "svg .hatched .fill.s%d{fill:url(#h%d)}", color, color);
    if (ink->has_edge)
        fprintf(stream, "svg:not(.patterns) .fill.s%d{stroke:var(--quiet);stroke-width:.8}", color);
}

void hc_palette_write_style(FILE *stream)
{
    fputs(":root{", stream);
    write_variables(stream, false);
    fputs("}\n@media (prefers-color-scheme:dark){:root{", stream);
    write_variables(stream, true);
    fputs("}}\n", stream);
    for (int color = 1; color < HC_N_COLORS; color++)
        write_color_rules(stream, color);
    for (int shade = 0; shade < HC_N_SHADES; shade++)
        fprintf(stream, ".q%d{fill:var(--q%d)}", shade, shade);
    fputs(".qn{fill:url(#hn)}.unknown{fill:var(--qn)}\n", stream);
}

static void write_pattern(FILE *stream, const char *name, const char *class, enum hc_hatch hatch)
{
    static const char *const lines[HC_N_HATCHES] = {
        [HC_SOLID] = "",
        [HC_RISING] = "M-1 1L1 -1M0 6L6 0M5 7L7 5",
        [HC_FALLING] = "M-1 5L1 7M0 0L6 6M5 -1L7 1",
        [HC_LEVEL] = "M0 1H6M0 4H6",
        [HC_UPRIGHT] = "M1.5 0V6M4.5 0V6",
        [HC_CROSSED] = "M-1 1L1 -1M0 6L6 0M5 7L7 5M-1 5L1 7M0 0L6 6M5 -1L7 1",
        [HC_GRID] = "M0 3H6M3 0V6",
        [HC_DASHED] = "M0 1.5H2M3 4.5H5",
    };
    fprintf(stream,
            "<pattern id=\"%s\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
            "<path class=\"%s\" d=\"M0 0h6v6h-6z\"/><path class=\"hatch\" "
            "d=\"%s\"/></pattern>\n",
            name, class, lines[hatch]);
}

void hc_palette_write_patterns(FILE *stream)
{
    char name[16], class[24];
    fputs("<svg class=\"patterns\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n", stream);
    for (int color = 1; color < HC_N_COLORS; color++) {
        if (hc_palette[color].hatch == HC_SOLID)
            continue;
        snprintf(name, sizeof name, "h%d", color);
        snprintf(class, sizeof class, "fill s%d", color);
        write_pattern(stream, name, class, hc_palette[color].hatch);
    }
    write_pattern(stream, "hn", "unknown", hc_shades[HC_N_SHADES].hatch);
    fputs("</defs></svg>\n", stream);
}
