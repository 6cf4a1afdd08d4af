#include "reports/page/section_html.h"

#include "core/text/number_format.h"
#include "reports/page/html_page.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define MOST_COLUMNS 64 /* whose numbers are looked at; those of more have one decimal */

static bool is_in_html(const struct hc_section_column *column)
{
    return column->only == HC_BOTH_VIEWS || column->only == HC_HTML_ONLY;
}

static const char *class_of(const struct hc_section_column *column)
{
    return column->is_right || column->is_number ? " class=\"n\"" : "";
}

static const char *head_of(const struct hc_section_column *column)
{
    return column->html_title ? column->html_title : column->title;
}

static void put_heads(FILE *stream, const struct hc_section *section)
{
    fputs("<thead><tr>", stream);
    for (size_t c = 0; c < section->n_columns; c++) {
        const struct hc_section_column *column = &section->columns[c];
        if (!is_in_html(column))
            continue;
        fprintf(stream, "<th scope=\"col\"%s>", class_of(column));
        hc_html_text(stream, head_of(column));
        fputs("</th>", stream);
    }
    fputs("</tr></thead>\n", stream);
}

/* "CAUSES" as "Causes": titles of text are in capitals. */
static const char *sentence_case(const char *title, char *to, size_t size)
{
    size_t n = 0;
    for (; title[n] && n + 1 < size; n++)
        to[n] = (char)(n > 0 ? tolower((unsigned char)title[n]) : title[n]);
    to[n] = '\0';
    return to;
}

/* As many decimals as the numbers of a column need: one, and two where one would make 0 of
 * something; none where all are hours from 100 on. */
static int decimals_of(const struct hc_section *section, size_t column)
{
    int decimals = 0;
    for (size_t row = 0; row < hc_section_n_rows(section); row++) {
        const struct hc_section_cell *cell = &section->cells[row * section->n_columns + column];
        bool is_share = cell->number == HC_SHARE_NUMBER;
        double size = fabs(cell->value) * (is_share ? 100 : 1);
        if (cell->number == HC_NO_NUMBER || !isfinite(size))
            continue;
        int needed = size > 0 && size < 0.05 ? 2 : is_share || size < 100 ? 1 : 0;
        decimals = needed > decimals ? needed : decimals;
    }
    return decimals;
}

/* "12,345.6" */
static const char *grouped(double value, int decimals, char text[HC_NUMBER_TEXT + 16])
{
    char plain[HC_NUMBER_TEXT];
    size_t n = 0;
    hc_format_fixed(value, decimals, plain);
    size_t first = plain[0] == '-', whole = first + strspn(plain + first, "0123456789");
    for (size_t i = 0; plain[i]; i++) {
        if (i > first && i < whole && (whole - i) % 3 == 0)
            text[n++] = ',';
        text[n++] = plain[i];
    }
    text[n] = '\0';
    return text;
}

static void put_text(FILE *stream, const struct hc_section_cell *cell, int decimals)
{
    char number[HC_NUMBER_TEXT + 16];
    bool is_share = cell->number == HC_SHARE_NUMBER;
    if (cell->number == HC_NO_NUMBER || !isfinite(cell->value))
        hc_html_text(stream, cell->html ? cell->html : cell->text);
    else
        hc_html_textf(stream, is_share ? "%s %%" : "%s",
                      grouped(cell->value * (is_share ? 100 : 1), decimals, number));
}

/* is_head: the cell says what its row is about. */
static void put_cell(FILE *stream, const struct hc_section_column *column,
                     const struct hc_section_cell *cell, int decimals, bool is_head)
{
    const char *tag = is_head ? "th" : "td";
    fprintf(stream, "<%s%s%s>", tag, is_head ? " scope=\"row\"" : "",
            cell->is_prose ? " class=\"wide\"" : class_of(column));
    if (cell->link)
        hc_html_link(stream, cell->link, cell->text);
    else
        put_text(stream, cell, decimals);
    fprintf(stream, "</%s>", tag);
}

static void put_row(FILE *stream, const struct hc_section *section, const int *decimals, size_t row)
{
    /* The first cell that says something; a row that goes on with the one above it has it empty. */
    bool has_head = false;
    fputs("<tr>", stream);
    for (size_t c = 0; c < section->n_columns; c++) {
        const struct hc_section_cell *cell = &section->cells[row * section->n_columns + c];
        if (!is_in_html(&section->columns[c]))
            continue;
        put_cell(stream, &section->columns[c], cell, c < MOST_COLUMNS ? decimals[c] : 1,
                 !has_head && cell->text[0]);
        has_head = true;
    }
    fputs("</tr>\n", stream);
}

/* What a table without any title is about: "variant: ETTR, wall time". */
static void put_heads_as_title(FILE *stream, const struct hc_section *section)
{
    const char *between = "";
    for (size_t c = 0; c < section->n_columns; c++) {
        const char *head = head_of(&section->columns[c]);
        if (!is_in_html(&section->columns[c]) || !head || !head[0])
            continue;
        fputs(between, stream);
        hc_html_text(stream, head);
        between = between[0] ? ", " : ": ";
    }
}

/* Each table has a caption, by which those who go from table to table know it. One that is not the
 * section's own repeats what is seen above or in the table, and is not shown. */
static void put_caption(FILE *stream, const struct hc_section *section, const char *heading)
{
    fputs(section->caption ? "<caption>" : "<caption class=\"sr\">", stream);
    if (section->caption || heading)
        hc_html_text(stream, section->caption ? section->caption : heading);
    else
        put_heads_as_title(stream, section);
    fputs("</caption>\n", stream);
}

/* Where it is too wide the table scrolls in a box of its own. heading: what stands above it, for a
 * section without a caption. */
static void put_table(FILE *stream, const struct hc_section *section, const char *heading)
{
    int decimals[MOST_COLUMNS];
    for (size_t c = 0; c < section->n_columns && c < MOST_COLUMNS; c++)
        decimals[c] = decimals_of(section, c);
    char title[128];
    if (!heading && section->title)
        heading = sentence_case(section->title, title, sizeof title);
    const char *first = section->n_columns > 0 ? head_of(&section->columns[0]) : NULL;
    hc_html_table_start(stream, section->caption ? section->caption
                                : heading        ? heading
                                : first          ? first
                                                 : "table");
    put_caption(stream, section, heading);
    put_heads(stream, section);
    fputs("<tbody>\n", stream);
    for (size_t row = 0; row < hc_section_n_rows(section); row++)
        if (hc_section_has_row(section, HC_HTML_ONLY, row))
            put_row(stream, section, decimals, row);
    fputs("</tbody>\n", stream);
    hc_html_table_end(stream);
}

static enum hc_status write_below(FILE *stream, const struct hc_section *section,
                                  const char *heading)
{
    if (section->has_failed)
        return HC_INTERNAL;
    put_table(stream, section, heading);
    for (size_t i = 0; i < section->n_notes; i++)
        hc_html_paragraph(stream, "note", "%s", section->notes[i]);
    return HC_OK;
}

enum hc_status hc_section_write_html(FILE *stream, const struct hc_section *section)
{
    return write_below(stream, section, NULL);
}

static enum hc_status print_below(FILE *stream, const char *heading, struct hc_section section,
                                  struct hc_error *err)
{
    enum hc_status status = write_below(stream, &section, heading);
    hc_section_fini(&section);
    return status ? hc_fail_memory(err, 4096) : HC_OK;
}

enum hc_status hc_section_print_html(FILE *stream, struct hc_section section, struct hc_error *err)
{
    return print_below(stream, NULL, section, err);
}

enum hc_status hc_section_print_headed(FILE *stream, const char *anchor, const char *title,
                                       struct hc_section section, struct hc_error *err)
{
    if (hc_section_n_rows(&section) == 0) {
        enum hc_status status = hc_section_check(&section, err);
        hc_section_fini(&section);
        return status;
    }
    hc_html_section_start(stream, anchor, title);
    enum hc_status status = print_below(stream, title, section, err);
    hc_html_section_end(stream);
    return status;
}
