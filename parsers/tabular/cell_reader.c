#include "parsers/tabular/cell_reader.h"

#include "core/base/memory.h"
#include "core/text/text_set.h"
#include "parsers/io/byte_reader.h"
#include "parsers/io/json_source.h"
#include "parsers/io/line_reader.h"
#include "parsers/tabular/json_cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hc_cell_reader {
    const struct hc_source *source;
    const struct hc_table_map *map;
    enum hc_map_layout layout;
    bool has_comments;
    /* of CSV */
    struct hc_csv_scanner *csv;
    struct hc_text_set header;
    size_t index[HC_MOST_CELLS]; /* in the header, of each column that is wanted */
    size_t n;
    /* of JSON */
    struct hc_line_reader *lines;
    struct hc_json_pull *document;
    struct hc_json_cells cells;
    int64_t n_objects;
};

/* ---- which layout ---- */

/* The first byte that is no blank, 0 where there is none in the first ones. */
static enum hc_status first_letter(const struct hc_source *source, char *letter,
                                   struct hc_error *err)
{
    char head[512];
    size_t n = 1, length = 0, i = 0;
    struct hc_byte_reader *reader = NULL;
    enum hc_status status = hc_byte_reader_open(&reader, source, err);
    for (; n && length < sizeof head && !status; length += n)
        status = hc_byte_reader_read(reader, head + length, sizeof head - length, &n, err);
    hc_byte_reader_close(reader);
    if (length >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0)
        i = 3;
    while (i < length && memchr(" \t\r\n", head[i], 4))
        i++;
    *letter = i < length ? head[i] : '\0';
    return status;
}

static enum hc_status choose_layout(struct hc_cell_reader *r, struct hc_error *err)
{
    char letter;
    r->layout = r->map ? r->map->layout : HC_LAYOUT_BY_CONTENT;
    if (r->layout != HC_LAYOUT_BY_CONTENT)
        return HC_OK;
    if (first_letter(r->source, &letter, err))
        return err->status;
    r->layout = letter == '{' ? HC_LAYOUT_JSONL : HC_LAYOUT_CSV;
    return HC_OK;
}

/* ---- CSV ---- */

static enum hc_status next_record(struct hc_cell_reader *r, struct hc_csv_record *record,
                                  struct hc_error *err)
{
    do {
        if (hc_csv_next(r->csv, record, err))
            return err->status;
    } while (r->has_comments && record->n_fields && !record->fields[0].quoted &&
             record->fields[0].length && record->fields[0].text[0] == '#');
    return HC_OK;
}

static enum hc_status add_name(struct hc_cell_reader *r, const char *text, size_t length,
                               struct hc_error *err)
{
    int32_t code;
    size_t n = r->header.n;
    for (; length && *text == ' '; length--)
        text++;
    while (length && text[length - 1] == ' ')
        length--;
    if (hc_text_set_add(&r->header, text, length, &code, err))
        return err->status;
    if (r->header.n == n)
        return hc_fail(err, HC_BAD_INPUT, "'%s': its header has '%.*s' twice", r->source->name,
                       (int)(length < 80 ? length : 80), text);
    return HC_OK;
}

static enum hc_status read_header(struct hc_cell_reader *r, struct hc_error *err)
{
    struct hc_csv_record record;
    if (r->map && r->map->header) {
        for (size_t i = 0; i < r->map->n_header; i++)
            if (add_name(r, r->map->header[i], strlen(r->map->header[i]), err))
                return err->status;
        return HC_OK;
    }
    if (next_record(r, &record, err))
        return err->status;
    if (record.n_fields == 0)
        return hc_fail(err, HC_BAD_INPUT, "'%s' has no line with the names of its columns",
                       r->source->name);
    for (size_t i = 0; i < record.n_fields; i++) {
        const struct hc_csv_field *field = &record.fields[i];
        bool is_last_empty = i > 0 && i + 1 == record.n_fields && field->length == 0;
        if (!is_last_empty && add_name(r, field->text, field->length, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status no_such_column(const struct hc_cell_reader *r, const char *name,
                                     struct hc_error *err)
{
    char has[400] = "";
    for (size_t i = 0; i < r->header.n; i++) {
        size_t at = strlen(has);
        if (at + strlen(r->header.text[i]) + 8 > sizeof has) {
            strcpy(has + at, ", ...");
            break;
        }
        sprintf(has + at, "%s%s", i ? ", " : "", r->header.text[i]);
    }
    return hc_fail(err, HC_BAD_INPUT, "'%s' has no column '%.80s'; it has %s", r->source->name,
                   name, has);
}

static enum hc_status next_csv(struct hc_cell_reader *r, struct hc_cell_row *row, bool *is_over,
                               struct hc_error *err)
{
    struct hc_csv_record record;
    if (next_record(r, &record, err))
        return err->status;
    *is_over = record.n_fields == 0;
    if (*is_over)
        return HC_OK;
    size_t n = record.n_fields;
    if (n == r->header.n + 1 && record.fields[n - 1].length == 0)
        n--;
    row->line = record.line;
    row->wrong = n == r->header.n ? NULL : "has another number of fields than the header";
    if (!record.ended && row->wrong)
        return hc_csv_fail_cut(r->csv, &record, r->header.n, err);
    for (size_t i = 0; i < r->n && !row->wrong; i++) {
        const struct hc_csv_field *field = &record.fields[r->index[i]];
        row->cell[i] = (struct hc_cell){field->text, field->length, true};
    }
    return HC_OK;
}

/* ---- JSON ---- */

static enum hc_status next_line(struct hc_cell_reader *r, struct hc_cell_row *row, bool *is_over,
                                struct hc_error *err)
{
    struct hc_line line;
    struct hc_pull_token token;
    struct hc_json_pull *pull = NULL;
    do {
        if (hc_lines_next(r->lines, &line, is_over, err))
            return err->status;
    } while (!*is_over && strspn(line.text, " \t\r") >= line.length);
    if (*is_over)
        return hc_lines_are_cut(r->lines)
                   ? hc_fail(err, HC_BAD_INPUT, "'%s': the packed data ends too early",
                             r->source->name)
                   : HC_OK;
    row->line = line.number;
    row->wrong = line.is_long ? "is too long" : NULL;
    if (row->wrong)
        return HC_OK;
    struct hc_error why = {0};
    const struct hc_pull_text text = {r->source->name, line.text, line.length};
    if (hc_pull_open_text(&pull, &text, HC_PULL_NO_NUL, &why) == HC_OK &&
        hc_pull_next(pull, &token, &why) == HC_OK) {
        if (token.kind != HC_PULL_OBJECT)
            row->wrong = "is no JSON object";
        else if (hc_json_cells_read(&r->cells, pull, row->cell, &why) == HC_OK)
            hc_pull_next(pull, &token, &why); /* nothing may follow */
    }
    hc_pull_close(pull);
    if (why.status == HC_BAD_INPUT)
        row->wrong = "is no JSON object";
    else if (why.status)
        *err = why;
    return err->status;
}

static enum hc_status wrong_place(const struct hc_cell_reader *r, struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT, "'%s' has no array of objects %s%.80s%s", r->source->name,
                   r->map->rows ? "at '" : "as its document", r->map->rows ? r->map->rows : "",
                   r->map->rows ? "'" : "");
}

/* Go to the array that the map names: the key of each step in turn, then the bracket. */
static enum hc_status find_array(struct hc_cell_reader *r, struct hc_error *err)
{
    struct hc_pull_token token;
    const char *step = r->map->rows ? r->map->rows : "";
    if (hc_pull_next(r->document, &token, err))
        return err->status;
    while (*step) {
        size_t length = strcspn(step, ".");
        bool is_found = false;
        if (token.kind != HC_PULL_OBJECT)
            return wrong_place(r, err);
        while (!is_found) {
            if (hc_pull_next(r->document, &token, err))
                return err->status;
            if (token.kind != HC_PULL_KEY)
                return wrong_place(r, err);
            is_found = token.length == length && memcmp(token.text, step, length) == 0;
            if (!is_found && hc_pull_skip_value(r->document, err))
                return err->status;
        }
        step += length + (step[length] == '.');
        if (hc_pull_next(r->document, &token, err))
            return err->status;
    }
    return token.kind == HC_PULL_ARRAY ? HC_OK : wrong_place(r, err);
}

static enum hc_status next_object(struct hc_cell_reader *r, struct hc_cell_row *row, bool *is_over,
                                  struct hc_error *err)
{
    struct hc_pull_token token;
    if (hc_pull_next(r->document, &token, err))
        return err->status;
    *is_over = token.kind == HC_PULL_ARRAY_END;
    if (*is_over)
        return HC_OK;
    row->line = ++r->n_objects;
    row->wrong = token.kind == HC_PULL_OBJECT ? NULL : "is no object";
    if (!row->wrong)
        return hc_json_cells_read(&r->cells, r->document, row->cell, err);
    return token.kind == HC_PULL_ARRAY ? hc_pull_skip_rest(r->document, err) : HC_OK;
}

/* ---- any ---- */

static enum hc_status start(struct hc_cell_reader *r, struct hc_error *err)
{
    if (choose_layout(r, err))
        return err->status;
    switch (r->layout) {
    case HC_LAYOUT_JSONL:
        return hc_lines_open(&r->lines, r->source, err);
    case HC_LAYOUT_JSON:
        return hc_pull_open_source(&r->document, r->source, err) ? err->status : find_array(r, err);
    default:
        return hc_csv_open(&r->csv, r->source, err) ? err->status : read_header(r, err);
    }
}

enum hc_status hc_cells_open(struct hc_cell_reader **reader, const struct hc_source *source,
                             const struct hc_table_map *map, bool has_comments,
                             struct hc_error *err)
{
    *reader = NULL;
    struct hc_cell_reader *r = hc_new_array(1, sizeof *r, err);
    if (!r)
        return err->status;
    r->source = source;
    r->map = map;
    r->has_comments = has_comments;
    if (start(r, err)) {
        hc_cells_close(r);
        return err->status;
    }
    *reader = r;
    return HC_OK;
}

void hc_cells_close(struct hc_cell_reader *reader)
{
    if (!reader)
        return;
    hc_csv_close(reader->csv);
    hc_lines_close(reader->lines);
    hc_pull_close(reader->document);
    hc_json_cells_fini(&reader->cells);
    hc_text_set_fini(&reader->header);
    free(reader);
}

const char *const *hc_cells_header(const struct hc_cell_reader *reader, size_t *n)
{
    *n = reader->header.n;
    return (const char *const *)reader->header.text;
}

enum hc_status hc_cells_want(struct hc_cell_reader *reader, const char *const *names, size_t n,
                             struct hc_error *err)
{
    if (n > HC_MOST_CELLS)
        return hc_fail(err, HC_BAD_INPUT, "'%s': more than %d columns are wanted",
                       reader->source->name, HC_MOST_CELLS);
    reader->n = n;
    reader->cells.names = names;
    reader->cells.n = n;
    for (size_t i = 0; i < n && reader->csv; i++) {
        int32_t code = hc_text_set_find(&reader->header, names[i], strlen(names[i]));
        if (code < 0)
            return no_such_column(reader, names[i], err);
        reader->index[i] = (size_t)code;
    }
    return HC_OK;
}

enum hc_status hc_cells_next(struct hc_cell_reader *reader, struct hc_cell_row *row, bool *is_over,
                             struct hc_error *err)
{
    return reader->csv     ? next_csv(reader, row, is_over, err)
           : reader->lines ? next_line(reader, row, is_over, err)
                           : next_object(reader, row, is_over, err);
}

int64_t hc_cells_position(const struct hc_cell_reader *reader)
{
    return reader->csv     ? hc_csv_position(reader->csv)
           : reader->lines ? hc_lines_position(reader->lines)
                           : hc_pull_position(reader->document);
}
