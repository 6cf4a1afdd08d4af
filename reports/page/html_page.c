#include "reports/page/html_page.h"

#include "core/base/clock.h"
#include "core/base/printable.h"
#include "core/process/made_by.h"
#include "reports/page/palette.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

static const char *entity_of(char c)
{
    return c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : NULL;
}

/* Letters that run from right to left would turn what stands beside them: each word that has some
 * isolates them, by characters, since titles and drawings take no tags. */
#define ISOLATE     "&#x2068;"
#define END_ISOLATE "&#x2069;"

static bool runs_left(uint32_t code)
{
    return (code >= 0x0590 && code <= 0x08FF) || (code >= 0xFB1D && code <= 0xFDFF) ||
           (code >= 0xFE70 && code <= 0xFEFE) || (code >= 0x10800 && code <= 0x10FFF) ||
           (code >= 0x1E800 && code <= 0x1EFFF);
}

/* Where the last letter of the word at text ends that runs from right to left. */
static const char *end_of_run(const char *text)
{
    const char *end = text;
    while (*text && !strchr(" \t\n", *text)) {
        struct hc_shown shown = hc_show(text);
        text += shown.length;
        if (shown.is_text && runs_left(shown.code))
            end = text;
    }
    return end;
}

static void put_shown(FILE *stream, const char *text, const struct hc_shown *shown)
{
    const char *entity = entity_of(*text);
    if (entity)
        fputs(entity, stream);
    else if (shown->is_escaped && *text != '\n' && *text != '\t') /* white space is HTML's own */
        fputs(shown->escape, stream);
    else
        fwrite(text, 1, shown->length, stream);
}

void hc_html_text(FILE *stream, const char *text)
{
    const char *run_end = NULL;
    for (const char *p = text ? text : ""; *p;) {
        struct hc_shown shown = hc_show(p);
        if (!run_end && shown.is_text && runs_left(shown.code)) {
            run_end = end_of_run(p);
            fputs(ISOLATE, stream);
        }
        put_shown(stream, p, &shown);
        p += shown.length;
        if (p == run_end) {
            fputs(END_ISOLATE, stream);
            run_end = NULL;
        }
    }
}

static void format_text(FILE *stream, const char *format, va_list args)
{
    char fixed[1024], *text = fixed;
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(fixed, sizeof fixed, format, args);
    if (n >= (int)sizeof fixed && (text = malloc((size_t)n + 1)))
        vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    hc_html_text(stream, text ? text : fixed);
    if (!text)
        fputs("...", stream); /* memory is short: the end is missing, and the page says so */
    if (text != fixed)
        free(text);
}

void hc_html_textf(FILE *stream, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    format_text(stream, format, args);
    va_end(args);
}

void hc_html_link(FILE *stream, const char *href, const char *text)
{
    fputs("<a href=\"", stream);
    for (const char *p = href; *p; p++) {
        unsigned char c = (unsigned char)*p;
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (is_plain || strchr("-._~/#", c))
            fputc(c, stream);
        else
            fprintf(stream, "%%%02X", c);
    }
    fputs("\">", stream);
    hc_html_text(stream, text);
    fputs("</a>", stream);
}

void hc_html_paragraph(FILE *stream, const char *class, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stream, class ? "<p class=\"%s\">" : "<p>", class);
    format_text(stream, format, args);
    fputs("</p>\n", stream);
    va_end(args);
}

/* ---- the page ---- */

const char *hc_html_time(int64_t unix_ns, char text[32])
{
    if (!hc_known_iso8601(unix_ns, text))
        return NULL;
    text[10] = ' ';
    memcpy(text + 16, " UTC", 5);
    return text;
}

static void put_time(FILE *stream, const char *text)
{
    fprintf(stream, "<time datetime=\"%.10s\">", text);
    hc_html_text(stream, text);
    fputs("</time>", stream);
}

/* The day of SOURCE_DATE_EPOCH in `text`; NULL: it is not set, or no number of seconds. */
static const char *made_on(char text[32])
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    long long seconds = epoch && epoch[0] ? strtoll(epoch, &end, 10) : 0;
    if (!end || *end || seconds <= 0 || seconds > 253402300799) /* the end of the year 9999 */
        return NULL;
    if (seconds > INT64_MAX / 1000000000)
        return NULL;
    hc_format_iso8601((int64_t)seconds * 1000000000, text);
    text[10] = '\0';
    return text;
}

/* When: of the data, and of the page. */
static void put_dates(FILE *stream, const struct hc_html_head *head)
{
    char day[32];
    const char *made = made_on(day), *last = head->to ? head->to : head->from;
    fputs("<p class=\"dates\">", stream);
    if (last) {
        fputs("Report as of ", stream);
        put_time(stream, last);
        fputs(", on data ", stream);
        fputs(head->from && strcmp(head->from, last) != 0 ? "from " : "of ", stream);
        put_time(stream, head->from ? head->from : last);
        fputs(head->from && strcmp(head->from, last) != 0 ? " on" : "", stream);
    } else {
        fputs("Report without a date: its data tell none", stream);
    }
    if (made) {
        fputs("; made on ", stream);
        put_time(stream, made);
    }
    fputs(".</p>\n", stream);
}

void hc_html_start(FILE *stream, const struct hc_html_head *head)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"generator\" content=\"hindcast " HC_VERSION "\">\n",
          stream);
    if (head->run_id)
        fprintf(stream, "<meta name=\"hindcast-run\" content=\"%s\">\n", head->run_id);
    fputs("<link rel=\"icon\" href=\"data:,\">\n<title>", stream);
    hc_html_text(stream, head->title);
    fputs("</title>\n<style>\n", stream);
    hc_palette_write_style(stream);
    for (const char *const *part = hc_html_style; *part; part++)
        fputs(*part, stream);
    fputs("</style>\n</head>\n<body>\n", stream);
    hc_palette_write_patterns(stream);
    fputs("<header>\n", stream);
    hc_html_paragraph(stream, "kicker", "%s", head->kicker);
    fputs("<h1>", stream);
    hc_html_text(stream, head->title);
    fputs("</h1>\n", stream);
    if (head->subtitle)
        hc_html_paragraph(stream, "subtitle", "%s", head->subtitle);
    put_dates(stream, head);
    fputs("</header>\n<main>\n", stream);
}

/* Which program made the page, and what to type for it to be made again. */
static void put_made_by(FILE *stream)
{
    const struct hc_made_by made_by = hc_made_by();
    fputs("<p>Made by hindcast " HC_VERSION, stream);
    if (made_by.commit && *made_by.commit)
        hc_html_textf(stream, ", commit %s", made_by.commit);
    if (made_by.command) {
        fputs(": <code>", stream);
        hc_html_textf(stream, "%s", made_by.command);
        fputs("</code>", stream);
    }
    fputs("</p>\n", stream);
}

void hc_html_end(FILE *stream, const struct hc_html_input *inputs, size_t n_inputs)
{
    fputs("</main>\n<footer>\n", stream);
    put_made_by(stream);
    fputs("<p><code>hindcast help WORD</code> explains a word of this page; docs/glossary.md has "
          "all.</p>\n",
          stream);
    for (size_t i = 0; i < n_inputs; i++) {
        if (!inputs[i].path)
            continue;
        fputs("<p>", stream);
        hc_html_textf(stream, "%s: %s", inputs[i].label, inputs[i].path);
        if (inputs[i].sha256 && inputs[i].sha256[0])
            hc_html_textf(stream, ", sha256 %s", inputs[i].sha256);
        fputs("</p>\n", stream);
    }
    fputs("</footer>\n</body>\n</html>\n", stream);
}

enum hc_status hc_html_written(FILE *stream, enum hc_status status, const char *what,
                               struct hc_error *err)
{
    return status == HC_OK && ferror(stream) ? hc_fail_errno(err, "cannot write", what) : status;
}

/* ---- structure ---- */

/* <tag>text</tag> and a newline. */
static void element(FILE *stream, const char *tag, const char *text)
{
    fprintf(stream, "<%s>", tag);
    hc_html_text(stream, text);
    fprintf(stream, "</%s>\n", tag);
}

void hc_html_section_start(FILE *stream, const char *anchor, const char *title)
{
    fprintf(stream, "<section id=\"%s\">\n", anchor);
    element(stream, "h2", title);
}

void hc_html_section_end(FILE *stream)
{
    fputs("</section>\n", stream);
}

void hc_html_heading(FILE *stream, const char *title)
{
    element(stream, "h3", title);
}

void hc_html_contents_start(FILE *stream)
{
    fputs("<nav aria-label=\"Contents\">\n", stream);
}

void hc_html_contents_link(FILE *stream, const char *anchor, const char *title)
{
    fprintf(stream, "<a href=\"#%s\">", anchor);
    hc_html_text(stream, title);
    fputs("</a>\n", stream);
}

void hc_html_contents_end(FILE *stream)
{
    fputs("</nav>\n", stream);
}

void hc_html_details_start(FILE *stream, const char *title)
{
    fputs("<details>\n", stream);
    element(stream, "summary", title);
}

void hc_html_details_end(FILE *stream)
{
    fputs("</details>\n", stream);
}

static const char *const tone_class[] = {
    [HC_TONE_PLAIN] = "plain",
    [HC_TONE_GOOD] = "good",
    [HC_TONE_WARNING] = "warning",
    [HC_TONE_BAD] = "bad",
};

void hc_html_callout_start(FILE *stream, enum hc_html_tone tone, const char *title)
{
    fprintf(stream, "<div class=\"callout %s\">\n", tone_class[tone]);
    element(stream, "h2", title);
}

void hc_html_callout_end(FILE *stream)
{
    fputs("</div>\n", stream);
}

void hc_html_tiles_start(FILE *stream)
{
    fputs("<dl class=\"tiles\">\n", stream);
}

void hc_html_tile(FILE *stream, enum hc_html_tone tone, const char *label, const char *value,
                  const char *note)
{
    fprintf(stream, "<div class=\"tile %s\"><dt>", tone_class[tone]);
    hc_html_text(stream, label);
    fputs("</dt><dd class=\"value\">", stream);
    hc_html_text(stream, value);
    fputs("</dd>", stream);
    if (note) {
        fputs("<dd>", stream);
        hc_html_text(stream, note);
        fputs("</dd>", stream);
    }
    fputs("</div>\n", stream);
}

void hc_html_tiles_end(FILE *stream)
{
    fputs("</dl>\n", stream);
}

void hc_html_grid_start(FILE *stream)
{
    fputs("<div class=\"grid\">\n", stream);
}

void hc_html_grid_end(FILE *stream)
{
    fputs("</div>\n", stream);
}

/* A box that scrolls can be reached by the keyboard, and says what is in it. */
static void start_scroll(FILE *stream, const char *name)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"", stream);
    hc_html_text(stream, name);
    fputs("\">\n", stream);
}

void hc_html_figure_start(FILE *stream, const char *title, bool is_wide)
{
    fprintf(stream, "<figure%s aria-label=\"", is_wide ? " class=\"wide\"" : "");
    hc_html_text(stream, title);
    fputs("\">\n<h3>", stream);
    hc_html_text(stream, title);
    fputs("</h3>\n", stream);
    start_scroll(stream, title);
}

void hc_html_figure_note(FILE *stream, const char *note)
{
    fputs("</div>\n", stream);
    if (note)
        hc_html_paragraph(stream, "note", "%s", note);
}

void hc_html_figure_end(FILE *stream)
{
    fputs("</figure>\n", stream);
}

/* ---- tables and facts ---- */

void hc_html_table_start(FILE *stream, const char *name)
{
    start_scroll(stream, name);
    fputs("<table>\n", stream);
}

void hc_html_table_end(FILE *stream)
{
    fputs("</table>\n</div>\n", stream);
}

void hc_html_facts_start(FILE *stream)
{
    fputs("<dl class=\"facts\">\n", stream);
}

void hc_html_fact(FILE *stream, const char *key, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("<dt>", stream);
    hc_html_text(stream, key);
    fputs("</dt><dd>", stream);
    format_text(stream, format, args);
    fputs("</dd>\n", stream);
    va_end(args);
}

void hc_html_facts_end(FILE *stream)
{
    fputs("</dl>\n", stream);
}
