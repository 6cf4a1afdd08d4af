#include "core/tables/nodes/record_rows.h"

#include "core/base/missing.h"
#include "core/base/utf8.h"

#include <math.h>
#include <string.h>

void hc_record_begin(const struct hc_record_writer *writer)
{
    struct hc_table *rows = writer->rows;
    size_t row = rows->n_rows++;
    for (size_t c = 0; c < rows->def->n_columns; c++)
        if (rows->def->columns[c].type == HC_I32)
            hc_table_i32(rows, c)[row] = HC_MISSING_I32;
        else if (rows->def->columns[c].type == HC_F64)
            hc_table_f64(rows, c)[row] = NAN;
        else
            hc_table_i64(rows, c)[row] = HC_MISSING_I64;
}

/* Make of a text, terminated, what a dictionary can hold. */
static void clean(char *text, size_t length)
{
    for (char *at = text; at < text + length;) {
        size_t n = hc_utf8_length(at);
        if (n == 0 || (unsigned char)*at < ' ' || *at == 0x7f) {
            *at = '?';
            n = 1;
        }
        at += n;
    }
}

enum hc_status hc_record_put_text(const struct hc_record_writer *writer, size_t column,
                                  const char *text, size_t length, struct hc_error *err)
{
    char copy[HC_RECORD_TEXT_MOST + 1];
    struct hc_table *rows = writer->rows;
    const char *dictionary = rows->def->columns[column].dictionary;
    if (length == 0)
        return HC_OK;
    if (length > HC_RECORD_TEXT_MOST)
        for (length = HC_RECORD_TEXT_MOST; length && ((unsigned char)text[length] & 0xC0) == 0x80;)
            length--;
    memcpy(copy, text, length);
    copy[length] = '\0';
    clean(copy, length);
    return hc_text_set_add(hc_table_names_find(writer->names, dictionary), copy, length,
                           &hc_table_i32(rows, column)[rows->n_rows - 1], err);
}

void hc_record_put_i32(const struct hc_record_writer *writer, size_t column, int32_t value)
{
    hc_table_i32(writer->rows, column)[writer->rows->n_rows - 1] = value;
}

void hc_record_put_i64(const struct hc_record_writer *writer, size_t column, int64_t value)
{
    hc_table_i64(writer->rows, column)[writer->rows->n_rows - 1] = value;
}

void hc_record_put_f64(const struct hc_record_writer *writer, size_t column, double value)
{
    hc_table_f64(writer->rows, column)[writer->rows->n_rows - 1] = value;
}

int64_t hc_record_fact(int64_t before, const char *text, size_t length)
{
    /* FNV-1a, its length last so that "ab","c" and "a","bc" differ. */
    uint64_t hash = (uint64_t)before ^ 0xCBF29CE484222325ULL;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001B3ULL;
    hash = (hash ^ length) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32;
    return (int64_t)(hash >> 1);
}

enum hc_status hc_record_fixed_names(struct hc_table_names *names, const char *dictionary,
                                     const char *const *words, size_t n, struct hc_error *err)
{
    struct hc_text_set *set = hc_table_names_find(names, dictionary);
    for (size_t i = 0; i < n; i++) {
        int32_t code;
        if (hc_text_set_add(set, words[i], strlen(words[i]), &code, err))
            return err->status;
        if (code != (int32_t)i)
            return hc_fail(err, HC_INTERNAL, "'%s' is not code %zu", words[i], i);
    }
    return HC_OK;
}
