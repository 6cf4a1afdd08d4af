/* slurm_reservations.c - reservations as `scontrol show reservation` prints them, a paragraph or
 * (--oneliner) a line each: which nodes are set aside, from when to when. A row for each node. */
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/node_list.h"
#include "parsers/nodes/node_lines.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TEXT 65536 /* bytes of a reservation */
#define MOST_NAME 1024
#define BEGIN     "ReservationName="
#define NONE      "No reservations in the system"

struct slurm_reservations {
    struct hc_node_lines nodes;
    /* The reservation that is being read: its lines, joined by line feeds, and where it begins. */
    char text[MOST_TEXT + 64];
    size_t length;
    int64_t line;
    bool is_long;
    /* One that is being given out, node by node. */
    char list[MOST_TEXT];
    char name[MOST_NAME], user[MOST_NAME];
    struct hc_node_list_reader names;
    struct hc_node_row row;
    bool has_names;
};

static bool begins_reservation(struct hc_span line)
{
    return line.length >= sizeof BEGIN - 1 && memcmp(line.text, BEGIN, sizeof BEGIN - 1) == 0;
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    struct hc_span line = hc_node_first_line(head, length);
    bool is_none = line.length == sizeof NONE - 1 && memcmp(line.text, NONE, line.length) == 0;
    (void)path;
    return is_none || begins_reservation(line) ? 92 : 0;
}

static void close_reservations(void *parser)
{
    struct slurm_reservations *p = parser;
    if (!p)
        return;
    hc_lines_close(p->nodes.lines);
    free(p);
}

static enum hc_status open_reservations(void **parser, const struct hc_source *source,
                                        const struct hc_parse_options *options,
                                        struct hc_error *err)
{
    *parser = NULL;
    struct slurm_reservations *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    if (hc_node_lines_open(&p->nodes, source, options, err)) {
        free(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

/* ---- a reservation ---- */

static bool is(struct hc_span text, const char *word)
{
    return text.length == strlen(word) && memcmp(text.text, word, text.length) == 0;
}

static bool is_nothing(struct hc_span text)
{
    return text.length == 0 || is(text, "(null)");
}

static void keep(char *to, size_t size, struct hc_span text)
{
    size_t n = is_nothing(text) ? 0 : text.length < size - 1 ? text.length : size - 1;
    memcpy(to, text.text, n);
    to[n] = '\0';
}

/* MAINT among "MAINT,IGNORE_JOBS,SPEC_NODES" */
static bool has_flag(struct hc_span flags, const char *flag)
{
    const char *end = flags.text + flags.length, *comma;
    for (const char *at = flags.text; at < end; at = comma + 1) {
        comma = memchr(at, ',', (size_t)(end - at));
        comma = comma ? comma : end;
        if (is((struct hc_span){at, (size_t)(comma - at)}, flag))
            return true;
    }
    return false;
}

/* A word NAME=VALUE of a reservation. Returns what is wrong with it, or NULL. */
static const char *put_word(struct slurm_reservations *p, struct hc_span name, struct hc_span value)
{
    struct hc_node_builder *builder = &p->nodes.builder;
    if (is(name, "ReservationName"))
        keep(p->name, sizeof p->name, value);
    else if (is(name, "Users"))
        keep(p->user, sizeof p->user, value);
    else if (is(name, "Nodes"))
        keep(p->list, sizeof p->list, value);
    else if (is(name, "StartTime"))
        return hc_node_field_put(builder, &p->row, HC_NODE_FIELD_START, value);
    else if (is(name, "EndTime"))
        return hc_node_field_put(builder, &p->row, HC_NODE_FIELD_END, value);
    else if (is(name, "Flags") && has_flag(value, "MAINT"))
        p->row.state.flags |= HC_NODE_MAINT;
    return NULL;
}

static const char *read_words(struct slurm_reservations *p)
{
    struct hc_span text = {p->text, p->length};
    const char *wrong = NULL;
    for (size_t i = 0; i < p->length; i++)
        p->text[i] = (char)(p->text[i] == '\n' ? ' ' : p->text[i]);
    while (!wrong) {
        struct hc_span word = hc_node_word(&text);
        const char *equals = word.length ? memchr(word.text, '=', word.length) : NULL;
        if (word.length == 0)
            break;
        if (!equals)
            continue;
        struct hc_span name = {word.text, (size_t)(equals - word.text)};
        wrong = put_word(p, name, (struct hc_span){equals + 1, word.length - name.length - 1});
    }
    return wrong;
}

/* What is wrong with the reservation that was read, or NULL; its nodes are opened. */
static const char *check(struct slurm_reservations *p)
{
    struct hc_error why;
    if (p->is_long)
        return "it takes more than 65,536 bytes";
    if (p->row.since_ns == HC_MISSING_I64)
        return "its start is not known";
    if (p->row.until_ns != HC_MISSING_I64 && p->row.until_ns < p->row.since_ns)
        return "it ends before its start";
    if (p->list[0] && hc_node_list_open(&p->names, p->list, strlen(p->list), &why))
        return "its 'Nodes' is no list of nodes";
    return NULL;
}

static enum hc_status take_reservation(struct slurm_reservations *p, struct hc_row_report *report,
                                       struct hc_error *err)
{
    p->row = hc_node_row_none;
    p->row.line = p->line;
    p->row.how = HC_NODE_PLAN;
    p->row.has_state = true;
    p->row.state = (struct hc_node_state){HC_NODE_UNKNOWN, HC_NODE_RESERVED};
    p->name[0] = p->user[0] = p->list[0] = '\0';
    memset(p->text + p->length, 0, sizeof p->text - MOST_TEXT);
    const char *wrong = read_words(p);
    wrong = wrong ? wrong : check(p);
    p->length = 0;
    if (wrong) {
        report->rows_read++;
        return hc_node_bad(report, p->line, wrong, err);
    }
    p->row.reason = (struct hc_span){p->name, strlen(p->name)};
    p->row.user = (struct hc_span){p->user, strlen(p->user)};
    p->has_names = p->list[0] != '\0';
    report->rows_read += p->has_names ? p->names.n_nodes : 1;
    report->rows_ignored += !p->has_names; /* of licenses, or of a partition without nodes */
    return HC_OK;
}

static enum hc_status put_nodes(struct slurm_reservations *p, struct hc_table *rows,
                                struct hc_error *err)
{
    while (p->has_names && rows->n_rows < rows->capacity) {
        const char *node = hc_node_list_next(&p->names);
        p->has_names = node != NULL;
        p->row.node = (struct hc_span){node, node ? strlen(node) : 0};
        if (node && hc_node_row_put(&p->nodes.builder, &p->row, rows, err))
            return err->status;
    }
    return HC_OK;
}

/* ---- lines ---- */

static void add_line(struct slurm_reservations *p, const struct hc_line *line)
{
    if (line->length + 1 > MOST_TEXT - p->length) {
        p->is_long = true;
        return;
    }
    if (p->length)
        p->text[p->length++] = '\n';
    memcpy(p->text + p->length, line->text, line->length);
    p->length += line->length;
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct slurm_reservations *p = parser;
    if (put_nodes(p, rows, err))
        return err->status;
    while (!p->nodes.at_end && rows->n_rows < rows->capacity) {
        struct hc_line line;
        if (hc_node_lines_next(&p->nodes, &line, err))
            return err->status;
        struct hc_span text = {line.text, p->nodes.at_end ? 0 : line.length};
        bool is_new = begins_reservation(text);
        if ((is_new || p->nodes.at_end) && p->line &&
            (take_reservation(p, report, err) || put_nodes(p, rows, err)))
            return err->status;
        if (is_new) {
            p->line = line.number;
            p->is_long = false;
        }
        if (p->line && !p->nodes.at_end)
            add_line(p, &line);
    }
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct slurm_reservations *p = parser;
    return hc_lines_position(p->nodes.lines);
}

const struct hc_format hc_format_slurm_reservations = {
    .name = "slurm-reservations",
    .description = "nodes set aside, as scontrol show reservation prints them",
    .recipe = "TZ=UTC scontrol --oneliner show reservation >reservations.txt\n"
              "Slurm forgets a reservation when it ends: run it each night.\n",
    .version = 1,
    .is_lines = true,
    .table = &hc_node_states_def,
    .probe = probe,
    .open = open_reservations,
    .next_batch = next_batch,
    .position = position,
    .close = close_reservations,
};
