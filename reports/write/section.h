/* section.h - a table of a report, filled once and shown as text and in HTML.
 *
 *     static const struct hc_section_column columns[] = {
 *         {.title = "cause", .width = 27},
 *         {.title = "jobs", .width = 7, .gap = 1, .is_right = true},
 *     };
 *     struct hc_section section = {.title = "CAUSES", .columns = columns, .n_columns = 2};
 *     hc_section_text(&section, "worker");
 *     hc_section_count(&section, 12);
 *     hc_section_write_text(stream, &section);   (or hc_section_write_html, reports/page)
 *     hc_section_fini(&section);
 *
 * Cells are added row by row, one for each column, whether the view at hand shows it or not. A cell
 * for which memory is short makes the section fail: to write it then shows nothing and returns
 * HC_INTERNAL. Texts are copied, and may be foreign: each view makes them fit to be shown.
 */
#ifndef HC_REPORTS_WRITE_SECTION_H
#define HC_REPORTS_WRITE_SECTION_H

#include "core/base/status.h"
#include "reports/write/text_line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum hc_section_view { HC_BOTH_VIEWS, HC_TEXT_ONLY, HC_HTML_ONLY, HC_NO_VIEW };

struct hc_section_column {
    const char *title;
    const char *html_title; /* where there is room for more words; NULL: the same */
    int gap, width;         /* text: spaces before it, and characters; 0: as its widest cell */
    bool is_right;          /* aligned to the right, with digits of equal width: numbers */
    bool is_whole;          /* text: aligned to the left, and never cut */
    bool is_below;          /* text: on lines of its own under its row, indented by the gap: wrapped
                               to the page, or, where is_whole, as it is; nothing where empty */
    bool is_number;         /* HTML: aligned to the right, though the text is to the left */
    bool is_needed;         /* a view that shows the column leaves out rows where it is empty */
    enum hc_section_view only;
};

/* What a page makes of a number: in a terminal each has the digits that it needs, on a page those
 * of a column have as many decimals as each other. */
enum hc_section_number { HC_NO_NUMBER, HC_SHARE_NUMBER, HC_HOURS_NUMBER };

struct hc_section_cell {
    enum hc_section_number number;
    double value;      /* of a number */
    char *text, *link; /* link: relative, or NULL */
    char *html;        /* another form of the text for HTML, or NULL */
    bool is_prose;     /* sentences: HTML makes the cell wide enough to read them */
};

struct hc_section {
    const char
        *title; /* text: a line above the table, and an empty line above that; NULL: neither */
    const char *caption; /* HTML; NULL: none */
    const struct hc_section_column *columns;
    size_t n_columns;
    int indent; /* text: spaces before each row */

    /* Filled by the functions below. */
    struct hc_section_cell *cells;
    size_t n_cells, capacity;
    char **notes;
    size_t n_notes, notes_capacity;
    bool has_failed;
};

/* Add a cell. */
void hc_section_text(struct hc_section *section, const char *text); /* NULL: "" */
void hc_section_prose(struct hc_section *section, const char *text);
/* The same said in two ways: numbers with their interval as "0.97 +- 0.01" and "97 % (96 to 98)".
 */
void hc_section_forms(struct hc_section *section, const char *text, const char *html);
void hc_section_link(struct hc_section *section, const char *href, const char *text);
void hc_section_count(struct hc_section *section, int64_t count); /* missing: "-" */
/* The number of a job, which is its name: digits without separators. Missing: "-". */
void hc_section_job(struct hc_section *section, int64_t job);
void hc_section_percent(struct hc_section *section, double share);
/* A number of hours with the text that a terminal shows. */
void hc_section_hours(struct hc_section *section, double hours, const char *text);

/* A line under the table; line feeds in it hold in text only. */
void hc_section_note(struct hc_section *section, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

size_t hc_section_n_rows(const struct hc_section *section);
/* Whether there is nothing to write: no row, and none that memory was short for, so that a table is
 * never left out because of that. */
bool hc_section_is_empty(const struct hc_section *section);

/* Whether a view has a row: none of the columns that it shows misses a cell that it needs. */
bool hc_section_has_row(const struct hc_section *section, enum hc_section_view view, size_t row);

/* Title, heads of the columns (if any has one), rows, notes. A text in a column that is aligned to
 * the left is cut to its width, but in the last. A row ends with its last text: no line ends in
 * spaces. HC_INTERNAL without memory for it, or for what was added: then nothing is shown. */
enum hc_status hc_section_write_text(FILE *stream, const struct hc_section *section);

/* HC_INTERNAL with err filled when memory was short for what was added. */
enum hc_status hc_section_check(const struct hc_section *section, struct hc_error *err);

/* Append a row of a section that was checked to a paragraph: the cells that text shows, with a
 * space between them. */
void hc_section_add_row(struct hc_text_line *line, const struct hc_section *section, size_t row);

void hc_section_fini(struct hc_section *section);

/* Write a section and finish it, with err filled when memory was short; hc_section_print_any leaves
 * out one that is empty. */
enum hc_status hc_section_print(FILE *stream, struct hc_section section, struct hc_error *err);
enum hc_status hc_section_print_any(FILE *stream, struct hc_section section, struct hc_error *err);

#endif
