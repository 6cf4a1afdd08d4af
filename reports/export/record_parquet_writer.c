#include "reports/export/record_parquet_writer.h"

#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/text/text_set.h"
#include "core/text/text_stream.h"
#include "reports/export/parquet_writer.h"

#include <stdlib.h>
#include <string.h>

/* A group has at most as many different texts as rows, so this bounds both. Blocks of rows end
 * where groups end. */
#define GROUP_ROWS 65536
#define BLOCK_ROWS 1024

union block {
    int32_t i32[BLOCK_ROWS];
    int64_t i64[BLOCK_ROWS];
    double f64[BLOCK_ROWS];
};

struct hc_record_parquet {
    struct hc_parquet_writer *writer;
    const struct hc_table_def *def;
    size_t n, place[HC_TABLE_MAX_COLUMNS]; /* columns of def */
    struct hc_parquet_column columns[HC_TABLE_MAX_COLUMNS];
    struct hc_text_set texts[HC_TABLE_MAX_COLUMNS]; /* of the group at hand */
    size_t n_block, n_group;
    union block *block; /* [n] */
};

static enum hc_parquet_type type_of(const struct hc_column_def *column)
{
    if (column->dictionary)
        return HC_PARQUET_TEXT;
    return column->type == HC_I32   ? HC_PARQUET_I32
           : column->type == HC_I64 ? HC_PARQUET_I64
                                    : HC_PARQUET_F64;
}

enum hc_status hc_record_parquet_open(struct hc_record_parquet **parquet, FILE *stream,
                                      const char *name, const struct hc_record_columns *columns,
                                      struct hc_error *err)
{
    struct hc_record_parquet *w = *parquet = hc_new_array(1, sizeof *w, err);
    if (!w)
        return err->status;
    w->def = columns->def;
    w->n = columns->n;
    w->block = hc_new_array(w->n, sizeof *w->block, err);
    for (size_t i = 0; i < w->n; i++) {
        const struct hc_column_def *column = &w->def->columns[columns->columns[i]];
        w->place[i] = columns->columns[i];
        w->columns[i] = (struct hc_parquet_column){
            .name = column->name, .type = type_of(column), .optional = true, .words_vary = true};
    }
    const struct hc_parquet_options flat = {
        .n_columns = w->n, .columns = w->columns, .row_group_rows = GROUP_ROWS};
    if (!w->block || hc_parquet_open(&w->writer, stream, name, &flat, err)) {
        hc_record_parquet_close(w);
        *parquet = NULL;
        return err->status;
    }
    return HC_OK;
}

static enum hc_status write_block(struct hc_record_parquet *w, struct hc_error *err)
{
    const void *values[HC_TABLE_MAX_COLUMNS];
    size_t n = w->n_block;
    for (size_t i = 0; i < w->n; i++) {
        values[i] = &w->block[i];
        w->columns[i].words = (const char *const *)w->texts[i].text;
        w->columns[i].n_words = w->texts[i].n;
    }
    w->n_group += n;
    w->n_block = 0;
    if (hc_parquet_append(w->writer, values, n, err))
        return err->status;
    if (w->n_group == GROUP_ROWS) { /* it is written */
        for (size_t i = 0; i < w->n; i++) {
            hc_text_set_fini(&w->texts[i]);
            w->texts[i] = (struct hc_text_set){0};
        }
        w->n_group = 0;
    }
    return HC_OK;
}

/* Parquet's texts are UTF-8: bytes that are not become escapes. */
static enum hc_status add_text(struct hc_text_set *set, const char *text, int32_t *code,
                               struct hc_error *err)
{
    bool is_text = true;
    for (const char *at = text; *at && is_text;) {
        const struct hc_shown shown = hc_show(at);
        is_text = shown.is_text;
        at += shown.length;
    }
    if (is_text)
        return hc_text_set_add(set, text, strlen(text), code, err);
    char *shown = NULL;
    size_t size = 0;
    FILE *stream = hc_text_stream(&shown, &size, err);
    if (!stream)
        return err->status;
    hc_show_text(stream, text);
    if (hc_text_stream_end(stream, &shown, HC_OK, err))
        return err->status;
    enum hc_status status = hc_text_set_add(set, shown, size, code, err);
    free(shown);
    return status;
}

/* Codes of a dictionary without texts, as that of the types of ops, are shown as numbers. */
static const char *text_of(struct hc_table_names *names, const struct hc_column_def *column,
                           int32_t code, char number[16])
{
    const struct hc_text_set *set = hc_table_names_find(names, column->dictionary);
    if (set && code >= 0 && (size_t)code < set->n)
        return set->text[code];
    snprintf(number, 16, "%d", (int)code);
    return number;
}

enum hc_status hc_record_parquet_add(struct hc_record_parquet *w, const struct hc_table *table,
                                     struct hc_table_names *names, size_t row, struct hc_error *err)
{
    size_t at = w->n_block;
    char number[16];
    for (size_t i = 0; i < w->n; i++) {
        const struct hc_column_def *column = &w->def->columns[w->place[i]];
        union block *block = &w->block[i];
        if (column->type == HC_F64)
            block->f64[at] = hc_table_f64(table, w->place[i])[row];
        else if (column->type == HC_I64)
            block->i64[at] = hc_table_i64(table, w->place[i])[row];
        else
            block->i32[at] = hc_table_i32(table, w->place[i])[row];
        if (column->dictionary && block->i32[at] != HC_MISSING_I32 &&
            add_text(&w->texts[i], text_of(names, column, block->i32[at], number), &block->i32[at],
                     err))
            return err->status;
    }
    return ++w->n_block == BLOCK_ROWS ? write_block(w, err) : HC_OK;
}

enum hc_status hc_record_parquet_finish(struct hc_record_parquet *w, struct hc_error *err)
{
    return w->n_block && write_block(w, err) ? err->status : hc_parquet_finish(w->writer, err);
}

void hc_record_parquet_close(struct hc_record_parquet *w)
{
    if (!w)
        return;
    hc_parquet_close(w->writer);
    for (size_t i = 0; i < w->n; i++)
        hc_text_set_fini(&w->texts[i]);
    free(w->block);
    free(w);
}
