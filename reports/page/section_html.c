#include "reports/page/section_html.h"

#include "reports/page/html_page.h"

static bool is_in_html(const struct hc_section_column *column)
{
    return column->only == HC_BOTH_VIEWS || column->only == HC_HTML_ONLY;
}

static const char *class_of(const struct hc_section_column *column)
{
    return column->is_right || column->is_number ? " class=\"n\"" : "";
}

static void put_heads(FILE *stream, const struct hc_section *section)
{
    fputs("<thead><tr>", stream);
    for (size_t c = 0; c < section->n_columns; c++) {
        const struct hc_section_column *column = &section->columns[c];
        if (!is_in_html(column))
            continue;
        fprintf(stream, "<th scope=\"col\"%s>", class_of(column));
        hc_html_text(stream, column->html_title ? column->html_title : column->title);
        fputs("</th>", stream);
    }
    fputs("</tr></thead>\n", stream);
}

static void put_cell(FILE *stream, const struct hc_section_column *column,
                     const struct hc_section_cell *cell)
{
    fprintf(stream, "<td%s>", cell->is_prose ? " class=\"wide\"" : class_of(column));
    if (cell->link)
        hc_html_link(stream, cell->link, cell->text);
    else
        hc_html_text(stream, cell->html ? cell->html : cell->text);
    fputs("</td>", stream);
}

static void put_row(FILE *stream, const struct hc_section *section, size_t row)
{
    fputs("<tr>", stream);
    for (size_t c = 0; c < section->n_columns; c++)
        if (is_in_html(&section->columns[c]))
            put_cell(stream, &section->columns[c], &section->cells[row * section->n_columns + c]);
    fputs("</tr>\n", stream);
}

/* Where it is too wide the table scrolls in a box of its own. */
static void put_table(FILE *stream, const struct hc_section *section)
{
    fputs("<div class=\"scroll\" tabindex=\"0\">\n<table>\n", stream);
    if (section->caption) {
        fputs("<caption>", stream);
        hc_html_text(stream, section->caption);
        fputs("</caption>\n", stream);
    }
    put_heads(stream, section);
    fputs("<tbody>\n", stream);
    for (size_t row = 0; row < hc_section_n_rows(section); row++)
        if (hc_section_has_row(section, HC_HTML_ONLY, row))
            put_row(stream, section, row);
    fputs("</tbody>\n</table>\n</div>\n", stream);
}

enum hc_status hc_section_write_html(FILE *stream, const struct hc_section *section)
{
    if (section->has_failed)
        return HC_INTERNAL;
    put_table(stream, section);
    for (size_t i = 0; i < section->n_notes; i++)
        hc_html_paragraph(stream, "note", "%s", section->notes[i]);
    return HC_OK;
}

enum hc_status hc_section_print_html(FILE *stream, struct hc_section section, struct hc_error *err)
{
    enum hc_status status = hc_section_write_html(stream, &section);
    hc_section_fini(&section);
    return status ? hc_fail_memory(err, 4096) : HC_OK;
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
    enum hc_status status = hc_section_print_html(stream, section, err);
    hc_html_section_end(stream);
    return status;
}
