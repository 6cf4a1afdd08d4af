/* html_page.h - one self-contained HTML file: its style and charts are in it, it has no script and
 * asks no network for anything (its content security policy forbids both).
 *
 * Text is escaped here, so callers pass it as it is: names that come from input may hold anything.
 * Functions write to the stream as they are called; errors of the stream are for whoever opened it.
 */
#ifndef HC_REPORTS_PAGE_HTML_PAGE_H
#define HC_REPORTS_PAGE_HTML_PAGE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- the page ---- */

/* A file that went into the page, for its foot. */
struct hc_html_input {
    const char *label, *path;
    const char *sha256; /* or NULL */
};

struct hc_html_head {
    const char *kicker;   /* the line above the title: "what-if of a job" */
    const char *title;    /* in the window, and the only heading of level 1 */
    const char *subtitle; /* the line below it, or NULL */
    const char *run_id;   /* where it is one of several files: what all of them carry; or NULL */
    /* The first and the last time of its data, as text that begins with a date ("2026-03-01");
     * NULL: not known. A page is dated by its data, since the same input gives the same bytes
     * whenever it is made; SOURCE_DATE_EPOCH, where it is set, is the day on which it was made. */
    const char *from, *to;
};

/* A time as text for a head, "2026-03-01 08:00 UTC", in `text`; NULL where it is not known. */
const char *hc_html_time(int64_t unix_ns, char text[32]);

/* Begin the document. */
void hc_html_start(FILE *stream, const struct hc_html_head *head);

/* The foot, with the version of hindcast, and the end of the document. */
void hc_html_end(FILE *stream, const struct hc_html_input *inputs, size_t n_inputs);

/* How a page ends that was written with this status: HC_IO where its stream failed meanwhile. what:
 * "the page of the night", for the message. */
enum hc_status hc_html_written(FILE *stream, enum hc_status status, const char *what,
                               struct hc_error *err);

/* ---- text ---- */

/* Text for between tags and for quoted attributes: what must not be shown as it is
 * (core/base/printable.h) as escapes, words with letters that run from right to left isolated from
 * what stands beside them. */
void hc_html_text(FILE *stream, const char *text);

/* The same, formatted first. */
void hc_html_textf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A link. What is not plain in href is percent-encoded, a colon too, so it is always relative. */
void hc_html_link(FILE *stream, const char *href, const char *text);

/* class is one of the style, or NULL: "lead" is larger, "note" smaller and quieter. */
void hc_html_paragraph(FILE *stream, const char *class, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- structure ---- */

/* A section with a heading that "#anchor" leads to. */
void hc_html_section_start(FILE *stream, const char *anchor, const char *title);
void hc_html_section_end(FILE *stream);

/* A heading of level 3 within it. */
void hc_html_heading(FILE *stream, const char *title);

/* A row of links to sections, for long pages: a start, one each, an end. */
void hc_html_contents_start(FILE *stream);
void hc_html_contents_link(FILE *stream, const char *anchor, const char *title);
void hc_html_contents_end(FILE *stream);

/* What is folded away until it is clicked. Paper has none of it. */
void hc_html_details_start(FILE *stream, const char *title);
void hc_html_details_end(FILE *stream);

enum hc_html_tone { HC_TONE_PLAIN, HC_TONE_GOOD, HC_TONE_WARNING, HC_TONE_BAD };

/* A box that is read first. */
void hc_html_callout_start(FILE *stream, enum hc_html_tone tone, const char *title);
void hc_html_callout_end(FILE *stream);

/* Figures in large type, side by side. note: the smaller line under it, or NULL. */
void hc_html_tiles_start(FILE *stream);
void hc_html_tile(FILE *stream, enum hc_html_tone tone, const char *label, const char *value,
                  const char *note);
void hc_html_tiles_end(FILE *stream);

/* Figures (charts) in this grid stand two abreast where there is room. */
void hc_html_grid_start(FILE *stream);
void hc_html_grid_end(FILE *stream);

/* A chart with its title; after the drawing what is said under it (NULL: nothing), its table, and
 * the end. One that is wide takes the
 * whole row, and scrolls in its own box on small screens instead of shrinking beyond reading. */
void hc_html_figure_start(FILE *stream, const char *title, bool is_wide);
void hc_html_figure_note(FILE *stream, const char *note);
void hc_html_figure_end(FILE *stream);

/* ---- tables and facts ---- */

/* The box of a table, in which it scrolls where it is too wide, and what it is called. What is in
 * it writes a section (reports/page/section_html.h), or the table of a figure. */
void hc_html_table_start(FILE *stream, const char *name);
void hc_html_table_end(FILE *stream);

/* Key and value a row; a value is a formatted text. */
void hc_html_facts_start(FILE *stream);
void hc_html_fact(FILE *stream, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void hc_html_facts_end(FILE *stream);

/* The style of every page, in parts up to NULL (html_style.c). */
extern const char *const hc_html_style[];

#endif
