/* slurm_sinfo.c - nodes as `sinfo -N -l`, or `sinfo -N -o FORMAT` with its header, print them: a
 * line a node and partition. Words stand between blanks; what is too much belongs to the reason. */
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "parsers/nodes/node_lines.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PARTITIONS 1000 /* bytes of their names */
#define MOST_TEXT       8192 /* bytes of a line */

struct slurm_sinfo {
    struct hc_node_lines nodes;
    enum hc_node_field fields[HC_NODE_MOST_FIELDS];
    size_t n_fields;
    size_t reason; /* field that may hold blanks, or bars; n_fields: none */
    bool has_bars; /* between the fields, as in sinfo -o "%N|%T" */
    /* The node that is being read, its texts in a copy of its first line. */
    struct hc_node_row row;
    char text[MOST_TEXT + 64];
    char partitions[MOST_PARTITIONS];
    size_t partitions_length;
    bool has_row;
};

/* The next field of a line, which is shortened by it. */
static struct hc_span next_field(struct hc_span *line, bool has_bars)
{
    if (!has_bars)
        return hc_node_word(line);
    const char *bar = memchr(line->text, '|', line->length);
    size_t n = bar ? (size_t)(bar - line->text) : line->length;
    struct hc_span field = hc_node_trim((struct hc_span){line->text, n});
    line->text += n + (bar != NULL);
    line->length -= n + (bar != NULL);
    return field;
}

static bool is_header(struct hc_span line)
{
    size_t n_node = 0, n_state = 0;
    bool has_bars = line.length && memchr(line.text, '|', line.length);
    while (line.length) {
        struct hc_span word = next_field(&line, has_bars);
        n_node += hc_node_field_find(word) == HC_NODE_FIELD_NODE;
        n_state += hc_node_field_find(word) == HC_NODE_FIELD_STATE;
    }
    return has_bars ? n_node && n_state : n_node == 1 && n_state == 1;
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    /* Before the header may stand the time of `date -Is`, and the one that sinfo -l writes. */
    for (int i = 0; i < 3 && length; i++) {
        struct hc_span line = hc_node_first_line(head, length);
        if (is_header(line))
            return 70;
        size_t n = line.length < length ? line.length + 1 : length;
        head += n;
        length -= n;
    }
    return 0;
}

static void close_sinfo(void *parser)
{
    struct slurm_sinfo *p = parser;
    if (!p)
        return;
    hc_lines_close(p->nodes.lines);
    free(p);
}

static void read_names(struct slurm_sinfo *p, struct hc_span line)
{
    p->reason = SIZE_MAX;
    p->has_bars = line.length && memchr(line.text, '|', line.length);
    while (line.length && p->n_fields < HC_NODE_MOST_FIELDS) {
        struct hc_span word = next_field(&line, p->has_bars);
        enum hc_node_field field = hc_node_field_find(word);
        if (word.length && field == HC_NODE_FIELD_REASON)
            p->reason = p->n_fields;
        if (word.length)
            p->fields[p->n_fields++] = field;
    }
}

static enum hc_status read_header(struct slurm_sinfo *p, struct hc_error *err)
{
    struct hc_line line;
    if (hc_node_lines_next(&p->nodes, &line, err))
        return err->status;
    struct hc_span text = {line.text, p->nodes.at_end ? 0 : line.length};
    if (!hc_node_snapshot_of_line(&p->nodes.builder, text))
        hc_node_snapshot_of_file(&p->nodes.builder);
    /* The time by `date -Is` may stand before the one that sinfo -l writes. */
    for (int i = 0; i < 2 && !p->nodes.at_end && !is_header(text); i++) {
        if (hc_node_lines_next(&p->nodes, &line, err))
            return err->status;
        text = (struct hc_span){line.text, p->nodes.at_end ? 0 : line.length};
    }
    if (!is_header(text))
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': no header with the columns NODELIST and STATE of 'sinfo -N -l' (do "
                       "not use --noheader)",
                       p->nodes.builder.source->name);
    read_names(p, text);
    return HC_OK;
}

static enum hc_status open_sinfo(void **parser, const struct hc_source *source,
                                 const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct slurm_sinfo *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    if (hc_node_lines_open(&p->nodes, source, options, err) || read_header(p, err)) {
        close_sinfo(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

/* ---- lines ---- */

static size_t cut_words(const struct slurm_sinfo *p, struct hc_span line, struct hc_span *words)
{
    size_t n = 0;
    for (; (line = p->has_bars ? line : hc_node_trim(line)).length && n < HC_NODE_MOST_FIELDS; n++)
        words[n] = next_field(&line, p->has_bars);
    return line.length ? HC_NODE_MOST_FIELDS + 1 : n;
}

/* The fields of a line, as many as the header has; what is too much is the reason's. */
static bool cut_line(const struct slurm_sinfo *p, struct hc_span line, struct hc_span *words)
{
    size_t n = cut_words(p, line, words);
    if (p->has_bars && n == p->n_fields - 1) /* the last one is empty */
        words[n++] = (struct hc_span){line.text + line.length, 0};
    if (!p->has_bars && p->reason < p->n_fields && n == p->n_fields - 1) { /* no reason */
        for (size_t i = n; i > p->reason; i--)
            words[i] = words[i - 1];
        words[p->reason].length = 0;
        return true;
    }
    if (n > HC_NODE_MOST_FIELDS && p->reason + 1 == p->n_fields)
        n = HC_NODE_MOST_FIELDS;
    if (n > HC_NODE_MOST_FIELDS || n < p->n_fields || (n > p->n_fields && p->reason >= p->n_fields))
        return false;
    size_t extra = n - p->n_fields;
    if (!extra)
        return true;
    const struct hc_span *last = &words[p->reason + extra];
    const char *end = p->reason + 1 == p->n_fields
                          ? hc_node_trim(line).text + hc_node_trim(line).length
                          : last->text + last->length;
    words[p->reason].length = (size_t)(end - words[p->reason].text);
    for (size_t i = p->reason + 1; i < p->n_fields; i++)
        words[i] = words[i + extra];
    return true;
}

/* Partitions of the node that is being read; the default one is marked with '*'. */
static void add_partition(struct slurm_sinfo *p, struct hc_span name)
{
    name.length -= name.length && name.text[name.length - 1] == '*';
    if (!name.length || p->partitions_length + name.length + 1 > MOST_PARTITIONS)
        return;
    if (p->partitions_length)
        p->partitions[p->partitions_length++] = ',';
    memcpy(p->partitions + p->partitions_length, name.text, name.length);
    p->partitions_length += name.length;
}

static enum hc_status put_held(struct slurm_sinfo *p, struct hc_table *rows, struct hc_error *err)
{
    if (!p->has_row)
        return HC_OK;
    p->has_row = false;
    p->row.partitions = (struct hc_span){p->partitions, p->partitions_length};
    return hc_node_row_put(&p->nodes.builder, &p->row, rows, err);
}

static bool is_same_node(const struct slurm_sinfo *p, struct hc_span node)
{
    return p->has_row && node.length == p->row.node.length &&
           memcmp(node.text, p->row.node.text, node.length) == 0;
}

/* Read a line of p->text or of the source into a row. Returns what is wrong with it, or NULL. */
static const char *read_line(struct slurm_sinfo *p, struct hc_span line, struct hc_node_row *row)
{
    struct hc_span words[HC_NODE_MOST_FIELDS + 1];
    const char *wrong = NULL;
    *row = hc_node_row_none;
    row->how = HC_NODE_SNAPSHOT;
    if (!cut_line(p, line, words))
        return "its fields are not those of the header";
    for (size_t i = 0; i < p->n_fields && !wrong; i++)
        wrong = hc_node_field_put(&p->nodes.builder, row, p->fields[i], words[i]);
    if (wrong || !row->node.length)
        return wrong ? wrong : "it names no node";
    if (memchr(row->node.text, '[', row->node.length) ||
        memchr(row->node.text, ',', row->node.length))
        return "a list of nodes, not one (dump with sinfo -N)";
    return NULL;
}

static enum hc_status take(struct slurm_sinfo *p, const struct hc_line *line, struct hc_table *rows,
                           struct hc_row_report *report, struct hc_error *err)
{
    struct hc_node_row row;
    struct hc_span text = {line->text, line->length};
    if (hc_node_trim(text).length == 0)
        return HC_OK;
    report->rows_read++;
    const char *wrong = text.length > MOST_TEXT ? "it is too long" : read_line(p, text, &row);
    if (wrong)
        return hc_node_bad(report, line->number, wrong, err);
    if (is_same_node(p, row.node)) {
        add_partition(p, row.partitions);
        return HC_OK;
    }
    if (put_held(p, rows, err))
        return err->status;
    memset(p->text, 0, sizeof p->text);
    memcpy(p->text, text.text, text.length);
    read_line(p, (struct hc_span){p->text, text.length}, &p->row);
    p->row.line = line->number;
    p->has_row = true;
    p->partitions_length = 0;
    add_partition(p, p->row.partitions);
    return HC_OK;
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct slurm_sinfo *p = parser;
    while (!p->nodes.at_end && rows->n_rows < rows->capacity) {
        struct hc_line line;
        if (hc_node_lines_next(&p->nodes, &line, err))
            return err->status;
        if (p->nodes.at_end ? put_held(p, rows, err) : take(p, &line, rows, report, err))
            return err->status;
    }
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct slurm_sinfo *p = parser;
    return hc_lines_position(p->nodes.lines);
}

const struct hc_format hc_format_slurm_sinfo = {
    .name = "slurm-sinfo",
    .description = "nodes at an instant, as sinfo -N -l prints them",
    .version = 1,
    .is_lines = true,
    .table = &hc_node_states_def,
    .probe = probe,
    .open = open_sinfo,
    .next_batch = next_batch,
    .position = position,
    .close = close_sinfo,
};
