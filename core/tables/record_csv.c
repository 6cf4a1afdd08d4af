#include "core/base/memory.h"
#include "core/tables/record.h"
#include "core/text/text_stream.h"

#include <stdlib.h>
#include <string.h>

/* ---- choosing columns ---- */

/* What columns are looked for in: a definition, in a document of this root. */
struct place {
    const struct hc_record_def *def;
    const void *root;
};

/* The field of this name, in the record or in a part of it; the path to it grows by both. */
static bool find_field(const struct place *in, const char *name, size_t length,
                       struct hc_record_column *column)
{
    for (size_t i = 0; in->def && i < in->def->n_fields; i++) {
        const struct hc_field *field = &in->def->fields[i];
        const struct place part = {hc_field_record(field, in->root), in->root};
        if (column->n == HC_RECORD_DEPTH)
            return false;
        column->path[column->n++] = field;
        if (field->type == HC_AS_PART && find_field(&part, name, length, column))
            return true;
        if (field->name && strncmp(field->name, name, length) == 0 && !field->name[length])
            return true;
        column->n--;
    }
    return false;
}

static void find_path(struct place in, const char *path, size_t length,
                      struct hc_record_column *column)
{
    for (const char *end = path + length; path < end;) {
        const char *dot = memchr(path, '.', (size_t)(end - path));
        size_t word = (size_t)((dot ? dot : end) - path);
        if (!find_field(&in, path, word, column)) {
            fprintf(stderr, "no field '%.*s' for a column\n", (int)(end - path), path);
            abort();
        }
        in.def = hc_field_record(column->path[column->n - 1], in.root);
        path += word + 1;
    }
}

/* Fills csv with the columns that the text names (record.h). */
static void choose_columns(struct hc_record_csv *csv, const struct hc_record_def *def,
                           const char *columns, const void *root)
{
    *csv = (struct hc_record_csv){.n = 0};
    while (*columns) {
        size_t length = strcspn(columns, ","), name = strcspn(columns, "=,");
        struct hc_record_column *column = &csv->column[csv->n++];
        column->name = columns;
        column->length = name;
        size_t skip = name < length ? name + 1 : 0;
        find_path((struct place){def, root}, columns + skip, length - skip, column);
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
    struct hc_error err;
    FILE *stream = hc_text_stream(&text, &size, &err);
    if (!stream)
        hc_memory_exhausted();
    if (field->type == HC_AS_NAMES)
        write_names(stream, field, at);
    else
        write_words(stream, field, at);
    if (hc_text_stream_end(stream, &text, HC_OK, &err))
        hc_memory_exhausted();
    hc_csv_text(csv, text);
    free(text);
}

static void put_column(struct hc_csv *csv, const struct hc_field *const *path, size_t n,
                       const struct hc_item *at);

/* The values of a map, each a cell, or one for each of its fields. */
static void put_map(struct hc_csv *csv, const struct hc_field *map, const struct hc_item *at)
{
    const struct hc_field *value = &map->record->fields[1];
    struct hc_item item, object;
    for (size_t i = 0; i < hc_field_count(map, at); i++) {
        if (!hc_field_item(map, at, i, &item))
            continue;
        if (value->type != HC_AS_OBJECT) {
            put_column(csv, &value, 1, &item);
            continue;
        }
        hc_field_object(value, &item, &object);
        for (size_t k = 0; k < value->record->n_fields; k++)
            put_column(csv, &(const struct hc_field *){&value->record->fields[k]}, 1, &object);
    }
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
    } else if (path[0]->type == HC_AS_MAP) {
        put_map(csv, path[0], at);
    } else {
        hc_field_value(path[0], at, &cell);
        put_cell(csv, &cell);
    }
}

/* ---- tables ---- */

/* The heads of the columns that a map is. */
static void put_keys(struct hc_csv *csv, const struct hc_field *map, const struct hc_item *around)
{
    const struct hc_field *value = &map->record->fields[1];
    char head[HC_CELL_ROOM + 64];
    struct hc_cell key;
    for (size_t i = 0; i < hc_field_count(map, around); i++) {
        hc_field_value(map->record->fields, &(struct hc_item){NULL, i, around}, &key);
        hc_csv_text(csv, key.text);
        for (size_t k = 1; value->type == HC_AS_OBJECT && k < value->record->n_fields; k++) {
            snprintf(head, sizeof head, "%s_%s", key.text, value->record->fields[k].name);
            hc_csv_text(csv, head);
        }
    }
}

void hc_record_csv_start(struct hc_record_csv *csv, FILE *stream, const struct hc_record_def *def,
                         const char *columns, const struct hc_item *parent)
{
    const struct hc_item none = {.parent = parent};
    choose_columns(csv, def, columns, parent ? hc_item_root(parent) : NULL);
    csv->csv.stream = stream;
    for (size_t i = 0; i < csv->n; i++) {
        const struct hc_record_column *column = &csv->column[i];
        const struct hc_field *field = column->path[column->n - 1];
        if (field->type == HC_AS_MAP) {
            put_keys(&csv->csv, field, &none);
            continue;
        }
        fprintf(stream, "%s%.*s", i ? "," : "", (int)column->length, column->name);
        csv->csv.has_field = true;
    }
    hc_csv_end(&csv->csv);
}

void hc_record_csv_row(struct hc_record_csv *csv, const struct hc_item *at)
{
    for (size_t i = 0; i < csv->n; i++)
        put_column(&csv->csv, csv->column[i].path, csv->column[i].n, at);
    hc_csv_end(&csv->csv);
}

/* The rows of all items that a path leads to, through lists. */
static void put_rows(struct hc_record_csv *csv, const struct hc_field *const *path, size_t n,
                     const struct hc_item *at)
{
    struct hc_item item;
    if (n == 0) {
        hc_record_csv_row(csv, at);
    } else if (!hc_field_has(path[0], at)) {
        return;
    } else if (path[0]->type != HC_AS_LIST) {
        if (hc_field_object(path[0], at, &item))
            put_rows(csv, path + 1, n - 1, &item);
    } else {
        for (size_t i = 0; i < hc_field_count(path[0], at); i++)
            if (hc_field_item(path[0], at, i, &item))
                put_rows(csv, path + 1, n - 1, &item);
    }
}

void hc_record_csv_table(FILE *stream, const struct hc_record_def *def,
                         const struct hc_record_table *table, const struct hc_item *at)
{
    struct hc_record_csv csv;
    struct hc_record_column lists = {.n = 0};
    find_path((struct place){def, hc_item_root(at)}, table->rows, strlen(table->rows), &lists);
    hc_record_csv_start(&csv, stream, lists.path[lists.n - 1]->record, table->columns, at);
    put_rows(&csv, lists.path, lists.n, at);
}

void hc_record_csv_pairs(FILE *stream, const struct hc_record_def *def, const char *columns,
                         const struct hc_item *at)
{
    struct hc_record_csv csv;
    choose_columns(&csv, def, columns, hc_item_root(at));
    csv.csv.stream = stream;
    for (size_t i = 0; i < csv.n; i++) {
        const struct hc_record_column *column = &csv.column[i];
        fprintf(stream, "%.*s", (int)column->length, column->name);
        csv.csv.has_field = true;
        put_column(&csv.csv, column->path, column->n, at);
        hc_csv_text(&csv.csv, hc_field_unit(column->path[column->n - 1]));
        hc_csv_end(&csv.csv);
    }
}
