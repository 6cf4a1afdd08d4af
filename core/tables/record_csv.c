#include "core/tables/record.h"

#include <stdlib.h>
#include <string.h>

/* ---- choosing columns ---- */

/* The field of this name, in the record or in a part of it; the path to it grows by both. */
static bool find_field(const struct hc_record_def *def, const char *name, size_t length,
                       struct hc_record_column *column)
{
    for (size_t i = 0; i < def->n_fields; i++) {
        const struct hc_field *field = &def->fields[i];
        if (column->n == HC_RECORD_DEPTH)
            return false;
        column->path[column->n++] = field;
        if (field->type == HC_AS_PART && find_field(field->record, name, length, column))
            return true;
        if (field->name && strncmp(field->name, name, length) == 0 && !field->name[length])
            return true;
        column->n--;
    }
    return false;
}

static void find_path(const struct hc_record_def *def, const char *path, size_t length,
                      struct hc_record_column *column)
{
    for (const char *end = path + length; path < end;) {
        const char *dot = memchr(path, '.', (size_t)(end - path));
        size_t word = (size_t)((dot ? dot : end) - path);
        if (!def || !find_field(def, path, word, column)) {
            fprintf(stderr, "no field '%.*s' for a column\n", (int)(end - path), path);
            abort();
        }
        def = column->path[column->n - 1]->record;
        path += word + 1;
    }
}

/* Fills csv with the columns that the text names (record.h). */
static void choose_columns(struct hc_record_csv *csv, const struct hc_record_def *def,
                           const char *columns)
{
    *csv = (struct hc_record_csv){.n = 0};
    while (*columns) {
        size_t length = strcspn(columns, ","), name = strcspn(columns, "=,");
        struct hc_record_column *column = &csv->column[csv->n++];
        column->name = columns;
        column->length = name;
        size_t skip = name < length ? name + 1 : 0;
        find_path(def, columns + skip, length - skip, column);
        columns += length + (columns[length] == ',');
        if (csv->n == HC_RECORD_COLUMNS && *columns)
            abort();
    }
}

/* ---- cells ---- */

static void put_cell(struct hc_csv *csv, const struct hc_cell *cell)
{
    switch (cell->kind) {
    case HC_CELL_NULL:
        hc_csv_text(csv, NULL);
        break;
    case HC_CELL_INTEGER:
        hc_csv_i64(csv, cell->integer);
        break;
    case HC_CELL_REAL:
        hc_csv_real(csv, cell->real);
        break;
    case HC_CELL_BOOL:
        hc_csv_bool(csv, cell->boolean);
        break;
    case HC_CELL_TEXT:
        hc_csv_text(csv, cell->text);
        break;
    }
}

static void write_names(FILE *stream, const struct hc_field *field, const struct hc_item *at)
{
    uint32_t set = *(const uint32_t *)(const void *)((const char *)at->record + field->offset);
    const char *space = "";
    for (int value = 0; value < field->n_names; value++)
        if (set >> value & 1) {
            fprintf(stream, "%s%s", space, field->name_of(value));
            space = " ";
        }
}

static void write_words(FILE *stream, const struct hc_field *field, const struct hc_item *at)
{
    const char *space = "";
    struct hc_item item;
    struct hc_cell cell;
    for (size_t i = 0; i < hc_field_count(field, at); i++) {
        if (!hc_field_item(field, at, i, &item))
            continue;
        hc_field_value(field->record->fields, &item, &cell);
        fputs(space, stream);
        if (cell.kind == HC_CELL_TEXT)
            fputs(cell.text, stream);
        else
            put_cell(&(struct hc_csv){.stream = stream}, &cell);
        space = " ";
    }
}

/* Bare values, or the names of a set, as one text with spaces between. */
static void put_words(struct hc_csv *csv, const struct hc_field *field, const struct hc_item *at)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream) {
        if (field->type == HC_AS_NAMES)
            write_names(stream, field, at);
        else
            write_words(stream, field, at);
        fclose(stream);
    }
    hc_csv_text(csv, text);
    free(text);
}

/* Items of a path have items above them: each stands in its call. */
static void put_column(struct hc_csv *csv, const struct hc_field *const *path, size_t n,
                       const struct hc_item *at)
{
    struct hc_item inner;
    struct hc_cell cell;
    if (!hc_field_has(path[0], at)) {
        hc_csv_text(csv, NULL);
    } else if (n > 1) {
        if (hc_field_object(path[0], at, &inner))
            put_column(csv, path + 1, n - 1, &inner);
        else
            hc_csv_text(csv, NULL);
    } else if (path[0]->type == HC_AS_NAMES || path[0]->type == HC_AS_LIST) {
        put_words(csv, path[0], at);
    } else {
        hc_field_value(path[0], at, &cell);
        put_cell(csv, &cell);
    }
}

/* ---- tables ---- */

void hc_record_csv_start(struct hc_record_csv *csv, FILE *stream, const struct hc_record_def *def,
                         const char *columns)
{
    choose_columns(csv, def, columns);
    csv->csv.stream = stream;
    for (size_t i = 0; i < csv->n; i++)
        fprintf(stream, "%s%.*s", i ? "," : "", (int)csv->column[i].length, csv->column[i].name);
    fputc('\n', stream);
}

void hc_record_csv_row(struct hc_record_csv *csv, const struct hc_item *at)
{
    for (size_t i = 0; i < csv->n; i++)
        put_column(&csv->csv, csv->column[i].path, csv->column[i].n, at);
    hc_csv_end(&csv->csv);
}

void hc_record_csv_pairs(FILE *stream, const struct hc_record_def *def, const char *columns,
                         const struct hc_item *at)
{
    struct hc_record_csv csv;
    choose_columns(&csv, def, columns);
    csv.csv.stream = stream;
    for (size_t i = 0; i < csv.n; i++) {
        const struct hc_record_column *column = &csv.column[i];
        fprintf(stream, "%.*s", (int)column->length, column->name);
        csv.csv.has_field = true;
        put_column(&csv.csv, column->path, column->n, at);
        hc_csv_text(&csv.csv, column->path[column->n - 1]->unit);
        hc_csv_end(&csv.csv);
    }
}
