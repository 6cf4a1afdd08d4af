#include "reports/figure/table_cells.h"

#include "reports/page/html_page.h"

#include <math.h>
#include <string.h>

static void put(FILE *stream, const char *open, const char *text, const char *close)
{
    fputs(open, stream);
    hc_html_text(stream, text);
    fputs(close, stream);
}

void hc_table_start(FILE *stream, const char *caption)
{
    hc_html_table_start(stream, caption);
    put(stream, "<caption>", caption, "</caption>\n<thead><tr>");
}

void hc_table_head(FILE *stream, const char *text, bool is_number)
{
    put(stream, is_number ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">", text, "</th>");
}

void hc_table_body(FILE *stream)
{
    fputs("</tr></thead>\n<tbody>\n", stream);
}

void hc_table_row(FILE *stream, const char *head)
{
    put(stream, "<tr><th scope=\"row\">", head, "</th>");
}

void hc_table_cell(FILE *stream, const char *text)
{
    put(stream, "<td class=\"n\">", text, "</td>");
}

void hc_table_row_end(FILE *stream)
{
    fputs("</tr>\n", stream);
}

void hc_table_end(FILE *stream)
{
    fputs("</tbody>\n", stream);
    hc_html_table_end(stream);
}

/* ---- numbers ---- */

static int decimals_for(double largest)
{
    if (!(largest > 0))
        return 0;
    double decimals = 3 - floor(log10(largest));
    return decimals < 0 ? 0 : decimals > 6 ? 6 : (int)decimals;
}

static bool are_whole(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isfinite(values[i]) && values[i] != nearbyint(values[i]))
            return false;
    return true;
}

struct hc_table_format hc_table_format(const struct hc_axis *axis, const double *values, size_t n)
{
    struct hc_table_format format = {.is_share = axis->is_share, .is_log = axis->is_log};
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(values[i]))
            largest = fmax(largest, fabs(values[i]));
    if (!are_whole(values, n))
        format.decimals = decimals_for(axis->is_share ? largest * 100 : largest);
    return format;
}

const char *hc_table_number(const struct hc_table_format *format, double value,
                            char text[HC_NUMBER_TEXT])
{
    double shown = format->is_share ? value * 100 : value;
    bool is_whole = isfinite(shown) && shown == nearbyint(shown);
    int decimals = !format->is_log ? format->decimals : is_whole ? 0 : decimals_for(fabs(shown));
    if (decimals == 0 && isfinite(shown) && fabs(shown) < 9e15)
        hc_format_count(llround(shown), text);
    else
        hc_format_fixed(shown, decimals, text);
    return format->is_share && isfinite(shown) ? strcat(text, " %") : text;
}

void hc_table_value(FILE *stream, const struct hc_table_format *format, double value)
{
    char text[HC_NUMBER_TEXT];
    hc_table_cell(stream, hc_table_number(format, value, text));
}
