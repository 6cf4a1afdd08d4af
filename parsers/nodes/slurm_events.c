/* slurm_events.c - the history of nodes as `sacctmgr show event` prints it: with --parsable2 or
 * --parsable (fields between '|'), or in columns under a line of dashes. */
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "parsers/nodes/node_lines.h"

#include <stdlib.h>
#include <string.h>

struct column {
    enum hc_node_field field;
    size_t from, to; /* of a table in columns: its bytes of a line */
};

struct slurm_events {
    struct hc_node_lines nodes;
    struct column columns[HC_NODE_MOST_FIELDS];
    size_t n_columns;
    size_t reason; /* column that may hold '|'; n_columns: none */
    bool is_parsable;
};

static bool is_header(struct hc_span line)
{
    return line.length && memmem(line.text, line.length, "NodeName", 8) &&
           memmem(line.text, line.length, "Start", 5) &&
           memmem(line.text, line.length, "State", 5) && !memchr(line.text, '=', line.length);
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    return is_header(hc_node_first_line(head, length)) ? 90 : 0;
}

/* ---- opening ---- */

static void close_events(void *parser)
{
    struct slurm_events *p = parser;
    if (!p)
        return;
    hc_lines_close(p->nodes.lines);
    free(p);
}

static void add_column(struct slurm_events *p, struct hc_span name, size_t from, size_t to)
{
    p->columns[p->n_columns] = (struct column){hc_node_field_find(name), from, to};
    if (p->columns[p->n_columns].field == HC_NODE_FIELD_REASON)
        p->reason = p->n_columns;
    p->n_columns++;
}

/* Columns lie under the dashes of the second line. */
static enum hc_status read_dashes(struct slurm_events *p, struct hc_span header,
                                  struct hc_error *err)
{
    char names[4096];
    struct hc_line line;
    size_t length = header.length < sizeof names ? header.length : sizeof names;
    memcpy(names, header.text, length);
    if (hc_node_lines_next(&p->nodes, &line, err))
        return err->status;
    for (size_t at = 0; !p->nodes.at_end && at < line.length;) {
        size_t n = 0;
        while (at + n < line.length && line.text[at + n] == '-')
            n++;
        if (n && p->n_columns < HC_NODE_MOST_FIELDS && at + n <= length)
            add_column(p, hc_node_trim((struct hc_span){names + at, n}), at, at + n);
        at += n + 1;
    }
    return HC_OK;
}

static enum hc_status read_header(struct slurm_events *p, struct hc_error *err)
{
    struct hc_line line;
    struct hc_span names[HC_NODE_MOST_FIELDS];
    bool has_node = false, has_start = false;
    const char *file = p->nodes.builder.source->name;
    if (hc_node_lines_next(&p->nodes, &line, err))
        return err->status;
    struct hc_span header = {line.text, p->nodes.at_end ? 0 : line.length};
    p->reason = SIZE_MAX;
    p->is_parsable = header.length && memchr(header.text, '|', header.length);
    if (p->is_parsable) {
        size_t n = hc_node_split(header, names);
        for (size_t i = 0; i < n && n <= HC_NODE_MOST_FIELDS; i++)
            if (names[i].length || i + 1 < n) /* --parsable ends lines with a '|' */
                add_column(p, names[i], 0, 0);
    } else if (read_dashes(p, header, err))
        return err->status;
    for (size_t i = 0; i < p->n_columns; i++) {
        has_node |= p->columns[i].field == HC_NODE_FIELD_NODE;
        has_start |= p->columns[i].field == HC_NODE_FIELD_START;
    }
    if (!has_node || !has_start)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': line 1: no header with the columns NodeName and TimeStart of "
                       "'sacctmgr show event' (do not use --noheader)",
                       file);
    return HC_OK;
}

static enum hc_status open_events(void **parser, const struct hc_source *source,
                                  const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct slurm_events *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    if (hc_node_lines_open(&p->nodes, source, options, err) || read_header(p, err)) {
        close_events(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

/* ---- rows ---- */

/* The fields of a line, as many as there are columns; false: they are too few, or too many. */
static bool cut_line(const struct slurm_events *p, struct hc_span line, struct hc_span *fields)
{
    if (!p->is_parsable) {
        for (size_t i = 0; i < p->n_columns; i++) {
            size_t from = p->columns[i].from, to = p->columns[i].to;
            to = to < line.length ? to : line.length;
            fields[i] = from < to ? hc_node_trim((struct hc_span){line.text + from, to - from})
                                  : (struct hc_span){line.text, 0};
        }
        return true;
    }
    return hc_node_cut(line, fields, p->n_columns, p->reason);
}

static enum hc_status take(struct slurm_events *p, const struct hc_line *line,
                           struct hc_table *rows, struct hc_row_report *report,
                           struct hc_error *err)
{
    struct hc_span fields[HC_NODE_MOST_FIELDS];
    struct hc_node_row row = hc_node_row_none;
    const char *wrong = NULL;
    if (hc_node_trim((struct hc_span){line->text, line->length}).length == 0)
        return HC_OK;
    report->rows_read++;
    if (line->is_long || !cut_line(p, (struct hc_span){line->text, line->length}, fields))
        return hc_node_bad(report, line->number, "its fields are not those of the header", err);
    row.line = line->number;
    row.how = HC_NODE_HISTORY;
    for (size_t i = 0; i < p->n_columns && !wrong; i++)
        wrong = hc_node_field_put(&p->nodes.builder, &row, p->columns[i].field, fields[i]);
    if (!wrong && row.node.length == 0) { /* an event of the cluster */
        report->rows_ignored++;
        return HC_OK;
    }
    if (!wrong && row.since_ns == HC_MISSING_I64)
        wrong = "its start is not known";
    if (!wrong && row.until_ns != HC_MISSING_I64 && row.until_ns < row.since_ns)
        wrong = "it ends before its start";
    if (wrong)
        return hc_node_bad(report, line->number, wrong, err);
    return hc_node_row_put(&p->nodes.builder, &row, rows, err);
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct slurm_events *p = parser;
    struct hc_line line;
    while (!p->nodes.at_end && rows->n_rows < rows->capacity) {
        if (hc_node_lines_next(&p->nodes, &line, err))
            return err->status;
        if (!p->nodes.at_end && take(p, &line, rows, report, err))
            return err->status;
    }
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct slurm_events *p = parser;
    return hc_lines_position(p->nodes.lines);
}

const struct hc_format hc_format_slurm_events = {
    .name = "slurm-events",
    .description = "history of nodes, as sacctmgr show event prints it",
    .version = 1,
    .is_lines = true,
    .table = &hc_node_states_def,
    .probe = probe,
    .open = open_events,
    .next_batch = next_batch,
    .position = position,
    .close = close_events,
};
