/* incidents_jsonl.c - incidents as JSON lines in our own form: an object a line with members named
 * as the columns of incidents-csv, or {"observation": {...}} that says what was watched
 * (docs/formats/incidents.md). */
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/text/json_pull.h"
#include "core/text/number_text.h"
#include "parsers/incidents/incident_rows.h"
#include "parsers/io/byte_reader.h"
#include "parsers/io/format.h"

#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES HC_BUFFER_SIZE((size_t)1 << 16)
#define OBSERVATIONS   4096

struct incidents_jsonl {
    struct hc_incident_builder builder;
    const struct hc_source *source;
    struct hc_byte_reader *reader;
    char *buffer; /* 2 * LINE_MAX_BYTES */
    size_t start, end;
    long long line;
    struct hc_table observations;
    bool is_drained; /* the source has no more bytes than are in the buffer */
};

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    const unsigned char *end = memchr(head, '\n', length);
    size_t first = end ? (size_t)(end - head) : length;
    if (first < 2 || head[0] != '{')
        return 0;
    if (memmem(head, first, "\"observation\"", 13))
        return 90;
    bool has_cause = memmem(head, first, "\"cause\"", 7) || memmem(head, first, "\"text\"", 6);
    bool has_time = memmem(head, first, "\"time\"", 6) || memmem(head, first, "\"count\"", 7);
    bool is_trace = memmem(head, first, "\"traceEvents\"", 13) || memmem(head, first, "\"ph\"", 4);
    return has_cause && has_time && !is_trace ? 45 : 0;
}

/* ---- lines ---- */

/* The next line, without its end; *found is false at the end of the file. */
static enum hc_status next_line(struct incidents_jsonl *p, const char **text, size_t *length,
                                bool *found, struct hc_error *err)
{
    for (;;) {
        char *from = p->buffer + p->start;
        char *newline = memchr(from, '\n', p->end - p->start);
        size_t here = newline ? (size_t)(newline - from) : p->end - p->start;
        *found = newline || (p->is_drained && here);
        if (*found || p->is_drained) {
            *text = from;
            *length = here;
            p->start += here + (newline != NULL);
            p->line++;
            return HC_OK;
        }
        if (here >= LINE_MAX_BYTES)
            return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld has more than %zu bytes",
                           p->source->name, p->line + 1, LINE_MAX_BYTES);
        memmove(p->buffer, from, here);
        p->start = 0;
        p->end = here;
        size_t n = 0;
        if (hc_byte_reader_read(p->reader, p->buffer + here, 2 * LINE_MAX_BYTES - here, &n, err))
            return err->status;
        p->end += n;
        p->is_drained = n == 0;
    }
}

/* ---- values ---- */

/* A value as text: a string or a number; empty for null. */
static enum hc_status read_value(struct incidents_jsonl *p, struct hc_json_pull *pull,
                                 struct hc_pull_token *token, struct hc_error *err)
{
    if (hc_pull_next(pull, token, err))
        return err->status;
    if (token->kind == HC_PULL_STRING || token->kind == HC_PULL_NUMBER)
        return HC_OK;
    if (token->kind != HC_PULL_NULL)
        hc_incident_bad(&p->builder, HC_BAD_FIELDS, "a value is no string, number or null");
    if (token->kind == HC_PULL_OBJECT || token->kind == HC_PULL_ARRAY)
        if (hc_pull_skip_rest(pull, err))
            return err->status;
    token->text = "";
    token->length = 0;
    return HC_OK;
}

static bool is_text(const struct hc_pull_token *token, const char *text)
{
    return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

/* One member of an observation into its row. */
static enum hc_status put_observed(struct incidents_jsonl *p, int column,
                                   const struct hc_pull_token *value, size_t row,
                                   struct hc_error *err)
{
    int64_t number = 0;
    struct hc_table *rows = &p->observations;
    if (value->length == 0)
        return HC_OK;
    if (column == HC_INVENTORY_GROUP) {
        /* through a row of incidents, where texts are checked */
        if (hc_incident_put_text(&p->builder, HC_INCIDENTS_GROUP, value->text, value->length, err))
            return err->status;
        hc_table_i32(rows, HC_INVENTORY_GROUP)[row] =
            hc_table_i32(p->builder.rows, HC_INCIDENTS_GROUP)[p->builder.row];
    } else if (column == HC_INVENTORY_NODES) {
        if (hc_text_to_i64(value->text, value->length, &number) || number < 1 || number > INT32_MAX)
            hc_incident_bad(&p->builder, HC_BAD_NUMBER, "'nodes' is '%s', not a number of nodes",
                            hc_printable(value->text, value->length).text);
        else
            hc_table_i32(rows, HC_INVENTORY_NODES)[row] = (int32_t)number;
    } else if (hc_incident_time(&p->builder, column == HC_INVENTORY_START_NS ? "start" : "end",
                                value->text, value->length, &number)) {
        hc_table_i64(rows, (size_t)column)[row] = number;
    }
    return HC_OK;
}

static enum hc_status read_observation(struct incidents_jsonl *p, struct hc_json_pull *pull,
                                       struct hc_error *err)
{
    static const char *const names[] = {"group", "nodes", "", "start", "end"};
    struct hc_pull_token token;
    if (p->observations.n_rows == p->observations.capacity)
        return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: more than %d observations",
                       p->source->name, p->line, OBSERVATIONS);
    size_t row = hc_inventory_add(&p->observations, HC_CLOCK_RELATIVE);
    if (hc_pull_next(pull, &token, err))
        return err->status;
    if (token.kind != HC_PULL_OBJECT)
        return hc_fail(err, HC_BAD_INPUT, "'observation' is not an object");
    for (;;) {
        if (hc_pull_next(pull, &token, err))
            return err->status;
        if (token.kind == HC_PULL_OBJECT_END)
            break;
        int column = 0;
        while (column < HC_INVENTORY_N_COLUMNS &&
               (column == HC_INVENTORY_CLOCK || !is_text(&token, names[column])))
            column++;
        if (column == HC_INVENTORY_N_COLUMNS)
            return hc_fail(err, HC_BAD_INPUT, "unknown member '%s' of 'observation'",
                           hc_printable(token.text, token.length).text);
        if (read_value(p, pull, &token, err) || put_observed(p, column, &token, row, err))
            return err->status;
    }
    int64_t start_ns = hc_table_i64(&p->observations, HC_INVENTORY_START_NS)[row];
    int64_t end_ns = hc_table_i64(&p->observations, HC_INVENTORY_END_NS)[row];
    if (start_ns != HC_MISSING_I64 && end_ns != HC_MISSING_I64 && end_ns <= start_ns)
        hc_incident_bad(&p->builder, HC_BAD_RANGE, "'end' is not after 'start'");
    if (p->builder.is_bad)
        return hc_fail(err, HC_BAD_INPUT, "%s", p->builder.why);
    return HC_OK;
}

/* The members of a line; *is_row tells whether it was an incident. */
static enum hc_status read_members(struct incidents_jsonl *p, struct hc_json_pull *pull,
                                   bool *is_row, struct hc_error *err)
{
    struct hc_pull_token token;
    bool seen[HC_INCIDENTS_N_COLUMNS] = {false};
    *is_row = true;
    if (hc_pull_next(pull, &token, err))
        return err->status;
    if (token.kind != HC_PULL_OBJECT)
        return hc_fail(err, HC_BAD_INPUT, "an object is expected");
    for (bool any = false;; any = true) {
        if (hc_pull_next(pull, &token, err))
            return err->status;
        if (token.kind == HC_PULL_OBJECT_END)
            return hc_pull_next(pull, &token, err);
        if (!any && is_text(&token, "observation")) {
            *is_row = false;
            if (read_observation(p, pull, err))
                return err->status;
            continue;
        }
        int field = hc_incident_field_find(token.text, token.length);
        if (field < 0 || seen[field] || !*is_row)
            return hc_fail(err, HC_BAD_INPUT, "member '%s' is unknown, or there twice",
                           hc_printable(token.text, token.length).text);
        seen[field] = true;
        if (read_value(p, pull, &token, err) ||
            hc_incident_put(&p->builder, (enum hc_incidents_column)field, token.text, token.length,
                            err))
            return err->status;
    }
}

static enum hc_status read_line(struct incidents_jsonl *p, const char *text, size_t length,
                                struct hc_error *err)
{
    struct hc_json_pull *pull = NULL;
    bool is_row = true;
    hc_incident_begin(&p->builder, p->line);
    /* The reader of one line knows of that line only: the name tells which it is. */
    char *name = hc_new_text(err, "%s:%lld", p->source->name, p->line);
    if (!name)
        return err->status;
    enum hc_status status =
        hc_pull_open_text(&pull, &(struct hc_pull_text){name, text, length}, 0, err);
    if (!status && read_members(p, pull, &is_row, err)) {
        bool is_named = strncmp(err->message + 1, name, strlen(name)) == 0;
        status = is_named ? err->status : hc_context(err, "'%s'", name);
    }
    hc_pull_close(pull);
    free(name);
    if (status)
        return status;
    if (is_row)
        return hc_incident_end(&p->builder, err);
    p->builder.rows->n_rows = p->builder.row;
    return HC_OK;
}

/* The next line, which may be blank. */
static enum hc_status read_next(struct hc_incident_builder *builder, struct hc_error *err)
{
    struct incidents_jsonl *p = (struct incidents_jsonl *)builder;
    const char *text = NULL;
    size_t length = 0, blank = 0;
    bool found = false;
    if (next_line(p, &text, &length, &found, err))
        return err->status;
    builder->at_end = !found;
    while (found && blank < length && strchr(" \t\r", text[blank]) && text[blank])
        blank++;
    return found && blank < length ? read_line(p, text, length, err) : HC_OK;
}

/* ---- the format ---- */

static void close_jsonl(void *parser)
{
    struct incidents_jsonl *p = parser;
    if (!p)
        return;
    hc_byte_reader_close(p->reader);
    hc_table_fini(&p->observations);
    free(p->buffer);
    free(p);
}

static enum hc_status open_jsonl(void **parser, const struct hc_source *source,
                                 const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct incidents_jsonl *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->builder = (struct hc_incident_builder){.file = source->name,
                                              .place_word = "line",
                                              .words = HC_SOURCE_PUBLISHED,
                                              .names = options->names,
                                              .clock = -1,
                                              .read = read_next};
    p->buffer = hc_new_array(2, LINE_MAX_BYTES, err);
    if (!p->buffer || hc_table_init(&p->observations, &hc_inventory_def, OBSERVATIONS, err) ||
        hc_byte_reader_open(&p->reader, source, err)) {
        close_jsonl(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

/* The observations of the file. A file without any gives one row, which tells the clock only. */
static enum hc_status inventory(void *parser, const struct hc_table_def *def, struct hc_table *rows,
                                struct hc_error *err)
{
    const struct incidents_jsonl *p = parser;
    size_t n = p->observations.n_rows;
    int clock = p->builder.clock < 0 ? HC_CLOCK_RELATIVE : p->builder.clock;
    if (hc_table_init(rows, def, n ? n : 1, err))
        return err->status;
    if (n)
        hc_table_append(rows, &p->observations, 0, n);
    else
        hc_inventory_add(rows, HC_CLOCK_RELATIVE);
    for (size_t i = 0; i < rows->n_rows; i++)
        hc_table_i32(rows, HC_INVENTORY_CLOCK)[i] = (int32_t)clock;
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct incidents_jsonl *p = parser;
    return hc_byte_reader_position(p->reader);
}

const struct hc_format hc_format_incidents_jsonl = {
    .name = "incidents-jsonl",
    .description = "incidents as JSON lines, in hindcast's own form",
    .version = 1,
    .table = &hc_incidents_def,
    .probe = probe,
    .open = open_jsonl,
    .next_batch = hc_incident_next_batch,
    .further = inventory,
    .position = position,
    .close = close_jsonl,
};
