/* The tables that an engine adds to the report of a study, in each form: nothing here knows what is
 * in them. */
#include "reports/study/study_sections.h"
#include "reports/study/study_text_sections.h"
#include "reports/study/study_views.h"

#include "core/base/text_layout.h"
#include "core/text/csv_writer.h"

#include <math.h>

#define MAX_ROWS    200 /* of a table of the page or the text; JSON and CSV have all */
#define WIDEST_CELL 40

static const struct hc_study_section_cell *cell_of(const struct hc_study_section *section,
                                                   size_t row, size_t column)
{
    return &section->cell[row * section->n_columns + column];
}

/* ---- JSON ---- */

void hc_study_write_sections_json(const struct hc_study_run *run, struct hc_json_writer *json)
{
    for (size_t i = 0; i < run->n_sections; i++) {
        const struct hc_study_section *section = &run->section[i];
        hc_json_array(json, section->name);
        for (size_t row = 0; row < section->n_rows; row++) {
            hc_json_object_line(json, NULL);
            for (size_t k = 0; k < section->n_columns; k++) {
                const struct hc_study_section_cell *cell = cell_of(section, row, k);
                if (cell->text)
                    hc_json_text(json, section->column[k].name, cell->text);
                else
                    hc_json_real(json, section->column[k].name, cell->number);
            }
            hc_json_end(json);
        }
        hc_json_end(json);
    }
}

/* ---- CSV ---- */

void hc_study_write_section_csv(const struct hc_study_result *result, size_t i, FILE *stream)
{
    struct hc_csv csv = {.stream = stream};
    hc_csv_text(&csv, "run");
    for (size_t k = 0; k < result->run[0].section[i].n_columns; k++)
        hc_csv_text(&csv, result->run[0].section[i].column[k].name);
    hc_csv_end(&csv);
    for (size_t r = 0; r < result->n_runs; r++) {
        const struct hc_study_section *section = &result->run[r].section[i];
        for (size_t row = 0; row < section->n_rows; row++) {
            hc_csv_text(&csv, result->run[r].name);
            for (size_t k = 0; k < section->n_columns; k++) {
                const struct hc_study_section_cell *cell = cell_of(section, row, k);
                if (cell->text)
                    hc_csv_text(&csv, cell->text);
                else
                    hc_csv_real(&csv, cell->number);
            }
            hc_csv_end(&csv);
        }
    }
}

/* ---- text ---- */

static const char *cell_text(const struct hc_study_section_cell *cell, char number[HC_NUMBER_TEXT])
{
    return cell->text ? cell->text : hc_study_number_text(cell->number, number);
}

static const char *head_text(const struct hc_study_section_column *column, char text[HC_STUDY_TEXT])
{
    snprintf(text, HC_STUDY_TEXT, *column->unit ? "%.100s (%.40s)" : "%.100s", column->title,
             column->unit);
    return text;
}

static size_t width_of(const struct hc_study_section *section, size_t column)
{
    char head[HC_STUDY_TEXT], number[HC_NUMBER_TEXT];
    size_t width = hc_text_columns(head_text(&section->column[column], head));
    for (size_t row = 0; row < section->n_rows && row < MAX_ROWS; row++) {
        size_t columns = hc_text_columns(cell_text(cell_of(section, row, column), number));
        width = columns > width ? columns : width;
    }
    return width < WIDEST_CELL ? width : WIDEST_CELL;
}

static void put_section(const struct hc_study_section *section, FILE *stream)
{
    char head[HC_STUDY_TEXT], number[HC_NUMBER_TEXT];
    fprintf(stream, "\n%s: %s\n", section->title, section->help);
    for (size_t row = 0; row <= section->n_rows && row <= MAX_ROWS; row++) {
        fputs(" ", stream);
        for (size_t k = 0; k < section->n_columns; k++) {
            fputs(" ", stream);
            hc_study_text_cell(stream,
                               row ? cell_text(cell_of(section, row - 1, k), number)
                                   : head_text(&section->column[k], head),
                               width_of(section, k));
        }
        fputc('\n', stream);
    }
    if (section->n_rows > MAX_ROWS)
        fprintf(stream, "  and %zu more, which --json lists\n", section->n_rows - MAX_ROWS);
}

void hc_study_write_sections_text(const struct hc_study_result *result, FILE *stream)
{
    for (size_t i = 0; i < result->run[0].n_sections; i++)
        put_section(&result->run[0].section[i], stream);
}

/* ---- HTML ---- */

static enum hc_status write_section(FILE *stream, const struct hc_study_section *section,
                                    struct hc_error *err)
{
    enum { MOST = 32 };
    struct hc_html_column columns[MOST];
    char head[MOST][HC_STUDY_TEXT], text[HC_STUDY_TEXT];
    struct hc_html_table table;
    if (section->n_columns > MOST)
        return hc_fail(err, HC_INTERNAL, "the table '%s' has %zu columns, %d at most",
                       section->name, section->n_columns, MOST);
    for (size_t k = 0; k < section->n_columns; k++)
        columns[k] = (struct hc_html_column){head_text(&section->column[k], head[k]),
                                             section->n_rows && !cell_of(section, 0, k)->text};
    hc_html_section_start(stream, section->name, section->title);
    hc_html_paragraph(stream, NULL, "%s", section->help);
    hc_html_table_start(&table, stream, NULL, columns, section->n_columns);
    for (size_t row = 0; row < section->n_rows && row < MAX_ROWS; row++) {
        hc_html_row(&table);
        for (size_t k = 0; k < section->n_columns; k++) {
            const struct hc_study_section_cell *cell = cell_of(section, row, k);
            hc_html_cell(&table, "%s",
                         cell->text ? cell->text
                                    : hc_study_html_number(cell->number, "", NAN, text));
        }
    }
    hc_html_table_end(&table);
    hc_study_html_left_out(stream, section->n_rows, MAX_ROWS, "rows");
    hc_html_section_end(stream);
    return HC_OK;
}

enum hc_status hc_study_html_engine_sections(FILE *stream, const struct hc_figure_sink *figures,
                                             const struct hc_study_result *result,
                                             struct hc_error *err)
{
    (void)figures;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < result->run[0].n_sections && status == HC_OK; i++)
        status = write_section(stream, &result->run[0].section[i], err);
    return status;
}
