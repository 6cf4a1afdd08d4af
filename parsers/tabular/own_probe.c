#include "parsers/tabular/own_probe.h"

#include <string.h>

struct scan {
    const struct hc_own_form *form;
    uint64_t seen; /* bit c: column c is there */
    bool has_other;
};

static void take_name(struct scan *scan, const char *name, size_t length)
{
    while (length && *name == ' ') {
        name++;
        length--;
    }
    while (length && (name[length - 1] == ' ' || name[length - 1] == '\r'))
        length--;
    if (length >= 2 && *name == '"' && name[length - 1] == '"') {
        name++;
        length -= 2;
    }
    size_t column = hc_own_column(scan->form->def, name, length);
    if (column == scan->form->def->n_columns)
        scan->has_other = true;
    else
        scan->seen |= (uint64_t)1 << column;
}

static void take_header(struct scan *scan, const char *line, size_t length)
{
    const char *end = line + length;
    for (const char *comma; line < end; line = comma + 1) {
        comma = memchr(line, ',', (size_t)(end - line));
        comma = comma ? comma : end;
        take_name(scan, line, (size_t)(comma - line));
    }
}

/* The keys of an object without objects in it. */
static void take_object(struct scan *scan, const char *line, size_t length)
{
    const char *end = line + length;
    bool is_key = true;
    for (const char *at = line + 1; at < end; at++) {
        if (*at == '{' || *at == '[')
            scan->has_other = true;
        is_key = *at == ',' ? true : *at == ':' ? false : is_key;
        if (*at != '"')
            continue;
        const char *start = ++at;
        for (; at < end && *at != '"'; at++)
            at += *at == '\\';
        if (is_key && at < end)
            take_name(scan, start, (size_t)(at - start));
    }
}

static bool has_required(const struct scan *scan)
{
    for (size_t c = 0; c < scan->form->def->n_columns; c++)
        if (hc_own_is_required(scan->form, c) && !(scan->seen >> c & 1))
            return false;
    return true;
}

int hc_own_probe(const struct hc_own_form *form, const unsigned char *head, size_t length)
{
    const char *line = (const char *)head, *end = line + length;
    size_t title = strlen(HC_OWN_TITLE), name = strlen(form->def->name);
    if (length >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0)
        line += 3;
    if ((size_t)(end - line) > title + name && memcmp(line, HC_OWN_TITLE, title) == 0)
        return memcmp(line + title, form->def->name, name) == 0 &&
                       !strchr("abcdefghijklmnopqrstuvwxyz_", line[title + name])
                   ? 98
                   : 0;
    while (line < end && (*line == '#' || *line == '\n' || *line == '\r')) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));
        line = feed ? feed + 1 : end;
    }
    const char *feed = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
    size_t first = (size_t)((feed ? feed : end) - line);
    struct scan scan = {.form = form};
    if (first && *line == '{')
        take_object(&scan, line, first);
    else
        take_header(&scan, line, first);
    return scan.seen && !scan.has_other && has_required(&scan) ? 97 : 0;
}
