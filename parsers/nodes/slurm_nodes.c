/* slurm_nodes.c - nodes as `scontrol show node` prints them: a node a paragraph, or a line
 * (--oneliner). Words are NAME=VALUE; Reason goes to the end of its line, and so do OS and Comment,
 * which are not read. */
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "parsers/nodes/node_lines.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TEXT 65536 /* bytes of a node */
#define BEGIN     "NodeName="

struct slurm_nodes {
    struct hc_node_lines nodes;
    /* The node that is being read: its lines, joined by line feeds, and where it begins. */
    char text[MOST_TEXT + 64];
    size_t length;
    int64_t line;
    bool is_long;
};

static bool begins_node(struct hc_span line)
{
    return line.length >= sizeof BEGIN - 1 && memcmp(line.text, BEGIN, sizeof BEGIN - 1) == 0;
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    struct hc_span line = hc_node_first_line(head, length);
    size_t n = line.length < length ? line.length + 1 : length;
    bool is_later = n < length && begins_node((struct hc_span){(const char *)head + n, length - n});
    return begins_node(line) || is_later ? 92 : 0;
}

static void close_nodes(void *parser)
{
    struct slurm_nodes *p = parser;
    if (!p)
        return;
    hc_lines_close(p->nodes.lines);
    free(p);
}

static void begin_node(struct slurm_nodes *p, const struct hc_line *line)
{
    p->length = line->length < MOST_TEXT ? line->length : MOST_TEXT;
    p->is_long = line->length > MOST_TEXT;
    p->line = line->number;
    memcpy(p->text, line->text, p->length);
}

static void add_line(struct slurm_nodes *p, const struct hc_line *line)
{
    p->is_long |= line->length + 1 > MOST_TEXT - p->length;
    if (p->is_long || !p->length)
        return;
    p->text[p->length++] = '\n';
    memcpy(p->text + p->length, line->text, line->length);
    p->length += line->length;
}

static enum hc_status open_nodes(void **parser, const struct hc_source *source,
                                 const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct hc_line line;
    struct slurm_nodes *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    if (hc_node_lines_open(&p->nodes, source, options, err) ||
        hc_node_lines_next(&p->nodes, &line, err)) {
        close_nodes(p);
        return err->status;
    }
    struct hc_span text = {line.text, p->nodes.at_end ? 0 : line.length};
    if (!hc_node_snapshot_of_line(&p->nodes.builder, text)) {
        hc_node_snapshot_of_file(&p->nodes.builder);
        if (begins_node(text))
            begin_node(p, &line);
    }
    *parser = p;
    return HC_OK;
}

/* ---- a node ---- */

/* The word that a line goes on with, NAME=VALUE; some values go to its end. */
static void next_value(struct hc_span *line, struct hc_span *name, struct hc_span *value)
{
    struct hc_span from = hc_node_trim(*line), word = hc_node_word(line);
    const char *equals = word.length ? memchr(word.text, '=', word.length) : NULL;
    *name = (struct hc_span){word.text, equals ? (size_t)(equals - word.text) : word.length};
    size_t used = name->length + (equals != NULL);
    *value = (struct hc_span){word.text + used, word.length - used};
    if ((name->length == 6 && memcmp(name->text, "Reason", 6) == 0) ||
        (name->length == 7 && memcmp(name->text, "Comment", 7) == 0)) {
        value->length = (size_t)(from.text + from.length - value->text);
        line->length = 0;
    }
}

static enum hc_status take_node(struct slurm_nodes *p, struct hc_table *rows,
                                struct hc_row_report *report, struct hc_error *err)
{
    struct hc_node_row row = hc_node_row_none;
    const char *wrong = p->is_long ? "the node takes more than 65,536 bytes" : NULL;
    row.line = p->line;
    row.how = HC_NODE_SNAPSHOT;
    report->rows_read++;
    memset(p->text + p->length, 0, sizeof p->text - MOST_TEXT);
    for (size_t at = 0; at < p->length && !wrong;) {
        const char *feed = memchr(p->text + at, '\n', p->length - at);
        size_t n = feed ? (size_t)(feed - (p->text + at)) : p->length - at;
        struct hc_span line = hc_node_trim((struct hc_span){p->text + at, n}), name, value;
        while (line.length && !wrong) {
            next_value(&line, &name, &value);
            wrong = hc_node_field_put(&p->nodes.builder, &row, hc_node_field_find(name), value);
        }
        at += n + 1;
    }
    if (!wrong && (row.node.length == 0 || !row.has_state))
        wrong = "it has no name, or no state";
    p->length = 0;
    return wrong ? hc_node_bad(report, p->line, wrong, err)
                 : hc_node_row_put(&p->nodes.builder, &row, rows, err);
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct slurm_nodes *p = parser;
    while (!p->nodes.at_end && rows->n_rows < rows->capacity) {
        struct hc_line line;
        if (hc_node_lines_next(&p->nodes, &line, err))
            return err->status;
        struct hc_span text = {line.text, p->nodes.at_end ? 0 : line.length};
        bool is_new = begins_node(text);
        if ((is_new || p->nodes.at_end) && p->length && take_node(p, rows, report, err))
            return err->status;
        if (is_new)
            begin_node(p, &line);
        else if (!p->nodes.at_end)
            add_line(p, &line);
    }
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct slurm_nodes *p = parser;
    return hc_lines_position(p->nodes.lines);
}

const struct hc_format hc_format_slurm_nodes = {
    .name = "slurm-nodes",
    .description = "nodes at an instant, as scontrol show node prints them",
    .version = 1,
    .is_lines = true,
    .table = &hc_node_states_def,
    .probe = probe,
    .open = open_nodes,
    .next_batch = next_batch,
    .position = position,
    .close = close_nodes,
};
