/* Foreign names and any numbers in every page: UTF-8, elements that are opened are closed in turn,
 * attributes are quoted, an ampersand begins an entity, nothing acts that stands in the text; and
 * names are no markup: with tame names the page has the same elements (in charts, where labels are
 * left out for want of room, the same kinds). */
#include "reports/study/study_html.h"
#include "reports/whatif/whatif_html.h"
#include "tests/fuzz/documents.h"
#include "tests/fuzz/shown.h"

#include <ctype.h>
#include <stdio.h>

#define MAX_DEPTH 64
#define MAX_TAG   24

enum view { FLEET, STUDY, WHATIF, N_VIEWS }; /* by the first byte */

struct page {
    const char *at;
    char open[MAX_DEPTH][MAX_TAG];
    size_t depth, chart_depth; /* chart_depth: of the chart around, or 0 */
    uint64_t elements;         /* a hash of their names in order */
};

static const char *const empty_elements[] = {"meta", "link", "br", "col", "hr", "img"};

/* "&amp;", "&#160;" */
static void check_entity(struct page *page)
{
    const char *end = page->at + 1 + strspn(page->at + 1, "#abcdefghijklmnopqrstuvwxyz0123456789");
    require(end > page->at + 1 && *end == ';');
    page->at = end + 1;
}

static void check_text(struct page *page, const char *stop)
{
    while (*page->at && !strchr(stop, *page->at))
        if (*page->at == '&')
            check_entity(page);
        else
            page->at++;
}

/* name="value", with a value in which nothing needs to be escaped. */
static void check_attribute(struct page *page)
{
    size_t length =
        strspn(page->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:");
    require(length > 0);
    page->at += length;
    if (*page->at != '=') /* as in <details open> */
        return;
    require(page->at[1] == '"');
    page->at += 2;
    check_text(page, "\"<");
    require(*page->at++ == '"');
}

static void check_in_chart(const char *name)
{
    static const char *const drawn[] = {"svg",  "g",        "path",  "rect",   "line",
                                        "text", "title",    "desc",  "circle", "defs",
                                        "use",  "polyline", "tspan", "pattern"};
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        if (strcmp(name, drawn[i]) == 0)
            return;
    fprintf(stderr, "<%s> in a chart\n", name);
    require(false);
}

static void note_element(struct page *page, const char *name, bool closes)
{
    if (page->chart_depth) {
        check_in_chart(name);
        return;
    }
    for (const char *p = name; *p; p++)
        page->elements = (page->elements ^ (unsigned char)*p) * 0x100000001B3u;
    page->elements = (page->elements ^ closes) * 0x100000001B3u;
}

static bool is_empty_element(const char *name)
{
    for (size_t i = 0; i < sizeof empty_elements / sizeof *empty_elements; i++)
        if (strcmp(name, empty_elements[i]) == 0)
            return true;
    return false;
}

static void take_name(struct page *page, char name[MAX_TAG])
{
    size_t n = 0;
    while (isalnum((unsigned char)*page->at) && n + 1 < MAX_TAG)
        name[n++] = *page->at++;
    name[n] = '\0';
    require(n > 0);
}

static void check_end_tag(struct page *page)
{
    char name[MAX_TAG];
    take_name(page, name);
    require(*page->at++ == '>');
    require(page->depth > 0 && strcmp(page->open[--page->depth], name) == 0);
    if (page->depth < page->chart_depth)
        page->chart_depth = 0;
    note_element(page, name, true);
}

static void check_start_tag(struct page *page)
{
    char name[MAX_TAG];
    take_name(page, name);
    note_element(page, name, false);
    while (isspace((unsigned char)*page->at)) {
        page->at += strspn(page->at, " \n");
        if (*page->at != '>' && *page->at != '/')
            check_attribute(page);
    }
    bool is_closed = *page->at == '/';
    page->at += is_closed;
    require(*page->at++ == '>');
    if (strcmp(name, "style") == 0) { /* ours, and no markup */
        page->at = strstr(page->at, "</style>");
        require(page->at);
        page->at += strlen("</style>");
        return;
    }
    if (is_closed || is_empty_element(name))
        return;
    require(page->depth < MAX_DEPTH);
    strcpy(page->open[page->depth++], name);
    if (strcmp(name, "svg") == 0 && !page->chart_depth)
        page->chart_depth = page->depth;
}

/* A hash of the elements of the page. */
static uint64_t check_page(const char *text)
{
    struct page page = {.at = text, .elements = 0xCBF29CE484222325u};
    require(strncmp(text, "<!DOCTYPE html>\n", 16) == 0);
    for (page.at += 16; *page.at;) {
        check_text(&page, "<>");
        if (!*page.at)
            break;
        require(*page.at++ == '<');
        if (*page.at == '/') {
            page.at++;
            check_end_tag(&page);
        } else {
            check_start_tag(&page);
        }
    }
    require(page.depth == 0);
    return page.elements;
}

static uint64_t elements_of(const struct fuzz_documents *d, enum view view)
{
    struct hc_error err = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    require(stream);
    if (view == FLEET)
        require(!hc_fleet_write_html(stream, &d->fleet, &err));
    else if (view == STUDY)
        require(!hc_study_html_write(stream, &d->study.result, &err));
    else
        require(!hc_whatif_write_html(stream, &d->whatif, &err));
    require(!fclose(stream));
    fuzz_check_shown(text, size, "\n\t");
    uint64_t elements = check_page(text);
    free(text);
    return elements;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, data + size};
    enum view view = fuzz_byte(&input) % N_VIEWS;
    struct fuzz_input again = input;
    struct fuzz_documents d, tame;
    fuzz_documents_init(&d, &input, false);
    fuzz_documents_init(&tame, &again, true);
    require(elements_of(&d, view) == elements_of(&tame, view));
    fuzz_documents_fini(&d);
    fuzz_documents_fini(&tame);
    return 0;
}
