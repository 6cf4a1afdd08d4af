#include "parsers/nodes/node_lines.h"

#include "core/base/missing.h"

#include <string.h>

enum hc_status hc_node_lines_open(struct hc_node_lines *nodes, const struct hc_source *source,
                                  const struct hc_parse_options *options, struct hc_error *err)
{
    nodes->builder = (struct hc_node_builder){
        .source = source, .zone = options->zone, .names = options->names, .at_ns = HC_MISSING_I64};
    return hc_lines_open(&nodes->lines, source, err);
}

enum hc_status hc_node_lines_next(struct hc_node_lines *nodes, struct hc_line *line,
                                  struct hc_error *err)
{
    if (hc_lines_next(nodes->lines, line, &nodes->at_end, err))
        return err->status;
    if (!nodes->at_end)
        return HC_OK;
    if (hc_lines_are_cut(nodes->lines))
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': the packed data ends too early; fetch or write it again",
                       nodes->builder.source->name);
    hc_node_warn_at_end(&nodes->builder);
    return HC_OK;
}

enum hc_status hc_node_bad(struct hc_row_report *report, int64_t line, const char *why,
                           struct hc_error *err)
{
    return hc_row_report_bad(report, HC_BAD_NUMBER, HC_MISSING_I32, err, "line %lld: %s",
                             (long long)line, why);
}

struct hc_span hc_node_word(struct hc_span *text)
{
    *text = hc_node_trim(*text);
    size_t n = 0;
    while (n < text->length && text->text[n] != ' ' && text->text[n] != '\t')
        n++;
    struct hc_span word = {text->text, n};
    text->text += n;
    text->length -= n;
    return word;
}

struct hc_span hc_node_first_line(const unsigned char *head, size_t length)
{
    const char *end = length ? memchr(head, '\n', length) : NULL;
    return (struct hc_span){(const char *)head, end ? (size_t)(end - (const char *)head) : length};
}

size_t hc_node_split(struct hc_span line, struct hc_span *fields)
{
    size_t n = 0;
    for (;;) {
        const char *bar = line.length ? memchr(line.text, '|', line.length) : NULL;
        size_t length = bar ? (size_t)(bar - line.text) : line.length;
        if (n == HC_NODE_MOST_FIELDS)
            return n + 1;
        fields[n++] = (struct hc_span){line.text, length};
        if (!bar)
            return n;
        line.text += length + 1;
        line.length -= length + 1;
    }
}

bool hc_node_cut(struct hc_span line, struct hc_span *fields, size_t n_columns, size_t reason)
{
    size_t n = hc_node_split(line, fields);
    if (n > HC_NODE_MOST_FIELDS)
        return false;
    n -= n == n_columns + 1 && fields[n - 1].length == 0;
    if (n > n_columns && reason < n_columns) {
        size_t extra = n - n_columns;
        const struct hc_span *last = &fields[reason + extra];
        fields[reason].length = (size_t)(last->text + last->length - fields[reason].text);
        for (size_t i = reason + 1; i < n_columns; i++)
            fields[i] = fields[i + extra];
        n = n_columns;
    }
    return n == n_columns;
}
