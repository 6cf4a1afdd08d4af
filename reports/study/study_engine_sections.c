/* The tables that an engine adds to the report of a study, in each form: nothing here knows what is
 * in them. */
#include "reports/study/study_records.h"
#include "reports/study/study_sections.h"
#include "reports/study/study_tables.h"
#include "reports/study/study_views.h"

#include "reports/page/section_html.h"

#include "study/run/study_numbers.h"

#include <math.h>

#define MAX_ROWS 200 /* of a table of the page or the text; JSON and CSV have all */

static const struct hc_study_section_cell *cell_of(const struct hc_study_section *section,
                                                   size_t row, size_t column)
{
    return &section->cell[row * section->n_columns + column];
}

/* ---- CSV ---- */

void hc_study_write_section_csv(const struct hc_study_result *result, size_t i, FILE *stream)
{
    struct hc_record_csv csv;
    const struct hc_item root = {.record = result};
    struct hc_item run = {result->run, 0, &root}, section = {&result->run[0].section[i], i, &run};
    hc_record_csv_start(&csv, stream, &hc_study_row_record, "run,cells", &section);
    for (; run.index < result->n_runs; run.index++) {
        const struct hc_study_section *of = &result->run[run.index].section[i];
        run.record = &result->run[run.index];
        section.record = of;
        for (size_t row = 0; row < of->n_rows; row++)
            hc_record_csv_row(&csv, &(struct hc_item){cell_of(of, row, 0), row, &section});
    }
}

/* ---- text and HTML ---- */

/* A listing with the memory of its heads. */
struct shown {
    struct hc_study_listing listing;
    char head[HC_STUDY_TABLE_COLUMNS][HC_STUDY_TEXT];
};

static void fill(struct shown *shown, const struct hc_study_section *section)
{
    struct hc_section *table = &shown->listing.section;
    *table = (struct hc_section){
        .columns = shown->listing.column, .n_columns = section->n_columns, .indent = 2};
    for (size_t k = 0; k < section->n_columns; k++) {
        const struct hc_study_section_column *column = &section->column[k];
        snprintf(shown->head[k], HC_STUDY_TEXT, *column->unit ? "%.100s (%.40s)" : "%.100s",
                 column->title, column->unit);
        shown->listing.column[k] = (struct hc_section_column){
            .title = shown->head[k],
            .gap = k > 0,
            .is_number = section->n_rows && !cell_of(section, 0, k)->text};
    }
    for (size_t i = 0;
         i < section->n_rows * section->n_columns && i / section->n_columns < MAX_ROWS; i++) {
        char number[HC_NUMBER_TEXT], html[HC_STUDY_TEXT];
        const struct hc_study_section_cell *cell = &section->cell[i];
        if (cell->text)
            hc_section_text(table, cell->text);
        else
            hc_section_forms(table, hc_study_number_text(cell->number, number),
                             hc_study_html_number(cell->number, "", NAN, html));
    }
}

static enum hc_status too_wide(const struct hc_study_section *section, struct hc_error *err)
{
    return hc_fail(err, HC_INTERNAL, "the table '%s' has %zu columns, %d at most", section->name,
                   section->n_columns, HC_STUDY_TABLE_COLUMNS);
}

static enum hc_status put_section(const struct hc_study_section *section, FILE *stream,
                                  struct hc_error *err)
{
    struct shown shown;
    if (section->n_columns > HC_STUDY_TABLE_COLUMNS)
        return too_wide(section, err);
    fill(&shown, section);
    fprintf(stream, "\n%s: %s\n", section->title, section->help);
    enum hc_status status = hc_section_print(stream, shown.listing.section, err);
    if (section->n_rows > MAX_ROWS)
        fprintf(stream, "  and %zu more, which --json lists\n", section->n_rows - MAX_ROWS);
    return status;
}

enum hc_status hc_study_write_sections_text(const struct hc_study_result *result, FILE *stream,
                                            struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < result->run[0].n_sections && status == HC_OK; i++)
        if (!result->run[0].section[i].is_told)
            status = put_section(&result->run[0].section[i], stream, err);
    return status;
}

static enum hc_status write_section(FILE *stream, const struct hc_study_section *section,
                                    struct hc_error *err)
{
    struct shown shown;
    if (section->n_columns > HC_STUDY_TABLE_COLUMNS)
        return too_wide(section, err);
    fill(&shown, section);
    hc_html_section_start(stream, section->name, section->title);
    hc_html_paragraph(stream, NULL, "%s", section->help);
    enum hc_status status = hc_section_print_html(stream, shown.listing.section, err);
    hc_study_html_remainder(stream, section->n_rows, MAX_ROWS, "rows");
    hc_html_section_end(stream);
    return status;
}

enum hc_status hc_study_html_engine_sections(FILE *stream, const struct hc_figure_sink *figures,
                                             const struct hc_study_result *result,
                                             struct hc_error *err)
{
    (void)figures;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < result->run[0].n_sections && status == HC_OK; i++)
        if (!result->run[0].section[i].is_told)
            status = write_section(stream, &result->run[0].section[i], err);
    return status;
}
