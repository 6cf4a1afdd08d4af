#include "cli/frame/columns.h"

#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/base/text_layout.h"
#include "core/text/number_format.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 16

enum hc_status hc_columns_add(struct hc_columns *columns, const char *text, struct hc_error *err)
{
    if (hc_reserve(&columns->cell, &columns->capacity, columns->n_cells + 1, sizeof *columns->cell,
                   err))
        return err->status;
    if (!text)
        text = "-";
    size_t size = HC_SHOWN_MOST * strlen(text) + 8;
    char *cell = hc_new_array(size, 1, err);
    if (!cell)
        return err->status;
    columns->cell[columns->n_cells++] = cell;
    hc_text_head(cell, size, text, size);
    return HC_OK;
}

enum hc_status hc_columns_add_count(struct hc_columns *columns, long long count,
                                    struct hc_error *err)
{
    char text[HC_NUMBER_TEXT];
    return hc_columns_add(columns, hc_format_count(count, text), err);
}

void hc_columns_print(const struct hc_columns *columns, FILE *stream, int indent)
{
    size_t width[MAX_COLUMNS] = {0};
    size_t n = columns->n_columns;
    for (size_t i = 0; i < columns->n_cells; i++) {
        size_t length = hc_text_columns(columns->cell[i]);
        if (length > width[i % n])
            width[i % n] = length;
    }
    for (size_t i = 0; i < columns->n_cells; i++) {
        const char *cell = columns->cell[i];
        int gap = (int)(width[i % n] - hc_text_columns(cell));
        bool is_right = columns->right >> i % n & 1, is_last = i % n == n - 1;
        fprintf(stream, "%*s%*s%s", i % n ? 2 : indent, "", is_right ? gap : 0, "", cell);
        fprintf(stream, "%*s%s", is_right || is_last ? 0 : gap, "", is_last ? "\n" : "");
    }
}

void hc_columns_fini(struct hc_columns *columns)
{
    for (size_t i = 0; i < columns->n_cells; i++)
        free(columns->cell[i]);
    free(columns->cell);
    memset(columns, 0, sizeof *columns);
}
