#include "reports/page/section_html.h"

#include "core/base/memory.h"
#include "reports/page/html_page.h"

#include <stdlib.h>

static bool is_in_html(const struct hc_section_column *column)
{
    return column->only == HC_BOTH_VIEWS || column->only == HC_HTML_ONLY;
}

static void put_cell(struct hc_html_table *table, const struct hc_section_cell *cell)
{
    if (cell->link)
        hc_html_cell_link(table, cell->link, cell->text);
    else if (cell->is_prose)
        hc_html_cell_prose(table, cell->text);
    else
        hc_html_cell(table, "%s", cell->html ? cell->html : cell->text);
}

static void put_table(FILE *stream, const struct hc_section *section,
                      struct hc_html_column *columns)
{
    struct hc_html_table table;
    size_t n = 0;
    for (size_t c = 0; c < section->n_columns; c++) {
        const struct hc_section_column *column = &section->columns[c];
        const char *title = column->html_title ? column->html_title : column->title;
        if (is_in_html(column))
            columns[n++] =
                (struct hc_html_column){title ? title : "", column->is_right || column->is_number};
    }
    hc_html_table_start(&table, stream, section->caption, columns, n);
    for (size_t row = 0; row < hc_section_n_rows(section); row++) {
        if (!hc_section_has_row(section, HC_HTML_ONLY, row))
            continue;
        hc_html_row(&table);
        for (size_t c = 0; c < section->n_columns; c++)
            if (is_in_html(&section->columns[c]))
                put_cell(&table, &section->cells[row * section->n_columns + c]);
    }
    hc_html_table_end(&table);
}

enum hc_status hc_section_write_html(FILE *stream, const struct hc_section *section)
{
    struct hc_error err;
    struct hc_html_column *columns = hc_new_array(section->n_columns, sizeof *columns, &err);
    enum hc_status status = columns && !section->has_failed ? HC_OK : HC_INTERNAL;
    if (status == HC_OK) {
        put_table(stream, section, columns);
        for (size_t i = 0; i < section->n_notes; i++)
            hc_html_paragraph(stream, "note", "%s", section->notes[i]);
    }
    free(columns);
    return status;
}

enum hc_status hc_section_print_html(FILE *stream, struct hc_section section, struct hc_error *err)
{
    enum hc_status status = hc_section_write_html(stream, &section);
    hc_section_fini(&section);
    return status ? hc_fail_memory(err, 4096) : HC_OK;
}
