#include "reports/whatif/whatif_split_text.h"

#include "core/text/number_format.h"
#include "reports/whatif/whatif_views.h"

#include <inttypes.h>
#include <stdlib.h>

#define MAX_ROWS    12 /* of stages and dp ranks; op types are never cut */
#define VALUE_WIDTH 8  /* of a slowdown and the space before it */
#define CELL_SIZE   96

enum { N_COLUMNS = 3 };

struct column {
    const struct hc_split *split;
    const char *title;
    size_t *order;
    size_t n_shown;
    int name_width;
};

static enum hc_status init_column(struct column *column, const struct hc_split *split,
                                  struct hc_error *err)
{
    column->split = split;
    column->order = hc_split_descending(split, err);
    bool is_cut = split->n_groups > MAX_ROWS && !split->groups[0].name;
    column->n_shown = is_cut ? MAX_ROWS - 1 : split->n_groups;
    return column->order ? HC_OK : err->status;
}

/* The text of one cell, "" below the end of its column. */
static void cell_text(char cell[CELL_SIZE], const struct column *column, size_t row)
{
    char value[HC_NUMBER_TEXT];
    const struct hc_split *split = column->split;
    int width = column->name_width;
    cell[0] = '\0';
    if (row < column->n_shown) {
        const struct hc_split_group *group = &split->groups[column->order[row]];
        hc_format_fixed(group->slowdown, 3, value);
        if (group->name)
            snprintf(cell, CELL_SIZE, "%-*s %7s", width, group->name, value);
        else
            snprintf(cell, CELL_SIZE, "%*" PRId32 " %7s", width, group->id, value);
    } else if (row < split->n_groups && row == column->n_shown) {
        snprintf(cell, CELL_SIZE, "... and %zu more", split->n_groups - row);
    }
}

static void write_row(FILE *stream, const struct column columns[N_COLUMNS], size_t row)
{
    char cell[CELL_SIZE];
    int pending = 0; /* columns to skip before the next text, so that no line ends in spaces */
    for (int i = 0; i < N_COLUMNS; i++) {
        cell_text(cell, &columns[i], row);
        pending += 2 + columns[i].name_width + VALUE_WIDTH;
        if (!cell[0])
            continue;
        fprintf(stream, "%*s", pending, cell);
        pending = 0;
    }
    fputc('\n', stream);
}

/* Rows of the table, with the "... and n more". */
static size_t column_height(const struct column *column)
{
    return column->n_shown + (column->n_shown < column->split->n_groups);
}

enum hc_status hc_whatif_write_split_table(FILE *stream,
                                           const struct hc_split splits[HC_N_PARTITIONS],
                                           struct hc_error *err)
{
    struct column columns[N_COLUMNS] = {{.title = "by op type", .name_width = 26},
                                        {.title = "by stage", .name_width = 9},
                                        {.title = "by dp rank", .name_width = 9}};
    static const enum hc_partition partitions[] = {HC_BY_OP_TYPE, HC_BY_STAGE, HC_BY_DP_RANK};
    enum hc_status status = HC_OK;
    size_t n_rows = 0;
    for (int i = 0; i < N_COLUMNS && status == HC_OK; i++) {
        status = init_column(&columns[i], &splits[partitions[i]], err);
        n_rows = column_height(&columns[i]) > n_rows ? column_height(&columns[i]) : n_rows;
    }
    if (status == HC_OK) {
        fprintf(stream, "  %-34s", columns[0].title);
        for (int i = 1; i < N_COLUMNS; i++)
            fprintf(stream, "  %*s", columns[i].name_width + VALUE_WIDTH, columns[i].title);
        fputc('\n', stream);
    }
    for (size_t row = 0; row < n_rows && status == HC_OK; row++)
        write_row(stream, columns, row);
    for (int i = 0; i < N_COLUMNS; i++)
        free(columns[i].order);
    return status;
}
