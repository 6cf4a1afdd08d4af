#include "reports/write/section.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/text_layout.h"
#include "core/text/number_format.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_SHOWN 1024 /* bytes of a cell in text */

/* ---- filling ---- */

/* Copies what cell points to. */
static void add_cell(struct hc_section *section, struct hc_section_cell cell)
{
    struct hc_error err;
    const char *text = cell.text, *link = cell.link, *html = cell.html;
    if (section->has_failed ||
        hc_reserve(&section->cells, &section->capacity, section->n_cells + 1, sizeof cell, &err)) {
        section->has_failed = true;
        return;
    }
    cell.text = hc_copy_text(text ? text : "", &err);
    cell.link = link ? hc_copy_text(link, &err) : NULL;
    cell.html = html ? hc_copy_text(html, &err) : NULL;
    section->has_failed = !cell.text || (link && !cell.link) || (html && !cell.html);
    section->cells[section->n_cells++] = cell;
}

static void add(struct hc_section *section, const char *text, const char *link, bool is_prose)
{
    add_cell(section, (struct hc_section_cell){
                          .text = (char *)text, .link = (char *)link, .is_prose = is_prose});
}

void hc_section_text(struct hc_section *section, const char *text)
{
    add(section, text, NULL, false);
}

void hc_section_prose(struct hc_section *section, const char *text)
{
    add(section, text, NULL, true);
}

void hc_section_forms(struct hc_section *section, const char *text, const char *html)
{
    add_cell(section, (struct hc_section_cell){.text = (char *)text, .html = (char *)html});
}

void hc_section_link(struct hc_section *section, const char *href, const char *text)
{
    add(section, text, href, false);
}

void hc_section_count(struct hc_section *section, int64_t count)
{
    char number[HC_NUMBER_TEXT];
    add(section, count == HC_MISSING_I64 ? "-" : hc_format_count(count, number), NULL, false);
}

void hc_section_job(struct hc_section *section, int64_t job)
{
    char number[HC_NUMBER_TEXT];
    snprintf(number, sizeof number, "%" PRId64, job);
    add(section, job == HC_MISSING_I64 ? "-" : number, NULL, false);
}

void hc_section_percent(struct hc_section *section, double share)
{
    char number[HC_NUMBER_TEXT];
    add_cell(section, (struct hc_section_cell){.number = HC_SHARE_NUMBER,
                                               .value = share,
                                               .text = (char *)hc_format_percent(share, number)});
}

void hc_section_hours(struct hc_section *section, double hours, const char *text)
{
    add_cell(section, (struct hc_section_cell){
                          .number = HC_HOURS_NUMBER, .value = hours, .text = (char *)text});
}

void hc_section_note(struct hc_section *section, const char *format, ...)
{
    struct hc_error err;
    char *note = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&note, format, args) < 0)
        note = NULL;
    va_end(args);
    if (!note || hc_reserve(&section->notes, &section->notes_capacity, section->n_notes + 1,
                            sizeof note, &err)) {
        free(note);
        section->has_failed = true;
        return;
    }
    section->notes[section->n_notes++] = note;
}

size_t hc_section_n_rows(const struct hc_section *section)
{
    return section->n_cells / section->n_columns;
}

void hc_section_fini(struct hc_section *section)
{
    for (size_t i = 0; i < section->n_cells; i++) {
        free(section->cells[i].text);
        free(section->cells[i].link);
        free(section->cells[i].html);
    }
    for (size_t i = 0; i < section->n_notes; i++)
        free(section->notes[i]);
    free(section->cells);
    free(section->notes);
    section->cells = NULL;
    section->notes = NULL;
    section->n_cells = section->capacity = section->n_notes = section->notes_capacity = 0;
}

/* ---- text ---- */

static bool is_in(const struct hc_section_column *column, enum hc_section_view view)
{
    return column->only == HC_BOTH_VIEWS || column->only == view;
}

static bool is_in_text(const struct hc_section_column *column)
{
    return is_in(column, HC_TEXT_ONLY);
}

bool hc_section_has_row(const struct hc_section *section, enum hc_section_view view, size_t row)
{
    for (size_t c = 0; c < section->n_columns; c++)
        if (section->columns[c].is_needed && is_in(&section->columns[c], view) &&
            !section->cells[row * section->n_columns + c].text[0])
            return false;
    return true;
}

/* Whether a column stands beside the others of its row. */
static bool is_beside(const struct hc_section_column *column)
{
    return is_in_text(column) && !column->is_below;
}

static int columns_of(const char *text)
{
    return (int)hc_text_columns(text);
}

/* Characters of a column: as asked for, or of its widest cell. */
static int width_of(const struct hc_section *section, size_t column)
{
    const struct hc_section_column *c = &section->columns[column];
    if (c->width)
        return c->width;
    int widest = c->title ? columns_of(c->title) : 0;
    for (size_t i = column; i < section->n_cells; i += section->n_columns) {
        int columns = columns_of(section->cells[i].text);
        widest = columns > widest ? columns : widest;
    }
    return widest;
}

/* Returns the spaces that belong after the text, if more of the row follows. */
static int put_text(FILE *stream, const struct hc_section_column *column, int width, bool is_cut,
                    const char *text)
{
    char shown[MAX_SHOWN];
    hc_text_head(shown, sizeof shown, text, is_cut ? (size_t)(width < 4 ? 4 : width) : MAX_SHOWN);
    int pad = width - columns_of(shown) > 0 ? width - columns_of(shown) : 0;
    fprintf(stream, "%*s%s", column->gap + (column->is_right ? pad : 0), "", shown);
    return column->is_right ? 0 : pad;
}

static void put_below(FILE *stream, const struct hc_section_column *column, const char *text)
{
    char shown[MAX_SHOWN];
    if (!text[0])
        return;
    fprintf(stream, "%*s", column->gap, "");
    if (column->is_whole)
        fprintf(stream, "%s\n", hc_text_head(shown, sizeof shown, text, MAX_SHOWN));
    else
        hc_text_wrap(stream, text, (size_t)column->gap, (size_t)column->gap, HC_TEXT_WIDTH);
}

static const char *text_of(const struct hc_section *section, const struct hc_section_cell *cells,
                           size_t column)
{
    const char *title = section->columns[column].title;
    return cells ? cells[column].text : title ? title : "";
}

/* One row, of the heads or of cells. */
static void put_row(FILE *stream, const struct hc_section *section, const int *widths,
                    const struct hc_section_cell *cells)
{
    size_t last = 0, end = 0; /* the last column, and the one after the last text */
    int pending = section->indent;
    for (size_t c = 0; c < section->n_columns; c++) {
        bool is_there = is_beside(&section->columns[c]);
        last = is_there ? c : last;
        end = is_there && text_of(section, cells, c)[0] ? c + 1 : end;
    }
    for (size_t c = 0; c < end; c++) {
        const struct hc_section_column *column = &section->columns[c];
        bool is_cut = !column->is_right && !column->is_whole && c != last;
        if (!is_beside(column))
            continue;
        fprintf(stream, "%*s", pending, "");
        pending = put_text(stream, column, widths[c], is_cut, text_of(section, cells, c));
    }
    fputc('\n', stream);
    for (size_t c = 0; c < section->n_columns && cells; c++)
        if (is_in_text(&section->columns[c]) && section->columns[c].is_below)
            put_below(stream, &section->columns[c], cells[c].text);
}

static bool has_heads(const struct hc_section *section)
{
    for (size_t c = 0; c < section->n_columns; c++)
        if (section->columns[c].title && is_beside(&section->columns[c]))
            return true;
    return false;
}

enum hc_status hc_section_write_text(FILE *stream, const struct hc_section *section)
{
    struct hc_error err;
    int *widths = hc_new_array(section->n_columns, sizeof *widths, &err);
    if (!widths || section->has_failed) {
        free(widths);
        return HC_INTERNAL;
    }
    for (size_t c = 0; c < section->n_columns; c++)
        widths[c] = is_beside(&section->columns[c]) ? width_of(section, c) : 0;
    if (section->title)
        fprintf(stream, "\n%s\n", section->title);
    if (has_heads(section))
        put_row(stream, section, widths, NULL);
    for (size_t row = 0; row < hc_section_n_rows(section); row++)
        if (hc_section_has_row(section, HC_TEXT_ONLY, row))
            put_row(stream, section, widths, &section->cells[row * section->n_columns]);
    for (size_t i = 0; i < section->n_notes; i++)
        fprintf(stream, "%s\n", section->notes[i]);
    free(widths);
    return HC_OK;
}

bool hc_section_is_empty(const struct hc_section *section)
{
    return !section->has_failed && hc_section_n_rows(section) == 0;
}

enum hc_status hc_section_check(const struct hc_section *section, struct hc_error *err)
{
    return section->has_failed ? hc_fail_memory(err, MAX_SHOWN) : HC_OK;
}

void hc_section_add_row(struct hc_text_line *line, const struct hc_section *section, size_t row)
{
    const char *between = "";
    for (size_t c = 0; c < section->n_columns; c++) {
        const char *text = section->cells[row * section->n_columns + c].text;
        if (!is_in_text(&section->columns[c]) || !text[0])
            continue;
        hc_line_add(line, "%s%s", between, text);
        between = " ";
    }
}

enum hc_status hc_section_print(FILE *stream, struct hc_section section, struct hc_error *err)
{
    enum hc_status status = hc_section_write_text(stream, &section);
    hc_section_fini(&section);
    return status ? hc_fail_memory(err, MAX_SHOWN) : HC_OK;
}

enum hc_status hc_section_print_any(FILE *stream, struct hc_section section, struct hc_error *err)
{
    if (!hc_section_is_empty(&section))
        return hc_section_print(stream, section, err);
    hc_section_fini(&section);
    return HC_OK;
}
